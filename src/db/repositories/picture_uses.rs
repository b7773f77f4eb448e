//! The places that show each image, and the alternative text it has there.

use super::pictures::StoredPictures;
use crate::error::Result;
use crate::repositories::trash::TrashRow;
use crate::tables::{self, ITEMS, TRASH, WORDS};
use respiro_content::blocks::{self, SavedBlock};
use respiro_content::value::PICTURES_OF_TEXT;
use respiro_content::{Item, Timestamp, Value, collection_by_number, markdown};
use std::collections::BTreeMap;

/// Uses by the id of the image.
pub type PictureUses = BTreeMap<String, Vec<PictureUse>>;

/// A use of an image: the place that shows it, and the alternative text there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureUse {
    pub place: PicturePlace,
    /// The alternative text of the image in this place; `None` where it has none.
    pub alt: Option<String>,
    /// When the record of the place was last changed.
    pub changed_at: Timestamp,
}

/// A record that refers to images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PicturePlace {
    /// The collection is its slug.
    Item {
        collection: &'static str,
        id: String,
        title: Option<String>,
        is_published: bool,
    },
    /// An item in the trash.
    Trashed {
        collection: &'static str,
        title: Option<String>,
    },
    /// The id of a content block.
    Block(String),
    /// The name of a setting.
    Setting(String),
}

impl StoredPictures<'_> {
    /// Returns the uses of all images in items, the trash, content blocks and settings. Former
    /// versions and drafts of the panel keep images too, but no page shows those.
    pub fn uses(&self) -> Result<PictureUses> {
        let mut uses = PictureUses::new();
        for (key, item) in tables::records::<Item>(self.0.tables, ITEMS, b"")? {
            let number = key.first().copied().unwrap_or_default();
            let Some(collection) = collection_by_number(number) else {
                continue;
            };
            add_item(&mut uses, &item, || PicturePlace::Item {
                collection: collection.slug,
                id: item.id.clone(),
                title: title(&item),
                is_published: item.published,
            });
        }
        for (_, row) in tables::records::<TrashRow>(self.0.tables, TRASH, b"")? {
            let Some(collection) = collection_by_number(row.collection_number) else {
                continue;
            };
            add_item(&mut uses, &row.item, || PicturePlace::Trashed {
                collection: collection.slug,
                title: title(&row.item),
            });
        }
        for (_, saved) in tables::records::<SavedBlock>(self.0.tables, WORDS, b"")? {
            let value = saved.own_value().unwrap_or_default();
            for (id, alt) in blocks::alternative_texts(&value) {
                let place = PicturePlace::Block(saved.id.clone());
                add(&mut uses, id, place, alt, saved.saved_at);
            }
        }
        for (name, value) in self.0.settings().get()?.values {
            if let Value::Picture(id) = value {
                add(&mut uses, id, PicturePlace::Setting(name), None, 0);
            }
        }
        Ok(uses)
    }
}

fn title(item: &Item) -> Option<String> {
    item.text("title").or(item.text("name")).map(str::to_owned)
}

fn add_item(uses: &mut PictureUses, item: &Item, place: impl Fn() -> PicturePlace) {
    for (name, value) in &item.values {
        match value {
            Value::Picture(id) => {
                let is_decorative =
                    item.values.get("imageDecorative") == Some(&Value::Boolean(true));
                let alt = item.text("imageAlt").filter(|_| !is_decorative);
                let alt = alt.map(str::to_owned);
                add(uses, id.clone(), place(), alt, item.updated_at);
            }
            Value::Pictures(ids) => {
                let text = name.strip_suffix(PICTURES_OF_TEXT);
                let text = text.and_then(|name| item.text(name)).unwrap_or_default();
                let mut texts = markdown::alternative_texts(text);
                for id in ids {
                    let alt = texts.remove(id);
                    add(uses, id.clone(), place(), alt, item.updated_at);
                }
            }
            Value::Text(_) | Value::Integer(_) | Value::Boolean(_) => {}
        }
    }
}

/// A place that shows the image twice counts once.
fn add(
    uses: &mut PictureUses,
    id: String,
    place: PicturePlace,
    alt: Option<String>,
    changed_at: Timestamp,
) {
    let of_id = uses.entry(id).or_default();
    match of_id.iter_mut().find(|other| other.place == place) {
        Some(same) => same.alt = same.alt.take().or(alt),
        None => of_id.push(PictureUse {
            place,
            alt,
            changed_at,
        }),
    }
}
