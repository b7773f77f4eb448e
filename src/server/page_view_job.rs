//! Stores the daily totals of visits, and the addresses that were sought and not found: counts the
//! queue once a second, writes once a minute. Totals are kept for 24 months.

use crate::errors::{Error, Result};
use crate::http::is_missing;
use crate::state::App;
use respiro_analytics::{MissingPaths, PathKind, PendingTotals};
use respiro_content::time;
use respiro_db::{Reader, Writer};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Short, so that the queue stays short and the hashes of a day are dropped a second after
/// midnight.
const COUNT_INTERVAL: Duration = Duration::from_secs(1);
const WRITE_INTERVAL: Duration = Duration::from_mins(1);
/// The note that holds [`MissingPaths`] as JSON.
const MISSING_NOTE: &str = "missing-paths";

pub async fn run(app: Arc<App>) {
    let mut written = Instant::now();
    loop {
        tokio::time::sleep(COUNT_INTERVAL).await;
        count_queued_visits(&app);
        if written.elapsed() < WRITE_INTERVAL {
            continue;
        }
        written = Instant::now();
        match write_totals(&app).await {
            Ok(()) => {}
            // The panel shows this condition already.
            Err(error @ (Error::StorageFull | Error::ReadOnly)) => {
                tracing::debug!(%error, "visits wait to be written");
            }
            Err(error) => tracing::error!(%error, "writing the visits failed"),
        }
    }
}

/// Counts the queued visits of pages and of addresses that lead nowhere.
pub fn count_queued_visits(app: &App) {
    let Some(pages) = app.site.publisher.pages() else {
        return;
    };
    let kind = |path: &str| {
        if pages.has_page(path) {
            PathKind::Page
        } else if is_missing(&app.site.publisher, &pages, path) {
            PathKind::Missing
        } else {
            PathKind::Other
        }
    };
    let today = time::day(app.now());
    app.meters
        .page_views
        .count_queued(today, pages.snapshot.counts_visits, kind);
}

/// Stores the totals in one transaction; after a failure they stay for the next attempt.
pub async fn write_totals(app: &Arc<App>) -> Result<()> {
    if app.meters.page_views.is_empty() {
        return Ok(());
    }
    let taken = Arc::new(Mutex::new((PendingTotals::new(), MissingPaths::default())));
    let (all, shared) = (Arc::clone(&taken), Arc::clone(app));
    let today = time::day(app.now());
    // Taken inside the transaction, so that a concurrent `clear_totals` clears these too.
    let written = app
        .change(move |writer| {
            let pending = shared.meters.page_views.take_totals();
            let missing = shared.meters.page_views.take_missing();
            *all.lock().unwrap_or_else(PoisonError::into_inner) =
                (pending.clone(), missing.clone());
            if !missing.is_empty() {
                let mut stored = missing_paths(writer)?;
                stored.merge(&missing, today);
                put_missing_paths(writer, &stored)?;
            }
            for (date, totals) in pending {
                let mut day = writer.page_views().get(date)?.unwrap_or_default();
                day.add(&totals);
                day.bound();
                writer.page_views().put(date, &day)?;
            }
            Ok(())
        })
        .await;
    if written.is_err() {
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        let (totals, missing) = std::mem::take(&mut *taken);
        app.meters.page_views.restore_totals(totals);
        app.meters.page_views.restore_missing(missing);
    }
    written
}

/// Returns the stored addresses that were sought and not found.
pub fn missing_paths(reader: &Reader<'_>) -> Result<MissingPaths> {
    let note = reader.note(MISSING_NOTE)?;
    let stored = note.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(stored.unwrap_or_default())
}

fn put_missing_paths(writer: &mut Writer<'_>, missing: &MissingPaths) -> Result<()> {
    let bytes = serde_json::to_vec(missing).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(writer.put_note(MISSING_NOTE, &bytes)?)
}

/// Forgets the addresses that were sought and not found.
pub async fn clear_missing_paths(app: &Arc<App>) -> Result<()> {
    count_queued_visits(app);
    let shared = Arc::clone(app);
    app.change(move |writer| {
        drop(shared.meters.page_views.take_missing());
        put_missing_paths(writer, &MissingPaths::default())
    })
    .await
}

/// Enables or disables counting from now on.
pub async fn set_counting(app: &Arc<App>, is_on: bool) -> Result<()> {
    // Visits until now are counted under the former setting.
    count_queued_visits(app);
    let now = app.now();
    app.change(move |writer| {
        let since = match writer.page_views().uncounted_since()? {
            _ if is_on => None,
            since => Some(since.unwrap_or(now)),
        };
        Ok(writer.page_views().set_uncounted_since(since)?)
    })
    .await?;
    count_queued_visits(app);
    Ok(())
}

/// Deletes all totals.
pub async fn clear_totals(app: &Arc<App>) -> Result<()> {
    let shared = Arc::clone(app);
    app.change(move |writer| {
        shared.meters.page_views.clear();
        Ok(writer
            .page_views()
            .remove_before(jiff::civil::Date::MAX)
            .map(drop)?)
    })
    .await
}
