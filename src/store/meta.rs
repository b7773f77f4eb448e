//! What the file says about itself, and small notes of other layers.

use super::tables::{self, META, NOTES};
use super::{Reader, Writer};
use crate::error::{Error, Result};

/// Keys of the table `meta`.
pub(super) const SCHEMA_KEY: &[u8] = b"schema";
pub(super) const SECRET_KEY: &[u8] = b"secret";
pub(super) const DEMO_KEY: &[u8] = b"demo";
pub(super) const CLEAN_KEY: &[u8] = b"clean";
/// Since when visits are not counted.
pub(super) const STATISTICS_OFF_KEY: &[u8] = b"statistics_off";
/// When the file was made as a copy; gone as soon as it is used as a data file.
pub(super) const COPIED_KEY: &[u8] = b"copied";

impl Reader<'_> {
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
    pub fn put_note(&mut self, name: &str, value: &[u8]) -> Result<()> {
        let key = name.as_bytes();
        tables::put(self.transaction, NOTES, key, &value.to_vec())
    }

    pub fn set_demo(&mut self, demo: bool) -> Result<()> {
        self.touched.site |= self.is_demo()? != demo;
        tables::put(self.transaction, META, DEMO_KEY, &demo)
    }
}
