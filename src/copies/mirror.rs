//! The published site in a bucket that a host of plain files serves: what differs is sent, files
//! that pages name before the pages; what is gone goes after them, and no sooner than a week later
//! where a page that somebody still reads may name it.

use super::{Bucket, Fault};
use crate::content::{Timestamp, time};
use crate::site::{Pages, Slot};
use crate::static_site::{self, Names, StaticFile};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::{Arc, Weak};

const FORMAT: u32 = 1;
/// Says what is there; visitors have no use for it.
const MANIFEST: &str = ".respiro.json";
const GONE_MILLISECONDS: i64 = 7 * 24 * 60 * 60 * 1000;
/// A first upload that is cut goes on from here.
const KEPT_EVERY: usize = 100;
/// Smaller files gain nothing.
const PACKED_BYTES_MIN: usize = 512;
/// What every browser takes packed, by how its type begins.
const PACKED: &[&str] = &[
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "image/svg",
];

/// What a step did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    pub sent: usize,
    pub removed: usize,
    pub bytes: u64,
}

/// Bytes and their type, made when they are needed.
pub type Make<'a> = &'a mut dyn FnMut(&StaticFile) -> Result<(Vec<u8>, String), Fault>;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    objects: BTreeMap<String, Object>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    /// The same says that the bytes are the same.
    mark: String,
    bytes: u64,
    is_page: bool,
    /// Since when no page names it, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    gone_at: Option<String>,
}

/// The bucket, and what is known of it.
pub struct Mirror {
    bucket: Bucket,
    known: Option<Manifest>,
    /// Pages that were looked at: the same page has the same bytes.
    seen: BTreeMap<String, (Weak<Slot>, String)>,
}

impl Mirror {
    pub fn new(bucket: Bucket) -> Self {
        Self {
            bucket,
            known: None,
            seen: BTreeMap::new(),
        }
    }

    /// Brings the bucket in step with `pages`. What was sent before a failure is not sent again.
    pub fn step(
        &mut self,
        pages: &Pages,
        files: &[StaticFile],
        now: Timestamp,
        make: Make<'_>,
    ) -> Result<Step, Fault> {
        let mut known = match self.known.take() {
            Some(known) => known,
            None => self.look()?,
        };
        let mut step = Step::default();
        let done = self.send(&mut known, pages, files, make, &mut step);
        let done = done.and_then(|()| self.send_lists(&mut known, pages, files, &mut step));
        let done = done.and_then(|()| self.remove(&mut known, files, now, &mut step));
        // Also after a failure: what is there now need not be sent again.
        let kept = if step == Step::default() {
            Ok(())
        } else {
            self.keep(&known)
        };
        done.and(kept)?;
        self.known = Some(known);
        Ok(step)
    }

    /// What the bucket holds is asked for again by the next step.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// How many objects of the site are there as they were sent.
    pub fn count(&self) -> Result<usize, Fault> {
        self.look().map(|known| known.objects.len())
    }

    /// What the manifest names and the bucket has, as it was sent.
    fn look(&self) -> Result<Manifest, Fault> {
        let mut known: Manifest = match self.bucket.get(MANIFEST) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(Fault::NotThere) => Manifest::default(),
            Err(fault) => return Err(fault),
        };
        if known.format != FORMAT {
            known = Manifest {
                format: FORMAT,
                ..Manifest::default()
            };
        }
        let there = self.bucket.list("")?;
        known.objects.retain(|name, object| {
            there
                .get(name)
                .is_some_and(|listed| listed.bytes == object.bytes)
        });
        Ok(known)
    }

    fn keep(&self, known: &Manifest) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(known).map_err(|error| Fault::Other(error.to_string()))?;
        let headers = [
            ("content-type", "application/json"),
            ("cache-control", "no-store"),
        ];
        self.bucket.put_public(MANIFEST, &bytes, &headers)
    }

    fn send(
        &mut self,
        known: &mut Manifest,
        pages: &Pages,
        files: &[StaticFile],
        make: Make<'_>,
        step: &mut Step,
    ) -> Result<(), Fault> {
        for file in files {
            let cheap = file.mark(pages).or_else(|| self.mark_of(file));
            if cheap.is_some_and(|mark| known.has(&file.name, &mark)) {
                continue;
            }
            let (bytes, content_type) = make(file)?;
            let mark = file.mark(pages).unwrap_or_else(|| hash(&bytes));
            if let Some(slot) = file.slot() {
                let seen = (Arc::downgrade(slot), mark.clone());
                self.seen.insert(file.name.clone(), seen);
            }
            if known.has(&file.name, &mark) {
                continue;
            }
            let sent = self.put(&file.name, &bytes, &content_type, file.cache_control)?;
            known.note(&file.name, mark, sent, file.is_page);
            step.sent += 1;
            step.bytes += sent;
            if step.sent.is_multiple_of(KEPT_EVERY) {
                self.keep(known)?;
            }
        }
        Ok(())
    }

    /// What hosts read that know such lists.
    fn send_lists(
        &self,
        known: &mut Manifest,
        pages: &Pages,
        files: &[StaticFile],
        step: &mut Step,
    ) -> Result<(), Fault> {
        let lists = [
            (LISTS[0], static_site::redirects(pages)),
            (LISTS[1], static_site::headers(files)),
        ];
        for (name, text) in lists {
            let mark = hash(text.as_bytes());
            if !known.has(name, &mark) {
                let sent = self.put(
                    name,
                    text.as_bytes(),
                    "text/plain; charset=utf-8",
                    "no-cache",
                )?;
                known.note(name, mark, sent, true);
                step.sent += 1;
                step.bytes += sent;
            }
        }
        Ok(())
    }

    /// The mark of a page that was looked at and is the same still.
    fn mark_of(&self, file: &StaticFile) -> Option<String> {
        let (seen, mark) = self.seen.get(&file.name)?;
        let same = Arc::ptr_eq(&seen.upgrade()?, file.slot()?);
        same.then(|| mark.clone())
    }

    /// The bytes that went.
    fn put(
        &self,
        name: &str,
        bytes: &[u8],
        content_type: &str,
        cache_control: &str,
    ) -> Result<u64, Fault> {
        let mut headers = vec![
            ("content-type", content_type),
            ("cache-control", cache_control),
        ];
        let is_text = PACKED.iter().any(|start| content_type.starts_with(start));
        let packed = (is_text && bytes.len() >= PACKED_BYTES_MIN).then(|| packed(bytes));
        if packed.is_some() {
            headers.push(("content-encoding", "gzip"));
        }
        let bytes = packed.as_deref().unwrap_or(bytes);
        self.bucket.put_public(name, bytes, &headers)?;
        Ok(bytes.len() as u64)
    }

    /// Pages that are gone go at once, files that pages named a week after.
    fn remove(
        &mut self,
        known: &mut Manifest,
        files: &[StaticFile],
        now: Timestamp,
        step: &mut Step,
    ) -> Result<(), Fault> {
        let present: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let mut due = Vec::new();
        for (name, object) in &mut known.objects {
            if present.contains(name.as_str()) || LISTS.contains(&name.as_str()) {
                continue;
            }
            let since = object.gone_at.as_deref().and_then(time::parse_rfc3339);
            match since {
                _ if object.is_page => due.push(name.clone()),
                Some(at) if now.saturating_sub(at) > GONE_MILLISECONDS => due.push(name.clone()),
                Some(_) => {}
                None => {
                    object.gone_at = Some(time::rfc3339(now));
                    step.removed += 1;
                }
            }
        }
        for name in due {
            self.bucket.remove(&name)?;
            known.objects.remove(&name);
            self.seen.remove(&name);
            step.removed += 1;
        }
        Ok(())
    }
}

const LISTS: [&str; 2] = ["_redirects", "_headers"];

impl Manifest {
    /// Whether it is there with this mark. What was gone is back then.
    fn has(&mut self, name: &str, mark: &str) -> bool {
        let object = self
            .objects
            .get_mut(name)
            .filter(|object| object.mark == mark);
        object.is_some_and(|object| {
            object.gone_at = None;
            true
        })
    }

    fn note(&mut self, name: &str, mark: String, bytes: u64, is_page: bool) {
        let object = Object {
            mark,
            bytes,
            is_page,
            gone_at: None,
        };
        self.objects.insert(name.to_owned(), object);
    }
}

/// The files of the site in the order in which they are sent.
pub fn files(site: &crate::site::Site, pages: &Pages) -> Vec<StaticFile> {
    static_site::files(site, pages, Names::Folders)
}

fn hash(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Without a name or a time: the same bytes give the same.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
