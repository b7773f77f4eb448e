//! The links in a message: signed for one address and one purpose, so that nothing is stored.
//!
//! A link that ends a subscription holds for ever, wherever the site moves: it has a key of its
//! own, which an export carries. That key signs nothing else, and whoever finds it can do no more
//! than end subscriptions.

use crate::auth::signed_links::{self, Purpose};
use crate::content::Timestamp;
use crate::error::{Error, Result};
use crate::store::Reader;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// What a link is for, in its path.
pub const CONFIRM: &str = "conferma";
pub const UNSUBSCRIBE: &str = "cancella";
/// The end of a link that has none.
pub const NEVER: Timestamp = 0;

/// What the links of a data file are signed with.
#[derive(Debug, Clone)]
pub struct Keys {
    confirm: [u8; 32],
    /// What a new link to end a subscription is signed with.
    pub unsubscribe: [u8; 32],
    /// What such links may be signed with too: by this file before it took the key of another, and
    /// by releases that had one key for everything.
    former: [[u8; 32]; 2],
}

impl Keys {
    pub fn of(reader: &Reader<'_>) -> Result<Self> {
        let secret = reader.secret()?;
        let own = signed_links::derive(&secret, Purpose::UnsubscribeKey, "");
        let own = own.ok_or_else(|| Error::Internal("a key that signs nothing".to_owned()))?;
        Ok(Self {
            confirm: secret,
            unsubscribe: reader.imported_unsubscribe_key()?.unwrap_or(own),
            former: [own, secret],
        })
    }

    fn of_purpose(&self, purpose: Purpose) -> &[u8; 32] {
        match purpose {
            Purpose::Unsubscribe => &self.unsubscribe,
            _ => &self.confirm,
        }
    }

    fn verify(&self, purpose: Purpose, subject: &str, until: Timestamp, signature: &str) -> bool {
        let holds = |key| signed_links::verify(key, purpose, subject, until, signature);
        let mut former = self.former.iter();
        holds(self.of_purpose(purpose)) || purpose == Purpose::Unsubscribe && former.any(holds)
    }
}

/// What a link turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub enum Opened {
    /// It is for this address; and the newsletter it stood in, when it stood in one.
    For(String, Option<String>),
    /// It was for somebody, until a moment ago.
    Expired,
    /// It was not made here, or not whole.
    Forged,
}

/// The last part of a link's path, `ADDRESS.END.SIGNATURE`.
pub fn token(keys: &Keys, purpose: Purpose, email: &str, until: Timestamp) -> String {
    let subject = URL_SAFE_NO_PAD.encode(email);
    let signature = signed_links::sign(keys.of_purpose(purpose), purpose, &subject, until);
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
    // No address holds a line end.
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

    /// Each import made new keys: who had got a newsletter before the site moved could not leave
    /// any more by its link.
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
        // What an export carries confirms nobody.
        let carried = keys(9, 9, 9);
        let forged = token(&carried, Purpose::Confirm, "a@b.it", 1_000);
        assert_eq!(open(&KEY, Purpose::Confirm, &forged, 1), Opened::Forged);
    }

    /// These stand in mails that people keep.
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
        // Of a release that signed everything with one key.
        let former = "YkBleGFtcGxlLml0.0.hlVxIyI-_oGwqTSvzxE5bRtnCgoPsZvaxwdmL1e92CI";
        let opened = open(&keys, Purpose::Unsubscribe, former, 1);
        assert_eq!(opened, Opened::For("b@example.it".to_owned(), None));
        assert_eq!((CONFIRM, UNSUBSCRIBE), ("conferma", "cancella"));
    }
}
