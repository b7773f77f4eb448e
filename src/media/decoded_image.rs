//! What every decoder answers, and the size that each asks about first.

use super::{DECODE_BYTES_MAX, ImageError, PIXELS_MAX, SIDE_PIXELS_MAX};
use image::DynamicImage;
use image::metadata::Orientation;
use moxcms::ColorProfile;

/// A picture as stored, with what is needed to show it right.
pub(super) struct Decoded {
    pub(super) picture: DynamicImage,
    pub(super) profile: Option<ColorProfile>,
    pub(super) orientation: Orientation,
}

/// Refuses by the declared size, before any memory is taken for it.
pub(super) fn check_size(width: u32, height: u32, peak_bytes: u64) -> Result<(), ImageError> {
    if width == 0 || height == 0 {
        return Err(ImageError::Undecodable);
    }
    let pixels = u64::from(width) * u64::from(height);
    let side = width.max(height);
    if pixels > PIXELS_MAX || side > SIDE_PIXELS_MAX {
        return Err(ImageError::TooManyPixels);
    }
    if peak_bytes > DECODE_BYTES_MAX {
        return Err(ImageError::MemoryLimit);
    }
    Ok(())
}
