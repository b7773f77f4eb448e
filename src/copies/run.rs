//! Copies by themselves: a whole one each day, changes within a minute.

use super::{Copies, Fault, NOTES, Sealer, Sent, Sort, Taken};
use crate::app::{App, blocking};
use crate::content::{Timestamp, time};
use crate::error::{Error, Result};
use crate::store::{Blob, Notice, Reader};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

/// The note of the data file that holds the last [`Outcome`] as JSON.
pub const NOTE: &str = "copies";
const EVERY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// A whole copy older than this is late.
const LATE_MILLISECONDS: i64 = 2 * EVERY_MILLISECONDS;
/// Changes of a moment go together; none waits for longer than a minute.
const GATHER: Duration = Duration::from_secs(30);
/// After a failure the next try comes sooner than the next day.
const RETRY: Duration = Duration::from_mins(5);
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_mins(5);

/// How copying stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub place: String,
    pub ok: bool,
    /// When the last whole copy was made, RFC 3339.
    pub whole_at: Option<String>,
    /// Up to when changes are there.
    pub changes_at: Option<String>,
    /// Why the last try failed, in Italian.
    pub reason: Option<String>,
    /// Since when every try has failed.
    #[serde(default)]
    pub failed_since: Option<String>,
}

/// Copies that are late for less than this are no news: most faults of a network pass.
const TOLD_AFTER_MILLISECONDS: i64 = 60 * 60 * 1000;

/// What the practitioner is told of it, when there is anything.
fn news(
    state: &Outcome,
    was: &Outcome,
    now: Timestamp,
    told_at: Option<Timestamp>,
) -> Option<Notice> {
    let Some(since) = state.failed_since.as_deref().and_then(time::parse_rfc3339) else {
        return (was.failed_since.is_some()).then_some(Notice::OffsiteWorks);
    };
    let is_late = now.saturating_sub(since) >= TOLD_AFTER_MILLISECONDS;
    let is_told = told_at.is_some_and(|told| now.saturating_sub(told) < TOLD_AFTER_MILLISECONDS);
    let reason = state.reason.clone().unwrap_or_default();
    (is_late && !is_told).then_some(Notice::OffsiteFailed { reason, since })
}

/// How copying to `place` stands, for the panel. What a former place left is no news.
pub fn shown(known: Option<Outcome>, place: &str, is_sending: bool, now: Timestamp) -> Json {
    let state = known
        .filter(|known| known.place == place)
        .unwrap_or(Outcome {
            place: place.to_owned(),
            ok: true,
            ..Outcome::default()
        });
    let whole = state.whole_at.as_deref().and_then(time::parse_rfc3339);
    let is_late = whole.is_some_and(|at| now.saturating_sub(at) > LATE_MILLISECONDS);
    json!({
        "place": state.place,
        "ok": state.ok,
        "isLate": is_late,
        "isSending": is_sending,
        "wholeAt": state.whole_at,
        "changesAt": state.changes_at,
        "reason": state.reason,
    })
}

/// Everything that copying needs, whatever the data file is open in.
pub fn take(reader: &Reader<'_>) -> Result<Taken> {
    Ok(Taken {
        rows: reader.rows(NOTES)?,
        blobs: reader.blobs()?,
        items: reader.figures()?.counts.values().sum(),
        secret: reader.secret()?,
    })
}

/// The bytes of a picture that rows name.
pub fn blob(reader: &Reader<'_>, blob: Blob) -> Result<Vec<u8>> {
    reader.blob(&blob.hash)?.ok_or(Error::NotFound)
}

pub fn fault_of(error: &Error) -> Fault {
    Fault::Other(format!("the data file cannot be copied: {error}"))
}

/// Reads the data file for a moment, as long as there is a server.
pub fn look<T>(app: &Weak<App>, read: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T, Fault> {
    let gone = || Fault::Other("the server stops".to_owned());
    let store = app.upgrade().ok_or_else(gone)?.store();
    store.read(read).map_err(|error| fault_of(&error))
}

struct Runner {
    /// What is under way holds nobody up who stops.
    app: Weak<App>,
    copies: Copies,
    sealer: Sealer,
}

impl Runner {
    fn app(&self) -> Result<Arc<App>, Fault> {
        let gone = || Fault::Other("the server stops".to_owned());
        self.app.upgrade().ok_or_else(gone)
    }

    fn read<T>(&self, read: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T, Fault> {
        look(&self.app, read)
    }

    /// One copy; of changes only when the mark is another than `last`.
    fn once(&self, sort: Sort, last: [u8; 32]) -> Result<Option<([u8; 32], Sent)>, Fault> {
        let now = self.app()?.now();
        if sort == Sort::Whole {
            let store = self.app()?.store();
            store.check().map_err(|problems| {
                Fault::Other(format!("the data file is damaged: {}", problems.join("; ")))
            })?;
        }
        // Read before the rows: what changes in between is copied, and then once more.
        let mark = self.read(|reader| reader.mark(NOTES))?;
        if sort == Sort::Changes && mark == last {
            return Ok(None);
        }
        let taken = self.read(take)?;
        let mut bytes = |one: Blob| self.read(|reader| blob(reader, one));
        let mut sent = self
            .copies
            .send(&self.sealer, sort, now, &taken, &mut bytes)?;
        sent.pruned = self.copies.prune(sort, now)?;
        Ok(Some((mark, sent)))
    }
}

/// Copies for ever. `place` is what people read.
pub async fn run(app: Arc<App>, copies: Copies, sealer: Sealer, place: String) {
    let mut changes = app.changes();
    let runner = Arc::new(Runner {
        app: Arc::downgrade(&app),
        copies,
        sealer,
    });
    let mut outcome = remembered(&app).await.filter(|known| known.place == place);
    let mut last = [0; 32];
    let mut told_at = None;
    let mut is_wished = false;
    loop {
        let state = outcome.get_or_insert_with(|| Outcome {
            place: place.clone(),
            ..Outcome::default()
        });
        let now = app.now();
        let sort = if is_wished || is_due(state, now) {
            Sort::Whole
        } else {
            Sort::Changes
        };
        if sort == Sort::Whole {
            app.copy_wish.begin();
        }
        let own = Arc::clone(&runner);
        let done = blocking(move || Ok(own.once(sort, last))).await;
        let done = done.unwrap_or_else(|error| Err(fault_of(&error)));
        let failed = done.is_err();
        let was = state.clone();
        note(state, sort, now, done, &mut last, &place);
        if *state != was
            && let Err(error) = remember(&app, state).await
        {
            tracing::error!(%error, "cannot remember how copying went");
        }
        if let Some(notice) = news(state, &was, now, told_at) {
            told_at = Some(now);
            app.notify(notice).await;
        }
        app.copy_wish.end();
        is_wished = wait(&app, &mut changes, failed).await;
    }
}

/// Takes a result in.
fn note(
    state: &mut Outcome,
    sort: Sort,
    now: Timestamp,
    done: Result<Option<([u8; 32], Sent)>, Fault>,
    last: &mut [u8; 32],
    place: &str,
) {
    match done {
        Ok(copied) => {
            state.ok = true;
            state.reason = None;
            state.failed_since = None;
            if let Some((hash, sent)) = copied {
                *last = hash;
                state.changes_at = Some(time::rfc3339(now));
                if sort == Sort::Whole {
                    state.whole_at.clone_from(&state.changes_at);
                }
                tracing::info!(place, ?sort, ?sent, "copied and read back");
            }
        }
        Err(fault) => {
            state.ok = false;
            state.reason = Some(fault.reason().to_owned());
            state.failed_since.get_or_insert_with(|| time::rfc3339(now));
            tracing::error!(reason = fault.told(place), "the copy elsewhere failed");
        }
    }
}

fn is_due(state: &Outcome, now: Timestamp) -> bool {
    let last = state.whole_at.as_deref().and_then(time::parse_rfc3339);
    last.is_none_or(|at| now.saturating_sub(at) >= EVERY_MILLISECONDS || at > now)
}

/// Until there is something to copy, or a look at the clock is due. Whether somebody asks for a
/// whole copy now.
async fn wait(app: &App, changes: &mut watch::Receiver<u64>, failed: bool) -> bool {
    let something = async {
        if failed {
            sleep(RETRY).await;
            return;
        }
        let look = Instant::now() + LOOK;
        if timeout_at(look, changes.changed()).await.is_ok() {
            sleep(GATHER).await;
            changes.borrow_and_update();
        }
    };
    tokio::select! {
        () = something => false,
        () = app.copy_wish.heard() => true,
    }
}

async fn remembered(app: &App) -> Option<Outcome> {
    let note = app.read(|reader| reader.note(NOTE)).await.ok()??;
    serde_json::from_slice(&note).ok()
}

async fn remember(app: &App, outcome: &Outcome) -> Result<()> {
    let bytes = serde_json::to_vec(outcome).map_err(|error| Error::Internal(error.to_string()))?;
    app.change(move |writer| writer.put_note(NOTE, &bytes))
        .await
}
