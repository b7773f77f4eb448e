//! Expands WordPress shortcodes (`[name …]`): captions, galleries and embeds become HTML. Of all
//! others only the text between the opening and the closing tag remains.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Longest shortcode tag; longer brackets are text.
const TAG_BYTES_MAX: usize = 4_096;
/// Most gallery pictures in one post. A post with a thousand pictures is already too long.
const PICTURES_MAX: usize = 2_000;
/// Shortcodes of WordPress itself; others are recognised by their syntax.
const KNOWN: &[&str] = &["audio", "caption", "embed", "gallery", "playlist", "video"];
/// Name prefixes of page builder shortcodes; each begins and ends a paragraph.
const LAYOUT: &[&str] = &["vc_", "et_pb_", "fusion_", "av_", "wpb_"];
const SOURCES: &[&str] = &["src", "mp4", "m4v", "webm", "mp3", "m4a", "ogg", "wav"];

/// Context of an expansion: the attachments of the posts and the record of dropped shortcodes.
pub struct Beside<'a> {
    /// Returns the ids of the picture attachments of a post, or of the current post for `None`.
    pub attached: &'a dyn Fn(Option<&str>) -> Vec<String>,
    /// Called with the name of each shortcode whose function is lost.
    pub lost: &'a mut dyn FnMut(&str),
    /// Number of gallery pictures so far.
    pub pictures: usize,
}

/// Returns `text` as HTML with its shortcodes expanded.
pub fn expand(text: &str, beside: &mut Beside<'_>) -> String {
    let closed = closed_names(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '<']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('<') {
            // Brackets inside an HTML tag are part of an attribute.
            let end = tag_end(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if rest.starts_with("[[")
            && let Some(tag) = Tag::read(&rest[1..])
            && rest[1 + tag.length..].starts_with(']')
        {
            let literal = &rest[2..tag.length];
            let _ = write!(out, "&#91;{literal}&#93;");
            rest = &rest[tag.length + 2..];
            continue;
        }
        if let Some(tag) = Tag::read(rest).filter(|tag| tag.is_one(&closed)) {
            let after = &rest[tag.length..];
            let used = tag.replace(after, &mut out, beside);
            rest = &after[used..];
        } else {
            out.push('[');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Returns the end of the tag or comment at the start of `rest`; 1 if the `<` begins none.
fn tag_end(rest: &str) -> usize {
    if rest.starts_with("<!--") {
        return rest.find("-->").map_or(rest.len(), |at| at + 3);
    }
    let begins = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    if !begins {
        return 1;
    }
    rest.find('>').map_or(rest.len(), |at| at + 1)
}

/// Returns the names that have a closing tag `[/name]`.
fn closed_names(text: &str) -> BTreeSet<&str> {
    let ends = text.match_indices("[/").filter_map(|(at, _)| {
        let name = &text[at + 2..];
        let end = name.find(|c| !is_name(c))?;
        name[end..].starts_with(']').then(|| &name[..end])
    });
    ends.collect()
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

struct Tag<'a> {
    name: &'a str,
    is_end: bool,
    attributes: BTreeMap<&'a str, &'a str>,
    length: usize,
}

impl<'a> Tag<'a> {
    /// Parses the tag at the start of `text`; `None` if the bracket is not shortcode syntax.
    fn read(text: &'a str) -> Option<Self> {
        let mut window = text.len().min(TAG_BYTES_MAX);
        while !text.is_char_boundary(window) {
            window -= 1;
        }
        let text = &text[..window];
        let is_end = text.starts_with("[/");
        let body = &text[if is_end { 2 } else { 1 }..];
        let end = body.find(|c| !is_name(c))?;
        let name = &body[..end];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let mut rest = &body[end..];
        let mut attributes = BTreeMap::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix("/]").or_else(|| rest.strip_prefix(']')) {
                let length = text.len() - after.len();
                return Some(Self {
                    name,
                    is_end,
                    attributes,
                    length,
                });
            }
            let (key, value, after) = attribute(rest)?;
            attributes.insert(key, value);
            rest = after;
        }
    }

    fn is_one(&self, closed: &BTreeSet<&str>) -> bool {
        KNOWN.contains(&self.name)
            || closed.contains(self.name)
            || self.name.contains(['_', '-'])
            || self.attributes.keys().any(|key| !key.is_empty())
    }

    /// Writes the replacement of the tag to `out`. Returns the bytes of `after` that it consumes.
    fn replace(&self, after: &str, out: &mut String, beside: &mut Beside<'_>) -> usize {
        match (self.name, self.is_end) {
            ("caption" | "wp_caption", false) => {
                out.push_str("<figure><wp-caption>");
                if let Some(words) = self.attributes.get("caption") {
                    out.push_str(words);
                }
            }
            ("caption" | "wp_caption", true) => out.push_str("</wp-caption></figure>"),
            ("gallery", false) => {
                let mut ids = self.gallery(beside);
                beside.pictures += ids.len();
                if beside.pictures > PICTURES_MAX {
                    ids.clear();
                }
                if ids.is_empty() {
                    (beside.lost)(self.name);
                }
                out.push_str("<figure class=\"wp-block-gallery\">");
                for id in ids {
                    let _ = write!(out, "<img class=\"wp-image-{id}\">");
                }
                out.push_str("</figure>");
            }
            ("embed", false) => {
                let address = after.split('[').next().unwrap_or_default();
                let _ = write!(out, "<p>{}</p>", address.trim());
                return address.len();
            }
            ("audio" | "video", false) => {
                let source = SOURCES.iter().find_map(|name| self.attributes.get(name));
                match source {
                    Some(source) => drop(write!(out, "<p>{source}</p>")),
                    // Without a source WordPress plays attachments; `attached` has only pictures.
                    None => (beside.lost)(self.name),
                }
            }
            ("embed" | "gallery" | "audio" | "video", true) => {}
            (name, is_end) => {
                if LAYOUT.iter().any(|start| name.starts_with(start)) {
                    out.push_str("<div></div>");
                }
                if !is_end {
                    (beside.lost)(name);
                }
            }
        }
        0
    }

    /// Returns the picture ids that the gallery names, else all picture attachments of the post.
    fn gallery(&self, beside: &Beside<'_>) -> Vec<String> {
        let numbers = |name: &str| -> Vec<String> {
            let list = self.attributes.get(name).copied().unwrap_or_default();
            let parts = list.split(',').map(str::trim);
            let is_number = |id: &&str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
            parts.filter(is_number).map(str::to_owned).collect()
        };
        let named = ["ids", "include"].map(numbers).concat();
        if !named.is_empty() {
            return named;
        }
        let without = numbers("exclude");
        let mut all = (beside.attached)(self.attributes.get("id").copied());
        all.retain(|id| !without.contains(id));
        all
    }
}

/// Parses a word, or `key=value` with or without quotation marks. Returns key, value and the rest;
/// the key of a single word is empty.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let end = text.find(|c: char| c == '=' || c == ']' || c == '[' || c.is_whitespace())?;
    let key = &text[..end];
    let Some(value) = text[end..].strip_prefix('=') else {
        let word = key.trim_end_matches('/');
        return (!key.is_empty() && !text[end..].starts_with('['))
            .then(|| ("", word, &text[end..]));
    };
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote {
        let (value, after) = value[1..].split_once(quote)?;
        return Some((key, value, after));
    }
    let end = value.find(|c: char| c == ']' || c == '[' || c.is_whitespace())?;
    Some((key, &value[..end], &value[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> (String, Vec<String>) {
        let mut lost = Vec::new();
        let mut beside = Beside {
            attached: &|post| match post {
                None => vec!["7".to_owned(), "9".to_owned()],
                Some(_) => Vec::new(),
            },
            lost: &mut |name| lost.push(name.to_owned()),
            pictures: 0,
        };
        let out = expand(text, &mut beside);
        (out, lost)
    }

    #[test]
    fn brackets_of_people_stay_and_those_of_plugins_go() {
        for text in [
            "[sic]",
            "nota [1] e [2]",
            "[…]",
            "a[0]",
            "[ciao mondo]",
            "[",
            "[/",
            "[]",
        ] {
            assert_eq!(expanded(text), (text.to_owned(), vec![]), "{text}");
        }
        let (out, lost) = expanded("x [contact-form-7 id=\"12\" title=\"A ] b\"] y");
        assert_eq!(
            (out.as_str(), lost),
            ("x  y", vec!["contact-form-7".to_owned()])
        );
        let (out, lost) = expanded("[dropcap]A[/dropcap]ria");
        assert_eq!((out.as_str(), lost), ("Aria", vec!["dropcap".to_owned()]));
        assert_eq!(expanded("[[gallery]]").0, "&#91;gallery&#93;");
        assert_eq!(
            expanded("<a title=\"[gallery]\">").0,
            "<a title=\"[gallery]\">"
        );
    }

    #[test]
    fn pictures_galleries_and_addresses_become_html() {
        let (out, lost) =
            expanded("[caption id=\"a\" width=\"3\"]<img src=\"x\"> Il mare[/caption]");
        assert_eq!(
            out,
            "<figure><wp-caption><img src=\"x\"> Il mare</wp-caption></figure>"
        );
        assert_eq!(lost, Vec::<String>::new());
        let (out, _) = expanded("[gallery ids=\"1, 2,x\" columns=\"2\"]");
        assert_eq!(
            out,
            "<figure class=\"wp-block-gallery\"><img class=\"wp-image-1\"><img class=\"wp-image-2\"></figure>"
        );
        let (out, _) = expanded("[embed width=\"1\"]https://a.it/v[/embed].");
        assert_eq!(out, "<p>https://a.it/v</p>.");
    }

    /// Regression: a `[gallery]` without ids became an empty figure without a warning.
    #[test]
    fn a_bare_gallery_shows_what_was_added_to_the_text() {
        let picture = |id: u8| format!("<img class=\"wp-image-{id}\">");
        for (text, expected, lost) in [
            ("[gallery]", picture(7) + &picture(9), vec![]),
            (
                "[gallery ids=\"\" columns=\"3\"]",
                picture(7) + &picture(9),
                vec![],
            ),
            ("[gallery exclude=\"7\"]", picture(9), vec![]),
            ("[gallery include=\"3\"]", picture(3), vec![]),
            (
                "[gallery id=\"12\"]",
                String::new(),
                vec!["gallery".to_owned()],
            ),
        ] {
            let figure = format!("<figure class=\"wp-block-gallery\">{expected}</figure>");
            assert_eq!(expanded(text), (figure, lost), "{text}");
        }
        for name in ["audio", "video"] {
            let found = expanded(&format!("a [{name} width=\"1\"][/{name}] b"));
            assert_eq!(found, ("a  b".to_owned(), vec![name.to_owned()]));
        }
    }

    /// Regression: two megabytes of `[gallery]` expanded to gigabytes of HTML.
    #[test]
    fn galleries_of_one_text_have_an_end() {
        let (out, lost) = expanded(&"[gallery]".repeat(100_000));
        assert_eq!(out.matches("<img").count(), PICTURES_MAX);
        assert_eq!(lost.len(), 100_000 - PICTURES_MAX / 2);
    }

    #[test]
    fn a_megabyte_of_brackets_takes_no_time() {
        let text = "[a][/b".repeat(200_000);
        assert_eq!(expanded(&text).0, text);
        let text = "[[a".repeat(300_000);
        assert_eq!(expanded(&text).0, text);
    }
}
