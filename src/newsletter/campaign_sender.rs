//! Sends newsletters to the mail server, one message at a time. The outcome of each is stored
//! before the next is sent.

use super::campaign_queue::{self, NextStep, OutgoingMessage};
use super::error::{Error, Result};
use super::links::Keys;
use super::rendered_campaign::{self, Sender};
use super::subscriptions::NewsletterQueues;
use super::{campaign, messages};
use respiro_db::clock::TrustedTime;
use respiro_db::{CampaignStatus, NotificationEvent};
use respiro_email::{DeliveryError, FailureClass, SmtpOptions, StopSignal, deliver, refused_mail};
use respiro_publish::Site;
use std::collections::BTreeSet;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Upper limit of a wait: a machine that was suspended would otherwise wake up late.
const POLL_INTERVAL: Duration = Duration::from_secs(20);
/// Wait before storing an outcome is tried again. No message is sent meanwhile.
const STORE_RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// This number of different addresses that are temporarily refused in a row means that they are not
/// the cause.
const DEFERRED_IN_A_ROW_MAX: usize = 5;

/// Addresses that the mail server temporarily refused since it last accepted a message. Some
/// servers reply `450 too many` to every recipient when they limit the rate.
#[derive(Debug, Default)]
struct Deferred(BTreeSet<String>);

impl Deferred {
    /// Returns the outcome, reclassified as a rate limit if several addresses in a row were
    /// refused.
    fn classify(
        &mut self,
        email: &str,
        outcome: Result<(), DeliveryError>,
    ) -> Result<(), DeliveryError> {
        let Err(failure) = outcome else {
            self.0.clear();
            return Ok(());
        };
        let is_deferred = failure.classify() == FailureClass::RecipientTemporary;
        if !is_deferred || failure.is_connection_lost() || failure.is_about_mailbox() {
            return Err(failure);
        }
        if self.0.len() < DEFERRED_IN_A_ROW_MAX {
            self.0.insert(email.to_owned());
        }
        if self.0.len() < DEFERRED_IN_A_ROW_MAX {
            return Err(failure);
        }
        Err(failure.repeated_for_several())
    }
}

/// Sends messages when they are due, until a stop is requested.
pub async fn run(
    site: Arc<Site>,
    queues: Arc<NewsletterQueues>,
    mail: SmtpOptions,
    mut stop: StopSignal,
) {
    loop {
        let now = site.now();
        match site
            .change(move |writer| campaign_queue::recover(writer, now))
            .await
        {
            Ok(()) => break,
            Err(error) => tracing::error!(%error, "cannot look at the newsletter's queue"),
        }
        if !stop.wait(STORE_RETRY_INTERVAL, pending()).await {
            return;
        }
    }
    let mut deferred = Deferred::default();
    loop {
        let wait = match send_next(&site, &mail, &mut deferred).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::error!(%error, "the newsletter waits");
                POLL_INTERVAL
            }
        };
        // The start of a newsletter ends the wait.
        if !stop.wait(wait, queues.campaigns.notified()).await {
            return;
        }
    }
}

/// Sends one message if one is due and the clock is not doubted. Returns how long to wait for the
/// next.
async fn send_next(site: &Site, mail: &SmtpOptions, deferred: &mut Deferred) -> Result<Duration> {
    let Some(time) = site.clock().trusted() else {
        return Ok(POLL_INTERVAL);
    };
    let now = time.at();
    match site
        .change(move |writer| campaign_queue::take_next(writer, &time))
        .await?
    {
        NextStep::Nothing => Ok(POLL_INTERVAL),
        NextStep::Again => Ok(Duration::ZERO),
        NextStep::At(at) => {
            let wait = u64::try_from(at - now).unwrap_or_default();
            Ok(POLL_INTERVAL.min(Duration::from_millis(wait)))
        }
        NextStep::Message(message) => {
            let outcome = deliver_message(site, mail, &message).await;
            let outcome = deferred.classify(&message.recipient.email, outcome);
            if let Err(failure) = &outcome {
                let (reason, blame) = (&failure.reason, failure.classify());
                tracing::warn!(reason, ?blame, "a newsletter message was not taken");
            }
            let failure = outcome.as_ref().err().cloned();
            store_outcome(site, *message, outcome).await;
            // A success is not recorded here: of thousands each would read the notifications.
            if failure.is_some() {
                refused_mail::record(site, failure.as_ref()).await;
            }
            Ok(Duration::ZERO)
        }
    }
}

async fn deliver_message(
    site: &Site,
    mail: &SmtpOptions,
    message: &OutgoingMessage,
) -> Result<(), DeliveryError> {
    let composed = async {
        let (keys, settings) = site
            .read(|reader| Ok::<_, Error>((Keys::of(reader)?, reader.settings().get()?)))
            .await?;
        let sender = Sender::of(&settings);
        let link = rendered_campaign::unsubscribe_url(
            site,
            &keys,
            &message.recipient.email,
            Some(&message.id),
        );
        let (rendered, recipient) = (&message.rendered, &message.recipient);
        let email = rendered_campaign::compose(site, &keys, rendered, &sender, recipient, link);
        Ok::<_, Error>(email)
    };
    let email = composed
        .await
        .map_err(|error| DeliveryError::before_connection(&error.to_string()))?;
    deliver(mail, &message.recipient.email, &email.compose(mail)?).await
}

/// Stores the outcome of a message. Retries until it is stored: no further message is sent before.
async fn store_outcome(site: &Site, message: OutgoingMessage, outcome: Result<(), DeliveryError>) {
    let outcome = Arc::new(outcome);
    loop {
        let (id, email) = (message.id.clone(), message.recipient.email.clone());
        let (stored, now) = (Arc::clone(&outcome), site.now());
        let stored = site.change(move |writer| {
            campaign_queue::record_outcome(writer, (&id, &email), &stored, now)
        });
        match stored.await {
            Ok(()) => return,
            Err(error) => {
                tracing::error!(%error, "the outcome of a newsletter message cannot be stored yet");
            }
        }
        sleep(STORE_RETRY_INTERVAL).await;
    }
}

/// Starts the newsletters that are due, including those whose time passed while the program was
/// stopped.
pub async fn start_due(
    site: &Site,
    queues: &NewsletterQueues,
    has_mail_server: bool,
    now: &TrustedTime,
) -> Result<()> {
    let now = now.at();
    let due = site.read(move |reader| {
        let mut due = reader.campaigns().list()?;
        due.retain(|campaign| {
            campaign.state == CampaignStatus::Scheduled
                && campaign.scheduled_at.is_some_and(|at| at <= now)
        });
        Ok::<_, Error>(due)
    });
    let mut outcome = Ok(());
    for campaign in due.await? {
        let id = campaign.id;
        let mut started = start(site, queues, has_mail_server, &id).await;
        if started.as_ref().is_err_and(Error::is_conflict) {
            // The text may have been saved meanwhile: try once more, with the new one.
            started = start(site, queues, has_mail_server, &id).await;
        }
        let Err(error) = started else { continue };
        let Some(detail) = error.permanent_reason().map(str::to_owned) else {
            outcome = Err(error);
            continue;
        };
        tracing::error!(%error, "a planned newsletter could not begin: it is a draft again");
        let reason = detail.trim_end_matches('.').to_owned();
        site.change(move |writer| {
            writer
                .notifications()
                .add(NotificationEvent::NotStarted { reason }, now)?;
            let trouble = Some(("notStarted".to_owned(), detail));
            campaign::unschedule(writer, &id, trouble)
        })
        .await?;
    }
    outcome
}

/// Starts sending a newsletter now, with its current text.
pub async fn start(
    site: &Site,
    queues: &NewsletterQueues,
    has_mail_server: bool,
    id: &str,
) -> Result<()> {
    if !has_mail_server {
        return Err(Error::Conflict(messages::NO_MAIL_SERVER));
    }
    let draft = rendered_campaign::draft(site, id).await?;
    rendered_campaign::refuse_faults(&draft)?;
    let (id, now) = (id.to_owned(), site.now());
    site.change(move |writer| {
        // Another text may have been saved since the draft was read.
        draft.check_unchanged(writer, &id)?;
        campaign::start(writer, &id, &draft.rendered, now)
    })
    .await?;
    queues.campaigns.notify_one();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: after a reboot, a text that took too long to render turned a scheduled
    /// newsletter back into a draft.
    #[test]
    fn what_passes_does_not_end_a_plan() {
        use respiro_db as db;
        use respiro_publish as publish;
        let stays = |error: &Error| error.permanent_reason().is_some();
        assert!(stays(&Error::Conflict("no recipients")));
        for passing in [
            publish::Error::Render("took too long and was stopped".to_owned()).into(),
            publish::Error::Unavailable("busy").into(),
            Error::Storage("i/o".to_owned()),
            Error::Internal("no chance".to_owned()),
            db::Error::StorageFull.into(),
            db::Error::ReadOnly.into(),
        ] {
            assert!(!stays(&passing), "{passing:?}");
        }
    }
}
