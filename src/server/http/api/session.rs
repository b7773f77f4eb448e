//! API of sign-in: sessions, the first account, the password, the second factor.

use crate::accounts::{self, SignedIn, second_factor};
use crate::errors::{Error, Result};
use crate::http::auth::{self, Admin, Cookie, set_cookie};
use crate::http::client_addr::client_context;
use crate::http::request_body::Object;
use crate::http::responses::{no_content, private};
use crate::http::{Answer, Shared};
use crate::state::App;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, web};
use respiro_auth::token;
use respiro_content::time::rfc3339;
use serde_json::{Value as Json, json};

pub async fn sign_in(request: HttpRequest, shared: Shared, body: Object) -> Answer {
    let client = client_context(&request, &shared);
    let (email, password) = (body.text("email")?, body.text("password")?);
    let code = body.optional_text("code")?;
    let signed_in = accounts::sign_in(&shared, client, email, password, code).await?;
    welcome(&shared, &signed_in)
}

/// Whether the set-up link still works. Reveals no more than its form would.
pub async fn set_up_state(shared: Shared) -> Answer {
    let open = accounts::is_setup_open(&shared).await?;
    private(StatusCode::OK, &json!({ "open": open }))
}

pub async fn set_up(request: HttpRequest, shared: Shared, body: Object) -> Answer {
    let client = client_context(&request, &shared);
    let token = body.text("token")?;
    let (email, password) = (body.text("email")?, body.text("password")?);
    let signed_in = accounts::create_first_account(&shared, client, token, email, password).await?;
    welcome(&shared, &signed_in)
}

pub(super) fn welcome(app: &App, signed_in: &SignedIn) -> Answer {
    let mut response = private(StatusCode::OK, &json!({ "email": signed_in.email }))?;
    give_cookie(&mut response, app, Cookie::Session, Some(&signed_in.token))?;
    give_cookie(&mut response, app, Cookie::Device, Some(&signed_in.device))?;
    Ok(response)
}

pub(super) fn give_cookie(
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
pub async fn sign_out(request: HttpRequest, shared: Shared) -> Answer {
    if let Some(former) = auth::token(&request, &shared) {
        // Read first: an invalid token must not take the write lock.
        let hash = token::hash(&former);
        if shared
            .read(move |reader| Ok(reader.session(&hash)?))
            .await?
            .is_some()
        {
            shared
                .change(move |writer| Ok(writer.remove_session(&hash)?))
                .await?;
        }
    }
    let mut response = no_content();
    give_cookie(&mut response, &shared, Cookie::Session, None)?;
    Ok(response)
}

pub async fn current(admin: Admin, shared: Shared) -> Answer {
    let email = admin.session.email;
    let wanted = email.clone();
    let account = shared
        .read(move |reader| Ok(reader.account(&wanted)?))
        .await?;
    let account = account.ok_or(Error::Unauthorized)?;
    let on = account.second_factor.is_some();
    private(
        StatusCode::OK,
        &json!({ "email": email, "secondFactor": on }),
    )
}

pub async fn change_password(admin: Admin, shared: Shared, body: Object) -> Answer {
    let words = (body.text("currentPassword")?, body.text("newPassword")?);
    accounts::change_password(&shared, &admin.session, admin.token_hash, words).await?;
    Ok(no_content())
}

pub async fn list(admin: Admin, shared: Shared) -> Answer {
    let Admin { session, .. } = admin;
    let email = session.email.clone();
    let mut sessions = shared
        .read(move |reader| Ok(reader.sessions(&email)?))
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
    private(StatusCode::OK, &list)
}

pub async fn end_others(admin: Admin, shared: Shared) -> Answer {
    let (email, keep) = (admin.session.email, admin.token_hash);
    shared
        .change(move |writer| Ok(writer.remove_sessions(&email, Some(&keep))?))
        .await?;
    Ok(no_content())
}

pub async fn end(admin: Admin, shared: Shared, id: web::Path<String>) -> Answer {
    let email = admin.session.email;
    let found = shared
        .change(move |writer| Ok(writer.remove_session_by_id(&email, &id)?))
        .await?;
    if found {
        Ok(no_content())
    } else {
        Err(Error::NotFound)
    }
}

pub async fn second_factor_start(admin: Admin, shared: Shared) -> Answer {
    let settings = shared.read(|reader| Ok(reader.settings()?)).await?;
    let offer = second_factor::start(&shared, &admin.session.email, settings.brand()).await?;
    private(StatusCode::OK, &offer)
}

pub async fn second_factor_confirm(admin: Admin, shared: Shared, body: Object) -> Answer {
    let code = body.text("code")?;
    let codes = second_factor::confirm(&shared, &admin.session.email, code).await?;
    private(StatusCode::OK, &json!({ "recoveryCodes": codes }))
}

pub async fn second_factor_off(admin: Admin, shared: Shared, body: Object) -> Answer {
    let password = body.text("password")?;
    second_factor::remove(&shared, &admin.session.email, password).await?;
    Ok(no_content())
}
