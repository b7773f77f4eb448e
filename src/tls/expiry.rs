//! Tells of a certificate that nobody renews, and when somebody has.

use super::validity;
use crate::app::App;
use crate::content::Timestamp;
use crate::error::UNKNOWN_REASON;
use crate::store::Notice;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

/// How often the end is looked at.
const LOOK: Duration = Duration::from_hours(1);
const DAY_MILLISECONDS: i64 = 24 * 60 * 60_000;
/// From how long before its end a certificate is told of; a short-lived one from the last
/// quarter of its life.
const WARN_MILLISECONDS: i64 = 14 * DAY_MILLISECONDS;

/// Why the last renewal failed, in Italian.
#[derive(Debug, Default)]
pub(super) struct Reason(Mutex<Option<&'static str>>);

impl Reason {
    pub(super) fn set(&self, reason: Option<&'static str>) {
        if let Ok(mut known) = self.0.lock() {
            *known = reason;
        }
    }

    fn words(&self) -> String {
        let known = self.0.lock().ok().and_then(|known| *known);
        known.unwrap_or(UNKNOWN_REASON).to_owned()
    }
}

/// Looks at the end of the certificate in use, for ever.
pub(super) async fn tell(app: Arc<App>, reason: Arc<Reason>) {
    let mut told_at: Option<Timestamp> = None;
    // Whoever replaced it may have stopped the program for it.
    let mut is_open = true;
    loop {
        let now = app.now();
        match validity(&app).await {
            Ok(Some(life)) => match ending(life, now) {
                // Once a day is enough: the notice stands until it is over.
                Some(at) if told_at.is_none_or(|told| now - told >= DAY_MILLISECONDS) => {
                    (told_at, is_open) = (Some(now), true);
                    let reason = reason.words();
                    app.notify(Notice::CertificateEnds { reason, at }).await;
                }
                None if is_open => {
                    (told_at, is_open) = (None, false);
                    let until = life.1;
                    app.notify(Notice::CertificateRenewed { until }).await;
                }
                _ => {}
            },
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "cannot see when the certificate ends"),
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// The end of a certificate that should have been renewed by now.
fn ending((from, until): (Timestamp, Timestamp), now: Timestamp) -> Option<Timestamp> {
    let warn = WARN_MILLISECONDS.min(until.saturating_sub(from) / 4);
    (until.saturating_sub(now) <= warn).then_some(until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_told_of_from_a_fortnight_before_its_end_or_a_quarter_of_a_short_life() {
        let day = DAY_MILLISECONDS;
        let ninety = (0, 90 * day);
        assert_eq!(ending(ninety, 75 * day), None);
        assert_eq!(ending(ninety, 76 * day), Some(90 * day));
        assert_eq!(ending(ninety, 91 * day), Some(90 * day));
        let six = (0, 6 * day);
        assert_eq!(ending(six, 4 * day), None);
        assert_eq!(ending(six, 5 * day), Some(6 * day));
    }
}
