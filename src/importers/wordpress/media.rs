//! Reads the media library of a WordPress site from a folder or a ZIP. Looks files up in an index
//! and never opens a path that an export names; bounds every read and never unpacks the ZIP.

use flate2::read::DeflateDecoder;
use percent_encoding::percent_decode_str;
use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
};
use respiro_media::UPLOAD_BYTES_MAX;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization as _;

const FILES_MAX: usize = 500_000;
const FOLDER_DEPTH_MAX: usize = 16;
/// Folder of the WordPress media library.
const LIBRARY: &str = "uploads/";

/// Index of the files of a media library.
#[derive(Default)]
pub struct Media {
    files: BTreeMap<String, Place>,
    /// Key by file name; `None` if several files have the name.
    by_name: BTreeMap<String, Option<String>>,
    archive: Option<ZipArchive<FileReader>>,
}

enum Place {
    Folder(PathBuf),
    Archive(ZipArchiveEntryWayfinder, CompressionMethod),
}

/// Reason why a file cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub enum Unusable {
    TooLarge,
    Damaged,
}

impl Media {
    /// Indexes a folder or a ZIP.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut media = Self::default();
        if fs::metadata(path)?.is_dir() {
            media.walk(path, "", 0)?;
        } else {
            media.look_into(File::open(path)?)?;
        }
        Ok(media)
    }

    /// Indexes a folder. Skips symbolic links, because they may point outside the folder.
    fn walk(&mut self, folder: &Path, before: &str, depth: usize) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let sort = entry.file_type()?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let name = format!("{before}{name}");
            if sort.is_dir() && depth < FOLDER_DEPTH_MAX {
                self.walk(&entry.path(), &format!("{name}/"), depth + 1)?;
            } else if sort.is_file() {
                self.add(&name, Place::Folder(entry.path()))?;
            }
        }
        Ok(())
    }

    fn look_into(&mut self, file: File) -> io::Result<()> {
        let unread = |error: rawzip::Error| io::Error::new(io::ErrorKind::InvalidData, error);
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(file, &mut buffer).map_err(unread)?;
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().map_err(unread)? {
            if entry.is_dir() {
                continue;
            }
            let Ok(name) = entry.file_path().try_normalize() else {
                continue;
            };
            let place = Place::Archive(entry.wayfinder(), entry.compression_method());
            self.add(name.as_str(), place)?;
        }
        self.archive = Some(archive);
        Ok(())
    }

    fn add(&mut self, path: &str, place: Place) -> io::Result<()> {
        if self.files.len() >= FILES_MAX {
            return Err(io::Error::other(format!("it holds over {FILES_MAX} files")));
        }
        let key = key_of(path);
        let name = key.rsplit('/').next().unwrap_or_default().to_owned();
        let known = self.by_name.entry(name).or_insert(Some(key.clone()));
        if known.as_ref() != Some(&key) {
            *known = None;
        }
        self.files.insert(key, place);
        Ok(())
    }

    /// Returns the key of the file at a URL of the WordPress site. The URL of a smaller size that
    /// WordPress generated resolves to the original picture.
    pub fn find(&self, address: &str) -> Option<&str> {
        let key = key_of(&percent_decode_str(address).decode_utf8_lossy());
        let whole = without_size(&key);
        let mut wanted = Vec::new();
        for key in whole.iter().chain([&key]) {
            wanted.push(key.clone());
            wanted.extend(scaled(key));
        }
        let by_path = wanted.iter().find_map(|key| self.key(key));
        by_path.or_else(|| {
            let mut names = wanted.iter().filter_map(|key| key.rsplit('/').next());
            names.find_map(|name| self.key(self.by_name.get(name)?.as_ref()?))
        })
    }

    fn key(&self, key: &str) -> Option<&str> {
        self.files.get_key_value(key).map(|(key, _)| key.as_str())
    }

    /// Reads a file of at most `UPLOAD_BYTES_MAX` bytes.
    pub fn bytes(&self, key: &str) -> Result<Vec<u8>, Unusable> {
        let damaged = |_| Unusable::Damaged;
        match (self.files.get(key), &self.archive) {
            (Some(Place::Folder(path)), _) => bounded(&mut File::open(path).map_err(damaged)?),
            (Some(Place::Archive(wayfinder, method)), Some(archive)) => {
                let entry = archive.get_entry(*wayfinder);
                let entry = entry.or(Err(Unusable::Damaged))?;
                match *method {
                    CompressionMethod::STORE => {
                        bounded(&mut entry.verifying_reader(entry.reader()))
                    }
                    CompressionMethod::DEFLATE => {
                        let inflated = DeflateDecoder::new(entry.reader());
                        bounded(&mut entry.verifying_reader(inflated))
                    }
                    _ => Err(Unusable::Damaged),
                }
            }
            _ => Err(Unusable::Damaged),
        }
    }
}

/// Reads at most `UPLOAD_BYTES_MAX` bytes, so that a decompression bomb is abandoned early.
fn bounded(reader: &mut dyn Read) -> Result<Vec<u8>, Unusable> {
    let mut bytes = Vec::new();
    let limit = UPLOAD_BYTES_MAX as u64 + 1;
    let read = reader.take(limit).read_to_end(&mut bytes);
    match read {
        _ if bytes.len() > UPLOAD_BYTES_MAX => Err(Unusable::TooLarge),
        Ok(_) => Ok(bytes),
        Err(_) => Err(Unusable::Damaged),
    }
}

/// Returns the path below the library folder: `2019/05/mare.jpg`. Normalises to NFC, as URLs do;
/// some file systems store NFD.
fn key_of(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let at = path.rfind(LIBRARY).map(|at| at + LIBRARY.len());
    let key = &path[at.unwrap_or_default()..];
    key.trim_start_matches('/').nfc().collect()
}

/// Removes the size suffix that WordPress appends: `mare-300x200.jpg` becomes `mare.jpg`.
fn without_size(key: &str) -> Option<String> {
    let (stem, ending) = key.rsplit_once('.')?;
    let (name, size) = stem.rsplit_once('-')?;
    let (width, height) = size.split_once('x')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (is_number(width) && is_number(height)).then(|| format!("{name}.{ending}"))
}

/// Returns the name that WordPress gives to the scaled-down version of a large picture.
fn scaled(key: &str) -> Option<String> {
    let (stem, ending) = key.rsplit_once('.')?;
    Some(format!("{stem}-scaled.{ending}"))
}
