//! Turns the planes of an AV1 picture into RGB.

use image::{GrayImage, RgbImage};
use re_rav1d::dav1d::pixel::{MatrixCoefficients, YUVRange};
use re_rav1d::dav1d::{Picture, PixelLayout, PlanarImageComponent, Plane};

use super::{ImageError, undecodable};

/// `matrix_coefficients` of ITU-T H.273.
const IDENTITY: u16 = 0;
const BT709: u16 = 1;
const BT2020: u16 = 9;

/// One plane of eight or more bits a sample.
struct Samples {
    plane: Plane,
    /// In bytes.
    stride: usize,
    wide: bool,
    /// From the stored depth to the range 0 to 255.
    scale: f32,
    across_shift: u32,
    down_shift: u32,
}

impl Samples {
    fn new(picture: &Picture, component: PlanarImageComponent) -> Result<Self, ImageError> {
        let chroma = component != PlanarImageComponent::Y;
        let layout = picture.pixel_layout();
        let bits = picture
            .bits_per_component()
            .ok_or(ImageError::Undecodable)?
            .0;
        let scale = match bits {
            8 => 1.0,
            10 => 0.25,
            _ => 0.0625,
        };
        Ok(Self {
            stride: usize::try_from(picture.stride(component)).map_err(undecodable)?,
            plane: picture.plane(component),
            wide: bits > 8,
            scale,
            across_shift: u32::from(
                chroma && matches!(layout, PixelLayout::I420 | PixelLayout::I422),
            ),
            down_shift: u32::from(chroma && layout == PixelLayout::I420),
        })
    }

    /// The samples of the row of the picture at `y`.
    fn row(&self, y: u32) -> Result<&[u8], ImageError> {
        let row = usize::try_from(y >> self.down_shift).map_err(undecodable)?;
        self.plane
            .get(row * self.stride..)
            .ok_or(ImageError::Undecodable)
    }

    fn at(&self, row: &[u8], x: usize) -> f32 {
        let x = x >> self.across_shift;
        if self.wide {
            let pair = row
                .get(2 * x..2 * x + 2)
                .and_then(|pair| pair.first_chunk());
            f32::from(pair.map_or(0, |pair| u16::from_ne_bytes(*pair))) * self.scale
        } else {
            f32::from(row.get(x).copied().unwrap_or(0))
        }
    }
}

/// Red and blue weights of luma.
fn weights(matrix: u16) -> (f32, f32) {
    match matrix {
        BT709 => (0.2126, 0.0722),
        BT2020 => (0.2627, 0.0593),
        // Unspecified means BT.601, as browsers take it.
        _ => (0.299, 0.114),
    }
}

/// `declared` is the container's matrix and whether its range is full; else the stream's count.
pub(super) fn to_rgb(
    picture: &Picture,
    declared: Option<(u16, bool)>,
) -> Result<RgbImage, ImageError> {
    if picture.pixel_layout() == PixelLayout::I400 {
        return Ok(image::DynamicImage::ImageLuma8(luma_in(picture, declared)?).into_rgb8());
    }
    let (matrix, full) = declared.unwrap_or_else(|| streams_own(picture));
    let luma = Samples::new(picture, PlanarImageComponent::Y)?;
    let blue = Samples::new(picture, PlanarImageComponent::U)?;
    let red = Samples::new(picture, PlanarImageComponent::V)?;
    let (red_weight, blue_weight) = weights(matrix);
    let green_weight = 1.0 - red_weight - blue_weight;
    let (floor, luma_gain, chroma_gain) = range(full);
    let mut rgb = RgbImage::new(picture.width(), picture.height());
    for (y, pixels) in (0..picture.height()).zip(rgb.rows_mut()) {
        let (luma_row, blue_row, red_row) = (luma.row(y)?, blue.row(y)?, red.row(y)?);
        for (x, pixel) in pixels.enumerate() {
            let light = (luma.at(luma_row, x) - floor) * luma_gain;
            if matrix == IDENTITY {
                let (blue, red) = (blue.at(blue_row, x) - floor, red.at(red_row, x) - floor);
                pixel.0 = [red * luma_gain, light, blue * luma_gain].map(to_u8);
                continue;
            }
            let to_blue = (blue.at(blue_row, x) - 128.0) * chroma_gain * 2.0 * (1.0 - blue_weight);
            let to_red = (red.at(red_row, x) - 128.0) * chroma_gain * 2.0 * (1.0 - red_weight);
            let from_green = (red_weight * to_red + blue_weight * to_blue) / green_weight;
            pixel.0 = [light + to_red, light - from_green, light + to_blue].map(to_u8);
        }
    }
    Ok(rgb)
}

/// The luma plane as it is: an alpha channel.
pub(super) fn luma(picture: &Picture) -> Result<GrayImage, ImageError> {
    luma_in(picture, None)
}

fn luma_in(picture: &Picture, declared: Option<(u16, bool)>) -> Result<GrayImage, ImageError> {
    let (_, full) = declared.unwrap_or_else(|| streams_own(picture));
    let samples = Samples::new(picture, PlanarImageComponent::Y)?;
    let (floor, gain, _) = range(full);
    let mut grey = GrayImage::new(picture.width(), picture.height());
    for (y, pixels) in (0..picture.height()).zip(grey.rows_mut()) {
        let row = samples.row(y)?;
        for (x, pixel) in pixels.enumerate() {
            pixel.0 = [to_u8((samples.at(row, x) - floor) * gain)];
        }
    }
    Ok(grey)
}

/// The darkest luma, and what stretches luma and chroma to 0 to 255.
fn range(full: bool) -> (f32, f32, f32) {
    if full {
        (0.0, 1.0, 1.0)
    } else {
        (16.0, 255.0 / 219.0, 255.0 / 224.0)
    }
}

fn streams_own(picture: &Picture) -> (u16, bool) {
    let matrix = match picture.matrix_coefficients() {
        MatrixCoefficients::Identity => IDENTITY,
        MatrixCoefficients::BT709 => BT709,
        MatrixCoefficients::BT2020NonConstantLuminance => BT2020,
        _ => 2,
    };
    (matrix, picture.color_range() == YUVRange::Full)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded, and a cast from a float saturates"
)]
fn to_u8(value: f32) -> u8 {
    (value + 0.5) as u8
}
