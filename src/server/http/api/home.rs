//! Admin endpoint for the first screen of the panel.

use crate::errors::Result;
use crate::http::auth::Admin;
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use respiro_content::blocks::BlockDefinitions;
use respiro_content::time::{day, rfc3339};
use respiro_content::{
    COLLECTIONS, Item, Settings, Value, collection_by_slug, event_times, last_day,
};
use respiro_db::Reader;
use serde_json::{Map, Value as Json, json};
use std::cmp::Reverse;

const EVENTS_MAX: usize = 5;

/// Returns the next events, the last change of the site, and what the screen needs to know about
/// settings and passkeys.
pub async fn get(admin: Admin, app: AppState) -> HandlerResult {
    let (email, now) = (admin.session.email, app.now());
    let definitions = app.site.definitions();
    let json = app.read(move |reader| {
        let settings = reader.settings().get()?;
        Ok(json!({
            "brand": settings.text("brand"),
            "practitioner": settings.text("practitioner"),
            "hasOpeningPicture": has_picture(&settings, "heroImageOne"),
            "passkeys": reader.passkeys().list(&email)?.len(),
            "totals": totals(reader)?,
            "lastChange": last_change(reader, definitions)?,
            "events": next_events(reader, &day(now).to_string())?,
        }))
    });
    json_no_store(StatusCode::OK, &json.await?)
}

fn has_picture(settings: &Settings, name: &str) -> bool {
    let value = settings.values.get(name);
    value.and_then(Value::picture_id).is_some()
}

/// Returns the number of items of each collection.
fn totals(reader: &Reader<'_>) -> Result<Map<String, Json>> {
    let mut totals = Map::new();
    for collection in COLLECTIONS {
        let items = reader.items().list(collection)?;
        totals.insert(collection.slug.to_owned(), json!(items.len()));
    }
    Ok(totals)
}

/// Returns the published item or the content block that was saved last; `null` if there is none.
fn last_change(reader: &Reader<'_>, definitions: &BlockDefinitions) -> Result<Json> {
    let mut changes = Vec::new();
    for collection in COLLECTIONS {
        let items = reader.items().list(collection)?;
        let published = items.into_iter().filter(|item| item.published);
        changes.extend(published.max_by_key(|item| item.updated_at).map(|item| {
            let title = item.text("title").or(item.text("name"));
            let json = json!({ "kind": collection.slug, "id": item.id, "title": title });
            (item.updated_at, json)
        }));
    }
    let blocks = reader.content_blocks().list()?.into_values();
    let latest = blocks.max_by_key(|block| block.saved_at);
    changes.extend(latest.and_then(|saved| {
        let block = definitions.find(&saved.id)?;
        let json = json!({ "block": block.id, "title": block.label, "pages": block.pages });
        Some((saved.saved_at, json))
    }));
    let latest = changes.into_iter().max_by_key(|(at, _)| *at);
    Ok(latest.map_or(Json::Null, |(at, mut json)| {
        json["at"] = json!(rfc3339(at));
        json
    }))
}

/// Returns the events that are not over, by their next day; those without a date that is
/// understood come last, the newest first.
fn next_events(reader: &Reader<'_>, today: &str) -> Result<Vec<Json>> {
    let Some(events) = collection_by_slug("events") else {
        return Ok(Vec::new());
    };
    let mut next = Vec::new();
    for item in reader.items().list(events)? {
        let last = last_day(events, &item).map(|day| day.to_string());
        if last.as_deref().is_none_or(|last| last >= today) {
            let day = next_day(&item, today).or(last);
            next.push((day, item));
        }
    }
    next.sort_by_cached_key(|(day, item)| (day.is_none(), day.clone(), Reverse(item.created_at)));
    let shown = next.iter().take(EVENTS_MAX);
    Ok(shown
        .map(|(day, item)| event_json(item, day.as_deref()))
        .collect())
}

/// Returns the first day from `today` on; of an event under way the day on which it began.
fn next_day(item: &Item, today: &str) -> Option<String> {
    let written = day(item.date_written_at());
    let schedule = event_times::read(item.text("date"), item.text("time"), written)?;
    let all = std::iter::once(&schedule.first).chain(&schedule.others);
    let mut days = all.filter_map(|one| one.start.get(..10));
    let first = schedule.first.start.get(..10);
    days.find(|day| *day >= today).or(first).map(str::to_owned)
}

fn event_json(item: &Item, day: Option<&str>) -> Json {
    let is = |name: &str| item.values.get(name) == Some(&Value::Boolean(true));
    json!({
        "id": item.id,
        "title": item.text("title"),
        "date": item.text("date"),
        "time": item.text("time"),
        "location": item.text("location"),
        "published": item.published,
        "soldOut": is("soldOut"),
        "cancelled": is("cancelled"),
        "day": day,
    })
}
