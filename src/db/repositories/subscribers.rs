//! Newsletter subscribers, with consent and deliverability of each address, and the reports about
//! messages to it that came back.

use super::Writable;
use crate::Reader;
use crate::error::Result;
use crate::tables::{self, BOUNCES, STANDINGS, SUBSCRIBERS};
use respiro_content::Timestamp;
use std::collections::BTreeSet;

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
pub enum Subscription {
    Pending,
    Confirmed,
    Unsubscribed,
    /// Signed up while the site could send no e-mail: unconfirmed.
    Collected,
}

#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Subscriber {
    pub email: String,
    pub state: Subscription,
    pub consent_text: String,
    pub created_at: Timestamp,
    pub confirmed_at: Option<Timestamp>,
}

/// How an address was added.
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
pub enum SignupSource {
    /// Form on a page, confirmed by e-mail.
    Form,
    /// Form on a page, without confirmation.
    FormOnly,
    Import,
}

/// Proof of consent and deliverability of an address. Addresses of earlier releases have none.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct AddressStatus {
    pub email: String,
    pub way: Option<SignupSource>,
    /// Number of the text that stood beside the button.
    pub consent_version: Option<String>,
    /// Path of the page where the address was left.
    pub page: Option<String>,
    /// Time of the last sign-up.
    pub asked_at: Option<Timestamp>,
    /// When the confirmation message was sent.
    pub mailed_at: Option<Timestamp>,
    pub unsubscribed_at: Option<Timestamp>,
    /// Campaigns in a row that were refused temporarily.
    pub soft_refusals: u32,
    /// Since when nothing is sent to it.
    pub unreachable_at: Option<Timestamp>,
}

impl AddressStatus {
    pub fn new(email: &str) -> Self {
        Self {
            email: email.to_owned(),
            way: None,
            consent_version: None,
            page: None,
            asked_at: None,
            mailed_at: None,
            unsubscribed_at: None,
            soft_refusals: 0,
            unreachable_at: None,
        }
    }
}

/// Why a message came back.
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
pub enum BounceCause {
    NoMailbox,
    /// The domain does not exist or accepts no mail.
    NoDomain,
    /// The mailbox exists, and is disabled.
    MailboxClosed,
    MailboxFull,
    /// The provider rejects the content or the sender.
    Refused,
    /// Any other failure, temporary ones that were given up among them.
    Undelivered,
    /// The recipient reported the message as unwanted.
    Complaint,
}

/// Most returned messages that a record lists; the oldest are dropped first.
const BOUNCED_MESSAGES_MAX: usize = 8;

/// The messages to an address that came back.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct BounceRecord {
    pub email: String,
    /// Of the last report.
    pub cause: BounceCause,
    /// When the last report was read.
    pub at: Timestamp,
    /// When the returned messages were composed: one entry a message, oldest first.
    pub composed_at: Vec<Timestamp>,
    /// When the address was last marked as reachable again: reports about earlier messages do not
    /// count.
    pub restored_at: Option<Timestamp>,
}

impl BounceRecord {
    pub fn new(email: &str, cause: BounceCause, at: Timestamp) -> Self {
        Self {
            email: email.to_owned(),
            cause,
            at,
            composed_at: Vec::new(),
            restored_at: None,
        }
    }

    /// Adds a returned message, once: several reports may name the same one.
    pub fn add_message(&mut self, composed_at: Timestamp) {
        if let Err(position) = self.composed_at.binary_search(&composed_at) {
            self.composed_at.insert(position, composed_at);
        }
        let excess = self.composed_at.len().saturating_sub(BOUNCED_MESSAGES_MAX);
        self.composed_at.drain(..excess);
    }
}

/// Newsletter subscribers.
pub struct Subscribers<'a>(pub(super) Reader<'a>);

impl Subscribers<'_> {
    pub fn list(&self) -> Result<Vec<Subscriber>> {
        let rows = tables::records(self.0.tables, SUBSCRIBERS, b"")?;
        Ok(rows.into_iter().map(|(_, one)| as_known(one)).collect())
    }

    /// Counts the addresses without reading them.
    pub fn count(&self) -> Result<u64> {
        self.0.tables.length(SUBSCRIBERS)
    }

    /// Returns `None` for a subscriber whose row does not decode, too.
    pub fn get(&self, email: &str) -> Result<Option<Subscriber>> {
        let found = tables::readable_record(self.0.tables, SUBSCRIBERS, email.as_bytes())?;
        Ok(found.map(as_known))
    }
}

impl Writable<'_, '_, Subscribers<'_>> {
    pub fn put(&mut self, subscriber: &Subscriber) -> Result<()> {
        let key = subscriber.email.as_bytes();
        tables::put(self.writer.transaction, SUBSCRIBERS, key, subscriber)
    }

    /// Removes the address with its status, queued messages and failures.
    pub fn remove(&mut self, email: &str) -> Result<()> {
        self.remove_all(&BTreeSet::from([email]))
    }

    pub(crate) fn remove_all(&mut self, emails: &BTreeSet<&str>) -> Result<()> {
        self.writer.campaigns().remove_recipients(emails)?;
        for email in emails {
            let key = email.as_bytes();
            self.writer.transaction.remove(BOUNCES, key)?;
            self.writer.transaction.remove(STANDINGS, key)?;
            self.writer.transaction.remove(SUBSCRIBERS, key)?;
        }
        Ok(())
    }
}

/// Consent and deliverability of the newsletter addresses.
pub struct AddressStatuses<'a>(pub(super) Reader<'a>);

impl AddressStatuses<'_> {
    pub fn list(&self) -> Result<Vec<AddressStatus>> {
        let rows = tables::records(self.0.tables, STANDINGS, b"")?;
        Ok(rows.into_iter().map(|(_, standing)| standing).collect())
    }

    /// Returns the rows of the addresses that start with `beginning`.
    pub fn starting_with(&self, beginning: &str) -> Result<Vec<AddressStatus>> {
        let rows = tables::records(self.0.tables, STANDINGS, beginning.as_bytes())?;
        Ok(rows.into_iter().map(|(_, standing)| standing).collect())
    }

    /// Returns `None` for a row that does not decode: nothing is known about consent.
    pub fn readable(&self, email: &str) -> Result<Option<AddressStatus>> {
        let Some(bytes) = self.0.tables.get(STANDINGS, email.as_bytes())? else {
            return Ok(Some(AddressStatus::new(email)));
        };
        Ok(tables::decode_or_log(STANDINGS, email.as_bytes(), &bytes))
    }

    pub fn get(&self, email: &str) -> Result<AddressStatus> {
        let found = tables::record(self.0.tables, STANDINGS, email.as_bytes())?;
        Ok(found.unwrap_or_else(|| AddressStatus::new(email)))
    }
}

impl Writable<'_, '_, AddressStatuses<'_>> {
    pub fn put(&mut self, standing: &AddressStatus) -> Result<()> {
        let key = standing.email.as_bytes();
        tables::put(self.writer.transaction, STANDINGS, key, standing)
    }

    /// Stores the status of an unsubscribed address, on a full disk too: each address has one row,
    /// so they are bounded.
    pub fn put_final(&mut self, standing: &AddressStatus) -> Result<()> {
        let (key, bytes) = (standing.email.as_bytes(), tables::encode(standing)?);
        self.writer.transaction.put_reserved(STANDINGS, key, &bytes)
    }
}

/// The messages that came back, by address.
pub struct Bounces<'a>(pub(super) Reader<'a>);

impl Bounces<'_> {
    pub fn list(&self) -> Result<Vec<BounceRecord>> {
        let rows = tables::records(self.0.tables, BOUNCES, b"")?;
        Ok(rows.into_iter().map(|(_, record)| record).collect())
    }

    /// Returns `None` for a row that does not decode, too.
    pub fn get(&self, email: &str) -> Result<Option<BounceRecord>> {
        tables::readable_record(self.0.tables, BOUNCES, email.as_bytes())
    }
}

impl Writable<'_, '_, Bounces<'_>> {
    pub fn put(&mut self, record: &BounceRecord) -> Result<()> {
        let key = record.email.as_bytes();
        tables::put(self.writer.transaction, BOUNCES, key, record)
    }
}

/// Earlier releases stored unconfirmed addresses as confirmed at sign-up while the site could send
/// no e-mail.
fn as_known(mut subscriber: Subscriber) -> Subscriber {
    let was_asked = subscriber.confirmed_at != Some(subscriber.created_at);
    if subscriber.state == Subscription::Confirmed && !was_asked {
        subscriber.state = Subscription::Collected;
        subscriber.confirmed_at = None;
    }
    subscriber
}
