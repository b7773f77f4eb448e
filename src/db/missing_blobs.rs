//! Replaces image files whose bytes were never uploaded, so that a data file restored without them
//! is whole.

use crate::error::Result;
use crate::repositories::pictures::{BlobRow, chunk_key};
use crate::tables::{self, BLOB_INDEX, BLOBS, PICTURES};
use crate::transaction::Transaction;
use respiro_content::picture::ORIGINAL;
use respiro_content::{Picture, StoredFile};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;

/// A PNG of one pixel in the colour of paper.
const BLANK: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\
    \xde\0\0\0\x0cIDAT\x78\xda\x63\xf8\xfd\xfd\x03\0\x05\xd3\x02\xe3\xc6\x83\xfd\xfc\0\0\0\0IEND\
    \xae\x42\x60\x82";

/// Replaces each missing file by another size of the same image, or by a blank one.
pub(crate) fn replace(transaction: &Transaction, missing: &BTreeSet<[u8; 32]>) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    for hash in missing {
        transaction.remove(BLOB_INDEX, hash)?;
    }
    for (key, mut picture) in tables::records::<Picture>(transaction, PICTURES, b"")? {
        let (gone, kept): (Vec<_>, Vec<_>) = picture
            .files
            .clone()
            .into_iter()
            .partition(|(_, file)| missing.contains(&file.hash));
        for (name, file) in &gone {
            // The original carries metadata and must not replace a served file.
            let served = kept.iter().filter(|(name, _)| *name != ORIGINAL);
            let alike = served.filter(|(_, other)| other.media_type == file.media_type);
            let given = alike.max_by_key(|(_, other)| other.bytes);
            let given = given.map_or_else(blank, |(_, other)| other.clone());
            use_once_more(transaction, &given)?;
            picture.files.insert(name.clone(), given);
        }
        if !gone.is_empty() {
            tables::put(transaction, PICTURES, &key, &picture)?;
        }
    }
    Ok(())
}

fn blank() -> StoredFile {
    StoredFile {
        media_type: "image/png".to_owned(),
        hash: Sha256::digest(BLANK).into(),
        bytes: BLANK.len() as u64,
    }
}

fn use_once_more(transaction: &Transaction, file: &StoredFile) -> Result<()> {
    let known = tables::record::<BlobRow>(transaction, BLOB_INDEX, &file.hash)?;
    if known.is_none() {
        transaction.put(BLOBS, &chunk_key(&file.hash, 0), BLANK)?;
    }
    let row = BlobRow {
        bytes: file.bytes,
        uses: known.map_or(0, |row| row.uses) + 1,
    };
    tables::put(transaction, BLOB_INDEX, &file.hash, &row)
}
