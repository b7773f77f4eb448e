//! Converts Markdown to plain text (e-mail) and lists its links and pictures (preflight).

use super::{RenderContext, address, link_address, parse};
use pulldown_cmark::{Event, Tag, TagEnd};
use std::fmt::Write as _;

/// The links and pictures of a text, and their faults.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Survey {
    pub links: Vec<String>,
    /// Whether the text has a picture that is not stored on this site.
    pub has_foreign_picture: bool,
    /// Whether the text has a picture without alternative text.
    pub has_silent_picture: bool,
}

/// Collects the links and pictures of a text.
pub fn survey(markdown: &str) -> Survey {
    let mut survey = Survey::default();
    let mut alt: Option<String> = None;
    for event in parse(markdown) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => survey.links.push(dest_url.to_string()),
            Event::Start(Tag::Image { dest_url, .. }) => {
                survey.has_foreign_picture |= address(&dest_url).is_none();
                alt = Some(String::new());
            }
            Event::Text(text) => {
                if let Some(alt) = &mut alt {
                    alt.push_str(&text);
                }
            }
            Event::End(TagEnd::Image) => {
                let alt = alt.take().unwrap_or_default();
                survey.has_silent_picture |= alt.trim().is_empty();
            }
            _ => {}
        }
    }
    survey
}

/// Converts to plain text: links followed by their address, lists with dashes or numbers.
pub fn to_plain_text(markdown: &str, around: &RenderContext<'_>) -> String {
    let mut plain = Plain::default();
    for event in parse(markdown) {
        plain.take(event, around);
    }
    plain.out.trim_end().to_owned()
}

#[derive(Default)]
struct Plain {
    out: String,
    /// Next number of each open list; `None` for a bulleted list.
    lists: Vec<Option<u64>>,
    /// Address of the open link and the byte offset of its text.
    link: Option<(String, usize)>,
    is_in_picture: bool,
}

impl Plain {
    fn take(&mut self, event: Event<'_>, around: &RenderContext<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.out.push_str(&text);
            }
            Event::SoftBreak => self.out.push(' '),
            Event::HardBreak => self.out.push('\n'),
            Event::Rule => self.out.push_str("* * *\n\n"),
            Event::Start(tag) => self.start(tag, around),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, around: &RenderContext<'_>) {
        match tag {
            Tag::List(first) => self.lists.push(first),
            Tag::Item => {
                let indent = "  ".repeat(self.lists.len().saturating_sub(1));
                self.out.push_str(&indent);
                match self.lists.last_mut() {
                    // Writing to a string cannot fail.
                    Some(Some(number)) => {
                        let _ = write!(self.out, "{number}. ");
                        *number += 1;
                    }
                    _ => self.out.push_str("- "),
                }
            }
            Tag::Link { dest_url, .. } => {
                self.link = Some((link_address(&dest_url, around), self.out.len()));
            }
            Tag::Image { .. } => {
                self.is_in_picture = true;
                self.out.push_str("[Immagine: ");
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::BlockQuote(_) | TagEnd::CodeBlock => {
                self.gap();
            }
            TagEnd::Item => self.line(),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.gap();
                }
            }
            TagEnd::Link => {
                if let Some((address, from)) = self.link.take()
                    && self.out.get(from..) != Some(address.as_str())
                {
                    let _ = write!(self.out, " ({address})");
                }
            }
            TagEnd::Image => {
                self.is_in_picture = false;
                self.out.push(']');
            }
            _ => {}
        }
    }

    fn line(&mut self) {
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn gap(&mut self) {
        self.line();
        if self.lists.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }
}

/// Escapes plain text so that Markdown renders it literally.
pub fn from_plain_text(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines = paragraph.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty()).map(|line| {
            let mut said = String::with_capacity(line.len());
            for character in line.chars() {
                if character.is_ascii_punctuation() {
                    said.push('\\');
                }
                said.push(character);
            }
            said
        });
        lines.collect::<Vec<_>>().join("\\\n")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::super::super::Pictures;
    use super::*;

    #[test]
    fn the_words_stay_with_their_addresses_and_lists() {
        let pictures = Pictures::new();
        let around = RenderContext {
            pictures: &pictures,
            site: Some("https://a.it"),
        };
        let text = "## Ciao\n\nLeggi [qui](/blog/x) e **ora**.\n\n- uno\n- due\n\n1. a\n2. b\n\n\
                    ![Mare](/objects/uploads/aaaaaaaaaaaaaaaaaaaaaaaaaa)\n\n<b>x</b>";
        assert_eq!(
            to_plain_text(text, &around),
            "Ciao\n\nLeggi qui (https://a.it/blog/x) e ora.\n\n- uno\n- due\n\n1. a\n2. b\n\n\
             [Immagine: Mare]\n\n<b>x</b>"
        );
    }

    #[test]
    fn a_survey_finds_links_and_pictures_from_elsewhere() {
        let found = survey("[a](b) ![](https://x.it/p.png) ![c](/objects/uploads/q)");
        assert_eq!(found.links, ["b"]);
        assert!(found.has_foreign_picture && found.has_silent_picture);
        assert_eq!(survey("ciao"), Survey::default());
    }
}
