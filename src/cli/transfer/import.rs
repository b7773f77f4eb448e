//! `import`: an exported folder into an empty data file. All of it is checked before any of it is
//! written, and what is wrong is listed by file, line and field.

use super::content::{self, Content};
use super::source::Source;
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

/// A content file that is read back may not be larger.
const CONTENT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Fills an empty data file from an exported folder. A running server gets a filled copy.
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

/// The whole content file of a folder, checked; nothing is open yet.
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
    let mut source = Source::new(CONTENT_FILE, &text);
    let root = source
        .members()
        .with_context(|| format!("{} is not JSON", path.display()))?;
    let format = root.get("format");
    match format.and_then(|part| part.get().parse::<u64>().ok()) {
        Some(FORMAT) => {}
        Some(other) => bail!("format {other} is unknown to this version: install a newer respiro"),
        None => bail!(
            "{} names no format: is this an exported folder?",
            path.display()
        ),
    }
    let content = content::read(&mut source, &root);
    for (id, (name, _)) in &content.pictures {
        let path = Path::new(name);
        let inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let part = root.get("pictures").map_or("", |part| part.get());
        let field = format!("pictures.{id}");
        if name.is_empty() || !inside {
            source.problem(part, &field, &format!("has an unusable name: `{name}`"));
        } else if !folder.join(path).is_file() {
            source.problem(part, &field, &format!("is not there: `{name}`"));
        }
    }
    match source.finish() {
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

/// One transaction: whatever fails in it leaves nothing behind.
fn put(writer: &mut Writer<'_>, content: Content, folder: &Path) -> Result<()> {
    put_newsletters(writer, &content)?;
    notices::put(writer, &content.notices)?;
    for (id, (name, created_at)) in content.pictures {
        put_picture(writer, id, &folder.join(name), created_at)?;
    }
    writer.put_settings(&content.settings)?;
    for (subscriber, standing) in &content.subscribers {
        writer.put_subscriber(subscriber)?;
        writer.put_address_status(standing)?;
    }
    for (id, plan) in &content.plans {
        writer.put_schedule(id, plan)?;
    }
    for versions in &content.words {
        for saved in versions.iter().rev() {
            writer.put_block(saved)?;
        }
    }
    for (id, said) in &content.confirmed_words {
        writer.put_attestation(id, Some(said))?;
    }
    for (kind, item) in &content.items {
        writer.import_item(kind, item)?;
    }
    for trashed in content.trash {
        writer.import_trashed(trashed)?;
    }
    for (kind, slug, id) in &content.former_slugs {
        writer.import_former_slug(kind, slug, id)?;
    }
    for (path, id) in &content.former_paths {
        writer.import_former_path(path, id)?;
    }
    content.visits.put(writer)?;
    content.testimonials.put(writer)?;
    Ok(writer.set_demo(content.demo)?)
}

/// The file is a copy of what another one held at a moment, as a backup is: who left the newsletter
/// since, and who got it, is not known here.
fn put_newsletters(writer: &mut Writer<'_>, content: &Content) -> Result<()> {
    content.sendings.put(writer)?;
    for (id, pictures) in &content.mailed_pictures {
        writer.put_sent_images(id, pictures)?;
    }
    if let Some(key) = &content.unsubscribe_key {
        writer.put_imported_unsubscribe_key(key)?;
    }
    match content.exported_at {
        Some(copied_at) => writer.put_restore_marker(RestoreMarker {
            copied_at,
            held_sendings: content.sendings.held,
        })?,
        // What a running server gets is a filled copy of its own file: that alone says nothing.
        None => writer.clear_restore_marker()?,
    }
    Ok(())
}

/// Processes an original again, as an upload would be.
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
