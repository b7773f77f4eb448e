//! What an import writes: items as they were, the trash, former addresses.

use super::items::LIST_FULL;
use super::tables::{self, ITEMS, REDIRECTS, TRASH, kind_key};
use super::trash::TrashRow;
use super::{Reader, Trashed, Writer};
use crate::content::kind::ITEMS_PER_KIND_MAX;
use crate::content::{Item, Kind};
use crate::error::Result;

impl Reader<'_> {
    /// Former slugs of a kind's items, each with the id of the item it leads to.
    pub fn former_slugs(&self, kind: &Kind) -> Result<Vec<(String, String)>> {
        let rows = tables::records::<String>(self.tables, REDIRECTS, &[kind.number])?;
        let slug = |key: &[u8]| String::from_utf8_lossy(&key[1..]).into_owned();
        Ok(rows.into_iter().map(|(key, id)| (slug(&key), id)).collect())
    }
}

impl Writer<'_> {
    /// Puts an item as it was elsewhere. Its references are checked as a new one's.
    pub fn import_item(&mut self, kind: &'static Kind, item: &Item) -> Result<()> {
        if tables::count(self.tables, ITEMS, &[kind.number])? >= ITEMS_PER_KIND_MAX as u64 {
            return Err(LIST_FULL);
        }
        self.check_references(kind, item, None)?;
        self.put_item(kind, item)
    }

    pub fn import_trashed(&mut self, trashed: Trashed) -> Result<()> {
        let key = trashed.item.id.clone();
        let row = TrashRow {
            kind_number: trashed.kind.number,
            deleted_at: trashed.deleted_at,
            item: trashed.item,
        };
        tables::put(self.transaction, TRASH, key.as_bytes(), &row)
    }

    pub fn import_former_slug(&mut self, kind: &Kind, slug: &str, id: &str) -> Result<()> {
        let key = kind_key(kind.number, slug);
        tables::put(self.transaction, REDIRECTS, &key, &id.to_owned())
    }
}
