//! Outbox of confirmation and welcome messages. The state of the subscription decides which of the
//! two an address gets.
//!
//! The data file stores the outbox, so that neither a restart nor a mail server that is down for
//! hours loses messages.

use super::campaign_queue::recipient;
use super::error::{Error, Result};
use super::links::Keys;
use super::subscriptions::{self, NewsletterQueues, PACE_FULL, is_asked_again, tell_once_a_day};
use super::transactional_email;
use respiro_content::{Timestamp, time};
use respiro_db::{Reader, Subscription, Writer};
use respiro_email::{DeliveryError, EmailMessage, FailureClass, SmtpOptions, deliver};
use respiro_publish::Site;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The note in the data file that holds the outbox as JSON.
const NOTE: &str = "outbox";
/// Maximum number of queued addresses. Further ones are stored without a message.
pub const WAITING_MAX: usize = 500;
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
const LOOK: Duration = Duration::from_mins(5);
/// Wait after a failure of the mail server, whatever else is queued.
const PAUSE: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Waiting {
    email: String,
    /// Number of failed attempts.
    tries: usize,
    due_at: Timestamp,
}

impl Waiting {
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
pub struct Outbox(Vec<Waiting>);

impl Outbox {
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
        let waits = self.0.iter().any(|waiting| waiting.email == email);
        if !waits && self.0.len() < WAITING_MAX {
            self.0.push(Waiting {
                email: email.to_owned(),
                tries: 0,
                due_at: now,
            });
            return true;
        }
        waits
    }

    fn remove(&mut self, email: &str) {
        self.0.retain(|waiting| waiting.email != email);
    }

    /// Schedules the next attempt. Returns `false` if none is left; the address is removed then.
    pub fn postpone(&mut self, email: &str, now: Timestamp) -> bool {
        let Some(waiting) = self.0.iter_mut().find(|waiting| waiting.email == email) else {
            return false;
        };
        let Some(minutes) = RETRY_MINUTES.get(waiting.tries) else {
            self.remove(email);
            return false;
        };
        waiting.tries += 1;
        waiting.due_at = now + minutes * MINUTE_MILLISECONDS;
        true
    }

    /// Returns the address that is due first, and when it is due.
    fn next(&self, now: Timestamp) -> Option<(&Waiting, Timestamp)> {
        let waiting = self.0.iter().map(|one| (one, one.due_at(now)));
        waiting.min_by_key(|(_, due_at)| *due_at)
    }
}

/// When messages were sent within the last day.
#[derive(Debug, Default)]
struct Pace(VecDeque<Timestamp>);

impl Pace {
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

/// Sends messages when they are due. Never returns.
pub async fn run(site: Arc<Site>, queues: Arc<NewsletterQueues>, mail: SmtpOptions) {
    let mut pace = Pace::default();
    loop {
        let wait = match turn(&site, &mail, &mut pace).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::error!(%error, "cannot see who waits for a message");
                LOOK
            }
        };
        // A new subscription ends the wait.
        drop(timeout(wait, queues.confirmations.notified()).await);
    }
}

/// Sends one message if one is due. Returns how long to wait for the next.
async fn turn(site: &Site, mail: &SmtpOptions, pace: &mut Pace) -> Result<Duration> {
    let outbox = site.read(Outbox::load).await?;
    let now = site.now();
    let Some((next, due_at)) = outbox.next(now) else {
        return Ok(LOOK);
    };
    if due_at > now {
        let wait = u64::try_from(due_at - now).unwrap_or_default();
        return Ok(LOOK.min(Duration::from_millis(wait)));
    }
    if !pace.allows(now) {
        return Ok(LOOK);
    }
    let email = next.email.clone();
    let Some((letter, is_welcome)) = letter(site, &email).await? else {
        settle(site, email, Outbox::remove).await?;
        return Ok(Duration::ZERO);
    };
    let delivered = match letter.compose(mail) {
        Ok(bytes) => deliver(mail, &email, &bytes).await,
        Err(failure) => Err(failure),
    };
    match delivered {
        Ok(()) => {
            tracing::info!("a newsletter address was asked to confirm, or welcomed");
            let is_full = pace.count(now);
            site.change(move |writer| {
                handed_over(writer, (&email, is_welcome), now)?;
                if is_full {
                    tell_once_a_day(writer, PACE_FULL, now)?;
                }
                Ok::<_, Error>(())
            })
            .await?;
            Ok(Duration::ZERO)
        }
        Err(failure) if failure.is_about_message() => {
            refused(&failure);
            settle(site, email, Outbox::remove).await?;
            Ok(Duration::ZERO)
        }
        // A confirmation may arrive twice, a welcome must not.
        Err(failure) if is_welcome && failure.classify() == FailureClass::OutcomeUnknown => {
            failed(&failure, false);
            settle(site, email, Outbox::remove).await?;
            Ok(PAUSE)
        }
        Err(failure) => {
            let again = settle(site, email, move |outbox, email| {
                outbox.postpone(email, now)
            })
            .await?;
            failed(&failure, again);
            // A full mailbox must not delay other messages.
            let is_of_one = failure.classify() == FailureClass::RecipientTemporary
                && failure.is_about_mailbox();
            Ok(if is_of_one { Duration::ZERO } else { PAUSE })
        }
    }
}

/// Records that the mail server accepted a message. Has no effect on a subscriber that was removed
/// meanwhile.
fn handed_over(
    writer: &mut Writer<'_>,
    (email, is_welcome): (&str, bool),
    now: Timestamp,
) -> Result<()> {
    let mut outbox = Outbox::load(writer)?;
    outbox.remove(email);
    outbox.save(writer)?;
    if is_welcome {
        return Ok(());
    }
    let mut standing = writer.address_status(email)?;
    let Some(subscriber) = writer.subscriber(email)? else {
        return Ok(());
    };
    match subscriber.state {
        Subscription::Unsubscribed if !is_asked_again(&subscriber, &standing) => return Ok(()),
        // The recipient confirmed before the mail server had replied.
        Subscription::Confirmed => subscriptions::welcome(writer, email, now)?,
        _ => {}
    }
    // Time of the last confirmation message; part of the proof of consent.
    standing.mailed_at = Some(now);
    Ok(writer.put_address_status(&standing)?)
}

/// Composes the message that the address should get now, and returns whether it is a welcome.
/// Returns `None` if it should get no message any more.
async fn letter(site: &Site, email: &str) -> Result<Option<(EmailMessage, bool)>> {
    let wanted = email.to_owned();
    let found = site.read(move |reader| {
        let (subscriber, standing) = (reader.subscriber(&wanted)?, reader.address_status(&wanted)?);
        let last_restored_at = reader.last_restored_at()?;
        let known = (Keys::of(reader)?, reader.settings()?, last_restored_at);
        Ok::<_, Error>((subscriber, standing, known))
    });
    let (subscriber, standing, (keys, settings, last_restored_at)) = found.await?;
    let Some(subscriber) = subscriber else {
        return Ok(None);
    };
    if subscriber.state == Subscription::Pending || is_asked_again(&subscriber, &standing) {
        let asks = transactional_email::confirmation(site, &keys, &settings, email).await?;
        return Ok(Some((asks, false)));
    }
    match recipient(&subscriber, &standing) {
        // The subscriber confirmed before the data file was restored from a backup: the file of
        // that time sent the welcome.
        Some(to) if to.confirmed_at <= last_restored_at => Ok(None),
        Some(to) if settings.is_on("newsletterWelcome") => {
            let welcome = transactional_email::welcome(site, &keys, &settings, &to).await?;
            Ok(Some((welcome, true)))
        }
        _ => Ok(None),
    }
}

fn refused(failure: &DeliveryError) {
    tracing::warn!(
        reason = failure.reason,
        "a newsletter confirmation or welcome was refused for good; the address stays as it is"
    );
}

fn failed(failure: &DeliveryError, again: bool) {
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

async fn settle<T: Send + 'static>(
    site: &Site,
    email: String,
    change: impl FnOnce(&mut Outbox, &str) -> T + Send + 'static,
) -> Result<T> {
    site.change(move |writer| {
        let mut outbox = Outbox::load(writer)?;
        let answer = change(&mut outbox, &email);
        outbox.save(writer)?;
        Ok(answer)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_waits_once_and_a_full_list_takes_nobody() {
        let mut outbox = Outbox::default();
        assert!(outbox.add("a@b.it", 1) && outbox.add("a@b.it", 2));
        assert_eq!(outbox.0.len(), 1);
        for number in 1..WAITING_MAX {
            assert!(outbox.add(&format!("a{number}@b.it"), 3));
        }
        assert!(!outbox.add("late@b.it", 4));
        assert!(outbox.add("a@b.it", 4), "who waits already goes on waiting");
        outbox.remove("a@b.it");
        assert!(outbox.add("late@b.it", 5));
    }

    #[test]
    fn an_hour_has_room_for_so_many_messages() {
        let mut pace = Pace::default();
        for number in 0..100 {
            assert!(pace.allows(number));
            pace.count(number);
        }
        assert!(!pace.allows(HOUR_MILLISECONDS - 1));
        assert!(pace.allows(HOUR_MILLISECONDS));
        assert!(pace.count(HOUR_MILLISECONDS), "as many as an hour before");
        assert!(!pace.allows(HOUR_MILLISECONDS));
    }

    #[test]
    fn so_has_a_day() {
        let mut pace = Pace::default();
        for number in 0..500 {
            let now = number / 50 * HOUR_MILLISECONDS;
            assert!(pace.allows(now), "{number}");
            assert_eq!(pace.count(now), number == 499);
        }
        assert!(!pace.allows(DAY_MILLISECONDS - 1));
        assert!(pace.allows(DAY_MILLISECONDS));
    }

    /// Regression: a clock that was a year ahead for a while blocked all messages for a year.
    #[test]
    fn a_clock_that_was_ahead_holds_nobody_up() {
        const AHEAD: Timestamp = 365 * DAY_MILLISECONDS;
        let mut pace = Pace::default();
        while pace.allows(AHEAD) {
            pace.count(AHEAD);
        }
        assert!(!pace.allows(1), "they went, whenever that was");
        assert!(pace.allows(1 + HOUR_MILLISECONDS));
        let mut outbox = Outbox::default();
        outbox.add("new@b.it", AHEAD);
        outbox.add("tried@b.it", AHEAD);
        outbox.postpone("tried@b.it", AHEAD);
        for _ in 0..2 {
            let (next, due_at) = outbox.next(1).unwrap();
            assert_eq!(due_at, 1);
            let email = next.email.clone();
            outbox.remove(&email);
        }
    }

    #[test]
    fn tries_come_ever_later_and_end() {
        let mut outbox = Outbox::default();
        outbox.add("a@b.it", 0);
        outbox.add("c@d.it", 1);
        let mut now = 0;
        for minutes in RETRY_MINUTES {
            assert!(outbox.postpone("a@b.it", now));
            now += minutes * MINUTE_MILLISECONDS;
            let waiting = outbox.0.iter().find(|one| one.email == "a@b.it");
            assert_eq!(waiting.unwrap().due_at, now);
            assert_eq!(outbox.next(now).unwrap().0.email, "c@d.it");
        }
        assert!(!outbox.postpone("a@b.it", now));
        assert!(!outbox.postpone("nobody@b.it", now));
        assert_eq!(outbox.0.len(), 1);
    }

    #[test]
    fn golden_note_of_addresses_that_wait() {
        const GOLDEN: &str = r#"[{"email":"a@b.it","tries":2,"due_at":17}]"#;
        let waiting: Vec<Waiting> = serde_json::from_str(GOLDEN).unwrap();
        let expected = Waiting {
            email: "a@b.it".to_owned(),
            tries: 2,
            due_at: 17,
        };
        assert_eq!(waiting, [expected]);
        assert_eq!(serde_json::to_string(&waiting).unwrap(), GOLDEN);
        assert_eq!(NOTE, "outbox");
    }
}
