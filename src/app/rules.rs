//! How many tries each door allows, and how long it then stays shut.

use crate::auth::throttle::Rule;

const MINUTE: i64 = 60_000;

/// Tries from one address, whatever the account. The limit is low: a crowd may sit behind one
/// address, and its owner among them.
pub(super) const ADDRESS_RULE: Rule = Rule {
    free_tries: 5,
    delay_milliseconds_first: 2_000,
    delay_milliseconds_max: 30_000,
    memory_milliseconds: 60 * MINUTE,
    keys_max: 10_000,
};

/// Tries from a wider network of one owner (`http/client.rs`): whoever has a whole /48 has 65,536
/// networks, and took each place in the queue with a fresh one.
pub(super) const SITE_RULE: Rule = Rule {
    free_tries: 15,
    ..ADDRESS_RULE
};
pub(super) const REGION_RULE: Rule = Rule {
    free_tries: 40,
    ..ADDRESS_RULE
};

/// Tries for one account from addresses that have failed before. Others are not held up here: a
/// crowd that knows the owner's address could keep her out.
pub(super) const ACCOUNT_RULE: Rule = Rule {
    free_tries: 10,
    delay_milliseconds_first: 1_000,
    delay_milliseconds_max: 30_000,
    memory_milliseconds: 60 * MINUTE,
    keys_max: 10_000,
};
/// Tries from one address that do not count for the account.
pub(super) const UNCOUNTED_TRIES: u32 = 3;

/// Tries of one known device for its account: nobody else can use them up.
pub(super) const DEVICE_RULE: Rule = ACCOUNT_RULE;

/// Codes after a password that was right: three of a million hold at a time, and whoever tries
/// knows the password, so that a day of tries must lead nowhere. A known device is counted apart.
pub(super) const CODE_RULE: Rule = Rule {
    free_tries: 5,
    delay_milliseconds_first: 30_000,
    delay_milliseconds_max: 15 * MINUTE,
    memory_milliseconds: 24 * 60 * MINUTE,
    keys_max: 1_000,
};

pub(super) const NEWSLETTER_RULE: Rule = Rule {
    free_tries: 5,
    delay_milliseconds_first: 10_000,
    delay_milliseconds_max: 10 * MINUTE,
    memory_milliseconds: 30 * MINUTE,
    keys_max: 10_000,
};

/// Requests from a wider network of one owner (`http/client.rs`): whoever has a whole /48 has
/// 65,536 networks, and a crowd behind one provider is no crowd of machines. Its neighbours wait
/// seconds: a stranger who knocked each ten minutes kept them all out.
pub(super) const NEWSLETTER_SITE_RULE: Rule = Rule {
    free_tries: 15,
    delay_milliseconds_max: 30_000,
    ..NEWSLETTER_RULE
};
pub(super) const NEWSLETTER_REGION_RULE: Rule = Rule {
    free_tries: 40,
    ..NEWSLETTER_SITE_RULE
};

/// Testimonials sent from one address: each try may be a commit, and a household has one address.
pub(super) const TESTIMONIAL_RULE: Rule = Rule {
    free_tries: 12,
    delay_milliseconds_first: 10_000,
    delay_milliseconds_max: 10 * MINUTE,
    memory_milliseconds: 30 * MINUTE,
    keys_max: 10_000,
};

/// Requests of one sort from all addresses together: each may be a commit. When thousands of
/// machines knock, a visitor waits seconds.
pub(super) const IN_ALL_RULE: Rule = Rule {
    free_tries: 600,
    delay_milliseconds_first: 1_000,
    delay_milliseconds_max: 8_000,
    memory_milliseconds: 10 * MINUTE,
    keys_max: 1,
};

/// Test messages of the panel: a stolen session must not fill a mailbox.
pub(super) const TEST_MAIL_RULE: Rule = Rule {
    free_tries: 10,
    delay_milliseconds_first: 30_000,
    delay_milliseconds_max: 10 * MINUTE,
    memory_milliseconds: 60 * MINUTE,
    keys_max: 1,
};

/// Personal links that the panel sends by mail: a stolen session must not write to many.
pub(super) const INVITATION_MAIL_RULE: Rule = Rule {
    free_tries: 30,
    ..TEST_MAIL_RULE
};
