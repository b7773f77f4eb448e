//! Benchmark of image processing: uploads beside `vipsthumbnail` for the same widths, formats and
//! qualities, and the time until hostile files are refused.
//!
//! `cargo bench --bench images`, or `-- compare`, `-- hostile`, `-- costs`; `-- draw 24 FILE` draws
//! a photograph of 24 megapixels. `RESPIRO_BINARY` names another program than the one just built.
//! Needs `/usr/bin/time` (Debian: time); the comparison also needs `vipsthumbnail` (libvips-tools)
//! and, for SSIM, a Python with scikit-image and Pillow, named by `RESPIRO_PYTHON` (see `ssim.py`).
//! Steps whose tools are missing are reported and skipped.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a program that prints tables, over pictures it made itself"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use image::codecs::gif::GifEncoder;
use image::{DynamicImage, Frame, ImageBuffer, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use respiro_media::sandbox;
use respiro_media::{ImageError, ProcessedImage, UPLOAD_BYTES_MAX, sandbox_protocol};

const WIDTHS: [u32; 5] = [320, 640, 960, 1280, 1920];
const MEGAPIXELS: [u32; 3] = [12, 24, 48];
const RUNS: usize = 3;
const COMPARED_WIDTH: u32 = 1280;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["draw", megapixels, file] = words.as_slice() {
        fs::write(file, drawn_jpeg(megapixels.parse().unwrap())).unwrap();
        return;
    }
    let scratch = std::env::temp_dir().join("respiro-bench-images");
    fs::create_dir_all(&scratch).unwrap();
    let all = !words.iter().any(|word| !word.starts_with('-'));
    if all || words.contains(&"compare") {
        for megapixels in MEGAPIXELS {
            compare(&scratch.join(megapixels.to_string()), megapixels);
        }
    }
    if all || words.contains(&"costs") {
        costs(&scratch);
    }
    if all || words.contains(&"hostile") {
        hostile(&scratch);
    }
}

/// Time and memory of one command; the best of several runs.
#[derive(Clone, Copy)]
struct Figures {
    wall_seconds: f64,
    cpu_seconds: f64,
    peak_megabytes: f64,
}

/// Runs a script under `/usr/bin/time`. Returns `None` when that is missing.
fn measured(script: &str, runs: usize) -> Option<Figures> {
    let one = || {
        let output = Command::new("/usr/bin/time")
            .args(["-f", "%e %U %S %M", "sh", "-c", script])
            .stdout(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stderr).ok()?;
        let words: Vec<f64> = text
            .lines()
            .last()?
            .split(' ')
            .map_while(|word| word.parse().ok())
            .collect();
        let [wall, user, system, kilobytes] = words.as_slice() else {
            return None;
        };
        Some(Figures {
            wall_seconds: *wall,
            cpu_seconds: user + system,
            peak_megabytes: kilobytes / 1000.0,
        })
    };
    (0..runs).map(|_| one()).reduce(|best, next| {
        let (best, next) = (best?, next?);
        Some(Figures {
            wall_seconds: best.wall_seconds.min(next.wall_seconds),
            cpu_seconds: best.cpu_seconds.min(next.cpu_seconds),
            peak_megabytes: best.peak_megabytes.min(next.peak_megabytes),
        })
    })?
}

/// Returns the command that the server runs for an upload. It may write to a pipe, but not to a
/// file.
fn own_script(source: &Path, answer: &Path) -> String {
    let respiro = std::env::var("RESPIRO_BINARY");
    let respiro = respiro.unwrap_or_else(|_| env!("CARGO_BIN_EXE_respiro").to_owned());
    let (source, answer) = (source.display(), answer.display());
    format!("{respiro} {} <{source} | cat >{answer}", sandbox::COMMAND)
}

fn answer(file: &Path) -> Option<Result<ProcessedImage, ImageError>> {
    sandbox_protocol::decode(&fs::read(file).ok()?)
}

fn compare(folder: &Path, megapixels: u32) {
    let (ours, theirs) = (folder.join("ours"), folder.join("vips"));
    fs::create_dir_all(&ours).unwrap();
    fs::create_dir_all(&theirs).unwrap();
    let source = folder.join("source.jpg");
    fs::write(&source, drawn_jpeg(megapixels)).unwrap();
    println!(
        "{megapixels} megapixels, JPEG of {} bytes: five widths as WebP and JPEG, and the main \
         picture; best of {RUNS}",
        size(&source)
    );
    let answered = folder.join("answer");
    let Some(own) = measured(&own_script(&source, &answered), RUNS) else {
        println!("/usr/bin/time is missing (apt install time): nothing measured");
        return;
    };
    let done = answer(&answered).unwrap().unwrap();
    for file in done.variants.iter().chain([&done.main]) {
        fs::write(ours.join(&file.name), &file.bytes).unwrap();
    }
    let own_bytes = print_figures("respiro", own, &ours, &source);
    let Some(vips) = measured(&vips_script(&source, &theirs), RUNS)
        .filter(|_| theirs.join(format!("{COMPARED_WIDTH}.webp")).exists())
    else {
        println!("vipsthumbnail is missing (apt install libvips-tools): comparison skipped\n");
        return;
    };
    let vips_bytes = print_figures("vips", vips, &theirs, &source);
    println!(
        "respiro / vips: wall {:.2}, CPU {:.2}, peak {:.2}, bytes {:.2}\n",
        own.wall_seconds / vips.wall_seconds,
        own.cpu_seconds / vips.cpu_seconds,
        own.peak_megabytes / vips.peak_megabytes,
        own_bytes as f64 / vips_bytes as f64
    );
}

fn vips_script(source: &Path, folder: &Path) -> String {
    let (source, folder) = (source.display(), folder.display());
    let mut script =
        format!("vipsthumbnail {source} --size 4096x4096 -o {folder}/master.jpg[Q=86,strip]");
    for width in WIDTHS {
        for (ending, options) in [("webp", "Q=78,effort=4,strip"), ("jpg", "Q=80,strip")] {
            let made = format!("{folder}/{width}.{ending}[{options}]");
            script = format!("{script}; vipsthumbnail {source} --size {width}x -o {made}");
        }
    }
    script
}

/// Prints a row for the run and one for each format. Returns the total size in bytes.
fn print_figures(name: &str, figures: Figures, folder: &Path, source: &Path) -> u64 {
    println!(
        "{name:8} wall {:5.2} s  CPU {:5.2} s  peak {:4.0} MB",
        figures.wall_seconds, figures.cpu_seconds, figures.peak_megabytes
    );
    let mut all = 0;
    for ending in ["webp", "jpg"] {
        let files: Vec<PathBuf> = WIDTHS
            .iter()
            .map(|width| folder.join(format!("{width}.{ending}")))
            .collect();
        let bytes: u64 = files.iter().map(|file| size(file)).sum();
        all += bytes;
        println!(
            "         {ending:4} {bytes:>9} B, at {COMPARED_WIDTH} {:>8} B; SSIM by width {}",
            size(&folder.join(format!("{COMPARED_WIDTH}.{ending}"))),
            similarity(source, &files)
        );
    }
    all
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

fn similarity(source: &Path, made: &[PathBuf]) -> String {
    let python = std::env::var("RESPIRO_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/ssim.py");
    let output = Command::new(python)
        .arg(script)
        .arg(source)
        .args(made)
        .output();
    match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout)
            .lines()
            .collect::<Vec<_>>()
            .join(" "),
        _ => "not measured: set RESPIRO_PYTHON (see benches/ssim.py)".to_owned(),
    }
}

/// Measures the largest accepted pictures of each encoding: time and peak memory.
fn costs(scratch: &Path) {
    println!("the start of the process, and the largest pictures: goal 300 MB");
    let file = scratch.join("cost");
    let answered = scratch.join("cost-answer");
    let print = |name: &str, bytes: Vec<u8>| {
        fs::write(&file, &bytes).unwrap();
        let figures = measured(&own_script(&file, &answered), RUNS).unwrap();
        let outcome = match answer(&answered) {
            Some(Ok(done)) => format!("{}x{}", done.width, done.height),
            Some(Err(refusal)) => format!("{refusal:?}"),
            None => "ended".to_owned(),
        };
        println!(
            "{name:34} {:>9} B  wall {:5.2} s  CPU {:5.2} s  peak {:4.0} MB  {outcome}",
            bytes.len(),
            figures.wall_seconds,
            figures.cpu_seconds,
            figures.peak_megabytes
        );
    };
    print("nothing", Vec::new());
    print(
        "PNG of 48 by 32",
        stored(RgbImage::new(48, 32), ImageFormat::Png),
    );
    print("JPEG, 64 megapixels", drawn_jpeg(64));
    print("JPEG, 40 megapixels, a scan a channel", drawn(40, true));
    let mut canvas = stored(drawn_photograph(600, 400), ImageFormat::Gif);
    canvas[6..10].copy_from_slice(&[0x40, 0x1F, 0x40, 0x1F]);
    print("GIF with a canvas of 64 megapixels", canvas);
    for (name, format, side) in [
        ("PNG", ImageFormat::Png, 8000),
        ("WebP", ImageFormat::WebP, 5700),
    ] {
        let megapixels = side * side / 1_000_000;
        let plain = ImageBuffer::from_fn(side, side, |x, _| Rgb([shade(x), 90, 20]));
        let clear = ImageBuffer::from_fn(side, side, |x, _| Rgba([shade(x), 90, 20, 128]));
        print(
            &format!("{name} RGB, {megapixels} megapixels"),
            stored(plain, format),
        );
        print(
            &format!("{name} RGBA, {megapixels} megapixels"),
            stored(clear, format),
        );
    }
}

fn shade(across: u32) -> u8 {
    (across / 40).to_le_bytes()[0]
}

fn stored(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Measures hostile files: time and peak memory until the refusal.
fn hostile(scratch: &Path) {
    println!("hostile files: goal refused within 0.2 s and 300 MB");
    let (file, answered) = (scratch.join("hostile"), scratch.join("hostile-answer"));
    for (name, bytes) in hostile_files() {
        fs::write(&file, &bytes).unwrap();
        let figures = measured(&own_script(&file, &answered), RUNS).unwrap();
        let outcome = match answer(&answered) {
            Some(Ok(_)) => "ACCEPTED".to_owned(),
            Some(Err(refusal)) => format!("{refusal:?}"),
            None => "ended".to_owned(),
        };
        println!(
            "{name:34} {:>9} B  {:5.2} s  {:4.0} MB  {outcome}",
            bytes.len(),
            figures.wall_seconds,
            figures.peak_megabytes
        );
    }
}

fn hostile_files() -> Vec<(&'static str, Vec<u8>)> {
    let jpeg = drawn_jpeg(12);
    let png = stored(drawn_photograph(1200, 900), ImageFormat::Png);
    let gif = stored(drawn_photograph(1200, 900), ImageFormat::Gif);
    let webp = stored(drawn_photograph(1200, 900), ImageFormat::WebP);
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let with = |bytes: &[u8], tail: &[u8]| [bytes, tail].concat();
    let mut film = Vec::new();
    let mut writer = GifEncoder::new(&mut film);
    for _ in 0..20_000 {
        writer
            .encode_frame(Frame::new(RgbaImage::new(9, 9)))
            .unwrap();
    }
    drop(writer);
    let deep = ImageBuffer::<Rgba<u16>, _>::from_pixel(8000, 8000, Rgba([9; 4]));
    let mut sides = jpeg.clone();
    let at = sides
        .windows(2)
        .position(|pair| pair == [0xFF, 0xC0])
        .unwrap();
    sides[at + 5..at + 9].fill(0xFF);
    let mut wide = gif.clone();
    wide[6..10].fill(0xFF);
    vec![
        (
            "bomb: PNG, 64 MP, 16 bit RGBA",
            stored(deep, ImageFormat::Png),
        ),
        (
            "bomb: PNG, 100 MP",
            stored(RgbImage::new(10_000, 10_000), ImageFormat::Png),
        ),
        ("JPEG of 65,535 by 65,535", sides),
        ("GIF of 65,535 by 65,535", wide),
        ("half a JPEG of 12 MP", half(&jpeg)),
        ("half a PNG", half(&png)),
        ("half a GIF", half(&gif)),
        ("half a WebP", half(&webp)),
        ("JPEG and a page", with(&jpeg, b"<script>")),
        ("PNG and an archive", with(&png, b"PK\x03\x04")),
        ("GIF of 20,000 frames", film),
        ("10 MB of zeros", vec![0; UPLOAD_BYTES_MAX]),
        (
            "JPEG of 10 MB of markers",
            with(&[0xFF, 0xD8], &vec![0xFF; UPLOAD_BYTES_MAX - 2]),
        ),
        (
            "GIF of 10 MB of extensions",
            with(&gif[..13], &b"!\xFE\0".repeat(3_000_000)),
        ),
        (
            "PNG of 10 MB of chunks",
            with(&png[..33], &b"\0\0\0\0tEXt\0\0\0\0".repeat(800_000)),
        ),
    ]
}

/// Returns a generated photograph as a phone would store it, at most as large as an upload may be.
fn drawn_jpeg(megapixels: u32) -> Vec<u8> {
    drawn(megapixels, false)
}

fn drawn(megapixels: u32, in_channels: bool) -> Vec<u8> {
    let height = (f64::from(megapixels) * 750_000.0).sqrt();
    let [width, height] = [height * 4.0 / 3.0, height].map(rounded);
    let picture = drawn_photograph(u32::from(width), u32::from(height));
    for quality in [92, 85, 75, 60, 45, 30, 20] {
        let mut bytes = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, quality);
        encoder.set_optimized_huffman_tables(in_channels);
        encoder
            .encode(&picture, width, height, jpeg_encoder::ColorType::Rgb)
            .unwrap();
        if bytes.len() <= UPLOAD_BYTES_MAX {
            return bytes;
        }
    }
    Vec::new()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a side of a picture"
)]
fn rounded(value: f64) -> u16 {
    value as u16
}

/// Returns waves with grain, which compress about as well as a photograph.
fn drawn_photograph(width: u32, height: u32) -> RgbImage {
    let mut grain = 0x2545_F491_u32;
    RgbImage::from_fn(width, height, |x, y| {
        let (across, down) = (x as f32 / 97.0, y as f32 / 131.0);
        grain = grain.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (grain >> 24) as f32 / 16.0 - 8.0;
        let edge = if (across * 0.37 + (down * 0.9).sin()).fract() > 0.5 {
            22.0
        } else {
            0.0
        };
        let light = 118.0 + 60.0 * (across * 0.31 + (down * 0.7).cos()).sin() + edge + noise;
        let tint = 30.0 * (down * 0.23 - across * 0.11).sin();
        Rgb([light + tint, light, light - tint].map(clamped))
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped"
)]
fn clamped(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}
