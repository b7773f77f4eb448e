//! Collects an import in a data file of its own, then merges it into the site in one transaction.
//! The site accepts writes meanwhile.

use crate::cli::control_client::{pin_snapshot, send_request};
use crate::cli::restore;
use crate::ui_assets;
use anyhow::{anyhow, bail};
use respiro_db::fs_util::{TempKind, open_no_follow, random_id, reserve_path, temp_path_with_id};
use respiro_db::{ImportSummary, Reader, Store, WriteAccess, Writer};
use respiro_importers::{Error, Result, json};
use respiro_server::control::requests;
use respiro_server::control::{Request, Response};
use std::fs;
use std::path::{Path, PathBuf};

/// A data file beside the site's. Dropping it removes the file.
pub struct StagingStore {
    id: String,
    path: PathBuf,
    store: Option<WriteAccess>,
}

impl Drop for StagingStore {
    fn drop(&mut self) {
        // The server may read the open file to its end.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(reserve_path(&self.path));
    }
}

impl StagingStore {
    /// Creates an empty file beside the data file.
    pub fn create(data: &Path) -> anyhow::Result<Self> {
        restore::create_parent_folder(data)?;
        let id = random_id()?;
        let path = temp_path_with_id(data, &id, TempKind::Staging);
        let store = Store::open(&path)?;
        restore::copy_owner(data, &open_no_follow(&path, false)?)?;
        Ok(Self {
            id,
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
    pub fn merge(self, data: &Path) -> anyhow::Result<String> {
        let request = Request::Merge {
            id: self.id.clone(),
        };
        self.merge_by(data, &request, |writer, from| Ok(writer.adopt(from)?))
    }

    /// Fills the empty site with the staged export in one transaction. Returns a summary.
    pub fn merge_export(self, data: &Path) -> anyhow::Result<String> {
        let definitions = ui_assets::block_definitions()?;
        let request = Request::MergeExport {
            id: self.id.clone(),
        };
        self.merge_by(data, &request, |writer, from| {
            json::merge(writer, from, definitions)
        })
    }

    /// Sends the request to the server, or merges here if none runs.
    fn merge_by(
        mut self,
        data: &Path,
        request: &Request,
        merge: impl FnOnce(&mut Writer<'_>, &Reader<'_>) -> Result<ImportSummary>,
    ) -> anyhow::Result<String> {
        // The server opens the file: it must be closed here.
        self.store = None;
        match send_request(data, request)? {
            Some(Response::Text(summary)) => Ok(summary),
            Some(Response::Failed(reason)) => bail!("nothing was imported: {reason}"),
            Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
            None => {
                let (site, arrived) = (Store::open(data)?, Store::look(&self.path)?);
                let merged = arrived.read(|reader| site.write(|writer| merge(writer, reader)));
                let (merged, _) = merged.map_err(|error| {
                    anyhow!(
                        "nothing was imported: {}",
                        requests::explain_error(&error.into())
                    )
                })?;
                Ok(requests::summarize_import(&merged))
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
