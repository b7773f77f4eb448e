//! Publishes again after a failure: a commit of unknown outcome, a data file that could not be
//! read, a page that could not be rendered.

use super::Site;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// Delay before each attempt after a failure.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(30),
];
/// Delay before each further attempt.
const LAST_PAUSE: Duration = Duration::from_mins(1);
/// Interval of checks for a failure that no signal announced: a publish that panicked.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);

fn pause(attempt: usize) -> Duration {
    PAUSES.get(attempt).copied().unwrap_or(LAST_PAUSE)
}

/// Repairs the published site after each failure, until the server stops.
pub async fn run(site: Arc<Site>) {
    loop {
        // The result does not matter: the site is looked at in both cases.
        let _ = timeout(CHECK_INTERVAL, site.publisher.repair_needed()).await;
        let mut attempt = 0;
        while !site.publisher.is_complete() {
            wait(&site, &mut attempt).await;
            attempt += 1;
            if let Err(error) = site.repair().await {
                tracing::error!(%error, attempt, "the site could not be published again");
            } else if site.publisher.is_complete() {
                tracing::info!(attempt, "the site is published as a whole again");
            }
        }
    }
}

/// Waits for the next attempt. A new failure begins the delays again and postpones nothing.
async fn wait(site: &Site, attempt: &mut usize) {
    let mut due = Instant::now() + pause(*attempt);
    loop {
        tokio::select! {
            () = sleep_until(due) => return,
            () = site.publisher.repair_needed() => {
                *attempt = 0;
                due = due.min(Instant::now() + pause(0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_after_1_5_and_30_seconds_and_then_every_minute() {
        let seconds = [0, 1, 2, 3, 4].map(|attempt| pause(attempt).as_secs());
        assert_eq!(seconds, [1, 5, 30, 60, 60]);
    }

    #[cfg(debug_assertions)]
    #[tokio::test]
    async fn a_failed_page_and_an_untrusted_snapshot_are_repaired_without_help() {
        let folder = tempfile::tempdir().unwrap();
        let store = respiro_db::Store::open(&folder.path().join("data.redb")).unwrap();
        let site = Arc::new(crate::power_loss::site_with(
            store,
            crate::power_loss::BUNDLE,
        ));
        site.publish().await.unwrap();
        let task = tokio::spawn(run(Arc::clone(&site)));
        site.publisher.fail_next_renders(1);
        let changed: crate::Result<()> = site.change(|writer| Ok(writer.set_demo(true)?)).await;
        changed.unwrap();
        assert!(!site.publisher.is_complete());
        // Regression: one page that failed made every later change plan the whole site.
        assert!(site.publisher.is_snapshot_trusted());
        site.publisher.distrust_snapshot();
        let started = Instant::now();
        while !site.publisher.is_complete() {
            assert!(started.elapsed() < Duration::from_secs(20));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(started.elapsed() > Duration::from_millis(700));
        task.abort();
    }

    /// Regression: the disk worked again, but a change that no page shows published nothing, so
    /// pages went on showing what a failed deletion had removed.
    #[tokio::test]
    async fn any_change_publishes_what_a_former_one_could_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = respiro_db::Store::open(&folder.path().join("data.redb")).unwrap();
        let site = crate::power_loss::site_with(store, crate::power_loss::BUNDLE);
        site.publish().await.unwrap();
        site.publisher.distrust_snapshot();
        let changed: crate::Result<()> = site.change(|_| Ok(())).await;
        changed.unwrap();
        assert!(site.publisher.is_complete());
    }
}
