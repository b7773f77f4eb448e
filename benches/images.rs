//! The whole picture pipeline beside `vipsthumbnail`, for the same widths, formats and qualities.
//!
//! `cargo bench --bench images`. Needs `vipsthumbnail` (Debian: libvips-tools) and `/usr/bin/time`
//! (Debian: time) for the comparison; without them it says so and prints our own figures.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a program that prints a table, over pictures it made itself"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use image::imageops::FilterType;
use image::{DynamicImage, GrayImage, Rgb, RgbImage};

const WIDTHS: [u32; 5] = [320, 640, 960, 1280, 1920];
const SOURCES: [(u32, u32); 2] = [(4000, 3000), (6000, 4000)];
const RUNS: usize = 5;
const COMPARED_WIDTH: u32 = 1280;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, source, folder] = arguments.as_slice()
        && mode == "--one"
    {
        process_into(Path::new(source), Path::new(folder));
        return;
    }
    let scratch = std::env::temp_dir().join("respiro-bench-images");
    for (width, height) in SOURCES {
        let folder = scratch.join(format!("{width}x{height}"));
        std::fs::create_dir_all(&folder).unwrap();
        let source = folder.join("source.jpg");
        let picture = DynamicImage::ImageRgb8(photograph(width, height));
        picture.save(&source).unwrap();
        compare(&source, &folder, width, height);
    }
}

fn process_into(source: &Path, folder: &Path) {
    let done = respiro::images::process(&std::fs::read(source).unwrap()).unwrap();
    for variant in done.variants.iter().chain([&done.main]) {
        std::fs::write(folder.join(&variant.name), &variant.bytes).unwrap();
    }
}

/// Clouds of waves with grain: compresses about as a photograph does.
fn photograph(width: u32, height: u32) -> RgbImage {
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

fn compare(source: &Path, folder: &Path, width: u32, height: u32) {
    let ours = folder.join("ours");
    let theirs = folder.join("vips");
    std::fs::create_dir_all(&ours).unwrap();
    std::fs::create_dir_all(&theirs).unwrap();
    let this = std::env::current_exe().unwrap();
    let own = format!(
        "{} --one {} {}",
        this.display(),
        source.display(),
        ours.display()
    );
    println!(
        "{width}x{height}: five widths as WebP and JPEG, and the main picture; best of {RUNS}"
    );
    let Some(own) = measured(&own) else {
        println!("/usr/bin/time is missing (apt install time): nothing measured");
        return;
    };
    own.print("respiro", &ours, source);
    if Command::new("vipsthumbnail")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("vipsthumbnail is missing (apt install libvips-tools): comparison skipped");
        return;
    }
    let vips = measured(&vips_script(source, &theirs)).unwrap();
    vips.print("vips", &theirs, source);
    println!(
        "respiro / vips: wall {:.2}, CPU {:.2}, peak {:.2}\n",
        own.wall / vips.wall,
        own.cpu / vips.cpu,
        own.peak / vips.peak
    );
}

fn vips_script(source: &Path, folder: &Path) -> String {
    let (source, folder) = (source.display(), folder.display());
    let mut script =
        format!("vipsthumbnail {source} --size 4096x4096 -o {folder}/master.jpg[Q=86,strip]");
    for width in WIDTHS {
        for (end, options) in [("webp", "Q=78,effort=4,strip"), ("jpg", "Q=80,strip")] {
            let made = format!("{folder}/{width}.{end}[{options}]");
            script += &[
                "; vipsthumbnail ",
                &source.to_string(),
                " --size ",
                &width.to_string(),
                "x -o ",
                &made,
            ]
            .concat();
        }
    }
    script
}

struct Figures {
    wall: f64,
    cpu: f64,
    peak: f64,
}

impl Figures {
    fn print(&self, name: &str, folder: &Path, source: &Path) {
        println!(
            "{name:8} wall {:5.2} s  CPU {:5.2} s  peak {:4.0} MB",
            self.wall,
            self.cpu,
            self.peak / 1000.0
        );
        for end in ["webp", "jpg"] {
            let bytes: u64 = WIDTHS
                .iter()
                .map(|width| size(&folder.join(format!("{width}.{end}"))))
                .sum();
            let compared = folder.join(format!("{COMPARED_WIDTH}.{end}"));
            println!(
                "         {end:4} all {bytes:>9} B; at {COMPARED_WIDTH} {:>8} B, SSIM {:.4}",
                size(&compared),
                similarity(source, &compared)
            );
        }
    }
}

fn size(path: &PathBuf) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

/// The best of several runs under `/usr/bin/time`; none when that is missing.
fn measured(script: &str) -> Option<Figures> {
    (0..RUNS)
        .map(|_| {
            let output = Command::new("/usr/bin/time")
                .args(["-f", "%e %U %S %M", "sh", "-c", script])
                .output()
                .ok()?;
            let text = String::from_utf8(output.stderr).ok()?;
            let figures: Vec<f64> = text
                .lines()
                .last()?
                .split(' ')
                .map_while(|word| word.parse().ok())
                .collect();
            let [wall, user, system, peak] = figures.as_slice() else {
                return None;
            };
            Some(Figures {
                wall: *wall,
                cpu: user + system,
                peak: *peak,
            })
        })
        .reduce(|best, next| {
            let (best, next) = (best?, next?);
            Some(Figures {
                wall: best.wall.min(next.wall),
                cpu: best.cpu.min(next.cpu),
                peak: best.peak.min(next.peak),
            })
        })?
}

/// Mean structural similarity of the lightness in squares of 8, against the source resized in full.
fn similarity(source: &Path, made: &Path) -> f64 {
    let made = image::open(made).unwrap().into_luma8();
    let (width, height) = made.dimensions();
    let wanted = image::open(source)
        .unwrap()
        .resize_exact(width, height, FilterType::Lanczos3);
    let wanted = wanted.into_luma8();
    let squares: Vec<f64> = (0..height / 8)
        .flat_map(|row| (0..width / 8).map(move |column| (column * 8, row * 8)))
        .map(|(left, top)| square(&wanted, &made, left, top))
        .collect();
    squares.iter().sum::<f64>() / squares.len() as f64
}

fn square(first: &GrayImage, second: &GrayImage, left: u32, top: u32) -> f64 {
    let [mut a, mut b, mut aa, mut bb, mut ab] = [0.0; 5];
    for y in top..top + 8 {
        for x in left..left + 8 {
            let one = f64::from(first.get_pixel(x, y).0[0]);
            let two = f64::from(second.get_pixel(x, y).0[0]);
            a += one / 64.0;
            b += two / 64.0;
            aa += one * one / 64.0;
            bb += two * two / 64.0;
            ab += one * two / 64.0;
        }
    }
    let (spread_a, spread_b, shared) = (aa - a * a, bb - b * b, ab - a * b);
    let (low, high) = (6.5025, 58.5225);
    (2.0 * a * b + low) * (2.0 * shared + high)
        / ((a * a + b * b + low) * (spread_a + spread_b + high))
}
