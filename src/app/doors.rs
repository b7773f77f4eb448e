//! The doors that strangers stand at: who waits, who is known, what was begun. In memory only, all
//! of it bounded: a restart opens them.
//!
//! Strangers, however many, share what is the strangers'. Who has been here before has tries and
//! a queue of their own.

use super::blocking;
use super::door::{ByNetwork, Door, slow_down};
use super::rules::{
    ACCOUNT_RULE, ADDRESS_RULE, CODE_RULE, DEVICE_RULE, IN_ALL_RULE, INVITATION_MAIL_RULE,
    NEWSLETTER_REGION_RULE, NEWSLETTER_RULE, NEWSLETTER_SITE_RULE, REGION_RULE, SITE_RULE,
    TEST_MAIL_RULE, TESTIMONIAL_RULE, UNCOUNTED_TRIES,
};
use crate::auth::passkey::Ceremonies;
use crate::auth::password::{self, Cost};
use crate::auth::throttle::Rule;
use crate::auth::token;
use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Hashes of strangers that may wait for their turn; one more is told to come again.
const STRANGERS_WAITING_MAX: usize = 32;
const KNOWN_WAITING_MAX: usize = 16;
/// Short: whoever comes again finds the place of another that has been served.
const HASHES_RETRY_SECONDS: u64 = 2;
/// Addresses remembered as having signed in, 32 bytes each.
const KNOWN_ADDRESSES_MAX: usize = 256;
/// A started activation of the second factor waits this long for its first code.
const ACTIVATION_MILLISECONDS_MAX: i64 = 15 * 60_000;
/// Activations under way at once; the oldest makes room.
const ACTIVATIONS_MAX: usize = 16;

/// In which queue a password waits to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// A device or address that has signed in before, or a session.
    Known,
    Stranger,
}

/// One password hash at a time (each takes 64 MiB), and a bounded number that wait.
#[derive(Debug)]
struct Queue {
    turn: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

/// A place in a queue, kept until it is dropped.
#[derive(Debug)]
pub struct Place {
    lane: Lane,
    _held: OwnedSemaphorePermit,
}

impl Queue {
    fn new(waiting_max: usize) -> Self {
        Self {
            turn: Arc::new(Semaphore::new(1)),
            places: Arc::new(Semaphore::new(1 + waiting_max)),
        }
    }
}

/// Throttles, the queues of password hashes, the set-up link, and what waits for an answer.
#[derive(Debug)]
pub struct Doors {
    by_network: ByNetwork,
    by_account: Door,
    by_device: Door,
    by_code: Door,
    newsletter: ByNetwork,
    newsletter_in_all: Door,
    testimonial: Door,
    testimonial_in_all: Door,
    invitation_mail: Door,
    test_mail: Door,
    /// Hashes of an address and the account it signed in to.
    known: Mutex<VecDeque<[u8; 32]>>,
    known_queue: Queue,
    stranger_queue: Queue,
    cost: Cost,
    /// SHA-256 of the one-time token, while there is no account.
    set_up: Mutex<Option<[u8; 32]>>,
    /// What an unknown address is checked against, so that it takes as long as a known one.
    decoy: Mutex<Option<Arc<str>>>,
    activations: Mutex<Vec<Activation>>,
    /// What is asked of passkeys.
    pub passkeys: Ceremonies,
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

impl Doors {
    pub fn new(cost: Cost, newsletter_free_tries: u32) -> Self {
        let with_at_least = |rule: Rule| Rule {
            free_tries: rule.free_tries.max(newsletter_free_tries),
            ..rule
        };
        let newsletter = Rule {
            free_tries: newsletter_free_tries,
            ..NEWSLETTER_RULE
        };
        Self {
            by_network: ByNetwork::new([ADDRESS_RULE, SITE_RULE, REGION_RULE]),
            by_account: Door::new(ACCOUNT_RULE),
            by_device: Door::new(DEVICE_RULE),
            by_code: Door::new(CODE_RULE),
            newsletter: ByNetwork::new([
                newsletter,
                with_at_least(NEWSLETTER_SITE_RULE),
                with_at_least(NEWSLETTER_REGION_RULE),
            ]),
            newsletter_in_all: Door::new(IN_ALL_RULE),
            testimonial: Door::new(TESTIMONIAL_RULE),
            testimonial_in_all: Door::new(IN_ALL_RULE),
            invitation_mail: Door::new(INVITATION_MAIL_RULE),
            test_mail: Door::new(TEST_MAIL_RULE),
            known: Mutex::default(),
            known_queue: Queue::new(KNOWN_WAITING_MAX),
            stranger_queue: Queue::new(STRANGERS_WAITING_MAX),
            cost,
            set_up: Mutex::default(),
            decoy: Mutex::default(),
            activations: Mutex::default(),
            passkeys: Ceremonies::default(),
        }
    }

    /// Counts a test message to somebody of the panel.
    pub fn test_mail(&self, now: i64) -> Result<()> {
        self.test_mail.attempt("", now).map(drop)
    }

    /// Counts a newsletter request from these networks, and one more from wherever.
    pub fn newsletter(&self, networks: &[String; 3], now: i64) -> Result<()> {
        self.newsletter.attempt(networks, now)?;
        self.newsletter_in_all.attempt("", now).map(drop)
    }

    /// Counts a testimonial sent from `address`, and one more from wherever.
    pub fn testimonial(&self, address: &str, now: i64) -> Result<()> {
        self.testimonial.attempt(address, now)?;
        self.testimonial_in_all.attempt("", now).map(drop)
    }

    /// Counts a personal link that goes out by mail.
    pub fn invitation_mail(&self, now: i64) -> Result<()> {
        self.invitation_mail.attempt("", now).map(drop)
    }

    /// Counts a try for an account and gives it a place in its queue. Who finds no place has not
    /// tried: coming again must not be held against anybody. Who waits for a network's turn holds
    /// no place meanwhile.
    pub fn knock(
        &self,
        networks: &[String; 3],
        email: &str,
        device: Option<&str>,
        now: i64,
    ) -> Result<Place> {
        let [address, ..] = networks;
        if let Some(key) = self.own_key(address, email, device) {
            let place = self.place(Lane::Known)?;
            self.by_device.attempt(&key, now)?;
            return Ok(place);
        }
        let place = self.place(Lane::Stranger)?;
        let tries = self.by_network.attempt(networks, now)?;
        if tries > UNCOUNTED_TRIES {
            self.by_account.attempt(email, now)?;
        }
        Ok(place)
    }

    /// Counts a code of somebody whose password was right, and says the how-manieth it is.
    pub fn try_code(
        &self,
        address: &str,
        email: &str,
        device: Option<&str>,
        now: i64,
    ) -> Result<u32> {
        let own = self.own_key(address, email, device);
        self.by_code.attempt(own.as_deref().unwrap_or(email), now)
    }

    fn queue(&self, lane: Lane) -> &Queue {
        match lane {
            Lane::Known => &self.known_queue,
            Lane::Stranger => &self.stranger_queue,
        }
    }

    pub fn place(&self, lane: Lane) -> Result<Place> {
        match Arc::clone(&self.queue(lane).places).try_acquire_owned() {
            Ok(held) => Ok(Place { lane, _held: held }),
            Err(_) => Err(slow_down(HASHES_RETRY_SECONDS)),
        }
    }

    /// Counts a try to make the first account.
    pub fn knock_for_set_up(&self, address: &str, now: i64) -> Result<()> {
        self.by_network.address.attempt(address, now).map(drop)
    }

    /// The key under which who has been here before is counted apart from all others.
    fn own_key(&self, address: &str, email: &str, device: Option<&str>) -> Option<String> {
        if let Some(device) = device {
            return Some(format!("device {device}"));
        }
        let here = here(address, email);
        let known = lock(&self.known).contains(&token::hash(&here));
        known.then_some(here)
    }

    /// Whoever has signed in, by this device or from this address, has a place of their own.
    pub fn welcome(&self, networks: &[String; 3], email: &str, device: Option<&str>) {
        let [address, ..] = networks;
        self.by_network.forgive(networks);
        self.by_account.forgive(email);
        // Not what others have tried: the owner comes and goes while they do.
        let own = self.own_key(address, email, device);
        self.by_code.forgive(own.as_deref().unwrap_or(email));
        let here = here(address, email);
        self.by_device.forgive(&here);
        if let Some(device) = device {
            self.by_device.forgive(&format!("device {device}"));
        }
        let entry = token::hash(&here);
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
        self.by_device.attempt(&tries, now)?;
        let place = self.place(Lane::Known)?;
        let verified = self.verify(&place, password.to_owned(), Some(phc));
        let right = verified.await?;
        if right {
            self.by_device.forgive(&tries);
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
    async fn hashing<T, F>(&self, place: &Place, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(Cost) -> Result<T> + Send + 'static,
    {
        let turn = Arc::clone(&self.queue(place.lane).turn)
            .acquire_owned()
            .await;
        let cost = self.cost;
        blocking(move || {
            let _turn = turn;
            work(cost)
        })
        .await
    }

    pub async fn hash(&self, place: &Place, password: String) -> Result<String> {
        self.hashing(place, move |cost| hash(&password, cost)).await
    }

    /// Without a `phc` the work is the same and the answer no.
    pub async fn verify(
        &self,
        place: &Place,
        password: String,
        phc: Option<String>,
    ) -> Result<bool> {
        let phc = match phc {
            Some(phc) => phc,
            None => self.decoy(place).await?.to_string(),
        };
        self.hashing(place, move |_| Ok(password::verify(&password, &phc)))
            .await
    }

    async fn decoy(&self, place: &Place) -> Result<Arc<str>> {
        if let Some(decoy) = lock(&self.decoy).clone() {
            return Ok(decoy);
        }
        let made: Arc<str> = self.hash(place, random(token::id())?).await?.into();
        Ok(Arc::clone(lock(&self.decoy).get_or_insert(made)))
    }
}

fn here(address: &str, email: &str) -> String {
    format!("here {address} {email}")
}

/// Random bytes, or the system's refusal as an error.
pub fn random<T>(result: Result<T, getrandom::Error>) -> Result<T> {
    result.map_err(|error| Error::Internal(format!("no random bytes: {error}")))
}

pub fn hash(password: &str, cost: Cost) -> Result<String> {
    password::hash(password, cost).map_err(|error| Error::Internal(format!("hashing: {error}")))
}
