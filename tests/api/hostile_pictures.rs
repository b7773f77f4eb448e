//! Tests of hostile pictures: each gets its 4xx, the server stores nothing and keeps working.

use crate::helpers::{Answer, TestApp, encode, png};
use image::codecs::gif::GifEncoder;
use image::{Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use respiro_media::ImageError;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

fn picture(format: ImageFormat) -> Vec<u8> {
    let pixels = RgbImage::from_fn(64, 48, |x, y| {
        Rgb([x * 3, y * 5, 90].map(|value| value.to_le_bytes()[0]))
    });
    encode(pixels, format)
}

fn with_png_size(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = picture(ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crate::uploads::crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

fn with_jpeg_size(side: u16) -> Vec<u8> {
    let mut bytes = picture(ImageFormat::Jpeg);
    let frame = bytes.windows(2).position(|pair| pair == [0xFF, 0xC0]);
    let frame = frame.unwrap();
    bytes[frame + 5..frame + 7].copy_from_slice(&side.to_be_bytes());
    bytes[frame + 7..frame + 9].copy_from_slice(&side.to_be_bytes());
    bytes
}

fn with_gif_size(side: u16) -> Vec<u8> {
    let mut bytes = picture(ImageFormat::Gif);
    bytes[6..8].copy_from_slice(&side.to_le_bytes());
    bytes[8..10].copy_from_slice(&side.to_le_bytes());
    bytes
}

/// Returns a small PNG that decodes to 64 megapixels of sixteen bits with alpha: 512 MB.
fn bomb() -> Vec<u8> {
    let mut bytes = with_png_size(8000, 8000);
    bytes[24..26].copy_from_slice(&[16, 6]);
    let checksum = crate::uploads::crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

fn long_animation() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = GifEncoder::new(&mut bytes);
    for _ in 0..3000 {
        let frame = RgbaImage::from_pixel(2, 2, Rgba([9, 9, 9, 255]));
        writer.encode_frame(Frame::new(frame)).unwrap();
    }
    drop(writer);
    bytes
}

/// Returns a JPEG with an application segment inserted after its first two bytes.
fn with_segment(marker: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = picture(ImageFormat::Jpeg);
    let length = u16::try_from(body.len() + 2).unwrap().to_be_bytes();
    let segment = [&[0xFF, marker], &length[..], body].concat();
    bytes.splice(2..2, segment);
    bytes
}

async fn assert_refused(app: &TestApp, name: &str, bytes: Vec<u8>, status: u16) -> Answer {
    let address = app.upload_address().await;
    let answer = app.put_bytes(&address, bytes).await;
    assert_eq!(answer.status, status, "{name}: {}", answer.text());
    app.visit(address.split('?').next().unwrap()).await.is(404);
    answer
}

#[tokio::test]
async fn hostile_pictures_are_refused_and_nothing_of_them_is_stored() {
    let app = TestApp::start().await;
    let two_things = [
        picture(ImageFormat::Jpeg),
        b"<script>alert(1)</script>".to_vec(),
    ]
    .concat();
    let archive = [picture(ImageFormat::Png), b"PK\x03\x04".to_vec()].concat();
    let script = b"GIF89a=1;alert(document.cookie);//".to_vec();
    let mut files = vec![
        ("a bomb", bomb(), 422),
        (
            "PNG of 65,535 by 65,535",
            with_png_size(65_535, 65_535),
            422,
        ),
        ("PNG of 2^31 - 1 by 2", with_png_size(0x7FFF_FFFF, 2), 422),
        ("PNG of no width", with_png_size(0, 48), 422),
        ("JPEG of 65,535 by 65,535", with_jpeg_size(65_535), 422),
        ("GIF of 65,535 by 65,535", with_gif_size(65_535), 422),
        ("3000 frames", long_animation(), 422),
        ("a JPEG and a page", two_things, 422),
        ("a PNG and an archive", archive, 422),
        ("a GIF and a program", script, 422),
    ];
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ] {
        let mut bytes = picture(format);
        bytes.truncate(bytes.len() / 2);
        files.push(("half a picture", bytes, 422));
    }
    for (name, bytes, status) in files {
        assert_refused(&app, name, bytes, status).await;
    }
    let figures = app
        .running
        .app
        .read(|reader| Ok(reader.figures()?))
        .await
        .unwrap();
    assert_eq!((figures.pictures, figures.picture_bytes), (0, 0));
    app.upload(png("still there")).await;
}

/// Cameras write broken metadata; the decoder ignores what it cannot read, as browsers do.
#[tokio::test]
async fn broken_metadata_is_no_reason_to_refuse_a_photograph_and_is_not_kept() {
    let app = TestApp::start().await;
    let profile = [&b"ICC_PROFILE\0\x01\x01"[..], &[0xFF; 900]].concat();
    let parts_missing = [&b"ICC_PROFILE\0\x09\xFF"[..], &[1; 90]].concat();
    let endless = [&b"Exif\0\0MM\0\x2a\0\0\0\x08\xFF\xFF"[..], &[0xFF; 600]].concat();
    let itself = b"Exif\0\0II\x2a\0\x08\0\0\0\0\0\x08\0\0\0".to_vec();
    for (marker, body) in [
        (0xE2, profile),
        (0xE2, parts_missing),
        (0xE1, endless),
        (0xE1, itself),
        (0xE1, b"Exif\0\0".to_vec()),
    ] {
        let path = app.upload(with_segment(marker, &body)).await;
        let served = app.visit(&path).await.bytes;
        for mark in [&b"Exif"[..], b"ICC_PROFILE"] {
            assert!(!served.windows(mark.len()).any(|part| part == mark));
        }
    }
}

/// A strip with the longest side is unusual but not hostile: it has few pixels.
#[tokio::test]
async fn a_strip_of_the_longest_side_is_a_picture() {
    let app = TestApp::start().await;
    let strip = RgbImage::from_pixel(65_535, 3, Rgb([200, 30, 30]));
    app.upload(encode(strip, ImageFormat::Png)).await;
}

/// Writes a shell script that replaces the image decoder process.
fn program(app: &TestApp, name: &str, script: &str) -> PathBuf {
    let path = app.folder().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[tokio::test]
async fn a_picture_that_ends_its_decoder_is_refused_and_the_server_goes_on() {
    let place = TestApp::start().await;
    for (name, script) in [
        ("aborts early", "kill -SEGV $$"),
        ("says nothing", "exit 0"),
        ("says nonsense", "echo nonsense"),
        ("never stops talking", "exec cat /dev/zero"),
    ] {
        let program = program(&place, name, script);
        let app = TestApp::start_as(|config, _| config.image_program = Some(program)).await;
        let large = [png("a"), vec![0; 5_000_000]].concat();
        assert_refused(&app, name, large, 422).await;
        assert_eq!(app.visit("/").await.status, 200, "{name}");
    }
}

/// Regression: when the decoder hit its memory limit, the error said that the file is damaged.
#[tokio::test]
async fn a_picture_whose_decoder_lacks_memory_is_told_to_be_too_large() {
    let place = TestApp::start().await;
    let program = program(&place, "aborts", "cat >/dev/null; kill -ABRT $$");
    let app = TestApp::start_as(|config, _| config.image_program = Some(program)).await;
    let refused = assert_refused(&app, "aborted", png("a"), 422).await;
    let told = refused.json()["detail"].as_str().unwrap().to_owned();
    assert_eq!(told, ImageError::MemoryLimit.explanation());
}

/// Regression: a decoder that the system or an operator ended was answered as a damaged file.
#[tokio::test]
async fn an_upload_whose_decoder_is_ended_from_outside_is_told_to_try_again() {
    let place = TestApp::start().await;
    let program = program(&place, "killed", "cat >/dev/null; kill -KILL $$");
    let app = TestApp::start_as(|config, _| config.image_program = Some(program)).await;
    assert_refused(&app, "killed", png("a"), 503).await;
}

#[tokio::test]
async fn without_a_program_to_decode_an_upload_is_told_to_come_again() {
    let nowhere = PathBuf::from("/nowhere/respiro");
    let app = TestApp::start_as(|config, _| config.image_program = Some(nowhere)).await;
    let address = app.upload_address().await;
    app.put_bytes(&address, png("a")).await.is(503);
}
