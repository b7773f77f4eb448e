//! Generic code of other crates, compiled here for the types that the program gives it.
//!
//! It is compiled where it is used, as that crate is compiled. Used in the program, it was
//! unoptimised in the development build, whatever the manifest said of its crate, and every picture
//! and every page of every test paid for that. Nothing else belongs here.

use brotli::enc::BrotliEncoderParams;
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{PixelTrait, ResizeOptions, Resizer};
use jpeg_encoder::{ColorType, Encoder, EncodingError};
use std::error::Error;
use std::io;

/// Width and height in pixels.
pub type Size = (u32, u32);

/// # Errors
/// When the encoder refuses its parameters.
#[inline(never)]
pub fn brotli(bytes: &[u8], parameters: &BrotliEncoderParams) -> io::Result<Vec<u8>> {
    let mut smaller = Vec::with_capacity(bytes.len() / 4);
    let mut source = bytes;
    brotli::BrotliCompress(&mut source, &mut smaller, parameters)?;
    Ok(smaller)
}

/// Huffman tables stay the usual ones: optimised ones come with one scan per channel, which our
/// own decoder reads wrong.
///
/// # Errors
/// When the pixels are not as many as the size says.
#[inline(never)]
pub fn jpeg(
    rgb: &[u8],
    (width, height): (u16, u16),
    quality: u8,
) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    Encoder::new(&mut bytes, quality).encode(rgb, width, height, ColorType::Rgb)?;
    Ok(bytes)
}

/// Fills `smaller` from the part of `picture` that the options name: three bytes a pixel.
///
/// # Errors
/// When the pixels are not as many as the sizes say.
#[inline(never)]
pub fn resample_rgb(
    picture: (&[u8], Size),
    smaller: (&mut [u8], Size),
    options: &ResizeOptions,
) -> Result<(), Box<dyn Error>> {
    resample::<U8x3>(picture, smaller, options)
}

/// As [`resample_rgb`], with alpha: four bytes a pixel.
///
/// # Errors
/// When the pixels are not as many as the sizes say.
#[inline(never)]
pub fn resample_rgba(
    picture: (&[u8], Size),
    smaller: (&mut [u8], Size),
    options: &ResizeOptions,
) -> Result<(), Box<dyn Error>> {
    resample::<U8x4>(picture, smaller, options)
}

/// Typed: the resizer's own choice at run time brings code for thirteen kinds of pixel.
fn resample<P: PixelTrait>(
    (picture, (width, height)): (&[u8], Size),
    (smaller, (smaller_width, smaller_height)): (&mut [u8], Size),
    options: &ResizeOptions,
) -> Result<(), Box<dyn Error>> {
    let from = TypedImageRef::<P>::from_buffer(width, height, picture)?;
    let mut to = TypedImage::<P>::from_buffer(smaller_width, smaller_height, smaller)?;
    Resizer::new().resize_typed(&from, &mut to, options)?;
    Ok(())
}
