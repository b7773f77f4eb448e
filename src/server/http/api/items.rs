//! Admin endpoints for items of every collection.

use crate::errors::{Error, FieldError, Result};
use crate::http::api::publish_schedule;
use crate::http::auth::Admin;
use crate::http::idempotency::{Created, IdempotencyKey};
use crate::http::precondition::IfMatch;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, json_with_etag, no_content};
use crate::http::{AppState, HandlerResult};
use crate::qr_code::QrCode;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_auth::token;
use respiro_content::item::{sort, sort_for_admin};
use respiro_content::schema::ITEMS_PER_COLLECTION_MAX;
use respiro_content::time::day;
use respiro_content::{Audience, Changes, Collection, Item, Pictures, Search, last_day};
use respiro_db::{Direction, Reader, Writer};
use serde::Deserialize;
use serde_json::{Value as Json, json};

const LIMIT_MAX: usize = 100;
/// Body limit of a new order: the ids of a full list, each with quotes, comma and space.
const ORDER_BYTES_MAX: usize = 1_024 + ITEMS_PER_COLLECTION_MAX * 32;
const WRONG_LIMIT: &str = "Il parametro «limit» deve essere un numero intero tra 1 e 100.";
const WRONG_OFFSET: &str = "Il parametro «offset» deve essere un numero intero.";
const WRONG_POSITION: &str = "La posizione deve essere un numero intero da 0 in su";
pub(super) const WRONG_QUERY: &str = "I parametri dell'indirizzo non sono validi.";

pub(super) fn parse_limit(text: Option<&str>, otherwise: usize) -> Result<usize> {
    match text.map(str::parse) {
        None => Ok(otherwise),
        Some(Ok(limit @ 1..=LIMIT_MAX)) => Ok(limit),
        Some(_) => Err(Error::BadRequest(WRONG_LIMIT)),
    }
}

pub(super) fn parse_offset(text: Option<&str>) -> Result<usize> {
    match text.map(str::parse) {
        None => Ok(0),
        Some(Ok(offset)) => Ok(offset),
        Some(Err(_)) => Err(Error::BadRequest(WRONG_OFFSET)),
    }
}

pub async fn list(collection: &'static Collection, app: AppState) -> HandlerResult {
    let list = app
        .read(move |reader| list_json(collection, reader))
        .await?;
    json_no_store(StatusCode::OK, &list)
}

fn list_json(collection: &'static Collection, reader: &Reader<'_>) -> Result<Vec<Json>> {
    let mut items = reader.items().list(collection)?;
    sort(&mut items);
    let pictures = pictures(collection, reader)?;
    let json = |item: &Item| item.to_json(collection, &pictures, Audience::Admin);
    Ok(items.iter().map(json).collect())
}

/// Query parameters of a page of the list.
#[derive(Debug, Default, Deserialize)]
pub struct PageRange {
    limit: Option<String>,
    offset: Option<String>,
    search: Option<String>,
    /// `1`: only items that are published and not over.
    current: Option<String>,
}

/// Returns one page of the list, with the total and the number of matches.
pub async fn page(
    collection: &'static Collection,
    request: HttpRequest,
    app: AppState,
) -> HandlerResult {
    let Ok(span) = web::Query::<PageRange>::from_query(request.query_string()) else {
        return Err(Error::BadRequest(WRONG_QUERY));
    };
    let limit = parse_limit(span.limit.as_deref(), LIMIT_MAX)?;
    let offset = parse_offset(span.offset.as_deref())?;
    let search = Search::new(span.search.as_deref().unwrap_or_default());
    let today = (span.current.as_deref() == Some("1")).then(|| day(app.now()));
    let page = app
        .read(move |reader| {
            let mut items = reader.items().list(collection)?;
            let total = items.len();
            let is_current = |item: &Item| {
                let is_over = |today| last_day(collection, item).is_some_and(|last| last < today);
                today.is_none_or(|today| item.published && !is_over(today))
            };
            items.retain(|item| is_current(item) && search.is_in(item));
            sort_for_admin(collection, &mut items);
            let part = items.iter().skip(offset).take(limit);
            let part: Result<Vec<Json>> = part
                .map(|item| list_item_json(collection, reader, item))
                .collect();
            Ok(json!({ "items": part?, "found": items.len(), "total": total }))
        })
        .await?;
    json_no_store(StatusCode::OK, &page)
}

fn pictures(collection: &Collection, reader: &Reader<'_>) -> Result<Pictures> {
    if collection.picture {
        Ok(reader.pictures().list()?)
    } else {
        Ok(Pictures::new())
    }
}

pub async fn get(
    collection: &'static Collection,
    app: AppState,
    id: web::Path<String>,
) -> HandlerResult {
    let json = app
        .read(move |reader| current(collection, reader, &id))
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

/// Returns the address of the item's page and its QR code, for what is printed or sent.
pub async fn qr_code(
    collection: &'static Collection,
    app: AppState,
    id: web::Path<String>,
) -> HandlerResult {
    let find = move |reader: &Reader<'_>| Ok(reader.items().get(collection, &id)?);
    let item = app.read(find).await?.ok_or(Error::NotFound)?;
    let path = item.page_path(collection).ok_or(Error::NotFound)?;
    let url = format!("{}{path}", app.site.public_url());
    let qr_code = QrCode::of(&url)?;
    json_no_store(StatusCode::OK, &json!({ "url": url, "qrCode": qr_code }))
}

/// Returns the item as the admin sees it. Changes read it within their own transaction.
fn current(collection: &Collection, reader: &Reader<'_>, id: &str) -> Result<Json> {
    let item = reader.items().get(collection, id)?.ok_or(Error::NotFound)?;
    item_json(collection, reader, &item)
}

pub(super) fn item_json(collection: &Collection, reader: &Reader<'_>, item: &Item) -> Result<Json> {
    let pictures = reader.pictures().find(item.picture_ids())?;
    Ok(item.to_json(collection, &pictures, Audience::Admin))
}

/// Adds the publish schedule to an item of the list. It is no field of the item and does not affect
/// its version.
fn list_item_json(collection: &Collection, reader: &Reader<'_>, item: &Item) -> Result<Json> {
    let mut json = item_json(collection, reader, item)?;
    if collection.page.is_some() {
        json["plan"] = reader
            .schedules()
            .get(&item.id)?
            .map_or(Json::Null, |plan| publish_schedule::schedule_json(&plan));
    }
    Ok(json)
}

pub async fn create(
    collection: &'static Collection,
    admin: Admin,
    app: AppState,
    key: IdempotencyKey,
    body: JsonObject,
) -> HandlerResult {
    let creation = key.bind(&admin, collection.slug, &body);
    let changes = Changes::parse(collection, &body.0)?;
    let (now, actor) = (app.now(), admin.actor(app.now()));
    let id = token::id().map_err(|error| Error::Internal(error.to_string()))?;
    let json = app
        .change_as(actor, move |writer| {
            let create = |writer: &mut Writer<'_>| {
                let item = writer.items().create(collection, changes, id, now)?;
                let json = item_json(collection, writer, &item)?;
                Ok((item.id, json))
            };
            let by_id = |reader: &Reader<'_>, id: &str| current(collection, reader, id);
            match creation.once(writer, now, create, by_id)? {
                Created::Now(json) => Ok(json),
                Created::Before(id) => current(collection, writer, &id),
            }
        })
        .await?;
    json_with_etag(StatusCode::CREATED, &json)
}

pub async fn update(
    collection: &'static Collection,
    admin: Admin,
    app: AppState,
    id: web::Path<String>,
    expected: IfMatch,
    body: JsonObject,
) -> HandlerResult {
    let changes = Changes::parse(collection, &body.0)?;
    let now = app.now();
    let json = app
        .change_as(admin.actor(now), move |writer| {
            expected.check(|| current(collection, writer, &id))?;
            let item = writer.items().update(collection, &id, changes, now)?;
            item_json(collection, writer, &item)
        })
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

pub async fn delete(
    collection: &'static Collection,
    admin: Admin,
    app: AppState,
    id: web::Path<String>,
    expected: IfMatch,
) -> HandlerResult {
    let now = app.now();
    app.change_as(admin.actor(now), move |writer| {
        expected.check(|| current(collection, writer, &id))?;
        Ok(writer.items().delete(collection, &id, now)?)
    })
    .await?;
    Ok(no_content())
}

pub async fn move_one(
    collection: &'static Collection,
    admin: Admin,
    app: AppState,
    id: web::Path<String>,
    expected: IfMatch,
    body: JsonObject,
) -> HandlerResult {
    let direction = parse_direction(&body)?;
    let now = app.now();
    let json = app
        .change_as(admin.actor(now), move |writer| {
            expected.check(|| current(collection, writer, &id))?;
            let item = writer.items().reposition(collection, &id, direction, now)?;
            item_json(collection, writer, &item)
        })
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

/// Parses a move: one step, or a position in the whole list, of which the client may have loaded a
/// part only.
fn parse_direction(body: &JsonObject) -> Result<Direction> {
    let wrong = |field, message| Error::Invalid(vec![FieldError::new(field, message)]);
    if let Some(position) = body.0.get("position") {
        let place = position
            .as_u64()
            .and_then(|place| usize::try_from(place).ok());
        return place
            .map(Direction::To)
            .ok_or_else(|| wrong("position", WRONG_POSITION));
    }
    match body.text("direction")? {
        "up" => Ok(Direction::Up),
        "down" => Ok(Direction::Down),
        _ => Err(wrong("direction", "La direzione deve essere «up» o «down»")),
    }
}

pub async fn order(
    collection: &'static Collection,
    admin: Admin,
    app: AppState,
    body: JsonObject<ORDER_BYTES_MAX>,
) -> HandlerResult {
    let ids = body.0.get("ids").and_then(Json::as_array);
    let ids: Option<Vec<String>> = ids.and_then(|ids| {
        ids.iter()
            .map(|id| id.as_str().map(str::to_owned))
            .collect()
    });
    let ids = ids.ok_or_else(|| invalid("ids", "deve essere un elenco di identificativi"))?;
    let now = app.now();
    let reorder =
        move |writer: &mut Writer<'_>| Ok(writer.items().reorder(collection, &ids, now)?);
    app.change_as(admin.actor(now), reorder).await?;
    list(collection, app).await
}
