//! Serves published pages and embedded files from memory; other paths get the site's 404 page.

use super::mistyped_paths::corrections;
use crate::errors::{Error, Result};
use crate::http::api::page_views;
use crate::http::cached_response::{self, CachedResponse};
use crate::http::request_path::DecodedPath;
use crate::http::responses::{Encoding, is_read, other_method, values};
use crate::http::{AppState, HandlerResult};
use actix_web::body;
use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use respiro_publish::headers::{ASLEEP_RETRY_AFTER, FOR_AN_HOUR};
use respiro_publish::{EventCalendar, Page, PageEntry, Pages, Publisher, SocialPicture};
use respiro_publish::{FEED_PATH, FormerPath, is_wordpress_feed, is_wordpress_feed_query};
use serde_json::Value as Json;
use std::sync::Arc;

const PAGE_ALLOW: &str = "GET, HEAD";
/// First path segments that belong to handlers and are not looked up among pages.
const HANDLER_PREFIXES: &[&str] = &[
    ".well-known",
    "anteprima",
    "api",
    "healthz",
    "newsletter",
    "objects",
    "social",
    "testimonianza",
];
/// First path segments that answer while the site is asleep. Without `robots.txt` search engines
/// would count the whole site as forbidden.
const OPEN_ASLEEP: &[&str] = &[
    ".well-known",
    "admin",
    "anteprima",
    "apple-touch-icon.png",
    "assets",
    "favicon.ico",
    "favicon.svg",
    "healthz",
    "icon-192.png",
    "icon-512.png",
    "newsletter",
    "objects",
    "robots.txt",
    "testimonianza",
];
const OPEN_FOLDERS_ASLEEP: &[&str] = &["/api/admin/", "/api/auth/"];
/// Folders of the program's own files.
const OWN_FOLDERS: &[&str] = &["/admin", "/assets"];
pub(super) const MANY_SOCIAL_IMAGES: &str = "many social pictures are asked for";
const MANY_PAGES: &str = "many pages are asked for";
pub(super) const NOT_PUBLISHED: &str = "nothing is published yet";

/// Serves every path without a route. Compares the decoded path exactly.
pub async fn serve(request: HttpRequest, app: AppState) -> HandlerResult {
    let decoded = request.extensions_mut().remove::<DecodedPath>();
    let decoded = decoded.ok_or_else(|| Error::Internal("a path was not decoded".to_owned()))?;
    let path = decoded.as_str();
    if path.starts_with("/api/") || path == "/api" || path.starts_with("/objects/") {
        return Err(Error::NotFound);
    }
    if path.starts_with("/social/") && is_read(request.method()) {
        return serve_social(&request, &app, path).await;
    }
    let pages = app.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let query = request.query_string();
    let found =
        find_by_query(&pages, path, query).or_else(|| find(&app.site.publisher, &pages, path));
    if !is_read(request.method()) {
        if found.is_none() && app.site.publisher.social(path).is_none() {
            return Err(Error::NotFound);
        }
        return other_method(request.method(), PAGE_ALLOW);
    }
    let page = match found {
        Some(Lookup::Page(page)) => page,
        Some(Lookup::Entry(entry)) => {
            let page = render_if_stale(&app, &pages, &entry).await?;
            if request.method() == Method::GET && entry.is_page() && page.status != 503 {
                page_views::record_request_view(&request, &app, path);
            }
            page
        }
        Some(Lookup::Calendar) => make_calendar(&app, path).await?,
        Some(Lookup::Redirect(to)) => return redirect(&to, query),
        Some(Lookup::QueryRedirect(to)) => return redirect(&to, ""),
        Some(Lookup::Gone) => return gone(&request, &app, &pages, path).await,
        None => {
            if request.method() == Method::GET {
                page_views::record_request_view(&request, &app, path);
            }
            let missing = pages.missing(path).ok_or(Error::NotFound)?;
            render_if_stale(&app, &pages, missing).await?
        }
    };
    send(&request, &app, &page, path).await
}

/// Serves the site's 404 page, for a path that is no valid text.
pub async fn missing(request: &HttpRequest, app: &AppState) -> HandlerResult {
    let pages = app.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let missing = pages.missing("").ok_or(Error::NotFound)?;
    let page = render_if_stale(app, &pages, missing).await?;
    send(request, app, &page, "").await
}

/// Serves the message that visitors see while the site is asleep.
pub async fn asleep(request: &HttpRequest, app: &AppState) -> HandlerResult {
    let pages = app.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let mut response = send_private(request, app, pages.asleep_page()).await?;
    let retry_after = header::HeaderValue::from_static(ASLEEP_RETRY_AFTER);
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, retry_after);
    Ok(response)
}

/// Returns whether an address answers while the site is asleep: the panel, the files that it and
/// the message need, pictures of e-mails, and personal links. A newsletter can be left at any time.
pub fn is_open_asleep(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    first.is_some_and(|first| OPEN_ASLEEP.contains(&first))
        || OPEN_FOLDERS_ASLEEP
            .iter()
            .any(|folder| path.starts_with(folder))
}

/// Serves the site's 404 page with 410.
async fn gone(
    request: &HttpRequest,
    app: &AppState,
    pages: &Arc<Pages>,
    path: &str,
) -> HandlerResult {
    let missing = pages.missing(path).ok_or(Error::NotFound)?;
    let page = render_if_stale(app, pages, missing).await?;
    let mut response = send(request, app, &page, path).await?;
    *response.status_mut() = StatusCode::GONE;
    Ok(response)
}

/// Returns the page of an entry, rendering it if a change has just invalidated it. `queues.pages`
/// bounds concurrent renders, so that one client leaves room for others.
async fn render_if_stale(
    app: &AppState,
    pages: &Arc<Pages>,
    entry: &Arc<PageEntry>,
) -> Result<Arc<Page>> {
    if let Some(page) = app.site.publisher.ready(entry) {
        return Ok(page);
    }
    let permit = app.queues.pages.acquire().await;
    let permit = permit.ok_or(Error::Unavailable(MANY_PAGES))?;
    let (site, pages, entry) = (
        Arc::clone(&app.site.publisher),
        Arc::clone(pages),
        Arc::clone(entry),
    );
    permit
        .blocking(move || Ok(site.obtain(&pages, &entry)))
        .await
}

/// Makes an event's calendar file, in the queue of the pages.
async fn make_calendar(app: &AppState, path: &str) -> Result<Arc<Page>> {
    let permit = app.queues.pages.acquire().await;
    let permit = permit.ok_or(Error::Unavailable(MANY_PAGES))?;
    let (site, path) = (Arc::clone(&app.site.publisher), path.to_owned());
    permit
        .blocking(move || site.calendar(&path).ok_or(Error::NotFound))
        .await
}

async fn send(request: &HttpRequest, app: &AppState, page: &Page, path: &str) -> HandlerResult {
    let accepted = values(request.headers(), header::ACCEPT_ENCODING);
    let encoding = Encoding::of_page(page, &accepted);
    cached_response::send(app, request, &CachedResponse::page(page, path, encoding)).await
}

/// Serves a link-preview image, which is drawn on the first request.
async fn serve_social(request: &HttpRequest, app: &AppState, path: &str) -> HandlerResult {
    let words = match app.site.publisher.social(path).ok_or(Error::NotFound)? {
        SocialPicture::Drawn(picture) => return send(request, app, &picture, path).await,
        SocialPicture::ToDraw(_) if request.method() == Method::HEAD => {
            return Ok(head_without_length());
        }
        SocialPicture::ToDraw(words) => words,
    };
    let permit = app.queues.social_images.acquire().await;
    let permit = permit.ok_or(Error::Unavailable(MANY_SOCIAL_IMAGES))?;
    // The previous holder of the permit may have drawn it.
    if let Some(SocialPicture::Drawn(picture)) = app.site.publisher.social(path) {
        return send(request, app, &picture, path).await;
    }
    let (site, wanted) = (Arc::clone(&app.site.publisher), path.to_owned());
    let drawn = permit.blocking(move || site.draw_social(&wanted, words).ok_or(Error::NotFound));
    let drawn = drawn.await?;
    send(request, app, &drawn, path).await
}

/// Answers HEAD for an image that is not drawn yet, without drawing it: `ETag` and length are
/// unknown.
fn head_without_length() -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "image/jpeg"))
        .insert_header((header::CACHE_CONTROL, FOR_AN_HOUR));
    response.body(body::None::new()).map_into_boxed_body()
}

/// Returns the page of a path if no handler is needed for it.
pub fn cached_page(site: &Publisher, pages: &Arc<Pages>, path: &str) -> Option<Arc<Page>> {
    if is_for_handlers(path) {
        return None;
    }
    match find(site, pages, path) {
        Some(Lookup::Page(page)) => Some(page),
        // An entry that a change has just invalidated is rendered by a handler.
        Some(Lookup::Entry(entry)) => site.ready(&entry),
        Some(Lookup::Calendar | Lookup::Redirect(_) | Lookup::QueryRedirect(_) | Lookup::Gone) => {
            None
        }
        None => site.ready(pages.missing(path)?),
    }
}

/// Returns whether the path belongs to a route or is drawn on demand.
pub fn is_for_handlers(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    first.is_some_and(|first| HANDLER_PREFIXES.contains(&first))
}

enum Lookup {
    /// An embedded file, or an event's calendar file.
    Page(Arc<Page>),
    Entry(Arc<PageEntry>),
    /// An event's calendar file that no request has made since the last publish.
    Calendar,
    /// The redirect keeps the query.
    Redirect(String),
    /// The query selected the redirect.
    QueryRedirect(String),
    /// The admin removed the content for good.
    Gone,
}

fn find(site: &Publisher, pages: &Arc<Pages>, path: &str) -> Option<Lookup> {
    if let Some(found) = find_exact(site, pages, path) {
        return Some(found);
    }
    let short = path.strip_suffix('/').unwrap_or(path);
    let former = |path: &str| match pages.redirect(path) {
        Some(FormerPath::Moved(to)) => Some(Lookup::Redirect(to)),
        Some(FormerPath::Gone) => Some(Lookup::Gone),
        None => is_wordpress_feed(path).then(|| Lookup::Redirect(FEED_PATH.to_owned())),
    };
    let corrected = || {
        let mut candidates = corrections(path).into_iter();
        candidates.find_map(|candidate| {
            if exists(site, pages, &candidate) {
                return Some(Lookup::Redirect(candidate));
            }
            former(&candidate)
        })
    };
    former(short).or_else(corrected)
}

/// Returns whether a path leads to neither a page nor a file nor a redirect.
pub fn is_missing(site: &Publisher, pages: &Arc<Pages>, path: &str) -> bool {
    !is_reserved(path) && find(site, pages, path).is_none()
}

/// Returns whether the program itself uses an address, or all addresses below its folder.
pub fn is_reserved(path: &str) -> bool {
    let is_own = |folder: &&str| {
        let rest = path.strip_prefix(*folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_for_handlers(path) || OWN_FOLDERS.iter().any(is_own)
}

/// Returns whether a page or a file is published at exactly this path.
pub fn exists(site: &Publisher, pages: &Arc<Pages>, path: &str) -> bool {
    find_exact(site, pages, path).is_some()
}

fn find_exact(site: &Publisher, pages: &Arc<Pages>, path: &str) -> Option<Lookup> {
    if let Some(entry) = pages.find(path) {
        return Some(Lookup::Entry(Arc::clone(entry)));
    }
    if let Some(file) = site.asset(path) {
        return Some(Lookup::Page(file));
    }
    Some(match site.find_calendar(pages, path)? {
        EventCalendar::Made(page) => Lookup::Page(page),
        EventCalendar::ToMake => Lookup::Calendar,
    })
}

/// Returns the page that a query selects (`/contatti?evento=ID`), or the redirect target of a
/// former query: `/?p=12` is an article's number on the site it was imported from, `/?feed=rss2` is
/// the feed of a WordPress site, `/contatti?per=ritiro` stood for `/contatti/per/ritiro`. No other
/// query changes a response.
fn find_by_query(pages: &Pages, path: &str, query: &str) -> Option<Lookup> {
    if let Some(entry) = pages.find_by_query(path, query) {
        return Some(Lookup::Entry(Arc::clone(entry)));
    }
    let value = |key: &str| query.split('&').find_map(|part| part.strip_prefix(key));
    let former = if path == "/" {
        if value("feed=").is_some_and(is_wordpress_feed_query) {
            return Some(Lookup::QueryRedirect(FEED_PATH.to_owned()));
        }
        format!("/?p={}", value("p=")?)
    } else {
        format!("{path}/per/{}", value("per=")?)
    };
    match pages.redirect(&former)? {
        FormerPath::Moved(to) => Some(Lookup::QueryRedirect(to)),
        FormerPath::Gone => Some(Lookup::Gone),
    }
}

/// Returns a 301. Paths of pages and slugs need no percent-encoding.
fn redirect(to: &str, query: &str) -> HandlerResult {
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
pub async fn screen(request: &HttpRequest, app: &AppState, name: &str) -> HandlerResult {
    let pages = app.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let entry = pages.screen(name);
    let entry = entry.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let page = render_if_stale(app, &pages, entry).await?;
    send_private(request, app, &page).await
}

/// Serves a screen filled with data for one reader. Renders one at a time.
pub async fn render_form(
    request: &HttpRequest,
    app: &AppState,
    name: &'static str,
    status: StatusCode,
    input: Json,
) -> HandlerResult {
    let permit = app.queues.forms.acquire().await;
    let permit = permit.ok_or(Error::Unavailable(MANY_PAGES))?;
    let site = Arc::clone(&app.site.publisher);
    let mut page = permit
        .blocking(move || Ok(site.filled(name, &input)?))
        .await?;
    page.status = status.as_u16();
    send_private(request, app, &page).await
}

/// Serves a page whose address is a permission: not cached, not indexed.
async fn send_private(request: &HttpRequest, app: &AppState, page: &Page) -> HandlerResult {
    let accepted = values(request.headers(), header::ACCEPT_ENCODING);
    let encoding = Encoding::of_page(page, &accepted);
    let cached_page = CachedResponse::screen(page, encoding);
    let mut response = cached_response::send(app, request, &cached_page).await?;
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
pub fn preview_response(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-robots-tag", "noindex, nofollow"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(html)
}
