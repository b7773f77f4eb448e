//! How many items a kind has and which slugs they use: what a new item is checked against.
//!
//! Read whole by the first transaction that asks after a start, carried on by all that follow:
//! each new item once cost as much as there were others.

use super::items::slug_of;
use super::tables::{self, ITEMS};
use super::{Reader, Writer};
use crate::content::{Item, Kind};
use crate::error::Result;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// What is known, by the number of the kind. Goes from transaction to transaction; one that is
/// undone takes what it has changed with it.
#[derive(Debug, Default)]
pub(super) struct Lists {
    by_kind: BTreeMap<u8, List>,
    pub(super) is_changed: bool,
}

#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) length: usize,
    /// How many items use each: one, in a file that is whole.
    slugs: HashMap<String, usize>,
}

impl List {
    fn read(reader: &Reader<'_>, kind: &Kind) -> Result<Self> {
        let mut list = Self::default();
        reader
            .tables
            .scan(ITEMS, &[kind.number], &mut |key, bytes| {
                if kind.slug_field().is_some() {
                    list.add(kind, &tables::decode(ITEMS, key, bytes)?);
                } else {
                    list.length += 1;
                }
                Ok(())
            })?;
        Ok(list)
    }

    /// Whether an item has this slug.
    pub(super) fn uses(&self, slug: &str) -> bool {
        self.slugs.contains_key(slug)
    }

    fn add(&mut self, kind: &Kind, item: &Item) {
        self.length += 1;
        if let Some(slug) = slug_of(kind, item) {
            *self.slugs.entry(slug.to_owned()).or_default() += 1;
        }
    }

    fn remove(&mut self, kind: &Kind, item: &Item) {
        self.length = self.length.saturating_sub(1);
        if let Some(slug) = slug_of(kind, item)
            && let Some(count) = self.slugs.get_mut(slug)
        {
            *count -= 1;
            if *count == 0 {
                self.slugs.remove(slug);
            }
        }
    }
}

impl Writer<'_> {
    /// The kind's list as this transaction sees it.
    pub(super) fn list(&mut self, kind: &Kind) -> Result<&List> {
        match self.lists.by_kind.entry(kind.number) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(List::read(&self.reader, kind)?)),
        }
    }

    /// One item in the place of its former self. What nobody has asked for is not carried on.
    pub(super) fn relist(&mut self, kind: &Kind, former: Option<&Item>, item: Option<&Item>) {
        let Some(list) = self.lists.by_kind.get_mut(&kind.number) else {
            return;
        };
        if let Some(former) = former {
            list.remove(kind, former);
        }
        if let Some(item) = item {
            list.add(kind, item);
        }
        self.lists.is_changed = true;
    }
}
