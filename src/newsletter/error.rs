//! Errors of subscriptions and campaigns.

use respiro_auth as auth;
use respiro_content::FieldError;
use respiro_db as db;
use respiro_email as email;
use respiro_publish as publish;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Publish(#[from] publish::Error),
    #[error(transparent)]
    Db(#[from] db::Error),
    /// No newsletter or subscriber of this name is stored.
    #[error("not found")]
    NotFound,
    /// The state of a newsletter forbids the action. The reason is in Italian, for the panel.
    #[error("conflict: {0}")]
    Conflict(&'static str),
    /// No random bytes for the id of a message.
    #[error("internal: {0}")]
    Random(#[from] auth::Error),
    /// A stored record cannot be used.
    #[error("store: {0}")]
    Storage(String),
    /// A fault of the program that no input can cause.
    #[error("internal: {0}")]
    Internal(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<email::Error> for Error {
    fn from(error: email::Error) -> Self {
        match error {
            email::Error::Publish(error) => Self::Publish(error),
            email::Error::Db(error) => Self::Db(error),
            email::Error::Random(error) => Self::Random(error),
            email::Error::Storage(reason) => Self::Storage(reason),
            email::Error::Internal(reason) => Self::Internal(reason),
        }
    }
}

/// For the transactional queue, which calls back into this crate.
impl From<Error> for email::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Publish(error) => Self::Publish(error),
            Error::Db(error) => Self::Db(error),
            Error::Random(error) => Self::Random(error),
            Error::Storage(reason) => Self::Storage(reason),
            error => Self::Internal(error.to_string()),
        }
    }
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        Self::Db(vec![error].into())
    }
}

impl Error {
    /// Returns why another attempt would fail too, in Italian; `None` if the failure is temporary,
    /// for example on a machine that has just booted.
    pub(super) fn permanent_reason(&self) -> Option<&str> {
        match self {
            Self::Conflict(reason) | Self::Db(db::Error::Conflict(reason)) => Some(reason),
            Self::Db(db::Error::Invalid(errors)) => {
                errors.first().map(|error| error.message.as_str())
            }
            _ => None,
        }
    }

    pub(super) const fn is_conflict(&self) -> bool {
        matches!(self, Self::Conflict(_) | Self::Db(db::Error::Conflict(_)))
    }
}
