//! Errors of backups, and failures of object storage, classified by what the operator has to do.

use crate::messages;
use respiro_db as db;
use respiro_publish as publish;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Publish(#[from] publish::Error),
    #[error(transparent)]
    Db(#[from] db::Error),
    /// The folder of the backups takes no file, or a backup cannot be served.
    #[error("store: {0}")]
    Unusable(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Failure of a call to the storage or of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageError {
    Credentials,
    Forbidden,
    NoBucket,
    /// The object does not exist.
    NotThere,
    Region(String),
    /// Difference of this clock in seconds.
    Clock(u64),
    Full,
    Network(String),
    Slow,
    Damaged(String),
    WrongKey,
    /// The prefix holds copies of another data file.
    OtherSite,
    /// Another machine has taken over this prefix.
    OtherMachine,
    /// A manifest is not signed by the key that the operator named.
    NotSigned,
    /// The object changed since it was read: a conditional write was refused.
    Changed,
    /// The object has no byte at the start of the range.
    EmptyRange,
    /// The storage does not know the request or one of its headers.
    NotImplemented,
    /// The server stops.
    Stopped,
    /// A file of the site cannot be generated from the data file.
    Unreadable(String),
    Other(String),
}

impl StorageError {
    /// Whether a retry may succeed.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Network(_) | Self::Slow)
    }

    /// Returns the reason that the admin panel shows, in Italian.
    pub const fn user_message(&self) -> &'static str {
        match self {
            Self::Credentials => messages::KEYS_REFUSED,
            Self::Forbidden => messages::WRITE_FORBIDDEN,
            Self::NoBucket | Self::Region(_) => messages::NO_SUCH_BUCKET,
            Self::Full => messages::BUCKET_FULL,
            Self::Network(_) => messages::UNREACHABLE,
            Self::Slow => messages::TOO_SLOW,
            Self::Clock(_) => messages::CLOCK_WRONG,
            Self::Damaged(_) | Self::NotThere => messages::COPY_DAMAGED,
            Self::OtherSite => messages::OTHER_SITE,
            Self::OtherMachine => messages::OTHER_MACHINE,
            Self::Unreadable(_) => messages::FILE_UNREADABLE,
            Self::WrongKey
            | Self::NotSigned
            | Self::Changed
            | Self::EmptyRange
            | Self::NotImplemented
            | Self::Stopped
            | Self::Other(_) => messages::UNKNOWN_REASON,
        }
    }

    /// Returns the message for the operator: the problem, then the remedy.
    pub fn operator_message(&self, place: &str) -> String {
        match self {
            Self::Credentials => format!(
                "{place} does not accept the keys: check RESPIRO_S3_ACCESS_KEY and RESPIRO_S3_SECRET_KEY"
            ),
            Self::Forbidden => format!(
                "{place} lets these keys in but not write: allow them to put, get, list and delete under the prefix"
            ),
            Self::NoBucket => format!(
                "{place} does not exist: create the bucket, or check its name and RESPIRO_S3_ENDPOINT"
            ),
            Self::Region(region) => {
                format!("{place} is in another region ({region}): set RESPIRO_S3_REGION")
            }
            Self::Clock(seconds) => format!(
                "{place} refuses because the clock is {seconds} s off: timedatectl set-ntp true"
            ),
            Self::Full => {
                format!("{place} is full: raise its quota; what no copy needs any more was removed")
            }
            Self::Network(reason) => {
                format!("{place} cannot be reached: {reason}; it is tried again by itself")
            }
            Self::Slow => {
                format!(
                    "{place} cannot be reached: it answers too slowly; it is tried again by itself"
                )
            }
            Self::Damaged(name) => {
                format!("what {place} gave back differs from what was sent: {name} is sent again")
            }
            Self::NotThere => format!("{place}: an object of the copy is missing"),
            Self::WrongKey => "this key does not open the copy".to_owned(),
            Self::OtherSite => format!(
                "{place} holds copies of another site: choose another prefix, or restore that site first"
            ),
            Self::OtherMachine => format!(
                "another machine has taken {place} over for this site: switch the machine off \
                 that is no longer the site's; if this one is the site, run once: respiro backup \
                 --take-over {place}"
            ),
            Self::NotSigned => {
                format!("{place}: the copy is not signed by the key that the identity file names")
            }
            Self::Changed => format!("{place} was changed by another program meanwhile"),
            Self::EmptyRange => format!("{place}: an object ends too early"),
            Self::NotImplemented => format!("{place} does not know this request"),
            Self::Stopped => format!("{place}: the server stops"),
            Self::Unreadable(what) => {
                format!("{place} has all but what cannot be read here: {what}")
            }
            Self::Other(reason) => format!("{place}: {reason}"),
        }
    }
}
