//! An exported file as checked values: whatever comes in passes the checks of the API.

use super::sendings::{self, Sendings};
use super::source::{Members, Source, id, instant, kind_of, place_of};
use super::testimonials::{Testimonials, read_provenances, read_requests};
use super::visits::{self, Visits};
use super::words;
use super::{addresses, notices};
use crate::app::now;
use crate::content::blocks::{Attestation, SavedBlock};
use crate::content::item::DATE_WRITTEN_AT;
use crate::content::kind_by_slug;
use crate::content::validation::is_id;
use crate::content::value::PICTURES_OF_TEXT;
use crate::content::{Changes, Item, Kind, Settings, Timestamp, Value};
use crate::error::FieldError;
use crate::store::{AddressStatus, Notification, PublishSchedule, Subscriber, Trashed};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// Parts of the file; anything else would be lost silently.
const PARTS: [&str; 21] = [
    "format",
    "program",
    "exportedAt",
    "demo",
    "settings",
    "items",
    "formerSlugs",
    "formerPaths",
    "trash",
    "pictures",
    "newsletter",
    "statistics",
    "unsubscribeKey",
    "sendings",
    "mailedPictures",
    "notices",
    "plans",
    "words",
    "testimonialRequests",
    "provenances",
    "confirmedWords",
];
/// What an item has beside the fields of its kind; `image` follows from `imageUrl`.
const ENVELOPE: [&str; 7] = [
    "id",
    "published",
    "sortOrder",
    "createdAt",
    "updatedAt",
    DATE_WRITTEN_AT,
    "image",
];

/// Everything that an import puts into the data file.
#[derive(Default)]
pub struct Content {
    pub demo: bool,
    pub settings: Settings,
    pub items: Vec<(&'static Kind, Item)>,
    pub trash: Vec<Trashed>,
    /// A former slug and the item it leads to.
    pub former_slugs: Vec<(&'static Kind, String, String)>,
    /// A path of another site and the item it leads to.
    pub former_paths: Vec<(String, String)>,
    pub visits: Visits,
    pub testimonials: Testimonials,
    pub subscribers: Vec<(Subscriber, AddressStatus)>,
    pub sendings: Sendings,
    /// Pictures of deleted newsletters that went out, by newsletter.
    pub mailed_pictures: BTreeMap<String, Vec<String>>,
    pub unsubscribe_key: Option<[u8; 32]>,
    pub notices: Vec<Notification>,
    /// When a site was exported, if it was one of ours.
    pub exported_at: Option<Timestamp>,
    pub plans: Vec<(String, PublishSchedule)>,
    /// By block, newest first.
    pub words: Vec<Vec<SavedBlock>>,
    pub confirmed_words: Vec<(String, Attestation)>,
    /// Files of the folder by the id of the picture, and when they came.
    pub pictures: BTreeMap<String, (String, Timestamp)>,
}

/// Reads and checks all of it. What is wrong is noted in `source`.
pub fn read<'a>(source: &mut Source<'a>, root: &Members<'a>) -> Content {
    let mut content = Content::default();
    for (name, part) in root {
        match name.as_str() {
            "demo" => content.demo = source.parsed(part, "demo", "is neither true nor false"),
            "settings" => content.settings = settings(source, part),
            "items" => items(source, part, &mut content),
            "formerSlugs" => former_slugs(source, part, &mut content),
            "formerPaths" => former_paths(source, part, &mut content),
            "trash" => trash(source, part, &mut content),
            "pictures" => pictures(source, part, &mut content),
            "statistics" => content.visits = visits::read(source, part),
            "newsletter" => content.subscribers = addresses::subscribers(source, part),
            "plans" => content.plans = addresses::plans(source, part),
            "exportedAt" => content.exported_at = instant(source, root, "", "exportedAt"),
            "unsubscribeKey" => content.unsubscribe_key = sendings::read_key(source, part),
            "sendings" => content.sendings = sendings::read(source, part),
            "mailedPictures" => content.mailed_pictures = sendings::read_pictures(source, part),
            "notices" => content.notices = notices::read(source, part),
            "testimonialRequests" => read_requests(source, part, &mut content.testimonials),
            "provenances" => read_provenances(source, part, &mut content.testimonials),
            "words" => content.words = words::read(source, part),
            "confirmedWords" => content.confirmed_words = words::confirmed(source, part),
            known if PARTS.contains(&known) => {}
            _ => source.problem(part.get(), name, "is no part of an exported site"),
        }
    }
    references(source, root, &content);
    content
}

fn settings<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Settings {
    let members = source.object(part, "settings");
    let known = crate::content::settings::SETTINGS;
    for (name, part) in &members {
        if !known.iter().any(|setting| setting.field.name == name) {
            source.problem(part.get(), &format!("settings.{name}"), "is no setting");
        }
    }
    let merged = Settings::default().merge(&Source::values(&members));
    merged.unwrap_or_else(|errors| {
        note(source, part, &members, "settings", &errors);
        Settings::default()
    })
}

/// Notes the errors of fields, each where its value stands.
fn note(
    source: &mut Source<'_>,
    whole: &RawValue,
    members: &Members<'_>,
    place: &str,
    errors: &[FieldError],
) {
    for error in errors {
        let part = members.get(&error.field).copied().unwrap_or(whole);
        source.problem(
            part.get(),
            &format!("{place}.{}", error.field),
            &error.message,
        );
    }
}

fn items<'a>(source: &mut Source<'a>, part: &'a RawValue, content: &mut Content) {
    let mut ids = BTreeSet::new();
    for (slug, part) in source.object(part, "items") {
        let place = format!("items.{slug}");
        let Some(kind) = kind_by_slug(&slug) else {
            source.problem(
                part.get(),
                &place,
                "is a kind that this version does not know",
            );
            continue;
        };
        let list = source.list(part, &place);
        for (number, part) in list.into_iter().enumerate() {
            let place = format!("{place}[{number}]");
            if let Some(item) = item(source, part, kind, number, &place) {
                if !ids.insert(item.id.clone()) {
                    source.problem(part.get(), &format!("{place}.id"), "stands twice");
                }
                content.items.push((kind, item));
            }
        }
    }
}

fn item<'a>(
    source: &mut Source<'a>,
    part: &'a RawValue,
    kind: &'static Kind,
    number: usize,
    place: &str,
) -> Option<Item> {
    let members = source.object(part, place);
    for (name, part) in &members {
        // What a text names is written beside it, and follows from it.
        let bare = name.strip_suffix(PICTURES_OF_TEXT).unwrap_or(name);
        let known = kind.all_fields().any(|field| field.name == bare);
        if !known && !ENVELOPE.contains(&name.as_str()) {
            source.problem(
                part.get(),
                &format!("{place}.{name}"),
                "is no field of this kind",
            );
        }
    }
    let id = id(source, part, &members, place);
    let created_at = instant(source, &members, place, "createdAt").unwrap_or_else(now);
    let updated_at = instant(source, &members, place, "updatedAt").unwrap_or(created_at);
    let written_at = instant(source, &members, place, DATE_WRITTEN_AT);
    let made = Changes::parse(kind, &Source::values(&members)).and_then(|changes| {
        Item::create(
            kind,
            changes,
            id.clone().unwrap_or_default(),
            number,
            created_at,
        )
    });
    match made {
        Ok(mut item) => {
            if let Some(Value::Integer(at)) = item.values.get_mut(DATE_WRITTEN_AT) {
                *at = written_at.unwrap_or(created_at);
            }
            id.map(|_| Item {
                created_at,
                updated_at,
                ..item
            })
        }
        Err(errors) => {
            note(source, part, &members, place, &errors);
            None
        }
    }
}

fn trash<'a>(source: &mut Source<'a>, part: &'a RawValue, content: &mut Content) {
    for (number, part) in source.list(part, "trash").into_iter().enumerate() {
        let place = format!("trash[{number}]");
        let members = source.object(part, &place);
        let Some(kind) = kind_of(source, part, &members, &place) else {
            continue;
        };
        let deleted_at = instant(source, &members, &place, "deletedAt").unwrap_or_else(now);
        let Some(inner) = members.get("item").copied() else {
            source.problem(part.get(), &format!("{place}.item"), "is missing");
            continue;
        };
        if let Some(item) = item(source, inner, kind, number, &format!("{place}.item")) {
            content.trash.push(Trashed {
                kind,
                item,
                deleted_at,
            });
        }
    }
}

fn former_slugs<'a>(source: &mut Source<'a>, part: &'a RawValue, content: &mut Content) {
    for (number, part) in source.list(part, "formerSlugs").into_iter().enumerate() {
        let place = format!("formerSlugs[{number}]");
        let members = source.object(part, &place);
        let kind = kind_of(source, part, &members, &place);
        let id = id(source, part, &members, &place);
        let (Some(kind), Some(id)) = (kind, id) else {
            continue;
        };
        let written = members.get("slug").copied().unwrap_or(part);
        let value = serde_json::from_str(written.get()).unwrap_or_default();
        let field = kind.slug_field();
        let slug = field.map(|field| crate::content::validation::value(field, &value));
        match slug {
            Some(Ok(Some(slug))) => {
                let slug = slug.as_text().unwrap_or_default().to_owned();
                content.former_slugs.push((kind, slug, id));
            }
            _ => source.problem(
                written.get(),
                &format!("{place}.slug"),
                "is no former address",
            ),
        }
    }
}

fn former_paths<'a>(source: &mut Source<'a>, part: &'a RawValue, content: &mut Content) {
    for (number, part) in source.list(part, "formerPaths").into_iter().enumerate() {
        let place = format!("formerPaths[{number}]");
        let members = source.object(part, &place);
        let id = id(source, part, &members, &place);
        let written = members.get("path").copied().unwrap_or(part);
        let path: String = source.parsed(written, &format!("{place}.path"), "is no path");
        let is_path = path.starts_with('/') && !path.contains(char::is_control);
        match id {
            Some(id) if is_path => content.former_paths.push((path, id)),
            _ => source.problem(written.get(), &format!("{place}.path"), "is no former path"),
        }
    }
}

fn pictures<'a>(source: &mut Source<'a>, part: &'a RawValue, content: &mut Content) {
    for (id, part) in source.object(part, "pictures") {
        let place = format!("pictures.{id}");
        if !is_id(&id) {
            source.problem(part.get(), &place, "has an unusable name");
            continue;
        }
        // A bare name is all that another program needs to write.
        let (file, created_at) = if let Ok(file) = serde_json::from_str(part.get()) {
            (file, now())
        } else {
            let members = source.object(part, &place);
            let file = members.get("file").copied().unwrap_or(part);
            let created_at = instant(source, &members, &place, "createdAt");
            let file = source.parsed(file, &format!("{place}.file"), "is no name of a file");
            (file, created_at.unwrap_or_else(now))
        };
        content.pictures.insert(id, (file, created_at));
    }
}

/// Every picture that something names comes with it.
fn references(source: &mut Source<'_>, root: &Members<'_>, content: &Content) {
    let is_there = |id: &str| content.pictures.contains_key(id);
    let missing = |id: &&str| !is_there(id);
    let items = content.items.iter().map(|(kind, item)| (*kind, item));
    let trashed = content
        .trash
        .iter()
        .map(|trashed| (trashed.kind, &trashed.item));
    for (kind, item) in items.chain(trashed) {
        for id in item.picture_ids().filter(missing) {
            let field = format!("{} {}", kind.slug, item.id);
            let part = root
                .get("items")
                .map_or("", |part| place_of(part.get(), &item.id));
            source.problem(
                part,
                &field,
                &format!("names the picture {id}, which is not there"),
            );
        }
    }
    words::references(source, root, &content.words, &is_there);
    sendings::references(source, root, &content.mailed_pictures, &is_there);
    for id in content.settings.picture_ids().filter(missing) {
        let part = root
            .get("settings")
            .map_or("", |part| place_of(part.get(), id));
        let message = format!("names the picture {id}, which is not there");
        source.problem(part, "settings", &message);
    }
}
