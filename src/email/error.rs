//! Errors of the e-mail queues. Those of a delivery are in `smtp_error.rs`.

use respiro_auth as auth;
use respiro_db as db;
use respiro_publish as publish;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Publish(#[from] publish::Error),
    #[error(transparent)]
    Db(#[from] db::Error),
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
