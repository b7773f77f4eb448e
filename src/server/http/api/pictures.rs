//! Admin endpoints for stored images: the list to choose from, their uses, and their edits.

use crate::errors::{Error, Result};
use crate::http::api::items::{WRONG_QUERY, parse_limit, parse_offset};
use crate::http::api::uploads;
use crate::http::auth::Admin;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_content::blocks::BlockDefinitions;
use respiro_content::picture::{Crop, ORIGINAL, PictureEdit};
use respiro_content::time::rfc3339;
use respiro_content::{NEWSLETTERS, Picture, Search};
use respiro_db::{PicturePlace, PictureUse, Role};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;

const LIMIT_DEFAULT: usize = 24;
const WRONG_EDIT: &str = "deve stare dentro l'immagine e tenerne almeno un cinquantesimo per lato";
const WRONG_TURNS: &str = "deve essere un numero da 0 a 3";

/// Query parameters of the list.
#[derive(Debug, Default, Deserialize)]
pub struct PageRange {
    limit: Option<String>,
    offset: Option<String>,
    search: Option<String>,
}

/// Returns a page of the images that an item, a content block or a setting shows, the newest first.
/// The search looks into alternative texts and the titles of the places.
///
/// An image that only the trash or a former version shows is not offered again: it may be there
/// because a person asked for its removal.
pub async fn list(admin: Admin, request: HttpRequest, app: AppState) -> HandlerResult {
    let Ok(span) = web::Query::<PageRange>::from_query(request.query_string()) else {
        return Err(Error::BadRequest(WRONG_QUERY));
    };
    let limit = parse_limit(span.limit.as_deref(), LIMIT_DEFAULT)?;
    let offset = parse_offset(span.offset.as_deref())?;
    let search = Search::new(span.search.as_deref().unwrap_or_default());
    let definitions = app.site.definitions();
    let list = app.read(move |reader| {
        let mut uses = reader.pictures().uses()?;
        let mut found = Vec::new();
        let mut total = 0;
        for (id, picture) in reader.pictures().list()? {
            let uses = visible_uses(uses.remove(&id).unwrap_or_default(), admin.role);
            if uses.iter().all(|used| is_in_trash(&used.place)) {
                continue;
            }
            total += 1;
            let texts = uses.iter().flat_map(|used| texts_of(used, definitions));
            if search.is_in_any(texts) {
                found.push((picture, uses));
            }
        }
        found.sort_by_key(|(picture, _)| (Reverse(picture.created_at), picture.id.clone()));
        let part = found.iter().skip(offset).take(limit);
        let part = part.map(|(picture, uses)| picture_json(picture, uses, definitions));
        Ok(json!({
            "pictures": part.collect::<Vec<Json>>(),
            "found": found.len(),
            "total": total,
        }))
    });
    json_no_store(StatusCode::OK, &list.await?)
}

/// Returns one image with its uses and its edit. An image without an alternative text has that of
/// another one that was made of the same original: an edit of it, or a second upload.
pub async fn get(admin: Admin, app: AppState, id: web::Path<String>) -> HandlerResult {
    let definitions = app.site.definitions();
    let json = app.read(move |reader| {
        let picture = reader.pictures().get(&id)?.ok_or(Error::NotFound)?;
        let mut all = reader.pictures().uses()?;
        let uses = visible_uses(all.remove(&picture.id).unwrap_or_default(), admin.role);
        let mut json = picture_json(&picture, &uses, definitions);
        json["edit"] = json!(reader.pictures().edit(&picture)?.unwrap_or_default());
        if json["alt"].is_null() {
            let mut same = reader.pictures().list()?;
            same.retain(|_, other| original_of(other) == original_of(&picture));
            let uses = same.keys().filter_map(|id| all.remove(id)).flatten();
            let mut uses = visible_uses(uses.collect(), admin.role);
            uses.retain(|used| !is_in_trash(&used.place));
            json["alt"] = json!(latest_alt(&uses));
        }
        Ok(json)
    });
    json_no_store(StatusCode::OK, &json.await?)
}

fn original_of(picture: &Picture) -> Option<[u8; 32]> {
    picture.files.get(ORIGINAL).map(|file| file.hash)
}

/// Makes an image of the same original by another edit, and returns its path: addresses of images
/// are cached for a year, so each edit has its own. An edit that exists already is not made again.
pub async fn edit(
    _: Admin,
    app: AppState,
    id: web::Path<String>,
    body: JsonObject,
) -> HandlerResult {
    let edit = parse_edit(&body)?;
    let find = app.read(move |reader| {
        let picture = reader.pictures().get(&id)?.ok_or(Error::NotFound)?;
        let original = original_of(&picture).ok_or(Error::NotFound)?;
        let same = reader.pictures().find_edited(&original, edit)?;
        Ok((original, same))
    });
    let (original, same) = find.await?;
    let picture = match same {
        None => uploads::store_edited(&app, original, edit).await?,
        Some(picture) => {
            let now = app.now();
            app.change(move |writer| {
                writer.pictures().keep_unused(&picture, now)?;
                Ok(picture)
            })
            .await?
        }
    };
    json_no_store(StatusCode::OK, &uploads::stored_json(&picture))
}

fn parse_edit(body: &JsonObject) -> Result<PictureEdit> {
    let turns = body.0.get("turns").cloned().unwrap_or(json!(0));
    let turns = serde_json::from_value(turns).ok();
    let turns = turns.filter(|turns: &u8| *turns < 4);
    let turns = turns.ok_or_else(|| invalid("turns", WRONG_TURNS))?;
    let crop = body.0.get("crop").filter(|crop| !crop.is_null());
    let parse = |crop: &Json| -> Option<Crop> {
        // Serde reads the fields of a list by their order, too.
        crop.as_object()?;
        serde_json::from_value(crop.clone()).ok()
    };
    let crop = crop.map(|crop| parse(crop).ok_or_else(|| invalid("crop", WRONG_EDIT)));
    let crop = crop.transpose()?;
    let edit = PictureEdit { turns, crop };
    edit.checked().ok_or_else(|| invalid("crop", WRONG_EDIT))
}

/// Leaves the uses in newsletters out for an account that may not see those.
fn visible_uses(mut uses: Vec<PictureUse>, role: Role) -> Vec<PictureUse> {
    let is_visible = |place: &PicturePlace| match place {
        PicturePlace::Item { collection, .. } | PicturePlace::Trashed { collection, .. } => {
            role == Role::Owner || *collection != NEWSLETTERS.slug
        }
        PicturePlace::Block(_) | PicturePlace::Setting(_) => true,
    };
    uses.retain(|used| is_visible(&used.place));
    uses
}

const fn is_in_trash(place: &PicturePlace) -> bool {
    matches!(place, PicturePlace::Trashed { .. })
}

/// Returns what the search looks through.
fn texts_of<'a>(
    used: &'a PictureUse,
    definitions: &'a BlockDefinitions,
) -> impl Iterator<Item = &'a str> {
    let title = match &used.place {
        PicturePlace::Item { title, .. } | PicturePlace::Trashed { title, .. } => title.as_deref(),
        PicturePlace::Block(id) => definitions.find(id).map(|block| &*block.label),
        PicturePlace::Setting(_) => None,
    };
    used.alt.as_deref().into_iter().chain(title)
}

/// Returns the alternative text that was written last.
fn latest_alt(uses: &[PictureUse]) -> Option<&str> {
    let written = uses.iter().filter(|used| used.alt.is_some());
    let latest = written.max_by_key(|used| used.changed_at);
    latest.and_then(|used| used.alt.as_deref())
}

fn picture_json(picture: &Picture, uses: &[PictureUse], definitions: &BlockDefinitions) -> Json {
    let mut json = picture.to_admin_json(latest_alt(uses), picture.focus((50, 50)));
    json["createdAt"] = json!(rfc3339(picture.created_at));
    json["isEdited"] = json!(picture.is_edited());
    let uses = uses.iter().map(|used| use_json(used, definitions));
    json["uses"] = uses.collect();
    json
}

fn use_json(used: &PictureUse, definitions: &BlockDefinitions) -> Json {
    match &used.place {
        PicturePlace::Item {
            collection,
            id,
            title,
            is_published,
        } => json!({
            "is": "item", "kind": collection, "id": id, "title": title, "published": is_published,
        }),
        PicturePlace::Trashed { collection, title } => {
            json!({ "is": "trash", "kind": collection, "title": title })
        }
        PicturePlace::Block(id) => {
            let block = definitions.find(id);
            let label = block.map_or(&**id, |block| &*block.label);
            let pages = block.map_or(&[][..], |block| &block.pages[..]);
            json!({ "is": "block", "id": id, "title": label, "pages": pages })
        }
        PicturePlace::Setting(name) => json!({ "is": "setting", "id": name }),
    }
}
