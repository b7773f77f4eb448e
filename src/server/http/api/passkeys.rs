//! Passkey endpoints: list, register, remove, sign in.

use crate::accounts::passkeys;
use crate::errors::{Error, Result};
use crate::http::api::session::{give_cookie, welcome};
use crate::http::auth::{self, Admin, Cookie};
use crate::http::client_addr::client_context;
use crate::http::request_body::{Object, invalid};
use crate::http::responses::{no_content, private};
use crate::http::{Answer, Shared};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_auth::passkey;
use respiro_content::time::rfc3339;
use respiro_db::Passkey;
use serde_json::{Value as Json, json};

/// Returns the JSON of a passkey: its credential id in URL-safe base64, its name and times of use.
fn shown(passkey: &Passkey) -> Json {
    json!({
        "id": passkey::encode_id(&passkey.credential_id),
        "name": passkey.name,
        "createdAt": rfc3339(passkey.created_at),
        "lastUsedAt": passkey.last_used_at.map(rfc3339),
    })
}

pub async fn list(admin: Admin, shared: Shared) -> Answer {
    let email = admin.session.email;
    let passkeys = shared
        .read(move |reader| Ok(reader.passkeys(&email)?))
        .await?;
    let list: Vec<Json> = passkeys.iter().map(shown).collect();
    private(StatusCode::OK, &list)
}

pub async fn offer(admin: Admin, shared: Shared, body: Object) -> Answer {
    let password = body.text("password")?;
    let options = passkeys::begin_registration(&shared, &admin.session, password).await?;
    private(StatusCode::OK, &options)
}

pub async fn add(admin: Admin, shared: Shared, body: Object) -> Answer {
    let name = body.text("name")?;
    let made = credential(&body)?;
    let passkey = passkeys::finish_registration(&shared, &admin.session, name, made).await?;
    private(StatusCode::CREATED, &shown(&passkey))
}

pub async fn remove(admin: Admin, shared: Shared, id: web::Path<String>) -> Answer {
    let email = admin.session.email;
    let id = passkey::decode_id(&id).ok_or(Error::NotFound)?;
    let found = shared
        .change(move |writer| Ok(writer.remove_passkey(&email, &id)?))
        .await?;
    if found {
        Ok(no_content())
    } else {
        Err(Error::NotFound)
    }
}

pub async fn ask(shared: Shared) -> Answer {
    let (options, question) = passkeys::begin_authentication(&shared).await?;
    let mut response = private(StatusCode::OK, &options)?;
    give_cookie(&mut response, &shared, Cookie::Question, Some(&question))?;
    Ok(response)
}

pub async fn sign_in(request: HttpRequest, shared: Shared, body: Object) -> Answer {
    let client = client_context(&request, &shared);
    let question = auth::cookie(&request, &shared, Cookie::Question).unwrap_or_default();
    let credential = credential(&body)?;
    let signed_in = passkeys::sign_in(&shared, client, &question, credential).await?;
    let mut response = welcome(&shared, &signed_in)?;
    give_cookie(&mut response, &shared, Cookie::Question, None)?;
    Ok(response)
}

fn credential(body: &Object) -> Result<&Json> {
    let sent = body.0.get("credential").filter(|sent| sent.is_object());
    sent.ok_or_else(|| invalid("credential", "è obbligatorio"))
}
