//! Work that waits for a disk or fills a processor, away from the threads that answer.

use crate::error::{Error, Result};

/// Runs blocking work off the async threads; a panic in it costs this request only.
pub async fn blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal(format!("blocking work failed: {error}")))?
}
