//! Reports jumps of the system time, and writes the time into the data file.

use crate::state::App;
use respiro_content::time::rfc3339;
use std::sync::Arc;
use std::time::Duration;

/// How soon a jump is logged, and work that it held is resumed.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// Never returns.
pub(super) async fn run(app: Arc<App>) {
    let clock = app.site.clock();
    let mut was_doubted = false;
    loop {
        let doubt = clock.doubt();
        match doubt {
            Some(doubt) if !was_doubted => tracing::error!(
                system_time = rfc3339(doubt.system_time),
                plausible_time = rfc3339(doubt.plausible_time),
                "the system time jumped: newsletters, scheduled publication, deletion and pruning \
                 wait until another source agrees, or until `respiro clock --confirm`"
            ),
            None if was_doubted => {
                tracing::info!(source = ?clock.accepted_by(), "the system time is trusted again");
            }
            _ => {}
        }
        let has_ended = was_doubted && doubt.is_none();
        was_doubted = doubt.is_some();
        if has_ended || clock.is_record_due() {
            record_time(&app).await;
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

/// Writes the time for the next start. A failure is no reason to stop anything.
pub(super) async fn record_time(app: &App) {
    let clock = app.site.clock().clone();
    let recorded = app.change(move |writer| Ok(writer.record_time(&clock)?));
    if let Err(error) = recorded.await {
        tracing::warn!(%error, "the time is not written into the data file");
    }
}
