//! Items of all collections: reading, changing, ordering.

use super::Writable;
use crate::error::{Error, Result};
use crate::messages;
use crate::repositories::history::{State, Thing, is_recorded};
use crate::tables::{self, ITEMS, collection_key};
use crate::{Reader, Trashed};
use respiro_content::FieldError;
use respiro_content::blocks::BlockDefinitions;
use respiro_content::item::sort;
use respiro_content::schema::{ITEM_BYTES_MAX, ITEMS_PER_COLLECTION_MAX};
use respiro_content::value::PICTURES_OF_TEXT;
use respiro_content::{COLLECTIONS, Changes, Collection, Entry, Item, Snapshot};
use respiro_content::{Timestamp, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) const LIST_FULL: Error = Error::Conflict(messages::LIST_FULL);
const ORDER_DIFFERS: Error = Error::Conflict(messages::ORDER_DIFFERS);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
    /// To this position, counted from 0, or to the end of a shorter list.
    To(usize),
}

/// What a transaction changed of the published content.
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    /// Ids of changed, new and removed items by collection number.
    pub items: BTreeMap<u8, BTreeSet<String>>,
    /// Settings and flags that every page may show.
    pub site: bool,
    /// Ids of content blocks.
    pub words: BTreeSet<String>,
    /// A redirect was added, changed or removed.
    pub redirects: bool,
    /// Everything: a published image was replaced.
    pub all: bool,
}

impl ChangeSet {
    pub fn is_empty(&self) -> bool {
        let is_same = !self.site && !self.redirects && !self.all;
        self.items.is_empty() && self.words.is_empty() && is_same
    }

    pub(crate) fn item(&mut self, collection: &Collection, id: &str) {
        let ids = self.items.entry(collection.number).or_default();
        ids.insert(id.to_owned());
    }
}

/// Items of all collections.
pub struct Items<'a>(pub(super) Reader<'a>);

impl Items<'_> {
    /// Returns all items of a collection, drafts included, in list order.
    pub fn list(&self, collection: &Collection) -> Result<Vec<Item>> {
        let rows = tables::records(self.0.tables, ITEMS, &[collection.number])?;
        let mut items: Vec<Item> = rows.into_iter().map(|(_, item)| item).collect();
        sort(&mut items);
        Ok(items)
    }

    /// Returns `None` for an item whose row does not decode, too.
    pub fn get(&self, collection: &Collection, id: &str) -> Result<Option<Item>> {
        tables::readable_record(self.0.tables, ITEMS, &collection_key(collection.number, id))
    }

    /// Returns the sort numbers of a collection.
    pub(crate) fn sort_numbers(&self, collection: &Collection) -> Result<BTreeSet<i64>> {
        let mut places = BTreeSet::new();
        self.0
            .tables
            .scan(ITEMS, &[collection.number], &mut |key, bytes| {
                let item = tables::decode_or_log::<Item>(ITEMS, key, bytes);
                places.extend(item.map(|item| item.sort_order));
                Ok(())
            })?;
        Ok(places)
    }

    pub(crate) fn list_all(&self) -> Result<Vec<Item>> {
        let rows = tables::records(self.0.tables, ITEMS, b"")?;
        Ok(rows.into_iter().map(|(_, item)| item).collect())
    }

    /// Returns an item with its images, as pages show it.
    pub fn entry(&self, collection: &Collection, item: Item) -> Result<Entry> {
        let pictures = self.0.pictures().find(item.picture_ids())?;
        let mut entry = Entry::new(collection, item, pictures);
        if collection.page.is_some() {
            entry.public_ids = self.0.public_ids().get(&entry.id)?;
        }
        Ok(entry)
    }
}

impl Writable<'_, '_, Items<'_>> {
    /// Fails with field errors if an image does not exist or the slug is taken, with a conflict if
    /// the collection is full.
    pub fn create(
        &mut self,
        collection: &'static Collection,
        changes: Changes,
        id: String,
        now: Timestamp,
    ) -> Result<Item> {
        let length = self.writer.slug_index(collection)?.item_count;
        if length >= ITEMS_PER_COLLECTION_MAX {
            return Err(LIST_FULL);
        }
        if self.get(collection, &id)?.is_some() {
            return Err(Error::Internal(format!("the id {id} is in use")));
        }
        let item = Item::create(collection, changes, id, length, now)?;
        self.check_references(collection, &item, None)?;
        self.put(collection, &item, None)?;
        Ok(item)
    }

    /// Fails if there is no such item, else as `create`.
    pub fn update(
        &mut self,
        collection: &'static Collection,
        id: &str,
        changes: Changes,
        now: Timestamp,
    ) -> Result<Item> {
        let former = self.get(collection, id)?.ok_or(Error::NotFound)?;
        self.writer.campaigns().ensure_editable(id)?;
        let mut item = former.clone();
        item.merge(collection, changes, now)?;
        self.replace(collection, &former, item)
    }

    /// Returns an item to a former state, from the trash too, at its present position. Fails as
    /// `update`.
    pub fn put_back(
        &mut self,
        collection: &'static Collection,
        state: &Item,
        now: Timestamp,
    ) -> Result<Item> {
        let former = match self.get(collection, &state.id)? {
            Some(former) => former,
            None => self.writer.trash().restore(&state.id, now)?.1,
        };
        let item = Item {
            sort_order: former.sort_order,
            updated_at: now,
            ..state.clone()
        };
        self.replace(collection, &former, item)
    }

    /// Replaces an item, and redirects its former slug.
    fn replace(
        &mut self,
        collection: &'static Collection,
        former: &Item,
        item: Item,
    ) -> Result<Item> {
        self.check_references(collection, &item, Some(former))?;
        if let Some(slug) = slug_of(collection, former)
            && slug_of(collection, &item) != Some(slug)
        {
            let slug = (slug, former.published);
            let mut redirects = self.writer.redirects();
            redirects.put_former_slug(collection, slug, &item.id)?;
        }
        if former.published {
            self.writer.touched.item(collection, &item.id);
        }
        self.put(collection, &item, Some(former))?;
        Ok(item)
    }

    /// Moves an item and renumbers the list. Changes nothing at the end of the list.
    pub fn reposition(
        &mut self,
        collection: &'static Collection,
        id: &str,
        direction: Direction,
        now: Timestamp,
    ) -> Result<Item> {
        let list = self.list(collection)?;
        let from = list
            .iter()
            .position(|item| item.id == id)
            .ok_or(Error::NotFound)?;
        let to = match direction {
            Direction::Up => from.checked_sub(1),
            Direction::Down => Some(from + 1).filter(|to| *to < list.len()),
            Direction::To(place) => Some(place.min(list.len() - 1)).filter(|to| *to != from),
        };
        let Some(to) = to else {
            return Ok(list[from].clone());
        };
        let mut order: Vec<usize> = (0..list.len()).collect();
        let moved = order.remove(from);
        order.insert(to, moved);
        let mut moved = self.renumber(collection, &list, &order, now)?;
        Ok(moved.swap_remove(to))
    }

    /// Sets the whole order. Fails with a conflict unless `ids` are exactly those of the list.
    pub fn reorder(
        &mut self,
        collection: &'static Collection,
        ids: &[String],
        now: Timestamp,
    ) -> Result<Vec<Item>> {
        let list = self.list(collection)?;
        if ids.len() != list.len() {
            return Err(ORDER_DIFFERS);
        }
        let mut places: BTreeMap<&str, usize> = list
            .iter()
            .enumerate()
            .map(|(place, item)| (item.id.as_str(), place))
            .collect();
        // Removing each position also refuses duplicate ids.
        let order: Option<Vec<usize>> = ids.iter().map(|id| places.remove(id.as_str())).collect();
        self.renumber(collection, &list, &order.ok_or(ORDER_DIFFERS)?, now)
    }

    /// Renumbers `list` in the order of the positions in `order`. Only items with a new position
    /// count as updated; only changed rows are written.
    fn renumber(
        &mut self,
        collection: &'static Collection,
        list: &[Item],
        order: &[usize],
        now: Timestamp,
    ) -> Result<Vec<Item>> {
        if is_recorded(collection) && !order.is_sorted() {
            let before = list.iter().map(|item| item.id.clone()).collect();
            let mut history = self.writer.history();
            history.record(&Thing::Order(collection), State::Order(before))?;
        }
        let mut ordered = Vec::with_capacity(order.len());
        for (place, (former, sort_order)) in order.iter().zip(0_i64..).enumerate() {
            let mut item = list[*former].clone();
            item.sort_order = sort_order;
            if place != *former {
                item.updated_at = now;
            }
            if item != list[*former] {
                self.put(collection, &item, Some(&list[*former]))?;
            }
            ordered.push(item);
        }
        Ok(ordered)
    }

    /// Replaces the row `former`. The only place that decides whether pages change.
    pub(crate) fn put(
        &mut self,
        collection: &'static Collection,
        item: &Item,
        former: Option<&Item>,
    ) -> Result<()> {
        if let Some(slug) = slug_of(collection, item).filter(|_| item.published) {
            // A published item wins over a redirect; a draft may never be published.
            self.writer.redirects().remove_slug(collection, slug)?;
        }
        if item.published {
            self.writer.touched.item(collection, &item.id);
        }
        self.writer
            .provenances()
            .sync_review(&item.id, item.published.then_some(item.updated_at))?;
        self.writer.public_ids().follow(collection, item, former)?;
        self.record(collection, item, former)?;
        let key = collection_key(collection.number, &item.id);
        let row = tables::encode(item)?;
        self.check_total_bytes(&key, row.len() as u64)?;
        self.writer.transaction.put(ITEMS, &key, &row)?;
        self.writer
            .update_slug_index(collection, former, Some(item));
        Ok(())
    }

    /// Records the replaced state, unless only the position differs: `renumber` records the order.
    fn record(
        &mut self,
        collection: &'static Collection,
        item: &Item,
        former: Option<&Item>,
    ) -> Result<()> {
        let moved = former.map(|former| Item {
            sort_order: item.sort_order,
            updated_at: item.updated_at,
            ..former.clone()
        });
        if !is_recorded(collection) || moved.as_ref() == Some(item) {
            return Ok(());
        }
        let before = former.cloned().map_or(State::Absent, State::Item);
        let thing = Thing::Item(collection, item.id.clone());
        self.writer.history().record(&thing, before)
    }

    /// Fails if the row `key` grows to `fresh` bytes and all items then take more than fits in
    /// memory. A file above the limit, of an earlier release, can still be shortened.
    fn check_total_bytes(&mut self, key: &[u8], fresh: u64) -> Result<()> {
        let total = self.total_bytes()?;
        let former = self.writer.tables.get(ITEMS, key)?;
        let former = former.map_or(0, |row| row.len() as u64);
        let after = (total + fresh).saturating_sub(former);
        if fresh > former && after > ITEM_BYTES_MAX {
            return Err(Error::Conflict(messages::ITEMS_TOO_LARGE));
        }
        self.writer.item_bytes = Some(after);
        Ok(())
    }

    fn total_bytes(&self) -> Result<u64> {
        if let Some(known) = self.writer.item_bytes {
            return Ok(known);
        }
        let mut total = 0;
        self.writer.tables.scan(ITEMS, b"", &mut |_, row| {
            total += row.len() as u64;
            Ok(())
        })?;
        Ok(total)
    }

    /// Fails unless every image exists and the slug is unique. An unchanged slug was checked
    /// before.
    pub(crate) fn check_references(
        &mut self,
        collection: &Collection,
        item: &Item,
        former: Option<&Item>,
    ) -> Result<()> {
        let mut errors = Vec::new();
        for (name, value) in &item.values {
            let field = name.strip_suffix(PICTURES_OF_TEXT).unwrap_or(name);
            for id in value.picture_ids() {
                if self.writer.pictures().get(id)?.is_none() {
                    errors.push(FieldError::new(field, missing_picture(value)));
                    break;
                }
            }
        }
        if let Some(field) = collection.slug_field()
            && let Some(slug) = item.text(field.name)
            && former.and_then(|former| former.text(field.name)) != Some(slug)
            && self.writer.slug_index(collection)?.contains(slug)
        {
            errors.push(FieldError::new(field.name, messages::SLUG_TAKEN));
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(errors))
        }
    }

    /// Moves the item to the trash.
    pub fn delete(
        &mut self,
        collection: &'static Collection,
        id: &str,
        now: Timestamp,
    ) -> Result<()> {
        let item = self.get(collection, id)?.ok_or(Error::NotFound)?;
        self.writer.campaigns().ensure_deletable(id)?;
        if item.published {
            self.writer.touched.item(collection, id);
        }
        self.writer.provenances().sync_review(id, None)?;
        self.writer.sent_images().retain(collection, &item)?;
        if is_recorded(collection) {
            let thing = Thing::Item(collection, id.to_owned());
            let before = State::Item(item.clone());
            self.writer.history().record(&thing, before)?;
        }
        self.writer
            .transaction
            .remove(ITEMS, &collection_key(collection.number, id))?;
        self.writer.item_bytes = None;
        self.writer.update_slug_index(collection, Some(&item), None);
        self.writer.trash().put(Trashed {
            collection,
            item,
            deleted_at: now,
        })
    }

    /// Stores an item unchanged, after the reference checks of a new one.
    pub fn import(&mut self, collection: &'static Collection, item: &Item) -> Result<()> {
        let former = self.get(collection, &item.id)?;
        let is_full = self.writer.slug_index(collection)?.item_count >= ITEMS_PER_COLLECTION_MAX;
        if is_full && former.is_none() {
            return Err(LIST_FULL);
        }
        self.check_references(collection, item, former.as_ref())?;
        self.put(collection, item, former.as_ref())
    }
}

impl Reader<'_> {
    /// Returns the published content with its images and redirects.
    pub fn snapshot(
        &self,
        public_url: &str,
        definitions: &'static BlockDefinitions,
    ) -> Result<Snapshot> {
        let mut snapshot = Snapshot {
            public_url: public_url.to_owned(),
            redirects: Arc::new(self.redirects().list()?),
            block_definitions: Some(definitions),
            ..Snapshot::default()
        };
        self.read_site(&mut snapshot)?;
        snapshot.blocks = self.content_blocks().list_published(definitions)?;
        for collection in COLLECTIONS {
            let mut entries = BTreeMap::new();
            for (_, item) in tables::records::<Item>(self.tables, ITEMS, &[collection.number])? {
                if item.published {
                    entries.insert(item.id.clone(), Some(self.items().entry(collection, item)?));
                }
            }
            snapshot.apply(collection, entries);
        }
        Ok(snapshot)
    }

    /// Returns `former` with the changes in `touched`; reads only those.
    pub fn snapshot_after(
        &self,
        former: &Snapshot,
        touched: &ChangeSet,
        definitions: &'static BlockDefinitions,
    ) -> Result<Snapshot> {
        if touched.all {
            return self.snapshot(&former.public_url, definitions);
        }
        let mut snapshot = former.clone();
        if touched.site {
            self.read_site(&mut snapshot)?;
        }
        for id in &touched.words {
            match self.content_blocks().published(id, definitions)? {
                Some(shown) => snapshot.blocks.insert(id.clone(), Arc::new(shown)),
                None => snapshot.blocks.remove(id),
            };
        }
        for collection in COLLECTIONS {
            let Some(ids) = touched.items.get(&collection.number) else {
                continue;
            };
            let mut entries = BTreeMap::new();
            for id in ids {
                let item = self
                    .items()
                    .get(collection, id)?
                    .filter(|item| item.published);
                let entry = item
                    .map(|item| self.items().entry(collection, item))
                    .transpose()?;
                entries.insert(id.clone(), entry);
            }
            snapshot.apply(collection, entries);
        }
        if touched.redirects {
            snapshot.redirects = Arc::new(self.redirects().list()?);
        }
        Ok(snapshot)
    }

    fn read_site(&self, snapshot: &mut Snapshot) -> Result<()> {
        snapshot.demo = self.is_demo()?;
        snapshot.counts_visits = self.page_views().uncounted_since()?.is_none();
        snapshot.has_requested_testimonials = self.provenances().has_published_solicited()?;
        snapshot.copies_elsewhere = self.has_copies_elsewhere()?;
        snapshot.feed_id = self.public_ids().feed()?;
        snapshot.settings = self.settings().get()?;
        snapshot.pictures = self.pictures().find(snapshot.settings.picture_ids())?;
        Ok(())
    }
}

fn missing_picture(value: &Value) -> &'static str {
    match value {
        Value::Pictures(_) => messages::MISSING_IN_TEXT,
        _ => messages::MISSING_PICTURE,
    }
}

pub(crate) fn slug_of<'a>(collection: &Collection, item: &'a Item) -> Option<&'a str> {
    item.text(collection.slug_field()?.name)
}
