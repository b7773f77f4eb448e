//! Defines the record of a stored picture. The blob store holds the bytes.

use super::time::Timestamp;
use super::value::picture_path;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Default focal point, in percent from left and top.
const CENTRE: (u8, u8) = (50, 50);
/// Typical position of a face in a tall photograph, from a portrait to a standing person.
const TALL_FOCUS: (u8, u8) = (50, 22);

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

/// A file of a picture on its way into the store: name, media type, bytes.
pub type NewFile = (String, String, Vec<u8>);

impl Picture {
    /// Returns the focal point in percent from left and top: the chosen one, or a proposed one.
    ///
    /// The centre means that no point was chosen. In tall photographs faces are in the upper third,
    /// so cropping around the centre cut heads off.
    pub fn focus(&self, chosen: (u8, u8)) -> (u8, u8) {
        if chosen == CENTRE && self.height > self.width {
            TALL_FOCUS
        } else {
            chosen
        }
    }

    /// The picture as clients see it. `alt` is `None` when no alternative text exists.
    pub fn to_json(&self, alt: Option<&str>, chosen_focus: (u8, u8)) -> Json {
        let (focus_x, focus_y) = self.focus(chosen_focus);
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

    /// The picture as the panel sees it, with the sizes of the upload and of all served files.
    pub fn to_admin_json(&self, alt: Option<&str>, focus: (u8, u8)) -> Json {
        let mut json = self.to_json(alt, focus);
        let all: u64 = self.files.values().map(|file| file.bytes).sum();
        let original = self.files.get("original").map_or(0, |file| file.bytes);
        json["bytes"] = json!({ "original": original, "served": all - original });
        json
    }
}
