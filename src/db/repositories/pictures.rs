//! Images, their files as chunked blobs, and upload addresses.

use super::Writable;
use crate::error::{Error, Result};
use crate::messages;
use crate::repositories::history::HistoryRow;
use crate::repositories::trash::TrashRow;
use crate::tables::{
    self, BLOB_INDEX, BLOBS, DRAFTS, HISTORY, ITEMS, MAILED, PICTURES, SETTINGS, TRASH, Table,
    Tables, UPLOADS, WORDS,
};
use crate::{Blob, Draft, Reader};
use bincode::Decode;
use data_encoding::HEXLOWER;
use respiro_content::blocks::SavedBlock;
use respiro_content::picture::{EDIT, ORIGINAL, PictureEdit};
use respiro_content::{Item, Picture, Pictures, Settings, Timestamp};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A chunk and its row fit one power of two of pages; a byte more would take twice the space.
pub(crate) const CHUNK_BYTES: usize = 256 * 1024 - 128;

/// Most memory allocated in advance for a blob: a damaged length must not cause a huge allocation.
const BLOB_BYTES_EXPECTED_MAX: usize = 16 * 1024 * 1024;

/// Size and reference count of a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub(crate) struct BlobRow {
    pub bytes: u64,
    /// Image files that refer to it.
    pub uses: u64,
}

/// The images that something refers to.
#[derive(Default)]
pub(crate) struct UsedPictures {
    ids: BTreeSet<String>,
    /// Values of rows that may refer to images and do not decode.
    undecodable_rows: Vec<Vec<u8>>,
}

impl UsedPictures {
    /// Adds the images that each row of a table refers to.
    fn add<V: Decode<()>>(
        &mut self,
        tables: &dyn Tables,
        table: Table,
        ids: impl Fn(V) -> Vec<String>,
    ) -> Result<()> {
        tables.scan(table, b"", &mut |key, bytes| {
            match tables::decode_or_log(table, key, bytes) {
                Some(row) => self.ids.extend(ids(row)),
                None => self.undecodable_rows.push(bytes.to_vec()),
            }
            Ok(())
        })
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        let mut rows = self.undecodable_rows.iter();
        self.ids.contains(id)
            || rows.any(|row| {
                row.windows(id.len().max(1))
                    .any(|part| part == id.as_bytes())
            })
    }
}

/// Images.
pub struct StoredPictures<'a>(pub(super) Reader<'a>);

impl StoredPictures<'_> {
    pub fn list(&self) -> Result<Pictures> {
        let rows: Vec<(_, Picture)> = tables::records(self.0.tables, PICTURES, b"")?;
        let by_id = |(_, picture): (_, Picture)| (picture.id.clone(), picture);
        Ok(rows.into_iter().map(by_id).collect())
    }

    /// Returns `None` for an image whose row does not decode, too.
    pub fn get(&self, id: &str) -> Result<Option<Picture>> {
        tables::readable_record(self.0.tables, PICTURES, id.as_bytes())
    }

    /// Returns what the served files of an image differ in from its original; `None` for an image
    /// that was not edited.
    pub fn edit(&self, picture: &Picture) -> Result<Option<PictureEdit>> {
        let Some(file) = picture.files.get(EDIT) else {
            return Ok(None);
        };
        let bytes = self.0.blobs().get(&file.hash)?.unwrap_or_default();
        Ok(serde_json::from_slice(&bytes).ok())
    }

    /// Returns an image that was made of the same original by the same edit.
    pub fn find_edited(&self, original: &[u8; 32], edit: PictureEdit) -> Result<Option<Picture>> {
        for picture in self.list()?.into_values() {
            let is_same = picture.files.get(ORIGINAL).map(|file| &file.hash) == Some(original);
            if is_same && self.edit(&picture)?.unwrap_or_default() == edit {
                return Ok(Some(picture));
            }
        }
        Ok(None)
    }

    /// Returns the images that only items in the trash use.
    pub fn ids_of_trash_only(&self) -> Result<BTreeSet<String>> {
        let mut ids = self.0.trash().picture_ids()?;
        if !ids.is_empty() {
            let live = self.live_ids()?;
            ids.retain(|id| !live.contains(id));
        }
        Ok(ids)
    }

    /// Returns the images of items including drafts, of the settings, of blocks and of sent
    /// newsletters.
    pub(crate) fn live_ids(&self) -> Result<BTreeSet<String>> {
        Ok(self.live()?.ids)
    }

    /// The same with the rows that do not decode. Reads each row once.
    fn live(&self) -> Result<UsedPictures> {
        let mut used = UsedPictures::default();
        let tables = self.0.tables;
        let owned = |id: &str| id.to_owned();
        used.add(tables, SETTINGS, |settings: Settings| {
            settings.picture_ids().map(owned).collect()
        })?;
        used.add(tables, WORDS, |saved: SavedBlock| saved.picture_ids())?;
        used.add(tables, MAILED, |ids: Vec<String>| ids)?;
        used.add(tables, ITEMS, |item: Item| {
            item.picture_ids().map(owned).collect()
        })?;
        Ok(used)
    }

    /// Returns the images that must be kept.
    pub(crate) fn used(&self) -> Result<UsedPictures> {
        let mut used = self.used_but_by_history()?;
        used.add(self.0.tables, HISTORY, |row: HistoryRow| {
            row.before.picture_ids()
        })?;
        Ok(used)
    }

    /// Returns the images that must be kept without a history. Rows that do not decode count too:
    /// another release may read them.
    pub(crate) fn used_but_by_history(&self) -> Result<UsedPictures> {
        let mut used = self.live()?;
        used.add(self.0.tables, TRASH, |row: TrashRow| {
            let ids = row.item.picture_ids();
            ids.map(str::to_owned).collect()
        })?;
        used.add(self.0.tables, DRAFTS, |draft: Draft| {
            draft.picture_ids().into_iter().collect()
        })?;
        Ok(used)
    }

    /// Returns the images that exist.
    pub fn find<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Result<Pictures> {
        let mut pictures = Pictures::new();
        for id in ids {
            if let Some(picture) = self.get(id)? {
                pictures.insert(id.to_owned(), picture);
            }
        }
        Ok(pictures)
    }
}

impl Writable<'_, '_, StoredPictures<'_>> {
    /// Stores an image; `files` are (name, media type, bytes). Equal bytes are stored once.
    ///
    /// Files of the image that are not in `files` must be stored already.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the picture goes into the store together with its bytes"
    )]
    pub fn put(&mut self, picture: Picture, files: Vec<(String, String, Vec<u8>)>) -> Result<()> {
        let bytes = files.iter().map(|(_, _, bytes)| bytes.len() as u64).sum();
        self.writer.disk_reserve.ensure_free(bytes)?;
        let mut arrived = BTreeMap::new();
        for (name, _, bytes) in files {
            let hash: [u8; 32] = Sha256::digest(&bytes).into();
            let file = picture.files.get(&name);
            if file.is_none_or(|file| file.hash != hash || file.bytes != bytes.len() as u64) {
                return Err(Error::Internal(format!(
                    "file {name} is not what the record of picture {} says",
                    picture.id
                )));
            }
            arrived.insert(hash, bytes);
        }
        for file in picture.files.values() {
            let bytes = arrived.get(&file.hash).map(Vec::as_slice);
            self.use_blob(&file.hash, bytes)?;
        }
        if let Some(former) = self.get(&picture.id)? {
            self.release_blobs(&former)?;
            self.writer.touched.all |= self.live_ids()?.contains(&picture.id);
        }
        tables::put(
            self.writer.transaction,
            PICTURES,
            picture.id.as_bytes(),
            &picture,
        )
    }

    /// Restarts the time after which an image that nothing refers to is removed.
    pub fn keep_unused(&mut self, picture: &Picture, now: Timestamp) -> Result<()> {
        if self.used()?.contains(&picture.id) {
            return Ok(());
        }
        let renewed = Picture {
            created_at: now,
            ..picture.clone()
        };
        let key = picture.id.as_bytes();
        tables::put(self.writer.transaction, PICTURES, key, &renewed)
    }

    pub(crate) fn remove(&mut self, picture: &Picture) -> Result<()> {
        self.release_blobs(picture)?;
        self.writer
            .transaction
            .remove(PICTURES, picture.id.as_bytes())
            .map(drop)
    }

    /// Adds a reference to a blob; writes the bytes with the first.
    fn use_blob(&mut self, hash: &[u8; 32], bytes: Option<&[u8]>) -> Result<()> {
        if let Some(row) = tables::record::<BlobRow>(self.writer.tables, BLOB_INDEX, hash)? {
            let uses = row.uses + 1;
            return tables::put(
                self.writer.transaction,
                BLOB_INDEX,
                hash,
                &BlobRow { uses, ..row },
            );
        }
        let missing = || Error::Internal(format!("the bytes of blob {} are missing", hex(hash)));
        let bytes = bytes.ok_or_else(missing)?;
        for (number, chunk) in (0_u32..).zip(bytes.chunks(CHUNK_BYTES)) {
            let key = chunk_key(hash, number);
            self.writer.transaction.put(BLOBS, &key, chunk)?;
        }
        let row = BlobRow {
            bytes: bytes.len() as u64,
            uses: 1,
        };
        tables::put(self.writer.transaction, BLOB_INDEX, hash, &row)
    }

    /// Drops a reference to each blob of the image; removes the bytes with the last.
    fn release_blobs(&mut self, picture: &Picture) -> Result<()> {
        for file in picture.files.values() {
            let hash = &file.hash;
            let Some(row) = tables::record::<BlobRow>(self.writer.tables, BLOB_INDEX, hash)? else {
                continue;
            };
            if row.uses > 1 {
                let uses = row.uses - 1;
                tables::put(
                    self.writer.transaction,
                    BLOB_INDEX,
                    hash,
                    &BlobRow { uses, ..row },
                )?;
                continue;
            }
            self.writer.transaction.remove(BLOB_INDEX, hash)?;
            let mut keys = Vec::new();
            self.writer.tables.scan(BLOBS, hash, &mut |key, _| {
                keys.push(key.to_vec());
                Ok(())
            })?;
            for key in keys {
                self.writer.transaction.remove(BLOBS, &key)?;
            }
        }
        Ok(())
    }
}

/// Bytes of image files, keyed by their SHA-256.
pub struct Blobs<'a>(pub(super) Reader<'a>);

impl Blobs<'_> {
    /// Returns the blobs that the rows refer to.
    pub fn list(&self) -> Result<Vec<Blob>> {
        let rows = tables::records::<BlobRow>(self.0.tables, BLOB_INDEX, b"")?;
        let blobs = rows.into_iter().filter_map(|(key, row)| {
            let hash = <[u8; 32]>::try_from(key.as_slice()).ok()?;
            Some(Blob {
                hash,
                bytes: row.bytes,
            })
        });
        Ok(blobs.collect())
    }

    /// Returns the bytes of a blob, or `None` if there is none. Fails if they do not match the
    /// hash.
    pub fn get(&self, hash: &[u8; 32]) -> Result<Option<Vec<u8>>> {
        let Some(row) = tables::record::<BlobRow>(self.0.tables, BLOB_INDEX, hash)? else {
            return Ok(None);
        };
        let bytes = blob_bytes(self.0.tables, hash, row.bytes)?;
        if Sha256::digest(&bytes).as_slice() == hash {
            Ok(Some(bytes))
        } else {
            Err(damaged(hash))
        }
    }

    /// Verifies a blob chunk by chunk, because it may be large. Returns `None` if there is none.
    /// Fails if the bytes do not match the hash.
    pub fn verify(&self, hash: &[u8; 32]) -> Result<Option<()>> {
        if self.0.tables.get(BLOB_INDEX, hash)?.is_none() {
            return Ok(None);
        }
        let is_whole = is_blob_whole(self.0.tables, hash)?;
        is_whole.then_some(Some(())).ok_or_else(|| damaged(hash))
    }

    /// Returns at most `bytes_max` bytes of a blob from `at` to the end of that chunk, or `None`
    /// beyond the end. The hash covers the whole blob and is not checked.
    pub fn read_part(&self, hash: &[u8; 32], at: u64, bytes_max: usize) -> Result<Option<Vec<u8>>> {
        let chunk_bytes = CHUNK_BYTES as u64;
        let number = u32::try_from(at / chunk_bytes).or(Err(Error::NotFound))?;
        let before = usize::try_from(at % chunk_bytes).unwrap_or(usize::MAX);
        let mut part = None;
        self.0
            .tables
            .scan(BLOBS, &chunk_key(hash, number), &mut |_, chunk| {
                let rest = chunk.get(before..).unwrap_or_default();
                let wanted = &rest[..rest.len().min(bytes_max)];
                part = (!wanted.is_empty()).then(|| wanted.to_vec());
                Ok(())
            })?;
        Ok(part)
    }
}

/// Upload addresses, each valid once.
pub struct Uploads<'a>(pub(super) Reader<'a>);

impl Uploads<'_> {
    fn expires_at(&self, id: &str) -> Result<Option<Timestamp>> {
        tables::record(self.0.tables, UPLOADS, id.as_bytes())
    }
}

impl Writable<'_, '_, Uploads<'_>> {
    /// Adds an upload address, valid once and until `expires_at`.
    pub fn start(&mut self, id: &str, expires_at: Timestamp) -> Result<()> {
        tables::put(self.writer.transaction, UPLOADS, id.as_bytes(), &expires_at)
    }

    /// Consumes the address. Fails if it is unknown, used or expired.
    pub fn take(&mut self, id: &str, now: Timestamp) -> Result<()> {
        let expires_at = self.expires_at(id)?;
        self.writer.transaction.remove(UPLOADS, id.as_bytes())?;
        if expires_at.is_some_and(|expires_at| now < expires_at) {
            Ok(())
        } else {
            Err(Error::Forbidden(messages::UPLOAD_EXPIRED))
        }
    }
}

fn damaged(hash: &[u8; 32]) -> Error {
    Error::Storage(format!(
        "the bytes of blob {} are damaged: run `respiro check`, restore a backup",
        hex(hash)
    ))
}

/// Concatenates the chunks of a blob without verifying them.
pub(crate) fn blob_bytes(tables: &dyn Tables, hash: &[u8], bytes: u64) -> Result<Vec<u8>> {
    let capacity = usize::try_from(bytes)
        .unwrap_or_default()
        .min(BLOB_BYTES_EXPECTED_MAX);
    let mut whole = Vec::with_capacity(capacity);
    tables.scan(BLOBS, hash, &mut |_, chunk| {
        whole.extend_from_slice(chunk);
        Ok(())
    })?;
    Ok(whole)
}

/// Hashes a blob chunk by chunk, because it may be large.
pub(crate) fn is_blob_whole(tables: &dyn Tables, hash: &[u8]) -> Result<bool> {
    let mut whole = Sha256::new();
    tables.scan(BLOBS, hash, &mut |_, chunk| {
        whole.update(chunk);
        Ok(())
    })?;
    Ok(whole.finalize().as_slice() == hash)
}

pub(crate) fn hex(hash: &[u8]) -> String {
    HEXLOWER.encode(hash)
}

pub(crate) fn chunk_key(hash: &[u8; 32], number: u32) -> Vec<u8> {
    let mut key = hash.to_vec();
    key.extend_from_slice(&number.to_be_bytes());
    key
}
