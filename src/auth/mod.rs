//! Passwords, passkeys, tokens, signed links, second factor, rate limits and the login gate.
//!
//! No file and no network; the caller passes the time.

mod error;
pub mod leaked_passwords;
pub mod limits;
pub mod login_gate;
mod messages;
pub mod passkey;
pub mod password;
mod rate_limit;
pub mod second_factor;
pub mod sign;
pub mod token;

pub use error::{Error, Result};
