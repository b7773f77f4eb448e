//! Swaps in another data file. Wherever the process is killed, the name of the data file leads to
//! the complete previous or the complete new file.

use crate::backend::{FileBackend, inspect};
use crate::error::{Error, Result};
use crate::fs_util::{parent_dir, previous_path, sync_dir, with_suffix};
use crate::open_error::OpenError;
use crate::{Store, WriteAccess};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Suffix of the previous file until the swap is finished.
const ASIDE_SUFFIX: &str = ".precedente-nuovo";
/// Suffixes of files that a killed process may leave next to the data file.
const LEFTOVER_SUFFIXES: &[&str] = &[".parziale", ".copia", ".ripristino", ".prova"];
/// The same in place of the file name's extension.
const LEFTOVER_EXTENSIONS: &[&str] = &["download-", "restore-"];

impl Store {
    /// Opens `candidate`, which is to replace `data`. Does not touch `data`.
    pub fn open_candidate(candidate: &Path, data: &Path) -> Result<WriteAccess, OpenError> {
        let open = || {
            let (_, overlay) = inspect(candidate)?;
            drop(overlay);
            let store = Self::open_with(data, Box::new(FileBackend::at(candidate)))?;
            match store.file.write_block() {
                None => Ok(store),
                Some(trouble) => Err(trouble.into()),
            }
        };
        open().map_err(|error: OpenError| error.at(candidate))
    }
}

impl WriteAccess {
    /// Replaces the data file by `candidate`, before anybody else reads this store. Undone on
    /// failure.
    pub fn swap_in(&mut self, candidate: &Path) -> Result<()> {
        let shared = || Error::Internal("a candidate is read before it is swapped in".to_owned());
        let store = Arc::get_mut(&mut self.store).ok_or_else(shared)?;
        let data = resolve_link(&store.path);
        swap(candidate, &data).map_err(|error| cannot_swap(&error))?;
        store.file.set_backend_path(&store.path);
        Ok(())
    }
}

/// A symbolic link stays: its target is replaced.
fn resolve_link(data: &Path) -> PathBuf {
    fs::canonicalize(data).unwrap_or_else(|_| data.to_owned())
}

fn cannot_swap(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::StorageFull => Error::StorageFull,
        io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly,
        _ => Error::Storage(format!("cannot swap data files: {error}")),
    }
}

/// Gives the previous file a second name, then renames the new file over the first atomically.
fn swap(candidate: &Path, data: &Path) -> io::Result<()> {
    File::open(candidate)?.sync_all()?;
    failpoint("synced");
    let aside = with_suffix(data, ASIDE_SUFFIX);
    if data.try_exists()? {
        remove_if_exists(&aside)?;
        keep_previous(data, &aside)?;
        failpoint("kept aside");
    }
    if let Err(error) = fs::rename(candidate, data) {
        remove_if_exists(&aside)?;
        return Err(error);
    }
    failpoint("exchanged");
    sync_dir(&parent_dir(data))?;
    failpoint("exchanged for good");
    finish_swap(data)
}

/// Makes a hard link, or a copy where the file system has no hard links.
fn keep_previous(data: &Path, aside: &Path) -> io::Result<()> {
    match fs::hard_link(data, aside) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
            ) =>
        {
            fs::copy(data, aside)?;
            File::open(aside)?.sync_all()
        }
        linked => linked,
    }
}

/// Renames the previous file to its final name. Removes the second name of a file that was not
/// replaced.
fn finish_swap(data: &Path) -> io::Result<()> {
    let aside = with_suffix(data, ASIDE_SUFFIX);
    let Ok(kept) = fs::metadata(&aside) else {
        return Ok(());
    };
    let present = fs::metadata(data)?;
    if (kept.dev(), kept.ino()) == (present.dev(), present.ino()) {
        fs::remove_file(&aside)?;
    } else {
        fs::rename(&aside, previous_path(data))?;
    }
    failpoint("settled");
    sync_dir(&parent_dir(data))
}

fn remove_if_exists(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Store {
    /// Finishes or undoes a swap that a killed process left. The process that has the file open
    /// owns the names next to it.
    pub fn finish_interrupted_swap(&self) {
        let data = resolve_link(&self.path);
        if let Err(error) = finish_swap(&data) {
            tracing::warn!(%error, "cannot settle a restore that was cut off");
        }
        remove_leftovers(&data);
    }
}

/// Removes what a killed process left next to a data file that no other process has open.
pub fn remove_leftovers(data: &Path) {
    for path in leftovers(data) {
        match fs::remove_file(&path) {
            Ok(()) => tracing::info!(path = %path.display(), "removed what was left over"),
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "cannot remove what was left over");
            }
        }
    }
}

/// Returns the leftover files by their names.
fn leftovers(data: &Path) -> Vec<PathBuf> {
    let name = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let start = format!("{}.", name(data));
    let stems: Vec<String> = LEFTOVER_EXTENSIONS
        .iter()
        .map(|ending| name(&data.with_extension(ending)))
        .collect();
    let Ok(entries) = fs::read_dir(parent_dir(data)) else {
        return Vec::new();
    };
    let is_left = |path: &PathBuf| {
        let found = name(path);
        let whole = found.strip_suffix(".riserva").unwrap_or(&found);
        let ours =
            whole.starts_with(&start) && LEFTOVER_SUFFIXES.iter().any(|end| whole.ends_with(end));
        ours || stems.iter().any(|stem| whole.starts_with(stem))
    };
    let paths = entries.flatten().map(|entry| entry.path());
    paths.filter(is_left).collect()
}

/// A step after which a test may kill the process.
#[cfg(not(any(test, debug_assertions)))]
pub const fn failpoint(_: &str) {}

#[cfg(any(test, debug_assertions))]
pub fn failpoint(name: &str) {
    if std::env::var("RESPIRO_TEST_KILL_AT").is_ok_and(|wanted| wanted == name) {
        std::process::abort();
    }
}
