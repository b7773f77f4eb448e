//! Passkeys of the accounts.

use super::Writable;
use crate::Reader;
use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, PASSKEYS};
use respiro_content::Timestamp;

/// More than one person's devices.
pub const PASSKEYS_PER_ACCOUNT_MAX: usize = 20;
const TOO_MANY: Error = Error::Conflict(messages::TOO_MANY_PASSKEYS);
const KNOWN: Error = Error::Conflict(messages::KNOWN_PASSKEY);

/// A passkey, keyed by the credential's id.
#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Passkey {
    pub credential_id: Vec<u8>,
    pub email: String,
    /// Name given by the owner.
    pub name: String,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// Public key and other immutable state (`auth::passkey::Credential`).
    pub fixed: Vec<u8>,
    /// Signature counter and other state that changes with each use.
    pub moving: [u8; 7],
}

/// Passkeys of the accounts.
pub struct Passkeys<'a>(pub(super) Reader<'a>);

impl Passkeys<'_> {
    pub fn get(&self, credential_id: &[u8]) -> Result<Option<Passkey>> {
        tables::record(self.0.tables, PASSKEYS, credential_id)
    }

    /// Returns the account's passkeys, oldest first.
    pub fn list(&self, email: &str) -> Result<Vec<Passkey>> {
        let rows: Vec<(_, Passkey)> = tables::records(self.0.tables, PASSKEYS, b"")?;
        let mut passkeys: Vec<Passkey> = rows
            .into_iter()
            .map(|(_, passkey)| passkey)
            .filter(|passkey| passkey.email == email)
            .collect();
        passkeys.sort_by(|a, b| {
            (a.created_at, &a.credential_id).cmp(&(b.created_at, &b.credential_id))
        });
        Ok(passkeys)
    }
}

impl Writable<'_, '_, Passkeys<'_>> {
    /// Fails with a conflict if any account has the credential, or the account has too many.
    pub fn add(&mut self, passkey: &Passkey) -> Result<()> {
        if self.get(&passkey.credential_id)?.is_some() {
            return Err(KNOWN);
        }
        if self.list(&passkey.email)?.len() >= PASSKEYS_PER_ACCOUNT_MAX {
            return Err(TOO_MANY);
        }
        self.put(passkey)
    }

    pub fn put(&mut self, passkey: &Passkey) -> Result<()> {
        let key = &passkey.credential_id;
        tables::put(self.writer.transaction, PASSKEYS, key, passkey)
    }

    /// Returns `false` if the account has no such passkey.
    pub fn remove(&mut self, email: &str, credential_id: &[u8]) -> Result<bool> {
        match self.get(credential_id)? {
            Some(passkey) if passkey.email == email => {
                self.writer.transaction.remove(PASSKEYS, credential_id)
            }
            _ => Ok(false),
        }
    }

    pub(crate) fn change_email(&mut self, email: &str, new_email: &str) -> Result<()> {
        for mut passkey in self.list(email)? {
            new_email.clone_into(&mut passkey.email);
            self.put(&passkey)?;
        }
        Ok(())
    }

    /// Removes all passkeys of the account.
    pub fn remove_by_account(&mut self, email: &str) -> Result<()> {
        for passkey in self.list(email)? {
            self.writer
                .transaction
                .remove(PASSKEYS, &passkey.credential_id)?;
        }
        Ok(())
    }
}
