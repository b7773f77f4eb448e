//! Verifies copies in the bucket and restores them to a data file.

use super::chunks::pieces;
use super::encryption::hash;
use super::{BackupRef, BackupRepository, Decryptor, Encryptor, Manifest, PICTURES, StorageError};
use respiro_db::{self as store, Blob, StoreStats, assemble};
use std::collections::BTreeMap;
use std::path::Path;

/// Result of verifying a copy.
#[derive(Debug)]
pub struct VerifyReport {
    pub manifest: Manifest,
    /// Number of objects that are missing or differ from the uploaded bytes.
    pub bad: usize,
    /// Number of awaited picture pieces that have not been uploaded.
    pub awaited: usize,
}

/// Result of a restore.
#[derive(Debug)]
pub struct RestoreReport {
    pub manifest: Manifest,
    pub figures: StoreStats,
    /// Pictures that were never uploaded; the data file has a substitute for each.
    pub lost: usize,
}

/// Full names and lengths of objects, keyed by content name.
type Named = BTreeMap<String, (String, u64)>;

impl BackupRepository {
    /// Verifies the copy with the manifest that the bucket holds.
    #[cfg(test)]
    pub fn check(
        &self,
        copy: &BackupRef,
        decryptor: Option<&Decryptor>,
    ) -> Result<VerifyReport, StorageError> {
        self.check_objects(copy, self.manifest(copy)?, decryptor)
    }

    /// Verifies that all objects of a copy exist and are unchanged and, with the key, that they
    /// decrypt. Counts missing and changed objects. Takes the manifest, so that the caller can
    /// verify its signature: the bucket may give another one the next time.
    pub fn check_objects(
        &self,
        copy: &BackupRef,
        manifest: Manifest,
        decryptor: Option<&Decryptor>,
    ) -> Result<VerifyReport, StorageError> {
        let named = self.named(&manifest)?;
        let mut bad = 0;
        let mut count = |done: Result<Vec<u8>, StorageError>| match done {
            Ok(_) => Ok(()),
            Err(StorageError::NotThere | StorageError::Damaged(_)) => {
                bad += 1;
                Ok(())
            }
            Err(error) => Err(error),
        };
        count(self.rows(copy, &manifest, decryptor))?;
        for (name, bytes) in named.values() {
            let sealed = self.picture(name, *bytes);
            count(match decryptor {
                Some(decryptor) => sealed.and_then(|sealed| decryptor.open(&sealed)),
                None => sealed,
            })?;
        }
        let awaited = lacking(&manifest, &named);
        Ok(VerifyReport {
            manifest,
            bad,
            awaited,
        })
    }

    /// Whether picture pieces that the copy awaits have not been uploaded.
    pub fn awaits(&self, manifest: &Manifest) -> Result<bool, StorageError> {
        Ok(lacking(manifest, &self.named(manifest)?) > 0)
    }

    /// Returns the pictures of a copy, with awaited ones that were uploaded later.
    fn named(&self, manifest: &Manifest) -> Result<Named, StorageError> {
        let own = manifest.pictures.iter().filter_map(|(whole, bytes)| {
            let name = whole.split_once('.')?.0.to_owned();
            Some((name, (whole.clone(), *bytes)))
        });
        let mut named: Named = own.collect();
        if !manifest.awaited.is_empty() {
            let there = self.pictures()?.into_iter();
            let came = there.filter(|(name, _)| manifest.awaited.contains(name));
            named.extend(came.map(|(name, (whole, listed))| (name, (whole, listed.bytes))));
        }
        Ok(named)
    }

    fn rows(
        &self,
        copy: &BackupRef,
        manifest: &Manifest,
        decryptor: Option<&Decryptor>,
    ) -> Result<Vec<u8>, StorageError> {
        let name = manifest.rows.name(&copy.name);
        let sealed = self.bucket.get(&name)?;
        if hash(&sealed) != manifest.rows.sha256 {
            return Err(StorageError::Damaged(name));
        }
        match decryptor {
            Some(decryptor) => decryptor.open_rows(&sealed),
            None => Ok(Vec::new()),
        }
    }

    /// Downloads an encrypted picture; if it is damaged or missing, another object of its content.
    fn picture(&self, name: &str, bytes: u64) -> Result<Vec<u8>, StorageError> {
        match self.picture_as_named(name, bytes) {
            Err(error @ (StorageError::NotThere | StorageError::Damaged(_))) => {
                self.twin_of(name)?.ok_or(error)
            }
            fetched => fetched,
        }
    }

    /// Downloads another intact object of the same content.
    fn twin_of(&self, name: &str) -> Result<Option<Vec<u8>>, StorageError> {
        let Some((content, _)) = name.split_once('.') else {
            return Ok(None);
        };
        let start = format!("{content}.");
        for (ending, listed) in self.bucket.list(&format!("{PICTURES}{start}"))? {
            match self.picture_as_named(&format!("{start}{ending}"), listed.bytes) {
                Ok(sealed) => return Ok(Some(sealed)),
                Err(StorageError::NotThere | StorageError::Damaged(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Downloads an encrypted picture and verifies it by the hash in its name.
    pub(super) fn picture_as_named(&self, name: &str, bytes: u64) -> Result<Vec<u8>, StorageError> {
        let sealed = self.bucket.get(&format!("{PICTURES}{name}"))?;
        let wanted = name.split_once('.').map(|(_, hash)| hash);
        if sealed.len() as u64 != bytes || wanted != Some(hash(&sealed).as_str()) {
            return Err(StorageError::Damaged(name.to_owned()));
        }
        Ok(sealed)
    }

    /// Restores a copy to the new data file `out`, from the manifest that the caller has verified.
    /// `progress` receives the number of pictures fetched and the total.
    pub fn restore(
        &self,
        (copy, manifest): (&BackupRef, Manifest),
        decryptor: &Decryptor,
        out: &Path,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<RestoreReport, StorageError> {
        let rows = self.rows(copy, &manifest, Some(decryptor))?;
        let encryptor = decryptor.encryptor().map_err(StorageError::Other)?;
        let named = self.named(&manifest)?;
        let all = manifest
            .pictures
            .len()
            .saturating_add(manifest.awaited.len());
        let (mut failed, mut count, mut lost) = (None, 0, 0);
        let mut fetch = |blob: Blob| {
            let fetched = self.fetched(&blob, &encryptor, decryptor, (&named, &manifest));
            count += 1;
            lost += usize::from(matches!(fetched, Ok(None)));
            progress(count, all.max(count));
            fetched.map_err(|cause| {
                let error = store::Error::Storage(format!("a picture of the copy: {cause:?}"));
                failed = Some(cause);
                error
            })
        };
        let made = assemble(out, &rows, copy.at, &mut fetch);
        match (made, failed) {
            (Ok(figures), _) => Ok(RestoreReport {
                manifest,
                figures,
                lost,
            }),
            (Err(_), Some(error)) => Err(error),
            (Err(store::Error::StorageFull), None) => {
                // A data file is larger than its contents.
                let megabytes = manifest.bytes() / 4 * 5 / 1_000_000 + 5;
                Err(StorageError::Other(format!(
                    "the disk is full on this machine: the copy takes some {megabytes} MB of it, \
                     make room; nothing was changed"
                )))
            }
            (Err(error), None) => Err(StorageError::Other(error.to_string())),
        }
    }

    /// Downloads and joins the pieces of a picture. Returns `None` if an awaited piece is missing.
    fn fetched(
        &self,
        blob: &Blob,
        encryptor: &Encryptor,
        decryptor: &Decryptor,
        (named, manifest): (&Named, &Manifest),
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let mut whole = Vec::new();
        for piece in pieces(encryptor, blob, |name| named.contains_key(name)) {
            match named.get(&piece.name) {
                Some((object, bytes)) => {
                    whole.extend(decryptor.open(&self.picture(object, *bytes)?)?);
                }
                None if manifest.awaited.contains(&piece.name) => return Ok(None),
                None => return Err(StorageError::NotThere),
            }
        }
        Ok(Some(whole))
    }
}

/// Returns the number of awaited pieces that do not exist.
fn lacking(manifest: &Manifest, named: &Named) -> usize {
    let awaited = manifest.awaited.iter();
    awaited.filter(|name| !named.contains_key(*name)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offsite::chunks::PIECE_BYTES;
    use crate::offsite::{BackupKind, Snapshot, Source, UploadStats, new_pair};
    use crate::test_storage::{Fake, trusted};
    use respiro_content::Timestamp;

    const NOW: Timestamp = 1_795_000_000_000;

    struct Here {
        fake: Fake,
        copies: BackupRepository,
        decryptor: Decryptor,
        taken: Snapshot,
    }

    impl Here {
        /// Creates a site with pictures of these sizes.
        fn new(sizes: &[u64]) -> Self {
            let fake = Fake::start();
            let blobs = (0..).zip(sizes).map(|(number, bytes)| Blob {
                hash: [number; 32],
                bytes: *bytes,
            });
            let taken = Snapshot {
                rows: b"righe".to_vec(),
                blobs: blobs.collect(),
                items: 0,
                secret: [1; 32],
                lineage: None,
                instances: Vec::new(),
                is_by_command: false,
            };
            Self {
                copies: BackupRepository::new(fake.bucket()),
                decryptor: Decryptor::new(&new_pair().0).unwrap(),
                taken,
                fake,
            }
        }

        fn content(blob: &Blob) -> Vec<u8> {
            let number = u64::from(blob.hash[0]);
            let byte = |at: u64| u8::try_from((at + number) % 251).unwrap();
            (0..blob.bytes).map(byte).collect()
        }

        fn send(
            &self,
            kind: BackupKind,
            is_being_uploaded: bool,
        ) -> Result<UploadStats, StorageError> {
            let encryptor = self.decryptor.encryptor().unwrap();
            let mut blob = |blob: Blob| Ok(Self::content(&blob));
            let mut source = Source {
                is_being_uploaded: &|_| is_being_uploaded,
                ..Source::of(&mut blob)
            };
            self.copies
                .send(&encryptor, kind, NOW, &self.taken, &mut source)
        }

        fn newest(&self) -> BackupRef {
            self.copies.all().unwrap().remove(0)
        }

        fn fetched(&self, number: usize) -> Result<Option<Vec<u8>>, StorageError> {
            let manifest = self.copies.manifest(&self.newest()).unwrap();
            let named = self.copies.named(&manifest).unwrap();
            let (encryptor, blob) = (
                self.decryptor.encryptor().unwrap(),
                &self.taken.blobs[number],
            );
            let parts = (&named, &manifest);
            self.copies
                .fetched(blob, &encryptor, &self.decryptor, parts)
        }

        fn put_bytes(&self) -> usize {
            let names = self.fake.names(PICTURES);
            let inside = self.fake.inside.lock().unwrap();
            let put = inside.calls.iter().filter(|(method, _)| method == "PUT");
            let put = put.filter(|(_, key)| names.contains(key));
            put.map(|(_, key)| inside.objects[key].len()).sum()
        }
    }

    /// Regression: an upload that failed in the last part of a large picture restarted from byte 0.
    #[test]
    fn what_is_there_of_a_large_picture_is_not_sent_again() {
        let here = Here::new(&[2 * PIECE_BYTES + 1_000, 500]);
        here.fake.change(|inside| {
            inside.refuse = Some(Box::new(|_, method, key| {
                method == "PUT" && key.contains("-003.")
            }));
        });
        assert!(here.send(BackupKind::Full, false).is_err());
        assert_eq!(here.fake.names(PICTURES).len(), 2);
        here.fake.change(|inside| {
            inside.refuse = None;
            inside.calls.clear();
        });
        let sent = here.send(BackupKind::Full, false).unwrap();
        assert_eq!((sent.known, sent.objects), (2, 4));
        assert!(
            here.put_bytes() < 5_000,
            "{} bytes went again",
            here.put_bytes()
        );
        for number in [0, 1] {
            let content = Here::content(&here.taken.blobs[number]);
            assert!(here.fetched(number).unwrap() == Some(content));
        }
        // The names give the order of the pieces, so no key is needed to find it.
        let first = here.decryptor.encryptor().unwrap().name(&[0; 32]);
        let names = here.fake.names(&format!("{PICTURES}{first}"));
        assert!(
            names[0].contains("-001.") && names[2].contains("-003."),
            "{names:?}"
        );
        here.fake
            .change(|inside| drop(inside.objects.remove(&names[1])));
        assert_eq!(here.fetched(0), Err(StorageError::NotThere));
        let sent = here.send(BackupKind::Delta, false).unwrap();
        assert_eq!((sent.known, sent.objects), (3, 3));
    }

    /// Regression: leftovers stayed until a copy was removed; a full bucket never got that far.
    #[test]
    fn what_a_cut_try_has_left_goes_although_no_copy_does() {
        let here = Here::new(&[100, 200]);
        here.send(BackupKind::Full, false).unwrap();
        let whole = here.fake.names("");
        here.fake.change(|inside| {
            inside.objects.insert("pictures/ab.cd".to_owned(), vec![1]);
            inside.objects.insert("whole/x.rows".to_owned(), vec![1]);
            inside.modified = Some("2020-01-01T00:00:00.000Z");
        });
        assert_eq!(
            here.copies.prune(BackupKind::Full, &trusted(NOW)).unwrap(),
            0
        );
        assert_eq!(here.fake.names(""), whole);
    }

    /// Regression: no change was copied before the first full backup, of gigabytes, had finished.
    #[test]
    fn changes_go_beside_a_whole_copy_and_name_what_they_await_of_it() {
        let here = Here::new(&[100, 200, 300]);
        let sent = here.send(BackupKind::Delta, true).unwrap();
        assert_eq!((sent.awaited, sent.objects), (3, 2));
        let looked = here
            .copies
            .check(&here.newest(), Some(&here.decryptor))
            .unwrap();
        assert_eq!((looked.bad, looked.awaited), (0, 3));
        assert_eq!(here.fetched(1), Ok(None));
        // Older programs would restore this copy as if it were complete.
        assert_eq!(looked.manifest.format, crate::offsite::FORMAT_IN_PIECES);
        // The full backup uploads the awaited pictures.
        let beside = here.newest();
        here.send(BackupKind::Full, false).unwrap();
        let looked = here.copies.check(&beside, Some(&here.decryptor)).unwrap();
        assert_eq!((looked.bad, looked.awaited), (0, 0));
        let sent = here.send(BackupKind::Delta, true).unwrap();
        assert_eq!((sent.awaited, sent.known), (0, 3));
        assert_eq!(
            here.fetched(1),
            Ok(Some(Here::content(&here.taken.blobs[1])))
        );
    }

    /// Regression: 200 photographs at once delayed all later changes.
    #[test]
    fn changes_bring_no_more_than_goes_within_a_minute() {
        let here = Here::new(&[PIECE_BYTES; 6]);
        let sent = here.send(BackupKind::Delta, false).unwrap();
        assert_eq!((sent.awaited, sent.objects), (2, 4 + 2));
        assert_eq!(here.fetched(5), Ok(None));
        assert!(here.fetched(0).unwrap().is_some());
    }
}
