//! Scheduled work: articles, events and newsletters. Failed work is retried, and the practitioner
//! gets a notice.

use crate::config::Mode;
use crate::errors::{Error, UNKNOWN_REASON};
use crate::http::drafts;
use crate::state::App;
use respiro_content::Timestamp;
use respiro_db::{Actor, Cause, NotificationEvent};
use respiro_newsletter::campaign_sender;
use std::sync::Arc;

/// Failures that last shorter cause no notice, for example on a machine that is busy starting.
const NOTICE_DELAY_MS: i64 = 60_000;

/// Why scheduled work waits.
#[derive(Debug)]
pub(super) enum Wait {
    ClockDoubted,
    Failed(Error),
}

/// Does the work that is due, unless the clock is doubted. A failure does not prevent the rest.
/// A retired machine leaves it to the machine to which the site moved.
pub(super) async fn run_due(app: &Arc<App>) -> Result<(), Wait> {
    if app.config.mode == Mode::Retired {
        return Ok(());
    }
    let time = app.site.clock().trusted().ok_or(Wait::ClockDoubted)?;
    let now = time.at();
    let publishing_time = time.clone();
    let published = match app
        .read(move |reader| Ok(reader.schedules().has_due(now)?))
        .await
    {
        Ok(false) => Ok(()),
        Ok(true) => app
            .change_as(scheduled(now), move |writer| {
                Ok(writer.schedules().apply_due(&publishing_time)?)
            })
            .await
            .map(|done| tracing::info!(done, "published or withdrew what was planned")),
        Err(error) => Err(error),
    };
    let published = published.and(drafts::publish_due(app, now).await);
    let published = published.and(app.site.publish_due_day(&time).await.map_err(Error::from));
    if let Err(error) = &published {
        tracing::error!(%error, "what is planned has to wait");
    }
    let has_mail_server = app.config.mail.is_some();
    let sent = campaign_sender::start_due(&app.site, &app.jobs.newsletter, has_mail_server, &time)
        .await
        .map_err(Error::from);
    if let Err(error) = &sent {
        tracing::error!(%error, "a planned newsletter has to wait");
    }
    published.and(sent).map_err(Wait::Failed)
}

const fn scheduled(now: Timestamp) -> Actor {
    Actor {
        at: now,
        account: String::new(),
        user_agent: String::new(),
        cause: Cause::Schedule,
    }
}

/// How long due work has been waiting, and which notice was sent about it.
#[derive(Debug, Default)]
pub(super) struct PendingRetry {
    since: Option<Timestamp>,
    reported: Reported,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Reported {
    /// A former run may have left a notice open.
    #[default]
    Unknown,
    Failing,
    Resolved,
}

impl PendingRetry {
    pub(super) async fn notify_outcome(&mut self, app: &App, outcome: Result<(), Wait>) {
        if let Some(notice) = self.notice(outcome.as_ref().err(), app.now()) {
            app.site.notify(notice).await;
        }
    }

    fn notice(&mut self, wait: Option<&Wait>, now: Timestamp) -> Option<NotificationEvent> {
        let Some(wait) = wait else {
            self.since = None;
            let was = std::mem::replace(&mut self.reported, Reported::Resolved);
            return (was != Reported::Resolved).then_some(NotificationEvent::PlanDone);
        };
        let since = *self.since.get_or_insert(now);
        let stays = matches!(wait, Wait::Failed(Error::StorageFull | Error::ReadOnly));
        if self.reported == Reported::Failing || !stays && now - since < NOTICE_DELAY_MS {
            return None;
        }
        self.reported = Reported::Failing;
        let reason = reason_of(wait).to_owned();
        Some(NotificationEvent::PlanWaits { reason, since })
    }
}

/// Returns the reason in Italian, without the error's details.
const fn reason_of(wait: &Wait) -> &'static str {
    let Wait::Failed(error) = wait else {
        return "la data del server è da confermare";
    };
    match error {
        Error::StorageFull => "il disco è pieno",
        Error::ReadOnly => "il disco non accetta scritture",
        Error::Render(_) => "una pagina non si lascia preparare",
        Error::Unavailable(_) => "il server è troppo occupato",
        _ => UNKNOWN_REASON,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: only the log mentioned scheduled work that failed.
    #[test]
    fn a_fault_that_stays_is_told_once_and_so_is_its_end() {
        let mut pending = PendingRetry::default();
        let full = Wait::Failed(Error::StorageFull);
        let busy = Wait::Failed(Error::Unavailable("busy"));
        assert_eq!(
            pending.notice(None, 0),
            Some(NotificationEvent::PlanDone),
            "of a former run"
        );
        assert_eq!(pending.notice(None, 1), None);
        assert_eq!(pending.notice(Some(&busy), 2), None);
        assert_eq!(pending.notice(None, 3), None, "it has passed");
        let reported = NotificationEvent::PlanWaits {
            reason: "il disco è pieno".to_owned(),
            since: 4,
        };
        assert_eq!(pending.notice(Some(&full), 4), Some(reported));
        assert_eq!(pending.notice(Some(&full), 5), None);
        assert_eq!(pending.notice(None, 6), Some(NotificationEvent::PlanDone));
        assert_eq!(pending.notice(Some(&busy), 7), None);
        let reported = pending.notice(Some(&busy), 7 + NOTICE_DELAY_MS);
        assert!(
            matches!(
                reported,
                Some(NotificationEvent::PlanWaits { since: 7, .. })
            ),
            "{reported:?}"
        );
    }
}
