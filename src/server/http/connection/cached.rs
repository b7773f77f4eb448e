//! Answers requests for what lies in memory, without the router: published pages, embedded files,
//! published pictures. Any other request, and any in an unusual form, is for the routes.

use super::activity::Exchange;
use super::body::ResponseBody;
use crate::http::api::page_views;
use crate::http::cached_response::{self, CachedResponse, ConditionalHeaders, Selection};
use crate::http::pages::{published_pages, stored_images};
use crate::http::request_path::PATH_BYTES_MAX;
use crate::http::responses::Encoding;
use crate::http::{access_log, client_addr, middleware};
use crate::state::App;
use actix_web::body::BoxBody;
use actix_web::web::Bytes;
use hyper::body::{Body, Incoming};
use hyper::header::{
    self, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue,
};
use hyper::{Method, Request, Response, StatusCode, Version};
use respiro_analytics::RequestHints;
use respiro_content::value::UPLOAD_PREFIX;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// Query parameters that select a page or a redirect (`published_pages::find_by_query`); the
/// routes serve these requests.
const SELECTING: &[&str] = &["evento=", "servizio=", "per=", "p=", "feed="];
/// A plain request for what a path shows.
#[derive(Debug, PartialEq, Eq)]
struct PlainRequest<'a> {
    host: &'a str,
    /// Contains no percent-encoding.
    path: &'a str,
    accept_encoding: Option<&'a str>,
    if_none_match: Option<&'a str>,
    conditions: ConditionalHeaders<'a>,
    hints: RequestHints<'a>,
    /// `X-Forwarded-For`, where it is one line.
    forwarded_for: Option<&'a str>,
}

/// Returns the response; gives the exchange back if the request is for the routes.
pub async fn answer(
    app: &Arc<App>,
    request: &Request<Incoming>,
    peer: Option<IpAddr>,
    started: Instant,
    exchange: Exchange,
) -> Result<Response<ResponseBody>, Exchange> {
    let plain = PlainRequest::of(request)
        .filter(|plain| request.body().is_end_stream() && !app.host_aliases.has(plain.host));
    let Some(plain) = plain else {
        return Err(exchange);
    };
    let Some((status, headers, body)) = prepare(app, &plain, peer).await else {
        return Err(exchange);
    };
    let (method, elapsed) = (request.method().as_str(), started.elapsed());
    let status_code = status.as_u16();
    let requests = &app.meters.requests;
    requests.record_response(method, status_code, elapsed);
    access_log::record(app, (method, plain.path, status_code), elapsed, || {
        plain.client(app, peer)
    });
    let mut response = Response::new(ResponseBody::new(body, Some(exchange)));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

async fn prepare(
    app: &Arc<App>,
    plain: &PlainRequest<'_>,
    peer: Option<IpAddr>,
) -> Option<(StatusCode, HeaderMap, BoxBody)> {
    if app.is_asleep() && !published_pages::is_open_asleep(plain.path) {
        return None;
    }
    let pages = app.site.publisher.pages()?;
    let page;
    let mut is_view = false;
    let cached = if let Some(path) = plain.path.strip_prefix(UPLOAD_PREFIX) {
        let (id, name) = stored_images::id_and_name(path)?;
        CachedResponse::picture(stored_images::published_file(&pages, id, name)?)
    } else {
        page = published_pages::cached_page(&app.site.publisher, &pages, plain.path)?;
        // An address that is not there is counted by itself.
        is_view = (page.is_shown() || page.status == 404) && !plain.conditions.is_head;
        let encoding = Encoding::of_page(&page, &plain.accept_encoding.into_iter());
        CachedResponse::page(&page, plain.path, encoding)
    };
    let selection = cached.select(plain.if_none_match.into_iter(), &plain.conditions);
    let nothing = || BoxBody::new(Bytes::new());
    let (length, body) = match &selection {
        Selection::NotModified => (None, nothing()),
        Selection::RangeNotSatisfiable => (Some(0), nothing()),
        Selection::Full if plain.conditions.is_head => (Some(cached.bytes()), nothing()),
        Selection::Full => {
            let whole = cached_response::begin(app, &cached.content, None);
            (Some(cached.bytes()), whole.await.ok()?.into_box(app, true))
        }
        Selection::Range(part) => {
            let part = cached_response::begin(app, &cached.content, Some(part.clone()));
            let part = part.await.ok()?;
            (Some(part.bytes()), part.into_box(app, false))
        }
    };
    let mut headers = middleware::default_headers(app, cached.content_type).clone();
    cached.headers(&selection, |name, value| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    });
    if let Some(policy) = cached.policy {
        headers.insert(CONTENT_SECURITY_POLICY, policy.clone());
    }
    if let Some(length) = length {
        headers.insert(CONTENT_LENGTH, length.into());
    }
    if is_view {
        page_views::record_view(app, &plain.hints, plain.path, || plain.client(app, peer));
    }
    let status = StatusCode::from_u16(cached.status(&selection)).unwrap_or_default();
    Some((status, headers, body))
}

impl<'a> PlainRequest<'a> {
    /// Returns the address of the client, also behind a trusted proxy.
    fn client(&self, app: &App, peer: Option<IpAddr>) -> IpAddr {
        let forwarded = self.forwarded_for.into_iter();
        client_addr::resolve_client_addr(peer, forwarded, &app.config.trusted_proxies)
    }

    /// `None` for anything but a GET or HEAD with a plain target, one host and no header twice that
    /// matters here.
    fn of<B>(request: &'a Request<B>) -> Option<Self> {
        let is_head = match *request.method() {
            Method::GET => false,
            Method::HEAD => true,
            _ => return None,
        };
        let (uri, headers) = (request.uri(), request.headers());
        let host = match (request.version(), uri.authority()) {
            (Version::HTTP_2, Some(authority)) => authority.as_str(),
            (Version::HTTP_2, None) | (_, Some(_)) => return None,
            (_, None) => single(headers, &header::HOST).ok()??,
        };
        if !is_plain_target(uri.path(), uri.query().unwrap_or_default()) {
            return None;
        }
        let value = |name: &HeaderName| single(headers, name).ok();
        let named = |name: &'static str| value(&HeaderName::from_static(name));
        Some(Self {
            host,
            path: uri.path(),
            accept_encoding: value(&header::ACCEPT_ENCODING)?,
            if_none_match: value(&header::IF_NONE_MATCH)?,
            conditions: ConditionalHeaders {
                is_head,
                range: value(&header::RANGE)?,
                if_range: value(&header::IF_RANGE)?,
            },
            hints: RequestHints {
                agent: value(&header::USER_AGENT)?,
                language: value(&header::ACCEPT_LANGUAGE)?,
                cookie: value(&header::COOKIE)?,
                referer: value(&header::REFERER)?,
                do_not_track: named("dnt")?,
                privacy_control: named("sec-gpc")?,
                purpose: named("sec-purpose")?.or(named("purpose")?),
                query: uri.query(),
            },
            forwarded_for: named("x-forwarded-for")?,
        })
    }
}

/// A header that stands twice or is no text.
#[derive(Debug)]
struct Unusual;

/// Returns a header's value, if it has one.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Unusual> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).or(Err(Unusual)),
        (Some(_), Some(_)) => Err(Unusual),
    }
}

/// Returns whether nothing in a target has to be decoded or doubted.
fn is_plain_target(path: &str, query: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let is_harmless = |byte: u8| is_plain(byte) || b"=&%+,:;@!?".contains(&byte);
    let selects = |part: &str| SELECTING.iter().any(|key| part.starts_with(key));
    path.starts_with('/')
        && path.len() <= PATH_BYTES_MAX
        && path.bytes().all(is_plain)
        && query.bytes().all(is_harmless)
        && !query.split('&').any(selects)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(target: &str, headers: &[(&str, &str)]) -> Request<()> {
        let mut request = Request::get(target).header("host", "a");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap()
    }

    #[test]
    fn a_plain_request_is_read_whole() {
        let request = request(
            "/eventi?x=%20",
            &[
                ("accept-encoding", "br"),
                ("if-none-match", "\"a\""),
                ("range", "bytes=0-1"),
                ("if-range", "\"b\""),
                ("cookie", "x"),
                ("te", "trailers"),
            ],
        );
        let expected = PlainRequest {
            host: "a",
            path: "/eventi",
            accept_encoding: Some("br"),
            if_none_match: Some("\"a\""),
            conditions: ConditionalHeaders {
                is_head: false,
                range: Some("bytes=0-1"),
                if_range: Some("\"b\""),
            },
            hints: RequestHints {
                cookie: Some("x"),
                query: Some("x=%20"),
                ..RequestHints::default()
            },
            forwarded_for: None,
        };
        assert_eq!(PlainRequest::of(&request), Some(expected));
    }

    /// Chromium sends both headers with a prefetch.
    #[test]
    fn a_prefetch_is_plain() {
        let both = [("purpose", "prefetch"), ("sec-purpose", "prefetch")];
        let request = request("/", &both);
        let plain = PlainRequest::of(&request).unwrap();
        assert_eq!(plain.hints.purpose, Some("prefetch"));
    }

    #[test]
    fn http2_has_its_host_in_the_target() {
        let mut request = Request::get("https://b/eventi").body(()).unwrap();
        assert_eq!(PlainRequest::of(&request), None);
        *request.version_mut() = Version::HTTP_2;
        assert_eq!(PlainRequest::of(&request).unwrap().host, "b");
    }

    #[test]
    fn what_is_not_plain_is_for_the_routes() {
        let twice = [
            "host",
            "accept-encoding",
            "if-none-match",
            "x-forwarded-for",
            "cookie",
        ];
        for name in twice {
            let request = request("/", &[(name, "b"), (name, "c")]);
            assert_eq!(PlainRequest::of(&request), None, "{name}");
        }
        for target in [
            "http://a/",
            "/contatti?servizio=x",
            "/contatti?fbclid=x&evento=x",
            "/contatti?per=x",
            "/?p=12",
            "/event%69",
            "/a;b",
            "/a?b=|",
            "*",
        ] {
            assert_eq!(PlainRequest::of(&request(target, &[])), None, "{target}");
        }
        let without_host = Request::get("/").body(()).unwrap();
        assert_eq!(PlainRequest::of(&without_host), None);
        let post = Request::post("/").header("host", "a").body(()).unwrap();
        assert_eq!(PlainRequest::of(&post), None);
    }
}
