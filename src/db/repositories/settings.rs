//! The settings of the site.

use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, SETTINGS, SETTINGS_KEY};
use crate::{Reader, Writer};
use respiro_content::FieldError;
use respiro_content::Settings;

impl Reader<'_> {
    pub fn settings(&self) -> Result<Settings> {
        let settings = tables::record(self.tables, SETTINGS, SETTINGS_KEY)?;
        Ok(settings.unwrap_or_default())
    }
}

impl Writer<'_> {
    /// Fails with a field error for each image that does not exist.
    pub fn put_settings(&mut self, settings: &Settings) -> Result<()> {
        let mut errors = Vec::new();
        for (name, value) in &settings.values {
            if let Some(id) = value.picture_id()
                && self.picture(id)?.is_none()
            {
                errors.push(FieldError::new(name, messages::MISSING_PICTURE));
            }
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        self.touched.site |= self.settings()? != *settings;
        tables::put(self.transaction, SETTINGS, SETTINGS_KEY, settings)
    }
}
