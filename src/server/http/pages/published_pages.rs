//! Serves published pages and embedded files from memory; other paths get the site's 404 page.

use crate::errors::{Error, Result};
use crate::http::api::page_views;
use crate::http::cached_response::{self, CachedResponse};
use crate::http::request_path::DecodedPath;
use crate::http::responses::{Encoding, is_read, values};
use crate::http::{Answer, Shared};
use actix_web::body;
use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use respiro_publish::headers::FOR_AN_HOUR;
use respiro_publish::{FEED_PATH, is_wordpress_feed, is_wordpress_feed_query};
use respiro_publish::{Page, PageEntry, Pages, Publisher, SocialPicture};
use serde_json::Value as Json;
use std::sync::Arc;

const PAGE_ALLOW: &str = "GET, HEAD";
/// First path segments that belong to handlers and are not looked up among pages.
const HANDLED: &[&str] = &[
    "anteprima",
    "api",
    "healthz",
    "newsletter",
    "objects",
    "social",
    "testimonianza",
];
pub(super) const MANY_DRAWINGS: &str = "many social pictures are asked for";
const MANY_PAGES: &str = "many pages are asked for";
const NOT_PUBLISHED: &str = "nothing is published yet";

/// Serves every path without a route. Compares the decoded path exactly.
pub async fn serve(request: HttpRequest, shared: Shared) -> Answer {
    let decoded = request.extensions_mut().remove::<DecodedPath>();
    let decoded = decoded.ok_or_else(|| Error::Internal("a path was not decoded".to_owned()))?;
    let path = decoded.as_str();
    if path.starts_with("/api/") || path == "/api" || path.starts_with("/objects/") {
        return Err(Error::NotFound);
    }
    if path.starts_with("/social/") && is_read(request.method()) {
        return social(&request, &shared, path).await;
    }
    let pages = shared.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let query = request.query_string();
    let found =
        find_by_query(&pages, path, query).or_else(|| find(&shared.site.publisher, &pages, path));
    if !is_read(request.method()) {
        let allow = PAGE_ALLOW.to_owned();
        return Err(found.map_or(Error::NotFound, |_| Error::MethodNotAllowed { allow }));
    }
    let page = match found {
        Some(Found::Page(page)) => page,
        Some(Found::Slot(slot)) => {
            let page = obtain(&shared, &pages, &slot).await?;
            if request.method() == Method::GET && slot.is_page() {
                page_views::record_view_of(&request, &shared, path);
            }
            page
        }
        Some(Found::Moved(to)) => return moved(&to, query),
        Some(Found::Selected(to)) => return moved(&to, ""),
        None => {
            let missing = pages.missing(path).ok_or(Error::NotFound)?;
            obtain(&shared, &pages, missing).await?
        }
    };
    send(&request, &shared, &page, path).await
}

/// Returns the page of a slot, rendering it if a change has just invalidated it. `queues.pages`
/// bounds concurrent renders, so that one client leaves room for others.
async fn obtain(shared: &Shared, pages: &Arc<Pages>, slot: &Arc<PageEntry>) -> Result<Arc<Page>> {
    if let Some(page) = shared.site.publisher.ready(slot) {
        return Ok(page);
    }
    let turn = shared.queues.pages.turn().await;
    let turn = turn.ok_or(Error::Unavailable(MANY_PAGES))?;
    let (site, pages, slot) = (
        Arc::clone(&shared.site.publisher),
        Arc::clone(pages),
        Arc::clone(slot),
    );
    turn.blocking(move || Ok(site.obtain(&pages, &slot)?)).await
}

async fn send(request: &HttpRequest, shared: &Shared, page: &Page, path: &str) -> Answer {
    let accepted = values(request.headers(), header::ACCEPT_ENCODING);
    let encoding = Encoding::of_page(page, &accepted);
    cached_response::send(shared, request, &CachedResponse::page(page, path, encoding)).await
}

/// Serves a link-preview image, which is drawn on the first request.
async fn social(request: &HttpRequest, shared: &Shared, path: &str) -> Answer {
    let words = match shared.site.publisher.social(path).ok_or(Error::NotFound)? {
        SocialPicture::Drawn(picture) => return send(request, shared, &picture, path).await,
        SocialPicture::ToDraw(_) if request.method() == Method::HEAD => return Ok(undrawn()),
        SocialPicture::ToDraw(words) => words,
    };
    let turn = shared.queues.drawings.turn().await;
    let turn = turn.ok_or(Error::Unavailable(MANY_DRAWINGS))?;
    // The previous holder of the permit may have drawn it.
    if let Some(SocialPicture::Drawn(picture)) = shared.site.publisher.social(path) {
        return send(request, shared, &picture, path).await;
    }
    let (site, wanted) = (Arc::clone(&shared.site.publisher), path.to_owned());
    let drawn = turn.blocking(move || site.draw_social(&wanted, words).ok_or(Error::NotFound));
    let drawn = drawn.await?;
    send(request, shared, &drawn, path).await
}

/// Answers HEAD for an image that is not drawn yet, without drawing it: `ETag` and length are
/// unknown.
fn undrawn() -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "image/jpeg"))
        .insert_header((header::CACHE_CONTROL, FOR_AN_HOUR));
    response.body(body::None::new()).map_into_boxed_body()
}

/// Returns the page of a path if no handler is needed for it.
pub fn ready(site: &Publisher, pages: &Pages, path: &str) -> Option<Arc<Page>> {
    if is_for_handlers(path) {
        return None;
    }
    match find(site, pages, path) {
        Some(Found::Page(page)) => Some(page),
        // A slot that a change has just invalidated is rendered by a handler.
        Some(Found::Slot(slot)) => site.ready(&slot),
        Some(Found::Moved(_) | Found::Selected(_)) => None,
        None => site.ready(pages.missing(path)?),
    }
}

/// Returns whether the path belongs to a route or is drawn on demand.
pub fn is_for_handlers(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    first.is_some_and(|first| HANDLED.contains(&first))
}

enum Found {
    /// An embedded file, or a calendar generated on demand.
    Page(Arc<Page>),
    Slot(Arc<PageEntry>),
    /// The redirect keeps the query.
    Moved(String),
    /// The query selected the redirect.
    Selected(String),
}

fn find(site: &Publisher, pages: &Pages, path: &str) -> Option<Found> {
    if let Some(found) = exact(site, pages, path) {
        return Some(found);
    }
    let short = path.strip_suffix('/').unwrap_or(path);
    if let Some(to) = pages.redirect(short) {
        return Some(Found::Moved(to));
    }
    if is_wordpress_feed(short) {
        return Some(Found::Moved(FEED_PATH.to_owned()));
    }
    // Redirect only to a path that exists: the target for `//host/` would be another site.
    let known = short != path && exact(site, pages, short).is_some();
    known.then(|| Found::Moved(short.to_owned()))
}

fn exact(site: &Publisher, pages: &Pages, path: &str) -> Option<Found> {
    if let Some(slot) = pages.find(path) {
        return Some(Found::Slot(Arc::clone(slot)));
    }
    let file = site.asset(path);
    file.or_else(|| site.calendar(path)).map(Found::Page)
}

/// Returns the page that a query selects (`/contatti?evento=ID`), or the redirect target of a
/// former query: `/?p=12` is an article's number on the site it was imported from, `/?feed=rss2` is
/// the feed of a WordPress site, `/contatti?per=ritiro` stood for `/contatti/per/ritiro`. No other
/// query changes a response.
fn find_by_query(pages: &Pages, path: &str, query: &str) -> Option<Found> {
    if let Some(slot) = pages.find_by_query(path, query) {
        return Some(Found::Slot(Arc::clone(slot)));
    }
    let value = |key: &str| query.split('&').find_map(|part| part.strip_prefix(key));
    let former = if path == "/" {
        if value("feed=").is_some_and(is_wordpress_feed_query) {
            return Some(Found::Selected(FEED_PATH.to_owned()));
        }
        format!("/?p={}", value("p=")?)
    } else {
        format!("{path}/per/{}", value("per=")?)
    };
    pages.redirect(&former).map(Found::Selected)
}

/// Returns a 301. Paths of pages and slugs need no percent-encoding.
fn moved(to: &str, query: &str) -> Answer {
    let location = match query {
        "" => to.to_owned(),
        query => format!("{to}{}{query}", if to.contains('?') { '&' } else { '?' }),
    };
    let location = header::HeaderValue::from_str(&location)
        .map_err(|error| Error::Internal(format!("a redirect is no header: {error}")))?;
    Ok(HttpResponse::MovedPermanently()
        .insert_header((header::LOCATION, location))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .finish())
}

/// Serves a published screen at an address that only its recipient knows.
pub async fn screen(request: &HttpRequest, shared: &Shared, name: &str) -> Answer {
    let pages = shared.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let slot = pages.screen(name);
    let slot = slot.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let page = obtain(shared, &pages, slot).await?;
    secret(request, shared, &page).await
}

/// Serves a screen filled with data for one reader. Renders one at a time.
pub async fn filled(
    request: &HttpRequest,
    shared: &Shared,
    name: &'static str,
    status: StatusCode,
    given: Json,
) -> Answer {
    let turn = shared.queues.forms.turn().await;
    let turn = turn.ok_or(Error::Unavailable(MANY_PAGES))?;
    let site = Arc::clone(&shared.site.publisher);
    let mut page = turn
        .blocking(move || Ok(site.filled(name, &given)?))
        .await?;
    page.status = status.as_u16();
    secret(request, shared, &page).await
}

/// Serves a page whose address is a permission: not cached, not indexed.
async fn secret(request: &HttpRequest, shared: &Shared, page: &Page) -> Answer {
    let accepted = values(request.headers(), header::ACCEPT_ENCODING);
    let encoding = Encoding::of_page(page, &accepted);
    let ready = CachedResponse::screen(page, encoding);
    let mut response = cached_response::send(shared, request, &ready).await?;
    let headers = response.headers_mut();
    let robots = header::HeaderName::from_static("x-robots-tag");
    headers.insert(
        robots,
        header::HeaderValue::from_static("noindex, nofollow"),
    );
    // Keeps the secret address from other sites; `no-referrer` would also remove the origin that
    // the page's own form has to send.
    let origin = header::HeaderValue::from_static("same-origin");
    headers.insert(header::REFERRER_POLICY, origin);
    Ok(response)
}

/// Returns a page that must not be cached or indexed, for previews.
pub fn unlisted(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-robots-tag", "noindex, nofollow"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(html)
}
