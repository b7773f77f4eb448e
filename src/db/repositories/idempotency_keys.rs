//! Idempotency keys of requests that created something: a repeated request finds what the first one
//! created.

use super::Writable;
use crate::Reader;
use crate::error::Result;
use crate::tables::{self, IDEMPOTENCY_KEYS};
use respiro_content::Timestamp;

/// How long a repeated request is recognized.
pub const IDEMPOTENCY_MILLISECONDS_MAX: i64 = 24 * 60 * 60 * 1_000;
/// Stored keys; beyond it the oldest are removed early.
pub const IDEMPOTENCY_KEYS_MAX: usize = 1_000;

/// What a request created, stored in its transaction.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct CreatedItem {
    /// SHA-256 of path and body.
    pub request_hash: [u8; 32],
    pub id: String,
    pub created_at: Timestamp,
}

impl CreatedItem {
    fn is_expired(&self, now: Timestamp) -> bool {
        // A clock that was set back must not keep a row for ever.
        (now - self.created_at).abs() >= IDEMPOTENCY_MILLISECONDS_MAX
    }
}

/// Idempotency keys by the SHA-256 of account and key.
pub struct IdempotencyKeys<'a>(pub(super) Reader<'a>);

impl IdempotencyKeys<'_> {
    /// Returns what the first request with this key created within the last day.
    pub fn get(&self, key_hash: &[u8; 32], now: Timestamp) -> Result<Option<CreatedItem>> {
        let found: Option<CreatedItem> =
            tables::readable_record(self.0.tables, IDEMPOTENCY_KEYS, key_hash)?;
        Ok(found.filter(|created| !created.is_expired(now)))
    }
}

impl Writable<'_, '_, IdempotencyKeys<'_>> {
    pub fn put(&mut self, key_hash: &[u8; 32], created: &CreatedItem) -> Result<()> {
        self.remove_expired(created.created_at)?;
        let mut known = self.list()?;
        known.sort_by_key(|(_, one)| one.created_at);
        let surplus = (known.len() + 1).saturating_sub(IDEMPOTENCY_KEYS_MAX);
        for (key, _) in known.iter().take(surplus) {
            self.writer.transaction.remove(IDEMPOTENCY_KEYS, key)?;
        }
        tables::put(self.writer.transaction, IDEMPOTENCY_KEYS, key_hash, created)
    }

    pub(crate) fn remove_expired(&mut self, now: Timestamp) -> Result<()> {
        for (key, created) in self.list()? {
            if created.is_expired(now) {
                self.writer.transaction.remove(IDEMPOTENCY_KEYS, &key)?;
            }
        }
        Ok(())
    }

    fn list(&self) -> Result<Vec<(Vec<u8>, CreatedItem)>> {
        tables::records(self.0.tables, IDEMPOTENCY_KEYS, b"")
    }
}
