//! Admin accounts.

use super::Writable;
use crate::Reader;
use crate::error::Result;
use crate::tables::{self, ACCOUNTS};
use respiro_content::Timestamp;

/// An admin account.
#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Account {
    pub email: String,
    /// Argon2id in PHC string form.
    pub password_hash: String,
    pub created_at: Timestamp,
    pub second_factor: Option<SecondFactor>,
}

#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct SecondFactor {
    pub secret: Vec<u8>,
    /// SHA-256 of each unused recovery code.
    pub recovery_hashes: Vec<[u8; 32]>,
    /// Last accepted time step: a code is accepted once.
    pub last_step: u64,
}

/// Admin accounts.
pub struct Accounts<'a>(pub(super) Reader<'a>);

impl Accounts<'_> {
    pub fn get(&self, email: &str) -> Result<Option<Account>> {
        tables::record(self.0.tables, ACCOUNTS, email.as_bytes())
    }

    /// Returns whether the file has no account, nor a row of one that does not decode: such a row
    /// must not let a visitor create the first account.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.0.tables.length(ACCOUNTS)? == 0)
    }

    pub fn list(&self) -> Result<Vec<Account>> {
        let rows = tables::records(self.0.tables, ACCOUNTS, b"")?;
        Ok(rows.into_iter().map(|(_, account)| account).collect())
    }
}

impl Writable<'_, '_, Accounts<'_>> {
    pub fn put(&mut self, account: &Account) -> Result<()> {
        let key = account.email.as_bytes();
        tables::put(self.writer.transaction, ACCOUNTS, key, account)
    }

    /// Removes an account with its sessions, passkeys and drafts. Returns `false` if there is no
    /// such account.
    pub fn remove(&mut self, email: &str) -> Result<bool> {
        self.writer.sessions().remove_by_account(email, None)?;
        self.writer.passkeys().remove_by_account(email)?;
        self.writer.drafts().remove_by_account(email)?;
        self.writer.transaction.remove(ACCOUNTS, email.as_bytes())
    }
}
