//! `export`: everything but accounts as JSON and original pictures.

use super::{
    CONTENT_FILE, FORMAT, ORIGINAL, PICTURE_FOLDER, notices, remove_copy, sendings, testimonials,
    visits,
};
use crate::app::now;
use crate::block_definitions;
use crate::cli::control::{Answer, Request, ask};
use crate::cli::say;
use crate::content::blocks::SavedBlock;
use crate::content::item::DATE_WRITTEN_AT;
use crate::content::value::value_json;
use crate::content::{Item, kind_by_number, stored_kinds, time};
use crate::error::{Error, Result};
use crate::newsletter::links;
use crate::store::fs_util::create_private;
use crate::store::{PublishSchedule, Reader, SignupSource, Store, Subscriber, Subscription};
use anyhow::{Context, bail};
use data_encoding::HEXLOWER;
use serde_json::{Map, Value as Json, json};
use std::fs;
use std::io::Write as _;
use std::path::Path;

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
    let pictures = folder.join(PICTURE_FOLDER);
    fs::create_dir_all(&pictures)
        .with_context(|| format!("cannot create {}", pictures.display()))?;
    let (content, count) = store.read(|reader| -> Result<_> {
        let (files, count) = export_pictures(reader, &pictures)?;
        Ok((content_of(reader, &files)?, count))
    })?;
    let path = folder.join(CONTENT_FILE);
    let text = serde_json::to_string_pretty(&content)?;
    // Addresses, and a key: nobody else's to read.
    create_private(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))?;
    say(&format!(
        "{}: everything but accounts, with {count} original pictures",
        folder.display()
    ))
}

fn content_of(reader: &Reader<'_>, pictures: &Map<String, Json>) -> Result<Json> {
    let mut items = Map::new();
    let mut former = Vec::new();
    for kind in stored_kinds() {
        let list = reader.items(kind)?;
        items.insert(kind.slug.to_owned(), list.iter().map(item_json).collect());
        for (slug, id) in reader.former_slugs(kind)? {
            former.push(json!({ "kind": kind.slug, "slug": slug, "id": id }));
        }
    }
    let paths = reader.former_paths()?.into_iter();
    let paths: Vec<Json> = paths
        .map(|(path, id)| json!({ "path": path, "id": id }))
        .collect();
    let trash = reader.trash()?;
    let trash = trash.iter().map(|trashed| {
        json!({
            "kind": trashed.kind.slug,
            "deletedAt": time::rfc3339(trashed.deleted_at),
            "item": item_json(&trashed.item),
        })
    });
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
        "demo": reader.is_demo()?,
        "items": items,
        "formerSlugs": former,
        "formerPaths": paths,
        "trash": trash.collect::<Vec<Json>>(),
        "pictures": pictures,
        "newsletter": newsletter(reader)?,
        "statistics": visits::export(reader)?,
        "unsubscribeKey": HEXLOWER.encode(&links::Keys::of(reader)?.unsubscribe),
        "sendings": sendings::export(reader)?,
        "mailedPictures": sendings::export_pictures(reader)?,
        "notices": notices::export(reader)?,
        "plans": plans(reader)?,
        "words": words(reader)?,
        "testimonialRequests": testimonials::requests(reader)?,
        "provenances": testimonials::provenances(reader)?,
        "confirmedWords": attestation(reader)?,
    }))
}

/// What is stored of an item, and nothing that follows from it.
fn item_json(item: &Item) -> Json {
    let mut object = Map::new();
    object.insert("id".to_owned(), json!(item.id));
    let values = item.values.iter();
    object.extend(values.map(|(name, value)| (name.clone(), value_json(value))));
    if let Some(at) = object.get_mut(DATE_WRITTEN_AT) {
        *at = json!(time::rfc3339(item.date_written_at()));
    }
    object.insert("published".to_owned(), json!(item.published));
    object.insert("sortOrder".to_owned(), json!(item.sort_order));
    object.insert(
        "createdAt".to_owned(),
        json!(time::rfc3339(item.created_at)),
    );
    object.insert(
        "updatedAt".to_owned(),
        json!(time::rfc3339(item.updated_at)),
    );
    Json::Object(object)
}

/// What she has found true.
fn attestation(reader: &Reader<'_>) -> Result<Map<String, Json>> {
    let mut blocks = Map::new();
    for block in block_definitions::table()?
        .list
        .iter()
        .filter(|block| block.needs_attestation())
    {
        if let Some(said) = reader.attestation(&block.id)? {
            let json = json!({
                "read": said.hashes().collect::<Vec<_>>(),
                "at": time::rfc3339(said.at),
                "account": said.account,
            });
            blocks.insert(block.id.clone(), json);
        }
    }
    Ok(blocks)
}

/// Every block that somebody has saved, with its versions, newest first.
fn words(reader: &Reader<'_>) -> Result<Map<String, Json>> {
    let mut blocks = Map::new();
    for id in reader.saved_blocks()?.into_keys() {
        let versions = reader.block_versions(&id)?;
        let version = |saved: &SavedBlock| {
            json!({
                "revision": saved.revision,
                "value": saved.own_value(),
                "hidden": saved.hidden,
                "savedAt": time::rfc3339(saved.saved_at),
                "account": saved.account,
                "defaultHash": saved.default_hash,
            })
        };
        blocks.insert(id, versions.iter().map(version).collect());
    }
    Ok(blocks)
}

fn newsletter(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let subscribers = reader.subscribers()?;
    let row = |subscriber: &Subscriber| {
        let standing = reader.address_status(&subscriber.email)?;
        Ok(json!({
            "email": subscriber.email,
            "state": match subscriber.state {
                Subscription::Pending => "pending",
                Subscription::Confirmed => "confirmed",
                Subscription::Unsubscribed => "unsubscribed",
                Subscription::Collected => "collected",
            },
            "consentText": subscriber.consent_text,
            "createdAt": time::rfc3339(subscriber.created_at),
            "confirmedAt": subscriber.confirmed_at.map(time::rfc3339),
            "consentVersion": standing.consent_version,
            "page": standing.page,
            "way": standing.way.map(|way| match way {
                SignupSource::Form => "form",
                SignupSource::FormOnly => "formOnly",
                SignupSource::Import => "import",
            }),
            "askedAt": standing.asked_at.map(time::rfc3339),
            "mailedAt": standing.mailed_at.map(time::rfc3339),
            "unsubscribedAt": standing.unsubscribed_at.map(time::rfc3339),
            "unreachableAt": standing.unreachable_at.map(time::rfc3339),
            "softRefusals": standing.soft_refusals,
        }))
    };
    subscribers.iter().map(row).collect()
}

/// What is still to be published or withdrawn.
fn plans(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let row = |(id, plan): &(String, PublishSchedule)| {
        let kind = kind_by_number(plan.kind_number);
        json!({
            "kind": kind.map(|kind| kind.slug),
            "id": id,
            "publishAt": plan.publish_at.map(time::rfc3339),
            "withdrawAt": plan.withdraw_at.map(time::rfc3339),
        })
    };
    Ok(reader.schedules()?.iter().map(row).collect())
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
        let file = format!("{PICTURE_FOLDER}/{name}");
        let created_at = time::rfc3339(picture.created_at);
        files.insert(id.clone(), json!({ "file": file, "createdAt": created_at }));
    }
    let count = files.len();
    Ok((files, count))
}
