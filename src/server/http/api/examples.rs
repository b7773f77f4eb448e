//! Admin endpoints that remove the unchanged examples of a new site at once, and bring them back.

use crate::errors::Result;
use crate::http::auth::Admin;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use respiro_db::Reader;
use respiro_importers::demo;
use serde_json::{Value as Json, json};

/// More ids than the program has examples.
const IDS_MAX: usize = 500;

/// Returns the number of unchanged examples.
pub fn count(reader: &Reader<'_>) -> Result<usize> {
    Ok(demo::unchanged(reader)?.len())
}

/// Moves every unchanged example to the trash and returns their ids.
pub async fn remove(admin: Admin, app: AppState) -> HandlerResult {
    let now = app.now();
    let ids = app
        .change_as(admin.actor(now), move |writer| {
            let mut ids = Vec::new();
            for (collection, id) in demo::unchanged(writer)? {
                writer.items().delete(collection, &id, now)?;
                ids.push(id);
            }
            writer.set_demo(false)?;
            Ok(ids)
        })
        .await?;
    json_no_store(StatusCode::OK, &json!({ "ids": ids }))
}

/// Takes examples out of the trash again: `{ids}` of a removal.
pub async fn restore(admin: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let ids = body.0.get("ids").and_then(Json::as_array);
    let ids = ids.filter(|ids| ids.len() <= IDS_MAX);
    let ids: Option<Vec<String>> =
        ids.and_then(|ids| ids.iter().map(|id| Some(id.as_str()?.to_owned())).collect());
    let ids = ids.ok_or_else(|| invalid("ids", "deve essere un elenco"))?;
    let now = app.now();
    let restored = app
        .change_as(admin.actor(now), move |writer| {
            for id in &ids {
                writer.trash().restore(id, now)?;
            }
            writer.set_demo(!ids.is_empty() || writer.is_demo()?)?;
            Ok(ids.len())
        })
        .await?;
    json_no_store(StatusCode::OK, &json!({ "restored": restored }))
}
