//! Deleted items, which can be restored until retention removes them.

use super::Writable;
use crate::error::{Error, Result};
use crate::messages;
use crate::repositories::items::{self, slug_of};
use crate::tables::{self, TRASH};
use crate::{PublishSchedule, Reader};
use respiro_content::schema::{ITEMS_PER_COLLECTION_MAX, SORT_ORDER_MAX};
use respiro_content::validation::SLUG_CHARACTERS_MAX;
use respiro_content::{Collection, Item, Timestamp, Value, collection_by_number};
use std::collections::BTreeSet;

/// A stored row of the trash.
#[derive(Debug, bincode::Encode, bincode::Decode)]
pub(crate) struct TrashRow {
    pub collection_number: u8,
    pub deleted_at: Timestamp,
    pub item: Item,
}

/// An item in the trash.
#[derive(Debug, Clone)]
pub struct Trashed {
    pub collection: &'static Collection,
    pub item: Item,
    pub deleted_at: Timestamp,
}

/// Deleted items.
pub struct Trash<'a>(pub(super) Reader<'a>);

impl Trash<'_> {
    pub(crate) fn picture_ids(&self) -> Result<BTreeSet<String>> {
        let mut ids = BTreeSet::new();
        // Of unknown collections too.
        for (_, row) in tables::records::<TrashRow>(self.0.tables, TRASH, b"")? {
            ids.extend(row.item.picture_ids().map(str::to_owned));
        }
        Ok(ids)
    }

    /// Returns the trash, latest deletion first. Skips items of unknown collections.
    pub fn list(&self) -> Result<Vec<Trashed>> {
        let mut trash = Vec::new();
        for (_, row) in tables::records(self.0.tables, TRASH, b"")? {
            match trashed(row) {
                Ok(row) => trash.push(row),
                Err(error) => tables::log_skipped_row(&error.to_string()),
            }
        }
        trash.sort_by(|a, b| (b.deleted_at, &b.item.id).cmp(&(a.deleted_at, &a.item.id)));
        Ok(trash)
    }

    pub(crate) fn get(&self, id: &str) -> Result<Trashed> {
        match tables::record(self.0.tables, TRASH, id.as_bytes())? {
            Some(row) => trashed(row),
            None => Err(Error::NotFound),
        }
    }
}

impl Writable<'_, '_, Trash<'_>> {
    /// Restores an item, at the end of its list if its position is taken. Numbers a slug that is in
    /// use, so that a restore never fails for it. Drops the past part of its schedule: restoring
    /// publishes nothing.
    pub fn restore(&mut self, id: &str, now: Timestamp) -> Result<(&'static Collection, Item)> {
        let Trashed {
            collection,
            mut item,
            ..
        } = self.get(id)?;
        if self.writer.items().get(collection, id)?.is_some() {
            return Err(Error::Conflict(messages::LISTED_TOO));
        }
        self.writer.provenances().ensure_restorable(id)?;
        if self.writer.slug_index(collection)?.item_count >= ITEMS_PER_COLLECTION_MAX {
            return Err(items::LIST_FULL);
        }
        let places = self.writer.items().sort_numbers(collection)?;
        if places.contains(&item.sort_order) {
            let after = |last: &i64| (last + 1).min(SORT_ORDER_MAX);
            item.sort_order = places.last().map_or(0, after);
        }
        if let Some(field) = collection.slug_field()
            && let Some(slug) = slug_of(collection, &item)
            && self.writer.slug_index(collection)?.contains(slug)
        {
            let index = self.writer.slug_index(collection)?;
            let free = (2..=ITEMS_PER_COLLECTION_MAX + 2)
                .map(|number| numbered(slug, number))
                .find(|slug| !index.contains(slug));
            let value = Value::Text(free.unwrap_or_default());
            self.redirect_former_slug(collection, &item, slug)?;
            item.values.insert(field.name.to_owned(), value);
        }
        if let Some(plan) = self.writer.schedules().get(id)? {
            item.published &= plan.target_state(now) != Some(false);
            self.writer.schedules().put(id, &plan.remaining(now))?;
        }
        item.updated_at = now;
        self.writer.transaction.remove(TRASH, id.as_bytes())?;
        self.writer.sent_images().remove(id)?;
        self.writer.items().put(collection, &item, None)?;
        Ok((collection, item))
    }

    /// Redirects a slug that a restored item has lost, unless a published item has it: a draft does
    /// not own its path.
    fn redirect_former_slug(
        &mut self,
        collection: &Collection,
        item: &Item,
        slug: &str,
    ) -> Result<()> {
        let has_slug = |other: &Item| other.published && slug_of(collection, other) == Some(slug);
        if self.writer.items().list(collection)?.iter().any(has_slug) {
            return Ok(());
        }
        let slug = (slug, item.published);
        let mut redirects = self.writer.redirects();
        redirects.put_former_slug(collection, slug, &item.id)
    }

    /// Deletes for good, with the images that nothing else uses.
    pub fn purge(&mut self, id: &str) -> Result<()> {
        let trashed = self.get(id)?;
        self.purge_all(&[trashed])
    }

    pub fn empty(&mut self) -> Result<()> {
        let trash = self.list()?;
        self.purge_all(&trash)
    }

    pub(crate) fn purge_all(&mut self, entries: &[Trashed]) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut gone = BTreeSet::new();
        for entry in entries {
            let id = entry.item.id.as_str();
            self.writer.transaction.remove(TRASH, id.as_bytes())?;
            // A list may have the same item, in a file that another program filled.
            if self.writer.items().get(entry.collection, id)?.is_none() {
                self.writer.drafts().remove_of_item(entry.collection, id)?;
                self.writer.history().forget_item(entry.collection, id)?;
                gone.insert(id);
            }
        }
        for id in &gone {
            self.writer.campaigns().remove(id)?;
            self.writer.provenances().remove(id)?;
            self.writer.public_ids().remove(id)?;
            self.writer
                .schedules()
                .put(id, &PublishSchedule::default())?;
        }
        self.writer.redirects().remove_to(|id| gone.contains(id))?;
        let used = self.writer.pictures().used()?;
        for id in entries.iter().flat_map(|entry| entry.item.picture_ids()) {
            if !used.contains(id)
                && let Some(picture) = self.writer.pictures().get(id)?
            {
                self.writer.pictures().remove(&picture)?;
            }
        }
        Ok(())
    }

    pub fn put(&mut self, trashed: Trashed) -> Result<()> {
        let key = trashed.item.id.clone();
        let row = TrashRow {
            collection_number: trashed.collection.number,
            deleted_at: trashed.deleted_at,
            item: trashed.item,
        };
        tables::put(self.writer.transaction, TRASH, key.as_bytes(), &row)
    }
}

/// Appends a number and keeps the maximum length, which the form and an import enforce.
fn numbered(slug: &str, number: usize) -> String {
    let end = format!("-{number}");
    let kept = slug.get(..SLUG_CHARACTERS_MAX - end.len()).unwrap_or(slug);
    format!("{}{end}", kept.trim_end_matches('-'))
}

fn trashed(row: TrashRow) -> Result<Trashed> {
    let collection = collection_by_number(row.collection_number).ok_or_else(|| {
        Error::Storage(format!(
            "table trash, key {}: an item of the unknown collection {}",
            row.item.id, row.collection_number
        ))
    })?;
    Ok(Trashed {
        collection,
        item: row.item,
        deleted_at: row.deleted_at,
    })
}
