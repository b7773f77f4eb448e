//! Removes off-site backups and objects that the retention rules do not keep.

use super::retention::{self, Candidate};
use super::{BackupKind, BackupRef, BackupRepository, MANIFEST, Manifest, PICTURES, StorageError};
use respiro_content::{Timestamp, time};
use respiro_db::clock::TrustedTime;
use std::collections::BTreeSet;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// Minimum age of rows without a manifest for removal: a running copy may need younger ones.
const LOOSE_ROWS_MILLISECONDS_MIN: i64 = DAY_MILLISECONDS;
/// Minimum age of a picture that no copy names for removal. Another program may be about to name a
/// younger one, see [`REUSE_MILLISECONDS_MAX`].
const UNNAMED_MILLISECONDS_MIN: i64 = 7 * DAY_MILLISECONDS;
/// Maximum age of a picture that a copy takes over although the newest copy does not name it. It
/// uploads an older one again, because a command beside the server may be removing it.
pub(super) const REUSE_MILLISECONDS_MAX: i64 = 6 * DAY_MILLISECONDS;
/// Copies with an unreadable manifest are kept this long for inspection.
const UNREADABLE_MILLISECONDS_MAX: i64 = 30 * DAY_MILLISECONDS;

impl BackupRepository {
    /// Removes outdated copies and returns their number. After a full backup, also applies the
    /// retention calendar and removes unreferenced objects.
    pub fn prune(&self, kind: BackupKind, now: &TrustedTime) -> Result<usize, StorageError> {
        let now = now.at();
        let (all, loose) = self.all_and_loose()?;
        let (whole, changes): (Vec<BackupRef>, Vec<BackupRef>) = all
            .into_iter()
            .partition(|copy| copy.kind == BackupKind::Full);
        let removed = self.prune_deltas(&changes, now)?;
        if kind == BackupKind::Delta {
            return Ok(removed);
        }
        for (name, listed) in loose {
            if is_older(listed.modified.as_deref(), now, LOOSE_ROWS_MILLISECONDS_MIN) {
                self.bucket.remove(&name)?;
            }
        }
        Ok(removed + self.prune_whole(whole, now)?)
    }

    /// Takes the times of delta backups from their names: their manifests are not read each minute.
    fn prune_deltas(&self, deltas: &[BackupRef], now: Timestamp) -> Result<usize, StorageError> {
        let candidates = deltas.iter().map(|copy| Candidate {
            kind: BackupKind::Delta,
            made_at: copy.at,
            is_by_command: false,
        });
        let candidates: Vec<Candidate> = candidates.collect();
        let kept = retention::kept(&candidates, now);
        let outdated = deltas.iter().enumerate();
        let outdated = outdated.filter(|(index, _)| !kept.contains(index));
        let mut removed = 0;
        for (_, copy) in outdated {
            self.remove(copy)?;
            removed += 1;
        }
        Ok(removed)
    }

    fn prune_whole(&self, whole: Vec<BackupRef>, now: Timestamp) -> Result<usize, StorageError> {
        let (mut readable, mut removed, mut is_any_unreadable) = (Vec::new(), 0, false);
        let newest = whole.first().cloned();
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
        readable.sort_by_key(|(copy, manifest)| std::cmp::Reverse(manifest.made(copy)));
        let candidates = readable.iter().map(|(copy, manifest)| Candidate {
            kind: BackupKind::Full,
            made_at: manifest.made(copy),
            is_by_command: manifest.is_by_command,
        });
        let candidates: Vec<Candidate> = candidates.collect();
        let kept = retention::kept(&candidates, now);
        let (mut named, mut read) = (BTreeSet::new(), BTreeSet::new());
        for (index, (copy, manifest)) in readable.into_iter().enumerate() {
            if kept.contains(&index) || Some(&copy) == newest.as_ref() {
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
            let is_old = is_older(listed.modified.as_deref(), now, UNNAMED_MILLISECONDS_MIN);
            if is_old && !named.contains(&name) {
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

/// Whether an object is older than `milliseconds`; `false` if the server reports no time.
pub(super) fn is_older(modified: Option<&str>, now: Timestamp, milliseconds: i64) -> bool {
    let at = modified.and_then(time::parse_rfc3339);
    at.is_some_and(|at| now.saturating_sub(at) > milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offsite::{Encryptor, Snapshot, Source, new_pair};
    use crate::test_storage::{Fake, trusted};
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
            instances: Vec::new(),
            is_by_command: false,
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
        copies.prune(BackupKind::Full, &trusted(NOW)).unwrap();
        assert_eq!(copies.check(&beside, None).unwrap().bad, 0);
        fake.change(|inside| inside.refuse = None);
        copies.remove(&beside).unwrap();
        copies.prune(BackupKind::Full, &trusted(NOW)).unwrap();
        assert_eq!(fake.names(PICTURES).len(), 1);
    }

    /// Regression: a copy by command went with the next one of the same day.
    #[test]
    fn what_a_person_copied_stays_for_thirty_days() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let key = Encryptor::new(&new_pair().1).unwrap();
        let send = |at, is_by_command| {
            let taken = Snapshot {
                rows: vec![1],
                blobs: Vec::new(),
                items: 0,
                secret: [1; 32],
                lineage: None,
                instances: Vec::new(),
                is_by_command,
            };
            let mut blob = |_| Ok(Vec::new());
            let mut source = Source::of(&mut blob);
            copies
                .send(&key, BackupKind::Full, at, &taken, &mut source)
                .unwrap();
            copies.prune(BackupKind::Full, &trusted(at)).unwrap();
        };
        let hour = 60 * 60 * 1000;
        send(NOW, true);
        send(NOW + hour, false);
        send(NOW + 2 * hour, false);
        let times = || {
            let all = copies.all().unwrap().into_iter();
            all.map(|copy| copy.at).collect::<Vec<_>>()
        };
        assert_eq!(times(), [NOW + 2 * hour, NOW]);
        let after = NOW + 31 * DAY_MILLISECONDS;
        send(after, false);
        assert!(!times().contains(&NOW));
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
        copies.prune(BackupKind::Full, &trusted(NOW)).unwrap();
        assert_eq!(held.load(Ordering::SeqCst), 2);
        assert_eq!(fake.names(PICTURES).len(), 1);
    }
}
