//! Published pages and embedded files from memory; what is neither is 404 with its own screen.

use super::path::Decoded;
use super::respond::{Encoding, is_read, matches, not_modified};
use super::sliced::Sliced;
use super::{Answer, Shared};
use crate::app::blocking;
use crate::error::{Error, Result};
use crate::site::{Body, Page, Pages, Slot};
use actix_web::http::{StatusCode, header};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use std::sync::Arc;

const PAGE_ALLOW: &str = "GET, HEAD";
const NOT_PUBLISHED: &str = "nothing is published yet";

/// Everything that is no route: exact paths only, compared after decoding.
pub async fn serve(request: HttpRequest, shared: Shared) -> Answer {
    let path = Decoded::new(request.uri().path())?;
    let path = path.as_str();
    if path.starts_with("/api/") || path == "/api" || path.starts_with("/objects/") {
        return Err(Error::NotFound);
    }
    if path.starts_with("/social/") && is_read(request.method()) {
        return social(&request, &shared, path).await;
    }
    let pages = shared.site.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let found = find(&shared, &pages, path);
    if !is_read(request.method()) {
        let allow = PAGE_ALLOW.to_owned();
        return Err(found.map_or(Error::NotFound, |_| Error::MethodNotAllowed { allow }));
    }
    let page = match found {
        Some(Found::Page(page)) => page,
        Some(Found::Slot(slot)) => obtain(&shared, &pages, &slot).await?,
        Some(Found::Moved(to)) => return moved(&request, &to),
        None => {
            let missing = pages.missing(path).ok_or(Error::NotFound)?;
            obtain(&shared, &pages, missing).await?
        }
    };
    Ok(send(&request, &page, path))
}

/// The answer of a slot. One that a change has touched a moment ago is made now: few at once, so
/// that whoever asks for many leaves room for others.
async fn obtain(shared: &Shared, pages: &Arc<Pages>, slot: &Arc<Slot>) -> Result<Arc<Page>> {
    if let Some(page) = slot.ready() {
        return Ok(page);
    }
    let _turn = shared.queues.pages.acquire().await;
    let (site, pages, slot) = (
        Arc::clone(&shared.site),
        Arc::clone(pages),
        Arc::clone(slot),
    );
    blocking(move || site.obtain(&pages, &slot)).await
}

/// A picture for messengers: drawn when the first one asks for it.
async fn social(request: &HttpRequest, shared: &Shared, path: &str) -> Answer {
    let (site, wanted) = (Arc::clone(&shared.site), path.to_owned());
    let picture = blocking(move || site.social(&wanted).ok_or(Error::NotFound)).await?;
    Ok(send(request, &picture, path))
}

enum Found {
    /// An embedded file, or one made on the spot.
    Page(Arc<Page>),
    Slot(Arc<Slot>),
    Moved(String),
}

fn find(shared: &Shared, pages: &Pages, path: &str) -> Option<Found> {
    if let Some(found) = exact(shared, pages, path) {
        return Some(found);
    }
    let short = path.strip_suffix('/').unwrap_or(path);
    if let Some(to) = pages.redirects.get(short) {
        return Some(Found::Moved(to.clone()));
    }
    // Only towards a path that exists: `//host/` must never become an address of its own.
    let known = short != path && exact(shared, pages, short).is_some();
    known.then(|| Found::Moved(short.to_owned()))
}

fn exact(shared: &Shared, pages: &Pages, path: &str) -> Option<Found> {
    if let Some(slot) = pages.find(path) {
        return Some(Found::Slot(Arc::clone(slot)));
    }
    let file = shared.site.asset(path);
    file.or_else(|| shared.site.calendar(path)).map(Found::Page)
}

/// 301 with the query kept. Pages' paths are plain, a slug is too: nothing needs encoding.
fn moved(request: &HttpRequest, to: &str) -> Answer {
    let location = match request.query_string() {
        "" => to.to_owned(),
        query => format!("{to}?{query}"),
    };
    let location = header::HeaderValue::from_str(&location)
        .map_err(|error| Error::Internal(format!("a redirect is no header: {error}")))?;
    Ok(HttpResponse::MovedPermanently()
        .insert_header((header::LOCATION, location))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .finish())
}

/// Sends one page in the encoding the client likes best, or 304 when it has that already.
fn send(request: &HttpRequest, page: &Page, path: &str) -> HttpResponse {
    let (mut response, body, encoding) = begin(request, page, status(page));
    response
        .insert_header((header::CACHE_CONTROL, page.cache_control))
        .insert_header((header::ETAG, body.etag.as_str()));
    if path.starts_with("/assets/") {
        // The preview's frame has no origin of its own, and fonts ask for leave.
        response.insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"));
    }
    if page.status == 200 && matches(request.headers(), &body.etag) {
        return not_modified(&mut response);
    }
    finish(response, body, encoding)
}

/// What an answer with a page begins with, whatever becomes of it, and the encoding the client
/// likes best.
fn begin<'a>(
    request: &HttpRequest,
    page: &'a Page,
    status: StatusCode,
) -> (HttpResponseBuilder, &'a Body, Option<&'static str>) {
    let (body, encoding) = choose(request, page);
    let mut response = HttpResponse::build(status);
    response.insert_header((header::CONTENT_TYPE, page.content_type));
    if page.brotli.is_some() || page.gzip.is_some() {
        response.insert_header((header::VARY, "Accept-Encoding"));
    }
    (response, body, encoding)
}

fn finish(
    mut response: HttpResponseBuilder,
    body: &Body,
    encoding: Option<&'static str>,
) -> HttpResponse {
    if let Some(encoding) = encoding {
        response.insert_header((header::CONTENT_ENCODING, encoding));
    }
    response.body(Sliced::new(Bytes::from_owner(Arc::clone(&body.bytes))))
}

fn status(page: &Page) -> StatusCode {
    StatusCode::from_u16(page.status).unwrap_or(StatusCode::OK)
}

fn choose<'a>(request: &HttpRequest, page: &'a Page) -> (&'a Body, Option<&'static str>) {
    let encoding = Encoding::choose(request.headers(), |encoding| match encoding {
        Encoding::Brotli => page.brotli.is_some(),
        Encoding::Gzip => page.gzip.is_some(),
        Encoding::Identity => true,
    });
    match (encoding, &page.brotli, &page.gzip) {
        (Encoding::Brotli, Some(body), _) => (body, Some("br")),
        (Encoding::Gzip, _, Some(body)) => (body, Some("gzip")),
        _ => (&page.identity, None),
    }
}

/// A published screen below an address that only its receiver knows.
pub async fn screen(
    request: &HttpRequest,
    shared: &Shared,
    (name, status): (&str, StatusCode),
) -> Answer {
    let pages = shared.site.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let slot = pages.screen(name);
    let slot = slot.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let page = obtain(shared, &pages, slot).await?;
    let (mut response, body, encoding) = begin(request, &page, status);
    response
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-robots-tag", "noindex, nofollow"))
        // The address is a secret, yet its own form has to say where it comes from.
        .insert_header((header::REFERRER_POLICY, "same-origin"));
    Ok(finish(response, body, encoding))
}

/// A page for nobody to keep: previews.
pub fn unlisted(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-robots-tag", "noindex, nofollow"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(html)
}
