//! Drafts of the panel: what an admin typed and has neither saved nor published. No page, export or
//! statistic reads them, and storing one starts no off-site backup.

use super::Writable;
use crate::clock::TrustedTime;
use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, DRAFTS};
use crate::{Reader, Writer};
use respiro_content::{Collection, Timestamp};
use std::collections::BTreeSet;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// Bytes of the JSON of one draft.
pub const DRAFT_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Drafts of one account.
pub const DRAFTS_MAX: usize = 200;
/// Images that one draft may refer to, each of which is kept with it.
pub const DRAFT_PICTURES_MAX: usize = 500;
/// How long a draft is kept after its last change.
pub const DRAFT_MILLISECONDS_MAX: i64 = 60 * DAY_MILLISECONDS;
/// Images of a draft are found by this part of their address.
const PICTURE_PATH: &str = "/objects/uploads/";
/// Ends the place of a backup's draft when the replaced file has one at that place.
const RESTORED_MARK: &str = "backup";

/// Unsaved input of an admin in one form or block, keyed by account and place.
#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Draft {
    pub account: String,
    /// Edited form or block, such as `events:ID`, followed by `@` and the id of the window: two
    /// windows with the same form have a draft each.
    pub place: String,
    /// Chosen by the client for each change: the same change sent twice is stored once.
    pub revision: String,
    /// A JSON object, which only the panel understands.
    pub content: String,
    pub begun_at: Timestamp,
    pub saved_at: Timestamp,
    /// The session that changed it last.
    pub session_id: String,
    pub user_agent: String,
    /// The time of the restore that brought this draft back from a backup.
    pub restored_at: Option<Timestamp>,
    /// When the server publishes it.
    pub publish_at: Option<Timestamp>,
}

impl Draft {
    /// Returns the edited form or block: the place without the id of the window.
    pub fn subject(&self) -> &str {
        subject_of(&self.place)
    }

    fn key(&self) -> Vec<u8> {
        key(&self.account, &self.place)
    }

    /// Ids of the images in the text of the draft.
    pub(crate) fn picture_ids(&self) -> BTreeSet<String> {
        let parts = self.content.split(PICTURE_PATH).skip(1);
        let is_part = |sign: &char| sign.is_ascii_alphanumeric();
        let ids = parts.map(|part| part.chars().take_while(is_part).collect::<String>());
        ids.filter(|id| !id.is_empty()).collect()
    }

    fn is_expired(&self, now: &TrustedTime) -> bool {
        self.publish_at.is_none() && now.age_of(self.saved_at) >= DRAFT_MILLISECONDS_MAX
    }
}

pub fn subject_of(place: &str) -> &str {
    place.split_once('@').map_or(place, |(subject, _)| subject)
}

/// Place of the drafts of an item.
fn item_subject(collection: &Collection, id: &str) -> String {
    format!("{}:{id}", collection.slug)
}

/// E-mail addresses hold no zero byte.
fn key(account: &str, place: &str) -> Vec<u8> {
    [account.as_bytes(), b"\0", place.as_bytes()].concat()
}

/// Drafts of the panel.
pub struct Drafts<'a>(pub(super) Reader<'a>);

impl Drafts<'_> {
    /// Returns `None` for a draft whose row does not decode, too.
    pub fn get(&self, account: &str, place: &str) -> Result<Option<Draft>> {
        tables::readable_record(self.0.tables, DRAFTS, &key(account, place))
    }

    /// Visits all drafts. Decodes one at a time, because together they may be large.
    pub fn each(&self, mut visit: impl FnMut(Draft)) -> Result<()> {
        self.0.tables.scan(DRAFTS, b"", &mut |key, bytes| {
            if let Some(draft) = tables::decode_or_log(DRAFTS, key, bytes) {
                visit(draft);
            }
            Ok(())
        })
    }

    /// Returns all drafts without their content.
    pub fn list(&self) -> Result<Vec<Draft>> {
        let mut drafts = Vec::new();
        self.each(|mut draft| {
            draft.content = String::new();
            drafts.push(draft);
        })?;
        Ok(drafts)
    }

    /// Returns the drafts that `wanted` selects, without their content.
    fn find(&self, wanted: impl Fn(&Draft) -> bool) -> Result<Vec<Draft>> {
        let mut drafts = Vec::new();
        self.each(|mut draft| {
            if wanted(&draft) {
                draft.content = String::new();
                drafts.push(draft);
            }
        })?;
        Ok(drafts)
    }

    /// Returns the drafts that the server is to publish by `now`, with their content.
    pub fn due(&self, now: Timestamp) -> Result<Vec<Draft>> {
        let mut due = Vec::new();
        self.each(|draft| {
            if draft.publish_at.is_some_and(|at| at <= now) {
                due.push(draft);
            }
        })?;
        Ok(due)
    }

    /// Returns the drafts whose text `names` a person, without their content.
    pub(crate) fn find_text(&self, names: impl Fn(&str) -> bool) -> Result<Vec<Draft>> {
        self.find(|draft| names(&draft.content))
    }
}

impl Writable<'_, '_, Drafts<'_>> {
    /// Stores a draft. Keeps the day on which it was begun. Fails when the account has too many.
    pub fn put(&mut self, mut draft: Draft) -> Result<Draft> {
        if let Some(former) = self.get(&draft.account, &draft.place)? {
            draft.begun_at = former.begun_at;
        } else {
            let count = tables::count(self.writer.tables, DRAFTS, &key(&draft.account, ""))?;
            if count >= DRAFTS_MAX as u64 {
                return Err(Error::Conflict(messages::TOO_MANY_DRAFTS));
            }
        }
        self.put_row(&draft)?;
        Ok(draft)
    }

    /// Stores a draft as it is.
    pub(crate) fn put_row(&mut self, draft: &Draft) -> Result<()> {
        tables::put(self.writer.transaction, DRAFTS, &draft.key(), draft)
    }

    /// Returns whether there was one.
    pub fn remove(&mut self, account: &str, place: &str) -> Result<bool> {
        let key = key(account, place);
        self.writer.transaction.remove(DRAFTS, &key)
    }

    fn remove_all(&mut self, drafts: &[Draft]) -> Result<()> {
        for draft in drafts {
            self.remove(&draft.account, &draft.place)?;
        }
        Ok(())
    }

    /// Removes the drafts of an item that is gone for good.
    pub(crate) fn remove_of_item(&mut self, collection: &Collection, id: &str) -> Result<()> {
        let subject = item_subject(collection, id);
        let drafts = self.find(|draft| draft.subject() == subject)?;
        self.remove_all(&drafts)
    }

    pub(crate) fn remove_by_account(&mut self, account: &str) -> Result<()> {
        let drafts = self.find(|draft| draft.account == account)?;
        self.remove_all(&drafts)
    }

    pub(crate) fn change_account(&mut self, account: &str, new_account: &str) -> Result<()> {
        for found in self.find(|draft| draft.account == account)? {
            if let Some(mut draft) = self.get(account, &found.place)? {
                new_account.clone_into(&mut draft.account);
                self.put_row(&draft)?;
                self.remove(account, &found.place)?;
            }
        }
        Ok(())
    }

    /// Removes the drafts whose text `names` a person, and returns their number.
    pub(crate) fn remove_text(&mut self, names: impl Fn(&str) -> bool) -> Result<usize> {
        let drafts = self.find_text(names)?;
        self.remove_all(&drafts)?;
        Ok(drafts.len())
    }

    /// Removes expired drafts, and returns their number.
    pub(crate) fn remove_expired(&mut self, now: &TrustedTime) -> Result<u64> {
        let drafts = self.find(|draft| draft.is_expired(now))?;
        self.remove_all(&drafts)?;
        Ok(drafts.len() as u64)
    }
}

impl Writer<'_> {
    /// Adds the drafts of the file that a restore replaces, with the images they refer to. Those of
    /// the backup stay beside them, marked with the time of the restore. Holds the content of one
    /// draft at a time, because together they may be large.
    pub fn carry_over_drafts(&mut self, former: &Reader<'_>, now: Timestamp) -> Result<()> {
        for listed in self.drafts().list()? {
            let Some(own) = self.drafts().get(&listed.account, &listed.place)? else {
                continue;
            };
            let newer = former.drafts().get(&own.account, &own.place)?;
            self.mark_as_restored(former, own, newer, now)?;
        }
        for listed in former.drafts().list()? {
            let Some(draft) = former.drafts().get(&listed.account, &listed.place)? else {
                continue;
            };
            for id in draft.picture_ids() {
                self.carry_over_picture(former, &id)?;
            }
            self.drafts().put_row(&draft)?;
        }
        Ok(())
    }

    /// Marks a draft of the backup. Moves it aside when the replaced file has a `newer` one at its
    /// place, and removes it when both are equal.
    fn mark_as_restored(
        &mut self,
        former: &Reader<'_>,
        mut own: Draft,
        newer: Option<Draft>,
        now: Timestamp,
    ) -> Result<()> {
        if let Some(newer) = newer {
            self.drafts().remove(&own.account, &own.place)?;
            if newer.content == own.content {
                return Ok(());
            }
            let Some(place) = self.place_aside(former, &own)? else {
                return Ok(());
            };
            own.place = place;
        }
        own.restored_at = Some(now);
        // The planned moment may have passed since the backup: it would publish at once.
        own.publish_at = None;
        self.drafts().put_row(&own)
    }

    /// Returns a place of the same subject that neither file uses: an earlier restore may have
    /// moved a draft aside too. `None` when it was this one.
    fn place_aside(&mut self, former: &Reader<'_>, draft: &Draft) -> Result<Option<String>> {
        let sign = if draft.place.contains('@') { '-' } else { '@' };
        let first = format!("{}{sign}{RESTORED_MARK}", draft.place);
        let mut place = first.clone();
        let mut number = 1;
        loop {
            let own = self.drafts().get(&draft.account, &place)?;
            let taken = own.map_or_else(
                || former.drafts().get(&draft.account, &place),
                |own| Ok(Some(own)),
            )?;
            match taken {
                None => return Ok(Some(place)),
                Some(taken) if taken.content == draft.content => return Ok(None),
                Some(_) => number += 1,
            }
            place = format!("{first}-{number}");
        }
    }

    fn carry_over_picture(&mut self, former: &Reader<'_>, id: &str) -> Result<()> {
        let Some(picture) = former.pictures().get(id)? else {
            return Ok(());
        };
        if self.pictures().get(id)?.is_some() {
            return Ok(());
        }
        let mut files = Vec::new();
        for (name, file) in &picture.files {
            let Some(bytes) = former.blobs().get(&file.hash)? else {
                return Ok(());
            };
            files.push((name.clone(), file.media_type.clone(), bytes));
        }
        self.pictures().put(picture, files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_images_of_a_draft_are_found_in_its_text() {
        let draft = Draft {
            content: r#"{"a":"/objects/uploads/abc2","b":"![x](/objects/uploads/def3) /objects/uploads/"}"#
                .to_owned(),
            ..Draft::default()
        };
        let ids = ["abc2", "def3"].map(str::to_owned);
        assert_eq!(draft.picture_ids(), BTreeSet::from(ids));
    }

    #[test]
    fn the_subject_of_a_place_ends_before_the_mark_of_the_visit() {
        assert_eq!(subject_of("events:new@k3-1"), "events:new");
        assert_eq!(subject_of("settings"), "settings");
    }
}
