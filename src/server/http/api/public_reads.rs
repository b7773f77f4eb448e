//! Public endpoints: lists and details of every collection, the site's identity, an icon, the
//! health check.

use crate::errors::{Error, Result};
use crate::http::api::items::{WRONG_QUERY, parse_limit, parse_offset};
use crate::http::responses::{public, public_list, serialize_list};
use crate::http::{AppState, HandlerResult};
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use respiro_backup::local_backup;
use respiro_content::time::parse_rfc3339;
use respiro_content::{Audience, Collection, Entry};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;

const WRONG_BEFORE: &str = "Il parametro «before» deve essere una data.";

const FILE_ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"48\" height=\"48\" \
    viewBox=\"0 0 24 24\" fill=\"none\" stroke=\"#5b6472\" stroke-width=\"1.5\" \
    stroke-linecap=\"round\" stroke-linejoin=\"round\" role=\"img\" aria-label=\"File\">\
    <path d=\"M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8z\"/>\
    <path d=\"M14 3v5h5\"/></svg>";

/// Query parameters of a public list.
#[derive(Debug, Default, Deserialize)]
pub struct ListQuery {
    category: Option<String>,
    limit: Option<String>,
    before: Option<String>,
    offset: Option<String>,
}

/// The parsed query parameters.
struct ListFilter {
    category: Option<String>,
    limit: usize,
    /// Milliseconds since 1970.
    before: i64,
    offset: usize,
}

impl ListFilter {
    fn of(query: ListQuery) -> Result<Self> {
        let before = match query.before.as_deref().map(parse_rfc3339) {
            None => i64::MAX,
            Some(Some(before)) => before,
            Some(None) => return Err(Error::BadRequest(WRONG_BEFORE)),
        };
        Ok(Self {
            limit: parse_limit(query.limit.as_deref(), usize::MAX)?,
            before,
            offset: parse_offset(query.offset.as_deref())?,
            category: query.category,
        })
    }

    /// Yields the indices of matching items in the public list of a collection.
    fn positions<'a>(&'a self, published: &'a [Arc<Entry>]) -> impl Iterator<Item = usize> + 'a {
        let fits = |item: &Entry| {
            let category = self.category.as_deref();
            item.created_at < self.before
                && category.is_none_or(|wanted| item.text("category") == Some(wanted))
        };
        let items = published.iter().enumerate();
        let fitting = items.filter(move |(_, item)| fits(item));
        let places = fitting.map(|(place, _)| place);
        places.skip(self.offset).take(self.limit)
    }
}

/// Serializes the whole list off the request threads. A part is sent as byte ranges of it.
pub async fn list(
    collection: &'static Collection,
    request: HttpRequest,
    app: AppState,
) -> HandlerResult {
    let query = web::Query::<ListQuery>::from_query(request.query_string());
    let Ok(web::Query(query)) = query else {
        return Err(Error::BadRequest(WRONG_QUERY));
    };
    let filter = ListFilter::of(query)?;
    let snapshot = app.site.published_snapshot().await?;
    let of = Arc::clone(&snapshot);
    let serialize = move || {
        serialize_list(
            of.published(collection)
                .iter()
                .map(|item| shown(collection, item)),
        )
    };
    let list = app.public_list(collection, &snapshot, serialize).await?;
    public_list(
        &request,
        &list,
        filter.positions(snapshot.published(collection)),
    )
}

fn shown(collection: &Collection, item: &Entry) -> Json {
    item.to_json_for(collection, Audience::Everyone)
}

pub async fn one(
    collection: &'static Collection,
    request: HttpRequest,
    app: AppState,
    key: web::Path<String>,
) -> HandlerResult {
    let snapshot = app.site.published_snapshot().await?;
    let is_wanted = |item: &&Arc<Entry>| match collection.page.and_then(|page| page.key) {
        Some(name) => item.text(name) == Some(key.as_str()),
        None => item.id == *key,
    };
    let item = snapshot.published(collection).iter().find(is_wanted);
    let item = item.ok_or(Error::NotFound)?;
    public(&request, &item.to_json_for(collection, Audience::Detail))
}

/// Returns 200 while the data file can be read. `?verbose` adds the results of the last publish and
/// the last backup.
pub async fn health(request: HttpRequest, app: AppState) -> HandlerResult {
    let note = app
        .read(|reader| Ok(reader.note(local_backup::NOTE)?))
        .await?;
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    if request.query_string() != "verbose" {
        return Ok(response
            .content_type("text/plain; charset=utf-8")
            .body("ok"));
    }
    // The endpoint is public: paths and reasons stay in the log.
    let outcome = note.and_then(|note| serde_json::from_slice::<local_backup::Outcome>(&note).ok());
    Ok(response.json(json!({
        "status": "ok",
        "published": app.site.publisher.state().is_some_and(|state| state.ok),
        "backup": outcome.map(|outcome| json!({"at": outcome.at, "ok": outcome.ok})),
    })))
}

pub async fn site(request: HttpRequest, app: AppState) -> HandlerResult {
    public(
        &request,
        &app.site.published_snapshot().await?.settings_json(),
    )
}

pub async fn file_icon() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("image/svg+xml")
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .body(FILE_ICON)
}
