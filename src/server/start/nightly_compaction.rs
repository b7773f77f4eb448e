//! Compacts the data file at night. redb cannot be interrupted in it and reads wait meanwhile, so
//! it never runs while somebody works in the panel.

use crate::state::{App, blocking};
use respiro_content::Timestamp;
use respiro_content::time::rome_time_zone;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

const CHECK_INTERVAL: Duration = Duration::from_mins(30);
/// Hours of the day in Italy.
const NIGHT: Range<i8> = 2..5;
/// How long the panel must have been quiet.
const QUIET_MS: i64 = 10 * 60_000;

pub(super) async fn run(app: Arc<App>) {
    loop {
        tokio::time::sleep(CHECK_INTERVAL).await;
        if !is_time(app.now(), app.auth.last_panel_request()) {
            continue;
        }
        let store = app.site.store();
        if let Err(error) = blocking(move || Ok(store.give_back()?)).await {
            tracing::error!(%error, "giving space back to the disk failed");
        }
    }
}

/// Returns whether a compaction disturbs nobody now.
fn is_time(now: Timestamp, last_panel_request: Option<Timestamp>) -> bool {
    let hour = jiff::Timestamp::from_millisecond(now)
        .map(|moment| moment.to_zoned(rome_time_zone()).hour());
    let is_quiet = last_panel_request.is_none_or(|at| now - at >= QUIET_MS);
    is_quiet && hour.is_ok_and(|hour| NIGHT.contains(&hour))
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_content::time::parse_rfc3339;

    /// Regression: it ran at any time of the day, in the hourly removal of expired data: panel,
    /// pictures and API waited for minutes on a large file.
    #[test]
    fn a_compaction_waits_for_the_night_in_italy_and_a_quiet_panel() {
        let at = |text| parse_rfc3339(text).unwrap();
        for (moment, is_night) in [
            ("2026-07-01T00:30:00Z", true),
            ("2026-07-01T02:59:59Z", true),
            ("2026-07-01T03:00:00Z", false),
            ("2026-01-01T00:30:00Z", false),
            ("2026-01-01T01:00:00Z", true),
            ("2026-01-01T10:00:00Z", false),
        ] {
            assert_eq!(is_time(at(moment), None), is_night, "{moment}");
        }
        let now = at("2026-01-01T02:00:00Z");
        assert!(!is_time(now, Some(now - QUIET_MS + 1)));
        assert!(is_time(now, Some(now - QUIET_MS)));
    }
}
