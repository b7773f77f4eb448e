//! Former addresses of items, and paths of another site.

use super::Writable;
use crate::Reader;
use crate::error::Result;
use crate::tables::{self, REDIRECTS, collection_key};
use respiro_content::{Collection, FULL_PATH, FormerAddress};

/// Former addresses, each with the item it redirects to.
pub struct Redirects<'a>(pub(super) Reader<'a>);

impl Redirects<'_> {
    /// Returns all of them.
    pub(crate) fn list(&self) -> Result<Vec<FormerAddress>> {
        let rows = tables::records::<String>(self.0.tables, REDIRECTS, b"")?;
        let former = rows.into_iter().filter_map(|(key, id)| {
            let (collection_number, slug) = key.split_first()?;
            Some(FormerAddress {
                collection_number: *collection_number,
                slug: String::from_utf8_lossy(slug).into_owned(),
                id,
            })
        });
        Ok(former.collect())
    }

    /// Returns the former slugs of a collection, each with the item it redirects to.
    pub fn slugs(&self, collection: &Collection) -> Result<Vec<(String, String)>> {
        self.former_of(collection.number)
    }

    /// Returns the paths of another site, each with the item it redirects to.
    pub fn paths(&self) -> Result<Vec<(String, String)>> {
        self.former_of(FULL_PATH)
    }

    fn former_of(&self, collection_number: u8) -> Result<Vec<(String, String)>> {
        let rows = tables::records::<String>(self.0.tables, REDIRECTS, &[collection_number])?;
        let slug = |key: &[u8]| String::from_utf8_lossy(&key[1..]).into_owned();
        Ok(rows.into_iter().map(|(key, id)| (slug(&key), id)).collect())
    }
}

impl Writable<'_, '_, Redirects<'_>> {
    pub fn put_slug(&mut self, collection: &Collection, slug: &str, id: &str) -> Result<()> {
        let key = collection_key(collection.number, slug);
        tables::put(self.writer.transaction, REDIRECTS, &key, &id.to_owned())
    }

    pub fn put_path(&mut self, path: &str, id: &str) -> Result<()> {
        let key = collection_key(FULL_PATH, path);
        tables::put(self.writer.transaction, REDIRECTS, &key, &id.to_owned())
    }
}
