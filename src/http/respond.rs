//! Turns values and errors into answers: JSON, problems (RFC 9457), conditional and compressed.

use super::sliced::Sliced;
use crate::app::written_lists::Written;
use crate::error::{Code, Error, Result};
use crate::site::Page;
use actix_web::body::BoxBody;
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError};
use brotli::enc::BrotliEncoderParams;
use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Answers smaller than this are not compressed: the headers would weigh more.
const COMPRESS_BYTES_MIN: usize = 1_024;
const BROTLI_QUALITY: i32 = 4;
/// The window is as large as what is compressed, within what every client takes: the encoder sets
/// memory aside for all of it.
const BROTLI_WINDOW_LOGS: RangeInclusive<u32> = 16..=22;
/// A part of a list up to here is compressed for each who asks: what a page fetches that shows its
/// next slides. A longer one is sent as it is.
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
        Error::Stale { current } => problem["current"] = (**current).clone(),
        _ => {}
    }
    problem
}

/// A JSON answer for one signed-in person: nobody keeps it.
pub fn private(status: StatusCode, value: &impl Serialize) -> Result<HttpResponse> {
    let body = to_json(value)?;
    Ok(HttpResponse::build(status)
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(body))
}

/// As `private`, compressed: a list that is long, and says much the same in each of its rows.
/// Nothing of the request stands in it, so that its length tells nobody what does.
pub fn private_list(request: &HttpRequest, value: &impl Serialize) -> Result<HttpResponse> {
    let body = to_json(value)?;
    let encoding = encoding_for(request, &body);
    let mut response = HttpResponse::Ok();
    response
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::VARY, "Accept-Encoding"));
    name_encoding(&mut response, encoding);
    Ok(response.body(in_encoding(encoding, body)?))
}

/// As `private`, with the version to name in `If-Match`.
pub fn versioned(status: StatusCode, value: &serde_json::Value) -> Result<HttpResponse> {
    let mut response = private(status, value)?;
    let tag = header::HeaderValue::from_str(&etag_of(value)?);
    let tag = tag.map_err(|error| Error::Internal(error.to_string()))?;
    response.headers_mut().insert(header::ETAG, tag);
    Ok(response)
}

/// A file for a spreadsheet, for one signed-in person. The mark before it tells that it is UTF-8.
pub fn csv(filename: &str, text: &str) -> HttpResponse {
    let disposition = format!("attachment; filename=\"{filename}\"");
    HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_DISPOSITION, disposition))
        .body(format!("\u{feff}{text}"))
}

pub fn no_content() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

/// A JSON answer for everybody: conditional, compressed, revalidated each time.
pub fn public(request: &HttpRequest, value: &impl Serialize) -> Result<HttpResponse> {
    public_json(request, to_json(value)?)
}

fn public_json(request: &HttpRequest, json: Vec<u8>) -> Result<HttpResponse> {
    let hash = Sha256::digest(&json).into();
    let encoding = encoding_for(request, &json);
    conditional(request, &hash, encoding, || in_encoding(encoding, json))
}

/// A list as `public` answers it, in both ways that it may travel. Takes its time over a long one.
pub fn written(items: impl Iterator<Item = impl Serialize>) -> Result<Written> {
    let (mut json, mut ends) = (b"[".to_vec(), Vec::new());
    for item in items {
        if !ends.is_empty() {
            json.push(b',');
        }
        serde_json::to_writer(&mut json, &item).map_err(|error| unwritten(&error))?;
        let end = u32::try_from(json.len());
        ends.push(end.map_err(|error| Error::Internal(format!("a list is too long: {error}")))?);
    }
    json.push(b']');
    Ok(Written {
        brotli: brotli(&json)?,
        hash: Sha256::digest(&json).into(),
        json,
        ends,
    })
}

/// As `public`, of what is written already.
pub fn public_written(request: &HttpRequest, list: &Arc<Written>) -> Result<HttpResponse> {
    let encoding = encoding_for(request, &list.json);
    conditional(request, &list.hash, encoding, || {
        Ok(Sliced::new(match encoding {
            Encoding::Brotli => list.brotli(),
            _ => list.json(),
        }))
    })
}

/// A part of it. A long one is sent out of the same bytes, which are not compressed by themselves.
pub fn public_part(
    request: &HttpRequest,
    list: &Arc<Written>,
    places: impl Iterator<Item = usize>,
) -> Result<HttpResponse> {
    let runs = list.runs(places);
    let length: usize = runs.iter().map(ExactSizeIterator::len).sum();
    if length <= COMPRESSED_PART_BYTES_MAX {
        return public_json(request, list.part(&runs));
    }
    let mut hash = Sha256::new_with_prefix(list.hash);
    for run in &runs {
        hash.update(run.start.to_le_bytes());
        hash.update(run.end.to_le_bytes());
    }
    let hash = hash.finalize().into();
    conditional(request, &hash, Encoding::Identity, || {
        Ok(Sliced::of_runs(list.json(), runs))
    })
}

fn conditional(
    request: &HttpRequest,
    hash: &[u8; 32],
    encoding: Encoding,
    body: impl FnOnce() -> Result<Sliced>,
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
    Ok(response.body(body()?))
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

fn in_encoding(encoding: Encoding, json: Vec<u8>) -> Result<Sliced> {
    let bytes = match encoding {
        Encoding::Brotli => brotli(&json)?,
        _ => json,
    };
    Ok(Sliced::new(bytes.into()))
}

/// 304 with the headers that the 200 would have (RFC 9110, section 15.4.5).
pub fn not_modified(response: &mut HttpResponseBuilder) -> HttpResponse {
    response.status(StatusCode::NOT_MODIFIED).finish()
}

fn to_json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| unwritten(&error))
}

fn unwritten(error: &serde_json::Error) -> Error {
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

/// The strong tag of a JSON answer: the version that it names, or else that of its bytes.
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

/// The strong entity tag of what has this hash.
pub fn etag_of_hash(hash: &[u8; 32], suffix: &str) -> String {
    format!("\"{}{suffix}\"", HEXLOWER.encode(&hash[..12]))
}

/// The values of a header that are text, in order.
pub fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> + Clone {
    let all: Vec<&str> = headers
        .get_all(name)
        .filter_map(|value| value.to_str().ok())
        .collect();
    all.into_iter()
}

/// Whether `If-None-Match` names this tag. Weak tags compare equal here (RFC 9110, 13.1.2).
pub fn matches<'a>(known: impl Iterator<Item = &'a str>, tag: &str) -> bool {
    known
        .flat_map(members)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// The members of a header that is a list.
pub fn parts(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    values(headers, name).flat_map(members)
}

fn members(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim)
}

/// How an answer travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// The one that a page travels in.
    pub fn of_page<'a>(page: &Page, accepted: &(impl Iterator<Item = &'a str> + Clone)) -> Self {
        Self::choose(accepted, |encoding| match encoding {
            Self::Brotli => page.brotli.is_some(),
            Self::Gzip => page.gzip.is_some(),
            Self::Identity => true,
        })
    }

    /// The best of the available encodings that the client accepts; identity when none fits,
    /// also when the client refuses that too: an answer is worth more than a 406.
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

/// `gzip;q=0.5` as name and weight; `None` for what makes no sense.
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

/// Whether the request changes nothing.
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
