//! Admin endpoints for drafts: what was typed and is neither saved nor published.
//!
//! Each account reads its own; of another one it learns only that it edits the same thing.

use crate::accounts::device::display_name;
use crate::errors::{Error, Result};
use crate::http::auth::Admin;
use crate::http::precondition::IfMatch;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, json_with_etag, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_content::time::rfc3339;
use respiro_db::{DRAFT_BYTES_MAX, DRAFT_PICTURES_MAX, Draft, Reader};
use serde_json::{Value as Json, json};

/// The content, and the members beside it.
const BODY_BYTES_MAX: usize = DRAFT_BYTES_MAX + 4 * 1024;
const PLACE_CHARACTERS_MAX: usize = 200;
const REVISION_CHARACTERS_MAX: usize = 64;

type Place = web::Path<String>;
type Body = JsonObject<BODY_BYTES_MAX>;

/// Returns where this account has drafts, and where others have: without their content.
pub async fn list(admin: Admin, app: AppState) -> HandlerResult {
    let session = admin.session;
    let drafts = app.read(|reader| Ok(reader.drafts().list()?)).await?;
    let (own, others): (Vec<_>, Vec<_>) = drafts
        .iter()
        .partition(|draft| draft.account == session.email);
    let own = own.into_iter().map(|draft| {
        let mut json = summary_json(draft);
        json["isThisDevice"] = json!(draft.session_id == session.id);
        json
    });
    let others = others.into_iter().map(|draft| {
        json!({
            "subject": draft.subject(),
            "account": draft.account,
            "begunAt": rfc3339(draft.begun_at),
            "savedAt": rfc3339(draft.saved_at),
        })
    });
    json_no_store(
        StatusCode::OK,
        &json!({ "drafts": own.collect::<Vec<_>>(), "others": others.collect::<Vec<_>>() }),
    )
}

pub async fn get(admin: Admin, app: AppState, place: Place) -> HandlerResult {
    let place = checked_place(&place)?;
    let account = admin.session.email;
    let json = app.read(move |reader| current(reader, &account, &place));
    json_with_etag(StatusCode::OK, &json.await?)
}

/// Stores a draft. The same `revision` again changes nothing, whatever `If-Match` says: the answer
/// to the first request was lost.
pub async fn put(
    admin: Admin,
    app: AppState,
    place: Place,
    expected: IfMatch,
    body: Body,
) -> HandlerResult {
    let (now, session) = (app.now(), admin.session);
    let draft = Draft {
        place: checked_place(&place)?,
        revision: revision_of(&body)?,
        content: content_of(&body)?,
        begun_at: now,
        saved_at: now,
        account: session.email,
        session_id: session.id,
        user_agent: session.user_agent,
        restored_at: None,
        publish_at: None,
    };
    app.auth.rate_limits.count_draft(&draft.session_id, now)?;
    let change = app.site.change_drafts(move |writer| {
        let stored = writer.drafts().get(&draft.account, &draft.place)?;
        if let Some(stored) = stored.filter(|stored| stored.revision == draft.revision) {
            return draft_json(&stored);
        }
        expected.check(|| current(writer, &draft.account, &draft.place))?;
        draft_json(&writer.drafts().put(draft)?)
    });
    json_with_etag(StatusCode::OK, &change.await?)
}

/// Answers 204 also when there is no draft: a client repeats a request whose answer was lost.
pub async fn remove(admin: Admin, app: AppState, place: Place, expected: IfMatch) -> HandlerResult {
    let place = checked_place(&place)?;
    let account = admin.session.email;
    let change = app.site.change_drafts(move |writer| {
        if writer.drafts().get(&account, &place)?.is_some() {
            expected.check(|| current(writer, &account, &place))?;
        }
        Ok::<_, Error>(writer.drafts().remove(&account, &place)?)
    });
    change.await?;
    Ok(no_content())
}

fn current(reader: &Reader<'_>, account: &str, place: &str) -> Result<Json> {
    let draft = reader.drafts().get(account, place)?;
    draft_json(&draft.ok_or(Error::NotFound)?)
}

fn summary_json(draft: &Draft) -> Json {
    json!({
        "place": draft.place,
        "revision": draft.revision,
        "begunAt": rfc3339(draft.begun_at),
        "savedAt": rfc3339(draft.saved_at),
        "device": display_name(&draft.user_agent),
        "restoredAt": draft.restored_at.map(rfc3339),
    })
}

fn draft_json(draft: &Draft) -> Result<Json> {
    let mut json = summary_json(draft);
    let content: Result<Json, _> = serde_json::from_str(&draft.content);
    json["content"] = content.map_err(|error| Error::Internal(error.to_string()))?;
    Ok(json)
}

/// Accepts the signs of ids and names, `:` between them and `@` before the mark of a visit.
fn checked_place(place: &str) -> Result<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".:@_-".contains(&byte);
    if place.is_empty() || place.len() > PLACE_CHARACTERS_MAX || !place.bytes().all(is_allowed) {
        return Err(Error::NotFound);
    }
    Ok(place.to_owned())
}

fn revision_of(body: &Body) -> Result<String> {
    let revision = body.0.get("revision").and_then(Json::as_str);
    let revision = revision.ok_or_else(|| invalid("revision", "è obbligatorio"))?;
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if revision.is_empty()
        || revision.len() > REVISION_CHARACTERS_MAX
        || !revision.bytes().all(is_allowed)
    {
        return Err(invalid("revision", "non è valido"));
    }
    Ok(revision.to_owned())
}

fn content_of(body: &Body) -> Result<String> {
    let content = body.0.get("content").filter(|content| content.is_object());
    let content = content.ok_or_else(|| invalid("content", "deve essere un oggetto"))?;
    let text = content.to_string();
    if text.matches("/objects/uploads/").count() > DRAFT_PICTURES_MAX {
        return Err(invalid("content", "ha troppe immagini"));
    }
    Ok(text)
}
