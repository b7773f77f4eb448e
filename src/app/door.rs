//! One door that many knock at together, and the doors of the networks that somebody comes from.

use crate::auth::throttle::{Rule, Throttle};
use crate::error::{Error, Result};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(super) struct Door(Mutex<Throttle>);

impl Door {
    pub(super) fn new(rule: Rule) -> Self {
        Self(Mutex::new(Throttle::new(rule)))
    }

    /// Counts a try and says the how-manieth of its key it is.
    pub(super) fn attempt(&self, key: &str, now: i64) -> Result<u32> {
        self.lock().attempt(key, now).map_err(slow_down)
    }

    pub(super) fn forgive(&self, key: &str) {
        self.lock().forgive(key);
    }

    fn lock(&self) -> MutexGuard<'_, Throttle> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn slow_down(retry_after_seconds: u64) -> Error {
    Error::TooManyRequests {
        retry_after_seconds,
    }
}

/// Tries from an address and from the networks that it is part of, the wider ones last.
#[derive(Debug)]
pub(super) struct ByNetwork {
    pub(super) address: Door,
    site: Door,
    region: Door,
}

impl ByNetwork {
    pub(super) fn new(rules: [Rule; 3]) -> Self {
        let [address, site, region] = rules.map(Door::new);
        Self {
            address,
            site,
            region,
        }
    }

    /// Says the how-manieth of the address it is.
    pub(super) fn attempt(&self, networks: &[String; 3], now: i64) -> Result<u32> {
        let [address, site, region] = networks;
        let tries = self.address.attempt(address, now)?;
        // Of IPv4 it is the address once more.
        if site != address {
            self.site.attempt(site, now)?;
        }
        self.region.attempt(region, now)?;
        Ok(tries)
    }

    pub(super) fn forgive(&self, [address, site, region]: &[String; 3]) {
        self.address.forgive(address);
        self.site.forgive(site);
        self.region.forgive(region);
    }
}
