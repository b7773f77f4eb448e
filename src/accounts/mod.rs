//! Who may come in: signing in and out, the first account, passwords, the second factor.

pub mod passkeys;
mod rules;
pub mod second_factor;

use crate::app::{App, Tuning, blocking};
use crate::auth::passkey::Ceremonies;
use crate::auth::password::{self, Cost};
use crate::auth::throttle::{Rule, Throttle};
use crate::auth::token;
use crate::content::FieldError;
use crate::content::check::is_email_address;
use crate::error::{Error, Result};
use crate::store::{Account, Session};
use rules::{ACCOUNT_RULE, ADDRESS_RULE, MINUTE, NEWSLETTER_RULE, PASSKEY_QUESTION_RULE};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// Password hashes computed at once: each takes 64 MiB.
const HASHES_AT_ONCE: usize = 1;
/// Hashes that may wait for their turn; one more request is told to come again.
const HASHES_WAITING_MAX: usize = 16;
const HASHES_RETRY_SECONDS: u64 = 5;
/// `last_seen_at` is written at most this often: a read must not cost a commit.
const SESSION_SEEN_MILLISECONDS: i64 = 60 * MINUTE;
/// Addresses remembered as having signed in.
const KNOWN_ADDRESSES_MAX: usize = 256;

const REFUSED: &str = "E-mail o password non corrette.";
const SET_UP_REFUSED: &str =
    "Questo collegamento di configurazione non è valido o è già stato usato.";

/// The state of the doors. It lives in memory: a restart opens them.
#[derive(Debug)]
pub struct Doors {
    by_address: Mutex<Throttle>,
    by_account: Mutex<Throttle>,
    newsletter: Mutex<Throttle>,
    known: Mutex<VecDeque<(String, String)>>,
    hashing: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    cost: Cost,
    /// SHA-256 of the one-time token, while there is no account.
    set_up: Mutex<Option<[u8; 32]>>,
    /// What an unknown address is checked against, so that it takes as long as a known one.
    decoy: Mutex<Option<Arc<str>>>,
    /// Second factors on their way in.
    started: Mutex<Vec<second_factor::Started>>,
    passkeys: Ceremonies,
    passkey_questions: Mutex<Throttle>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn random<T>(result: Result<T, getrandom::Error>) -> Result<T> {
    result.map_err(|error| Error::Internal(format!("no random bytes: {error}")))
}

fn slow_down(retry_after_seconds: u64) -> Error {
    Error::TooManyRequests {
        retry_after_seconds,
    }
}

impl Doors {
    pub fn new(tuning: &Tuning) -> Self {
        let newsletter = Rule {
            free_tries: tuning.newsletter_free_tries,
            ..NEWSLETTER_RULE
        };
        Self {
            by_address: Mutex::new(Throttle::new(ADDRESS_RULE)),
            by_account: Mutex::new(Throttle::new(ACCOUNT_RULE)),
            newsletter: Mutex::new(Throttle::new(newsletter)),
            known: Mutex::default(),
            hashing: Arc::new(Semaphore::new(HASHES_AT_ONCE)),
            waiting: Arc::new(Semaphore::new(HASHES_AT_ONCE + HASHES_WAITING_MAX)),
            cost: tuning.password_cost,
            set_up: Mutex::default(),
            decoy: Mutex::default(),
            started: Mutex::default(),
            passkeys: Ceremonies::default(),
            passkey_questions: Mutex::new(Throttle::new(PASSKEY_QUESTION_RULE)),
        }
    }

    /// Counts a newsletter request from `address`.
    pub fn newsletter(&self, address: &str, now: i64) -> Result<()> {
        lock(&self.newsletter)
            .attempt(address, now)
            .map_err(slow_down)
    }

    fn knock(&self, address: &str, email: &str, now: i64) -> Result<()> {
        lock(&self.by_address)
            .attempt(address, now)
            .map_err(slow_down)?;
        let known = lock(&self.known)
            .iter()
            .any(|(a, e)| a == address && e == email);
        if known {
            return Ok(());
        }
        lock(&self.by_account)
            .attempt(email, now)
            .map_err(slow_down)
    }

    fn welcome(&self, address: &str, email: &str) {
        lock(&self.by_address).forgive(address);
        lock(&self.by_account).forgive(email);
        let entry = (address.to_owned(), email.to_owned());
        let mut known = lock(&self.known);
        known.retain(|other| *other != entry);
        known.push_back(entry);
        if known.len() > KNOWN_ADDRESSES_MAX {
            known.pop_front();
        }
    }

    /// Runs one password hash in its turn, off the request threads.
    async fn hashing<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(Cost) -> Result<T> + Send + 'static,
    {
        let Ok(place) = Arc::clone(&self.waiting).try_acquire_owned() else {
            return Err(slow_down(HASHES_RETRY_SECONDS));
        };
        let turn = Arc::clone(&self.hashing).acquire_owned().await;
        let cost = self.cost;
        blocking(move || {
            let _held = (place, turn);
            work(cost)
        })
        .await
    }

    async fn hash(&self, password: String) -> Result<String> {
        self.hashing(move |cost| hash(&password, cost)).await
    }

    async fn verify(&self, password: String, phc: Option<String>) -> Result<bool> {
        let phc = match phc {
            Some(phc) => phc,
            None => self.decoy().await?.to_string(),
        };
        self.hashing(move |_| Ok(password::verify(&password, &phc)))
            .await
    }

    async fn decoy(&self) -> Result<Arc<str>> {
        if let Some(decoy) = lock(&self.decoy).clone() {
            return Ok(decoy);
        }
        let made: Arc<str> = self.hash(random(token::id())?).await?.into();
        Ok(Arc::clone(lock(&self.decoy).get_or_insert(made)))
    }
}

fn hash(password: &str, cost: Cost) -> Result<String> {
    password::hash(password, cost).map_err(|error| Error::Internal(format!("hashing: {error}")))
}

/// An account for the operator's commands and the first start.
pub fn new_account(email: &str, password: &str, cost: Cost, now: i64) -> Result<Account> {
    let email = normal(email);
    check_account(&email, password)?;
    Ok(Account {
        password_hash: hash(password, cost)?,
        email,
        created_at: now,
        second_factor: None,
    })
}

/// Addresses are compared in lower case and without spaces around them.
pub fn normal(email: &str) -> String {
    email.trim().to_lowercase()
}

fn check_account(email: &str, password: &str) -> Result<()> {
    let mut errors = Vec::new();
    if !is_email_address(email) {
        errors.push(FieldError::new("email", "L'indirizzo e-mail non è valido"));
    }
    errors.extend(password::check_policy("password", password, email).err());
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::Invalid(errors))
    }
}

/// A signed-in browser's secret and its session.
#[derive(Debug)]
pub struct SignedIn {
    pub token: String,
    pub email: String,
}

/// Where a request comes from.
#[derive(Debug, Clone)]
pub struct Visitor {
    pub address: String,
    pub user_agent: String,
    /// Hash of the session token it brought, when it brought one.
    pub former: Option<[u8; 32]>,
}

/// Makes the one-time token of the first account, when there is no account.
pub async fn prepare_set_up(app: &App) -> Result<Option<String>> {
    if !app.read(|reader| reader.accounts()).await?.is_empty() {
        return Ok(None);
    }
    let token = random(token::secret())?;
    *lock(&app.doors.set_up) = Some(token::hash(&token));
    Ok(Some(token))
}

/// Makes the first account by its one-time link, and signs it in.
pub async fn set_up(
    app: &App,
    visitor: Visitor,
    token: &str,
    email: &str,
    password: &str,
) -> Result<SignedIn> {
    let email = normal(email);
    app.doors.knock(&visitor.address, "", app.now())?;
    let offered = token::hash(token);
    if *lock(&app.doors.set_up) != Some(offered) {
        return Err(Error::Forbidden(SET_UP_REFUSED));
    }
    check_account(&email, password)?;
    let account = Account {
        password_hash: app.doors.hash(password.to_owned()).await?,
        email: email.clone(),
        created_at: app.now(),
        second_factor: None,
    };
    app.change(move |writer| {
        if writer.accounts()?.is_empty() {
            writer.put_account(&account)
        } else {
            Err(Error::Forbidden(SET_UP_REFUSED))
        }
    })
    .await?;
    *lock(&app.doors.set_up) = None;
    begin_session(app, visitor, email).await
}

/// Checks e-mail, password and, where asked for, the code; then begins a session.
///
/// An unknown address costs the same work and gets the same answer as a wrong password.
pub async fn sign_in(
    app: &App,
    visitor: Visitor,
    email: &str,
    password: &str,
    code: Option<&str>,
) -> Result<SignedIn> {
    let email = normal(email);
    app.doors.knock(&visitor.address, &email, app.now())?;
    let wanted = email.clone();
    let account = app.read(move |reader| reader.account(&wanted)).await?;
    let phc = account
        .as_ref()
        .map(|account| account.password_hash.clone());
    let right = app.doors.verify(password.to_owned(), phc).await?;
    let Some(account) = account.filter(|_| right) else {
        return Err(Error::Refused(REFUSED));
    };
    if account.second_factor.is_some() {
        match code {
            None | Some("") => return Err(Error::SecondFactorRequired),
            Some(code) => second_factor::use_code(app, &email, code).await?,
        }
    }
    app.doors.welcome(&visitor.address, &email);
    begin_session(app, visitor, email).await
}

/// A new token each time: whatever the browser brought is worth nothing afterwards.
async fn begin_session(app: &App, visitor: Visitor, email: String) -> Result<SignedIn> {
    let token = random(token::secret())?;
    let hash = token::hash(&token);
    let now = app.now();
    let session = Session {
        id: random(token::id())?,
        email: email.clone(),
        created_at: now,
        last_seen_at: now,
        user_agent: visitor.user_agent,
    };
    let former = visitor.former;
    app.change(move |writer| {
        if let Some(former) = former {
            writer.remove_session(&former)?;
        }
        writer.begin_session(&hash, &session)
    })
    .await?;
    Ok(SignedIn { token, email })
}

/// The session of a token, while it stands. Notes at most hourly that it was seen.
pub async fn session(app: &App, token_hash: [u8; 32]) -> Result<Option<Session>> {
    let found = app.read(move |reader| reader.session(&token_hash)).await?;
    let now = app.now();
    let Some(mut session) = found.filter(|session| session.is_alive(now)) else {
        return Ok(None);
    };
    if now.saturating_sub(session.last_seen_at) >= SESSION_SEEN_MILLISECONDS {
        session.last_seen_at = now;
        let seen = session.clone();
        app.change(move |writer| writer.put_session(&token_hash, &seen))
            .await?;
    }
    Ok(Some(session))
}

/// Changes the password and ends the account's other sessions.
pub async fn change_password(
    app: &App,
    session: &Session,
    token_hash: [u8; 32],
    (current, new): (&str, &str),
) -> Result<()> {
    let account = confirm_password(app, &session.email, current, "currentPassword").await?;
    password::check_policy("newPassword", new, &session.email)
        .map_err(|error| Error::Invalid(vec![error]))?;
    let password_hash = app.doors.hash(new.to_owned()).await?;
    app.change(move |writer| {
        let mut account = writer.account(&account.email)?.ok_or(Error::Unauthorized)?;
        account.password_hash = password_hash;
        writer.put_account(&account)?;
        writer.remove_sessions(&account.email, Some(&token_hash))
    })
    .await
}

/// The account, when `written` is its password; the field's error otherwise.
async fn confirm_password(
    app: &App,
    email: &str,
    written: &str,
    field: &'static str,
) -> Result<Account> {
    let wanted = email.to_owned();
    lock(&app.doors.by_account)
        .attempt(&format!("confirm {email}"), app.now())
        .map_err(slow_down)?;
    let account = app.read(move |reader| reader.account(&wanted)).await?;
    let account = account.ok_or(Error::Unauthorized)?;
    let phc = Some(account.password_hash.clone());
    if app.doors.verify(written.to_owned(), phc).await? {
        lock(&app.doors.by_account).forgive(&format!("confirm {email}"));
        Ok(account)
    } else {
        let error = FieldError::new(field, "La password attuale non è corretta");
        Err(Error::Invalid(vec![error]))
    }
}
