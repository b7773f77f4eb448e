//! Runs blocking work on tokio's blocking threads.

use crate::errors::Result;

/// Like `site::blocking`, with the error of the server.
pub async fn blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    respiro_publish::blocking(work).await
}
