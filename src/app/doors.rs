//! The doors that strangers stand at: who waits, who is known, what was begun. In memory only: a
//! restart opens them.

use super::blocking;
use super::rules::{
    ACCOUNT_RULE, ADDRESS_RULE, NEWSLETTER_IN_ALL_RULE, NEWSLETTER_RULE, PASSKEY_QUESTION_RULE,
};
use crate::auth::passkey::Ceremonies;
use crate::auth::password::{self, Cost};
use crate::auth::throttle::{Rule, Throttle};
use crate::auth::token;
use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// Password hashes computed at once: each takes 64 MiB.
const HASHES_AT_ONCE: usize = 1;
/// Hashes that may wait for their turn; one more request is told to come again.
const HASHES_WAITING_MAX: usize = 16;
const HASHES_RETRY_SECONDS: u64 = 5;
/// Addresses remembered as having signed in.
const KNOWN_ADDRESSES_MAX: usize = 256;
/// A started activation of the second factor waits this long for its first code.
const ACTIVATION_MILLISECONDS_MAX: i64 = 15 * 60_000;
/// Activations under way at once; the oldest makes room.
const ACTIVATIONS_MAX: usize = 16;

/// Throttles, the queue of password hashes, the set-up link, and what waits for an answer.
#[derive(Debug)]
pub struct Doors {
    by_address: Mutex<Throttle>,
    by_account: Mutex<Throttle>,
    newsletter: Mutex<Throttle>,
    newsletter_in_all: Mutex<Throttle>,
    known: Mutex<VecDeque<(String, String)>>,
    hashing: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    cost: Cost,
    /// SHA-256 of the one-time token, while there is no account.
    set_up: Mutex<Option<[u8; 32]>>,
    /// What an unknown address is checked against, so that it takes as long as a known one.
    decoy: Mutex<Option<Arc<str>>>,
    activations: Mutex<Vec<Activation>>,
    /// Questions to passkeys that wait for their answer.
    pub passkeys: Ceremonies,
    passkey_questions: Mutex<Throttle>,
}

/// A second factor on its way in, which waits for its first code.
#[derive(Debug)]
struct Activation {
    email: String,
    secret: Vec<u8>,
    at: i64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn slow_down(retry_after_seconds: u64) -> Error {
    Error::TooManyRequests {
        retry_after_seconds,
    }
}

impl Doors {
    pub fn new(cost: Cost, newsletter_free_tries: u32) -> Self {
        let newsletter = Rule {
            free_tries: newsletter_free_tries,
            ..NEWSLETTER_RULE
        };
        Self {
            by_address: Mutex::new(Throttle::new(ADDRESS_RULE)),
            by_account: Mutex::new(Throttle::new(ACCOUNT_RULE)),
            newsletter: Mutex::new(Throttle::new(newsletter)),
            newsletter_in_all: Mutex::new(Throttle::new(NEWSLETTER_IN_ALL_RULE)),
            known: Mutex::default(),
            hashing: Arc::new(Semaphore::new(HASHES_AT_ONCE)),
            waiting: Arc::new(Semaphore::new(HASHES_AT_ONCE + HASHES_WAITING_MAX)),
            cost,
            set_up: Mutex::default(),
            decoy: Mutex::default(),
            activations: Mutex::default(),
            passkeys: Ceremonies::default(),
            passkey_questions: Mutex::new(Throttle::new(PASSKEY_QUESTION_RULE)),
        }
    }

    /// Counts a newsletter request from `address`, and one more from wherever.
    pub fn newsletter(&self, address: &str, now: i64) -> Result<()> {
        lock(&self.newsletter)
            .attempt(address, now)
            .map_err(slow_down)?;
        lock(&self.newsletter_in_all)
            .attempt("", now)
            .map_err(slow_down)
    }

    /// Counts a question for a passkey from `address`.
    pub fn passkey_question(&self, address: &str, now: i64) -> Result<()> {
        lock(&self.passkey_questions)
            .attempt(address, now)
            .map_err(slow_down)
    }

    /// Counts a try to sign in.
    pub fn knock(&self, address: &str, email: &str, now: i64) -> Result<()> {
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

    /// Whoever has signed in from `address` does not wait at the door of the account any more.
    pub fn welcome(&self, address: &str, email: &str) {
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

    /// Checks the password of somebody signed in, who may try as often as at the front door.
    pub async fn confirm(
        &self,
        email: &str,
        password: &str,
        phc: String,
        now: i64,
    ) -> Result<bool> {
        let tries = format!("confirm {email}");
        lock(&self.by_account)
            .attempt(&tries, now)
            .map_err(slow_down)?;
        let right = self.verify(password.to_owned(), Some(phc)).await?;
        if right {
            lock(&self.by_account).forgive(&tries);
        }
        Ok(right)
    }

    /// The one-time link of the first account opens with the token of this hash from now on.
    pub fn offer_set_up(&self, token_hash: [u8; 32]) {
        *lock(&self.set_up) = Some(token_hash);
    }

    pub fn offers_set_up(&self, token_hash: [u8; 32]) -> bool {
        *lock(&self.set_up) == Some(token_hash)
    }

    pub fn close_set_up(&self) {
        *lock(&self.set_up) = None;
    }

    /// Remembers the secret of a second factor until its first code confirms it.
    pub fn begin_activation(&self, email: &str, secret: Vec<u8>, now: i64) {
        let mut activations = lock(&self.activations);
        activations.retain(|other| other.email != email);
        if activations.len() >= ACTIVATIONS_MAX {
            activations.remove(0);
        }
        activations.push(Activation {
            email: email.to_owned(),
            secret,
            at: now,
        });
    }

    /// The secret of an activation that still waits.
    pub fn activation(&self, email: &str, now: i64) -> Option<Vec<u8>> {
        lock(&self.activations)
            .iter()
            .find(|one| one.email == email && now - one.at < ACTIVATION_MILLISECONDS_MAX)
            .map(|one| one.secret.clone())
    }

    pub fn end_activation(&self, email: &str) {
        lock(&self.activations).retain(|one| one.email != email);
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

    pub async fn hash(&self, password: String) -> Result<String> {
        self.hashing(move |cost| hash(&password, cost)).await
    }

    /// Without a `phc` the work is the same and the answer no.
    pub async fn verify(&self, password: String, phc: Option<String>) -> Result<bool> {
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

/// Random bytes, or the system's refusal as an error.
pub fn random<T>(result: Result<T, getrandom::Error>) -> Result<T> {
    result.map_err(|error| Error::Internal(format!("no random bytes: {error}")))
}

pub fn hash(password: &str, cost: Cost) -> Result<String> {
    password::hash(password, cost).map_err(|error| Error::Internal(format!("hashing: {error}")))
}
