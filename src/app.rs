//! The one value that handlers get: configuration, store and published site, tied together.

use crate::accounts::Doors;
use crate::auth::password::Cost;
use crate::config::Config;
use crate::content::{Snapshot, Timestamp};
use crate::error::{Error, Result};
use crate::metrics::meter::Meter;
use crate::site::Site;
use crate::store::{Reader, Session, Store, Writer};
use arc_swap::ArcSwap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, Semaphore, oneshot};

/// What only tests change: costs, deadlines, the clock.
#[derive(Debug, Clone)]
pub struct Tuning {
    pub password_cost: Cost,
    /// Added to the clock, so that a test can let days pass.
    pub clock_ahead_milliseconds: Arc<AtomicI64>,
    /// A request's head must be there within this time.
    pub head_timeout: Duration,
    /// The next part of a request's body must be there within this time.
    pub body_part_timeout: Duration,
    /// The whole of a JSON body must be there within this time.
    pub json_timeout: Duration,
    /// An idle connection is kept this long.
    pub keep_alive: Duration,
    /// Newsletter requests that one address may make without waiting.
    pub newsletter_free_tries: u32,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            password_cost: Cost::default(),
            clock_ahead_milliseconds: Arc::default(),
            head_timeout: Duration::from_secs(10),
            body_part_timeout: Duration::from_secs(10),
            json_timeout: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            newsletter_free_tries: 5,
        }
    }
}

/// Everything the program is at run time.
#[derive(Debug)]
pub struct App {
    pub config: Config,
    pub public_url: String,
    pub site: Arc<Site>,
    pub tuning: Tuning,
    /// Who may come in: throttles, the queue of password hashes, the set-up link.
    pub doors: Doors,
    /// One permit for each picture that may be processed at once: each takes up to 300 MB.
    pub image_workers: Arc<Semaphore>,
    pub meter: Meter,
    /// Told when an address waits to be asked by mail.
    pub mail_waiting: Notify,
    store: Arc<ArcSwap<Store>>,
    /// Changes go one after another, so that publishes happen in the order of commits.
    changing: Arc<Mutex<()>>,
}

/// The right to change and publish, and what that takes. Goes with the work: a caller may leave.
struct Turn {
    _guard: OwnedMutexGuard<()>,
    store: Arc<Store>,
    site: Arc<Site>,
    public_url: String,
    now: Timestamp,
}

impl Turn {
    fn snapshot(&self) -> Result<Snapshot> {
        self.store.read(|reader| reader.snapshot(&self.public_url))
    }
}

impl App {
    pub fn new(config: Config, public_url: String, store: Store, site: Site) -> Self {
        Self::with_tuning(config, public_url, store, site, Tuning::default())
    }

    pub fn with_tuning(
        config: Config,
        public_url: String,
        store: Store,
        site: Site,
        tuning: Tuning,
    ) -> Self {
        let image_workers = usize::from(config.image_workers);
        Self {
            config,
            public_url,
            site: Arc::new(site),
            doors: Doors::new(&tuning),
            tuning,
            image_workers: Arc::new(Semaphore::new(image_workers)),
            meter: Meter::default(),
            mail_waiting: Notify::new(),
            store: Arc::new(ArcSwap::from_pointee(store)),
            changing: Arc::default(),
        }
    }

    /// Reads one consistent view, off the request threads.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Reader<'_>) -> Result<T> + Send + 'static,
    {
        let store = self.store();
        blocking(move || store.read(read)).await
    }

    /// The one way to write: commit durably, then publish when a page shows what changed.
    ///
    /// When this returns `Ok`, the next request of any page shows the change. A failed publish
    /// leaves the commit standing and the former pages up; the panel is told by the site's state.
    /// A caller that goes away does not stop a change half-way: the turn goes with the work.
    pub async fn change<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Writer<'_>) -> Result<T> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        self.commit(Box::new(move |writer| {
            // Whoever waited may have gone; the change stands all the same.
            drop(sender.send(write(writer)?));
            Ok(())
        }))
        .await?;
        answer.await.map_err(unanswered)
    }

    async fn commit(&self, write: Write) -> Result<()> {
        let turn = self.turn().await;
        blocking(move || {
            let ((), content_changed) = turn.store.write(write)?;
            if content_changed {
                let snapshot = turn.snapshot()?;
                if let Err(error) = turn.site.publish(snapshot, turn.now) {
                    tracing::error!(%error, "publishing failed, the former pages stay up");
                }
            }
            Ok(())
        })
        .await
    }

    /// Publishes what the store holds: once at the start.
    pub async fn publish(&self) -> Result<()> {
        let turn = self.turn().await;
        blocking(move || turn.site.publish(turn.snapshot()?, turn.now)).await
    }

    /// Waits until no other change is under way.
    async fn turn(&self) -> Turn {
        Turn {
            _guard: Arc::clone(&self.changing).lock_owned().await,
            store: self.store(),
            site: Arc::clone(&self.site),
            public_url: self.public_url.clone(),
            now: self.now(),
        }
    }

    /// Puts another, checked data file in the place of this one and publishes what it holds.
    ///
    /// The former file is kept beside it as `….precedente`. Whoever is signed in by `session`
    /// stays so, when the new file knows the account.
    pub async fn replace(&self, file: PathBuf, session: Option<([u8; 32], Session)>) -> Result<()> {
        let turn = Arc::clone(&self.changing).lock_owned().await;
        let current = Arc::clone(&self.store);
        let data = self.config.data.clone();
        blocking(move || {
            let _turn = turn;
            let store = swap_files(&file, &data)?;
            if let Some((token_hash, session)) = session {
                store.write(|writer| match writer.account(&session.email)? {
                    Some(_) => writer.begin_session(&token_hash, &session),
                    None => Ok(()),
                })?;
            }
            current.store(Arc::new(store));
            Ok(())
        })
        .await?;
        self.publish().await
    }

    /// The store itself, for the operator's commands.
    pub fn store(&self) -> Arc<Store> {
        self.store.load_full()
    }

    /// Whether visitors reach the site by HTTPS.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// The time now. Nothing below reads the clock.
    pub fn now(&self) -> Timestamp {
        now().saturating_add(self.tuning.clock_ahead_milliseconds.load(Ordering::Relaxed))
    }
}

/// Opens `file` where `data` was; when that fails everything is as before.
fn swap_files(file: &Path, data: &Path) -> Result<Store> {
    let broken = |error: std::io::Error| Error::Store(format!("cannot swap data files: {error}"));
    let mut former = data.as_os_str().to_owned();
    former.push(".precedente");
    let former = PathBuf::from(former);
    std::fs::rename(data, &former).map_err(broken)?;
    let opened = std::fs::rename(file, data)
        .map_err(broken)
        .and_then(|()| Store::open(data).map_err(|error| Error::Store(error.to_string())));
    if opened.is_err() {
        std::fs::rename(&former, data).map_err(broken)?;
    }
    opened
}

/// Milliseconds since 1970. The clock is read here and handed down.
pub fn now() -> Timestamp {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}

type Write = Box<dyn FnOnce(&mut Writer<'_>) -> Result<()> + Send>;
type Work = Box<dyn FnOnce() + Send>;

/// Runs blocking work off the async threads; a panic in it costs this request only.
///
/// The answer comes by a channel and the work in a box: the rest of the way is the same code for
/// all types, and stands in the program once.
pub async fn blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    let (sender, answer) = oneshot::channel();
    off_thread(Box::new(move || drop(sender.send(work())))).await?;
    answer.await.map_err(unanswered)?
}

async fn off_thread(work: Work) -> Result<()> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal(format!("blocking work failed: {error}")))
}

fn unanswered(_: oneshot::error::RecvError) -> Error {
    Error::Internal("blocking work left no answer".to_owned())
}
