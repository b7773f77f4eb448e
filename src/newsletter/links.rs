//! Links in newsletter e-mails, signed for one address and one purpose, so that nothing is stored.
//!
//! Unsubscribe links never expire and stay valid when the site moves: they have a key of their own,
//! which an export contains. That key signs nothing else, so a leaked key can only unsubscribe
//! addresses.

use super::error::{Error, Result};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use respiro_auth::signed_links::{self, Purpose};
use respiro_content::Timestamp;
use respiro_db::Reader;

/// The purpose of a link, as it stands in its path.
pub const CONFIRM: &str = "conferma";
pub const UNSUBSCRIBE: &str = "cancella";
/// The expiry time of a link that never expires.
pub const NEVER: Timestamp = 0;

/// The signing keys of a data file.
#[derive(Debug, Clone)]
pub struct Keys {
    confirm: [u8; 32],
    /// Signs new unsubscribe links.
    pub unsubscribe: [u8; 32],
    /// Other keys that are accepted for unsubscribe links: this file's own key, from before an
    /// import brought another, and the secret that former releases used for all links.
    former: [[u8; 32]; 2],
}

impl Keys {
    pub fn of(reader: &Reader<'_>) -> Result<Self> {
        let secret = reader.secret()?;
        let imported = reader.imported_unsubscribe_key()?;
        let own = signed_links::unsubscribe_key(&secret, None);
        let current = signed_links::unsubscribe_key(&secret, imported);
        let (own, current) = own
            .zip(current)
            .ok_or_else(|| Error::Internal("a key that signs nothing".to_owned()))?;
        Ok(Self {
            confirm: secret,
            unsubscribe: current,
            former: [own, secret],
        })
    }

    fn of_purpose(&self, purpose: Purpose) -> &[u8; 32] {
        match purpose {
            Purpose::Unsubscribe => &self.unsubscribe,
            _ => &self.confirm,
        }
    }

    pub(super) fn sign(&self, purpose: Purpose, subject: &str, time: Timestamp) -> String {
        signed_links::sign(self.of_purpose(purpose), purpose, subject, time)
    }

    pub(super) fn verify(
        &self,
        purpose: Purpose,
        subject: &str,
        until: Timestamp,
        signature: &str,
    ) -> bool {
        let holds = |key| signed_links::verify(key, purpose, subject, until, signature);
        let mut former = self.former.iter();
        holds(self.of_purpose(purpose)) || purpose == Purpose::Unsubscribe && former.any(holds)
    }
}

/// The result of verifying a link.
#[derive(Debug, PartialEq, Eq)]
pub enum Opened {
    /// A valid link: its address, and the id of the newsletter that contained it, if any.
    For(String, Option<String>),
    /// The signature is valid, but the link has expired.
    Expired,
    /// The link was not made by this site, or is incomplete.
    Forged,
}

/// Returns the last part of a link's path, `ADDRESS.EXPIRY.SIGNATURE`.
pub fn token(keys: &Keys, purpose: Purpose, email: &str, until: Timestamp) -> String {
    let subject = URL_SAFE_NO_PAD.encode(email);
    let signature = keys.sign(purpose, &subject, until);
    format!("{subject}.{until}.{signature}")
}

pub fn open(keys: &Keys, purpose: Purpose, token: &str, now: Timestamp) -> Opened {
    let Some((subject, until, signature)) = parts(token) else {
        return Opened::Forged;
    };
    if !keys.verify(purpose, subject, until, signature) {
        return Opened::Forged;
    }
    if until != NEVER && until <= now {
        return Opened::Expired;
    }
    let bytes = URL_SAFE_NO_PAD.decode(subject).unwrap_or_default();
    let Ok(subject) = String::from_utf8(bytes) else {
        return Opened::Forged;
    };
    // An address never contains a line break.
    match subject.split_once('\n') {
        Some((email, id)) => Opened::For(email.to_owned(), Some(id.to_owned())),
        None => Opened::For(subject, None),
    }
}

fn parts(token: &str) -> Option<(&str, Timestamp, &str)> {
    let mut parts = token.splitn(3, '.');
    let subject = parts.next()?;
    let until = parts.next()?.parse().ok()?;
    Some((subject, until, parts.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Keys = keys(7, 8, 9);
    const OTHER: Keys = keys(1, 2, 3);

    const fn keys(secret: u8, own: u8, brought: u8) -> Keys {
        Keys {
            confirm: [secret; 32],
            unsubscribe: [brought; 32],
            former: [[own; 32], [secret; 32]],
        }
    }

    #[test]
    fn a_link_holds_for_its_address_purpose_and_time_only() {
        let link = token(&KEY, Purpose::Confirm, "lina@example.com", 1_000);
        let opened = |purpose, token: &str, now| open(&KEY, purpose, token, now);
        assert_eq!(
            opened(Purpose::Confirm, &link, 999),
            Opened::For("lina@example.com".to_owned(), None)
        );
        assert_eq!(opened(Purpose::Confirm, &link, 1_000), Opened::Expired);
        assert_eq!(opened(Purpose::Unsubscribe, &link, 1), Opened::Forged);
        assert_eq!(open(&OTHER, Purpose::Confirm, &link, 1), Opened::Forged);
        let later = link.replace(".1000.", ".2000.");
        let endless = link.replace(".1000.", ".0.");
        for forged in [
            &later,
            &endless,
            &link[1..],
            "",
            "a.b.c",
            "a.1",
            "..",
            "è.1.x",
        ] {
            assert_eq!(
                opened(Purpose::Confirm, forged, 1),
                Opened::Forged,
                "{forged}"
            );
        }
    }

    #[test]
    fn a_link_without_an_end_holds_for_ever() {
        let link = token(&KEY, Purpose::Unsubscribe, "a@b.it", NEVER);
        assert_eq!(
            open(&KEY, Purpose::Unsubscribe, &link, Timestamp::MAX),
            Opened::For("a@b.it".to_owned(), None)
        );
    }

    /// Regression: each import created new keys, and unsubscribe links in newsletters sent before
    /// the site moved stopped working.
    #[test]
    fn a_link_holds_under_the_key_that_came_along_and_under_those_before() {
        let opens = |keys: &Keys, signed_by: u8| {
            let subject = URL_SAFE_NO_PAD.encode("a@b.it\nid");
            let signature =
                signed_links::sign(&[signed_by; 32], Purpose::Unsubscribe, &subject, NEVER);
            let token = format!("{subject}.0.{signature}");
            open(keys, Purpose::Unsubscribe, &token, 1) != Opened::Forged
        };
        for known in [7, 8, 9] {
            assert!(opens(&KEY, known), "{known}");
            assert!(!opens(&OTHER, known), "{known}");
        }
        // The exported key cannot sign confirmations.
        let carried = keys(9, 9, 9);
        let forged = token(&carried, Purpose::Confirm, "a@b.it", 1_000);
        assert_eq!(open(&KEY, Purpose::Confirm, &forged, 1), Opened::Forged);
    }

    /// E-mails that recipients keep contain these links.
    #[test]
    fn golden_links_open() {
        const GOLDEN: &str =
            "YUBleGFtcGxlLml0.4102444800000.A_2EpPD-i1kq5F0xvvP_Jzc3eyCAs7VJa0BZWxrRBYE";
        let email = "a@example.it";
        let until = 4_102_444_800_000;
        assert_eq!(token(&KEY, Purpose::Confirm, email, until), GOLDEN);
        let opened = open(&KEY, Purpose::Confirm, GOLDEN, 1);
        assert_eq!(opened, Opened::For(email.to_owned(), None));

        let keys = keys(7, 8, 14);
        let golden =
            "YkBleGFtcGxlLml0CnNlbmRpbmctZnVsbA.0.PsLOj9c9XrNTJHM-H0nWu3qthXxYtQNBogDaB0fTlJ4";
        let subject = "b@example.it\nsending-full";
        assert_eq!(token(&keys, Purpose::Unsubscribe, subject, NEVER), golden);
        let opened = open(&keys, Purpose::Unsubscribe, golden, 1);
        let id = Some("sending-full".to_owned());
        assert_eq!(opened, Opened::For("b@example.it".to_owned(), id));
        // A link of a release that signed everything with one key.
        let former = "YkBleGFtcGxlLml0.0.hlVxIyI-_oGwqTSvzxE5bRtnCgoPsZvaxwdmL1e92CI";
        let opened = open(&keys, Purpose::Unsubscribe, former, 1);
        assert_eq!(opened, Opened::For("b@example.it".to_owned(), None));
        assert_eq!((CONFIRM, UNSUBSCRIBE), ("conferma", "cancella"));
    }
}
