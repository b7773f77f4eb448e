//! Admin accounts.

use super::Writable;
use crate::Reader;
use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, ACCOUNT_DETAILS, ACCOUNTS, NOTICE_CHOICES};
use respiro_content::Timestamp;

/// An admin account.
#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct Account {
    pub email: String,
    /// Argon2id in PHC string form.
    pub password_hash: String,
    pub created_at: Timestamp,
    pub second_factor: Option<SecondFactor>,
}

#[derive(Debug, Clone, bincode::Encode, bincode::Decode)]
pub struct SecondFactor {
    pub secret: Vec<u8>,
    /// SHA-256 of each unused recovery code.
    pub recovery_hashes: Vec<[u8; 32]>,
    /// Last accepted time step: a code is accepted once.
    pub last_step: u64,
}

/// Rights of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum Role {
    /// Everything.
    Owner,
    /// Contents and pages, nothing that concerns the whole site or other people's data.
    Editor,
}

impl Role {
    /// Name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Editor => "editor",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Owner, Self::Editor]
            .into_iter()
            .find(|role| role.name() == name)
    }
}

/// Stored beside an account, keyed by its address. An account without a row was created when a site
/// had owners only.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct AccountDetails {
    /// Stays the same when the address changes: user handles of passkeys are derived from it.
    pub id: String,
    pub role: Role,
}

/// Which optional e-mails an account asked for, keyed by its address.
#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct NoticeChoices {
    /// When the account asked for a summary of each month.
    pub monthly_since: Option<Timestamp>,
}

/// Admin accounts.
pub struct Accounts<'a>(pub(super) Reader<'a>);

impl Accounts<'_> {
    pub fn get(&self, email: &str) -> Result<Option<Account>> {
        tables::record(self.0.tables, ACCOUNTS, email.as_bytes())
    }

    /// Returns whether the file has no account, nor a row of one that does not decode: such a row
    /// must not let a visitor create the first account.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.0.tables.length(ACCOUNTS)? == 0)
    }

    pub fn list(&self) -> Result<Vec<Account>> {
        let rows = tables::records(self.0.tables, ACCOUNTS, b"")?;
        Ok(rows.into_iter().map(|(_, account)| account).collect())
    }

    /// Fails for a row that does not decode: nobody becomes an owner by damage.
    pub fn details(&self, email: &str) -> Result<AccountDetails> {
        let stored = tables::record(self.0.tables, ACCOUNT_DETAILS, email.as_bytes())?;
        Ok(stored.unwrap_or_else(|| AccountDetails {
            id: email.to_owned(),
            role: Role::Owner,
        }))
    }

    pub fn notice_choices(&self, email: &str) -> Result<NoticeChoices> {
        let stored = tables::readable_record(self.0.tables, NOTICE_CHOICES, email.as_bytes())?;
        Ok(stored.unwrap_or_default())
    }

    /// Returns the account with this id, and its details.
    pub fn find(&self, id: &str) -> Result<Option<(Account, AccountDetails)>> {
        for account in self.list()? {
            let details = self.details(&account.email)?;
            if details.id == id {
                return Ok(Some((account, details)));
            }
        }
        Ok(None)
    }

    /// Fails with a conflict if no account but `email` may do everything.
    pub fn check_other_owner(&self, email: &str) -> Result<()> {
        let is_owner = |email: &str| {
            let details = self.details(email);
            details.is_ok_and(|details| details.role == Role::Owner)
        };
        let mut others = self.list()?.into_iter();
        if others.any(|other| other.email != email && is_owner(&other.email)) {
            Ok(())
        } else {
            Err(Error::Conflict(messages::LAST_OWNER))
        }
    }
}

impl Writable<'_, '_, Accounts<'_>> {
    /// Adds an account.
    pub fn create(&mut self, account: &Account, details: &AccountDetails) -> Result<()> {
        self.put(account)?;
        self.put_details(&account.email, details)
    }

    pub fn put(&mut self, account: &Account) -> Result<()> {
        let key = account.email.as_bytes();
        tables::put(self.writer.transaction, ACCOUNTS, key, account)
    }

    pub fn put_details(&mut self, email: &str, details: &AccountDetails) -> Result<()> {
        let key = email.as_bytes();
        tables::put(self.writer.transaction, ACCOUNT_DETAILS, key, details)
    }

    pub fn put_notice_choices(&mut self, email: &str, choices: &NoticeChoices) -> Result<()> {
        let key = email.as_bytes();
        tables::put(self.writer.transaction, NOTICE_CHOICES, key, choices)
    }

    /// Moves an account to another address with its sessions, passkeys, drafts, notifications and
    /// changes. Its one-time links end. Fails if there is no such account or the address has one
    /// already.
    pub fn change_email(&mut self, email: &str, new_email: &str) -> Result<()> {
        let mut account = self.get(email)?.ok_or(Error::NoAccount)?;
        if self.get(new_email)?.is_some() {
            return Err(Error::Conflict(messages::ADDRESS_TAKEN));
        }
        let details = self.details(email)?;
        new_email.clone_into(&mut account.email);
        self.put(&account)?;
        self.put_details(new_email, &details)?;
        let choices = self.notice_choices(email)?;
        if choices != NoticeChoices::default() {
            self.put_notice_choices(new_email, &choices)?;
        }
        self.writer.sessions().change_email(email, new_email)?;
        self.writer.passkeys().change_email(email, new_email)?;
        self.writer.drafts().change_account(email, new_email)?;
        self.writer.notifications().change_email(email, new_email)?;
        self.writer.history().change_account(email, new_email)?;
        self.remove(email).map(drop)
    }

    /// Removes an account with its sessions, passkeys, drafts and one-time links. Returns `false`
    /// if there is no such account.
    pub fn remove(&mut self, email: &str) -> Result<bool> {
        self.writer.account_links().remove_by_account(email)?;
        self.writer
            .transaction
            .remove(ACCOUNT_DETAILS, email.as_bytes())?;
        self.writer
            .transaction
            .remove(NOTICE_CHOICES, email.as_bytes())?;
        self.writer.sessions().remove_by_account(email, None)?;
        self.writer.passkeys().remove_by_account(email)?;
        self.writer.drafts().remove_by_account(email)?;
        self.writer.transaction.remove(ACCOUNTS, email.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn what_an_account_asked_for_follows_its_address_and_goes_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
        let account = Account {
            email: "anna@example.org".to_owned(),
            password_hash: String::new(),
            created_at: 0,
            second_factor: None,
        };
        let choices = NoticeChoices {
            monthly_since: Some(1),
        };
        let written = store.write(|writer| {
            writer.accounts().put(&account)?;
            writer
                .accounts()
                .put_notice_choices("anna@example.org", &choices)?;
            writer
                .accounts()
                .change_email("anna@example.org", "nuova@example.org")
        });
        written.unwrap();
        let choices_of = |email: &str| {
            let read = store.read(|reader| reader.accounts().notice_choices(email));
            read.unwrap()
        };
        assert_eq!(choices_of("nuova@example.org"), choices);
        assert_eq!(choices_of("anna@example.org"), NoticeChoices::default());
        store
            .write(|writer| writer.accounts().remove("nuova@example.org"))
            .unwrap();
        assert_eq!(choices_of("nuova@example.org"), NoticeChoices::default());
    }
}
