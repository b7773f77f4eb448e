//! `import`: reads an exported folder into an empty data file. Validates the whole folder before
//! it writes, and lists all problems by file, line and field.

use super::content::{self, Content};
use super::spanned_json::{Problems, SpannedJson};
use super::{CONTENT_FILE, FORMAT, notices, remove_copy};
use crate::cli::control::{Answer, Request, ask};
use crate::cli::{files, say};
use crate::content::Timestamp;
use crate::error::{Error, Result};
use crate::images::{UPLOAD_BYTES_MAX, sandbox};
use crate::store::{RestoreMarker, Store, Writer};
use anyhow::{Context, bail};
use std::fs;
use std::path::{Component, Path};

/// Larger content files are refused.
const CONTENT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Imports an exported folder into an empty data file. A running server gets a filled copy.
pub fn import(data: &Path, folder: &Path) -> anyhow::Result<()> {
    let content = read(folder)?;
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

/// Reads and validates the content file of a folder, before any data file is opened.
pub fn read(folder: &Path) -> anyhow::Result<Content> {
    let path = folder.join(CONTENT_FILE);
    let bytes = fs::metadata(&path)
        .with_context(|| format!("{} is missing: is this an exported folder?", path.display()))?
        .len();
    if bytes > CONTENT_BYTES_MAX {
        bail!("{} is too large to be ours: {bytes} bytes", path.display());
    }
    let text = fs::read_to_string(&path)
        .with_context(|| format!("{} is no UTF-8 text", path.display()))?;
    let root = SpannedJson::parse(&text);
    let root = root.with_context(|| format!("{} is not JSON", path.display()))?;
    let mut problems = Problems::new(CONTENT_FILE, &text);
    match root.field("format").text().parse::<u64>() {
        Ok(FORMAT) => {}
        Ok(other) => bail!("format {other} is unknown to this version: install a newer respiro"),
        Err(_) => bail!(
            "{} names no format: is this an exported folder?",
            path.display()
        ),
    }
    let content = content::read(&mut problems, &root);
    for (id, picture) in &content.pictures {
        let path = Path::new(&picture.file);
        let is_inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let problem = if picture.file.is_empty() || !is_inside {
            "has an unusable name"
        } else if !folder.join(path).is_file() {
            "is not there"
        } else {
            continue;
        };
        let json = root.field("pictures").field(id);
        problems.add(&json, &format!("{problem}: `{}`", picture.file));
    }
    match problems.finish() {
        Ok(()) => Ok(content),
        Err(problems) => bail!("nothing was imported:\n{}", problems.join("\n")),
    }
}

fn import_into(file: &Path, data: &Path, content: Content, folder: &Path) -> anyhow::Result<()> {
    let store = Store::open(file)?;
    let is_empty = store.read(|reader| -> Result<_> {
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
    store.write(|writer| put(writer, content, folder))?;
    say(&format!("{items} items and {pictures} pictures imported"))
}

/// Writes everything in the caller's transaction: a failure leaves nothing behind.
fn put(writer: &mut Writer<'_>, content: Content, folder: &Path) -> Result<()> {
    put_newsletters(writer, &content)?;
    notices::put(writer, &content.notices)?;
    for (id, picture) in content.pictures {
        put_picture(writer, id, &folder.join(picture.file), picture.created_at)?;
    }
    writer.put_settings(&content.settings)?;
    for (subscriber, standing) in &content.subscribers {
        writer.put_subscriber(subscriber)?;
        writer.put_address_status(standing)?;
    }
    for (id, plan) in &content.plans {
        writer.put_schedule(id, plan)?;
    }
    for versions in &content.blocks {
        for saved in versions.iter().rev() {
            writer.put_block(saved)?;
        }
    }
    for (id, attestation) in &content.attestations {
        writer.put_attestation(id, Some(attestation))?;
    }
    for (kind, item) in &content.items {
        writer.import_item(kind, item)?;
    }
    for trashed in content.trash {
        writer.import_trashed(trashed)?;
    }
    for former in &content.former_slugs {
        writer.import_former_slug(former.kind, &former.slug, &former.id)?;
    }
    for former in &content.former_paths {
        writer.import_former_path(&former.path, &former.id)?;
    }
    content.statistics.put(writer)?;
    content.testimonials.put(writer)?;
    Ok(writer.set_demo(content.demo)?)
}

/// Marks the data file as restored, as a backup would be: who unsubscribed and who received a
/// campaign since the export is unknown here.
fn put_newsletters(writer: &mut Writer<'_>, content: &Content) -> Result<()> {
    content.campaigns.put(writer)?;
    for (id, pictures) in &content.mailed_pictures {
        writer.put_sent_images(id, pictures)?;
    }
    if let Some(key) = &content.unsubscribe_key {
        writer.put_imported_unsubscribe_key(key)?;
    }
    match content.exported_at {
        Some(copied_at) => writer.put_restore_marker(RestoreMarker {
            copied_at,
            held_sendings: content.campaigns.held,
        })?,
        // A running server imports into a copy of its own file: the copy is not a restored backup.
        None => writer.clear_restore_marker()?,
    }
    Ok(())
}

/// Decodes and resizes an original as an upload.
fn put_picture(
    writer: &mut Writer<'_>,
    id: String,
    path: &Path,
    created_at: Timestamp,
) -> Result<()> {
    let unusable = |reason: String| Error::Internal(format!("{}: {reason}", path.display()));
    let bytes = fs::read(path).map_err(|error| unusable(error.to_string()))?;
    if bytes.len() > UPLOAD_BYTES_MAX {
        return Err(unusable("larger than an upload may be".to_owned()));
    }
    let program = Path::new(sandbox::OWN_PROGRAM);
    let processed = sandbox::process(Some(program), &bytes)?
        .map_err(|refusal| unusable(format!("refused: {refusal:?}")))?;
    let (picture, files) = processed.into_picture(id, &bytes, created_at);
    Ok(writer.put_picture(picture, files)?)
}
