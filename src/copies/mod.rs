//! Copies outside this machine: sealed here, kept by any object storage that speaks S3.
//!
//! Below the prefix: `pictures/NAME.HASH` are sealed blobs, sent once; `whole/WHEN.HASH.rows` and
//! `changes/WHEN.HASH.rows` are the sealed rest of the data file, each with `WHEN.json`, which says
//! without a key what belongs to it and is written last: a copy without it is none. No two objects
//! that differ share a name, but for that one: whoever copies at the same time overwrites nothing
//! that another copy is made of. While a whole copy takes its time, those of changes go beside it
//! and name what they await of it.

mod bucket;
#[cfg(test)]
mod fake;
mod fault;
mod fetch;
pub mod follow;
mod keeping;
pub mod mirror;
pub mod outcome;
mod pieces;
mod prune;
mod retention;
pub mod run;
mod sealed;
mod send;

pub use bucket::Bucket;
pub use fault::Fault;
pub use fetch::{Back, Looked};
pub use sealed::{Opener, Sealer, ending_of, new_pair};

use crate::content::{Timestamp, time};
use crate::error::Error;
use crate::store::{Blob, FileIdentity};
use bucket::Listed;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Without a place there is nothing to copy to.
pub const NO_PLACE: Error = Error::Conflict(
    "Oggi le copie sono solo su questo server. Chi lo gestisce può attivare quelle altrove.",
);

const FORMAT: u32 = 1;
/// Of a copy that a program which knows neither pieces nor awaited pictures could not restore.
const FORMAT_IN_PIECES: u32 = 2;
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
    /// When it was made, RFC 3339. Its name says a later moment where a clock was ahead once.
    pub at: String,
    program: String,
    /// The same for all copies of one data file under one key.
    site: String,
    /// The same for all copies of one data file, whatever the key. Copies of former programs have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Another one in each data file that was restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lineage: Option<String>,
    /// The end of the public key that it was sealed for.
    pub key_ending: String,
    pub items: u64,
    rows: Part,
    pictures: BTreeMap<String, u64>,
    /// Pictures, by their content, that a whole copy was bringing when this one was made.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    awaited: BTreeSet<String>,
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

    /// When it was made. Where a clock was ahead once, the name of the copy lies after that day.
    fn made(&self, copy: &Copy) -> Timestamp {
        time::parse_rfc3339(&self.at).map_or(copy.at, |at| at.min(copy.at))
    }

    /// The key that opens it, and what it lacks.
    pub fn about(&self) -> String {
        let awaited = self.awaited.len();
        let lacks = match awaited {
            0 => String::new(),
            _ => format!(", {awaited} parts of pictures were still to come"),
        };
        format!("key …{}{lacks}", self.key_ending)
    }
}

/// The data file as copying sees it, at one moment.
pub struct Taken {
    pub rows: Vec<u8>,
    pub blobs: Vec<Blob>,
    pub items: u64,
    /// The random key of the data file.
    pub secret: [u8; 32],
    /// Of a data file that was put in its place by a restore.
    pub lineage: Option<FileIdentity>,
}

/// What a copy cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    pub objects: usize,
    pub known: usize,
    pub bytes: u64,
    pub pruned: usize,
    /// Pictures that it does not bring: a whole copy does, or has to.
    pub awaited: usize,
    /// What lies there afterwards, where that was counted.
    pub space: Option<u64>,
}

/// Where a copy has its pictures from, and who hears how far it is.
pub struct Source<'a> {
    pub blob: &'a mut dyn FnMut(Blob) -> Result<Vec<u8>, Fault>,
    /// Whether a whole copy is bringing this one just now: one of changes does not wait for it.
    pub is_coming: &'a dyn Fn(&Blob) -> bool,
    /// Fails where the data file that the copy is of is not the site's any more.
    pub is_still: &'a dyn Fn() -> Result<(), Fault>,
    /// Hears how many parts of how many are there.
    pub told: &'a dyn Fn(usize, usize),
}

impl<'a> Source<'a> {
    pub fn of(blob: &'a mut dyn FnMut(Blob) -> Result<Vec<u8>, Fault>) -> Self {
        Self {
            blob,
            is_coming: &|_| false,
            is_still: &|| Ok(()),
            told: &|_, _| {},
        }
    }
}

/// A name in the bucket, and what stands there.
type Named = (String, Listed);

/// Where copies go and come from.
pub struct Copies {
    bucket: Bucket,
    takes_over: bool,
    /// Held while a copy names what is there, and while what no copy names goes.
    naming: Mutex<()>,
}

impl Copies {
    pub fn new(bucket: Bucket) -> Self {
        Self {
            bucket,
            takes_over: false,
            naming: Mutex::default(),
        }
    }

    /// The next copy goes also where another machine has copied since: that one is off now.
    #[must_use]
    pub fn taking_over(self) -> Self {
        Self {
            takes_over: true,
            ..self
        }
    }

    fn naming(&self) -> MutexGuard<'_, ()> {
        self.naming.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that lie in the bucket below the prefix.
    pub fn space(&self) -> Result<u64, Fault> {
        let there = self.bucket.list("")?;
        Ok(there.values().map(|object| object.bytes).sum())
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
                let at = stamp.and_then(time::parse_stamp);
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
        if manifest.format > FORMAT_IN_PIECES {
            let newer = "the copy was made by a newer respiro: install that";
            return Err(Fault::Other(newer.to_owned()));
        }
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with a key that seals nothing else.
    const SECRET: &str =
        "AGE-SECRET-KEY-183S49MSH6HU8NL0FQPYWAU2VNL62747AJ8FCWMUS9SYSUL9MXMWQ6AXPKA";
    /// The bytes `righe`, compressed and sealed, in base 64.
    const SEALED: &str = concat!(
        "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBwTmlNMzNNNEdMWkdRRzg1eXZuazc2MERBOHVKdEow",
        "eDdORVB6L1ZzekNRCkdTVVNScnR6Y3dJMlQ3S29xcGlWMWovVVlOcXBXTDNYUi9UanZYdlJPZm8KLT4gNjAv",
        "R3JhVkktZ3JlYXNlIDI5PjhbMT0gb2xGfUQvUyBzcVZqZShpUSBPUC1uW25GLgpEK2dKbFlvNVJEMmhZRHhr",
        "bk91MXhwM2EwL1c3S0M4Z2xlNFM1ajFPRHpIbjVCcVBDb2dzeTQ1NmxtL3NKbHlOCkhoZzZxeUZCWEtsMUdk",
        "SlljaTQvNFJocTQ2bVVQdUwvY3dCaGgySQotLS0gQ283SCtVU3d4U3pJUlJIUnIwc3dza3U4cjZjSmJSbEJw",
        "Sy9PMTNPT1BUOAp54Sg1nYThxCVwD6YB3YgZNhcP6ulTVyhAK/Kr7VXs2tuLOYIjE6wPp66kxOUa8JmNMOT+",
        "i8dy7KE="
    );

    const WHOLE: &str = concat!(
        r#"{"format":2,"at":"2026-09-21T13:33:20.000Z","program":"respiro 0.1.0","site":"s","#,
        r#""file":"f","lineage":"l","key_ending":"abcdef","items":3,"#,
        r#""rows":{"bytes":4,"sha256":"0123456789abcdef0123"},"#,
        r#""pictures":{"name.hash":5},"awaited":["name-002"]}"#
    );
    /// Of a program that named neither file nor lineage.
    const FORMER: &str = concat!(
        r#"{"format":1,"at":"2026-09-21T13:33:20.000Z","program":"respiro 0.1.0","site":"s","#,
        r#""key_ending":"abcdef","items":3,"rows":{"bytes":4,"sha256":"0123"},"pictures":{}}"#
    );

    #[test]
    fn golden_manifests_are_read_and_written() {
        for golden in [WHOLE, FORMER] {
            let manifest: Manifest = serde_json::from_str(golden).unwrap();
            assert_eq!(serde_json::to_string(&manifest).unwrap(), golden);
        }
        let manifest: Manifest = serde_json::from_str(WHOLE).unwrap();
        assert_eq!((manifest.format, manifest.items), (2, 3));
        assert_eq!(manifest.at, "2026-09-21T13:33:20.000Z");
        assert_eq!(manifest.program, "respiro 0.1.0");
        assert_eq!(
            (manifest.site.as_str(), manifest.key_ending.as_str()),
            ("s", "abcdef")
        );
        assert_eq!(manifest.file.as_deref(), Some("f"));
        assert_eq!(manifest.lineage.as_deref(), Some("l"));
        assert_eq!(manifest.rows.bytes, 4);
        assert_eq!(manifest.pictures["name.hash"], 5);
        assert!(manifest.awaited.contains("name-002"));
        assert_eq!((FORMAT, FORMAT_IN_PIECES), (1, 2));
        let rows = manifest.rows.name("whole/20260921T133320Z");
        assert_eq!(rows, "whole/20260921T133320Z.0123456789abcdef.rows");
    }

    /// Without the `HASH` at the end of names: what is sealed differs each time.
    fn plain(name: &str) -> String {
        let mut parts = name.split('.').map(|part| match part.len() {
            ROWS_HASH_DIGITS | 64 => "HASH",
            _ => part,
        });
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |name, part| format!("{name}.{part}"))
    }

    #[test]
    fn golden_names_of_objects_and_what_names_a_site() {
        let fake = fake::Fake::start();
        let copies = Copies::new(fake.bucket());
        let sealer = Opener::new(SECRET).unwrap().sealer().unwrap();
        let blobs = [(1, 10), (2, pieces::PIECE_BYTES + 1)];
        let blobs = blobs.map(|(number, bytes)| Blob {
            hash: [number; 32],
            bytes,
        });
        let taken = Taken {
            rows: b"righe".to_vec(),
            blobs: blobs.to_vec(),
            items: 3,
            secret: [1; 32],
            lineage: Some(FileIdentity {
                id: [9; 16],
                since: 5,
            }),
        };
        let mut blob = |blob: Blob| Ok(vec![0; usize::try_from(blob.bytes).unwrap()]);
        let mut send = |sort, now| {
            copies
                .send(&sealer, sort, now, &taken, &mut Source::of(&mut blob))
                .unwrap();
        };
        send(Sort::Whole, 1_790_000_000_000);
        send(Sort::Changes, 1_790_000_060_000);
        let names: Vec<String> = fake.names("").iter().map(|name| plain(name)).collect();
        assert_eq!(
            names,
            [
                "changes/20260921T141420Z.HASH.rows",
                "changes/20260921T141420Z.json",
                "pictures/64844de82d9760f3b66799e024a6c47a.HASH",
                "pictures/dcefdb6b31d6a12cd2aecb32124e315d-001.HASH",
                "pictures/dcefdb6b31d6a12cd2aecb32124e315d-002.HASH",
                "whole/20260921T141320Z.HASH.rows",
                "whole/20260921T141320Z.json",
            ]
        );
        let newest = copies.manifest(&copies.all().unwrap()[0]).unwrap();
        assert_eq!(newest.site, "64844de82d9760f3b66799e024a6c47a");
        let file = "87fb278d0a1d455a213d0f3ef6a8ab8acc8a05f09ae85a2e9fc3fa96a96c7aae";
        assert_eq!(newest.file.as_deref(), Some(file));
        assert_eq!(
            newest.lineage.as_deref(),
            Some("09090909090909090909090909090909")
        );
        assert_eq!(newest.key_ending, sealer.ending());
    }

    #[test]
    fn golden_rows_are_opened() {
        let sealed = data_encoding::BASE64.decode(SEALED.as_bytes()).unwrap();
        let opener = Opener::new(SECRET).unwrap();
        assert_eq!(opener.open_rows(&sealed).unwrap(), b"righe");
    }
}
