//! Connects the fake S3 server of the tests to `Bucket`.

#[path = "../../tests/support/storage.rs"]
mod storage;

pub use storage::Fake;

use crate::object_storage::{Bucket, S3Location};
use respiro_content::Timestamp;
use respiro_db::clock::{Clock, TrustedTime};
use std::time::Duration;

impl Fake {
    pub fn bucket(&self) -> Bucket {
        Bucket::new(&self.space()).unwrap()
    }

    pub fn bucket_with_timeout(&self, call_timeout: Duration) -> Bucket {
        Bucket::with_call_timeout(&self.space(), call_timeout).unwrap()
    }

    fn space(&self) -> S3Location {
        S3Location {
            endpoint: format!("http://127.0.0.1:{}", self.port),
            region: "eu".to_owned(),
            path_style: true,
            bucket: "b".to_owned(),
            prefix: String::new(),
            access_key: "a".to_owned(),
            secret_key: "s".to_owned(),
        }
    }
}

/// Returns the time of a clock that nobody doubts.
pub fn trusted(at: Timestamp) -> TrustedTime {
    Clock::fixed(at).trusted().unwrap()
}
