//! Test helper for the store: pictures, changes, and a file with records of most kinds.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "each test binary uses a part, and stops where a step fails"
)]

pub mod disk;

use respiro_content::{
    COLLECTIONS, Changes, Collection, FieldType, Item, Picture, StoredFile, Value,
};
use respiro_db::clock::{Clock, TrustedTime};
use respiro_db::{Account, Store, Subscriber, Subscription, WriteAccess};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

pub const NOW: i64 = 1_790_000_000_000;
pub const DAY: i64 = 24 * 60 * 60 * 1_000;

pub type Files = Vec<(String, String, Vec<u8>)>;

/// Returns the time of a clock that nobody doubts.
pub fn trusted(at: i64) -> TrustedTime {
    Clock::fixed(at).trusted().unwrap()
}

pub fn id() -> String {
    respiro_auth::token::id().unwrap()
}

pub fn picture(name: &str, bytes: &[u8]) -> (Picture, Files) {
    let file = StoredFile {
        media_type: "image/jpeg".to_owned(),
        hash: Sha256::digest(bytes).into(),
        bytes: bytes.len() as u64,
    };
    let picture = Picture {
        id: name.to_owned(),
        width: 4,
        height: 3,
        placeholder: "data:,".to_owned(),
        widths: vec![],
        media_type: "image/jpeg".to_owned(),
        created_at: NOW,
        files: BTreeMap::from([("main".to_owned(), file)]),
    };
    let files = vec![("main".to_owned(), "image/jpeg".to_owned(), bytes.to_vec())];
    (picture, files)
}

pub fn add_picture(store: &WriteAccess, bytes: &[u8]) -> String {
    let id = id();
    let (picture, files) = picture(&id, bytes);
    store
        .write(|writer| writer.pictures().put(picture, files))
        .unwrap();
    id
}

pub fn account(email: &str) -> Account {
    Account {
        email: email.to_owned(),
        password_hash: "$argon2id$…".to_owned(),
        created_at: NOW,
        second_factor: None,
    }
}

pub fn create(store: &WriteAccess, collection: &'static Collection, changes: Changes) -> Item {
    store
        .write(|writer| writer.items().create(collection, changes, id(), NOW))
        .unwrap()
        .0
}

pub fn ids(store: &Store, collection: &Collection) -> Vec<String> {
    let items = store
        .read(|reader| reader.items().list(collection))
        .unwrap();
    items.into_iter().map(|item| item.id).collect()
}

/// Returns values for every required field of a kind, and its picture.
pub fn changes(collection: &Collection, picture: &str, number: usize) -> Changes {
    let mut changes = Changes::default();
    for field in collection.all_fields() {
        let value = match field.holds {
            FieldType::Picture => Value::Picture(picture.to_owned()),
            FieldType::Slug => Value::Text(format!("indirizzo-{number}")),
            _ if field.required => Value::Text(format!("{} {number}", field.label)),
            _ => continue,
        };
        changes.values.insert(field.name, Some(value));
    }
    changes
}

/// Adds three items of each kind, one more in the trash, two pictures, an account and a subscriber.
pub fn fill(store: &WriteAccess) {
    let photo = add_picture(store, &b"una fotografia ".repeat(18_000));
    let portrait = add_picture(store, &b"un ritratto ".repeat(500));
    for collection in COLLECTIONS {
        for number in 0..3 {
            create(store, collection, changes(collection, &photo, number));
        }
    }
    let gone = create(
        store,
        &COLLECTIONS[1],
        changes(&COLLECTIONS[1], &portrait, 9),
    );
    let account = account("anna@example.it");
    let subscriber = Subscriber {
        email: "bruno@example.it".to_owned(),
        state: Subscription::Pending,
        consent_text: "Acconsento".to_owned(),
        created_at: NOW,
        confirmed_at: None,
    };
    store
        .write(|writer| {
            writer.items().delete(&COLLECTIONS[1], &gone.id, NOW)?;
            writer.accounts().put(&account)?;
            writer.subscribers().put(&subscriber)?;
            writer.put_note("acme", b"chiave")
        })
        .unwrap();
}
