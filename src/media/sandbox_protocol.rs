//! Encodes requests and answers for the pipe between server and decoder process.
//!
//! A hostile upload may control the writer. The reader therefore derives names and media types
//! itself and rejects an answer that is inconsistent.

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use bincode::error::EncodeError;
use bincode::{BorrowDecode, Decode, Encode};

use respiro_content::picture::PictureEdit;

use super::{Background, Format, ImageError, Losses, PLACEHOLDER_PREFIX, ProcessedImage, encode};

/// Memory that the reader allocates for lengths that the answer declares.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
const PLACEHOLDER_BYTES_MAX: usize = 4096;
/// An upload, or the main picture of one with a title. The main picture may be larger than the
/// upload that it was made of.
pub(super) const REQUEST_BYTES_MAX: usize = ANSWER_BYTES_MAX;
/// A JPEG of the size that messengers take.
const PREVIEW_BYTES_MAX: usize = 256 * 1024;

const CONFIG: Configuration<LittleEndian, Varint, Limit<ANSWER_BYTES_MAX>> =
    bincode::config::standard().with_limit::<ANSWER_BYTES_MAX>();

#[derive(Encode, Decode)]
struct WireImage {
    format: Format,
    width: u32,
    height: u32,
    losses: Losses,
    placeholder: String,
    widths: Vec<u32>,
    main_is_webp: bool,
    main: Vec<u8>,
    /// From the largest width down, each as WebP and JPEG.
    variants: Vec<Vec<u8>>,
}

pub fn encode(answer: Result<ProcessedImage, ImageError>) -> Result<Vec<u8>, EncodeError> {
    let made = answer.map(|processed| WireImage {
        format: processed.format,
        width: processed.width,
        height: processed.height,
        losses: processed.losses,
        placeholder: processed.placeholder,
        widths: processed.widths,
        main_is_webp: processed.main.mime == encode::WEBP,
        main: processed.main.bytes,
        variants: processed
            .variants
            .into_iter()
            .map(|file| file.bytes)
            .collect(),
    });
    bincode::encode_to_vec(made, CONFIG)
}

/// Returns `None` when the bytes are not a complete, consistent answer.
pub fn decode(bytes: &[u8]) -> Option<Result<ProcessedImage, ImageError>> {
    let decoded: Result<(Result<WireImage, ImageError>, usize), _> =
        bincode::decode_from_slice(bytes, CONFIG);
    match decoded.ok().filter(|(_, length)| *length == bytes.len())?.0 {
        Ok(made) => processed(made).map(Ok),
        Err(refusal) => Some(Err(refusal)),
    }
}

#[derive(Encode, BorrowDecode)]
struct PreviewRequest<'a> {
    background: Background<'a>,
    title: &'a str,
    brand: &'a str,
}

pub(super) fn encode_preview_request(
    background: Background<'_>,
    title: &str,
    brand: &str,
) -> Result<Vec<u8>, EncodeError> {
    let request = PreviewRequest {
        background,
        title,
        brand,
    };
    bincode::encode_to_vec(request, CONFIG)
}

/// Draws what a request asks for, and encodes the answer.
pub(super) fn answer_preview(bytes: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let request: Result<(PreviewRequest<'_>, usize), _> =
        bincode::borrow_decode_from_slice(bytes, CONFIG);
    let drawn = match request {
        Ok((request, _)) => super::social(request.background, request.title, request.brand),
        Err(_) => Err(ImageError::Undecodable),
    };
    bincode::encode_to_vec(drawn, CONFIG)
}

/// Returns `None` unless the bytes are a refusal or a JPEG of a plausible size. The server never
/// decodes them.
pub(super) fn decode_preview(bytes: &[u8]) -> Option<Result<Vec<u8>, ImageError>> {
    let decoded: Result<(Result<Vec<u8>, ImageError>, usize), _> =
        bincode::decode_from_slice(bytes, CONFIG);
    let drawn = decoded.ok().filter(|(_, length)| *length == bytes.len())?.0;
    let is_jpeg = |bytes: &Vec<u8>| {
        bytes.len() <= PREVIEW_BYTES_MAX && Format::sniff(bytes) == Ok(Format::Jpeg)
    };
    drawn.as_ref().ok().is_none_or(is_jpeg).then_some(drawn)
}

fn processed(made: WireImage) -> Option<ProcessedImage> {
    let tiny = made.placeholder.strip_prefix(PLACEHOLDER_PREFIX)?;
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let ascending = made.widths.is_sorted_by(|narrow, wide| narrow < wide);
    if tiny.len() > PLACEHOLDER_BYTES_MAX || !tiny.bytes().all(harmless) || !ascending {
        return None;
    }
    if made.variants.len() != made.widths.len() * 2 {
        return None;
    }
    let kinds = made.widths.iter().rev().flat_map(|width| {
        let name = width.to_string();
        [(name.clone(), encode::WEBP), (name, encode::JPEG)]
    });
    let main_mime = if made.main_is_webp {
        encode::WEBP
    } else {
        encode::JPEG
    };
    Some(ProcessedImage {
        variants: kinds
            .zip(made.variants)
            .map(|((name, mime), bytes)| encode::variant(&name, mime, bytes))
            .collect(),
        main: encode::variant(encode::MAIN_NAME, main_mime, made.main),
        format: made.format,
        width: made.width,
        height: made.height,
        losses: made.losses,
        // Not part of the answer: the caller sent the edit and sets it.
        edit: PictureEdit::default(),
        placeholder: made.placeholder,
        widths: made.widths,
    })
}
