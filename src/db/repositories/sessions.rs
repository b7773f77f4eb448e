//! Sessions of the accounts.

use super::Writable;
use crate::Reader;
use crate::clock::{ClockReading, TrustedTime};
use crate::error::{Error, Result};
use crate::tables::{self, SESSIONS};
use respiro_content::Timestamp;
use std::collections::BTreeSet;

/// A signed-in browser, keyed by the SHA-256 of its token.
#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Session {
    /// Public id, unrelated to the token.
    pub id: String,
    pub email: String,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    pub user_agent: String,
}

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// An unused session ends after this time.
pub const SESSION_IDLE_MILLISECONDS_MAX: i64 = 14 * DAY_MILLISECONDS;
/// Every session ends after this time.
pub const SESSION_MILLISECONDS_MAX: i64 = 90 * DAY_MILLISECONDS;
/// Sessions per account; one more ends the least recently used.
pub const SESSIONS_MAX: usize = 20;

impl Session {
    /// Returns whether the session is valid. Every use of a token must check it.
    pub fn is_alive(&self, now: &ClockReading) -> bool {
        now.age_of(self.last_seen_at) < SESSION_IDLE_MILLISECONDS_MAX
            && now.age_of(self.created_at) < SESSION_MILLISECONDS_MAX
    }
}

/// Signed-in browsers.
pub struct Sessions<'a>(pub(super) Reader<'a>);

impl Sessions<'_> {
    /// Returns `None` for a session whose row does not decode, too: the browser signs in again.
    pub fn get(&self, token_hash: &[u8; 32]) -> Result<Option<Session>> {
        tables::readable_record(self.0.tables, SESSIONS, token_hash)
    }

    /// Returns the account's sessions, most recently used first.
    pub fn list(&self, email: &str) -> Result<Vec<Session>> {
        let rows: Vec<(_, Session)> = tables::records(self.0.tables, SESSIONS, b"")?;
        let mut sessions: Vec<Session> = rows
            .into_iter()
            .map(|(_, session)| session)
            .filter(|session| session.email == email)
            .collect();
        sessions.sort_by(|a, b| (b.last_seen_at, &b.id).cmp(&(a.last_seen_at, &a.id)));
        Ok(sessions)
    }
}

impl Writable<'_, '_, Sessions<'_>> {
    /// Records a use of the session. Returns `false` if it has ended meanwhile.
    pub fn touch(&mut self, token_hash: &[u8; 32], now: &ClockReading) -> Result<bool> {
        let Some(mut session) = self.get(token_hash)?.filter(|one| one.is_alive(now)) else {
            return Ok(false);
        };
        session.last_seen_at = session.last_seen_at.max(now.at());
        tables::put(self.writer.transaction, SESSIONS, token_hash, &session)?;
        Ok(true)
    }

    /// Adds a session and ends the least recently used ones beyond the limit. Fails with
    /// `NoAccount` if the account was removed meanwhile.
    pub fn begin(&mut self, token_hash: &[u8; 32], session: &Session) -> Result<()> {
        if self.writer.accounts().get(&session.email)?.is_none() {
            return Err(Error::NoAccount);
        }
        let sessions = self.list(&session.email)?;
        let ends: BTreeSet<&str> = sessions
            .iter()
            .skip(SESSIONS_MAX - 1)
            .map(|session| session.id.as_str())
            .collect();
        self.remove_where(|_, session| ends.contains(session.id.as_str()))?;
        tables::put(self.writer.transaction, SESSIONS, token_hash, session)
    }

    pub fn remove(&mut self, token_hash: &[u8; 32]) -> Result<()> {
        self.writer
            .transaction
            .remove(SESSIONS, token_hash)
            .map(drop)
    }

    /// Ends the session with this public id. Returns `false` if the account has no such session.
    pub fn remove_by_id(&mut self, email: &str, id: &str) -> Result<bool> {
        let ended = self.remove_where(|_, session| session.email == email && session.id == id)?;
        Ok(ended > 0)
    }

    /// Ends all sessions of the account except `keep`.
    pub fn remove_by_account(&mut self, email: &str, keep: Option<&[u8; 32]>) -> Result<()> {
        let kept = |key: &[u8]| keep.is_some_and(|hash| hash == key);
        self.remove_where(|key, session| session.email == email && !kept(key))?;
        Ok(())
    }

    pub(crate) fn change_email(&mut self, email: &str, new_email: &str) -> Result<()> {
        for (key, mut session) in tables::records::<Session>(self.writer.tables, SESSIONS, b"")? {
            if session.email == email {
                new_email.clone_into(&mut session.email);
                tables::put(self.writer.transaction, SESSIONS, &key, &session)?;
            }
        }
        Ok(())
    }

    /// Ends all sessions of all accounts.
    pub fn remove_all(&mut self) -> Result<()> {
        self.remove_where(|_, _| true).map(drop)
    }

    /// Removes ended sessions and returns their number. The life of a session that began while the
    /// clock was ahead counts from now.
    pub(crate) fn remove_ended(&mut self, now: &TrustedTime) -> Result<u64> {
        for (key, mut session) in tables::records::<Session>(self.writer.tables, SESSIONS, b"")? {
            if session.created_at.max(session.last_seen_at) > now.at() {
                session.created_at = session.created_at.min(now.at());
                session.last_seen_at = session.last_seen_at.min(now.at());
                tables::put(self.writer.transaction, SESSIONS, &key, &session)?;
            }
        }
        self.remove_where(|_, session| !session.is_alive(now))
    }

    pub(crate) fn remove_where(&mut self, ends: impl Fn(&[u8], &Session) -> bool) -> Result<u64> {
        let mut ended = 0;
        for (key, session) in tables::records(self.writer.tables, SESSIONS, b"")? {
            if ends(&key, &session) {
                self.writer.transaction.remove(SESSIONS, &key)?;
                ended += 1;
            }
        }
        Ok(ended)
    }
}
