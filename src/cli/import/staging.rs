//! Collects an import in a data file of its own, then merges it into the site in one transaction.
//! The site accepts writes meanwhile.

use crate::cli::control_client::{pin_snapshot, send_request};
use crate::cli::restore;
use anyhow::{anyhow, bail};
use respiro_db::{Reader, Store, WriteAccess, Writer};
use respiro_importers::{Error, Result};
use respiro_server::control::requests;
use respiro_server::control::{Request, Response, staging_path};
use std::path::{Path, PathBuf};

/// A data file beside the site's. Dropping it removes the file.
pub struct StagingStore {
    path: PathBuf,
    store: Option<WriteAccess>,
}

impl Drop for StagingStore {
    fn drop(&mut self) {
        restore::remove_copy(&self.path);
    }
}

impl StagingStore {
    /// Creates an empty file beside the data file and replaces one that a killed import left.
    pub fn create(data: &Path) -> anyhow::Result<Self> {
        restore::create_parent_folder(data)?;
        let path = staging_path(data);
        restore::remove_copy(&path);
        let store = Store::open(&path)?;
        restore::copy_owner(data, &path)?;
        Ok(Self {
            path,
            store: Some(store),
        })
    }

    pub fn write<T>(&self, write: impl FnOnce(&mut Writer<'_>) -> Result<T>) -> Result<T> {
        let closed = || Error::Internal("the staging store is closed".to_owned());
        let store = self.store.as_ref().ok_or_else(closed)?;
        store.write(write).map(|(answer, _)| answer)
    }

    /// Merges the staged content into the site in one transaction. Returns a summary.
    pub fn merge(mut self, data: &Path) -> anyhow::Result<String> {
        // The server opens the file: it must be closed here.
        self.store = None;
        match send_request(data, &Request::Adopt)? {
            Some(Response::Text(summary)) => Ok(summary),
            Some(Response::Failed(reason)) => bail!("nothing was imported: {reason}"),
            Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
            None => {
                let (site, arrived) = (Store::open(data)?, Store::look(&self.path)?);
                let adopted = arrived.read(|reader| site.write(|writer| writer.adopt(reader)));
                let (adopted, _) = adopted.map_err(|error| {
                    anyhow!(
                        "nothing was imported: {}",
                        requests::explain_error(&error.into())
                    )
                })?;
                Ok(requests::summarize_import(&adopted))
            }
        }
    }
}

/// Reads a snapshot of the site, with or without a server. Returns `None` without a data file.
pub fn read_site<T>(
    data: &Path,
    read: impl FnOnce(&Reader<'_>) -> Result<T>,
) -> anyhow::Result<Option<T>> {
    if !data.exists() {
        return Ok(None);
    }
    let pinned = pin_snapshot(data)?;
    let Some(pinned) = pinned else {
        return Ok(Some(Store::look(data)?.read(read)?));
    };
    let store = pinned.outcome(Store::open_snapshot(data, &pinned.header))??;
    Ok(Some(pinned.outcome(store.read(read))??))
}
