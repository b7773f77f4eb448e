//! Checks a file's container without decoding it: refuses truncated files and bytes of another
//! format behind the picture, and hands the decoder the picture alone.
//!
//! A missing end marker is added: browsers show such pictures whole. Missing rows are an error,
//! here or in the decoder.

use super::cicp::CodePoints;
use super::{ImageError, jpeg_scan, undecodable};
use std::borrow::Cow;

/// Frames of an animation; only the first is shown.
pub(super) const FRAMES_MAX: u32 = 1000;
/// First bytes of documents, archives and programs: behind a picture they make a polyglot file.
const OTHER_FILES: [&[u8]; 16] = [
    b"<!",
    b"<?php",
    b"<?=",
    b"<h",
    b"<H",
    b"<s",
    b"<S",
    b"%PDF",
    b"%!PS",
    b"PK\x03\x04",
    b"#!",
    b"MZ",
    b"\x7fELF",
    b"Rar!",
    b"7z\xBC\xAF",
    b"\x1F\x8B",
];
const JPEG_END: [u8; 2] = [0xFF, 0xD9];
const PNG_END: [u8; 12] = *b"\0\0\0\0IEND\xAE\x42\x60\x82";
/// Scans of a progressive JPEG; real encoders stay far below.
const JPEG_SCANS_MAX: u32 = 100;

/// The picture alone, and what its container says.
#[derive(Debug)]
pub(super) struct Checked<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) frames: u32,
    /// Colours that a PNG declares by numbers.
    pub(super) colours: Option<CodePoints>,
}

impl<'a> Checked<'a> {
    const fn new(bytes: Cow<'a, [u8]>, frames: u32) -> Self {
        Self {
            bytes,
            frames,
            colours: None,
        }
    }
}

/// Facts from a JPEG's markers.
#[derive(Debug, Default)]
pub(super) struct Jpeg {
    /// Offset of the end of the picture; motion photographs and gain maps follow.
    end: usize,
    has_end: bool,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Memory for coefficients in bytes, if all scans must be read before a row is complete.
    pub(super) coefficient_bytes: u64,
    /// Sequential, with a scan per channel, as some scanners write it.
    pub(super) in_channels: bool,
}

pub(super) fn jpeg(bytes: &[u8]) -> Result<Jpeg, ImageError> {
    let found = walk_jpeg(bytes).ok_or(ImageError::Undecodable)?;
    check_tail(bytes.get(found.end..))?;
    Ok(found)
}

/// The picture of a JPEG whose blocks are all there, with its end marker. The caller has checked
/// the size.
pub(super) fn whole_jpeg<'a>(bytes: &'a [u8], found: &Jpeg) -> Result<Cow<'a, [u8]>, ImageError> {
    let picture = bytes.get(..found.end).unwrap_or(bytes);
    let end = jpeg_scan::complete(picture, found.has_end).ok_or(ImageError::Undecodable)?;
    if found.has_end {
        return Ok(picture.into());
    }
    check_tail(picture.get(end..))?;
    Ok([picture.get(..end).unwrap_or(picture), &JPEG_END]
        .concat()
        .into())
}

/// Refuses a document, an archive or a program behind the picture. Phones append videos and gain
/// maps, which are ignored.
fn check_tail(tail: Option<&[u8]>) -> Result<(), ImageError> {
    let tail = tail.unwrap_or_default();
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let start = tail.iter().position(|byte| !blank(byte));
    let tail = start
        .and_then(|start| tail.get(start..))
        .unwrap_or_default();
    if OTHER_FILES.iter().any(|other| tail.starts_with(other)) {
        return Err(ImageError::Polyglot);
    }
    Ok(())
}

fn check_frames(frames: u32) -> Result<(), ImageError> {
    if frames > FRAMES_MAX {
        return Err(ImageError::TooManyFrames);
    }
    Ok(())
}

fn walk_jpeg(bytes: &[u8]) -> Option<Jpeg> {
    let mut found = Jpeg::default();
    let mut scans = 0;
    let mut at = 2;
    loop {
        let Some((marker, next)) = next_marker(bytes, at) else {
            // Whether the data is complete is checked when the size is known to be allowed.
            at = bytes.len();
            break;
        };
        at = next;
        match marker {
            0xD9 if scans > 0 => {
                found.has_end = true;
                break;
            }
            0xD9 => return None,
            // Stuffed bytes and restart markers of the scan, or markers without a body.
            0x00 | 0x01 | 0xD0..=0xD8 => continue,
            _ => {}
        }
        let length = usize::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let body = bytes.get(at + 2..at + length)?;
        at += length;
        match marker {
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                let (width, height, samples) = frame(body)?;
                (found.width, found.height) = (found.width.max(width), found.height.max(height));
                if matches!(marker, 0xC2 | 0xC6 | 0xCA | 0xCE) {
                    found.coefficient_bytes = samples * 2;
                }
            }
            0xDA => scans += 1,
            _ => {}
        }
        if scans > JPEG_SCANS_MAX {
            return None;
        }
    }
    if scans == 0 {
        return None;
    }
    found.end = at;
    found.in_channels = scans > 1 && found.coefficient_bytes == 0;
    Some(found)
}

/// The next marker or stuffed byte behind `at`, and the offset behind it.
pub(super) fn next_marker(bytes: &[u8], mut at: usize) -> Option<(u8, usize)> {
    at += bytes.get(at..)?.iter().position(|&byte| byte == 0xFF)?;
    at += bytes.get(at..)?.iter().position(|&byte| byte != 0xFF)?;
    Some((*bytes.get(at)?, at + 1))
}

/// Width, height and number of samples from a frame header.
fn frame(body: &[u8]) -> Option<(u32, u32, u64)> {
    let &[
        _,
        height_high,
        height_low,
        width_high,
        width_low,
        components,
    ] = body.first_chunk()?;
    let height = u32::from(u16::from_be_bytes([height_high, height_low]));
    let width = u32::from(u16::from_be_bytes([width_high, width_low]));
    let factors: Vec<(u64, u64)> = body
        .get(6..)?
        .chunks_exact(3)
        .take(usize::from(components))
        .map(|component| (u64::from(component[1] >> 4), u64::from(component[1] & 15)))
        .collect();
    let across_max = factors.iter().map(|factor| factor.0).max()?.max(1);
    let down_max = factors.iter().map(|factor| factor.1).max()?.max(1);
    let samples = factors.iter().map(|(across, down)| {
        let columns = (u64::from(width) * across).div_ceil(across_max * 8) * 8;
        let rows = (u64::from(height) * down).div_ceil(down_max * 8) * 8;
        columns * rows
    });
    Some((width, height, samples.sum()))
}

/// A PNG up to and with its last chunk. Whether rows are missing, the decoder finds.
pub(super) fn png(bytes: &[u8]) -> Result<Checked<'_>, ImageError> {
    let mut at = 8;
    let mut has_data = false;
    let mut checked = Checked::new(Cow::default(), 1);
    while let Some((name, end)) = png_chunk(bytes, at) {
        let body = bytes.get(at + 8..end - 4).unwrap_or_default();
        match name {
            b"IEND" => {
                check_tail(bytes.get(end..))?;
                checked.bytes = bytes.get(..end).ok_or(ImageError::Undecodable)?.into();
                return Ok(checked);
            }
            b"acTL" => {
                checked.frames = number_at(body, 0).unwrap_or(0);
                check_frames(checked.frames)?;
            }
            b"cICP" => {
                checked.colours = body.first_chunk().map(|&[primaries, transfer]| CodePoints {
                    primaries: primaries.into(),
                    transfer: transfer.into(),
                });
            }
            b"IDAT" => has_data = true,
            _ => {}
        }
        at = end;
    }
    if !has_data {
        return Err(ImageError::Undecodable);
    }
    check_tail(bytes.get(at..))?;
    let picture = bytes.get(..at).unwrap_or(bytes);
    checked.bytes = [picture, &PNG_END].concat().into();
    Ok(checked)
}

/// Name of the whole chunk at `at`, and the offset behind it.
fn png_chunk(bytes: &[u8], at: usize) -> Option<(&[u8; 4], usize)> {
    let length = usize::try_from(number_at(bytes, at)?).ok()?;
    let end = at.checked_add(length)?.checked_add(12)?;
    (end <= bytes.len()).then_some((bytes.get(at + 4..)?.first_chunk()?, end))
}

/// Whether the rows of a PNG come in several passes: the last number of its first chunk.
pub(super) fn is_interlaced(png: &[u8]) -> bool {
    png.get(28) != Some(&0)
}

/// A WebP as long as its container says.
pub(super) fn webp(bytes: &[u8]) -> Result<Checked<'_>, ImageError> {
    let size = bytes
        .get(4..8)
        .and_then(|size| size.first_chunk())
        .ok_or(ImageError::Undecodable)?;
    let size = usize::try_from(u32::from_le_bytes(*size)).map_err(undecodable)?;
    let end = size.saturating_add(8);
    let whole = bytes.get(..end).ok_or(ImageError::Undecodable)?;
    let frames = check_webp_chunks(whole)?;
    check_tail(bytes.get(end..))?;
    Ok(Checked::new(whole.into(), frames))
}

/// Counts frames, and refuses one larger than the canvas: its size would never be looked at, and
/// the decoder sets its memory aside.
fn check_webp_chunks(bytes: &[u8]) -> Result<u32, ImageError> {
    let (mut frames, mut canvas) = (0, None);
    for (name, body) in webp_chunks(bytes, 12) {
        match name {
            b"VP8X" => canvas = webp_canvas(body),
            b"ANMF" => {
                frames += 1;
                // A frame begins with its place and duration; the chunks of its picture follow.
                for (name, body) in webp_chunks(body, 16) {
                    check_webp_frame(name, body, canvas)?;
                }
            }
            _ => check_webp_frame(name, body, canvas)?,
        }
    }
    check_frames(frames)?;
    Ok(frames)
}

fn check_webp_frame(
    name: &[u8],
    body: &[u8],
    canvas: Option<(u32, u32)>,
) -> Result<(), ImageError> {
    let half = |at: usize| {
        let pair = body.get(at..).and_then(|pair| pair.first_chunk());
        pair.map(|pair| u32::from(u16::from_le_bytes(*pair) & 0x3FFF))
    };
    let size = match name {
        b"VP8 " => half(6).zip(half(8)),
        b"VP8L" => body
            .get(1..)
            .and_then(|bits| bits.first_chunk())
            .map(|bits| {
                let bits = u32::from_le_bytes(*bits);
                ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
            }),
        _ => None,
    };
    match (size, canvas) {
        (Some((width, height)), Some((across, down))) if width > across || height > down => {
            Err(ImageError::Undecodable)
        }
        _ => Ok(()),
    }
}

fn webp_canvas(body: &[u8]) -> Option<(u32, u32)> {
    let side = |at: usize| {
        let bytes = body.get(at..at + 3)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) + 1)
    };
    side(4).zip(side(7))
}

/// Name and body of each chunk from `at` on.
fn webp_chunks(bytes: &[u8], mut at: usize) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let head = bytes.get(at..at.checked_add(8)?)?;
        let (name, length) = head.split_at(4);
        let length = u32::from_le_bytes(*length.first_chunk()?);
        let length = usize::try_from(length).ok()?;
        let start = at + 8;
        let end = start.saturating_add(length);
        at = end.saturating_add(length % 2);
        Some((name, bytes.get(start..end.min(bytes.len()))?))
    })
}

/// A GIF up to the end of its first picture; the frames after it are counted, never decoded.
pub(super) fn gif(bytes: &[u8]) -> Result<Checked<'_>, ImageError> {
    let (mut at, mut first, mut frames) = (0, None, 0);
    loop {
        match next_gif_block(bytes, at) {
            Some((end, GifBlock::Extension)) => at = end,
            Some((end, GifBlock::Picture)) => {
                frames += 1;
                first = first.or(bytes.get(..end));
                at = end;
            }
            Some((end, GifBlock::Trailer)) => {
                check_tail(bytes.get(end..))?;
                break;
            }
            // The trailer is missing, or something that is no part of a GIF follows.
            None => {
                check_tail(bytes.get(at..))?;
                break;
            }
        }
        check_frames(frames)?;
    }
    let first = first.ok_or(ImageError::Undecodable)?;
    Ok(Checked::new(first.into(), frames))
}

enum GifBlock {
    Extension,
    Picture,
    Trailer,
}

/// The block that starts at `at`, or the first one when that is zero, and where it ends.
fn next_gif_block(bytes: &[u8], at: usize) -> Option<(usize, GifBlock)> {
    let at = match at {
        0 => 13 + colour_table_bytes(*bytes.get(10)?),
        at => at,
    };
    match *bytes.get(at)? {
        // Its label, then blocks.
        0x21 => Some((after_blocks(bytes, at + 2)?, GifBlock::Extension)),
        0x2C => {
            let after_table = at + 10 + colour_table_bytes(*bytes.get(at + 9)?);
            Some((after_blocks(bytes, after_table + 1)?, GifBlock::Picture))
        }
        0x3B => Some((at + 1, GifBlock::Trailer)),
        _ => None,
    }
}

fn number_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn colour_table_bytes(flags: u8) -> usize {
    if flags & 0x80 == 0 {
        0
    } else {
        3 << ((flags & 7) + 1)
    }
}

/// Returns the offset behind the run of length-prefixed blocks that starts at `at`.
fn after_blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

/// An AVIF whose top-level boxes are all there.
pub(super) fn boxes(bytes: &[u8]) -> Result<&[u8], ImageError> {
    walk_boxes(bytes).ok_or(ImageError::Undecodable)
}

fn walk_boxes(bytes: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    while at < bytes.len() {
        let short = u64::from(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let size = match short {
            0 => return Some(bytes),
            1 => u64::from_be_bytes(*bytes.get(at + 8..)?.first_chunk()?),
            _ => short,
        };
        let size = usize::try_from(size).ok().filter(|size| *size >= 8)?;
        at = at.checked_add(size).filter(|end| *end <= bytes.len())?;
    }
    Some(bytes)
}
