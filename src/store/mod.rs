//! The one data file. The only place that names redb.

use crate::content::kind::Kind;
use crate::content::{Changes, Item, Picture, Pictures, Settings, Snapshot, Timestamp};
use crate::error::Result;
use std::path::{Path, PathBuf};

/// The open data file. One process owns it.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
}

/// Why a data file was not opened. The message says what to do next; the file is untouched.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0} is in use by another respiro: stop that one, or use another --data file")]
    Locked(PathBuf),
    #[error(
        "{path} was written by a newer respiro (format {found}, this one knows {known}): install the newer version"
    )]
    Newer {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    #[error("{path} is not a respiro data file, or it is damaged: {reason}; restore a backup")]
    Damaged { path: PathBuf, reason: String },
    #[error("cannot open {path}: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// A consistent view of the file at one moment.
pub struct Reader<'a> {
    _store: &'a Store,
}

/// One transaction. All of it is committed durably, or nothing.
pub struct Writer<'a> {
    _store: &'a Store,
    content_changed: bool,
}

/// An item in the trash.
#[derive(Debug, Clone)]
pub struct Trashed {
    pub kind: &'static Kind,
    pub item: Item,
    pub deleted_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
}

/// Who still needs a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureUse {
    /// An item, a draft or the settings.
    Live,
    /// Only entries of the trash: visitors no longer get it.
    TrashOnly,
    /// Nobody yet: uploaded a moment ago, or about to be swept.
    Nobody,
}

/// An account of the panel.
#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Account {
    pub email: String,
    /// Argon2id in PHC string form.
    pub password_hash: String,
    pub created_at: Timestamp,
    pub second_factor: Option<SecondFactor>,
}

#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct SecondFactor {
    pub secret: Vec<u8>,
    /// SHA-256 of each unused recovery code.
    pub recovery_hashes: Vec<[u8; 32]>,
    /// Last accepted time step: a code serves once.
    pub last_step: u64,
}

/// A signed-in browser, keyed by the SHA-256 of its token.
#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Session {
    /// Public handle, unrelated to the token.
    pub id: String,
    pub email: String,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    pub user_agent: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum Subscription {
    Pending,
    Confirmed,
    Unsubscribed,
}

#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Subscriber {
    pub email: String,
    pub state: Subscription,
    pub consent_text: String,
    pub created_at: Timestamp,
    pub confirmed_at: Option<Timestamp>,
}

/// Numbers about the file, for the panel and the operator.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Items by the slug of their kind.
    pub counts: std::collections::BTreeMap<&'static str, u64>,
    pub trash: u64,
    pub pictures: u64,
    pub picture_bytes: u64,
    pub accounts: u64,
    pub file_bytes: u64,
}

/// What `sweep` removed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Swept {
    pub pictures: u64,
    pub trash: u64,
    pub sessions: u64,
    pub uploads: u64,
}

#[expect(clippy::todo, reason = "signatures first; the store fills them in")]
impl Store {
    /// Opens or creates the file, migrates an older format after copying the file aside.
    pub fn open(_path: &Path) -> Result<Self, OpenError> {
        todo!()
    }
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Runs `read` on one consistent view.
    pub fn read<T>(&self, _read: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T> {
        todo!()
    }
    /// Runs `write` in one transaction: durable when this returns `Ok`, undone otherwise.
    /// The second value says whether anything a page shows was touched.
    pub fn write<T>(&self, _write: impl FnOnce(&mut Writer<'_>) -> Result<T>) -> Result<(T, bool)> {
        todo!()
    }
    /// A consistent, compact copy; temporary name, sync, check, rename; never overwrites.
    pub fn backup(&self, _out: &Path) -> Result<Figures> {
        todo!()
    }
}

/// Verifies a data file whole without changing it: structure, records, blobs, references.
#[expect(clippy::todo, reason = "signatures first; the store fills them in")]
pub fn check(_path: &Path) -> Result<Figures, Vec<String>> {
    todo!()
}

#[expect(clippy::todo, reason = "signatures first; the store fills them in")]
impl Reader<'_> {
    pub fn items(&self, _kind: &Kind) -> Result<Vec<Item>> {
        todo!()
    }
    pub fn item(&self, _kind: &Kind, _id: &str) -> Result<Option<Item>> {
        todo!()
    }
    pub fn trash(&self) -> Result<Vec<Trashed>> {
        todo!()
    }
    pub fn settings(&self) -> Result<Settings> {
        todo!()
    }
    pub fn pictures(&self) -> Result<Pictures> {
        todo!()
    }
    pub fn picture(&self, _id: &str) -> Result<Option<Picture>> {
        todo!()
    }
    pub fn picture_use(&self, _id: &str) -> Result<PictureUse> {
        todo!()
    }
    /// Whole bytes of a blob. `None`: no such blob. A blob that does not match its hash is an error.
    pub fn blob(&self, _hash: &[u8; 32]) -> Result<Option<Vec<u8>>> {
        todo!()
    }
    pub fn snapshot(&self, _public_url: &str) -> Result<Snapshot> {
        todo!()
    }
    pub fn account(&self, _email: &str) -> Result<Option<Account>> {
        todo!()
    }
    pub fn accounts(&self) -> Result<Vec<Account>> {
        todo!()
    }
    pub fn session(&self, _token_hash: &[u8; 32]) -> Result<Option<Session>> {
        todo!()
    }
    pub fn sessions(&self, _email: &str) -> Result<Vec<Session>> {
        todo!()
    }
    pub fn subscribers(&self) -> Result<Vec<Subscriber>> {
        todo!()
    }
    /// The random key of this file, made at creation: signs upload and preview links.
    pub fn secret(&self) -> Result<[u8; 32]> {
        todo!()
    }
    /// Whether the file holds demonstration content nobody has emptied yet.
    pub fn is_demo(&self) -> Result<bool> {
        todo!()
    }
    pub fn figures(&self) -> Result<Figures> {
        todo!()
    }
    /// Small named values of other layers (ACME account, last backup, …).
    pub fn note(&self, _name: &str) -> Result<Option<Vec<u8>>> {
        todo!()
    }
}

#[expect(clippy::todo, reason = "signatures first; the store fills them in")]
impl Writer<'_> {
    /// Everything a `Reader` gives, as this transaction sees it, by the same names.
    pub fn item(&self, _kind: &Kind, _id: &str) -> Result<Option<Item>> {
        todo!()
    }
    pub fn settings(&self) -> Result<Settings> {
        todo!()
    }
    pub fn account(&self, _email: &str) -> Result<Option<Account>> {
        todo!()
    }
    pub fn accounts(&self) -> Result<Vec<Account>> {
        todo!()
    }

    /// 422 when a picture does not exist or a slug is taken, 409 when the list is full.
    pub fn create_item(
        &mut self,
        _kind: &'static Kind,
        _changes: Changes,
        _id: String,
        _now: Timestamp,
    ) -> Result<Item> {
        todo!()
    }
    pub fn update_item(
        &mut self,
        _kind: &'static Kind,
        _id: &str,
        _changes: Changes,
        _now: Timestamp,
    ) -> Result<Item> {
        todo!()
    }
    /// Moves the item to the trash.
    pub fn delete_item(&mut self, _kind: &'static Kind, _id: &str, _now: Timestamp) -> Result<()> {
        todo!()
    }
    /// Swaps with the neighbour, renumbering the list; nothing changes at the end of the list.
    pub fn move_item(
        &mut self,
        _kind: &'static Kind,
        _id: &str,
        _direction: Direction,
        _now: Timestamp,
    ) -> Result<Item> {
        todo!()
    }
    /// The whole order at once; 409 when `ids` are not exactly the list's.
    pub fn order_items(
        &mut self,
        _kind: &'static Kind,
        _ids: &[String],
        _now: Timestamp,
    ) -> Result<Vec<Item>> {
        todo!()
    }
    /// Back from the trash, at the end of its list when its place is taken.
    pub fn restore_item(&mut self, _id: &str, _now: Timestamp) -> Result<(&'static Kind, Item)> {
        todo!()
    }
    pub fn purge_item(&mut self, _id: &str) -> Result<()> {
        todo!()
    }
    pub fn empty_trash(&mut self) -> Result<()> {
        todo!()
    }
    pub fn put_settings(&mut self, _settings: &Settings) -> Result<()> {
        todo!()
    }

    /// Remembers an upload address; it serves once, until `expires_at`.
    pub fn start_upload(&mut self, _id: &str, _expires_at: Timestamp) -> Result<()> {
        todo!()
    }
    /// Uses the address up; 403 when it is unknown, used or expired.
    pub fn take_upload(&mut self, _id: &str, _now: Timestamp) -> Result<()> {
        todo!()
    }
    /// Stores a picture; `files` are (name, media type, bytes). Equal bytes are stored once.
    pub fn put_picture(
        &mut self,
        _picture: Picture,
        _files: Vec<(String, String, Vec<u8>)>,
    ) -> Result<()> {
        todo!()
    }

    pub fn put_account(&mut self, _account: &Account) -> Result<()> {
        todo!()
    }
    /// Also ends the account's sessions. `false` when there is no such account.
    pub fn remove_account(&mut self, _email: &str) -> Result<bool> {
        todo!()
    }
    pub fn put_session(&mut self, _token_hash: &[u8; 32], _session: &Session) -> Result<()> {
        todo!()
    }
    pub fn remove_session(&mut self, _token_hash: &[u8; 32]) -> Result<()> {
        todo!()
    }
    /// Ends every session of the account but `keep`.
    pub fn remove_sessions(&mut self, _email: &str, _keep: Option<&[u8; 32]>) -> Result<()> {
        todo!()
    }
    pub fn put_subscriber(&mut self, _subscriber: &Subscriber) -> Result<()> {
        todo!()
    }
    pub fn remove_subscriber(&mut self, _email: &str) -> Result<()> {
        todo!()
    }
    pub fn put_note(&mut self, _name: &str, _value: &[u8]) -> Result<()> {
        todo!()
    }
    pub fn set_demo(&mut self, _demo: bool) -> Result<()> {
        todo!()
    }
    /// Removes what time has ended: unused pictures after a day, trash after 30 days, sessions and
    /// upload addresses past their end.
    pub fn sweep(&mut self, _now: Timestamp) -> Result<Swept> {
        todo!()
    }
    pub fn content_changed(&self) -> bool {
        self.content_changed
    }
}
