//! Ids of published items in the feed and in calendars, and the id of the feed.

use super::Writable;
use crate::Reader;
use crate::error::Result;
use crate::tables::{self, META, PUBLIC_IDS};
use respiro_content::public_ids::days_of;
use respiro_content::{COLLECTIONS, Collection, Item, PublicIds, event_times, time};
use sha2::{Digest, Sha256};

/// Key of the feed's id in the table `meta`. While it is missing, ids were made of the public
/// address.
const FEED_KEY: &[u8] = b"feed_id";

/// Public ids by item id.
pub struct PublicIdTable<'a>(pub(super) Reader<'a>);

impl PublicIdTable<'_> {
    pub fn get(&self, id: &str) -> Result<Option<PublicIds>> {
        tables::readable_record(self.0.tables, PUBLIC_IDS, id.as_bytes())
    }

    pub fn list(&self) -> Result<Vec<(String, PublicIds)>> {
        let rows = tables::records(self.0.tables, PUBLIC_IDS, b"")?.into_iter();
        let id = |key: Vec<u8>| String::from_utf8_lossy(&key).into_owned();
        Ok(rows.map(|(key, ids)| (id(key), ids)).collect())
    }

    /// Returns the id of the feed; `None` until [`Writable::begin`].
    pub fn feed(&self) -> Result<Option<String>> {
        tables::readable_record(self.0.tables, META, FEED_KEY)
    }
}

impl Writable<'_, '_, PublicIdTable<'_>> {
    /// Keeps the ids of a file whose release made them of the public address, once. A file without
    /// items gets a new id for its feed.
    pub fn begin(&mut self, public_url: &str) -> Result<()> {
        if self.feed()?.is_some() {
            return Ok(());
        }
        let mut is_empty = true;
        for collection in COLLECTIONS.iter().filter(|kind| kind.page.is_some()) {
            let mut items = self.writer.items().list(collection)?;
            let trash = self.writer.trash().list()?.into_iter();
            let trash = trash.filter(|row| row.collection.number == collection.number);
            items.extend(trash.map(|row| row.item));
            is_empty &= items.is_empty();
            for item in items {
                if self.get(&item.id)?.is_none() {
                    let ids = PublicIds::of_address(public_url, &item.id, &days(collection, &item));
                    self.put(&item.id, &ids)?;
                }
            }
        }
        let feed = if is_empty {
            let secret = self.writer.secret()?;
            format!("urn:uuid:{}", uuid(&[b"feed", &secret]))
        } else {
            format!("{public_url}/feed.xml")
        };
        self.put_feed(&feed)
    }

    pub fn put(&mut self, id: &str, ids: &PublicIds) -> Result<()> {
        tables::put(self.writer.transaction, PUBLIC_IDS, id.as_bytes(), ids)
    }

    pub fn put_feed(&mut self, id: &str) -> Result<()> {
        let id = id.to_owned();
        tables::put(self.writer.transaction, META, FEED_KEY, &id)
    }

    /// Gives a published item its ids, and each of its dates. An item that was published before the
    /// ids were kept has none until `begin`.
    pub(crate) fn follow(
        &mut self,
        collection: &Collection,
        item: &Item,
        former: Option<&Item>,
    ) -> Result<()> {
        if collection.page.is_none() || !item.published {
            return Ok(());
        }
        let known = self.get(&item.id)?;
        if known.is_none() && former.is_some_and(|former| former.published) {
            return Ok(());
        }
        let mut ids = known.clone().unwrap_or_else(|| PublicIds {
            item: format!("urn:uuid:{}", uuid(&[item.id.as_bytes()])),
            dates: Vec::new(),
        });
        ids.follow(&days(collection, item), |day, number| {
            let number = number.to_string();
            uuid(&[item.id.as_bytes(), day.as_bytes(), number.as_bytes()])
        });
        match known {
            Some(known) if known == ids => Ok(()),
            _ => self.put(&item.id, &ids),
        }
    }

    pub(crate) fn remove(&mut self, id: &str) -> Result<()> {
        self.writer.transaction.remove(PUBLIC_IDS, id.as_bytes())?;
        Ok(())
    }

    /// Forgets all ids, for content of a site that made them of its address.
    pub fn forget_all(&mut self) -> Result<()> {
        for (id, _) in self.list()? {
            self.remove(&id)?;
        }
        self.writer.transaction.remove(META, FEED_KEY)?;
        Ok(())
    }
}

fn days(collection: &Collection, item: &Item) -> Vec<String> {
    if !collection.fields.iter().any(|field| field.name == "date") {
        return Vec::new();
    }
    let written = time::day(item.date_written_at());
    let Some(schedule) = event_times::read(item.text("date"), item.text("time"), written) else {
        return Vec::new();
    };
    let all = std::iter::once(&schedule.first).chain(&schedule.others);
    days_of(all.map(|one| one.start.as_str()))
}

/// Returns a UUID of version 8 (RFC 9562), a hash: an import makes the same ids of the same items.
fn uuid(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let hash: [u8; 32] = hash.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = crate::repositories::pictures::hex(&bytes);
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feed readers and calendars have stored these.
    #[test]
    fn golden_uuid() {
        let one = uuid(&[b"itemaaaaaaaaaaaaaaaaaaaaaa", b"2027-03-06", b"0"]);
        assert_eq!(one.len(), 36);
        assert_eq!(one.as_bytes()[14], b'8');
        assert_ne!(
            one,
            uuid(&[b"itemaaaaaaaaaaaaaaaaaaaaaa", b"2027-03-060", b""])
        );
    }
}
