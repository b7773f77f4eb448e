//! Notifies the practitioner of a certificate that is about to expire, and of its renewal.

use super::validity;
use crate::errors::UNKNOWN_REASON;
use crate::state::App;
use respiro_content::Timestamp;
use respiro_db::NotificationEvent;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

/// How often the expiry date is checked.
const CHECK_INTERVAL: Duration = Duration::from_hours(1);
const DAY_MILLISECONDS: i64 = 24 * 60 * 60_000;
/// How long before expiry the first notice is sent; for a short-lived certificate, in the last
/// quarter of its life.
const WARN_MILLISECONDS: i64 = 14 * DAY_MILLISECONDS;

/// Why the last renewal failed, in Italian.
#[derive(Debug, Default)]
pub(super) struct RenewalFailure(Mutex<Option<&'static str>>);

impl RenewalFailure {
    pub(super) fn set(&self, reason: Option<&'static str>) {
        if let Ok(mut known) = self.0.lock() {
            *known = reason;
        }
    }

    fn message(&self) -> String {
        let known = self.0.lock().ok().and_then(|known| *known);
        known.unwrap_or(UNKNOWN_REASON).to_owned()
    }
}

/// Checks the expiry date of the certificate in use. Never returns.
pub(super) async fn watch(app: Arc<App>, failure: Arc<RenewalFailure>) {
    let mut notified_at: Option<Timestamp> = None;
    // The host may have restarted the program to replace the certificate: a notice of the former
    // run may still be open.
    let mut is_open = true;
    loop {
        let now = app.site.clock().system_time();
        match validity(&app).await {
            Ok(Some(lifetime)) => match expires_soon(lifetime, now) {
                // Once a day is enough: the notice stands until it is resolved.
                Some(at) if notified_at.is_none_or(|last| is_a_day_ago(last, now)) => {
                    (notified_at, is_open) = (Some(now), true);
                    let reason = failure.message();
                    app.site
                        .notify(NotificationEvent::CertificateEnds { reason, at })
                        .await;
                }
                None if is_open => {
                    (notified_at, is_open) = (None, false);
                    let until = lifetime.1;
                    app.site
                        .notify(NotificationEvent::CertificateRenewed { until })
                        .await;
                }
                _ => {}
            },
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "cannot see when the certificate ends"),
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

/// Returns `true` for a time in the future, too: the clock was set back since.
fn is_a_day_ago(last: Timestamp, now: Timestamp) -> bool {
    !(0..DAY_MILLISECONDS).contains(&(now - last))
}

/// Returns the expiry date if the certificate should have been renewed by now.
fn expires_soon((from, until): (Timestamp, Timestamp), now: Timestamp) -> Option<Timestamp> {
    let warn = WARN_MILLISECONDS.min(until.saturating_sub(from) / 4);
    (until.saturating_sub(now) <= warn).then_some(until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_told_daily_also_after_the_clock_was_set_back() {
        let day = DAY_MILLISECONDS;
        assert!(!is_a_day_ago(0, day - 1));
        assert!(is_a_day_ago(0, day));
        assert!(is_a_day_ago(40 * day, 0));
    }

    #[test]
    fn a_certificate_is_told_of_from_a_fortnight_before_its_end_or_a_quarter_of_a_short_life() {
        let day = DAY_MILLISECONDS;
        let ninety = (0, 90 * day);
        assert_eq!(expires_soon(ninety, 75 * day), None);
        assert_eq!(expires_soon(ninety, 76 * day), Some(90 * day));
        assert_eq!(expires_soon(ninety, 91 * day), Some(90 * day));
        let six = (0, 6 * day);
        assert_eq!(expires_soon(six, 4 * day), None);
        assert_eq!(expires_soon(six, 5 * day), Some(6 * day));
    }
}
