//! What follows from a report about a message that came back: an address that no longer exists is
//! stopped, a complaint unsubscribes, other failures are counted.

use super::campaign;
use super::error::Result;
use super::message_ids::{SentMessage, find_recipient};
use respiro_content::Timestamp;
use respiro_db::{AddressStatus, BounceCause, BounceRecord, Subscriber, Subscription, Writer};
use respiro_email::{MailReport, ReportOutcome};

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// Failures that pass are shown once this number of messages came back within
/// [`REPEATED_MILLISECONDS`].
const REPEATED_MESSAGES_MIN: usize = 3;
const REPEATED_MILLISECONDS: i64 = 30 * DAY_MILLISECONDS;
/// Reports may stop this number of addresses a day, or a quarter of the list if that is more: a
/// relay that is out of order answers the same for every address.
const STOPPED_PER_DAY_MIN: usize = 20;

/// What the panel shows of the messages to an address that came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BounceSummary {
    pub cause: BounceCause,
    /// Time of the last report.
    pub at: Timestamp,
    /// Number of messages, within the last 30 days for failures that pass.
    pub messages: usize,
}

impl BounceSummary {
    /// Returns all that is stored, whether it calls for attention or not.
    pub const fn of(record: &BounceRecord) -> Self {
        Self {
            cause: record.cause,
            at: record.at,
            messages: record.composed_at.len(),
        }
    }
}

/// Returns what the panel shows of an address; `None` while nothing calls for attention.
pub fn summary(
    status: &AddressStatus,
    record: Option<&BounceRecord>,
    now: Timestamp,
) -> Option<BounceSummary> {
    let record = record.filter(|one| one.restored_at.is_none_or(|at| one.at > at))?;
    let is_recent = |at: &&Timestamp| now - **at < REPEATED_MILLISECONDS;
    let recent = record.composed_at.iter().filter(is_recent).count();
    let is_shown = status.unreachable_at.is_some()
        || is_lasting(record.cause)
        || recent >= REPEATED_MESSAGES_MIN;
    is_shown.then_some(BounceSummary {
        cause: record.cause,
        at: record.at,
        messages: recent.max(1),
    })
}

const fn is_lasting(cause: BounceCause) -> bool {
    use BounceCause::{
        Complaint, MailboxClosed, MailboxFull, NoDomain, NoMailbox, Refused, Undelivered,
    };
    match cause {
        NoMailbox | NoDomain | MailboxClosed | Complaint => true,
        MailboxFull | Refused | Undelivered => false,
    }
}

/// Applies reports, each with its number in the mailbox. Returns the numbers of those about
/// messages of this site.
pub(super) fn apply_reports(
    writer: &mut Writer<'_>,
    reports: &[(u32, MailReport)],
    now: Timestamp,
) -> Result<Vec<u32>> {
    let mut allowance = stop_allowance(writer, now)?;
    let mut applied = Vec::new();
    for (uid, report) in reports {
        let found = find_recipient(writer, &report.message_id, &report.recipients, now)?;
        if let Some(sent) = found {
            apply_report(writer, &sent, report.outcome, (&mut allowance, now))?;
            applied.push(*uid);
        }
    }
    Ok(applied)
}

/// Returns how many more addresses reports may stop now.
fn stop_allowance(writer: &mut Writer<'_>, now: Timestamp) -> Result<usize> {
    let subscribers = writer.subscribers().list()?;
    let is_confirmed = |one: &&Subscriber| one.state == Subscription::Confirmed;
    let quarter = subscribers.iter().filter(is_confirmed).count() / 4;
    let mut stopped = writer.bounces().list()?;
    stopped.retain(|one| is_lasting(one.cause) && now - one.at < DAY_MILLISECONDS);
    Ok(quarter
        .max(STOPPED_PER_DAY_MIN)
        .saturating_sub(stopped.len()))
}

fn apply_report(
    writer: &mut Writer<'_>,
    sent: &SentMessage,
    outcome: ReportOutcome,
    (allowance, now): (&mut usize, Timestamp),
) -> Result<()> {
    let email = &sent.email;
    let Some(subscriber) = writer.subscribers().get(email)? else {
        return Ok(());
    };
    let known = writer.bounces().get(email)?;
    if is_outdated(&subscriber, known.as_ref(), sent, outcome) {
        return Ok(());
    }
    let (cause, is_permanent) = match outcome {
        ReportOutcome::Permanent(cause) => (cause, true),
        ReportOutcome::Failed(cause) => (cause, false),
        ReportOutcome::Complaint => (BounceCause::Complaint, false),
    };
    let mut record = known.unwrap_or_else(|| BounceRecord::new(email, cause, now));
    record.cause = cause;
    record.at = now;
    record.add_message(sent.composed_at);
    writer.bounces().put(&record)?;
    if cause == BounceCause::Complaint {
        return campaign::unsubscribe(writer, email, None, now);
    }
    if !is_permanent {
        return Ok(());
    }
    let status = writer.address_statuses().get(email)?;
    if status.unreachable_at.is_some() {
        return Ok(());
    }
    let Some(left) = allowance.checked_sub(1) else {
        tracing::warn!("too many addresses came back within a day: they are shown, not stopped");
        return Ok(());
    };
    *allowance = left;
    Ok(writer.address_statuses().put(&AddressStatus {
        unreachable_at: Some(now),
        ..status
    })?)
}

/// Whether the report is about a message from before the subscription, or before the address was
/// marked as reachable again, or says no more than an earlier one about the same message.
fn is_outdated(
    subscriber: &Subscriber,
    known: Option<&BounceRecord>,
    sent: &SentMessage,
    outcome: ReportOutcome,
) -> bool {
    let is_complaint = outcome == ReportOutcome::Complaint;
    // Who confirms has received the message.
    let confirmed_at = subscriber.confirmed_at.filter(|_| !is_complaint);
    let restored_at = known.and_then(|known| known.restored_at);
    let restored_at = restored_at.filter(|_| !is_complaint);
    let since = subscriber.created_at.max(confirmed_at.unwrap_or_default());
    let is_reported = known.is_some_and(|known| known.composed_at.contains(&sent.composed_at));
    sent.composed_at < since
        || restored_at.is_some_and(|at| sent.composed_at <= at)
        || is_reported && matches!(outcome, ReportOutcome::Failed(_))
}

/// Records why the mail server refused a message at once, in the transaction that marks the address
/// as unreachable.
pub(super) fn record_refusal(
    writer: &mut Writer<'_>,
    email: &str,
    cause: BounceCause,
    now: Timestamp,
) -> Result<()> {
    let known = writer.bounces().get(email)?;
    let mut record = known.unwrap_or_else(|| BounceRecord::new(email, cause, now));
    record.cause = cause;
    record.at = now;
    record.add_message(now);
    Ok(writer.bounces().put(&record)?)
}

/// Forgets the reports about an address that is marked as reachable again.
pub(super) fn forget_reports(writer: &mut Writer<'_>, email: &str, now: Timestamp) -> Result<()> {
    let Some(mut record) = writer.bounces().get(email)? else {
        return Ok(());
    };
    record.composed_at.clear();
    record.restored_at = Some(now.max(record.at));
    Ok(writer.bounces().put(&record)?)
}
