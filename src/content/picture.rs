//! Facts about a stored picture, as pages and clients need them. The bytes live in the store.

use super::item::picture_path;
use super::time::Timestamp;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Pictures by id.
pub type Pictures = BTreeMap<String, Picture>;

/// One finished upload.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Picture {
    pub id: String,
    /// Upright, in pixels.
    pub width: u32,
    pub height: u32,
    /// A tiny picture as a `data:` address, shown until the real one has arrived.
    pub placeholder: String,
    /// Widths that exist as variants, ascending, each as `{width}.webp` and `{width}.jpg`.
    pub widths: Vec<u32>,
    /// Media type of the main file.
    pub media_type: String,
    pub created_at: Timestamp,
    /// The stored files by name: `main`, `original`, `640.webp`, `640.jpg`.
    pub files: BTreeMap<String, StoredFile>,
}

/// One blob of a picture.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct StoredFile {
    pub media_type: String,
    /// SHA-256 of the bytes, which is also the blob's key: equal bytes are stored once.
    pub hash: [u8; 32],
    pub bytes: u64,
}

impl Picture {
    /// The picture as clients see it. `alt` is `None` while nobody has written one.
    pub fn to_json(&self, alt: Option<&str>, (focus_x, focus_y): (u8, u8)) -> Json {
        let url = picture_path(&self.id);
        json!({
            "social": format!("{url}/social.jpg"),
            "url": url,
            "width": self.width,
            "height": self.height,
            "placeholder": self.placeholder,
            "alt": alt,
            "focusX": focus_x,
            "focusY": focus_y,
            "widths": self.widths,
            "formats": ["webp", "jpeg"],
        })
    }
}
