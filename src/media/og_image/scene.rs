//! Draws the background of a link preview for a page without a photograph: a scene for each fixed
//! page, and a lake that varies with the address for every other one.

use super::canvas::{Colour, HEIGHT, WIDTH, along, mix, to_f32};
use crate::PAPER;
use image::{Rgb, RgbImage};

const SUN: Colour = [0xFF, 0xF3, 0xDC];
const DEEP: Colour = [0x12, 0x31, 0x2F];
const EARTH: Colour = [0x8A, 0x5A, 0x3C];
const CLAY: Colour = [0xA8, 0x45, 0x2F];

/// Sky from above, and the ridges from the far one to the near one.
struct Palette {
    sky: [Colour; 4],
    ridges: [Colour; 4],
}

const DAWN: Palette = Palette {
    sky: [
        [0x16, 0x42, 0x4A],
        [0x3F, 0x7A, 0x7C],
        [0xE9, 0xB4, 0x8A],
        [0xF9, 0xE3, 0xC8],
    ],
    ridges: [
        [0xD7, 0x9F, 0x83],
        [0x8F, 0x82, 0x7A],
        [0x4F, 0x73, 0x74],
        [0x17, 0x39, 0x3C],
    ],
};
const MORNING: Palette = Palette {
    sky: [
        [0x9F, 0xC9, 0xC7],
        [0xC4, 0xDE, 0xD9],
        [0xF0, 0xE3, 0xCF],
        [0xF7, 0xE3, 0xC6],
    ],
    ridges: [
        [0xA9, 0xC5, 0xBD],
        [0x73, 0x9A, 0x95],
        [0x3F, 0x7A, 0x7C],
        [0x1F, 0x5C, 0x5C],
    ],
};
const DUSK: Palette = Palette {
    sky: [
        [0x1B, 0x2B, 0x4A],
        [0x4A, 0x5A, 0x86],
        [0xC9, 0x8F, 0x9C],
        [0xF3, 0xD3, 0xB8],
    ],
    ridges: [
        [0xB9, 0x8A, 0x98],
        [0x86, 0x73, 0x8F],
        [0x54, 0x60, 0x85],
        [0x1A, 0x28, 0x44],
    ],
};

/// The scene of the page at this address, `/social/….jpg`.
pub(super) fn scene(path: &str) -> RgbImage {
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.trim_end_matches(".jpg") {
        "home" => lake(&DAWN, (905.0, 205.0), 0.4),
        "about" => seated(),
        "services" => way(),
        "rebirthing" => waves(),
        "testimonials" => leaves(),
        "events" => ridge(),
        "blog" => notebook(),
        "contact" => boat(),
        _ => other(path),
    }
}

/// Dawn over the lake, as on the home page: sky, sun, four ridges.
fn lake(palette: &Palette, sun: (f32, f32), shift: f32) -> RgbImage {
    const RIDGES: [(f32, f32, f32, f32); 4] = [
        (262.0, 34.0, 0.0071, 0.0),
        (312.0, 28.0, 0.0093, 1.7),
        (366.0, 24.0, 0.0061, 3.6),
        (430.0, 20.0, 0.0048, 0.8),
    ];
    RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let (x, y) = (to_f32(x), to_f32(y));
        let mut colour = sunlit(&palette.sky, (x, y), sun, 47.0);
        for ((base, rise, pace, own), ridge) in RIDGES.into_iter().zip(palette.ridges) {
            let at = own + shift;
            let wave = (x * pace + at).sin() + 0.4 * (x * pace * 2.3 + at * 1.7).sin();
            colour = mix(colour, ridge, y - base - rise * wave);
        }
        Rgb(colour)
    })
}

/// The sky at a point, with the sun and its glow.
fn sunlit(sky: &[Colour; 4], (x, y): (f32, f32), sun: (f32, f32), radius: f32) -> Colour {
    let from_sun = (x - sun.0).hypot(y - sun.1);
    let glow = 0.55 * (1.0 - from_sun / (radius * 7.0)).clamp(0.0, 1.0).powi(2);
    let colour = mix(along(sky, y / 400.0), SUN, glow);
    mix(colour, SUN, radius - from_sun)
}

/// A lake of its own for any address: palette, sun and ridges follow from its letters.
fn other(path: &str) -> RgbImage {
    let hash = path.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let palette = [&DAWN, &MORNING, &DUSK][(hash % 3) as usize];
    let sun = (
        620.0 + to_f32(hash / 3 % 460),
        130.0 + to_f32(hash / 1400 % 110),
    );
    lake(palette, sun, to_f32(hash / 160_000 % 600) / 100.0)
}

/// A figure seated on the shore of a lake.
fn seated() -> RgbImage {
    let mut canvas = lake(&MORNING, (640.0, 170.0), 2.4);
    fill(&mut canvas, EARTH, |x, y| {
        1.0 - ellipse(x, y, (960.0, 470.0), (420.0, 110.0))
    });
    fill(&mut canvas, DEEP, |x, y| {
        let head = 1.0 - ellipse(x, y, (930.0, 168.0), (36.0, 42.0));
        let half = 34.0 + (y - 212.0) * 0.28;
        let body = if (212.0..372.0).contains(&y) {
            1.0 - (x - 930.0).abs() / half
        } else {
            -1.0
        };
        let legs = 1.0 - ellipse(x, y, (930.0, 380.0), (150.0, 34.0));
        head.max(body).max(legs)
    });
    canvas
}

/// A path that winds up towards the light.
fn way() -> RgbImage {
    let mut canvas = lake(&MORNING, (880.0, 150.0), 5.1);
    fill(&mut canvas, [0x5B, 0x8A, 0x72], |x, y| {
        y - 290.0 - 50.0 * (x * 0.006).sin()
    });
    fill(&mut canvas, [0x2A, 0x5A, 0x4C], |x, y| {
        y - 400.0 - 40.0 * (x * 0.005 + 2.0).sin()
    });
    fill(&mut canvas, [0xF3, 0xE4, 0xCF], |x, y| {
        let middle = 850.0 + 130.0 * ((y - 210.0) / 70.0).sin();
        let half = 8.0 + (y - 250.0) * 0.22;
        if y < 250.0 {
            -1.0
        } else {
            half - (x - middle).abs()
        }
    });
    canvas
}

/// Light waves, one behind the other, as a breath.
fn waves() -> RgbImage {
    let tints = [
        [0xC4, 0xDE, 0xD9],
        [0x9F, 0xC4, 0xBD],
        [0x73, 0x9A, 0x95],
        [0x3F, 0x7A, 0x7C],
        [0x1F, 0x5C, 0x5C],
        [0x17, 0x45, 0x49],
    ];
    RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let (x, y) = (to_f32(x), to_f32(y));
        let mut colour = [0xF0, 0xE9, 0xDC];
        let mut base = 70.0;
        for tint in tints {
            let wave = 38.0 * (x * 0.0078 + base * 0.03).sin();
            colour = mix(colour, tint, y - base - wave);
            base += 78.0;
        }
        Rgb(colour)
    })
}

/// Leaves that lie on still water.
fn leaves() -> RgbImage {
    const LEAVES: [(f32, f32, f32, f32, Colour); 6] = [
        (690.0, 110.0, 0.5, 92.0, [0x5B, 0x8A, 0x72]),
        (900.0, 190.0, -0.6, 120.0, CLAY),
        (1070.0, 90.0, 1.1, 84.0, [0xD9, 0xA0, 0x5B]),
        (480.0, 200.0, -0.2, 78.0, [0xD9, 0xA0, 0x5B]),
        (760.0, 300.0, 0.9, 96.0, [0x3F, 0x73, 0x5F]),
        (1080.0, 310.0, 0.1, 100.0, [0x5B, 0x8A, 0x72]),
    ];
    let mut canvas = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let (x, y) = (to_f32(x), to_f32(y));
        let water = along(
            &[
                [0x9F, 0xC9, 0xC7],
                [0x6B, 0xA5, 0xA3],
                [0x3F, 0x7A, 0x7C],
                [0x1F, 0x5C, 0x5C],
            ],
            y / 630.0,
        );
        let ring = (x - 900.0).hypot((y - 190.0) * 1.8);
        let ripple = ((ring * 0.05).sin() - 0.86).max(0.0) * (1.0 - ring / 640.0).max(0.0);
        Rgb(mix(water, PAPER, ripple * 2.4))
    });
    for (at_x, at_y, turn, length, colour) in LEAVES {
        fill(&mut canvas, colour, |x, y| {
            let (right, down) = (x - at_x, y - at_y);
            let across = right * turn.cos() + down * turn.sin();
            let over = down * turn.cos() - right * turn.sin();
            let half = 0.4 * length * (1.0 - (across / length).powi(2)).max(0.0);
            // The vein.
            if over.abs() < 2.0 {
                -1.0
            } else {
                half - over.abs()
            }
        });
    }
    canvas
}

/// A large sun above one ridge.
fn ridge() -> RgbImage {
    RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let (x, y) = (to_f32(x), to_f32(y));
        let sky = [
            [0xE9, 0xB4, 0x8A],
            [0xF0, 0xC7, 0x9F],
            [0xF9, 0xE3, 0xC8],
            [0xFB, 0xF0, 0xDE],
        ];
        let colour = sunlit(&sky, (x, y), (840.0, 210.0), 130.0);
        let peaks = ((x - 620.0).abs() * 0.34).min((x - 1060.0).abs() * 0.42 + 20.0);
        Rgb(mix(
            colour,
            [0x2F, 0x53, 0x55],
            y - 235.0 - peaks.min(180.0),
        ))
    })
}

/// An open notebook beside the window.
fn notebook() -> RgbImage {
    let mut canvas = RgbImage::from_fn(WIDTH, HEIGHT, |_, y| {
        Rgb(mix(
            [0xF4, 0xE8, 0xD6],
            [0xCF, 0xAE, 0x86],
            to_f32(y) / 630.0,
        ))
    });
    let view = lake(&MORNING, (960.0, 120.0), 1.2);
    for x in 780..1140 {
        for y in 40..330 {
            let is_bar = (952..968).contains(&x) || (176..190).contains(&y);
            let colour = if is_bar {
                Rgb(PAPER)
            } else {
                *view.get_pixel(x, y)
            };
            canvas.put_pixel(x, y, colour);
        }
    }
    let page = |x: f32, y: f32, left: f32| -> f32 {
        let top = 150.0 + (x - 420.0).abs() * 0.06;
        let inside = (left..left + 240.0).contains(&x) && (top..top + 230.0).contains(&y);
        if inside { 1.0 } else { -1.0 }
    };
    fill(&mut canvas, [0x1F, 0x5C, 0x5C], |x, y| {
        page(x * 0.96 + 17.0, y * 0.94 + 16.0, 180.0).max(page(
            x * 0.96 + 17.0,
            y * 0.94 + 16.0,
            420.0,
        ))
    });
    fill(&mut canvas, PAPER, |x, y| page(x, y, 180.0));
    fill(&mut canvas, [0xF1, 0xE6, 0xD4], |x, y| page(x, y, 420.0));
    fill(&mut canvas, [0xB9, 0xA9, 0x91], |x, y| {
        let is_line = (210.0..400.0).contains(&x) || (450.0..630.0).contains(&x);
        if is_line && (185.0..365.0).contains(&y) && y % 30.0 < 3.0 {
            1.0
        } else {
            -1.0
        }
    });
    canvas
}

/// A boat that is moored at the shore.
fn boat() -> RgbImage {
    let mut canvas = lake(&MORNING, (1040.0, 110.0), 4.0);
    fill(&mut canvas, [0x7F, 0xB3, 0xAD], |_, y| y - 262.0);
    fill(&mut canvas, [0xD9, 0xB9, 0x8F], |x, y| {
        1.0 - ellipse(x, y, (120.0, 560.0), (660.0, 250.0))
    });
    fill(&mut canvas, PAPER, |x, y| {
        let edge = 880.0 - (y - 60.0) * 0.02;
        let is_sail = (60.0..330.0).contains(&y) && x > edge && x < edge + (y - 60.0) * 0.66;
        if is_sail { 1.0 } else { -1.0 }
    });
    fill(&mut canvas, EARTH, |x, y| {
        let mast = if (40.0..370.0).contains(&y) {
            5.0 - (x - 872.0).abs()
        } else {
            -1.0
        };
        let post = if (290.0..400.0).contains(&y) {
            9.0 - (x - 640.0).abs()
        } else {
            -1.0
        };
        let rope = if (640.0..740.0).contains(&x) {
            2.5 - (y - 312.0 - (x - 640.0) * 0.4).abs()
        } else {
            -1.0
        };
        mast.max(post).max(rope)
    });
    fill(&mut canvas, CLAY, |x, y| {
        if y < 345.0 {
            -1.0
        } else {
            1.0 - ellipse(x, y, (890.0, 345.0), (190.0, 72.0))
        }
    });
    canvas
}

/// Below 1 inside.
fn ellipse(x: f32, y: f32, centre: (f32, f32), radii: (f32, f32)) -> f32 {
    ((x - centre.0) / radii.0).hypot((y - centre.1) / radii.1)
}

/// Paints where `inside` is above zero, at four points of each pixel for soft edges.
fn fill(canvas: &mut RgbImage, colour: Colour, inside: impl Fn(f32, f32) -> f32) {
    const POINTS: [(f32, f32); 4] = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)];
    for (x, y, pixel) in canvas.enumerate_pixels_mut() {
        let (x, y) = (to_f32(x), to_f32(y));
        let amount: f32 = POINTS
            .iter()
            .map(|(right, down)| {
                if inside(x + right, y + down) > 0.0 {
                    0.25
                } else {
                    0.0
                }
            })
            .sum();
        if amount > 0.0 {
            *pixel = Rgb(mix(pixel.0, colour, amount));
        }
    }
}
