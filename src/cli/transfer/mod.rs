//! `export` and `import`: everything as JSON and original pictures, readable without respiro; and
//! imports from WordPress and from CSV.

mod options;
mod staging;
mod wordpress;

pub use options::ImportOptions;

use super::control::{Answer, Request, ask};
use super::{complain, files, say};
use crate::app::now;
use crate::block_definitions;
use crate::importers::csv;
use crate::importers::json::{self, Content};
use crate::store;
use crate::store::fs_util::reserve_path;
use crate::store::{Store, Subscriber, Subscription};
use anyhow::bail;
use staging::{StagingStore, read_site};
use std::fs;
use std::path::Path;

/// Imports from the one source that the options name.
pub fn import_any(data: &Path, options: &ImportOptions) -> anyhow::Result<()> {
    match (&options.dir, &options.wordpress, &options.csv) {
        (Some(dir), _, _) => import(data, dir),
        (_, Some(export), _) => wordpress::import(data, export, options),
        (_, _, Some(table)) => {
            let proof = options.proof.as_deref().unwrap_or_default();
            import_csv(data, table, proof, options.dry_run)
        }
        _ => Ok(()),
    }
}

/// Writes everything but accounts into a new folder.
pub fn export(data: &Path, folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && fs::read_dir(folder)?.next().is_some() {
        bail!("{} is not empty: choose a new folder", folder.display());
    }
    match ask(data, &Request::Copy)? {
        Some(Answer::Copied { path, .. }) => {
            let written = export_from(&path, folder);
            remove_copy(&path);
            written
        }
        Some(Answer::Failed(reason)) => bail!(reason),
        Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
        None if data.exists() => export_from(data, folder),
        None => bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        ),
    }
}

fn export_from(data: &Path, folder: &Path) -> anyhow::Result<()> {
    let store = Store::open(data)?;
    let definitions = block_definitions::table()?;
    let count = store.read(|reader| json::export(reader, folder, definitions, now()))?;
    say(&format!(
        "{}: everything but accounts, with {count} original pictures",
        folder.display()
    ))
}

/// Imports an exported folder into an empty data file. A running server gets a filled copy.
fn import(data: &Path, folder: &Path) -> anyhow::Result<()> {
    let content = json::read(folder, block_definitions::table()?)?;
    match ask(data, &Request::Copy)? {
        Some(Answer::Copied { path, .. }) => {
            let filled = import_into(&path, data, content, folder)
                .and_then(|()| files::put_in_place(data, &path, true));
            remove_copy(&path);
            filled
        }
        Some(Answer::Failed(reason)) => bail!(reason),
        Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
        None => import_into(data, data, content, folder),
    }
}

fn import_into(file: &Path, data: &Path, content: Content, folder: &Path) -> anyhow::Result<()> {
    let store = Store::open(file)?;
    let is_empty = store.read(|reader| -> store::Result<_> {
        let figures = reader.figures()?;
        Ok(figures.trash == 0 && figures.counts.values().all(|count| *count == 0))
    })?;
    if !is_empty {
        bail!(
            "{} has content already: import into a new file with --data, then use that",
            data.display()
        );
    }
    let (items, pictures) = (content.items.len(), content.pictures.len());
    store.write(|writer| json::put(writer, content, folder))?;
    say(&format!("{items} items and {pictures} pictures imported"))
}

/// Imports the newsletter addresses of a table, with the source of their consent.
fn import_csv(data: &Path, path: &Path, proof: &str, is_trial: bool) -> anyhow::Result<()> {
    let proof = proof.trim();
    if proof.is_empty() || proof.contains(char::is_control) {
        bail!("say where the consent comes from: --proof TEXT; it is kept beside each address");
    }
    let subscribers = csv::read(path, proof, now())?;
    let confirmed = |one: &&Subscriber| one.state == Subscription::Confirmed;
    let (total, confirmed) = (
        subscribers.len(),
        subscribers.iter().filter(confirmed).count(),
    );
    if is_trial {
        let known = read_site(data, |reader| {
            let known = subscribers.iter().map(|one| reader.subscriber(&one.email));
            let known: store::Result<Vec<_>> = known.collect();
            Ok(known?.into_iter().flatten().count())
        })?;
        say(&format!(
            "{total} addresses: {confirmed} confirmed, the others collected; {} are known here and stay as they are",
            known.unwrap_or_default()
        ))?;
        complain("dry run: nothing was changed");
        return Ok(());
    }
    let staging = StagingStore::create(data)?;
    staging.write(|writer| csv::put(writer, &subscribers))?;
    let told = staging.merge(data)?;
    say(&format!(
        "{total} addresses: {confirmed} confirmed, the others collected; people who unsubscribed here stay unsubscribed"
    ))?;
    complain(&told);
    Ok(())
}

/// Removes a copy of the data file and its reserve; a leftover does no harm.
fn remove_copy(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_file(reserve_path(path));
}
