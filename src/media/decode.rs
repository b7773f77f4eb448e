//! Decodes every accepted format under limits of pixels and memory.

use std::io::Cursor;

use image::codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageError as CodecError, Limits, RgbImage};
use jpeg_decoder::{Decoder as ChannelDecoder, PixelFormat};
use moxcms::ColorProfile;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::cicp::CodePoints;
use super::decoded_image::{Decoded, check_size};
use super::{
    DECODE_BYTES_MAX, Format, ImageError, Losses, SIDE_PIXELS_MAX, avif, colour, container_check,
    resize, undecodable,
};

pub(super) fn decode(format: Format, bytes: &[u8]) -> Result<Decoded, ImageError> {
    let mut decoded = match format {
        Format::Jpeg => jpeg(bytes)?,
        Format::Png => {
            let file = container_check::png(bytes)?;
            of_frames(png(&file.bytes, file.colours)?, file.frames)
        }
        Format::Webp => {
            let file = container_check::webp(bytes)?;
            of_frames(webp(&file.bytes)?, file.frames)
        }
        Format::Gif => {
            let file = container_check::gif(bytes)?;
            let decoder = GifDecoder::new(Cursor::new(&*file.bytes)).map_err(undecodable)?;
            of_frames(through_image(decoder, 4)?, file.frames)
        }
        Format::Avif => avif::decode(container_check::boxes(bytes)?)?,
    };
    decoded.picture = resize::to_rgb8(decoded.picture);
    Ok(decoded)
}

fn of_frames(decoded: Decoded, frames: u32) -> Decoded {
    let losses = Losses {
        animation: frames > 1,
        ..decoded.losses
    };
    Decoded { losses, ..decoded }
}

/// The colours of `cICP` win over a profile (PNG, third edition).
fn png(bytes: &[u8], colours: Option<CodePoints>) -> Result<Decoded, ImageError> {
    let mut decoded = png_in_own_colours(bytes)?;
    let Some(colours) = colours else {
        return Ok(decoded);
    };
    decoded.profile = colours.profile();
    if let Some(tone_map) = colours.tone_map()? {
        // Sixteen bits a channel beside the picture.
        let pixels = u64::from(decoded.picture.width()) * u64::from(decoded.picture.height());
        check_size(
            decoded.picture.width(),
            decoded.picture.height(),
            pixels * 20,
        )?;
        decoded.picture = tone_map.map_picture(&decoded.picture);
        decoded.losses.hdr = true;
    }
    Ok(decoded)
}

fn png_in_own_colours(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODE_BYTES_MAX);
    let mut decoder = PngDecoder::with_limits(Cursor::new(bytes), limits).map_err(undecodable)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let has_alpha = decoder.color_type().has_alpha();
    if resize::is_halved(pixels, has_alpha) && !container_check::is_interlaced(bytes) {
        check_size(width, height, pixels)?;
        let (profile, orientation) = shown_by(&mut decoder);
        drop(decoder);
        return Ok(Decoded {
            picture: png_in_rows(bytes)?,
            profile,
            orientation,
            losses: Losses::default(),
        });
    }
    let stored = u64::from(decoder.color_type().bytes_per_pixel());
    // Sixteen bits a channel become eight in a second buffer.
    let eight_bit = if decoder.color_type().has_color() {
        4
    } else {
        2
    };
    let peak = if stored > eight_bit {
        stored * 3 / 2
    } else {
        stored
    };
    through_image(decoder, peak)
}

/// Halves row by row where the picture would be halved afterwards: 64 megapixels with alpha take 64
/// MB instead of 256. Interlaced pictures cannot be: their first rows are complete at the end.
fn png_in_rows(bytes: &[u8]) -> Result<DynamicImage, ImageError> {
    let limits = png::Limits {
        bytes: usize::try_from(DECODE_BYTES_MAX).map_err(undecodable)?,
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(undecodable)?;
    let (width, height) = reader.info().size();
    let (color, _) = reader.output_color_type();
    let channels = u8::try_from(color.samples()).map_err(undecodable)?;
    let mut rows = resize::Rows::new(width, height, channels);
    while let Some(row) = reader.next_row().map_err(undecodable)? {
        rows.push(row.data());
    }
    rows.into_picture().ok_or(ImageError::Undecodable)
}

fn webp(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(undecodable)?;
    let simple_lossy = bytes.get(12..16) == Some(b"VP8 ");
    let peak = match (simple_lossy, decoder.color_type().has_alpha()) {
        (true, _) => 5,
        (false, false) => 7,
        (false, true) => 8,
    };
    through_image(decoder, peak)
}

/// `peak` is the memory a pixel takes while decoding, in bytes.
fn through_image(mut decoder: impl ImageDecoder, peak: u64) -> Result<Decoded, ImageError> {
    let (width, height) = decoder.dimensions();
    let peak_bytes = u64::from(width) * u64::from(height) * peak;
    check_size(width, height, peak_bytes)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODE_BYTES_MAX);
    decoder.set_limits(limits).map_err(of_decoder)?;
    let (profile, orientation) = shown_by(&mut decoder);
    let picture = DynamicImage::from_decoder(decoder).map_err(of_decoder)?;
    Ok(Decoded {
        picture,
        profile,
        orientation,
        losses: Losses::default(),
    })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err wants"
)]
fn of_decoder(error: CodecError) -> ImageError {
    match error {
        CodecError::Limits(_) => ImageError::MemoryLimit,
        _ => ImageError::Undecodable,
    }
}

/// Reads colour profile and orientation.
fn shown_by(decoder: &mut impl ImageDecoder) -> (Option<ColorProfile>, Orientation) {
    let profile = decoder.icc_profile().ok().flatten();
    let profile = profile.and_then(|profile| colour::read(&profile));
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    (profile, orientation)
}

fn jpeg(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let frame = container_check::jpeg(bytes)?;
    let (width, height) = (frame.width, frame.height);
    let pixels = u64::from(width) * u64::from(height);
    check_size(width, height, frame.coefficient_bytes)?;
    let file = &*container_check::whole_jpeg(bytes, &frame)?;
    if frame.in_channels {
        return jpeg_in_channels(file, &frame, 1);
    }
    if resize::is_halved(pixels, false)
        && check_size(width, height, pixels * 2 + frame.coefficient_bytes).is_ok()
        && let Ok(half) = jpeg_in_channels(file, &frame, 2)
    {
        return Ok(half);
    }
    check_size(width, height, pixels * 3 + frame.coefficient_bytes)?;
    let side_max = usize::try_from(SIDE_PIXELS_MAX).map_err(undecodable)?;
    let options = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(side_max)
        .set_max_height(side_max);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(undecodable)?;
    let stored = decoder.input_colorspace();
    let inks = matches!(stored, Some(ColorSpace::CMYK | ColorSpace::YCCK));
    if inks && decoder.icc_profile().is_some() {
        return jpeg_in_channels(file, &frame, 1);
    }
    let wanted = if stored == Some(ColorSpace::Luma) {
        ColorSpace::Luma
    } else {
        ColorSpace::RGB
    };
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(wanted));
    let pixels = decoder.decode().map_err(undecodable)?;
    let picture = if wanted == ColorSpace::Luma {
        GrayImage::from_raw(width, height, pixels).map(DynamicImage::ImageLuma8)
    } else {
        RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8)
    };
    Ok(Decoded {
        picture: picture.ok_or(ImageError::Undecodable)?,
        profile: decoder
            .icc_profile()
            .and_then(|profile| colour::read(&profile)),
        orientation: decoder
            .exif()
            .and_then(|exif| Orientation::from_exif_chunk(exif))
            .unwrap_or(Orientation::NoTransforms),
        losses: Losses::default(),
    })
}

/// The other decoder gets the colours of channels in scans of their own wrong (zune-image issues
/// 422 and 448), does not give inks as they are, which their profile needs, and decodes whole what
/// is halved afterwards: a photograph of 64 megapixels took 212 MB. `part`: 1 for all of it, 2 for
/// half its width and height, out of half the frequencies.
fn jpeg_in_channels(
    bytes: &[u8],
    frame: &container_check::Jpeg,
    part: u32,
) -> Result<Decoded, ImageError> {
    // Each channel as a plane of its own, then all of them together.
    let pixels = u64::from(frame.width) * u64::from(frame.height) / u64::from(part * part);
    check_size(
        frame.width,
        frame.height,
        pixels * 8 + frame.coefficient_bytes,
    )?;
    let mut decoder = ChannelDecoder::new(bytes);
    decoder.set_max_decoding_buffer_size(usize::try_from(DECODE_BYTES_MAX).map_err(undecodable)?);
    let (mut width, mut height) = (frame.width, frame.height);
    // At full size the decoder takes a picture one pixel high for smaller than it is.
    if part > 1 {
        let smaller = |side: u32| u16::try_from(side / part).map_err(undecodable);
        let scaled = decoder.scale(smaller(width)?, smaller(height)?);
        let scaled = scaled.map_err(undecodable)?;
        (width, height) = (u32::from(scaled.0), u32::from(scaled.1));
    }
    let pixels = decoder.decode().map_err(undecodable)?;
    let info = decoder.info().ok_or(ImageError::Undecodable)?;
    let profile = decoder.icc_profile();
    let mut profile = profile.and_then(|profile| colour::read(&profile));
    let grey = |pixels| GrayImage::from_raw(width, height, pixels).map(DynamicImage::ImageLuma8);
    let rgb = |pixels| RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8);
    let picture = match info.pixel_format {
        PixelFormat::L8 => grey(pixels),
        PixelFormat::RGB24 => rgb(pixels),
        // The profile is used up here: what comes out is sRGB.
        PixelFormat::CMYK32 => rgb(colour::from_cmyk(&pixels, profile.take().as_ref())),
        PixelFormat::L16 => None,
    };
    Ok(Decoded {
        picture: picture.ok_or(ImageError::Undecodable)?,
        profile,
        orientation: decoder
            .exif_data()
            .and_then(Orientation::from_exif_chunk)
            .unwrap_or(Orientation::NoTransforms),
        losses: Losses::default(),
    })
}
