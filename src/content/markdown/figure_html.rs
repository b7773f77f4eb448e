//! Renders pictures and buttons of a text as HTML, with dimensions, lazy loading and responsive
//! widths.

use super::{Named, RenderContext, link_address};
use crate::Picture;
use crate::value::picture_path;
use std::fmt::Write as _;

/// Address of a button that opens a message to the practitioner. The page inserts her address
/// (`ui/src/site/pages/articolo.tsx`); elsewhere the button leads to the contact page.
const MESSAGE: &str = "#messaggio";
const CONTACT_PAGE: &str = "/contatti";
/// The width of the text column; `ui/src/site/pages/articolo.module.css` has the same.
const SIZES: &str = "(width >= 46rem) 42rem, 92vw";
const GALLERY_SIZES: &str = "(width >= 46rem) 21rem, 46vw";
/// Widest variant for a browser without `srcset`.
const PLAIN_WIDTH_MAX: u32 = 1_280;
/// A picture whose height exceeds this percentage of its width is cropped around its focal point.
const TALL_PERCENT: u64 = 125;

/// Renders one figure or a gallery. Skips pictures that no longer exist.
pub(super) fn figures<'a>(named: &'a [Named], around: &RenderContext<'_>) -> String {
    let known = |one: &'a Named| Some((one, around.pictures.get(&one.id)?));
    let found: Vec<(&Named, &Picture)> = named.iter().filter_map(known).collect();
    match found.as_slice() {
        [] => String::new(),
        [(one, picture)] => format!("{}\n", figure(one, picture, SIZES, around)),
        several => {
            let each = several
                .iter()
                .map(|(one, picture)| figure(one, picture, GALLERY_SIZES, around));
            let each: String = each.collect();
            format!("<div role=\"group\" aria-label=\"Galleria\">{each}</div>\n")
        }
    }
}

/// Renders the cover picture of a text.
pub fn cover_html(picture: &Picture, alt: &str, around: &RenderContext<'_>) -> String {
    let named = Named {
        id: picture.id.clone(),
        alt: alt.to_owned(),
        caption: String::new(),
        focus: (50, 50),
    };
    figure(&named, picture, SIZES, around)
}

fn figure(one: &Named, picture: &Picture, sizes: &str, around: &RenderContext<'_>) -> String {
    let image = match around.site {
        Some(site) => image(one, picture, &plain_address(picture, site)),
        None => format!(
            "<picture><source type=\"image/webp\" srcset=\"{}\" sizes=\"{sizes}\">{}</picture>",
            variants(picture, "webp"),
            lazy(
                &image(one, picture, &plain_address(picture, "")),
                picture,
                sizes
            ),
        ),
    };
    let caption = one.caption.trim();
    if caption.is_empty() {
        return format!("<figure>{image}</figure>");
    }
    let caption = escape_html(caption);
    format!("<figure>{image}<figcaption>{caption}</figcaption></figure>")
}

fn image(one: &Named, picture: &Picture, address: &str) -> String {
    let mut attributes = format!(
        "src=\"{address}\" alt=\"{}\" width=\"{}\" height=\"{}\"",
        escape_html(&one.alt),
        picture.width,
        picture.height
    );
    // The Content-Security-Policy of the pages forbids style attributes; data attributes in steps
    // of ten percent suffice.
    for (name, percent) in [("x", one.focus.0), ("y", one.focus.1)] {
        let step = (percent + 5) / 10;
        if step != 5 {
            let _ = write!(attributes, " data-{name}=\"{step}\"");
        }
    }
    if u64::from(picture.height) * 100 > u64::from(picture.width) * TALL_PERCENT {
        attributes.push_str(" data-tall");
    }
    format!("<img {attributes}>")
}

fn lazy(image: &str, picture: &Picture, sizes: &str) -> String {
    let variants = variants(picture, "jpg");
    let rest = image.strip_prefix("<img ").unwrap_or(image);
    format!(
        "<img srcset=\"{variants}\" sizes=\"{sizes}\" loading=\"lazy\" decoding=\"async\" {rest}"
    )
}

fn variants(picture: &Picture, ending: &str) -> String {
    let path = picture_path(&picture.id);
    let each = picture.widths.iter();
    let each = each.map(|width| format!("{path}/{width}.{ending} {width}w"));
    each.collect::<Vec<_>>().join(", ")
}

fn plain_address(picture: &Picture, site: &str) -> String {
    let path = picture_path(&picture.id);
    let widest = picture
        .widths
        .iter()
        .rfind(|width| **width <= PLAIN_WIDTH_MAX);
    match widest {
        Some(width) => format!("{site}{path}/{width}.jpg"),
        None => format!("{site}{path}"),
    }
}

pub(super) fn button(words: &str, address: &str, around: &RenderContext<'_>) -> String {
    let site = around.site.unwrap_or_default();
    let address = match around.site {
        Some(_) if address == MESSAGE => format!("{site}{CONTACT_PAGE}"),
        _ => link_address(address, around),
    };
    let words = escape_html(words.trim());
    format!(
        "<p><a data-button=\"\" href=\"{}\">{words}</a></p>\n",
        escape_html(&address)
    )
}

/// Escapes text for HTML content and attributes.
pub fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Writing to a string cannot fail.
    let _ = pulldown_cmark_escape::escape_html(&mut out, text);
    out
}
