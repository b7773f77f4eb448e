//! How many tries each door allows, and how long it then stays shut.

use crate::auth::throttle::Rule;

const MINUTE: i64 = 60_000;

/// Tries from one address, whatever the account.
pub(super) const ADDRESS_RULE: Rule = Rule {
    free_tries: 5,
    delay_milliseconds_first: 2_000,
    delay_milliseconds_max: 15 * MINUTE,
    memory_milliseconds: 60 * MINUTE,
    keys_max: 10_000,
};

/// Tries for one account, from wherever. The limit is low: nobody can keep the owner out, and
/// an address that has signed in before does not wait at this door at all.
pub(super) const ACCOUNT_RULE: Rule = Rule {
    free_tries: 10,
    delay_milliseconds_first: 1_000,
    delay_milliseconds_max: 30_000,
    memory_milliseconds: 60 * MINUTE,
    keys_max: 10_000,
};

pub(super) const NEWSLETTER_RULE: Rule = Rule {
    free_tries: 5,
    delay_milliseconds_first: 10_000,
    delay_milliseconds_max: 10 * MINUTE,
    memory_milliseconds: 30 * MINUTE,
    keys_max: 10_000,
};

/// Newsletter requests from all addresses together: each may be a commit. When thousands of
/// machines knock, a visitor waits seconds.
pub(super) const NEWSLETTER_IN_ALL_RULE: Rule = Rule {
    free_tries: 600,
    delay_milliseconds_first: 1_000,
    delay_milliseconds_max: 8_000,
    memory_milliseconds: 10 * MINUTE,
    keys_max: 1,
};

/// Questions for a passkey: one is asked at each look at the sign-in page, if at all.
pub(super) const PASSKEY_QUESTION_RULE: Rule = Rule {
    free_tries: 20,
    delay_milliseconds_first: 1_000,
    delay_milliseconds_max: MINUTE,
    memory_milliseconds: 10 * MINUTE,
    keys_max: 10_000,
};
