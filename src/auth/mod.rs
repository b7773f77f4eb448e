//! Passwords, passkeys, tokens, throttling, second factor: rules only. Pure, but for the random
//! source.

mod leaked_passwords;
pub mod passkey;
pub mod password;
pub mod second_factor;
pub mod sign;
pub mod throttle;
pub mod token;
