//! The links in a message: signed for one address and one purpose, so that nothing is stored.

use crate::auth::sign::{self, Purpose};
use crate::content::Timestamp;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// What a link is for, in its path.
pub const CONFIRM: &str = "conferma";
pub const UNSUBSCRIBE: &str = "cancella";
/// The end of a link that has none.
pub const NEVER: Timestamp = 0;

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
pub fn token(key: &[u8; 32], purpose: Purpose, email: &str, until: Timestamp) -> String {
    let subject = URL_SAFE_NO_PAD.encode(email);
    let signature = sign::sign(key, purpose, &subject, until);
    format!("{subject}.{until}.{signature}")
}

pub fn open(key: &[u8; 32], purpose: Purpose, token: &str, now: Timestamp) -> Opened {
    let Some((subject, until, signature)) = parts(token) else {
        return Opened::Forged;
    };
    if !sign::verify(key, purpose, subject, until, signature) {
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

    const KEY: [u8; 32] = [7; 32];

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
        assert_eq!(open(&[8; 32], Purpose::Confirm, &link, 1), Opened::Forged);
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
}
