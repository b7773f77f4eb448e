//! Brings a picture's colours to sRGB, which is what a picture without a profile means on the web.

use image::{DynamicImage, GrayImage, RgbImage, RgbaImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Parses an ICC profile. An unreadable one is ignored, as programs without colour management do.
pub(super) fn read(profile: &[u8]) -> Option<ColorProfile> {
    ColorProfile::new_from_slice(profile).ok()
}

/// Converts to sRGB. Returns RGB for opaque pictures, RGBA for others.
pub(super) fn to_srgb(picture: DynamicImage, profile: Option<&ColorProfile>) -> DynamicImage {
    let picture = drop_opaque_alpha(picture);
    let converted = profile.and_then(|profile| convert(&picture, profile));
    let picture = converted.unwrap_or(picture);
    if picture.color().has_alpha() {
        picture.into_rgba8().into()
    } else {
        picture.into_rgb8().into()
    }
}

/// Drops an alpha channel that is opaque everywhere.
fn drop_opaque_alpha(picture: DynamicImage) -> DynamicImage {
    let opaque = match &picture {
        DynamicImage::ImageLumaA8(pixels) => pixels.pixels().all(|pixel| pixel.0[1] == u8::MAX),
        DynamicImage::ImageRgba8(pixels) => pixels.pixels().all(|pixel| pixel.0[3] == u8::MAX),
        _ => false,
    };
    match (opaque, &picture) {
        (true, DynamicImage::ImageLumaA8(_)) => picture.into_luma8().into(),
        (true, _) => picture.into_rgb8().into(),
        (false, _) => picture,
    }
}

fn convert(picture: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    let (width, height) = (picture.width(), picture.height());
    match profile.color_space {
        DataColorSpace::Gray => {
            // Grey with alpha is rare enough to be left as it is.
            let DynamicImage::ImageLuma8(pixels) = picture else {
                return None;
            };
            let pixels: &GrayImage = pixels;
            let rgb = run(profile, Layout::Gray, pixels.as_raw(), Layout::Rgb)?;
            RgbImage::from_raw(width, height, rgb).map(DynamicImage::ImageRgb8)
        }
        DataColorSpace::Rgb if picture.color().has_alpha() => {
            let rgba = run(
                profile,
                Layout::Rgba,
                picture.to_rgba8().as_raw(),
                Layout::Rgba,
            )?;
            RgbaImage::from_raw(width, height, rgba).map(DynamicImage::ImageRgba8)
        }
        DataColorSpace::Rgb => {
            let rgb = run(
                profile,
                Layout::Rgb,
                picture.to_rgb8().as_raw(),
                Layout::Rgb,
            )?;
            RgbImage::from_raw(width, height, rgb).map(DynamicImage::ImageRgb8)
        }
        _ => None,
    }
}

/// Cyan, magenta, yellow and black (255: full ink) to sRGB, by the profile or else by what each ink
/// leaves of the paper's light.
pub(super) fn from_cmyk(pixels: &[u8], profile: Option<&ColorProfile>) -> Vec<u8> {
    let profile = profile.filter(|profile| profile.color_space == DataColorSpace::Cmyk);
    let converted = profile.and_then(|profile| run(profile, Layout::Rgba, pixels, Layout::Rgb));
    converted.unwrap_or_else(|| {
        let shade = |ink: u8, black: u8| {
            let light = u16::from(u8::MAX - ink) * u16::from(u8::MAX - black) / 255;
            u8::try_from(light).unwrap_or(u8::MAX)
        };
        let inks = pixels.chunks_exact(4);
        inks.flat_map(|inks| [inks[0], inks[1], inks[2]].map(|ink| shade(ink, inks[3])))
            .collect()
    })
}

fn run(profile: &ColorProfile, from: Layout, pixels: &[u8], to: Layout) -> Option<Vec<u8>> {
    let srgb = ColorProfile::new_srgb();
    let transform = profile
        .create_transform_8bit(from, &srgb, to, TransformOptions::default())
        .ok()?;
    let mut converted = vec![0; pixels.len() / from.channels() * to.channels()];
    transform.transform(pixels, &mut converted).ok()?;
    Some(converted)
}
