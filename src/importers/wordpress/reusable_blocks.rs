//! Replaces references to reusable blocks (synced patterns) and footnotes with their content, which
//! WordPress exports apart from the post.

use super::html::Around;
use serde_json::Value as Json;
use std::borrow::Cow;

/// Deepest nesting of references.
const DEPTH_MAX: usize = 8;
/// Most references in one post: nested references could multiply without end.
const REFERENCES_MAX: usize = 1_000;
/// Most changed texts of one reference.
const OVERRIDES_MAX: usize = 50;
/// Most content that the references of one post add.
const CONTENT_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Returns `text` with the content of the reusable blocks and footnotes that it references, and
/// whether some content is missing.
pub fn resolve<'a>(text: &'a str, around: &dyn Around) -> (Cow<'a, str>, bool) {
    let mut resolution = Resolution {
        around,
        out: String::new(),
        open: Vec::new(),
        references: 0,
        content_bytes: 0,
        is_incomplete: false,
    };
    if !text.contains("<!--") || next_reference(text).is_none() {
        return (Cow::Borrowed(text), false);
    }
    resolution.append(text);
    (Cow::Owned(resolution.out), resolution.is_incomplete)
}

struct Resolution<'a> {
    around: &'a dyn Around,
    out: String,
    /// Ids of the blocks that contain the current text. WordPress shows nothing for a block inside
    /// itself.
    open: Vec<String>,
    references: usize,
    content_bytes: usize,
    is_incomplete: bool,
}

enum Reference {
    Block {
        id: String,
        /// Texts that replace those of the block in this post, by the name of the inner block.
        overrides: Vec<(String, String)>,
    },
    Footnotes,
}

impl Resolution<'_> {
    fn append(&mut self, text: &str) {
        let mut rest = text;
        while let Some((start, end, reference)) = next_reference(rest) {
            self.out.push_str(&rest[..start]);
            rest = &rest[end..];
            match reference {
                Reference::Footnotes => self.append_footnotes(),
                Reference::Block { id, .. } if self.open.contains(&id) => {}
                Reference::Block { id, overrides } => self.append_block(id, &overrides),
            }
        }
        self.out.push_str(rest);
    }

    fn append_block(&mut self, id: String, overrides: &[(String, String)]) {
        self.references += 1;
        let content = self.around.block(&id).filter(|content| {
            self.references <= REFERENCES_MAX
                && self.open.len() < DEPTH_MAX
                && self.content_bytes + content.len() <= CONTENT_BYTES_MAX
        });
        let Some(content) = content else {
            self.is_incomplete = true;
            return;
        };
        self.content_bytes += content.len();
        let mut content = content.to_owned();
        for (name, words) in overrides {
            match overridden(&content, name, words) {
                Some(changed) => content = changed,
                None => self.is_incomplete = true,
            }
        }
        self.open.push(id);
        self.append(&content);
        self.open.pop();
    }

    fn append_footnotes(&mut self) {
        let notes: Vec<Json> = self
            .around
            .footnotes()
            .and_then(|notes| serde_json::from_str(notes).ok())
            .unwrap_or_default();
        let notes = notes
            .iter()
            .filter_map(|note| note.get("content")?.as_str());
        self.out.push_str("<ol>");
        for note in notes {
            self.out.push_str("<li>");
            self.out.push_str(note);
            self.out.push_str("</li>");
        }
        self.out.push_str("</ol>");
    }
}

/// Returns the start, the end and the content of the first reference.
fn next_reference(text: &str) -> Option<(usize, usize, Reference)> {
    let mut from = 0;
    while let Some(found) = text[from..].find("<!--") {
        let start = from + found;
        let inside = start + "<!--".len();
        let end = inside + text[inside..].find("-->")?;
        from = end + "-->".len();
        if let Some(reference) = parse_reference(text[inside..end].trim()) {
            return Some((start, from, reference));
        }
    }
    None
}

fn parse_reference(comment: &str) -> Option<Reference> {
    let block = comment.strip_suffix('/')?.trim_end().strip_prefix("wp:")?;
    let (name, attributes) = block.split_once(char::is_whitespace).unwrap_or((block, ""));
    match name.strip_prefix("core/").unwrap_or(name) {
        "footnotes" => Some(Reference::Footnotes),
        "block" => {
            let attributes: Json = serde_json::from_str(attributes.trim()).ok()?;
            let id = attributes.get("ref")?.as_u64()?.to_string();
            let overrides = attributes.get("content").and_then(Json::as_object);
            let overrides = overrides.into_iter().flatten().flat_map(|(name, values)| {
                let values = values.as_object().into_iter().flatten();
                values.filter_map(move |(key, value)| {
                    let is_words = matches!(key.as_str(), "content" | "text");
                    is_words.then(|| Some((name.clone(), value.as_str()?.to_owned())))?
                })
            });
            let overrides = overrides.take(OVERRIDES_MAX).collect();
            Some(Reference::Block { id, overrides })
        }
        _ => None,
    }
}

/// Returns `content` with `words` as the text of the inner block with this name.
fn overridden(content: &str, name: &str, words: &str) -> Option<String> {
    let quoted = serde_json::to_string(name).ok()?;
    let at = content.find(&format!("\"name\":{quoted}"))?;
    let start = at + content[at..].find("-->")? + "-->".len();
    let end = start + content[start..].find("<!-- /wp:")?;
    let block = &content[start..end];
    // A button is a link in a `div`; other blocks are one element.
    let (opening, closing) = match block.find("<a ") {
        Some(link) if block.trim_start().starts_with("<div") => (link, block.rfind("</a>")?),
        _ => (block.find('<')?, block.rfind("</")?),
    };
    let first = opening + block.get(opening..closing)?.find('>')? + 1;
    let (before, after) = (&content[..start + first], &content[start + closing..]);
    Some(format!("{before}{words}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wordpress::html::Lost;
    use std::collections::BTreeMap;

    #[derive(Default)]
    struct Export {
        blocks: BTreeMap<String, String>,
        footnotes: String,
    }

    impl Export {
        fn of(blocks: &[(&str, &str)]) -> Self {
            let blocks = blocks.iter();
            let blocks = blocks.map(|(id, text)| ((*id).to_owned(), (*text).to_owned()));
            Self {
                blocks: blocks.collect(),
                ..Self::default()
            }
        }
    }

    impl Around for Export {
        fn picture(&mut self, _address: &str, _number: Option<&str>) -> Option<String> {
            None
        }
        fn block(&self, id: &str) -> Option<&str> {
            self.blocks.get(id).map(String::as_str)
        }
        fn footnotes(&self) -> Option<&str> {
            Some(&self.footnotes)
        }
        fn link(&mut self, _address: &str) -> Option<String> {
            None
        }
        fn lost(&mut self, _lost: Lost) {}
    }

    #[test]
    fn references_become_the_content_of_their_blocks() {
        let export = Export::of(&[
            ("7", "<p>Uno</p><!-- wp:block {\"ref\":8} /-->"),
            ("8", "<p>Due</p>"),
        ]);
        for (text, expected, is_incomplete) in [
            (
                "a <!-- wp:block {\"ref\":8} /--> b",
                "a <p>Due</p> b",
                false,
            ),
            (
                "<!-- wp:core/block {\"ref\":7} /-->",
                "<p>Uno</p><p>Due</p>",
                false,
            ),
            ("a<!-- wp:block {\"ref\":9} /-->b", "ab", true),
            (
                "a <!-- wp:block {\"ref\":\"x\"} /-->",
                "a <!-- wp:block {\"ref\":\"x\"} /-->",
                false,
            ),
            ("a <!-- wp:block", "a <!-- wp:block", false),
            (
                "<!-- wp:latest-posts /-->",
                "<!-- wp:latest-posts /-->",
                false,
            ),
        ] {
            let (resolved, incomplete) = resolve(text, &export);
            assert_eq!(
                (resolved.as_ref(), incomplete),
                (expected, is_incomplete),
                "{text}"
            );
        }
    }

    #[test]
    fn a_post_may_change_the_text_of_a_block() {
        let block = "<!-- wp:heading {\"metadata\":{\"name\":\"Titolo\"}} --><h2 class=\"x\">Prima <em>di</em> tutto</h2><!-- /wp:heading -->\
            <!-- wp:button {\"metadata\":{\"name\":\"Bottone\"}} --><div><a href=\"/x\">Vai</a></div><!-- /wp:button -->";
        let export = Export::of(&[("7", block)]);
        let reference =
            |content: &str| format!("<!-- wp:block {{\"ref\":7,\"content\":{content}}} /-->");
        let changed = reference(
            "{\"Titolo\":{\"content\":\"Dopo\"},\"Bottone\":{\"text\":\"Scrivi\",\"url\":\"/y\"}}",
        );
        let (text, incomplete) = resolve(&changed, &export);
        assert!(text.contains("<h2 class=\"x\">Dopo</h2>"), "{text}");
        assert!(text.contains("<a href=\"/x\">Scrivi</a>"), "{text}");
        assert!(!incomplete);
        let unknown = reference("{\"Altro\":{\"content\":\"Perso\"}}");
        assert!(resolve(&unknown, &export).1);
    }

    #[test]
    fn footnotes_are_a_list() {
        let export = Export {
            footnotes: "[{\"content\":\"Nota <em>uno</em>.\",\"id\":\"a\"}]".to_owned(),
            ..Export::default()
        };
        let (text, _) = resolve("<p>a</p><!-- wp:footnotes /-->", &export);
        assert_eq!(text, "<p>a</p><ol><li>Nota <em>uno</em>.</li></ol>");
    }

    #[test]
    fn blocks_that_contain_themselves_or_each_other_have_an_end() {
        let twice = |id: u8| format!("x<!-- wp:block {{\"ref\":{id}}} /-->").repeat(40);
        let mut export = Export::default();
        for id in 1..=12_u8 {
            export.blocks.insert(id.to_string(), twice(id + 1));
        }
        export.blocks.insert("13".to_owned(), twice(1));
        let (text, incomplete) = resolve("<!-- wp:block {\"ref\":1} /-->", &export);
        assert!(incomplete && text.len() < 4 * REFERENCES_MAX * 40);
        let own = Export::of(&[("1", "a<!-- wp:block {\"ref\":1} /-->b")]);
        assert_eq!(resolve("<!-- wp:block {\"ref\":1} /-->", &own).0, "ab");
        let large = Export::of(&[("1", &"parola ".repeat(100_000))]);
        let references = "<!-- wp:block {\"ref\":1} /-->".repeat(20);
        let (text, incomplete) = resolve(&references, &large);
        assert!(incomplete && text.len() <= CONTENT_BYTES_MAX);
    }
}
