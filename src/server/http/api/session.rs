//! API of sign-in: sessions, the first account, the password, the second factor.

use crate::accounts::{self, SignedIn, passkeys, second_factor};
use crate::errors::{Error, Result};
use crate::http::auth::{self, Admin, ConfirmedAdmin, Cookie, set_cookie};
use crate::http::client_addr::client_context;
use crate::http::request_body::JsonObject;
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use crate::state::App;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, web};
use respiro_auth::token;
use respiro_content::time::rfc3339;
use serde_json::{Value as Json, json};

pub async fn sign_in(request: HttpRequest, app: AppState, body: JsonObject) -> HandlerResult {
    let client = client_context(&request, &app);
    let (email, password) = (body.text("email")?, body.text("password")?);
    let code = body.optional_text("code")?;
    let signed_in = accounts::sign_in(&app, client, email, password, code).await?;
    signed_in_response(&app, &signed_in)
}

/// Whether the set-up link still works. Reveals no more than its form would.
pub async fn setup_state(app: AppState) -> HandlerResult {
    let open = accounts::is_setup_open(&app).await?;
    json_no_store(StatusCode::OK, &json!({ "open": open }))
}

pub async fn create_first_account(
    request: HttpRequest,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let client = client_context(&request, &app);
    let token = body.text("token")?;
    let (email, password) = (body.text("email")?, body.text("password")?);
    let signed_in = accounts::create_first_account(&app, client, token, email, password).await?;
    signed_in_response(&app, &signed_in)
}

pub(super) fn signed_in_response(app: &App, signed_in: &SignedIn) -> HandlerResult {
    let mut response = json_no_store(StatusCode::OK, &json!({ "email": signed_in.email }))?;
    append_cookie(&mut response, app, Cookie::Session, Some(&signed_in.token))?;
    append_cookie(&mut response, app, Cookie::Device, Some(&signed_in.device))?;
    Ok(response)
}

pub(super) fn append_cookie(
    response: &mut HttpResponse,
    app: &App,
    cookie: Cookie,
    value: Option<&str>,
) -> Result<()> {
    let cookie = header::HeaderValue::from_str(&set_cookie(app, cookie, value));
    let cookie = cookie.map_err(|error| Error::Internal(error.to_string()))?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(())
}

/// Answers 204 with or without a session, and removes the cookie in any case.
pub async fn sign_out(request: HttpRequest, app: AppState) -> HandlerResult {
    if let Some(former) = auth::session_token(&request, &app) {
        // Read first: an invalid token must not take the write lock.
        let hash = token::hash(&former);
        if app
            .read(move |reader| Ok(reader.sessions().get(&hash)?))
            .await?
            .is_some()
        {
            app.change(move |writer| Ok(writer.sessions().remove(&hash)?))
                .await?;
        }
    }
    let mut response = no_content();
    append_cookie(&mut response, &app, Cookie::Session, None)?;
    Ok(response)
}

pub async fn current(admin: Admin, app: AppState) -> HandlerResult {
    let email = admin.session.email;
    let wanted = email.clone();
    let account = app
        .read(move |reader| Ok(reader.accounts().get(&wanted)?))
        .await?;
    let account = account.ok_or(Error::Unauthorized)?;
    let on = account.second_factor.is_some();
    let role = admin.role.name();
    json_no_store(
        StatusCode::OK,
        &json!({ "email": email, "role": role, "secondFactor": on }),
    )
}

/// Confirms the session with `password`, or with the `credential` of a passkey.
pub async fn confirm(
    admin: Admin,
    request: HttpRequest,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let Admin {
        session,
        token_hash,
        ..
    } = admin;
    let mut response = no_content();
    if let Some(sent) = body.0.get("credential").filter(|sent| sent.is_object()) {
        let challenge = auth::cookie(&request, &app, Cookie::PasskeyChallenge);
        let challenge = challenge.unwrap_or_default();
        passkeys::confirm_session(&app, &session, token_hash, (&challenge, sent)).await?;
        append_cookie(&mut response, &app, Cookie::PasskeyChallenge, None)?;
    } else {
        let password = body.text("password")?;
        accounts::confirm_session(&app, &session, token_hash, password).await?;
    }
    Ok(response)
}

/// Answers 204 while the session is confirmed: the panel asks before it opens a download.
pub async fn confirmation(_: ConfirmedAdmin) -> HandlerResult {
    Ok(no_content())
}

pub async fn change_password(admin: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let words = (body.text("currentPassword")?, body.text("newPassword")?);
    accounts::change_password(&app, &admin.session, admin.token_hash, words).await?;
    Ok(no_content())
}

pub async fn list(admin: Admin, app: AppState) -> HandlerResult {
    let Admin { session, .. } = admin;
    let email = session.email.clone();
    let mut sessions = app
        .read(move |reader| Ok(reader.sessions().list(&email)?))
        .await?;
    sessions.sort_by_key(|other| std::cmp::Reverse(other.last_seen_at));
    let list: Vec<Json> = sessions
        .iter()
        .map(|other| {
            json!({
                "id": other.id,
                "createdAt": rfc3339(other.created_at),
                "lastSeenAt": rfc3339(other.last_seen_at),
                "userAgent": other.user_agent,
                "current": other.id == session.id,
            })
        })
        .collect();
    json_no_store(StatusCode::OK, &list)
}

pub async fn end_others(ConfirmedAdmin(admin): ConfirmedAdmin, app: AppState) -> HandlerResult {
    let (email, keep) = (admin.session.email, admin.token_hash);
    app.change(move |writer| Ok(writer.sessions().remove_by_account(&email, Some(&keep))?))
        .await?;
    Ok(no_content())
}

pub async fn end(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
    id: web::Path<String>,
) -> HandlerResult {
    let email = admin.session.email;
    let found = app
        .change(move |writer| Ok(writer.sessions().remove_by_id(&email, &id)?))
        .await?;
    if found {
        Ok(no_content())
    } else {
        Err(Error::NotFound)
    }
}

pub async fn second_factor_start(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
) -> HandlerResult {
    let settings = app.read(|reader| Ok(reader.settings().get()?)).await?;
    let offer = second_factor::start(&app, &admin.session.email, settings.brand()).await?;
    json_no_store(StatusCode::OK, &offer)
}

pub async fn second_factor_confirm(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let code = body.text("code")?;
    let codes = second_factor::confirm(&app, &admin.session.email, code).await?;
    json_no_store(StatusCode::OK, &json!({ "recoveryCodes": codes }))
}

pub async fn second_factor_off(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let password = body.text("password")?;
    second_factor::remove(&app, &admin.session.email, password).await?;
    Ok(no_content())
}
