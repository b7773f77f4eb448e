//! Step-up authentication: remembers which sessions confirmed the password or a passkey, and when.
//!
//! In memory only: after a restart the panel asks again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How long a confirmation is valid.
pub const CONFIRMATION_MILLISECONDS: i64 = 10 * 60_000;
/// Sessions remembered. Only a correct password or a passkey adds one.
const SESSIONS_MAX: usize = 1_024;

/// Time of the last confirmation by hash of the session's token.
#[derive(Debug, Default)]
pub struct Confirmations(Mutex<HashMap<[u8; 32], i64>>);

/// A clock that was set back since makes a confirmation invalid, not valid for longer.
fn is_recent(confirmed_at: i64, now: i64) -> bool {
    (0..CONFIRMATION_MILLISECONDS).contains(&now.saturating_sub(confirmed_at))
}

impl Confirmations {
    /// Records a sign-in or a confirmation of the session.
    pub fn record(&self, token_hash: [u8; 32], now: i64) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, confirmed_at| is_recent(*confirmed_at, now));
        if sessions.len() >= SESSIONS_MAX {
            let oldest = sessions.iter().min_by_key(|(_, at)| **at);
            if let Some(oldest) = oldest.map(|(token_hash, _)| *token_hash) {
                sessions.remove(&oldest);
            }
        }
        sessions.insert(token_hash, now);
    }

    /// Returns whether the session has confirmed within [`CONFIRMATION_MILLISECONDS`].
    pub fn is_confirmed(&self, token_hash: &[u8; 32], now: i64) -> bool {
        let sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let confirmed_at = sessions.get(token_hash);
        confirmed_at.is_some_and(|confirmed_at| is_recent(*confirmed_at, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confirmation_is_valid_for_ten_minutes_in_its_session() {
        let confirmations = Confirmations::default();
        let (one, other) = ([1; 32], [2; 32]);
        confirmations.record(one, 1_000);
        assert!(confirmations.is_confirmed(&one, 1_000));
        assert!(confirmations.is_confirmed(&one, 1_000 + CONFIRMATION_MILLISECONDS - 1));
        assert!(!confirmations.is_confirmed(&one, 1_000 + CONFIRMATION_MILLISECONDS));
        assert!(!confirmations.is_confirmed(&other, 1_000));
        assert!(
            !confirmations.is_confirmed(&one, 999),
            "the clock was set back"
        );
    }

    #[test]
    fn the_oldest_confirmation_makes_room() {
        let confirmations = Confirmations::default();
        let session = |number: usize| {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&number.to_le_bytes());
            hash
        };
        for number in 0..=SESSIONS_MAX {
            confirmations.record(session(number), i64::try_from(number).unwrap());
        }
        let now = i64::try_from(SESSIONS_MAX).unwrap();
        assert!(!confirmations.is_confirmed(&session(0), now));
        assert!(confirmations.is_confirmed(&session(1), now));
        assert!(confirmations.is_confirmed(&session(SESSIONS_MAX), now));
    }
}
