//! Verifies structure, records, blobs and references of a file without changing it.
//!
//! Damage makes a file unfit to be restored: checksums or hashes that do not hold, missing blobs,
//! references that lead nowhere. Oddities are rows that this release cannot use: they may be of
//! another release, and stop no backup.

use crate::backend;
use crate::error::Result;
use crate::file_metadata::{
    COPIES_ELSEWHERE_KEY, DEMO_KEY, LINEAGE_KEY, LINK_KEY, RESTORED_KEY, SECRET_KEY,
};
use crate::open_error::OpenError;
use crate::repositories::history::HistoryRow;
use crate::repositories::page_views::DayTotals;
use crate::repositories::page_views::date_of;
use crate::repositories::pictures::{BlobRow, hex, is_blob_whole};
use crate::repositories::redirects;
use crate::repositories::trash::TrashRow;
use crate::tables::{
    self, ACCOUNT_DETAILS, ACCOUNT_LINKS, ACCOUNTS, BLOB_INDEX, BLOBS, BOUNCES, CONFIRMED, DRAFTS,
    FAILURES, HISTORY, IDEMPOTENCY_KEYS, ITEMS, MAILED, MAILINGS, META, NOTES, NOTICE_CHOICES,
    NOTICES, PASSKEYS, PICTURES, PLANS, POSTS, PROVENANCES, PUBLIC_IDS, QUEUE, REDIRECTS, REQUESTS,
    SENDINGS, SESSIONS, SETTINGS, STANDINGS, STATISTICS, SUBSCRIBERS, TRASH, Table, Tables,
    UPLOADS, WORD_VERSIONS, WORDS,
};
use crate::{
    Account, AccountDetails, AccountLink, Campaign, CreatedItem, Delivery, Draft, FileIdentity,
    NoticeChoices, Notification, Passkey, PendingEmail, Provenance, PublishSchedule, Reader,
    RenderedCampaign, RestoreMarker, Session, StoreStats,
};
use crate::{AddressStatus, BounceRecord, Subscriber, TestimonialRequest};
use bincode::Decode;
use redb::{Database, ReadableDatabase, TableHandle};
use respiro_content::blocks::{Attestation, SavedBlock};
use respiro_content::{
    Collection, Item, Picture, PublicIds, RedirectTarget, Settings, Timestamp, collection_by_number,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// Most problems that are listed.
const PROBLEMS_MAX: usize = 100;

/// A file without damage.
#[derive(Debug, Clone)]
pub struct CheckReport {
    pub stats: StoreStats,
    pub oddities: Vec<Oddity>,
}

/// A row that does not decode or whose content is incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oddity {
    pub table: String,
    /// Whether readers skip the row.
    pub is_skipped: bool,
    /// Names the row and the reason.
    pub message: String,
}

impl fmt::Display for Oddity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Reader<'_> {
    /// Returns the oddities of all rows. Reads every table except the bytes of images.
    pub fn oddities(&self) -> Vec<Oddity> {
        let mut walk = Walk::new(self.tables);
        walk.rows();
        walk.oddities
    }
}

/// Verifies structure, records, blobs and references of a data file without changing it. Fails with
/// a list of damage.
pub fn check(path: &Path) -> Result<CheckReport, Vec<String>> {
    whole(path, || Ok(backend::inspect(path)?.1))
}

/// Verifies the database that `open` returns.
pub(crate) fn whole(
    path: &Path,
    open: impl FnOnce() -> Result<Database, OpenError>,
) -> Result<CheckReport, Vec<String>> {
    verified(path, open).map(|(_, figures)| figures)
}

/// The same; returns the verified database too.
pub(crate) fn verified(
    path: &Path,
    open: impl FnOnce() -> Result<Database, OpenError>,
) -> Result<(Database, CheckReport), Vec<String>> {
    let at = |error: OpenError| vec![error.at(path).to_string()];
    let walked = backend::catch_panic(|| {
        let mut database = open().map_err(at)?;
        if !database
            .check_integrity()
            .map_err(OpenError::from)
            .map_err(at)?
        {
            return Err(at(OpenError::damaged("its checksums do not match")));
        }
        let figures = walk(&database, path)?;
        Ok((database, figures))
    });
    walked.unwrap_or_else(|| Err(at(OpenError::damaged("its pages make no sense"))))
}

fn walk(database: &Database, path: &Path) -> Result<CheckReport, Vec<String>> {
    let as_list = |error: crate::error::Error| vec![error.to_string()];
    let view = database
        .begin_read()
        .map_err(tables::failed)
        .map_err(as_list)?;
    let mut walk = Walk::new(&view);
    let pictures = walk.rows();
    walk.blobs(&pictures);
    if walk.problems.is_empty() {
        let reader = Reader {
            tables: &view,
            path,
        };
        Ok(CheckReport {
            stats: reader.figures().map_err(as_list)?,
            oddities: walk.oddities,
        })
    } else {
        Err(walk.problems)
    }
}

struct Walk<'a> {
    tables: &'a dyn Tables,
    problems: Vec<String>,
    oddities: Vec<Oddity>,
}

impl<'a> Walk<'a> {
    fn new(tables: &'a dyn Tables) -> Self {
        Self {
            tables,
            problems: Vec::new(),
            oddities: Vec::new(),
        }
    }

    /// Checks all tables except those of blobs. Returns the images.
    fn rows(&mut self) -> Vec<Picture> {
        self.read_one::<[u8; 32]>(META, SECRET_KEY);
        self.read_one::<bool>(META, DEMO_KEY);
        self.read_optional::<bool>(META, COPIES_ELSEWHERE_KEY);
        self.read_optional::<RestoreMarker>(META, RESTORED_KEY);
        self.read_optional::<FileIdentity>(META, LINEAGE_KEY);
        self.read_optional::<[u8; 32]>(META, LINK_KEY);
        let pictures = self.pictures();
        let mut ids: BTreeSet<String> = pictures.iter().map(|one| one.id.clone()).collect();
        ids.extend(
            self.undecodable_keys::<Picture>(PICTURES)
                .map(|key| as_id(&key)),
        );
        self.items(&ids);
        for (key, account) in self.read::<Account>(ACCOUNTS) {
            self.same("account", &key, &account.email);
        }
        self.read::<AccountDetails>(ACCOUNT_DETAILS);
        self.read::<NoticeChoices>(NOTICE_CHOICES);
        self.read::<AccountLink>(ACCOUNT_LINKS);
        for (key, subscriber) in self.read::<Subscriber>(SUBSCRIBERS) {
            self.same("subscriber", &key, &subscriber.email);
        }
        for (key, standing) in self.read::<AddressStatus>(STANDINGS) {
            self.same("standing", &key, &standing.email);
        }
        for (key, bounce) in self.read::<BounceRecord>(BOUNCES) {
            self.same("bounce", &key, &bounce.email);
        }
        for (key, sending) in self.read::<Campaign>(SENDINGS) {
            self.same("sending", &key, &sending.id);
        }
        for (key, provenance) in self.read::<Provenance>(PROVENANCES) {
            self.same("provenance", &key, &provenance.item_id);
        }
        self.read::<TestimonialRequest>(REQUESTS);
        self.read::<PublishSchedule>(PLANS);
        self.read::<RenderedCampaign>(MAILINGS);
        for (key, pictures) in self.read::<Vec<String>>(MAILED) {
            let name = format!("mailed newsletter {}", key.escape_ascii());
            self.known(&name, pictures.iter().map(String::as_str), &ids);
        }
        self.read::<Notification>(NOTICES);
        self.read::<PendingEmail>(POSTS);
        self.read::<Delivery>(QUEUE);
        self.read::<Delivery>(FAILURES);
        for (key, passkey) in self.read::<Passkey>(PASSKEYS) {
            if key != passkey.credential_id {
                let key = key.escape_ascii();
                self.report(format!("passkey of {}: it lies under {key}", passkey.email));
            }
        }
        self.read::<Session>(SESSIONS);
        self.read::<Timestamp>(UPLOADS);
        self.read::<CreatedItem>(IDEMPOTENCY_KEYS);
        self.read::<Draft>(DRAFTS);
        self.read::<PublicIds>(PUBLIC_IDS);
        self.read::<Vec<u8>>(NOTES);
        for (key, _) in self.read::<DayTotals>(STATISTICS) {
            if let Err(error) = date_of(&key) {
                self.report(error.to_string());
            }
        }
        for (_, settings) in self.read::<Settings>(SETTINGS) {
            self.known("the settings", settings.picture_ids(), &ids);
        }
        self.words(&ids);
        self.history(&ids);
        self.read::<Attestation>(CONFIRMED);
        pictures
    }

    /// Checks keys and images of content blocks and their versions.
    fn words(&mut self, picture_ids: &BTreeSet<String>) {
        for table in [WORDS, WORD_VERSIONS] {
            for (key, saved) in self.read::<SavedBlock>(table) {
                let name = format!("words {}", saved.id);
                if key.split(|byte| *byte == 0).next() != Some(saved.id.as_bytes()) {
                    self.report(format!("{name}: it lies under {}", key.escape_ascii()));
                }
                if saved.value.is_some() && saved.own_value().is_none() {
                    self.report(format!("{name}: its value is no JSON"));
                }
                let ids = saved.picture_ids();
                self.known(&name, ids.iter().map(String::as_str), picture_ids);
            }
        }
    }

    fn history(&mut self, picture_ids: &BTreeSet<String>) {
        for (key, row) in self.read::<HistoryRow>(HISTORY) {
            let name = format!("history {}", key.escape_ascii());
            let ids = row.before.picture_ids();
            self.known(&name, ids.iter().map(String::as_str), picture_ids);
        }
    }

    fn pictures(&mut self) -> Vec<Picture> {
        let rows = self.read::<Picture>(PICTURES);
        for (key, picture) in &rows {
            self.same("picture", key, &picture.id);
        }
        rows.into_iter().map(|(_, picture)| picture).collect()
    }

    /// Checks hashes and reference counts of all blobs, and that there is no stray chunk.
    fn blobs(&mut self, pictures: &[Picture]) {
        let mut uses: BTreeMap<[u8; 32], (u64, u64)> = BTreeMap::new();
        for picture in pictures {
            for (name, file) in &picture.files {
                let (count, bytes) = uses.entry(file.hash).or_insert((0, file.bytes));
                *count += 1;
                if *bytes != file.bytes {
                    self.report(format!("picture {}: {name} has two sizes", picture.id));
                }
            }
        }
        let has_undecodable_pictures = self.undecodable_keys::<Picture>(PICTURES).count() > 0;
        let mut chunks_expected = 0;
        for (key, row) in self.read::<BlobRow>(BLOB_INDEX) {
            let name = hex(&key);
            let expected = <[u8; 32]>::try_from(key.as_slice());
            let expected = expected.ok().and_then(|hash| uses.remove(&hash));
            let is_less = |(uses, bytes)| uses < row.uses && bytes == row.bytes;
            let is_explained = has_undecodable_pictures && expected.is_none_or(is_less);
            if expected != Some((row.uses, row.bytes)) && !is_explained {
                self.report(format!("blob {name}: its row does not match its pictures"));
            }
            self.blob_bytes(&key);
            chunks_expected += row
                .bytes
                .div_ceil(crate::repositories::pictures::CHUNK_BYTES as u64);
        }
        for key in self.undecodable_keys::<BlobRow>(BLOB_INDEX) {
            let chunks = tables::count(self.tables, BLOBS, &key).unwrap_or_default();
            // Off-site backups leave these bytes out.
            if chunks > 0 {
                self.blob_bytes(&key);
            }
            chunks_expected += chunks;
            uses.retain(|hash, _| *hash != *key);
        }
        for hash in uses.keys() {
            self.report(format!("blob {} is missing", hex(hash)));
        }
        match tables::count(self.tables, BLOBS, b"") {
            Ok(chunks) if chunks == chunks_expected => {}
            Ok(chunks) => self.report(format!(
                "{chunks} chunks of blobs where {chunks_expected} belong"
            )),
            Err(error) => self.report(error.to_string()),
        }
    }

    fn blob_bytes(&mut self, hash: &[u8]) {
        match is_blob_whole(self.tables, hash) {
            Ok(true) => {}
            Ok(false) => self.report(format!("blob {}: its bytes are damaged", hex(hash))),
            Err(error) => self.report(error.to_string()),
        }
    }

    /// Checks keys and references of items, trash and redirects.
    fn items(&mut self, picture_ids: &BTreeSet<String>) {
        let mut slugs = BTreeSet::new();
        let trashed = self.undecodable_keys::<TrashRow>(TRASH);
        let mut known: BTreeSet<String> = trashed.map(|key| as_id(&key)).collect();
        // The first byte of the key is the number of the collection.
        let items = self.undecodable_keys::<Item>(ITEMS);
        known.extend(items.map(|key| as_id(key.get(1..).unwrap_or_default())));
        for (key, item) in self.read::<Item>(ITEMS) {
            let number = key.first().copied().unwrap_or_default();
            self.same("item", key.get(1..).unwrap_or_default(), &item.id);
            self.item(ITEMS, number, &item, picture_ids);
            let slug = collection_by_number(number)
                .and_then(|collection| crate::repositories::items::slug_of(collection, &item));
            if let Some(slug) = slug
                && !slugs.insert((number, slug.to_owned()))
            {
                self.report(format!("item {}: its slug is used twice", item.id));
            }
            known.insert(item.id);
        }
        for (key, row) in self.read::<TrashRow>(TRASH) {
            self.same("trash", &key, &row.item.id);
            self.item(TRASH, row.collection_number, &row.item, picture_ids);
            known.insert(row.item.id);
        }
        let rows = match redirects::rows(self.tables) {
            Ok(rows) => rows,
            Err(error) => return self.report(error.to_string()),
        };
        for (key, target) in rows {
            match target {
                Ok(RedirectTarget::Item(id)) if !known.contains(&id) => {
                    self.report(format!("former path {} leads nowhere", key.escape_ascii()));
                }
                Ok(_) => {}
                Err(error) => self.report_oddity(REDIRECTS, true, error.to_string()),
            }
        }
    }

    fn item(&mut self, table: Table, number: u8, item: &Item, picture_ids: &BTreeSet<String>) {
        let name = format!("item {}", item.id);
        if let Some(collection) = collection_by_number(number) {
            self.fields(table, collection, item);
        } else {
            let message = format!("table {}, {name}: kind {number} is unknown", table.name());
            self.report_oddity(table, true, message);
        }
        self.known(&name, item.picture_ids(), picture_ids);
    }

    fn fields(&mut self, table: Table, collection: &Collection, item: &Item) {
        for field in collection.all_fields().filter(|field| field.required) {
            if !item.values.contains_key(field.name) {
                let message = format!("item {}: {} is missing", item.id, field.name);
                self.report_oddity(table, false, message);
            }
        }
    }

    fn known<'i>(
        &mut self,
        name: &str,
        ids: impl Iterator<Item = &'i str>,
        known: &BTreeSet<String>,
    ) {
        for id in ids.filter(|id| !known.contains(*id)) {
            self.report(format!("{name}: its picture {id} is missing"));
        }
    }

    fn same(&mut self, name: &str, key: &[u8], id: &str) {
        if key != id.as_bytes() {
            self.report(format!("{name} {id}: it lies under {}", key.escape_ascii()));
        }
    }

    fn read_one<V: Decode<()>>(&mut self, table: Table, key: &[u8]) {
        if self.read_optional::<V>(table, key).is_none() {
            self.report(format!("{} is missing", key.escape_ascii()));
        }
    }

    fn read_optional<V: Decode<()>>(&mut self, table: Table, key: &[u8]) -> Option<()> {
        match tables::record::<V>(self.tables, table, key) {
            Ok(found) => found.map(drop),
            // An unreadable secret counts as damage: links and cached pages cannot be verified.
            Err(error) if key == SECRET_KEY => {
                self.report(error.to_string());
                Some(())
            }
            Err(error) => {
                self.report_oddity(table, true, error.to_string());
                Some(())
            }
        }
    }

    /// Returns the keys of the rows that do not decode.
    fn undecodable_keys<V: Decode<()>>(
        &self,
        table: Table,
    ) -> impl Iterator<Item = Vec<u8>> + use<V> {
        let mut keys = Vec::new();
        let scanned = self.tables.scan(table, b"", &mut |key, bytes| {
            if tables::decode::<V>(table, key, bytes).is_err() {
                keys.push(key.to_vec());
            }
            Ok(())
        });
        // The error is reported where the rows themselves are read.
        drop(scanned);
        keys.into_iter()
    }

    /// Returns the rows that decode; reports each of the others.
    fn read<V: Decode<()>>(&mut self, table: Table) -> Vec<(Vec<u8>, V)> {
        let mut rows = Vec::new();
        let mut undecodable = Vec::new();
        let scanned = self.tables.scan(table, b"", &mut |key, bytes| {
            match tables::decode(table, key, bytes) {
                Ok(value) => rows.push((key.to_vec(), value)),
                Err(error) => undecodable.push(error.to_string()),
            }
            Ok(())
        });
        if let Err(error) = scanned {
            self.report(format!("table {}: {error}", table.name()));
        }
        for message in undecodable {
            self.report_oddity(table, true, message);
        }
        rows
    }

    fn report_oddity(&mut self, table: Table, is_skipped: bool, message: String) {
        if self.oddities.len() < PROBLEMS_MAX {
            self.oddities.push(Oddity {
                table: table.name().to_owned(),
                is_skipped,
                message,
            });
        }
    }

    fn report(&mut self, problem: String) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }
}

fn as_id(key: &[u8]) -> String {
    String::from_utf8_lossy(key).into_owned()
}
