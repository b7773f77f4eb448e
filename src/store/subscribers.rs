//! The addresses of the newsletter.

use super::tables::{self, SUBSCRIBERS};
use super::{Reader, Subscriber, Writer};
use crate::error::Result;

impl Reader<'_> {
    pub fn subscribers(&self) -> Result<Vec<Subscriber>> {
        let rows = tables::records(self.tables, SUBSCRIBERS, b"")?;
        Ok(rows.into_iter().map(|(_, subscriber)| subscriber).collect())
    }

    /// How many addresses there are, without looking at one.
    pub fn subscriber_count(&self) -> Result<u64> {
        self.tables.length(SUBSCRIBERS)
    }

    pub fn subscriber(&self, email: &str) -> Result<Option<Subscriber>> {
        tables::record(self.tables, SUBSCRIBERS, email.as_bytes())
    }
}

impl Writer<'_> {
    pub fn put_subscriber(&mut self, subscriber: &Subscriber) -> Result<()> {
        let key = subscriber.email.as_bytes();
        tables::put(self.transaction, SUBSCRIBERS, key, subscriber)
    }

    pub fn remove_subscriber(&mut self, email: &str) -> Result<()> {
        self.transaction
            .remove(SUBSCRIBERS, email.as_bytes())
            .map(drop)
    }
}
