//! Draws the link-preview image (Open Graph, 1200x630): a photograph or a tinted landscape, a scrim
//! under the text, the title and the brand.

mod text;

use fast_image_resize::ResizeOptions;
use image::{DynamicImage, Rgb, RgbImage};

use crate::{Format, ImageError, PAPER, catch_panic, decode_upright, encode, resize};
use text::Block;

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;

type Colour = [u8; 3];

/// Hills under a low sun, 1200x630, one channel. The left edge continues the right one, so that it
/// can be shifted sideways.
const LANDSCAPE: &[u8] = include_bytes!("landscape.png");
/// Colours of the darkest and of the lightest pixel of the landscape.
const TINTS: [(Colour, Colour); 4] = [
    ([0x17, 0x39, 0x3C], [0xF9, 0xE3, 0xC8]),
    ([0x1F, 0x5C, 0x5C], [0xE4, 0xF0, 0xEA]),
    ([0x1A, 0x28, 0x44], [0xF3, 0xD3, 0xD8]),
    ([0x6E, 0x33, 0x24], [0xFB, 0xEC, 0xD2]),
];
/// How many shifts of the landscape there are.
const SHIFTS: u32 = 12;

/// Messengers drop larger ones; this leaves room below their 250 KB.
const BYTES_MAX: usize = 240_000;
const QUALITIES: [u8; 6] = [84, 76, 68, 58, 45, 30];

/// Of a picture that is taller than wide.
const TALL_WIDTH: u32 = 500;
const SIDE_MARGIN: f32 = 76.0;
const BOTTOM_MARGIN: f32 = 64.0;
const BRAND_SIZE: f32 = 30.0;
const BRAND_GAP: f32 = 34.0;
const RULE_LENGTH: f32 = 64.0;
const RULE_THICKNESS: f32 = 4.0;
/// Height in pixels over which the scrim fades in above the text.
const SCRIM_RISE: f32 = 170.0;
/// Opacity of the scrim at the first line: white text keeps a contrast of 7:1 on a white picture.
const SCRIM_AT_WORDS: f32 = 0.78;
const SCRIM_AT_BOTTOM: f32 = 0.90;
const SCRIM_AT_TOP: f32 = 0.12;

const DEEP: Colour = [0x0A, 0x28, 0x2A];
const DAWN: Colour = [0xF0, 0xB7, 0x93];

/// The background of a link-preview image.
#[derive(Debug, Clone, Copy, bincode::Encode, bincode::BorrowDecode)]
pub enum Background<'a> {
    /// An encoded picture and its focal point, in percent from left and top.
    Picture(&'a [u8], (u8, u8)),
    /// The landscape; its tint and shift follow from the path of the page.
    Landscape(&'a str),
}

/// A JPEG of 1200x630 under 250 KB.
pub fn social(backdrop: Background<'_>, title: &str, brand: &str) -> Result<Vec<u8>, ImageError> {
    catch_panic(|| compose(backdrop, title, brand))
}

fn compose(backdrop: Background<'_>, title: &str, brand: &str) -> Result<Vec<u8>, ImageError> {
    let mut words = Words {
        title,
        brand,
        width: to_f32(WIDTH) - 2.0 * SIDE_MARGIN,
    };
    let canvas = match backdrop {
        Background::Picture(bytes, focus) => {
            let (picture, _) = decode_upright(Format::sniff(bytes)?, bytes)?;
            let picture = encode::flatten(&picture);
            if picture.height() > picture.width() {
                words.width -= to_f32(TALL_WIDTH);
                words.beside(&covered(&picture, TALL_WIDTH, focus)?)?
            } else {
                words.over(covered(&picture, WIDTH, focus)?)?
            }
        }
        Background::Landscape(path) => words.over(landscape(path)?)?,
    };
    under_limit(&DynamicImage::ImageRgb8(canvas))
}

/// Title and brand, and the width in pixels that they may take.
struct Words<'a> {
    title: &'a str,
    brand: &'a str,
    width: f32,
}

impl Words<'_> {
    /// At the foot of the picture, which grows dark there.
    fn over(&self, mut canvas: RgbImage) -> Result<RgbImage, ImageError> {
        let block = text::fit(self.title, self.width)?;
        let brand_top = to_f32(HEIGHT) - BOTTOM_MARGIN - BRAND_SIZE;
        let title_top = brand_top - BRAND_GAP - block.height();
        darken(&mut canvas, title_top);
        self.write(&mut canvas, &block, title_top, brand_top)?;
        Ok(canvas)
    }

    /// On dark ground left of the picture: across the whole width a portrait would lose its head.
    fn beside(&self, picture: &RgbImage) -> Result<RgbImage, ImageError> {
        let mut canvas = RgbImage::from_pixel(WIDTH, HEIGHT, Rgb(DEEP));
        image::imageops::replace(&mut canvas, picture, i64::from(WIDTH - TALL_WIDTH), 0);
        let block = text::fit(self.title, self.width)?;
        let all = block.height() + BRAND_GAP + BRAND_SIZE;
        let title_top = (to_f32(HEIGHT) - all) / 2.0;
        let brand_top = title_top + block.height() + BRAND_GAP;
        self.write(&mut canvas, &block, title_top, brand_top)?;
        Ok(canvas)
    }

    fn write(
        &self,
        canvas: &mut RgbImage,
        title: &Block,
        title_top: f32,
        brand_top: f32,
    ) -> Result<(), ImageError> {
        let ink = |colour: Colour| {
            move |canvas: &mut RgbImage, x: u32, y: u32, amount: f32| {
                if let Some(pixel) = canvas.get_pixel_mut_checked(x, y) {
                    *pixel = Rgb(mix(pixel.0, colour, amount));
                }
            }
        };
        let paper = ink(PAPER);
        text::draw(title, SIDE_MARGIN, title_top, |x, y, amount| {
            paper(canvas, x, y, amount);
        })?;
        let dawn = ink(DAWN);
        let rule_top = brand_top - BRAND_GAP / 2.0;
        for y in span(rule_top, RULE_THICKNESS) {
            for x in span(SIDE_MARGIN, RULE_LENGTH) {
                dawn(canvas, x, y, 1.0);
            }
        }
        let brand = text::line(self.brand, BRAND_SIZE, self.width)?;
        text::draw(&brand, SIDE_MARGIN, brand_top, |x, y, amount| {
            paper(canvas, x, y, amount);
        })
    }
}

fn under_limit(picture: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    for quality in QUALITIES {
        let bytes = encode::jpeg(picture, quality)?;
        if bytes.len() <= BYTES_MAX {
            return Ok(bytes);
        }
    }
    Err(ImageError::Undecodable)
}

/// The landscape in the tint and shift of this path: pages differ in a list of links, and a page
/// keeps its picture.
fn landscape(path: &str) -> Result<RgbImage, ImageError> {
    let shades = decode_upright(Format::Png, LANDSCAPE)?.0.into_luma8();
    let hash = path.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let (dark, light) = TINTS[hash as usize % TINTS.len()];
    let shift = (hash >> 16) % SHIFTS * (WIDTH / SHIFTS);
    Ok(RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let [shade] = shades.get_pixel((x + shift) % WIDTH, y).0;
        Rgb(mix(dark, light, f32::from(shade) / 255.0))
    }))
}

/// The picture cropped to this width of the canvas around its focal point.
fn covered(picture: &RgbImage, width: u32, focus: (u8, u8)) -> Result<RgbImage, ImageError> {
    let mut canvas = RgbImage::new(width, HEIGHT);
    let scale = (f64::from(width) / f64::from(picture.width()))
        .max(f64::from(HEIGHT) / f64::from(picture.height()));
    let across = centring(
        focus.0,
        f64::from(width) / scale / f64::from(picture.width()),
    );
    let down = centring(
        focus.1,
        f64::from(HEIGHT) / scale / f64::from(picture.height()),
    );
    let options = ResizeOptions::new().fit_into_destination(Some((across, down)));
    resize::resample(picture, &mut canvas, &options)?;
    Ok(canvas)
}

/// Returns the crop offset (0 to 1) that puts the focal point in the middle of the `visible` share,
/// or as near to it as the edge allows. The same rule as `cropPosition` in the UI.
fn centring(focus_hundredths: u8, visible: f64) -> f64 {
    let cut = 1.0 - visible;
    if cut <= 0.0 {
        return 0.5;
    }
    let focus = f64::from(focus_hundredths.min(100)) / 100.0;
    ((focus - visible / 2.0) / cut).clamp(0.0, 1.0)
}

/// The scrim: slight at the top, dark from the first line of text down.
fn darken(canvas: &mut RgbImage, words_top: f32) {
    let height = to_f32(HEIGHT);
    for (y, row) in (0..HEIGHT).zip(canvas.rows_mut()) {
        let y = to_f32(y);
        let opacity = if y < words_top {
            let near = ((y - words_top + SCRIM_RISE) / SCRIM_RISE).clamp(0.0, 1.0);
            SCRIM_AT_TOP + (SCRIM_AT_WORDS - SCRIM_AT_TOP) * near * near * (3.0 - 2.0 * near)
        } else {
            let below = (y - words_top) / (height - words_top).max(1.0);
            SCRIM_AT_WORDS + (SCRIM_AT_BOTTOM - SCRIM_AT_WORDS) * below
        };
        for pixel in row {
            *pixel = Rgb(mix(pixel.0, DEEP, opacity));
        }
    }
}

/// The whole pixels of a stretch.
fn span(start: f32, length: f32) -> std::ops::Range<u32> {
    to_u32(start)..to_u32(start + length)
}

fn mix(under: Colour, over: Colour, amount: f32) -> Colour {
    // Nearly every pixel lies wholly on one side.
    if amount <= 0.0 {
        return under;
    }
    if amount >= 1.0 {
        return over;
    }
    let channel = |under: u8, over: u8| {
        let mixed = f32::from(under) + (f32::from(over) - f32::from(under)) * amount;
        u8::try_from(to_u32(mixed)).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = under;
    [
        channel(red, over[0]),
        channel(green, over[1]),
        channel(blue, over[2]),
    ]
}

#[expect(
    clippy::cast_precision_loss,
    reason = "lengths here are below a few thousand pixels"
)]
fn to_f32(length: u32) -> f32 {
    length as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded, and a cast from a float saturates"
)]
fn to_u32(value: f32) -> u32 {
    value.round() as u32
}
