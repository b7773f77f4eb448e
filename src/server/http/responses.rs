//! Turns values and errors into responses: JSON, problem details (RFC 9457), conditional and
//! compressed.

use super::body_cursor::BodyCursor;
use crate::errors::{Code, Error, Result};
use crate::state::public_list_cache::PublicList;
use actix_web::body::BoxBody;
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError};
use brotli::enc::BrotliEncoderParams;
use data_encoding::HEXLOWER;
use respiro_publish::Page;
use respiro_publish::headers::ASLEEP_RETRY_AFTER;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::ops::{Range, RangeInclusive};

/// Smaller responses are not compressed: the additional headers would weigh more.
const COMPRESS_BYTES_MIN: usize = 1_024;
const BROTLI_QUALITY: i32 = 4;
/// Log2 of the Brotli window. It follows the size of the input, within what every client supports:
/// the encoder allocates memory for the whole window.
const BROTLI_WINDOW_LOGS: RangeInclusive<u32> = 16..=22;
/// Parts of a list up to this size, such as the next slides of a page, are compressed for each
/// request. Longer ones are sent uncompressed.
const COMPRESSED_PART_BYTES_MAX: usize = 64 * 1024;

impl ResponseError for Error {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.code().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        response
            .content_type("application/problem+json")
            .insert_header((header::CACHE_CONTROL, "no-store"));
        match self {
            Self::MethodNotAllowed { allow } => {
                response.insert_header((header::ALLOW, allow.as_str()));
            }
            Self::TooManyRequests {
                retry_after_seconds,
            } => {
                response.insert_header((header::RETRY_AFTER, retry_after_seconds.to_string()));
            }
            Self::Unavailable(_) => {
                response.insert_header((header::RETRY_AFTER, "5"));
            }
            Self::Asleep => {
                response.insert_header((header::RETRY_AFTER, ASLEEP_RETRY_AFTER));
            }
            Self::Stale { current } => {
                if let Ok(tag) = etag_of(current) {
                    response.insert_header((header::ETAG, tag));
                }
            }
            _ => {}
        }
        response.body(problem(self).to_string())
    }
}

fn problem(error: &Error) -> serde_json::Value {
    let Code {
        name,
        status,
        title,
    } = error.code();
    let mut problem = serde_json::json!({
        "type": format!("urn:respiro:problem:{name}"),
        "title": title,
        "status": status,
        "detail": error.detail(),
    });
    match error {
        Error::Invalid(errors) => problem["errors"] = serde_json::json!(errors),
        // The code of the contract, beside `type`, which names it too.
        Error::ConfirmationRequired => problem["code"] = serde_json::json!(name),
        Error::Stale { current } | Error::IdempotencyKeyReused { current } => {
            problem["current"] = (**current).clone();
        }
        _ => {}
    }
    problem
}

/// Returns JSON for one signed-in admin, never cached.
pub fn json_no_store(status: StatusCode, value: &impl Serialize) -> Result<HttpResponse> {
    let body = to_json(value)?;
    Ok(HttpResponse::build(status)
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(body))
}

/// Like `json_no_store`, compressed: for long lists with repetitive rows. `value` must hold nothing
/// of the request, or the compressed length would reveal content (BREACH).
pub fn json_list_no_store(request: &HttpRequest, value: &impl Serialize) -> Result<HttpResponse> {
    let body = to_json(value)?;
    let encoding = encoding_for(request, &body);
    let mut response = HttpResponse::Ok();
    response
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::VARY, "Accept-Encoding"));
    name_encoding(&mut response, encoding);
    Ok(response.body(in_encoding(encoding, body)?.into_body(None)))
}

/// Like `json_no_store`, with the `ETag` for `If-Match`.
pub fn json_with_etag(status: StatusCode, value: &serde_json::Value) -> Result<HttpResponse> {
    let mut response = json_no_store(status, value)?;
    let tag = header::HeaderValue::from_str(&etag_of(value)?);
    let tag = tag.map_err(|error| Error::Internal(error.to_string()))?;
    response.headers_mut().insert(header::ETAG, tag);
    Ok(response)
}

pub fn no_content() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

/// Returns public JSON: conditional, compressed, revalidated on each use.
pub fn public(request: &HttpRequest, value: &impl Serialize) -> Result<HttpResponse> {
    public_json(request, to_json(value)?)
}

fn public_json(request: &HttpRequest, json: Vec<u8>) -> Result<HttpResponse> {
    let hash = Sha256::digest(&json).into();
    let encoding = encoding_for(request, &json);
    conditional(request, &hash, encoding, || in_encoding(encoding, json))
}

/// Serializes and compresses a list for `public_list`. Slow for a long list.
pub fn serialize_list(items: impl Iterator<Item = impl Serialize>) -> Result<PublicList> {
    let (mut json, mut ends) = (b"[".to_vec(), Vec::new());
    for item in items {
        if !ends.is_empty() {
            json.push(b',');
        }
        serde_json::to_writer(&mut json, &item).map_err(|error| serialization_error(&error))?;
        let end = u32::try_from(json.len());
        ends.push(end.map_err(|error| Error::Internal(format!("a list is too long: {error}")))?);
    }
    json.push(b']');
    Ok(PublicList {
        brotli: brotli(&json)?.into(),
        hash: Sha256::digest(&json).into(),
        json: json.into(),
        ends,
    })
}

/// Like `public`, for the items of a list at `positions`, which ascend. All clients share the bytes
/// of the whole list, and those of a long part, which is sent uncompressed.
pub fn public_list(
    request: &HttpRequest,
    list: &PublicList,
    positions: impl Iterator<Item = usize>,
) -> Result<HttpResponse> {
    let json = &list.json;
    let ranges = list.byte_ranges(positions);
    let length: usize = ranges.iter().map(ExactSizeIterator::len).sum();
    if length == json.len() {
        let encoding = encoding_for(request, json);
        return conditional(request, &list.hash, encoding, || {
            Ok(BodyCursor::from(match encoding {
                Encoding::Brotli => Bytes::clone(&list.brotli),
                _ => Bytes::clone(json),
            }))
        });
    }
    if length <= COMPRESSED_PART_BYTES_MAX {
        let bytes = |range: Range<u32>| &json[range.start as usize..range.end as usize];
        let part = ranges.into_iter().flat_map(bytes).copied();
        return public_json(request, part.collect());
    }
    let mut hash = Sha256::new_with_prefix(list.hash);
    for range in &ranges {
        hash.update(range.start.to_le_bytes());
        hash.update(range.end.to_le_bytes());
    }
    let hash = hash.finalize().into();
    conditional(request, &hash, Encoding::Identity, || {
        Ok(BodyCursor::of_ranges(Bytes::clone(json), ranges))
    })
}

fn conditional(
    request: &HttpRequest,
    hash: &[u8; 32],
    encoding: Encoding,
    body: impl FnOnce() -> Result<BodyCursor>,
) -> Result<HttpResponse> {
    let tag = etag_of_hash(hash, suffix(encoding));
    let mut response = HttpResponse::Ok();
    response
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::VARY, "Accept-Encoding"))
        .insert_header((header::ETAG, tag.as_str()));
    if matches(values(request.headers(), header::IF_NONE_MATCH), &tag) {
        return Ok(not_modified(&mut response));
    }
    name_encoding(&mut response, encoding);
    Ok(response.body(body()?.into_body(None)))
}

fn name_encoding(response: &mut HttpResponseBuilder, encoding: Encoding) {
    if encoding == Encoding::Brotli {
        response.insert_header((header::CONTENT_ENCODING, "br"));
    }
}

fn encoding_for(request: &HttpRequest, body: &[u8]) -> Encoding {
    if body.len() < COMPRESS_BYTES_MIN {
        return Encoding::Identity;
    }
    let accepted = values(request.headers(), header::ACCEPT_ENCODING);
    Encoding::choose(&accepted, |encoding| encoding != Encoding::Gzip)
}

fn in_encoding(encoding: Encoding, json: Vec<u8>) -> Result<BodyCursor> {
    let bytes = match encoding {
        Encoding::Brotli => brotli(&json)?,
        _ => json,
    };
    Ok(Bytes::from(bytes).into())
}

/// Returns a 304 with the headers that the 200 would have (RFC 9110, section 15.4.5).
pub fn not_modified(response: &mut HttpResponseBuilder) -> HttpResponse {
    response.status(StatusCode::NOT_MODIFIED).finish()
}

fn to_json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| serialization_error(&error))
}

fn serialization_error(error: &serde_json::Error) -> Error {
    Error::Internal(format!("writing JSON: {error}"))
}

fn brotli(body: &[u8]) -> Result<Vec<u8>> {
    let (least, most) = BROTLI_WINDOW_LOGS.into_inner();
    let window = (body.len().max(1).ilog2() + 1).clamp(least, most);
    let params = BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        lgwin: window.cast_signed(),
        size_hint: body.len(),
        ..BrotliEncoderParams::default()
    };
    respiro_generics::brotli(body, &params)
        .map_err(|error| Error::Internal(format!("compressing: {error}")))
}

/// Returns the strong `ETag` of a JSON response: its `version`, or else a hash of its bytes.
pub fn etag_of(value: &serde_json::Value) -> Result<String> {
    if let Some(version) = value.get("version").and_then(serde_json::Value::as_str) {
        return Ok(format!("\"{version}\""));
    }
    Ok(etag_of_hash(&Sha256::digest(to_json(value)?).into(), ""))
}

fn suffix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Identity => "",
        Encoding::Brotli => "-br",
        Encoding::Gzip => "-gz",
    }
}

/// Returns the strong `ETag` of content with this hash.
pub fn etag_of_hash(hash: &[u8; 32], suffix: &str) -> String {
    format!("\"{}{suffix}\"", HEXLOWER.encode(&hash[..12]))
}

/// Returns the values of a header that are text, in order.
pub fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> + Clone {
    let all: Vec<&str> = headers
        .get_all(name)
        .filter_map(|value| value.to_str().ok())
        .collect();
    all.into_iter()
}

/// Returns whether `If-None-Match` names this tag; weak tags compare equal (RFC 9110, 13.1.2).
pub fn matches<'a>(known: impl Iterator<Item = &'a str>, tag: &str) -> bool {
    known
        .flat_map(members)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// Returns the members of a list header.
pub fn parts(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    values(headers, name).flat_map(members)
}

fn members(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim)
}

/// The content encoding of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// Returns the encoding for a page, among those that it has.
    pub fn of_page<'a>(page: &Page, accepted: &(impl Iterator<Item = &'a str> + Clone)) -> Self {
        Self::choose(accepted, |encoding| match encoding {
            Self::Brotli => page.brotli.is_some(),
            Self::Gzip => page.gzip.is_some(),
            Self::Identity => true,
        })
    }

    /// Returns the best available encoding that the client accepts. Falls back to identity even if
    /// the client refuses it: a response is more useful than a 406.
    pub fn choose<'a>(
        accepted: &(impl Iterator<Item = &'a str> + Clone),
        available: impl Fn(Self) -> bool,
    ) -> Self {
        let weight = |wanted: &str| {
            let mut any = 0.0;
            for (name, weight) in accepted.clone().flat_map(members).filter_map(quality) {
                if name.eq_ignore_ascii_case(wanted) {
                    return weight;
                }
                if name == "*" {
                    any = weight;
                }
            }
            any
        };
        let mut best = (Self::Identity, 0.0);
        for (encoding, name) in [(Self::Brotli, "br"), (Self::Gzip, "gzip")] {
            let quality = weight(name);
            if quality > best.1 && available(encoding) {
                best = (encoding, quality);
            }
        }
        best.0
    }
}

/// Parses `gzip;q=0.5` into name and weight; `None` if malformed.
fn quality(item: &str) -> Option<(&str, f32)> {
    let mut parts = item.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let mut weight = 1.0;
    for part in parts {
        if let Some(number) = part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")) {
            weight = number.parse().ok()?;
        }
    }
    (0.0..=1.0).contains(&weight).then_some((name, weight))
}

/// Returns whether the client shows HTML. A program that accepts anything (`*/*`) does not.
pub fn accepts_html(headers: &HeaderMap) -> bool {
    const HTML: [&str; 2] = ["text/html", "application/xhtml+xml"];
    let mut accepted = parts(headers, header::ACCEPT).filter_map(quality);
    accepted.any(|(name, weight)| weight > 0.0 && HTML.contains(&name))
}

/// Answers a method that a path does not have: OPTIONS with the ones it has, others with 405. Both
/// name the same methods.
pub fn other_method(method: &Method, allow: &str) -> Result<HttpResponse> {
    let allow = allow.to_owned();
    if method != Method::OPTIONS {
        return Err(Error::MethodNotAllowed { allow });
    }
    let mut response = HttpResponse::NoContent();
    response.insert_header((header::ALLOW, allow));
    Ok(response.finish())
}

/// Returns whether the method is GET or HEAD.
pub fn is_read(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_follows_the_weights_of_the_client() {
        use Encoding::{Brotli, Gzip, Identity};
        for (value, expected) in [
            ("", Identity),
            ("br", Brotli),
            ("gzip, br", Brotli),
            ("gzip, br;q=0", Gzip),
            ("gzip;q=0.9, br;q=0.8", Gzip),
            ("*", Brotli),
            ("*;q=0", Identity),
            ("identity", Identity),
            ("GZIP", Gzip),
            ("br;q=x", Identity),
            ("br;q=7", Identity),
            (";;;,,,=", Identity),
            ("deflate, zstd", Identity),
        ] {
            assert_eq!(
                Encoding::choose(&[value].into_iter(), |_| true),
                expected,
                "{value}"
            );
        }
        assert_eq!(
            Encoding::choose(&["br", "gzip"].into_iter(), |e| e == Gzip),
            Gzip
        );
    }

    #[test]
    fn tags_are_found_in_lists_weak_or_strong() {
        let known = |tag: &str| matches(["\"a\", W/\"b\"", "\"d\""].into_iter(), tag);
        assert!(known("\"a\"") && known("\"b\"") && known("\"d\""));
        assert!(!known("\"c\""));
        assert!(!matches([].into_iter(), "\"a\""));
    }
}
