//! Decisions of persons that a restore must not undo: left the newsletter, had an address erased,
//! withdrew a testimonial; and which addresses are unreachable.
//!
//! A backup does not know what was decided after it. The replaced file does: `carry_over` applies
//! its decisions to the backup, unless the person decided otherwise later.

use crate::clock::TrustedTime;
use crate::error::{Error, Result};
use crate::tables::{self, NOTES, SUBSCRIBERS};
use crate::{AddressStatus, BounceRecord, Reader, Subscriber, Subscription, Writer};
use data_encoding::HEXLOWER;
use respiro_content::{COLLECTIONS, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Start of the names of notes that record erased addresses, by their fingerprint.
const ERASED: &str = "erased-";
/// Start of the names of notes that record withdrawn testimonials that are gone from the trash.
const WITHDRAWN: &str = "withdrawn-";
/// Start of the names of notes that record items that were erased with a person's data.
const ERASED_ITEM: &str = "item-erased-";
/// The note that counts what the last restore carried over.
const CARRIED_OVER: &str = "carried-over";
/// How long the notes are kept: longer than the oldest off-site backup, which is a year old.
pub(crate) const DECISION_MILLISECONDS_MAX: i64 = 2 * 366 * 24 * 60 * 60 * 1_000;

/// How many decisions a restore carries over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CarriedOver {
    /// Addresses that left the newsletter.
    pub unsubscribed: usize,
    /// Addresses that were erased.
    pub erased: usize,
    /// Testimonials that were withdrawn, and items that were erased with a person's data.
    pub withdrawn: usize,
}

/// The decisions that a data file knows of.
#[derive(Debug)]
pub struct PersonalDecisions {
    secret: [u8; 32],
    unsubscribed: Vec<(String, Timestamp)>,
    /// Times of erasure by fingerprint of the address.
    erased: BTreeMap<String, Timestamp>,
    /// Times of withdrawal by id of the testimonial.
    withdrawn: BTreeMap<String, Timestamp>,
    /// Times of erasure by id of the item.
    erased_items: BTreeMap<String, Timestamp>,
    /// Unreachable addresses, each with the time since when, and the reports about it.
    unreachable: Vec<(String, Timestamp, Option<BounceRecord>)>,
}

/// The decisions that a backup does not know of.
struct Missing {
    unsubscribed: Vec<(Subscriber, Timestamp)>,
    erased: Vec<(String, Timestamp)>,
    withdrawn: Vec<(String, Timestamp)>,
    erased_items: Vec<(String, Timestamp)>,
}

impl Missing {
    const fn count(&self) -> CarriedOver {
        CarriedOver {
            unsubscribed: self.unsubscribed.len(),
            erased: self.erased.len(),
            withdrawn: self.withdrawn.len() + self.erased_items.len(),
        }
    }
}

impl PersonalDecisions {
    /// Counts the decisions that `backup` does not know of.
    pub fn count_missing_in(&self, backup: &Reader<'_>) -> Result<CarriedOver> {
        Ok(self.missing_in(backup)?.count())
    }

    fn missing_in(&self, backup: &Reader<'_>) -> Result<Missing> {
        let mut missing = Missing {
            unsubscribed: Vec::new(),
            erased: Vec::new(),
            withdrawn: Vec::new(),
            erased_items: Vec::new(),
        };
        // Lists skip rows that do not decode, which no page and no newsletter uses either: such a
        // row must not prevent a restore.
        let subscribers = backup.subscribers().list()?;
        let by_email: BTreeMap<&str, &Subscriber> =
            subscribers.iter().map(|one| (&*one.email, one)).collect();
        for (email, at) in &self.unsubscribed {
            let known = by_email.get(email.as_str());
            let undone = known
                .filter(|one| one.state != Subscription::Unsubscribed && *at >= last_consent(one));
            let undone = undone.map(|one| (Subscriber::clone(one), *at));
            missing.unsubscribed.extend(undone);
        }
        if !self.erased.is_empty() {
            for one in &subscribers {
                let erased_at = self.erased.get(&fingerprint(&self.secret, &one.email));
                if let Some(at) = erased_at.filter(|at| **at >= last_consent(one)) {
                    missing
                        .unsubscribed
                        .retain(|(other, _)| other.email != one.email);
                    missing.erased.push((one.email.clone(), *at));
                }
            }
        }
        if !self.withdrawn.is_empty() {
            let present = backup.provenances().testimonial_ids()?;
            let known = backup.provenances().list()?.into_iter();
            let known: BTreeSet<String> = known
                .filter(|one| one.withdrawn_at.is_some())
                .map(|one| one.item_id)
                .collect();
            let undone = self.withdrawn.iter();
            let undone = undone.filter(|(id, _)| present.contains(*id) && !known.contains(*id));
            let undone = undone.filter(|(id, _)| !self.erased_items.contains_key(*id));
            missing
                .withdrawn
                .extend(undone.map(|(id, at)| (id.clone(), *at)));
        }
        if !self.erased_items.is_empty() {
            let present = backup.item_ids()?;
            let undone = self.erased_items.iter();
            let undone = undone.filter(|(id, _)| present.contains(*id));
            let undone = undone.map(|(id, at)| (id.clone(), *at));
            missing.erased_items.extend(undone);
        }
        Ok(missing)
    }
}

/// When the person last asked for the newsletter or confirmed it.
fn last_consent(subscriber: &Subscriber) -> Timestamp {
    let confirmed_at = subscriber.confirmed_at.unwrap_or_default();
    subscriber.created_at.max(confirmed_at)
}

/// Identifies an erased address without revealing it to a reader who lacks the file's secret.
fn fingerprint(secret: &[u8; 32], email: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(b"erased address\n");
    hash.update(secret);
    hash.update(email);
    HEXLOWER.encode(&hash.finalize())
}

impl Reader<'_> {
    pub fn personal_decisions(&self) -> Result<PersonalDecisions> {
        let mut unsubscribed = Vec::new();
        for one in self.subscribers().list()? {
            if one.state == Subscription::Unsubscribed {
                let status = self.address_statuses().readable(&one.email)?;
                let at = status.and_then(|status| status.unsubscribed_at);
                let at = at.unwrap_or_else(|| last_consent(&one));
                unsubscribed.push((one.email, at));
            }
        }
        let mut unreachable = Vec::new();
        for status in self.address_statuses().list()? {
            if let Some(at) = status.unreachable_at {
                let bounce = self.bounces().get(&status.email)?;
                unreachable.push((status.email, at, bounce));
            }
        }
        let mut withdrawn = self.decision_notes(WITHDRAWN)?;
        for one in self.provenances().list()? {
            withdrawn.extend(one.withdrawn_at.map(|at| (one.item_id, at)));
        }
        Ok(PersonalDecisions {
            secret: self.secret()?,
            unsubscribed,
            erased: self.decision_notes(ERASED)?,
            withdrawn,
            erased_items: self.decision_notes(ERASED_ITEM)?,
            unreachable,
        })
    }

    /// Returns the ids of the items of all collections and of the trash.
    fn item_ids(&self) -> Result<BTreeSet<String>> {
        let trashed = self.trash().list()?.into_iter().map(|one| one.item.id);
        let mut ids: BTreeSet<String> = trashed.collect();
        for collection in COLLECTIONS {
            let listed = self.items().list(collection)?.into_iter();
            ids.extend(listed.map(|one| one.id));
        }
        Ok(ids)
    }

    /// Returns the counts of decisions that the restore of this file carried over. `None` for a
    /// file that was put in place by hand.
    pub fn carried_over(&self) -> Result<Option<CarriedOver>> {
        let Some(bytes) = self.note(CARRIED_OVER)? else {
            return Ok(None);
        };
        let broken = |error| Error::Storage(format!("note {CARRIED_OVER}: {error}"));
        serde_json::from_slice(&bytes).map(Some).map_err(broken)
    }

    /// Returns the times of the notes whose name starts with `beginning`, by the rest of the name.
    fn decision_notes(&self, beginning: &str) -> Result<BTreeMap<String, Timestamp>> {
        let notes = self.notes(beginning)?.into_iter();
        let times = notes.filter_map(|(name, bytes)| {
            let rest = name.strip_prefix(beginning)?.to_owned();
            Some((rest, std::str::from_utf8(&bytes).ok()?.parse().ok()?))
        });
        Ok(times.collect())
    }
}

impl Writer<'_> {
    /// Removes an address and everything stored with it, and remembers its fingerprint, so that a
    /// restored backup does not bring it back.
    pub fn erase_subscriber(&mut self, email: &str, now: Timestamp) -> Result<()> {
        if self.tables.get(SUBSCRIBERS, email.as_bytes())?.is_some() {
            let name = format!("{ERASED}{}", fingerprint(&self.secret()?, email));
            self.put_decision(&name, now)?;
        }
        self.subscribers().remove(email)
    }

    /// Remembers that a testimonial was withdrawn, when it leaves the trash.
    pub(crate) fn remember_withdrawal(&self, item_id: &str, at: Timestamp) -> Result<()> {
        self.put_decision(&format!("{WITHDRAWN}{item_id}"), at)
    }

    /// Remembers that an item was erased with a person's data.
    pub(crate) fn remember_erased_item(&self, item_id: &str, at: Timestamp) -> Result<()> {
        self.put_decision(&format!("{ERASED_ITEM}{item_id}"), at)
    }

    /// Removes an item of any collection for good, from its list or from the trash.
    fn remove_erased_item(&mut self, id: &str, at: Timestamp) -> Result<()> {
        for collection in COLLECTIONS {
            if self.items().get(collection, id)?.is_some() {
                self.items().delete(collection, id, at)?;
            }
        }
        self.trash().purge(id)
    }

    /// Applies the decisions of the replaced file to this one, and stores how many there were.
    pub fn carry_over(&mut self, decisions: &PersonalDecisions) -> Result<CarriedOver> {
        let missing = decisions.missing_in(self)?;
        let counts = missing.count();
        for (mut subscriber, at) in missing.unsubscribed {
            subscriber.state = Subscription::Unsubscribed;
            self.subscribers().put(&subscriber)?;
            let known = self.address_statuses().readable(&subscriber.email)?;
            let status = AddressStatus {
                unsubscribed_at: Some(at),
                ..known.unwrap_or_else(|| AddressStatus::new(&subscriber.email))
            };
            self.address_statuses().put_final(&status)?;
        }
        for (email, at) in missing.erased {
            self.erase_subscriber(&email, at)?;
        }
        self.carry_over_unreachable(decisions)?;
        for (id, at) in missing.withdrawn {
            self.provenances().withdraw(&id, at)?;
        }
        for (id, at) in &missing.erased_items {
            self.remove_erased_item(id, *at)?;
        }
        // A later restore of a still older backup needs them too.
        for (id, at) in &decisions.erased_items {
            self.remember_erased_item(id, *at)?;
        }
        if decisions.secret == self.secret()? {
            for (fingerprint, at) in &decisions.erased {
                self.put_decision(&format!("{ERASED}{fingerprint}"), *at)?;
            }
        }
        let present = self.provenances().testimonial_ids()?;
        for (id, at) in &decisions.withdrawn {
            if !present.contains(id) {
                self.remember_withdrawal(id, *at)?;
            }
        }
        let json = serde_json::to_vec(&counts);
        let json = json.map_err(|error| Error::Internal(error.to_string()))?;
        self.put_note(CARRIED_OVER, &json)?;
        Ok(counts)
    }

    /// Marks the addresses that turned out to be unreachable after the backup. Not counted: no
    /// person decided it.
    fn carry_over_unreachable(&mut self, decisions: &PersonalDecisions) -> Result<()> {
        for (email, at, bounce) in &decisions.unreachable {
            let subscriber = self.subscribers().get(email)?;
            let is_undone = subscriber.is_some_and(|one| *at >= last_consent(&one));
            let status = self.address_statuses().readable(email)?;
            let Some(status) = status.filter(|one| is_undone && one.unreachable_at.is_none())
            else {
                continue;
            };
            self.address_statuses().put(&AddressStatus {
                unreachable_at: Some(*at),
                ..status
            })?;
            if let Some(bounce) = bounce {
                self.bounces().put(bounce)?;
            }
        }
        Ok(())
    }

    pub(crate) fn forget_carried_over(&self) -> Result<()> {
        let key = CARRIED_OVER.as_bytes();
        self.transaction.remove(NOTES, key).map(drop)
    }

    /// Removes the notes of old decisions: no backup that contradicts them is left.
    pub(crate) fn remove_old_decisions(&self, now: &TrustedTime) -> Result<()> {
        for beginning in [ERASED, WITHDRAWN, ERASED_ITEM] {
            for (rest, at) in self.decision_notes(beginning)? {
                if now.age_of(at) >= DECISION_MILLISECONDS_MAX {
                    let name = format!("{beginning}{rest}");
                    self.transaction.remove(NOTES, name.as_bytes())?;
                }
            }
        }
        Ok(())
    }

    /// Also on a full disk: what is erased frees more than the note takes.
    fn put_decision(&self, name: &str, at: Timestamp) -> Result<()> {
        let bytes = tables::encode(&at.to_string().into_bytes())?;
        self.transaction
            .put_reserved(NOTES, name.as_bytes(), &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::tables::PROVENANCES;
    use crate::{BounceCause, Provenance, Store, WriteAccess, testimonial_collection};
    use respiro_content::{Item, Value};
    use std::path::Path;

    const SUBSCRIBED_AT: Timestamp = 1_000;
    const DECIDED_AT: Timestamp = 2_000;

    fn reader_of(store: &Store) -> PersonalDecisions {
        store.read(|reader| reader.personal_decisions()).unwrap()
    }

    fn subscribe(store: &WriteAccess, email: &str, at: Timestamp) {
        let subscriber = Subscriber {
            email: email.to_owned(),
            state: Subscription::Confirmed,
            consent_text: String::new(),
            created_at: at,
            confirmed_at: Some(at + 1),
        };
        store
            .write(|writer| writer.subscribers().put(&subscriber))
            .unwrap();
    }

    fn unsubscribe(store: &WriteAccess, email: &str, at: Timestamp) {
        let written = store.write(|writer| {
            let mut subscriber = writer.subscribers().get(email)?.unwrap();
            subscriber.state = Subscription::Unsubscribed;
            writer.subscribers().put(&subscriber)?;
            writer.address_statuses().put(&AddressStatus {
                unsubscribed_at: Some(at),
                ..AddressStatus::new(email)
            })
        });
        written.unwrap();
    }

    fn state(store: &Store, email: &str) -> Option<Subscription> {
        let found = store
            .read(|reader| reader.subscribers().get(email))
            .unwrap();
        found.map(|one| one.state)
    }

    /// Returns a file with three subscribers and two testimonials, and a backup of it.
    fn site_and_backup(folder: &Path) -> (WriteAccess, WriteAccess) {
        let store = Store::open(&folder.join("site.redb")).unwrap();
        for email in ["left@a.it", "erased@a.it", "stays@a.it"] {
            subscribe(&store, email, SUBSCRIBED_AT);
        }
        let written = store.write(|writer| {
            for (place, id) in (0..).zip(["withdrawn", "purged"]) {
                let item = Item {
                    id: id.to_owned(),
                    published: true,
                    sort_order: place,
                    created_at: 0,
                    updated_at: 0,
                    values: ["name", "testimonial"]
                        .map(|name| (name.to_owned(), Value::Text("testo".to_owned())))
                        .into(),
                };
                writer.items().import(testimonial_collection()?, &item)?;
                writer.provenances().put(&Provenance::new(id))?;
            }
            Ok::<_, Error>(())
        });
        written.unwrap();
        let backup = folder.join("backup.redb");
        store.backup(&backup, SUBSCRIBED_AT + 500).unwrap();
        (store, Store::open(&backup).unwrap())
    }

    fn decide(store: &WriteAccess) {
        unsubscribe(store, "left@a.it", DECIDED_AT);
        let written = store.write(|writer| {
            writer.erase_subscriber("erased@a.it", DECIDED_AT)?;
            writer.provenances().withdraw("withdrawn", DECIDED_AT)?;
            writer.provenances().withdraw("purged", DECIDED_AT)?;
            writer.trash().purge("purged")
        });
        written.unwrap();
    }

    #[test]
    fn a_restore_keeps_what_persons_decided_after_the_backup() {
        let folder = tempfile::tempdir().unwrap();
        let (store, backup) = site_and_backup(folder.path());
        decide(&store);
        let decisions = reader_of(&store);
        let expected = CarriedOver {
            unsubscribed: 1,
            erased: 1,
            withdrawn: 2,
        };
        let before = backup.read(|reader| decisions.count_missing_in(reader));
        assert_eq!(before.unwrap(), expected);
        let (carried, _) = backup
            .write(|writer| writer.carry_over(&decisions))
            .unwrap();
        assert_eq!(carried, expected);
        assert_eq!(
            state(&backup, "left@a.it"),
            Some(Subscription::Unsubscribed)
        );
        assert_eq!(state(&backup, "erased@a.it"), None);
        assert_eq!(state(&backup, "stays@a.it"), Some(Subscription::Confirmed));
        let collection = testimonial_collection().unwrap();
        for id in ["withdrawn", "purged"] {
            let (item, provenance) = backup
                .read(|reader| {
                    Ok::<_, Error>((
                        reader.items().get(collection, id)?,
                        reader.provenances().get(id)?,
                    ))
                })
                .unwrap();
            assert!(item.is_none(), "{id}");
            assert_eq!(provenance.unwrap().withdrawn_at, Some(DECIDED_AT), "{id}");
        }
        assert_eq!(
            backup.read(|reader| reader.carried_over()).unwrap(),
            Some(expected)
        );
        backup
            .write(|writer| writer.clear_restore_marker())
            .unwrap();
        assert_eq!(backup.read(|reader| reader.carried_over()).unwrap(), None);
    }

    /// The restored file is restored from the same backup once more: it knows all of it still.
    #[test]
    fn a_second_restore_keeps_it_too() {
        let folder = tempfile::tempdir().unwrap();
        let (store, first) = site_and_backup(folder.path());
        let second = folder.path().join("second.redb");
        first.backup(&second, SUBSCRIBED_AT + 500).unwrap();
        let second = Store::open(&second).unwrap();
        decide(&store);
        let decisions = reader_of(&store);
        let (once, _) = first.write(|writer| writer.carry_over(&decisions)).unwrap();
        first.write(|writer| writer.trash().empty()).unwrap();
        let decisions = reader_of(&first);
        let (twice, _) = second
            .write(|writer| writer.carry_over(&decisions))
            .unwrap();
        assert_eq!(once, twice);
    }

    /// Regression: the restore failed as a whole.
    #[test]
    fn a_withdrawal_is_carried_over_to_a_backup_whose_provenance_does_not_decode() {
        let folder = tempfile::tempdir().unwrap();
        let (store, backup) = site_and_backup(folder.path());
        decide(&store);
        let broken = backup.write(|writer| {
            let key = b"withdrawn";
            writer.transaction.put(PROVENANCES, key, &[9, 9])?;
            Ok::<_, Error>(())
        });
        broken.unwrap();
        let decisions = reader_of(&store);
        let (carried, _) = backup
            .write(|writer| writer.carry_over(&decisions))
            .unwrap();
        assert_eq!(carried.withdrawn, 2);
        let collection = testimonial_collection().unwrap();
        let listed = backup.read(|reader| reader.items().get(collection, "withdrawn"));
        assert!(listed.unwrap().is_none());
        let restored = backup.write(|writer| writer.trash().restore("withdrawn", DECIDED_AT));
        assert!(matches!(restored, Err(Error::Conflict(_))), "{restored:?}");
        // The row is kept, and stops neither the trash nor retention.
        backup.write(|writer| writer.trash().empty()).unwrap();
        let row = backup.read(|reader| reader.tables.get(PROVENANCES, b"withdrawn"));
        assert_eq!(row.unwrap(), Some(vec![9, 9]));
        assert!(reader_of(&backup).withdrawn.contains_key("withdrawn"));
    }

    /// Regression: the next newsletter was sent again to addresses that had come back.
    #[test]
    fn an_address_that_came_back_after_the_backup_stays_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let (store, backup) = site_and_backup(folder.path());
        subscribe(&backup, "left@a.it", DECIDED_AT + 1);
        let written = store.write(|writer| {
            for email in ["stays@a.it", "left@a.it"] {
                writer.address_statuses().put(&AddressStatus {
                    unreachable_at: Some(DECIDED_AT),
                    ..AddressStatus::new(email)
                })?;
                let cause = BounceCause::NoMailbox;
                let mut bounce = BounceRecord::new(email, cause, DECIDED_AT);
                bounce.add_message(SUBSCRIBED_AT + 5);
                writer.bounces().put(&bounce)?;
            }
            Ok::<_, Error>(())
        });
        written.unwrap();
        let decisions = reader_of(&store);
        backup
            .write(|writer| writer.carry_over(&decisions))
            .unwrap();
        let state = |email: &'static str| {
            let read = backup.read(|reader| {
                let status = reader.address_statuses().get(email)?;
                let bounce = reader.bounces().get(email)?;
                Ok::<_, Error>((status.unreachable_at, bounce.map(|bounce| bounce.cause)))
            });
            read.unwrap()
        };
        let stopped = (Some(DECIDED_AT), Some(BounceCause::NoMailbox));
        assert_eq!(state("stays@a.it"), stopped);
        assert_eq!(state("left@a.it"), (None, None), "it was asked for later");
    }

    #[test]
    fn a_later_consent_wins() {
        let folder = tempfile::tempdir().unwrap();
        let (store, backup) = site_and_backup(folder.path());
        decide(&store);
        for email in ["left@a.it", "erased@a.it"] {
            subscribe(&backup, email, DECIDED_AT + 1);
        }
        let decisions = reader_of(&store);
        let (carried, _) = backup
            .write(|writer| writer.carry_over(&decisions))
            .unwrap();
        assert_eq!((carried.unsubscribed, carried.erased), (0, 0));
        for email in ["left@a.it", "erased@a.it"] {
            assert_eq!(state(&backup, email), Some(Subscription::Confirmed));
        }
    }

    #[test]
    fn golden_notes_of_decisions() {
        let folder = tempfile::tempdir().unwrap();
        let (store, _) = site_and_backup(folder.path());
        decide(&store);
        let (secret, erased, withdrawn) = store
            .read(|reader| {
                let notes = (reader.notes("erased-")?, reader.notes("withdrawn-")?);
                Ok::<_, Error>((reader.secret()?, notes.0, notes.1))
            })
            .unwrap();
        let name = format!("erased-{}", fingerprint(&secret, "erased@a.it"));
        assert_eq!(erased, [(name, b"2000".to_vec())]);
        assert_eq!(
            withdrawn,
            [("withdrawn-purged".to_owned(), b"2000".to_vec())]
        );
        assert_eq!(
            fingerprint(&[7; 32], "a@b.it"),
            "1db6f9e18f25aceb4bebf172b20b91a9be7e29695db45b694d34729e379831c1"
        );
        let trusted = |at| Clock::fixed(at).trusted().unwrap();
        let kept = |now| {
            store
                .write(|writer| writer.remove_old_decisions(&trusted(now)))
                .unwrap();
            store.read(|reader| reader.notes("erased-")).unwrap().len()
        };
        assert_eq!(kept(DECIDED_AT + DECISION_MILLISECONDS_MAX - 1), 1);
        assert_eq!(kept(DECIDED_AT + DECISION_MILLISECONDS_MAX), 0);
    }
}
