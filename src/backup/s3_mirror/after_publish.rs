//! Mirrors the published site to a bucket after each publish.

use super::{Mirror, Step, files};
use crate::error::{Result, StorageError};
use crate::fencing::{Claim, Instance};
use crate::messages;
use crate::offsite::schedule;
use respiro_content::time;
use respiro_db::NotificationEvent;
use respiro_db::clock::Clock;
use respiro_publish::static_export::{self, StaticFile};
use respiro_publish::{Pages, Publisher, Site, blocking};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// The note of the data file that holds the last [`MirrorStatus`] as JSON.
pub const NOTE: &str = "mirror";
/// The note that holds the runs of the server that published to the bucket, see `fencing.rs`.
pub const INSTANCES_NOTE: &str = "mirror-instances";
/// Collects publishes within this time into one step.
const DEBOUNCE: Duration = Duration::from_secs(1);
/// Interval at which objects deleted from the bucket are detected and uploaded again.
const CHECK_INTERVAL: Duration = Duration::from_hours(1);
/// Pause after a failure; doubles with each further one.
const RETRY_INTERVAL_MIN: Duration = Duration::from_secs(5);
const RETRY_INTERVAL_MAX: Duration = Duration::from_mins(5);
/// The same for files that cannot be read: the bucket is otherwise reachable.
const UNREADABLE_INTERVAL_MAX: Duration = Duration::from_secs(30);

/// State of the mirror.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MirrorStatus {
    pub place: String,
    pub ok: bool,
    /// When the bucket last had all readable files of the site, RFC 3339.
    pub synced_at: Option<String>,
    /// Why the last step failed, in Italian.
    pub reason: Option<String>,
}

/// Returns the mirror state of `place` for the admin panel; ignores the state of another place.
pub fn status_json(known: Option<MirrorStatus>, place: &str) -> Json {
    let state = known.filter(|known| known.place == place);
    let state = state.unwrap_or(MirrorStatus {
        place: place.to_owned(),
        ok: true,
        ..MirrorStatus::default()
    });
    json!(state)
}

/// Runs the mirror until the server stops. `place` is the display name of the bucket.
pub async fn run(site: Arc<Site>, mirror: Mirror, place: String) {
    let mut changes = site.commits();
    let mirror = Arc::new(Mutex::new(mirror));
    let mut backoff = Backoff::default();
    let mut checked_at = Instant::now();
    let mut check_at = checked_at + CHECK_INTERVAL;
    let known = site.load_task_state(NOTE).await;
    let mut state = known.filter(|known: &MirrorStatus| known.place == place);
    let mut synced: Weak<Pages> = Weak::new();
    let mut instance = Instance::begin(INSTANCES_NOTE);
    loop {
        changes.borrow_and_update();
        let present = site.publisher.pages();
        let pages = present.filter(|pages| !Weak::ptr_eq(&Arc::downgrade(pages), &synced));
        let Some(pages) = pages else {
            // Most changes do not concern pages, and must not postpone the hourly check.
            match timeout_at(check_at, changes.changed()).await {
                Ok(Ok(())) => sleep(DEBOUNCE).await,
                Ok(Err(_)) => return,
                Err(_) => {
                    synced = Weak::new();
                    check_at = Instant::now() + CHECK_INTERVAL;
                    if checked_at.elapsed() >= CHECK_INTERVAL {
                        checked_at = Instant::now();
                        locked(&mirror).forget();
                    }
                }
            }
            continue;
        };
        instance.remember(&site).await;
        let (own, weak) = (Arc::clone(&mirror), Arc::downgrade(&site));
        let (publisher, current) = (Arc::clone(&site.publisher), Arc::clone(&pages));
        let (clock, now) = (site.clock().clone(), site.now());
        let done =
            blocking(move || Ok(step(&mut locked(&own), &weak, &publisher, &current, &clock)));
        let done = done
            .await
            .unwrap_or_else(|error| Err(schedule::to_storage_error(&error)));
        instance.renew_if_refused(&site, done.as_ref().err()).await;
        let outcome = outcome_of(&done, state.as_ref(), &place, now);
        if let Some(notice) = notification_for(&outcome, state.as_ref(), now) {
            site.notify(notice).await;
        }
        if state.as_ref() != Some(&outcome) {
            if let Err(error) = site.save_task_state(NOTE, &outcome).await {
                tracing::error!(%error, "cannot remember how the bucket stands");
            }
            state = Some(outcome);
        }
        let next = backoff.after(&done);
        check_at = Instant::now() + backoff.check_interval();
        match next {
            NextStep::Change => synced = Arc::downgrade(&pages),
            NextStep::Try(pause) => {
                drop(pages);
                sleep(pause).await;
            }
        }
    }
}

/// What the loop waits for after a step.
#[derive(Debug, PartialEq, Eq)]
enum NextStep {
    /// The bucket has all readable files.
    Change,
    Try(Duration),
}

/// Retry state: consecutive failures, and whether only unreadable files are missing.
#[derive(Debug, Default)]
struct Backoff {
    failures: u32,
    is_unreadable: bool,
}

impl Backoff {
    fn after(&mut self, done: &Result<Step, StorageError>) -> NextStep {
        let pause = self.pause();
        self.is_unreadable = matches!(done, Err(StorageError::Unreadable(_)));
        self.failures = done.as_ref().map_or(self.failures + 1, |_| 0);
        if done.is_ok() || self.is_unreadable {
            NextStep::Change
        } else {
            NextStep::Try(pause)
        }
    }

    fn pause(&self) -> Duration {
        let times = 2_u32.saturating_pow(self.failures);
        RETRY_INTERVAL_MIN
            .saturating_mul(times)
            .min(RETRY_INTERVAL_MAX)
    }

    /// Returns the time until the next step without a change: unreadable files are retried sooner.
    fn check_interval(&self) -> Duration {
        if self.is_unreadable {
            self.pause().min(UNREADABLE_INTERVAL_MAX)
        } else {
            CHECK_INTERVAL
        }
    }
}

fn locked(mirror: &Mutex<Mirror>) -> MutexGuard<'_, Mirror> {
    mirror.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the notification that the bucket belongs to another machine or site, or does so no
/// longer.
fn notification_for(
    outcome: &MirrorStatus,
    former: Option<&MirrorStatus>,
    now: i64,
) -> Option<NotificationEvent> {
    let refusal = |state: &MirrorStatus| match state.reason.as_deref()? {
        messages::OTHER_MACHINE => Some(messages::MIRROR_TAKEN_OVER),
        messages::OTHER_SITE => Some(messages::MIRROR_OF_OTHER_SITE),
        _ => None,
    };
    match (former.and_then(refusal), refusal(outcome)) {
        (former, Some(reason)) if former != Some(reason) => {
            Some(NotificationEvent::OffsiteFailed {
                reason: reason.to_owned(),
                since: now,
            })
        }
        (Some(_), None) if outcome.ok => Some(NotificationEvent::OffsiteWorks),
        _ => None,
    }
}

fn outcome_of(
    done: &Result<Step, StorageError>,
    former: Option<&MirrorStatus>,
    place: &str,
    now: i64,
) -> MirrorStatus {
    match done {
        Ok(step) => {
            let objects = step.sent;
            tracing::info!(place, objects, ?step, "the bucket is in step, pages last");
            MirrorStatus {
                place: place.to_owned(),
                ok: true,
                synced_at: Some(time::rfc3339(now)),
                reason: None,
            }
        }
        Err(error) => {
            let reason = error.operator_message(place);
            tracing::error!(reason, "the bucket is behind the site");
            let synced_at = match error {
                StorageError::Unreadable(_) => Some(time::rfc3339(now)),
                _ => former.and_then(|former| former.synced_at.clone()),
            };
            MirrorStatus {
                place: place.to_owned(),
                ok: false,
                synced_at,
                reason: Some(error.user_message().to_owned()),
            }
        }
    }
}

/// Runs one mirror step. Holds the data file for one object at a time, so that shutdown does not
/// wait for the step.
fn step(
    mirror: &mut Mirror,
    site: &Weak<Site>,
    publisher: &Publisher,
    pages: &Pages,
    clock: &Clock,
) -> Result<Step, StorageError> {
    let files = files(publisher, pages);
    let claim = schedule::read_site(site, |reader| Claim::read(reader, INSTANCES_NOTE))?;
    let mut make = |file: &StaticFile| {
        let made = schedule::read_site(site, |reader| {
            Ok(static_export::bytes(publisher, pages, reader, file))
        })?;
        made.map_err(|error| StorageError::Unreadable(format!("{}: {error}", file.name)))
    };
    mirror.step(pages, &files, clock, &claim, &mut make)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: one page that failed to render delayed every publish by five minutes, and the
    /// panel reported the bucket as behind since the first failure.
    #[test]
    fn what_cannot_be_read_holds_up_no_change_and_is_tried_again() {
        let unreadable = || Err(StorageError::Unreadable("a".to_owned()));
        let mut backoff = Backoff::default();
        for pause in [10, 20, 30, 30] {
            assert_eq!(backoff.after(&unreadable()), NextStep::Change);
            assert_eq!(backoff.check_interval(), Duration::from_secs(pause));
        }
        let outcome = outcome_of(&unreadable(), None, "s3://b", 0);
        assert!(!outcome.ok && outcome.reason.is_some());
        let known = Some("1970-01-01T00:00:00.000Z");
        assert_eq!(outcome.synced_at.as_deref(), known);
        let later = outcome_of(&Err(StorageError::Slow), Some(&outcome), "s3://b", 9_000);
        assert_eq!(later.synced_at.as_deref(), known);
        let later = outcome_of(&unreadable(), Some(&outcome), "s3://b", 9_000);
        assert_ne!(later.synced_at.as_deref(), known);
        assert_eq!(backoff.after(&Ok(Step::default())), NextStep::Change);
        assert_eq!(backoff.check_interval(), CHECK_INTERVAL);
        for pause in [5, 10, 20] {
            let next = NextStep::Try(Duration::from_secs(pause));
            assert_eq!(backoff.after(&Err(StorageError::Slow)), next);
        }
    }

    /// Regression: only the log said that another machine, or another site, had the bucket.
    #[test]
    fn a_bucket_of_another_machine_or_site_is_reported_once() {
        for refusal in [StorageError::OtherMachine, StorageError::OtherSite] {
            let refused = || Err(refusal.clone());
            let first = outcome_of(&refused(), None, "s3://b", 0);
            let failed = notification_for(&first, None, 0).unwrap();
            assert!(matches!(failed, NotificationEvent::OffsiteFailed { .. }));
            let again = outcome_of(&refused(), Some(&first), "s3://b", 9_000);
            assert_eq!(notification_for(&again, Some(&first), 9_000), None);
            let good = outcome_of(&Ok(Step::default()), Some(&again), "s3://b", 9_000);
            let solved = notification_for(&good, Some(&again), 9_000);
            assert_eq!(solved, Some(NotificationEvent::OffsiteWorks));
        }
        let slow = outcome_of(&Err(StorageError::Slow), None, "s3://b", 0);
        assert_eq!(notification_for(&slow, None, 0), None);
    }

    #[test]
    fn golden_note_of_the_mirror() {
        const GOLDEN: &str = r#"{"place":"s3://b","ok":false,"syncedAt":"2026","reason":"no"}"#;
        let outcome: MirrorStatus = serde_json::from_str(GOLDEN).unwrap();
        let expected = MirrorStatus {
            place: "s3://b".to_owned(),
            ok: false,
            synced_at: Some("2026".to_owned()),
            reason: Some("no".to_owned()),
        };
        assert_eq!(outcome, expected);
        assert_eq!(serde_json::to_string(&outcome).unwrap(), GOLDEN);
        assert_eq!(NOTE, "mirror");
    }
}
