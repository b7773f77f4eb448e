//! Defines an item of content: metadata and validated fields, as the schema of its collection
//! prescribes.

use super::markdown;
use super::picture::{Picture, Pictures};
use super::schema::{Audience, Collection, Field, FieldType, SORT_ORDER_MAX};
use super::time::{Timestamp, parse_rfc3339, rfc3339};
use super::validation;
use super::value::{PICTURES_OF_TEXT, Value, Values, value_json};
use crate::FieldError;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// The date field; its text may omit the year.
const DATE: &str = "date";
/// Key of the time at which the date text was last changed. A missing year is resolved from that
/// time.
pub const DATE_WRITTEN_AT: &str = "dateWrittenAt";

/// An item as stored.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Item {
    pub id: String,
    pub published: bool,
    pub sort_order: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub values: Values,
}

/// The fields that a caller requests.
#[derive(Debug, Clone, Copy)]
pub enum FieldSelection<'a> {
    All,
    Named(&'a [String]),
}

impl FieldSelection<'_> {
    pub fn includes(self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.iter().any(|known| known == name),
        }
    }
}

/// A validated request body. `None` in `values` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    pub published: Option<bool>,
    pub sort_order: Option<i64>,
    pub created_at: Option<Timestamp>,
    pub values: BTreeMap<&'static str, Option<Value>>,
}

impl Changes {
    /// Validates a body against the schema of the collection. Ignores unknown keys and reports
    /// every error.
    pub fn parse(
        collection: &Collection,
        body: &Map<String, Json>,
    ) -> Result<Self, Vec<FieldError>> {
        let mut changes = Self::default();
        let mut errors = Vec::new();
        match body.get("published").map(Json::as_bool) {
            Some(None) => errors.push(FieldError::new("published", "Deve essere vero o falso")),
            known => changes.published = known.flatten(),
        }
        match body.get("sortOrder").map(Json::as_i64) {
            None => {}
            Some(Some(number)) if (0..=SORT_ORDER_MAX).contains(&number) => {
                changes.sort_order = Some(number);
            }
            Some(_) => errors.push(FieldError::new(
                "sortOrder",
                format!("L'ordine deve essere un numero intero tra 0 e {SORT_ORDER_MAX}"),
            )),
        }
        if collection.dated
            && let Some(json) = body.get("createdAt").filter(|json| !json.is_null())
        {
            match json.as_str().and_then(parse_rfc3339) {
                Some(timestamp) => changes.created_at = Some(timestamp),
                None => errors.push(FieldError::new("createdAt", "La data non è valida")),
            }
        }
        for field in collection.all_fields() {
            if let Some(json) = body.get(field.name) {
                match validation::value(field, json) {
                    Ok(value) => drop(changes.values.insert(field.name, value)),
                    Err(error) => errors.push(error),
                }
            }
        }
        if errors.is_empty() {
            Ok(changes)
        } else {
            Err(errors)
        }
    }
}

impl Item {
    /// Creates an item. `list_length` is its `sortOrder` when the body has none.
    pub fn create(
        collection: &Collection,
        changes: Changes,
        id: String,
        list_length: usize,
        now: Timestamp,
    ) -> Result<Self, Vec<FieldError>> {
        let list_length = i64::try_from(list_length).unwrap_or(SORT_ORDER_MAX);
        let mut item = Self {
            id,
            published: changes.published.unwrap_or(collection.published_by_default),
            sort_order: changes.sort_order.unwrap_or(list_length),
            created_at: now,
            updated_at: now,
            values: Values::new(),
        };
        item.apply(collection, changes, now)?;
        Ok(item)
    }

    /// Merges `changes` into the item; absent fields keep their value (RFC 7396).
    pub fn merge(
        &mut self,
        collection: &Collection,
        changes: Changes,
        now: Timestamp,
    ) -> Result<(), Vec<FieldError>> {
        self.published = changes.published.unwrap_or(self.published);
        self.sort_order = changes.sort_order.unwrap_or(self.sort_order);
        self.apply(collection, changes, now)
    }

    fn apply(
        &mut self,
        collection: &Collection,
        changes: Changes,
        now: Timestamp,
    ) -> Result<(), Vec<FieldError>> {
        for (name, value) in changes.values {
            self.note_pictures(collection, name, value.as_ref());
            self.note_date(name, value.as_ref(), now);
            match value {
                Some(value) => drop(self.values.insert(name.to_owned(), value)),
                None => drop(self.values.remove(name)),
            }
        }
        self.created_at = changes.created_at.unwrap_or(self.created_at);
        self.updated_at = now;
        let missing: Vec<FieldError> = collection
            .all_fields()
            .filter(|field| field.required && !self.values.contains_key(field.name))
            .map(validation::required)
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(missing)
        }
    }

    /// Stores the ids of the pictures that a Markdown field references, so that lookups do not
    /// parse Markdown.
    fn note_pictures(&mut self, collection: &Collection, name: &str, value: Option<&Value>) {
        let is_markdown = |field: &&Field| {
            field.name == name && matches!(field.holds, FieldType::Markdown { .. })
        };
        if !collection.fields.iter().any(|field| is_markdown(&field)) {
            return;
        }
        let text = value.and_then(Value::as_text).unwrap_or_default();
        let ids: Vec<String> = markdown::picture_ids(text).into_iter().collect();
        let key = format!("{name}{PICTURES_OF_TEXT}");
        if ids.is_empty() {
            self.values.remove(&key);
        } else {
            self.values.insert(key, Value::Pictures(ids));
        }
    }

    /// Stores the time of the last change of the date text: a missing year is resolved from that
    /// time, not from the age of the item.
    fn note_date(&mut self, name: &str, value: Option<&Value>, now: Timestamp) {
        if name != DATE || value == self.values.get(name) {
            return;
        }
        match value {
            Some(_) => self
                .values
                .insert(DATE_WRITTEN_AT.to_owned(), Value::Integer(now)),
            None => self.values.remove(DATE_WRITTEN_AT),
        };
    }

    /// Time at which the date text was last changed. Items of releases that did not store this time
    /// fall back to their creation time, which those releases used.
    pub fn date_written_at(&self) -> Timestamp {
        match self.values.get(DATE_WRITTEN_AT) {
            Some(Value::Integer(at)) => *at,
            _ => self.created_at,
        }
    }

    /// The text of a field, when it has one.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_text)
    }

    /// Ids of the pictures the item uses.
    pub fn picture_ids(&self) -> impl Iterator<Item = &str> {
        self.values
            .values()
            .flat_map(Value::picture_ids)
            .map(String::as_str)
    }

    /// Path of the page of the item, built from its slug or id.
    pub fn page_path(&self, collection: &Collection) -> Option<String> {
        let key = self.page_key(collection)?;
        Some(format!("{}{key}", collection.page?.prefix))
    }

    /// The slug or id that identifies the item in its page path.
    pub fn page_key(&self, collection: &Collection) -> Option<&str> {
        match collection.page?.key {
            Some(name) => self.text(name),
            None => Some(&self.id),
        }
    }

    /// The item as JSON; each audience also sees the fields of the audiences before it.
    pub fn to_json(
        &self,
        collection: &Collection,
        pictures: &Pictures,
        audience: Audience,
    ) -> Json {
        Json::Object(self.fields_json(collection, pictures, audience, FieldSelection::All))
    }

    /// The requested fields that `audience` may see.
    pub fn fields_json(
        &self,
        collection: &Collection,
        pictures: &Pictures,
        audience: Audience,
        wanted: FieldSelection<'_>,
    ) -> Map<String, Json> {
        let mut object = Map::new();
        let mut put = |name: &str, json: &dyn Fn() -> Json| {
            if wanted.includes(name) {
                object.insert(name.to_owned(), json());
            }
        };
        put("id", &|| json!(self.id));
        for field in collection.all_fields() {
            let shown = match field.audience {
                Audience::Everyone => true,
                Audience::Detail => audience != Audience::Everyone,
                Audience::Admin => audience == Audience::Admin,
            };
            if shown {
                put(field.name, &|| self.field_json(field));
            }
            if field.holds == FieldType::Picture {
                put("image", &|| self.picture_json(field, pictures, audience));
            }
        }
        put("published", &|| json!(self.published));
        put("sortOrder", &|| json!(self.sort_order));
        put("createdAt", &|| json!(rfc3339(self.created_at)));
        put("updatedAt", &|| json!(rfc3339(self.updated_at)));
        let has_date = collection.fields.iter().any(|field| field.name == DATE);
        if has_date && audience == Audience::Admin {
            let at = rfc3339(self.date_written_at());
            object.insert(DATE_WRITTEN_AT.to_owned(), json!(at));
        }
        object
    }

    fn field_json(&self, field: &Field) -> Json {
        match (self.values.get(field.name), field.holds) {
            (Some(value), _) => value_json(value),
            (None, FieldType::Integer { default, .. }) => json!(default),
            (None, FieldType::Boolean { default }) => json!(default),
            (None, _) => Json::Null,
        }
    }

    fn picture_json(&self, field: &Field, pictures: &Pictures, audience: Audience) -> Json {
        let Some(picture) = self
            .values
            .get(field.name)
            .and_then(Value::picture_id)
            .and_then(|id| pictures.get(id))
        else {
            return Json::Null;
        };
        let decorative = self.values.get("imageDecorative") == Some(&Value::Boolean(true));
        let alt = if decorative {
            Some("")
        } else {
            self.text("imageAlt")
        };
        let focus = (self.focus("imageFocusX"), self.focus("imageFocusY"));
        if audience == Audience::Admin {
            picture.to_admin_json(alt, focus)
        } else {
            picture.to_json(alt, focus)
        }
    }

    /// A focal coordinate in percent; 50 when not set.
    pub fn focus(&self, name: &str) -> u8 {
        match self.values.get(name) {
            Some(Value::Integer(number)) => u8::try_from(*number).unwrap_or(50).min(100),
            _ => 50,
        }
    }
}

/// Sorts items by `sortOrder`, then creation, then id.
pub fn sort(items: &mut [Item]) {
    items.sort_by(|a, b| {
        (a.sort_order, a.created_at, &a.id).cmp(&(b.sort_order, b.created_at, &b.id))
    });
}

/// Sorts items for the panel: dated collections newest first, the others as [`sort`] does.
pub fn sort_for_admin(collection: &Collection, items: &mut [Item]) {
    if collection.dated {
        items.sort_by(|a, b| (b.created_at, &a.id).cmp(&(a.created_at, &b.id)));
    } else {
        sort(items);
    }
}

/// The picture of an item, for callers that need the record and not its JSON.
pub fn picture_of<'a>(item: &Item, pictures: &'a Pictures) -> Option<&'a Picture> {
    let id = item.values.values().find_map(Value::picture_id);
    id.and_then(|id| pictures.get(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::picture_path;
    use crate::{COLLECTIONS, collection_by_slug};

    fn object(json: &Json) -> Map<String, Json> {
        json.as_object().cloned().unwrap_or_default()
    }

    /// A body that satisfies every required field of the collection.
    fn full(collection: &Collection) -> Map<String, Json> {
        let picture = picture_path(&"a".repeat(26));
        collection
            .all_fields()
            .filter(|field| field.required)
            .map(|field| {
                let json = match field.holds {
                    FieldType::Picture => json!(picture),
                    FieldType::Slug => json!("uno"),
                    _ => json!("Testo"),
                };
                (field.name.to_owned(), json)
            })
            .collect()
    }

    #[test]
    fn every_collection_creates_items_with_its_defaults() {
        for collection in COLLECTIONS {
            let changes = Changes::parse(collection, &full(collection)).unwrap();
            let item = Item::create(collection, changes, "x".to_owned(), 7, 1_000).unwrap();
            assert_eq!(
                (item.published, item.sort_order),
                (collection.published_by_default, 7),
                "{}",
                collection.slug
            );
        }
    }

    #[test]
    fn every_required_field_is_asked_for_and_cannot_be_emptied() {
        for collection in COLLECTIONS {
            let errors =
                Item::create(collection, Changes::default(), "x".to_owned(), 0, 0).unwrap_err();
            let required = collection
                .all_fields()
                .filter(|field| field.required)
                .count();
            assert_eq!(errors.len(), required, "{}", collection.slug);
            let changes = Changes::parse(collection, &full(collection)).unwrap();
            let mut item = Item::create(collection, changes, "x".to_owned(), 0, 0).unwrap();
            for field in collection.all_fields().filter(|field| field.required) {
                let body = object(&json!({ field.name: "" }));
                let emptied = Changes::parse(collection, &body).unwrap();
                assert!(
                    item.clone().merge(collection, emptied, 1).is_err(),
                    "{}",
                    field.name
                );
            }
            assert!(item.merge(collection, Changes::default(), 1).is_ok());
        }
    }

    #[test]
    fn absent_fields_keep_their_value_and_unknown_ones_are_ignored() {
        let collection = &COLLECTIONS[0];
        let changes = Changes::parse(collection, &full(collection)).unwrap();
        let mut item = Item::create(collection, changes, "x".to_owned(), 0, 1).unwrap();
        let body = object(&json!({ "published": false, "unknown": [1], "id": "other" }));
        item.merge(collection, Changes::parse(collection, &body).unwrap(), 2)
            .unwrap();
        assert_eq!(
            (item.id.as_str(), item.published, item.updated_at),
            ("x", false, 2)
        );
        assert_eq!(item.text("name"), Some("Testo"));
    }

    #[test]
    fn a_date_is_as_old_as_its_last_change_and_nothing_else_moves_it() {
        let collection = collection_by_slug("events").unwrap();
        let changes = |body: Json| Changes::parse(collection, &object(&body)).unwrap();
        let made = changes(json!({ "title": "Serata", "date": "Ogni martedì di marzo" }));
        let mut item = Item::create(collection, made, "x".to_owned(), 0, 1).unwrap();
        for (body, now, written) in [
            (json!({ "title": "Sera" }), 2, 1),
            (json!({ "date": " Ogni martedì di marzo" }), 3, 1),
            (json!({ "date": "Ogni martedì di aprile" }), 4, 4),
            (json!({ "published": true }), 5, 4),
        ] {
            item.merge(collection, changes(body), now).unwrap();
            assert_eq!((item.date_written_at(), item.updated_at), (written, now));
        }
        // As stored by a release that did not record the time of change.
        item.values.remove(DATE_WRITTEN_AT);
        assert_eq!(item.date_written_at(), 1);
        item.merge(collection, changes(json!({ "date": null })), 6)
            .unwrap();
        assert!(!item.values.contains_key(DATE_WRITTEN_AT));
    }

    #[test]
    fn visitors_never_see_admin_fields() {
        for collection in COLLECTIONS {
            let changes = Changes::parse(collection, &full(collection)).unwrap();
            let item = Item::create(collection, changes, "x".to_owned(), 0, 1).unwrap();
            let json = item.to_json(collection, &Pictures::new(), Audience::Detail);
            let object = json.as_object().unwrap();
            assert!(!object.contains_key("imageAlt"), "{}", collection.slug);
            let admin = item.to_json(collection, &Pictures::new(), Audience::Admin);
            assert_eq!(
                admin.get("imageFocusX").is_some(),
                collection.picture,
                "{}",
                collection.slug
            );
        }
    }

    #[test]
    fn order_is_by_sort_order_then_creation_then_id() {
        let item = |id: &str, sort_order, created_at| Item {
            id: id.to_owned(),
            published: true,
            sort_order,
            created_at,
            updated_at: 0,
            values: Values::new(),
        };
        let mut items = [
            item("d", 2, 0),
            item("c", 1, 5),
            item("b", 1, 5),
            item("a", 1, 9),
        ];
        sort(&mut items);
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids, ["b", "c", "a", "d"]);
    }
}
