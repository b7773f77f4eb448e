//! Reads an exported file into validated values, by the same checks as the API.

use super::campaigns::Campaigns;
use super::serde_adapters::{Key, hex, id, kind, now, optional_time, time_or_now};
use super::spanned_json::{Problems, SpannedJson};
use super::statistics::Statistics;
use super::testimonials::Testimonials;
use super::{campaigns, content_blocks, notifications, subscribers};
use respiro_content::blocks::{Attestation, BlockDefinitions, SavedBlock};
use respiro_content::collection_by_slug;
use respiro_content::item::DATE_WRITTEN_AT;
use respiro_content::picture::PictureEdit;
use respiro_content::settings::SETTINGS;
use respiro_content::validation::{is_id, value};
use respiro_content::value::PICTURES_OF_TEXT;
use respiro_content::{
    Changes, Collection, DateId, FieldError, Item, PublicIds, RedirectTarget, Settings, Timestamp,
    Value,
};
use respiro_db::{
    ADMIN_REDIRECTS_MAX, AddressStatus, AdminRedirect, Notification, PublishSchedule, Subscriber,
    Trashed,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// Longest id of a feed or a calendar.
const PUBLIC_ID_BYTES_MAX: usize = 1_024;

/// Members of an item beside the fields of its kind; `image` follows from `imageUrl`.
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
    pub items: Vec<(&'static Collection, Item)>,
    pub trash: Vec<Trashed>,
    pub former_slugs: Vec<FormerSlug>,
    pub former_paths: Vec<FormerPath>,
    pub redirects: Vec<RedirectRecord>,
    /// `None` in exports of releases that made these ids of the public address.
    pub public_ids: Option<PublicIdsRecord>,
    pub statistics: Statistics,
    pub testimonials: Testimonials,
    pub subscribers: Vec<(Subscriber, AddressStatus)>,
    pub campaigns: Campaigns,
    /// Pictures of deleted newsletters that mails still show, by newsletter.
    pub mailed_pictures: BTreeMap<String, Vec<String>>,
    pub unsubscribe_key: Option<[u8; 32]>,
    pub notices: Vec<Notification>,
    /// When respiro exported the file; `None` if another program wrote it.
    pub exported_at: Option<Timestamp>,
    pub schedules: Vec<(String, PublishSchedule)>,
    /// By block, newest first.
    pub blocks: Vec<Vec<SavedBlock>>,
    pub attestations: Vec<(String, Attestation)>,
    pub pictures: BTreeMap<String, PictureFile>,
}

/// The former slug of an item.
#[derive(Serialize, Deserialize)]
pub struct FormerSlug {
    #[serde(with = "kind")]
    pub kind: &'static Collection,
    pub slug: String,
    #[serde(deserialize_with = "id")]
    pub id: String,
}

/// A path of another site that redirects to an item.
#[derive(Serialize, Deserialize)]
pub struct FormerPath {
    pub path: String,
    #[serde(deserialize_with = "id")]
    pub id: String,
}

/// Ids in the feed and in calendars.
#[derive(Default, Serialize, Deserialize)]
pub struct PublicIdsRecord {
    pub feed: Option<String>,
    #[serde(default)]
    pub items: Vec<ItemIdsRecord>,
}

/// Ids of one item; `dates` are pairs of a day and its UID.
#[derive(Serialize, Deserialize)]
pub struct ItemIdsRecord {
    #[serde(deserialize_with = "id")]
    pub id: String,
    pub item: String,
    #[serde(default)]
    pub dates: Vec<(String, String)>,
}

impl ItemIdsRecord {
    pub fn of_stored((id, ids): (String, PublicIds)) -> Self {
        let dates = ids.dates.into_iter().map(|date| (date.day, date.uid));
        Self {
            id,
            item: ids.item,
            dates: dates.collect(),
        }
    }

    pub fn stored(&self) -> PublicIds {
        let date = |(day, uid): &(String, String)| DateId {
            day: day.clone(),
            uid: uid.clone(),
        };
        PublicIds {
            item: self.item.clone(),
            dates: self.dates.iter().map(date).collect(),
        }
    }
}

/// A redirect that the admin made; without `to` and `id` the content is gone.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RedirectRecord {
    pub from: String,
    #[serde(default)]
    pub to: Option<String>,
    /// Id of the item that the redirect follows.
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default = "now", with = "time_or_now")]
    pub created_at: Timestamp,
}

/// Planned publication and withdrawal of an item.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleRecord {
    #[serde(with = "kind")]
    pub kind: &'static Collection,
    #[serde(deserialize_with = "id")]
    pub id: String,
    #[serde(default, with = "optional_time")]
    pub publish_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    pub withdraw_at: Option<Timestamp>,
}

/// The original of a picture.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureFile {
    /// Path in the exported folder.
    pub file: String,
    #[serde(default = "now", with = "time_or_now")]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<PictureEdit>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TrashEnvelope {
    #[serde(with = "kind")]
    kind: &'static Collection,
    #[serde(default = "now", with = "time_or_now")]
    deleted_at: Timestamp,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "named as in the file")]
struct ItemTimes {
    #[serde(default = "now", with = "time_or_now")]
    created_at: Timestamp,
    #[serde(default, with = "optional_time")]
    updated_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    date_written_at: Option<Timestamp>,
}

/// Reads and validates the whole file. Adds every violation to `problems`.
pub fn read<'a>(
    problems: &mut Problems<'a>,
    root: &SpannedJson<'a>,
    definitions: &BlockDefinitions,
) -> Content {
    let mut content = Content::default();
    for (name, json) in &problems.members(root) {
        match name.as_str() {
            "format" | "program" => {}
            "demo" => content.demo = problems.value(json).unwrap_or_default(),
            "settings" => content.settings = read_settings(problems, json),
            "items" => content.items = read_items(problems, json),
            "formerSlugs" => content.former_slugs = read_former_slugs(problems, json),
            "formerPaths" => content.former_paths = read_former_paths(problems, json),
            "publicIds" => content.public_ids = read_public_ids(problems, json),
            "redirects" => content.redirects = read_redirects(problems, json),
            "trash" => content.trash = read_trash(problems, json),
            "pictures" => content.pictures = read_pictures(problems, json),
            "statistics" => content.statistics = Statistics::read(problems, json),
            "newsletter" => content.subscribers = subscribers::read(problems, json),
            "plans" => content.schedules = read_schedules(problems, json),
            "exportedAt" => {
                let at = problems.record(json, |json| optional_time::deserialize(json));
                content.exported_at = at.flatten();
            }
            "unsubscribeKey" => {
                content.unsubscribe_key = problems.record(json, |json| hex::deserialize(json));
            }
            "sendings" => content.campaigns = Campaigns::read(problems, json),
            "mailedPictures" => {
                content.mailed_pictures = campaigns::read_mailed_pictures(problems, json);
            }
            "notices" => content.notices = notifications::read(problems, json),
            "testimonialRequests" => content.testimonials.read_requests(problems, json),
            "provenances" => content.testimonials.read_provenances(problems, json),
            "words" => content.blocks = content_blocks::read(problems, json, definitions),
            "confirmedWords" => {
                content.attestations =
                    content_blocks::read_attestations(problems, json, definitions);
            }
            // Importing the rest would drop this part silently.
            _ => problems.add(json, "is no part of an exported site"),
        }
    }
    check_trash_ids(problems, root, &content);
    check_pictures(problems, root, &content);
    content
}

/// Restoring an item from the trash would replace a listed one with the same id.
fn check_trash_ids<'a>(problems: &mut Problems<'a>, root: &SpannedJson<'a>, content: &Content) {
    let mut ids: BTreeSet<&str> = content.items.iter().map(|(_, item)| &*item.id).collect();
    for trashed in &content.trash {
        let id = &*trashed.item.id;
        if !ids.insert(id) {
            let mut json = root.field("trash");
            json.path = format!("trash {id}");
            problems.add_at_word(&json, id, "stands twice");
        }
    }
}

fn read_settings<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Settings {
    let values: Map<String, Json> = problems.value(json).unwrap_or_default();
    for name in values.keys() {
        if !SETTINGS.iter().any(|setting| setting.field.name == name) {
            problems.add(&json.field(name), "is no setting");
        }
    }
    let settings = Settings::default().merge(&values);
    settings.unwrap_or_else(|errors| {
        add_field_errors(problems, json, &errors);
        Settings::default()
    })
}

fn add_field_errors<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
    errors: &[FieldError],
) {
    for error in errors {
        problems.add(&json.field(&error.field), &error.message);
    }
}

fn read_items<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> Vec<(&'static Collection, Item)> {
    let mut items = Vec::new();
    let mut ids = BTreeSet::new();
    for (slug, json) in problems.members(json) {
        let Some(kind) = collection_by_slug(&slug) else {
            problems.add(&json, "is a kind that this version does not know");
            continue;
        };
        for (number, json) in problems.list(&json).iter().enumerate() {
            if let Some(item) = read_item(problems, json, kind, number) {
                if !ids.insert(item.id.clone()) {
                    problems.add(&json.field("id"), "stands twice");
                }
                items.push((kind, item));
            }
        }
    }
    items
}

fn read_item<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
    kind: &'static Collection,
    number: usize,
) -> Option<Item> {
    let values: Map<String, Json> = problems.value(json)?;
    for name in values.keys() {
        // The export writes the pictures of a text beside it; they follow from the text.
        let field_name = name.strip_suffix(PICTURES_OF_TEXT).unwrap_or(name);
        let is_field = kind.all_fields().any(|field| field.name == field_name);
        if !is_field && !ENVELOPE.contains(&name.as_str()) {
            problems.add(&json.field(name), "is no field of this kind");
        }
    }
    let key: Option<Key> = problems.value(json);
    let times: Option<ItemTimes> = problems.value(json);
    let created_at = times.as_ref().map_or_else(now, |times| times.created_at);
    let created = Changes::parse(kind, &values)
        .and_then(|changes| Item::create(kind, changes, String::new(), number, created_at));
    let mut item = created
        .map_err(|errors| add_field_errors(problems, json, &errors))
        .ok()?;
    let times = times?;
    item.id = key?.id;
    item.created_at = created_at;
    item.updated_at = times.updated_at.unwrap_or(created_at);
    if let Some(Value::Integer(at)) = item.values.get_mut(DATE_WRITTEN_AT) {
        *at = times.date_written_at.unwrap_or(created_at);
    }
    Some(item)
}

fn read_trash<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Vec<Trashed> {
    let mut trash = Vec::new();
    for (number, json) in problems.list(json).iter().enumerate() {
        let Some(TrashEnvelope { kind, deleted_at }) = problems.value(json) else {
            continue;
        };
        let Some(inner) = json.get("item") else {
            problems.add(&json.field("item"), "is missing");
            continue;
        };
        let item = read_item(problems, &inner, kind, number);
        trash.extend(item.map(|item| Trashed {
            collection: kind,
            item,
            deleted_at,
        }));
    }
    trash
}

fn read_former_slugs<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Vec<FormerSlug> {
    let mut former = Vec::new();
    for json in &problems.list(json) {
        let Some(mut one) = problems.value::<FormerSlug>(json) else {
            continue;
        };
        let field = one.kind.slug_field();
        match field.map(|field| value(field, &one.slug.into())) {
            Some(Ok(Some(Value::Text(slug)))) => {
                one.slug = slug;
                former.push(one);
            }
            _ => problems.add(&json.field("slug"), "is no former address"),
        }
    }
    former
}

fn read_former_paths<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Vec<FormerPath> {
    let mut former = Vec::new();
    for json in &problems.list(json) {
        let one: Option<FormerPath> = problems.value(json);
        let path = one.as_ref().map_or("/", |one| &one.path);
        if !path.starts_with('/') || path.contains(char::is_control) {
            problems.add(&json.field("path"), "is no former path");
        }
        former.extend(one);
    }
    former
}

fn read_public_ids<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> Option<PublicIdsRecord> {
    let record: PublicIdsRecord = problems.value(json)?;
    let dates = record.items.iter().flat_map(|item| &item.dates);
    let uids = dates.flat_map(|(day, uid)| [day, uid]);
    let ids = record.items.iter().map(|item| &item.item);
    let is_odd = |text: &String| {
        text.is_empty() || text.len() > PUBLIC_ID_BYTES_MAX || text.contains(char::is_control)
    };
    if record.feed.iter().chain(ids).chain(uids).any(is_odd) {
        problems.add(json, "holds an id that is empty, too long or not one line");
    }
    Some(record)
}

fn read_redirects<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Vec<RedirectRecord> {
    let mut redirects = Vec::new();
    for json in &problems.list(json) {
        let one: Option<RedirectRecord> = problems.value(json);
        let is_path = |path: &str| path.starts_with('/') && !path.contains(char::is_control);
        if one.as_ref().is_some_and(|one| !is_path(&one.from)) {
            problems.add(&json.field("from"), "is no path");
        }
        let to = one.as_ref().and_then(|one| one.to.as_deref());
        if to.is_some_and(|to| !is_path(to) || to.starts_with("//")) {
            problems.add(&json.field("to"), "is no path of the site");
        }
        redirects.extend(one);
    }
    if redirects.len() > ADMIN_REDIRECTS_MAX {
        problems.add(json, "is too long");
    }
    redirects
}

impl RedirectRecord {
    pub fn into_stored(self) -> (String, AdminRedirect) {
        let target = match (self.id, self.to) {
            (Some(id), _) => RedirectTarget::Item(id),
            (None, Some(to)) => RedirectTarget::Path(to),
            (None, None) => RedirectTarget::Gone,
        };
        let created_at = self.created_at;
        (self.from, AdminRedirect { target, created_at })
    }

    pub fn of_stored(from: String, redirect: AdminRedirect) -> Self {
        let (id, to) = match redirect.target {
            RedirectTarget::Item(id) => (Some(id), None),
            RedirectTarget::Path(to) => (None, Some(to)),
            RedirectTarget::Gone => (None, None),
        };
        Self {
            from,
            to,
            id,
            created_at: redirect.created_at,
        }
    }
}

fn read_schedules<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> Vec<(String, PublishSchedule)> {
    let list = problems.list(json);
    let records = list.iter().filter_map(|json| problems.value(json));
    let schedule = |record: ScheduleRecord| {
        let schedule = PublishSchedule {
            collection_number: record.kind.number,
            publish_at: record.publish_at,
            withdraw_at: record.withdraw_at,
        };
        (record.id, schedule)
    };
    records.map(schedule).collect()
}

fn read_pictures<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> BTreeMap<String, PictureFile> {
    let mut pictures = BTreeMap::new();
    for (id, json) in problems.members(json) {
        if !is_id(&id) {
            problems.add(&json, "has an unusable name");
            continue;
        }
        // Other programs write the path alone.
        let picture = if json.text().starts_with('"') {
            let created_at = now();
            let file = problems.value(&json);
            file.map(|file| PictureFile {
                file,
                created_at,
                edit: None,
            })
        } else {
            problems.value(&json)
        };
        let edit = picture
            .as_ref()
            .and_then(|picture: &PictureFile| picture.edit);
        if edit.is_some_and(|edit| edit.checked().is_none()) {
            problems.add(&json, "has an edit that reaches outside of the picture");
        }
        pictures.extend(picture.map(|picture| (id, picture)));
    }
    pictures
}

/// Checks that the file lists every picture that the content references.
fn check_pictures<'a>(problems: &mut Problems<'a>, root: &SpannedJson<'a>, content: &Content) {
    let mut check = |part: &str, path: &str, ids: Vec<&str>| {
        let is_missing = |id: &&str| !content.pictures.contains_key(*id);
        for id in ids.into_iter().filter(is_missing) {
            let mut json = root.field(part);
            path.clone_into(&mut json.path);
            let message = format!("names the picture {id}, which is not there");
            problems.add_at_word(&json, id, &message);
        }
    };
    let items = content
        .items
        .iter()
        .map(|(kind, item)| ("items", kind, item));
    let trash = content.trash.iter();
    let trash = trash.map(|trashed| ("trash", &trashed.collection, &trashed.item));
    for (part, kind, item) in items.chain(trash) {
        let path = format!("{} {}", kind.slug, item.id);
        check(part, &path, item.picture_ids().collect());
    }
    for saved in content.blocks.iter().flatten() {
        let path = format!("words.{}", saved.id);
        let ids = saved.picture_ids();
        check("words", &path, ids.iter().map(String::as_str).collect());
    }
    let mailed = content.mailed_pictures.values().flatten();
    let mailed = mailed.map(String::as_str).collect();
    check("mailedPictures", "mailedPictures", mailed);
    check(
        "settings",
        "settings",
        content.settings.picture_ids().collect(),
    );
}
