//! Deleted items, which can be restored until retention removes them.

use crate::error::{Error, Result};
use crate::repositories::items::{self, slug_of};
use crate::tables::{self, ITEMS, REDIRECTS, TRASH, collection_key};
use crate::{PublishSchedule, Reader, Writer};
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

impl Reader<'_> {
    /// Returns the trash, latest deletion first.
    pub fn trash(&self) -> Result<Vec<Trashed>> {
        let mut trash = Vec::new();
        for (_, row) in tables::records(self.tables, TRASH, b"")? {
            trash.push(trashed(row)?);
        }
        trash.sort_by(|a, b| (b.deleted_at, &b.item.id).cmp(&(a.deleted_at, &a.item.id)));
        Ok(trash)
    }

    pub(crate) fn trashed_item(&self, id: &str) -> Result<Trashed> {
        match tables::record(self.tables, TRASH, id.as_bytes())? {
            Some(row) => trashed(row),
            None => Err(Error::NotFound),
        }
    }
}

impl Writer<'_> {
    /// Moves the item to the trash.
    pub fn delete_item(
        &mut self,
        collection: &'static Collection,
        id: &str,
        now: Timestamp,
    ) -> Result<()> {
        let item = self.item(collection, id)?.ok_or(Error::NotFound)?;
        self.ensure_deletable(id)?;
        if item.published {
            self.touched.item(collection, id);
        }
        self.sync_testimonial_review(id, None)?;
        self.retain_sent_images(collection, &item)?;
        self.transaction
            .remove(ITEMS, &collection_key(collection.number, id))?;
        self.update_slug_index(collection, Some(&item), None);
        let row = TrashRow {
            collection_number: collection.number,
            deleted_at: now,
            item,
        };
        tables::put(self.transaction, TRASH, id.as_bytes(), &row)
    }

    /// Restores an item, at the end of its list if its position is taken. Numbers a slug that is in
    /// use, so that a restore never fails for it. Drops the past part of its schedule: restoring
    /// publishes nothing.
    pub fn restore_item(
        &mut self,
        id: &str,
        now: Timestamp,
    ) -> Result<(&'static Collection, Item)> {
        let Trashed {
            collection,
            mut item,
            ..
        } = self.trashed_item(id)?;
        self.check_not_withdrawn(id)?;
        if self.slug_index(collection)?.item_count >= ITEMS_PER_COLLECTION_MAX {
            return Err(items::LIST_FULL);
        }
        let places = self.places(collection)?;
        if places.contains(&item.sort_order) {
            let after = |last: &i64| (last + 1).min(SORT_ORDER_MAX);
            item.sort_order = places.last().map_or(0, after);
        }
        if let Some(field) = collection.slug_field()
            && let Some(slug) = slug_of(collection, &item)
            && self.slug_index(collection)?.contains(slug)
        {
            let index = self.slug_index(collection)?;
            let free = (2..=ITEMS_PER_COLLECTION_MAX + 2)
                .map(|number| numbered(slug, number))
                .find(|slug| !index.contains(slug));
            let value = Value::Text(free.unwrap_or_default());
            item.values.insert(field.name.to_owned(), value);
        }
        if let Some(plan) = self.schedule(id)? {
            item.published &= plan.target_state(now) != Some(false);
            self.put_schedule(id, &plan.remaining(now))?;
        }
        item.updated_at = now;
        self.transaction.remove(TRASH, id.as_bytes())?;
        self.remove_sent_images(id)?;
        self.put_item(collection, &item, None)?;
        Ok((collection, item))
    }

    /// Deletes for good, with the images that nothing else uses.
    pub fn purge_item(&mut self, id: &str) -> Result<()> {
        let trashed = self.trashed_item(id)?;
        self.purge(&[trashed])
    }

    pub fn empty_trash(&mut self) -> Result<()> {
        let trash = self.trash()?;
        self.purge(&trash)
    }

    pub(crate) fn purge(&mut self, entries: &[Trashed]) -> Result<()> {
        let gone: BTreeSet<&str> = entries.iter().map(|entry| entry.item.id.as_str()).collect();
        for id in &gone {
            self.transaction.remove(TRASH, id.as_bytes())?;
            self.remove_campaign(id)?;
            self.remove_provenance(id)?;
            self.put_schedule(id, &PublishSchedule::default())?;
        }
        for (key, id) in tables::records::<String>(self.tables, REDIRECTS, b"")? {
            if gone.contains(id.as_str()) {
                self.transaction.remove(REDIRECTS, &key)?;
            }
        }
        let mut used = self.live_picture_ids()?;
        used.extend(self.trashed_picture_ids()?);
        for id in entries.iter().flat_map(|entry| entry.item.picture_ids()) {
            if !used.contains(id)
                && let Some(picture) = self.picture(id)?
            {
                self.remove_picture(&picture)?;
            }
        }
        Ok(())
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
            "an item of unknown kind {} in the trash",
            row.collection_number
        ))
    })?;
    Ok(Trashed {
        collection,
        item: row.item,
        deleted_at: row.deleted_at,
    })
}
