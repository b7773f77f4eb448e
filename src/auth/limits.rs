//! The table of rate limits, and the limiters of everything but sign-in.

use super::error::Result;
use super::rate_limit::{RateLimit, RateLimiter};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
/// The key of a limit that all clients share.
const EVERYONE: &str = "";

// The columns: free attempts, first delay, longest delay, memory, keys.

/// Sign-in attempts from one address, for any account. The longest delay is short because the
/// owner may share the address with an attacker.
const SIGN_IN_ADDRESS: RateLimit = limit(5, 2 * SECOND, 30 * SECOND, 60 * MINUTE, 10_000);
pub(super) const SIGN_IN: [RateLimit; 3] = by_network(SIGN_IN_ADDRESS);

/// Sign-in attempts for one account from addresses that have failed before. Other addresses are
/// exempt: an attacker who knows the owner's e-mail address could lock her out.
pub(super) const ACCOUNT: RateLimit = limit(10, SECOND, 30 * SECOND, 60 * MINUTE, 10_000);
/// Attempts from one address that do not count for the account.
pub(super) const ATTEMPTS_EXEMPT_FROM_ACCOUNT: u32 = 3;

/// Sign-in attempts of one trusted device for its account.
pub(super) const DEVICE: RateLimit = ACCOUNT;

/// Second-factor codes after a correct password. Three of a million codes are valid at a time and
/// the client knows the password, so a day of attempts must lead nowhere.
pub(super) const TOTP: RateLimit = limit(5, 30 * SECOND, 15 * MINUTE, 24 * 60 * MINUTE, 1_000);

/// Newsletter sign-ups from one address.
const NEWSLETTER: RateLimit = limit(5, 10 * SECOND, 10 * MINUTE, 30 * MINUTE, 10_000);

/// Requests for a new password from one address.
const PASSWORD_LINK: RateLimit = NEWSLETTER;

/// E-mails for a new password to one account, whoever asks: somebody else must not fill its
/// mailbox. Every link in it stays valid, so that they cannot keep the owner from one either.
const PASSWORD_LINK_ACCOUNT: RateLimit = limit(1, MINUTE, 15 * MINUTE, 60 * MINUTE, 1_000);

/// Testimonials from one address: each may be a commit, and a household has one address.
const TESTIMONIAL: RateLimit = limit(12, 10 * SECOND, 10 * MINUTE, 30 * MINUTE, 10_000);

/// Requests of one sort from all addresses together: each may be a commit. Under a distributed
/// flood a visitor waits seconds.
const ALL_ADDRESSES: RateLimit = limit(600, SECOND, 8 * SECOND, 10 * MINUTE, 1);

/// Test messages of the admin panel: a stolen session must not fill a mailbox.
const TEST_EMAIL: RateLimit = limit(10, 30 * SECOND, 10 * MINUTE, 60 * MINUTE, 1);

/// Checks of the sender's domain: each asks a name server several times.
const SENDER_CHECK: RateLimit = limit(20, 10 * SECOND, 5 * MINUTE, 60 * MINUTE, 1);

/// Personal links sent by e-mail: a stolen session must not write to many people.
const INVITATION_EMAIL: RateLimit = limit(30, 30 * SECOND, 10 * MINUTE, 60 * MINUTE, 1);

/// Drafts that one session stores: the panel collects what is typed.
const DRAFT: RateLimit = limit(1, 2 * SECOND, 2 * SECOND, 2 * SECOND, 1_000);

const fn limit(
    free_attempts: u32,
    delay_first_ms: i64,
    delay_max_ms: i64,
    memory_ms: i64,
    keys_max: usize,
) -> RateLimit {
    RateLimit {
        free_attempts,
        delay_first_ms,
        delay_max_ms,
        memory_ms,
        keys_max,
    }
}

/// Limits by address (IPv4 or IPv6 /64), by IPv6 /56, and by IPv6 /48 or IPv4 /24.
///
/// A client with a whole /48 has 65,536 addresses. The delays of wide networks stay short: one
/// client that tried every ten minutes kept out all its neighbours.
const fn by_network(address: RateLimit) -> [RateLimit; 3] {
    let network = RateLimit {
        free_attempts: 15,
        delay_max_ms: 30 * SECOND,
        ..address
    };
    let region = RateLimit {
        free_attempts: 40,
        ..network
    };
    [address, network, region]
}

/// The limiters of requests that write or send e-mail.
#[derive(Debug)]
pub struct RateLimits {
    newsletter: RateLimiter<4>,
    password_link: RateLimiter<4>,
    password_link_account: RateLimiter,
    testimonial: RateLimiter<2>,
    invitation_email: RateLimiter,
    test_email: RateLimiter,
    sender_check: RateLimiter,
    draft: RateLimiter,
}

impl RateLimits {
    /// Wider networks have at least the `newsletter_free_attempts` of one address.
    pub fn new(newsletter_free_attempts: u32) -> Self {
        let mut newsletter = by_network(NEWSLETTER);
        newsletter[0].free_attempts = newsletter_free_attempts;
        let [address, network, region] = newsletter.map(|limit| RateLimit {
            free_attempts: limit.free_attempts.max(newsletter_free_attempts),
            ..limit
        });
        let [own, wider, widest] = by_network(PASSWORD_LINK);
        Self {
            newsletter: RateLimiter::new([address, network, region, ALL_ADDRESSES]),
            password_link: RateLimiter::new([own, wider, widest, ALL_ADDRESSES]),
            password_link_account: RateLimiter::new([PASSWORD_LINK_ACCOUNT]),
            testimonial: RateLimiter::new([TESTIMONIAL, ALL_ADDRESSES]),
            invitation_email: RateLimiter::new([INVITATION_EMAIL]),
            test_email: RateLimiter::new([TEST_EMAIL]),
            sender_check: RateLimiter::new([SENDER_CHECK]),
            draft: RateLimiter::new([DRAFT]),
        }
    }

    /// Counts a newsletter sign-up from an address and the networks that contain it.
    pub fn count_newsletter(&self, [a, b, c]: &[String; 3], now: i64) -> Result<()> {
        self.newsletter.attempt([a, b, c, EVERYONE], now).map(drop)
    }

    /// Counts a request for a new password, whatever account it names.
    pub fn count_password_link(&self, [a, b, c]: &[String; 3], now: i64) -> Result<()> {
        let keys = [a, b, c, EVERYONE];
        self.password_link.attempt(keys, now).map(drop)
    }

    /// Counts an e-mail with such a link to an account.
    pub fn count_password_link_of(&self, email: &str, now: i64) -> Result<()> {
        self.password_link_account.attempt([email], now).map(drop)
    }

    pub fn count_testimonial(&self, address: &str, now: i64) -> Result<()> {
        self.testimonial.attempt([address, EVERYONE], now).map(drop)
    }

    pub fn count_invitation_email(&self, now: i64) -> Result<()> {
        self.invitation_email.attempt([EVERYONE], now).map(drop)
    }

    pub fn count_draft(&self, session_id: &str, now: i64) -> Result<()> {
        self.draft.attempt([session_id], now).map(drop)
    }

    pub fn count_sender_check(&self, now: i64) -> Result<()> {
        self.sender_check.attempt([EVERYONE], now).map(drop)
    }

    pub fn count_test_email(&self, now: i64) -> Result<()> {
        self.test_email.attempt([EVERYONE], now).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::Error;
    use super::*;

    /// A client in a noisy network retried whenever the network's delay was over, was refused
    /// because the noise came first, and had delays of up to 10 minutes of its own in the end.
    #[test]
    fn attempts_refused_for_the_network_do_not_use_up_those_of_the_address() {
        let limits = RateLimits::new(5);
        let networks = |address: &str| [address, address, "192.0.2.0/24"].map(str::to_owned);
        for number in 0..40 {
            let noise = networks(&format!("192.0.2.{number}"));
            limits.count_newsletter(&noise, 0).unwrap();
        }
        let neighbour = networks("192.0.2.99");
        for now in 0..10 {
            let refused = limits.count_newsletter(&neighbour, now);
            assert!(matches!(
                refused,
                Err(Error::TooManyAttempts {
                    retry_after_seconds: 10
                })
            ));
        }
        let noise = networks("192.0.2.41");
        limits.count_newsletter(&noise, 10_000).unwrap();
        for now in 10_000..10_010 {
            limits.count_newsletter(&neighbour, now).unwrap_err();
        }
        limits.count_newsletter(&neighbour, 30_000).unwrap();
    }
}
