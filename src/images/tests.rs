//! Tests of the whole pipeline over pictures made here.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;

/// Four coloured quarters: red, green above; blue, white below.
fn quarters(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        match (x < width / 2, y < height / 2) {
            (true, true) => Rgb([220, 30, 30]),
            (false, true) => Rgb([30, 200, 30]),
            (true, false) => Rgb([30, 30, 220]),
            (false, false) => Rgb([250, 250, 250]),
        }
    })
}

fn stored(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn a_picture_of_each_format_gets_every_width_in_both_formats() {
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ] {
        let done = process(&stored(quarters(1500, 1000), format)).unwrap();
        assert_eq!((done.width, done.height), (1500, 1000));
        assert_eq!(done.widths, [320, 640, 960, 1280, 1500]);
        assert_eq!(done.variants.len(), 10);
        for variant in &done.variants {
            let decoded = image::load_from_memory(&variant.bytes).unwrap();
            let width: u32 = variant.name.split('.').next().unwrap().parse().unwrap();
            assert_eq!(decoded.width(), width, "{format:?} {}", variant.name);
        }
        assert!(done.placeholder.starts_with("data:image/webp;base64,"));
        assert!(done.placeholder.len() < 400);
    }
}

#[test]
fn a_social_preview_has_its_size_and_stays_small() {
    let noise = RgbImage::from_fn(1400, 900, |x, y| {
        let value = (x * 7919 + y * 104_729) ^ (x * y);
        Rgb([value.to_le_bytes()[0], value.to_le_bytes()[1], 90])
    });
    let noise = stored(noise, ImageFormat::Png);
    let long = "Il respiro circolare, ".repeat(30);
    let word = "m".repeat(200);
    for title in [
        "",
        "Rebirthing",
        "Ritiro di primavera sul lago — «città» 😀",
        &long,
        &word,
    ] {
        for picture in [None, Some(noise.as_slice())] {
            let bytes = social(picture, title, "Respiro", (50, 20)).unwrap();
            assert!(bytes.len() < 250_000);
            let shown = image::load_from_memory(&bytes).unwrap();
            assert_eq!((shown.width(), shown.height()), (1200, 630));
            if let Ok(folder) = std::env::var("RESPIRO_SHOW") {
                let name = format!("{folder}/{}-{}.jpg", title.len(), picture.is_some());
                std::fs::write(name, &bytes).unwrap();
            }
        }
    }
}
