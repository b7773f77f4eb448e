//! Blocks of words: what the site says, each with a definition that stands beside the components
//! (`ui/src/site/words/`). The build writes the definitions out; nothing of them is listed here.

mod admin_view;
mod attestation;
mod change;
mod link_validation;
mod picture_validation;
mod published_view;
mod rich_text;
mod text_with_settings;
mod validation;

pub use admin_view::AdminView;
pub use attestation::Attestation;
pub use change::Change;
pub use published_view::{PublishedBlock, picture_ids, picture_places, plain_text};
pub use validation::{NO_AMOUNT, Strictness, validate};

use super::Timestamp;
use crate::{Error, Result};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Versions of a block that are kept, the present one among them.
pub const VERSIONS_MAX: usize = 50;

/// One block, as the build wrote it.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct BlockDefinition {
    pub id: String,
    /// Italian.
    pub label: String,
    pub pages: Vec<String>,
    pub fields: Vec<Field>,
    pub default: Json,
    pub hideable: bool,
    /// Names of the fields whose words are hers to find true; none where nothing is asked.
    #[serde(default, rename = "toConfirm")]
    pub to_confirm: Vec<String>,
    /// Somebody else is quoted: that they agreed is asked whatever it says.
    #[serde(default)]
    pub quotes: bool,
    /// Of the default, once somebody has asked.
    #[serde(skip)]
    default_hash: OnceLock<String>,
}

#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Field {
    pub name: String,
    pub label: String,
    #[serde(flatten)]
    pub holds: FieldType,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

#[derive(Debug, serde::Serialize, serde::Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum FieldType {
    Line {
        max: usize,
    },
    Paragraphs {
        max: usize,
    },
    RichText {
        max: usize,
    },
    Amount,
    Integer {
        min: i64,
        max: i64,
    },
    Year,
    Link,
    Picture,
    Choice {
        choices: Vec<String>,
    },
    /// An entry of another list by its id: `of` is the list's block and place, as `block:list`.
    Entry {
        of: String,
    },
    List {
        min: usize,
        max: usize,
        fields: Vec<Field>,
    },
}

/// A block as somebody saved it.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct SavedBlock {
    pub id: String,
    /// From 1, one more with each save.
    pub revision: u64,
    /// JSON; `None` follows the default.
    pub value: Option<String>,
    pub hidden: bool,
    pub saved_at: Timestamp,
    /// E-mail address; empty for the operator's commands.
    pub account: String,
    /// Which default it was written over.
    pub default_hash: String,
}

/// All blocks, in the order of the pages.
#[derive(Debug)]
pub struct BlockDefinitions {
    pub list: Vec<BlockDefinition>,
    by_id: BTreeMap<String, usize>,
    /// Those whose default has to be read before a page can show it.
    rich: BTreeMap<String, Arc<Json>>,
}

impl BlockDefinitions {
    /// Reads the list that the UI build writes.
    pub fn from_json(json: &str) -> Result<Self> {
        let list = serde_json::from_str(json).map_err(Error::BlockDefinitions)?;
        Ok(Self::new(list))
    }

    fn new(list: Vec<BlockDefinition>) -> Self {
        let places = list.iter().enumerate();
        let by_id = places.map(|(place, block)| (block.id.clone(), place));
        let rich = list.iter().filter(|block| has_rich(&block.fields));
        let nothing = super::Pictures::new();
        let rich = rich.map(|block| {
            let shown =
                published_view::publish_fields(&block.fields, block.default.clone(), &nothing);
            (block.id.clone(), Arc::new(shown))
        });
        Self {
            by_id: by_id.collect(),
            rich: rich.collect(),
            list,
        }
    }

    pub fn find(&self, id: &str) -> Option<&BlockDefinition> {
        self.list.get(*self.by_id.get(id)?)
    }

    /// A default that pages cannot read by themselves.
    pub(super) fn rich_default(&self, id: &str) -> Option<&Arc<Json>> {
        self.rich.get(id)
    }
}

fn has_rich(fields: &[Field]) -> bool {
    fields.iter().any(|field| match &field.holds {
        FieldType::RichText { .. } => true,
        FieldType::List { fields, .. } => has_rich(fields),
        _ => false,
    })
}

impl BlockDefinition {
    /// What a value that is not hers is.
    pub fn default_hash(&self) -> &str {
        let made = || hash(&[&self.default.to_string()]);
        self.default_hash.get_or_init(made)
    }

    /// What she saved, as this release knows the block.
    pub fn own_value(&self, saved: Option<&SavedBlock>) -> Option<Json> {
        let value = saved.and_then(SavedBlock::own_value)?;
        Some(self.with_current_fields(value))
    }

    /// A value that another release wrote, with the fields of this one.
    pub fn with_current_fields(&self, value: Json) -> Json {
        with_current_fields(&self.fields, value, Some(&self.default))
    }

    /// What the field at a place such as `offers[2].price` is called; else what the block is.
    pub fn label_at(&self, place: &str) -> &str {
        let mut fields = &self.fields;
        let mut label = &self.label;
        for step in place.split('.') {
            let name = step.split('[').next();
            let Some(field) = fields.iter().find(|field| Some(&*field.name) == name) else {
                break;
            };
            label = &field.label;
            match &field.holds {
                FieldType::List { fields: inside, .. } => fields = inside,
                _ => break,
            }
        }
        label
    }

    /// Another release may no longer let it be hidden.
    pub fn is_hidden(&self, saved: Option<&SavedBlock>) -> bool {
        self.hideable && saved.is_some_and(|saved| saved.hidden)
    }

    /// Names what stands: also a default that another release changed is another version.
    pub fn version(&self, saved: Option<&SavedBlock>) -> String {
        let revision = saved.map_or(0, |saved| saved.revision);
        let hidden = self.is_hidden(saved).to_string();
        let hash = match saved.and_then(|saved| saved.value.as_ref()) {
            Some(value) => hash(&[&hidden, value]),
            None => hash(&[&hidden, &self.default.to_string()]),
        };
        format!("{revision}-{hash}")
    }

    /// A version as the list of versions tells it.
    pub fn version_json(&self, saved: &SavedBlock) -> Json {
        json!({
            "version": self.version(Some(saved)),
            "value": self.own_value(Some(saved)).unwrap_or_else(|| self.default.clone()),
            "hidden": self.is_hidden(Some(saved)),
            "savedAt": super::time::rfc3339(saved.saved_at),
            "account": saved.account,
        })
    }
}

impl SavedBlock {
    /// As it was saved, maybe by another release; `None` where the default is followed.
    pub fn own_value(&self) -> Option<Json> {
        serde_json::from_str(self.value.as_deref()?).ok()
    }

    /// Ids of the pictures in it. What a later release does not define any more still holds them.
    pub fn picture_ids(&self) -> Vec<String> {
        self.own_value()
            .map(|value| picture_ids(&value))
            .unwrap_or_default()
    }
}

/// The value with what a field that it does not know yet is by default, and without what no field
/// holds any more: another release saved it.
fn with_current_fields(fields: &[Field], value: Json, default: Option<&Json>) -> Json {
    let mut known = match value {
        Json::Object(known) => known,
        _ => Map::new(),
    };
    let mut whole = Map::new();
    whole.extend(known.remove_entry("id"));
    for field in fields {
        let of_default = default.and_then(|default| default.get(&field.name));
        let own = match (&field.holds, known.remove(&field.name)) {
            (_, None) => of_default.cloned().unwrap_or(Json::Null),
            (FieldType::List { fields, .. }, Some(Json::Array(entries))) => entries
                .into_iter()
                .map(|entry| {
                    let same = same_entry(of_default, &entry);
                    with_current_fields(fields, entry, same)
                })
                .collect(),
            (_, Some(own)) => own,
        };
        whole.insert(field.name.clone(), own);
    }
    Json::Object(whole)
}

fn same_entry<'a>(list: Option<&'a Json>, entry: &Json) -> Option<&'a Json> {
    let mut entries = list?.as_array()?.iter();
    entries.find(|other| other.get("id") == entry.get("id"))
}

/// Of the parts as one text.
fn hash(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..6])
}
