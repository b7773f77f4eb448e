//! Pictures: bytes in, bytes out. Pure.

/// Largest upload, in bytes (contract, section 4).
pub const UPLOAD_BYTES_MAX: usize = 10_485_760;
/// Largest picture, in pixels.
pub const PIXELS_MAX: u64 = 64_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    Webp,
    Gif,
    Avif,
}

/// Why a file is no acceptable picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    NotAnImage,
    Heic,
    TooManyPixels,
    Undecodable,
}

#[derive(Debug, Clone)]
pub struct Variant {
    pub name: String,
    pub mime: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct Processed {
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub placeholder: String,
    pub widths: Vec<u32>,
    pub main: Variant,
    pub variants: Vec<Variant>,
}

#[expect(clippy::todo, reason = "signatures first; the pipeline fills them in")]
impl Refusal {
    /// Italian, fit to show.
    pub fn explanation(self) -> &'static str {
        todo!()
    }
}

/// Checks, decodes, turns upright, resizes and encodes one picture. Blocks for seconds at most.
#[expect(clippy::todo, reason = "signatures first; the pipeline fills them in")]
pub fn process(_bytes: &[u8]) -> Result<Processed, Refusal> {
    todo!()
}

/// A 1200x630 JPEG under 250 KB with the title set over the picture, or over drawn art.
#[expect(clippy::todo, reason = "signatures first; the pipeline fills them in")]
pub fn social(
    _picture: Option<&[u8]>,
    _title: &str,
    _brand: &str,
    _focus: (u8, u8),
) -> Result<Vec<u8>, Refusal> {
    todo!()
}
