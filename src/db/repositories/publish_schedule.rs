//! Scheduled publication and withdrawal of items.

use super::Writable;
use crate::Reader;
use crate::clock::TrustedTime;
use crate::error::Result;
use crate::tables::{self, ITEMS, PLANS, TRASH, collection_key};
use respiro_content::{Timestamp, collection_by_number};

/// When an item is published and withdrawn, keyed by the item's id.
#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct PublishSchedule {
    pub collection_number: u8,
    pub publish_at: Option<Timestamp>,
    pub withdraw_at: Option<Timestamp>,
}

impl PublishSchedule {
    /// Returns whether the item is to be public now; `None` if nothing is due.
    pub(crate) fn target_state(&self, now: Timestamp) -> Option<bool> {
        let past = |at: Option<Timestamp>| at.filter(|at| *at <= now);
        let (publish, withdraw) = (past(self.publish_at), past(self.withdraw_at));
        // If both are due, after a longer stop of the program, the later one counts.
        (publish.is_some() || withdraw.is_some()).then_some(publish > withdraw)
    }

    pub(crate) fn remaining(mut self, now: Timestamp) -> Self {
        self.publish_at = self.publish_at.filter(|at| *at > now);
        self.withdraw_at = self.withdraw_at.filter(|at| *at > now);
        self
    }
}

/// Scheduled publication and withdrawal of items.
pub struct PublishSchedules<'a>(pub(super) Reader<'a>);

impl PublishSchedules<'_> {
    pub fn get(&self, id: &str) -> Result<Option<PublishSchedule>> {
        tables::record(self.0.tables, PLANS, id.as_bytes())
    }

    pub fn list(&self) -> Result<Vec<(String, PublishSchedule)>> {
        let rows = tables::records(self.0.tables, PLANS, b"")?.into_iter();
        let id = |key: Vec<u8>| String::from_utf8_lossy(&key).into_owned();
        Ok(rows.map(|(key, plan)| (id(key), plan)).collect())
    }

    /// Returns whether a schedule is due. Items in the trash do not count: they would stay due
    /// until they are removed.
    pub fn has_due(&self, now: Timestamp) -> Result<bool> {
        for (id, plan) in self.list()? {
            let is_due = plan.target_state(now).is_some() && !self.is_unreadable(&id, &plan)?;
            if is_due && self.0.tables.get(TRASH, id.as_bytes())?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether the item exists but cannot be read: it keeps its schedule.
    fn is_unreadable(&self, id: &str, plan: &PublishSchedule) -> Result<bool> {
        let Some(collection) = collection_by_number(plan.collection_number) else {
            return Ok(true);
        };
        let row = (self.0.tables).get(ITEMS, &collection_key(collection.number, id))?;
        Ok(row.is_some() && self.0.items().get(collection, id)?.is_none())
    }
}

impl Writable<'_, '_, PublishSchedules<'_>> {
    /// Stores a schedule; removes an empty one.
    pub fn put(&mut self, id: &str, plan: &PublishSchedule) -> Result<()> {
        if plan.publish_at.is_none() && plan.withdraw_at.is_none() {
            return self
                .writer
                .transaction
                .remove(PLANS, id.as_bytes())
                .map(drop);
        }
        tables::put(self.writer.transaction, PLANS, id.as_bytes(), plan)
    }

    /// Publishes and withdraws items that are due and returns their number. Items in the trash keep
    /// their schedule until they are restored or removed.
    pub fn apply_due(&mut self, now: &TrustedTime) -> Result<usize> {
        let now = now.at();
        let mut done = 0;
        for (id, plan) in self.list()? {
            let Some(published) = plan.target_state(now) else {
                continue;
            };
            let Some(collection) = collection_by_number(plan.collection_number) else {
                continue;
            };
            if self.is_unreadable(&id, &plan)? {
                continue;
            }
            if let Some(former) = self.writer.items().get(collection, &id)? {
                if former.published != published {
                    self.writer.touched.item(collection, &id);
                    let mut item = former.clone();
                    item.published = published;
                    item.updated_at = now;
                    self.writer.items().put(collection, &item, Some(&former))?;
                    done += 1;
                }
            } else if self.writer.trash().get(&id).is_ok() {
                continue;
            }
            self.put(&id, &plan.remaining(now))?;
        }
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_moments_that_have_passed_the_later_one_counts() {
        let plan = |publish_at, withdraw_at| PublishSchedule {
            collection_number: 5,
            publish_at,
            withdraw_at,
        };
        assert_eq!(plan(Some(5), None).target_state(4), None);
        assert_eq!(plan(Some(5), None).target_state(5), Some(true));
        assert_eq!(plan(Some(5), Some(9)).target_state(6), Some(true));
        assert_eq!(plan(Some(5), Some(9)).target_state(10), Some(false));
        assert_eq!(plan(Some(9), Some(5)).target_state(10), Some(true));
        assert_eq!(plan(Some(5), Some(9)).remaining(6), plan(None, Some(9)));
    }
}
