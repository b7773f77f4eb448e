//! File names next to the data file, and renames that are durable and never replace a file.

use data_encoding::BASE32_NOPAD;
use respiro_content::validation::is_id;
use rustix::fs::OFlags;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Appends `ending` to the file name.
pub fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Follows a symbolic link to the file, so that the files next to it lie on its disk. A path that
/// is no link, or leads to no file with content, stays as it is.
pub fn resolve_link(path: PathBuf) -> PathBuf {
    let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
    let has_content =
        |path: &Path| fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0);
    if !is_link || !has_content(&path) {
        return path;
    }
    fs::canonicalize(&path).unwrap_or(path)
}

/// Path of the previous data file.
pub fn previous_path(data: &Path) -> PathBuf {
    with_suffix(data, ".previous")
}

/// Path of the disk reserve next to a data file.
pub fn reserve_path(data: &Path) -> PathBuf {
    with_suffix(data, RESERVE)
}

/// Path of the folder of cached pages next to a data file.
pub fn page_cache_path(data: &Path) -> PathBuf {
    with_suffix(data, ".page-cache")
}

/// Names that earlier builds gave to files that this one still finds.
pub mod legacy {
    use super::with_suffix;
    use std::path::{Path, PathBuf};

    pub(crate) const RESERVE: &str = ".riserva";
    /// Ending of the previous data file until the swap was finished.
    pub(crate) const ASIDE: &str = ".precedente-nuovo";

    pub fn previous_path(data: &Path) -> PathBuf {
        with_suffix(data, ".precedente")
    }

    pub fn reserve_path(data: &Path) -> PathBuf {
        with_suffix(data, RESERVE)
    }

    pub fn page_cache_path(data: &Path) -> PathBuf {
        with_suffix(data, ".pagine")
    }

    /// The file that a command of an earlier build hands over to replace the data file.
    pub fn replacement_path(data: &Path) -> PathBuf {
        with_suffix(data, ".ripristino")
    }

    /// The file that a command of an earlier build hands over to be merged.
    pub fn staging_path(data: &Path) -> PathBuf {
        with_suffix(data, ".arrivo")
    }
}

pub(crate) const RESERVE: &str = ".reserve";

/// Purpose of a temporary file, and the ending of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TempKind {
    /// A file that is being written.
    Partial,
    /// A copy that a command reads.
    Copy,
    /// A file that is to replace the data file.
    Replacement,
    /// A file that is to be merged into the data file.
    Staging,
    /// A file sent to the panel that waits for confirmation.
    Upload,
    /// A copy that a browser downloads.
    Download,
    /// The previous data file until the swap is finished.
    Previous,
}

impl TempKind {
    const fn ending(self) -> &'static str {
        match self {
            Self::Partial => "partial",
            Self::Copy => "copy",
            Self::Replacement => "replacement",
            Self::Staging => "staging",
            Self::Upload => "upload",
            Self::Download => "download",
            Self::Previous => "previous",
        }
    }
}

/// Returns an unused temporary name next to `path`: `PATH.ID.KIND` with a random id. Nothing is
/// removed for it.
pub fn temp_path(path: &Path, kind: TempKind) -> io::Result<PathBuf> {
    Ok(temp_path_with_id(path, &random_id()?, kind))
}

/// Returns the temporary name that has this id.
pub fn temp_path_with_id(path: &Path, id: &str, kind: TempKind) -> PathBuf {
    with_suffix(path, &format!(".{id}.{}", kind.ending()))
}

/// Returns 128 random bits in the form of every id.
pub fn random_id() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(BASE32_NOPAD.encode(&bytes).to_ascii_lowercase())
}

/// Returns whether `name` is a temporary name of this kind next to a file named `stem`.
pub fn is_temp_name(name: &str, stem: &str, kind: TempKind) -> bool {
    let rest = name
        .strip_prefix(stem)
        .and_then(|rest| rest.strip_prefix('.'));
    rest.and_then(|rest| rest.split_once('.'))
        .is_some_and(|(id, ending)| is_id(id) && ending == kind.ending())
}

/// Returns whether a killed process may have left a file of this name next to a file named `stem`.
/// Every such name has an id that no person types: a copy named by a person is never one.
pub fn is_leftover_name(name: &str, stem: &str) -> bool {
    let kinds = [
        TempKind::Partial,
        TempKind::Copy,
        TempKind::Replacement,
        TempKind::Staging,
        TempKind::Upload,
        TempKind::Download,
    ];
    let whole = name.strip_suffix(RESERVE).unwrap_or(name);
    kinds.iter().any(|kind| is_temp_name(whole, stem, *kind)) || is_legacy_leftover(name, stem)
}

/// The same for earlier builds: `STEM.PID-NUMBER.parziale`, `STEM.ID.copia`, and in place of
/// the extension `restore-ID` and `download-ID`.
fn is_legacy_leftover(name: &str, stem: &str) -> bool {
    let whole = name.strip_suffix(legacy::RESERVE).unwrap_or(name);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let behind = |start: &str| whole.strip_prefix(start)?.strip_prefix('.');
    let bare = Path::new(stem).file_stem().and_then(|bare| bare.to_str());
    let middle = |ending: &str| behind(stem)?.strip_suffix(ending);
    middle(".parziale")
        .and_then(|middle| middle.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
        || middle(".copia").is_some_and(is_id)
        || bare.and_then(behind).is_some_and(|extension| {
            ["restore-", "download-"]
                .iter()
                .any(|start| extension.strip_prefix(start).is_some_and(is_id))
        })
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

/// Copies an open file into a new private one, durably. Returns the new file, still open.
pub fn copy_synced(source: &mut File, path: &Path) -> io::Result<File> {
    let mut target = create_private(path)?;
    let copied = io::copy(source, &mut target).and_then(|_| target.sync_all());
    if copied.is_err() {
        // The first error says more than this one.
        let _ = fs::remove_file(path);
    }
    copied.map(|()| target)
}

/// Opens a regular file that has one name, and not through a link: another user may own the folder.
pub fn open_no_follow(path: &Path, write: bool) -> io::Result<File> {
    // A pipe would block the open.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = OpenOptions::new()
        .read(true)
        .write(write)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let found = file.metadata()?;
    if found.is_file() && found.nlink() == 1 {
        return Ok(file);
    }
    let reason = format!("{} is no file of its own", path.display());
    Err(io::Error::other(reason))
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

    const ID: &str = "abcdefghijklmnopqrstuvwxyz";

    #[test]
    fn golden_names_beside_the_data_file() {
        let data = Path::new("d.redb");
        assert_eq!(previous_path(data), Path::new("d.redb.previous"));
        assert_eq!(reserve_path(data), Path::new("d.redb.reserve"));
        assert_eq!(page_cache_path(data), Path::new("d.redb.page-cache"));
        assert_eq!(legacy::previous_path(data), Path::new("d.redb.precedente"));
        assert_eq!(legacy::reserve_path(data), Path::new("d.redb.riserva"));
        assert_eq!(legacy::page_cache_path(data), Path::new("d.redb.pagine"));
        let staging = temp_path_with_id(data, ID, TempKind::Staging);
        assert_eq!(staging.to_str(), Some(&*format!("d.redb.{ID}.staging")));
        let draft = temp_path(data, TempKind::Partial).unwrap();
        let draft = draft.to_str().unwrap();
        assert!(is_temp_name(draft, "d.redb", TempKind::Partial), "{draft}");
    }

    #[test]
    fn a_leftover_is_recognised_by_its_id_and_a_copy_of_a_person_is_none() {
        for ours in [
            format!("d.redb.{ID}.partial"),
            format!("d.redb.{ID}.copy.reserve"),
            format!("d.redb.{ID}.replacement"),
            format!("d.redb.{ID}.staging"),
            format!("d.redb.{ID}.upload"),
            format!("d.redb.{ID}.download"),
            "d.redb.4711-0.parziale".to_owned(),
            format!("d.redb.{ID}.copia.riserva"),
            format!("d.restore-{ID}"),
            format!("d.download-{ID}.riserva"),
        ] {
            assert!(is_leftover_name(&ours, "d.redb"), "{ours}");
        }
        for theirs in [
            "d.redb".to_owned(),
            "d.redb.copia".to_owned(),
            "d.redb.prima.copia".to_owned(),
            "d.redb.copy".to_owned(),
            "d.redb.ripristino".to_owned(),
            "d.redb.arrivo".to_owned(),
            "d.redb.prova".to_owned(),
            "d.redb.2026-11.prova".to_owned(),
            "d.redb.vecchio-0.parziale".to_owned(),
            "d.redb.-.parziale".to_owned(),
            "d.redb.partial".to_owned(),
            format!("d.redb.{}.partial", ID.to_uppercase()),
            format!("d.redb.x{ID}.partial"),
            format!("d.redb.{ID}.previous"),
            format!("other.redb.{ID}.partial"),
            "d.restore-mine".to_owned(),
            "d.download-2026".to_owned(),
        ] {
            assert!(!is_leftover_name(&theirs, "d.redb"), "{theirs}");
        }
    }
}
