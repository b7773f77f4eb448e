//! Defines an immutable snapshot of all published content: items in public order, settings,
//! pictures.

use super::blocks::{self, BlockDefinitions, PublishedBlock};
use super::collections::COLLECTIONS;
use super::event_times;
use super::item::{FieldSelection, Item};
use super::markdown::{self, RenderContext, Rendered};
use super::phone;
use super::picture::{Picture, Pictures};
use super::public_ids::PublicIds;
use super::redirects::RedirectTable;
use super::schema::FieldType;
use super::schema::{Audience, Collection, Order};
use super::settings::{COPYRIGHT_YEAR, SETTINGS, Settings};
use super::time;
use jiff::civil::Date;
use serde_json::{Map, Value as Json, json};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::sync::Arc;

/// The published items of a collection, in public order. Consecutive snapshots share the
/// allocation of an unchanged item, so comparing pointers finds the pages a change affects.
pub type List = Arc<Vec<Arc<Entry>>>;

/// A consistent view of everything published. Pages are a pure function of the snapshot and the
/// day.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four facts that have nothing to do with each other"
)]
pub struct Snapshot {
    pub public_url: String,
    pub demo: bool,
    pub counts_visits: bool,
    /// Whether a published testimonial was requested by a personal link.
    pub has_requested_testimonials: bool,
    /// Whether backups leave this machine; the privacy page states it.
    pub copies_elsewhere: bool,
    /// The server's access log, which the privacy page describes to the visitor.
    pub request_log: RequestLog,
    /// The day by a clock that was not doubted, for what settings show on certain days. `None`
    /// before there was one.
    pub day: Option<Date>,
    pub settings: Settings,
    /// Pictures that the settings use.
    pub pictures: Pictures,
    /// Published items by collection number.
    pub lists: BTreeMap<u8, List>,
    pub redirects: Arc<RedirectTable>,
    /// The id of the feed; `None` if it is its address.
    pub feed_id: Option<String>,
    /// Saved content blocks by id. Every other block follows its default.
    pub blocks: BTreeMap<String, Arc<PublishedBlock>>,
    /// Supplies the defaults of blocks that were never saved.
    pub block_definitions: Option<&'static BlockDefinitions>,
}

/// Whether the server logs requests, and with which part of the client's address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RequestLog {
    /// No requests are logged.
    #[default]
    Off,
    /// The network, without the last part.
    Shortened,
    Full,
}

impl RequestLog {
    const fn name(self) -> Option<&'static str> {
        match self {
            Self::Off => None,
            Self::Shortened => Some("shortened"),
            Self::Full => Some("full"),
        }
    }
}

/// A published item with its pictures and the values derived from its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub item: Item,
    pub pictures: Pictures,
    /// Last day of an event; `None` when the date text is not understood.
    pub last_day: Option<Date>,
    /// `None` for a collection without pages, and for an item that was published before these ids
    /// were kept: they are then made of the public address.
    pub public_ids: Option<PublicIds>,
}

impl Deref for Entry {
    type Target = Item;

    fn deref(&self) -> &Item {
        &self.item
    }
}

/// Blocks whose pictures do not show the practitioner or her work.
const BOOK: &str = "chi-sono.book";
const CERTIFICATE: &str = "footer.certificate";

/// Last day of an event; `None` when the date text is not understood.
pub fn last_day(collection: &Collection, item: &Item) -> Option<Date> {
    if !collection.fields.iter().any(|field| field.name == "date") {
        return None;
    }
    let written = time::day(item.date_written_at());
    event_times::last_day(item.text("date"), written)
}

impl Entry {
    pub fn new(collection: &Collection, item: Item, pictures: Pictures) -> Self {
        Self {
            last_day: last_day(collection, &item),
            item,
            pictures,
            public_ids: None,
        }
    }

    /// Whether an event is over: its last day lies before `today`.
    pub fn is_past(&self, today: Date) -> bool {
        self.last_day.is_some_and(|last| last < today)
    }

    /// The item as JSON, as the API returns it to `audience`.
    pub fn to_json_for(&self, collection: &Collection, audience: Audience) -> Json {
        self.item.to_json(collection, &self.pictures, audience)
    }

    /// The item as pages receive it: the public detail, the parsed schedule and the rendered
    /// Markdown. Only the requested fields are computed.
    pub fn to_json(&self, collection: &Collection, wanted: FieldSelection<'_>) -> Json {
        let mut object =
            self.item
                .fields_json(collection, &self.pictures, Audience::Detail, wanted);
        for field in collection.fields {
            match (field.name, field.holds) {
                ("date", _) if wanted.includes("schedule") => {
                    let written = time::day(self.date_written_at());
                    let schedule = event_times::read(self.text("date"), self.text("time"), written);
                    object.insert("schedule".to_owned(), json!(schedule));
                }
                (name, FieldType::Markdown { .. }) if wanted.includes(&format!("{name}Html")) => {
                    let around = RenderContext {
                        pictures: &self.pictures,
                        site: None,
                    };
                    let rendered = self.text(name).map(|text| markdown::render(text, &around));
                    let html = rendered.as_ref().map(|rendered| &rendered.html);
                    object.insert(format!("{name}Html"), json!(html));
                    let Rendered {
                        sections, words, ..
                    } = rendered.unwrap_or_default();
                    object.insert(format!("{name}Sections"), json!(sections));
                    object.insert(format!("{name}Words"), json!(words));
                }
                _ => {}
            }
        }
        Json::Object(object)
    }
}

impl Snapshot {
    /// The published items of a collection, in public order.
    pub fn published(&self, collection: &Collection) -> &[Arc<Entry>] {
        self.list(collection).map_or(&[], |list| list.as_slice())
    }

    pub fn list(&self, collection: &Collection) -> Option<&List> {
        self.lists.get(&collection.number)
    }

    /// Whether both snapshots share the allocation of the list, so that its items are unchanged.
    pub fn shares_list(&self, collection: &Collection, other: &Self) -> bool {
        match (self.list(collection), other.list(collection)) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (one, two) => one.is_none() && two.is_none(),
        }
    }

    /// Inserts or replaces items. `None` and an unpublished item remove the listed one.
    pub fn apply(&mut self, collection: &Collection, changes: BTreeMap<String, Option<Entry>>) {
        let mut list = self.published(collection).to_vec();
        list.retain(|entry| !changes.contains_key(&entry.id));
        let few = changes.len() < list.len() / 8;
        for entry in changes.into_values().flatten() {
            if !entry.published {
                continue;
            }
            let place = if few {
                list.partition_point(|other| public_order(collection, other, &entry).is_lt())
            } else {
                list.len()
            };
            list.insert(place, Arc::new(entry));
        }
        if !few {
            list.sort_by(|one, two| public_order(collection, one, two));
        }
        self.lists.insert(collection.number, Arc::new(list));
    }

    /// Replaces items that are equal in `former` by those of `former`, and lists likewise. A
    /// snapshot that was read as a whole then changes only the pages that show something else.
    pub fn share_unchanged(&mut self, former: &Self) {
        for (number, list) in &mut self.lists {
            let Some(known) = former.lists.get(number) else {
                continue;
            };
            let by_id: HashMap<&str, &Arc<Entry>> = known
                .iter()
                .map(|entry| (entry.id.as_str(), entry))
                .collect();
            let shared = list.iter().map(|entry| match by_id.get(entry.id.as_str()) {
                Some(known) if **known == *entry => Arc::clone(known),
                _ => Arc::clone(entry),
            });
            let shared: Vec<Arc<Entry>> = shared.collect();
            let mut pairs = shared.iter().zip(known.iter());
            let is_same =
                shared.len() == known.len() && pairs.all(|(one, two)| Arc::ptr_eq(one, two));
            *list = if is_same {
                Arc::clone(known)
            } else {
                Arc::new(shared)
            };
        }
    }

    /// Whether an item of the very same content is published.
    pub fn has_entry(&self, wanted: &Arc<Entry>) -> bool {
        let mut lists = self.lists.values();
        lists.any(|list| list.iter().any(|entry| Arc::ptr_eq(entry, wanted)))
    }

    /// The pictures of the settings and content blocks, without those of items.
    pub fn site_pictures(&self) -> impl Iterator<Item = (&String, &Picture)> {
        let words = self.blocks.values();
        self.pictures
            .iter()
            .chain(words.flat_map(|shown| &shown.pictures))
    }

    /// Looks up one of [`Self::site_pictures`] by id.
    pub fn site_picture(&self, id: &str) -> Option<&Picture> {
        let in_words = || {
            self.blocks
                .values()
                .find_map(|shown| shown.pictures.get(id))
        };
        self.pictures.get(id).or_else(in_words)
    }

    /// Whether the settings or blocks, items aside, show an uploaded photograph.
    fn is_photographed(&self) -> bool {
        let in_words = || {
            let mut own = self
                .blocks
                .iter()
                .filter(|(id, _)| *id != BOOK && *id != CERTIFICATE);
            own.any(|(_, shown)| !shown.pictures.is_empty())
        };
        self.settings.has_photograph() || in_words()
    }

    /// The site-wide JSON that every page receives.
    pub fn site_json(&self) -> Json {
        let mut site = json!({
            "publicUrl": self.public_url,
            "demo": self.demo,
            "countsVisits": self.counts_visits,
            "showsAsked": self.has_requested_testimonials,
            "copiesElsewhere": self.copies_elsewhere,
            "requestLog": self.request_log.name(),
            "photographed": self.is_photographed(),
            "settings": self.formatted_settings_json(),
        });
        if let Some(banner) = self.settings.banner_on(self.day) {
            site["banner"] = json!(banner);
        }
        site
    }

    /// Whether both snapshots hold the same content in these blocks.
    pub fn shares_blocks(&self, ids: &[String], other: &Self) -> bool {
        ids.iter()
            .all(|id| match (self.blocks.get(id), other.blocks.get(id)) {
                (Some(one), Some(two)) => Arc::ptr_eq(one, two) || one == two,
                (one, two) => one.is_none() && two.is_none(),
            })
    }

    /// The blocks that differ from the defaults in the UI bundle, or whose rich text needs parsing.
    pub fn blocks_json(&self, ids: &[String]) -> Json {
        let mut blocks = Map::new();
        for id in ids {
            let saved = self.blocks.get(id);
            let own = saved.and_then(|saved| saved.value.clone());
            let rich = || {
                self.block_definitions?
                    .rich_default(id)
                    .map(|read| Json::clone(read))
            };
            let told = match saved {
                Some(saved) if saved.hidden => Some(Json::Null),
                _ => own.or_else(rich),
            };
            blocks.extend(told.map(|told| (id.clone(), told)));
        }
        Json::Object(blocks)
    }

    /// The value of a block: the saved one, or the default.
    fn block_value(&self, block: &str) -> Option<&Json> {
        let saved = self.blocks.get(block);
        let own = saved.and_then(|saved| saved.value.as_ref());
        own.or_else(|| Some(&self.block_definitions?.find(block)?.default))
    }

    /// The entries of a list in a block.
    pub fn block_list(&self, block: &str, field: &str) -> &[Json] {
        let value = self.block_value(block);
        let list = value.and_then(|value| value.get(field)?.as_array());
        list.map_or(&[], Vec::as_slice)
    }

    /// The plain text of a block field that is not rich text, settings inserted.
    pub fn block_text(&self, block: &str, field: &str) -> String {
        let shown = self.formatted_settings_json();
        let none = Map::new();
        let settings = shown.as_object().unwrap_or(&none);
        self.block_value(block).map_or_else(String::new, |value| {
            blocks::plain_text(&value[field], settings)
        })
    }

    /// The public settings; a picture setting holds the complete picture JSON.
    pub fn settings_json(&self) -> Json {
        let mut object: Map<String, Json> = self.settings.to_json(Audience::Everyone);
        for setting in SETTINGS
            .iter()
            .filter(|setting| setting.field.holds == FieldType::Picture)
        {
            let name = setting.field.name;
            let picture = self
                .settings
                .values
                .get(name)
                .and_then(super::value::Value::picture_id)
                .and_then(|id| self.pictures.get(id));
            let focus = self.settings.focus(name);
            let json = picture.map_or(Json::Null, |picture| picture.to_json(Some(""), focus));
            object.insert(name.to_owned(), json);
        }
        Json::Object(object)
    }

    /// The public settings as pages show them: phone numbers in groups, the year of the copyright
    /// notice, without settings that are absent while they are empty.
    pub fn formatted_settings_json(&self) -> Json {
        let mut json = self.settings_json();
        if let Some(object) = json.as_object_mut() {
            let sparse = SETTINGS.iter().filter(|setting| setting.is_sparse);
            for name in sparse.map(|setting| setting.field.name) {
                if object.get(name).is_some_and(Json::is_null) {
                    object.remove(name);
                }
            }
        }
        if let Some(year) = self.settings.copyright_year_on(self.day) {
            json[COPYRIGHT_YEAR] = json!(year);
        }
        for setting in SETTINGS
            .iter()
            .filter(|setting| setting.field.holds == FieldType::Phone)
        {
            let kept = json.get_mut(setting.field.name);
            if let Some((kept, number)) = kept.and_then(|kept| {
                let number = phone::grouped(kept.as_str()?);
                Some((kept, number))
            }) {
                *kept = Json::String(number);
            }
        }
        json
    }

    /// The present paths of all items with pages, by id.
    pub fn page_paths(&self) -> HashMap<&str, String> {
        let pages = COLLECTIONS.iter().flat_map(|collection| {
            let entries = self.published(collection).iter();
            entries.filter_map(|entry| Some((entry.id.as_str(), entry.page_path(collection)?)))
        });
        pages.collect()
    }

    /// The path of an item's page, if the item is published.
    pub fn page_path(&self, id: &str) -> Option<String> {
        COLLECTIONS.iter().find_map(|collection| {
            collection.page?;
            let mut entries = self.published(collection).iter();
            entries.find(|entry| entry.id == id)?.page_path(collection)
        })
    }
}

/// Compares two items by the public order of their collection.
fn public_order(collection: &Collection, one: &Item, two: &Item) -> Ordering {
    match collection.order {
        Order::Sorted => (one.sort_order, one.created_at, &one.id).cmp(&(
            two.sort_order,
            two.created_at,
            &two.id,
        )),
        Order::NewestFirst => (two.created_at, &two.id).cmp(&(one.created_at, &one.id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Value, collection_by_slug};

    fn entry(id: &str, sort_order: i64, published: bool) -> Entry {
        let item = Item {
            id: id.to_owned(),
            published,
            sort_order,
            created_at: sort_order,
            updated_at: 0,
            values: [("date".to_owned(), Value::Text("15 marzo 2025".to_owned()))].into(),
        };
        Entry::new(collection_by_slug("events").unwrap(), item, Pictures::new())
    }

    fn ids(snapshot: &Snapshot, slug: &str) -> Vec<String> {
        let entries = snapshot.published(collection_by_slug(slug).unwrap());
        entries.iter().map(|entry| entry.id.clone()).collect()
    }

    #[test]
    fn one_change_keeps_every_other_item_the_same_allocation_and_the_public_order() {
        for (slug, expected) in [("events", ["a", "x", "c"]), ("blog", ["c", "x", "a"])] {
            let collection = collection_by_slug(slug).unwrap();
            let mut all: BTreeMap<String, Option<Entry>> = (10..40)
                .map(|number| (format!("n{number}"), None))
                .collect();
            for (id, order) in [("a", 0), ("b", 2), ("c", 5)] {
                all.insert(id.to_owned(), Some(entry(id, order, true)));
            }
            let mut snapshot = Snapshot::default();
            snapshot.apply(collection, all);
            let before = snapshot.clone();
            let changes = [
                ("b".to_owned(), Some(entry("b", 2, false))),
                ("x".to_owned(), Some(entry("x", 3, true))),
            ];
            snapshot.apply(collection, changes.into());
            assert_eq!(ids(&snapshot, slug), expected);
            let same = |entry: &&Arc<Entry>| {
                let mut others = before.published(collection).iter();
                others.any(|other| Arc::ptr_eq(entry, other))
            };
            assert_eq!(
                snapshot.published(collection).iter().filter(same).count(),
                2
            );
            assert!(!snapshot.shares_list(collection, &before));
            assert!(snapshot.clone().shares_list(collection, &snapshot));
        }
    }

    /// Regression: a picture in a hidden block switched every page to the reduced ornament that
    /// accompanies photographs.
    #[test]
    fn a_site_is_photographed_by_what_it_shows_alone() {
        let definitions = json!([{
            "id": "home.hero",
            "label": "",
            "pages": [],
            "fields": [{ "name": "pictureOne", "label": "", "type": "picture" }],
            "default": {},
            "hideable": true,
        }]);
        let table = BlockDefinitions::from_json(&definitions.to_string()).unwrap();
        let hero = table.find("home.hero").unwrap();
        let value = json!({ "pictureOne": { "path": "/objects/uploads/p" } });
        let picture = Picture {
            id: "p".to_owned(),
            width: 2,
            height: 1,
            placeholder: String::new(),
            widths: vec![],
            media_type: "image/webp".to_owned(),
            created_at: 0,
            files: BTreeMap::new(),
        };
        let pictures = Pictures::from([("p".to_owned(), picture)]);
        for is_hidden in [false, true] {
            let shown = PublishedBlock::new(hero, Some(value.clone()), is_hidden, &pictures);
            let snapshot = Snapshot {
                blocks: [(hero.id.clone(), Arc::new(shown))].into(),
                ..Snapshot::default()
            };
            assert_eq!(snapshot.is_photographed(), !is_hidden);
        }
    }

    #[test]
    fn an_event_is_past_from_the_midnight_after_its_last_day_and_never_by_a_guess() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let past = entry("a", 0, true);
        assert!(!past.is_past(day("2025-03-15")) && past.is_past(day("2025-03-16")));
        let mut unread = past.item.clone();
        let soon = Value::Text("presto".to_owned());
        unread.values.insert("date".to_owned(), soon);
        let unread = Entry::new(
            collection_by_slug("events").unwrap(),
            unread,
            Pictures::new(),
        );
        assert!(!unread.is_past(day("2100-01-01")));
        // Regression: an event that ended at midnight or later stayed upcoming for ever.
        for time in ["22", "22-2", "18:00 - 00:30", "dalle 21 alle 24", "di sera"] {
            let mut late = past.item.clone();
            late.values
                .insert("time".to_owned(), Value::Text(time.to_owned()));
            let late = Entry::new(collection_by_slug("events").unwrap(), late, Pictures::new());
            assert!(!late.is_past(day("2025-03-15")), "{time}");
            assert!(late.is_past(day("2025-03-16")), "{time}");
        }
    }
}
