//! What is kept of the copies elsewhere, and what goes.

use super::retention;
use super::{Copies, Copy, Fault, MANIFEST, Manifest, PICTURES, Sort};
use crate::content::{Timestamp, time};
use std::collections::BTreeSet;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// Copies of changes that are kept: what a whole copy holds needs none of them.
const CHANGES_MAX: usize = 4;
/// What no copy names may belong to one that is being made.
const LOOSE_MILLISECONDS_MIN: i64 = DAY_MILLISECONDS;
/// So long somebody may look at a copy whose manifest cannot be read.
const UNREADABLE_MILLISECONDS_MAX: i64 = 30 * DAY_MILLISECONDS;

impl Copies {
    /// Removes copies that nothing keeps any more, and how many; after a whole copy also those
    /// that the calendar does not keep, and what belongs to none.
    pub fn prune(&self, sort: Sort, now: Timestamp) -> Result<usize, Fault> {
        let (all, loose) = self.all_and_loose()?;
        let (whole, changes): (Vec<Copy>, Vec<Copy>) =
            all.into_iter().partition(|copy| copy.sort == Sort::Whole);
        let newest_whole = whole.first().map(|copy| copy.at);
        let (mut kept, mut removed) = (Vec::new(), 0);
        for (number, copy) in changes.into_iter().enumerate() {
            if number < CHANGES_MAX && newest_whole.is_none_or(|at| copy.at >= at) {
                kept.push(copy);
            } else {
                self.remove(&copy)?;
                removed += 1;
            }
        }
        if sort == Sort::Changes {
            return Ok(removed);
        }
        for (name, listed) in loose {
            if is_old(listed.modified.as_deref(), now) {
                self.bucket.remove(&name)?;
            }
        }
        Ok(removed + self.prune_whole(whole, &kept, now)?)
    }

    fn prune_whole(
        &self,
        whole: Vec<Copy>,
        changes: &[Copy],
        now: Timestamp,
    ) -> Result<usize, Fault> {
        let (mut readable, mut removed, mut is_any_unreadable) = (Vec::new(), 0, false);
        for copy in whole {
            match self.manifest_if_there(&copy) {
                Ok(Some(manifest)) => readable.push((copy, manifest)),
                Ok(None) => {}
                Err(Fault::Damaged(_))
                    if now.saturating_sub(copy.at) > UNREADABLE_MILLISECONDS_MAX =>
                {
                    self.remove(&copy)?;
                    removed += 1;
                }
                Err(Fault::Damaged(reason)) => {
                    tracing::warn!(
                        copy = copy.name,
                        reason,
                        "a copy cannot be read: it does not count"
                    );
                    is_any_unreadable = true;
                }
                Err(fault) => return Err(fault),
            }
        }
        // Where a clock was ahead once, names lie after the days on which copies were made.
        let made = |copy: &Copy, manifest: &Manifest| {
            time::parse_rfc3339(&manifest.at).map_or(copy.at, |at| at.min(copy.at))
        };
        let moments = readable.iter().map(|(copy, manifest)| made(copy, manifest));
        let mut moments: Vec<Timestamp> = moments.collect();
        moments.sort_unstable_by(|one, two| two.cmp(one));
        let kept = retention::kept(&moments);
        let mut named = BTreeSet::new();
        for (number, (copy, manifest)) in readable.into_iter().enumerate() {
            if number == 0 || kept.contains(&made(&copy, &manifest)) {
                named.extend(manifest.pictures.into_keys());
            } else {
                self.remove(&copy)?;
                removed += 1;
            }
        }
        for copy in changes {
            match self.manifest_if_there(copy) {
                Ok(Some(manifest)) => named.extend(manifest.pictures.into_keys()),
                Ok(None) => {}
                Err(Fault::Damaged(_)) => is_any_unreadable = true,
                Err(fault) => return Err(fault),
            }
        }
        if !is_any_unreadable {
            self.prune_pictures(&named, now)?;
        }
        Ok(removed)
    }

    /// Another program may have removed it meanwhile.
    fn manifest_if_there(&self, copy: &Copy) -> Result<Option<Manifest>, Fault> {
        match self.manifest(copy) {
            Ok(manifest) => Ok(Some(manifest)),
            Err(Fault::NotThere) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn prune_pictures(&self, named: &BTreeSet<String>, now: Timestamp) -> Result<(), Fault> {
        for (name, listed) in self.bucket.list(PICTURES)? {
            if is_old(listed.modified.as_deref(), now) && !named.contains(&name) {
                self.bucket.remove(&format!("{PICTURES}{name}"))?;
            }
        }
        Ok(())
    }

    /// The manifest goes first: what is left is no copy any more.
    fn remove(&self, copy: &Copy) -> Result<(), Fault> {
        self.bucket.remove(&format!("{}{MANIFEST}", copy.name))?;
        copy.rows
            .iter()
            .try_for_each(|name| self.bucket.remove(name))
    }
}

/// A moment that is not told is none to go by.
fn is_old(modified: Option<&str>, now: Timestamp) -> bool {
    let at = modified.and_then(time::parse_rfc3339);
    at.is_some_and(|at| now.saturating_sub(at) > LOOSE_MILLISECONDS_MIN)
}
