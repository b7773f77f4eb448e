//! Newsletter campaigns: status, delivery queue, failures, sent images.

use super::Writable;
use crate::Reader;
use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, FAILURES, MAILED, MAILINGS, QUEUE, SENDINGS};
use crate::transaction::Transaction;
use respiro_content::{Collection, Item, NEWSLETTERS, Timestamp, time};
use std::collections::BTreeSet;

pub const STARTED: Error = Error::Conflict(messages::CAMPAIGN_STARTED);

/// Queue key: messages sort by due time.
fn queue_key(id: &str, delivery: &Delivery) -> Vec<u8> {
    let due = u64::try_from(delivery.at).unwrap_or_default();
    [id.as_bytes(), &due.to_be_bytes(), delivery.email.as_bytes()].concat()
}

/// Returns the address in a queue key.
fn queued_email<'a>(id: &[u8], key: &'a [u8]) -> Option<&'a str> {
    let rest = key.strip_prefix(id)?.get(size_of::<u64>()..)?;
    std::str::from_utf8(rest).ok()
}

fn failure_key(id: &str, email: &str) -> Vec<u8> {
    [id.as_bytes(), email.as_bytes()].concat()
}

/// Code of a campaign that a restore paused.
const HELD: &str = "restored";

/// Status of a campaign.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    bincode::Encode,
    bincode::Decode,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum CampaignStatus {
    Draft,
    Scheduled,
    Sending,
    Paused,
    Stopped,
    Sent,
}

impl CampaignStatus {
    /// Returns whether its text may change.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Draft | Self::Scheduled)
    }

    /// Returns whether messages may still be sent.
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Sending | Self::Paused)
    }
}

/// Outcomes of the messages of a campaign. Messages that are not counted are queued.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct DeliveryCounts {
    pub total: u32,
    pub accepted: u32,
    pub refused: u32,
    /// Unknown whether they arrived.
    pub uncertain: u32,
    /// The address was unsubscribed meanwhile.
    pub skipped: u32,
    /// Unsubscribed through a link of this campaign.
    pub unsubscribed: u32,
}

/// A newsletter campaign, keyed by the newsletter's id.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Campaign {
    pub id: String,
    pub state: CampaignStatus,
    pub scheduled_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// Time of the last test message.
    pub tested_at: Option<Timestamp>,
    /// When it resumed after a restart.
    pub resumed_at: Option<Timestamp>,
    /// Whether the program was stopped at the scheduled time.
    pub is_late: bool,
    pub tally: DeliveryCounts,
    /// The message that is being sent. At most one; it is not in the queue.
    pub in_flight: Option<Delivery>,
    /// When a message was last sent.
    pub handed_at: Option<Timestamp>,
    /// Messages per hour, while the mail server accepts fewer than the setting.
    pub slowed_pace: Option<u32>,
    /// Accepted in a row since the pace was reduced.
    pub taken_in_a_row: u32,
    /// Permanent refusals in a row; many mean that the addresses are not the cause.
    pub refused_in_a_row: u32,
    /// No attempt before this time.
    pub retry_at: Option<Timestamp>,
    /// Attempts in a row without a working mail server.
    pub failures: u32,
    /// Why sending is paused: a code, and the answer of the mail server.
    pub trouble: Option<(String, String)>,
}

impl Campaign {
    pub fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            state: CampaignStatus::Draft,
            scheduled_at: None,
            started_at: None,
            ended_at: None,
            tested_at: None,
            resumed_at: None,
            is_late: false,
            tally: DeliveryCounts::default(),
            in_flight: None,
            handed_at: None,
            slowed_pace: None,
            taken_in_a_row: 0,
            refused_in_a_row: 0,
            retry_at: None,
            failures: 0,
            trouble: None,
        }
    }

    /// Pauses the campaign until the admin resumes it, in a file that was a backup: messages sent
    /// since are unknown here. Returns whether it was sending or scheduled.
    pub fn hold(&mut self) -> bool {
        match self.state {
            CampaignStatus::Paused if self.trouble.as_ref().is_some_and(|it| it.0 == HELD) => {
                return false;
            }
            CampaignStatus::Sending | CampaignStatus::Paused => {
                self.state = CampaignStatus::Paused;
                self.retry_at = None;
                self.failures = 0;
                self.trouble = Some((HELD.to_owned(), String::new()));
            }
            CampaignStatus::Scheduled => {
                let planned = self.scheduled_at.take().map(time::rfc3339);
                self.state = CampaignStatus::Draft;
                self.trouble = Some(("unplanned".to_owned(), planned.unwrap_or_default()));
            }
            _ => return false,
        }
        true
    }

    pub fn waiting(&self) -> u32 {
        let DeliveryCounts {
            total,
            accepted,
            refused,
            uncertain,
            skipped,
            ..
        } = self.tally;
        total.saturating_sub(accepted + refused + uncertain + skipped)
    }
}

/// The rendered messages of a campaign, fixed when it starts, with placeholders for what differs
/// per recipient.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct RenderedCampaign {
    pub subject: String,
    pub html: String,
    pub text: String,
}

/// Outcome of a message or of its last attempt.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    bincode::Encode,
    bincode::Decode,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryOutcome {
    Waiting,
    /// Temporary refusals until the last attempt.
    Full,
    /// No such recipient.
    Unknown,
    /// The recipient's server rejects this site.
    Blocked,
    /// The connection broke when the message may already have been accepted.
    Uncertain,
    /// The recipient unsubscribed meanwhile.
    Skipped,
}

/// A message to one address.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Delivery {
    pub email: String,
    pub fate: DeliveryOutcome,
    /// Failed attempts.
    pub tries: u32,
    pub at: Timestamp,
    /// Answer of the mail server, without addresses.
    pub reason: String,
    /// Whether the address is excluded from now on.
    pub is_marked: bool,
}

/// Newsletter campaigns with their queues and failures.
pub struct Campaigns<'a>(pub(super) Reader<'a>);

impl Campaigns<'_> {
    pub fn list(&self) -> Result<Vec<Campaign>> {
        let rows = tables::records(self.0.tables, SENDINGS, b"")?;
        Ok(rows.into_iter().map(|(_, sending)| sending).collect())
    }

    /// Returns the campaign of a newsletter, a draft by default.
    pub fn get(&self, id: &str) -> Result<Campaign> {
        let found = tables::record(self.0.tables, SENDINGS, id.as_bytes())?;
        Ok(found.unwrap_or_else(|| Campaign::new(id)))
    }

    pub fn rendered(&self, id: &str) -> Result<Option<RenderedCampaign>> {
        tables::record(self.0.tables, MAILINGS, id.as_bytes())
    }

    /// Returns the message that is due first.
    pub fn first_queued(&self, id: &str) -> Result<Option<Delivery>> {
        let Some((key, bytes)) = self.0.tables.first(QUEUE, id.as_bytes())? else {
            return Ok(None);
        };
        match tables::decode_or_log(QUEUE, &key, &bytes) {
            Some(delivery) => Ok(Some(delivery)),
            None => Ok(self.queued(id)?.into_iter().next()),
        }
    }

    /// Returns all queued messages.
    pub fn queued(&self, id: &str) -> Result<Vec<Delivery>> {
        let rows = tables::records(self.0.tables, QUEUE, id.as_bytes())?;
        Ok(rows.into_iter().map(|(_, delivery)| delivery).collect())
    }

    /// Returns the messages that wait for another attempt. Untried ones are due since the start and
    /// sort first; thousands of them are not read.
    pub fn postponed(&self, sending: &Campaign) -> Result<Vec<Delivery>> {
        let Some(started_at) = sending.started_at else {
            return Ok(Vec::new());
        };
        let id = sending.id.as_bytes();
        let after = u64::try_from(started_at + 1).unwrap_or_default();
        let from = [id, &after.to_be_bytes()].concat();
        let mut postponed = Vec::new();
        self.0
            .tables
            .scan_from(QUEUE, (&from, id), &mut |key, bytes| {
                postponed.extend(tables::decode_or_log::<Delivery>(QUEUE, key, bytes));
                Ok(())
            })?;
        Ok(postponed)
    }

    /// Returns the failed messages.
    pub fn failures(&self, id: &str) -> Result<Vec<Delivery>> {
        let rows = tables::records(self.0.tables, FAILURES, id.as_bytes())?;
        Ok(rows.into_iter().map(|(_, delivery)| delivery).collect())
    }
}

impl Writable<'_, '_, Campaigns<'_>> {
    pub fn put(&mut self, sending: &Campaign) -> Result<()> {
        tables::put(
            self.writer.transaction,
            SENDINGS,
            sending.id.as_bytes(),
            sending,
        )
    }

    pub fn put_rendered(&mut self, id: &str, mailing: &RenderedCampaign) -> Result<()> {
        tables::put(self.writer.transaction, MAILINGS, id.as_bytes(), mailing)
    }

    /// Adds a message to the queue.
    pub fn enqueue(&mut self, id: &str, delivery: &Delivery) -> Result<()> {
        tables::put(
            self.writer.transaction,
            QUEUE,
            &queue_key(id, delivery),
            delivery,
        )
    }

    pub fn dequeue(&mut self, id: &str, delivery: &Delivery) -> Result<()> {
        self.writer
            .transaction
            .remove(QUEUE, &queue_key(id, delivery))
            .map(drop)
    }

    /// Removes all queued messages of a campaign.
    pub fn clear_queue(&mut self, id: &str) -> Result<()> {
        clear(self.writer.transaction, id)
    }

    pub fn put_failure(&mut self, id: &str, delivery: &Delivery) -> Result<()> {
        let key = failure_key(id, &delivery.email);
        tables::put(self.writer.transaction, FAILURES, &key, delivery)
    }

    pub fn remove_failure(&mut self, id: &str, email: &str) -> Result<()> {
        let key = failure_key(id, email);
        self.writer.transaction.remove(FAILURES, &key).map(drop)
    }

    /// Fails with a conflict once sending has started.
    pub(crate) fn ensure_editable(&self, id: &str) -> Result<()> {
        if self.get(id)?.state.is_open() {
            return Ok(());
        }
        Err(STARTED)
    }

    /// Fails with a conflict while a campaign is being sent; cancels a scheduled one.
    pub(crate) fn ensure_deletable(&mut self, id: &str) -> Result<()> {
        let mut sending = self.get(id)?;
        if sending.state.is_under_way() {
            return Err(Error::Conflict(messages::CAMPAIGN_SENDING));
        }
        if sending.state == CampaignStatus::Scheduled {
            sending.state = CampaignStatus::Draft;
            sending.scheduled_at = None;
            self.put(&sending)?;
        }
        Ok(())
    }

    /// Removes the campaign of a newsletter that was deleted for good.
    pub(crate) fn remove(&mut self, id: &str) -> Result<()> {
        self.clear_queue(id)?;
        for (key, _) in tables::records::<Delivery>(self.writer.tables, FAILURES, id.as_bytes())? {
            self.writer.transaction.remove(FAILURES, &key)?;
        }
        self.writer.transaction.remove(MAILINGS, id.as_bytes())?;
        self.writer
            .transaction
            .remove(SENDINGS, id.as_bytes())
            .map(drop)
    }

    /// Removes addresses from all queues and failures. Reads each queue once and decodes no row:
    /// a queue has up to 20,000.
    pub(crate) fn remove_recipients(&mut self, emails: &BTreeSet<&str>) -> Result<()> {
        for mut sending in self.list()? {
            for email in emails {
                let key = failure_key(&sending.id, email);
                self.writer.transaction.remove(FAILURES, &key)?;
            }
            if !sending.state.is_under_way() {
                continue;
            }
            let mut keys = Vec::new();
            let id = sending.id.as_bytes();
            self.writer.tables.scan(QUEUE, id, &mut |key, _| {
                let email = queued_email(id, key);
                if email.is_some_and(|email| emails.contains(email)) {
                    keys.push(key.to_vec());
                }
                Ok(())
            })?;
            for key in &keys {
                self.writer.transaction.remove(QUEUE, key)?;
                sending.tally.skipped += 1;
            }
            if !keys.is_empty() {
                self.put(&sending)?;
            }
        }
        Ok(())
    }
}

/// Images of deleted newsletters that were sent.
pub struct SentImages<'a>(pub(super) Reader<'a>);

impl SentImages<'_> {
    /// Returns the ids of deleted newsletters that were sent, each with its image ids.
    pub fn list(&self) -> Result<Vec<(String, Vec<String>)>> {
        let rows = tables::records(self.0.tables, MAILED, b"")?.into_iter();
        let id = |key: Vec<u8>| String::from_utf8_lossy(&key).into_owned();
        Ok(rows.map(|(key, pictures)| (id(key), pictures)).collect())
    }
}

impl Writable<'_, '_, SentImages<'_>> {
    pub fn put(&mut self, id: &str, pictures: &Vec<String>) -> Result<()> {
        tables::put(self.writer.transaction, MAILED, id.as_bytes(), pictures)
    }

    /// Stops retaining the images of a sent newsletter: its e-mails lose them once retention
    /// removes unused images.
    pub fn remove(&mut self, id: &str) -> Result<()> {
        self.writer
            .transaction
            .remove(MAILED, id.as_bytes())
            .map(drop)
    }

    /// Retains the images of a deleted newsletter that was sent: received e-mails still load them.
    pub(crate) fn retain(&mut self, collection: &Collection, item: &Item) -> Result<()> {
        if collection.number != NEWSLETTERS.number {
            return Ok(());
        }
        let tally = self.writer.campaigns().get(&item.id)?.tally;
        let pictures: BTreeSet<String> = item.picture_ids().map(str::to_owned).collect();
        if tally.accepted + tally.uncertain == 0 || pictures.is_empty() {
            return Ok(());
        }
        self.put(&item.id, &pictures.into_iter().collect())
    }
}

fn clear(transaction: &Transaction, id: &str) -> Result<()> {
    for (key, _) in tables::records::<Delivery>(transaction, QUEUE, id.as_bytes())? {
        transaction.remove(QUEUE, &key)?;
    }
    Ok(())
}

/// Pauses every campaign that is being sent or scheduled: in a restored backup, resuming by itself
/// could send messages twice. Returns how many were paused.
pub(crate) fn pause_all_campaigns(transaction: &Transaction) -> Result<u32> {
    let mut held = 0;
    for (key, mut sending) in tables::records::<Campaign>(transaction, SENDINGS, b"")? {
        if !sending.hold() {
            continue;
        }
        if let Some(mut delivery) = sending.in_flight.take() {
            sending.tally.uncertain += 1;
            delivery.fate = DeliveryOutcome::Uncertain;
            messages::IN_THE_COPY.clone_into(&mut delivery.reason);
            let key = failure_key(&sending.id, &delivery.email);
            tables::put(transaction, FAILURES, &key, &delivery)?;
        }
        tables::put(transaction, SENDINGS, &key, &sending)?;
        held += 1;
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    /// Regression: each address that was removed decoded the whole queue of each campaign. A row
    /// that does not decode shows that none is.
    #[test]
    fn removing_addresses_reads_the_keys_of_a_queue_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
        let delivery = |email: &str| Delivery {
            email: email.to_owned(),
            fate: DeliveryOutcome::Waiting,
            tries: 0,
            at: 5,
            reason: String::new(),
            is_marked: false,
        };
        let id = "abcdefghijklmnopqrstuvwxyz";
        let filled = store.write(|writer| {
            let mut campaign = Campaign::new(id);
            campaign.state = CampaignStatus::Sending;
            writer.campaigns().put(&campaign)?;
            for email in ["uno@a.it", "due@a.it", "tre@a.it", "via.uno@a.it"] {
                writer.campaigns().enqueue(id, &delivery(email))?;
                writer.campaigns().put_failure(id, &delivery(email))?;
            }
            let key = queue_key(id, &delivery("due@a.it"));
            writer.transaction.put(QUEUE, &key, &[9])
        });
        filled.unwrap();
        let emails = BTreeSet::from(["uno@a.it", "due@a.it"]);
        store
            .write(|writer| writer.subscribers().remove_all(&emails))
            .unwrap();
        let read = store.read(|reader| {
            let (queued, failed) = (
                reader.campaigns().queued(id)?,
                reader.campaigns().failures(id)?,
            );
            let skipped = reader.campaigns().get(id)?.tally.skipped;
            Ok::<_, Error>((queued, failed, reader.tables.length(QUEUE)?, skipped))
        });
        let (queued, failed, rows, skipped) = read.unwrap();
        let emails = |list: Vec<Delivery>| -> Vec<String> {
            list.into_iter().map(|one| one.email).collect()
        };
        assert_eq!(emails(queued), ["tre@a.it", "via.uno@a.it"]);
        assert_eq!(emails(failed), ["tre@a.it", "via.uno@a.it"]);
        assert_eq!((rows, skipped), (2, 2));
    }
}
