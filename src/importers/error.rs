//! The errors of this crate. Their messages are for the operator.

use crate::csv::{RowProblem, TableProblem};
use respiro_content::FieldError;
use respiro_content::collections::BLOG_CATEGORIES;
use respiro_media::sandbox::SandboxError;
use std::io;
use std::path::{Path, PathBuf};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Error that stops a whole import or export. An import that fails writes nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The site already has a post with the slug of a post in the export.
    #[error("a post at /blog/{slug} is there already")]
    SlugTaken { slug: String },
    #[error("refused: {}", list_errors(title, errors))]
    InvalidPost {
        title: String,
        errors: Vec<FieldError>,
    },
    #[error("the collection {0} is missing")]
    MissingCollection(&'static str),
    /// A file is not what the importer reads; `reason` completes the sentence.
    #[error("{} {reason}", path.display())]
    Unusable {
        path: PathBuf,
        reason: String,
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// `action` is "read", "write" or "create".
    #[error("cannot {action} {}", path.display())]
    File {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("format {0} is unknown to this version: install a newer respiro")]
    UnknownFormat(u64),
    #[error("the site has content already: import into a new file with --data, then use that")]
    NotEmpty,
    /// Each problem names file, line and field.
    #[error("nothing was imported:\n{}", .0.join("\n"))]
    InvalidContent(Vec<String>),
    #[error("internal: {}: {reason}", path.display())]
    UnusablePicture { path: PathBuf, reason: String },
    #[error("store: the bytes of picture {0} are missing")]
    MissingPicture(String),
    #[error("{}, line {line}: write FORMER = ONE OF {}", path.display(), BLOG_CATEGORIES.join(", "))]
    InvalidCategory { path: PathBuf, line: usize },
    #[error("{} {problem}", path.display())]
    UnusableTable {
        path: PathBuf,
        problem: TableProblem,
    },
    #[error("line {line}: {problem}; nothing was imported")]
    InvalidRow { line: u64, problem: RowProblem },
    #[error(transparent)]
    Db(#[from] respiro_db::Error),
    /// No process could be started that decodes a picture.
    #[error("busy: {0}")]
    Sandbox(#[from] SandboxError),
    /// No random bytes for an id.
    #[error("internal: {0}")]
    Random(#[from] respiro_auth::Error),
    /// A fault of the program that no input can cause.
    #[error("internal: {0}")]
    Internal(String),
}

impl Error {
    /// Returns an error about a file that the importer cannot use.
    pub(crate) fn unusable(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unusable {
            path: path.to_owned(),
            reason: reason.into(),
            source: None,
        }
    }

    /// Returns a function that adds `path` and `reason` to the cause of an error.
    pub(crate) fn because<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        path: &Path,
        reason: &str,
    ) -> impl FnOnce(E) -> Self {
        move |cause| Self::Unusable {
            path: path.to_owned(),
            reason: reason.to_owned(),
            source: Some(cause.into()),
        }
    }

    /// Returns a function that adds the failed action and `path` to an I/O error.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

impl From<Vec<FieldError>> for Error {
    fn from(errors: Vec<FieldError>) -> Self {
        Self::Db(errors.into())
    }
}

fn list_errors(title: &str, errors: &[FieldError]) -> String {
    let errors = errors
        .iter()
        .map(|error| format!("«{title}», {}: {}", error.field, error.message));
    errors.collect::<Vec<_>>().join("; ")
}
