//! Passkeys of the accounts.

use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, PASSKEYS};
use crate::{Reader, Writer};
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

impl Reader<'_> {
    pub fn passkey(&self, credential_id: &[u8]) -> Result<Option<Passkey>> {
        tables::record(self.tables, PASSKEYS, credential_id)
    }

    /// Returns the account's passkeys, oldest first.
    pub fn passkeys(&self, email: &str) -> Result<Vec<Passkey>> {
        let rows: Vec<(_, Passkey)> = tables::records(self.tables, PASSKEYS, b"")?;
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

impl Writer<'_> {
    /// Fails with a conflict if any account has the credential, or the account has too many.
    pub fn add_passkey(&mut self, passkey: &Passkey) -> Result<()> {
        if self.passkey(&passkey.credential_id)?.is_some() {
            return Err(KNOWN);
        }
        if self.passkeys(&passkey.email)?.len() >= PASSKEYS_PER_ACCOUNT_MAX {
            return Err(TOO_MANY);
        }
        self.put_passkey(passkey)
    }

    pub fn put_passkey(&mut self, passkey: &Passkey) -> Result<()> {
        let key = &passkey.credential_id;
        tables::put(self.transaction, PASSKEYS, key, passkey)
    }

    /// Returns `false` if the account has no such passkey.
    pub fn remove_passkey(&mut self, email: &str, credential_id: &[u8]) -> Result<bool> {
        match self.passkey(credential_id)? {
            Some(passkey) if passkey.email == email => {
                self.transaction.remove(PASSKEYS, credential_id)
            }
            _ => Ok(false),
        }
    }

    /// Removes all passkeys of the account.
    pub fn remove_passkeys(&mut self, email: &str) -> Result<()> {
        for passkey in self.passkeys(email)? {
            self.transaction.remove(PASSKEYS, &passkey.credential_id)?;
        }
        Ok(())
    }
}
