//! Reads the mailbox of returned messages every ten minutes.

use super::bounces;
use super::error::{Error, Result};
use respiro_content::Timestamp;
use respiro_db::{NotificationEvent, Reader};
use respiro_email::{BounceMailbox, Look, MailboxCursor, MailboxError, MailboxOptions};
use respiro_publish::Site;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

const LOOK_INTERVAL: Duration = Duration::from_mins(10);
/// Wait before the next look when messages are left.
const PARTIAL_INTERVAL: Duration = Duration::from_mins(1);
/// The practitioner is notified once the mailbox could not be read for this time.
const FAILING_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// The note in the data file that holds the [`MailboxCursor`] as JSON.
const NOTE: &str = "bounces";

/// What the panel shows of the mailbox. In memory: written to the data file, each look would cause
/// an off-site backup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BounceReaderState {
    /// When it was last read.
    pub read_at: Option<Timestamp>,
    /// Since when it cannot be read, and why, in Italian.
    pub failing: Option<(Timestamp, &'static str)>,
    /// Whether the practitioner was notified of the failure.
    is_notified: bool,
}

/// The state, shared by the reader and the panel.
#[derive(Debug, Default)]
pub struct BounceReader(Mutex<BounceReaderState>);

impl BounceReader {
    pub fn state(&self) -> BounceReaderState {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn change(&self, change: impl FnOnce(&mut BounceReaderState)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Reads the mailbox until the task is aborted. Aborting is safe: what was not stored is read
/// again.
pub async fn run(site: Arc<Site>, reader: Arc<BounceReader>, options: MailboxOptions) {
    loop {
        let is_partial = read_once(&site, &reader, &options).await;
        let wait = if is_partial {
            PARTIAL_INTERVAL
        } else {
            LOOK_INTERVAL
        };
        sleep(wait).await;
    }
}

/// Reads what arrived since the last time, and stores what follows from it. Returns whether
/// messages are left.
pub async fn read_once(site: &Site, reader: &BounceReader, options: &MailboxOptions) -> bool {
    match read_mailbox(site, options).await {
        Ok(is_partial) => {
            let former = reader.state();
            reader.change(|state| {
                *state = BounceReaderState {
                    read_at: Some(site.now()),
                    ..BounceReaderState::default()
                };
            });
            // The notice may be one of a former run.
            if former.is_notified || former.read_at.is_none() {
                site.notify(NotificationEvent::BouncesRead).await;
            }
            is_partial
        }
        Err(failure) => {
            record_failure(site, reader, failure).await;
            false
        }
    }
}

/// Why the mailbox was not read: the reason for the log, and the one for the panel.
struct Failure(String, &'static str);

impl From<MailboxError> for Failure {
    fn from(error: MailboxError) -> Self {
        let reason = error.italian_reason();
        Self(error.reason, reason)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error.to_string(), "i dati non si possono salvare")
    }
}

async fn read_mailbox(site: &Site, options: &MailboxOptions) -> Result<bool, Failure> {
    let cursor = site.read(cursor).await?;
    let mut mailbox = BounceMailbox::open(options).await?;
    let Look {
        reports,
        cursor: next,
        is_partial,
    } = mailbox.look(cursor.clone(), site.now()).await?;
    if cursor.as_ref() != Some(&next) {
        let used = store(site, reports, &next).await?;
        // The reports are stored: without the mark they are only shown as unread.
        if let Err(error) = mailbox.mark_seen(&used).await {
            tracing::warn!(
                reason = error.reason,
                "a returned message cannot be marked as read"
            );
        }
        if !used.is_empty() {
            tracing::info!(count = used.len(), "read reports about returned messages");
        }
    }
    mailbox.close().await;
    Ok(is_partial)
}

/// A cursor that cannot be parsed counts as missing.
fn cursor(reader: &Reader<'_>) -> Result<Option<MailboxCursor>> {
    let bytes = reader.note(NOTE)?.unwrap_or_default();
    Ok(serde_json::from_slice(&bytes).ok())
}

/// Stores what follows from the reports together with the cursor, so that none is used twice or
/// missed. Returns the numbers of the messages that were used.
async fn store(
    site: &Site,
    reports: Vec<(u32, respiro_email::MailReport)>,
    next: &MailboxCursor,
) -> Result<Vec<u32>> {
    let note = serde_json::to_vec(next).map_err(|error| Error::Internal(error.to_string()))?;
    let now = site.now();
    site.change(move |writer| {
        let used = bounces::apply_reports(writer, &reports, now)?;
        writer.put_note(NOTE, &note)?;
        Ok::<_, Error>(used)
    })
    .await
}

async fn record_failure(site: &Site, reader: &BounceReader, failure: Failure) {
    let Failure(detail, reason) = failure;
    tracing::warn!(
        reason = detail,
        "the mailbox of returned messages cannot be read: see `respiro doctor`"
    );
    let now = site.now();
    let mut due = None;
    reader.change(|state| {
        let since = state.failing.map_or(now, |(since, _)| since);
        state.failing = Some((since, reason));
        if now - since >= FAILING_MILLISECONDS && !state.is_notified {
            state.is_notified = true;
            due = Some(since);
        }
    });
    if let Some(since) = due {
        let reason = reason.to_owned();
        site.notify(NotificationEvent::BouncesUnread { reason, since })
            .await;
    }
}
