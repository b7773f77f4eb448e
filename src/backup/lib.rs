//! Backs up the data file: daily backups on this machine, encrypted off-site backups in
//! S3-compatible object storage, and a mirror of the published site in a bucket.
//!
//! May name `respiro-content`, `-db` and `-publish`. Invariants: a local backup is verified and
//! rendered before it counts; nothing leaves the machine unencrypted but the published site; a copy
//! without its manifest, which is uploaded last, does not exist.

mod error;
mod fencing;
pub mod local_backup;
mod messages;
mod object_storage;
pub mod offsite;
pub mod s3_mirror;
mod storage_response;
#[cfg(test)]
mod test_storage;

pub use error::{Error, Result, StorageError};
pub use fencing::Claim;
pub use object_storage::{Bucket, S3Location, StopFlag};
