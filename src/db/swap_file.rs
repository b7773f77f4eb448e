//! Swaps in another data file. Wherever the process is killed, the name of the data file leads to
//! the complete previous or the complete new file.

use crate::backend::{FileBackend, inspect};
use crate::error::{Error, Result};
use crate::fs_util::{
    RESERVE, TempKind, copy_synced, is_leftover_name, is_temp_name, legacy, open_no_follow,
    parent_dir, previous_path, rename_noreplace, resolve_link, sync_dir, temp_path, with_suffix,
};
use crate::open_error::OpenError;
use crate::{Store, WriteAccess};
use data_encoding::HEXLOWER;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// The note that holds the marks of kept previous files, newest first.
const PREVIOUS_NOTE: &str = "previous-files";
/// Previous files that may lie beside each other, those of people included.
const PREVIOUS_MAX: u32 = 100;

impl Store {
    /// Opens `candidate`, which is to replace `data`. Does not touch `data`.
    pub fn open_candidate(candidate: &Path, data: &Path) -> Result<WriteAccess, OpenError> {
        let open = || {
            let (_, overlay) = inspect(candidate)?;
            drop(overlay);
            let store = Self::open_with(
                &resolve_link(data.to_owned()),
                Box::new(FileBackend::at(candidate)),
            )?;
            match store.file.write_block() {
                None => Ok(store),
                Some(trouble) => Err(trouble.into()),
            }
        };
        open().map_err(|error: OpenError| error.at(candidate))
    }
}

impl WriteAccess {
    /// Replaces the data file by `candidate`, before anybody else reads this store. `former` is the
    /// replaced file, if it can be read. Returns where the replaced file is kept.
    ///
    /// Undone on failure: once the new file has the name, only success is returned.
    pub fn swap_in(&mut self, candidate: &Path, former: Option<&Store>) -> Result<Option<PathBuf>> {
        let data = self.store.path.clone();
        let marks = self.record_previous(&data, former)?;
        let shared = || Error::Internal("a candidate is read before it is swapped in".to_owned());
        let store = Arc::get_mut(&mut self.store).ok_or_else(shared)?;
        let kept = swap(candidate, &data, &marks).map_err(|error| cannot_swap(&error))?;
        store.file.set_backend_path(&store.path);
        Ok(kept)
    }

    /// Writes into the new file which previous files this program kept: no other file may be
    /// replaced by them. Returns their marks.
    fn record_previous(&self, data: &Path, former: Option<&Store>) -> Result<Vec<String>> {
        let mut marks = Vec::new();
        if let Some(former) = former {
            marks.extend(former.mark(data));
            marks.extend(former.previous_marks()?.into_iter().take(1));
        }
        let note = marks.join("\n");
        self.write(|writer| writer.put_note(PREVIOUS_NOTE, note.as_bytes()))?;
        Ok(marks)
    }
}

impl Store {
    fn previous_marks(&self) -> Result<Vec<String>> {
        let note = self.read(|reader| reader.note(PREVIOUS_NOTE))?;
        let note = String::from_utf8_lossy(&note.unwrap_or_default()).into_owned();
        Ok(note.lines().map(str::to_owned).collect())
    }

    /// Identifies this data file whatever its name, and also tells it from a copy that a person
    /// wrote over it: inode number, time of creation, identity.
    fn mark(&self, path: &Path) -> Option<String> {
        let found = fs::symlink_metadata(path).ok()?;
        let created = found.created().ok();
        let created = created.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let nanoseconds = created.unwrap_or_default().as_nanos();
        let identity = self.read(|reader| reader.file_identity()).ok()?;
        let identity = identity.map(|identity| HEXLOWER.encode(&identity.id));
        let identity = identity.unwrap_or_default();
        Some(format!("{} {nanoseconds} {identity}", found.ino()))
    }
}

fn cannot_swap(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::StorageFull => Error::StorageFull,
        io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly,
        _ => Error::Storage(format!("cannot swap data files: {error}")),
    }
}

/// Gives the previous file a second name, then renames the new file over the first atomically.
/// After that rename nothing fails: what is left to do is logged, and done by the next start.
fn swap(candidate: &Path, data: &Path, marks: &[String]) -> io::Result<Option<PathBuf>> {
    File::open(candidate)?.sync_all()?;
    failpoint("synced");
    let mut aside = None;
    if data.try_exists()? {
        let path = temp_path(data, TempKind::Previous)?;
        keep_previous(data, &path)?;
        aside = Some(path);
        failpoint("kept aside");
    }
    if let Err(error) = fs::rename(candidate, data) {
        if let Some(aside) = aside {
            // The first error says more than this one.
            let _ = fs::remove_file(aside);
        }
        return Err(error);
    }
    failpoint("exchanged");
    if let Err(error) = sync_dir(&parent_dir(data)) {
        tracing::warn!(%error, "the new data file is in use, but its folder cannot be synced");
    }
    failpoint("exchanged for good");
    Ok(aside.map(|aside| settle(data, &aside, marks)))
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
            copy_synced(&mut File::open(data)?, aside).map(drop)
        }
        linked => linked,
    }
}

/// Renames the kept file to its final name and returns that. Replaces only a file that an earlier
/// swap kept, by its mark.
fn settle(data: &Path, aside: &Path, marks: &[String]) -> PathBuf {
    for number in 1..PREVIOUS_MAX {
        let mut target = previous_path(data);
        if number > 1 {
            target = with_suffix(&target, &format!("-{number}"));
        }
        let renamed = if is_own_previous(&target, marks) {
            fs::rename(aside, &target)
        } else {
            rename_noreplace(aside, &target)
        };
        match renamed {
            Ok(()) => {
                failpoint("settled");
                // The next start finds it under either name.
                let _ = sync_dir(&parent_dir(data));
                return target;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                tracing::warn!(%error, path = %aside.display(), "the previous data file keeps its temporary name");
                return aside.to_owned();
            }
        }
    }
    aside.to_owned()
}

/// Whether an earlier swap kept this file. One that cannot be read is left alone.
fn is_own_previous(path: &Path, marks: &[String]) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let store = (is_file && !marks.is_empty()).then(|| Store::look(path));
    let mark = store.and_then(|store| store.ok()?.mark(path));
    mark.is_some_and(|mark| marks.contains(&mark))
}

impl Store {
    /// Finishes or undoes a swap that a killed process left. The process that has the file open
    /// owns the names next to it.
    pub fn finish_interrupted_swap(&self) {
        let data = &self.path;
        let marks = self.previous_marks().unwrap_or_default();
        for aside in asides(data) {
            finish_swap(data, &aside, &marks);
        }
        adopt_legacy_previous(data);
        remove_leftovers(data);
    }
}

/// Returns the kept files of swaps that were not finished, oldest first.
fn asides(data: &Path) -> Vec<PathBuf> {
    let mut found = siblings(data, |name, stem| {
        is_temp_name(name, stem, TempKind::Previous)
            || name.strip_prefix(stem) == Some(legacy::ASIDE)
    });
    found.sort_by_key(|path| {
        fs::symlink_metadata(path)
            .and_then(|file| file.modified())
            .ok()
    });
    found
}

/// Settles a kept file, or removes the second name of a file that was not replaced.
fn finish_swap(data: &Path, aside: &Path, marks: &[String]) {
    let (Ok(kept), Ok(present)) = (fs::symlink_metadata(aside), fs::metadata(data)) else {
        return;
    };
    if (kept.dev(), kept.ino()) != (present.dev(), present.ino()) {
        settle(data, aside, marks);
    } else if let Err(error) = fs::remove_file(aside) {
        tracing::warn!(%error, "cannot settle a restore that was cut off");
    }
}

/// Gives the previous file of an earlier build its present name.
fn adopt_legacy_previous(data: &Path) {
    let path = legacy::previous_path(data);
    if fs::symlink_metadata(&path).is_ok_and(|file| file.is_file())
        && let Err(error) = rename_noreplace(&path, &previous_path(data))
    {
        tracing::info!(%error, path = %path.display(), "the previous data file of an earlier build keeps its name");
    }
}

/// Removes what a killed process left next to a data file that no other process has open.
pub fn remove_leftovers(data: &Path) {
    for path in siblings(data, is_leftover_name) {
        // The reserve of a temporary data file goes with it.
        let reserve = path.to_str().and_then(|path| path.strip_suffix(RESERVE));
        if is_in_use(reserve.map_or(&path, Path::new)) {
            continue;
        }
        match fs::remove_file(&path) {
            Ok(()) => tracing::info!(path = %path.display(), "removed what was left over"),
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "cannot remove what was left over");
            }
        }
    }
}

/// Whether a process has the file locked, as each has that fills a data file: a command may be
/// collecting an import or a download.
fn is_in_use(path: &Path) -> bool {
    let lock = open_no_follow(path, false).map(|file| file.try_lock());
    matches!(lock, Ok(Err(TryLockError::WouldBlock)))
}

/// Returns the files next to the data file whose name is recognised.
fn siblings(data: &Path, is_ours: impl Fn(&str, &str) -> bool) -> Vec<PathBuf> {
    let stem = data.file_name().unwrap_or_default().to_string_lossy();
    let Ok(entries) = fs::read_dir(parent_dir(data)) else {
        return Vec::new();
    };
    let entries = entries.flatten();
    let ours = entries.filter(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|name| is_ours(name, &stem))
    });
    ours.map(|entry| entry.path()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// The owner of the folder could put a link in place of a file that a command of root made.
    #[test]
    fn a_candidate_that_became_a_link_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["data", "of-root"] {
            drop(Store::open(&path(name)).unwrap());
        }
        let before = fs::read(path("of-root")).unwrap();
        symlink(path("of-root"), path("candidate")).unwrap();
        assert!(Store::open_candidate(&path("candidate"), &path("data")).is_err());
        assert_eq!(fs::read(path("of-root")).unwrap(), before);
    }
}
