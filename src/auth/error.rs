//! The errors of this crate.

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rate limit or a full queue refuses the request: 429 with `Retry-After`.
    #[error("too many attempts, retry in {retry_after_seconds} s")]
    TooManyAttempts { retry_after_seconds: u64 },
    #[error("no random bytes: {0}")]
    Random(#[from] getrandom::Error),
    #[error("hashing: {0}")]
    Hash(#[from] argon2::password_hash::Error),
    /// The thread that hashed a password panicked, or the program is stopping.
    #[error("blocking work failed: {0}")]
    Worker(#[from] tokio::task::JoinError),
}
