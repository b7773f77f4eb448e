//! Removes off-site backups and objects that the retention rules do not keep.

use super::retention;
use super::{BackupKind, BackupRef, BackupRepository, MANIFEST, Manifest, PICTURES, StorageError};
use respiro_content::{Timestamp, time};
use std::collections::BTreeSet;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// Number of delta backups that are kept; a newer full backup replaces all of them.
const CHANGES_MAX: usize = 4;
/// Minimum age of an unreferenced object for removal: a running copy may need a younger one.
const LOOSE_MILLISECONDS_MIN: i64 = DAY_MILLISECONDS;
/// Copies with an unreadable manifest are kept this long for inspection.
const UNREADABLE_MILLISECONDS_MAX: i64 = 30 * DAY_MILLISECONDS;

impl BackupRepository {
    /// Removes outdated copies and returns their number. After a full backup, also applies the
    /// retention calendar and removes unreferenced objects.
    pub fn prune(&self, kind: BackupKind, now: Timestamp) -> Result<usize, StorageError> {
        let (all, loose) = self.all_and_loose()?;
        let (whole, changes): (Vec<BackupRef>, Vec<BackupRef>) = all
            .into_iter()
            .partition(|copy| copy.kind == BackupKind::Full);
        let newest_whole = whole.first().map(|copy| copy.at);
        let mut removed = 0;
        for (number, copy) in changes.into_iter().enumerate() {
            if number >= CHANGES_MAX || newest_whole.is_some_and(|at| copy.at < at) {
                self.remove(&copy)?;
                removed += 1;
            }
        }
        if kind == BackupKind::Delta {
            return Ok(removed);
        }
        for (name, listed) in loose {
            if is_old(listed.modified.as_deref(), now) {
                self.bucket.remove(&name)?;
            }
        }
        Ok(removed + self.prune_whole(whole, now)?)
    }

    fn prune_whole(&self, whole: Vec<BackupRef>, now: Timestamp) -> Result<usize, StorageError> {
        let (mut readable, mut removed, mut is_any_unreadable) = (Vec::new(), 0, false);
        for copy in whole {
            match self.manifest_if_there(&copy) {
                Ok(Some(manifest)) => readable.push((copy, manifest)),
                Ok(None) => {}
                Err(StorageError::Damaged(_))
                    if now.saturating_sub(copy.at) > UNREADABLE_MILLISECONDS_MAX =>
                {
                    self.remove(&copy)?;
                    removed += 1;
                }
                Err(StorageError::Damaged(reason)) => {
                    tracing::warn!(
                        copy = copy.name,
                        reason,
                        "a copy cannot be read: it does not count"
                    );
                    is_any_unreadable = true;
                }
                Err(error) => return Err(error),
            }
        }
        let moments = readable.iter().map(|(copy, manifest)| manifest.made(copy));
        let mut moments: Vec<Timestamp> = moments.collect();
        moments.sort_unstable_by(|one, two| two.cmp(one));
        let kept = retention::kept(&moments);
        let (mut named, mut read) = (BTreeSet::new(), BTreeSet::new());
        for (number, (copy, manifest)) in readable.into_iter().enumerate() {
            if number == 0 || kept.contains(&manifest.made(&copy)) {
                named.extend(manifest.pictures.into_keys());
                read.insert(copy.name);
            } else {
                self.remove(&copy)?;
                removed += 1;
            }
        }
        if !is_any_unreadable {
            self.prune_pictures(named, &read, now)?;
        }
        Ok(removed)
    }

    /// Returns `None` if another program has removed the copy meanwhile.
    fn manifest_if_there(&self, copy: &BackupRef) -> Result<Option<Manifest>, StorageError> {
        match self.manifest(copy) {
            Ok(manifest) => Ok(Some(manifest)),
            Err(StorageError::NotThere) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes pictures that no copy references. Reads the manifests of copies outside `read`
    /// first, because delta backups finish concurrently.
    fn prune_pictures(
        &self,
        mut named: BTreeSet<String>,
        read: &BTreeSet<String>,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let _naming = self.naming();
        let others = self.all()?.into_iter();
        for copy in others.filter(|copy| !read.contains(&copy.name)) {
            match self.manifest_if_there(&copy) {
                Ok(Some(manifest)) => named.extend(manifest.pictures.into_keys()),
                Ok(None) => {}
                Err(StorageError::Damaged(_)) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        for (name, listed) in self.bucket.list(PICTURES)? {
            if is_old(listed.modified.as_deref(), now) && !named.contains(&name) {
                self.bucket.remove(&format!("{PICTURES}{name}"))?;
            }
        }
        Ok(())
    }

    /// Removes the manifest first: without it, the remaining objects are no copy.
    fn remove(&self, copy: &BackupRef) -> Result<(), StorageError> {
        self.bucket.remove(&format!("{}{MANIFEST}", copy.name))?;
        copy.rows
            .iter()
            .try_for_each(|name| self.bucket.remove(name))
    }
}

/// Returns `false` if the server reports no time.
fn is_old(modified: Option<&str>, now: Timestamp) -> bool {
    let at = modified.and_then(time::parse_rfc3339);
    at.is_some_and(|at| now.saturating_sub(at) > LOOSE_MILLISECONDS_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offsite::{Encryptor, Snapshot, Source, new_pair};
    use crate::test_storage::Fake;
    use respiro_db::Blob;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const NOW: Timestamp = 1_795_000_000_000;
    const LONG_AGO: &str = "2020-01-01T00:00:00.000Z";

    fn send(copies: &BackupRepository, key: &Encryptor, kind: BackupKind, pictures: &[u8]) {
        let blobs = pictures.iter().map(|number| Blob {
            hash: [*number; 32],
            bytes: 100,
        });
        let taken = Snapshot {
            rows: vec![pictures[0]],
            blobs: blobs.collect(),
            items: 0,
            secret: [1; 32],
            lineage: None,
        };
        let mut blob = |blob: Blob| Ok(vec![blob.hash[0]; 100]);
        let mut source = Source::of(&mut blob);
        copies.send(key, kind, NOW, &taken, &mut source).unwrap();
    }

    /// Regression: a delta backup that finished during pruning lost a picture it had found.
    #[test]
    fn what_a_copy_names_that_comes_meanwhile_stays() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let key = Encryptor::new(&new_pair().1).unwrap();
        send(&copies, &key, BackupKind::Full, &[1]);
        send(&copies, &key, BackupKind::Delta, &[2, 3]);
        let beside = copies.all().unwrap().remove(0);
        fake.change(|inside| {
            inside.modified = Some(LONG_AGO);
            let objects = inside.objects.iter();
            let comes = objects.filter(|(name, _)| name.starts_with("changes/"));
            let comes: Vec<_> = comes
                .map(|(name, bytes)| (name.clone(), bytes.clone()))
                .collect();
            inside
                .objects
                .retain(|name, _| !name.starts_with("changes/"));
            inside.refuse = Some(Box::new(move |objects, _, key| {
                if key.starts_with("whole/") && key.ends_with(MANIFEST) {
                    objects.extend(comes.iter().cloned());
                }
                false
            }));
        });
        copies.prune(BackupKind::Full, NOW).unwrap();
        assert_eq!(copies.check(&beside, None).unwrap().bad, 0);
        fake.change(|inside| inside.refuse = None);
        copies.remove(&beside).unwrap();
        copies.prune(BackupKind::Full, NOW).unwrap();
        assert_eq!(fake.names(PICTURES).len(), 1);
    }

    /// Nothing is removed between the listing of the bucket and the write of the manifest.
    #[test]
    fn nothing_is_removed_while_a_copy_names_what_is_there() {
        let fake = Fake::start();
        let copies = Arc::new(BackupRepository::new(fake.bucket()));
        let key = Encryptor::new(&new_pair().1).unwrap();
        send(&copies, &key, BackupKind::Full, &[1]);
        let (own, held) = (Arc::clone(&copies), Arc::new(AtomicUsize::new(0)));
        let seen = Arc::clone(&held);
        fake.change(|inside| {
            inside.modified = Some(LONG_AGO);
            inside.objects.insert("pictures/ab.cd".to_owned(), vec![1]);
            inside.refuse = Some(Box::new(move |_, method, key| {
                let is_named = method == "PUT" && key.ends_with(MANIFEST);
                let is_removed = method == "DELETE" && key.starts_with(PICTURES);
                if (is_named || is_removed) && own.naming.try_lock().is_err() {
                    seen.fetch_add(1, Ordering::SeqCst);
                }
                false
            }));
        });
        send(&copies, &key, BackupKind::Delta, &[1]);
        copies.prune(BackupKind::Full, NOW).unwrap();
        assert_eq!(held.load(Ordering::SeqCst), 2);
        assert_eq!(fake.names(PICTURES).len(), 1);
    }
}
