//! Small safe Markdown to HTML: raw HTML becomes text, links and pictures only to safe addresses.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

/// HTML fit to stand in a page under any content.
///
/// Raw HTML is shown as text; headings start at the second level, since the title of the page is
/// the first; addresses other than `http`, `https`, `mailto`, `tel` and paths of this site go.
pub fn to_html(markdown: &str) -> String {
    let options = Options::ENABLE_STRIKETHROUGH;
    let events = Parser::new_ext(markdown, options).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(tag) => Event::Start(safe_tag(tag)),
        Event::End(pulldown_cmark::TagEnd::Heading(level)) => {
            Event::End(pulldown_cmark::TagEnd::Heading(lower(level)))
        }
        other => other,
    });
    let mut out = String::with_capacity(markdown.len() * 3 / 2);
    html::push_html(&mut out, events);
    out
}

fn safe_tag(tag: Tag<'_>) -> Tag<'_> {
    match tag {
        Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        } => Tag::Link {
            link_type,
            dest_url: safe_address(dest_url),
            title,
            id,
        },
        Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        } => {
            let ours = dest_url.starts_with(super::value::UPLOAD_PREFIX);
            let dest_url = if ours { dest_url } else { CowStr::Borrowed("") };
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }
        }
        Tag::Heading { level, .. } => Tag::Heading {
            level: lower(level),
            id: None,
            classes: vec![],
            attrs: vec![],
        },
        other => other,
    }
}

fn safe_address(address: CowStr<'_>) -> CowStr<'_> {
    let local = address.starts_with('#')
        || (address.starts_with('/') && !address.starts_with("//") && !address.starts_with("/\\"));
    let schemes = ["http://", "https://", "mailto:", "tel:"];
    let known = |scheme: &&str| {
        address
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    if local || schemes.iter().any(known) {
        address
    } else {
        CowStr::Borrowed("#")
    }
}

fn lower(level: pulldown_cmark::HeadingLevel) -> pulldown_cmark::HeadingLevel {
    use pulldown_cmark::HeadingLevel::{H2, H3, H4, H5, H6};
    match level {
        pulldown_cmark::HeadingLevel::H1 => H2,
        H2 => H3,
        H3 => H4,
        H4 => H5,
        H5 | H6 => H6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_html_is_shown_as_text() {
        let html = to_html("<script>alert(1)</script>\n\nciao <img src=x onerror=y> **forte**");
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains("<img"), "{html}");
        assert!(html.contains("<strong>forte</strong>"), "{html}");
    }

    #[test]
    fn links_and_pictures_lead_only_to_safe_addresses() {
        for address in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "data:text/html,x",
            "//evil.example",
        ] {
            let html = to_html(&format!("[a](<{address}>) ![b](<{address}>)"));
            assert!(!html.contains(address), "{html}");
        }
        let html = to_html("[a](https://example.com) [b](/contatti) [c](mailto:a@example.com)");
        for address in ["https://example.com", "/contatti", "mailto:a@example.com"] {
            assert!(html.contains(&format!("href=\"{address}\"")), "{html}");
        }
    }

    #[test]
    fn headings_start_below_the_title_of_the_page() {
        assert_eq!(to_html("# Uno\n\n## Due"), "<h2>Uno</h2>\n<h3>Due</h3>\n");
    }
}
