//! Reads an exported folder and writes it into a data file. Validates the whole folder before it
//! writes, and lists all problems by file, line and field.

use super::content::{self, Content, PictureFile};
use super::spanned_json::{Problems, SpannedJson};
use super::{CONTENT_FILE, FORMAT, notifications};
use crate::{Error, Result};
use respiro_content::blocks::BlockDefinitions;
use respiro_content::picture::PictureEdit;
use respiro_db::{Reader, RestoreMarker, Writer};
use respiro_media::{UPLOAD_BYTES_MAX, sandbox};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path};

/// Larger content files are refused.
const CONTENT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Reads and validates the content file of a folder, before any data file is opened.
pub fn read(folder: &Path, definitions: &BlockDefinitions) -> Result<Content> {
    let path = folder.join(CONTENT_FILE);
    let missing = Error::because(&path, "is missing: is this an exported folder?");
    let bytes = fs::metadata(&path).map_err(missing)?.len();
    if bytes > CONTENT_BYTES_MAX {
        let reason = format!("is too large to be ours: {bytes} bytes");
        return Err(Error::unusable(&path, reason));
    }
    let text = fs::read_to_string(&path).map_err(Error::because(&path, "is no UTF-8 text"))?;
    let root = SpannedJson::parse(&text).map_err(Error::because(&path, "is not JSON"))?;
    let mut problems = Problems::new(CONTENT_FILE, &text);
    match root.field("format").text().parse::<u64>() {
        Ok(FORMAT) => {}
        Ok(other) => return Err(Error::UnknownFormat(other)),
        Err(_) => {
            let reason = "names no format: is this an exported folder?";
            return Err(Error::unusable(&path, reason));
        }
    }
    let content = content::read(&mut problems, &root, definitions);
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
        Err(problems) => Err(Error::InvalidContent(problems)),
    }
}

/// Fails if the site has items, also in the trash: an export fills an empty site.
pub fn require_empty(reader: &Reader<'_>) -> Result<()> {
    let figures = reader.figures()?;
    if figures.trash == 0 && figures.counts.values().all(|count| *count == 0) {
        return Ok(());
    }
    Err(Error::NotEmpty)
}

/// Writes everything in the caller's transaction: a failure leaves nothing behind. The pictures
/// are read from `folder`.
pub fn write(writer: &mut Writer<'_>, content: Content, folder: &Path) -> Result<()> {
    require_empty(writer)?;
    write_newsletters(writer, &content)?;
    notifications::write(writer, &content.notices)?;
    for (id, picture) in content.pictures {
        import_picture(writer, id, folder, &picture)?;
    }
    writer.settings().put(&content.settings)?;
    for (subscriber, status) in &content.subscribers {
        writer.import_subscriber(subscriber, status)?;
    }
    for (id, schedule) in &content.schedules {
        writer.schedules().put(id, schedule)?;
    }
    for versions in &content.blocks {
        for saved in versions.iter().rev() {
            writer.content_blocks().put(saved)?;
        }
    }
    for (id, attestation) in &content.attestations {
        writer
            .content_blocks()
            .put_attestation(id, Some(attestation))?;
    }
    for (kind, item) in &content.items {
        writer.items().import(kind, item)?;
    }
    for trashed in content.trash {
        writer.trash().put(trashed)?;
    }
    for former in &content.former_slugs {
        writer
            .redirects()
            .put_slug(former.kind, &former.slug, &former.id)?;
    }
    for former in &content.former_paths {
        writer.redirects().put_path(&former.path, &former.id)?;
    }
    // An export without ids is of a site that made them of its address, as the next start does.
    writer.public_ids().forget_all()?;
    if let Some(public_ids) = &content.public_ids {
        for item in &public_ids.items {
            writer.public_ids().put(&item.id, &item.stored())?;
        }
        if let Some(feed) = &public_ids.feed {
            writer.public_ids().put_feed(feed)?;
        }
    }
    for record in content.redirects {
        let (from, redirect) = record.into_stored();
        writer.redirects().put_of_admin(&from, &redirect)?;
    }
    content.statistics.write(writer)?;
    content.testimonials.write(writer)?;
    Ok(writer.set_demo(content.demo)?)
}

/// Marks the data file as restored, as a backup would be: who unsubscribed and who received a
/// campaign since the export is unknown here.
fn write_newsletters(writer: &mut Writer<'_>, content: &Content) -> Result<()> {
    content.campaigns.write(writer)?;
    for (id, pictures) in &content.mailed_pictures {
        writer.sent_images().put(id, pictures)?;
    }
    if let Some(key) = &content.unsubscribe_key {
        writer.put_imported_unsubscribe_key(key)?;
    }
    match content.exported_at {
        Some(copied_at) => writer.put_restore_marker(RestoreMarker {
            copied_at,
            held_sendings: content.campaigns.held,
        })?,
        None => writer.clear_restore_marker()?,
    }
    Ok(())
}

/// Decodes and resizes an original as an upload.
fn import_picture(
    writer: &mut Writer<'_>,
    id: String,
    folder: &Path,
    picture: &PictureFile,
) -> Result<()> {
    let path = folder.join(&picture.file);
    let unusable = |reason: String| Error::UnusablePicture {
        path: path.clone(),
        reason,
    };
    let bytes = read_picture(&path).map_err(|error| unusable(error.to_string()))?;
    if bytes.len() > UPLOAD_BYTES_MAX {
        return Err(unusable("larger than an upload may be".to_owned()));
    }
    let program = Path::new(sandbox::OWN_PROGRAM);
    let edit = picture
        .edit
        .and_then(PictureEdit::checked)
        .unwrap_or_default();
    let processed = sandbox::process(Some(program), &bytes, edit)?
        .map_err(|refusal| unusable(format!("refused: {refusal:?}")))?;
    let (picture, files) = processed.into_picture(id, &bytes, picture.created_at);
    Ok(writer.pictures().put(picture, files)?)
}

/// Reads at most a byte more than an upload may have.
fn read_picture(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(UPLOAD_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
