//! One-time links sent to a mailbox: a new password, another address, an invitation. Only the hash
//! of a link's token is stored.

use super::Writable;
use super::accounts::Role;
use crate::Reader;
use crate::error::Result;
use crate::tables::{self, ACCOUNT_LINKS};
use bincode::{Decode, Encode};
use respiro_content::Timestamp;

const MINUTE_MILLISECONDS: i64 = 60_000;
const DAY_MILLISECONDS: i64 = 24 * 60 * MINUTE_MILLISECONDS;

/// A one-time link, keyed by the SHA-256 of its token.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct AccountLink {
    /// The account, or the invited address.
    pub email: String,
    pub created_at: Timestamp,
    pub grant: LinkGrant,
}

/// The one change that a link lets its recipient make.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub enum LinkGrant {
    NewPassword,
    /// Half of a change of the account's address: the former and the new mailbox have a link each.
    NewEmail {
        new_email: String,
        /// Whether this link was sent to the new mailbox.
        is_to_new: bool,
        is_confirmed: bool,
        /// Key of the link to the other mailbox.
        other: [u8; 32],
    },
    Invitation {
        /// Public id, unrelated to the token.
        id: String,
        role: Role,
    },
}

impl LinkGrant {
    pub const fn lifetime_milliseconds(&self) -> i64 {
        match self {
            Self::NewPassword => 30 * MINUTE_MILLISECONDS,
            // Two mailboxes have to be read.
            Self::NewEmail { .. } => DAY_MILLISECONDS,
            Self::Invitation { .. } => 7 * DAY_MILLISECONDS,
        }
    }
}

impl AccountLink {
    pub const fn expires_at(&self) -> Timestamp {
        self.created_at + self.grant.lifetime_milliseconds()
    }

    /// Returns whether the link may be used. A clock that was set back ends it.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        (0..self.grant.lifetime_milliseconds()).contains(&(now - self.created_at))
    }
}

/// One-time links of accounts.
pub struct AccountLinks<'a>(pub(super) Reader<'a>);

impl AccountLinks<'_> {
    /// Returns the link while it is valid.
    pub fn get(&self, token_hash: &[u8; 32], now: Timestamp) -> Result<Option<AccountLink>> {
        let link: Option<AccountLink> =
            tables::readable_record(self.0.tables, ACCOUNT_LINKS, token_hash)?;
        Ok(link.filter(|link| link.is_valid(now)))
    }

    /// Returns all links, with their keys.
    pub fn list(&self) -> Result<Vec<(Vec<u8>, AccountLink)>> {
        tables::records(self.0.tables, ACCOUNT_LINKS, b"")
    }
}

impl Writable<'_, '_, AccountLinks<'_>> {
    pub fn put(&mut self, token_hash: &[u8; 32], link: &AccountLink) -> Result<()> {
        tables::put(self.writer.transaction, ACCOUNT_LINKS, token_hash, link)
    }

    /// Removes the links of an account, or of an invited address.
    pub fn remove_by_account(&mut self, email: &str) -> Result<()> {
        self.remove_where(|link| link.email == email).map(drop)
    }

    pub fn remove_all(&mut self) -> Result<()> {
        self.remove_where(|_| true).map(drop)
    }

    pub(crate) fn remove_expired(&mut self, now: Timestamp) -> Result<()> {
        self.remove_where(|link| !link.is_valid(now)).map(drop)
    }

    /// Removes the links that `ends` selects, and returns their number.
    pub fn remove_where(&mut self, ends: impl Fn(&AccountLink) -> bool) -> Result<u64> {
        let mut removed = 0;
        for (key, link) in self.list()? {
            if ends(&link) {
                self.writer.transaction.remove(ACCOUNT_LINKS, &key)?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_valid_for_its_time_and_not_before_it() {
        let link = AccountLink {
            email: "a@b.it".to_owned(),
            created_at: 1_000,
            grant: LinkGrant::NewPassword,
        };
        let end = link.expires_at();
        assert_eq!(end, 1_000 + 30 * 60_000);
        for (now, is_valid) in [(999, false), (1_000, true), (end - 1, true), (end, false)] {
            assert_eq!(link.is_valid(now), is_valid, "{now}");
        }
    }
}
