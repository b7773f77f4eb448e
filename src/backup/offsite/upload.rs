//! Uploads a copy: missing objects first, the manifest that references them last.

use super::chunks::{PIECE_BYTES, pieces};
use super::encryption::hash;
use super::prune::{REUSE_MILLISECONDS_MAX, is_older};
use super::{
    BackupKind, BackupRef, BackupRepository, Claim, Encryptor, FORMAT, FORMAT_IN_PIECES, MANIFEST,
    Manifest, ManifestSigner, PICTURES, Part, Snapshot, Source, StorageError, UploadStats,
};
use crate::object_storage::Listed;
use respiro_content::{Timestamp, time};
use respiro_db::Blob;
use std::collections::{BTreeMap, BTreeSet};

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// Each uploaded picture is read back and verified once within this many days.
const LOOK_DAYS: i64 = 30;
/// Limit of picture bytes in a delta backup, which has to finish within a minute. One
/// photograph with all its sizes is smaller.
const BESIDE_BYTES_MAX: u64 = 4 * PIECE_BYTES;
/// Resolution of the time in the name of a copy.
const STAMP_MILLISECONDS: i64 = 1000;
impl BackupRepository {
    /// Uploads missing objects, reads them back, then writes the manifest. A full backup also
    /// verifies some of the existing pictures; a delta backup leaves large uploads to it.
    pub fn send(
        &self,
        encryptor: &Encryptor,
        kind: BackupKind,
        now: Timestamp,
        taken: &Snapshot,
        source: &mut Source<'_>,
    ) -> Result<UploadStats, StorageError> {
        let (claim, signer) = (taken.claim(), ManifestSigner::new(&taken.secret)?);
        let site = encryptor.name(&taken.secret);
        let all = self.all()?;
        let former = self.require_own(&all, &claim, &site, encryptor)?;
        let mut sent = UploadStats::default();
        let named = former.map(|manifest| manifest.pictures).unwrap_or_default();
        let blobs = (taken.blobs.as_slice(), &named);
        let pictures = self.send_pictures(encryptor, kind, now, blobs, source, &mut sent)?;
        let rows = encryptor.seal_rows(&taken.rows)?;
        let rows_part = Part {
            bytes: rows.len() as u64,
            sha256: hash(&rows),
        };
        let name = format!("{}{}", kind.folder(), time::stamp(moment_of(&all, now)));
        self.put(&rows_part.name(&name), &rows, &mut sent)?;
        sent.awaited = pictures.awaited.len();
        let _naming = self.naming();
        self.require_still(&pictures.there)?;
        (source.check_current)()?;
        // The upload may have taken hours: another machine may have taken over meanwhile.
        let former = self.require_own(&self.all()?, &claim, &site, encryptor)?;
        let manifest = Manifest {
            format: pictures.format(),
            at: time::rfc3339(now),
            program: format!("respiro {}", env!("CARGO_PKG_VERSION")),
            site,
            owner: claim.succeed(former.as_ref().map(|manifest| &manifest.owner)),
            key_ending: encryptor.ending(),
            items: taken.items,
            rows: rows_part,
            pictures: pictures.there,
            awaited: pictures.awaited,
            is_by_command: taken.is_by_command,
            signer: Some(signer.public_key().to_string()),
            signed_by: None,
        };
        let json = serde_json::to_string(&manifest)
            .map_err(|error| StorageError::Other(error.to_string()))?;
        let bytes = signer.sign(&name, &json)?;
        self.put(&format!("{name}{MANIFEST}"), &bytes, &mut sent)?;
        Ok(sent)
    }

    /// Uploads the missing pictures. `named` holds those of the newest copy: others may be about to
    /// be removed.
    fn send_pictures(
        &self,
        encryptor: &Encryptor,
        kind: BackupKind,
        now: Timestamp,
        (blobs, named): (&[Blob], &BTreeMap<String, u64>),
        source: &mut Source<'_>,
        sent: &mut UploadStats,
    ) -> Result<Pictures, StorageError> {
        let there = self.pictures()?;
        let listed_of = |name: &str, bytes: u64| {
            // Encryption adds bytes: an object that is not longer is not ours.
            let known = there.get(name);
            known.filter(|(whole, listed)| {
                let modified = listed.modified.as_deref();
                let may_go =
                    !named.contains_key(whole) && is_older(modified, now, REUSE_MILLISECONDS_MAX);
                listed.bytes > bytes && !may_go
            })
        };
        let parts_of = |blob: &Blob| {
            let is_whole = |name: &str| listed_of(name, blob.bytes).is_some();
            pieces(encryptor, blob, is_whole)
        };
        let parts: Vec<_> = blobs.iter().map(|blob| (blob, parts_of(blob))).collect();
        let total = parts.iter().map(|(_, pieces)| pieces.len()).sum();
        let (mut pictures, mut count, mut room) = (Pictures::default(), 0, BESIDE_BYTES_MAX);
        for (blob, pieces) in parts {
            let mut bytes = None;
            for piece in pieces {
                let known = listed_of(&piece.name, piece.bytes);
                let is_good = match known {
                    Some((whole, listed)) if kind == BackupKind::Full && is_turn_of(whole, now) => {
                        self.is_as_named(whole, listed.bytes)?
                    }
                    known => known.is_some(),
                };
                if let (Some((whole, listed)), true) = (known, is_good) {
                    sent.known += 1;
                    pictures.there.insert(whole.clone(), listed.bytes);
                } else if kind == BackupKind::Delta
                    && ((source.is_being_uploaded)(blob) || room < piece.bytes)
                {
                    pictures.awaited.insert(piece.name);
                } else {
                    room = room.saturating_sub(piece.bytes);
                    let content = match bytes.take() {
                        Some(content) => content,
                        None => (source.blob)(*blob)?,
                    };
                    let part = piece.of(&content).ok_or_else(|| short(&piece.name))?;
                    let object = encryptor.seal(part)?;
                    let whole = format!("{}.{}", piece.name, hash(&object));
                    self.put(&format!("{PICTURES}{whole}"), &object, sent)?;
                    self.remove_bad(known)?;
                    pictures.there.insert(whole, object.len() as u64);
                    bytes = Some(content);
                }
                count += 1;
                (source.report_progress)(count, total);
            }
        }
        Ok(pictures)
    }

    /// Fails if a picture has disappeared: the bucket may have been emptied or pruned meanwhile.
    fn require_still(&self, pictures: &BTreeMap<String, u64>) -> Result<(), StorageError> {
        let there = self.bucket.list(PICTURES)?;
        let missing = pictures.keys().find(|name| !there.contains_key(*name));
        missing.map_or(Ok(()), |_| Err(StorageError::NotThere))
    }

    /// Refuses to copy over another site, or over a newer machine of this site: an empty server
    /// must not push out existing copies, and a retired machine that restarts must not hide newer
    /// ones. Returns the newest readable manifest.
    fn require_own(
        &self,
        all: &[BackupRef],
        claim: &Claim,
        site: &str,
        encryptor: &Encryptor,
    ) -> Result<Option<Manifest>, StorageError> {
        for copy in all {
            let manifest = match self.manifest(copy) {
                Ok(manifest) => manifest,
                // A copy with an unreadable manifest must not block all further copies.
                Err(StorageError::Damaged(_) | StorageError::NotThere) => continue,
                Err(error) => return Err(error),
            };
            // Copies of older programs: the same site has another name under another key.
            let is_other = manifest.owner.file.is_none()
                && manifest.site != site
                && manifest.key_ending == encryptor.ending();
            let checked = claim.check(&manifest.owner, manifest.made(copy));
            return match checked {
                _ if is_other => Err(StorageError::OtherSite),
                Err(StorageError::OtherMachine) if self.takes_over => Ok(Some(manifest)),
                checked => checked.map(|()| Some(manifest)),
            };
        }
        Ok(None)
    }

    /// Lists the pictures in the bucket by content name.
    pub(super) fn pictures(&self) -> Result<BTreeMap<String, (String, Listed)>, StorageError> {
        let mut by_name: BTreeMap<String, (String, Listed)> = BTreeMap::new();
        for (whole, listed) in self.bucket.list(PICTURES)? {
            let Some((name, _)) = whole.split_once('.') else {
                continue;
            };
            let known = by_name.get(name);
            // Of two objects, keep the longer: the other was truncated.
            if known.is_none_or(|(_, known)| known.bytes < listed.bytes) {
                by_name.insert(name.to_owned(), (whole, listed));
            }
        }
        Ok(by_name)
    }

    /// Whether a picture in the bucket matches the hash in its name.
    fn is_as_named(&self, whole: &str, bytes: u64) -> Result<bool, StorageError> {
        match self.picture_as_named(whole, bytes) {
            Ok(_) => Ok(true),
            Err(StorageError::NotThere | StorageError::Damaged(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes a damaged picture after its replacement, so that the next copy does not use it.
    fn remove_bad(&self, bad: Option<&(String, Listed)>) -> Result<(), StorageError> {
        let Some((name, _)) = bad else {
            return Ok(());
        };
        tracing::warn!(
            name,
            "a picture in the object storage was damaged: sent again"
        );
        self.bucket.remove(&format!("{PICTURES}{name}"))
    }

    /// Uploads an object and verifies it; retries once if the bytes differ.
    fn put(&self, name: &str, bytes: &[u8], sent: &mut UploadStats) -> Result<(), StorageError> {
        for _ in 0..2 {
            if self.bucket.put_verified(name, bytes)? {
                sent.objects += 1;
                sent.bytes += bytes.len() as u64;
                return Ok(());
            }
            tracing::warn!(
                name,
                "what the object storage gave back differs: sent again"
            );
        }
        Err(StorageError::Damaged(name.to_owned()))
    }
}

/// The pictures of a copy: uploaded ones and awaited ones.
#[derive(Default)]
struct Pictures {
    there: BTreeMap<String, u64>,
    awaited: BTreeSet<String>,
}

impl Pictures {
    fn format(&self) -> u32 {
        let is_in_pieces = self.there.keys().any(|name| name.contains('-'));
        if is_in_pieces || !self.awaited.is_empty() {
            FORMAT_IN_PIECES
        } else {
            FORMAT
        }
    }
}

fn short(name: &str) -> StorageError {
    StorageError::Other(format!(
        "the data file has less of the picture {name} than it says"
    ))
}

/// Returns the time for the name of a copy: later than all existing copies, even if a clock was
/// ahead once. Otherwise the new copy would count as the older one and be removed.
fn moment_of(all: &[BackupRef], now: Timestamp) -> Timestamp {
    let next = |newest: &BackupRef| newest.at.saturating_add(STAMP_MILLISECONDS);
    all.first().map_or(now, |newest| now.max(next(newest)))
}

/// Whether a picture is due for verification today, one day of `LOOK_DAYS`.
fn is_turn_of(name: &str, now: Timestamp) -> bool {
    let number = name
        .get(..4)
        .and_then(|start| i64::from_str_radix(start, 16).ok());
    let day = now.div_euclid(DAY_MILLISECONDS);
    number.is_none_or(|number| number.rem_euclid(LOOK_DAYS) == day.rem_euclid(LOOK_DAYS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offsite::new_pair;
    use crate::test_storage::{Fake, trusted};
    use respiro_db::FileIdentity;

    const NOW: Timestamp = 1_795_000_000_000;
    const MINUTE: i64 = 60_000;

    fn encryptor() -> Encryptor {
        Encryptor::new(&new_pair().1).unwrap()
    }

    fn taken(secret: u8, lineage: Option<(u8, Timestamp)>) -> Snapshot {
        let blobs = (0..3).map(|number| Blob {
            hash: [number; 32],
            bytes: 100,
        });
        Snapshot {
            rows: b"righe".to_vec(),
            blobs: blobs.collect(),
            items: 0,
            secret: [secret; 32],
            lineage: lineage.map(|(id, since)| FileIdentity {
                id: [id; 16],
                since,
            }),
            instances: Vec::new(),
            is_by_command: false,
        }
    }

    fn send(
        copies: &BackupRepository,
        encryptor: &Encryptor,
        kind: BackupKind,
        now: Timestamp,
        taken: &Snapshot,
    ) -> Result<UploadStats, StorageError> {
        let mut blob = |blob: Blob| Ok(vec![blob.hash[0]; 100]);
        let sent = copies.send(encryptor, kind, now, taken, &mut Source::of(&mut blob))?;
        copies.prune(kind, &trusted(now))?;
        Ok(sent)
    }

    /// Regression: a reinstalled machine with a new key used the prefix of the site that was to be
    /// restored, and its first full backup removed that site's last changes.
    #[test]
    fn another_site_is_refused_whatever_its_key() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let (key, new_key) = (encryptor(), encryptor());
        let changes = |at| send(&copies, &key, BackupKind::Delta, at, &taken(1, None));
        send(&copies, &key, BackupKind::Full, NOW, &taken(1, None)).unwrap();
        changes(NOW + MINUTE).unwrap();
        let there = fake.names("");
        for key in [&key, &new_key] {
            let refused = send(
                &copies,
                key,
                BackupKind::Full,
                NOW + 2 * MINUTE,
                &taken(2, None),
            );
            assert_eq!(refused.unwrap_err(), StorageError::OtherSite);
            assert_eq!(fake.names(""), there);
        }
        // The same site may get a new key.
        send(
            &copies,
            &new_key,
            BackupKind::Full,
            NOW + 3 * MINUTE,
            &taken(1, None),
        )
        .unwrap();
    }

    /// Copies of older programs without `file` still count as copies of this site.
    #[test]
    fn copies_of_a_former_program_are_gone_on_with() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let (key, new_key) = (encryptor(), encryptor());
        send(&copies, &key, BackupKind::Full, NOW, &taken(1, None)).unwrap();
        fake.change(|inside| {
            let manifest = inside
                .objects
                .iter_mut()
                .find(|(name, _)| name.ends_with(MANIFEST));
            let bytes = manifest.unwrap().1;
            let mut json: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            for field in ["file", "signer", "signature"] {
                json.as_object_mut().unwrap().remove(field).unwrap();
            }
            *bytes = serde_json::to_vec(&json).unwrap();
        });
        let other = send(
            &copies,
            &key,
            BackupKind::Delta,
            NOW + MINUTE,
            &taken(2, None),
        );
        assert_eq!(other.unwrap_err(), StorageError::OtherSite);
        send(
            &copies,
            &new_key,
            BackupKind::Delta,
            NOW + MINUTE,
            &taken(1, None),
        )
        .unwrap();
    }

    /// Regression: a retired server that was restarted copied its old state over that of its
    /// replacement; a restore would have used the old state.
    #[test]
    fn a_machine_that_wakes_hides_no_newer_copies() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let key = encryptor();
        let (old, new) = (taken(1, None), taken(1, Some((9, NOW + MINUTE))));
        send(&copies, &key, BackupKind::Full, NOW, &old).unwrap();
        send(&copies, &key, BackupKind::Full, NOW + 2 * MINUTE, &new).unwrap();
        let there = fake.names("");
        let woken = send(&copies, &key, BackupKind::Delta, NOW + 3 * MINUTE, &old);
        assert_eq!(woken.unwrap_err(), StorageError::OtherMachine);
        assert_eq!(fake.names(""), there);
        send(&copies, &key, BackupKind::Delta, NOW + 4 * MINUTE, &new).unwrap();
        // A second restore, of an older copy, needs no confirmation.
        let again = taken(1, Some((10, NOW + 5 * MINUTE)));
        send(&copies, &key, BackupKind::Delta, NOW + 6 * MINUTE, &again).unwrap();
        // The operator can confirm the machine with `--take-over`.
        let asked = BackupRepository::new(fake.bucket()).taking_over();
        send(&asked, &key, BackupKind::Full, NOW + 7 * MINUTE, &new).unwrap();
        send(&copies, &key, BackupKind::Delta, NOW + 8 * MINUTE, &new).unwrap();
    }

    fn of_machine(instances: &[&str]) -> Snapshot {
        Snapshot {
            instances: instances.iter().map(|one| (*one).to_owned()).collect(),
            ..taken(1, None)
        }
    }

    /// Regression: a data file that was copied by hand to a second machine was not detected.
    #[test]
    fn two_machines_with_one_data_file_do_not_take_turns() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let key = encryptor();
        let delta = |at, machine: &Snapshot| send(&copies, &key, BackupKind::Delta, at, machine);
        let (one, two) = (of_machine(&["a"]), of_machine(&["a", "b"]));
        delta(NOW, &one).unwrap();
        delta(NOW + MINUTE, &two).unwrap();
        let there = fake.names("");
        for woken in [&one, &of_machine(&["a", "c"])] {
            let refused = delta(NOW + 2 * MINUTE, woken);
            assert_eq!(refused.unwrap_err(), StorageError::OtherMachine);
        }
        assert_eq!(fake.names(""), there);
        // A restart of the machine that took over, and a copy by command before its first start.
        delta(NOW + 3 * MINUTE, &of_machine(&["a", "b", "d"])).unwrap();
        let newest = copies.manifest(&copies.all().unwrap()[0]).unwrap();
        assert_eq!(newest.owner.epoch, 3);
        let asked = BackupRepository::new(fake.bucket()).taking_over();
        let woken = of_machine(&["a", "c"]);
        send(&asked, &key, BackupKind::Delta, NOW + 4 * MINUTE, &woken).unwrap();
        let refused = delta(NOW + 5 * MINUTE, &two);
        assert_eq!(refused.unwrap_err(), StorageError::OtherMachine);
        delta(NOW + 6 * MINUTE, &woken).unwrap();
    }

    /// Regression: a machine that was taken over during an upload of hours finished it.
    #[test]
    fn a_machine_that_is_taken_over_while_it_uploads_writes_no_manifest() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let other = BackupRepository::new(fake.bucket());
        let key = encryptor();
        let (one, two) = (of_machine(&["a"]), of_machine(&["a", "b"]));
        let mut is_first = true;
        let mut blob = |blob: Blob| {
            if std::mem::take(&mut is_first) {
                send(&other, &key, BackupKind::Delta, NOW, &two).unwrap();
            }
            Ok(vec![blob.hash[0]; 100])
        };
        let mut source = Source::of(&mut blob);
        let sent = copies.send(&key, BackupKind::Full, NOW + MINUTE, &one, &mut source);
        assert_eq!(sent.unwrap_err(), StorageError::OtherMachine);
        assert_eq!(copies.all().unwrap().len(), 1);
    }

    /// Regression: a command beside the server removed a picture that the server's next copy named.
    #[test]
    fn what_another_program_may_remove_is_sent_again() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let key = encryptor();
        let site = taken(1, None);
        send(&copies, &key, BackupKind::Full, NOW, &site).unwrap();
        let without = Snapshot {
            blobs: site.blobs[1..].to_vec(),
            ..taken(1, None)
        };
        send(&copies, &key, BackupKind::Delta, NOW + MINUTE, &without).unwrap();
        let unnamed = fake.names(PICTURES);
        // Old enough to be removed once no copy names it.
        fake.change(|inside| inside.modified = Some("2020-01-01T00:00:00.000Z"));
        let sent = send(&copies, &key, BackupKind::Delta, NOW + 2 * MINUTE, &site).unwrap();
        assert_eq!((sent.known, sent.objects), (2, 3));
        let named = copies.manifest(&copies.all().unwrap()[0]).unwrap().pictures;
        let again = named
            .keys()
            .filter(|name| !unnamed.contains(&format!("{PICTURES}{name}")));
        assert_eq!(again.count(), 1);
    }

    /// Regression: the end of the server waited for the objects that a copy had still to send.
    #[test]
    fn a_stop_ends_a_copy_between_two_objects() {
        let fake = Fake::start();
        let stop = crate::StopFlag::default();
        let copies = BackupRepository::new(fake.bucket().stopped_by(stop.clone()));
        fake.change(|inside| {
            inside.refuse = Some(Box::new(move |_, method, key| {
                if method == "PUT" && key.starts_with(PICTURES) {
                    stop.stop();
                }
                false
            }));
        });
        let sent = send(
            &copies,
            &encryptor(),
            BackupKind::Full,
            NOW,
            &taken(1, None),
        );
        assert_eq!(sent.unwrap_err(), StorageError::Stopped);
        assert_eq!(fake.names("").len(), 1);
    }

    /// Regression: uploaded objects were never verified again; one flipped bit made every copy
    /// useless without notice.
    #[test]
    fn a_picture_that_is_damaged_there_is_sent_again_within_a_month() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let (secret, public) = new_pair();
        let key = Encryptor::new(&public).unwrap();
        let site = taken(1, None);
        send(&copies, &key, BackupKind::Full, NOW, &site).unwrap();
        let first = copies.all().unwrap().remove(0);
        let bad = fake.names(PICTURES).remove(1);
        fake.change(|inside| inside.objects.get_mut(&bad).unwrap()[50] ^= 1);
        assert_eq!(copies.check(&first, None).unwrap().bad, 1);
        let mut objects = Vec::new();
        for day in 1..=LOOK_DAYS {
            let at = NOW + day * DAY_MILLISECONDS;
            objects.push(
                send(&copies, &key, BackupKind::Full, at, &site)
                    .unwrap()
                    .objects,
            );
        }
        // Rows and manifest each day, plus the picture on one of the days.
        assert_eq!(objects.iter().filter(|count| **count == 3).count(), 1);
        assert_eq!(objects.iter().filter(|count| **count == 2).count(), 29);
        assert!(!fake.names(PICTURES).contains(&bad));
        assert_eq!(fake.names(PICTURES).len(), 3);
        let decryptor = crate::offsite::Decryptor::new(&secret).unwrap();
        for copy in copies.all().unwrap() {
            // Includes earlier copies, which reference the damaged object.
            assert_eq!(
                copies.check(&copy, Some(&decryptor)).unwrap().bad,
                0,
                "{copy:?}"
            );
        }
    }

    /// Regression: a full backup dated in the future made every later delta backup the older one,
    /// which was removed at once.
    #[test]
    fn after_a_clock_that_was_ahead_copies_stay() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let key = encryptor();
        let site = taken(1, None);
        let ahead = NOW + 400 * DAY_MILLISECONDS;
        send(&copies, &key, BackupKind::Full, ahead, &site).unwrap();
        send(&copies, &key, BackupKind::Delta, NOW, &site).unwrap();
        let newest = copies.all().unwrap().remove(0);
        assert_eq!(
            (newest.kind, newest.at),
            (BackupKind::Delta, ahead + STAMP_MILLISECONDS)
        );
        for day in 1..=10 {
            send(
                &copies,
                &key,
                BackupKind::Full,
                NOW + day * DAY_MILLISECONDS,
                &site,
            )
            .unwrap();
        }
        // All names are of one day; retention uses the creation times.
        assert!(copies.all().unwrap().len() >= 7, "{:?}", copies.all());
    }

    /// Regression: copies that began before a restore and finished after it, or whose name was
    /// later because of a fast clock, blocked all further ones.
    #[test]
    fn what_was_made_before_a_restore_is_no_other_machine() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let key = encryptor();
        let (old, new) = (taken(1, None), taken(1, Some((9, NOW + MINUTE))));
        let ahead = NOW + 10 * MINUTE;
        send(&copies, &key, BackupKind::Full, ahead, &old).unwrap();
        send(&copies, &key, BackupKind::Delta, NOW, &old).unwrap();
        assert!(copies.all().unwrap()[0].at > ahead);
        send(&copies, &key, BackupKind::Delta, NOW + 2 * MINUTE, &new).unwrap();
        let woken = send(&copies, &key, BackupKind::Delta, NOW + 3 * MINUTE, &old);
        assert_eq!(woken.unwrap_err(), StorageError::OtherMachine);
    }

    /// Regression: a copy of the replaced data file that finished after a restore became the newest
    /// copy and counted as another machine's.
    #[test]
    fn what_a_restore_overtakes_becomes_no_copy() {
        let fake = Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let mut blob = |blob: Blob| Ok(vec![blob.hash[0]; 100]);
        let gone = StorageError::Other("another data file is in its place".to_owned());
        let mut source = Source {
            check_current: &|| Err(gone.clone()),
            ..Source::of(&mut blob)
        };
        let sent = copies.send(
            &encryptor(),
            BackupKind::Delta,
            NOW,
            &taken(1, None),
            &mut source,
        );
        assert_eq!(sent.unwrap_err(), gone);
        assert_eq!(fake.names(PICTURES).len(), 3);
        assert!(copies.all().unwrap().is_empty());
    }
}
