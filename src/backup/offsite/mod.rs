//! Off-site backups of the data file: encrypted here, stored in an S3-compatible bucket.
//!
//! Objects below the prefix: `pictures/NAME.HASH` are encrypted blobs, uploaded once;
//! `whole/WHEN.HASH.rows` and `changes/WHEN.HASH.rows` hold the encrypted rest of the data file.
//! Each copy has a `WHEN.json` manifest, readable without a key, which lists its objects and is
//! written last: a copy without a manifest does not exist. Except for manifests, objects that
//! differ never share a name, so concurrent copies overwrite nothing that another copy uses.
//! Delta backups run beside a slow full backup and list the pictures they await from it. Manifests
//! are signed (`signature.rs`) and name the machine that wrote them (`fencing.rs`).

mod backup_state;
mod chunks;
mod download;
mod encryption;
mod prune;
mod retention;
pub mod schedule;
mod signature;
pub mod status;
mod upload;

pub use download::{RestoreReport, VerifyReport};
pub use encryption::{Decryptor, Encryptor, ending_of, new_pair};
pub use signature::{ManifestKey, ManifestSigner};

use crate::error::StorageError;
use crate::fencing::{Claim, Owner};
use crate::object_storage::{Bucket, Listed, S3Location};
use crate::{local_backup, s3_mirror};
use respiro_content::{Timestamp, time};
use respiro_db::clock::CLOCK_NOTE;
use respiro_db::{Blob, FileIdentity};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

const FORMAT: u32 = 1;
/// Format of copies with pieces or awaited pictures, which older programs cannot restore.
const FORMAT_IN_PIECES: u32 = 2;
const PICTURES: &str = "pictures/";
const ROWS: &str = ".rows";
const MANIFEST: &str = ".json";
/// Keys of notes that change by themselves: the state of copying, and the time. They do not count
/// as changes.
pub const NOTES: &[&str] = &[
    schedule::NOTE,
    s3_mirror::after_publish::NOTE,
    local_backup::NOTE,
    schedule::INSTANCES_NOTE,
    s3_mirror::after_publish::INSTANCES_NOTE,
    CLOCK_NOTE,
];
/// Longest life of a backup in days while backups are made: the retention calendar has twelve
/// months.
pub const RETENTION_DAYS_MAX: u16 = 366;
/// Maximum length of a manifest: 500,000 pictures.
const MANIFEST_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Number of hex digits of the hash in the name of a rows object.
const ROWS_HASH_DIGITS: usize = 16;

/// The destination of scheduled copies, and the key that encrypts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OffsiteOptions {
    pub space: S3Location,
    /// The public key of the recipient, `age1…`.
    pub recipient: String,
}

/// Kind of backup. Full backups follow the retention calendar; delta backups stay for two days, one
/// an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackupKind {
    Full,
    Delta,
}

impl BackupKind {
    const fn folder(self) -> &'static str {
        match self {
            Self::Full => "whole/",
            Self::Delta => "changes/",
        }
    }
}

/// A copy in the bucket, identified by its time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BackupRef {
    pub at: Timestamp,
    pub kind: BackupKind,
    name: String,
    /// Names of the rows objects: more than one if two programs copied in the same second.
    rows: Vec<String>,
}

/// Lists the objects of a copy. Contains nothing that needs a key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// Creation time, RFC 3339. The name of the copy is later if the clock was ahead once.
    pub at: String,
    program: String,
    /// Identifies the data file under one key; `owner` does whatever the key.
    site: String,
    #[serde(flatten)]
    owner: Owner,
    /// End of the public key that the copy is encrypted for.
    pub key_ending: String,
    pub items: u64,
    rows: Part,
    pictures: BTreeMap<String, u64>,
    /// Content names of picture pieces that a full backup has yet to upload.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    awaited: BTreeSet<String>,
    /// Whether a person made the copy by command.
    #[serde(
        default,
        rename = "by_command",
        skip_serializing_if = "std::ops::Not::not"
    )]
    is_by_command: bool,
    /// Public key of the signature. Absent in copies of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signer: Option<String>,
    /// Parsed from `signer` once the signature is verified.
    #[serde(skip)]
    signed_by: Option<ManifestKey>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    bytes: u64,
    sha256: String,
}

impl Part {
    /// Returns the object name of the rows of the copy `copy`.
    fn name(&self, copy: &str) -> String {
        let hash = self.sha256.get(..ROWS_HASH_DIGITS).unwrap_or_default();
        format!("{copy}.{hash}{ROWS}")
    }
}

impl Manifest {
    /// Parses the manifest of the copy `name`. A signature that does not hold is damage; without
    /// one, `signed_by` is `None`.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, StorageError> {
        let damaged = |reason: String| StorageError::Damaged(reason);
        let mut manifest: Self =
            serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if manifest.format > FORMAT_IN_PIECES {
            let newer = "the copy was made by a newer respiro: install that";
            return Err(StorageError::Other(newer.to_owned()));
        }
        let names = manifest.pictures.keys().chain(&manifest.awaited);
        if names.into_iter().any(|name| !is_object_name(name)) {
            return Err(damaged("it names an impossible object".to_owned()));
        }
        if let Some(signer) = &manifest.signer {
            let key: ManifestKey = signer.parse().map_err(damaged)?;
            if !key.has_signed(name, bytes) {
                return Err(damaged("it was changed after it was signed".to_owned()));
            }
            manifest.signed_by = Some(key);
        }
        Ok(manifest)
    }

    /// Returns the key whose signature was verified; `None` for a copy without a signature.
    pub const fn signed_by(&self) -> Option<&ManifestKey> {
        self.signed_by.as_ref()
    }

    pub fn bytes(&self) -> u64 {
        let pictures = self.pictures.values();
        pictures.fold(self.rows.bytes, |sum, bytes| sum.saturating_add(*bytes))
    }

    pub fn objects(&self) -> usize {
        self.pictures.len() + 1
    }

    /// Returns the creation time. The name of the copy is later if the clock was ahead once.
    fn made(&self, copy: &BackupRef) -> Timestamp {
        time::parse_rfc3339(&self.at).map_or(copy.at, |at| at.min(copy.at))
    }

    /// Describes, for the operator, which key decrypts the copy and how many parts are missing.
    pub fn about(&self) -> String {
        let awaited = self.awaited.len();
        let lacks = match awaited {
            0 => String::new(),
            _ => format!(", {awaited} parts of pictures were still to come"),
        };
        let made = if self.is_by_command {
            "by command, "
        } else {
            ""
        };
        let signed = match &self.signed_by {
            Some(_) => "",
            None => "not signed, ",
        };
        format!("{made}{signed}key …{}{lacks}", self.key_ending)
    }
}

/// Whether this is the name of an object below a folder: nothing that leads out of it.
fn is_object_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    !name.is_empty() && name.bytes().all(is_allowed) && !name.starts_with('.')
}

/// Snapshot of the data file that a copy is made from.
pub struct Snapshot {
    pub rows: Vec<u8>,
    pub blobs: Vec<Blob>,
    pub items: u64,
    /// The random key of the data file.
    pub secret: [u8; 32],
    /// Set if a restore created this data file.
    pub lineage: Option<FileIdentity>,
    /// Runs of the server that copied this data file.
    pub instances: Vec<String>,
    /// Whether a person makes the copy by command.
    pub is_by_command: bool,
}

impl Snapshot {
    fn claim(&self) -> Claim {
        Claim::new(&self.secret, self.lineage, self.instances.clone())
    }
}

/// Counts of what a copy uploaded and removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UploadStats {
    pub objects: usize,
    pub known: usize,
    pub bytes: u64,
    pub pruned: usize,
    /// Picture pieces left to a full backup.
    pub awaited: usize,
    /// Bytes in the bucket afterwards, if counted.
    pub space: Option<u64>,
}

/// Callbacks through which a copy reads pictures and reports progress.
pub struct Source<'a> {
    pub blob: &'a mut dyn FnMut(Blob) -> Result<Vec<u8>, StorageError>,
    /// Whether a running full backup uploads this picture; delta backups do not wait for it.
    pub is_being_uploaded: &'a dyn Fn(&Blob) -> bool,
    /// Fails if the copied data file is no longer the live one.
    pub check_current: &'a dyn Fn() -> Result<(), StorageError>,
    /// Receives the number of parts present and the total.
    pub report_progress: &'a dyn Fn(usize, usize),
}

impl<'a> Source<'a> {
    pub fn of(blob: &'a mut dyn FnMut(Blob) -> Result<Vec<u8>, StorageError>) -> Self {
        Self {
            blob,
            is_being_uploaded: &|_| false,
            check_current: &|| Ok(()),
            report_progress: &|_, _| {},
        }
    }
}

/// An object name and its listing entry.
type Named = (String, Listed);

/// Reads and writes copies in one bucket.
pub struct BackupRepository {
    bucket: Bucket,
    takes_over: bool,
    /// Held while a copy writes its manifest and while unreferenced pictures are removed.
    naming: Mutex<()>,
}

impl BackupRepository {
    pub fn new(bucket: Bucket) -> Self {
        Self {
            bucket,
            takes_over: false,
            naming: Mutex::default(),
        }
    }

    /// Lets the next copy proceed although another machine has copied since; the operator states
    /// that the other machine is off.
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

    /// Whether uploads were verified by checksums of the storage, and not by reading them back.
    pub fn trusts_checksums(&self) -> bool {
        self.bucket.trusts_checksums()
    }

    /// Returns the number of bytes in the bucket below the prefix.
    pub fn space(&self) -> Result<u64, StorageError> {
        let there = self.bucket.list("")?;
        Ok(there.values().map(|object| object.bytes).sum())
    }

    /// Returns all complete copies, newest first.
    pub fn all(&self) -> Result<Vec<BackupRef>, StorageError> {
        Ok(self.all_and_loose()?.0)
    }

    /// Returns the complete copies, newest first, and the rows objects without a manifest: those of
    /// an interrupted or running copy.
    fn all_and_loose(&self) -> Result<(Vec<BackupRef>, Vec<Named>), StorageError> {
        let (mut copies, mut loose) = (Vec::new(), Vec::new());
        for kind in [BackupKind::Full, BackupKind::Delta] {
            let listed = self.bucket.list(kind.folder())?.into_iter();
            let (manifests, others): (Vec<_>, Vec<_>) =
                listed.partition(|(name, _)| name.ends_with(MANIFEST));
            for (name, _) in manifests {
                let stamp = name.strip_suffix(MANIFEST);
                let at = stamp.and_then(time::parse_stamp);
                if let (Some(at), Some(stamp)) = (at, stamp) {
                    let (name, rows) = (format!("{}{stamp}", kind.folder()), Vec::new());
                    copies.push(BackupRef {
                        at,
                        kind,
                        name,
                        rows,
                    });
                }
            }
            for (name, object) in others {
                let name = format!("{}{name}", kind.folder());
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

    pub fn manifest(&self, copy: &BackupRef) -> Result<Manifest, StorageError> {
        let name = format!("{}{MANIFEST}", copy.name);
        let (bytes, _) = self.bucket.get_tagged(&name, MANIFEST_BYTES_MAX)?;
        Manifest::parse(&copy.name, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key used for this test data only.
    const SECRET: &str =
        "AGE-SECRET-KEY-183S49MSH6HU8NL0FQPYWAU2VNL62747AJ8FCWMUS9SYSUL9MXMWQ6AXPKA";
    /// The bytes `righe`, compressed and encrypted, in base64.
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
    /// Manifest with all fields of newer programs.
    const SIGNED: &str = concat!(
        r#"{"format":1,"at":"2026-09-21T13:33:20.000Z","program":"respiro 0.1.0","site":"s","#,
        r#""file":"f","lineage":"l","instance":"i","epoch":7,"key_ending":"abcdef","items":3,"#,
        r#""rows":{"bytes":4,"sha256":"0123"},"pictures":{},"by_command":true,"signer":"k"}"#
    );
    /// Manifest of an older program, without file and lineage.
    const FORMER: &str = concat!(
        r#"{"format":1,"at":"2026-09-21T13:33:20.000Z","program":"respiro 0.1.0","site":"s","#,
        r#""key_ending":"abcdef","items":3,"rows":{"bytes":4,"sha256":"0123"},"pictures":{}}"#
    );

    #[test]
    fn golden_manifests_are_read_and_written() {
        for golden in [WHOLE, FORMER, SIGNED] {
            let manifest: Manifest = serde_json::from_str(golden).unwrap();
            assert_eq!(serde_json::to_string(&manifest).unwrap(), golden);
        }
        let manifest: Manifest = serde_json::from_str(SIGNED).unwrap();
        assert_eq!(manifest.owner.instance.as_deref(), Some("i"));
        assert_eq!(manifest.owner.epoch, 7);
        assert!(manifest.is_by_command);
        assert_eq!(manifest.signer.as_deref(), Some("k"));
        let manifest: Manifest = serde_json::from_str(WHOLE).unwrap();
        assert_eq!((manifest.format, manifest.items), (2, 3));
        assert_eq!(manifest.at, "2026-09-21T13:33:20.000Z");
        assert_eq!(manifest.program, "respiro 0.1.0");
        assert_eq!(
            (manifest.site.as_str(), manifest.key_ending.as_str()),
            ("s", "abcdef")
        );
        assert_eq!(manifest.owner.file.as_deref(), Some("f"));
        assert_eq!(manifest.owner.lineage.as_deref(), Some("l"));
        assert_eq!(manifest.rows.bytes, 4);
        assert_eq!(manifest.pictures["name.hash"], 5);
        assert!(manifest.awaited.contains("name-002"));
        assert_eq!((FORMAT, FORMAT_IN_PIECES), (1, 2));
        let rows = manifest.rows.name("whole/20260921T133320Z");
        assert_eq!(rows, "whole/20260921T133320Z.0123456789abcdef.rows");
    }

    /// Replaces hashes in names by `HASH`: encryption yields different bytes each time.
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
        let fake = crate::test_storage::Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let encryptor = Decryptor::new(SECRET).unwrap().encryptor().unwrap();
        let blobs = [(1, 10), (2, chunks::PIECE_BYTES + 1)];
        let blobs = blobs.map(|(number, bytes)| Blob {
            hash: [number; 32],
            bytes,
        });
        let taken = Snapshot {
            rows: b"righe".to_vec(),
            blobs: blobs.to_vec(),
            items: 3,
            secret: [1; 32],
            lineage: Some(FileIdentity {
                id: [9; 16],
                since: 5,
            }),
            instances: Vec::new(),
            is_by_command: false,
        };
        let mut blob = |blob: Blob| Ok(vec![0; usize::try_from(blob.bytes).unwrap()]);
        let mut send = |kind, now| {
            copies
                .send(&encryptor, kind, now, &taken, &mut Source::of(&mut blob))
                .unwrap();
        };
        send(BackupKind::Full, 1_790_000_000_000);
        send(BackupKind::Delta, 1_790_000_060_000);
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
        assert_eq!(newest.owner.file.as_deref(), Some(file));
        assert_eq!(
            newest.owner.lineage.as_deref(),
            Some("09090909090909090909090909090909")
        );
        assert_eq!(newest.key_ending, encryptor.ending());
    }

    fn one_copy() -> (crate::test_storage::Fake, BackupRepository, BackupRef) {
        let fake = crate::test_storage::Fake::start();
        let copies = BackupRepository::new(fake.bucket());
        let taken = Snapshot {
            rows: b"righe".to_vec(),
            blobs: Vec::new(),
            items: 3,
            secret: [1; 32],
            lineage: None,
            instances: Vec::new(),
            is_by_command: true,
        };
        let encryptor = Decryptor::new(SECRET).unwrap().encryptor().unwrap();
        let mut blob = |_| Ok(Vec::new());
        let (kind, now) = (BackupKind::Full, 1_790_000_000_000);
        copies
            .send(&encryptor, kind, now, &taken, &mut Source::of(&mut blob))
            .unwrap();
        let copy = copies.all().unwrap().remove(0);
        (fake, copies, copy)
    }

    /// Regression: whoever could write to the bucket could make a copy that `restore` accepted.
    #[test]
    fn a_manifest_proves_who_made_it() {
        let (fake, copies, copy) = one_copy();
        let key = |secret| ManifestSigner::new(&[secret; 32]).unwrap().public_key();
        let manifest = copies.manifest(&copy).unwrap();
        assert_eq!(manifest.signed_by(), Some(&key(1)));
        assert!(manifest.is_by_command && manifest.about().contains("by command"));
        let name = format!("{}{MANIFEST}", copy.name);
        let mut bytes = Vec::new();
        fake.change(|inside| bytes.clone_from(&inside.objects[&name]));
        let read = |bytes: &[u8]| {
            fake.change(|inside| drop(inside.objects.insert(name.clone(), bytes.to_vec())));
            copies.manifest(&copy)
        };
        let text = String::from_utf8(bytes.clone()).unwrap();
        // Changed after it was signed.
        let changed = text.replace(r#""items":3"#, r#""items":4"#);
        assert!(matches!(
            read(changed.as_bytes()),
            Err(StorageError::Damaged(_))
        ));
        // An older copy under the name of a newer one.
        let later = Manifest::parse("whole/20270921T133320Z", &bytes);
        assert!(matches!(later, Err(StorageError::Damaged(_))));
        // Signed by somebody else.
        let json: String = text.split(",\"signature\"").next().unwrap().to_owned() + "}";
        let own_key = key(1).to_string();
        let forged = json.replace(&own_key, &key(2).to_string());
        let stranger = ManifestSigner::new(&[2; 32]).unwrap();
        let forged = read(&stranger.sign(&copy.name, &forged).unwrap()).unwrap();
        assert_eq!(forged.signed_by(), Some(&key(2)));
        let other_name = read(&stranger.sign(&copy.name, &json).unwrap());
        assert!(matches!(other_name, Err(StorageError::Damaged(_))));
        // Without a signature, like the copies of older programs.
        let unsigned = json.replace(&format!(r#","signer":"{own_key}""#), "");
        let unsigned = read(unsigned.as_bytes()).unwrap();
        assert!(unsigned.signed_by().is_none() && unsigned.about().contains("not signed"));
        // The signature alone is gone.
        assert!(matches!(
            read(json.as_bytes()),
            Err(StorageError::Damaged(_))
        ));
    }

    #[test]
    fn a_manifest_names_no_object_outside_its_folder() {
        for name in ["../whole/a.rows", "", ".", "a/b", "a b", "é"] {
            let bad = WHOLE.replace("name.hash", name);
            let read = Manifest::parse("whole/a", bad.as_bytes());
            assert!(matches!(read, Err(StorageError::Damaged(_))), "{name}");
        }
        // Sums that do not fit.
        let huge = WHOLE.replace(r#""bytes":4"#, &format!(r#""bytes":{}"#, u64::MAX));
        let huge = Manifest::parse("whole/a", huge.as_bytes()).unwrap();
        assert_eq!(huge.bytes(), u64::MAX);
    }

    #[test]
    fn golden_rows_are_opened() {
        let sealed = data_encoding::BASE64.decode(SEALED.as_bytes()).unwrap();
        let decryptor = Decryptor::new(SECRET).unwrap();
        assert_eq!(decryptor.open_rows(&sealed).unwrap(), b"righe");
    }
}
