//! Writes Markdown blocks in sequence, with the prefixes of nested lists and quotes.

use super::inline;
use std::fmt::Write as _;

/// Deepest nesting of quotes, lists and list items; deeper content is written at this depth.
const CONTAINERS_MAX: usize = 12;
const NUMBER_MAX: u32 = 999_999_999;

enum Container {
    Quote,
    List {
        number: Option<u32>,
    },
    /// `sign` is the list marker until the first block of the item is written; later blocks are
    /// indented by `width` spaces.
    Item {
        sign: Option<String>,
        width: usize,
    },
}

impl Container {
    fn is(&self, name: &str) -> bool {
        match self {
            Self::Quote => name == "blockquote",
            Self::List { number: Some(_) } => name == "ol",
            Self::List { number: None } => matches!(name, "ul" | "menu"),
            Self::Item { .. } => name == "li",
        }
    }
}

/// A picture of a post.
pub struct Figure {
    pub id: String,
    pub alt: String,
    pub caption: String,
}

impl Figure {
    pub fn line(&self) -> String {
        let mut line = String::new();
        let alt = inline::escape(&self.alt, "x");
        let _ = write!(line, "![{alt}](/objects/uploads/{}", self.id);
        if !self.caption.is_empty() {
            let caption = self.caption.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = write!(line, " \"{caption}\"");
        }
        line.push(')');
        line
    }
}

#[derive(Default)]
pub struct Blocks {
    pub text: String,
    /// Prefix of the continuation lines of the last block.
    last_prefix: String,
    containers: Vec<Container>,
}

impl Blocks {
    pub fn begin(&mut self, name: &str, start: u32) {
        // HTML allows `li` without an end tag: the next `li` closes it.
        if name == "li" && self.containers.last().is_some_and(|last| last.is(name)) {
            self.containers.pop();
        }
        if self.containers.len() >= CONTAINERS_MAX {
            return;
        }
        let container = match name {
            "blockquote" => Container::Quote,
            "ol" => Container::List {
                number: Some(start),
            },
            "li" => {
                let number = match self.containers.last_mut() {
                    Some(Container::List { number }) => number.as_mut(),
                    _ => None,
                };
                let sign = number.map_or("- ".to_owned(), |number| {
                    let sign = format!("{number}. ");
                    *number = number.saturating_add(1).min(NUMBER_MAX);
                    sign
                });
                let width = sign.len();
                Container::Item {
                    sign: Some(sign),
                    width,
                }
            }
            _ => Container::List { number: None },
        };
        self.containers.push(container);
    }

    pub fn end(&mut self, name: &str) {
        if let Some(place) = self.containers.iter().rposition(|one| one.is(name)) {
            self.containers.truncate(place);
        }
    }

    pub fn put(&mut self, text: &str) {
        let (first, rest, opens_item) = self.prefixes();
        if !self.text.is_empty() {
            self.text.push('\n');
            // Consecutive list items stay a tight list; other blocks are separated by a blank line.
            let follows_item = self.last_prefix.ends_with("  ");
            if !(opens_item && follows_item) {
                let shared = self.last_prefix.bytes().zip(rest.bytes());
                let shared = shared.take_while(|(one, other)| one == other).count();
                self.text.push_str(rest[..shared].trim_end());
                self.text.push('\n');
            }
        }
        for (place, line) in text.split('\n').enumerate() {
            if place > 0 {
                self.text.push('\n');
            }
            let prefix = if place == 0 { &first } else { &rest };
            let bare = line.is_empty() && place > 0;
            self.text
                .push_str(if bare { prefix.trim_end() } else { prefix });
            self.text.push_str(line);
        }
        self.last_prefix = rest;
    }

    /// Returns the prefix of the first line, the prefix of the further lines, and whether a list
    /// item begins.
    fn prefixes(&mut self) -> (String, String, bool) {
        let (mut first, mut rest) = (String::new(), String::new());
        let mut opens_item = false;
        for container in &mut self.containers {
            match container {
                Container::Quote => {
                    first.push_str("> ");
                    rest.push_str("> ");
                }
                Container::List { .. } => {}
                Container::Item { sign, width } => {
                    let spaces = " ".repeat(*width);
                    opens_item |= sign.is_some();
                    first.push_str(sign.take().as_deref().unwrap_or(&spaces));
                    rest.push_str(&spaces);
                }
            }
        }
        (first, rest, opens_item)
    }
}
