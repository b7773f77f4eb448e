//! Limits on concurrent work that takes much memory, disk or time. Requests beyond a limit wait, or
//! are told to retry later.

use crate::errors::{Error, Result};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Concurrent uploads that may hold their bytes in memory, including those that wait for a worker.
const UPLOADS_AT_ONCE: usize = 8;
/// Concurrent uploads of files to restore. Each may be as large as the disk allows.
const RESTORES_AT_ONCE: usize = 1;
/// Concurrent look-ups of accounts that asked for a new password; further requests are dropped.
const PASSWORD_LINKS_AT_ONCE: usize = 32;
/// Concurrent downloads of a backup: each holds a copy of the data file until it ends.
const BACKUP_DOWNLOADS_AT_ONCE: usize = 1;
/// Previews rendered at once, so that many requests for one shared link do not slow down the site.
const PREVIEWS_AT_ONCE: usize = 1;
/// Forms of personal links rendered at once, so that many requests for one link slow down these
/// forms only.
const FORMS_AT_ONCE: usize = 1;
const PAGES_AT_ONCE: usize = 4;
/// Concurrent reads of pictures, each of up to 1 MiB.
const IMAGE_READS_AT_ONCE: usize = 8;
const PREVIEWS_WAITING_MAX: usize = 8;

/// Public lists are serialized one at a time. Waiting requests then use the result.
const LISTS_AT_ONCE: usize = 1;

/// Social preview images are rendered one at a time.
const SOCIAL_IMAGES_AT_ONCE: usize = 1;
const SOCIAL_IMAGES_WAITING_MAX: usize = 64;

/// Runs `work` on a blocking thread: `respiro_publish::blocking`, with the error of the server.
pub async fn blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    respiro_publish::blocking(work).await
}

#[derive(Debug)]
pub struct WorkQueues {
    pub uploads: Semaphore,
    /// Limits parallel image processing, which takes up to 300 MB per image.
    pub image_workers: Arc<Semaphore>,
    pub restores: Arc<Semaphore>,
    /// Accounts looked up after a request for a new password was answered.
    pub password_links: Arc<Semaphore>,
    pub backup_downloads: Arc<Semaphore>,
    pub previews: WorkQueue,
    /// Pages rendered at once for visitors, so that one client that requests many leaves capacity
    /// for others.
    pub pages: WorkQueue,
    pub forms: WorkQueue,
    pub image_reads: WorkQueue,
    pub social_images: WorkQueue,
    pub lists: WorkQueue,
}

/// A bounded queue with a limited number of concurrent jobs. Waiting requests hold no thread,
/// because reading the data file needs threads.
#[derive(Debug)]
pub struct WorkQueue {
    running: Arc<Semaphore>,
    /// Limits waiting and running jobs together.
    slots: Arc<Semaphore>,
}

/// The permit of one job. The job owns it, because the job continues after its client disconnects:
/// a client that repeatedly requests and disconnects gets no more concurrent jobs than others.
#[derive(Debug)]
pub struct Permit {
    _permit: OwnedSemaphorePermit,
    _room: OwnedSemaphorePermit,
}

impl WorkQueue {
    fn new(at_once: usize, waiting_max: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(at_once)),
            slots: Arc::new(Semaphore::new(at_once + waiting_max)),
        }
    }

    /// Creates a queue without a limit of its own: the limit on connections bounds it.
    fn unbounded(at_once: usize) -> Self {
        Self::new(at_once, Semaphore::MAX_PERMITS - at_once)
    }

    /// Waits for a permit. Returns `None` if too many requests wait.
    pub async fn acquire(&self) -> Option<Permit> {
        let slots = Arc::clone(&self.slots).try_acquire_owned().ok()?;
        let permit = Arc::clone(&self.running).acquire_owned().await.ok()?;
        Some(Permit {
            _permit: permit,
            _room: slots,
        })
    }
}

impl Permit {
    /// Runs `work` as [`blocking`] does, and releases the permit when it ends.
    pub async fn blocking<T, F>(self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T> + Send + 'static,
    {
        blocking(move || {
            let _permit = self;
            work()
        })
        .await
    }

    /// Runs asynchronous work to its end, and releases the permit then.
    pub async fn task<T, F>(self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        let task = tokio::spawn(async move {
            let _permit = self;
            work.await
        });
        let ended = |error| Error::Internal(format!("work ended early: {error}"));
        task.await.map_err(ended)?
    }
}

impl WorkQueues {
    pub fn new(image_workers: u8) -> Self {
        Self {
            uploads: Semaphore::new(UPLOADS_AT_ONCE),
            image_workers: Arc::new(Semaphore::new(image_workers.into())),
            restores: Arc::new(Semaphore::new(RESTORES_AT_ONCE)),
            password_links: Arc::new(Semaphore::new(PASSWORD_LINKS_AT_ONCE)),
            backup_downloads: Arc::new(Semaphore::new(BACKUP_DOWNLOADS_AT_ONCE)),
            previews: WorkQueue::new(PREVIEWS_AT_ONCE, PREVIEWS_WAITING_MAX),
            pages: WorkQueue::unbounded(PAGES_AT_ONCE),
            forms: WorkQueue::unbounded(FORMS_AT_ONCE),
            image_reads: WorkQueue::unbounded(IMAGE_READS_AT_ONCE),
            social_images: WorkQueue::new(SOCIAL_IMAGES_AT_ONCE, SOCIAL_IMAGES_WAITING_MAX),
            lists: WorkQueue::unbounded(LISTS_AT_ONCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use tokio::sync::oneshot;

    /// Requests the work and disconnects once it has begun.
    async fn leave(
        work: impl Future<Output = Result<()>> + Send + 'static,
        is_begun: oneshot::Receiver<()>,
    ) {
        let asked = tokio::spawn(work);
        is_begun.await.unwrap();
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
    }

    /// Regression: the permit ended with the request. Nine pictures, each requested by 33
    /// connections that closed at once, were rendered by 45 concurrent threads in 500 MB.
    #[tokio::test]
    async fn a_turn_ends_with_its_work_and_not_with_whoever_asked() {
        let queue = WorkQueue::new(1, 1);
        let (begun, is_begun) = oneshot::channel();
        let (let_go, go) = mpsc::channel::<()>();
        let work = queue.acquire().await.unwrap().blocking(move || {
            begun.send(()).unwrap();
            go.recv().unwrap();
            Ok(())
        });
        leave(work, is_begun).await;
        assert_eq!(queue.running.available_permits(), 0);
        // The second request waits; the third is refused.
        let mut next = Box::pin(queue.acquire());
        let is_waiting = std::future::poll_fn(|context| {
            std::task::Poll::Ready(next.as_mut().poll(context).is_pending())
        });
        assert!(is_waiting.await);
        assert!(queue.acquire().await.is_none());
        let_go.send(()).unwrap();
        assert!(next.await.is_some());
    }

    /// Regression: a client that repeatedly requested a newsletter preview and disconnected had
    /// many rendered concurrently.
    #[tokio::test]
    async fn so_does_the_turn_of_work_that_waits_in_between() {
        let queue = WorkQueue::new(1, 1);
        let (begun, is_begun) = oneshot::channel();
        let (let_go, go) = oneshot::channel::<()>();
        let work = queue.acquire().await.unwrap().task(async move {
            begun.send(()).unwrap();
            go.await.unwrap();
            Ok(())
        });
        leave(work, is_begun).await;
        assert_eq!(queue.running.available_permits(), 0);
        let_go.send(()).unwrap();
        assert!(queue.acquire().await.is_some());
    }
}
