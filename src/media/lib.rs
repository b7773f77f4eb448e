//! Turns an upload into the pictures the site serves, and draws link-preview images: bytes in,
//! bytes out.
//!
//! May name `respiro-content` (the record of a picture) and `respiro-generics`, nothing else of
//! ours; touches no file and no network. Invariants: the declared size is checked before memory is
//! allocated; every codec runs under limits of pixels and memory; nothing that is served carries
//! metadata. The server never decodes a picture itself: see [`sandbox`].

mod avif;
mod cicp;
mod colour;
mod confinement;
mod container_check;
mod decode;
mod decoded_image;
mod edit;
mod encode;
mod jpeg_scan;
mod messages;
mod og_image;
mod resize;
pub mod sandbox;
pub mod sandbox_protocol;
mod sniff;
mod yuv;

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::DynamicImage;
use sha2::{Digest, Sha256};

use respiro_content::picture::{EDIT, NewFile, ORIGINAL, PictureEdit};
use respiro_content::{Picture, StoredFile, Timestamp};

pub use og_image::{Background, social};

/// The token `paper`: behind pictures without transparency, and the frame of the site.
pub const PAPER: [u8; 3] = [0xFB, 0xF7, 0xF0];
/// The largest upload in bytes (contract, section 4); the HTTP layer enforces it while it reads the
/// body.
pub const UPLOAD_BYTES_MAX: usize = 10_485_760;
/// The most pixels a picture may declare.
pub const PIXELS_MAX: u64 = 64_000_000;
/// The longest side a picture may declare.
pub const SIDE_PIXELS_MAX: u32 = 65_535;
/// Memory that decoding one picture may take: the process stays within 300 MB.
const DECODE_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Longer sides are reduced to this. A photograph of 12 megapixels keeps its size.
const MAIN_SIDE_PIXELS_MAX: u32 = 4096;
/// Longer sides of pictures with alpha are reduced to this, more than a page shows: encoding colour
/// and alpha together takes 30 bytes a pixel, which 12 megapixels do not leave.
const MAIN_CLEAR_SIDE_PIXELS_MAX: u32 = 2048;
/// Widths offered to `srcset`, the smallest first.
const WIDTHS: [u32; 5] = [320, 640, 960, 1280, 1920];
const PLACEHOLDER_SIDE_PIXELS: u32 = 20;
const PLACEHOLDER_PREFIX: &str = "data:image/webp;base64,";

/// An accepted image format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum Format {
    Jpeg,
    Png,
    Webp,
    Gif,
    Avif,
}

impl Format {
    /// Detects the format from the first bytes; the file name and `Content-Type` are ignored.
    pub fn sniff(bytes: &[u8]) -> Result<Self, ImageError> {
        sniff::sniff(bytes)
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Avif => "image/avif",
        }
    }
}

/// Why an upload is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum ImageError {
    NotAnImage,
    Heic,
    TooManyPixels,
    TooManyFrames,
    /// A document, an archive or a program follows the picture.
    Polyglot,
    Undecodable,
    /// The colours are declared by numbers that this program cannot convert.
    UnknownColours,
    /// Within the limit of pixels, but the format cannot be decoded in parts and needs more memory
    /// than one picture may take.
    MemoryLimit,
}

/// Properties of an upload that its stored variants lack. A reduction from 16 to 8 bits per
/// channel is not listed, because browsers show sRGB pictures with 8.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Losses {
    /// It has several frames; only the first is shown.
    pub animation: bool,
    /// It was brighter than SDR: its highlights are compressed.
    pub hdr: bool,
}

impl Losses {
    /// Returns the names of what is lost, for clients of the API.
    pub fn names(self) -> Vec<&'static str> {
        let names = [(self.animation, "animation"), (self.hdr, "hdr")];
        names
            .into_iter()
            .filter_map(|(is, name)| is.then_some(name))
            .collect()
    }

    /// Returns the Italian sentence about what is lost.
    pub const fn explanation(self) -> Option<&'static str> {
        messages::of_losses(self)
    }
}

/// An encoded picture, ready to be stored and served.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The last segment of its address, such as `640.webp`.
    pub name: String,
    pub mime: &'static str,
    pub bytes: Vec<u8>,
}

/// The encoded pictures of one upload, without metadata.
#[derive(Debug, Clone)]
pub struct ProcessedImage {
    pub format: Format,
    /// Upright size of `main`.
    pub width: u32,
    pub height: u32,
    pub losses: Losses,
    /// What the pictures differ in from the upload.
    pub edit: PictureEdit,
    /// A tiny blurred picture as a `data:` address.
    pub placeholder: String,
    /// Widths in pixels, ascending; each has a WebP and a JPEG variant.
    pub widths: Vec<u32>,
    /// The picture that the address without a width or format serves.
    pub main: Variant,
    pub variants: Vec<Variant>,
}

impl ProcessedImage {
    /// Returns the record of a processed upload and the files to store.
    ///
    /// The original is stored but never served: it still carries its metadata, and better formats
    /// can be made from it later.
    pub fn into_picture(
        self,
        id: String,
        original: &[u8],
        created_at: Timestamp,
    ) -> (Picture, Vec<NewFile>) {
        let media_type = self.main.mime.to_owned();
        let original_type = self.format.media_type().to_owned();
        let mut files = vec![
            (ORIGINAL.to_owned(), original_type, original.to_vec()),
            ("main".to_owned(), media_type.clone(), self.main.bytes),
        ];
        if !self.edit.is_none() {
            let edit = serde_json::to_vec(&self.edit).unwrap_or_default();
            files.push((EDIT.to_owned(), "application/json".to_owned(), edit));
        }
        for variant in self.variants {
            files.push((variant.name, variant.mime.to_owned(), variant.bytes));
        }
        let stored = files.iter().map(|(name, media_type, bytes)| {
            let stored = StoredFile {
                media_type: media_type.clone(),
                hash: Sha256::digest(bytes).into(),
                bytes: bytes.len() as u64,
            };
            (name.clone(), stored)
        });
        let picture = Picture {
            id,
            width: self.width,
            height: self.height,
            placeholder: self.placeholder,
            widths: self.widths,
            media_type,
            created_at,
            files: stored.collect(),
        };
        (picture, files)
    }
}

/// Decodes, makes upright, reduces and encodes one upload.
///
/// Takes up to 300 MB: the caller runs one at a time. A panic of a decoder is
/// [`ImageError::Undecodable`].
pub fn process(bytes: &[u8]) -> Result<ProcessedImage, ImageError> {
    process_edited(bytes, PictureEdit::default())
}

/// The same with an edit of the upright picture.
pub fn process_edited(bytes: &[u8], edit: PictureEdit) -> Result<ProcessedImage, ImageError> {
    catch_panic(|| process_unguarded(bytes, edit))
}

/// Runs `work` and turns a panic of a decoder into [`ImageError::Undecodable`].
fn catch_panic<T>(work: impl FnOnce() -> Result<T, ImageError>) -> Result<T, ImageError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(ImageError::Undecodable))
}

/// Maps every error of a codec to [`ImageError::Undecodable`].
fn undecodable<E>(_: E) -> ImageError {
    ImageError::Undecodable
}

fn process_unguarded(bytes: &[u8], edit: PictureEdit) -> Result<ProcessedImage, ImageError> {
    let format = Format::sniff(bytes)?;
    let (main, losses) = decode_edited(format, bytes, edit)?;
    let drawing = format != Format::Jpeg && encode::is_line_art(&main);
    let (width, height) = (main.width(), main.height());
    let widths = widths_for(width);
    let main_variant = if drawing || main.color().has_alpha() {
        encode::webp_variant(encode::MAIN_NAME, &main, drawing)?
    } else {
        encode::jpeg_variant(encode::MAIN_NAME, &main, encode::MAIN_JPEG_QUALITY)?
    };
    let mut variants = Vec::with_capacity(widths.len() * 2);
    // Each width is made from the next larger one: the main picture is read only once.
    let mut larger = main;
    for &narrower in widths.iter().rev() {
        larger = resize::to_width(larger, narrower)?;
        let name = narrower.to_string();
        variants.push(encode::webp_variant(&name, &larger, drawing)?);
        variants.push(encode::jpeg_variant(&name, &larger, encode::JPEG_QUALITY)?);
    }
    let placeholder = placeholder(larger)?;
    Ok(ProcessedImage {
        format,
        width,
        height,
        losses,
        edit,
        placeholder,
        widths,
        main: main_variant,
        variants,
    })
}

/// Decodes to an upright picture in sRGB, 8 bits a channel, no larger than the main picture may be.
fn decode_upright(format: Format, bytes: &[u8]) -> Result<(DynamicImage, Losses), ImageError> {
    decode_edited(format, bytes, PictureEdit::default())
}

/// The same with an edit of the upright picture.
fn decode_edited(
    format: Format,
    bytes: &[u8],
    edit: PictureEdit,
) -> Result<(DynamicImage, Losses), ImageError> {
    let mut decoded = decode::decode(format, bytes)?;
    decoded.picture = edit::crop(decoded.picture, edit, decoded.orientation);
    let side_max = if decoded.picture.color().has_alpha() {
        MAIN_CLEAR_SIDE_PIXELS_MAX
    } else {
        MAIN_SIDE_PIXELS_MAX
    };
    let reduced = resize::to_fit(decoded.picture, side_max)?;
    let mut picture = colour::to_srgb(reduced, decoded.profile.as_ref());
    picture.apply_orientation(decoded.orientation);
    Ok((edit::turn(picture, edit), decoded.losses))
}

/// Returns the widths below the picture's own, then its own or 1920; widths within a tenth of it
/// are left out.
fn widths_for(width: u32) -> Vec<u32> {
    let largest = width.min(1920);
    let mut widths: Vec<u32> = WIDTHS
        .into_iter()
        .filter(|w| w * 11 / 10 <= largest)
        .collect();
    widths.push(largest);
    widths
}

fn placeholder(picture: DynamicImage) -> Result<String, ImageError> {
    let tiny = resize::to_fit(picture, PLACEHOLDER_SIDE_PIXELS)?;
    let bytes = encode::webp(&tiny, encode::PLACEHOLDER_WEBP_QUALITY)?;
    Ok(format!("{PLACEHOLDER_PREFIX}{}", STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests;
