//! The one value that handlers get: configuration, store and published site, tied together.

use crate::config::Config;
use crate::error::{Error, Result};
use crate::site::Site;
use crate::store::{Reader, Store, Writer};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Mutex;

/// Everything the program is at run time.
#[derive(Debug)]
pub struct App {
    pub config: Config,
    pub public_url: String,
    pub site: Arc<Site>,
    store: Arc<Store>,
    /// Changes go one after another, so that publishes happen in the order of commits.
    changing: Mutex<()>,
}

impl App {
    pub fn new(config: Config, public_url: String, store: Store, site: Site) -> Self {
        Self {
            config,
            public_url,
            site: Arc::new(site),
            store: Arc::new(store),
            changing: Mutex::new(()),
        }
    }

    /// Reads one consistent view, off the request threads.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Reader<'_>) -> Result<T> + Send + 'static,
    {
        let store = Arc::clone(&self.store);
        blocking(move || store.read(read)).await
    }

    /// The one way to write: commit durably, then publish when a page shows what changed.
    ///
    /// When this returns `Ok`, the next request of any page shows the change. A failed publish
    /// leaves the commit standing and the former pages up; the panel is told by the site's state.
    pub async fn change<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Writer<'_>) -> Result<T> + Send + 'static,
    {
        let _turn = self.changing.lock().await;
        let store = Arc::clone(&self.store);
        let site = Arc::clone(&self.site);
        let public_url = self.public_url.clone();
        blocking(move || {
            let (answer, content_changed) = store.write(write)?;
            if content_changed {
                let snapshot = store.read(|reader| reader.snapshot(&public_url))?;
                if let Err(error) = site.publish(snapshot, now()) {
                    tracing::error!(%error, "publishing failed, the former pages stay up");
                }
            }
            Ok(answer)
        })
        .await
    }

    /// Publishes what the store holds: once at the start.
    pub async fn publish(&self) -> Result<()> {
        let _turn = self.changing.lock().await;
        let store = Arc::clone(&self.store);
        let site = Arc::clone(&self.site);
        let public_url = self.public_url.clone();
        blocking(move || {
            let snapshot = store.read(|reader| reader.snapshot(&public_url))?;
            site.publish(snapshot, now())
        })
        .await
    }

    /// The store itself, for the operator's commands.
    pub fn store(&self) -> Arc<Store> {
        Arc::clone(&self.store)
    }
}

/// Milliseconds since 1970. The clock is read here and handed down.
pub fn now() -> crate::content::Timestamp {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}

/// Runs blocking work off the async threads; a panic in it costs this request only.
pub async fn blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(Error::Internal(format!("blocking work failed: {error}"))),
    }
}
