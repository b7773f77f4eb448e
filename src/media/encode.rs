//! Writes WebP and JPEG, without any metadata.

use std::collections::HashSet;

use image::{DynamicImage, RgbImage};
use webp::{PixelLayout, WebPConfig};

use super::{ImageError, PAPER, Variant, undecodable};

pub(super) const WEBP: &str = "image/webp";
pub(super) const JPEG: &str = "image/jpeg";
pub(super) const MAIN_NAME: &str = "main";
pub(super) const WEBP_QUALITY: f32 = 78.0;
pub(super) const JPEG_QUALITY: u8 = 80;
pub(super) const MAIN_JPEG_QUALITY: u8 = 86;
pub(super) const PLACEHOLDER_WEBP_QUALITY: f32 = 30.0;
/// Measured: 6 takes twice the time for a tenth fewer bytes.
const WEBP_METHOD: i32 = 4;
/// Longest side that WebP can encode.
const WEBP_SIDE_PIXELS_MAX: u32 = 16_383;
/// A picture with at most this many colours may be line art, which is encoded losslessly where that
/// is smaller; see [`is_line_art`] for the other condition.
const DRAWING_COLOURS_MAX: usize = 256;
/// With at most this many colours (halftone dots), frequent changes do not exclude line art.
const RESTLESS_COLOURS_MAX: usize = 16;
const RESTLESS_PIXELS_MAX: usize = 4 * 1024 * 1024;

pub(super) fn variant(name: &str, mime: &'static str, bytes: Vec<u8>) -> Variant {
    let ending = if mime == WEBP { "webp" } else { "jpg" };
    let name = format!("{name}.{ending}");
    Variant { name, mime, bytes }
}

pub(super) fn webp_variant(
    name: &str,
    picture: &DynamicImage,
    drawing: bool,
) -> Result<Variant, ImageError> {
    let mut bytes = webp(picture, WEBP_QUALITY)?;
    if drawing {
        // Lossless encoding takes far more memory; when it fails, the lossy picture serves.
        let exact = encode_webp(picture, WEBP_QUALITY, true);
        if let Some(exact) = exact.ok().filter(|exact| exact.len() <= bytes.len()) {
            bytes = exact;
        }
    }
    Ok(variant(name, WEBP, bytes))
}

pub(super) fn jpeg_variant(
    name: &str,
    picture: &DynamicImage,
    quality: u8,
) -> Result<Variant, ImageError> {
    Ok(variant(name, JPEG, jpeg(picture, quality)?))
}

pub(super) fn webp(picture: &DynamicImage, quality: f32) -> Result<Vec<u8>, ImageError> {
    encode_webp(picture, quality, false)
}

fn encode_webp(
    picture: &DynamicImage,
    quality: f32,
    lossless: bool,
) -> Result<Vec<u8>, ImageError> {
    let (width, height) = (picture.width(), picture.height());
    if width.max(height) > WEBP_SIDE_PIXELS_MAX {
        return Err(ImageError::TooManyPixels);
    }
    let mut config = WebPConfig::new().map_err(undecodable)?;
    config.quality = quality;
    config.method = WEBP_METHOD;
    config.lossless = i32::from(lossless);
    let (layout, pixels) = match picture {
        DynamicImage::ImageRgb8(pixels) => (PixelLayout::Rgb, pixels.as_raw()),
        DynamicImage::ImageRgba8(pixels) => (PixelLayout::Rgba, pixels.as_raw()),
        _ => return Err(ImageError::Undecodable),
    };
    let encoder = webp::Encoder::new(pixels, layout, width, height);
    // The pixels were decoded, so the file is not damaged: memory is missing.
    let written = encoder.encode_advanced(&config);
    Ok(written.or(Err(ImageError::MemoryLimit))?.to_vec())
}

pub(super) fn jpeg(picture: &DynamicImage, quality: u8) -> Result<Vec<u8>, ImageError> {
    let width = u16::try_from(picture.width()).map_err(undecodable)?;
    let height = u16::try_from(picture.height()).map_err(undecodable)?;
    match picture {
        DynamicImage::ImageRgb8(pixels) => respiro_generics::jpeg(pixels, (width, height), quality),
        other => respiro_generics::jpeg(&flatten(other), (width, height), quality),
    }
    .map_err(undecodable)
}

/// Flattens alpha onto [`PAPER`].
pub(super) fn flatten(picture: &DynamicImage) -> RgbImage {
    if let DynamicImage::ImageRgb8(opaque) = picture {
        return opaque.clone();
    }
    let source = picture.to_rgba8();
    let mut flat = RgbImage::new(source.width(), source.height());
    for (target, pixel) in flat.pixels_mut().zip(source.pixels()) {
        let [red, green, blue, alpha] = pixel.0;
        let channels = [red, green, blue].into_iter().zip(PAPER);
        for (target, (channel, paper)) in target.0.iter_mut().zip(channels) {
            let alpha = u32::from(alpha);
            let mixed = u32::from(channel) * alpha + u32::from(paper) * (255 - alpha);
            *target = u8::try_from((mixed + 127) / 255).unwrap_or(u8::MAX);
        }
    }
    flat
}

/// Returns whether the picture is line art: few colours and few changes between neighbouring
/// pixels. A grey photograph has at most 256 colours but changes at every pixel; a large picture
/// with many changes takes more memory and time to encode losslessly than the limits allow.
pub(super) fn is_line_art(picture: &DynamicImage) -> bool {
    let channels = usize::from(picture.color().channel_count());
    let mut colours = HashSet::with_capacity(DRAWING_COLOURS_MAX + 1);
    let mut before: &[u8] = &[];
    let mut changes = 0;
    let pixels = picture.as_bytes().chunks_exact(channels);
    let count = pixels.len();
    for pixel in pixels {
        if pixel == before {
            continue;
        }
        before = pixel;
        changes += 1;
        colours.insert(pixel);
        if colours.len() > DRAWING_COLOURS_MAX {
            return false;
        }
    }
    let is_grey = |colour: &&[u8]| colour[..3].iter().all(|channel| *channel == colour[0]);
    let is_restless = changes > count / 2 && colours.len() > RESTLESS_COLOURS_MAX;
    !is_restless || count <= RESTLESS_PIXELS_MAX && !colours.iter().all(is_grey)
}
