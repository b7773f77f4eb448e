//! What the public site is made from: the published items, ordered, with settings and pictures.

use super::item::{Item, sort};
use super::kind::{Audience, Kind, Order};
use super::kinds::KINDS;
use super::picture::Pictures;
use super::schedule;
use super::settings::{SETTINGS, Settings};
use super::{kind::Holds, markdown};
use serde_json::{Map, Value as Json, json};

/// One consistent view of everything published. Pages are a pure function of it.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    pub public_url: String,
    pub demo: bool,
    pub settings: Settings,
    /// Published items by the kind's number, in public order.
    pub items: Vec<(u8, Vec<Item>)>,
    pub pictures: Pictures,
    /// Former slugs: public path to public path.
    pub redirects: Vec<(String, String)>,
}

impl Snapshot {
    /// The published items of a kind, in public order.
    pub fn published(&self, kind: &Kind) -> &[Item] {
        self.items
            .iter()
            .find(|(number, _)| *number == kind.number)
            .map_or(&[], |(_, items)| items.as_slice())
    }

    /// The JSON that the renderer's `plan` reads.
    pub fn to_json(&self) -> Json {
        let items: Map<String, Json> = KINDS
            .iter()
            .map(|kind| {
                let list = self
                    .published(kind)
                    .iter()
                    .map(|item| self.item_json(kind, item));
                (kind.slug.to_owned(), Json::Array(list.collect()))
            })
            .collect();
        json!({
            "publicUrl": self.public_url,
            "demo": self.demo,
            "settings": self.settings_json(),
            "items": items,
        })
    }

    /// The public settings, with a whole picture where a setting holds one.
    pub fn settings_json(&self) -> Json {
        let mut object = self.settings.to_json();
        for setting in SETTINGS
            .iter()
            .filter(|setting| setting.field.holds == Holds::Picture)
        {
            let name = setting.field.name;
            let picture = self
                .settings
                .values
                .get(name)
                .and_then(super::value::Value::picture_id)
                .and_then(|id| self.pictures.get(id));
            let json = picture.map_or(Json::Null, |picture| picture.to_json(Some(""), (50, 50)));
            object.insert(name.to_owned(), json);
        }
        Json::Object(object)
    }

    /// An item as pages get it: the public detail, and what Rust understands of its texts.
    fn item_json(&self, kind: &Kind, item: &Item) -> Json {
        let mut json = item.to_json(kind, &self.pictures, Audience::Detail);
        let Some(object) = json.as_object_mut() else {
            return json;
        };
        for field in kind.fields {
            match (field.name, field.holds) {
                ("date", _) => {
                    let schedule = schedule::read(item.text("date"), item.text("time"));
                    object.insert("schedule".to_owned(), json!(schedule));
                }
                (name, Holds::Markdown { .. }) => {
                    let html = item.text(name).map(markdown::to_html);
                    object.insert(format!("{name}Html"), json!(html));
                }
                _ => {}
            }
        }
        json
    }
}

/// Keeps the published items and puts them in the public order of their kind.
pub fn public_order(kind: &Kind, mut items: Vec<Item>) -> Vec<Item> {
    items.retain(|item| item.published);
    match kind.order {
        Order::Sorted => sort(&mut items),
        Order::NewestFirst => {
            items.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        }
    }
    items
}
