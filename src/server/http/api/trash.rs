//! Admin endpoints for the trash: items of every collection, deleted in the last thirty days.

use crate::http::api::items;
use crate::http::auth::{Admin, Owner};
use crate::http::responses::{json_no_store, json_with_etag, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_content::Audience;
use respiro_content::time::rfc3339;
use respiro_db::Writer;
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

pub async fn restore(admin: Admin, app: AppState, id: web::Path<String>) -> HandlerResult {
    let now = app.now();
    let json = app
        .change_as(admin.actor(now), move |writer| {
            let (collection, item) = writer.trash().restore(&id, now)?;
            items::item_json(collection, writer, &item)
        })
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

pub async fn purge(Owner(admin): Owner, app: AppState, id: web::Path<String>) -> HandlerResult {
    let purge = move |writer: &mut Writer<'_>| Ok(writer.trash().purge(&id)?);
    app.change_as(admin.actor(app.now()), purge).await?;
    Ok(no_content())
}

pub async fn empty(Owner(admin): Owner, app: AppState) -> HandlerResult {
    let empty = |writer: &mut Writer<'_>| Ok(writer.trash().empty()?);
    app.change_as(admin.actor(app.now()), empty).await?;
    Ok(no_content())
}
