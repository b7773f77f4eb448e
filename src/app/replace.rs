//! Another data file in the place of this one, while the site stays up.

use super::{App, blocking};
use crate::error::{Error, Result};
use crate::store::{Session, Store, place};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl App {
    /// Puts another, checked data file in the place of this one and publishes what it holds.
    ///
    /// The former file is kept beside it as `….precedente`. Whoever is signed in by `session`
    /// stays so, when the new file knows the account.
    pub async fn replace(&self, file: PathBuf, session: Option<([u8; 32], Session)>) -> Result<()> {
        let turn = Arc::clone(&self.changing).lock_owned().await;
        let current = Arc::clone(&self.store);
        let data = self.config.data.clone();
        blocking(move || {
            let _turn = turn;
            let store = swap_files(&file, &data)?;
            if let Some((token_hash, session)) = session {
                store.write(|writer| match writer.account(&session.email)? {
                    Some(_) => writer.begin_session(&token_hash, &session),
                    None => Ok(()),
                })?;
            }
            current.store(Arc::new(store));
            Ok(())
        })
        .await?;
        self.publish().await
    }
}

/// Opens `file` where `data` was; when that fails everything is as before.
fn swap_files(file: &Path, data: &Path) -> Result<Store> {
    let broken = |error: std::io::Error| Error::Store(format!("cannot swap data files: {error}"));
    let former = place::exchange(file, data).map_err(broken)?;
    let opened = Store::open(data).map_err(|error| Error::Store(error.to_string()));
    if let (Err(_), Some(former)) = (&opened, former) {
        std::fs::rename(former, data).map_err(broken)?;
    }
    opened
}
