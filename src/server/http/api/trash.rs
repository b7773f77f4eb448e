//! Admin endpoints for the trash: items of every collection, deleted in the last thirty days.

use crate::http::api::items;
use crate::http::auth::Admin;
use crate::http::responses::{no_content, private, versioned};
use crate::http::{Answer, Shared};
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_content::Audience;
use respiro_content::time::rfc3339;
use serde_json::{Value as Json, json};

pub async fn list(_: Admin, shared: Shared) -> Answer {
    let list = shared
        .read(|reader| {
            let pictures = reader.pictures()?;
            let mut trash = reader.trash()?;
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
    private(StatusCode::OK, &list)
}

pub async fn restore(_: Admin, shared: Shared, id: web::Path<String>) -> Answer {
    let now = shared.now();
    let json = shared
        .change(move |writer| {
            let (collection, item) = writer.restore_item(&id, now)?;
            items::shown(collection, writer, &item)
        })
        .await?;
    versioned(StatusCode::OK, &json)
}

pub async fn purge(_: Admin, shared: Shared, id: web::Path<String>) -> Answer {
    shared
        .change(move |writer| Ok(writer.purge_item(&id)?))
        .await?;
    Ok(no_content())
}

pub async fn empty(_: Admin, shared: Shared) -> Answer {
    shared.change(|writer| Ok(writer.empty_trash()?)).await?;
    Ok(no_content())
}
