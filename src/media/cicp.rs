//! Colours declared by numbers (ITU-T H.273): AVIF and the `cICP` chunk of a PNG. Wide gamuts
//! become a profile, the HDR curves PQ and HLG are tone-mapped to sRGB as Chromium does.

use image::{DynamicImage, Rgb, RgbImage, Rgba, RgbaImage};
use moxcms::{
    CicpColorPrimaries, CicpProfile, ColorProfile, MatrixCoefficients, TransferCharacteristics,
};

use super::ImageError;

const PRIMARIES_BT709: u16 = 1;
const PRIMARIES_UNSPECIFIED: u16 = 2;
const PRIMARIES_BT2020: u16 = 9;
const PRIMARIES_DISPLAY_P3: u16 = 12;
const TRANSFER_PQ: u16 = 16;
const TRANSFER_HLG: u16 = 18;

/// Luminance of white in SDR, in cd/m² (ITU-R BT.2408).
const WHITE_NITS: f32 = 203.0;
/// Brightest luminance of a picture that declares none, as Chromium assumes.
const CONTENT_NITS_MAX: f32 = 1000.0;
const PQ_NITS_MAX: f32 = 10_000.0;
/// Exponent that HLG applies to luminance for a display of 1000 cd/m² (ITU-R BT.2100).
const HLG_GAMMA: f32 = 1.2;
/// Steps of the curves' tables; 12 bits a sample.
const STEPS: u16 = 4095;

type Matrix = [[f32; 3]; 3];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const BT2020_TO_BT709: Matrix = [
    [1.6605, -0.5876, -0.0728],
    [-0.1246, 1.1329, -0.0083],
    [-0.0182, -0.1006, 1.1187],
];
const P3_TO_BT709: Matrix = [
    [1.2249, -0.2247, 0.0],
    [-0.0420, 1.0419, 0.0],
    [-0.0197, -0.0786, 1.0979],
];
/// Share of each primary in luminance.
const BT2020_LUMINANCE: [f32; 3] = [0.2627, 0.6780, 0.0593];

/// Primaries and transfer characteristics.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodePoints {
    pub(super) primaries: u16,
    pub(super) transfer: u16,
}

impl CodePoints {
    pub(super) const fn is_hdr(self) -> bool {
        matches!(self.transfer, TRANSFER_PQ | TRANSFER_HLG)
    }

    /// The profile of a picture that is not HDR; `None` for sRGB.
    pub(super) fn profile(self) -> Option<ColorProfile> {
        // Browsers take the curves of television for that of sRGB.
        let transfer = match self.transfer {
            4 | 5 | 8 => u8::try_from(self.transfer).ok()?,
            _ => TransferCharacteristics::Srgb as u8,
        };
        let is_srgb = transfer == TransferCharacteristics::Srgb as u8;
        if self.is_hdr() || is_srgb && self.primaries <= PRIMARIES_UNSPECIFIED {
            return None;
        }
        let primaries = match self.primaries {
            0 | PRIMARIES_UNSPECIFIED => PRIMARIES_BT709,
            primaries => primaries,
        };
        Some(ColorProfile::new_from_cicp(CicpProfile {
            color_primaries: CicpColorPrimaries::try_from(u8::try_from(primaries).ok()?).ok()?,
            transfer_characteristics: TransferCharacteristics::try_from(transfer).ok()?,
            matrix_coefficients: MatrixCoefficients::Identity,
            full_range: true,
        }))
    }

    /// Maps the colours of an HDR picture; `None` for other pictures.
    pub(super) fn tone_map(self) -> Result<Option<ToneMap>, ImageError> {
        if !self.is_hdr() {
            return Ok(None);
        }
        let to_srgb = match self.primaries {
            PRIMARIES_BT709 | PRIMARIES_UNSPECIFIED => IDENTITY,
            PRIMARIES_BT2020 => BT2020_TO_BT709,
            PRIMARIES_DISPLAY_P3 => P3_TO_BT709,
            _ => return Err(ImageError::UnknownColours),
        };
        Ok(Some(ToneMap::new(self.transfer == TRANSFER_HLG, to_srgb)))
    }
}

/// A curve and a matrix from HDR to sRGB.
pub(super) struct ToneMap {
    /// Light by signal, white of SDR being 1; of HLG scene light up to 1.
    light: Vec<f32>,
    /// sRGB by light.
    srgb: Vec<u8>,
    is_hlg: bool,
    to_srgb: Matrix,
}

impl ToneMap {
    fn new(is_hlg: bool, to_srgb: Matrix) -> Self {
        let steps = || (0..=STEPS).map(|step| f32::from(step) / f32::from(STEPS));
        let light = |signal| if is_hlg { hlg(signal) } else { pq(signal) };
        Self {
            light: steps().map(light).collect(),
            // The square root spreads the steps over what the eye tells apart.
            srgb: steps().map(|root| srgb(root * root)).collect(),
            is_hlg,
            to_srgb,
        }
    }

    /// Maps a pixel of channels from 0 to 1.
    pub(super) fn map(&self, signal: [f32; 3]) -> [u8; 3] {
        let mut light = signal.map(|signal| at(&self.light, signal));
        if self.is_hlg {
            let luminance: f32 = light.iter().zip(BT2020_LUMINANCE).map(|(a, b)| a * b).sum();
            let gain = luminance.powf(HLG_GAMMA - 1.0) * CONTENT_NITS_MAX / WHITE_NITS;
            light = light.map(|channel| channel * gain);
        }
        // Chromium's curve (extended Reinhard on the largest channel), which keeps the hue.
        let brightest = CONTENT_NITS_MAX / WHITE_NITS;
        let largest = light.into_iter().fold(0.0, f32::max);
        let scale = (1.0 + largest / (brightest * brightest)) / (1.0 + largest);
        let light = light.map(|channel| channel * scale);
        self.to_srgb.map(|row| {
            let channel: f32 = row.iter().zip(light).map(|(a, b)| a * b).sum();
            at(&self.srgb, channel.clamp(0.0, 1.0).sqrt())
        })
    }

    pub(super) fn map_picture(&self, picture: &DynamicImage) -> DynamicImage {
        let (width, height) = (picture.width(), picture.height());
        let signal = |channel: u16| f32::from(channel) / f32::from(u16::MAX);
        if picture.color().has_alpha() {
            let pixels = picture.to_rgba16();
            let mapped = RgbaImage::from_fn(width, height, |x, y| {
                let [red, green, blue, alpha] = pixels.get_pixel(x, y).0;
                let [red, green, blue] = self.map([red, green, blue].map(signal));
                Rgba([red, green, blue, alpha.to_be_bytes()[0]])
            });
            return mapped.into();
        }
        let pixels = picture.to_rgb16();
        let map = |x, y| Rgb(self.map(pixels.get_pixel(x, y).0.map(signal)));
        RgbImage::from_fn(width, height, map).into()
    }
}

/// The entry of a table of [`STEPS`] for a value from 0 to 1.
fn at<T: Copy + Default>(table: &[T], value: f32) -> T {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, and a cast from a float saturates"
    )]
    let index = (value * f32::from(STEPS) + 0.5) as usize;
    table
        .get(index)
        .or(table.last())
        .copied()
        .unwrap_or_default()
}

/// SMPTE ST 2084.
fn pq(signal: f32) -> f32 {
    let (m1, m2) = (2610.0 / 16_384.0, 2523.0 / 4096.0 * 128.0);
    let (c1, c2, c3) = (
        3424.0 / 4096.0,
        2413.0 / 4096.0 * 32.0,
        2392.0 / 4096.0 * 32.0,
    );
    let power = signal.powf(1.0 / m2);
    let light = ((power - c1).max(0.0) / (c2 - c3 * power)).powf(1.0 / m1);
    light * PQ_NITS_MAX / WHITE_NITS
}

/// Inverse OETF of ITU-R BT.2100.
fn hlg(signal: f32) -> f32 {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_7);
    if signal <= 0.5 {
        signal * signal / 3.0
    } else {
        (((signal - c) / a).exp() + b) / 12.0
    }
}

fn srgb(light: f32) -> u8 {
    let signal = if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, and a cast from a float saturates"
    )]
    let byte = (signal * 255.0 + 0.5) as u8;
    byte
}
