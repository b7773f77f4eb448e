//! Keeps all writes in memory: the file below stays unchanged.

use redb::{BackendError, StorageBackend};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

const PAGE_BYTES: usize = 4096;

/// Reads fall through to the file, writes stay in memory.
#[derive(Debug)]
pub(crate) struct CowBackend<B> {
    file: B,
    file_bytes: u64,
    changes: Mutex<Changes>,
}

#[derive(Debug)]
struct Changes {
    bytes: u64,
    /// Whole pages by number.
    pages: BTreeMap<u64, Box<[u8; PAGE_BYTES]>>,
}

impl<B: StorageBackend> CowBackend<B> {
    pub(crate) fn new(file: B) -> io::Result<Self> {
        let file_bytes = file.len()?;
        let changes = Mutex::new(Changes {
            bytes: file_bytes,
            pages: BTreeMap::new(),
        });
        Ok(Self {
            file,
            file_bytes,
            changes,
        })
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads from the file; returns zeros beyond its end.
    fn read_file(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let behind = usize::try_from(self.file_bytes.saturating_sub(offset)).unwrap_or(usize::MAX);
        let (inside, outside) = out.split_at_mut(behind.min(out.len()));
        outside.fill(0);
        if inside.is_empty() {
            return Ok(());
        }
        self.file.read(offset, inside)
    }
}

impl<B: StorageBackend> StorageBackend for CowBackend<B> {
    fn len(&self) -> Result<u64, io::Error> {
        Ok(self.changes().bytes)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        let changes = self.changes();
        if offset + out.len() as u64 > changes.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.read_file(offset, out)?;
        for (page, from, to) in pages(offset, out.len()) {
            if let Some(changed) = changes.pages.get(&page) {
                let start = in_page(offset + from as u64);
                out[from..to].copy_from_slice(&changed[start..start + (to - from)]);
            }
        }
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> Result<(), io::Error> {
        let mut changes = self.changes();
        if bytes < changes.bytes {
            // Truncated bytes must read as zeros if the file grows again.
            let first_cut = bytes.div_ceil(PAGE_BYTES as u64);
            let end = changes.bytes.div_ceil(PAGE_BYTES as u64);
            for page in first_cut..end {
                changes.pages.insert(page, Box::new([0; PAGE_BYTES]));
            }
        }
        changes.bytes = bytes;
        Ok(())
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        let mut changes = self.changes();
        for (page, from, to) in pages(offset, data.len()) {
            let whole = match changes.pages.entry(page) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let mut whole = Box::new([0; PAGE_BYTES]);
                    self.read_file(page * PAGE_BYTES as u64, &mut *whole)?;
                    entry.insert(whole)
                }
            };
            let start = in_page(offset + from as u64);
            whole[start..start + (to - from)].copy_from_slice(&data[from..to]);
        }
        Ok(())
    }

    fn close(&self) -> Result<(), io::Error> {
        self.file.close()
    }

    // A shared lock keeps writers away, and needs no right to write.

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

/// Returns the pages of `length` bytes at `offset`: number, start and end index in the buffer.
fn pages(offset: u64, length: usize) -> impl Iterator<Item = (u64, usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        if from >= length {
            return None;
        }
        let position = offset + from as u64;
        let to = length.min(from + PAGE_BYTES - in_page(position));
        let piece = (position / PAGE_BYTES as u64, from, to);
        from = to;
        Some(piece)
    })
}

fn in_page(position: u64) -> usize {
    usize::try_from(position % PAGE_BYTES as u64).unwrap_or_default()
}
