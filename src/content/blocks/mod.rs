//! Defines content blocks: the editable texts of the pages. The block definitions are written
//! beside the components (`ui/src/site/content/`) and exported by the UI build; none is listed
//! here.

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
pub use published_view::{
    PublishedBlock, alternative_texts, picture_ids, picture_places, plain_text,
};
pub use validation::{NO_AMOUNT, Strictness, validate};

use super::Timestamp;
use crate::{Error, FieldError, Result};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Maximum stored versions of a block, including the current one.
pub const VERSIONS_MAX: usize = 50;

/// The definition of one block, as the UI build exports it.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct BlockDefinition {
    pub id: String,
    /// Italian.
    pub label: String,
    pub pages: Vec<String>,
    pub fields: Vec<Field>,
    pub default: Json,
    pub hideable: bool,
    /// Fields whose statements the practitioner has to confirm as true.
    #[serde(default, rename = "toConfirm")]
    pub to_confirm: Vec<String>,
    /// The block quotes another person, so their consent is confirmed whatever the text.
    #[serde(default)]
    pub quotes: bool,
    /// Hash of the default, computed on first use.
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

/// A version of a block as stored: each save by the admin adds one.
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
    /// Hash of the default at the time of saving.
    pub default_hash: String,
}

/// A field of type [`FieldType::Entry`] with its value.
#[derive(Debug, PartialEq, Eq)]
pub struct EntryReference<'a> {
    /// For example `packages[0].parts[1].offer`.
    pub path: String,
    pub label: &'a str,
    /// Block and name of the list.
    pub list: (&'a str, &'a str),
    pub id: String,
}

impl EntryReference<'_> {
    /// The error of a reference to an entry that does not exist.
    pub fn error(&self) -> FieldError {
        let message = format!("«{}»: {}", self.label, validation::NO_CHOICE);
        FieldError::new(&self.path, message)
    }
}

/// All block definitions, in page order.
#[derive(Debug, Default)]
pub struct BlockDefinitions {
    pub list: Vec<BlockDefinition>,
    by_id: BTreeMap<String, usize>,
    /// Parsed defaults of the blocks with rich text.
    rich: BTreeMap<String, Arc<Json>>,
}

impl BlockDefinitions {
    /// Parses the JSON list that the UI build exports.
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

    /// The parsed default of a block with rich text.
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
    /// Hash of the default value.
    pub fn default_hash(&self) -> &str {
        let made = || hash(&[&self.default.to_string()]);
        self.default_hash.get_or_init(made)
    }

    /// The saved value with the fields of this release.
    pub fn own_value(&self, saved: Option<&SavedBlock>) -> Option<Json> {
        let value = saved.and_then(SavedBlock::own_value)?;
        Some(self.with_current_fields(value))
    }

    /// Completes a value of another release with the fields of this one.
    pub fn with_current_fields(&self, value: Json) -> Json {
        with_current_fields(&self.fields, value, Some(&self.default))
    }

    /// The label of the field at a path such as `offers[2].price`, or of the block.
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

    /// Returns the entries of other lists that a value names.
    pub fn entry_references(&self, value: &Json) -> Vec<EntryReference<'_>> {
        let mut found = Vec::new();
        collect_entry_references(&self.fields, value, "", &mut found);
        found
    }

    /// Whether the block is hidden. A block that this release does not allow to hide is shown.
    pub fn is_hidden(&self, saved: Option<&SavedBlock>) -> bool {
        self.hideable && saved.is_some_and(|saved| saved.hidden)
    }

    /// Identifier of the current version; changes too when a release changes the default.
    pub fn version(&self, saved: Option<&SavedBlock>) -> String {
        let revision = saved.map_or(0, |saved| saved.revision);
        let hidden = self.is_hidden(saved).to_string();
        let hash = match saved.and_then(|saved| saved.value.as_ref()) {
            Some(value) => hash(&[&hidden, value]),
            None => hash(&[&hidden, &self.default.to_string()]),
        };
        format!("{revision}-{hash}")
    }

    /// Returns a saved version as the JSON object of the panel's version list.
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
    /// The stored value, possibly of another release; `None` when the block follows its default.
    pub fn own_value(&self) -> Option<Json> {
        serde_json::from_str(self.value.as_deref()?).ok()
    }

    /// Ids of the pictures in the block, including those in fields that this release does not
    /// define.
    pub fn picture_ids(&self) -> Vec<String> {
        self.own_value()
            .map(|value| picture_ids(&value))
            .unwrap_or_default()
    }
}

/// Adds the default of fields that the value lacks and drops fields that are no longer defined:
/// another release may have saved it.
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

fn collect_entry_references<'a>(
    fields: &'a [Field],
    value: &Json,
    at: &str,
    found: &mut Vec<EntryReference<'a>>,
) {
    for field in fields {
        let path = format!("{at}{}", field.name);
        match (&field.holds, value.get(&field.name)) {
            (FieldType::Entry { of }, Some(Json::String(id))) => {
                found.extend(of.split_once(':').map(|list| EntryReference {
                    path,
                    label: &field.label,
                    list,
                    id: id.clone(),
                }));
            }
            (FieldType::List { fields, .. }, Some(Json::Array(entries))) => {
                for (index, entry) in entries.iter().enumerate() {
                    collect_entry_references(fields, entry, &format!("{path}[{index}]."), found);
                }
            }
            _ => {}
        }
    }
}

fn same_entry<'a>(list: Option<&'a Json>, entry: &Json) -> Option<&'a Json> {
    let mut entries = list?.as_array()?.iter();
    entries.find(|other| other.get("id") == entry.get("id"))
}

/// Short hash of the concatenated parts.
fn hash(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..6])
}
