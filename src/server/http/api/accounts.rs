//! API of forgotten passwords, of one-time links, and of the people who may open the panel.

use crate::accounts::{one_time_links, people};
use crate::errors::Result;
use crate::http::api::session::signed_in_response;
use crate::http::auth::{ConfirmedAdmin, ConfirmedOwner, Owner};
use crate::http::client_addr::client_context;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_content::time::rfc3339;
use respiro_db::{AccountLink, LinkGrant, Role};
use serde_json::{Value as Json, json};

/// Says how a new password can be had: by e-mail, or from the person who runs the server.
pub async fn forgotten_ways(app: AppState) -> HandlerResult {
    let contact = app.config.host_contact.as_ref();
    let contact = contact.map(
        |contact| json!({ "name": contact.name, "phone": contact.phone, "email": contact.email }),
    );
    let by_email = app.config.mail.is_some();
    json_no_store(
        StatusCode::OK,
        &json!({ "byEmail": by_email, "contact": contact }),
    )
}

/// Answers 202 for every address.
pub async fn forgotten(request: HttpRequest, app: AppState, body: JsonObject) -> HandlerResult {
    let context = client_context(&request, &app);
    let email = body.text("email")?;
    let now = app.now();
    one_time_links::request_password_link(&app.into_inner(), &context, email, now)?;
    json_no_store(StatusCode::ACCEPTED, &json!({}))
}

/// Returns what the link of a token permits, and changes nothing.
pub async fn link(app: AppState, body: JsonObject) -> HandlerResult {
    let link = one_time_links::find_link(&app, body.text("token")?).await?;
    json_no_store(StatusCode::OK, &link_json(&link))
}

fn link_json(link: &AccountLink) -> Json {
    let mut json = json!({ "email": link.email, "expiresAt": rfc3339(link.expires_at()) });
    let grant = match &link.grant {
        LinkGrant::NewPassword => "new-password",
        LinkGrant::NewEmail {
            new_email,
            is_confirmed,
            ..
        } => {
            json["newEmail"] = json!(new_email);
            json["confirmed"] = json!(is_confirmed);
            "new-email"
        }
        LinkGrant::Invitation { role, .. } => {
            json["role"] = json!(role.name());
            "invitation"
        }
    };
    json["grant"] = json!(grant);
    json
}

pub async fn reset_password(app: AppState, body: JsonObject) -> HandlerResult {
    let (token, password) = (body.text("token")?, body.text("password")?);
    one_time_links::reset_password(&app, token, password).await?;
    Ok(no_content())
}

/// Asks both mailboxes to confirm another address for the account.
pub async fn change_email(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    one_time_links::request_email_change(&app, &admin.session, body.text("email")?).await?;
    json_no_store(StatusCode::ACCEPTED, &json!({}))
}

pub async fn confirm_email(app: AppState, body: JsonObject) -> HandlerResult {
    let done = one_time_links::confirm_email(&app, body.text("token")?).await?;
    json_no_store(
        StatusCode::OK,
        &json!({
            "email": done.email,
            "newEmail": done.new_email,
            "changed": done.is_changed,
        }),
    )
}

/// Creates the account of an invitation, and signs it in.
pub async fn join(request: HttpRequest, app: AppState, body: JsonObject) -> HandlerResult {
    let context = client_context(&request, &app);
    let (token, password) = (body.text("token")?, body.text("password")?);
    let signed_in = people::join(&app, context, token, password).await?;
    signed_in_response(&app, &signed_in)
}

pub async fn list(Owner(admin): Owner, app: AppState) -> HandlerResult {
    let now = app.now();
    let people = app.read(move |reader| people::list(reader, now)).await?;
    let people = people.iter().map(|person| {
        json!({
            "id": person.id,
            "email": person.email,
            "role": person.role.name(),
            "createdAt": rfc3339(person.created_at),
            "invitedUntil": person.invited_until.map(rfc3339),
            "secondFactor": person.has_second_factor,
            "passkeys": person.passkeys,
            "lastSeenAt": person.last_seen_at.map(rfc3339),
            "current": person.email == admin.session.email,
        })
    });
    json_no_store(
        StatusCode::OK,
        &json!({
            "people": people.collect::<Vec<Json>>(),
            "mails": app.config.mail.is_some(),
        }),
    )
}

/// Invites a person. No other response contains the link.
pub async fn invite(
    ConfirmedOwner(admin): ConfirmedOwner,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let (email, role) = (body.text("email")?, role(&body)?);
    let (id, url) = people::invite(&app, &admin.session.email, email, role).await?;
    json_no_store(StatusCode::CREATED, &json!({ "id": id, "url": url }))
}

pub async fn set_role(
    _: ConfirmedOwner,
    app: AppState,
    id: web::Path<String>,
    body: JsonObject,
) -> HandlerResult {
    people::set_role(&app, &id, role(&body)?).await?;
    Ok(no_content())
}

pub async fn remove(_: ConfirmedOwner, app: AppState, id: web::Path<String>) -> HandlerResult {
    people::remove(&app, &id).await?;
    Ok(no_content())
}

fn role(body: &JsonObject) -> Result<Role> {
    let role = Role::from_name(body.text("role")?);
    role.ok_or_else(|| invalid("role", "deve dire che cosa può fare la persona"))
}
