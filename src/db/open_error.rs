//! Why a data file cannot be opened or written.

use crate::error::Error;
use crate::tables;
use redb::DatabaseError;
use std::io;
use std::path::{Path, PathBuf};

/// Number of the current schema of tables and records. A release whose records differ from those
/// of the release before has a new number, so that older programs refuse its files.
pub const SCHEMA: u32 = 4;

/// Why a data file cannot be opened. The message says what to do next; the file is untouched.
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
    /// A pipe, a device, a directory, or a link that leads to no data file.
    #[error("{0} is no regular file: name one, or a new one, with --data")]
    Special(PathBuf),
    #[error("cannot open {path}: {source}; {}", advice(source.kind()))]
    Io { path: PathBuf, source: io::Error },
}

/// Advice for a file that the operating system does not open.
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

impl OpenError {
    pub(crate) fn damaged(reason: impl Into<String>) -> Self {
        Self::Damaged {
            path: PathBuf::new(),
            reason: reason.into(),
        }
    }

    /// Sets the path. Errors converted by `?` have an empty path before.
    pub(crate) fn at(mut self, file: &Path) -> Self {
        let (Self::Locked(path)
        | Self::Newer { path, .. }
        | Self::Damaged { path, .. }
        | Self::Special(path)
        | Self::Io { path, .. }) = &mut self;
        file.clone_into(path);
        self
    }

    /// Returns why the disk takes no writes, if that is the cause.
    pub(crate) fn trouble(&self) -> Option<WriteBlock> {
        match self {
            Self::Io { source, .. } if tables::is_full(source) => Some(WriteBlock::Full),
            Self::Io { source, .. } if source.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                Some(WriteBlock::ReadOnly)
            }
            _ => None,
        }
    }
}

impl From<DatabaseError> for OpenError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::DatabaseAlreadyOpen => Self::Locked(PathBuf::new()),
            DatabaseError::Storage(redb::StorageError::Io(error))
                if error.kind() != io::ErrorKind::UnexpectedEof
                    && error.kind() != io::ErrorKind::InvalidData =>
            {
                error.into()
            }
            error => Self::damaged(error.to_string()),
        }
    }
}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        match error {
            Error::StorageFull => WriteBlock::Full.into(),
            Error::ReadOnly => WriteBlock::ReadOnly.into(),
            error => Self::damaged(error.to_string()),
        }
    }
}

impl From<io::Error> for OpenError {
    fn from(source: io::Error) -> Self {
        let path = PathBuf::new();
        Self::Io { path, source }
    }
}

impl From<WriteBlock> for OpenError {
    fn from(trouble: WriteBlock) -> Self {
        let kind = match trouble {
            WriteBlock::Full => io::ErrorKind::StorageFull,
            WriteBlock::ReadOnly => io::ErrorKind::ReadOnlyFilesystem,
        };
        io::Error::from(kind).into()
    }
}

/// Why a disk takes no writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteBlock {
    Full,
    ReadOnly,
}

impl WriteBlock {
    pub(crate) const fn error(self) -> Error {
        match self {
            Self::Full => Error::StorageFull,
            Self::ReadOnly => Error::ReadOnly,
        }
    }
}
