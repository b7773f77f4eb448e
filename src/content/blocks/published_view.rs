//! Defines a block as pages receive it: rich text parsed, pictures resolved.

use super::{BlockDefinition, Field, FieldType, rich_text, text_with_settings};
use crate::value::UPLOAD_PREFIX;
use crate::{Pictures, Timestamp, time};
use serde_json::{Map, Value as Json};

/// The published form of a saved block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedBlock {
    /// `None` when the block is hidden or follows its default.
    pub value: Option<Json>,
    pub hidden: bool,
    /// Time of the last save; 0 when unknown.
    pub changed_at: Timestamp,
    /// The pictures that visitors see in it.
    pub pictures: Pictures,
}

impl PublishedBlock {
    /// Sets the date of the last change, which some texts show.
    #[must_use]
    pub fn with_change_day(mut self, moment: Timestamp) -> Self {
        self.changed_at = moment;
        if let Some(Json::Object(value)) = &mut self.value {
            let day = Json::from(time::format_day(moment));
            value.insert("changedOn".to_owned(), day);
        }
        self
    }

    pub fn new(
        definition: &BlockDefinition,
        value: Option<Json>,
        hidden: bool,
        pictures: &Pictures,
    ) -> Self {
        let named = value.as_ref().filter(|_| !hidden).map(picture_ids);
        let named = named.into_iter().flatten();
        Self {
            value: value.map(|value| publish_fields(&definition.fields, value, pictures)),
            hidden,
            changed_at: 0,
            pictures: named
                .filter_map(|id| Some((id.clone(), pictures.get(&id)?.clone())))
                .collect(),
        }
    }
}

pub(super) fn publish_fields(fields: &[Field], value: Json, pictures: &Pictures) -> Json {
    let mut object = match value {
        Json::Object(object) => object,
        _ => Map::new(),
    };
    for field in fields {
        let mut own = || object.get_mut(&field.name).map(Json::take);
        let shown = match &field.holds {
            FieldType::RichText { .. } => rich_text::read(&own().unwrap_or_default()),
            FieldType::Picture => picture(&own().unwrap_or_default(), pictures),
            FieldType::List { fields, .. } => match own() {
                Some(Json::Array(entries)) => entries
                    .into_iter()
                    .map(|entry| publish_fields(fields, entry, pictures))
                    .collect(),
                _ => Json::Array(Vec::new()),
            },
            _ => continue,
        };
        object.insert(field.name.clone(), shown);
    }
    Json::Object(object)
}

fn picture(own: &Json, pictures: &Pictures) -> Json {
    let id = own["path"]
        .as_str()
        .and_then(|path| path.strip_prefix(UPLOAD_PREFIX));
    let Some(picture) = id.and_then(|id| pictures.get(id)) else {
        return Json::Null;
    };
    let percent = |name: &str| own[name].as_u64().and_then(|n| u8::try_from(n).ok());
    let focus = (
        percent("focusX").unwrap_or(50),
        percent("focusY").unwrap_or(50),
    );
    let is_decorative = own["decorative"].as_bool().unwrap_or(false);
    let alt = own["alt"].as_str().filter(|_| !is_decorative);
    picture.to_json(Some(alt.unwrap_or_default()), focus)
}

/// Ids of all pictures in a value, at any depth.
pub fn picture_ids(value: &Json) -> Vec<String> {
    match value {
        Json::Array(list) => list.iter().flat_map(picture_ids).collect(),
        Json::Object(object) => {
            let own = picture_id(object);
            let inner = object.values().flat_map(picture_ids);
            own.map(str::to_owned).into_iter().chain(inner).collect()
        }
        _ => Vec::new(),
    }
}

/// Alternative texts of the pictures in a value, by id; `None` for a picture without one.
pub fn alternative_texts(value: &Json) -> Vec<(String, Option<String>)> {
    match value {
        Json::Array(list) => list.iter().flat_map(alternative_texts).collect(),
        Json::Object(object) => {
            let text = |name: &str| object.get(name).and_then(Json::as_str);
            let is_decorative = object.get("decorative") == Some(&Json::Bool(true));
            let alt = text("alt").filter(|alt| !is_decorative && !alt.trim().is_empty());
            let own = picture_id(object).map(|id| (id.to_owned(), alt.map(str::to_owned)));
            let inner = object.values().flat_map(alternative_texts);
            own.into_iter().chain(inner).collect()
        }
        _ => Vec::new(),
    }
}

fn picture_id(object: &Map<String, Json>) -> Option<&str> {
    let path = object.get("path").and_then(Json::as_str)?;
    path.strip_prefix(UPLOAD_PREFIX)
}

/// The pictures in a value, as (path, id). Paths start at `at`: `cards[0].picture`.
pub fn picture_places(value: &Json, at: &str) -> Vec<(String, String)> {
    match value {
        Json::Array(list) => {
            let entries = list.iter().enumerate();
            entries
                .flat_map(|(index, entry)| picture_places(entry, &format!("{at}[{index}]")))
                .collect()
        }
        Json::Object(object) => {
            let own = picture_id(object).map(|id| (at.to_owned(), id.to_owned()));
            let dot = if at.is_empty() { "" } else { "." };
            let inner = object
                .iter()
                .flat_map(|(name, inner)| picture_places(inner, &format!("{at}{dot}{name}")));
            own.into_iter().chain(inner).collect()
        }
        _ => Vec::new(),
    }
}

/// The text with the values of known settings inserted.
pub fn plain_text(kept: &Json, settings: &Map<String, Json>) -> String {
    said(&text_with_settings::parts(kept), settings).unwrap_or_default()
}

fn said(parts: &[Json], settings: &Map<String, Json>) -> Option<String> {
    let said_one = |part: &Json| match part {
        Json::String(words) => Some(words.clone()),
        Json::Object(object) => {
            if let Some(name) = object.get("setting").and_then(Json::as_str) {
                return settings.get(name)?.as_str().map(str::to_owned);
            }
            if let Some(until) = object.get("changed").and_then(Json::as_str) {
                return Some(until.to_owned());
            }
            let mut either = object.get("either")?.as_array()?.iter();
            let first = either.find_map(|parts| said(parts.as_array()?, settings));
            Some(first.unwrap_or_default())
        }
        _ => Some(String::new()),
    };
    parts.iter().map(said_one).collect()
}
