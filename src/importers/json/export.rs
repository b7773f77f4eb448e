//! Writes everything but accounts as JSON and original pictures.

use super::campaigns::Campaigns;
use super::content::{
    FormerPath, FormerSlug, ItemIdsRecord, PictureFile, PublicIdsRecord, RedirectRecord,
    ScheduleRecord,
};
use super::statistics::Statistics;
use super::testimonials::Testimonials;
use super::{CONTENT_FILE, FORMAT, PICTURE_FOLDER, content_blocks, notifications, subscribers};
use crate::{Error, Result};
use data_encoding::HEXLOWER;
use respiro_auth::signed_links;
use respiro_content::blocks::BlockDefinitions;
use respiro_content::item::DATE_WRITTEN_AT;
use respiro_content::picture::ORIGINAL;
use respiro_content::value::value_json;
use respiro_content::{Item, Timestamp, collection_by_number, stored_collections, time};
use respiro_db::fs_util::create_private;
use respiro_db::{PublishSchedule, Reader};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::fs::DirBuilder;
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// Writes everything but accounts into `folder`, which is new or empty. Returns the number of
/// original pictures.
pub fn export(
    reader: &Reader<'_>,
    folder: &Path,
    definitions: &BlockDefinitions,
    now: Timestamp,
) -> Result<usize> {
    // Originals hold the time and the place where they were taken: only their owner may read them.
    let pictures = folder.join(PICTURE_FOLDER);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&pictures)
        .map_err(Error::file("create", &pictures))?;
    let files = export_pictures(reader, &pictures)?;
    let content = content_of(reader, &files, definitions, now)?;
    let path = folder.join(CONTENT_FILE);
    let text = serde_json::to_string_pretty(&content)
        .map_err(|error| Error::Internal(error.to_string()))?;
    // The file holds e-mail addresses and a key: only its owner may read it.
    create_private(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(Error::file("write", &path))?;
    Ok(files.len())
}

fn content_of(
    reader: &Reader<'_>,
    pictures: &BTreeMap<String, PictureFile>,
    definitions: &BlockDefinitions,
    now: Timestamp,
) -> Result<Json> {
    let mut items = Map::new();
    let mut former_slugs = Vec::new();
    for kind in stored_collections() {
        let list = reader.items().list(kind)?;
        items.insert(kind.slug.to_owned(), list.iter().map(item_json).collect());
        let former = reader.redirects().slugs(kind)?.into_iter();
        former_slugs.extend(former.map(|(slug, id)| FormerSlug { kind, slug, id }));
    }
    let former_paths = reader.redirects().paths()?.into_iter();
    let former_paths: Vec<_> = former_paths
        .map(|(path, id)| FormerPath { path, id })
        .collect();
    let redirects = reader.redirects().of_admin()?.into_iter();
    let redirects: Vec<_> = redirects
        .map(|(from, redirect)| RedirectRecord::of_stored(from, redirect))
        .collect();
    let public_ids = reader.public_ids().list()?.into_iter();
    let public_ids = PublicIdsRecord {
        feed: reader.public_ids().feed()?,
        items: public_ids.map(ItemIdsRecord::of_stored).collect(),
    };
    let trash = reader.trash().list()?;
    let trash = trash.iter().map(|trashed| {
        json!({
            "kind": trashed.collection.slug,
            "deletedAt": time::rfc3339(trashed.deleted_at),
            "item": item_json(&trashed.item),
        })
    });
    let settings = reader.settings().get()?.values;
    let settings = settings.iter();
    let settings = settings.map(|(name, value)| (name.clone(), value_json(value)));
    let mailed_pictures: BTreeMap<_, _> = reader.sent_images().list()?.into_iter().collect();
    Ok(json!({
        "format": FORMAT,
        "program": format!("respiro {}", env!("CARGO_PKG_VERSION")),
        "exportedAt": time::rfc3339(now),
        "settings": settings.collect::<Map<_, _>>(),
        "demo": reader.is_demo()?,
        "items": items,
        "formerSlugs": former_slugs,
        "formerPaths": former_paths,
        "redirects": redirects,
        "publicIds": public_ids,
        "trash": trash.collect::<Vec<_>>(),
        "pictures": pictures,
        "newsletter": subscribers::export(reader)?,
        "statistics": Statistics::export(reader)?,
        "unsubscribeKey": HEXLOWER.encode(&unsubscribe_key(reader)?),
        "sendings": Campaigns::export(reader)?,
        "mailedPictures": mailed_pictures,
        "notices": notifications::export(reader)?,
        "plans": export_schedules(reader)?,
        "words": content_blocks::export(reader)?,
        "testimonialRequests": Testimonials::export_requests(reader)?,
        "provenances": Testimonials::export_provenances(reader)?,
        "confirmedWords": content_blocks::export_attestations(reader, definitions)?,
    }))
}

/// Returns the key that signs unsubscribe links, so that links in e-mails stay valid elsewhere.
fn unsubscribe_key(reader: &Reader<'_>) -> Result<[u8; 32]> {
    let imported = reader.imported_unsubscribe_key()?;
    let key = signed_links::unsubscribe_key(&reader.secret()?, imported);
    key.ok_or_else(|| Error::Internal("a key that signs nothing".to_owned()))
}

/// Returns the stored members of an item, without those that a page derives from them.
fn item_json(item: &Item) -> Json {
    let values = item.values.iter();
    let values = values.map(|(name, value)| (name.clone(), value_json(value)));
    let mut object: Map<String, Json> = values.collect();
    if let Some(at) = object.get_mut(DATE_WRITTEN_AT) {
        *at = json!(time::rfc3339(item.date_written_at()));
    }
    let envelope = [
        ("id", json!(item.id)),
        ("published", json!(item.published)),
        ("sortOrder", json!(item.sort_order)),
        ("createdAt", json!(time::rfc3339(item.created_at))),
        ("updatedAt", json!(time::rfc3339(item.updated_at))),
    ];
    object.extend(envelope.map(|(name, value)| (name.to_owned(), value)));
    Json::Object(object)
}

/// Returns the schedules. Omits those of an unknown kind, because no import accepts them.
fn export_schedules(reader: &Reader<'_>) -> Result<Vec<ScheduleRecord>> {
    let record = |(id, schedule): (String, PublishSchedule)| {
        Some(ScheduleRecord {
            kind: collection_by_number(schedule.collection_number)?,
            id,
            publish_at: schedule.publish_at,
            withdraw_at: schedule.withdraw_at,
        })
    };
    Ok(reader
        .schedules()
        .list()?
        .into_iter()
        .filter_map(record)
        .collect())
}

/// Writes the originals into `folder` and returns their paths and edits by id.
fn export_pictures(reader: &Reader<'_>, folder: &Path) -> Result<BTreeMap<String, PictureFile>> {
    let mut files = BTreeMap::new();
    for (id, picture) in &reader.pictures().list()? {
        let Some(original) = picture.files.get(ORIGINAL) else {
            continue;
        };
        let missing = || Error::MissingPicture(id.clone());
        let bytes = reader.blobs().get(&original.hash)?.ok_or_else(missing)?;
        let extension = original.media_type.rsplit('/').next().unwrap_or("bin");
        let name = format!("{id}.{extension}");
        let path = folder.join(&name);
        create_private(&path)
            .and_then(|mut file| file.write_all(&bytes))
            .map_err(Error::file("write", &path))?;
        let file = PictureFile {
            file: format!("{PICTURE_FOLDER}/{name}"),
            created_at: picture.created_at,
            edit: reader
                .pictures()
                .edit(picture)?
                .filter(|edit| !edit.is_none()),
        };
        files.insert(id.clone(), file);
    }
    Ok(files)
}
