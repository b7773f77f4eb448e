//! What the practitioner does with a newsletter: plan it, send it, pause, go on, stop.

use super::queue::recipients;
use crate::content::{NEWSLETTERS, Timestamp, validation};
use crate::error::{Error, Result};
use crate::store::{
    AddressStatus, Campaign, CampaignStatus, Delivery, DeliveryOutcome, Reader, RenderedCampaign,
    STARTED, Subscription, Writer,
};

const MINUTE_MILLISECONDS: i64 = 60_000;
/// A newsletter that begins later than this began late.
const LATE_MILLISECONDS: i64 = 5 * MINUTE_MILLISECONDS;

const NOT_UNDER_WAY: Error = Error::Conflict("Questa newsletter non è in invio.");
const NO_RECIPIENTS: Error = Error::Conflict("Nessuno ha ancora confermato l’iscrizione.");

/// The newsletter's sending; 404 when there is no such newsletter.
pub fn known(reader: &Reader<'_>, id: &str) -> Result<Campaign> {
    reader.item(&NEWSLETTERS, id)?.ok_or(Error::NotFound)?;
    Ok(reader.campaign(id)?)
}

/// One that has not begun to go out.
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
        Err(NOT_UNDER_WAY)
    }
}

/// Puts everybody who confirmed into the queue. From now on the text does not change.
pub fn start(
    writer: &mut Writer<'_>,
    id: &str,
    mailing: &RenderedCampaign,
    now: Timestamp,
) -> Result<()> {
    let mut sending = open(writer, id)?;
    let recipients = recipients(writer)?;
    if recipients.is_empty() {
        return Err(NO_RECIPIENTS);
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
        writer.enqueue(id, &delivery)?;
    }
    let planned = sending.scheduled_at;
    sending.is_late = planned.is_some_and(|planned| now - planned > LATE_MILLISECONDS);
    sending.state = CampaignStatus::Sending;
    sending.started_at = Some(now);
    sending.trouble = None;
    sending.tally.total = u32::try_from(recipients.len()).unwrap_or(u32::MAX);
    writer.put_rendered_campaign(id, mailing)?;
    Ok(writer.put_campaign(&sending)?)
}

/// Plans a newsletter for a moment, or for another one.
pub fn schedule(writer: &mut Writer<'_>, id: &str, at: Timestamp, now: Timestamp) -> Result<()> {
    let at = validation::planned("at", at, now).map_err(|error| Error::Invalid(vec![error]))?;
    let mut sending = open(writer, id)?;
    sending.state = CampaignStatus::Scheduled;
    sending.scheduled_at = Some(at);
    sending.trouble = None;
    Ok(writer.put_campaign(&sending)?)
}

/// Plans it no more; with a reason when it was the program that could not begin.
pub fn unschedule(
    writer: &mut Writer<'_>,
    id: &str,
    trouble: Option<(String, String)>,
) -> Result<()> {
    let mut sending = open(writer, id)?;
    sending.state = CampaignStatus::Draft;
    sending.scheduled_at = None;
    sending.trouble = trouble;
    Ok(writer.put_campaign(&sending)?)
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
    Ok(writer.put_campaign(&sending)?)
}

/// Ends it: who still waits gets nothing. A message in flight arrives.
pub fn stop(writer: &mut Writer<'_>, id: &str, now: Timestamp) -> Result<()> {
    let mut sending = under_way(writer, id)?;
    writer.clear_queue(id)?;
    sending.state = CampaignStatus::Stopped;
    sending.ended_at = Some(now);
    sending.trouble = None;
    Ok(writer.put_campaign(&sending)?)
}

/// An address that could not be reached is written to again.
pub fn restore_address(writer: &mut Writer<'_>, email: &str) -> Result<()> {
    writer.subscriber(email)?.ok_or(Error::NotFound)?;
    let mut standing = writer.address_status(email)?;
    standing.unreachable_at = None;
    standing.soft_refusals = 0;
    Ok(writer.put_address_status(&standing)?)
}

/// Ends the subscription: by a link, by the mail program, or told in person.
pub fn unsubscribe(
    writer: &mut Writer<'_>,
    email: &str,
    by: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let mut subscriber = writer.subscriber(email)?.ok_or(Error::NotFound)?;
    if subscriber.state == Subscription::Unsubscribed {
        return Ok(());
    }
    subscriber.state = Subscription::Unsubscribed;
    writer.put_subscriber(&subscriber)?;
    let standing = AddressStatus {
        unsubscribed_at: Some(now),
        ..writer.address_status(email)?
    };
    writer.put_final_address_status(&standing)?;
    if let Some(id) = by
        && writer.item(&NEWSLETTERS, id)?.is_some()
    {
        let mut sending = writer.campaign(id)?;
        sending.tally.unsubscribed += 1;
        writer.put_campaign(&sending)?;
    }
    Ok(())
}
