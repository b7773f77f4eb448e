//! The Markdown of texts to HTML: the common subset, pictures of this site, buttons.
//!
//! Raw HTML becomes text, links lead only to safe addresses. Three notations of plain Markdown
//! have a meaning of their own (docs/decisions/015): a picture outside words is a figure
//! (`![alt](/objects/uploads/ID#50,62 "caption")`, the fragment being the point never cropped),
//! several in a row are a gallery, and a link that stands alone with the title `pulsante` is a
//! button. The editor reads and writes the same (`ui/src/admin/rich-text/markdown.ts`).

mod figure_extraction;
mod figure_html;
mod headings;
mod nesting_limit;
mod to_text;

use super::Pictures;
use super::validation::is_id;
use super::value::UPLOAD_PREFIX;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use std::collections::BTreeSet;

pub use figure_html::{cover_html, escape_html};
pub use headings::Section;
pub use nesting_limit::limit_nesting;
pub use to_text::{Survey, from_plain_text, survey, to_plain_text};

/// A text as pages show it.
#[derive(Debug, Default)]
pub struct Rendered {
    pub html: String,
    /// The headings of the first level, for a table of contents.
    pub sections: Vec<Section>,
    pub words: usize,
}

/// What rendering resolves references against.
#[derive(Debug, Clone, Copy)]
pub struct RenderContext<'a> {
    pub pictures: &'a Pictures,
    /// Before every address of this site, where the text is read elsewhere.
    pub site: Option<&'a str>,
}

/// A picture named by a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Named {
    id: String,
    alt: String,
    caption: String,
    /// Percent from left and top.
    focus: (u8, u8),
}

/// HTML fit to stand in a page under any content.
///
/// Headings start at the second level, since the title of the page is the first; addresses other
/// than `http`, `https`, `mailto`, `tel` and paths of this site go.
pub fn render(markdown: &str, around: &RenderContext<'_>) -> Rendered {
    let mut events = figure_extraction::with_figures(parse(markdown), around);
    let (sections, words) = headings::mark(&mut events);
    let mut html = String::with_capacity(markdown.len() * 3 / 2);
    html::push_html(&mut html, events.into_iter());
    Rendered {
        html,
        sections,
        words,
    }
}

/// Ids of the pictures that the text names.
pub fn picture_ids(markdown: &str) -> BTreeSet<String> {
    if !markdown.contains(UPLOAD_PREFIX) {
        return BTreeSet::new();
    }
    let named = parse(markdown).filter_map(|event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(address(&dest_url)?.0),
        _ => None,
    });
    named.collect()
}

fn parse(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    limit_nesting(Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH))
}

/// Id and focal point out of the address of a picture of this site.
fn address(address: &str) -> Option<(String, (u8, u8))> {
    let rest = address.strip_prefix(UPLOAD_PREFIX)?;
    let (id, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let percent = |text: &str| text.parse().ok().filter(|number: &u8| *number <= 100);
    let point = fragment.split_once(',');
    let point = point.and_then(|(x, y)| Some((percent(x)?, percent(y)?)));
    is_id(id).then(|| (id.to_owned(), point.unwrap_or((50, 50))))
}

/// Where a link may lead: elsewhere safely, within this site, or to what a name stands for.
fn link_address(address: &str, around: &RenderContext<'_>) -> String {
    let local = address.starts_with('/') && !address.starts_with("//");
    let local = local && !address.starts_with("/\\");
    let schemes = ["http://", "https://", "mailto:", "tel:"];
    let known = |scheme: &&str| {
        address
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    match around.site {
        Some(site) if local => format!("{site}{address}"),
        _ if local || address.starts_with('#') || schemes.iter().any(known) => address.to_owned(),
        _ => "#".to_owned(),
    }
}

fn owned(text: String) -> CowStr<'static> {
    CowStr::Boxed(text.into_boxed_str())
}

#[cfg(test)]
mod tests;
