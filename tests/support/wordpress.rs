//! Test helper: an export of a real WordPress, and a media library with the pictures that it names.
#![allow(clippy::unwrap_used, reason = "a test stops where a step fails")]

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

pub const EXPORT: &str = "tests/data/wordpress.xml";
pub const PICTURES: [&str; 4] = ["mare.jpg", "bosco.jpg", "sole-caffè.jpg", "copertina.jpg"];

/// Creates a media library as WordPress stores it, with smaller sizes of a picture.
pub fn library(folder: &Path) -> PathBuf {
    let library = folder.join("wp-content/uploads");
    let pictures = library.join("2019/05");
    fs::create_dir_all(&pictures).unwrap();
    for (shade, name) in (1..).map(|place| place * 50).zip(PICTURES) {
        fs::write(pictures.join(name), jpeg(shade)).unwrap();
    }
    fs::write(pictures.join("bosco-300x225.jpg"), jpeg(9)).unwrap();
    library
}

pub fn jpeg(shade: u8) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = RgbImage::from_pixel(48, 32, Rgb([shade, 90, 120]));
    let picture = DynamicImage::ImageRgb8(picture);
    picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}
