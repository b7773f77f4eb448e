//! A sequence of writes as the admin makes them.

use crate::error::{Error, Result};
use crate::power_loss::{Disk, Mishap};
use crate::{Account, Direction, Reader, Session, Store, Writer};
use respiro_content::blocks::BlockDefinitions;
use respiro_content::{COLLECTIONS, Changes, Collection, Picture, Settings, StoredFile, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

pub(crate) const NOW: i64 = 1_790_000_000_000;

pub type Step = fn(&mut Writer<'_>) -> Result<()>;

fn collection(slug: &str) -> &'static Collection {
    COLLECTIONS
        .iter()
        .find(|collection| collection.slug == slug)
        .unwrap()
}

fn texts(fields: &[(&'static str, &str)]) -> Changes {
    let text = |(name, text): &(&'static str, &str)| (*name, Some(Value::Text((*text).to_owned())));
    Changes {
        values: fields.iter().map(text).collect(),
        published: Some(true),
        ..Changes::default()
    }
}

fn add(writer: &mut Writer<'_>, id: &str) -> Result<()> {
    let slug = format!("articolo-{id}");
    let changes = texts(&[
        ("slug", &slug),
        ("title", "Respirare"),
        ("content", "Testo"),
    ]);
    writer
        .items()
        .create(collection("blog"), changes, id.to_owned(), NOW)
        .map(drop)
}

fn add_picture(writer: &mut Writer<'_>, id: &str, byte: u8) -> Result<()> {
    let bytes = vec![byte; 300_000];
    let file = StoredFile {
        media_type: "image/webp".to_owned(),
        hash: Sha256::digest(&bytes).into(),
        bytes: bytes.len() as u64,
    };
    let picture = Picture {
        id: id.to_owned(),
        width: 2,
        height: 1,
        placeholder: String::new(),
        widths: vec![],
        media_type: "image/webp".to_owned(),
        created_at: NOW,
        files: BTreeMap::from([("main".to_owned(), file)]),
    };
    writer.pictures().put(
        picture,
        vec![("main".to_owned(), "image/webp".to_owned(), bytes)],
    )
}

/// One write of each sort.
pub const STEPS: &[Step] = &[
    |writer| add(writer, "a"),
    |writer| add(writer, "b"),
    |writer| add_picture(writer, "foto", 1),
    |writer| {
        let mut changes = texts(&[("slug", "altro")]);
        let photo = Value::Picture("foto".to_owned());
        changes.values.insert("imageUrl", Some(photo));
        writer
            .items()
            .update(collection("blog"), "a", changes, NOW + 1)
            .map(drop)
    },
    |writer| add(writer, "c"),
    |writer| {
        writer
            .items()
            .reposition(collection("blog"), "c", Direction::Up, NOW + 2)
            .map(drop)
    },
    |writer| writer.items().delete(collection("blog"), "a", NOW + 3),
    |writer| add_picture(writer, "copia", 1),
    |writer| writer.trash().restore("a", NOW + 4).map(drop),
    |writer| {
        let mut settings = Settings::default();
        let name = Value::Text("Respiro".to_owned());
        settings.values.insert("brand".to_owned(), name);
        writer.settings().put(&settings)
    },
    |writer| {
        let ids = ["c", "a", "b"].map(str::to_owned);
        writer
            .items()
            .reorder(collection("blog"), &ids, NOW + 5)
            .map(drop)
    },
    |writer| writer.items().delete(collection("blog"), "a", NOW + 6),
    |writer| writer.trash().empty(),
    |writer| {
        writer
            .apply_retention(NOW + 40 * 24 * 60 * 60 * 1_000)
            .map(drop)
    },
    |writer| add_picture(writer, "ultima", 2),
    |writer| sign_in(writer, 1),
    |writer| writer.sessions().touch(&[1; 32], NOW + 9).map(drop),
    // What a restore writes into the new file.
    |writer| {
        writer.sessions().remove_all()?;
        sign_in(writer, 2)
    },
    |writer| writer.accounts().remove(EMAIL).map(drop),
];

const EMAIL: &str = "anna@example.it";

fn sign_in(writer: &mut Writer<'_>, number: u8) -> Result<()> {
    writer.accounts().put(&Account {
        email: EMAIL.to_owned(),
        password_hash: "$argon2id$…".to_owned(),
        created_at: NOW,
        second_factor: None,
    })?;
    let session = Session {
        id: number.to_string(),
        email: EMAIL.to_owned(),
        created_at: NOW,
        last_seen_at: NOW,
        user_agent: String::new(),
    };
    writer.sessions().begin(&[number; 32], &session)
}

static NO_BLOCKS: LazyLock<BlockDefinitions> =
    LazyLock::new(|| BlockDefinitions::from_json("[]").unwrap());

/// Returns everything that the steps change, as text.
pub fn state(reader: &Reader<'_>) -> Result<String> {
    let items = reader.items().list(collection("blog"))?;
    let trash = reader.trash().list()?;
    let pictures = reader.pictures().list()?;
    for file in pictures.values().flat_map(|picture| picture.files.values()) {
        reader.blobs().get(&file.hash)?.ok_or(Error::NotFound)?;
    }
    let redirects = reader.snapshot("", &NO_BLOCKS)?.redirects();
    let settings = reader.settings().get()?;
    let sessions = reader.sessions().list(EMAIL)?;
    let account = reader.accounts().get(EMAIL)?.is_some();
    Ok(format!(
        "{items:?} {trash:?} {pictures:?} {redirects:?} {settings:?} {sessions:?} {account}"
    ))
}

/// Returns the state before the first step and after each, and the number of accesses.
pub fn rehearse(path: &Path, image: &[u8]) -> (Vec<String>, u64) {
    let disk = Disk::with(image, Mishap::None);
    let store = Store::open_with(path, disk.opener()).unwrap();
    let mut states = vec![store.read(state).unwrap()];
    for step in STEPS {
        store.write(step).unwrap();
        states.push(store.read(state).unwrap());
    }
    drop(store);
    (states, disk.accesses())
}
