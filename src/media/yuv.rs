//! Turns the planes of an AV1 picture into RGB.

use image::{GrayImage, RgbImage};
use re_rav1d::dav1d::pixel::YUVRange;
use re_rav1d::dav1d::{Picture, PixelLayout, PlanarImageComponent, Plane};

use super::cicp::CodePoints;
use super::{ImageError, undecodable};

/// `matrix_coefficients` of ITU-T H.273.
const IDENTITY: u16 = 0;
const BT709: u16 = 1;
const SMPTE240: u16 = 7;
const YCGCO: u16 = 8;
const BT2020: u16 = 9;
/// The weights follow from the primaries.
const OF_PRIMARIES: u16 = 12;

/// What the numbers of a picture mean. The container's values win over those of the stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signal {
    pub(super) colours: CodePoints,
    pub(super) matrix: u16,
    pub(super) is_full_range: bool,
}

impl Signal {
    pub(super) fn of_stream(picture: &Picture) -> Self {
        Self {
            colours: CodePoints {
                primaries: picture.color_primaries() as u16,
                transfer: picture.transfer_characteristic() as u16,
            },
            matrix: picture.matrix_coefficients() as u16,
            is_full_range: picture.color_range() == YUVRange::Full,
        }
    }

    /// Red and blue weights of luma; `None` for a conversion of another kind.
    const fn weights(self) -> Option<(f32, f32)> {
        Some(match (self.matrix, self.colours.primaries) {
            (BT709, _) | (OF_PRIMARIES, 1) => (0.2126, 0.0722),
            (BT2020, _) | (OF_PRIMARIES, 9) => (0.2627, 0.0593),
            (OF_PRIMARIES, 12) => (0.2290, 0.0793),
            (SMPTE240, _) => (0.212, 0.087),
            // Unspecified means BT.601, as browsers take it.
            (2..=6 | OF_PRIMARIES, _) => (0.299, 0.114),
            _ => return None,
        })
    }
}

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

pub(super) fn to_rgb(picture: &Picture, signal: Signal) -> Result<RgbImage, ImageError> {
    let tone_map = signal.colours.tone_map()?;
    let finish = |channels: [f32; 3]| match &tone_map {
        Some(tone_map) => tone_map.map(channels.map(|channel| channel.clamp(0.0, 255.0) / 255.0)),
        None => channels.map(to_u8),
    };
    let luma = Samples::new(picture, PlanarImageComponent::Y)?;
    let (floor, luma_gain, chroma_gain) = range(signal.is_full_range);
    let mut rgb = RgbImage::new(picture.width(), picture.height());
    if picture.pixel_layout() == PixelLayout::I400 {
        for (y, pixels) in (0..picture.height()).zip(rgb.rows_mut()) {
            let row = luma.row(y)?;
            for (x, pixel) in pixels.enumerate() {
                pixel.0 = finish([(luma.at(row, x) - floor) * luma_gain; 3]);
            }
        }
        return Ok(rgb);
    }
    let blue = Samples::new(picture, PlanarImageComponent::U)?;
    let red = Samples::new(picture, PlanarImageComponent::V)?;
    let is_plain = matches!(signal.matrix, IDENTITY | YCGCO);
    let weights = signal.weights().or(is_plain.then_some((0.0, 0.0)));
    let (red_weight, blue_weight) = weights.ok_or(ImageError::UnknownColours)?;
    let green_weight = 1.0 - red_weight - blue_weight;
    for (y, pixels) in (0..picture.height()).zip(rgb.rows_mut()) {
        let (luma_row, blue_row, red_row) = (luma.row(y)?, blue.row(y)?, red.row(y)?);
        for (x, pixel) in pixels.enumerate() {
            let light = (luma.at(luma_row, x) - floor) * luma_gain;
            if signal.matrix == IDENTITY {
                let (blue, red) = (blue.at(blue_row, x) - floor, red.at(red_row, x) - floor);
                pixel.0 = finish([red * luma_gain, light, blue * luma_gain]);
                continue;
            }
            let first = (blue.at(blue_row, x) - 128.0) * chroma_gain;
            let second = (red.at(red_row, x) - 128.0) * chroma_gain;
            if signal.matrix == YCGCO {
                let (green, orange) = (first, second);
                let rest = light - green;
                pixel.0 = finish([rest + orange, light + green, rest - orange]);
                continue;
            }
            let to_blue = first * 2.0 * (1.0 - blue_weight);
            let to_red = second * 2.0 * (1.0 - red_weight);
            let from_green = (red_weight * to_red + blue_weight * to_blue) / green_weight;
            pixel.0 = finish([light + to_red, light - from_green, light + to_blue]);
        }
    }
    Ok(rgb)
}

/// The luma plane as it is: an alpha channel.
pub(super) fn luma(picture: &Picture) -> Result<GrayImage, ImageError> {
    let samples = Samples::new(picture, PlanarImageComponent::Y)?;
    let (floor, gain, _) = range(picture.color_range() == YUVRange::Full);
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

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded, and a cast from a float saturates"
)]
fn to_u8(value: f32) -> u8 {
    (value + 0.5) as u8
}
