//! Page cache. On disk it is a folder beside the data file: a restart serves cached pages again,
//! and memory need not hold all of them. In memory it is a byte limit with eviction.
//!
//! The name of a cache file is a MAC of all inputs of the response. A change of an item, the day, a
//! text or the program gives another name, so nothing older than the last commit is served. Name
//! and bytes are signed with a key of the data file; a damaged or foreign file is ignored and
//! rendered again. Writes are not synced, because a lost file costs only a render.

use super::compress::{self, ResponseHead};
use super::{Page, Pages};
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use respiro_db::fs_util::{create_private, legacy, page_cache_path, rename_noreplace, with_suffix};
use respiro_db::has_headroom;
use rustix::fs::OFlags;
use sha2::Sha256;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Larger responses are not cached.
const FILE_BYTES_MAX: u64 = 2 * 1024 * 1024;
const MAC_BYTES: usize = 32;
/// Suffix of a file that is being written, and that of earlier builds.
const DRAFT: &str = ".partial";
const LEGACY_DRAFT: &str = ".parziale";

/// MAC of all inputs of a response.
pub(super) type CacheKey = [u8; MAC_BYTES];

/// The cache folder.
#[derive(Debug)]
pub(super) struct DiskCache {
    folder: PathBuf,
    key: CacheKey,
    /// Identifies the program and its bundle, which determine the response beside the input.
    version: CacheKey,
}

impl DiskCache {
    /// Opens or creates the cache folder of a data file; `None` if it cannot be created. `key` is a
    /// secret of the data file for this purpose only.
    pub(super) fn beside(data: &Path, key: [u8; 32], version: [u8; 32]) -> Option<Self> {
        let folder = page_cache_path(data);
        adopt_legacy(&legacy::page_cache_path(data), &folder);
        let made = fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder);
        made.inspect_err(|error| tracing::info!(%error, "pages are not kept beside the data file"))
            .ok()?;
        Some(Self {
            folder,
            key,
            version,
        })
    }

    /// Returns the name of the response made from these inputs.
    pub(super) fn name(&self, parts: &[&str]) -> CacheKey {
        let lengths = parts.iter().map(|part| part.len().to_le_bytes());
        let parts = parts.iter().zip(lengths);
        let parts = parts.flat_map(|(part, length)| [length.to_vec(), part.as_bytes().to_vec()]);
        self.mac(&self.version, parts)
    }

    fn mac(&self, first: &[u8], parts: impl Iterator<Item = impl AsRef<[u8]>>) -> CacheKey {
        // HMAC takes keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) else {
            return CacheKey::default();
        };
        mac.update(first);
        for part in parts {
            mac.update(part.as_ref());
        }
        mac.finalize().into_bytes().into()
    }

    fn path(&self, name: &CacheKey) -> PathBuf {
        self.folder.join(HEXLOWER.encode(name))
    }

    pub(super) fn has(&self, name: &CacheKey) -> bool {
        fs::symlink_metadata(self.path(name)).is_ok_and(|file| file.is_file() && file.len() > 0)
    }

    /// Returns the bytes stored under this name; `None` if they are missing or their MAC is wrong.
    pub(super) fn bytes(&self, name: &CacheKey) -> Option<Vec<u8>> {
        let path = self.path(name);
        let mut bytes = read(&path).ok()?;
        let (mac, content) = bytes.split_first_chunk::<MAC_BYTES>()?;
        if self.mac(name, [content].into_iter()) != *mac {
            tracing::info!("a kept page is damaged and made again");
            // The next render writes it again.
            let _ = fs::remove_file(&path);
            return None;
        }
        bytes.drain(..MAC_BYTES);
        Some(bytes)
    }

    pub(super) fn has_room(&self) -> bool {
        has_headroom(&self.folder)
    }

    /// Stores the bytes. Returns whether they were written; refuses when disk space is low.
    pub(super) fn put(&self, name: &CacheKey, content: &[u8]) -> bool {
        if content.len() as u64 >= FILE_BYTES_MAX || !self.has_room() {
            return false;
        }
        let path = self.path(name);
        let draft = with_suffix(&path, DRAFT);
        let _ = fs::remove_file(&draft);
        let write = || {
            let mut file = create_private(&draft)?;
            file.write_all(&self.mac(name, [content].into_iter()))?;
            file.write_all(content)?;
            fs::rename(&draft, &path)
        };
        let written = write().inspect_err(|error| {
            tracing::debug!(%error, "a page could not be kept");
            let _ = fs::remove_file(&draft);
        });
        written.is_ok()
    }

    pub(super) fn page(&self, name: &CacheKey, sent: ResponseHead) -> Option<Page> {
        compress::from_cache_file(sent, &self.bytes(name)?.into())
    }

    pub(super) fn put_page(&self, name: &CacheKey, page: &Page) -> bool {
        compress::to_cache_file(page).is_some_and(|content| self.put(name, &content))
    }

    /// Deletes cache files whose name is not in `alive`, and unfinished ones. Other files stay.
    pub(super) fn sweep(&self, alive: &HashSet<CacheKey>) -> io::Result<()> {
        sweep(&self.folder, alive)
    }
}

fn sweep(folder: &Path, alive: &HashSet<CacheKey>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let file_name = entry.file_name();
        let Some(text) = file_name.to_str() else {
            continue;
        };
        let mut endings = [DRAFT, LEGACY_DRAFT].iter();
        let bare = endings.find_map(|ending| text.strip_suffix(ending));
        let Ok(name) = HEXLOWER.decode(bare.unwrap_or(text).as_bytes()) else {
            continue;
        };
        let Ok(name) = CacheKey::try_from(name) else {
            continue;
        };
        if bare.is_some() || !alive.contains(&name) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Renames the cache folder of an earlier build. Empties it instead if `folder` exists.
fn adopt_legacy(former: &Path, folder: &Path) {
    if !fs::symlink_metadata(former).is_ok_and(|found| found.is_dir()) {
        return;
    }
    let adopted = rename_noreplace(former, folder).or_else(|_| {
        sweep(former, &HashSet::new())?;
        fs::remove_dir(former)
    });
    if let Err(error) = adopted {
        tracing::info!(%error, folder = %former.display(), "the page cache of an earlier build stays");
    }
}

/// Reads a regular file within the size limit; refuses links and pipes.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file: File = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let length = file.metadata()?;
    if !length.is_file() || length.len() > FILE_BYTES_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length.len()).unwrap_or_default());
    file.take(FILE_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Maximum bytes of cached responses in all encodings, about 250 pages.
const BYTES_MAX: usize = 6 * 1024 * 1024;
/// Bytes left after an eviction. The gap keeps evictions rare.
const BYTES_KEPT: usize = BYTES_MAX / 4 * 3;

/// Byte count of the responses in memory. An upper bound: responses replaced by a publish are
/// subtracted at the next eviction.
#[derive(Debug, Default)]
pub(super) struct MemoryBudget(AtomicUsize);

impl MemoryBudget {
    /// Adds a response to the byte count. Above the limit, evicts responses that are also on disk:
    /// first those not requested since the last eviction, then the others.
    pub(super) fn add_response(&self, pages: &Pages, page: &Page) {
        let before = self.0.fetch_add(page.bytes(), Ordering::Relaxed);
        if before + page.bytes() <= BYTES_MAX {
            return;
        }
        let held = || {
            let page_entries = pages.all();
            page_entries.filter_map(|page_entry| Some((page_entry, page_entry.ready()?.bytes())))
        };
        let mut left: usize = held().map(|(_, bytes)| bytes).sum();
        let not_requested = held().filter(|(page_entry, _)| !page_entry.take_requested());
        for (page_entry, bytes) in not_requested.chain(held()) {
            if left <= BYTES_KEPT {
                break;
            }
            if page_entry.evict() {
                left -= bytes;
            }
        }
        // Without room on the disk nothing could be evicted: the next look at all pages comes after
        // another `BYTES_MAX - BYTES_KEPT`, not with every response.
        self.0.store(left.min(BYTES_KEPT), Ordering::Relaxed);
    }
}
