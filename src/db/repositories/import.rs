//! Writes imported items, trash and redirects, and merges another data file.

use crate::error::{Error, Result};
use crate::messages::{MISSING_PICTURE, SLUG_TAKEN};
use crate::repositories::items::{LIST_FULL, slug_of};
use crate::{AddressStatus, Reader, Subscriber, Writer};
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
        let mut adopted = ImportSummary {
            pictures: self.adopt_pictures(from)?,
            ..ImportSummary::default()
        };
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
            let status = from.address_statuses().get(&subscriber.email)?;
            if self.import_subscriber(&subscriber, &status)? {
                adopted.subscribers += 1;
            } else {
                adopted.known += 1;
            }
        }
        Ok(adopted)
    }

    /// Copies the pictures of another data file. Returns their number.
    pub fn adopt_pictures(&mut self, from: &Reader<'_>) -> Result<usize> {
        let pictures = from.pictures().list()?;
        let count = pictures.len();
        for picture in pictures.into_values() {
            let mut files = Vec::new();
            for (name, file) in &picture.files {
                let missing =
                    || Error::Storage(format!("a file of picture {} is missing", picture.id));
                let bytes = from.blobs().get(&file.hash)?.ok_or_else(missing)?;
                files.push((name.clone(), file.media_type.clone(), bytes));
            }
            self.pictures().put(picture, files)?;
        }
        Ok(count)
    }

    /// Stores a subscriber, unless the address is known: who unsubscribed here stays unsubscribed.
    /// Returns whether it was stored.
    pub fn import_subscriber(
        &mut self,
        subscriber: &Subscriber,
        status: &AddressStatus,
    ) -> Result<bool> {
        if self.subscribers().get(&subscriber.email)?.is_some() {
            return Ok(false);
        }
        self.address_statuses().put(status)?;
        self.subscribers().put(subscriber)?;
        Ok(true)
    }

    /// As `import` of the items, at the end of the list.
    fn adopt_items(&mut self, collection: &'static Collection, items: Vec<Item>) -> Result<usize> {
        if items.is_empty() {
            return Ok(0);
        }
        let present = self.slug_index(collection)?.item_count;
        let count = items.len();
        let mut replaced = 0;
        for item in &items {
            replaced += usize::from(self.items().get(collection, &item.id)?.is_some());
        }
        if present + count - replaced > ITEMS_PER_COLLECTION_MAX {
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
