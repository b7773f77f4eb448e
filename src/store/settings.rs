//! Settings, notes, subscribers and the file's own flags.

use super::tables::{self, META, NOTES, SETTINGS, SETTINGS_KEY, SUBSCRIBERS};
use super::{Reader, Subscriber, Writer};
use crate::content::{FieldError, Settings};
use crate::error::{Error, Result};

/// Keys of the table `meta`.
pub(super) const SCHEMA_KEY: &[u8] = b"schema";
pub(super) const SECRET_KEY: &[u8] = b"secret";
pub(super) const DEMO_KEY: &[u8] = b"demo";
pub(super) const CLEAN_KEY: &[u8] = b"clean";
/// When the file was made as a copy; gone as soon as it is used as a data file.
pub(super) const COPIED_KEY: &[u8] = b"copied";

impl Reader<'_> {
    pub fn settings(&self) -> Result<Settings> {
        let settings = tables::record(self.tables, SETTINGS, SETTINGS_KEY)?;
        Ok(settings.unwrap_or_default())
    }

    pub fn subscribers(&self) -> Result<Vec<Subscriber>> {
        let rows = tables::records(self.tables, SUBSCRIBERS, b"")?;
        Ok(rows.into_iter().map(|(_, subscriber)| subscriber).collect())
    }

    pub fn subscriber(&self, email: &str) -> Result<Option<Subscriber>> {
        tables::record(self.tables, SUBSCRIBERS, email.as_bytes())
    }

    /// The random key of this file, made at creation: signs upload, preview and newsletter links.
    pub fn secret(&self) -> Result<[u8; 32]> {
        let secret = tables::record(self.tables, META, SECRET_KEY)?;
        secret.ok_or_else(|| Error::Store("the file has no secret".to_owned()))
    }

    /// Whether the file holds demonstration content nobody has emptied yet.
    pub fn is_demo(&self) -> Result<bool> {
        Ok(tables::record(self.tables, META, DEMO_KEY)?.unwrap_or(false))
    }

    /// Small named values of other layers (ACME account, last backup, …).
    pub fn note(&self, name: &str) -> Result<Option<Vec<u8>>> {
        tables::record(self.tables, NOTES, name.as_bytes())
    }
}

impl Writer<'_> {
    /// 422 when a picture does not exist.
    pub fn put_settings(&mut self, settings: &Settings) -> Result<()> {
        let mut errors = Vec::new();
        for (name, value) in &settings.values {
            if let Some(id) = value.picture_id()
                && self.picture(id)?.is_none()
            {
                errors.push(FieldError::new(name, super::items::MISSING_PICTURE));
            }
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        self.content_changed |= self.settings()? != *settings;
        tables::put(self.transaction, SETTINGS, SETTINGS_KEY, settings)
    }

    pub fn put_subscriber(&mut self, subscriber: &Subscriber) -> Result<()> {
        let key = subscriber.email.as_bytes();
        tables::put(self.transaction, SUBSCRIBERS, key, subscriber)
    }

    pub fn remove_subscriber(&mut self, email: &str) -> Result<()> {
        tables::remove(self.transaction, SUBSCRIBERS, email.as_bytes()).map(drop)
    }

    pub fn put_note(&mut self, name: &str, value: &[u8]) -> Result<()> {
        let key = name.as_bytes();
        tables::put(self.transaction, NOTES, key, &value.to_vec())
    }

    pub fn set_demo(&mut self, demo: bool) -> Result<()> {
        self.content_changed |= self.is_demo()? != demo;
        tables::put(self.transaction, META, DEMO_KEY, &demo)
    }
}
