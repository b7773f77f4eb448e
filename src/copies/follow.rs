//! Keeps a bucket in step with what is published, behind every publish and never before one.

use super::mirror::{self, Mirror, Step};
use super::{Fault, run};
use crate::app::{App, blocking};
use crate::content::time;
use crate::error::Result;
use crate::site::{Pages, Site};
use crate::static_site::{self, StaticFile};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// The note of the data file that holds the last [`Outcome`] as JSON.
pub const NOTE: &str = "mirror";
/// Publishes of a moment go together.
const GATHER: Duration = Duration::from_secs(1);
/// How soon what somebody removed from the bucket is sent again.
const LOOK: Duration = Duration::from_hours(1);
/// After a failure, twice as long after each further one.
const PAUSE_MIN: Duration = Duration::from_secs(5);
const PAUSE_MAX: Duration = Duration::from_mins(5);

/// How the bucket stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub place: String,
    pub ok: bool,
    /// When it last had all of the site that can be read, RFC 3339.
    pub synced_at: Option<String>,
    /// Why the last try failed, in Italian.
    pub reason: Option<String>,
}

/// How the bucket at `place` stands, for the panel. What a former place left is no news.
pub fn shown(known: Option<Outcome>, place: &str) -> Json {
    let state = known.filter(|known| known.place == place);
    let state = state.unwrap_or(Outcome {
        place: place.to_owned(),
        ok: true,
        ..Outcome::default()
    });
    json!(state)
}

/// Follows for ever. `place` is what people read.
pub async fn run(app: Arc<App>, mirror: Mirror, place: String) {
    let mut changes = app.changes();
    let mirror = Arc::new(Mutex::new(mirror));
    let mut rhythm = Rhythm::default();
    let mut looked_at = Instant::now();
    let mut look_at = looked_at + LOOK;
    let known = app.note(NOTE).await;
    let mut state = known.filter(|known: &Outcome| known.place == place);
    let mut synced: Weak<Pages> = Weak::new();
    loop {
        changes.borrow_and_update();
        let present = app.site.pages();
        let pages = present.filter(|pages| !Weak::ptr_eq(&Arc::downgrade(pages), &synced));
        let Some(pages) = pages else {
            // Most changes are none of the pages: they put it off no further.
            match timeout_at(look_at, changes.changed()).await {
                Ok(Ok(())) => sleep(GATHER).await,
                Ok(Err(_)) => return,
                Err(_) => {
                    synced = Weak::new();
                    look_at = Instant::now() + LOOK;
                    if looked_at.elapsed() >= LOOK {
                        looked_at = Instant::now();
                        locked(&mirror).forget();
                    }
                }
            }
            continue;
        };
        let (own, weak) = (Arc::clone(&mirror), Arc::downgrade(&app));
        let (site, shown, now) = (Arc::clone(&app.site), Arc::clone(&pages), app.now());
        let done = blocking(move || Ok(step(&mut locked(&own), &weak, &site, &shown, now)));
        let done = done
            .await
            .unwrap_or_else(|error| Err(run::fault_of(&error)));
        let outcome = outcome_of(&done, state.as_ref(), &place, now);
        if state.as_ref() != Some(&outcome) {
            if let Err(error) = app.keep_note(NOTE, &outcome).await {
                tracing::error!(%error, "cannot remember how the bucket stands");
            }
            state = Some(outcome);
        }
        let next = rhythm.after(&done);
        look_at = Instant::now() + rhythm.look();
        match next {
            Next::Change => synced = Arc::downgrade(&pages),
            Next::Try(pause) => {
                drop(pages);
                sleep(pause).await;
            }
        }
    }
}

/// What is waited for after a step.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// The bucket has all that can be read.
    Change,
    Try(Duration),
}

/// How many tries have failed one after another, and whether all but some files are there.
#[derive(Debug, Default)]
struct Rhythm {
    failures: u32,
    is_unreadable: bool,
}

impl Rhythm {
    fn after(&mut self, done: &Result<Step, Fault>) -> Next {
        let pause = self.pause();
        self.is_unreadable = matches!(done, Err(Fault::Unreadable(_)));
        self.failures = done.as_ref().map_or(self.failures + 1, |_| 0);
        if done.is_ok() || self.is_unreadable {
            Next::Change
        } else {
            Next::Try(pause)
        }
    }

    fn pause(&self) -> Duration {
        let times = 2_u32.saturating_pow(self.failures);
        PAUSE_MIN.saturating_mul(times).min(PAUSE_MAX)
    }

    /// The next step without a change: what cannot be read may be readable then.
    fn look(&self) -> Duration {
        if self.is_unreadable {
            self.pause()
        } else {
            LOOK
        }
    }
}

fn locked(mirror: &Mutex<Mirror>) -> MutexGuard<'_, Mirror> {
    mirror.lock().unwrap_or_else(PoisonError::into_inner)
}

fn outcome_of(
    done: &Result<Step, Fault>,
    former: Option<&Outcome>,
    place: &str,
    now: i64,
) -> Outcome {
    match done {
        Ok(step) => {
            let objects = step.sent;
            tracing::info!(place, objects, ?step, "the bucket is in step, pages last");
            Outcome {
                place: place.to_owned(),
                ok: true,
                synced_at: Some(time::rfc3339(now)),
                reason: None,
            }
        }
        Err(fault) => {
            let reason = fault.told(place);
            tracing::error!(reason, "the bucket is behind the site");
            let synced_at = match fault {
                Fault::Unreadable(_) => Some(time::rfc3339(now)),
                _ => former.and_then(|former| former.synced_at.clone()),
            };
            Outcome {
                place: place.to_owned(),
                ok: false,
                synced_at,
                reason: Some(fault.reason().to_owned()),
            }
        }
    }
}

/// Holds the data file for one object at a time, so that nobody waits who stops.
fn step(
    mirror: &mut Mirror,
    app: &Weak<App>,
    site: &Site,
    pages: &Pages,
    now: i64,
) -> Result<Step, Fault> {
    let files = mirror::files(site, pages);
    let mut make = |file: &StaticFile| {
        let made = run::look(app, |reader| {
            Ok(static_site::bytes(site, pages, reader, file))
        })?;
        made.map_err(|error| Fault::Unreadable(format!("{}: {error}", file.name)))
    };
    mirror.step(pages, &files, now, &mut make)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One page that could not be drawn held up every publish for five minutes, and the panel said
    /// that the bucket had been behind since the first.
    #[test]
    fn what_cannot_be_read_holds_up_no_change_and_is_tried_again() {
        let unreadable = || Err(Fault::Unreadable("a".to_owned()));
        let mut rhythm = Rhythm::default();
        for pause in [10, 20, 40, 80, 160, 300, 300] {
            assert_eq!(rhythm.after(&unreadable()), Next::Change);
            assert_eq!(rhythm.look(), Duration::from_secs(pause));
        }
        let outcome = outcome_of(&unreadable(), None, "s3://b", 0);
        assert!(!outcome.ok && outcome.reason.is_some());
        let known = Some("1970-01-01T00:00:00.000Z");
        assert_eq!(outcome.synced_at.as_deref(), known);
        let later = outcome_of(&Err(Fault::Slow), Some(&outcome), "s3://b", 9_000);
        assert_eq!(later.synced_at.as_deref(), known);
        let later = outcome_of(&unreadable(), Some(&outcome), "s3://b", 9_000);
        assert_ne!(later.synced_at.as_deref(), known);
        assert_eq!(rhythm.after(&Ok(Step::default())), Next::Change);
        assert_eq!(rhythm.look(), LOOK);
        for pause in [5, 10, 20] {
            let next = Next::Try(Duration::from_secs(pause));
            assert_eq!(rhythm.after(&Err(Fault::Slow)), next);
        }
    }

    #[test]
    fn golden_note_of_the_mirror() {
        const GOLDEN: &str = r#"{"place":"s3://b","ok":false,"syncedAt":"2026","reason":"no"}"#;
        let outcome: Outcome = serde_json::from_str(GOLDEN).unwrap();
        let expected = Outcome {
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
