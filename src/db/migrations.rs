//! Migrates older schemas in one transaction, after copying the file.

use crate::Store;
use crate::backup;
use crate::error::Result;
use crate::file_metadata::{SCHEMA_KEY, SECRET_KEY};
use crate::fs_util::{TempKind, parent_dir, sync_dir, temp_path, with_suffix};
use crate::open_error::{OpenError, SCHEMA};
use crate::repositories::history;
use crate::tables::{self, HISTORY, META, WORD_VERSIONS, failed};
use crate::transaction::Transaction;
use redb::{Database, ReadableDatabase};
use respiro_content::blocks::SavedBlock;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Migrates the tables to the next schema number.
pub(crate) type Step = fn(&Transaction) -> Result<()>;

/// The step at index `n` migrates schema `n + 1` to `n + 2`.
pub(crate) const STEPS: &[Step] = &[
    // Schema 2. Enums have new variants behind the former ones (subjects of notifications, states
    // of subscribers) and there are new tables, which `apply` creates: former records stay.
    |_| Ok(()),
    // Schema 3. New tables hold the rights of accounts and their one-time links. Former records
    // stay; a build of schema 2 refuses the file, because it would take every account for an owner.
    |_| Ok(()),
    // Schema 4. The history of the site takes in the versions of content blocks. Notifications
    // have new subjects, and a new table holds the e-mails that an account asked for.
    move_versions_to_history,
];

const _: () = assert!(STEPS.len() + 1 == SCHEMA as usize);

fn move_versions_to_history(transaction: &Transaction) -> Result<()> {
    let mut blocks: BTreeMap<String, Vec<SavedBlock>> = BTreeMap::new();
    // Keys end with the revision.
    for (_, saved) in tables::records::<SavedBlock>(transaction, WORD_VERSIONS, b"")? {
        blocks.entry(saved.id.clone()).or_default().push(saved);
    }
    for versions in blocks.values() {
        for (key, row) in history::rows_of_versions(versions) {
            tables::put(transaction, HISTORY, &key, &row)?;
        }
    }
    transaction.delete_table(WORD_VERSIONS)
}

/// Migrates the file to the schema of the last step.
pub(crate) fn run(steps: &[Step], database: &Database, path: &Path) -> Result<(), OpenError> {
    let (found, todo) = missing(steps, database)?;
    if todo.is_empty() {
        return Ok(());
    }
    let aside = backup_path(path, found);
    copy_aside(database, path, &aside)?;
    tracing::info!(from = found, copy = %aside.display(), "bringing the data file up to date");
    apply(found, todo, database)
}

/// Copies the file of an older schema to `aside`. Replaces the copy of an earlier attempt: the file
/// may have changed since with the former release.
fn copy_aside(database: &Database, path: &Path, aside: &Path) -> Result<(), OpenError> {
    let reading = database.begin_read().map_err(failed)?;
    if fs::symlink_metadata(aside).is_err() {
        backup::copy(&reading, aside, None)?;
        return Ok(());
    }
    let secret: Option<[u8; 32]> = tables::record(&reading, META, SECRET_KEY)?;
    let is_of_this_file = Store::look(aside)?.read(|reader| reader.secret()).ok() == secret;
    if !is_of_this_file {
        let reason = format!("{} is in the way of a copy: rename it", aside.display());
        return Err(OpenError::damaged(reason));
    }
    let draft = temp_path(path, TempKind::Copy)?;
    backup::copy(&reading, &draft, None)?;
    fs::rename(&draft, aside)?;
    Ok(sync_dir(&parent_dir(path))?)
}

/// The same for a copy-on-write database, which needs no copy.
pub(crate) fn in_memory(steps: &[Step], database: &Database) -> Result<(), OpenError> {
    let (found, todo) = missing(steps, database)?;
    apply(found, todo, database)
}

/// Returns the current schema and the steps from it.
fn missing<'a>(steps: &'a [Step], database: &Database) -> Result<(u32, &'a [Step])> {
    let reading = database.begin_read().map_err(failed)?;
    let found: u32 = tables::record(&reading, META, SCHEMA_KEY)?.unwrap_or_default();
    let first = usize::try_from(found).unwrap_or_default().saturating_sub(1);
    Ok((found, steps.get(first..).unwrap_or_default()))
}

fn apply(mut schema: u32, todo: &[Step], database: &Database) -> Result<(), OpenError> {
    let transaction = Transaction::begin(database)?;
    transaction.make(tables::ALL)?;
    for step in todo {
        step(&transaction)?;
        schema += 1;
    }
    tables::put(&transaction, META, SCHEMA_KEY, &schema)?;
    transaction.commit()?;
    Ok(())
}

/// `FILE.before-schema-N`: the file before its migration to schema N.
fn backup_path(path: &Path, found: u32) -> PathBuf {
    with_suffix(path, &format!(".before-schema-{}", found + 1))
}

/// Returns the steps, followed by one of a later release.
#[cfg(test)]
pub(crate) fn with_next(step: Step) -> Vec<Step> {
    let mut steps = STEPS.to_vec();
    steps.push(step);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::builder;
    use crate::check;
    use crate::tables::{NOTES, put};

    fn next() -> Vec<Step> {
        with_next(|transaction| put(transaction, NOTES, b"step", &vec![2_u8]))
    }

    fn failing() -> Vec<Step> {
        with_next(|transaction| {
            put(transaction, NOTES, b"step", &vec![3_u8])?;
            Err(crate::Error::Storage("no".to_owned()))
        })
    }

    fn aside_of(folder: &Path) -> PathBuf {
        folder.join(format!("respiro.redb.before-schema-{}", SCHEMA + 1))
    }

    fn note(database: &Database) -> Option<Vec<u8>> {
        let transaction = database.begin_read().unwrap();
        tables::record(&transaction, NOTES, b"step").unwrap()
    }

    #[test]
    fn an_older_format_is_copied_aside_and_brought_up_in_one_transaction() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("respiro.redb");
        drop(Store::open(&path).unwrap());
        let aside = aside_of(folder.path());

        let database = builder().open(&path).unwrap();
        assert!(run(&failing(), &database, &path).is_err());
        assert_eq!(note(&database), None, "nothing half done");
        assert!(aside.exists());

        // Regression: the copy of the failed attempt stayed, without what was written after it.
        let later = Transaction::begin(&database).unwrap();
        put(&later, NOTES, b"later", &vec![1_u8]).unwrap();
        later.commit().unwrap();
        run(&next(), &database, &path).unwrap();
        assert_eq!(note(&database), Some(vec![2]));
        run(&next(), &database, &path).unwrap();
        drop(database);
        assert!(
            Store::open(&path).is_err(),
            "the next schema is newer than this release"
        );
        assert_eq!(check(&aside).unwrap().stats.trash, 0);
        let store = Store::open(&aside).unwrap();
        assert_eq!(store.read(|reader| reader.note("step")).unwrap(), None);
        assert_eq!(
            store.read(|reader| reader.note("later")).unwrap(),
            Some(vec![1])
        );
    }

    #[test]
    fn a_file_of_somebody_else_is_never_replaced_by_the_copy_before_a_migration() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("respiro.redb");
        drop(Store::open(&path).unwrap());
        let aside = aside_of(folder.path());
        drop(Store::open(&aside).unwrap());
        let theirs = fs::read(&aside).unwrap();
        let database = builder().open(&path).unwrap();
        let error = run(&next(), &database, &path).unwrap_err().to_string();
        assert!(error.contains("rename it"), "{error}");
        assert!(fs::read(&aside).unwrap() == theirs);
    }
}
