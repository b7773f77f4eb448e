//! Resizes pictures: to a width, to a longest side, and row by row while decoding.

use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions};
use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};

use super::{ImageError, undecodable};

/// Above this the pixels are averaged two by two in place, so that resampling never needs more
/// memory than decoding did. A 32-megapixel photograph still passes untouched.
const OPAQUE_BYTES_MAX: u64 = 100_000_000;
const ALPHA_BYTES_MAX: u64 = 64_000_000;

/// Converts to 8 bits a channel in colour, and halves a picture with too many pixels to resample in
/// memory.
pub(super) fn to_rgb8(picture: DynamicImage) -> DynamicImage {
    let picture = match picture {
        DynamicImage::ImageLuma16(_) => picture.into_luma8().into(),
        DynamicImage::ImageLumaA16(_) => picture.into_luma_alpha8().into(),
        DynamicImage::ImageRgb16(_) | DynamicImage::ImageRgb32F(_) => picture.into_rgb8().into(),
        DynamicImage::ImageRgba16(_) | DynamicImage::ImageRgba32F(_) => picture.into_rgba8().into(),
        eight_bit => eight_bit,
    };
    let pixels = u64::from(picture.width()) * u64::from(picture.height());
    let picture = if is_halved(pixels, picture.color().has_alpha()) {
        downscale_by_two(picture)
    } else {
        picture
    };
    // Grey becomes RGB: each pixel type costs half a megabyte of code in the resizer.
    match picture {
        DynamicImage::ImageLuma8(_) => picture.into_rgb8().into(),
        DynamicImage::ImageLumaA8(_) => picture.into_rgba8().into(),
        colour => colour,
    }
}

/// Returns whether a picture with so many pixels is halved before it is resampled.
pub(super) const fn is_halved(pixels: u64, has_alpha: bool) -> bool {
    if has_alpha {
        pixels * 4 > ALPHA_BYTES_MAX
    } else {
        pixels * 3 > OPAQUE_BYTES_MAX
    }
}

/// Resizes so that no side is longer than `side_max`; keeps the aspect ratio.
pub(super) fn to_fit(picture: DynamicImage, side_max: u32) -> Result<DynamicImage, ImageError> {
    let (width, height) = (picture.width(), picture.height());
    let longest = width.max(height);
    if longest <= side_max {
        return Ok(picture);
    }
    to_size(
        picture,
        scaled(width, side_max, longest),
        scaled(height, side_max, longest),
    )
}

pub(super) fn to_width(picture: DynamicImage, width: u32) -> Result<DynamicImage, ImageError> {
    if picture.width() == width {
        return Ok(picture);
    }
    let height = scaled(picture.height(), width, picture.width());
    to_size(picture, width, height)
}

fn to_size(picture: DynamicImage, width: u32, height: u32) -> Result<DynamicImage, ImageError> {
    let from = (picture.width(), picture.height());
    match picture {
        DynamicImage::ImageRgb8(picture) => {
            let mut smaller = RgbImage::new(width, height);
            resample(&picture, &mut smaller, &ResizeOptions::new())?;
            Ok(smaller.into())
        }
        DynamicImage::ImageRgba8(mut picture) => {
            let mut smaller = RgbaImage::new(width, height);
            let to = (&mut *smaller, (width, height));
            let options = with_filter(&ResizeOptions::new());
            respiro_generics::resample_rgba((&mut picture, from), to, &options)
                .map_err(undecodable)?;
            Ok(smaller.into())
        }
        _ => Err(ImageError::Undecodable),
    }
}

/// Resamples the part of `picture` that the options name into `smaller`.
pub(super) fn resample(
    picture: &RgbImage,
    smaller: &mut RgbImage,
    options: &ResizeOptions,
) -> Result<(), ImageError> {
    let from = (&**picture, picture.dimensions());
    let to = smaller.dimensions();
    respiro_generics::resample_rgb(from, (smaller, to), &with_filter(options)).map_err(undecodable)
}

fn with_filter(options: &ResizeOptions) -> ResizeOptions {
    options.resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
}

/// `length * numerator / denominator`, rounded, at least one.
fn scaled(length: u32, numerator: u32, denominator: u32) -> u32 {
    let exact = u64::from(length) * u64::from(numerator);
    let half = u64::from(denominator) / 2;
    let rounded = (exact + half) / u64::from(denominator).max(1);
    u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
}

fn downscale_by_two(picture: DynamicImage) -> DynamicImage {
    let (width, height) = (picture.width(), picture.height());
    if width < 2 || height < 2 {
        return picture;
    }
    let color = picture.color();
    let channels = color.channel_count();
    let columns = usize::try_from(width).unwrap_or(0);
    let pixels = average(picture.into_bytes(), columns, channels);
    from_pixels((width / 2, height / 2), channels, pixels)
        .unwrap_or_else(|| DynamicImage::new(width / 2, height / 2, color))
}

fn from_pixels((width, height): (u32, u32), channels: u8, pixels: Vec<u8>) -> Option<DynamicImage> {
    match channels {
        1 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::ImageLuma8),
        2 => GrayAlphaImage::from_raw(width, height, pixels).map(DynamicImage::ImageLumaA8),
        3 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8),
        _ => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgba8),
    }
}

/// Averages squares of two by two pixels in place.
fn average(mut pixels: Vec<u8>, columns: usize, channels: u8) -> Vec<u8> {
    let row_bytes = columns * usize::from(channels);
    let half_rows = pixels.len() / row_bytes / 2;
    let mut line = vec![0; columns / 2 * usize::from(channels)];
    for row in 0..half_rows {
        let source = &pixels[row * 2 * row_bytes..(row * 2 + 2) * row_bytes];
        let (upper, lower) = source.split_at(row_bytes);
        average_rows(&mut line, upper, lower, channels);
        pixels[row * line.len()..(row + 1) * line.len()].copy_from_slice(&line);
    }
    pixels.truncate(half_rows * line.len());
    pixels.shrink_to_fit();
    pixels
}

fn average_rows(line: &mut [u8], upper: &[u8], lower: &[u8], channels: u8) {
    match channels {
        1 => average_squares::<1>(line, upper, lower),
        2 => average_squares::<2>(line, upper, lower),
        3 => average_squares::<3>(line, upper, lower),
        _ => average_squares::<4>(line, upper, lower),
    }
}

fn average_squares<const N: usize>(line: &mut [u8], upper: &[u8], lower: &[u8]) {
    let squares = upper.chunks_exact(2 * N).zip(lower.chunks_exact(2 * N));
    for (target, (upper, lower)) in line.chunks_exact_mut(N).zip(squares) {
        average_square::<N>(target, upper, lower);
    }
}

/// Halves a picture while its rows are decoded, so that it is never in memory whole.
pub(super) struct Rows {
    channels: u8,
    size: (u32, u32),
    /// The first of two rows, until the other comes.
    upper: Vec<u8>,
    line: Vec<u8>,
    pixels: Vec<u8>,
}

impl Rows {
    pub(super) fn new(width: u32, height: u32, channels: u8) -> Self {
        let (width, height) = (width / 2, height / 2);
        let side = |side| usize::try_from(side).unwrap_or_default();
        let line_bytes = side(width) * usize::from(channels);
        Self {
            channels,
            size: (width, height),
            upper: Vec::new(),
            line: vec![0; line_bytes],
            pixels: Vec::with_capacity(line_bytes * side(height)),
        }
    }

    pub(super) fn push(&mut self, row: &[u8]) {
        if self.upper.is_empty() {
            self.upper.extend_from_slice(row);
            return;
        }
        average_rows(&mut self.line, &self.upper, row, self.channels);
        self.pixels.extend_from_slice(&self.line);
        self.upper.clear();
    }

    /// `None` when rows are missing.
    pub(super) fn into_picture(self) -> Option<DynamicImage> {
        from_pixels(self.size, self.channels, self.pixels)
    }
}

/// With two or four channels the last is alpha, and colour counts as much as it is opaque.
fn average_square<const N: usize>(target: &mut [u8], upper: &[u8], lower: &[u8]) {
    let square = [&upper[..N], &upper[N..2 * N], &lower[..N], &lower[N..2 * N]];
    let has_alpha = N.is_multiple_of(2);
    let weight = |pixel: &[u8]| {
        if has_alpha {
            u32::from(pixel[N - 1])
        } else {
            1
        }
    };
    let weights: u32 = square.iter().map(|pixel| weight(pixel)).sum();
    for channel in 0..N {
        let value = if has_alpha && channel == N - 1 {
            (weights + 2) / 4
        } else {
            let sum: u32 = square
                .iter()
                .map(|pixel| u32::from(pixel[channel]) * weight(pixel))
                .sum();
            (sum + weights / 2) / weights.max(1)
        };
        target[channel] = u8::try_from(value).unwrap_or(u8::MAX);
    }
}
