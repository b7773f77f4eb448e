//! Publish schedule of an item: when the server publishes and withdraws it.

use crate::errors::{Error, Result};
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_content::time::{parse_rfc3339, rfc3339};
use respiro_content::{Collection, Timestamp, validation};
use respiro_db::PublishSchedule;
use serde_json::{Map, Value as Json, json};

pub(super) fn schedule_json(plan: &PublishSchedule) -> Json {
    json!({
        "publishAt": plan.publish_at.map(rfc3339),
        "withdrawAt": plan.withdraw_at.map(rfc3339),
    })
}

pub async fn get(
    collection: &'static Collection,
    app: AppState,
    id: web::Path<String>,
) -> HandlerResult {
    let plan = app.read(move |reader| {
        reader
            .items()
            .get(collection, &id)?
            .ok_or(Error::NotFound)?;
        Ok(reader.schedules().get(&id)?)
    });
    json_no_store(
        StatusCode::OK,
        &schedule_json(&plan.await?.unwrap_or_default()),
    )
}

pub async fn put(
    collection: &'static Collection,
    app: AppState,
    id: web::Path<String>,
    body: JsonObject,
) -> HandlerResult {
    let now = app.now();
    let plan = PublishSchedule {
        collection_number: collection.number,
        publish_at: moment(&body.0, "publishAt", now)?,
        withdraw_at: moment(&body.0, "withdrawAt", now)?,
    };
    let plan = app.change(move |writer| {
        writer
            .items()
            .get(collection, &id)?
            .ok_or(Error::NotFound)?;
        writer.schedules().put(&id, &plan)?;
        Ok(plan)
    });
    json_no_store(StatusCode::OK, &schedule_json(&plan.await?))
}

/// Parses a moment in the future and within a year. A missing or empty field clears it.
pub(super) fn moment(
    body: &Map<String, Json>,
    name: &'static str,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let text = match body.get(name) {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::String(text)) if text.is_empty() => return Ok(None),
        Some(Json::String(text)) => text,
        Some(_) => return Err(invalid(name, "deve essere un testo")),
    };
    let at = parse_rfc3339(text).ok_or_else(|| invalid(name, "non è una data"))?;
    let at = validation::planned(name, at, now).map_err(|error| Error::Invalid(vec![error]))?;
    Ok(Some(at))
}
