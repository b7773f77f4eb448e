//! Errors of reads and writes.

use respiro_content::FieldError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("not found")]
    NotFound,
    /// The message is Italian, ready to display.
    #[error("conflict: {0}")]
    Conflict(&'static str),
    /// The message is Italian, ready to display.
    #[error("forbidden: {0}")]
    Forbidden(&'static str),
    /// A session for an account that was removed.
    #[error("no such account")]
    NoAccount,
    #[error("refused: {}", list(.0))]
    Invalid(Vec<FieldError>),
    #[error("the disk is full")]
    StorageFull,
    #[error("the disk takes no writes")]
    ReadOnly,
    /// The caller undid the transaction and gets its own error in place of this one.
    #[error("undone by the caller")]
    Aborted,
    /// The database, a record in it or a file next to it failed.
    #[error("store: {0}")]
    Storage(String),
    /// A fault of the program that no input can cause.
    #[error("internal: {0}")]
    Internal(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

fn list(fields: &[FieldError]) -> String {
    let line = |field: &FieldError| format!("{}: {}", field.field, field.message);
    fields.iter().map(line).collect::<Vec<_>>().join("; ")
}

impl From<Vec<FieldError>> for Error {
    fn from(errors: Vec<FieldError>) -> Self {
        Self::Invalid(errors)
    }
}

impl From<respiro_content::Error> for Error {
    fn from(error: respiro_content::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
