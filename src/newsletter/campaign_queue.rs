//! The queue of a newsletter: selects the next message, and records the outcome of each.
//!
//! A message leaves the queue before it is sent, and is stored as the campaign's `in_flight` until
//! its outcome is stored (decisions/017). After a kill, at most one message has an unknown outcome,
//! and it is not sent again.

use super::bounces;
use super::error::{Error, Result};
use super::messages;
use respiro_content::{Timestamp, time};
use respiro_db::clock::TrustedTime;
use respiro_db::{
    AddressStatus, BounceCause, Campaign, CampaignStatus, Delivery, DeliveryOutcome, Reader,
    RenderedCampaign, Subscriber, Subscription, Writer,
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
pub struct OutgoingMessage {
    pub id: String,
    pub recipient: Recipient,
    pub rendered: RenderedCampaign,
}

/// What the sender does next.
#[derive(Debug)]
pub enum NextStep {
    Nothing,
    At(Timestamp),
    Again,
    Message(Box<OutgoingMessage>),
}

/// Returns the recipient if the address is confirmed, not unsubscribed and reachable.
pub fn recipient_of(subscriber: &Subscriber, status: &AddressStatus) -> Option<Recipient> {
    let is_recipient =
        subscriber.state == Subscription::Confirmed && status.unreachable_at.is_none();
    is_recipient.then(|| Recipient {
        email: subscriber.email.clone(),
        confirmed_at: subscriber.confirmed_at,
        page: status.page.clone(),
    })
}

pub fn recipients(reader: &Reader<'_>) -> Result<Vec<Recipient>> {
    let mut recipients = Vec::new();
    for subscriber in reader.subscribers().list()? {
        let status = reader.address_statuses().readable(&subscriber.email)?;
        recipients.extend(status.and_then(|status| recipient_of(&subscriber, &status)));
    }
    Ok(recipients)
}

/// Takes the next message from the queue if one is due.
pub fn take_next(writer: &mut Writer<'_>, now: &TrustedTime) -> Result<NextStep> {
    let now = now.at();
    let Some(mut campaign) = active(writer)? else {
        return Ok(NextStep::Nothing);
    };
    let pace = writer.settings().get()?.newsletter_pace();
    let not_before = not_before(&campaign, pace, now).filter(|at| *at > now);
    for _ in 0..SKIPPED_AT_ONCE_MAX {
        let Some(delivery) = writer.campaigns().first_queued(&campaign.id)? else {
            campaign.state = CampaignStatus::Sent;
            campaign.ended_at = Some(now);
            campaign.trouble = None;
            writer.campaigns().put(&campaign)?;
            return Ok(NextStep::Again);
        };
        if let Some(at) = not_before {
            return Ok(NextStep::At(at));
        }
        let due_at = time::due(delivery.at, pause_after(delivery.tries).unwrap_or(0), now);
        if due_at > now {
            writer.campaigns().put(&campaign)?;
            return Ok(NextStep::At(due_at));
        }
        writer.campaigns().dequeue(&campaign.id, &delivery)?;
        let status = writer.address_statuses().readable(&delivery.email)?;
        let subscriber = writer.subscribers().get(&delivery.email)?;
        let both = subscriber.zip(status);
        let Some(recipient) = both.and_then(|(one, status)| recipient_of(&one, &status)) else {
            campaign.tally.skipped += 1;
            continue;
        };
        let rendered = writer.campaigns().rendered(&campaign.id)?;
        let rendered =
            rendered.ok_or_else(|| Error::Storage("a newsletter without its text".to_owned()))?;
        campaign.in_flight = Some(delivery);
        writer.campaigns().put(&campaign)?;
        let id = campaign.id;
        return Ok(NextStep::Message(Box::new(OutgoingMessage {
            id,
            recipient,
            rendered,
        })));
    }
    writer.campaigns().put(&campaign)?;
    Ok(NextStep::Again)
}

/// Returns the campaign that is being sent: of several, the one that started first.
pub fn active(reader: &Reader<'_>) -> Result<Option<Campaign>> {
    let campaigns = reader.campaigns().list()?.into_iter();
    let running = campaigns.filter(|campaign| campaign.state == CampaignStatus::Sending);
    Ok(running.min_by_key(|campaign| campaign.started_at))
}

/// Returns the current pace, in messages per hour.
pub fn pace_of(campaign: &Campaign, setting: i64) -> i64 {
    let slowed = campaign.slowed_pace.map(i64::from);
    slowed.map_or(setting, |slowed| slowed.min(setting)).max(1)
}

fn not_before(campaign: &Campaign, setting: i64, now: Timestamp) -> Option<Timestamp> {
    let interval = HOUR_MILLISECONDS / pace_of(campaign, setting);
    let due = |at, longest| time::due(at, longest, now);
    let paced = campaign.handed_at;
    let paced = paced.map(|at| due(at.saturating_add(interval), interval));
    let longest = server_pause_after(campaign.failures.saturating_sub(1));
    paced.max(campaign.retry_at.map(|at| due(at, longest)))
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
    for mut campaign in writer.campaigns().list()? {
        if campaign.state == CampaignStatus::Sending {
            campaign.resumed_at = Some(now);
        }
        if let Some(delivery) = campaign.in_flight.take() {
            let reason = messages::STOPPED_DURING_DELIVERY;
            record_uncertain(writer, &mut campaign, delivery, reason, now)?;
        }
        writer.campaigns().put(&campaign)?;
    }
    Ok(())
}

/// Records the outcome of the message in flight.
pub fn record_outcome(
    writer: &mut Writer<'_>,
    (id, email): (&str, &str),
    outcome: &Result<(), DeliveryError>,
    now: Timestamp,
) -> Result<()> {
    let mut campaign = writer.campaigns().get(id)?;
    let in_flight = campaign.in_flight.take();
    // A restore may have replaced the data file meanwhile.
    let Some(delivery) = in_flight.filter(|delivery| delivery.email == email) else {
        return Ok(());
    };
    match outcome {
        Ok(()) => record_acceptance(writer, &mut campaign, email, now)?,
        Err(failure) => record_failure(writer, &mut campaign, delivery, failure, now)?,
    }
    Ok(writer.campaigns().put(&campaign)?)
}

fn record_acceptance(
    writer: &mut Writer<'_>,
    campaign: &mut Campaign,
    email: &str,
    now: Timestamp,
) -> Result<()> {
    let setting = writer.settings().get()?.newsletter_pace();
    campaign.tally.accepted += 1;
    campaign.handed_at = Some(now);
    campaign.failures = 0;
    campaign.retry_at = None;
    campaign.trouble = None;
    campaign.refused_in_a_row = 0;
    campaign.taken_in_a_row += 1;
    if let Some(pace) = campaign.slowed_pace
        && campaign.taken_in_a_row >= TAKEN_TO_HASTEN
    {
        campaign.taken_in_a_row = 0;
        let faster = pace.saturating_mul(2);
        campaign.slowed_pace = Some(faster).filter(|pace| i64::from(*pace) < setting);
    }
    let mut status = writer.address_statuses().get(email)?;
    if status.soft_refusals > 0 {
        status.soft_refusals = 0;
        writer.address_statuses().put(&status)?;
    }
    Ok(())
}

fn record_failure(
    writer: &mut Writer<'_>,
    campaign: &mut Campaign,
    mut delivery: Delivery,
    failure: &DeliveryError,
    now: Timestamp,
) -> Result<()> {
    campaign.taken_in_a_row = 0;
    delivery.reason.clone_from(&failure.reason);
    match failure.classify() {
        FailureClass::OutcomeUnknown => {
            campaign.handed_at = Some(now);
            back_off(campaign, ("silent", failure), now);
            record_uncertain(writer, campaign, delivery, &failure.reason, now)
        }
        FailureClass::Recipient => {
            record_refusal(writer, campaign, delivery, DeliveryOutcome::Unknown, now)
        }
        FailureClass::Policy => {
            record_refusal(writer, campaign, delivery, DeliveryOutcome::Blocked, now)
        }
        FailureClass::RecipientTemporary => {
            if failure.is_connection_lost() {
                back_off(campaign, ("silent", failure), now);
            } else {
                campaign.handed_at = Some(now);
            }
            delivery.tries += 1;
            postpone(writer, campaign, delivery, now)
        }
        FailureClass::RateLimit => {
            slow_down(campaign, writer.settings().get()?.newsletter_pace());
            // If the server accepted other messages meanwhile, this recipient may be the cause
            // after all.
            delivery.tries += u32::from(campaign.failures == 0);
            back_off(campaign, ("slowed", failure), now);
            if campaign.failures >= FAILURES_MAX {
                // After this many failures the pace is not the cause. Without this end the campaign
                // would retry forever, and the next one would never start.
                return record_refusal(writer, campaign, delivery, DeliveryOutcome::Full, now);
            }
            postpone(writer, campaign, delivery, now)
        }
        FailureClass::Server => {
            let code = match failure.phase {
                SmtpPhase::Authentication => "signIn",
                SmtpPhase::Sender => "sender",
                _ => "silent",
            };
            back_off(campaign, (code, failure), now);
            requeue(writer, campaign, &delivery)
        }
    }
}

fn back_off(campaign: &mut Campaign, (code, failure): (&str, &DeliveryError), now: Timestamp) {
    campaign.retry_at = Some(now + server_pause_after(campaign.failures));
    campaign.failures += 1;
    campaign.trouble = Some((code.to_owned(), failure.italian_reason().to_owned()));
}

fn slow_down(campaign: &mut Campaign, setting: i64) {
    let pace = u32::try_from(pace_of(campaign, setting)).unwrap_or(u32::MAX);
    campaign.slowed_pace = Some((pace / 2).max(SLOWED_PACE_MIN.min(pace)));
}

/// Puts a message back into the queue, behind those not tried yet. Drops it if no attempt is left.
fn postpone(
    writer: &mut Writer<'_>,
    campaign: &mut Campaign,
    mut delivery: Delivery,
    now: Timestamp,
) -> Result<()> {
    let Some(pause) = pause_after(delivery.tries) else {
        return record_refusal(writer, campaign, delivery, DeliveryOutcome::Full, now);
    };
    delivery.at = now + pause;
    requeue(writer, campaign, &delivery)
}

/// Puts a message back into the queue, unless the campaign was stopped.
fn requeue(writer: &mut Writer<'_>, campaign: &Campaign, delivery: &Delivery) -> Result<()> {
    if campaign.state.is_under_way() {
        writer.campaigns().enqueue(&campaign.id, delivery)?;
    }
    Ok(())
}

fn record_uncertain(
    writer: &mut Writer<'_>,
    campaign: &mut Campaign,
    mut delivery: Delivery,
    reason: &str,
    now: Timestamp,
) -> Result<()> {
    campaign.tally.uncertain += 1;
    delivery.fate = DeliveryOutcome::Uncertain;
    delivery.at = now;
    reason.clone_into(&mut delivery.reason);
    Ok(writer.campaigns().put_failure(&campaign.id, &delivery)?)
}

fn record_refusal(
    writer: &mut Writer<'_>,
    campaign: &mut Campaign,
    mut delivery: Delivery,
    fate: DeliveryOutcome,
    now: Timestamp,
) -> Result<()> {
    campaign.tally.refused += 1;
    campaign.handed_at = Some(now);
    let mut status = writer.address_statuses().get(&delivery.email)?;
    if fate == DeliveryOutcome::Unknown {
        status.unreachable_at = Some(now);
    } else {
        status.soft_refusals += 1;
        if status.soft_refusals >= SOFT_REFUSALS_MAX {
            status.unreachable_at = Some(now);
        }
    }
    delivery.fate = fate;
    delivery.at = now;
    delivery.is_marked = status.unreachable_at.is_some();
    writer.address_statuses().put(&status)?;
    if delivery.is_marked {
        bounces::record_refusal(writer, &delivery.email, bounce_cause(fate), now)?;
    }
    writer.campaigns().put_failure(&campaign.id, &delivery)?;
    campaign.refused_in_a_row += u32::from(fate != DeliveryOutcome::Full);
    if campaign.refused_in_a_row >= REFUSED_IN_A_ROW_MAX
        && campaign.state == CampaignStatus::Sending
    {
        undo_refusals(writer, campaign, now)?;
        campaign.refused_in_a_row = 0;
        campaign.state = CampaignStatus::Paused;
        campaign.trouble = Some(("blocked".to_owned(), delivery.reason));
    }
    Ok(())
}

const fn bounce_cause(fate: DeliveryOutcome) -> BounceCause {
    match fate {
        DeliveryOutcome::Unknown => BounceCause::NoMailbox,
        DeliveryOutcome::Blocked => BounceCause::Refused,
        _ => BounceCause::Undelivered,
    }
}

/// Undoes the refusals that paused the campaign and queues their messages again, each address only
/// once: otherwise a list of dead addresses would never be completed.
fn undo_refusals(writer: &mut Writer<'_>, campaign: &mut Campaign, now: Timestamp) -> Result<()> {
    let mut row = writer.campaigns().failures(&campaign.id)?;
    row.retain(|one| {
        matches!(
            one.fate,
            DeliveryOutcome::Unknown | DeliveryOutcome::Blocked
        )
    });
    row.sort_by_key(|one| std::cmp::Reverse(one.at));
    row.truncate(usize::try_from(campaign.refused_in_a_row).unwrap_or_default());
    for mut delivery in row.into_iter().filter(|one| one.tries == 0) {
        writer
            .campaigns()
            .remove_failure(&campaign.id, &delivery.email)?;
        let mut status = writer.address_statuses().get(&delivery.email)?;
        if status.unreachable_at == Some(delivery.at) {
            status.unreachable_at = None;
            bounces::forget_reports(writer, &delivery.email, now)?;
        }
        if delivery.fate == DeliveryOutcome::Blocked {
            status.soft_refusals = status.soft_refusals.saturating_sub(1);
        }
        writer.address_statuses().put(&status)?;
        campaign.tally.refused = campaign.tally.refused.saturating_sub(1);
        delivery.fate = DeliveryOutcome::Waiting;
        delivery.tries = 1;
        delivery.at = now;
        delivery.is_marked = false;
        requeue(writer, campaign, &delivery)?;
    }
    Ok(())
}
