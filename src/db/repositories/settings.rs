//! The settings of the site.

use super::Writable;
use crate::Reader;
use crate::error::{Error, Result};
use crate::messages;
use crate::repositories::history::{State, Thing};
use crate::tables::{self, SETTINGS, SETTINGS_KEY};
use respiro_content::FieldError;
use respiro_content::Settings;

/// The settings of the site.
pub struct SiteSettings<'a>(pub(super) Reader<'a>);

impl SiteSettings<'_> {
    /// Returns the defaults when the row does not decode, too: the site goes on without it.
    pub fn get(&self) -> Result<Settings> {
        let settings = tables::readable_record(self.0.tables, SETTINGS, SETTINGS_KEY)?;
        Ok(settings.unwrap_or_default())
    }
}

impl Writable<'_, '_, SiteSettings<'_>> {
    /// Fails with a field error for each image that does not exist. Never replaces a row that does
    /// not decode.
    pub fn put(&mut self, settings: &Settings) -> Result<()> {
        let mut errors = Vec::new();
        for (name, value) in &settings.values {
            if let Some(id) = value.picture_id()
                && self.writer.pictures().get(id)?.is_none()
            {
                errors.push(FieldError::new(name, messages::MISSING_PICTURE));
            }
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let transaction = self.writer.transaction;
        let former = tables::record::<Settings>(transaction, SETTINGS, SETTINGS_KEY)?;
        let former = former.unwrap_or_default();
        if former != *settings {
            self.writer.touched.site = true;
            let mut history = self.writer.history();
            history.record(&Thing::Settings, State::Settings(former))?;
        }
        tables::put(transaction, SETTINGS, SETTINGS_KEY, settings)
    }
}
