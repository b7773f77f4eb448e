//! Admin endpoints for the data of one person: everything that is stored, and its erasure (GDPR,
//! articles 15 and 17).

use crate::config::Config;
use crate::errors::{Error, FieldError, Result};
use crate::http::api::campaigns::outcome_labels;
use crate::http::api::subscribers::subscriber_json;
use crate::http::api::testimonials::provenance_json;
use crate::http::auth::Owner;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use respiro_backup::offsite;
use respiro_content::blocks::{BlockDefinition, BlockDefinitions};
use respiro_content::time::rfc3339;
use respiro_content::validation::is_email_address;
use respiro_content::{Audience, NEWSLETTERS, Pictures, Timestamp, sanitize};
use respiro_db::{
    Draft, ErasedCounts, PersonItem, PersonQuery, PersonRecords, Reader, TestimonialRequest,
};
use respiro_email::transactional_queue::TransactionalQueue;
use respiro_newsletter::{self as newsletter, BounceSummary};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

const CHARACTERS_MAX: usize = 254;
/// Items that one request can erase; a request body cannot name many more.
const ITEMS_MAX: usize = 1_000;
const INVALID_ADDRESS: &str = "L'indirizzo e-mail non è valido";
const NOBODY: &str = "Scrivi l’indirizzo e-mail o il nome della persona";

/// Returns everything that is stored about a person, as the file to hand over.
pub async fn find(_: Owner, app: AppState, body: JsonObject) -> HandlerResult {
    let query = query_of(&body)?;
    let copies = copies_json(&app.config);
    let (now, definitions) = (app.now(), app.site.definitions());
    let found = app.read(move |reader| {
        let query = stored_query(reader, query)?;
        let records = reader.person(&query)?;
        let is_queued = TransactionalQueue::load(reader)?.contains(&query.email);
        let mut json = records_json(reader, definitions, &records, is_queued)?;
        json["email"] = json!(query.email);
        json["name"] = json!(query.name);
        json["at"] = json!(rfc3339(now));
        Ok(json)
    });
    let mut json = found.await?;
    json["copies"] = copies;
    json_no_store(StatusCode::OK, &json)
}

/// Erases the newsletter records, the invitations, the former versions, the drafts and the named
/// items.
pub async fn erase(Owner(admin): Owner, app: AppState, body: JsonObject) -> HandlerResult {
    let query = query_of(&body)?;
    let ids = item_ids(&body)?;
    let now = app.now();
    let erased = app.change_as(admin.actor(now), move |writer| {
        let query = stored_query(writer, query)?;
        let mut queue = TransactionalQueue::load(writer)?;
        if queue.contains(&query.email) {
            queue.remove(&query.email);
            queue.save(writer)?;
        }
        Ok(writer.erase_person(&query, &ids, now)?)
    });
    let ErasedCounts {
        subscribers,
        items,
        invitations,
        former_versions,
        drafts,
    } = erased.await?;
    let json = json!({
        "subscribers": subscribers,
        "items": items,
        "invitations": invitations,
        "formerVersions": former_versions,
        "drafts": drafts,
        "copies": copies_json(&app.config),
    });
    json_no_store(StatusCode::OK, &json)
}

fn query_of(body: &JsonObject) -> Result<PersonQuery> {
    let text = |name| -> Result<String> {
        let text = sanitize::single_line(body.optional_text(name)?.unwrap_or_default());
        if text.chars().count() > CHARACTERS_MAX {
            let reason = format!("è troppo lungo (massimo {CHARACTERS_MAX} caratteri)");
            return Err(invalid(name, &reason));
        }
        Ok(text)
    };
    let (email, name) = (text("email")?, text("name")?);
    if email.is_empty() && name.chars().count() < 3 {
        return Err(Error::Invalid(vec![FieldError::new("email", NOBODY)]));
    }
    Ok(PersonQuery { email, name })
}

/// Replaces the address as typed by its stored form.
fn stored_query(reader: &Reader<'_>, query: PersonQuery) -> Result<PersonQuery> {
    if query.email.is_empty() {
        return Ok(query);
    }
    let email = newsletter::find_address(reader, &query.email)?;
    if !is_email_address(&email) {
        let error = FieldError::new("email", INVALID_ADDRESS);
        return Err(Error::Invalid(vec![error]));
    }
    Ok(PersonQuery { email, ..query })
}

fn item_ids(body: &JsonObject) -> Result<BTreeSet<String>> {
    let Some(Json::Array(ids)) = body.0.get("items") else {
        return Err(invalid("items", "deve essere una lista"));
    };
    if ids.len() > ITEMS_MAX {
        return Err(invalid("items", "è troppo lungo"));
    }
    let ids = ids.iter().map(|id| id.as_str().map(str::to_owned));
    let ids: Option<BTreeSet<String>> = ids.collect();
    ids.ok_or_else(|| invalid("items", "deve contenere testi"))
}

fn records_json(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
    records: &PersonRecords,
    is_queued: bool,
) -> Result<Json> {
    let pictures = Pictures::default();
    let mut deliveries = Vec::new();
    for (id, delivery) in &records.deliveries {
        let sent = reader.items().get(&NEWSLETTERS, id)?;
        deliveries.push(json!({
            "newsletter": sent.and_then(|item| item.text("title").map(str::to_owned)),
            "state": outcome_labels(delivery.fate).0,
            "at": rfc3339(delivery.at),
            "reason": delivery.reason,
        }));
    }
    let items = records.items.iter();
    let invitations = records.invitations.iter();
    let blocks = records.blocks.iter().filter_map(|id| definitions.find(id));
    let subscriber = records.subscriber.as_ref();
    let bounce = match subscriber {
        Some((subscriber, _)) => reader.bounces().get(&subscriber.email)?,
        None => None,
    };
    let bounce = bounce.map(|record| BounceSummary::of(&record));
    Ok(json!({
        "newsletter": subscriber.map(|(subscriber, status)| {
            subscriber_json(subscriber, status, bounce)
        }),
        "isQueued": is_queued,
        "deliveries": deliveries,
        "items": items.map(|found| item_json(found, &pictures)).collect::<Vec<_>>(),
        "invitations": invitations.map(invitation_json).collect::<Vec<_>>(),
        "blocks": blocks.map(block_json).collect::<Vec<_>>(),
        "formerVersions": records.former_versions,
        "drafts": records.drafts.iter().map(draft_json).collect::<Vec<_>>(),
    }))
}

fn item_json(found: &PersonItem, pictures: &Pictures) -> Json {
    json!({
        "kind": found.collection.slug,
        "deletedAt": found.deleted_at.map(rfc3339),
        "isOwn": found.is_own,
        "isErasable": found.is_erasable(),
        "item": found.item.to_json(found.collection, pictures, Audience::Admin),
        "provenance": found.provenance.as_ref().map(provenance_json),
    })
}

fn block_json(block: &BlockDefinition) -> Json {
    json!({ "id": block.id, "label": block.label, "pages": block.pages })
}

fn draft_json(draft: &Draft) -> Json {
    json!({
        "place": draft.place,
        "account": draft.account,
        "savedAt": rfc3339(draft.saved_at),
    })
}

fn invitation_json(request: &TestimonialRequest) -> Json {
    let at = |moment: Option<Timestamp>| moment.map(rfc3339);
    json!({
        "name": request.name,
        "activity": request.activity,
        "createdAt": rfc3339(request.created_at),
        "expiresAt": rfc3339(request.expires_at),
        "openedAt": at(request.opened_at),
        "cancelledAt": at(request.cancelled_at),
        "receivedAt": at(request.received_at),
    })
}

/// Returns for how many days backups that the program makes keep what was erased; `null` for a
/// kind that is off.
fn copies_json(config: &Config) -> Json {
    json!({
        "dailyDays": config.backup.as_ref().map(|schedule| schedule.keep),
        "offsiteDays": config.offsite_backup.as_ref().map(|_| offsite::RETENTION_DAYS_MAX),
    })
}
