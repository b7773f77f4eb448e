//! Passwords, passkeys, second factor, tokens, signed links, rate limits and the login gate.
//!
//! Names no other crate of the workspace, no file and no network; the caller passes the time and
//! the list of leaked passwords. Invariants: secrets are compared in constant time; all state is
//! bounded and in memory; hashes and signatures keep their form, because they are stored and sent.

pub mod confirmations;
mod error;
pub mod leaked_passwords;
pub mod limits;
pub mod login_gate;
mod messages;
pub mod passkey;
pub mod password;
mod rate_limit;
pub mod signed_links;
pub mod token;
pub mod totp;

pub use error::{Error, Result};
