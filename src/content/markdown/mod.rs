//! Renders Markdown to HTML: the common subset, pictures of this site, buttons.
//!
//! Raw HTML becomes text, and links keep only safe addresses. Three notations of plain Markdown
//! have a special meaning (docs/decisions/015): a picture outside running text is a figure
//! (`![alt](/objects/uploads/ID#50,62 "caption")`; the fragment is the focal point), several
//! consecutive pictures are a gallery, and a link alone in its paragraph with the title `pulsante`
//! is a button. The editor reads and writes the same notation
//! (`ui/src/admin/rich-text/markdown.ts`).

mod figure_extraction;
mod figure_html;
mod headings;
mod nesting_limit;
mod to_text;

use super::Pictures;
use super::validation::is_id;
use super::value::UPLOAD_PREFIX;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use std::collections::{BTreeMap, BTreeSet};

pub use figure_html::{cover_html, escape_html};
pub use headings::Section;
pub use nesting_limit::limit_nesting;
pub use to_text::{Survey, from_plain_text, survey, to_plain_text};

/// A rendered text.
#[derive(Debug, Default)]
pub struct Rendered {
    pub html: String,
    /// Second-level headings of the page, for a table of contents.
    pub sections: Vec<Section>,
    pub words: usize,
}

/// The context against which rendering resolves references.
#[derive(Debug, Clone, Copy)]
pub struct RenderContext<'a> {
    pub pictures: &'a Pictures,
    /// Prefix of every local address, for output that is read outside this site.
    pub site: Option<&'a str>,
}

/// A picture that a text references.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Named {
    id: String,
    alt: String,
    caption: String,
    /// Focal point in percent from left and top.
    focus: (u8, u8),
}

/// Renders a text to HTML that is safe in any page.
///
/// Headings start at the second level, because the page title is the first. Addresses other than
/// `http`, `https`, `mailto`, `tel` and paths of this site are replaced by `#`.
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

/// Ids of the pictures that the text references.
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

/// Alternative texts of the pictures that the text references, by id. Of a picture that occurs
/// several times, the first one that is not empty.
pub fn alternative_texts(markdown: &str) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let mut events = parse(markdown);
    while let Some(event) = events.next() {
        if let Event::Start(Tag::Image { dest_url, .. }) = event
            && let Some((id, _)) = address(&dest_url)
        {
            let alt = figure_extraction::alternative_text(&mut events);
            if !alt.trim().is_empty() {
                texts.entry(id).or_insert(alt);
            }
        }
    }
    texts
}

fn parse(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    limit_nesting(Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH))
}

/// Parses id and focal point from the address of a picture of this site.
fn address(address: &str) -> Option<(String, (u8, u8))> {
    let rest = address.strip_prefix(UPLOAD_PREFIX)?;
    let (id, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let percent = |text: &str| text.parse().ok().filter(|number: &u8| *number <= 100);
    let point = fragment.split_once(',');
    let point = point.and_then(|(x, y)| Some((percent(x)?, percent(y)?)));
    is_id(id).then(|| (id.to_owned(), point.unwrap_or((50, 50))))
}

/// Returns the address if it is safe, prefixed with the site where needed; otherwise `#`.
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
