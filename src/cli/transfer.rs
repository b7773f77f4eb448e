//! `export` and `import`: everything as JSON and original pictures, readable without us.

use super::control::{Answer, Request, ask};
use super::{files, say};
use crate::app::now;
use crate::content::value::value_json;
use crate::content::{Audience, Changes, KINDS, Picture, Settings, time};
use crate::error::{Error, Result};
use crate::images::darkroom;
use crate::store::place::reserve_of;
use crate::store::{Reader, Store, Subscription, Writer};
use anyhow::{Context, bail};
use serde_json::{Map, Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Number of the layout of an exported folder.
const FORMAT: u64 = 1;
const CONTENT_FILE: &str = "respiro.json";
const PICTURE_FOLDER: &str = "pictures";
const ORIGINAL: &str = "original";
/// A content file that is read back may not be larger.
const CONTENT_BYTES_MAX: u64 = 256 * 1024 * 1024;

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

/// The copy and what opening it put beside it. What stays behind does no harm.
fn remove_copy(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_file(reserve_of(path));
}

fn export_from(data: &Path, folder: &Path) -> anyhow::Result<()> {
    let store = Store::open(data)?;
    let pictures = folder.join(PICTURE_FOLDER);
    fs::create_dir_all(&pictures)
        .with_context(|| format!("cannot create {}", pictures.display()))?;
    let (content, count) = store.read(|reader| {
        let (files, count) = export_pictures(reader, &pictures)?;
        Ok((content_of(reader, &files)?, count))
    })?;
    let path = folder.join(CONTENT_FILE);
    let text = serde_json::to_string_pretty(&content)?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    say(&format!(
        "{}: everything but accounts, with {count} original pictures",
        folder.display()
    ))
}

fn content_of(reader: &Reader<'_>, pictures: &Map<String, Json>) -> Result<Json> {
    let known = reader.pictures()?;
    let mut items = Map::new();
    for kind in KINDS {
        let list: Vec<Json> = reader
            .items(kind)?
            .iter()
            .map(|item| item.to_json(kind, &known, Audience::Admin))
            .collect();
        items.insert(kind.slug.to_owned(), Json::Array(list));
    }
    let settings: Map<String, Json> = reader
        .settings()?
        .values
        .iter()
        .map(|(name, value)| (name.clone(), value_json(value)))
        .collect();
    Ok(json!({
        "format": FORMAT,
        "program": format!("respiro {}", env!("CARGO_PKG_VERSION")),
        "exportedAt": time::rfc3339(now()),
        "settings": settings,
        "items": items,
        "pictures": pictures,
        "newsletter": newsletter(reader)?,
    }))
}

fn newsletter(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let subscribers = reader.subscribers()?;
    let row = |subscriber: &crate::store::Subscriber| {
        json!({
            "email": subscriber.email,
            "state": match subscriber.state {
                Subscription::Pending => "pending",
                Subscription::Confirmed => "confirmed",
                Subscription::Unsubscribed => "unsubscribed",
            },
            "consentText": subscriber.consent_text,
            "createdAt": time::rfc3339(subscriber.created_at),
            "confirmedAt": subscriber.confirmed_at.map(time::rfc3339),
        })
    };
    Ok(subscribers.iter().map(row).collect())
}

/// Writes the originals; the answer maps ids to file names.
fn export_pictures(reader: &Reader<'_>, folder: &Path) -> Result<(Map<String, Json>, usize)> {
    let mut files = Map::new();
    for (id, picture) in &reader.pictures()? {
        let Some(original) = picture.files.get(ORIGINAL) else {
            continue;
        };
        let bytes = reader
            .blob(&original.hash)?
            .ok_or_else(|| Error::Store(format!("the bytes of picture {id} are missing")))?;
        let ending = original.media_type.rsplit('/').next().unwrap_or("bin");
        let name = format!("{id}.{ending}");
        fs::write(folder.join(&name), bytes)
            .map_err(|error| Error::Store(format!("cannot write {name}: {error}")))?;
        files.insert(id.clone(), Json::from(format!("{PICTURE_FOLDER}/{name}")));
    }
    let count = files.len();
    Ok((files, count))
}

/// Fills an empty data file from an exported folder. A running server gets a filled copy.
pub fn import(data: &Path, folder: &Path) -> anyhow::Result<()> {
    let content = read_content(&folder.join(CONTENT_FILE))?;
    match ask(data, &Request::Copy)? {
        Some(Answer::Copied { path, .. }) => {
            let filled = import_into(&path, data, &content, folder)
                .and_then(|()| files::put_in_place(data, &path, true));
            remove_copy(&path);
            filled
        }
        Some(Answer::Failed(reason)) => bail!(reason),
        Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
        None => import_into(data, data, &content, folder),
    }
}

fn import_into(file: &Path, data: &Path, content: &Json, folder: &Path) -> anyhow::Result<()> {
    let store = Store::open(file)?;
    let figures = store.read(|reader| reader.figures())?;
    if figures.counts.values().any(|count| *count > 0) {
        bail!(
            "{} has content already: import into a new file with --data, then use that",
            data.display()
        );
    }
    let pictures = read_pictures(content, folder)?;
    let count = pictures.len();
    let (items, _) = store.write(|writer| put(writer, content, pictures))?;
    say(&format!("{items} items and {count} pictures imported"))
}

fn read_content(path: &Path) -> anyhow::Result<Json> {
    let bytes = fs::metadata(path)
        .with_context(|| format!("{} is missing: is this an exported folder?", path.display()))?
        .len();
    if bytes > CONTENT_BYTES_MAX {
        bail!("{} is too large to be ours: {bytes} bytes", path.display());
    }
    let content: Json = serde_json::from_slice(&fs::read(path)?)
        .with_context(|| format!("{} is not JSON", path.display()))?;
    match content.get("format").and_then(Json::as_u64) {
        Some(FORMAT) => Ok(content),
        Some(other) => bail!("format {other} is unknown to this version: install a newer respiro"),
        None => bail!(
            "{} names no format: is this an exported folder?",
            path.display()
        ),
    }
}

/// Processes every original again, as an upload would be.
fn read_pictures(content: &Json, folder: &Path) -> anyhow::Result<Vec<(String, PathBuf, Vec<u8>)>> {
    let mut pictures = Vec::new();
    for (id, name) in content
        .get("pictures")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
    {
        let name = name.as_str().unwrap_or_default();
        let path = Path::new(name);
        let inside = path
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        if !inside || !crate::content::check::is_id(id) {
            bail!("picture {id} has an unusable name: `{name}`");
        }
        let path = folder.join(path);
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        pictures.push((id.clone(), path, bytes));
    }
    Ok(pictures)
}

fn put(
    writer: &mut Writer<'_>,
    content: &Json,
    pictures: Vec<(String, PathBuf, Vec<u8>)>,
) -> Result<usize> {
    for (id, path, bytes) in pictures {
        let program = Path::new(darkroom::OWN_PROGRAM);
        let processed = darkroom::process(Some(program), &bytes)?.map_err(|refusal| {
            Error::Internal(format!("{} is refused: {refusal:?}", path.display()))
        })?;
        let (picture, files) = Picture::from_processed(id, processed, &bytes, now());
        writer.put_picture(picture, files)?;
    }
    let settings = content.get("settings").and_then(Json::as_object);
    let settings = Settings::default().merge(settings.unwrap_or(&Map::new()))?;
    writer.put_settings(&settings)?;
    put_subscribers(writer, content)?;
    let mut count = 0;
    for kind in KINDS {
        let list = content.get("items").and_then(|items| items.get(kind.slug));
        for body in list.and_then(Json::as_array).into_iter().flatten() {
            let body = body.as_object().ok_or_else(|| broken(kind.slug))?;
            let text = |name: &str| body.get(name).and_then(Json::as_str);
            let id = text("id").ok_or_else(|| broken(kind.slug))?;
            let created = text("createdAt").and_then(time::parse_rfc3339);
            let changes = Changes::parse(kind, body)?;
            writer.create_item(kind, changes, id.to_owned(), created.unwrap_or_else(now))?;
            count += 1;
        }
    }
    Ok(count)
}

fn put_subscribers(writer: &mut Writer<'_>, content: &Json) -> Result<()> {
    let rows = content.get("newsletter").and_then(Json::as_array);
    for row in rows.into_iter().flatten() {
        let text = |name: &str| row.get(name).and_then(Json::as_str);
        let email = text("email").ok_or_else(|| broken("newsletter"))?;
        writer.put_subscriber(&crate::store::Subscriber {
            email: email.to_owned(),
            state: match text("state") {
                Some("confirmed") => Subscription::Confirmed,
                Some("unsubscribed") => Subscription::Unsubscribed,
                _ => Subscription::Pending,
            },
            consent_text: text("consentText").unwrap_or_default().to_owned(),
            created_at: text("createdAt")
                .and_then(time::parse_rfc3339)
                .unwrap_or_else(now),
            confirmed_at: text("confirmedAt").and_then(time::parse_rfc3339),
        })?;
    }
    Ok(())
}

fn broken(what: &str) -> Error {
    Error::Internal(format!("the exported content is broken: {what}"))
}
