//! Converts links, pictures, embeds, lists, code and captions, and flushes paragraphs.

use super::{Converter, Lost};
use crate::wordpress::inline;
use crate::wordpress::markdown_blocks::Figure;
use html5gum::emitters::default::StartTag;
use std::fmt::Write as _;

const BUTTON: &str = "wp-block-button__link";
/// Class of the second link to the same file, which follows the first without a space.
const DOWNLOAD: &str = "wp-block-file__button";

impl Converter<'_> {
    pub(super) fn begin_link(&mut self, tag: &StartTag<()>, class: &str) {
        let target = self.around.link(&attribute(tag, "href"));
        let is_button = class.contains(BUTTON);
        if is_button {
            self.flush();
        }
        if class.contains(DOWNLOAD) {
            self.words(" ", false);
        }
        self.style.link = target.map(|target| {
            let target = destination(&target);
            if is_button {
                format!("{target} \"pulsante\"")
            } else {
                target
            }
        });
    }

    pub(super) fn end_link(&mut self) {
        let link = self.style.link.take();
        if link.is_some_and(|link| link.ends_with("\"pulsante\"")) {
            self.flush();
        }
    }

    pub(super) fn line_break(&mut self) {
        if let Some(code) = &mut self.code {
            code.push('\n');
        } else if let Some(caption) = &mut self.caption {
            caption.push(' ');
        } else if self.heading.is_some() || self.depth.table > 0 {
            self.words(" ", false);
        } else if self.runs.last().is_some_and(|run| run.text.ends_with('\n')) {
            // Authors use two line breaks to separate paragraphs.
            self.flush();
        } else if !self.runs.is_empty() {
            self.push("\n".to_owned());
        }
    }

    pub(super) fn picture(&mut self, tag: &StartTag<()>, class: &str) {
        let number = class
            .split_whitespace()
            .find_map(|word| word.strip_prefix("wp-image-"));
        let late = ["data-orig-file", "data-src", "data-lazy-src", "src"];
        let addresses = late.map(|name| attribute(tag, name));
        let address = addresses
            .iter()
            .find(|address| !address.is_empty() && !address.starts_with("data:"));
        let style = attribute(tag, "style");
        let background = background(&style).unwrap_or_default();
        let address = address.map_or(background, String::as_str);
        let Some(id) = self.around.picture(address, number) else {
            return;
        };
        let mut alt = attribute(tag, "alt");
        if alt.is_empty() {
            alt = self.around.alt(number);
        }
        if self.caption.is_none() && self.heading.is_none() {
            self.flush_words();
        }
        self.figures.push(Figure {
            id,
            alt: one_line(&alt),
            caption: String::new(),
        });
    }

    /// Replaces embedded content of another site with a link to it.
    pub(super) fn embed(&mut self, tag: &StartTag<()>) {
        let names = ["src", "data-src", "data"];
        let found = names.map(|name| attribute(tag, name));
        let Some(address) = found.into_iter().find(|address| !address.is_empty()) else {
            return;
        };
        let address = if address.starts_with("//") {
            format!("https:{address}")
        } else {
            address
        };
        self.flush();
        self.link_alone(&address);
    }

    /// Writes a paragraph that contains only a link to `address`.
    pub(super) fn link_alone(&mut self, address: &str) {
        if let Some(target) = self.around.link(address) {
            self.around.lost(Lost::Embedded(address.to_owned()));
            let words = inline::escape(address, "\n");
            self.blocks
                .put(&format!("[{words}]({})", destination(&target)));
        }
    }

    pub(super) fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let code = code.replace("\r\n", "\n");
        let code = code.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "");
        let code = code.trim_matches('\n');
        let runs = code.split(|c| c != '`').map(str::len);
        let fence = "`".repeat(runs.max().map_or(3, |longest| (longest + 1).max(3)));
        if !code.trim().is_empty() {
            self.blocks.put(&format!("{fence}\n{code}\n{fence}"));
        }
    }

    pub(super) fn end_caption(&mut self) {
        let Some(caption) = self.caption.take() else {
            return;
        };
        let caption = one_line(&caption);
        match self.figures.last_mut() {
            _ if caption.is_empty() => {}
            Some(figure) => figure.caption = caption,
            None => {
                self.words(&caption, false);
                self.flush();
            }
        }
    }

    /// Ends the paragraph. Pictures stay pending, because their caption may follow.
    pub(super) fn flush(&mut self) {
        self.flush_words();
        self.heading = None;
    }

    pub(super) fn flush_words(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        if let [run] = runs.as_slice()
            && run.style.link.is_none()
            && is_address(run.text.trim())
        {
            let address = run.text.trim().to_owned();
            return self.link_alone(&address);
        }
        let text = inline::write(&runs);
        if text.is_empty() {
            return;
        }
        match self.heading {
            Some(level) => {
                let text = text.replace("\\\n", " ");
                self.blocks.put(&format!("{} {text}", "#".repeat(level)));
            }
            None => self.blocks.put(&text),
        }
    }

    /// Writes the pending pictures as one block: several in a row form a gallery.
    pub(super) fn show_figures(&mut self) {
        let figures = std::mem::take(&mut self.figures);
        let lines: Vec<String> = figures.iter().map(Figure::line).collect();
        if !lines.is_empty() {
            self.blocks.put(&lines.join("\n"));
        }
    }

    pub(super) fn begin_container(&mut self, name: &str, tag: &StartTag<()>) {
        self.flush();
        if self.depth.gallery == 0 {
            self.show_figures();
            let start = attribute(tag, "start").parse().unwrap_or(1);
            self.blocks.begin(name, start);
        }
    }

    pub(super) fn end_container(&mut self, name: &str) {
        self.flush();
        if self.depth.gallery == 0 {
            self.show_figures();
            self.blocks.end(name);
        }
    }
}

pub(super) fn attribute(tag: &StartTag<()>, name: &str) -> String {
    let value = tag.attributes.get(name.as_bytes());
    value.map_or_else(String::new, |value| {
        String::from_utf8_lossy(&value.value).trim().to_owned()
    })
}

/// Returns the URL of the background image in a `style` attribute.
pub(super) fn background(style: &str) -> Option<&str> {
    let (_, url) = style.split_once("url(")?;
    let (url, _) = url.split_once(')')?;
    Some(url.trim_matches(['"', '\'', ' ']))
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "")
}

fn is_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://"))
        && !text.contains(char::is_whitespace)
}

/// Percent-encodes the characters of `address` that would end or break a Markdown link destination.
pub(super) fn destination(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '\\' | '"' | '\'' | '`' | '*' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
