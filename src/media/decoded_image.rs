//! The result of every decoder, and the size check that each runs first.

use super::{DECODE_BYTES_MAX, ImageError, Losses, PIXELS_MAX, SIDE_PIXELS_MAX};
use image::DynamicImage;
use image::metadata::Orientation;
use moxcms::ColorProfile;

/// Decoded pixels with the profile and orientation needed to show them.
pub(super) struct Decoded {
    pub(super) picture: DynamicImage,
    pub(super) profile: Option<ColorProfile>,
    pub(super) orientation: Orientation,
    pub(super) losses: Losses,
}

/// Refuses a declared size before memory is allocated for it.
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
