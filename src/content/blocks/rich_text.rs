//! Parses rich text, stored as Markdown, into the nodes that components render: paragraphs, line
//! breaks, nested lists, bold, italic, links. Other markup is reduced to its text; raw HTML stays
//! as typed.

use super::text_with_settings;
use crate::markdown::limit_nesting;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::ops::Range;

/// Delimiters of the index of a non-text part while Markdown is parsed. Input cannot contain these
/// noncharacters, because sanitizing removes them.
const OPEN: char = '\u{fdd0}';
const CLOSE: char = '\u{fdd1}';

enum Wrap {
    Bold,
    Italic,
    Link(String),
}

/// A list that is still open.
struct List {
    /// The start number of an ordered list; `None` for a bulleted list.
    first: Option<u64>,
    items: Vec<Json>,
    /// Blocks of the current list item.
    point: Vec<Json>,
}

/// State of the parser.
struct Reading {
    parts: Vec<Json>,
    blocks: Vec<Json>,
    /// Open inline elements, innermost last, each with its content so far.
    open: Vec<(Wrap, Vec<Json>)>,
    line: Vec<Json>,
    /// Open lists, innermost last.
    lists: Vec<List>,
}

/// Parses a stored text into block nodes.
pub(super) fn read(kept: &Json) -> Json {
    json!(reading(kept).blocks)
}

/// Returns the text with every link address replaced by the result of `checked`, in every Markdown
/// link syntax.
pub(super) fn map_addresses<E>(
    kept: &Json,
    mut checked: impl FnMut(&str) -> Result<String, E>,
) -> Result<Json, E> {
    let (mut markdown, parts) = marked(kept);
    let links = links(&markdown);
    let mut is_same = true;
    // Replace from the end, so that earlier byte ranges stay valid.
    for link in links.into_iter().rev() {
        let now = checked(&link.address)?;
        if now != link.address {
            let words = &markdown[link.words];
            let now = now.replace('<', "%3C").replace('>', "%3E");
            let whole = if now.contains(['(', ')']) {
                format!("[{words}](<{now}>)")
            } else {
                format!("[{words}]({now})")
            };
            markdown.replace_range(link.whole, &whole);
            is_same = false;
        }
    }
    Ok(if is_same {
        kept.clone()
    } else {
        text_with_settings::from_parts(&unmarked(&markdown, &parts))
    })
}

/// A link in the source: `[words](address)`, `<address>` or `[words][name]`.
struct Link {
    whole: Range<usize>,
    words: Range<usize>,
    address: String,
}

fn links(markdown: &str) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let mut is_open = false;
    for (event, range) in Parser::new_ext(markdown, Options::empty()).into_offset_iter() {
        match (event, links.last_mut()) {
            (Event::Start(Tag::Link { dest_url, .. }), _) => {
                let first = range.start + 1;
                links.push(Link {
                    whole: range,
                    words: first..first,
                    address: dest_url.to_string(),
                });
                is_open = true;
            }
            (Event::End(TagEnd::Link), _) => is_open = false,
            (_, Some(link)) if is_open => link.words.end = link.words.end.max(range.end),
            _ => {}
        }
    }
    links
}

/// Returns the Markdown with a delimited index in place of each non-text part, and all parts.
fn marked(kept: &Json) -> (String, Vec<Json>) {
    let parts = text_with_settings::parts(kept);
    let mut markdown = String::new();
    for (number, part) in parts.iter().enumerate() {
        match part.as_str() {
            Some(words) => markdown.push_str(words),
            None => {
                // Writing to a string cannot fail.
                let _ = write!(markdown, "{OPEN}{number}{CLOSE}");
            }
        }
    }
    (markdown, parts)
}

/// Replaces each delimited index by its part.
fn unmarked(words: &str, parts: &[Json]) -> Vec<Json> {
    let mut all = Vec::new();
    for piece in words.split(OPEN) {
        let (number, rest) = piece.split_once(CLOSE).unwrap_or(("", piece));
        let part = number.parse::<usize>().ok();
        all.extend(part.and_then(|number| parts.get(number)).cloned());
        if !rest.is_empty() {
            all.push(json!(rest));
        }
    }
    all
}

fn reading(kept: &Json) -> Reading {
    let (markdown, parts) = marked(kept);
    let mut reading = Reading {
        parts,
        blocks: Vec::new(),
        open: Vec::new(),
        line: Vec::new(),
        lists: Vec::new(),
    };
    for event in limit_nesting(Parser::new_ext(&markdown, Options::empty())) {
        reading.take(event);
    }
    reading.end_line();
    reading
}

impl Reading {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(words)
            | Event::Code(words)
            | Event::Html(words)
            | Event::InlineHtml(words) => {
                self.say(&words);
            }
            Event::SoftBreak => self.say(" "),
            Event::HardBreak => self.add(json!({ "br": true })),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.open.push((Wrap::Bold, Vec::new())),
            Tag::Emphasis => self.open.push((Wrap::Italic, Vec::new())),
            Tag::Link { dest_url, .. } => {
                self.open
                    .push((Wrap::Link(dest_url.to_string()), Vec::new()));
            }
            // The alternative text of the image stays as text.
            Tag::Image { .. } => {}
            Tag::List(first) => {
                self.end_line();
                self.lists.push(List {
                    first,
                    items: Vec::new(),
                    point: Vec::new(),
                });
            }
            // Text directly above a nested block in the same list item becomes a paragraph of its
            // own.
            _ => self.end_line(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Link => self.close(),
            TagEnd::Image => {}
            TagEnd::Item => {
                self.end_line();
                self.end_item();
            }
            TagEnd::List(_) => self.end_list(),
            _ => self.end_line(),
        }
    }

    fn end_item(&mut self) {
        if let Some(List { items, point, .. }) = self.lists.last_mut()
            && !point.is_empty()
        {
            items.push(Json::Array(std::mem::take(point)));
        }
    }

    fn end_list(&mut self) {
        let Some(List { first, items, .. }) = self.lists.pop() else {
            return;
        };
        self.put(match first {
            None => json!({ "ul": items }),
            Some(1) => json!({ "ol": items }),
            Some(first) => json!({ "ol": items, "start": first }),
        });
    }

    /// Appends the block to the current list item, or to the text when no list is open.
    fn put(&mut self, block: Json) {
        match self.lists.last_mut() {
            Some(list) => list.point.push(block),
            None => self.blocks.push(block),
        }
    }

    fn close(&mut self) {
        let Some((wrap, held)) = self.open.pop() else {
            return;
        };
        match wrap {
            Wrap::Bold => self.add(json!({ "b": held })),
            Wrap::Italic => self.add(json!({ "i": held })),
            Wrap::Link(address) => self.add(json!({ "a": address, "of": held })),
        }
    }

    fn inside(&mut self) -> &mut Vec<Json> {
        match self.open.last_mut() {
            Some((_, held)) => held,
            None => &mut self.line,
        }
    }

    fn add(&mut self, inline: Json) {
        self.inside().push(inline);
    }

    /// Appends text, merging it with a preceding text node.
    fn say(&mut self, words: &str) {
        if let Some(Json::String(last)) = self.inside().last_mut() {
            last.push_str(words);
        } else {
            self.add(json!(words));
        }
    }

    fn end_line(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return;
        }
        let line: Vec<Json> = line
            .into_iter()
            .map(|inline| self.restored(inline))
            .collect();
        self.put(json!({ "p": line }));
    }

    /// Replaces the delimited indices in a node by their parts.
    fn restored(&self, inline: Json) -> Json {
        match inline {
            Json::String(words) => self.leaf(&words),
            Json::Array(list) => list.into_iter().map(|one| self.restored(one)).collect(),
            Json::Object(mut object) => {
                for name in ["b", "i", "of"] {
                    if let Some(held) = object.get_mut(name) {
                        *held = self.restored(held.take());
                    }
                }
                Json::Object(object)
            }
            other => other,
        }
    }

    fn leaf(&self, words: &str) -> Json {
        if !words.contains(OPEN) {
            return json!(words);
        }
        json!({ "text": unmarked(words, &self.parts) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_what_pages_draw_and_nothing_else() {
        let read = |text: &str| read(&json!(text));
        assert_eq!(
            read("a **b** *c*"),
            json!([{ "p": ["a ", { "b": ["b"] }, " ", { "i": ["c"] }] }])
        );
        assert_eq!(
            read("- a\n- [b](/c)"),
            json!([{ "ul": [[{ "p": ["a"] }], [{ "p": [{ "a": "/c", "of": ["b"] }] }]] }])
        );
        assert_eq!(
            read("1. a\n2. b"),
            json!([{ "ol": [[{ "p": ["a"] }], [{ "p": ["b"] }]] }])
        );
        assert_eq!(
            read("# a\n\nb\nc"),
            json!([{ "p": ["a"] }, { "p": ["b c"] }])
        );
        assert_eq!(read("<b>x</b>"), json!([{ "p": ["<b>x</b>"] }]));
        assert_eq!(read("![x](/y)"), json!([{ "p": ["x"] }]));
        assert_eq!(read(""), json!([]));
    }

    /// Regression: the editor showed line breaks and nested lists, and pages flattened both.
    #[test]
    fn lists_in_lists_line_breaks_and_paragraphs_of_a_point_are_kept() {
        let read = |text: &str| read(&json!(text));
        let p = |words: &str| json!({ "p": [words] });
        assert_eq!(
            read("- a\n  1. b\n     - c\n- d"),
            json!([{ "ul": [
                [p("a"), { "ol": [[p("b"), { "ul": [[p("c")]] }]] }],
                [p("d")],
            ] }])
        );
        assert_eq!(
            read("**a\\\nb**  \nc\nd"),
            json!([{ "p": [
                { "b": ["a", { "br": true }, "b"] },
                { "br": true },
                "c d",
            ] }])
        );
        assert_eq!(
            read("3. a\n\n   b\n4. # c\n   d"),
            json!([{ "ol": [[p("a"), p("b")], [p("c"), p("d")]], "start": 3 }])
        );
    }

    /// Regression: rendering recurses, so 8,000 characters of nested markup broke the page and
    /// 16,000 crashed the process during preview.
    #[test]
    fn nothing_lies_deeper_than_it_can_be_drawn() {
        fn depth(json: &Json) -> usize {
            match json {
                Json::Array(list) => list.iter().map(depth).max().unwrap_or(0),
                Json::Object(object) => 1 + object.values().map(depth).max().unwrap_or(0),
                _ => 0,
            }
        }
        for (around, one) in [("*", "*"), ("[*", "*](/x)"), ("![", "](/x)"), ("- ", "")] {
            let text = format!("{}a{}", around.repeat(4_000), one.repeat(4_000));
            let read = read(&json!(text));
            assert!(depth(&read) <= 14, "{around}");
            assert!(read.to_string().contains('a'), "{around}");
        }
        let lines = (0..15).map(|level| format!("{}- {level}\n", "  ".repeat(level)));
        let mut inside = read(&json!(lines.collect::<String>()))[0].take();
        for _ in 1..12 {
            inside = inside["ul"][0][1].take();
        }
        let br = json!({ "br": true });
        let line = json!({ "p": ["11", br, "12", br, "13", br, "14"] });
        assert_eq!(inside, json!({ "ul": [[line]] }));
    }

    /// Regression: only `](address)` was rewritten. `<tel:…>` never got its country code, and a
    /// draft with another spelling of a forbidden link was not rendered.
    #[test]
    fn a_link_is_led_elsewhere_however_it_is_written() {
        let led = |text: Json| {
            map_addresses(&text, |address| match address {
                "/da" => Ok("/a(b)".to_owned()),
                "tel:1" => Ok("tel:+391".to_owned()),
                "javascript:x" => Err("no"),
                other => Ok(other.to_owned()),
            })
        };
        for (written, kept) in [
            ("**[x](/da)** e [y](/z)", "**[x](</a(b)>)** e [y](/z)"),
            ("[\\*x *y*](</da> \"titolo\")", "[\\*x *y*](</a(b)>)"),
            ("<tel:1>, [](/da)", "[tel:1](tel:+391), [](</a(b)>)"),
            (
                "[x][d] [y](/da)\n\n[d]: /da",
                "[x](</a(b)>) [y](</a(b)>)\n\n[d]: /da",
            ),
            ("[x](/z \"t\")", "[x](/z \"t\")"),
        ] {
            assert_eq!(led(json!(written)), Ok(json!(kept)));
        }
        let name = json!({ "setting": "practitioner" });
        let own = |address: &str| json!({ "text": ["a [", name, format!("]({address}) "), name] });
        assert_eq!(led(own("/da")), Ok(own("</a(b)>")));
        assert_eq!(led(json!("[x]( <javascript:x> )")), Err("no"));
    }

    #[test]
    fn settings_pass_through_whatever_stands_around_them() {
        let name = json!({ "setting": "practitioner" });
        let kept = json!({ "text": ["**di ", name, "** e *", name, "*"] });
        let own = |before: &str| json!({ "text": [before, name] });
        assert_eq!(
            read(&kept),
            json!([{ "p": [{ "b": [own("di ")] }, " e ", { "i": [{ "text": [name] }] }] }])
        );
    }
}
