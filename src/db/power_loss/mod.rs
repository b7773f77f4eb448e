//! Simulates power cuts and full disks: at work (`site/power_loss.rs`), during a backup and during
//! a migration.
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test stops where it fails"
)]

mod steps;
#[cfg(test)]
mod tests;

pub use steps::{STEPS, Step, rehearse, state};

use crate::backend::{Backend, CowBackend, builder, verify};
use crate::{Store, WriteAccess};
use redb::{Database, DatabaseError, StorageBackend};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

/// Disks lose unsynced data in sectors of this size.
pub const SECTOR_BYTES: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mishap {
    None,
    /// This access fails with a full disk; later ones succeed.
    FullAt(u64),
    /// This access fails with an I/O error; later ones succeed.
    FailAt(u64),
    /// This access is carried out and reported as failed; later ones succeed.
    FailAfter(u64),
    /// Every access from this one on fails with an I/O error.
    BrokenFrom(u64),
}

/// An access to the disk, or an acknowledgement.
#[derive(Debug)]
pub enum Event {
    Write(usize, Vec<u8>),
    Length(usize),
    Sync,
    /// This many steps are acknowledged.
    Promise(usize),
}

#[derive(Debug)]
pub struct Platter {
    /// Contents as the program sees them.
    seen: Vec<u8>,
    accesses: u64,
    mishap: Mishap,
    events: Vec<Event>,
}

/// Replays the disk up to an event: what survives a power cut, and what may.
pub struct Replay<'a> {
    events: &'a [Event],
    /// Synced contents.
    durable: Vec<u8>,
    /// Writes since the last sync.
    unsynced: Vec<&'a Event>,
    promised: usize,
    /// A broken disk that ignores syncs.
    lies: bool,
}

impl<'a> Replay<'a> {
    pub fn of(image: &[u8], events: &'a [Event], lies: bool) -> Self {
        Self {
            events,
            durable: image.to_vec(),
            unsynced: Vec::new(),
            promised: 0,
            lies,
        }
    }

    /// Replays the next event. Returns `false` at the end.
    pub fn step(&mut self) -> bool {
        let Some((event, rest)) = self.events.split_first() else {
            return false;
        };
        self.events = rest;
        match event {
            Event::Write(..) => self.unsynced.push(event),
            // The journal of the file system keeps the length.
            Event::Length(bytes) => self.durable.resize(*bytes, 0),
            Event::Sync if self.lies => {}
            Event::Sync => {
                for event in std::mem::take(&mut self.unsynced) {
                    write_sectors(&mut self.durable, event, || true);
                }
            }
            Event::Promise(steps) => self.promised = *steps,
        }
        true
    }

    /// The disk after a power cut: some unsynced sectors are written, some are not, in any order.
    pub fn after_power_cut(&self, mut seed: u64) -> Vec<u8> {
        let mut image = self.durable.clone();
        for event in &self.unsynced {
            write_sectors(&mut image, event, || {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                !seed.is_multiple_of(3)
            });
        }
        image
    }
}

pub fn write_sectors(image: &mut [u8], event: &Event, mut survives: impl FnMut() -> bool) {
    let Event::Write(offset, data) = event else {
        return;
    };
    for (index, sector) in data.chunks(SECTOR_BYTES).enumerate() {
        let start = offset + index * SECTOR_BYTES;
        if survives()
            && let Some(place) = image.get_mut(start..start + sector.len())
        {
            place.copy_from_slice(sector);
        }
    }
}

#[derive(Debug, Clone)]
pub struct Disk(Arc<Mutex<Platter>>);

impl Disk {
    pub fn with(image: &[u8], mishap: Mishap) -> Self {
        Self(Arc::new(Mutex::new(Platter {
            seen: image.to_vec(),
            accesses: 0,
            mishap,
            events: Vec::new(),
        })))
    }

    pub(crate) fn opener(&self) -> Box<dyn Backend> {
        Box::new(self.clone())
    }

    pub fn accesses(&self) -> u64 {
        self.0.lock().unwrap().accesses
    }

    /// Injects a fault; `mishap` counts its accesses from the next one.
    pub fn inject(&self, mishap: Mishap) {
        let mut platter = self.0.lock().unwrap();
        platter.accesses = 0;
        platter.mishap = mishap;
    }

    /// Returns the contents as the program sees them, which survive the end of the process.
    pub fn contents(&self) -> Vec<u8> {
        self.0.lock().unwrap().seen.clone()
    }

    pub fn promise(&self, steps: usize) {
        self.0.lock().unwrap().events.push(Event::Promise(steps));
    }

    pub fn events(&self) -> Vec<Event> {
        std::mem::take(&mut self.0.lock().unwrap().events)
    }
}

impl Backend for Disk {
    fn open(&self) -> Result<Database, DatabaseError> {
        builder().create_with_backend(self.clone())
    }

    fn open_copy_on_write(&self) -> Result<Database, DatabaseError> {
        builder().create_with_backend(CowBackend::new(self.clone())?)
    }

    fn written(&self) -> Arc<AtomicU64> {
        Arc::default()
    }

    fn inode(&self) -> u64 {
        0
    }
}

impl Platter {
    /// Counts an access, carries it out unless the fault prevents it, and returns the fault.
    fn access(&mut self, carry_out: impl FnOnce(&mut Self)) -> io::Result<()> {
        self.accesses += 1;
        match self.mishap {
            Mishap::FullAt(access) if self.accesses == access => {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Mishap::FailAt(access) if self.accesses == access => return Err(input_output()),
            Mishap::BrokenFrom(access) if self.accesses >= access => return Err(input_output()),
            _ => {}
        }
        carry_out(self);
        match self.mishap {
            Mishap::FailAfter(access) if self.accesses == access => Err(input_output()),
            _ => Ok(()),
        }
    }
}

fn input_output() -> io::Error {
    io::Error::other("injected fault")
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
        let bytes = usize::try_from(bytes).unwrap();
        self.0.lock().unwrap().access(|platter| {
            platter.seen.resize(bytes, 0);
            platter.events.push(Event::Length(bytes));
        })
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut platter = self.0.lock().unwrap();
        platter.access(|platter| platter.events.push(Event::Sync))
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap();
        self.0.lock().unwrap().access(|platter| {
            platter.seen[start..start + data.len()].copy_from_slice(data);
            platter.events.push(Event::Write(start, data.to_vec()));
        })
    }
}

/// Opens the disk as the program does, after verifying it.
pub fn open(path: &Path, disk: &Disk) -> Option<WriteAccess> {
    verify(disk).ok()?;
    Store::open_with(path, disk.opener()).ok()
}

pub fn empty_image(path: &Path) -> Vec<u8> {
    drop(Store::open(path).unwrap());
    std::fs::read(path).unwrap()
}

/// Cuts the power after every event, with other seeds until there were `cuts`. Calls `judge` with
/// each resulting image and the number of acknowledged steps. Returns how many it rejects.
pub fn cut_power(
    (image, events, lies): (&[u8], &[Event], bool),
    cuts: usize,
    judge: impl Fn(&Disk, usize) -> bool + Sync,
) -> usize {
    let threads = 2;
    let one = |thread: usize| {
        let mut wrong = 0;
        let mut replay = Replay::of(image, events, lies);
        let (mut position, mut done) = (0, 0);
        while replay.step() {
            position += 1;
            // Spread evenly over all events.
            while done * events.len() < position * cuts {
                done += 1;
                if done % threads == thread {
                    let seed = (done as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let disk = Disk::with(&replay.after_power_cut(seed), Mishap::None);
                    wrong += usize::from(!judge(&disk, replay.promised));
                }
            }
        }
        wrong
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || one(thread)))
            .collect();
        others.into_iter().map(|other| other.join().unwrap()).sum()
    })
}

/// Number of cuts: `RESPIRO_POWER_CUTS`, or 2,000.
pub fn cuts() -> usize {
    let wanted = std::env::var("RESPIRO_POWER_CUTS");
    wanted.map_or(2_000, |text| text.parse().unwrap())
}
