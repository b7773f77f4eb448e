//! What the store keeps and tells, as the layers above see it.

use respiro_content::{Item, Kind, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

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
    /// To this place in the list, counted from 0; the last one when the list is shorter.
    To(usize),
}

/// What a transaction changed of what pages show: what is not named here is as it was.
#[derive(Debug, Clone, Default)]
pub struct Touched {
    /// Ids of items by the number of their kind: changed, new or gone.
    pub items: BTreeMap<u8, BTreeSet<String>>,
    /// The settings, or whether this is a demonstration.
    pub site: bool,
    /// Ids of blocks of words.
    pub words: BTreeSet<String>,
    /// More than can be told: a picture that is shown became another.
    pub all: bool,
}

impl Touched {
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.words.is_empty() && !self.site && !self.all
    }

    pub(crate) fn item(&mut self, kind: &Kind, id: &str) {
        let ids = self.items.entry(kind.number).or_default();
        ids.insert(id.to_owned());
    }
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

/// A way into an account without its password, keyed by the credential's id.
#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Passkey {
    pub credential_id: Vec<u8>,
    pub email: String,
    /// What the owner calls it.
    pub name: String,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// Public key and what never changes (`auth::passkey::Credential`).
    pub fixed: Vec<u8>,
    /// Signature counter and what changes with each use.
    pub moving: [u8; 7],
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
    /// Left while the site could send no mail: nobody has confirmed anything.
    Collected,
}

#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Subscriber {
    pub email: String,
    pub state: Subscription,
    pub consent_text: String,
    pub created_at: Timestamp,
    pub confirmed_at: Option<Timestamp>,
}

/// A data file that was a copy before somebody put it in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Restored {
    pub copied_at: Timestamp,
    /// Newsletters that were on their way or planned in the copy.
    pub held_sendings: u32,
}

/// Tells a data file that was restored from the one that its copy was made of: both may live on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Lineage {
    pub id: [u8; 16],
    pub since: Timestamp,
}

/// Numbers about the file, for the panel and the operator.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Items by the slug of their kind.
    pub counts: BTreeMap<&'static str, u64>,
    pub trash: u64,
    pub pictures: u64,
    pub picture_bytes: u64,
    pub accounts: u64,
    /// Blocks of words that somebody has saved.
    pub words: u64,
    pub file_bytes: u64,
    /// When the file was made as a copy of another; `None` for a data file in use.
    pub copied_at: Option<Timestamp>,
}

/// What `sweep` removed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Swept {
    pub pictures: u64,
    pub trash: u64,
    pub unconfirmed: u64,
    pub requests: u64,
    pub sessions: u64,
    pub uploads: u64,
    pub visits: u64,
    pub notices: u64,
}
