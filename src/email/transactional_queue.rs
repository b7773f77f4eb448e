//! Queue of transactional e-mails: retries each, and limits their number per hour and day.
//!
//! The data file stores only the addresses, so that neither a restart nor a mail server that is
//! down for hours loses messages. What an address gets is decided when it is due: see
//! `TransactionalEmails`.

use crate::{
    DeliveryError, EmailMessage, Error, FailureClass, Result, SmtpOptions, StopSignal, deliver,
    refused_mail,
};
use respiro_content::{Timestamp, time};
use respiro_db::{Reader, Writer};
use respiro_publish::Site;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// The note in the data file that holds the queue as JSON.
const NOTE: &str = "outbox";
/// Maximum number of queued addresses.
pub const QUEUED_ADDRESSES_MAX: usize = 500;
/// Waits after each failed attempt. After the last one the address is dropped.
const RETRY_MINUTES: [i64; 6] = [1, 5, 15, 60, 4 * 60, 12 * 60];
const MINUTE_MILLISECONDS: i64 = 60_000;
/// Messages per hour; further ones wait. A bot that enters other people's addresses must not cost
/// the host its reputation as a sender.
const MESSAGES_PER_HOUR_MAX: usize = 100;
/// Messages per day. Mail servers with a quota have theirs there.
const MESSAGES_PER_DAY_MAX: usize = 500;
const HOUR_MILLISECONDS: i64 = 60 * MINUTE_MILLISECONDS;
const DAY_MILLISECONDS: i64 = 24 * HOUR_MILLISECONDS;
/// Upper limit of a wait: a machine that was suspended would otherwise wake up late.
const POLL_INTERVAL: Duration = Duration::from_mins(5);
/// Wait after a failure of the mail server, whatever else is queued.
const SERVER_PAUSE: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionalKind {
    /// Asks for a confirmation. May arrive twice.
    Confirmation,
    /// Must not arrive twice.
    Welcome,
}

/// Decides what a queued address gets, and what follows its delivery.
pub trait TransactionalEmails: Send + Sync + 'static {
    /// Composes the message that the address should get now; `None` if it should get none any more.
    fn compose(
        &self,
        site: &Site,
        email: &str,
    ) -> impl Future<Output = Result<Option<(EmailMessage, TransactionalKind)>>> + Send;

    /// Records that the mail server accepted the message, in the transaction that removes the
    /// address from the queue.
    fn record_accepted(
        writer: &mut Writer<'_>,
        email: &str,
        kind: TransactionalKind,
        now: Timestamp,
    ) -> Result<()>;

    /// Records that the limit per hour or day is reached, so that further messages wait.
    fn record_limit_reached(writer: &mut Writer<'_>, now: Timestamp) -> Result<()>;

    /// Notified when an address is queued; ends the wait of the sender.
    fn queued(&self) -> &Notify;
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct QueuedAddress {
    email: String,
    /// Number of failed attempts.
    tries: usize,
    due_at: Timestamp,
}

impl QueuedAddress {
    fn due_at(&self, now: Timestamp) -> Timestamp {
        let minutes = self
            .tries
            .checked_sub(1)
            .and_then(|tried| RETRY_MINUTES.get(tried));
        let longest = minutes.map_or(0, |minutes| minutes * MINUTE_MILLISECONDS);
        time::due(self.due_at, longest, now)
    }
}

/// The queued addresses, as of one read of the data file.
#[derive(Debug, Default)]
pub struct TransactionalQueue(Vec<QueuedAddress>);

impl TransactionalQueue {
    pub fn load(reader: &Reader<'_>) -> Result<Self> {
        let Some(bytes) = reader.note(NOTE)? else {
            return Ok(Self::default());
        };
        let broken = |error| Error::Storage(format!("the list of waiting messages: {error}"));
        serde_json::from_slice(&bytes).map(Self).map_err(broken)
    }

    pub fn save(&self, writer: &mut Writer<'_>) -> Result<()> {
        let bytes = serde_json::to_vec(&self.0);
        let bytes = bytes.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(writer.put_note(NOTE, &bytes)?)
    }

    /// Queues an address. Returns whether it is queued now: `false` if there is no room.
    pub fn add(&mut self, email: &str, now: Timestamp) -> bool {
        let is_queued = self.0.iter().any(|queued| queued.email == email);
        if !is_queued && self.0.len() < QUEUED_ADDRESSES_MAX {
            self.0.push(QueuedAddress {
                email: email.to_owned(),
                tries: 0,
                due_at: now,
            });
            return true;
        }
        is_queued
    }

    pub fn contains(&self, email: &str) -> bool {
        self.0.iter().any(|queued| queued.email == email)
    }

    pub fn remove(&mut self, email: &str) {
        self.0.retain(|queued| queued.email != email);
    }

    /// Schedules the next attempt. Returns `false` if none is left; the address is removed then.
    pub fn postpone(&mut self, email: &str, now: Timestamp) -> bool {
        let Some(queued) = self.0.iter_mut().find(|queued| queued.email == email) else {
            return false;
        };
        let Some(minutes) = RETRY_MINUTES.get(queued.tries) else {
            self.remove(email);
            return false;
        };
        queued.tries += 1;
        queued.due_at = now + minutes * MINUTE_MILLISECONDS;
        true
    }

    /// Returns the address that is due first, and when it is due.
    fn next(&self, now: Timestamp) -> Option<(&QueuedAddress, Timestamp)> {
        let queued = self.0.iter().map(|one| (one, one.due_at(now)));
        queued.min_by_key(|(_, due_at)| *due_at)
    }
}

/// When messages were sent within the last day.
#[derive(Debug, Default)]
struct RateLimit(VecDeque<Timestamp>);

impl RateLimit {
    fn allows(&mut self, now: Timestamp) -> bool {
        // Times of a clock that was ahead count as now. Otherwise they would use up the quota until
        // then.
        for at in &mut self.0 {
            *at = now.min(*at);
        }
        let is_old = |at: &Timestamp| now - at >= DAY_MILLISECONDS;
        while self.0.front().is_some_and(is_old) {
            self.0.pop_front();
        }
        let sent = self.0.iter().rev();
        let of_hour = sent.take_while(|at| now - **at < HOUR_MILLISECONDS);
        self.0.len() < MESSAGES_PER_DAY_MAX && of_hour.count() < MESSAGES_PER_HOUR_MAX
    }

    /// Counts a sent message. Returns whether the next one has to wait.
    fn count(&mut self, now: Timestamp) -> bool {
        self.0.push_back(now);
        let is_full = !self.allows(now);
        if is_full {
            tracing::warn!("many newsletter confirmations within an hour or a day: others wait");
        }
        is_full
    }
}

/// Sends messages when they are due, until a stop is requested.
pub async fn run(
    site: Arc<Site>,
    emails: impl TransactionalEmails,
    mail: SmtpOptions,
    mut stop: StopSignal,
) {
    let mut rate_limit = RateLimit::default();
    loop {
        let wait = match send_next(&site, &emails, &mail, &mut rate_limit).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::error!(%error, "cannot read the queue of transactional e-mails");
                POLL_INTERVAL
            }
        };
        // A newly queued address ends the wait.
        if !stop.wait(wait, emails.queued().notified()).await {
            return;
        }
    }
}

/// Sends one message if one is due. Returns how long to wait for the next.
async fn send_next<E: TransactionalEmails>(
    site: &Site,
    emails: &E,
    mail: &SmtpOptions,
    rate_limit: &mut RateLimit,
) -> Result<Duration> {
    let queue = site.read(TransactionalQueue::load).await?;
    let now = site.now();
    let Some((next, due_at)) = queue.next(now) else {
        return Ok(POLL_INTERVAL);
    };
    if due_at > now {
        let wait = u64::try_from(due_at - now).unwrap_or_default();
        return Ok(POLL_INTERVAL.min(Duration::from_millis(wait)));
    }
    if !rate_limit.allows(now) {
        return Ok(POLL_INTERVAL);
    }
    let email = next.email.clone();
    let Some((message, kind)) = emails.compose(site, &email).await? else {
        change_queue(site, email, TransactionalQueue::remove).await?;
        return Ok(Duration::ZERO);
    };
    let delivered = match message.compose(mail) {
        Ok(bytes) => deliver(mail, &email, &bytes).await,
        Err(failure) => Err(failure),
    };
    refused_mail::record(site, delivered.as_ref().err()).await;
    match delivered {
        Ok(()) => {
            tracing::info!("a newsletter address was asked to confirm, or welcomed");
            let is_full = rate_limit.count(now);
            site.change(move |writer| {
                let mut queue = TransactionalQueue::load(writer)?;
                queue.remove(&email);
                queue.save(writer)?;
                E::record_accepted(writer, &email, kind, now)?;
                if is_full {
                    E::record_limit_reached(writer, now)?;
                }
                Ok::<_, Error>(())
            })
            .await?;
            Ok(Duration::ZERO)
        }
        Err(failure) if failure.is_about_message() => {
            log_refusal(&failure);
            change_queue(site, email, TransactionalQueue::remove).await?;
            Ok(Duration::ZERO)
        }
        Err(failure)
            if kind == TransactionalKind::Welcome
                && failure.classify() == FailureClass::OutcomeUnknown =>
        {
            log_failure(&failure, false);
            change_queue(site, email, TransactionalQueue::remove).await?;
            Ok(SERVER_PAUSE)
        }
        Err(failure) => {
            let again = change_queue(site, email, move |queue, email| queue.postpone(email, now));
            log_failure(&failure, again.await?);
            // A full mailbox must not delay other messages.
            let is_of_one = failure.classify() == FailureClass::RecipientTemporary
                && failure.is_about_mailbox();
            Ok(if is_of_one {
                Duration::ZERO
            } else {
                SERVER_PAUSE
            })
        }
    }
}

fn log_refusal(failure: &DeliveryError) {
    tracing::warn!(
        reason = failure.reason,
        "a newsletter confirmation or welcome was refused for good; the address stays as it is"
    );
}

fn log_failure(failure: &DeliveryError, again: bool) {
    let reason = &failure.reason;
    if again {
        tracing::warn!(
            reason,
            "a newsletter confirmation or welcome was not sent, it waits: see `respiro doctor`"
        );
    } else {
        tracing::error!(
            reason,
            "a newsletter confirmation or welcome was given up, the address stays as it is: \
             see `respiro doctor`"
        );
    }
}

async fn change_queue<T: Send + 'static>(
    site: &Site,
    email: String,
    change: impl FnOnce(&mut TransactionalQueue, &str) -> T + Send + 'static,
) -> Result<T> {
    site.change(move |writer| {
        let mut queue = TransactionalQueue::load(writer)?;
        let answer = change(&mut queue, &email);
        queue.save(writer)?;
        Ok(answer)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_waits_once_and_a_full_list_takes_nobody() {
        let mut queue = TransactionalQueue::default();
        assert!(queue.add("a@b.it", 1) && queue.add("a@b.it", 2));
        assert_eq!(queue.0.len(), 1);
        for number in 1..QUEUED_ADDRESSES_MAX {
            assert!(queue.add(&format!("a{number}@b.it"), 3));
        }
        assert!(!queue.add("late@b.it", 4));
        assert!(queue.add("a@b.it", 4), "who waits already goes on waiting");
        queue.remove("a@b.it");
        assert!(queue.add("late@b.it", 5));
    }

    #[test]
    fn an_hour_has_room_for_so_many_messages() {
        let mut rate_limit = RateLimit::default();
        for number in 0..100 {
            assert!(rate_limit.allows(number));
            rate_limit.count(number);
        }
        assert!(!rate_limit.allows(HOUR_MILLISECONDS - 1));
        assert!(rate_limit.allows(HOUR_MILLISECONDS));
        assert!(
            rate_limit.count(HOUR_MILLISECONDS),
            "as many as an hour before"
        );
        assert!(!rate_limit.allows(HOUR_MILLISECONDS));
    }

    #[test]
    fn so_has_a_day() {
        let mut rate_limit = RateLimit::default();
        for number in 0..500 {
            let now = number / 50 * HOUR_MILLISECONDS;
            assert!(rate_limit.allows(now), "{number}");
            assert_eq!(rate_limit.count(now), number == 499);
        }
        assert!(!rate_limit.allows(DAY_MILLISECONDS - 1));
        assert!(rate_limit.allows(DAY_MILLISECONDS));
    }

    /// Regression: a clock that was a year ahead for a while blocked all messages for a year.
    #[test]
    fn a_clock_that_was_ahead_holds_nobody_up() {
        const AHEAD: Timestamp = 365 * DAY_MILLISECONDS;
        let mut rate_limit = RateLimit::default();
        while rate_limit.allows(AHEAD) {
            rate_limit.count(AHEAD);
        }
        assert!(!rate_limit.allows(1), "they went, whenever that was");
        assert!(rate_limit.allows(1 + HOUR_MILLISECONDS));
        let mut queue = TransactionalQueue::default();
        queue.add("new@b.it", AHEAD);
        queue.add("tried@b.it", AHEAD);
        queue.postpone("tried@b.it", AHEAD);
        for _ in 0..2 {
            let (next, due_at) = queue.next(1).unwrap();
            assert_eq!(due_at, 1);
            let email = next.email.clone();
            queue.remove(&email);
        }
    }

    #[test]
    fn tries_come_ever_later_and_end() {
        let mut queue = TransactionalQueue::default();
        queue.add("a@b.it", 0);
        queue.add("c@d.it", 1);
        let mut now = 0;
        for minutes in RETRY_MINUTES {
            assert!(queue.postpone("a@b.it", now));
            now += minutes * MINUTE_MILLISECONDS;
            let queued = queue.0.iter().find(|one| one.email == "a@b.it");
            assert_eq!(queued.unwrap().due_at, now);
            assert_eq!(queue.next(now).unwrap().0.email, "c@d.it");
        }
        assert!(!queue.postpone("a@b.it", now));
        assert!(!queue.postpone("nobody@b.it", now));
        assert_eq!(queue.0.len(), 1);
    }

    #[test]
    fn golden_note_of_addresses_that_wait() {
        const GOLDEN: &str = r#"[{"email":"a@b.it","tries":2,"due_at":17}]"#;
        let waiting: Vec<QueuedAddress> = serde_json::from_str(GOLDEN).unwrap();
        let expected = QueuedAddress {
            email: "a@b.it".to_owned(),
            tries: 2,
            due_at: 17,
        };
        assert_eq!(waiting, [expected]);
        assert_eq!(serde_json::to_string(&waiting).unwrap(), GOLDEN);
        assert_eq!(NOTE, "outbox");
    }
}
