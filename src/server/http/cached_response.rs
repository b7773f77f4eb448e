//! Prepared responses: published pages, embedded files, published pictures. Decides on headers and
//! on a whole, partial or empty body, for the router and for `connection::cached`, which does
//! without it.

use super::AppState;
use super::body_cursor::BodyCursor;
use super::responses::{Encoding, etag_of_hash, matches, values};
use crate::errors::Result;
use crate::state::App;
use actix_web::body::SizedStream;
use actix_web::http::{Method, StatusCode, header};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use hyper::header::HeaderValue;
use respiro_content::StoredFile;
use respiro_publish::Page;
use respiro_publish::headers::{FOR_EVER, FOR_NOBODY, POLICY, RENEWAL_RETRY_AFTER};
use std::io;
use std::ops::Range;

/// A response before the request's conditions are applied.
#[derive(Debug)]
pub struct CachedResponse<'a> {
    status: u16,
    pub content_type: &'a str,
    cache_control: &'a str,
    etag: Tag<'a>,
    varies: bool,
    encoding: Option<&'static str>,
    /// The iframe of the preview has an opaque origin, and fonts are requested with CORS.
    for_any_origin: bool,
    is_picture: bool,
    /// The response's own `Content-Security-Policy`; `None` for the one of its content type.
    pub policy: Option<&'a HeaderValue>,
    pub content: Content<'a>,
}

/// Where the bytes of the body are.
#[derive(Debug)]
pub enum Content<'a> {
    Memory(&'a Bytes),
    /// The uncompressed body, for clients that accept no compression.
    Plain(&'a Page),
    Stored(&'a StoredFile),
}

#[derive(Debug)]
enum Tag<'a> {
    Known(&'a str),
    Made(String),
    /// Of a response that must not be cached.
    None,
}

/// Which part of a response is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    Full,
    Range(Range<u64>),
    /// The client has the current version.
    NotModified,
    /// The range contains no byte of the body.
    RangeNotSatisfiable,
}

/// The method and the conditional headers of a request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ConditionalHeaders<'a> {
    pub is_head: bool,
    pub range: Option<&'a str>,
    pub if_range: Option<&'a str>,
}

impl<'a> CachedResponse<'a> {
    pub fn page(page: &'a Page, path: &str, encoding: Encoding) -> Self {
        let (body, encoding) = match (encoding, &page.brotli, &page.gzip) {
            (Encoding::Brotli, Some(body), _) => (Some(body), Some("br")),
            (Encoding::Gzip, _, Some(body)) => (Some(body), Some("gzip")),
            _ => (None, None),
        };
        let etag = match body {
            Some(body) => Tag::Known(&body.etag),
            None => Tag::Made(page.plain_etag()),
        };
        Self {
            status: page.status,
            content_type: page.content_type,
            cache_control: page.cache_control,
            etag,
            varies: page.brotli.is_some() || page.gzip.is_some(),
            encoding,
            for_any_origin: path.starts_with("/assets/"),
            is_picture: false,
            policy: page.policy.as_ref().map(|policy| &policy.value),
            content: body.map_or(Content::Plain(page), |body| Content::Memory(&body.bytes)),
        }
    }

    /// A page at a secret address: not cached, no `ETag`.
    pub fn screen(page: &'a Page, encoding: Encoding) -> Self {
        Self {
            cache_control: "no-store",
            etag: Tag::None,
            ..Self::page(page, "", encoding)
        }
    }

    pub fn picture(file: &'a StoredFile) -> Self {
        Self {
            status: 200,
            content_type: &file.media_type,
            cache_control: FOR_EVER,
            etag: Tag::Made(etag_of_hash(&file.hash, "")),
            varies: false,
            encoding: None,
            for_any_origin: false,
            is_picture: true,
            policy: None,
            content: Content::Stored(file),
        }
    }

    /// A picture that only a signed-in admin may see.
    pub fn picture_in_private(file: &'a StoredFile) -> Self {
        Self {
            cache_control: FOR_NOBODY,
            ..Self::picture(file)
        }
    }

    pub fn bytes(&self) -> u64 {
        match self.content {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::Plain(page) => page.plain_length(),
            Content::Stored(file) => file.bytes,
        }
    }

    fn etag(&self) -> Option<&str> {
        match &self.etag {
            Tag::Known(tag) => Some(tag),
            Tag::Made(tag) => Some(tag),
            Tag::None => None,
        }
    }

    /// Selects what to send, given the tags of `If-None-Match` and the other conditions.
    pub fn select<'h>(
        &self,
        known: impl Iterator<Item = &'h str>,
        wish: &ConditionalHeaders<'_>,
    ) -> Selection {
        let is_known = |tag| self.status == 200 && matches(known, tag);
        if self.etag().is_some_and(is_known) {
            return Selection::NotModified;
        }
        // Only a strong tag may join two parts (RFC 9110, 13.1.5); all of ours are strong.
        let is_same = wish.if_range.is_none_or(|tag| Some(tag) == self.etag());
        match wish.range {
            Some(range) if self.is_picture && is_same && !wish.is_head => part(range, self.bytes()),
            _ => Selection::Full,
        }
    }

    /// Returns the status code for a share.
    pub fn status(&self, share: &Selection) -> u16 {
        match share {
            Selection::Full => self.status,
            Selection::Range(_) => 206,
            Selection::NotModified => 304,
            Selection::RangeNotSatisfiable => 416,
        }
    }

    /// Passes the response's own headers to `put`, except `content-length` and the policy.
    pub fn headers(&self, share: &Selection, mut put: impl FnMut(&'static str, &str)) {
        put("cache-control", self.cache_control);
        if self.status == 503 {
            put("retry-after", RENEWAL_RETRY_AFTER);
        }
        if let Some(tag) = self.etag() {
            put("etag", tag);
        }
        if self.varies {
            put("vary", "Accept-Encoding");
        }
        if self.for_any_origin {
            put("access-control-allow-origin", "*");
        }
        if self.is_picture {
            put("content-disposition", "inline");
            put("accept-ranges", "bytes");
        }
        match share {
            Selection::RangeNotSatisfiable => {
                put("content-range", &format!("bytes */{}", self.bytes()));
                return;
            }
            Selection::Range(part) => {
                let (first, last) = (part.start, part.end - 1);
                let range = format!("bytes {first}-{last}/{}", self.bytes());
                put("content-range", &range);
            }
            Selection::Full => {
                if let Some(encoding) = self.encoding {
                    put("content-encoding", encoding);
                }
            }
            Selection::NotModified => {}
        }
        put("content-type", self.content_type);
    }
}

/// Sends a prepared response, as far as the client does not have it.
pub async fn send(
    app: &AppState,
    request: &HttpRequest,
    ready: &CachedResponse<'_>,
) -> Result<HttpResponse> {
    let text = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let wish = ConditionalHeaders {
        is_head: request.method() == Method::HEAD,
        range: text(header::RANGE),
        if_range: text(header::IF_RANGE),
    };
    let share = ready.select(values(request.headers(), header::IF_NONE_MATCH), &wish);
    let status = StatusCode::from_u16(ready.status(&share)).unwrap_or_default();
    let mut response = HttpResponse::build(status);
    ready.headers(&share, |name, value| {
        response.insert_header((name, value));
    });
    if let Some(policy) = ready.policy {
        response.insert_header((POLICY, policy.as_bytes()));
    }
    let part = match share {
        Selection::NotModified | Selection::RangeNotSatisfiable => return Ok(response.finish()),
        Selection::Full if wish.is_head => {
            let body = SizedStream::new(ready.bytes(), stream::empty::<io::Result<Bytes>>());
            return Ok(response.body(body));
        }
        Selection::Full => None,
        Selection::Range(part) => Some(part),
    };
    let is_whole = part.is_none();
    let body = begin(app, &ready.content, part).await?;
    Ok(response.body(body.into_box(app, is_whole)))
}

/// Opens the body of a response. `part` applies to pictures only; nothing else is sent in ranges.
pub async fn begin(
    app: &App,
    content: &Content<'_>,
    part: Option<Range<u64>>,
) -> Result<BodyCursor> {
    match content {
        Content::Memory(bytes) => Ok(BodyCursor::from(Bytes::clone(bytes))),
        Content::Plain(page) => Ok(BodyCursor::from(page.plain())),
        Content::Stored(file) => BodyCursor::of_file(app, file, part).await,
    }
}

/// Parses a single byte range. Several ranges, other units and malformed values are answered with
/// the whole body, as a server may (RFC 9110, 14.2).
fn part(range: &str, length: u64) -> Selection {
    let Some((first, last)) = range
        .strip_prefix("bytes=")
        .and_then(|range| range.trim().split_once('-'))
    else {
        return Selection::Full;
    };
    let found = match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last => first..last.saturating_add(1).min(length),
        (Ok(first), _) if last.is_empty() => first..length,
        (_, Ok(suffix)) if first.is_empty() => length.saturating_sub(suffix)..length,
        _ => return Selection::Full,
    };
    if found.is_empty() {
        Selection::RangeNotSatisfiable
    } else {
        Selection::Range(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_a_part_and_what_makes_no_sense_the_whole() {
        for (range, expected) in [
            ("bytes=0-9", Selection::Range(0..10)),
            ("bytes=90-", Selection::Range(90..100)),
            ("bytes=90-900", Selection::Range(90..100)),
            ("bytes=-10", Selection::Range(90..100)),
            ("bytes=-1000", Selection::Range(0..100)),
            ("bytes=99-99", Selection::Range(99..100)),
            ("bytes=0-18446744073709551615", Selection::Range(0..100)),
            ("bytes=100-", Selection::RangeNotSatisfiable),
            ("bytes=100-200", Selection::RangeNotSatisfiable),
            ("bytes=-0", Selection::RangeNotSatisfiable),
            ("bytes=9-0", Selection::Full),
            ("bytes=0-1,5-6", Selection::Full),
            ("bytes=-", Selection::Full),
            ("bytes=a-b", Selection::Full),
            ("bytes=0-99999999999999999999", Selection::Full),
            ("lines=0-9", Selection::Full),
            ("", Selection::Full),
        ] {
            assert_eq!(part(range, 100), expected, "{range}");
        }
        assert_eq!(part("bytes=0-", 0), Selection::RangeNotSatisfiable);
    }
}
