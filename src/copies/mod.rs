//! Copies outside this machine: sealed here, kept by any object storage that speaks S3.
//!
//! Below the prefix: `pictures/NAME.HASH` are sealed blobs, sent once; `whole/WHEN.rows` and
//! `changes/WHEN.rows` are the sealed rest of the data file, each with `WHEN.json`, which says
//! without a key what belongs to it and is written last: a copy without it is none.

mod bucket;
mod fault;
pub mod follow;
pub mod mirror;
mod retention;
pub mod run;
mod sealed;

pub use bucket::Bucket;
pub use fault::Fault;
pub use sealed::{Opener, Sealer, new_pair};

use crate::content::{Timestamp, time};
use crate::error::{Error, Result};
use crate::store::{Blob, Figures, assemble};
use bucket::Listed;
use sealed::hash;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const FORMAT: u32 = 1;
const PICTURES: &str = "pictures/";
const ROWS: &str = ".rows";
const MANIFEST: &str = ".json";
/// Notes of the data file that say how copying went: they are no change.
pub const NOTES: &[&str] = &[run::NOTE, follow::NOTE, crate::backup::NOTE];
/// Copies of changes that are kept: what a whole copy holds needs none of them.
const CHANGES_MAX: usize = 4;
/// A picture that no copy names may belong to one that is being made.
const LOOSE_MILLISECONDS_MIN: i64 = 24 * 60 * 60 * 1000;

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
        let mut copies = Vec::new();
        for sort in [Sort::Whole, Sort::Changes] {
            for name in self.bucket.list(sort.folder())?.into_keys() {
                let stamp = name.strip_suffix(MANIFEST);
                let at = stamp.and_then(|stamp| time::parse_rfc3339(&unfolded(stamp)?));
                if let (Some(at), Some(stamp)) = (at, stamp) {
                    let name = format!("{}{stamp}", sort.folder());
                    copies.push(Copy { at, sort, name });
                }
            }
        }
        copies.sort_by(|one, two| two.cmp(one));
        Ok(copies)
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
            if let Some((whole, listed)) = there.get(&name) {
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
        let name = format!("{}{}", sort.folder(), folded(now));
        self.put(&format!("{name}{ROWS}"), &rows, &mut sent)?;
        let manifest = Manifest {
            format: FORMAT,
            at: time::rfc3339(now),
            program: format!("respiro {}", env!("CARGO_PKG_VERSION")),
            site,
            key_ending: sealer.ending(),
            items: taken.items,
            rows: Part {
                bytes: rows.len() as u64,
                sha256: hash(&rows),
            },
            pictures,
        };
        let bytes =
            serde_json::to_vec(&manifest).map_err(|error| Fault::Other(error.to_string()))?;
        self.put(&format!("{name}{MANIFEST}"), &bytes, &mut sent)?;
        Ok(sent)
    }

    /// An empty server that was started on the prefix of another site must not push its copies out.
    fn require_own(&self, site: &str, sealer: &Sealer) -> Result<(), Fault> {
        let Some(newest) = self.all()?.into_iter().next() else {
            return Ok(());
        };
        let manifest = self.manifest(&newest)?;
        // Under another key the same site has another name.
        let is_other = manifest.site != site && manifest.key_ending == sealer.ending();
        if is_other {
            Err(Fault::OtherSite)
        } else {
            Ok(())
        }
    }

    /// The pictures that are there, by the name of their content.
    fn pictures(&self) -> Result<BTreeMap<String, (String, Listed)>, Fault> {
        let listed = self.bucket.list(PICTURES)?;
        let by_name = listed.into_iter().filter_map(|(whole, listed)| {
            let name = whole.split_once('.')?.0.to_owned();
            Some((name, (whole, listed)))
        });
        Ok(by_name.collect())
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

    /// Removes copies that the calendar does not keep, then pictures that none names any more.
    pub fn prune(&self, now: Timestamp) -> Result<usize, Fault> {
        let all = self.all()?;
        let whole: Vec<Timestamp> = all
            .iter()
            .filter(|copy| copy.sort == Sort::Whole)
            .map(|copy| copy.at)
            .collect();
        let kept_days = retention::kept(&whole);
        let newest_whole = whole.first().copied();
        let mut changes = 0;
        let (kept, old): (Vec<_>, Vec<_>) = all.into_iter().partition(|copy| match copy.sort {
            Sort::Whole => kept_days.contains(&copy.at),
            Sort::Changes => {
                changes += 1;
                changes <= CHANGES_MAX && newest_whole.is_none_or(|at| copy.at > at)
            }
        });
        for copy in &old {
            // The manifest goes first: what is left is no copy any more.
            self.bucket.remove(&format!("{}{MANIFEST}", copy.name))?;
            self.bucket.remove(&format!("{}{ROWS}", copy.name))?;
        }
        if old.iter().any(|copy| copy.sort == Sort::Whole) {
            self.prune_pictures(&kept, now)?;
        }
        Ok(old.len())
    }

    fn prune_pictures(&self, kept: &[Copy], now: Timestamp) -> Result<(), Fault> {
        let mut named = BTreeSet::new();
        for copy in kept {
            named.extend(self.manifest(copy)?.pictures.into_keys());
        }
        for (name, listed) in self.bucket.list(PICTURES)? {
            let modified = listed.modified.as_deref().and_then(time::parse_rfc3339);
            let is_old = modified.is_some_and(|at| now.saturating_sub(at) > LOOSE_MILLISECONDS_MIN);
            if is_old && !named.contains(&name) {
                self.bucket.remove(&format!("{PICTURES}{name}"))?;
            }
        }
        Ok(())
    }

    /// Whether everything that belongs to a copy is there and as it was sent; with the key, also
    /// whether it opens. What is missing or differs is counted.
    pub fn check(&self, copy: &Copy, opener: Option<&Opener>) -> Result<(Manifest, usize), Fault> {
        let manifest = self.manifest(copy)?;
        let mut bad = usize::from(self.rows(copy, &manifest, opener).is_err_and(|fault| {
            tracing::warn!(copy = copy.name, ?fault, "the rows of a copy are bad");
            true
        }));
        for (name, bytes) in &manifest.pictures {
            match self.picture(name, *bytes) {
                Ok(sealed) => {
                    if let Some(opener) = opener {
                        opener.open(&sealed)?;
                    }
                }
                Err(Fault::NotThere | Fault::Damaged(_)) => bad += 1,
                Err(fault) => return Err(fault),
            }
        }
        Ok((manifest, bad))
    }

    fn rows(
        &self,
        copy: &Copy,
        manifest: &Manifest,
        opener: Option<&Opener>,
    ) -> Result<Vec<u8>, Fault> {
        let name = format!("{}{ROWS}", copy.name);
        let sealed = self.bucket.get(&name)?;
        if hash(&sealed) != manifest.rows.sha256 {
            return Err(Fault::Damaged(name));
        }
        match opener {
            Some(opener) => opener.open_rows(&sealed),
            None => Ok(Vec::new()),
        }
    }

    /// A sealed picture, whose name says what it must be.
    fn picture(&self, name: &str, bytes: u64) -> Result<Vec<u8>, Fault> {
        let sealed = self.bucket.get(&format!("{PICTURES}{name}"))?;
        let wanted = name.split_once('.').map(|(_, hash)| hash);
        if sealed.len() as u64 != bytes || wanted != Some(hash(&sealed).as_str()) {
            return Err(Fault::Damaged(name.to_owned()));
        }
        Ok(sealed)
    }

    /// Makes the new data file `out` of a copy. `progress` hears how many pictures are there.
    pub fn restore(
        &self,
        copy: &Copy,
        opener: &Opener,
        out: &Path,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(Manifest, Figures), Fault> {
        let manifest = self.manifest(copy)?;
        let rows = self.rows(copy, &manifest, Some(opener))?;
        let sealer = opener.sealer().map_err(Fault::Other)?;
        let named: BTreeMap<String, (String, u64)> = manifest
            .pictures
            .iter()
            .filter_map(|(whole, bytes)| {
                let name = whole.split_once('.')?.0.to_owned();
                Some((name, (whole.clone(), *bytes)))
            })
            .collect();
        let mut failed = None;
        let mut count = 0;
        let mut fetch = |blob: Blob| {
            let fetched = named
                .get(&sealer.name(&blob.hash))
                .ok_or(Fault::NotThere)
                .and_then(|(whole, bytes)| opener.open(&self.picture(whole, *bytes)?));
            count += 1;
            progress(count, named.len());
            fetched.map_err(|fault| {
                let error = Error::Store(format!("a picture of the copy: {fault:?}"));
                failed = Some(fault);
                error
            })
        };
        let made = assemble(out, &rows, copy.at, &mut fetch);
        match (made, failed) {
            (Ok(figures), _) => Ok((manifest, figures)),
            (Err(_), Some(fault)) => Err(fault),
            (Err(error), None) => Err(Fault::Other(error.to_string())),
        }
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
