//! Tells image formats apart by their first bytes.

use super::{Format, ImageError};

const FTYP_BYTES_MAX: usize = 256;
const HEIC_BRANDS: [&[u8]; 10] = [
    b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs", b"mif1", b"msf1",
];

pub(super) fn sniff(bytes: &[u8]) -> Result<Format, ImageError> {
    if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        return Ok(Format::Jpeg);
    }
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Ok(Format::Png);
    }
    if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        return Ok(Format::Gif);
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Ok(Format::Webp);
    }
    sniff_brands(bytes)
}

/// AVIF and HEIC share a container: the brands of its first box tell them apart.
fn sniff_brands(bytes: &[u8]) -> Result<Format, ImageError> {
    if bytes.get(4..8) != Some(b"ftyp") {
        return Err(ImageError::NotAnImage);
    }
    let size = structure_size(bytes).min(bytes.len()).min(FTYP_BYTES_MAX);
    // The four bytes after the major brand are its version.
    let brands: Vec<&[u8]> = bytes
        .get(8..size)
        .unwrap_or_default()
        .chunks_exact(4)
        .enumerate()
        .filter_map(|(index, brand)| (index != 1).then_some(brand))
        .collect();
    if brands
        .iter()
        .any(|brand| *brand == b"avif" || *brand == b"avis")
    {
        Ok(Format::Avif)
    } else if brands.iter().any(|brand| HEIC_BRANDS.contains(brand)) {
        Err(ImageError::Heic)
    } else {
        Err(ImageError::NotAnImage)
    }
}

fn structure_size(bytes: &[u8]) -> usize {
    let Some(&[a, b, c, d]) = bytes.first_chunk::<4>() else {
        return 0;
    };
    usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(0)
}
