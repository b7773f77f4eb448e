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
use tokio::time::{sleep, timeout};

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
    /// When it was last the same as the site, RFC 3339.
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
    let mut pause = PAUSE_MIN;
    let known = app.note(NOTE).await;
    let mut state = known.filter(|known: &Outcome| known.place == place);
    let mut synced: Weak<Pages> = Weak::new();
    loop {
        changes.borrow_and_update();
        let present = app.site.pages();
        let pages = present.filter(|pages| !Weak::ptr_eq(&Arc::downgrade(pages), &synced));
        let Some(pages) = pages else {
            match timeout(LOOK, changes.changed()).await {
                Ok(Ok(())) => sleep(GATHER).await,
                Ok(Err(_)) => return,
                Err(_) => {
                    synced = Weak::new();
                    locked(&mirror).forget();
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
        if done.is_ok() {
            synced = Arc::downgrade(&pages);
            pause = PAUSE_MIN;
        } else {
            drop(pages);
            sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
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
    let synced_at = former.and_then(|former| former.synced_at.clone());
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
