//! `Idempotency-Key`: a request that creates and is sent again, because its answer was lost,
//! creates nothing and answers as the first time.

use super::auth::Admin;
use super::request_body::JsonObject;
use super::responses::values;
use crate::errors::{Error, Result};
use actix_web::dev::Payload;
use actix_web::http::header::HeaderName;
use actix_web::{FromRequest, HttpRequest};
use respiro_content::Timestamp;
use respiro_db::{CreatedItem, Reader, Writer};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::future::{Ready, ready};

const NAME: HeaderName = HeaderName::from_static("idempotency-key");
const KEY_BYTES_MAX: usize = 255;
const MALFORMED: &str = "L'intestazione Idempotency-Key non è scritta correttamente.";

/// The key of a request; `None` without the header.
#[derive(Debug)]
pub struct IdempotencyKey(Option<String>);

impl FromRequest for IdempotencyKey {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let headers = request.headers();
        if !headers.contains_key(&NAME) {
            return ready(Ok(Self(None)));
        }
        let mut keys = values(headers, NAME);
        ready(match (keys.next(), keys.next()) {
            (Some(key), None) if (1..=KEY_BYTES_MAX).contains(&key.len()) => {
                Ok(Self(Some(key.to_owned())))
            }
            _ => Err(Error::BadRequest(MALFORMED)),
        })
    }
}

impl IdempotencyKey {
    /// Binds the key to the account, the path and the body of the request.
    pub fn bind(self, admin: &Admin, path: &str, body: &JsonObject) -> Creation {
        Creation(self.0.map(|key| {
            let account = &admin.session.email;
            let body = Json::Object(body.0.clone());
            BoundKey {
                key_hash: hash(&[account, &key]),
                request_hash: hash(&[path, &body.to_string()]),
            }
        }))
    }
}

/// A creation that happens once per key.
#[derive(Debug)]
pub struct Creation(Option<BoundKey>);

#[derive(Debug)]
struct BoundKey {
    key_hash: [u8; 32],
    request_hash: [u8; 32],
}

/// What a creation returned, or what the first request with its key did.
pub enum Created<T> {
    Now(T),
    /// The id of what exists.
    Before(String),
}

impl Creation {
    /// A value that only this request and its repetitions know.
    pub fn subject(&self) -> Option<String> {
        let key = self.0.as_ref()?;
        Some(data_encoding::HEXLOWER.encode(&key.key_hash))
    }

    /// Runs `create` in the transaction that stores the key with the id. Fails with 422 if the key
    /// was used for another request; `current` returns what that one created.
    pub fn once<T>(
        &self,
        writer: &mut Writer<'_>,
        now: Timestamp,
        create: impl FnOnce(&mut Writer<'_>) -> Result<(String, T)>,
        current: impl FnOnce(&Reader<'_>, &str) -> Result<Json>,
    ) -> Result<Created<T>> {
        let Some(key) = &self.0 else {
            return Ok(Created::Now(create(writer)?.1));
        };
        if let Some(first) = writer.idempotency_keys().get(&key.key_hash, now)? {
            if first.request_hash == key.request_hash {
                return Ok(Created::Before(first.id));
            }
            // An item that was deleted since is no reason for another answer.
            let current = current(writer, &first.id).unwrap_or_default();
            let current = Box::new(current);
            return Err(Error::IdempotencyKeyReused { current });
        }
        let (id, created) = create(writer)?;
        let stored = CreatedItem {
            request_hash: key.request_hash,
            id,
            created_at: now,
        };
        writer.idempotency_keys().put(&key.key_hash, &stored)?;
        Ok(Created::Now(created))
    }
}

fn hash(parts: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
