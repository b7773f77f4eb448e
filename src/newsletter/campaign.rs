//! The practitioner's actions on a newsletter: schedule, start, pause, resume, stop.

use super::bounces;
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
pub fn find(reader: &Reader<'_>, id: &str) -> Result<Campaign> {
    reader
        .items()
        .get(&NEWSLETTERS, id)?
        .ok_or(Error::NotFound)?;
    Ok(reader.campaigns().get(id)?)
}

/// Returns the campaign if it has not started.
fn find_open(reader: &Reader<'_>, id: &str) -> Result<Campaign> {
    let campaign = find(reader, id)?;
    if campaign.state.is_open() {
        Ok(campaign)
    } else {
        Err(STARTED.into())
    }
}

fn find_running(reader: &Reader<'_>, id: &str) -> Result<Campaign> {
    let campaign = find(reader, id)?;
    if campaign.state.is_under_way() {
        Ok(campaign)
    } else {
        Err(Error::Conflict(messages::NOT_UNDER_WAY))
    }
}

/// Queues a message for every recipient. The text cannot change from now on.
pub fn start(
    writer: &mut Writer<'_>,
    id: &str,
    rendered: &RenderedCampaign,
    now: Timestamp,
) -> Result<()> {
    let mut campaign = find_open(writer, id)?;
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
    let planned = campaign.scheduled_at;
    campaign.is_late = planned.is_some_and(|planned| now - planned > LATE_MILLISECONDS);
    campaign.state = CampaignStatus::Sending;
    campaign.started_at = Some(now);
    campaign.trouble = None;
    campaign.tally.total = u32::try_from(recipients.len()).unwrap_or(u32::MAX);
    writer.campaigns().put_rendered(id, rendered)?;
    Ok(writer.campaigns().put(&campaign)?)
}

/// Schedules a newsletter, or changes its scheduled time.
pub fn schedule(writer: &mut Writer<'_>, id: &str, at: Timestamp, now: Timestamp) -> Result<()> {
    let at = validation::planned("at", at, now)?;
    let mut campaign = find_open(writer, id)?;
    campaign.state = CampaignStatus::Scheduled;
    campaign.scheduled_at = Some(at);
    campaign.trouble = None;
    Ok(writer.campaigns().put(&campaign)?)
}

/// Makes a newsletter a draft again. `trouble` is the reason if the program could not start it.
pub fn unschedule(
    writer: &mut Writer<'_>,
    id: &str,
    trouble: Option<(String, String)>,
) -> Result<()> {
    let mut campaign = find_open(writer, id)?;
    campaign.state = CampaignStatus::Draft;
    campaign.scheduled_at = None;
    campaign.trouble = trouble;
    Ok(writer.campaigns().put(&campaign)?)
}

pub fn pause(writer: &mut Writer<'_>, id: &str) -> Result<()> {
    set_status(writer, id, CampaignStatus::Paused)
}

pub fn resume(writer: &mut Writer<'_>, id: &str) -> Result<()> {
    set_status(writer, id, CampaignStatus::Sending)
}

fn set_status(writer: &mut Writer<'_>, id: &str, to: CampaignStatus) -> Result<()> {
    let mut campaign = find_running(writer, id)?;
    campaign.state = to;
    campaign.retry_at = None;
    campaign.failures = 0;
    campaign.trouble = None;
    Ok(writer.campaigns().put(&campaign)?)
}

/// Stops a newsletter and clears its queue. A message in flight is still delivered.
pub fn stop(writer: &mut Writer<'_>, id: &str, now: Timestamp) -> Result<()> {
    let mut campaign = find_running(writer, id)?;
    writer.campaigns().clear_queue(id)?;
    campaign.state = CampaignStatus::Stopped;
    campaign.ended_at = Some(now);
    campaign.trouble = None;
    Ok(writer.campaigns().put(&campaign)?)
}

/// Marks an unreachable address as reachable again. Reports about earlier messages do not count any
/// more.
pub fn restore_address(writer: &mut Writer<'_>, email: &str, now: Timestamp) -> Result<()> {
    writer.subscribers().get(email)?.ok_or(Error::NotFound)?;
    let mut status = writer.address_statuses().get(email)?;
    status.unreachable_at = None;
    status.soft_refusals = 0;
    writer.address_statuses().put(&status)?;
    bounces::forget_reports(writer, email, now)
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
    let status = AddressStatus {
        unsubscribed_at: Some(now),
        ..known.unwrap_or_else(|| AddressStatus::new(email))
    };
    writer.address_statuses().put_final(&status)?;
    if let Some(id) = by
        && writer.items().get(&NEWSLETTERS, id)?.is_some()
    {
        let mut campaign = writer.campaigns().get(id)?;
        campaign.tally.unsubscribed += 1;
        writer.campaigns().put(&campaign)?;
    }
    Ok(())
}
