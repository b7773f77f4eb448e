//! Encodes a text as a QR code, drawn as one SVG path.

use crate::errors::{Error, Result};
use qrcodegen::{QrCode as Code, QrCodeEcc};
use std::fmt::Write as _;

/// Quiet zone around the modules, in modules (ISO/IEC 18004).
const BORDER: i32 = 4;

/// The dark modules of a QR code.
#[derive(Debug, serde::Serialize)]
pub struct QrCode {
    /// Width and height in modules, the quiet zone included.
    pub side: i32,
    /// SVG path data with one square for each dark module.
    pub path: String,
}

impl QrCode {
    pub fn of(text: &str) -> Result<Self> {
        let code = Code::encode_text(text, QrCodeEcc::Medium)
            .map_err(|error| Error::Internal(format!("QR code: {error}")))?;
        let mut path = String::new();
        for y in 0..code.size() {
            for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{} {}h1v1h-1z", x + BORDER, y + BORDER);
            }
        }
        Ok(Self {
            side: code.size() + 2 * BORDER,
            path,
        })
    }

    pub fn svg(&self) -> String {
        let Self { side, path } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
             shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/>\
             <path d=\"{path}\"/></svg>"
        )
    }
}
