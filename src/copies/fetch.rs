//! Copies on their way back: looked at where they are, or made a data file of again.

use super::sealed::hash;
use super::{Copies, Copy, Fault, Manifest, Opener, PICTURES};
use crate::error::Error;
use crate::store::{Blob, Figures, assemble};
use std::collections::BTreeMap;
use std::path::Path;

impl Copies {
    /// Whether everything that belongs to a copy is there and as it was sent; with the key, also
    /// whether it opens. What is missing or differs is counted.
    pub fn check(&self, copy: &Copy, opener: Option<&Opener>) -> Result<(Manifest, usize), Fault> {
        let manifest = self.manifest(copy)?;
        let mut bad = 0;
        let mut count = |done: Result<Vec<u8>, Fault>| match done {
            Ok(_) => Ok(()),
            Err(Fault::NotThere | Fault::Damaged(_)) => {
                bad += 1;
                Ok(())
            }
            Err(fault) => Err(fault),
        };
        count(self.rows(copy, &manifest, opener))?;
        for (name, bytes) in &manifest.pictures {
            let sealed = self.picture(name, *bytes);
            count(match opener {
                Some(opener) => sealed.and_then(|sealed| opener.open(&sealed)),
                None => sealed,
            })?;
        }
        Ok((manifest, bad))
    }

    fn rows(
        &self,
        copy: &Copy,
        manifest: &Manifest,
        opener: Option<&Opener>,
    ) -> Result<Vec<u8>, Fault> {
        let name = manifest.rows.name(&copy.name);
        let sealed = self.bucket.get(&name)?;
        if hash(&sealed) != manifest.rows.sha256 {
            return Err(Fault::Damaged(name));
        }
        match opener {
            Some(opener) => opener.open_rows(&sealed),
            None => Ok(Vec::new()),
        }
    }

    /// A sealed picture, whose name says what it must be.
    fn picture(&self, name: &str, bytes: u64) -> Result<Vec<u8>, Fault> {
        let sealed = self.bucket.get(&format!("{PICTURES}{name}"))?;
        let wanted = name.split_once('.').map(|(_, hash)| hash);
        if sealed.len() as u64 != bytes || wanted != Some(hash(&sealed).as_str()) {
            return Err(Fault::Damaged(name.to_owned()));
        }
        Ok(sealed)
    }

    /// Makes the new data file `out` of a copy. `progress` hears how many pictures are there.
    pub fn restore(
        &self,
        copy: &Copy,
        opener: &Opener,
        out: &Path,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(Manifest, Figures), Fault> {
        let manifest = self.manifest(copy)?;
        let rows = self.rows(copy, &manifest, Some(opener))?;
        let sealer = opener.sealer().map_err(Fault::Other)?;
        let named: BTreeMap<String, (String, u64)> = manifest
            .pictures
            .iter()
            .filter_map(|(whole, bytes)| {
                let name = whole.split_once('.')?.0.to_owned();
                Some((name, (whole.clone(), *bytes)))
            })
            .collect();
        let mut failed = None;
        let mut count = 0;
        let mut fetch = |blob: Blob| {
            let fetched = named
                .get(&sealer.name(&blob.hash))
                .ok_or(Fault::NotThere)
                .and_then(|(whole, bytes)| opener.open(&self.picture(whole, *bytes)?));
            count += 1;
            progress(count, named.len());
            fetched.map_err(|fault| {
                let error = Error::Store(format!("a picture of the copy: {fault:?}"));
                failed = Some(fault);
                error
            })
        };
        let made = assemble(out, &rows, copy.at, &mut fetch);
        match (made, failed) {
            (Ok(figures), _) => Ok((manifest, figures)),
            (Err(_), Some(fault)) => Err(fault),
            (Err(Error::StorageFull), None) => {
                let full = "the disk is full on this machine: make room; nothing was changed";
                Err(Fault::Other(full.to_owned()))
            }
            (Err(error), None) => Err(Fault::Other(error.to_string())),
        }
    }
}
