//! Power cuts and full disks at every single access to the disk, on a simulated one.

use super::open::{Opener, builder};
use super::{Direction, Reader, Store, Writer};
use crate::content::{Changes, KINDS, Kind, Picture, Settings, StoredFile, Value};
use crate::error::{Error, Result};
use redb::StorageBackend;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

const NOW: i64 = 1_790_000_000_000;
/// Disks lose unsynced data in pieces of this size.
const SECTOR_BYTES: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mishap {
    None,
    /// From this access on nothing works any more.
    PowerCutAt(u64),
    /// This write finds no space; later ones do.
    FullAt(u64),
}

#[derive(Debug)]
struct Medium {
    /// What survives for certain.
    durable: Vec<u8>,
    /// What the program sees.
    seen: Vec<u8>,
    /// Writes since the last sync.
    unsynced: Vec<(usize, Vec<u8>)>,
    accesses: u64,
    mishap: Mishap,
    /// A broken disk: says that it has synced and has not.
    lies: bool,
}

#[derive(Debug, Clone)]
struct Disk(Arc<Mutex<Medium>>);

impl Disk {
    fn with(image: &[u8], mishap: Mishap, lies: bool) -> Self {
        Self(Arc::new(Mutex::new(Medium {
            durable: image.to_vec(),
            seen: image.to_vec(),
            unsynced: Vec::new(),
            accesses: 0,
            mishap,
            lies,
        })))
    }

    fn opener(&self) -> Opener {
        let disk = self.clone();
        Box::new(move || builder().create_with_backend(disk.clone()))
    }

    fn accesses(&self) -> u64 {
        self.0.lock().unwrap().accesses
    }

    /// The disk after the power is back: of the unsynced sectors some are there, some are not.
    fn after_power_cut(&self, mut seed: u64) -> Vec<u8> {
        let medium = self.0.lock().unwrap();
        let mut image = medium.durable.clone();
        for (offset, data) in &medium.unsynced {
            for (index, sector) in data.chunks(SECTOR_BYTES).enumerate() {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let start = offset + index * SECTOR_BYTES;
                let end = start + sector.len();
                if !seed.is_multiple_of(3) && end <= image.len() {
                    image[start..end].copy_from_slice(sector);
                }
            }
        }
        image
    }
}

impl Medium {
    /// Counts a change of the disk and lets the mishap happen.
    fn access(&mut self) -> io::Result<()> {
        self.accesses += 1;
        match self.mishap {
            Mishap::PowerCutAt(access) if self.accesses >= access => {
                Err(io::Error::other("no power"))
            }
            Mishap::FullAt(access) if self.accesses == access => {
                Err(io::ErrorKind::StorageFull.into())
            }
            _ => Ok(()),
        }
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let medium = self.0.lock().unwrap();
        let start = usize::try_from(offset).unwrap();
        let found = medium.seen.get(start..start + out.len());
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        let mut medium = self.0.lock().unwrap();
        medium.access()?;
        let bytes = usize::try_from(bytes).unwrap();
        medium.seen.resize(bytes, 0);
        // The length itself is kept by the journal of the file system.
        medium.durable.resize(bytes, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut medium = self.0.lock().unwrap();
        medium.access()?;
        if !medium.lies {
            let Medium {
                durable, unsynced, ..
            } = &mut *medium;
            for (offset, data) in unsynced.drain(..) {
                if let Some(place) = durable.get_mut(offset..offset + data.len()) {
                    place.copy_from_slice(&data);
                }
            }
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut medium = self.0.lock().unwrap();
        medium.access()?;
        let start = usize::try_from(offset).unwrap();
        medium.seen[start..start + data.len()].copy_from_slice(data);
        medium.unsynced.push((start, data.to_vec()));
        Ok(())
    }
}

type Step = fn(&mut Writer<'_>) -> Result<()>;

fn kind(slug: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.slug == slug).unwrap()
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
        .create_item(kind("blog"), changes, id.to_owned(), NOW)
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
    writer.put_picture(
        picture,
        vec![("main".to_owned(), "image/webp".to_owned(), bytes)],
    )
}

/// A little of everything that a practitioner does.
const STEPS: &[Step] = &[
    |writer| add(writer, "a"),
    |writer| add(writer, "b"),
    |writer| add_picture(writer, "foto", 1),
    |writer| {
        let mut changes = texts(&[("slug", "altro")]);
        let photo = Value::Picture("foto".to_owned());
        changes.values.insert("imageUrl", Some(photo));
        writer
            .update_item(kind("blog"), "a", changes, NOW + 1)
            .map(drop)
    },
    |writer| add(writer, "c"),
    |writer| {
        writer
            .move_item(kind("blog"), "c", Direction::Up, NOW + 2)
            .map(drop)
    },
    |writer| writer.delete_item(kind("blog"), "a", NOW + 3),
    |writer| add_picture(writer, "copia", 1),
    |writer| writer.restore_item("a", NOW + 4).map(drop),
    |writer| {
        let mut settings = Settings::default();
        let name = Value::Text("Respiro".to_owned());
        settings.values.insert("brand".to_owned(), name);
        writer.put_settings(&settings)
    },
    |writer| {
        let ids = ["c", "a", "b"].map(str::to_owned);
        writer.order_items(kind("blog"), &ids, NOW + 5).map(drop)
    },
    |writer| writer.delete_item(kind("blog"), "a", NOW + 6),
    |writer| writer.empty_trash(),
    |writer| writer.sweep(NOW + 40 * 24 * 60 * 60 * 1_000).map(drop),
    |writer| add_picture(writer, "ultima", 2),
];

/// Everything that the steps touch, in one line.
fn state(reader: &Reader<'_>) -> Result<String> {
    let items = reader.items(kind("blog"))?;
    let trash = reader.trash()?;
    let pictures = reader.pictures()?;
    for file in pictures.values().flat_map(|picture| picture.files.values()) {
        reader.blob(&file.hash)?.ok_or(Error::NotFound)?;
    }
    let redirects = reader.snapshot("")?.redirects;
    let settings = reader.settings()?;
    Ok(format!(
        "{items:?} {trash:?} {pictures:?} {redirects:?} {settings:?}"
    ))
}

/// The state before the first step and after each one, and how often the disk was accessed.
fn rehearse(path: &Path, image: &[u8]) -> (Vec<String>, u64) {
    let disk = Disk::with(image, Mishap::None, false);
    let store = Store::open_with(path, disk.opener()).unwrap();
    let mut states = vec![store.read(state).unwrap()];
    for step in STEPS {
        store.write(step).unwrap();
        states.push(store.read(state).unwrap());
    }
    drop(store);
    (states, disk.accesses())
}

/// In memory where there is such a place: only the simulated disk is of interest.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

fn empty_image(path: &Path) -> Vec<u8> {
    drop(Store::open(path).unwrap());
    std::fs::read(path).unwrap()
}

/// Works until the power fails. How many steps were acknowledged.
fn work(path: &Path, disk: &Disk) -> usize {
    let Ok(store) = Store::open_with(path, disk.opener()) else {
        return 0;
    };
    STEPS
        .iter()
        .take_while(|step| store.write(step).is_ok())
        .count()
}

/// How many of the power cuts lost something acknowledged or left something half done.
fn cut_power_everywhere(lies: bool) -> (u64, u64) {
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let image = empty_image(&path);
    let (states, accesses) = rehearse(&path, &image);
    let mut lost = 0;
    // The control needs no more than a sample.
    let stride = if lies { 7 } else { 1 };
    let mut cuts = 0;
    for access in (1..=accesses).step_by(stride) {
        cuts += 1;
        let disk = Disk::with(&image, Mishap::PowerCutAt(access), lies);
        let done = work(&path, &disk);
        std::fs::write(
            &path,
            disk.after_power_cut(access.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        )
        .unwrap();
        let found = Store::open(&path).map(|store| store.read(state));
        let allowed = &states[done..(done + 2).min(states.len())];
        match found {
            Ok(Ok(found)) if allowed.contains(&found) => {}
            other if lies => {
                drop(other);
                lost += 1;
            }
            other => panic!("power cut at access {access} after {done} steps: {other:?}"),
        }
    }
    (lost, cuts)
}

#[test]
fn a_power_cut_at_any_access_to_the_disk_loses_nothing_acknowledged_and_halves_nothing() {
    let (lost, cuts) = cut_power_everywhere(false);
    assert_eq!(lost, 0);
    assert!(cuts > 100, "{cuts}");
}

#[test]
fn the_simulation_notices_a_disk_that_lies_about_syncing() {
    let (lost, cuts) = cut_power_everywhere(true);
    assert!(lost > cuts / 4, "{lost} of {cuts}");
}

#[test]
fn after_a_full_disk_at_any_access_the_next_write_works_again() {
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let image = empty_image(&path);
    let (states, accesses) = rehearse(&path, &image);
    let mut refused = 0;
    for access in 1..=accesses {
        let disk = Disk::with(&image, Mishap::FullAt(access), false);
        let Ok(store) = Store::open_with(&path, disk.opener()) else {
            continue;
        };
        for (number, step) in STEPS.iter().enumerate() {
            let Err(error) = store.write(step) else {
                continue;
            };
            assert!(
                matches!(error, Error::StorageFull),
                "access {access}: {error}"
            );
            refused += 1;
            let found = store.read(state).unwrap();
            if found == states[number] {
                store.write(step).unwrap();
            } else {
                assert_eq!(found, states[number + 1], "access {access}");
            }
        }
        assert_eq!(
            store.read(state).unwrap(),
            states[STEPS.len()],
            "access {access}"
        );
    }
    assert!(refused > STEPS.len(), "{refused}");
}
