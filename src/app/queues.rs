//! Queues for what is heavy: so many at once, and whoever finds no place is told to come again.

use super::blocking;
use crate::error::{Error, Result};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Uploads that may hold their bytes in memory at once, waiting for a worker included.
const UPLOADS_AT_ONCE: usize = 8;
/// Files to restore that come in at once: each may be as large as the disk allows.
const RESTORES_AT_ONCE: usize = 1;
/// Previews rendered at once: one link in many hands must not slow the site.
const PREVIEWS_AT_ONCE: usize = 1;
/// Forms of personal links that are drawn at once: one link opened many times slows only its own.
const FORMS_AT_ONCE: usize = 1;
const PAGES_AT_ONCE: usize = 4;
/// Pictures that are read at once, each up to 1 MiB at a time.
const PICTURE_READS_AT_ONCE: usize = 8;
const PREVIEWS_WAITING_MAX: usize = 8;

/// Public lists are written one at a time. Whoever waits finds it written.
const LISTS_AT_ONCE: usize = 1;

/// Social pictures are drawn one at a time.
const DRAWINGS_AT_ONCE: usize = 1;
const DRAWINGS_WAITING_MAX: usize = 64;

/// Places for work that takes much memory, disk or time.
#[derive(Debug)]
pub struct Queues {
    pub uploads: Semaphore,
    /// One permit for each picture that may be processed at once: each takes up to 300 MB.
    pub image_workers: Arc<Semaphore>,
    pub restores: Arc<Semaphore>,
    pub previews: Line,
    /// Pages that are made at once for visitors: who asks for many leaves room for others.
    pub pages: Line,
    pub forms: Line,
    pub picture_reads: Line,
    pub drawings: Line,
    pub lists: Line,
}

/// Work that is done so many at once; whoever has no turn yet waits, and holds no thread meanwhile:
/// reading the data file needs them.
#[derive(Debug)]
pub struct Line {
    turns: Arc<Semaphore>,
    /// Those who wait, and those whose turn it is.
    room: Arc<Semaphore>,
}

/// It goes along with the work, which goes on when whoever asked for it is gone: one who asks and
/// hangs up, again and again, has no more of it done at once than others.
#[derive(Debug)]
pub struct Turn {
    _turn: OwnedSemaphorePermit,
    _room: OwnedSemaphorePermit,
}

impl Line {
    fn new(at_once: usize, waiting_max: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(at_once)),
            room: Arc::new(Semaphore::new(at_once + waiting_max)),
        }
    }

    /// Connections are counted: no more wait than there may be of them.
    fn unbounded(at_once: usize) -> Self {
        Self::new(at_once, Semaphore::MAX_PERMITS - at_once)
    }

    /// `None` when too many wait.
    pub async fn turn(&self) -> Option<Turn> {
        let room = Arc::clone(&self.room).try_acquire_owned().ok()?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.ok()?;
        Some(Turn {
            _turn: turn,
            _room: room,
        })
    }
}

impl Turn {
    /// Runs the work that the turn was for, as [`blocking`] does.
    pub async fn blocking<T, F>(self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T> + Send + 'static,
    {
        blocking(move || {
            let _turn = self;
            work()
        })
        .await
    }

    /// The same for work that waits in between, and reads on its way.
    pub async fn task<T, F>(self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        let task = tokio::spawn(async move {
            let _turn = self;
            work.await
        });
        let ended = |error| Error::Internal(format!("work ended early: {error}"));
        task.await.map_err(ended)?
    }
}

impl Queues {
    pub fn new(image_workers: u8) -> Self {
        Self {
            uploads: Semaphore::new(UPLOADS_AT_ONCE),
            image_workers: Arc::new(Semaphore::new(image_workers.into())),
            restores: Arc::new(Semaphore::new(RESTORES_AT_ONCE)),
            previews: Line::new(PREVIEWS_AT_ONCE, PREVIEWS_WAITING_MAX),
            pages: Line::unbounded(PAGES_AT_ONCE),
            forms: Line::unbounded(FORMS_AT_ONCE),
            picture_reads: Line::unbounded(PICTURE_READS_AT_ONCE),
            drawings: Line::new(DRAWINGS_AT_ONCE, DRAWINGS_WAITING_MAX),
            lists: Line::unbounded(LISTS_AT_ONCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use tokio::sync::oneshot;

    /// Asks for the work and hangs up once it has begun.
    async fn leave(
        work: impl Future<Output = Result<()>> + Send + 'static,
        is_begun: oneshot::Receiver<()>,
    ) {
        let asked = tokio::spawn(work);
        is_begun.await.unwrap();
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
    }

    /// Nine pictures, each asked for by 33 connections that were broken off at once, were drawn by 45
    /// threads beside each other, in 500 MB: the turn ended with the question.
    #[tokio::test]
    async fn a_turn_ends_with_its_work_and_not_with_whoever_asked() {
        let line = Line::new(1, 1);
        let (begun, is_begun) = oneshot::channel();
        let (let_go, go) = mpsc::channel::<()>();
        let work = line.turn().await.unwrap().blocking(move || {
            begun.send(()).unwrap();
            go.recv().unwrap();
            Ok(())
        });
        leave(work, is_begun).await;
        assert_eq!(line.turns.available_permits(), 0);
        // One may wait, another is told to come again.
        let mut next = Box::pin(line.turn());
        let is_waiting = std::future::poll_fn(|context| {
            std::task::Poll::Ready(next.as_mut().poll(context).is_pending())
        });
        assert!(is_waiting.await);
        assert!(line.turn().await.is_none());
        let_go.send(()).unwrap();
        assert!(next.await.is_some());
    }

    /// Whoever asked for a newsletter's preview, hung up and asked again had many drawn at once.
    #[tokio::test]
    async fn so_does_the_turn_of_work_that_waits_in_between() {
        let line = Line::new(1, 1);
        let (begun, is_begun) = oneshot::channel();
        let (let_go, go) = oneshot::channel::<()>();
        let work = line.turn().await.unwrap().task(async move {
            begun.send(()).unwrap();
            go.await.unwrap();
            Ok(())
        });
        leave(work, is_begun).await;
        assert_eq!(line.turns.available_permits(), 0);
        let_go.send(()).unwrap();
        assert!(line.turn().await.is_some());
    }
}
