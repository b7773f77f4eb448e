//! The one write path: a change is one transaction, then one publish of what it touched.

use super::cdn_purge::CdnPurge;
use super::{Error, Result};
use super::{Pages, Publisher};
use arc_swap::ArcSwap;
use respiro_content::blocks::BlockDefinitions;
use respiro_content::time::day;
use respiro_content::{RequestLog, Snapshot, Timestamp};
use respiro_db::clock::{Clock, TrustedTime};
use respiro_db::{self as db, ChangeSet, NotificationEvent, Reader, Store, WriteAccess, Writer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, watch};

/// Configuration of a [`Site`], in addition to its data file and its publisher.
#[derive(Debug)]
pub struct SiteOptions {
    /// Without a trailing slash.
    pub public_url: String,
    pub definitions: &'static BlockDefinitions,
    /// Whether off-site backups are configured; a restored file takes this value over.
    pub has_offsite_backups: bool,
    /// Address of the person who runs the server; a restored file takes this value over.
    pub host_email: Option<String>,
    /// The server's access log, which the privacy page describes to the visitor.
    pub request_log: RequestLog,
    pub clock: Clock,
}

impl SiteOptions {
    /// Reads the whole snapshot.
    pub(super) fn snapshot(&self, reader: &Reader<'_>) -> db::Result<Snapshot> {
        let mut snapshot = reader.snapshot(&self.public_url, self.definitions)?;
        snapshot.request_log = self.request_log;
        self.set_day(&mut snapshot);
        Ok(snapshot)
    }

    /// Sets the day of a snapshot, unless the clock is doubted: what settings show on certain days
    /// then stays as it is.
    fn set_day(&self, snapshot: &mut Snapshot) {
        if let Some(time) = self.clock.trusted() {
            snapshot.day = Some(day(time.at()));
        }
    }
}

/// The data file and the pages published from it.
#[derive(Debug)]
pub struct Site {
    pub publisher: Arc<Publisher>,
    pub cdn_purge: CdnPurge,
    pub(super) store: Arc<ArcSwap<WriteAccess>>,
    /// Serializes changes, so that publishes happen in the order of commits.
    writing: Arc<Mutex<()>>,
    options: Arc<SiteOptions>,
    /// The number of commits since the start.
    commits: watch::Sender<u64>,
    notification_stored: Notify,
    trashed_images: TrashedImages,
}

/// Ids of the pictures that only items in the trash use, and the number of commits at which they
/// were read.
type TrashedImages = Mutex<Option<(u64, BTreeSet<String>)>>;

/// The exclusive right to change and publish, with everything this takes. The blocking work owns
/// it, so that the work finishes when the caller is cancelled.
pub(super) struct WriteGuard {
    _guard: OwnedMutexGuard<()>,
    pub(super) store: Arc<WriteAccess>,
    pub(super) publisher: Arc<Publisher>,
    pub(super) options: Arc<SiteOptions>,
    pub(super) now: Timestamp,
    commits: watch::Sender<u64>,
}

impl WriteGuard {
    /// Notifies the subscribers of `Site::commits`.
    pub(super) fn count_commit(&self) {
        self.commits
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Reads the whole snapshot. Shares what is equal with the published one, so that only pages
    /// that show something else are rendered again.
    fn snapshot(&self) -> Result<Snapshot> {
        let snapshot: Result<_, db::Error> =
            self.store.read(|reader| self.options.snapshot(reader));
        let mut snapshot = snapshot?;
        if let Some(pages) = self.publisher.pages() {
            snapshot.day = snapshot.day.or(pages.snapshot.day);
            snapshot.share_unchanged(&pages.snapshot);
        }
        Ok(snapshot)
    }

    /// Returns the published snapshot, updated by what `touched` lists.
    fn snapshot_after(&self, touched: &ChangeSet) -> Result<Snapshot> {
        let Some(pages) = self.publisher.pages() else {
            return self.snapshot();
        };
        let snapshot: Result<_, db::Error> = self.store.read(|reader| {
            reader.snapshot_after(&pages.snapshot, touched, self.options.definitions)
        });
        let mut snapshot = snapshot?;
        self.options.set_day(&mut snapshot);
        Ok(snapshot)
    }

    fn change<T, E: From<db::Error>>(
        &self,
        write: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let answer = self.change_uncounted(write)?;
        self.count_commit();
        Ok(answer)
    }

    /// Changes and publishes without a notification of the subscribers of `Site::commits`.
    fn change_uncounted<T, E: From<db::Error>>(
        &self,
        write: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let clock = &self.options.clock;
        let written = self.store.write(|writer| -> Result<T, E> {
            let answer = write(writer)?;
            writer.record_time_if_due(clock)?;
            Ok(answer)
        });
        if self.store.take_uncertain_commit() {
            tracing::warn!("a commit failed that may be in the data file, reading it again");
            self.publisher.distrust_snapshot();
            // A failure is reported, and the change's own error is the answer.
            let _ = self.publish_after(&ChangeSet::default());
            self.count_commit();
        }
        let (answer, touched) = written?;
        // The data file can be written: what a former publish could not read is readable by now.
        let is_outdated = self.publisher.pages().is_some() && !self.publisher.is_snapshot_trusted();
        if !touched.is_empty() || is_outdated {
            // A failed publish does not undo the commit.
            let _ = self.publish_after(&touched);
        }
        Ok(answer)
    }

    /// Publishes what a committed change touched; everything if the published snapshot is not
    /// trusted. Reports a failure, after which the site is published again soon.
    fn publish_after(&self, touched: &ChangeSet) -> Result<()> {
        // Until the publish succeeds, also if this thread panics.
        let is_trusted = self.publisher.distrust_snapshot();
        let snapshot = if is_trusted {
            self.snapshot_after(touched)
        } else {
            self.snapshot()
        };
        let published = snapshot.and_then(|snapshot| self.publisher.publish(snapshot, self.now));
        published.inspect_err(|error| {
            tracing::error!(%error, "publishing failed, the former pages stay up");
            self.publisher.report_unpublished(error);
        })
    }
}

impl Site {
    pub fn new(store: WriteAccess, publisher: Publisher, options: SiteOptions) -> Self {
        Self {
            publisher: Arc::new(publisher),
            cdn_purge: CdnPurge::default(),
            store: Arc::new(ArcSwap::from_pointee(store)),
            writing: Arc::default(),
            options: Arc::new(options),
            commits: watch::Sender::new(0),
            notification_stored: Notify::new(),
            trashed_images: TrashedImages::default(),
        }
    }

    /// Returns the origin of the site, without a trailing slash.
    pub fn public_url(&self) -> &str {
        &self.options.public_url
    }

    pub fn definitions(&self) -> &'static BlockDefinitions {
        self.options.definitions
    }

    pub fn clock(&self) -> &Clock {
        &self.options.clock
    }

    pub fn now(&self) -> Timestamp {
        self.options.clock.now()
    }

    /// Returns the store itself, for work that reads or copies the whole file.
    pub fn store(&self) -> Arc<Store> {
        self.store.load().reader()
    }

    /// Runs `read` on one consistent view of the store, on a blocking thread.
    pub async fn read<T, E, F>(&self, read: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + From<db::Error> + Send + 'static,
        F: FnOnce(&Reader<'_>) -> Result<T, E> + Send + 'static,
    {
        let store = self.store();
        blocking(move || store.read(read)).await
    }

    /// Commits a change durably, then publishes it if a page shows it. Handlers and background
    /// tasks write only through this function.
    ///
    /// When this returns `Ok`, the next request of any page shows the change, or status 503 while
    /// the page cannot be rendered. After a failed publish the commit stands, and the site is
    /// published again soon (`publish_repair`). A change completes even if its caller is cancelled,
    /// because the blocking work owns the guard.
    pub async fn change<T, E, F>(&self, write: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + From<db::Error> + Send + 'static,
        F: FnOnce(&mut Writer<'_>) -> Result<T, E> + Send + 'static,
    {
        let guard = self.write_guard().await;
        blocking(move || guard.change(write)).await
    }

    /// Commits a change of drafts, which no page, mirror or off-site backup waits for: it does not
    /// notify the subscribers of `commits`.
    pub async fn change_drafts<T, E, F>(&self, write: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + From<db::Error> + Send + 'static,
        F: FnOnce(&mut Writer<'_>) -> Result<T, E> + Send + 'static,
    {
        let guard = self.write_guard().await;
        blocking(move || guard.change_uncounted(write)).await
    }

    /// Returns a receiver that is notified of every commit but those of drafts.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.commits.subscribe()
    }

    /// Publishes everything that the store holds. Called once at the start.
    pub async fn publish(&self) -> Result<()> {
        let guard = self.write_guard().await;
        blocking(move || guard.publisher.publish(guard.snapshot()?, guard.now)).await
    }

    /// Publishes the same content for a new day, on which events may have become past events.
    pub async fn publish_new_day(&self) -> Result<()> {
        let guard = self.write_guard().await;
        blocking(move || {
            guard.publish_after(&ChangeSet::default())?;
            guard.count_commit();
            Ok(())
        })
        .await
    }

    /// Publishes again if the day of the published snapshot is not that of the clock: settings show
    /// some things on certain days, which a doubted clock does not decide.
    pub async fn publish_due_day(&self, now: &TrustedTime) -> Result<()> {
        let today = day(now.at());
        let is_due = |pages: Arc<Pages>| pages.snapshot.day != Some(today);
        if self.publisher.pages().is_some_and(is_due) {
            self.publish_new_day().await?;
        }
        Ok(())
    }

    /// Publishes everything that the store holds if the published snapshot is not trusted, and
    /// renders failed pages again.
    pub async fn repair(&self) -> Result<()> {
        let guard = self.write_guard().await;
        let publish = move || {
            if guard.publisher.is_snapshot_trusted() {
                return Ok(());
            }
            let published = guard.publish_after(&ChangeSet::default());
            guard.count_commit();
            published
        };
        let outcome = blocking(publish).await;
        let publisher = Arc::clone(&self.publisher);
        if blocking(move || Ok::<_, Error>(publisher.retry_failed_pages())).await? {
            // The site is the same, its bytes are not: nothing else tells the cache in front and
            // the mirror.
            self.cdn_purge.trigger.request();
            self.commits
                .send_modify(|count| *count = count.wrapping_add(1));
        }
        outcome
    }

    /// Returns the published snapshot; before the first publish, the snapshot of the store.
    pub async fn published_snapshot(&self) -> Result<Arc<Snapshot>> {
        if let Some(pages) = self.publisher.pages() {
            return Ok(Arc::clone(&pages.snapshot));
        }
        let options = Arc::clone(&self.options);
        self.read(move |reader| Ok(Arc::new(options.snapshot(reader)?)))
            .await
    }

    /// Runs `work` on the store while no change can run, for the operator's commands.
    pub async fn with_writes_held<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&WriteAccess) -> T + Send + 'static,
    {
        let guard = self.write_guard().await;
        blocking(move || Ok::<_, Error>(work(&guard.store))).await
    }

    /// Waits until no other change is running.
    pub(super) async fn write_guard(&self) -> WriteGuard {
        WriteGuard {
            _guard: Arc::clone(&self.writing).lock_owned().await,
            store: self.store.load_full(),
            publisher: Arc::clone(&self.publisher),
            options: Arc::clone(&self.options),
            now: self.now(),
            commits: self.commits.clone(),
        }
    }

    /// Stores a notification for the panel and, if the settings ask for it, for an e-mail. A
    /// failure is only logged, so that it does not fail the work that the notification is about.
    pub async fn notify(&self, event: NotificationEvent) {
        let now = self.now();
        let stored: Result<()> = self
            .change(move |writer| Ok(writer.notifications().add(event, now)?))
            .await;
        match stored {
            Ok(()) => self.announce_notification(),
            Err(error) => tracing::error!(%error, "a notice for the panel cannot be written down"),
        }
    }

    /// Wakes the e-mail queue after a change stored a notification within its own transaction.
    pub fn announce_notification(&self) {
        self.notification_stored.notify_one();
    }

    /// Waits until a notification is stored.
    pub async fn notification_stored(&self) {
        self.notification_stored.notified().await;
    }

    /// Returns the stored state of a background task. A state that cannot be parsed counts as
    /// missing.
    pub async fn load_task_state<T: DeserializeOwned>(&self, name: &'static str) -> Option<T> {
        let state: Result<_> = self.read(move |reader| Ok(reader.note(name)?)).await;
        serde_json::from_slice(&state.ok()??).ok()
    }

    /// Stores the state of a background task, as JSON, for the panel and for the task's next run.
    pub async fn save_task_state(&self, name: &'static str, state: &impl Serialize) -> Result<()> {
        let bytes =
            serde_json::to_vec(state).map_err(|error| Error::Internal(error.to_string()))?;
        self.change(move |writer| Ok(writer.put_note(name, &bytes)?))
            .await
    }

    /// Renders an e-mail. Returns `None` when rendering fails: the e-mail is then sent as plain
    /// text.
    pub async fn render_email_html(&self, input: serde_json::Value) -> Option<String> {
        let publisher = Arc::clone(&self.publisher);
        let rendered: Result<_> = blocking(move || publisher.mail(input.to_string())).await;
        match rendered {
            Ok(email) => Some(email.html),
            Err(error) => {
                tracing::warn!(%error, "a message goes out as plain text alone");
                None
            }
        }
    }

    /// Returns whether only items in the trash use this picture.
    ///
    /// Reads all items once after a change, because a client may request the address of an
    /// unpublished picture any number of times.
    pub async fn is_picture_of_trash_only(&self, id: &str) -> Result<bool> {
        let mut known = self.trashed_images.lock().await;
        // Read the counter before the items: a commit in between makes the next call read them
        // again.
        let commits = *self.commits.borrow();
        let ids = match known.take() {
            Some((at, ids)) if at == commits => ids,
            _ => {
                let ids: Result<_> = self
                    .read(|reader| Ok(reader.pictures().ids_of_trash_only()?))
                    .await;
                ids?
            }
        };
        let is_it = ids.contains(id);
        *known = Some((commits, ids));
        Ok(is_it)
    }
}

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

#[cfg(debug_assertions)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::power_loss::{BUNDLE, site_with};
    use respiro_db::power_loss::{STEPS, Step};

    /// Regression: each request of a picture that had once been public read the trash and all
    /// items.
    #[test]
    fn everything_is_gone_through_once_after_a_change_however_often_somebody_asks() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.redb");
        let store = Store::open(&data).unwrap();
        let site = site_with(store, BUNDLE);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let change = |step: Step| {
            let changed: Result<()> =
                runtime.block_on(site.change(move |writer| Ok(step(writer)?)));
            changed.unwrap();
        };
        let asked = || {
            let ask = site.is_picture_of_trash_only("foto");
            runtime.block_on(ask).unwrap()
        };
        let (shown, others) = STEPS.split_at(6);
        for step in shown {
            change(*step);
            assert!(!asked());
        }
        let [delete, _, restore, ..] = others else {
            panic!("too few steps");
        };
        change(*delete);
        assert!(asked());
        // Bypasses `Site::change`, so the cached ids stay in use.
        site.store.load().write(*restore).unwrap();
        assert!(asked());
        change(|_| Ok(()));
        assert!(!asked());
    }
}
