//! Pictures of newsletters that went out and were deleted since: whoever keeps such a mail sees
//! them in it, until the practitioner says otherwise.

use crate::error::Result;
use crate::tables::{self, MAILED};
use crate::{Reader, Writer};
use respiro_content::{Item, Kind, NEWSLETTERS};
use std::collections::BTreeSet;

impl Reader<'_> {
    /// Ids of such newsletters, each with the ids of its pictures.
    pub fn mailed_pictures(&self) -> Result<Vec<(String, Vec<String>)>> {
        let rows = tables::records(self.tables, MAILED, b"")?.into_iter();
        let id = |key: Vec<u8>| String::from_utf8_lossy(&key).into_owned();
        Ok(rows.map(|(key, pictures)| (id(key), pictures)).collect())
    }

    pub(crate) fn mailed_picture_ids(&self) -> Result<BTreeSet<String>> {
        let rows = self.mailed_pictures()?.into_iter();
        Ok(rows.flat_map(|(_, pictures)| pictures).collect())
    }
}

impl Writer<'_> {
    pub fn keep_mailed_pictures(&mut self, id: &str, pictures: &Vec<String>) -> Result<()> {
        tables::put(self.transaction, MAILED, id.as_bytes(), pictures)
    }

    /// The mails show gaps from now on. Pictures that nothing else uses go with the newsletter.
    pub fn forget_mailed_pictures(&mut self, id: &str) -> Result<()> {
        self.transaction.remove(MAILED, id.as_bytes()).map(drop)
    }

    /// Keeps the pictures of what is deleted now, when it is a newsletter that somebody got.
    pub(crate) fn keep_if_mailed(&mut self, kind: &Kind, item: &Item) -> Result<()> {
        if kind.number != NEWSLETTERS.number {
            return Ok(());
        }
        let tally = self.sending(&item.id)?.tally;
        let pictures: BTreeSet<String> = item.picture_ids().map(str::to_owned).collect();
        if tally.accepted + tally.uncertain == 0 || pictures.is_empty() {
            return Ok(());
        }
        self.keep_mailed_pictures(&item.id, &pictures.into_iter().collect())
    }
}
