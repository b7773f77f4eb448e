//! The one history of the site: what each change of a content block, an item, an order or the
//! settings replaced, when, and which account made it. Versions of content blocks are read from it.
//!
//! A row holds the state before its change; the state after it is that of the next row of the same
//! thing, or the present one.

use super::Writable;
use crate::Reader;
use crate::clock::TrustedTime;
use crate::error::{Error, Result};
use crate::repositories::pictures::UsedPictures;
use crate::tables::{self, HISTORY};
use bincode::{Decode, Encode};
use respiro_content::blocks::{SavedBlock, VERSIONS_MAX};
use respiro_content::{COLLECTIONS, Collection, Item, Settings, Timestamp, collection_by_slug};
use std::collections::{BTreeMap, BTreeSet};

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// Every state that is younger is kept, beside the newest [`VERSIONS_MAX`] of each thing.
pub const HISTORY_MILLISECONDS_MAX: i64 = 200 * DAY_MILLISECONDS;
/// The history with the pictures that only it uses takes at most this part of the data file, …
const FILE_SHARE: u64 = 5;
/// … and this many bytes in a smaller one.
const HISTORY_BYTES_MIN: u64 = 50 * 1024 * 1024;
/// Name of the note with the time of the newest state that retention removed.
const PRUNED_UNTIL: &str = "history-pruned-until";

const BLOCKS: &str = "words";
const ORDERS: &str = "order";
const SETTINGS: &str = "settings";

/// Account, device, time and cause of the changes of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub at: Timestamp,
    /// E-mail address; empty for a schedule.
    pub account: String,
    /// Browser and system of the session, as the client sent them.
    pub user_agent: String,
    pub cause: Cause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
pub enum Cause {
    Edit,
    /// A moment that an account chose before.
    Schedule,
    /// An account returned a thing to its state just before the moment.
    Return(Timestamp),
    /// The whole site returned to its state just before the moment.
    SiteReturn(Timestamp),
    /// An import, a command of the operator, or a release without this history. The states of
    /// other things before it are unknown.
    Unrecorded,
}

/// A record, or an order of records, whose changes the history keeps.
#[derive(Debug, Clone)]
pub enum Thing {
    Block(String),
    Item(&'static Collection, String),
    Order(&'static Collection),
    Settings,
}

impl Thing {
    /// Identifies the thing in keys and in the API: `words:ID`, `events:ID`, `order:events`,
    /// `settings`.
    pub fn name(&self) -> String {
        match self {
            Self::Block(id) => format!("{BLOCKS}:{id}"),
            Self::Item(collection, id) => format!("{}:{id}", collection.slug),
            Self::Order(collection) => format!("{ORDERS}:{}", collection.slug),
            Self::Settings => SETTINGS.to_owned(),
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        match name.split_once(':') {
            None => (name == SETTINGS).then_some(Self::Settings),
            Some((BLOCKS, id)) => Some(Self::Block(id.to_owned())),
            Some((ORDERS, slug)) => collection_by_slug(slug).map(Self::Order),
            Some((slug, id)) => {
                let collection = collection_by_slug(slug)?;
                Some(Self::Item(collection, id.to_owned()))
            }
        }
    }
}

impl PartialEq for Thing {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Thing {}

/// State of a thing before a change.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub enum State {
    /// There was no such item, or the block followed its default.
    Absent,
    /// Removed for good, with a person's data or from the trash.
    Erased,
    Block(SavedBlock),
    Item(Item),
    Settings(Settings),
    /// Ids of a list in their order.
    Order(Vec<String>),
}

impl State {
    pub(crate) fn picture_ids(&self) -> Vec<String> {
        match self {
            Self::Block(saved) => saved.picture_ids(),
            Self::Item(item) => item.picture_ids().map(str::to_owned).collect(),
            Self::Settings(settings) => settings.picture_ids().map(str::to_owned).collect(),
            Self::Absent | Self::Erased | Self::Order(_) => Vec::new(),
        }
    }
}

/// A stored row of the history.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct HistoryRow {
    /// E-mail address; empty for a schedule or a command.
    pub account: String,
    pub user_agent: String,
    pub cause: Cause,
    pub before: State,
}

/// A change without its states. Changes of one transaction have the same time.
#[derive(Debug, Clone)]
pub struct Change {
    pub at: Timestamp,
    pub thing: Thing,
    pub account: String,
    pub user_agent: String,
    pub cause: Cause,
}

/// Storage size of a row, and the pictures that it references.
struct RowSize {
    at: Timestamp,
    thing: String,
    bytes: u64,
    pictures: Vec<String>,
    is_erased: bool,
}

/// Changes that the running transaction has recorded, and their actor.
#[derive(Default)]
pub(crate) struct RecordedChanges {
    actor: Option<Actor>,
    /// The time of the first recorded change.
    at: Option<Timestamp>,
    /// Names of the changed things.
    things: BTreeSet<String>,
}

/// Reads the stored states of all things.
pub struct History<'a>(pub(super) Reader<'a>);

impl History<'_> {
    /// Returns all changes, newest first.
    pub fn list(&self) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        self.each("", &mut |thing, at, row| {
            changes.extend(Thing::parse(thing).map(|thing| Change {
                at,
                thing,
                account: row.account,
                user_agent: row.user_agent,
                cause: row.cause,
            }));
        })?;
        // Stable: changes of one transaction stay in the order of their names.
        changes.sort_by_key(|change| std::cmp::Reverse(change.at));
        Ok(changes)
    }

    /// Returns the size of each row, newest first.
    fn by_time(&self) -> Result<Vec<RowSize>> {
        let mut rows = Vec::new();
        self.0.tables.scan(HISTORY, b"", &mut |key, bytes| {
            if let Some((thing, at)) = parse_key(key)
                && let Some(row) = tables::decode_or_log::<HistoryRow>(HISTORY, key, bytes)
            {
                rows.push(RowSize {
                    at,
                    thing: thing.to_owned(),
                    bytes: (key.len() + bytes.len()) as u64,
                    pictures: row.before.picture_ids(),
                    is_erased: row.before == State::Erased,
                });
            }
            Ok(())
        })?;
        rows.sort_by(|one, other| (other.at, &other.thing).cmp(&(one.at, &one.thing)));
        Ok(rows)
    }

    /// Visits the rows of the things whose key starts with `prefix`, in the order of their keys.
    fn each(&self, prefix: &str, visit: &mut dyn FnMut(&str, Timestamp, HistoryRow)) -> Result<()> {
        let prefix = prefix.as_bytes();
        self.0.tables.scan(HISTORY, prefix, &mut |key, bytes| {
            if let Some((thing, at)) = parse_key(key)
                && let Some(row) = tables::decode_or_log(HISTORY, key, bytes)
            {
                visit(thing, at, row);
            }
            Ok(())
        })
    }

    /// Returns the states of a thing that were replaced at `moment` or later, oldest first, each
    /// with the time of its change.
    pub fn since(&self, thing: &Thing, moment: Timestamp) -> Result<Vec<(Timestamp, State)>> {
        let mut states = Vec::new();
        self.each(&prefix(&thing.name()), &mut |_, at, row| {
            if at >= moment {
                states.push((at, row.before));
            }
        })?;
        Ok(states)
    }

    /// Returns the state of a thing just before `moment`; `None` if it has not changed since.
    pub fn state_before(&self, thing: &Thing, moment: Timestamp) -> Result<Option<State>> {
        let first = self.since(thing, moment)?.into_iter().next();
        Ok(first.map(|(_, state)| state))
    }

    /// Returns the states before and after the change of a thing at `at`.
    pub fn states_around(&self, thing: &Thing, at: Timestamp) -> Result<(State, State)> {
        let mut states = self.since(thing, at)?.into_iter();
        let before = states.next().filter(|(time, _)| *time == at);
        let (_, before) = before.ok_or(Error::NotFound)?;
        let after = match states.next() {
            Some((_, state)) => state,
            None => self.present(thing)?,
        };
        Ok((before, after))
    }

    /// Returns the present state of a thing.
    pub fn present(&self, thing: &Thing) -> Result<State> {
        Ok(match thing {
            Thing::Block(id) => {
                let saved = self.0.content_blocks().get(id)?;
                saved.map_or(State::Absent, State::Block)
            }
            Thing::Item(collection, id) => {
                let item = self.0.items().get(collection, id)?;
                item.map_or(State::Absent, State::Item)
            }
            Thing::Order(collection) => State::Order(self.order(collection)?),
            Thing::Settings => State::Settings(self.0.settings().get()?),
        })
    }

    fn order(&self, collection: &Collection) -> Result<Vec<String>> {
        let items = self.0.items().list(collection)?.into_iter();
        Ok(items.map(|item| item.id).collect())
    }

    /// Returns the former versions of a block, oldest first.
    pub(crate) fn block_versions(&self, id: &str) -> Result<Vec<SavedBlock>> {
        let thing = Thing::Block(id.to_owned());
        let states = self.since(&thing, Timestamp::MIN)?.into_iter();
        let versions = states.filter_map(|(_, state)| match state {
            State::Block(saved) => Some(saved),
            _ => None,
        });
        Ok(versions.collect())
    }

    /// Returns the moment after which the history of all things is complete: an earlier state of
    /// the whole site is unknown.
    pub fn complete_since(&self) -> Result<Timestamp> {
        let pruned = self.0.note(PRUNED_UNTIL)?;
        let pruned = pruned.and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse().ok());
        let mut since: Timestamp = pruned.unwrap_or_default();
        self.each("", &mut |_, at, row| {
            if row.cause == Cause::Unrecorded {
                since = since.max(at);
            }
        })?;
        Ok(since)
    }

    fn picture_bytes(&self, id: &str) -> Result<u64> {
        let picture = self.0.pictures().get(id)?;
        let files = picture.iter().flat_map(|picture| picture.files.values());
        Ok(files.map(|file| file.bytes).sum())
    }

    /// Returns the keys of the states that `names` recognises.
    pub(crate) fn find(&self, names: impl Fn(&State) -> bool) -> Result<Vec<Vec<u8>>> {
        let mut keys = Vec::new();
        self.each("", &mut |thing, at, row| {
            if names(&row.before) {
                keys.push(key(thing, at));
            }
        })?;
        Ok(keys)
    }
}

impl Writable<'_, '_, History<'_>> {
    /// Stores a row. `record` is the way of the running site.
    pub fn put(&mut self, thing: &Thing, at: Timestamp, row: &HistoryRow) -> Result<()> {
        tables::put(
            self.writer.transaction,
            HISTORY,
            &key(&thing.name(), at),
            row,
        )
    }

    /// Records the state that the transaction replaced, once for each thing. Without an actor, as
    /// in an import, nothing is recorded.
    pub(crate) fn record(&mut self, thing: &Thing, before: State) -> Result<()> {
        let Some(actor) = self.writer.recorded_changes.actor.clone() else {
            return Ok(());
        };
        if !self.writer.recorded_changes.things.insert(thing.name()) {
            return Ok(());
        }
        let row = HistoryRow {
            account: actor.account,
            user_agent: actor.user_agent,
            cause: actor.cause,
            before,
        };
        let at = self.append(thing, actor.at, &row)?;
        self.writer.recorded_changes.at.get_or_insert(at);
        Ok(())
    }

    /// As `record` for a block that `saved` replaces. Without an actor too: versions are part of an
    /// import.
    pub(crate) fn record_block(
        &mut self,
        saved: &SavedBlock,
        former: Option<SavedBlock>,
    ) -> Result<()> {
        let before = match former {
            Some(former) => State::Block(former),
            None if saved.revision == 1 => State::Absent,
            // An import brings the newest versions only: what this one replaced is unknown.
            None => return Ok(()),
        };
        let thing = Thing::Block(saved.id.clone());
        if self.writer.recorded_changes.actor.is_some() {
            return self.record(&thing, before);
        }
        let row = HistoryRow {
            account: saved.account.clone(),
            user_agent: String::new(),
            cause: Cause::Unrecorded,
            before,
        };
        self.append(&thing, saved.saved_at, &row).map(drop)
    }

    /// Stores a row behind the others of its thing, also after the clock was set back. Returns its
    /// time.
    fn append(&mut self, thing: &Thing, at: Timestamp, row: &HistoryRow) -> Result<Timestamp> {
        let former = self.last_change(thing)?;
        let at = at.max(former.map_or(at, |former| former + 1));
        self.put(thing, at, row)?;
        Ok(at)
    }

    /// Returns the time of the last recorded change of a thing. Reads keys only.
    fn last_change(&self, thing: &Thing) -> Result<Option<Timestamp>> {
        let mut last = None;
        let prefix = prefix(&thing.name());
        let scan = &mut |key: &[u8], _: &[u8]| {
            last = parse_key(key).map(|(_, at)| at);
            Ok(())
        };
        self.writer.tables.scan(HISTORY, prefix.as_bytes(), scan)?;
        Ok(last)
    }

    /// Removes every state of an item that is gone for good or withdrawn. An actor leaves a line
    /// without words.
    pub(crate) fn forget_item(&mut self, collection: &'static Collection, id: &str) -> Result<()> {
        let thing = Thing::Item(collection, id.to_owned());
        for (at, _) in self.since(&thing, Timestamp::MIN)? {
            let key = key(&thing.name(), at);
            self.writer.transaction.remove(HISTORY, &key)?;
        }
        self.writer.recorded_changes.things.remove(&thing.name());
        if is_recorded(collection) {
            self.record(&thing, State::Erased)?;
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, keys: &[Vec<u8>]) -> Result<()> {
        for key in keys {
            self.writer.transaction.remove(HISTORY, key)?;
        }
        Ok(())
    }

    pub(crate) fn change_account(&mut self, email: &str, new_email: &str) -> Result<()> {
        let mut rows = Vec::new();
        self.each("", &mut |thing, at, row| {
            if row.account == email {
                rows.push((key(thing, at), row));
            }
        })?;
        for (key, mut row) in rows {
            new_email.clone_into(&mut row.account);
            tables::put(self.writer.transaction, HISTORY, &key, &row)?;
        }
        Ok(())
    }

    /// Removes the states that are neither among the newest of their thing nor young, then the
    /// oldest until the rest fits `bytes_max`. `used` are the pictures that something else uses.
    /// Returns the number of removed states.
    pub(crate) fn remove_expired(
        &mut self,
        now: &TrustedTime,
        used: &UsedPictures,
        bytes_max: u64,
    ) -> Result<u64> {
        let (mut bytes, mut pictures) = (0, BTreeSet::new());
        let mut counts = BTreeMap::new();
        let (mut removed, mut pruned_until) = (0, Timestamp::MIN);
        for kept in self.by_time()? {
            let count: &mut usize = counts.entry(kept.thing.clone()).or_default();
            *count += 1;
            let is_newest = *count <= VERSIONS_MAX && !kept.is_erased;
            let is_wanted = is_newest || now.age_of(kept.at) < HISTORY_MILLISECONDS_MAX;
            if is_wanted {
                bytes += kept.bytes;
                for id in kept.pictures {
                    if !used.contains(&id) && pictures.insert(id.clone()) {
                        bytes += self.picture_bytes(&id)?;
                    }
                }
            }
            if !is_wanted || bytes > bytes_max {
                let key = key(&kept.thing, kept.at);
                self.writer.transaction.remove(HISTORY, &key)?;
                pruned_until = pruned_until.max(kept.at);
                removed += 1;
            }
        }
        if removed > 0 {
            let pruned_until = pruned_until.to_string();
            self.writer
                .put_note(PRUNED_UNTIL, pruned_until.as_bytes())?;
        }
        Ok(removed)
    }
}

impl crate::Writer<'_> {
    /// Names who makes the following changes of this transaction.
    pub fn act_as(&mut self, actor: Actor) {
        self.recorded_changes.actor = Some(actor);
    }

    /// Returns the time of the changes that this transaction has recorded; `None` without any.
    pub const fn recorded_at(&self) -> Option<Timestamp> {
        self.recorded_changes.at
    }
}

/// Returns how much of a data file the history may take.
pub(crate) fn bytes_max(file_bytes: u64) -> u64 {
    HISTORY_BYTES_MIN.max(file_bytes / FILE_SHARE)
}

/// Whether changes of the items of a collection are recorded: those that the site shows.
pub(crate) fn is_recorded(collection: &Collection) -> bool {
    let mut shown = COLLECTIONS.iter();
    shown.any(|other| other.number == collection.number)
}

/// Names contain no zero byte, so the rows of a thing are adjacent and in the order of time.
fn key(thing: &str, at: Timestamp) -> Vec<u8> {
    let mut key = prefix(thing).into_bytes();
    key.extend(at.to_be_bytes());
    key
}

fn prefix(thing: &str) -> String {
    format!("{thing}\0")
}

fn parse_key(key: &[u8]) -> Option<(&str, Timestamp)> {
    let end = key.iter().position(|byte| *byte == 0)?;
    let (thing, at) = key.split_at(end);
    let at = <[u8; 8]>::try_from(at.get(1..)?).ok()?;
    Some((
        std::str::from_utf8(thing).ok()?,
        Timestamp::from_be_bytes(at),
    ))
}

/// Turns the versions of a block, oldest first, into rows: each but the newest was replaced by its
/// successor. Used by the migration from schema 3.
pub(crate) fn rows_of_versions(versions: &[SavedBlock]) -> Vec<(Vec<u8>, HistoryRow)> {
    let mut rows = Vec::new();
    let mut last = Timestamp::MIN;
    for (index, saved) in versions.iter().enumerate() {
        let former = index.checked_sub(1).and_then(|before| versions.get(before));
        let before = match former {
            Some(former) => State::Block(former.clone()),
            None if saved.revision == 1 => State::Absent,
            // Its predecessors were removed.
            None => continue,
        };
        last = saved.saved_at.max(last.saturating_add(1));
        let thing = Thing::Block(saved.id.clone());
        let row = HistoryRow {
            account: saved.account.clone(),
            user_agent: String::new(),
            cause: Cause::Unrecorded,
            before,
        };
        rows.push((key(&thing.name(), last), row));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::clock::Clock;

    const NOW: Timestamp = 1_790_000_000_000;

    fn row(before: State) -> HistoryRow {
        HistoryRow {
            account: "a@example.it".to_owned(),
            user_agent: String::new(),
            cause: Cause::Edit,
            before,
        }
    }

    #[test]
    fn the_oldest_states_go_first_when_the_history_outgrows_its_share() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data.redb")).unwrap();
        let time = Clock::fixed(NOW).trusted().unwrap();
        let things = ["a", "b"].map(|id| Thing::Block(id.to_owned()));
        let bytes = |bytes_max| {
            let pruned = store.write(|writer| {
                let used = writer.pictures().used_but_by_history()?;
                writer.history().remove_expired(&time, &used, bytes_max)
            });
            pruned.unwrap().0
        };
        store
            .write(|writer| {
                for number in 0..10 {
                    let thing = &things[usize::from(number % 2 == 0)];
                    let state = row(State::Order(vec!["x".repeat(1_000)]));
                    writer.history().put(thing, NOW - number, &state)?;
                }
                Ok::<_, Error>(())
            })
            .unwrap();
        assert_eq!(bytes(20_000), 0);
        assert_eq!(bytes(5_000), 6);
        let kept = store.read(|reader| reader.history().list()).unwrap();
        let times: Vec<Timestamp> = kept.iter().map(|change| change.at).collect();
        assert_eq!(times, [NOW, NOW - 1, NOW - 2, NOW - 3]);
        let since = store.read(|reader| reader.history().complete_since());
        assert_eq!(since.unwrap(), NOW - 4);
        assert_eq!(bytes_max(1), HISTORY_BYTES_MIN);
        assert_eq!(bytes_max(HISTORY_BYTES_MIN * 10), HISTORY_BYTES_MIN * 2);
    }

    #[test]
    fn a_transaction_records_each_thing_once_and_behind_its_last_change() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data.redb")).unwrap();
        let actor = |at| Actor {
            at,
            account: "a@example.it".to_owned(),
            user_agent: "Firefox".to_owned(),
            cause: Cause::Edit,
        };
        let change = |at, state: State, recorded_at| {
            let write = store.write(|writer| {
                writer.act_as(actor(at));
                writer.history().record(&Thing::Settings, state)?;
                writer.history().record(&Thing::Settings, State::Erased)?;
                Ok::<_, Error>(writer.recorded_at())
            });
            assert_eq!(write.unwrap().0, Some(recorded_at));
        };
        change(NOW, State::Absent, NOW);
        // The clock was set back.
        change(NOW - 5_000, State::Order(Vec::new()), NOW + 1);
        let states = store.read(|reader| reader.history().since(&Thing::Settings, 0));
        let expected = [(NOW, State::Absent), (NOW + 1, State::Order(Vec::new()))];
        assert_eq!(states.unwrap(), expected);
        let nothing = store.write(|writer| {
            writer.history().record(&Thing::Settings, State::Absent)?;
            Ok::<_, Error>(writer.recorded_at())
        });
        assert_eq!(nothing.unwrap().0, None, "an import has no actor");
    }
}
