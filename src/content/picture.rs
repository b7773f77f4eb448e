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
    /// The stored files by name: `main`, `original`, `edit`, `640.webp`, `640.jpg`.
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

/// Name of the file that serves the address without a variant.
pub const MAIN: &str = "main";
/// Name of the file that was uploaded. Never served: it still carries its metadata.
pub const ORIGINAL: &str = "original";
/// Name of the file with the [`PictureEdit`] as JSON; a picture that was not edited has none.
pub const EDIT: &str = "edit";

/// The files that are stored beside the variants and have no address of their own.
pub fn is_private_file(name: &str) -> bool {
    matches!(name, MAIN | ORIGINAL | EDIT)
}

/// Edit that the served files of a picture show: quarter turns, then a crop. The original stays as
/// it was uploaded.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    bincode::Encode,
    bincode::Decode,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct PictureEdit {
    /// Clockwise, at most 3.
    #[serde(default)]
    pub turns: u8,
    #[serde(default)]
    pub crop: Option<Crop>,
}

/// A rectangle in ten-thousandths of the width and height of the upright, turned picture.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    bincode::Encode,
    bincode::Decode,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Crop {
    pub left: u16,
    pub top: u16,
    pub width: u16,
    pub height: u16,
}

impl Crop {
    /// The whole width or height.
    pub const WHOLE: u16 = 10_000;
    /// The smallest side: a fiftieth of the picture.
    pub const SIDE_MIN: u16 = 200;
}

impl PictureEdit {
    /// Returns the edit with a crop of the whole picture left out; `None` if it reaches outside of
    /// the picture, keeps too little of it, or turns it by more than three quarters.
    pub fn checked(self) -> Option<Self> {
        let fits = |start: u16, length: u16| {
            length >= Crop::SIDE_MIN && u32::from(start) + u32::from(length) <= Crop::WHOLE.into()
        };
        let is_inside = |crop: Crop| fits(crop.left, crop.width) && fits(crop.top, crop.height);
        if self.turns > 3 || !self.crop.is_none_or(is_inside) {
            return None;
        }
        let is_part = |crop: &Crop| crop.width < Crop::WHOLE || crop.height < Crop::WHOLE;
        Some(Self {
            crop: self.crop.filter(is_part),
            ..self
        })
    }

    /// Whether the picture stays as it was uploaded.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
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

    /// Whether the served files show the original cropped or turned.
    pub fn is_edited(&self) -> bool {
        self.files.contains_key(EDIT)
    }

    /// The picture as the panel sees it, with the sizes of the upload and of all served files.
    pub fn to_admin_json(&self, alt: Option<&str>, focus: (u8, u8)) -> Json {
        let mut json = self.to_json(alt, focus);
        let all: u64 = self.files.values().map(|file| file.bytes).sum();
        let original = self.files.get(ORIGINAL).map_or(0, |file| file.bytes);
        json["bytes"] = json!({ "original": original, "served": all - original });
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cropped(left: u16, top: u16, width: u16, height: u16) -> PictureEdit {
        let crop = Crop {
            left,
            top,
            width,
            height,
        };
        PictureEdit {
            turns: 0,
            crop: Some(crop),
        }
    }

    #[test]
    fn a_crop_lies_inside_of_the_picture_and_keeps_some_of_it() {
        assert!(cropped(2_500, 0, 7_500, 10_000).checked().is_some());
        for wrong in [
            cropped(2_501, 0, 7_500, 10_000),
            cropped(0, 9_900, 10_000, 200),
            cropped(u16::MAX, 0, u16::MAX, 10_000),
            cropped(0, 0, 199, 10_000),
            cropped(0, 0, 10_000, 0),
            PictureEdit {
                turns: 4,
                crop: None,
            },
        ] {
            assert_eq!(wrong.checked(), None, "{wrong:?}");
        }
        let whole = cropped(0, 0, 10_000, 10_000).checked();
        assert_eq!(whole, Some(PictureEdit::default()));
    }
}
