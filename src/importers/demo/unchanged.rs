//! Finds the examples that the admin has not changed: they have the texts and the picture that the
//! program brings. Place in the list and visibility do not count.

use super::{Drawings, SOURCES, invalid_content, read_items};
use crate::error::Result;
use respiro_content::{Changes, Collection, Item, Value, collection_by_slug};
use respiro_db::Reader;
use serde_json::{Map, Value as Json};

/// The file of a picture that the admin or the program supplied.
const ORIGINAL: &str = "original";

/// Returns collection and id of every unchanged example; nothing for a site without examples.
pub fn unchanged(reader: &Reader<'_>) -> Result<Vec<(&'static Collection, String)>> {
    let mut found = Vec::new();
    if !reader.is_demo()? {
        return Ok(found);
    }
    for (slug, file, prefix) in SOURCES {
        let collection = collection_by_slug(slug).ok_or_else(|| invalid_content(slug))?;
        let examples = read_items(file)?;
        for item in reader.items().list(collection)? {
            for (position, body) in examples.iter().enumerate() {
                let drawing = prefix.map(|prefix| format!("{prefix}-{}", position + 1));
                if has_texts(collection, &item, body)?
                    && has_picture(reader, &item, drawing.as_deref())?
                {
                    found.push((collection, item.id.clone()));
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// Returns whether the item has the values of an example and no others. The store adds a slug to
/// an item without one.
fn has_texts(collection: &Collection, item: &Item, body: &Map<String, Json>) -> Result<bool> {
    let mut body = body.clone();
    body.remove("imageUrl");
    let hint = body.remove("imageHint");
    body.extend(hint.map(|hint| ("imageAlt".to_owned(), hint)));
    let example = Changes::parse(collection, &body)?;
    let slug = collection.slug_field().map(|field| field.name);
    let mut fields = collection.all_fields().map(|field| field.name);
    Ok(fields.all(|name| {
        let own = item.values.get(name);
        match example.values.get(name) {
            Some(value) => value.as_ref() == own,
            // Set by the store, not by a person.
            None if name == "imageUrl" || Some(name) == slug => true,
            None if name == "imageDecorative" => !body.contains_key("imageAlt") || own.is_none(),
            None => own.is_none() || is_default(own),
        }
    }))
}

/// Forms send a switch that is off and a focal point in the middle, too.
fn is_default(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Boolean(false) | Value::Integer(50)))
}

/// Returns whether the item has the picture of an example, or none where that has none.
fn has_picture(reader: &Reader<'_>, item: &Item, drawing: Option<&str>) -> Result<bool> {
    let id = item.values.get("imageUrl").and_then(Value::picture_id);
    let drawn = drawing.and_then(|stem| {
        let is_it = |name: &str| {
            let name = name.trim_start_matches("pictures/");
            name.split('.').next() == Some(stem)
        };
        let name = Drawings::iter().find(|name| is_it(name))?;
        Some(Drawings::get(&name)?.metadata.sha256_hash())
    });
    let Some(id) = id else {
        return Ok(drawn.is_none());
    };
    let picture = reader.pictures().get(id)?;
    let original = picture.and_then(|picture| Some(picture.files.get(ORIGINAL)?.hash));
    Ok(original.is_some() && original == drawn)
}
