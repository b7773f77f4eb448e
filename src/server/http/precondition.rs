//! `If-Match`: refuses a change of an outdated version, and returns the current one.

use super::responses::{etag_of, parts};
use crate::errors::{Error, Result};
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest};
use serde_json::Value as Json;
use std::convert::Infallible;
use std::future::{Ready, ready};

/// The versions that a request accepts as current; `None` without the header.
#[derive(Debug)]
pub struct IfMatch(Option<Vec<String>>);

impl FromRequest for IfMatch {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let headers = request.headers();
        let asked = headers.contains_key(header::IF_MATCH);
        let known = || {
            parts(headers, header::IF_MATCH)
                .map(str::to_owned)
                .collect()
        };
        ready(Ok(Self(asked.then(known))))
    }
}

impl IfMatch {
    /// Refuses with 412 if the current version is none of those named. Must run within the
    /// transaction of the change: no other change comes between.
    ///
    /// Tags are compared strongly: a weak one never matches (RFC 9110, section 13.1.1).
    pub fn check(&self, current: impl FnOnce() -> Result<Json>) -> Result<()> {
        let Some(known) = &self.0 else {
            return Ok(());
        };
        if known.iter().any(|tag| tag == "*") {
            return Ok(());
        }
        let current = current()?;
        let tag = etag_of(&current)?;
        // Accept the version without quotes too, as the JSON body has it.
        if known
            .iter()
            .any(|known| *known == tag || *known == tag.trim_matches('"'))
        {
            return Ok(());
        }
        Err(Error::Stale {
            current: Box::new(current),
        })
    }
}
