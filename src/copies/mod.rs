//! Copies outside this machine: sealed here, kept by any object storage that speaks S3.
//!
//! Below the prefix: `pictures/NAME.HASH` are sealed blobs, sent once; `whole/WHEN.HASH.rows` and
//! `changes/WHEN.HASH.rows` are the sealed rest of the data file, each with `WHEN.json`, which says
//! without a key what belongs to it and is written last: a copy without it is none. No two objects
//! that differ share a name, but for that one: whoever copies at the same time overwrites nothing
//! that another copy is made of.

mod bucket;
mod fault;
mod fetch;
pub mod follow;
pub mod mirror;
mod prune;
mod retention;
pub mod run;
mod sealed;

pub use bucket::Bucket;
pub use fault::Fault;
pub use sealed::{Opener, Sealer, new_pair};

use crate::content::{Timestamp, time};
use crate::store::Blob;
use bucket::Listed;
use sealed::hash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const FORMAT: u32 = 1;
const PICTURES: &str = "pictures/";
const ROWS: &str = ".rows";
const MANIFEST: &str = ".json";
/// Notes of the data file that say how copying went: they are no change.
pub const NOTES: &[&str] = &[run::NOTE, follow::NOTE, crate::backup::NOTE];
/// Digits of its hash that the name of rows has.
const ROWS_HASH_DIGITS: usize = 16;

/// Whole copies are kept by the calendar, those of changes only until newer ones are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Whole,
    Changes,
}

impl Sort {
    const fn folder(self) -> &'static str {
        match self {
            Self::Whole => "whole/",
            Self::Changes => "changes/",
        }
    }
}

/// A copy by its moment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Copy {
    pub at: Timestamp,
    pub sort: Sort,
    name: String,
    /// More than one where two programs copied in the same second.
    rows: Vec<String>,
}

/// What belongs to a copy. Holds nothing that needs a key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// RFC 3339.
    pub at: String,
    program: String,
    /// The same for all copies of one data file.
    site: String,
    /// The end of the public key that it was sealed for.
    pub key_ending: String,
    pub items: u64,
    rows: Part,
    pictures: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    bytes: u64,
    sha256: String,
}

impl Part {
    /// Of the rows of the copy of this name.
    fn name(&self, copy: &str) -> String {
        let hash = self.sha256.get(..ROWS_HASH_DIGITS).unwrap_or_default();
        format!("{copy}.{hash}{ROWS}")
    }
}

impl Manifest {
    pub fn bytes(&self) -> u64 {
        self.rows.bytes + self.pictures.values().sum::<u64>()
    }

    pub fn objects(&self) -> usize {
        self.pictures.len() + 1
    }
}

/// The data file as copying sees it, at one moment.
pub struct Taken {
    pub rows: Vec<u8>,
    pub blobs: Vec<Blob>,
    pub items: u64,
    /// The random key of the data file.
    pub secret: [u8; 32],
}

/// What a copy cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sent {
    pub objects: usize,
    pub known: usize,
    pub bytes: u64,
    pub pruned: usize,
}

/// A name in the bucket, and what stands there.
type Named = (String, Listed);

/// Where copies go and come from.
pub struct Copies {
    bucket: Bucket,
}

impl Copies {
    pub fn new(bucket: Bucket) -> Self {
        Self { bucket }
    }

    /// Every copy that is complete, the newest first.
    pub fn all(&self) -> Result<Vec<Copy>, Fault> {
        Ok(self.all_and_loose()?.0)
    }

    /// Beside them the rows that belong to none: of a copy that was cut, or is being made.
    fn all_and_loose(&self) -> Result<(Vec<Copy>, Vec<Named>), Fault> {
        let (mut copies, mut loose) = (Vec::new(), Vec::new());
        for sort in [Sort::Whole, Sort::Changes] {
            let listed = self.bucket.list(sort.folder())?.into_iter();
            let (manifests, others): (Vec<_>, Vec<_>) =
                listed.partition(|(name, _)| name.ends_with(MANIFEST));
            for (name, _) in manifests {
                let stamp = name.strip_suffix(MANIFEST);
                let at = stamp.and_then(|stamp| time::parse_rfc3339(&unfolded(stamp)?));
                if let (Some(at), Some(stamp)) = (at, stamp) {
                    let (name, rows) = (format!("{}{stamp}", sort.folder()), Vec::new());
                    copies.push(Copy {
                        at,
                        sort,
                        name,
                        rows,
                    });
                }
            }
            for (name, object) in others {
                let name = format!("{}{name}", sort.folder());
                let stamp = name.split('.').next().unwrap_or_default();
                match copies.iter_mut().find(|copy| copy.name == stamp) {
                    Some(copy) => copy.rows.push(name),
                    None if name.ends_with(ROWS) => loose.push((name, object)),
                    None => {}
                }
            }
        }
        copies.sort_by(|one, two| two.cmp(one));
        Ok((copies, loose))
    }

    pub fn manifest(&self, copy: &Copy) -> Result<Manifest, Fault> {
        let bytes = self.bucket.get(&format!("{}{MANIFEST}", copy.name))?;
        let manifest: Manifest =
            serde_json::from_slice(&bytes).map_err(|error| Fault::Damaged(error.to_string()))?;
        if manifest.format > FORMAT {
            let newer = "the copy was made by a newer respiro: install that";
            return Err(Fault::Other(newer.to_owned()));
        }
        Ok(manifest)
    }

    /// Sends what is not there yet, reads it back, writes the manifest last. `blob` gives the
    /// bytes of a picture.
    pub fn send(
        &self,
        sealer: &Sealer,
        sort: Sort,
        now: Timestamp,
        taken: &Taken,
        blob: &mut dyn FnMut(Blob) -> Result<Vec<u8>, Fault>,
    ) -> Result<Sent, Fault> {
        let site = sealer.name(&taken.secret);
        self.require_own(&site, sealer)?;
        let there = self.pictures()?;
        let mut sent = Sent::default();
        let mut pictures = BTreeMap::new();
        for one in &taken.blobs {
            let name = sealer.name(&one.hash);
            // What is sealed is longer than before: anything else somebody has put there.
            let known = there
                .get(&name)
                .filter(|(_, listed)| listed.bytes > one.bytes);
            if let Some((whole, listed)) = known {
                sent.known += 1;
                pictures.insert(whole.clone(), listed.bytes);
                continue;
            }
            let object = sealer.seal(&blob(*one)?)?;
            let whole = format!("{name}.{}", hash(&object));
            self.put(&format!("{PICTURES}{whole}"), &object, &mut sent)?;
            pictures.insert(whole, object.len() as u64);
        }
        let rows = sealer.seal_rows(&taken.rows)?;
        let rows_part = Part {
            bytes: rows.len() as u64,
            sha256: hash(&rows),
        };
        let name = format!("{}{}", sort.folder(), folded(now));
        self.put(&rows_part.name(&name), &rows, &mut sent)?;
        self.require_still(&pictures)?;
        let manifest = Manifest {
            format: FORMAT,
            at: time::rfc3339(now),
            program: format!("respiro {}", env!("CARGO_PKG_VERSION")),
            site,
            key_ending: sealer.ending(),
            items: taken.items,
            rows: rows_part,
            pictures,
        };
        let bytes =
            serde_json::to_vec(&manifest).map_err(|error| Fault::Other(error.to_string()))?;
        self.put(&format!("{name}{MANIFEST}"), &bytes, &mut sent)?;
        Ok(sent)
    }

    /// Somebody may have emptied the bucket, or removed what no copy named, while the rest went.
    fn require_still(&self, pictures: &BTreeMap<String, u64>) -> Result<(), Fault> {
        let there = self.bucket.list(PICTURES)?;
        let missing = pictures.keys().find(|name| !there.contains_key(*name));
        missing.map_or(Ok(()), |_| Err(Fault::NotThere))
    }

    /// An empty server that was started on the prefix of another site must not push its copies out.
    fn require_own(&self, site: &str, sealer: &Sealer) -> Result<(), Fault> {
        for copy in self.all()? {
            let manifest = match self.manifest(&copy) {
                Ok(manifest) => manifest,
                // One that cannot be read is no copy, and must not end all further ones.
                Err(Fault::Damaged(_) | Fault::NotThere) => continue,
                Err(fault) => return Err(fault),
            };
            // Under another key the same site has another name.
            let is_other = manifest.site != site && manifest.key_ending == sealer.ending();
            return if is_other {
                Err(Fault::OtherSite)
            } else {
                Ok(())
            };
        }
        Ok(())
    }

    /// The pictures that are there, by the name of their content.
    fn pictures(&self) -> Result<BTreeMap<String, (String, Listed)>, Fault> {
        let mut by_name: BTreeMap<String, (String, Listed)> = BTreeMap::new();
        for (whole, listed) in self.bucket.list(PICTURES)? {
            let Some((name, _)) = whole.split_once('.') else {
                continue;
            };
            let known = by_name.get(name);
            // Of two the longer one: the other was cut.
            if known.is_none_or(|(_, known)| known.bytes < listed.bytes) {
                by_name.insert(name.to_owned(), (whole, listed));
            }
        }
        Ok(by_name)
    }

    /// Puts an object and reads it back; what differs is sent once more.
    fn put(&self, name: &str, bytes: &[u8], sent: &mut Sent) -> Result<(), Fault> {
        for _ in 0..2 {
            self.bucket.put(name, bytes)?;
            if self.bucket.get(name)? == bytes {
                sent.objects += 1;
                sent.bytes += bytes.len() as u64;
                return Ok(());
            }
            tracing::warn!(
                name,
                "what the object storage gave back differs: sent again"
            );
        }
        Err(Fault::Damaged(name.to_owned()))
    }
}

/// `20260131T235959Z`: sorts by time.
fn folded(at: Timestamp) -> String {
    let text = time::rfc3339(at);
    let whole = text.split('.').next().unwrap_or_default();
    let plain = whole.chars().filter(|c| !matches!(c, '-' | ':' | 'Z'));
    plain.collect::<String>() + "Z"
}

/// The same as RFC 3339.
fn unfolded(stamp: &str) -> Option<String> {
    let (day, clock) = stamp.strip_suffix('Z')?.split_once('T')?;
    let part = |text: &str, from: usize| text.get(from..from + 2).map(str::to_owned);
    Some(format!(
        "{}-{}-{}T{}:{}:{}Z",
        day.get(..4)?,
        part(day, 4)?,
        part(day, 6)?,
        part(clock, 0)?,
        part(clock, 2)?,
        part(clock, 4)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_name_and_back() {
        let at = time::parse_rfc3339("2026-11-21T10:20:30Z").unwrap();
        assert_eq!(folded(at), "20261121T102030Z");
        assert_eq!(
            time::parse_rfc3339(&unfolded(&folded(at)).unwrap()),
            Some(at)
        );
        for odd in ["", "Z", "20261121", "é1T2Z"] {
            assert_eq!(unfolded(odd), None, "{odd}");
        }
    }
}
