//! The errors of this crate. Their messages are for the operator.

use respiro_content::FieldError;
use respiro_media::sandbox::SandboxUnavailable;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Error that stops a whole import: nothing is imported.
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
    #[error(transparent)]
    Db(#[from] respiro_db::Error),
    /// No process could be started that decodes a picture.
    #[error("busy: {0}")]
    Sandbox(#[from] SandboxUnavailable),
    /// No random bytes for an id.
    #[error("internal: {0}")]
    Random(#[from] respiro_auth::Error),
    /// A fault of the program that no input can cause.
    #[error("internal: {0}")]
    Internal(String),
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
