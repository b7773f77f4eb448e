//! Admin endpoints for drafts: what was typed and is neither saved nor published.
//!
//! Each account reads its own; of another one it learns only that it edits the same thing.

use crate::accounts::device::display_name;
use crate::errors::{Error, Result};
use crate::http::api::content_blocks::{blocks_in, change_all, render_drafts};
use crate::http::api::publish_schedule::moment;
use crate::http::auth::Admin;
use crate::http::pages::preview;
use crate::http::precondition::IfMatch;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, json_with_etag, no_content};
use crate::http::{AppState, HandlerResult};
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::web;
use data_encoding::HEXLOWER;
use respiro_content::Timestamp;
use respiro_content::time::rfc3339;
use respiro_db::{
    Actor, Cause, DRAFT_BYTES_MAX, DRAFT_PICTURES_MAX, Draft, NotificationEvent, Reader, Writer,
};
use respiro_publish::Publisher;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest as _, Sha256};

/// The content, and the members beside it.
const BODY_BYTES_MAX: usize = DRAFT_BYTES_MAX + 4 * 1024;
/// First part of the token of a link, where that of an item has its collection.
pub const LINK_KIND: &str = "drafts";
const NOT_PUBLISHED: &str =
    "una bozza non si può più pubblicare com’è, perché il testo è cambiato o non è valido";
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
    check_account(&body, &session.email)?;
    let publish_at = moment(&body.0, "publishAt", now)?;
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
        publish_at,
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

/// Returns a link that shows a draft of a page, `{page, blocks}`, to its holder.
pub async fn link(admin: Admin, app: AppState, place: Place) -> HandlerResult {
    let (account, place) = (admin.session.email, checked_place(&place)?);
    let id = fingerprint(&account, &place);
    let draft = app.read(move |reader| Ok(reader.drafts().get(&account, &place)?));
    let draft = draft.await?.ok_or(Error::NotFound)?;
    blocks_in(&page_of(&draft)?)?;
    preview::link_answer(&app, &format!("{LINK_KIND}.{id}")).await
}

/// Serves the page behind the link of a draft.
pub async fn open_link(app: &App, id: String) -> HandlerResult {
    let find = move |reader: &Reader<'_>| {
        let mut found = None;
        reader.drafts().each(|draft| {
            if fingerprint(&draft.account, &draft.place) == id {
                found = Some(draft);
            }
        })?;
        Ok(found)
    };
    let content = page_of(&app.read(find).await?.ok_or(Error::NotFound)?)?;
    let path = content.get("page").and_then(Json::as_str);
    let path = path.ok_or(Error::NotFound)?.to_owned();
    render_drafts(app, path, blocks_in(&content)?, Publisher::preview).await
}

/// Publishes the drafts that are due. A draft that cannot be published stays, without its plan,
/// and a notice says so.
pub async fn publish_due(app: &App, now: Timestamp) -> Result<()> {
    let due = app
        .read(move |reader| Ok(reader.drafts().due(now)?))
        .await?;
    for draft in due {
        let (account, place) = (draft.account.clone(), draft.place.clone());
        let content = page_of(&draft)?;
        let published = match blocks_in(&content) {
            Ok(blocks) => {
                let forget = move |writer: &mut Writer<'_>| {
                    writer.drafts().remove(&account, &place)?;
                    Ok(())
                };
                let actor = Actor {
                    at: now,
                    account: draft.account.clone(),
                    user_agent: draft.user_agent.clone(),
                    cause: Cause::Schedule,
                };
                change_all(app, blocks, actor, forget).await
            }
            Err(error) => Err(error),
        };
        match published {
            Ok(_) => tracing::info!(place = draft.place, "published a planned draft"),
            Err(Error::Stale { .. } | Error::Invalid(_) | Error::NotFound) => {
                put_off(app, draft, now).await?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Removes the plan of a draft that cannot be published, and notifies.
async fn put_off(app: &App, mut draft: Draft, now: Timestamp) -> Result<()> {
    let since = draft.publish_at.take().unwrap_or(now);
    let change = app.site.change_drafts(move |writer| {
        writer.drafts().put(draft)?;
        Ok::<_, Error>(())
    });
    change.await?;
    let reason = NOT_PUBLISHED.to_owned();
    let event = NotificationEvent::PlanWaits { reason, since };
    app.site.notify(event).await;
    Ok(())
}

/// Returns the content of a draft of a page.
fn page_of(draft: &Draft) -> Result<Map<String, Json>> {
    let content = serde_json::from_str(&draft.content);
    content.map_err(|error| Error::Internal(error.to_string()))
}

/// Identifies a draft in a link, without the address of its account.
fn fingerprint(account: &str, place: &str) -> String {
    let hash = Sha256::digest(format!("{account}\n{place}"));
    HEXLOWER.encode(&hash[..16])
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
        "publishAt": draft.publish_at.map(rfc3339),
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

/// Refuses what another account typed: somebody else has signed in since, in the same browser.
fn check_account(body: &Body, signed_in: &str) -> Result<()> {
    match body.0.get("account").map(Json::as_str) {
        None => Ok(()),
        Some(Some(account)) if account == signed_in => Ok(()),
        Some(_) => Err(Error::Unauthorized),
    }
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
