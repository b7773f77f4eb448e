//! Application state that handlers share: configuration, store and published site.

mod blocking;
pub mod cache_in_front;
mod notes;
mod notices;
mod other_names;
mod picture_cache;
#[cfg(debug_assertions)]
#[cfg(test)]
mod power_loss;
pub mod queues;
mod replace;
mod trash_pictures;
pub mod wish;
pub mod written_lists;

pub use blocking::blocking;

use crate::analytics::VisitCounter;
use crate::auth::limits::RateLimits;
use crate::auth::login_gate::LoginGate;
use crate::auth::password::Cost;
use crate::block_definitions;
use crate::config::Config;
use crate::content::{Settings, Snapshot, Timestamp};
use crate::email::EmailTemplate;
use crate::error::Result;
use crate::metrics::meter::Meter;
use crate::site::Publisher;
use crate::store::{ChangeSet, Reader, Store, Writer};
use arc_swap::ArcSwap;
use cache_in_front::CacheInFront;
use other_names::OtherNames;
use picture_cache::PictureCache;
use queues::Queues;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, watch};
use trash_pictures::TrashPictures;
use wish::{Parts, Wish};
use written_lists::WrittenLists;

/// Parameters that only tests change: costs, timeouts, the clock.
#[derive(Debug, Clone)]
pub struct Tuning {
    pub password_cost: Cost,
    /// Offset of the clock, so that a test can skip days.
    pub clock_ahead_milliseconds: Arc<AtomicI64>,
    /// Time limit for the head of a request.
    pub head_timeout: Duration,
    /// Time limit for the next part of a request's body.
    pub body_part_timeout: Duration,
    /// Within this time a body has to grow by 64 KiB.
    pub body_window: Duration,
    /// Time limit for a whole JSON body.
    pub json_timeout: Duration,
    /// How long an idle connection stays open.
    pub keep_alive: Duration,
    /// Whether pages are rendered in the background before a visitor requests them.
    pub makes_pages_ahead: bool,
    /// Newsletter requests that one client address may make before the rate limit applies.
    pub newsletter_free_tries: u32,
    /// Delay between the start and the first removal of expired data. A machine may boot with a
    /// wrong clock and correct it once the network is up; until then, data that only seems expired
    /// must not be deleted.
    pub sweep_after: Duration,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            password_cost: Cost::default(),
            clock_ahead_milliseconds: Arc::default(),
            head_timeout: Duration::from_secs(10),
            body_part_timeout: Duration::from_secs(10),
            body_window: Duration::from_mins(1),
            json_timeout: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            makes_pages_ahead: true,
            newsletter_free_tries: 5,
            sweep_after: Duration::from_mins(10),
        }
    }
}

impl Tuning {
    /// Returns the time now. The modules below do not read the clock.
    fn now(&self) -> Timestamp {
        now().saturating_add(self.clock_ahead_milliseconds.load(Ordering::Relaxed))
    }
}

/// State of the running program.
#[derive(Debug)]
pub struct App {
    pub config: Config,
    pub public_url: String,
    pub other_names: OtherNames,
    pub site: Arc<Publisher>,
    pub tuning: Tuning,
    pub login_gate: LoginGate,
    pub rate_limits: RateLimits,
    pub queues: Queues,
    pub meter: Meter,
    pub tally: VisitCounter,
    pub picture_cache: PictureCache,
    trash_pictures: TrashPictures,
    written_lists: WrittenLists,
    /// Notified when an address is queued for a confirmation or welcome message.
    pub mail_waiting: Notify,
    /// The number of commits since the start.
    changes: watch::Sender<u64>,
    /// Requests a full off-site backup.
    pub copy_wish: Wish,
    /// Progress of a full off-site backup.
    pub copy_parts: Parts,
    /// The cache in front of the site, and the result of its last notification.
    pub cache_in_front: CacheInFront,
    /// Notified when a newsletter starts or resumes.
    pub newsletter_waiting: Notify,
    /// Notified when a notice is stored.
    pub notice_waiting: Notify,
    store: Arc<ArcSwap<Store>>,
    /// Serializes changes, so that publishes happen in the order of commits.
    changing: Arc<Mutex<()>>,
}

/// The exclusive right to change and publish, with everything this takes. The blocking work owns
/// it, so that the work finishes when the caller is cancelled.
struct Turn {
    _guard: OwnedMutexGuard<()>,
    store: Arc<Store>,
    site: Arc<Publisher>,
    public_url: String,
    copies_elsewhere: bool,
    now: Timestamp,
    changes: watch::Sender<u64>,
}

impl Turn {
    /// Notifies the subscribers of `App::changes`.
    fn count_change(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    fn snapshot(&self) -> Result<Snapshot> {
        let definitions = block_definitions::table()?;
        let snapshot = self
            .store
            .read(|reader| reader.snapshot(&self.public_url, definitions));
        Ok(snapshot?)
    }

    /// Returns the published snapshot, updated by what `touched` lists. Reads everything after a
    /// failed publish, because the extent of the failure is unknown.
    fn snapshot_after(&self, reader: &Reader<'_>, touched: &ChangeSet) -> Result<Snapshot> {
        let ok = self.site.state().is_some_and(|state| state.ok);
        let definitions = block_definitions::table()?;
        Ok(match self.site.pages().filter(|_| ok) {
            Some(pages) => reader.snapshot_after(&pages.snapshot, touched, definitions)?,
            None => reader.snapshot(&self.public_url, definitions)?,
        })
    }

    fn change<T>(&self, write: impl FnOnce(&mut Writer<'_>) -> Result<T>) -> Result<T> {
        let (answer, touched) = self.store.write(write)?;
        self.publish_touched(&touched);
        self.count_change();
        Ok(answer)
    }

    /// Publishes what a committed change touched. A failed publish does not undo the commit.
    fn publish_touched(&self, touched: &ChangeSet) {
        if touched.is_empty() {
            return;
        }
        let read = |reader: &Reader<'_>| self.snapshot_after(reader, touched);
        let snapshot = self.store.read(read);
        let published = snapshot.and_then(|snapshot| self.site.publish(snapshot, self.now));
        if let Err(error) = published {
            tracing::error!(%error, "publishing failed, the former pages stay up");
            self.site.note_failure(&error, self.now);
        }
    }
}

impl App {
    pub fn new(config: Config, public_url: String, store: Store, site: Publisher) -> Self {
        Self::with_tuning(config, public_url, store, site, Tuning::default())
    }

    pub fn with_tuning(
        config: Config,
        public_url: String,
        store: Store,
        site: Publisher,
        tuning: Tuning,
    ) -> Self {
        let queues = Queues::new(config.image_workers);
        Self {
            other_names: OtherNames::of(&config.tls, &public_url),
            config,
            public_url,
            site: Arc::new(site),
            login_gate: LoginGate::new(tuning.password_cost),
            rate_limits: RateLimits::new(tuning.newsletter_free_tries),
            tuning,
            queues,
            meter: Meter::default(),
            tally: VisitCounter::default(),
            picture_cache: PictureCache::default(),
            trash_pictures: TrashPictures::default(),
            written_lists: WrittenLists::default(),
            mail_waiting: Notify::new(),
            changes: watch::Sender::new(0),
            copy_wish: Wish::default(),
            copy_parts: Parts::default(),
            cache_in_front: CacheInFront::default(),
            newsletter_waiting: Notify::new(),
            notice_waiting: Notify::new(),
            store: Arc::new(ArcSwap::from_pointee(store)),
            changing: Arc::default(),
        }
    }

    /// Runs `read` on one consistent view of the store, on a blocking thread.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Reader<'_>) -> Result<T> + Send + 'static,
    {
        let store = self.store();
        blocking(move || store.read(read)).await
    }

    /// Returns the published snapshot; before the first publish, the snapshot of the store.
    pub async fn published(&self) -> Result<Arc<Snapshot>> {
        if let Some(pages) = self.site.pages() {
            return Ok(Arc::clone(&pages.snapshot));
        }
        let public_url = self.public_url.clone();
        let snapshot = self
            .read(move |reader| Ok(reader.snapshot(&public_url, block_definitions::table()?)?))
            .await?;
        Ok(Arc::new(snapshot))
    }

    /// Renders the HTML of an e-mail. Returns `None` when rendering fails: the e-mail is then sent
    /// as plain text.
    pub async fn render_email_html(
        &self,
        settings: &Settings,
        template: &EmailTemplate<'_>,
    ) -> Option<String> {
        let input = template
            .render_input(&self.public_url, settings)
            .to_string();
        let site = Arc::clone(&self.site);
        match blocking(move || site.mail(input)).await {
            Ok(email) => Some(email.html),
            Err(error) => {
                tracing::warn!(%error, "a message goes out as plain text alone");
                None
            }
        }
    }

    /// Commits a change durably, then publishes it if a page shows it. Handlers and background
    /// tasks write only through this function.
    ///
    /// When this returns `Ok`, the next request of any page shows the change. After a failed
    /// publish the commit stands, the former pages stay up, and the panel shows the site's state. A
    /// change completes even if its caller is cancelled, because the blocking work owns the turn.
    pub async fn change<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Writer<'_>) -> Result<T> + Send + 'static,
    {
        let turn = self.turn().await;
        blocking(move || turn.change(write)).await
    }

    /// Returns a receiver that is notified of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Publishes everything that the store holds. Called once at the start.
    pub async fn publish(&self) -> Result<()> {
        let turn = self.turn().await;
        blocking(move || turn.site.publish(turn.snapshot()?, turn.now)).await
    }

    /// Publishes the same content for a new day, on which events may have become past events.
    pub async fn publish_day(&self) -> Result<()> {
        let turn = self.turn().await;
        blocking(move || {
            let untouched = ChangeSet::default();
            let read = |reader: &Reader<'_>| turn.snapshot_after(reader, &untouched);
            turn.site.publish(turn.store.read(read)?, turn.now)?;
            turn.count_change();
            Ok(())
        })
        .await
    }

    /// Waits until no other change is running.
    async fn turn(&self) -> Turn {
        Turn {
            _guard: Arc::clone(&self.changing).lock_owned().await,
            store: self.store(),
            site: Arc::clone(&self.site),
            public_url: self.public_url.clone(),
            copies_elsewhere: self.config.copies.is_some(),
            now: self.now(),
            changes: self.changes.clone(),
        }
    }

    /// Returns the store itself, for the operator's commands.
    pub fn store(&self) -> Arc<Store> {
        self.store.load_full()
    }

    /// Returns whether the public URL is HTTPS.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// Returns the time now. The modules below do not read the clock.
    pub fn now(&self) -> Timestamp {
        self.tuning.now()
    }
}

/// Returns the system time in milliseconds since 1970. Callers pass it on to the modules below.
pub fn now() -> Timestamp {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}
