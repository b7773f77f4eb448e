//! Sign-in flows: sessions, the first account, passwords, trusted devices, notices of access.

pub mod device;
pub mod one_time_links;
pub mod passkeys;
pub mod people;
pub mod second_factor;

use crate::errors::{Error, FieldError, Result};
use crate::state::App;
use respiro_auth::leaked_passwords::LeakedPasswords;
use respiro_auth::login_gate::LoginClient;
use respiro_auth::password::{self, PasswordPolicy};
use respiro_auth::signed_links::{self, Purpose};
use respiro_auth::token;
use respiro_content::validation::is_email_address;
pub use respiro_content::validation::normalize_email;
use respiro_db::{Account, AccountDetails, NotificationEvent, Reader, Role, Session};
use std::collections::VecDeque;

/// `last_seen_at` is written at most this often, so that reads cause no commits.
const SESSION_SEEN_MILLISECONDS: i64 = 60 * 60_000;
/// No account has a longer address, and none a longer password (200 characters).
const EMAIL_BYTES_MAX: usize = 254;
const PASSWORD_BYTES_MAX: usize = 800;
/// How long a device stays trusted after a sign-in: as long as browsers keep a cookie.
pub const DEVICE_MILLISECONDS: i64 = 400 * 24 * 60 * 60_000;

/// The first sign-in within this time is attributed to the creator of the account.
const FIRST_SIGN_IN_MILLISECONDS: i64 = 60 * 60_000;

pub const REFUSED: &str = "E-mail o password non corrette.";
pub const BACKUP_RESTORED: &str = "È stato ripristinato un backup";
/// Name of the stored list of devices that downloaded a backup.
const BACKUP_DEVICES: &str = "backup-devices";
const BACKUP_DEVICES_MAX: usize = 16;
const PASSWORD_CHANGED: &str = "La password è stata cambiata";
const CHANGED_MEANWHILE: &str = "La password è stata cambiata nel frattempo: accedi di nuovo.";
const SET_UP_REFUSED: &str =
    "Questo collegamento di configurazione non è valido o è già stato usato.";

/// Returns a new account, for the operator's commands and the first start.
pub fn new_account(
    email: &str,
    password: &str,
    policy: PasswordPolicy,
    now: i64,
) -> Result<Account> {
    let email = normalize_email(email);
    check_account(&email, password, policy.leaked)?;
    Ok(Account {
        password_hash: password::hash(password, policy.cost)?,
        email,
        created_at: now,
        second_factor: None,
    })
}

/// Returns the details of a new account.
pub fn new_details(role: Role) -> Result<AccountDetails> {
    let id = token::id()?;
    Ok(AccountDetails { id, role })
}

fn check_account(email: &str, password: &str, leaked: LeakedPasswords) -> Result<()> {
    let mut errors = Vec::new();
    if !is_email_address(email) {
        errors.push(FieldError::new("email", "L'indirizzo e-mail non è valido"));
    }
    errors.extend(check_password("password", password, email, leaked).err());
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::Invalid(errors))
    }
}

fn check_password(
    field: &str,
    password: &str,
    email: &str,
    leaked: LeakedPasswords,
) -> Result<(), FieldError> {
    password::check_policy(password, email, leaked)
        .map_err(|rejection| FieldError::new(field, rejection.explanation()))
}

/// The tokens of a new session.
#[derive(Debug)]
pub struct SignedIn {
    pub token: String,
    pub email: String,
    /// Token of the trusted device.
    pub device: String,
}

/// Identifies the client of a request, for rate limits and the list of devices.
#[derive(Debug, Clone)]
pub struct ClientContext {
    /// The client's address, and the wider networks that contain it.
    pub networks: [String; 3],
    pub user_agent: String,
    /// Hash of the session token in the request.
    pub previous_token_hash: Option<[u8; 32]>,
    /// Token of the trusted device in the request.
    pub device_token: Option<String>,
}

/// Creates the one-time token for the first account. Returns `None` if an account exists.
pub async fn create_setup_token(app: &App) -> Result<Option<String>> {
    if !is_setup_open(app).await? {
        return Ok(None);
    }
    let token = token::secret()?;
    app.auth.login_gate.enable_setup_token(token::hash(&token));
    Ok(Some(token))
}

/// Logs the set-up link if there is no account. Returns whether there is none.
pub async fn log_setup_link(app: &App) -> Result<bool> {
    let Some(token) = create_setup_token(app).await? else {
        let readable = app.read(|reader| Ok(reader.accounts().list()?)).await?;
        if readable.is_empty() {
            tracing::error!(
                "no row of an account can be read, nobody can sign in: run `respiro admin reset \
                 EMAIL`; `respiro check` names the rows"
            );
        }
        return Ok(false);
    };
    let link = format!("{}/admin#setup={token}", app.site.public_url());
    tracing::info!(%link, "no account yet: open this link once to make the first one");
    Ok(true)
}

/// Whether there is no account yet, so that the set-up link still shows its form.
pub async fn is_setup_open(app: &App) -> Result<bool> {
    app.read(|reader| Ok(reader.accounts().is_empty()?)).await
}

/// Creates the first account with the one-time token, and signs it in.
pub async fn create_first_account(
    app: &App,
    context: ClientContext,
    token: &str,
    email: &str,
    password: &str,
) -> Result<SignedIn> {
    let email = normalize_email(email);
    app.auth
        .login_gate
        .admit_setup(&context.networks, app.now())?;
    if !app.auth.login_gate.is_setup_token(token::hash(token)) {
        return Err(Error::Forbidden(SET_UP_REFUSED));
    }
    check_account(&email, password, app.auth.leaked_passwords)?;
    let account = Account {
        password_hash: app.auth.login_gate.hash_password(password).await?,
        email: email.clone(),
        created_at: app.now(),
        second_factor: None,
    };
    let details = new_details(Role::Owner)?;
    app.change(move |writer| {
        if writer.accounts().is_empty()? {
            Ok(writer.accounts().create(&account, &details)?)
        } else {
            Err(Error::Forbidden(SET_UP_REFUSED))
        }
    })
    .await?;
    app.auth.login_gate.disable_setup_token();
    begin_session(app, context, email, |_| Ok(true)).await
}

/// Verifies e-mail, password and, if the account has a second factor, the code; then begins a
/// session. An unknown address costs the same work and gets the same answer as a wrong password.
pub async fn sign_in(
    app: &App,
    context: ClientContext,
    email: &str,
    password: &str,
    code: Option<&str>,
) -> Result<SignedIn> {
    let email = normalize_email(email);
    if email.len() > EMAIL_BYTES_MAX || password.len() > PASSWORD_BYTES_MAX {
        return Err(Error::Refused(REFUSED));
    }
    let wanted = email.clone();
    let (account, secret) = app
        .read(move |reader| Ok((reader.accounts().get(&wanted)?, reader.secret()?)))
        .await?;
    let device = verify_device_token(&secret, &context, &email, app.now()).map(str::to_owned);
    let device = device.as_deref();
    let client = LoginClient {
        networks: &context.networks,
        email: &email,
        device,
    };
    let phc = account
        .as_ref()
        .map(|account| account.password_hash.clone());
    let verified = app
        .auth
        .login_gate
        .verify_login(client, password, phc, app.now());
    let right = verified.await?;
    let Some(account) = account.filter(|_| right) else {
        return Err(Error::Refused(REFUSED));
    };
    if account.second_factor.is_some() {
        match code {
            None | Some("") => return Err(Error::SecondFactorRequired),
            Some(code) => second_factor::verify_code(app, &context, client, code).await?,
        }
    }
    app.auth.login_gate.record_success(client);
    // The session begins only if the password has not changed since it was verified.
    let is_first = is_first_sign_in(app, &account).await?;
    let notice = new_device_notice(device, &context, &email).filter(|_| !is_first);
    let wanted = email.clone();
    let signed_in = begin_session(app, context, email, move |reader| {
        let present = reader.accounts().get(&wanted)?;
        Ok(present.is_some_and(|present| present.password_hash == account.password_hash))
    })
    .await?;
    send_notice(app, notice).await;
    Ok(signed_in)
}

/// Whether the account was created a moment ago and has never been signed in to.
async fn is_first_sign_in(app: &App, account: &Account) -> Result<bool> {
    let (email, age) = (account.email.clone(), app.now() - account.created_at);
    if age >= FIRST_SIGN_IN_MILLISECONDS {
        return Ok(false);
    }
    let sessions = app
        .read(move |reader| Ok(reader.sessions().list(&email)?))
        .await?;
    Ok(sessions.is_empty())
}

/// Returns the notice of a sign-in from a new device, or `None` for a trusted one.
fn new_device_notice(
    known: Option<&str>,
    context: &ClientContext,
    email: &str,
) -> Option<NotificationEvent> {
    known.is_none().then(|| NotificationEvent::NewDevice {
        email: email.to_owned(),
        device: device::display_name(&context.user_agent),
    })
}

/// Sends the notice after the session is committed; a failure does not undo the sign-in.
async fn send_notice(app: &App, notice: Option<NotificationEvent>) {
    if let Some(notice) = notice {
        app.site.notify(notice).await;
    }
}

/// Returns the id of the trusted device, if its token was issued for `email` and has not expired.
fn verify_device_token<'a>(
    secret: &[u8; 32],
    context: &'a ClientContext,
    email: &str,
    now: i64,
) -> Option<&'a str> {
    let (name, rest) = context.device_token.as_deref()?.split_once('.')?;
    let (until, signature) = rest.split_once('.')?;
    let until = until.parse().ok().filter(|until| *until > now)?;
    let subject = format!("{name}.{email}");
    signed_links::verify(secret, Purpose::Device, &subject, until, signature).then_some(name)
}

/// Issues a device token, `ID.EXPIRY.SIGNATURE`. It does not replace the password and does not
/// reveal the account.
async fn issue_device_token(app: &App, email: &str) -> Result<String> {
    let secret = app.read(|reader| Ok(reader.secret()?)).await?;
    let name = token::id()?;
    let until = app.now() + DEVICE_MILLISECONDS;
    let signature = signed_links::sign(&secret, Purpose::Device, &format!("{name}.{email}"), until);
    Ok(format!("{name}.{until}.{signature}"))
}

/// Begins a session with a new token and removes the session that the request had. `recheck`
/// verifies in the same transaction that the client may still sign in.
async fn begin_session(
    app: &App,
    context: ClientContext,
    email: String,
    recheck: impl FnOnce(&Reader<'_>) -> Result<bool> + Send + 'static,
) -> Result<SignedIn> {
    let token = token::secret()?;
    let hash = token::hash(&token);
    let now = app.now();
    let session = Session {
        id: token::id()?,
        email: email.clone(),
        created_at: now,
        last_seen_at: now,
        user_agent: context.user_agent,
    };
    let previous = context.previous_token_hash;
    app.change(move |writer| {
        if !recheck(writer)? {
            return Err(Error::Refused(REFUSED));
        }
        if let Some(previous) = previous {
            writer.sessions().remove(&previous)?;
        }
        Ok(writer.sessions().begin(&hash, &session)?)
    })
    .await?;
    app.auth.confirmations.record(hash, now);
    let device = issue_device_token(app, &email).await?;
    Ok(SignedIn {
        token,
        email,
        device,
    })
}

/// Returns the live session of a token, and what its account may do. Updates `last_seen_at` at most
/// hourly.
pub async fn find_session(app: &App, token_hash: [u8; 32]) -> Result<Option<(Session, Role)>> {
    let now = app.site.clock().reading();
    let read_at = now.clone();
    let found = app.read(move |reader| {
        let session = reader.sessions().get(&token_hash)?;
        let Some(session) = session.filter(|session| session.is_alive(&read_at)) else {
            return Ok(None);
        };
        let role = reader.accounts().details(&session.email)?.role;
        Ok(Some((session, role)))
    });
    let Some((mut session, role)) = found.await? else {
        return Ok(None);
    };
    let at = now.at();
    if at.saturating_sub(session.last_seen_at) >= SESSION_SEEN_MILLISECONDS {
        let touched = app.change(move |writer| Ok(writer.sessions().touch(&token_hash, &now)?));
        match touched.await {
            Ok(true) => session.last_seen_at = at,
            Ok(false) => return Ok(None),
            // A full or read-only disk must not keep the owner from reading.
            Err(Error::StorageFull | Error::ReadOnly) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Some((session, role)))
}

/// Changes the password and ends the account's other sessions.
pub async fn change_password(
    app: &App,
    session: &Session,
    token_hash: [u8; 32],
    (current, new): (&str, &str),
) -> Result<()> {
    let account = confirm_password(app, &session.email, current, "currentPassword").await?;
    check_password(
        "newPassword",
        new,
        &session.email,
        app.auth.leaked_passwords,
    )
    .map_err(|error| Error::Invalid(vec![error]))?;
    let password_hash = app.auth.login_gate.hash_password(new).await?;
    app.change(move |writer| {
        let verified = account.password_hash;
        let mut account = writer
            .accounts()
            .get(&account.email)?
            .ok_or(Error::Unauthorized)?;
        if account.password_hash != verified {
            return Err(Error::Conflict(CHANGED_MEANWHILE));
        }
        account.password_hash = password_hash;
        writer.accounts().put(&account)?;
        writer.account_links().remove_by_account(&account.email)?;
        Ok(writer
            .sessions()
            .remove_by_account(&account.email, Some(&token_hash))?)
    })
    .await?;
    notify_access_change(app, &session.email, PASSWORD_CHANGED.to_owned()).await;
    Ok(())
}

/// Confirms a signed-in session with the password of its account.
pub async fn confirm_session(
    app: &App,
    session: &Session,
    token_hash: [u8; 32],
    password: &str,
) -> Result<()> {
    confirm_password(app, &session.email, password, "password").await?;
    app.auth.confirmations.record(token_hash, app.now());
    Ok(())
}

/// Notifies the owner that the credentials of the account changed or may be known to others.
async fn notify_access_change(app: &App, email: &str, what: String) {
    let email = email.to_owned();
    app.site
        .notify(NotificationEvent::Access { email, what })
        .await;
}

/// Notifies every account of an event that concerns the whole site.
pub async fn notify_all(app: &App, what: String) {
    let accounts = app.read(|reader| Ok(reader.accounts().list()?)).await;
    for account in accounts.unwrap_or_default() {
        notify_access_change(app, &account.email, what.clone()).await;
    }
}

/// Notifies the admin that a device downloaded a backup, unless it did so before: the file holds
/// everything, the keys of the site included. A failure is only logged: a full disk must not keep
/// the admin from a backup.
pub async fn note_backup_download(app: &App, context: &ClientContext, email: &str) {
    if let Err(error) = notify_backup_download(app, context, email).await {
        tracing::warn!(%error, "the download of a backup cannot be noted");
    }
}

async fn notify_backup_download(app: &App, context: &ClientContext, email: &str) -> Result<()> {
    let secret = app.read(|reader| Ok(reader.secret()?)).await?;
    let device = verify_device_token(&secret, context, email, app.now());
    let known = app.site.load_task_state(BACKUP_DEVICES).await;
    let mut known: VecDeque<String> = known.unwrap_or_default();
    if device.is_some_and(|device| known.iter().any(|known| known == device)) {
        return Ok(());
    }
    if let Some(device) = device {
        known.push_back(device.to_owned());
        if known.len() > BACKUP_DEVICES_MAX {
            known.pop_front();
        }
    }
    let name = device::display_name(&context.user_agent);
    let what = format!("È stato scaricato un backup da un dispositivo nuovo ({name})");
    notify_all(app, what).await;
    Ok(app.site.save_task_state(BACKUP_DEVICES, &known).await?)
}

/// Returns the account if `written` is its password, or an error of the field.
async fn confirm_password(
    app: &App,
    email: &str,
    written: &str,
    field: &'static str,
) -> Result<Account> {
    let wanted = email.to_owned();
    let account = app
        .read(move |reader| Ok(reader.accounts().get(&wanted)?))
        .await?;
    let account = account.ok_or(Error::Unauthorized)?;
    let phc = account.password_hash.clone();
    let verified = app
        .auth
        .login_gate
        .reauthenticate(email, written, phc, app.now());
    if verified.await? {
        Ok(account)
    } else {
        let error = FieldError::new(field, "La password attuale non è corretta");
        Err(Error::Invalid(vec![error]))
    }
}
