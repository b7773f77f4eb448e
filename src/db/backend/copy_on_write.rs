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
    changes: Mutex<Changes>,
}

#[derive(Debug)]
struct Changes {
    bytes: u64,
    /// From here on the file reads as zeros: its end, or a lower one to which it was truncated.
    /// Closing a database cuts its free tail, up to half of the file; a page of zeros for each page
    /// of it took as much memory.
    zeros_from: u64,
    /// Whole pages by number.
    pages: BTreeMap<u64, Box<[u8; PAGE_BYTES]>>,
}

impl<B: StorageBackend> CowBackend<B> {
    pub(crate) fn new(file: B) -> io::Result<Self> {
        let bytes = file.len()?;
        let changes = Mutex::new(Changes {
            bytes,
            zeros_from: bytes,
            pages: BTreeMap::new(),
        });
        Ok(Self { file, changes })
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads from the file; returns zeros from `zeros_from` on.
    fn read_file(&self, zeros_from: u64, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let behind = usize::try_from(zeros_from.saturating_sub(offset)).unwrap_or(usize::MAX);
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
        self.read_file(changes.zeros_from, offset, out)?;
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
            changes.zeros_from = changes.zeros_from.min(bytes);
            drop(changes.pages.split_off(&bytes.div_ceil(PAGE_BYTES as u64)));
            let kept = in_page(bytes);
            if let Some(last) = changes.pages.get_mut(&(bytes / PAGE_BYTES as u64)) {
                last[kept..].fill(0);
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
        let zeros_from = changes.zeros_from;
        for (page, from, to) in pages(offset, data.len()) {
            let whole = match changes.pages.entry(page) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let mut whole = Box::new([0; PAGE_BYTES]);
                    self.read_file(zeros_from, page * PAGE_BYTES as u64, &mut *whole)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use redb::backends::FileBackend;

    const FILE_BYTES: u64 = 1024 * 1024 * 1024;
    const PAGE: u64 = PAGE_BYTES as u64;

    fn read(backend: &CowBackend<FileBackend>, offset: u64) -> u8 {
        let mut byte = [1];
        backend.read(offset, &mut byte).unwrap();
        byte[0]
    }

    /// Regression: closing a file with a free tail of 217 MiB took 234 MiB, because each page that
    /// was cut became a page of zeros in memory. A power cut then ended every start of a site with
    /// 1.1 GB of pictures at the memory limit of its service.
    #[test]
    fn a_tail_that_is_cut_takes_no_memory_and_reads_as_zeros() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(FILE_BYTES).unwrap();
        let file = FileBackend::new(file).unwrap();
        file.write(10 * PAGE + 5, &[7; 3]).unwrap();
        file.write(FILE_BYTES - 1, &[8]).unwrap();
        let backend = CowBackend::new(file).unwrap();
        backend.write(10 * PAGE, &[9; 2]).unwrap();
        backend.write(FILE_BYTES / 2, &[9]).unwrap();

        backend.set_len(10 * PAGE + 6).unwrap();
        assert_eq!(backend.len().unwrap(), 10 * PAGE + 6);
        assert_eq!(backend.changes().pages.len(), 1, "the page before the cut");
        backend.set_len(FILE_BYTES).unwrap();
        assert_eq!(backend.changes().pages.len(), 1);
        let kept = [0, 1, 2, 5, 6, 7].map(|offset| read(&backend, 10 * PAGE + offset));
        assert_eq!(kept, [9, 9, 0, 7, 0, 0], "cut in the middle of a page");
        assert_eq!(read(&backend, FILE_BYTES / 2), 0);
        assert_eq!(read(&backend, FILE_BYTES - 1), 0);

        backend.write(FILE_BYTES - PAGE, &[6]).unwrap();
        assert_eq!(read(&backend, FILE_BYTES - PAGE), 6);
        assert_eq!(
            read(&backend, FILE_BYTES - 1),
            0,
            "the file is hidden there"
        );
        assert_eq!(backend.changes().pages.len(), 2);
    }
}
