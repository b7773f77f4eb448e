//! Admin endpoints for the trash: items of every collection, deleted in the last thirty days.

use crate::http::api::items;
use crate::http::auth::{Admin, Owner};
use crate::http::responses::{json_no_store, json_with_etag, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_content::Audience;
use respiro_content::time::rfc3339;
use serde_json::{Value as Json, json};

pub async fn list(_: Admin, app: AppState) -> HandlerResult {
    let list = app
        .read(|reader| {
            let pictures = reader.pictures().list()?;
            let mut trash = reader.trash().list()?;
            trash.sort_by_key(|trashed| std::cmp::Reverse(trashed.deleted_at));
            let json = |trashed: &respiro_db::Trashed| {
                json!({
                    "id": trashed.item.id,
                    "kind": trashed.collection.slug,
                    "deletedAt": rfc3339(trashed.deleted_at),
                    "item": trashed.item.to_json(trashed.collection, &pictures, Audience::Admin),
                })
            };
            Ok(trash.iter().map(json).collect::<Vec<Json>>())
        })
        .await?;
    json_no_store(StatusCode::OK, &list)
}

pub async fn restore(_: Admin, app: AppState, id: web::Path<String>) -> HandlerResult {
    let now = app.now();
    let json = app
        .change(move |writer| {
            let (collection, item) = writer.trash().restore(&id, now)?;
            items::item_json(collection, writer, &item)
        })
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

pub async fn purge(_: Owner, app: AppState, id: web::Path<String>) -> HandlerResult {
    app.change(move |writer| Ok(writer.trash().purge(&id)?))
        .await?;
    Ok(no_content())
}

pub async fn empty(_: Owner, app: AppState) -> HandlerResult {
    app.change(|writer| Ok(writer.trash().empty()?)).await?;
    Ok(no_content())
}
