//! Sets text in Fraunces: measures, wraps, shortens, draws.

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};

use crate::{ImageError, undecodable};

const FONT: &[u8] = include_bytes!("../fonts/fraunces.ttf");
/// Sizes tried for a title, with the lines each may take.
const TITLE_SIZES: [(f32, usize); 5] = [(84.0, 2), (72.0, 3), (62.0, 3), (54.0, 4), (46.0, 4)];
/// Characters looked at: no page title is longer.
const TEXT_CHARS_MAX: usize = 300;
const LEADING: f32 = 1.14;

/// Text broken into lines of one size, in pixels of the em square.
pub(super) struct Block {
    lines: Vec<String>,
    size: f32,
}

impl Block {
    pub(super) fn height(&self) -> f32 {
        self.lines.iter().map(|_| self.size * LEADING).sum()
    }
}

/// The largest setting of a title that fits; what fits nowhere ends in an ellipsis.
pub(super) fn fit(text: &str, width_max: f32) -> Result<Block, ImageError> {
    let font = font()?;
    let text = drawable(&font, text);
    for (size, lines_max) in TITLE_SIZES {
        let lines = wrap(&font, &text, size, width_max);
        let fits = lines
            .iter()
            .all(|line| width(&font, line, size) <= width_max);
        if fits && lines.len() <= lines_max {
            return Ok(Block {
                lines: balanced(&font, &text, size, width_max, lines),
                size,
            });
        }
    }
    let [.., (size, lines_max)] = TITLE_SIZES;
    let mut lines = wrap(&font, &text, size, width_max);
    let too_many = lines.len() > lines_max;
    lines.truncate(lines_max);
    let last = lines.len().saturating_sub(1);
    for (index, line) in lines.iter_mut().enumerate() {
        let shortened = too_many && index == last;
        *line = shorten(&font, line, size, width_max, shortened);
    }
    Ok(Block { lines, size })
}

/// One line, shortened to fit.
pub(super) fn line(text: &str, size: f32, width_max: f32) -> Result<Block, ImageError> {
    let font = font()?;
    let text = shorten(&font, &drawable(&font, text), size, width_max, false);
    Ok(Block {
        lines: vec![text],
        size,
    })
}

/// Calls `paint(x, y, coverage)` for every pixel touched; `top` is that of the first line.
pub(super) fn draw(
    block: &Block,
    left: f32,
    top: f32,
    mut paint: impl FnMut(u32, u32, f32),
) -> Result<(), ImageError> {
    let font = font()?;
    let scaled = font.as_scaled(scale(&font, block.size));
    let mut baseline =
        top + block.size * LEADING / 2.0 + f32::midpoint(scaled.ascent(), scaled.descent());
    for line in &block.lines {
        let mut across = left;
        let mut before: Option<GlyphId> = None;
        for letter in line.chars() {
            let id = font.glyph_id(letter);
            across += before.map_or(0.0, |before| scaled.kern(before, id));
            let glyph = id.with_scale_and_position(scaled.scale(), point(across, baseline));
            if let Some(outline) = font.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                outline.draw(|x, y, coverage| {
                    if let (Some(x), Some(y)) = (offset(bounds.min.x, x), offset(bounds.min.y, y)) {
                        paint(x, y, coverage);
                    }
                });
            }
            across += scaled.h_advance(id);
            before = Some(id);
        }
        baseline += block.size * LEADING;
    }
    Ok(())
}

fn font() -> Result<FontRef<'static>, ImageError> {
    FontRef::try_from_slice(FONT).map_err(undecodable)
}

/// The crate's scale is the height from ascender to descender; ours is the em.
fn scale(font: &FontRef<'_>, size: f32) -> PxScale {
    PxScale::from(size * font.height_unscaled() / font.units_per_em().unwrap_or(1000.0))
}

/// The text with single spaces and only the letters the font has.
fn drawable(font: &FontRef<'_>, text: &str) -> String {
    let known: String = text
        .chars()
        .take(TEXT_CHARS_MAX)
        .filter(|letter| letter.is_whitespace() || font.glyph_id(*letter).0 != 0)
        .collect();
    known.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn width(font: &FontRef<'_>, text: &str, size: f32) -> f32 {
    let scaled = font.as_scaled(scale(font, size));
    let mut before: Option<GlyphId> = None;
    text.chars()
        .map(|letter| {
            let id = font.glyph_id(letter);
            let kern = before
                .replace(id)
                .map_or(0.0, |before| scaled.kern(before, id));
            kern + scaled.h_advance(id)
        })
        .sum()
}

fn wrap(font: &FontRef<'_>, text: &str, size: f32, width_max: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(font, &format!("{line} {word}"), size) <= width_max => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// As many lines, but of more even length: narrower as long as no line is added.
fn balanced(
    font: &FontRef<'_>,
    text: &str,
    size: f32,
    width_max: f32,
    lines: Vec<String>,
) -> Vec<String> {
    const STEP: f32 = 24.0;
    let mut best = lines;
    let mut narrower = width_max - STEP;
    while narrower > width_max / 3.0 {
        let lines = wrap(font, text, size, narrower);
        let fits = lines
            .iter()
            .all(|line| width(font, line, size) <= width_max);
        if lines.len() > best.len() || !fits {
            break;
        }
        best = lines;
        narrower -= STEP;
    }
    best
}

fn shorten(font: &FontRef<'_>, text: &str, size: f32, width_max: f32, always: bool) -> String {
    if !always && width(font, text, size) <= width_max {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    loop {
        let shortened = format!("{}…", kept.trim_end_matches([' ', ',', '.', ';', ':', '-']));
        if width(font, &shortened, size) <= width_max || kept.pop().is_none() {
            return shortened;
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounds are whole pixels, and negative ones are left out"
)]
fn offset(start: f32, by: u32) -> Option<u32> {
    if start < 0.0 {
        return by.checked_sub(-start as u32);
    }
    (start as u32).checked_add(by)
}
