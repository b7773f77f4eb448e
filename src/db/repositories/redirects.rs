//! Redirects: former slugs of items, paths of another site, and addresses that the admin redirects.
//!
//! One table. The first byte of a key says who made the row: the number of a collection, before a
//! former slug; [`FULL_PATH`], before an imported path; a slash, with which the path of an admin's
//! redirect begins. The value of the first two is the id of an item.

use super::Writable;
use crate::Reader;
use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, REDIRECTS, Tables, collection_key};
use respiro_content::{
    Collection, Redirect, RedirectSource, RedirectTable, RedirectTarget, Timestamp,
    collection_by_number,
};

/// Collection number of rows whose slug is a complete path; no collection has this number.
const FULL_PATH: u8 = 0;
/// First byte of the keys of the admin's redirects; no collection has this number.
const ADMIN: u8 = b'/';
/// Redirects that the admin can add.
pub const ADMIN_REDIRECTS_MAX: usize = 1_000;

/// A stored redirect of the admin.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct AdminRedirect {
    pub target: RedirectTarget,
    pub created_at: Timestamp,
}

/// Redirects of all sources.
pub struct Redirects<'a>(pub(super) Reader<'a>);

impl Redirects<'_> {
    /// Returns the strongest redirect of each address.
    pub fn list(&self) -> Result<RedirectTable> {
        let mut table = RedirectTable::default();
        self.0.tables.scan(REDIRECTS, b"", &mut |key, bytes| {
            if let Some((from, redirect)) = redirect_of(key, bytes) {
                table.insert(&from, redirect);
            }
            Ok(())
        })?;
        Ok(table)
    }

    /// Returns the former slugs of a collection, each with the item it redirects to.
    pub fn slugs(&self, collection: &Collection) -> Result<Vec<(String, String)>> {
        self.former_of(collection.number)
    }

    /// Returns the paths of another site, each with the item it redirects to.
    pub fn paths(&self) -> Result<Vec<(String, String)>> {
        self.former_of(FULL_PATH)
    }

    /// Returns the admin's redirects by path.
    pub fn of_admin(&self) -> Result<Vec<(String, AdminRedirect)>> {
        let rows = tables::records(self.0.tables, REDIRECTS, &[ADMIN])?;
        let path = |key: &[u8]| String::from_utf8_lossy(key).into_owned();
        Ok(rows
            .into_iter()
            .map(|(key, row)| (path(&key), row))
            .collect())
    }

    fn former_of(&self, collection_number: u8) -> Result<Vec<(String, String)>> {
        let rows = tables::records::<String>(self.0.tables, REDIRECTS, &[collection_number])?;
        let slug = |key: &[u8]| String::from_utf8_lossy(&key[1..]).into_owned();
        Ok(rows.into_iter().map(|(key, id)| (slug(&key), id)).collect())
    }
}

/// Returns address and redirect of a row; `None` for a row of an unknown collection or one that
/// does not decode.
fn redirect_of(key: &[u8], bytes: &[u8]) -> Option<(String, Redirect)> {
    let (first, rest) = key.split_first()?;
    let decoded = target_of(key, bytes);
    let (target, created_at) = decoded
        .inspect_err(|error| tables::log_skipped_row(&error.to_string()))
        .ok()?;
    let rest = String::from_utf8_lossy(rest);
    let (from, source) = match *first {
        ADMIN => (format!("/{rest}"), RedirectSource::Admin),
        FULL_PATH => (rest.into_owned(), RedirectSource::Import),
        number => {
            let page = collection_by_number(number)?.page?;
            (format!("{}{rest}", page.prefix), RedirectSource::SlugChange)
        }
    };
    let redirect = Redirect {
        target,
        source,
        created_at,
    };
    Some((from, redirect))
}

fn target_of(key: &[u8], bytes: &[u8]) -> Result<(RedirectTarget, Option<Timestamp>)> {
    if key.first() == Some(&ADMIN) {
        let row: AdminRedirect = tables::decode(REDIRECTS, key, bytes)?;
        return Ok((row.target, Some(row.created_at)));
    }
    let id = tables::decode(REDIRECTS, key, bytes)?;
    Ok((RedirectTarget::Item(id), None))
}

/// Returns key and target of every row, for the integrity check.
pub(crate) fn rows(tables: &dyn Tables) -> Result<Vec<(Vec<u8>, Result<RedirectTarget>)>> {
    let mut rows = Vec::new();
    tables.scan(REDIRECTS, b"", &mut |key, bytes| {
        rows.push((
            key.to_vec(),
            target_of(key, bytes).map(|(target, _)| target),
        ));
        Ok(())
    })?;
    Ok(rows)
}

impl Writable<'_, '_, Redirects<'_>> {
    pub fn put_slug(&mut self, collection: &Collection, slug: &str, id: &str) -> Result<()> {
        self.put(&collection_key(collection.number, slug), &id.to_owned())
    }

    /// Redirects a former slug; one that nobody could visit takes over no redirect.
    pub(crate) fn put_former_slug(
        &mut self,
        collection: &Collection,
        (slug, was_published): (&str, bool),
        id: &str,
    ) -> Result<()> {
        let key = collection_key(collection.number, slug);
        if was_published || self.0.tables.get(REDIRECTS, &key)?.is_none() {
            self.put(&key, &id.to_owned())?;
        }
        Ok(())
    }

    /// Ends the redirect of a slug that a published item has.
    pub(crate) fn remove_slug(&mut self, collection: &Collection, slug: &str) -> Result<()> {
        self.remove(&collection_key(collection.number, slug))
    }

    pub fn put_path(&mut self, path: &str, id: &str) -> Result<()> {
        self.put(&collection_key(FULL_PATH, path), &id.to_owned())
    }

    /// Stores the admin's redirect of a path; fails with a conflict if there are too many. Removes
    /// the admin's redirect of the target, so that no two form a loop.
    pub fn put_of_admin(&mut self, from: &str, redirect: &AdminRedirect) -> Result<()> {
        let known = self.of_admin()?;
        let is_new = known.iter().all(|(path, _)| path != from);
        if is_new && known.len() >= ADMIN_REDIRECTS_MAX {
            return Err(Error::Conflict(messages::MANY_REDIRECTS));
        }
        if let RedirectTarget::Path(to) = &redirect.target {
            self.remove(to.as_bytes())?;
        }
        self.put(from.as_bytes(), redirect)
    }

    /// Removes the admin's redirect of a path.
    pub fn remove_of_admin(&mut self, from: &str) -> Result<()> {
        if !from.starts_with('/') || self.0.tables.get(REDIRECTS, from.as_bytes())?.is_none() {
            return Err(Error::NotFound);
        }
        self.remove(from.as_bytes())
    }

    /// Removes every redirect to items that no longer exist.
    pub(crate) fn remove_to(&mut self, is_gone: impl Fn(&str) -> bool) -> Result<()> {
        for (key, target) in rows(self.0.tables)? {
            if let Ok(RedirectTarget::Item(id)) = &target
                && is_gone(id)
            {
                self.remove(&key)?;
            }
        }
        Ok(())
    }

    fn put<V: bincode::Encode>(&mut self, key: &[u8], value: &V) -> Result<()> {
        self.writer.touched.redirects = true;
        tables::put(self.writer.transaction, REDIRECTS, key, value)
    }

    fn remove(&mut self, key: &[u8]) -> Result<()> {
        if self.writer.transaction.remove(REDIRECTS, key)? {
            self.writer.touched.redirects = true;
        }
        Ok(())
    }
}
