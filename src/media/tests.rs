//! Tests of the whole pipeline over pictures made here.

use std::io::Cursor;

use flate2::Crc;
use image::codecs::gif::GifEncoder;
use image::{
    DynamicImage, Frame, GrayImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage, Rgba, RgbaImage,
};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use moxcms::ColorProfile;

use super::*;

const RED: [u8; 3] = [220, 30, 30];
const GREEN: [u8; 3] = [30, 200, 30];
const BLUE: [u8; 3] = [30, 30, 220];
const WHITE: [u8; 3] = [250, 250, 250];

/// The quarters below as AVIF (Rust writes none): plain, turned by a quarter, with alpha from
/// clear above to solid below.
const AVIF: &str = "\
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAA\
    AAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAYgAAAChpaW5mAAAA\
    AAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAKAAAAB4A\
    AAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQB\
    AoMEAAAAam1kYXQSAAoJGBUn60QENBoQMlNE8eHhmUBhhh+EAAAC8JkywF6ad+/YdGm6fgqcHny4mEP76rRmEMN3\
    L1eZhcqvuS7OhzS8vjbFkOfGlQh76sHnKwM0TULUI2qiBdVbUL8tR93k1A==";
const AVIF_TURNED: &str = "\
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD1bWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAA\
    AAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEdAAAAYgAAAChpaW5mAAAA\
    AAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAB0aXBycAAAAFRpcGNvAAAAFGlzcGUAAAAAAAAAKAAAAB4A\
    AAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAAAlpcm90AwAAABhpcG1hAAAA\
    AAAAAAEAAQUBAoMEhQAAAGptZGF0EgAKCRgVJ+tEBDQaEDJTRPHh4ZlAYYYfhAAAAvCZMsBemnfv2HRpun4KnB58\
    uJhD++q0ZhDDdy9XmYXKr7kuzoc0vL42xZDnxpUIe+rB5ysDNE1C1CNqogXVW1C/LUfd5NQ=";
const AVIF_ALPHA: &str = "\
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAGGbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAA\
    AAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAHVAAAAYgACAAAAAQAAAa4A\
    AAAnAAAAQmlpbmYAAAAAAAIAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxw\
    aGEAAAAAGmlyZWYAAAAAAAAADmF1eGwAAgABAAEAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAAKAAAAB4A\
    AAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAAA5waXhpAAAAAAEIAAAADGF2\
    MUOBABwAAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAe\
    aXBtYQAAAAAAAAACAAEEAQKDBAACBAEFhgcAAACRbWRhdBIACgYYFSfrCoAyGxNACCEAu6FRhj/ADxDyddvUCJwa\
    C4NaMF6ngBIACgkYFSfrRAQ0GhAyU0Tx4eGZQGGGH4QAAALwmTLAXpp379h0abp+CpwefLiYQ/vqtGYQw3cvV5mF\
    yq+5Ls6HNLy+NsWQ58aVCHvqwecrAzRNQtQjaqIF1VtQvy1H3eTU";

const AVIF_DEEP: &[u8] = include_bytes!("../../tests/data/pictures/deep10.avif");
const AVIF_DEEPER: &[u8] = include_bytes!("../../tests/data/pictures/deep12.avif");
const AVIF_LIMITED: &[u8] = include_bytes!("../../tests/data/pictures/limited10.avif");
const AVIF_GRID: &[u8] = include_bytes!("../../tests/data/pictures/grid.avif");
const AVIF_PQ: &[u8] = include_bytes!("../../tests/data/pictures/hdrpq.avif");
const AVIF_BT2020: &[u8] = include_bytes!("../../tests/data/pictures/bt2020.avif");
const AVIF_FILM: &[u8] = include_bytes!("../../tests/data/pictures/anim.avif");
const WEBP_ANIMATED: &[u8] = include_bytes!("../../tests/data/pictures/anim.webp");
const JPEG_WITHOUT_END: &[u8] = include_bytes!("../../tests/data/pictures/no-eoi.jpg");
const JPEG_OF_HALF_A_SCAN: &[u8] = include_bytes!("../../tests/data/pictures/half-scan.jpg");
const JPEG_OF_LIBJPEG: &[u8] = include_bytes!("../../tests/data/pictures/refined.jpg");
const PNG_WITHOUT_END: &[u8] = include_bytes!("../../tests/data/pictures/no-iend.png");

/// Four coloured quarters: red, green above; blue, white below.
fn quarters(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        match (x < width / 2, y < height / 2) {
            (true, true) => Rgb(RED),
            (false, true) => Rgb(GREEN),
            (true, false) => Rgb(BLUE),
            (false, false) => Rgb(WHITE),
        }
    })
}

fn stored(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn jpeg_with(picture: &RgbImage, dress: impl FnOnce(&mut Encoder<&mut Vec<u8>>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Encoder::new(&mut bytes, 92);
    dress(&mut writer);
    let [width, height] = [picture.width(), picture.height()].map(|side| side.try_into().unwrap());
    writer
        .encode(picture.as_raw(), width, height, ColorType::Rgb)
        .unwrap();
    bytes
}

fn exif(orientation: u8) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    bytes.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend(b"GPS SecretPlace");
    bytes
}

fn shown(bytes: &[u8]) -> DynamicImage {
    image::load_from_memory(bytes).unwrap()
}

fn near(found: [u8; 3], wanted: [u8; 3]) -> bool {
    found
        .iter()
        .zip(wanted)
        .all(|(found, wanted)| found.abs_diff(wanted) < 24)
}

/// The colours in the middle of the four quarters.
fn corners(picture: &DynamicImage) -> [[u8; 3]; 4] {
    let picture = picture.to_rgb8();
    let (width, height) = picture.dimensions();
    [(1, 1), (3, 1), (1, 3), (3, 3)]
        .map(|(x, y)| picture.get_pixel(width * x / 4, height * y / 4).0)
}

fn assert_corners(picture: &DynamicImage, wanted: [[u8; 3]; 4], what: &str) {
    let found = corners(picture);
    assert!(
        found
            .iter()
            .zip(wanted)
            .all(|(found, wanted)| near(*found, wanted)),
        "{what}: {found:?}"
    );
}

fn avif(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

/// One small file of every format, with its name.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let picture = quarters(64, 48);
    vec![
        ("sample.jpg", stored(picture.clone(), ImageFormat::Jpeg)),
        ("sample.png", stored(picture.clone(), ImageFormat::Png)),
        ("sample.webp", stored(picture.clone(), ImageFormat::WebP)),
        ("sample.gif", stored(picture, ImageFormat::Gif)),
        ("sample.avif", avif(AVIF)),
        ("alpha.avif", avif(AVIF_ALPHA)),
        ("deep.avif", AVIF_DEEP.to_vec()),
        ("grid.avif", AVIF_GRID.to_vec()),
    ]
}

#[test]
fn a_picture_of_each_format_gets_every_width_in_both_formats() {
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ] {
        let done = process(&stored(quarters(700, 400), format)).unwrap();
        assert_eq!((done.width, done.height), (700, 400));
        assert_eq!(done.widths, [320, 700]);
        assert_eq!(done.variants.len(), 4);
        for variant in &done.variants {
            let width: u32 = variant.name.split('.').next().unwrap().parse().unwrap();
            let decoded = shown(&variant.bytes);
            assert_eq!(decoded.width(), width, "{format:?} {}", variant.name);
            assert_corners(&decoded, [RED, GREEN, BLUE, WHITE], &variant.name);
        }
        assert!(done.placeholder.starts_with("data:image/webp;base64,"));
        assert!(done.placeholder.len() < 400);
    }
}

#[test]
fn widths_never_exceed_the_picture_and_close_ones_are_left_out() {
    assert_eq!(widths_for(4032), [320, 640, 960, 1280, 1920]);
    assert_eq!(widths_for(1300), [320, 640, 960, 1300]);
    assert_eq!(widths_for(40), [40]);
}

#[test]
fn an_avif_is_decoded_turned_and_keeps_its_alpha() {
    let plain = process(&avif(AVIF)).unwrap();
    assert_corners(
        &shown(&plain.main.bytes),
        [RED, GREEN, BLUE, WHITE],
        "plain",
    );
    let turned = process(&avif(AVIF_TURNED)).unwrap();
    assert_eq!((turned.width, turned.height), (30, 40));
    assert_corners(
        &shown(&turned.main.bytes),
        [BLUE, RED, WHITE, GREEN],
        "turned",
    );
    let faded = shown(&process(&avif(AVIF_ALPHA)).unwrap().main.bytes).to_rgba8();
    assert!(faded.get_pixel(5, 1).0[3] < 40 && faded.get_pixel(5, 28).0[3] > 215);
}

#[test]
fn deep_and_tiled_avifs_show_the_same_quarters() {
    for (name, bytes, size) in [
        ("10 bits", AVIF_DEEP, (40, 30)),
        ("12 bits", AVIF_DEEPER, (40, 30)),
        ("limited range", AVIF_LIMITED, (40, 30)),
        ("tiles", AVIF_GRID, (256, 192)),
    ] {
        let done = process(bytes).unwrap();
        assert_eq!((done.width, done.height), size, "{name}");
        assert_corners(&shown(&done.main.bytes), [RED, GREEN, BLUE, WHITE], name);
    }
}

#[test]
fn all_eight_orientations_end_upright() {
    let picture = quarters(64, 48);
    let wanted = [
        [RED, GREEN, BLUE, WHITE],
        [GREEN, RED, WHITE, BLUE],
        [WHITE, BLUE, GREEN, RED],
        [BLUE, WHITE, RED, GREEN],
        [RED, BLUE, GREEN, WHITE],
        [BLUE, RED, WHITE, GREEN],
        [WHITE, GREEN, BLUE, RED],
        [GREEN, WHITE, RED, BLUE],
    ];
    for (orientation, wanted) in (1..).zip(wanted) {
        let bytes = jpeg_with(&picture, |writer| {
            writer.add_exif_metadata(&exif(orientation)).unwrap();
        });
        let done = process(&bytes).unwrap();
        let size = if orientation < 5 { (64, 48) } else { (48, 64) };
        assert_eq!((done.width, done.height), size, "orientation {orientation}");
        for bytes in [
            &done.main.bytes,
            &done.variants[0].bytes,
            &done.variants[1].bytes,
        ] {
            assert_corners(&shown(bytes), wanted, &format!("orientation {orientation}"));
        }
    }
}

#[test]
fn a_display_p3_picture_is_brought_to_srgb() {
    let picture = RgbImage::from_pixel(40, 30, Rgb([200, 100, 80]));
    let profile = ColorProfile::new_display_p3().encode().unwrap();
    let tagged = jpeg_with(&picture, |writer| writer.add_icc_profile(&profile).unwrap());
    let [red, green, _] = corners(&shown(&process(&tagged).unwrap().main.bytes))[0];
    assert!(red > 206 && green < 99, "{red} {green}");
    let broken = jpeg_with(&picture, |writer| {
        writer.add_icc_profile(&profile[..90]).unwrap();
    });
    let left = corners(&shown(&process(&broken).unwrap().main.bytes))[0];
    assert!(near(left, [200, 100, 80]), "{left:?}");
}

#[test]
fn broken_exif_is_tolerated() {
    let picture = quarters(64, 48);
    let whole = exif(6);
    for length in 1..whole.len() {
        let bytes = jpeg_with(&picture, |writer| {
            writer.add_exif_metadata(&whole[..length]).unwrap();
        });
        process(&bytes).unwrap();
    }
}

#[test]
fn nothing_of_the_metadata_or_of_a_hidden_tail_is_left() {
    let profile = ColorProfile::new_display_p3().encode().unwrap();
    let mut bytes = jpeg_with(&quarters(64, 48), |writer| {
        writer.add_exif_metadata(&exif(1)).unwrap();
        writer.add_icc_profile(&profile).unwrap();
        let xmp = b"http://ns.adobe.com/xap/1.0/\0SecretPlace".to_vec();
        writer.add_app_segment(1, xmp).unwrap();
    });
    bytes.extend(b"\0\0\0\x18ftypmp42SecretPlace");
    let done = process(&bytes).unwrap();
    for variant in done.variants.iter().chain([&done.main]) {
        let marks: [&[u8]; 7] = [
            b"Exif",
            b"EXIF",
            b"ICC_PROFILE",
            b"ICCP",
            b"ns.adobe",
            b"XMP ",
            b"SecretPlace",
        ];
        for mark in marks {
            let found = variant.bytes.windows(mark.len()).any(|part| part == mark);
            assert!(
                !found,
                "{} in {}",
                String::from_utf8_lossy(mark),
                variant.name
            );
        }
    }
}

#[test]
fn alpha_stays_in_webp_and_becomes_paper_in_jpeg() {
    let picture = RgbaImage::from_fn(64, 48, |x, _| {
        Rgba([200, 30, 30, if x < 32 { 0 } else { 255 }])
    });
    let done = process(&stored(picture, ImageFormat::Png)).unwrap();
    assert_eq!(done.main.mime, "image/webp");
    for variant in &done.variants {
        let decoded = shown(&variant.bytes);
        if variant.mime == "image/webp" {
            assert_eq!(decoded.to_rgba8().get_pixel(8, 8).0[3], 0);
        } else {
            assert!(near(decoded.to_rgb8().get_pixel(8, 8).0, PAPER));
        }
    }
}

#[test]
fn deep_grey_and_cmyk_pictures_are_understood() {
    let deep = ImageBuffer::from_pixel(40, 30, Rgb([0xDC00_u16, 0x1E00, 0x1E00]));
    let done = process(&stored(DynamicImage::ImageRgb16(deep), ImageFormat::Png)).unwrap();
    assert!(near(corners(&shown(&done.main.bytes))[0], RED));
    let grey = DynamicImage::ImageRgb8(quarters(64, 48)).into_luma8();
    process(&stored(grey, ImageFormat::Jpeg)).unwrap();
    for kind in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        let mut bytes = Vec::new();
        let inks = [0, 255, 255, 0].repeat(40 * 30);
        Encoder::new(&mut bytes, 90)
            .encode(&inks, 40, 30, kind)
            .unwrap();
        let found = corners(&shown(&process(&bytes).unwrap().main.bytes))[0];
        assert!(near(found, [255, 0, 0]), "{kind:?} {found:?}");
    }
}

/// A profile of inks that all look the same, green: header, one tag, a table of two steps an ink
/// (ICC.1:2001, 6.1 and 6.5.8). The library's own writer makes tables that nothing reads.
fn green_inks() -> Vec<u8> {
    let ramp = [0_u16, u16::MAX];
    // Lightness 50, a -60, b 40.
    let green = [0x7F80_u16, 0x4400, 0xA800];
    let mut table = b"mft2\0\0\0\0\x04\x03\x02\0".to_vec();
    for place in 0..9 {
        let one = if place % 4 == 0 { 1_u32 << 16 } else { 0 };
        table.extend(one.to_be_bytes());
    }
    let entries = [2_u16, 2].into_iter();
    let numbers = entries
        .chain(ramp.repeat(4))
        .chain(green.repeat(16))
        .chain(ramp.repeat(3));
    table.extend(numbers.flat_map(u16::to_be_bytes));
    let mut profile = vec![0; 128];
    profile[8..12].copy_from_slice(&[2, 0x40, 0, 0]);
    profile[12..24].copy_from_slice(b"prtrCMYKLab ");
    profile[36..40].copy_from_slice(b"acsp");
    profile[68..80].copy_from_slice(&[0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]);
    let offset = 128 + 16;
    let lengths = [1, u32::from_be_bytes(*b"A2B0"), offset];
    profile.extend(lengths.into_iter().flat_map(u32::to_be_bytes));
    profile.extend(u32::try_from(table.len()).unwrap().to_be_bytes());
    profile.extend(table);
    let length = u32::try_from(profile.len()).unwrap().to_be_bytes();
    profile[..4].copy_from_slice(&length);
    profile
}

#[test]
fn a_profile_of_inks_is_honoured_and_a_broken_one_left_aside() {
    let profile = green_inks();
    for kind in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        for (profile, wanted) in [
            (&profile[..], [0, 142, 41]),
            (&profile[..profile.len() / 2], [255, 0, 0]),
        ] {
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(&mut bytes, 90);
            encoder.add_icc_profile(profile).unwrap();
            let inks = [0, 255, 255, 0].repeat(40 * 30);
            encoder.encode(&inks, 40, 30, kind).unwrap();
            let found = corners(&shown(&process(&bytes).unwrap().main.bytes))[0];
            assert!(near(found, wanted), "{kind:?} {found:?}");
        }
    }
}

#[test]
fn a_jpeg_in_a_scan_per_channel_keeps_its_colours() {
    for sampling in [
        SamplingFactor::F_1_1,
        SamplingFactor::F_2_1,
        SamplingFactor::F_2_2,
    ] {
        for (width, height) in [(64, 48), (88, 88), (90, 51)] {
            let bytes = jpeg_with(&quarters(width, height), |writer| {
                writer.set_optimized_huffman_tables(true);
                writer.set_sampling_factor(sampling);
                writer.add_exif_metadata(&exif(3)).unwrap();
            });
            let scans = bytes
                .windows(2)
                .filter(|pair| *pair == [0xFF, 0xDA])
                .count();
            assert_eq!(scans, 3, "the encoder writes a scan per channel");
            let done = process(&bytes).unwrap();
            assert_eq!((done.width, done.height), (width, height));
            let shown = shown(&done.main.bytes);
            let turned = [WHITE, BLUE, GREEN, RED];
            assert_corners(&shown, turned, &format!("{sampling:?} {width}x{height}"));
        }
    }
    for kind in [ColorType::Luma, ColorType::Cmyk, ColorType::CmykAsYcck] {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 90);
        encoder.set_optimized_huffman_tables(true);
        let (pixels, wanted) = match kind {
            ColorType::Luma => (vec![200; 40 * 30], [200; 3]),
            _ => ([0, 255, 255, 0].repeat(40 * 30), [255, 0, 0]),
        };
        encoder.encode(&pixels, 40, 30, kind).unwrap();
        let found = corners(&shown(&process(&bytes).unwrap().main.bytes))[0];
        assert!(near(found, wanted), "{kind:?} {found:?}");
    }
}

#[test]
fn only_the_first_frame_of_an_animation_counts() {
    let mut bytes = Vec::new();
    let mut writer = GifEncoder::new(&mut bytes);
    let frame = |colour: [u8; 3]| {
        let [red, green, blue] = colour;
        Frame::new(RgbaImage::from_pixel(12, 10, Rgba([red, green, blue, 255])))
    };
    writer.encode_frame(frame(RED)).unwrap();
    for _ in 0..999 {
        writer.encode_frame(frame(BLUE)).unwrap();
    }
    drop(writer);
    let done = process(&bytes).unwrap();
    assert_corners(&shown(&done.main.bytes), [RED; 4], "first frame");
    assert!(done.losses.animation);
}

/// Regression: an animation became a still picture without a word.
#[test]
fn an_animation_is_told_from_a_still_picture() {
    let still = stored(quarters(64, 48), ImageFormat::Png);
    let animated = png_with_chunk(&still, b"acTL\0\0\0\x02\0\0\0\0");
    for (name, bytes) in [
        ("avif", AVIF_FILM),
        ("webp", WEBP_ANIMATED),
        ("png", animated.as_slice()),
    ] {
        let losses = process(bytes).unwrap().losses;
        assert_eq!(losses.names(), ["animation"], "{name}");
        assert!(losses.explanation().unwrap().contains("animazione"));
    }
    for (name, bytes) in samples() {
        assert_eq!(process(&bytes).unwrap().losses, Losses::default(), "{name}");
    }
}

#[test]
fn an_animation_of_thousands_of_frames_is_refused() {
    let mut gif = Vec::new();
    let mut writer = GifEncoder::new(&mut gif);
    for _ in 0..=1000 {
        let frame = RgbaImage::from_pixel(2, 2, Rgba([9, 9, 9, 255]));
        writer.encode_frame(Frame::new(frame)).unwrap();
    }
    drop(writer);
    let still = stored(quarters(64, 48), ImageFormat::Png);
    let png = png_with_chunk(&still, b"acTL\0\0\x10\0\0\0\0\0");
    let mut webp = stored(quarters(64, 48), ImageFormat::WebP);
    webp.extend(b"ANMF\x01\0\0\0x\0".repeat(1001));
    let length = u32::try_from(webp.len() - 8).unwrap();
    webp[4..8].copy_from_slice(&length.to_le_bytes());
    for bytes in [gif, png, webp] {
        assert_eq!(process(&bytes).unwrap_err(), ImageError::TooManyFrames);
    }
}

/// Found by mutation: a canvas of 40 by 30 around a frame of 16,383 by 16,383, in 144 bytes.
#[test]
fn a_frame_larger_than_its_canvas_is_refused_before_decoding() {
    let bytes = include_bytes!("../../tests/data/pictures/huge-frame.webp");
    let refused = container_check::webp(bytes).unwrap_err();
    assert_eq!(refused, ImageError::Undecodable);
    let clear = RgbaImage::from_pixel(40, 30, Rgba([9, 9, 9, 99]));
    let lossy = process(&stored(clear, ImageFormat::Png)).unwrap();
    for file in lossy.variants.iter().chain([&lossy.main]) {
        if file.mime == encode::WEBP {
            container_check::webp(&file.bytes).unwrap();
            process(&file.bytes).unwrap();
        }
    }
}

#[test]
fn a_file_that_is_two_things_is_refused() {
    for (name, bytes) in samples() {
        // Boxes of an AVIF fill the file; what follows them is no box.
        let wanted = if name.ends_with("avif") {
            ImageError::Undecodable
        } else {
            ImageError::Polyglot
        };
        for tail in [
            &b"<script>alert(1)</script>"[..],
            b"\r\n<!doctype html>",
            b"<?php system(1)",
            b"\0\0PK\x03\x04archive",
            b"%PDF-1.7",
            b"#!/bin/sh",
            b"MZ\x90",
        ] {
            let both = [bytes.as_slice(), tail].concat();
            assert_eq!(process(&both).unwrap_err(), wanted, "{name}");
        }
    }
}

#[test]
fn what_is_no_picture_is_named() {
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    assert_eq!(process(heic).unwrap_err(), ImageError::Heic);
    assert!(ImageError::Heic.explanation().contains("iPhone"));
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    for bytes in [
        &b""[..],
        svg,
        b"%PDF-1.7",
        b"GIF",
        b"RIFF\0\0\0\0WAVE",
        b"\0\0\0\x18ftypisom",
    ] {
        assert_eq!(process(bytes).unwrap_err(), ImageError::NotAnImage);
    }
}

#[test]
fn a_file_cut_off_anywhere_before_its_end_marker_is_refused() {
    for (name, bytes) in samples() {
        let end_marker = match name.split('.').next_back() {
            // The last byte of a GIF only says that no frame follows.
            Some("gif") => 1,
            Some("jpg") => 2,
            Some("png") => 12,
            _ => 0,
        };
        let whole = bytes.len() - end_marker;
        if end_marker > 0 {
            process(&bytes[..whole]).unwrap();
            process(&bytes[..bytes.len() - 1]).unwrap();
        }
        for length in (0..whole).step_by(7).chain([whole - 1]) {
            assert!(process(&bytes[..length]).is_err(), "{name} cut to {length}");
        }
    }
}

/// Regression: JPEGs of some phones and old cameras end without the marker, and browsers show them
/// whole; a JPEG that lacked 40 bytes of its picture was taken, with a grey corner.
#[test]
fn a_missing_end_marker_is_no_missing_row() {
    let colours = corners(&shown(&process(JPEG_WITHOUT_END).unwrap().main.bytes));
    let whole = [JPEG_WITHOUT_END, &[0xFF, 0xD9]].concat();
    assert_eq!(
        colours,
        corners(&shown(&process(&whole).unwrap().main.bytes))
    );
    process(PNG_WITHOUT_END).unwrap();
    assert_eq!(
        process(JPEG_OF_HALF_A_SCAN).unwrap_err(),
        ImageError::Undecodable
    );
}

/// Every way in which an encoder may order the blocks of a JPEG.
#[test]
fn a_jpeg_that_lacks_the_end_of_its_last_scan_is_refused_with_and_without_end_marker() {
    let picture = RgbImage::from_fn(203, 117, |x, y| {
        Rgb([x * y, x ^ y, x + y].map(|value| value.to_le_bytes()[0]))
    });
    let mut codings = 0;
    for factor in [
        SamplingFactor::F_1_1,
        SamplingFactor::F_2_2,
        SamplingFactor::F_2_1,
    ] {
        for is_progressive in [false, true] {
            for restart_interval in [0, 7] {
                for is_optimized in [false, true] {
                    let bytes = jpeg_with(&picture, |writer| {
                        writer.set_sampling_factor(factor);
                        writer.set_progressive(is_progressive);
                        writer.set_restart_interval(restart_interval);
                        writer.set_optimized_huffman_tables(is_optimized);
                    });
                    let end = bytes.len() - 2;
                    assert_eq!(jpeg_scan::complete(&bytes, true), Some(end));
                    assert_eq!(jpeg_scan::complete(&bytes[..end], false), Some(end));
                    for missing in 1..20 {
                        let mut cut = bytes[..end - missing].to_vec();
                        assert_eq!(jpeg_scan::complete(&cut, false), None, "{missing}");
                        cut.extend([0xFF, 0xD9]);
                        assert_eq!(jpeg_scan::complete(&cut, true), None, "{missing}");
                    }
                    codings += 1;
                }
            }
        }
    }
    assert_eq!(codings, 24);
}

/// Scans that refine coefficients, as libjpeg writes them; jpeg-encoder has none.
#[test]
fn a_progressive_jpeg_of_libjpeg_is_complete_only_with_its_last_scan() {
    let bytes = JPEG_OF_LIBJPEG;
    let end = bytes.len() - 2;
    assert_eq!(jpeg_scan::complete(bytes, true), Some(end));
    assert_eq!(jpeg_scan::complete(&bytes[..end], false), Some(end));
    process(&bytes[..end]).unwrap();
    for cut in [end - 1, end - 9, end - 100, end / 2, end / 3] {
        assert_eq!(jpeg_scan::complete(&bytes[..cut], false), None, "{cut}");
    }
}

/// Regression: primaries and curve were ignored; only Display P3 was read. The values are those
/// that Chromium shows.
#[test]
fn colours_by_numbers_are_those_that_browsers_show() {
    let first = |bytes: &[u8]| {
        let done = process(bytes).unwrap();
        (corners(&shown(&done.main.bytes))[0], done.losses.hdr)
    };
    let (wide, is_hdr) = first(AVIF_BT2020);
    assert!(near(wide, [247, 0, 29]) && !is_hdr, "{wide:?}");
    let (bright, is_hdr) = first(AVIF_PQ);
    assert!(near(bright, [255, 0, 0]) && is_hdr, "{bright:?}");
    // The box: primaries, transfer, matrix, range.
    let with = |numbers: [u8; 3]| {
        let mut bytes = AVIF_BT2020.to_vec();
        let at = bytes.windows(4).position(|name| name == b"nclx").unwrap() + 4;
        for (index, number) in numbers.into_iter().enumerate() {
            bytes[at + index * 2 + 1] = number;
        }
        bytes
    };
    let (hlg, is_hdr) = first(&with([9, 18, 9]));
    assert!(hlg[0] > 180 && hlg[1] < 30 && is_hdr, "{hlg:?}");
    let (green_orange, is_hdr) = first(&with([1, 13, 8]));
    assert!(
        near(green_orange, [184, 60, 24]) && !is_hdr,
        "{green_orange:?}"
    );
    // Constant luminance, ICtCp, and HDR with the primaries of film.
    for unknown in [[9, 16, 10], [9, 16, 14], [8, 16, 9]] {
        let refused = process(&with(unknown)).unwrap_err();
        assert_eq!(refused, ImageError::UnknownColours);
    }
}

fn png_with_chunk(png: &[u8], name_and_body: &[u8]) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(name_and_body);
    let length = u32::try_from(name_and_body.len() - 4)
        .unwrap()
        .to_be_bytes();
    let chunk = [&length, name_and_body, &sum.sum().to_be_bytes()].concat();
    [&png[..33], &chunk, &png[33..]].concat()
}

#[test]
fn a_png_with_code_points_is_mapped_too() {
    let pixel = Rgb([200_u16, 40, 41].map(|channel| channel * 257));
    let deep = DynamicImage::ImageRgb16(ImageBuffer::from_pixel(20, 10, pixel));
    let flat = RgbImage::from_pixel(20, 10, Rgb([200, 40, 41]));
    for (png, points, wanted, is_hdr) in [
        (
            stored(deep.clone(), ImageFormat::Png),
            [9, 16],
            [255, 0, 0],
            true,
        ),
        (
            stored(flat.clone(), ImageFormat::Png),
            [9, 16],
            [255, 0, 0],
            true,
        ),
        (
            stored(flat.clone(), ImageFormat::Png),
            [9, 1],
            [247, 0, 29],
            false,
        ),
        (
            stored(flat, ImageFormat::Png),
            [1, 13],
            [200, 40, 41],
            false,
        ),
    ] {
        let [primaries, transfer] = points;
        let chunk = [b"cICP", [primaries, transfer, 0, 1].as_slice()].concat();
        let done = process(&png_with_chunk(&png, &chunk)).unwrap();
        let shown = corners(&shown(&done.main.bytes))[0];
        assert!(near(shown, wanted), "{points:?} {shown:?}");
        assert_eq!(done.losses.hdr, is_hdr, "{points:?}");
    }
    let clear = RgbaImage::from_pixel(20, 10, Rgba([200, 40, 41, 99]));
    let png = png_with_chunk(&stored(clear, ImageFormat::Png), b"cICP\x09\x10\0\x01");
    let done = image::load_from_memory(&process(&png).unwrap().main.bytes).unwrap();
    assert_eq!(done.to_rgba8().get_pixel(9, 5).0[3], 99);
}

#[test]
fn changed_bytes_never_end_the_process() {
    for (name, bytes) in samples() {
        for at in (0..bytes.len()).step_by(5) {
            let mut changed = bytes.clone();
            changed[at] ^= 0xA5;
            // Either answer is right; a picture that comes out must be a whole one.
            if let Ok(done) = process(&changed) {
                assert!(!done.main.bytes.is_empty(), "{name} changed at {at}");
            }
        }
    }
}

#[test]
fn declared_sizes_are_refused_before_decoding() {
    let mut png = stored(quarters(64, 48), ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0x1F, 0x41, 0, 0, 0x1F, 0x40]);
    let mut sum = Crc::new();
    sum.update(&png[12..29]);
    png[29..33].copy_from_slice(&sum.sum().to_be_bytes());
    assert_eq!(process(&png).unwrap_err(), ImageError::TooManyPixels);

    let mut gif = stored(quarters(64, 48), ImageFormat::Gif);
    gif[6..10].fill(0xFF);
    assert_eq!(process(&gif).unwrap_err(), ImageError::TooManyPixels);

    let mut jpeg = stored(quarters(64, 48), ImageFormat::Jpeg);
    let frame = jpeg
        .windows(2)
        .position(|pair| pair == [0xFF, 0xC0])
        .unwrap();
    jpeg[frame + 5..frame + 9].fill(0xFF);
    assert_eq!(process(&jpeg).unwrap_err(), ImageError::TooManyPixels);
}

/// The refusal named the limit of 64 megapixels, which the picture did not exceed.
#[test]
fn what_only_its_format_makes_too_large_is_told_so() {
    let mut jpeg = jpeg_with(&quarters(64, 48), |writer| writer.set_progressive(true));
    let frame = jpeg
        .windows(2)
        .position(|pair| pair == [0xFF, 0xC2])
        .unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x1F, 0x40, 0x1F, 0x40]);
    assert_eq!(process(&jpeg).unwrap_err(), ImageError::MemoryLimit);
}

/// Once decoded whole and halved then: one of 64 megapixels took 212 MB.
#[test]
fn a_very_large_photograph_is_decoded_at_half_its_size() {
    let bytes = jpeg_with(&quarters(6_001, 5_601), |_| {});
    let half = decode::decode(Format::Jpeg, &bytes).unwrap().picture;
    assert_eq!((half.width(), half.height()), (3_001, 2_801));
    assert_corners(&half, [RED, GREEN, BLUE, WHITE], "half");
}

/// Once decoded whole: 256 MB for 64 megapixels, and twelve bytes for each deep pixel, which
/// was refused from 22 megapixels on.
#[test]
fn a_very_large_png_is_halved_while_its_rows_come() {
    let mut deep = ImageBuffer::from_pixel(5_001, 4_601, Rgba([0xFFFF_u16, 0, 0, 0xFFFF]));
    let lower = deep.len() / 4_601 * 2_300;
    let lower = deep.get_mut(lower..).unwrap();
    for pixel in lower.chunks_exact_mut(4) {
        pixel.copy_from_slice(&[0, 0, 0xFFFF, 0x8000]);
    }
    let bytes = stored(DynamicImage::ImageRgba16(deep), ImageFormat::Png);
    let half = decode::decode(Format::Png, &bytes).unwrap().picture;
    assert_eq!((half.width(), half.height()), (2_500, 2_300));
    let half = half.into_rgba8();
    assert_eq!(half.get_pixel(0, 1_149).0, [255, 0, 0, 255]);
    assert_eq!(half.get_pixel(2_499, 1_150).0, [0, 0, 255, 128]);
    let cut = &bytes[..bytes.len() / 2];
    let whole = [cut, &bytes[bytes.len() - 12..]].concat();
    assert!(decode::decode(Format::Png, &whole).is_err());
}

/// Grey has 256 levels, so each photograph in black and white was kept exact as a drawing: one of
/// ten megapixels took more memory and time than a picture may, and was refused as damaged.
#[test]
fn a_photograph_in_black_and_white_is_no_drawing() {
    let noise = |x: u32, y: u32| (x * 7_919 + y * 104_729).wrapping_mul(2_654_435_761) >> 24;
    let made = |pixel: &dyn Fn(u32, u32) -> u32| {
        let grey = GrayImage::from_fn(400, 300, |x, y| Luma([pixel(x, y).to_le_bytes()[0]]));
        process(&stored(DynamicImage::ImageLuma8(grey), ImageFormat::Png)).unwrap()
    };
    let photograph = made(&|x, y| (x / 2 + noise(x, y) % 8).min(255));
    assert_eq!(photograph.main.mime, encode::JPEG);
    let letters_with_soft_edges = made(&|x, y| if x % 20 < 16 { 255 } else { noise(x, y) });
    let dots = made(&|x, y| if noise(x, y) > 128 { 255 } else { 0 });
    for drawing in [letters_with_soft_edges, dots] {
        assert_eq!(drawing.main.mime, encode::WEBP);
    }
    let coloured = |side: u32| {
        let cycle: Vec<u8> = (0..64).flat_map(|colour| [200, 30, colour]).collect();
        let pixels = RgbImage::from_raw(
            64,
            side * side / 64,
            cycle.repeat((side * side / 64) as usize),
        );
        encode::is_line_art(&DynamicImage::ImageRgb8(pixels.unwrap()))
    };
    assert!(coloured(64) && !coloured(2_112));
}

/// Transparency is compressed beside the colours, both at once: above this it took all memory that
/// the process may have.
#[test]
fn a_large_picture_with_transparency_becomes_smaller_than_a_photograph() {
    let clear = RgbaImage::from_pixel(2_600, 40, Rgba([9, 90, 200, 99]));
    let made = process(&stored(clear, ImageFormat::Png)).unwrap();
    assert_eq!((made.width, made.widths.last()), (2_048, Some(&1_920)));
    let opaque = RgbImage::from_pixel(2_600, 40, Rgb([9, 90, 200]));
    let made = process(&stored(opaque, ImageFormat::Png)).unwrap();
    assert_eq!(made.width, 2_600);
}

#[test]
fn an_answer_survives_the_pipe_and_a_forged_one_does_not() {
    for (name, bytes) in samples() {
        let done = process(&bytes).unwrap();
        let sent = sandbox_protocol::encode(Ok(done.clone())).unwrap();
        let came = sandbox_protocol::decode(&sent).unwrap().unwrap();
        assert_eq!(format!("{came:?}"), format!("{done:?}"), "{name}");
        for length in [0, 1, 12, sent.len() - 1] {
            assert!(
                sandbox_protocol::decode(&sent[..length]).is_none(),
                "{name} cut to {length}"
            );
        }
        assert!(sandbox_protocol::decode(&[sent.as_slice(), b"x"].concat()).is_none());
    }
    let refused = sandbox_protocol::encode(Err(ImageError::TooManyPixels)).unwrap();
    let refused = sandbox_protocol::decode(&refused).unwrap();
    assert_eq!(refused.unwrap_err(), ImageError::TooManyPixels);
    let done = process(&stored(quarters(700, 400), ImageFormat::Png)).unwrap();
    let forged: [fn(&mut ProcessedImage); 4] = [
        |made| made.placeholder = format!("{PLACEHOLDER_PREFIX}\"><script>"),
        |made| made.placeholder = "https://example.com/a.png".to_owned(),
        |made| made.widths = vec![700, 320],
        |made| made.variants.truncate(1),
    ];
    for forge in forged {
        let mut made = done.clone();
        forge(&mut made);
        assert!(sandbox_protocol::decode(&sandbox_protocol::encode(Ok(made)).unwrap()).is_none());
    }
}

/// Returns samples that the files lack: other JPEG codings, metadata, alpha, 16-bit colour.
fn more_samples() -> Vec<(&'static str, Vec<u8>)> {
    let picture = quarters(64, 48);
    let profile = ColorProfile::new_display_p3().encode().unwrap();
    let clear = RgbaImage::from_fn(40, 30, |x, y| {
        Rgba([x, y, 200, 99].map(|value| value.to_le_bytes()[0]))
    });
    let deep = ImageBuffer::from_pixel(20, 10, Rgb([0xDC00_u16, 0x1E00, 0x1E00]));
    let mut inks = Vec::new();
    Encoder::new(&mut inks, 90)
        .encode(
            &[0, 255, 255, 0].repeat(40 * 30),
            40,
            30,
            ColorType::CmykAsYcck,
        )
        .unwrap();
    let progressive = jpeg_with(&picture, |writer| writer.set_progressive(true));
    let in_channels = jpeg_with(&picture, |writer| writer.set_optimized_huffman_tables(true));
    let dressed = jpeg_with(&picture, |writer| {
        writer.add_exif_metadata(&exif(6)).unwrap();
        writer.add_icc_profile(&profile).unwrap();
    });
    let mut animation = Vec::new();
    let mut writer = GifEncoder::new(&mut animation);
    for shade in 0..3 {
        let frame = RgbaImage::from_pixel(12, 10, Rgba([shade * 90, 9, 9, 255]));
        writer.encode_frame(Frame::new(frame)).unwrap();
    }
    drop(writer);
    let webp = process(&stored(clear.clone(), ImageFormat::Png)).unwrap();
    vec![
        ("inks.jpg", inks),
        ("progressive.jpg", progressive),
        ("in-channels.jpg", in_channels),
        ("dressed.jpg", dressed),
        ("clear.png", stored(clear, ImageFormat::Png)),
        (
            "deep.png",
            stored(DynamicImage::ImageRgb16(deep), ImageFormat::Png),
        ),
        ("animation.gif", animation),
        (
            "lossy.webp",
            process(&stored(picture, ImageFormat::Jpeg))
                .unwrap()
                .variants[0]
                .bytes
                .clone(),
        ),
        ("clear.webp", webp.main.bytes),
        ("turned.avif", avif(AVIF_TURNED)),
        ("deeper.avif", AVIF_DEEPER.to_vec()),
        ("limited.avif", AVIF_LIMITED.to_vec()),
    ]
}

/// Fills the fuzzer's corpus: `RESPIRO_SEEDS=fuzz/corpus/picture cargo test --lib seeds`.
#[test]
fn seeds_of_the_fuzzer_are_whole_pictures() {
    for (name, bytes) in samples().into_iter().chain(more_samples()) {
        process(&bytes).unwrap();
        if let Ok(folder) = std::env::var("RESPIRO_SEEDS") {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(format!("{folder}/{name}"), &bytes).unwrap();
        }
    }
}

#[test]
fn a_social_preview_has_its_size_and_stays_small() {
    let noise = RgbImage::from_fn(1200, 630, |x, y| {
        let value = ((x * 7919 + y * 104_729) ^ (x * y)).to_le_bytes();
        Rgb([value[0], value[1], 90])
    });
    let noise = stored(noise, ImageFormat::Png);
    let long = "Il respiro circolare, ".repeat(30);
    let word = "m".repeat(200);
    for (title, picture) in [
        ("", None),
        (
            "Ritiro di primavera sul lago: «città»",
            Some(noise.as_slice()),
        ),
        (long.as_str(), None),
        (word.as_str(), None),
    ] {
        let landscape = Background::Landscape("/social/default.jpg");
        let backdrop = picture.map_or(landscape, |bytes| Background::Picture(bytes, (50, 20)));
        let bytes = social(backdrop, title, "Respiro").unwrap();
        assert!(bytes.len() < 250_000);
        let decoded = shown(&bytes);
        assert_eq!((decoded.width(), decoded.height()), (1200, 630));
    }
}

/// Every preview was the same lake with another title: in a chat they looked like one page.
#[test]
fn each_page_has_a_tint_or_shift_of_its_own() {
    let names = [
        "home",
        "about",
        "services",
        "rebirthing",
        "testimonials",
        "events",
        "blog",
        "contact",
        "default",
    ];
    let previews: Vec<_> = names
        .map(|name| {
            let path = format!("/social/{name}.jpg");
            let bytes = social(Background::Landscape(&path), "Titolo", "Anna, Como").unwrap();
            if let Ok(folder) = std::env::var("RESPIRO_PREVIEWS") {
                std::fs::write(format!("{folder}/{name}.jpg"), &bytes).unwrap();
            }
            shown(&bytes).into_rgb8()
        })
        .into();
    for (index, one) in previews.iter().enumerate() {
        for other in &previews[index + 1..] {
            let differing = one
                .pixels()
                .zip(other.pixels())
                .filter(|(one, other)| one.0.iter().zip(other.0).any(|(a, b)| a.abs_diff(b) > 24));
            assert!(differing.count() > 1200 * 630 / 25);
        }
    }
}
