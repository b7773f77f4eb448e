//! Walks a file's outer structure without decoding: a cut-off file is refused at once, and whatever
//! follows the picture is not handed to the decoder.

use super::{Refusal, undecodable};

/// Scans of a progressive JPEG; real encoders stay far below.
const JPEG_SCANS_MAX: u32 = 100;

/// What the markers of a JPEG say.
#[derive(Debug, Default)]
pub(super) struct Jpeg {
    /// Where the picture ends; motion photographs and gain maps follow.
    pub(super) end: usize,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Memory for coefficients, when the scans must be gathered before any row is ready.
    pub(super) coefficient_bytes: u64,
}

pub(super) fn jpeg(bytes: &[u8]) -> Result<Jpeg, Refusal> {
    walk_jpeg(bytes).ok_or(Refusal::Undecodable)
}

fn walk_jpeg(bytes: &[u8]) -> Option<Jpeg> {
    let mut found = Jpeg::default();
    let mut scans = 0;
    let mut at = 2;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == 0xFF)?;
        at += bytes.get(at..)?.iter().position(|&byte| byte != 0xFF)?;
        let marker = *bytes.get(at)?;
        at += 1;
        match marker {
            0xD9 if scans > 0 => break,
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
        // The decoder gets the colours of sequential pictures in several scans wrong (zune-image
        // issues 422 and 448). They are next to unknown; refusing beats showing a green photograph.
        if scans > 1 && found.coefficient_bytes == 0 {
            return None;
        }
        if scans > JPEG_SCANS_MAX {
            return None;
        }
    }
    found.end = at;
    Some(found)
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

/// A PNG up to and with its last chunk.
pub(super) fn png(bytes: &[u8]) -> Result<&[u8], Refusal> {
    let mut at = 8;
    loop {
        let head = bytes.get(at..at + 8).ok_or(Refusal::Undecodable)?;
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
        let length = usize::try_from(length).map_err(undecodable)?;
        at = at.checked_add(length + 12).ok_or(Refusal::Undecodable)?;
        if &head[4..8] == b"IEND" {
            return bytes.get(..at).ok_or(Refusal::Undecodable);
        }
    }
}

/// A WebP as long as its container says.
pub(super) fn webp(bytes: &[u8]) -> Result<&[u8], Refusal> {
    let size = bytes
        .get(4..8)
        .and_then(|size| size.first_chunk())
        .ok_or(Refusal::Undecodable)?;
    let size = usize::try_from(u32::from_le_bytes(*size)).map_err(undecodable)?;
    bytes
        .get(..size.saturating_add(8))
        .ok_or(Refusal::Undecodable)
}

/// A GIF up to the end of its first picture; the frames after it are never looked at.
pub(super) fn gif(bytes: &[u8]) -> Result<&[u8], Refusal> {
    walk_gif(bytes).ok_or(Refusal::Undecodable)
}

fn walk_gif(bytes: &[u8]) -> Option<&[u8]> {
    let mut at = 13 + colour_table_bytes(*bytes.get(10)?);
    loop {
        match *bytes.get(at)? {
            // An extension: its label, then blocks.
            0x21 => at = after_blocks(bytes, at + 2)?,
            0x2C => {
                let after_table = at + 10 + colour_table_bytes(*bytes.get(at + 9)?);
                let end = after_blocks(bytes, after_table + 1)?;
                return bytes.get(..end);
            }
            _ => return None,
        }
    }
}

fn colour_table_bytes(flags: u8) -> usize {
    if flags & 0x80 == 0 {
        0
    } else {
        3 << ((flags & 7) + 1)
    }
}

/// Where the run of length-prefixed blocks starting at `at` ends.
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
pub(super) fn boxes(bytes: &[u8]) -> Result<&[u8], Refusal> {
    walk_boxes(bytes).ok_or(Refusal::Undecodable)
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
