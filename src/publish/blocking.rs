//! Runs blocking work on tokio's blocking threads.

use super::{Error, Result};

/// Runs `work` on a blocking thread. A panic in `work` becomes `Error::Internal`, so that it fails
/// this request only.
pub async fn blocking<T, E, F>(work: F) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
    F: FnOnce() -> Result<T, E> + Send + 'static,
{
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal(format!("blocking work failed: {error}")))?
}
