//! Notes of background tasks in the data file, as JSON: results for the panel and for the task's
//! next run.

use super::App;
use crate::error::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

impl App {
    /// Returns the note of this name. A note that cannot be parsed counts as missing.
    pub async fn note<T: DeserializeOwned>(&self, name: &'static str) -> Option<T> {
        let note = self
            .read(move |reader| Ok(reader.note(name)?))
            .await
            .ok()??;
        serde_json::from_slice(&note).ok()
    }

    pub async fn keep_note(&self, name: &'static str, value: &impl Serialize) -> Result<()> {
        let bytes =
            serde_json::to_vec(value).map_err(|error| Error::Internal(error.to_string()))?;
        self.change(move |writer| Ok(writer.put_note(name, &bytes)?))
            .await
    }
}
