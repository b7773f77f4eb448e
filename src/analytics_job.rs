//! Visits as totals by day: counted in memory, written once a minute, kept for 24 months.

use crate::analytics::PendingTotals;
use crate::app::App;
use crate::content::time;
use crate::error::{Error, Result};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often what waits is counted: often enough that few visits wait, and that the codes of a
/// day are gone a second after its midnight.
const COUNT_INTERVAL: Duration = Duration::from_secs(1);
const WRITE_INTERVAL: Duration = Duration::from_mins(1);

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
            // The panel says so already.
            Err(error @ (Error::StorageFull | Error::ReadOnly)) => {
                tracing::debug!(%error, "visits wait to be written");
            }
            Err(error) => tracing::error!(%error, "writing the visits failed"),
        }
    }
}

/// Counts what waits. Only pages of the site have a place in the tables.
pub fn count_queued_visits(app: &App) {
    let Some(pages) = app.site.pages() else {
        return;
    };
    let is_page = |path: &str| pages.has_page(path);
    let today = time::day(app.now());
    app.tally
        .count_queued(today, pages.snapshot.counts_visits, is_page);
}

/// Writes what was counted, in one transaction; what cannot be written waits for the next.
pub async fn write_totals(app: &Arc<App>) -> Result<()> {
    if app.tally.is_empty() {
        return Ok(());
    }
    let taken = Arc::new(Mutex::new(PendingTotals::new()));
    let (all, shared) = (Arc::clone(&taken), Arc::clone(app));
    // Taken in its turn among the changes: whoever forgets all visits forgets these too.
    let written = app
        .change(move |writer| {
            let pending = shared.tally.take_totals();
            *all.lock().unwrap_or_else(PoisonError::into_inner) = pending.clone();
            for (date, totals) in pending {
                let mut day = writer.visits_on(date)?.unwrap_or_default();
                day.add(&totals);
                day.bound();
                writer.put_visits_on(date, &day)?;
            }
            Ok(())
        })
        .await;
    if written.is_err() {
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        app.tally.restore_totals(std::mem::take(&mut taken));
    }
    written
}

/// Whether visits are counted from now on.
pub async fn set_counting(app: &Arc<App>, is_on: bool) -> Result<()> {
    // Whoever came until now counts as before.
    count_queued_visits(app);
    let now = app.now();
    app.change(move |writer| {
        let since = match writer.uncounted_since()? {
            _ if is_on => None,
            since => Some(since.unwrap_or(now)),
        };
        Ok(writer.set_uncounted_since(since)?)
    })
    .await?;
    count_queued_visits(app);
    Ok(())
}

/// Forgets every number there is.
pub async fn clear_totals(app: &Arc<App>) -> Result<()> {
    let shared = Arc::clone(app);
    app.change(move |writer| {
        shared.tally.clear();
        Ok(writer
            .remove_visits_before(jiff::civil::Date::MAX)
            .map(drop)?)
    })
    .await
}
