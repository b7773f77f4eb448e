//! Crops and turns a picture. The crop comes before the resizing, so that a part of a large
//! photograph keeps all of its pixels.

use image::DynamicImage;
use image::metadata::Orientation;
use respiro_content::picture::{Crop, PictureEdit};

/// Cuts the crop of an edit out of a picture as it is stored, that is before `orientation` makes it
/// upright and the edit turns it.
pub(super) fn crop(
    picture: DynamicImage,
    edit: PictureEdit,
    orientation: Orientation,
) -> DynamicImage {
    let Some(mut crop) = edit.crop else {
        return picture;
    };
    for _ in 0..edit.turns {
        crop = before_turn(crop);
    }
    let crop = before_orientation(crop, orientation);
    let (left, width) = pixels(crop.left, crop.width, picture.width());
    let (top, height) = pixels(crop.top, crop.height, picture.height());
    picture.crop_imm(left, top, width, height)
}

/// Makes the quarter turns of an edit.
pub(super) fn turn(picture: DynamicImage, edit: PictureEdit) -> DynamicImage {
    match edit.turns {
        1 => picture.rotate90(),
        2 => picture.rotate180(),
        3 => picture.rotate270(),
        _ => picture,
    }
}

/// Returns start and length in pixels of a part of a side; at least one pixel.
fn pixels(start: u16, length: u16, side: u32) -> (u32, u32) {
    let whole = u64::from(Crop::WHOLE);
    let at = |part: u64| {
        let pixel = (part * u64::from(side) + whole / 2) / whole;
        u32::try_from(pixel).unwrap_or(side).min(side)
    };
    let end = at(u64::from(start) + u64::from(length));
    let start = at(u64::from(start)).min(side.saturating_sub(1));
    (start, end.saturating_sub(start).max(1))
}

/// The same part of the picture before a quarter turn clockwise.
fn before_turn(crop: Crop) -> Crop {
    Crop {
        left: crop.top,
        top: rest(crop.left, crop.width),
        width: crop.height,
        height: crop.width,
    }
}

fn mirrored(crop: Crop) -> Crop {
    Crop {
        left: rest(crop.left, crop.width),
        ..crop
    }
}

/// What a side has beyond the crop.
fn rest(start: u16, length: u16) -> u16 {
    Crop::WHOLE.saturating_sub(start).saturating_sub(length)
}

/// The same part of the picture before an orientation was applied, which turns first and mirrors
/// afterwards.
fn before_orientation(crop: Crop, orientation: Orientation) -> Crop {
    let (turns, is_mirrored) = match orientation {
        Orientation::NoTransforms => (0, false),
        Orientation::Rotate90 => (1, false),
        Orientation::Rotate180 => (2, false),
        Orientation::Rotate270 => (3, false),
        Orientation::FlipHorizontal => (0, true),
        Orientation::Rotate90FlipH => (1, true),
        Orientation::FlipVertical => (2, true),
        Orientation::Rotate270FlipH => (3, true),
    };
    let upright = if is_mirrored { mirrored(crop) } else { crop };
    (0..turns).fold(upright, |crop, _| before_turn(crop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    /// Every orientation that EXIF knows.
    const ORIENTATIONS: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

    /// The crop before orientation and turns shows the same pixels as one after them.
    #[test]
    fn a_crop_is_the_same_part_in_every_orientation_and_turn() {
        let byte = |value: u32| value.to_le_bytes()[0];
        let stored = RgbImage::from_fn(40, 20, |x, y| Rgb([byte(x * 6), byte(y * 12), 7]));
        let part = Crop {
            left: 1_000,
            top: 2_500,
            width: 5_000,
            height: 2_500,
        };
        for orientation in ORIENTATIONS {
            let orientation = Orientation::from_exif(orientation).unwrap();
            for turns in 0..4 {
                let edit = PictureEdit {
                    turns,
                    crop: Some(part),
                };
                let mut early = crop(stored.clone().into(), edit, orientation);
                early.apply_orientation(orientation);
                let early = turn(early, edit);

                let mut late = DynamicImage::from(stored.clone());
                late.apply_orientation(orientation);
                let late = turn(late, edit);
                let (width, height) = (late.width(), late.height());
                let late = late.crop_imm(width / 10, height / 4, width / 2, height / 4);
                assert_eq!(early, late, "{orientation:?}, {turns} turns");
            }
        }
    }

    #[test]
    fn the_smallest_crop_of_the_smallest_picture_keeps_a_pixel() {
        assert_eq!(pixels(9_800, 200, 1), (0, 1));
        assert_eq!(pixels(0, 200, 3), (0, 1));
        assert_eq!(pixels(5_000, 5_000, 5), (3, 2));
    }
}
