//! The practitioner's actions on a newsletter: schedule, start, pause, resume, stop.

use super::campaign_queue::recipients;
use super::error::{Error, Result};
use super::messages;
use respiro_content::{NEWSLETTERS, Timestamp, validation};
use respiro_db::{
    AddressStatus, Campaign, CampaignStatus, Delivery, DeliveryOutcome, Reader, RenderedCampaign,
    STARTED, Subscription, Writer,
};

const MINUTE_MILLISECONDS: i64 = 60_000;
/// A newsletter that starts later than this after its scheduled time counts as late.
const LATE_MILLISECONDS: i64 = 5 * MINUTE_MILLISECONDS;

/// Returns the campaign of a newsletter. Fails with 404 if the newsletter does not exist.
pub fn known(reader: &Reader<'_>, id: &str) -> Result<Campaign> {
    reader
        .items()
        .get(&NEWSLETTERS, id)?
        .ok_or(Error::NotFound)?;
    Ok(reader.campaigns().get(id)?)
}

/// Returns the campaign if it has not started.
fn open(reader: &Reader<'_>, id: &str) -> Result<Campaign> {
    let sending = known(reader, id)?;
    if sending.state.is_open() {
        Ok(sending)
    } else {
        Err(STARTED.into())
    }
}

fn under_way(reader: &Reader<'_>, id: &str) -> Result<Campaign> {
    let sending = known(reader, id)?;
    if sending.state.is_under_way() {
        Ok(sending)
    } else {
        Err(Error::Conflict(messages::NOT_UNDER_WAY))
    }
}

/// Queues a message for every recipient. The text cannot change from now on.
pub fn start(
    writer: &mut Writer<'_>,
    id: &str,
    mailing: &RenderedCampaign,
    now: Timestamp,
) -> Result<()> {
    let mut sending = open(writer, id)?;
    let recipients = recipients(writer)?;
    if recipients.is_empty() {
        return Err(Error::Conflict(messages::NO_RECIPIENTS));
    }
    for recipient in &recipients {
        let delivery = Delivery {
            email: recipient.email.clone(),
            fate: DeliveryOutcome::Waiting,
            tries: 0,
            at: now,
            reason: String::new(),
            is_marked: false,
        };
        writer.campaigns().enqueue(id, &delivery)?;
    }
    let planned = sending.scheduled_at;
    sending.is_late = planned.is_some_and(|planned| now - planned > LATE_MILLISECONDS);
    sending.state = CampaignStatus::Sending;
    sending.started_at = Some(now);
    sending.trouble = None;
    sending.tally.total = u32::try_from(recipients.len()).unwrap_or(u32::MAX);
    writer.campaigns().put_rendered(id, mailing)?;
    Ok(writer.campaigns().put(&sending)?)
}

/// Schedules a newsletter, or changes its scheduled time.
pub fn schedule(writer: &mut Writer<'_>, id: &str, at: Timestamp, now: Timestamp) -> Result<()> {
    let at = validation::planned("at", at, now)?;
    let mut sending = open(writer, id)?;
    sending.state = CampaignStatus::Scheduled;
    sending.scheduled_at = Some(at);
    sending.trouble = None;
    Ok(writer.campaigns().put(&sending)?)
}

/// Makes a newsletter a draft again. `trouble` is the reason if the program could not start it.
pub fn unschedule(
    writer: &mut Writer<'_>,
    id: &str,
    trouble: Option<(String, String)>,
) -> Result<()> {
    let mut sending = open(writer, id)?;
    sending.state = CampaignStatus::Draft;
    sending.scheduled_at = None;
    sending.trouble = trouble;
    Ok(writer.campaigns().put(&sending)?)
}

pub fn pause(writer: &mut Writer<'_>, id: &str) -> Result<()> {
    turn(writer, id, CampaignStatus::Paused)
}

pub fn resume(writer: &mut Writer<'_>, id: &str) -> Result<()> {
    turn(writer, id, CampaignStatus::Sending)
}

fn turn(writer: &mut Writer<'_>, id: &str, to: CampaignStatus) -> Result<()> {
    let mut sending = under_way(writer, id)?;
    sending.state = to;
    sending.retry_at = None;
    sending.failures = 0;
    sending.trouble = None;
    Ok(writer.campaigns().put(&sending)?)
}

/// Stops a newsletter and clears its queue. A message in flight is still delivered.
pub fn stop(writer: &mut Writer<'_>, id: &str, now: Timestamp) -> Result<()> {
    let mut sending = under_way(writer, id)?;
    writer.campaigns().clear_queue(id)?;
    sending.state = CampaignStatus::Stopped;
    sending.ended_at = Some(now);
    sending.trouble = None;
    Ok(writer.campaigns().put(&sending)?)
}

/// Marks an unreachable address as reachable again.
pub fn restore_address(writer: &mut Writer<'_>, email: &str) -> Result<()> {
    writer.subscribers().get(email)?.ok_or(Error::NotFound)?;
    let mut standing = writer.address_statuses().get(email)?;
    standing.unreachable_at = None;
    standing.soft_refusals = 0;
    Ok(writer.address_statuses().put(&standing)?)
}

/// Ends a subscription: by a link, by the recipient's mail client, or by the practitioner. `by` is
/// the id of the newsletter that contained the link.
pub fn unsubscribe(
    writer: &mut Writer<'_>,
    email: &str,
    by: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let mut subscriber = writer.subscribers().get(email)?.ok_or(Error::NotFound)?;
    if subscriber.state == Subscription::Unsubscribed {
        return Ok(());
    }
    subscriber.state = Subscription::Unsubscribed;
    writer.subscribers().put(&subscriber)?;
    // A row that does not decode must not keep an address from being unsubscribed.
    let known = writer.address_statuses().readable(email)?;
    let standing = AddressStatus {
        unsubscribed_at: Some(now),
        ..known.unwrap_or_else(|| AddressStatus::new(email))
    };
    writer.address_statuses().put_final(&standing)?;
    if let Some(id) = by
        && writer.items().get(&NEWSLETTERS, id)?.is_some()
    {
        let mut sending = writer.campaigns().get(id)?;
        sending.tally.unsubscribed += 1;
        writer.campaigns().put(&sending)?;
    }
    Ok(())
}
