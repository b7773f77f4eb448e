//! Newsletter subscribers.

use crate::error::Result;
use crate::tables::{self, SUBSCRIBERS};
use crate::{Reader, Writer};
use respiro_content::Timestamp;

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

impl Reader<'_> {
    pub fn subscribers(&self) -> Result<Vec<Subscriber>> {
        let rows = tables::records(self.tables, SUBSCRIBERS, b"")?;
        Ok(rows.into_iter().map(|(_, one)| as_known(one)).collect())
    }

    /// Counts the addresses without reading them.
    pub fn subscriber_count(&self) -> Result<u64> {
        self.tables.length(SUBSCRIBERS)
    }

    pub fn subscriber(&self, email: &str) -> Result<Option<Subscriber>> {
        let found = tables::record(self.tables, SUBSCRIBERS, email.as_bytes())?;
        Ok(found.map(as_known))
    }
}

impl Writer<'_> {
    pub fn put_subscriber(&mut self, subscriber: &Subscriber) -> Result<()> {
        let key = subscriber.email.as_bytes();
        tables::put(self.transaction, SUBSCRIBERS, key, subscriber)
    }

    pub fn remove_subscriber(&mut self, email: &str) -> Result<()> {
        self.remove_address(email)?;
        self.transaction
            .remove(SUBSCRIBERS, email.as_bytes())
            .map(drop)
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
