//! Fencing of a place in object storage: which data file, and which machine of it, may write there.
//!
//! The owner of a place is in its newest manifest: data file, lineage (new with each restore),
//! instance (random, of one run of the server) and epoch (counts the instances). Each data file
//! keeps the instances of its own runs. Another machine with a copy of the data file begins an
//! instance of its own, which this data file does not know: from then on this machine is refused.

use crate::error::{Result, StorageError};
use data_encoding::HEXLOWER;
use respiro_content::Timestamp;
use respiro_db::fs_util::random_id;
use respiro_db::{FileIdentity, Reader};
use respiro_publish::Site;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Prefix of the random key, so that the hash identifying the data file is used nowhere else.
const FILE_PREFIX: &[u8] = b"respiro copies elsewhere\n";
/// Number of own instances that a data file keeps: as many starts without access to the storage
/// are possible.
const INSTANCES_MAX: usize = 1_000;

/// Owner of a place, as manifests carry it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Identifies the data file. Absent in manifests of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Differs in each data file that a restore created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<String>,
    /// The run of the server that wrote last. Absent in manifests of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Number of instances that have owned the place.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub epoch: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape that serde wants"
)]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Identity of a data file: its lineage and the server runs that wrote to a bucket for it. Compared
/// with the manifest of the bucket before each write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    file: String,
    lineage: Option<String>,
    /// Earlier manifests may be of the data file that this one was restored from.
    since: Timestamp,
    /// Own instances, the present one last.
    instances: Vec<String>,
}

impl Claim {
    pub fn new(secret: &[u8; 32], lineage: Option<FileIdentity>, instances: Vec<String>) -> Self {
        let file = HEXLOWER.encode(&Sha256::digest([FILE_PREFIX, secret].concat()));
        Self {
            file,
            lineage: lineage.map(|lineage| HEXLOWER.encode(&lineage.id)),
            since: lineage.map_or(Timestamp::MIN, |own| own.since),
            instances,
        }
    }

    /// Reads the claim from a data file; `note` holds the instances of the place.
    pub fn read(reader: &Reader<'_>, note: &str) -> Result<Self> {
        let (secret, lineage) = (reader.secret()?, reader.file_identity()?);
        Ok(Self::new(&secret, lineage, read_instances(reader, note)?))
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    /// Whether a run of the server has begun an instance of this place.
    pub fn has_instance(&self) -> bool {
        !self.instances.is_empty()
    }

    /// Fails if the place belongs to another data file, or if another machine has taken it over.
    /// `made_at` is the time of the manifest.
    pub fn check(&self, owner: &Owner, made_at: Timestamp) -> Result<(), StorageError> {
        if owner.file.as_ref().is_some_and(|file| *file != self.file) {
            return Err(StorageError::OtherSite);
        }
        let is_taken_over = if owner.lineage == self.lineage {
            let instance = owner.instance.as_ref();
            instance.is_some_and(|instance| !self.instances.contains(instance))
        } else {
            made_at > self.since
        };
        if is_taken_over {
            return Err(StorageError::OtherMachine);
        }
        Ok(())
    }

    /// Returns the owner to write after `former`: in its epoch, or in the next one if the instance
    /// is another.
    pub fn succeed(&self, former: Option<&Owner>) -> Owner {
        let instance = self.instances.last().cloned();
        let (epoch, is_same) = former.map_or((0, false), |former| {
            let is_same = former.instance == instance && former.lineage == self.lineage;
            (former.epoch, is_same)
        });
        let epoch = if is_same || instance.is_none() {
            epoch
        } else {
            epoch.saturating_add(1)
        };
        Owner {
            file: Some(self.file.clone()),
            lineage: self.lineage.clone(),
            instance,
            epoch,
        }
    }
}

/// Returns the runs of the server in the note `note` of a data file.
pub fn read_instances(reader: &Reader<'_>, note: &str) -> Result<Vec<String>> {
    let bytes = reader.note(note)?.unwrap_or_default();
    Ok(serde_json::from_slice(&bytes).unwrap_or_default())
}

/// The instance of this run of the server at one place.
pub struct Instance {
    note: &'static str,
    /// `None` if the system gives no random bytes.
    id: Option<String>,
    is_refused: bool,
}

impl Instance {
    /// `note` is where the data file keeps its instances at the place.
    pub fn begin(note: &'static str) -> Self {
        Self {
            note,
            id: random_id().ok(),
            is_refused: false,
        }
    }

    /// Writes the instance down in the data file, before a manifest carries it. After a restore the
    /// data file knows no instance of this run.
    pub async fn remember(&self, site: &Site) {
        let Some(id) = &self.id else { return };
        let mut known: Vec<String> = site.load_task_state(self.note).await.unwrap_or_default();
        if known.contains(id) {
            return;
        }
        known.push(id.clone());
        let surplus = known.len().saturating_sub(INSTANCES_MAX);
        known.drain(..surplus);
        if let Err(error) = site.save_task_state(self.note, &known).await {
            // Manifests carry the last known instance then.
            tracing::warn!(%error, "cannot write down the instance of this run");
        }
    }

    /// Begins another instance when this machine is refused for the first time: the other machine
    /// may know the present one, from its copy of the data file. The operator may let this machine
    /// take over then.
    pub async fn renew_if_refused(&mut self, site: &Site, error: Option<&StorageError>) {
        let is_refused = error == Some(&StorageError::OtherMachine);
        if is_refused && !self.is_refused {
            self.id = random_id().ok();
            self.remember(site).await;
        }
        self.is_refused = is_refused;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [1; 32];

    fn claim(lineage: Option<(u8, Timestamp)>, instances: &[&str]) -> Claim {
        let lineage = lineage.map(|(id, since)| FileIdentity {
            id: [id; 16],
            since,
        });
        let instances = instances.iter().map(|one| (*one).to_owned()).collect();
        Claim::new(&SECRET, lineage, instances)
    }

    #[test]
    fn who_may_write_after_whom() {
        let own = claim(None, &["a", "b"]);
        let after = claim(Some((9, 50)), &[]);
        let owner = |claim: &Claim| claim.succeed(None);
        let unnamed = Owner::default();
        let refused = || Err(StorageError::OtherMachine);
        let table = [
            (
                "manifest of an older program",
                &own,
                unnamed.clone(),
                60,
                Ok(()),
            ),
            ("own present run", &own, owner(&own), 60, Ok(())),
            (
                "own former run",
                &own,
                owner(&claim(None, &["a"])),
                60,
                Ok(()),
            ),
            (
                "run of a copied data file",
                &own,
                owner(&claim(None, &["a", "c"])),
                60,
                refused(),
            ),
            (
                "copy by command without a server",
                &own,
                owner(&claim(None, &[])),
                60,
                Ok(()),
            ),
            ("before this restore", &after, owner(&own), 50, Ok(())),
            (
                "the replaced file goes on",
                &after,
                owner(&own),
                51,
                refused(),
            ),
            (
                "restored elsewhere later",
                &own,
                owner(&after),
                60,
                refused(),
            ),
        ];
        for (name, claim, owner, made_at, expected) in table {
            assert_eq!(claim.check(&owner, made_at), expected, "{name}");
        }
        let stranger = Claim::new(&[2; 32], None, Vec::new());
        let done = own.check(&stranger.succeed(None), 0);
        assert_eq!(done, Err(StorageError::OtherSite));
    }

    #[test]
    fn each_instance_begins_an_epoch() {
        let own = claim(None, &["a"]);
        let first = own.succeed(None);
        assert_eq!((first.epoch, first.instance.as_deref()), (1, Some("a")));
        assert_eq!(own.succeed(Some(&first)), first);
        let next = claim(None, &["a", "b"]).succeed(Some(&first));
        assert_eq!((next.epoch, next.instance.as_deref()), (2, Some("b")));
        // A copy by command, where no server has run.
        assert_eq!(claim(None, &[]).succeed(Some(&next)).epoch, 2);
    }
}
