//! The one value that handlers get: configuration, store and published site, tied together.

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
use crate::site::Site;
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
    /// Within this time a body must grow by 64 KiB.
    pub body_window: Duration,
    /// The whole of a JSON body must be there within this time.
    pub json_timeout: Duration,
    /// An idle connection is kept this long.
    pub keep_alive: Duration,
    /// Whether pages that nobody has asked for are made while nothing else is wanted.
    pub makes_pages_ahead: bool,
    /// Newsletter requests that one address may make without waiting.
    pub newsletter_free_tries: u32,
    /// How long after a start what time has ended is first removed. A machine may start with
    /// another clock, which is put right once there is a network: what looks ended until then must
    /// not be gone for good.
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
    /// The time now. Nothing below reads the clock.
    fn now(&self) -> Timestamp {
        now().saturating_add(self.clock_ahead_milliseconds.load(Ordering::Relaxed))
    }
}

/// Everything the program is at run time.
#[derive(Debug)]
pub struct App {
    pub config: Config,
    pub public_url: String,
    pub other_names: OtherNames,
    pub site: Arc<Site>,
    pub tuning: Tuning,
    pub login_gate: LoginGate,
    pub rate_limits: RateLimits,
    pub queues: Queues,
    pub meter: Meter,
    pub tally: VisitCounter,
    pub picture_cache: PictureCache,
    trash_pictures: TrashPictures,
    written_lists: WrittenLists,
    /// Told when an address waits to be asked by mail.
    pub mail_waiting: Notify,
    /// Counts what was committed.
    changes: watch::Sender<u64>,
    /// A whole copy elsewhere.
    pub copy_wish: Wish,
    /// Of a whole copy elsewhere that is under way.
    pub copy_parts: Parts,
    /// How a cache in front was told last.
    pub cache_in_front: CacheInFront,
    /// Told when a newsletter begins or goes on.
    pub newsletter_waiting: Notify,
    /// Told when there is something to tell the practitioner.
    pub notice_waiting: Notify,
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
    copies_elsewhere: bool,
    now: Timestamp,
    changes: watch::Sender<u64>,
}

impl Turn {
    /// Tells those who hear of changes.
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

    /// What is published, with what was touched since. After a failure, which nobody knows the
    /// extent of, everything is read.
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

    /// Publishes what a committed change touched. The commit stands, whatever becomes of the pages.
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

    /// Reads one consistent view, off the request threads.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Reader<'_>) -> Result<T> + Send + 'static,
    {
        let store = self.store();
        blocking(move || store.read(read)).await
    }

    /// What the pages show; before the first publish, what they are going to show.
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

    /// Renders the HTML of an e-mail of the program. Returns `None` when the render fails: the
    /// e-mail then goes out as plain text.
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
        let turn = self.turn().await;
        blocking(move || turn.change(write)).await
    }

    /// Hears of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Publishes what the store holds: once at the start.
    pub async fn publish(&self) -> Result<()> {
        let turn = self.turn().await;
        blocking(move || turn.site.publish(turn.snapshot()?, turn.now)).await
    }

    /// Publishes what is up for another day: what was to come may be past.
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

    /// Waits until no other change is under way.
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
        self.tuning.now()
    }
}

/// Milliseconds since 1970. The clock is read here and handed down.
pub fn now() -> Timestamp {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}
