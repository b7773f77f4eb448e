//! Why a data file cannot be opened, or not be written.

use super::tables;
use crate::error::Error;
use redb::DatabaseError;
use std::io;
use std::path::{Path, PathBuf};

/// Number of the present layout of tables and records.
pub(super) const SCHEMA: u32 = 1;

/// Why a data file was not opened. The message says what to do next; the file is untouched.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0} is in use by another respiro: stop that one, or use another --data file")]
    Locked(PathBuf),
    #[error(
        "{path} was written by a newer respiro (format {found}, this one knows {known}): \
         install the newer version"
    )]
    Newer {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    #[error("{path} is not a respiro data file, or it is damaged: {reason}; restore a backup")]
    Damaged { path: PathBuf, reason: String },
    #[error("{0} is no regular file: name one, or a new one, with --data")]
    Special(PathBuf),
    #[error("cannot open {path}: {source}; {}", advice(source.kind()))]
    Io { path: PathBuf, source: io::Error },
}

/// What to do about a data file that the system does not open.
const fn advice(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::PermissionDenied => {
            "run this as root or as the server's user, who must own the file and its folder, or \
             name another file with --data"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space",
        io::ErrorKind::ReadOnlyFilesystem => "mount that disk so that it takes writes",
        _ => "name a file in a folder of this machine with --data",
    }
}

/// Why a file at rest cannot be used.
#[derive(Debug)]
pub(super) enum Fault {
    Locked,
    Newer(u32),
    Damaged(String),
    /// A pipe, a device, a folder, or a link that leads to no data file.
    Special,
    Io(io::Error),
}

impl Fault {
    /// Whether the disk takes no writes.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        match self {
            Self::Io(error) if tables::is_full(error) => Some(Trouble::Full),
            Self::Io(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                Some(Trouble::ReadOnly)
            }
            _ => None,
        }
    }

    pub(super) fn at(self, path: &Path) -> OpenError {
        let path = path.to_owned();
        match self {
            Self::Locked => OpenError::Locked(path),
            Self::Newer(found) => OpenError::Newer {
                path,
                found,
                known: SCHEMA,
            },
            Self::Damaged(reason) => OpenError::Damaged { path, reason },
            Self::Special => OpenError::Special(path),
            Self::Io(source) => OpenError::Io { path, source },
        }
    }
}

impl From<DatabaseError> for Fault {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::DatabaseAlreadyOpen => Self::Locked,
            DatabaseError::Storage(redb::StorageError::Io(error))
                if error.kind() != io::ErrorKind::UnexpectedEof
                    && error.kind() != io::ErrorKind::InvalidData =>
            {
                Self::Io(error)
            }
            error => Self::Damaged(error.to_string()),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::StorageFull => Self::Io(io::ErrorKind::StorageFull.into()),
            Error::ReadOnly => Self::Io(io::ErrorKind::ReadOnlyFilesystem.into()),
            error => Self::Damaged(error.to_string()),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Why a disk takes no writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    Full,
    ReadOnly,
}

impl Trouble {
    pub(super) const fn error(self) -> Error {
        match self {
            Self::Full => Error::StorageFull,
            Self::ReadOnly => Error::ReadOnly,
        }
    }
}
