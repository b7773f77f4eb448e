//! Decodes AVIF: the container's boxes, the AV1 picture or grid of tiles in it, and its alpha.

use image::metadata::Orientation;
use image::{DynamicImage, RgbImage, RgbaImage};

use re_rav1d::dav1d::{Decoder, Picture, Settings};
use zenavif_parse::{AV1Metadata, AvifParser, ColorInformation, DecodeConfig, Unstoppable};

use super::cicp::CodePoints;
use super::container_check::FRAMES_MAX;
use super::decoded_image::{Decoded, check_size};
use super::yuv::{self, Signal};
use super::{DECODE_BYTES_MAX, ImageError, Losses, PIXELS_MAX, colour, undecodable};

/// Tiles of a grid; phones use a few dozen.
const TILES_MAX: u32 = 256;
/// Memory a pixel takes, in bytes: planes, the decoder's own tables, RGB.
const PEAK_EIGHT_BIT: u64 = 7;
const PEAK_DEEPER: u64 = 9;

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let limits = DecodeConfig::default()
        .with_peak_memory_limit(DECODE_BYTES_MAX)
        .with_total_megapixels_limit(u32::try_from(PIXELS_MAX / 1_000_000).unwrap_or(u32::MAX))
        .with_max_grid_tiles(TILES_MAX)
        .with_max_animation_frames(FRAMES_MAX)
        .lenient(true);
    let file = AvifParser::from_bytes_with_config(bytes, &limits, &Unstoppable);
    let file = file.map_err(undecodable)?;
    let mut signal = None;
    let colour = if file.grid_config().is_some() {
        grid(&file, &mut signal)?
    } else if let Ok(data) = file.primary_data() {
        rgb(&file, &still(&data)?, &mut signal)?
    } else {
        // A film without a still picture: its first frame.
        let frame = file.frame(0).map_err(undecodable)?;
        rgb(&file, &still(&frame.data)?, &mut signal)?
    };
    let picture = match file.alpha_data() {
        Some(alpha) => with_alpha(&colour, &still(&alpha.map_err(undecodable)?)?)?,
        None => DynamicImage::ImageRgb8(colour),
    };
    let colours = signal.map(|signal| signal.colours);
    let frames = file.animation_info().map_or(1, |film| film.frame_count);
    Ok(Decoded {
        picture,
        profile: match file.color_info() {
            Some(ColorInformation::IccProfile(profile)) => colour::read(profile),
            _ => colours.and_then(CodePoints::profile),
        },
        orientation: orientation(&file),
        losses: Losses {
            animation: frames > 1,
            hdr: colours.is_some_and(CodePoints::is_hdr),
        },
    })
}

/// Converts to RGB, and stores what the numbers meant.
fn rgb(
    file: &AvifParser<'_>,
    picture: &Picture,
    meaning: &mut Option<Signal>,
) -> Result<RgbImage, ImageError> {
    let of_stream = Signal::of_stream(picture);
    let signal = match file.color_info() {
        Some(ColorInformation::Nclx {
            color_primaries,
            transfer_characteristics,
            matrix_coefficients,
            full_range,
        }) => Signal {
            colours: CodePoints {
                primaries: *color_primaries,
                transfer: *transfer_characteristics,
            },
            matrix: *matrix_coefficients,
            is_full_range: *full_range,
        },
        // The profile describes the curve.
        Some(ColorInformation::IccProfile(_)) => Signal {
            colours: CodePoints {
                primaries: 2,
                transfer: 2,
            },
            ..of_stream
        },
        None => of_stream,
    };
    *meaning = Some(signal);
    yuv::to_rgb(picture, signal)
}

/// The first picture of an AV1 stream, after a look at the size it declares.
fn still(data: &[u8]) -> Result<Picture, ImageError> {
    let declared = AV1Metadata::parse_av1_bitstream(data).map_err(undecodable)?;
    let (width, height) = (
        declared.max_frame_width.get(),
        declared.max_frame_height.get(),
    );
    let peak = if declared.bit_depth == 8 {
        PEAK_EIGHT_BIT
    } else {
        PEAK_DEEPER
    };
    check_size(width, height, u64::from(width) * u64::from(height) * peak)?;
    let mut settings = Settings::new();
    // One thread: the caller spreads pictures, and a still picture gives a second one little to do.
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_frame_size_limit(u32::try_from(PIXELS_MAX).unwrap_or(u32::MAX));
    let mut decoder = Decoder::with_settings(&settings).map_err(undecodable)?;
    decoder
        .send_data(data.to_vec(), None, None, None)
        .map_err(undecodable)?;
    decoder.get_picture().map_err(undecodable)
}

fn grid(file: &AvifParser<'_>, meaning: &mut Option<Signal>) -> Result<RgbImage, ImageError> {
    let grid = file.grid_config().ok_or(ImageError::Undecodable)?;
    let (width, height) = (grid.output_width, grid.output_height);
    check_size(width, height, u64::from(width) * u64::from(height) * 3)?;
    let mut canvas = RgbImage::new(width, height);
    let columns = usize::from(grid.columns).max(1);
    let (mut left, mut top) = (0, 0);
    for index in 0..file.grid_tile_count() {
        let data = file.tile_data(index).map_err(undecodable)?;
        let tile = rgb(file, &still(&data)?, meaning)?;
        image::imageops::replace(&mut canvas, &tile, i64::from(left), i64::from(top));
        left += tile.width();
        if (index + 1).is_multiple_of(columns) {
            (left, top) = (0, top + tile.height());
        }
    }
    Ok(canvas)
}

fn with_alpha(colour: &RgbImage, alpha: &Picture) -> Result<DynamicImage, ImageError> {
    let (width, height) = colour.dimensions();
    let alpha = yuv::luma(alpha)?;
    if alpha.dimensions() != (width, height) {
        return Err(ImageError::Undecodable);
    }
    check_size(width, height, u64::from(width) * u64::from(height) * 8)?;
    let mut pixels = Vec::with_capacity(alpha.as_raw().len() * 4);
    for (colour, alpha) in colour.pixels().zip(alpha.pixels()) {
        pixels.extend_from_slice(&[colour.0[0], colour.0[1], colour.0[2], alpha.0[0]]);
    }
    let picture = RgbaImage::from_raw(width, height, pixels).ok_or(ImageError::Undecodable)?;
    Ok(DynamicImage::ImageRgba8(picture))
}

/// The container turns a picture counter-clockwise, then mirrors it; EXIF does not count here.
fn orientation(file: &AvifParser<'_>) -> Orientation {
    let clockwise = (4 - file
        .rotation()
        .map_or(0, |rotation| rotation.angle / 90 % 4))
        % 4;
    match (file.mirror().map(|mirror| mirror.axis), clockwise) {
        (None, 0) => Orientation::NoTransforms,
        (None, 1) => Orientation::Rotate90,
        (None, 2) => Orientation::Rotate180,
        (None, _) => Orientation::Rotate270,
        // Left and right exchanged.
        (Some(1), 0) | (Some(0), 2) => Orientation::FlipHorizontal,
        (Some(1), 1) | (Some(0), 3) => Orientation::Rotate90FlipH,
        (Some(1), 3) | (Some(0), 1) => Orientation::Rotate270FlipH,
        _ => Orientation::FlipVertical,
    }
}
