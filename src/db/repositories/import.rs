//! Writes imported items, trash and redirects, and merges another data file.

use crate::error::{Error, Result};
use crate::messages::{MISSING_PICTURE, SLUG_TAKEN};
use crate::repositories::items::{LIST_FULL, slug_of};
use crate::{Reader, Writer};
use respiro_content::FieldError;
use respiro_content::schema::ITEMS_PER_COLLECTION_MAX;
use respiro_content::{Collection, Item, stored_collections};

/// What was merged from another data file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportSummary {
    pub items: usize,
    pub pictures: usize,
    pub subscribers: usize,
    /// Addresses that existed and stay unchanged.
    pub known: usize,
}

impl Writer<'_> {
    /// Merges the contents of another data file.
    pub fn adopt(&mut self, from: &Reader<'_>) -> Result<ImportSummary> {
        let mut adopted = ImportSummary::default();
        for picture in from.pictures().list()?.into_values() {
            let mut files = Vec::new();
            for (name, file) in &picture.files {
                let missing =
                    || Error::Storage(format!("a file of picture {} is missing", picture.id));
                let bytes = from.blobs().get(&file.hash)?.ok_or_else(missing)?;
                files.push((name.clone(), file.media_type.clone(), bytes));
            }
            self.pictures().put(picture, files)?;
            adopted.pictures += 1;
        }
        for collection in stored_collections() {
            adopted.items += self.adopt_items(collection, from.items().list(collection)?)?;
        }
        for (path, id) in from.redirects().paths()? {
            self.redirects().put_path(&path, &id)?;
        }
        for (id, schedule) in from.schedules().list()? {
            self.schedules().put(&id, &schedule)?;
        }
        for subscriber in from.subscribers().list()? {
            if self.subscribers().get(&subscriber.email)?.is_some() {
                adopted.known += 1;
                continue;
            }
            self.address_statuses()
                .put(&from.address_statuses().get(&subscriber.email)?)?;
            self.subscribers().put(&subscriber)?;
            adopted.subscribers += 1;
        }
        Ok(adopted)
    }

    /// As `import` of the items, at the end of the list.
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
                if self.pictures().get(id)?.is_none() {
                    let error = FieldError::new("imageUrl", MISSING_PICTURE);
                    return Err(Error::Invalid(vec![error]));
                }
            }
            item.sort_order = i64::try_from(place).unwrap_or_default();
            let former = self.items().get(collection, &item.id)?;
            self.items().put(collection, &item, former.as_ref())?;
        }
        Ok(count)
    }
}
