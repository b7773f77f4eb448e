//! Connects the fake S3 server of the tests to `Bucket`.

#[path = "../../tests/support/storage.rs"]
mod storage;

pub use storage::Fake;

use crate::object_storage::{Bucket, S3Location};

impl Fake {
    pub fn bucket(&self) -> Bucket {
        Bucket::new(&S3Location {
            endpoint: format!("http://127.0.0.1:{}", self.port),
            region: "eu".to_owned(),
            path_style: true,
            bucket: "b".to_owned(),
            prefix: String::new(),
            access_key: "a".to_owned(),
            secret_key: "s".to_owned(),
        })
        .unwrap()
    }
}
