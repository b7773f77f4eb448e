//! The open data file as it was at one moment, for whoever reads it beside us: nothing is copied
//! and nothing written, however full the disk is.

use super::file::DataFile;
use super::hold::Hold;
use super::medium::{Medium, builder};
use super::open_error::OpenError;
use super::overlay::Overlay;
use super::tables::failed;
use super::transaction::begin;
use super::{Figures, Reader, Store, backup, check};
use crate::content::Timestamp;
use crate::error::{Error, Result};
use redb::backends::FileBackend;
use redb::{Database, DatabaseError, ReadTransaction, ReadableDatabase};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Bytes of the file's head, which alone is ever written in place.
const HEAD_BYTES: usize = 4096;

/// Memory for pages of who reads beside: each is read about once.
const CACHE_BYTES: usize = 2 * 1024 * 1024;

/// Where a reader finds the state of that moment, while the view is held.
#[derive(Debug, Clone)]
pub struct Moment {
    pub head: Vec<u8>,
    pub bytes: u64,
    pub hold: Hold,
}

/// As long as this is there, no page of that moment is written over.
pub struct Frozen {
    pub moment: Moment,
    /// Gone before the view is.
    _sign: Arc<()>,
    _view: ReadTransaction,
}

impl Store {
    pub fn freeze(&self) -> Result<Frozen> {
        self.file.with_database(|database| {
            // Nobody commits while the head is read.
            let turn = begin(database)?;
            let view = database.begin_read().map_err(failed)?;
            let sign = Arc::new(());
            let seen = Arc::downgrade(&sign);
            let hold = Hold::new(move || seen.strong_count() > 0);
            let moment = self.file.moment(hold)?;
            turn.abort().map_err(failed)?;
            Ok(Frozen {
                moment,
                _sign: sign,
                _view: view,
            })
        })
    }

    /// What the open file holds at this moment, verified: structure, records, blobs, references.
    pub fn beside(&self) -> Result<Beside, Vec<String>> {
        let frozen = self.freeze().map_err(|error| vec![error.to_string()])?;
        let open_moment = || Ok(open(&self.path, &frozen.moment)?);
        let (database, _) = check::verified(&self.path, open_moment)?;
        Ok(Beside {
            database,
            path: self.path.clone(),
            _frozen: frozen,
        })
    }
}

/// The open file as it was at one moment, read beside it: the memory that this takes goes with it,
/// and what visitors need stays in the memory of the open file.
pub struct Beside {
    database: Database,
    path: PathBuf,
    _frozen: Frozen,
}

impl Beside {
    pub fn read<T>(&self, read: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T> {
        let view = self.database.begin_read().map_err(failed)?;
        read(&Reader {
            tables: &view,
            path: &self.path,
        })
    }
}

/// The file at a path as it was at one moment; what is written to it goes with us.
struct OfMoment {
    path: PathBuf,
    moment: Moment,
    written: Arc<AtomicU64>,
}

impl Medium for OfMoment {
    fn open(&self) -> Result<Database, DatabaseError> {
        open(&self.path, &self.moment)
    }

    fn look(&self) -> Result<Database, DatabaseError> {
        open(&self.path, &self.moment)
    }

    fn written(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }
}

impl Store {
    /// Opens the file at `path` as it was at that moment, for looking only.
    pub fn look_at(path: &Path, moment: &Moment) -> Result<Self, OpenError> {
        let medium = OfMoment {
            path: path.to_owned(),
            moment: moment.clone(),
            written: Arc::default(),
        };
        let file = DataFile::look(path, Box::new(medium)).map_err(|fault| fault.at(path))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            held: Arc::default(),
        })
    }
}

impl DataFile {
    fn moment(&self, hold: Hold) -> Result<Moment> {
        let unreadable = |error: std::io::Error| Error::Store(error.to_string());
        let file = File::open(self.path()).map_err(unreadable)?;
        let mut head = vec![0; HEAD_BYTES];
        file.read_exact_at(&mut head, 0).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        Ok(Moment { head, bytes, hold })
    }
}

fn open(path: &Path, moment: &Moment) -> Result<Database, DatabaseError> {
    let file = FileBackend::new(File::open(path)?)?;
    let overlay = Overlay::frozen(file, &moment.head, moment.bytes, moment.hold.clone());
    builder()
        .set_cache_size(CACHE_BYTES)
        .create_with_backend(overlay)
}

/// Verifies the file at `path` as it was at that moment.
pub fn check_moment(path: &Path, moment: &Moment) -> Result<Figures, Vec<String>> {
    check::whole(path, || Ok(open(path, moment)?))
}

/// A consistent, compact copy of the file as it was at that moment, made with room at `out` alone.
pub fn backup_moment(path: &Path, moment: &Moment, out: &Path, now: Timestamp) -> Result<Figures> {
    let database = open(path, moment).map_err(failed)?;
    let view = database.begin_read().map_err(failed)?;
    backup::copy(&view, out, Some(now))
}
