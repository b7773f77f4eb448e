//! The gate in front of sign-in: rate limits, bounded queues of password hashes, trusted devices.
//!
//! All state is bounded and in memory; a restart clears it. Clients that have signed in before have
//! attempts and a queue of their own: no number of anonymous clients locks the owner out.

use super::error::{Error, Result};
use super::limits::{ACCOUNT, ATTEMPTS_EXEMPT_FROM_ACCOUNT, DEVICE, SIGN_IN, TOTP};
use super::passkey::PendingCeremonies;
use super::password::{self, Cost};
use super::rate_limit::RateLimiter;
use super::token;
use super::totp::PendingEnrolments;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

/// Hashes of anonymous clients that may wait; a further one gets 429.
const ANONYMOUS_WAITING_MAX: usize = 32;
const TRUSTED_WAITING_MAX: usize = 16;
/// Short: a slot is free as soon as one hash is done.
const QUEUE_RETRY_SECONDS: u64 = 2;
/// Addresses remembered as having signed in, 32 bytes each.
const TRUSTED_ADDRESSES_MAX: usize = 256;

/// A client that signs in.
#[derive(Debug, Clone, Copy)]
pub struct LoginClient<'a> {
    /// Its address, and the wider networks that contain the address.
    pub networks: &'a [String; 3],
    pub email: &'a str,
    /// Id of the device when it has signed in to this account before.
    pub device: Option<&'a str>,
}

/// Runs one hash at a time (each takes 64 MiB) and bounds how many wait.
#[derive(Debug)]
struct HashQueue {
    running: Arc<Semaphore>,
    slots: Arc<Semaphore>,
}

/// A place in a queue, released on drop.
struct HashSlot {
    running: Arc<Semaphore>,
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
pub struct LoginGate {
    by_network: RateLimiter<3>,
    by_account: RateLimiter,
    by_device: RateLimiter,
    by_totp: RateLimiter,
    /// Hashes of an address and the account that signed in from it.
    trusted_addresses: Mutex<VecDeque<[u8; 32]>>,
    trusted_queue: HashQueue,
    anonymous_queue: HashQueue,
    cost: Cost,
    /// SHA-256 of the one-time token that makes the first account.
    setup_token_hash: Mutex<Option<[u8; 32]>>,
    pub totp_enrolments: PendingEnrolments,
    pub passkeys: PendingCeremonies,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LoginGate {
    pub fn new(cost: Cost) -> Self {
        Self {
            by_network: RateLimiter::new(SIGN_IN),
            by_account: RateLimiter::new([ACCOUNT]),
            by_device: RateLimiter::new([DEVICE]),
            by_totp: RateLimiter::new([TOTP]),
            trusted_addresses: Mutex::default(),
            trusted_queue: HashQueue::new(TRUSTED_WAITING_MAX),
            anonymous_queue: HashQueue::new(ANONYMOUS_WAITING_MAX),
            cost,
            setup_token_hash: Mutex::default(),
            totp_enrolments: PendingEnrolments::default(),
            passkeys: PendingCeremonies::default(),
        }
    }

    /// Counts a sign-in attempt and verifies its password. Without a `phc` (no such account) the
    /// work is the same and the answer is no.
    pub async fn verify_login(
        &self,
        client: LoginClient<'_>,
        password: &str,
        phc: Option<String>,
        now: i64,
    ) -> Result<bool> {
        let slot = self.admit_login(client, now)?;
        let phc = phc.unwrap_or_else(|| password::dummy_hash(self.cost));
        slot.verify(password, phc).await
    }

    /// A client that finds its queue full has not used up an attempt: it was asked to retry.
    fn admit_login(&self, client: LoginClient<'_>, now: i64) -> Result<HashSlot> {
        if let Some(key) = self.trusted_key(client) {
            let slot = self.trusted_queue.acquire_slot()?;
            self.by_device.attempt([&key], now)?;
            return Ok(slot);
        }
        let slot = self.anonymous_queue.acquire_slot()?;
        let attempts = self.by_network.attempt(client.networks.each_ref(), now)?;
        if attempts > ATTEMPTS_EXEMPT_FROM_ACCOUNT {
            self.by_account.attempt([client.email], now)?;
        }
        Ok(slot)
    }

    /// Counts a second-factor code after a correct password. Returns the attempt count.
    pub fn admit_totp(&self, client: LoginClient<'_>, now: i64) -> Result<u32> {
        let key = self.trusted_key(client);
        let key = key.as_deref().unwrap_or(client.email);
        self.by_totp.attempt([key], now)
    }

    /// Counts an attempt to make the first account.
    pub fn admit_setup(&self, networks: &[String; 3], now: i64) -> Result<()> {
        self.by_network.attempt(networks.each_ref(), now).map(drop)
    }

    /// Resets the limits of a client that has signed in, and trusts its address from now on.
    pub fn record_success(&self, client: LoginClient<'_>) {
        self.by_network.reset(client.networks.each_ref());
        self.by_account.reset([client.email]);
        // A trusted client resets its own codes only: those of anonymous clients go on counting
        // when the owner signs in.
        let key = self.trusted_key(client);
        self.by_totp.reset([key.as_deref().unwrap_or(client.email)]);
        let address_key = address_key(client);
        self.by_device.reset([&address_key]);
        if let Some(device) = client.device {
            self.by_device.reset([&device_key(device)]);
        }
        let entry = token::hash(&address_key);
        let mut trusted = lock(&self.trusted_addresses);
        trusted.retain(|other| *other != entry);
        trusted.push_back(entry);
        if trusted.len() > TRUSTED_ADDRESSES_MAX {
            trusted.pop_front();
        }
    }

    /// The key of a client that has signed in before, counted apart from all others.
    fn trusted_key(&self, client: LoginClient<'_>) -> Option<String> {
        if let Some(device) = client.device {
            return Some(device_key(device));
        }
        let key = address_key(client);
        let is_trusted = lock(&self.trusted_addresses).contains(&token::hash(&key));
        is_trusted.then_some(key)
    }

    /// Verifies the password of a signed-in account once more, with attempts limited as at sign-in.
    pub async fn reauthenticate(
        &self,
        email: &str,
        password: &str,
        phc: String,
        now: i64,
    ) -> Result<bool> {
        let key = format!("session {email}");
        self.by_device.attempt([&key], now)?;
        let slot = self.trusted_queue.acquire_slot()?;
        let is_right = slot.verify(password, phc).await?;
        if is_right {
            self.by_device.reset([&key]);
        }
        Ok(is_right)
    }

    /// Hashes the new password of an account.
    pub async fn hash_password(&self, password: &str) -> Result<String> {
        let slot = self.trusted_queue.acquire_slot()?;
        let (password, cost) = (password.to_owned(), self.cost);
        slot.run(move || password::hash(&password, cost)).await?
    }

    /// Accepts the set-up token with this hash until [`Self::disable_setup_token`].
    pub fn enable_setup_token(&self, token_hash: [u8; 32]) {
        *lock(&self.setup_token_hash) = Some(token_hash);
    }

    pub fn is_setup_token(&self, token_hash: [u8; 32]) -> bool {
        *lock(&self.setup_token_hash) == Some(token_hash)
    }

    pub fn disable_setup_token(&self) {
        *lock(&self.setup_token_hash) = None;
    }
}

impl HashQueue {
    fn new(waiting_max: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(1)),
            slots: Arc::new(Semaphore::new(1 + waiting_max)),
        }
    }

    fn acquire_slot(&self) -> Result<HashSlot> {
        let permit = Arc::clone(&self.slots).try_acquire_owned();
        let permit = permit.map_err(|_full| Error::TooManyAttempts {
            retry_after_seconds: QUEUE_RETRY_SECONDS,
        })?;
        Ok(HashSlot {
            running: Arc::clone(&self.running),
            _permit: permit,
        })
    }
}

impl HashSlot {
    /// Runs one hash on a blocking thread once the earlier ones of its queue are done. The permit
    /// moves into the work, which goes on when the client disconnects.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let permit = Arc::clone(&self.running).acquire_owned().await;
        let done = spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        Ok(done.await?)
    }

    async fn verify(&self, password: &str, phc: String) -> Result<bool> {
        let password = password.to_owned();
        self.run(move || password::verify(&password, &phc)).await
    }
}

fn address_key(client: LoginClient<'_>) -> String {
    format!("address {} {}", client.networks[0], client.email)
}

fn device_key(device: &str) -> String {
    format!("device {device}")
}
