//! Admin endpoints for requested testimonials: personal links, provenance, withdrawal.

use crate::accounts::normalize_email;
use crate::errors::{Error, FieldError, NO_MAIL, Result};
use crate::http::auth::Admin;
use crate::http::idempotency::{Created, Creation, IdempotencyKey};
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_auth::token;
use respiro_content::time::{format_day, rfc3339};
use respiro_content::value::value_json;
use respiro_content::{Timestamp, sanitize};
use respiro_db::{Origin, Provenance, Reader, TestimonialRequest, Writer, testimonial_collection};
use respiro_email::{self as email, EmailMessage};
use respiro_testimonials::{
    self as testimonials, ACTIVITY_CHARACTERS_MAX, Asked, MESSAGE_CHARACTERS_MAX,
    NAME_CHARACTERS_MAX, NOTE_CHARACTERS_MAX, NewLink, WAITING_MAX,
};
use serde_json::{Map, Value as Json, json};

type Id = web::Path<String>;

const NOT_ATTENDED: &str =
    "Chiedila solo a chi ha partecipato: sul sito è scritto che lo verifichi.";
const NO_LINK: &str = "deve contenere il link personale";
const INVITATION_SUBJECT: &str = "Com’è stato per te?";

/// Lists all requests, newest first.
pub async fn list(_: Admin, app: AppState) -> HandlerResult {
    let now = app.now();
    let mails = app.config.mail.is_some();
    let list = app.read(move |reader| {
        let mut requests = reader.testimonial_requests().list()?;
        requests.sort_by_key(|(_, request)| std::cmp::Reverse(request.created_at));
        let rows = requests
            .iter()
            .map(|(_, request)| request_json(reader, request, now));
        let open = requests.iter().filter(|(_, request)| request.is_open(now));
        Ok(json!({
            "requests": rows.collect::<Result<Vec<Json>>>()?,
            "waiting": open.count(),
            "waitingMax": WAITING_MAX,
            "new": reader.provenances().count_unreviewed()?,
            "mails": mails,
        }))
    });
    json_no_store(StatusCode::OK, &list.await?)
}

fn request_json(reader: &Reader<'_>, request: &TestimonialRequest, now: Timestamp) -> Result<Json> {
    let state = match request {
        _ if request.received_at.is_some() => "received",
        _ if request.cancelled_at.is_some() => "cancelled",
        _ if !request.is_open(now) => "expired",
        _ if request.opened_at.is_some() => "opened",
        _ => "waiting",
    };
    let item_id = request.item_id.as_deref();
    let item = item_id
        .map(|id| reader.items().get(testimonial_collection()?, id))
        .transpose()?;
    Ok(json!({
        "id": request.id,
        "name": request.name,
        "activity": request.activity,
        "state": state,
        "createdAt": rfc3339(request.created_at),
        "expiresAt": rfc3339(request.expires_at),
        "until": format_day(request.expires_at),
        "receivedAt": request.received_at.map(rfc3339),
        // Its id, as long as the item exists.
        "itemId": item.flatten().map(|item| item.id),
    }))
}

/// Creates a personal link. No other response contains it, except that of the same request sent
/// again.
pub async fn create(
    admin: Admin,
    app: AppState,
    key: IdempotencyKey,
    body: JsonObject,
) -> HandlerResult {
    if body.0.get("attended") != Some(&Json::Bool(true)) {
        let error = FieldError::new("attended", NOT_ATTENDED);
        return Err(Error::Invalid(vec![error]));
    }
    let asked = Asked {
        name: single_line(&body, "name", NAME_CHARACTERS_MAX)?,
        activity: single_line(&body, "activity", ACTIVITY_CHARACTERS_MAX)?,
    };
    let creation = key.bind(&admin, "testimonial-requests", &body);
    let now = app.now();
    create_link(&app, creation, now, move |writer, link| {
        Ok(testimonials::ask(writer, link, asked, now)?)
    })
    .await
}

/// Creates another link for the same person; the former link stops working.
pub async fn renew(admin: Admin, app: AppState, id: Id, key: IdempotencyKey) -> HandlerResult {
    let path = format!("testimonial-requests/{id}/renew");
    let creation = key.bind(&admin, &path, &JsonObject(Map::new()));
    let now = app.now();
    create_link(&app, creation, now, move |writer, link| {
        Ok(testimonials::renew(writer, &id, link, now)?)
    })
    .await
}

async fn create_link<F>(
    app: &AppState,
    creation: Creation,
    now: Timestamp,
    write: F,
) -> HandlerResult
where
    F: FnOnce(&mut Writer<'_>, &NewLink) -> Result<TestimonialRequest> + Send + 'static,
{
    let new = NewLink::make()?;
    let created = app.change(move |writer| {
        let secret = writer.secret()?;
        let link = |id: String| match creation.subject() {
            Some(subject) => NewLink::repeatable(id, &secret, &subject),
            None => new.clone(),
        };
        let create = |writer: &mut Writer<'_>| {
            let link = link(new.id.clone());
            let request = write(writer, &link)?;
            let json = request_json(writer, &request, now)?;
            Ok((link.id.clone(), (json, link.token)))
        };
        let by_id = |reader: &Reader<'_>, id: &str| {
            let requests = reader.testimonial_requests().list()?;
            let request = requests.iter().find(|(_, request)| request.id == id);
            request_json(reader, &request.ok_or(Error::NotFound)?.1, now)
        };
        match creation.once(writer, now, create, by_id)? {
            Created::Now(created) => Ok(created),
            Created::Before(id) => Ok((by_id(writer, &id)?, link(id).token)),
        }
    });
    let (request, token) = created.await?;
    let url = format!("{}{}", app.site.public_url(), testimonials::path(&token));
    let answer = json!({ "request": request, "url": url });
    json_no_store(StatusCode::CREATED, &answer)
}

pub async fn cancel(_: Admin, app: AppState, id: Id) -> HandlerResult {
    let now = app.now();
    app.change(move |writer| Ok(testimonials::cancel(writer, &id, now)?))
        .await?;
    Ok(no_content())
}

/// Sends the admin's message, which must contain the link of this request. The address is not
/// stored.
pub async fn mail(_: Admin, app: AppState, id: Id, body: JsonObject) -> HandlerResult {
    let Some(mail) = app.config.mail.clone() else {
        return Err(NO_MAIL);
    };
    let to = normalize_email(body.text("email")?);
    if !email::is_reachable(&to) {
        let error = FieldError::new("email", "L'indirizzo e-mail non è valido");
        return Err(Error::Invalid(vec![error]));
    }
    let text = multi_line(&body, "message", MESSAGE_CHARACTERS_MAX)?;
    let now = app.now();
    let known = text.clone();
    let (holds, settings) = app
        .read(move |reader| {
            let holds = testimonials::holds_link(reader, &id, &known, now)?;
            Ok((holds, reader.settings().get()?))
        })
        .await?;
    if !holds {
        return Err(invalid("message", NO_LINK));
    }
    app.auth.rate_limits.count_invitation_email(now)?;
    let message = EmailMessage {
        to: to.clone(),
        subject: INVITATION_SUBJECT.to_owned(),
        text,
        sender: settings.brand().to_owned(),
        // Recipients reply to get a new link or to withdraw their testimonial.
        reply_to: settings
            .text("email")
            .filter(|own| email::is_reachable(own))
            .map(str::to_owned),
        id: token::id().map_err(|error| Error::Internal(error.to_string()))?,
        at: now,
        ..EmailMessage::default()
    };
    let sent = async { email::deliver(&mail, &to, &message.compose(&mail)?).await };
    let answer = match sent.await {
        Ok(()) => json!({ "sent": true }),
        Err(failure) => {
            tracing::warn!(reason = failure.reason, "a personal link was not taken");
            json!({ "sent": false, "reason": failure.italian_reason() })
        }
    };
    json_no_store(StatusCode::OK, &answer)
}

/// Returns the provenance of a testimonial; an empty one if none is stored.
pub async fn provenance(_: Admin, app: AppState, id: Id) -> HandlerResult {
    let json = app.read(move |reader| provenance_of(reader, &id)).await?;
    json_no_store(StatusCode::OK, &json)
}

fn provenance_of(reader: &Reader<'_>, id: &str) -> Result<Json> {
    reader
        .items()
        .get(testimonial_collection()?, id)?
        .ok_or(Error::NotFound)?;
    let known = reader.provenances().get(id)?;
    Ok(provenance_json(
        &known.unwrap_or_else(|| Provenance::new(id)),
    ))
}

pub(super) fn provenance_json(one: &Provenance) -> Json {
    let at = |moment: Option<Timestamp>| moment.map(rfc3339);
    let received = one.received.iter();
    let received: Map<String, Json> = received
        .map(|(name, value)| (name.clone(), value_json(value)))
        .collect();
    json!({
        "itemId": one.item_id,
        "origin": one.origin.map(Origin::name),
        "receivedAt": at(one.received_at),
        "requestId": one.request_id,
        "requestedAt": at(one.requested_at),
        "activity": one.activity,
        "consentText": one.consent_text,
        "consentVersion": one.consent_version,
        "consentedAt": at(one.consented_at),
        "withdrawnAt": at(one.withdrawn_at),
        "received": received,
        "note": one.note,
        "settledAt": at(one.settled_at),
    })
}

/// Stores the admin's note. A testimonial without provenance is recorded as entered by hand.
pub async fn put_provenance(_: Admin, app: AppState, id: Id, body: JsonObject) -> HandlerResult {
    let note = multi_line(&body, "note", NOTE_CHARACTERS_MAX)?;
    let json = app
        .change(move |writer| {
            writer
                .items()
                .get(testimonial_collection()?, &id)?
                .ok_or(Error::NotFound)?;
            let known = writer.provenances().get(&id)?;
            let mut one = known.unwrap_or_else(|| Provenance {
                origin: Some(Origin::Hand),
                ..Provenance::new(&id)
            });
            one.note = note;
            writer.provenances().put(&one)?;
            Ok(provenance_json(&one))
        })
        .await?;
    json_no_store(StatusCode::OK, &json)
}

/// Settles a new testimonial: it stays a draft and is no longer listed as new.
pub async fn keep(_: Admin, app: AppState, id: Id) -> HandlerResult {
    let now = app.now();
    app.change(move |writer| {
        let known = writer.provenances().get(&id)?;
        Ok(writer
            .provenances()
            .settle(known.ok_or(Error::NotFound)?, now)?)
    })
    .await?;
    Ok(no_content())
}

/// Withdraws a testimonial whose author asked for it other than by the link.
pub async fn withdraw(admin: Admin, app: AppState, id: Id) -> HandlerResult {
    let now = app.now();
    let withdraw = move |writer: &mut Writer<'_>| Ok(writer.provenances().withdraw(&id, now)?);
    app.change_as(admin.actor(now), withdraw).await?;
    Ok(no_content())
}

fn single_line(body: &JsonObject, name: &'static str, characters_max: usize) -> Result<String> {
    Ok(sanitize::single_line(&multi_line(
        body,
        name,
        characters_max,
    )?))
}

/// Returns the trimmed text; empty if the field is missing.
fn multi_line(body: &JsonObject, name: &'static str, characters_max: usize) -> Result<String> {
    let text = body.optional_text(name)?.unwrap_or_default();
    let text = sanitize::multi_line(text);
    if text.chars().count() > characters_max {
        let reason = format!("è troppo lungo (massimo {characters_max} caratteri)");
        return Err(invalid(name, &reason));
    }
    Ok(text)
}
