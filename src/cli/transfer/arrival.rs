//! A file of its own for what comes: filled beside the site, then taken in by one change of the
//! site, which goes on being written to meanwhile.

use super::remove_copy;
use crate::cli::control::{Answer, Request, arrival_of, ask, freeze};
use crate::cli::{files, operations};
use crate::error::{Error, Result};
use crate::store::{Reader, Store, Writer};
use anyhow::{anyhow, bail};
use std::path::{Path, PathBuf};

/// Removed at the end, whatever happened.
pub struct Arrival {
    path: PathBuf,
    store: Option<Store>,
}

impl Drop for Arrival {
    fn drop(&mut self) {
        remove_copy(&self.path);
    }
}

impl Arrival {
    /// An empty one beside the data file. What a killed import left is of no use.
    pub fn beside(data: &Path) -> anyhow::Result<Self> {
        files::make_folder(data)?;
        let path = arrival_of(data);
        remove_copy(&path);
        let store = Store::open(&path)?;
        files::keep_owner(data, &path)?;
        Ok(Self {
            path,
            store: Some(store),
        })
    }

    pub fn put<T>(&self, put: impl FnOnce(&mut Writer<'_>) -> Result<T>) -> Result<T> {
        let closed = || Error::Internal("the file for what comes is closed".to_owned());
        let store = self.store.as_ref().ok_or_else(closed)?;
        store.write(put).map(|(answer, _)| answer)
    }

    /// All of it becomes part of the site, or nothing.
    pub fn take_in(mut self, data: &Path) -> anyhow::Result<String> {
        // Whoever takes it in opens it.
        self.store = None;
        match ask(data, &Request::Adopt)? {
            Some(Answer::Text(told)) => Ok(told),
            Some(Answer::Failed(reason)) => bail!("nothing was imported: {reason}"),
            Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
            None => {
                let (site, arrived) = (Store::open(data)?, Store::look(&self.path)?);
                let adopted = arrived.read(|reader| site.write(|writer| writer.adopt(reader)));
                let (adopted, _) = adopted.map_err(|error| {
                    anyhow!(
                        "nothing was imported: {}",
                        operations::explain(&error.into())
                    )
                })?;
                Ok(operations::adopted(&adopted))
            }
        }
    }
}

/// Looks at the site as it is now, with or without a server. `None`: there is none yet.
pub fn look<T>(
    data: &Path,
    read: impl FnOnce(&Reader<'_>) -> Result<T>,
) -> anyhow::Result<Option<T>> {
    if !data.exists() {
        return Ok(None);
    }
    let held = freeze(data)?;
    let Some(held) = held else {
        return Ok(Some(Store::look(data)?.read(read)?));
    };
    let store = held.outcome(Store::open_snapshot(data, &held.header))??;
    Ok(Some(held.outcome(store.read(read))??))
}
