//! Rate limiter with growing delays and a bounded number of keys. No key is blocked for good.

use super::error::{Error, Result};
use super::token;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Attempts that lie further in the future were recorded before the clock was set back.
const CLOCK_SKEW_MS_MAX: i64 = 60_000;

/// How many attempts a key has, and the delays after them.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    /// Attempts that cause no delay.
    pub free_attempts: u32,
    /// Delay after the last free attempt; it doubles with each further attempt.
    pub delay_first_ms: i64,
    pub delay_max_ms: i64,
    /// Attempts older than this are forgotten.
    pub memory_ms: i64,
    /// Keys stored at once. A further key evicts the key whose last attempt is the oldest.
    pub keys_max: usize,
}

/// Counts attempts under one key per scope, such as an address and the networks around it.
#[derive(Debug)]
pub struct RateLimiter<const SCOPES: usize = 1>(Mutex<[Scope; SCOPES]>);

/// The attempts by the SHA-256 of their key: `keys_max` then bounds the bytes too, however long
/// the keys are.
#[derive(Debug)]
struct Scope {
    limit: RateLimit,
    attempts: HashMap<[u8; 32], Attempts>,
}

#[derive(Debug, Clone, Copy)]
struct Attempts {
    count: u32,
    last_at: i64,
    blocked_until: i64,
}

impl<const SCOPES: usize> RateLimiter<SCOPES> {
    pub fn new(limits: [RateLimit; SCOPES]) -> Self {
        Self(Mutex::new(limits.map(|limit| Scope {
            limit,
            attempts: HashMap::new(),
        })))
    }

    /// Records an attempt under one key per scope. Returns the attempt count of the first key, or
    /// the longest wait while a key is blocked.
    ///
    /// All keys are checked before any is counted: an attempt that is refused for its network does
    /// not use up the allowance of its address. Attempts count when they start, so that parallel
    /// ones are counted; [`Self::reset`] undoes it. An attempt while blocked adds no delay.
    pub fn attempt<K: AsRef<str>>(&self, keys: [K; SCOPES], now: i64) -> Result<u32> {
        let keys = keys.map(|key| token::hash(key.as_ref()));
        let mut scopes = self.lock();
        let waits = scopes
            .iter()
            .zip(&keys)
            .map(|(scope, key)| scope.wait_ms(key, now));
        let wait_ms = waits
            .max()
            .and_then(|wait| u64::try_from(wait).ok())
            .unwrap_or(0);
        if wait_ms > 0 {
            return Err(Error::TooManyAttempts {
                retry_after_seconds: wait_ms.div_ceil(1_000),
            });
        }
        let mut count = 0;
        // In reverse, so that `count` ends as the count of the first key.
        for (scope, key) in scopes.iter_mut().zip(keys).rev() {
            count = scope.record(key, now);
        }
        Ok(count)
    }

    /// Forgets the attempts of the keys, which belong to a client that has proved itself.
    pub fn reset<K: AsRef<str>>(&self, keys: [K; SCOPES]) {
        for (scope, key) in self.lock().iter_mut().zip(keys) {
            scope.attempts.remove(&token::hash(key.as_ref()));
        }
    }

    fn lock(&self) -> MutexGuard<'_, [Scope; SCOPES]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scope {
    fn recent(&self, key: &[u8; 32], now: i64) -> Option<Attempts> {
        let attempts = self.attempts.get(key).copied();
        attempts.filter(|attempts| self.limit.is_recent(attempts, now))
    }

    /// Milliseconds until the key may try again; not positive when it may now.
    fn wait_ms(&self, key: &[u8; 32], now: i64) -> i64 {
        let recent = self.recent(key, now);
        recent.map_or(0, |attempts| attempts.blocked_until - now)
    }

    fn record(&mut self, key: [u8; 32], now: i64) -> u32 {
        let before = self.recent(&key, now).map_or(0, |attempts| attempts.count);
        let count = before.saturating_add(1);
        if !self.attempts.contains_key(&key) {
            self.evict(now);
        }
        let attempts = Attempts {
            count,
            last_at: now,
            blocked_until: now + self.limit.delay_ms(count),
        };
        self.attempts.insert(key, attempts);
        count
    }

    /// Makes room for one more key.
    fn evict(&mut self, now: i64) {
        let limit = self.limit;
        if self.attempts.len() < limit.keys_max {
            return;
        }
        self.attempts
            .retain(|_, attempts| limit.is_recent(attempts, now));
        if self.attempts.len() >= limit.keys_max {
            let oldest = self
                .attempts
                .iter()
                .min_by_key(|(_, attempts)| attempts.last_at);
            if let Some(key) = oldest.map(|(key, _)| *key) {
                self.attempts.remove(&key);
            }
        }
    }
}

impl RateLimit {
    fn is_recent(&self, attempts: &Attempts, now: i64) -> bool {
        let age_ms = now.saturating_sub(attempts.last_at);
        (-CLOCK_SKEW_MS_MAX..self.memory_ms).contains(&age_ms)
    }

    fn delay_ms(&self, count: u32) -> i64 {
        let Some(doublings) = count.checked_sub(self.free_attempts) else {
            return 0;
        };
        let factor = 1_i64.checked_shl(doublings.min(30)).unwrap_or(i64::MAX);
        self.delay_first_ms
            .saturating_mul(factor)
            .min(self.delay_max_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: RateLimit = RateLimit {
        free_attempts: 3,
        delay_first_ms: 1_000,
        delay_max_ms: 8_000,
        memory_ms: 60_000,
        keys_max: 3,
    };

    /// The seconds to wait as an error.
    fn attempt(limiter: &RateLimiter, key: &str, now: i64) -> Result<(), u64> {
        match limiter.attempt([key], now) {
            Ok(_) => Ok(()),
            Err(Error::TooManyAttempts {
                retry_after_seconds,
            }) => Err(retry_after_seconds),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn the_delay_grows_to_its_limit_and_knocking_does_not_lengthen_it() {
        let limiter = RateLimiter::new([LIMIT]);
        let mut now = 0;
        for _ in 0..3 {
            assert_eq!(attempt(&limiter, "a", now), Ok(()));
        }
        for delay in [1, 2, 4, 8, 8] {
            assert_eq!(attempt(&limiter, "a", now), Err(delay));
            assert_eq!(attempt(&limiter, "a", now + 500), Err(delay));
            now += i64::try_from(delay).unwrap() * 1_000;
            assert_eq!(attempt(&limiter, "a", now), Ok(()), "after {delay} s");
        }
        assert_eq!(attempt(&limiter, "b", now), Ok(()));
    }

    #[test]
    fn forgiveness_and_time_open_the_door() {
        let limiter = RateLimiter::new([LIMIT]);
        for _ in 0..3 {
            assert_eq!(attempt(&limiter, "a", 0), Ok(()));
        }
        limiter.reset(["a"]);
        for _ in 0..3 {
            assert_eq!(attempt(&limiter, "a", 0), Ok(()));
        }
        assert_eq!(attempt(&limiter, "a", 60_001), Ok(()));
        assert_eq!(attempt(&limiter, "a", 60_001), Ok(()));
    }

    /// A clock three days ahead was put right, and the next visitor was told to come in 259,184 s.
    #[test]
    fn a_clock_that_is_set_back_shuts_no_door() {
        let limiter = RateLimiter::new([LIMIT]);
        let ahead = 3 * 24 * 60 * 60_000;
        for _ in 0..3 {
            assert_eq!(attempt(&limiter, "a", ahead), Ok(()));
        }
        assert_eq!(attempt(&limiter, "a", ahead), Err(1));
        // Two that came at once, the one with the earlier moment counted last.
        assert_eq!(attempt(&limiter, "a", ahead - 1), Err(2));
        for _ in 0..3 {
            assert_eq!(attempt(&limiter, "a", 0), Ok(()));
        }
        assert_eq!(attempt(&limiter, "a", 0), Err(1));
    }

    #[test]
    fn the_memory_is_bounded() {
        let limiter = RateLimiter::new([LIMIT]);
        for number in 0..1_000_i64 {
            assert_eq!(attempt(&limiter, &number.to_string(), number), Ok(()));
            assert!(limiter.lock()[0].attempts.len() <= 3);
        }
    }
}
