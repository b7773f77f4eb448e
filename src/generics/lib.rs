//! Generic code of other crates, compiled here for the types that the program gives it.
//!
//! It is compiled where it is used, as that crate is compiled. Used in the program, it was
//! unoptimised in the development build, whatever the manifest said of its crate, and every picture
//! and every page of every test paid for that. Nothing else belongs here.

use brotli::enc::BrotliEncoderParams;
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{MulDiv, ResizeOptions, Resizer};
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
    (picture, (width, height)): (&[u8], Size),
    (smaller, (smaller_width, smaller_height)): (&mut [u8], Size),
    options: &ResizeOptions,
) -> Result<(), Box<dyn Error>> {
    // Typed: the resizer's own choice at run time brings code for thirteen kinds of pixel.
    let from = TypedImageRef::<U8x3>::from_buffer(width, height, picture)?;
    let mut to = TypedImage::<U8x3>::from_buffer(smaller_width, smaller_height, smaller)?;
    Resizer::new().resize_typed(&from, &mut to, options)?;
    Ok(())
}

/// As [`resample_rgb`], with alpha: four bytes a pixel. `picture` is of no use afterwards: its
/// colours are multiplied by their alpha where they are, which the resizer does in a copy.
///
/// # Errors
/// When the pixels are not as many as the sizes say.
#[inline(never)]
pub fn resample_rgba(
    (picture, (width, height)): (&mut [u8], Size),
    (smaller, (smaller_width, smaller_height)): (&mut [u8], Size),
    options: &ResizeOptions,
) -> Result<(), Box<dyn Error>> {
    let mut from = TypedImage::<U8x4>::from_buffer(width, height, picture)?;
    let mut to = TypedImage::<U8x4>::from_buffer(smaller_width, smaller_height, smaller)?;
    let alpha = MulDiv::new();
    alpha.multiply_alpha_inplace_typed(&mut from)?;
    Resizer::new().resize_typed(&from, &mut to, &options.use_alpha(false))?;
    alpha.divide_alpha_inplace_typed(&mut to)?;
    Ok(())
}
