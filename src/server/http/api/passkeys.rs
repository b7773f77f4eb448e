//! Passkey endpoints: list, register, remove, sign in.

use crate::accounts::passkeys;
use crate::errors::{Error, Result};
use crate::http::api::session::{append_cookie, signed_in_response};
use crate::http::auth::{self, Admin, ConfirmedAdmin, Cookie};
use crate::http::client_addr::client_context;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_auth::passkey;
use respiro_content::time::rfc3339;
use respiro_db::Passkey;
use serde_json::{Value as Json, json};

/// Returns the JSON of a passkey: its credential id in URL-safe base64, its name and times of use.
fn passkey_json(passkey: &Passkey) -> Json {
    json!({
        "id": passkey::encode_id(&passkey.credential_id),
        "name": passkey.name,
        "createdAt": rfc3339(passkey.created_at),
        "lastUsedAt": passkey.last_used_at.map(rfc3339),
    })
}

pub async fn list(admin: Admin, app: AppState) -> HandlerResult {
    let email = admin.session.email;
    let passkeys = app
        .read(move |reader| Ok(reader.passkeys().list(&email)?))
        .await?;
    let list: Vec<Json> = passkeys.iter().map(passkey_json).collect();
    json_no_store(StatusCode::OK, &list)
}

pub async fn registration_options(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let password = body.text("password")?;
    let options = passkeys::begin_registration(&app, &admin.session, password).await?;
    json_no_store(StatusCode::OK, &options)
}

pub async fn register(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let name = body.text("name")?;
    let credential = credential(&body)?;
    let passkey = passkeys::finish_registration(&app, &admin.session, name, credential).await?;
    json_no_store(StatusCode::CREATED, &passkey_json(&passkey))
}

pub async fn remove(
    ConfirmedAdmin(admin): ConfirmedAdmin,
    app: AppState,
    id: web::Path<String>,
) -> HandlerResult {
    let id = passkey::decode_id(&id).ok_or(Error::NotFound)?;
    if passkeys::remove(&app, &admin.session.email, id).await? {
        Ok(no_content())
    } else {
        Err(Error::NotFound)
    }
}

pub async fn authentication_options(app: AppState) -> HandlerResult {
    let (options, challenge) = passkeys::begin_authentication(&app).await?;
    let mut response = json_no_store(StatusCode::OK, &options)?;
    append_cookie(
        &mut response,
        &app,
        Cookie::PasskeyChallenge,
        Some(&challenge),
    )?;
    Ok(response)
}

pub async fn sign_in(request: HttpRequest, app: AppState, body: JsonObject) -> HandlerResult {
    let client = client_context(&request, &app);
    let challenge = auth::cookie(&request, &app, Cookie::PasskeyChallenge).unwrap_or_default();
    let credential = credential(&body)?;
    let signed_in = passkeys::sign_in(&app, client, &challenge, credential).await?;
    let mut response = signed_in_response(&app, &signed_in)?;
    append_cookie(&mut response, &app, Cookie::PasskeyChallenge, None)?;
    Ok(response)
}

fn credential(body: &JsonObject) -> Result<&Json> {
    let credential = body
        .0
        .get("credential")
        .filter(|credential| credential.is_object());
    credential.ok_or_else(|| invalid("credential", "è obbligatorio"))
}
