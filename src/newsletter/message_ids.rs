//! The Message-ID of newsletters, confirmations and welcomes: `TIME.SIGNATURE@DOMAIN`.
//!
//! It proves to which address this site sent the message, and when, without anything being stored.
//! Nobody else can create one, so a report about an address counts only with a message that the
//! address got.

use super::error::Result;
use super::links::Keys;
use respiro_auth::signed_links::Purpose;
use respiro_content::Timestamp;
use respiro_content::validation::canonical_email;
use respiro_db::Reader;

/// Reports about older messages do not count: servers give up after days.
const AGE_MILLISECONDS_MAX: i64 = 60 * 24 * 60 * 60 * 1_000;
/// How far a clock may have been ahead when the message was composed.
const AHEAD_MILLISECONDS_MAX: i64 = 24 * 60 * 60 * 1_000;

/// Returns the local part of the Message-ID of a message that is composed at `at`.
pub(super) fn message_id(keys: &Keys, email: &str, at: Timestamp) -> String {
    format!("{at}.{}", keys.sign(Purpose::MessageId, email, at))
}

/// The address that a message was sent to, and when it was composed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SentMessage {
    pub email: String,
    pub composed_at: Timestamp,
}

/// Finds the subscriber that got the message with this Message-ID. `None` if this site did not
/// create it. `named` are addresses to try first: reports of complaints hide the address, and a
/// message that was forwarded came back from another one.
pub(super) fn find_recipient(
    reader: &Reader<'_>,
    message_id: &str,
    named: &[String],
    now: Timestamp,
) -> Result<Option<SentMessage>> {
    let local = message_id
        .rsplit_once('@')
        .map_or(message_id, |(local, _)| local);
    let Some((at, signature)) = local.split_once('.') else {
        return Ok(None);
    };
    let Ok(composed_at) = at.parse::<Timestamp>() else {
        return Ok(None);
    };
    let age = now.saturating_sub(composed_at);
    if !(-AHEAD_MILLISECONDS_MAX..AGE_MILLISECONDS_MAX).contains(&age) {
        return Ok(None);
    }
    let keys = Keys::of(reader)?;
    let is_of = |email: &str| keys.verify(Purpose::MessageId, email, composed_at, signature);
    for named in named {
        let email = canonical_email(named);
        if is_of(&email) && reader.subscribers().get(&email)?.is_some() {
            return Ok(Some(SentMessage { email, composed_at }));
        }
    }
    let subscribers = reader.subscribers().list()?.into_iter();
    let found = subscribers.map(|one| one.email).find(|email| is_of(email));
    Ok(found.map(|email| SentMessage { email, composed_at }))
}
