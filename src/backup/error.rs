//! Errors of backups.

use respiro_db as db;
use respiro_publish as publish;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Publish(#[from] publish::Error),
    #[error(transparent)]
    Db(#[from] db::Error),
    /// The folder of the backups takes no file, or a backup cannot be served.
    #[error("store: {0}")]
    Unusable(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
