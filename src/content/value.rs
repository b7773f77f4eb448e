//! Defines the value of one field, as stored and as clients see it.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Path prefix under which uploads are served.
pub const UPLOAD_PREFIX: &str = "/objects/uploads/";

/// A checked value of one field. An empty field has no value at all.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum Value {
    Text(String),
    Integer(i64),
    Boolean(bool),
    /// Id of an upload.
    Picture(String),
    /// Ids of the uploads that a text references, stored beside the text so that finding pictures
    /// in use needs no Markdown parsing.
    Pictures(Vec<String>),
}

impl Value {
    pub fn picture_id(&self) -> Option<&str> {
        match self {
            Self::Picture(id) => Some(id),
            _ => None,
        }
    }

    /// Every picture that the value references.
    pub fn picture_ids(&self) -> &[String] {
        match self {
            Self::Picture(id) => std::slice::from_ref(id),
            Self::Pictures(ids) => ids,
            _ => &[],
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Suffix of the key under which the picture ids of a Markdown field are stored.
pub const PICTURES_OF_TEXT: &str = "Pictures";

/// Fields by name: a field that a later release adds needs no migration.
pub type Values = BTreeMap<String, Value>;

/// A value as clients see it.
pub fn value_json(value: &Value) -> Json {
    match value {
        Value::Text(text) => json!(text),
        Value::Integer(number) => json!(number),
        Value::Boolean(boolean) => json!(boolean),
        Value::Picture(id) => json!(picture_path(id)),
        Value::Pictures(ids) => json!(ids),
    }
}

/// The path an upload is served at.
pub fn picture_path(id: &str) -> String {
    format!("{UPLOAD_PREFIX}{id}")
}
