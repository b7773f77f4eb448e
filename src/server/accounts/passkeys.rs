//! Passkeys: registration, and sign-in with a passkey instead of password and code.

use super::{ClientContext, SignedIn, begin_session, confirm_password, verify_device_token};
use super::{new_device_notice, notify_access_change, send_notice};
use crate::config::origin_of;
use crate::errors::{Error, FieldError, Result};
use crate::state::App;
use respiro_auth::login_gate::LoginClient;
use respiro_auth::passkey::{
    AuthenticationResponse, Credential, PasskeyError, PendingCeremonies, RelyingParty, USER_BYTES,
};
use respiro_auth::passkey::{decode_id, encode_id};
use respiro_auth::signed_links::{self, Purpose};
use respiro_db::{Passkey, Reader, Session};
use serde_json::Value as Json;

/// The challenge state holds its own expiry.
const NO_EXPIRY: i64 = 0;
/// Longest name of a passkey, in characters.
const NAME_CHARACTERS_MAX: usize = 60;

const NOT_SUPPORTED: &str = "Le passkey funzionano solo quando il sito ha un dominio e usa HTTPS.";
const NOT_ADDED: &str =
    "La passkey non è stata accettata. Ricomincia: la richiesta vale cinque minuti.";
const NOT_THIS_ACCOUNT: &str = "Questa passkey non è di questo account: usa la password.";
const UNKNOWN_PASSKEY: &str = "Questa passkey non apre il pannello: accedi con e-mail e password.";

/// Logs the reason at debug level, because any client can send rubbish. Returns `answer`, which
/// tells the user what to do.
fn refused(refusal: &PasskeyError, answer: Error) -> Error {
    tracing::debug!(%refusal, "a passkey was refused");
    answer
}

fn relying_party(app: &App) -> Result<RelyingParty> {
    RelyingParty::from_origin(origin_of(app.site.public_url()))
        .ok_or(Error::Conflict(NOT_SUPPORTED))
}

/// Returns the user handle of an account, which is the same each time, also after a change of its
/// address.
fn user_of(reader: &Reader<'_>, email: &str) -> Result<[u8; USER_BYTES]> {
    let id = reader.accounts().details(email)?.id;
    signed_links::derive(&reader.secret()?, Purpose::Passkey, &id)
        .ok_or_else(|| Error::Internal("no key for passkeys".to_owned()))
}

/// Returns the options for a browser to create a passkey. Requires the password.
pub async fn begin_registration(app: &App, session: &Session, password: &str) -> Result<Json> {
    let party = relying_party(app)?;
    confirm_password(app, &session.email, password, "password").await?;
    let email = session.email.clone();
    let (known, user) = app
        .read(move |reader| Ok((reader.passkeys().list(&email)?, user_of(reader, &email)?)))
        .await?;
    let known = known.into_iter().map(|known| known.credential_id).collect();
    app.auth
        .login_gate
        .passkeys
        .begin_registration(&party, user, &session.email, known)
        .map_err(|refusal| refused(&refusal, Error::BadRequest(NOT_ADDED)))
}

/// Verifies and stores the passkey that the browser created.
pub async fn finish_registration(
    app: &App,
    session: &Session,
    name: &str,
    made: &Json,
) -> Result<Passkey> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_CHARACTERS_MAX {
        let text = format!("Scrivi un nome di al massimo {NAME_CHARACTERS_MAX} caratteri");
        return Err(Error::Invalid(vec![FieldError::new("name", text)]));
    }
    let party = relying_party(app)?;
    let email = session.email.clone();
    let user = app.read(move |reader| user_of(reader, &email)).await?;
    let Credential {
        id,
        immutable_state,
        counter_state,
    } = app
        .auth
        .login_gate
        .passkeys
        .finish_registration(&party, user, made.to_string().as_bytes())
        .map_err(|refusal| refused(&refusal, Error::BadRequest(NOT_ADDED)))?;
    let passkey = Passkey {
        credential_id: id,
        email: session.email.clone(),
        name: name.to_owned(),
        created_at: app.now(),
        last_used_at: None,
        fixed: immutable_state,
        moving: counter_state,
    };
    let stored = passkey.clone();
    app.change(move |writer| Ok(writer.passkeys().add(&stored)?))
        .await?;
    let what = format!("È stata aggiunta la passkey «{name}»");
    notify_access_change(app, &session.email, what).await;
    Ok(passkey)
}

/// Returns the options for a browser to sign in with any passkey, and the signed challenge state
/// for its cookie. The server stores nothing, so anonymous clients may ask any number of times.
pub async fn begin_authentication(app: &App) -> Result<(Json, String)> {
    let party = relying_party(app)?;
    let secret = app.read(|reader| Ok(reader.secret()?)).await?;
    let (options, challenge) = PendingCeremonies::begin_authentication(&party)
        .map_err(|refusal| refused(&refusal, Error::Refused(UNKNOWN_PASSKEY)))?;
    let challenge = encode_id(&challenge);
    let seal = signed_links::sign(&secret, Purpose::PasskeyQuestion, &challenge, NO_EXPIRY);
    Ok((options, format!("{challenge}.{seal}")))
}

/// Returns the challenge state of a cookie if this site signed it.
fn verify_challenge_cookie(secret: &[u8; 32], cookie: &str) -> Option<Vec<u8>> {
    let (challenge, seal) = cookie.split_once('.')?;
    let asked_here =
        signed_links::verify(secret, Purpose::PasskeyQuestion, challenge, NO_EXPIRY, seal);
    decode_id(challenge).filter(|_| asked_here)
}

/// Verifies the browser's answer to the challenge in the cookie, and records the use of the
/// passkey. Returns the passkey and the signing secret. A signature cannot be guessed, so attempts
/// are not limited.
async fn verify_assertion(app: &App, cookie: &str, sent: &Json) -> Result<(Passkey, [u8; 32])> {
    let party = relying_party(app)?;
    let not_known = |refusal: PasskeyError| refused(&refusal, Error::Refused(UNKNOWN_PASSKEY));
    let answer = AuthenticationResponse::parse(sent.to_string().as_bytes()).map_err(not_known)?;
    let id = answer.credential_id();
    let (found, secret) = app
        .read(move |reader| {
            let passkey = reader.passkeys().get(&id)?;
            let found = passkey.map(|passkey| {
                let user = user_of(reader, &passkey.email)?;
                Ok::<_, Error>((passkey, user))
            });
            Ok((found.transpose()?, reader.secret()?))
        })
        .await?;
    let challenge =
        verify_challenge_cookie(&secret, cookie).ok_or(Error::Refused(UNKNOWN_PASSKEY))?;
    let (mut passkey, user) = found.ok_or(Error::Refused(UNKNOWN_PASSKEY))?;
    let credential = Credential {
        id: passkey.credential_id.clone(),
        immutable_state: passkey.fixed.clone(),
        counter_state: passkey.moving,
    };
    passkey.moving = app
        .auth
        .login_gate
        .passkeys
        .finish_authentication(&party, &challenge, &answer, (&credential, user))
        .map_err(not_known)?;
    passkey.last_used_at = Some(app.now());
    let stored = passkey.clone();
    app.change(move |writer| {
        // The passkey may have been removed meanwhile.
        match writer.passkeys().get(&stored.credential_id)? {
            Some(_) => Ok(writer.passkeys().put(&stored)?),
            None => Err(Error::Refused(UNKNOWN_PASSKEY)),
        }
    })
    .await?;
    Ok((passkey, secret))
}

/// Begins a session with a passkey. The authenticator has verified the user, so neither password
/// nor code is required.
pub async fn sign_in(
    app: &App,
    context: ClientContext,
    cookie: &str,
    sent: &Json,
) -> Result<SignedIn> {
    let (passkey, secret) = verify_assertion(app, cookie, sent).await?;
    let (email, id) = (passkey.email, passkey.credential_id);
    app.auth.login_gate.record_success(LoginClient {
        networks: &context.networks,
        email: &email,
        device: None,
    });
    let known = verify_device_token(&secret, &context, &email, app.now());
    let notice = new_device_notice(known, &context, &email);
    let signed_in = begin_session(app, context, email, move |reader| {
        Ok(reader.passkeys().get(&id)?.is_some())
    })
    .await?;
    send_notice(app, notice).await;
    Ok(signed_in)
}

/// Confirms a signed-in session with a passkey of its account. A refusal is a 422: a 401 would
/// mean that the session has ended.
pub async fn confirm_session(
    app: &App,
    session: &Session,
    token_hash: [u8; 32],
    (cookie, sent): (&str, &Json),
) -> Result<()> {
    let not_this_account = || {
        let error = FieldError::new("credential", NOT_THIS_ACCOUNT);
        Error::Invalid(vec![error])
    };
    let (passkey, _) = match verify_assertion(app, cookie, sent).await {
        Err(Error::Refused(_)) => return Err(not_this_account()),
        verified => verified?,
    };
    if passkey.email != session.email {
        return Err(not_this_account());
    }
    app.auth.confirmations.record(token_hash, app.now());
    Ok(())
}

/// Removes a passkey. Returns `false` if the account has none with this id.
pub async fn remove(app: &App, email: &str, credential_id: Vec<u8>) -> Result<bool> {
    let owner = email.to_owned();
    let removed = app
        .change(move |writer| {
            let Some(passkey) = writer.passkeys().get(&credential_id)? else {
                return Ok(None);
            };
            let removed = writer.passkeys().remove(&owner, &credential_id)?;
            Ok(removed.then_some(passkey.name))
        })
        .await?;
    let Some(name) = removed else {
        return Ok(false);
    };
    let what = format!("È stata rimossa la passkey «{name}»");
    notify_access_change(app, email, what).await;
    Ok(true)
}
