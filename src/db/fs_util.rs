//! File names next to the data file, and renames that are durable and never replace a file.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Appends `ending` to the file name.
pub fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Path of the previous data file.
pub fn previous_path(data: &Path) -> PathBuf {
    with_suffix(data, ".precedente")
}

/// Path of the disk reserve next to a data file.
pub fn reserve_path(data: &Path) -> PathBuf {
    with_suffix(data, ".riserva")
}

/// Returns an unused temporary name next to `path`. Removes what a killed process left there.
pub fn temp_path(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let draft = with_suffix(path, &format!(".{}-{number}.parziale", std::process::id()));
    // Usually absent; other errors show when the file is created.
    let _ = fs::remove_file(&draft);
    draft
}

/// Renames a file; fails if the target exists.
pub fn rename_noreplace(draft: &Path, path: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, draft, CWD, path, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            // Not every file system supports it; a hard link has the same effect.
            fs::hard_link(draft, path)?;
            fs::remove_file(draft)
        }
        renamed => Ok(renamed?),
    }
}

/// Creates a file that only its owner may read. Fails if it exists.
pub fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

pub fn parent_dir(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Makes a rename in the folder durable.
pub fn sync_dir(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_names_beside_the_data_file() {
        let data = Path::new("d.redb");
        assert_eq!(previous_path(data), Path::new("d.redb.precedente"));
        assert_eq!(reserve_path(data), Path::new("d.redb.riserva"));
        let draft = temp_path(data).into_os_string().into_string().unwrap();
        assert!(
            draft.starts_with("d.redb.") && draft.ends_with(".parziale"),
            "{draft}"
        );
    }
}
