//! The queue of a newsletter: selects the next message, and records the outcome of each.
//!
//! A message leaves the queue before it is sent, and is stored as the campaign's `in_flight` until
//! its outcome is stored (decisions/017). After a kill, at most one message has an unknown outcome,
//! and it is not sent again.

use super::error::{Error, Result};
use super::messages;
use respiro_content::{Timestamp, time};
use respiro_db::{
    AddressStatus, Campaign, CampaignStatus, Delivery, DeliveryOutcome, Reader, RenderedCampaign,
    Subscriber, Subscription, Writer,
};
use respiro_email::{DeliveryError, FailureClass, SmtpPhase};

const MINUTE_MILLISECONDS: i64 = 60_000;
const HOUR_MILLISECONDS: i64 = 60 * MINUTE_MILLISECONDS;
/// Waits after each temporary refusal of a recipient. After the last one the message is dropped.
const RETRY_MINUTES: [i64; 6] = [1, 5, 15, 60, 4 * 60, 12 * 60];
/// Waits after each consecutive failure of the mail server.
const SERVER_RETRY_SECONDS: [i64; 6] = [2, 10, 60, 5 * 60, 15 * 60, 60 * 60];
/// The hourly failures of two days: longer than the daily limit of any provider.
const FAILURES_MAX: u32 = 54;
/// An address counts as unreachable after this number of consecutive newsletters that it refused.
const SOFT_REFUSALS_MAX: u32 = 3;
/// This number of consecutive permanent refusals means that the addresses are not the cause.
const REFUSED_IN_A_ROW_MAX: u32 = 20;
/// Lower limit of a reduced pace, in messages per hour.
const SLOWED_PACE_MIN: u32 = 6;
/// The pace doubles after this number of accepted messages.
const TAKEN_TO_HASTEN: u32 = 20;
/// Unsubscribed addresses that one transaction skips.
const SKIPPED_AT_ONCE_MAX: usize = 500;

/// The recipient of a message, and what the message says about the subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    pub email: String,
    pub confirmed_at: Option<Timestamp>,
    pub page: Option<String>,
}

#[derive(Debug)]
pub struct Taken {
    pub id: String,
    pub recipient: Recipient,
    pub mailing: RenderedCampaign,
}

/// What the sender does next.
#[derive(Debug)]
pub enum Next {
    Nothing,
    At(Timestamp),
    Again,
    Message(Box<Taken>),
}

/// Returns the recipient if the address is confirmed, not unsubscribed and reachable.
pub fn recipient(subscriber: &Subscriber, standing: &AddressStatus) -> Option<Recipient> {
    let wants = subscriber.state == Subscription::Confirmed && standing.unreachable_at.is_none();
    wants.then(|| Recipient {
        email: subscriber.email.clone(),
        confirmed_at: subscriber.confirmed_at,
        page: standing.page.clone(),
    })
}

pub fn recipients(reader: &Reader<'_>) -> Result<Vec<Recipient>> {
    let mut recipients = Vec::new();
    for subscriber in reader.subscribers().list()? {
        let standing = reader.address_statuses().readable(&subscriber.email)?;
        recipients.extend(standing.and_then(|standing| recipient(&subscriber, &standing)));
    }
    Ok(recipients)
}

/// Takes the next message from the queue if one is due.
pub fn take(writer: &mut Writer<'_>, now: Timestamp) -> Result<Next> {
    let Some(mut sending) = active(writer)? else {
        return Ok(Next::Nothing);
    };
    let pace = writer.settings().get()?.newsletter_pace();
    let not_before = not_before(&sending, pace, now).filter(|at| *at > now);
    for _ in 0..SKIPPED_AT_ONCE_MAX {
        let Some(delivery) = writer.campaigns().first_queued(&sending.id)? else {
            sending.state = CampaignStatus::Sent;
            sending.ended_at = Some(now);
            sending.trouble = None;
            writer.campaigns().put(&sending)?;
            return Ok(Next::Again);
        };
        if let Some(at) = not_before {
            return Ok(Next::At(at));
        }
        let due_at = time::due(delivery.at, pause_after(delivery.tries).unwrap_or(0), now);
        if due_at > now {
            writer.campaigns().put(&sending)?;
            return Ok(Next::At(due_at));
        }
        writer.campaigns().dequeue(&sending.id, &delivery)?;
        let standing = writer.address_statuses().readable(&delivery.email)?;
        let subscriber = writer.subscribers().get(&delivery.email)?;
        let both = subscriber.zip(standing);
        let Some(recipient) = both.and_then(|(one, standing)| recipient(&one, &standing)) else {
            sending.tally.skipped += 1;
            continue;
        };
        let mailing = writer.campaigns().rendered(&sending.id)?;
        let mailing =
            mailing.ok_or_else(|| Error::Storage("a newsletter without its text".to_owned()))?;
        sending.in_flight = Some(delivery);
        writer.campaigns().put(&sending)?;
        let id = sending.id;
        return Ok(Next::Message(Box::new(Taken {
            id,
            recipient,
            mailing,
        })));
    }
    writer.campaigns().put(&sending)?;
    Ok(Next::Again)
}

/// Returns the campaign that is being sent: of several, the one that started first.
pub fn active(reader: &Reader<'_>) -> Result<Option<Campaign>> {
    let sendings = reader.campaigns().list()?.into_iter();
    let under_way = sendings.filter(|sending| sending.state == CampaignStatus::Sending);
    Ok(under_way.min_by_key(|sending| sending.started_at))
}

/// Returns the current pace, in messages per hour.
pub fn pace_of(sending: &Campaign, setting: i64) -> i64 {
    let slowed = sending.slowed_pace.map(i64::from);
    slowed.map_or(setting, |slowed| slowed.min(setting)).max(1)
}

fn not_before(sending: &Campaign, setting: i64, now: Timestamp) -> Option<Timestamp> {
    let interval = HOUR_MILLISECONDS / pace_of(sending, setting);
    let due = |at, longest| time::due(at, longest, now);
    let paced = sending.handed_at;
    let paced = paced.map(|at| due(at.saturating_add(interval), interval));
    let longest = server_pause_after(sending.failures.saturating_sub(1));
    paced.max(sending.retry_at.map(|at| due(at, longest)))
}

/// Returns the wait in milliseconds after a failure of the mail server that `failures` others
/// preceded.
fn server_pause_after(failures: u32) -> i64 {
    let step = usize::try_from(failures).unwrap_or(usize::MAX);
    let last = SERVER_RETRY_SECONDS.len() - 1;
    SERVER_RETRY_SECONDS[step.min(last)] * 1_000
}

/// Returns the wait in milliseconds after `tries` attempts; `None` if no attempt is left.
fn pause_after(tries: u32) -> Option<i64> {
    let step = usize::try_from(tries).unwrap_or(usize::MAX);
    let minutes = RETRY_MINUTES.get(step.saturating_sub(1))?;
    Some(minutes * MINUTE_MILLISECONDS)
}

/// Marks messages that were in flight when the program ended: their outcome is unknown.
pub fn recover(writer: &mut Writer<'_>, now: Timestamp) -> Result<()> {
    for mut sending in writer.campaigns().list()? {
        if sending.state == CampaignStatus::Sending {
            sending.resumed_at = Some(now);
        }
        if let Some(delivery) = sending.in_flight.take() {
            let reason = messages::STOPPED_DURING_DELIVERY;
            uncertain(writer, &mut sending, delivery, reason, now)?;
        }
        writer.campaigns().put(&sending)?;
    }
    Ok(())
}

/// Records the outcome of the message in flight.
pub fn settle(
    writer: &mut Writer<'_>,
    (id, email): (&str, &str),
    outcome: &Result<(), DeliveryError>,
    now: Timestamp,
) -> Result<()> {
    let mut sending = writer.campaigns().get(id)?;
    let in_flight = sending.in_flight.take();
    // A restore may have replaced the data file meanwhile.
    let Some(delivery) = in_flight.filter(|delivery| delivery.email == email) else {
        return Ok(());
    };
    match outcome {
        Ok(()) => accepted(writer, &mut sending, email, now)?,
        Err(failure) => failed(writer, &mut sending, delivery, failure, now)?,
    }
    Ok(writer.campaigns().put(&sending)?)
}

fn accepted(
    writer: &mut Writer<'_>,
    sending: &mut Campaign,
    email: &str,
    now: Timestamp,
) -> Result<()> {
    let setting = writer.settings().get()?.newsletter_pace();
    sending.tally.accepted += 1;
    sending.handed_at = Some(now);
    sending.failures = 0;
    sending.retry_at = None;
    sending.trouble = None;
    sending.refused_in_a_row = 0;
    sending.taken_in_a_row += 1;
    if let Some(pace) = sending.slowed_pace
        && sending.taken_in_a_row >= TAKEN_TO_HASTEN
    {
        sending.taken_in_a_row = 0;
        let faster = pace.saturating_mul(2);
        sending.slowed_pace = Some(faster).filter(|pace| i64::from(*pace) < setting);
    }
    let mut standing = writer.address_statuses().get(email)?;
    if standing.soft_refusals > 0 {
        standing.soft_refusals = 0;
        writer.address_statuses().put(&standing)?;
    }
    Ok(())
}

fn failed(
    writer: &mut Writer<'_>,
    sending: &mut Campaign,
    mut delivery: Delivery,
    failure: &DeliveryError,
    now: Timestamp,
) -> Result<()> {
    sending.taken_in_a_row = 0;
    delivery.reason.clone_from(&failure.reason);
    match failure.classify() {
        FailureClass::OutcomeUnknown => {
            sending.handed_at = Some(now);
            leave_alone(sending, ("silent", failure), now);
            uncertain(writer, sending, delivery, &failure.reason, now)
        }
        FailureClass::Recipient => {
            refused(writer, sending, delivery, DeliveryOutcome::Unknown, now)
        }
        FailureClass::Policy => refused(writer, sending, delivery, DeliveryOutcome::Blocked, now),
        FailureClass::RecipientTemporary => {
            if failure.is_connection_lost() {
                leave_alone(sending, ("silent", failure), now);
            } else {
                sending.handed_at = Some(now);
            }
            delivery.tries += 1;
            postpone(writer, sending, delivery, now)
        }
        FailureClass::RateLimit => {
            slow_down(sending, writer.settings().get()?.newsletter_pace());
            // If the server accepted other messages meanwhile, this recipient may be the cause
            // after all.
            delivery.tries += u32::from(sending.failures == 0);
            leave_alone(sending, ("slowed", failure), now);
            if sending.failures >= FAILURES_MAX {
                // After this many failures the pace is not the cause. Without this end the campaign
                // would retry forever, and the next one would never start.
                return refused(writer, sending, delivery, DeliveryOutcome::Full, now);
            }
            postpone(writer, sending, delivery, now)
        }
        FailureClass::Server => {
            let code = match failure.phase {
                SmtpPhase::Authentication => "signIn",
                SmtpPhase::Sender => "sender",
                _ => "silent",
            };
            leave_alone(sending, (code, failure), now);
            requeue(writer, sending, &delivery)
        }
    }
}

fn leave_alone(sending: &mut Campaign, (code, failure): (&str, &DeliveryError), now: Timestamp) {
    sending.retry_at = Some(now + server_pause_after(sending.failures));
    sending.failures += 1;
    sending.trouble = Some((code.to_owned(), failure.italian_reason().to_owned()));
}

fn slow_down(sending: &mut Campaign, setting: i64) {
    let pace = u32::try_from(pace_of(sending, setting)).unwrap_or(u32::MAX);
    sending.slowed_pace = Some((pace / 2).max(SLOWED_PACE_MIN.min(pace)));
}

/// Puts a message back into the queue, behind those not tried yet. Drops it if no attempt is left.
fn postpone(
    writer: &mut Writer<'_>,
    sending: &mut Campaign,
    mut delivery: Delivery,
    now: Timestamp,
) -> Result<()> {
    let Some(pause) = pause_after(delivery.tries) else {
        return refused(writer, sending, delivery, DeliveryOutcome::Full, now);
    };
    delivery.at = now + pause;
    requeue(writer, sending, &delivery)
}

/// Puts a message back into the queue, unless the campaign was stopped.
fn requeue(writer: &mut Writer<'_>, sending: &Campaign, delivery: &Delivery) -> Result<()> {
    if sending.state.is_under_way() {
        writer.campaigns().enqueue(&sending.id, delivery)?;
    }
    Ok(())
}

fn uncertain(
    writer: &mut Writer<'_>,
    sending: &mut Campaign,
    mut delivery: Delivery,
    reason: &str,
    now: Timestamp,
) -> Result<()> {
    sending.tally.uncertain += 1;
    delivery.fate = DeliveryOutcome::Uncertain;
    delivery.at = now;
    reason.clone_into(&mut delivery.reason);
    Ok(writer.campaigns().put_failure(&sending.id, &delivery)?)
}

fn refused(
    writer: &mut Writer<'_>,
    sending: &mut Campaign,
    mut delivery: Delivery,
    fate: DeliveryOutcome,
    now: Timestamp,
) -> Result<()> {
    sending.tally.refused += 1;
    sending.handed_at = Some(now);
    let mut standing = writer.address_statuses().get(&delivery.email)?;
    if fate == DeliveryOutcome::Unknown {
        standing.unreachable_at = Some(now);
    } else {
        standing.soft_refusals += 1;
        if standing.soft_refusals >= SOFT_REFUSALS_MAX {
            standing.unreachable_at = Some(now);
        }
    }
    delivery.fate = fate;
    delivery.at = now;
    delivery.is_marked = standing.unreachable_at.is_some();
    writer.address_statuses().put(&standing)?;
    writer.campaigns().put_failure(&sending.id, &delivery)?;
    sending.refused_in_a_row += u32::from(fate != DeliveryOutcome::Full);
    if sending.refused_in_a_row >= REFUSED_IN_A_ROW_MAX && sending.state == CampaignStatus::Sending
    {
        take_back(writer, sending, now)?;
        sending.refused_in_a_row = 0;
        sending.state = CampaignStatus::Paused;
        sending.trouble = Some(("blocked".to_owned(), delivery.reason));
    }
    Ok(())
}

/// Undoes the refusals that paused the campaign and queues their messages again, each address only
/// once: otherwise a list of dead addresses would never be completed.
fn take_back(writer: &mut Writer<'_>, sending: &mut Campaign, now: Timestamp) -> Result<()> {
    let mut row = writer.campaigns().failures(&sending.id)?;
    row.retain(|one| {
        matches!(
            one.fate,
            DeliveryOutcome::Unknown | DeliveryOutcome::Blocked
        )
    });
    row.sort_by_key(|one| std::cmp::Reverse(one.at));
    row.truncate(usize::try_from(sending.refused_in_a_row).unwrap_or_default());
    for mut delivery in row.into_iter().filter(|one| one.tries == 0) {
        writer
            .campaigns()
            .remove_failure(&sending.id, &delivery.email)?;
        let mut standing = writer.address_statuses().get(&delivery.email)?;
        if standing.unreachable_at == Some(delivery.at) {
            standing.unreachable_at = None;
        }
        if delivery.fate == DeliveryOutcome::Blocked {
            standing.soft_refusals = standing.soft_refusals.saturating_sub(1);
        }
        writer.address_statuses().put(&standing)?;
        sending.tally.refused = sending.tally.refused.saturating_sub(1);
        delivery.fate = DeliveryOutcome::Waiting;
        delivery.tries = 1;
        delivery.at = now;
        delivery.is_marked = false;
        requeue(writer, sending, &delivery)?;
    }
    Ok(())
}
