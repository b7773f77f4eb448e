//! Accounts of the panel and their sessions.

use super::session_lifetime::SESSIONS_MAX;
use super::tables::{self, ACCOUNTS, SESSIONS};
use super::{Account, Reader, Session, Writer};
use crate::error::Result;
use std::collections::BTreeSet;

impl Reader<'_> {
    pub fn account(&self, email: &str) -> Result<Option<Account>> {
        tables::record(self.tables, ACCOUNTS, email.as_bytes())
    }

    pub fn accounts(&self) -> Result<Vec<Account>> {
        let rows = tables::records(self.tables, ACCOUNTS, b"")?;
        Ok(rows.into_iter().map(|(_, account)| account).collect())
    }

    pub fn session(&self, token_hash: &[u8; 32]) -> Result<Option<Session>> {
        tables::record(self.tables, SESSIONS, token_hash)
    }

    /// The account's sessions, the most recently used first.
    pub fn sessions(&self, email: &str) -> Result<Vec<Session>> {
        let rows: Vec<(_, Session)> = tables::records(self.tables, SESSIONS, b"")?;
        let mut sessions: Vec<Session> = rows
            .into_iter()
            .map(|(_, session)| session)
            .filter(|session| session.email == email)
            .collect();
        sessions.sort_by(|a, b| (b.last_seen_at, &b.id).cmp(&(a.last_seen_at, &a.id)));
        Ok(sessions)
    }
}

impl Writer<'_> {
    pub fn put_account(&mut self, account: &Account) -> Result<()> {
        let key = account.email.as_bytes();
        tables::put(self.transaction, ACCOUNTS, key, account)
    }

    /// Also ends the account's sessions and passkeys. `false` when there is no such account.
    pub fn remove_account(&mut self, email: &str) -> Result<bool> {
        self.remove_sessions(email, None)?;
        self.remove_passkeys(email)?;
        tables::remove(self.transaction, ACCOUNTS, email.as_bytes())
    }

    pub fn put_session(&mut self, token_hash: &[u8; 32], session: &Session) -> Result<()> {
        tables::put(self.transaction, SESSIONS, token_hash, session)
    }

    /// A session that was not there before, in the place of the ones longest unused if needed.
    pub fn begin_session(&mut self, token_hash: &[u8; 32], session: &Session) -> Result<()> {
        let sessions = self.sessions(&session.email)?;
        let ends: BTreeSet<&str> = sessions
            .iter()
            .skip(SESSIONS_MAX - 1)
            .map(|session| session.id.as_str())
            .collect();
        self.end_sessions(|_, session| ends.contains(session.id.as_str()))?;
        self.put_session(token_hash, session)
    }

    pub fn remove_session(&mut self, token_hash: &[u8; 32]) -> Result<()> {
        tables::remove(self.transaction, SESSIONS, token_hash).map(drop)
    }

    /// Ends the session with this public handle. `false` when the account has no such session.
    pub fn remove_session_by_id(&mut self, email: &str, id: &str) -> Result<bool> {
        let ended = self.end_sessions(|_, session| session.email == email && session.id == id)?;
        Ok(ended > 0)
    }

    /// Ends every session of the account but `keep`.
    pub fn remove_sessions(&mut self, email: &str, keep: Option<&[u8; 32]>) -> Result<()> {
        let kept = |key: &[u8]| keep.is_some_and(|hash| hash == key);
        self.end_sessions(|key, session| session.email == email && !kept(key))?;
        Ok(())
    }

    pub(super) fn end_sessions(&mut self, ends: impl Fn(&[u8], &Session) -> bool) -> Result<u64> {
        let mut ended = 0;
        for (key, session) in tables::records(self.tables, SESSIONS, b"")? {
            if ends(&key, &session) {
                tables::remove(self.transaction, SESSIONS, &key)?;
                ended += 1;
            }
        }
        Ok(ended)
    }
}
