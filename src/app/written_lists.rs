//! Long lists as everybody gets them, written and compressed once for each publish: a stranger who
//! asked for one of three thousand events again and again had a thread that answers busy with it.

use super::App;
use super::queues::Turn;
use crate::content::{Kind, Snapshot};
use crate::error::{Error, Result};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Of all lists together; one that does not fit is written each time, in its turn.
const KEPT_BYTES_MAX: usize = 8 * 1024 * 1024;
const RETRY_SECONDS: u64 = 5;

/// A JSON answer. Clones share their bytes.
#[derive(Debug, Clone)]
pub struct Written {
    pub json: Bytes,
    pub brotli: Bytes,
    /// SHA-256 of `json`.
    pub hash: [u8; 32],
}

#[derive(Debug)]
struct Kept {
    /// What it was written from. It is not kept alive by this.
    of: Weak<Snapshot>,
    written: Written,
}

/// One whole list of each kind.
#[derive(Debug, Default)]
pub struct WrittenLists(Mutex<HashMap<u8, Kept>>);

impl WrittenLists {
    fn get(&self, kind: &Kind, of: &Arc<Snapshot>) -> Option<Written> {
        let lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lists.get(&kind.number)?;
        let is_same = Weak::ptr_eq(&kept.of, &Arc::downgrade(of));
        is_same.then(|| kept.written.clone())
    }

    fn put(&self, kind: &Kind, of: &Arc<Snapshot>, written: &Written) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|number, kept| *number != kind.number && kept.of.strong_count() > 0);
        let bytes = |written: &Written| written.json.len() + written.brotli.len();
        let others: usize = lists.values().map(|kept| bytes(&kept.written)).sum();
        if others + bytes(written) <= KEPT_BYTES_MAX {
            let (of, written) = (Arc::downgrade(of), written.clone());
            lists.insert(kind.number, Kept { of, written });
        }
    }
}

impl App {
    /// The whole list of a kind, with `write` where it has not been written since the publish.
    pub async fn written_list(
        &self,
        kind: &'static Kind,
        snapshot: &Arc<Snapshot>,
        write: impl FnOnce() -> Result<Written> + Send + 'static,
    ) -> Result<Written> {
        if let Some(written) = self.written_lists.get(kind, snapshot) {
            return Ok(written);
        }
        let turn = self.turn_to_write().await?;
        // The one before may have written it.
        if let Some(written) = self.written_lists.get(kind, snapshot) {
            return Ok(written);
        }
        let written = turn.blocking(write).await?;
        self.written_lists.put(kind, snapshot, &written);
        Ok(written)
    }

    /// A list that nobody else may ask for: it is written in its turn and not kept.
    pub async fn written_alone(
        &self,
        write: impl FnOnce() -> Result<Written> + Send + 'static,
    ) -> Result<Written> {
        self.turn_to_write().await?.blocking(write).await
    }

    async fn turn_to_write(&self) -> Result<Turn> {
        let turn = self.queues.lists.turn().await;
        turn.ok_or(Error::TooManyRequests {
            retry_after_seconds: RETRY_SECONDS,
        })
    }
}
