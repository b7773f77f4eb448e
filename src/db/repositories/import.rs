//! Writes imported items, trash and redirects, and merges another data file.

use crate::error::{Error, Result};
use crate::messages::{MISSING_PICTURE, SLUG_TAKEN};
use crate::repositories::items::{LIST_FULL, slug_of};
use crate::repositories::trash::TrashRow;
use crate::tables::{self, REDIRECTS, TRASH, collection_key};
use crate::{Reader, Trashed, Writer};
use respiro_content::FieldError;
use respiro_content::schema::ITEMS_PER_COLLECTION_MAX;
use respiro_content::{Collection, FULL_PATH, Item, stored_collections};

/// What was merged from another data file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportSummary {
    pub items: usize,
    pub pictures: usize,
    pub subscribers: usize,
    /// Addresses that existed and stay unchanged.
    pub known: usize,
}

impl Reader<'_> {
    /// Returns the former slugs of a collection, each with the item it redirects to.
    pub fn former_slugs(&self, collection: &Collection) -> Result<Vec<(String, String)>> {
        self.former_of(collection.number)
    }

    /// Returns the paths of another site, each with the item it redirects to.
    pub fn former_paths(&self) -> Result<Vec<(String, String)>> {
        self.former_of(FULL_PATH)
    }

    fn former_of(&self, collection_number: u8) -> Result<Vec<(String, String)>> {
        let rows = tables::records::<String>(self.tables, REDIRECTS, &[collection_number])?;
        let slug = |key: &[u8]| String::from_utf8_lossy(&key[1..]).into_owned();
        Ok(rows.into_iter().map(|(key, id)| (slug(&key), id)).collect())
    }
}

impl Writer<'_> {
    /// Stores an item unchanged, after the reference checks of a new one.
    pub fn import_item(&mut self, collection: &'static Collection, item: &Item) -> Result<()> {
        if self.slug_index(collection)?.item_count >= ITEMS_PER_COLLECTION_MAX {
            return Err(LIST_FULL);
        }
        let former = self.item(collection, &item.id)?;
        self.check_references(collection, item, former.as_ref())?;
        self.put_item(collection, item, former.as_ref())
    }

    pub fn import_trashed(&mut self, trashed: Trashed) -> Result<()> {
        let key = trashed.item.id.clone();
        let row = TrashRow {
            collection_number: trashed.collection.number,
            deleted_at: trashed.deleted_at,
            item: trashed.item,
        };
        tables::put(self.transaction, TRASH, key.as_bytes(), &row)
    }

    pub fn import_former_slug(
        &mut self,
        collection: &Collection,
        slug: &str,
        id: &str,
    ) -> Result<()> {
        let key = collection_key(collection.number, slug);
        tables::put(self.transaction, REDIRECTS, &key, &id.to_owned())
    }

    pub fn import_former_path(&mut self, path: &str, id: &str) -> Result<()> {
        let key = collection_key(FULL_PATH, path);
        tables::put(self.transaction, REDIRECTS, &key, &id.to_owned())
    }

    /// Merges the contents of another data file.
    pub fn adopt(&mut self, from: &Reader<'_>) -> Result<ImportSummary> {
        let mut adopted = ImportSummary::default();
        for picture in from.pictures()?.into_values() {
            let mut files = Vec::new();
            for (name, file) in &picture.files {
                let missing =
                    || Error::Storage(format!("a file of picture {} is missing", picture.id));
                let bytes = from.blob(&file.hash)?.ok_or_else(missing)?;
                files.push((name.clone(), file.media_type.clone(), bytes));
            }
            self.put_picture(picture, files)?;
            adopted.pictures += 1;
        }
        for collection in stored_collections() {
            adopted.items += self.adopt_items(collection, from.items(collection)?)?;
        }
        for (path, id) in from.former_paths()? {
            self.import_former_path(&path, &id)?;
        }
        for (id, schedule) in from.schedules()? {
            self.put_schedule(&id, &schedule)?;
        }
        for subscriber in from.subscribers()? {
            if self.subscriber(&subscriber.email)?.is_some() {
                adopted.known += 1;
                continue;
            }
            self.put_address_status(&from.address_status(&subscriber.email)?)?;
            self.put_subscriber(&subscriber)?;
            adopted.subscribers += 1;
        }
        Ok(adopted)
    }

    /// As `import_item`, at the end of the list.
    fn adopt_items(&mut self, collection: &'static Collection, items: Vec<Item>) -> Result<usize> {
        if items.is_empty() {
            return Ok(0);
        }
        let present = self.slug_index(collection)?.item_count;
        let count = items.len();
        if present + count > ITEMS_PER_COLLECTION_MAX {
            return Err(LIST_FULL);
        }
        for (place, mut item) in (present..).zip(items) {
            if let Some(slug) = slug_of(collection, &item)
                && self.slug_index(collection)?.contains(slug)
            {
                let message = format!("{SLUG_TAKEN}: {slug}");
                return Err(Error::Invalid(vec![FieldError::new("slug", message)]));
            }
            for id in item.picture_ids() {
                if self.picture(id)?.is_none() {
                    let error = FieldError::new("imageUrl", MISSING_PICTURE);
                    return Err(Error::Invalid(vec![error]));
                }
            }
            item.sort_order = i64::try_from(place).unwrap_or_default();
            let former = self.item(collection, &item.id)?;
            self.put_item(collection, &item, former.as_ref())?;
        }
        Ok(count)
    }
}
