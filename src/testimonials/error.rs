//! Errors of requested testimonials.

use respiro_auth as auth;
use respiro_content::FieldError;
use respiro_db as db;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Db(#[from] db::Error),
    /// No request of this id is stored.
    #[error("not found")]
    NotFound,
    /// The state of a request forbids the action. The reason is in Italian, for the panel.
    #[error("conflict: {0}")]
    Conflict(&'static str),
    /// No random bytes for an id or a token.
    #[error("internal: {0}")]
    Random(#[from] auth::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<Vec<FieldError>> for Error {
    fn from(errors: Vec<FieldError>) -> Self {
        Self::Db(errors.into())
    }
}
