//! Expands WordPress shortcodes (`[name …]`): captions, galleries and embeds become HTML. Of all
//! others the text between the opening and the closing tag remains, and titles in their attributes.
//!
//! An export does not list the shortcodes that plugins registered, so they are recognised by their
//! syntax. Words of the author in brackets stay.

use super::html::Lost;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Longest shortcode tag; longer brackets are text.
const TAG_BYTES_MAX: usize = 4_096;
/// Most gallery pictures in one post. A post with a thousand pictures is already too long.
const PICTURES_MAX: usize = 2_000;
/// Shortcodes of WordPress itself.
const KNOWN: &[&str] = &[
    "audio",
    "caption",
    "embed",
    "gallery",
    "playlist",
    "video",
    "wp_caption",
];
/// Shortcodes of common plugins that can stand without attributes or with unquoted ones. Their
/// titles are names for the author and not shown.
const PLUGINS: &[&str] = &[
    "contact-form",
    "contact-form-7",
    "formidable",
    "gravityform",
    "instagram-feed",
    "layerslider",
    "mailpoet_form",
    "mc4wp_form",
    "metaslider",
    "ninja_form",
    "products",
    "recent-posts",
    "rev_slider",
    "sitemap",
    "smartslider3",
    "soliloquy",
    "wpforms",
];
/// Name prefixes of page builder shortcodes; each begins and ends a paragraph.
const LAYOUT: &[&str] = &["vc_", "et_pb_", "fusion_", "av_", "wpb_", "su_"];
/// Shortcodes whose content is encoded HTML.
const ENCODED: &[&str] = &["vc_raw_html", "vc_raw_js"];
/// Attributes with text that a page builder shows.
const SHOWN: &[&str] = &[
    "title",
    "heading",
    "subtitle",
    "subheading",
    "text",
    "content",
    "label",
    "button_text",
    "description",
    "author",
];
/// Values of these attributes that are settings.
const SETTINGS: &[&str] = &[
    "center", "dark", "default", "false", "left", "light", "no", "none", "off", "on", "right",
    "true", "yes",
];
const SOURCES: &[&str] = &["src", "mp4", "m4v", "webm", "mp3", "m4a", "ogg", "wav"];

/// Context of an expansion: the attachments of the posts and the record of dropped shortcodes.
pub struct Beside<'a> {
    /// Returns the ids of the picture attachments of a post, or of the current post for `None`.
    pub attached: &'a dyn Fn(Option<&str>) -> Vec<String>,
    /// Called with each shortcode whose function is lost.
    pub lost: &'a mut dyn FnMut(Lost),
    /// Number of gallery pictures so far.
    pub pictures: usize,
}

/// Returns `text` as HTML with its shortcodes expanded.
pub fn expand(text: &str, beside: &mut Beside<'_>) -> String {
    let paired = paired_names(text);
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
        let tag = Tag::read(rest);
        match tag.as_ref().map(|tag| (tag, tag.meaning(&paired))) {
            Some((tag, Meaning::Shortcode)) => {
                let after = &rest[tag.length..];
                let used = tag.replace(after, paired.contains(tag.name), &mut out, beside);
                rest = &after[used..];
                continue;
            }
            Some((tag, Meaning::Unclear)) => (beside.lost)(Lost::Brackets(tag.name.to_owned())),
            Some((_, Meaning::Text)) | None => {}
        }
        out.push('[');
        rest = &rest[1..];
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

/// Returns the names that have an opening tag `[name` and a closing tag `[/name]`.
fn paired_names(text: &str) -> BTreeSet<&str> {
    let (mut opened, mut closed) = (BTreeSet::new(), BTreeSet::new());
    for (at, _) in text.match_indices('[') {
        let inner = &text[at + 1..];
        let (names, name) = match inner.strip_prefix('/') {
            Some(name) => (&mut closed, name),
            None => (&mut opened, inner),
        };
        if let Some(end) = name.find(|c| !is_name(c))
            && name[end..].starts_with(|c: char| c == ']' || c.is_whitespace())
        {
            names.insert(&name[..end]);
        }
    }
    opened.intersection(&closed).copied().collect()
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

struct Tag<'a> {
    name: &'a str,
    is_end: bool,
    attributes: BTreeMap<&'a str, &'a str>,
    has_quotes: bool,
    length: usize,
}

/// How the import reads a bracket in shortcode syntax.
enum Meaning {
    Shortcode,
    /// A shortcode or words of the author.
    Unclear,
    Text,
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
        let mut has_quotes = false;
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix("/]").or_else(|| rest.strip_prefix(']')) {
                let length = text.len() - after.len();
                return Some(Self {
                    name,
                    is_end,
                    attributes,
                    has_quotes,
                    length,
                });
            }
            let (key, value, after) = attribute(rest)?;
            let written = rest[key.len()..].strip_prefix('=').unwrap_or_default();
            has_quotes |= !key.is_empty() && written.starts_with(['"', '\'']);
            attributes.insert(key, value);
            rest = after;
        }
    }

    fn meaning(&self, paired: &BTreeSet<&str>) -> Meaning {
        let is_listed = KNOWN.contains(&self.name)
            || PLUGINS.contains(&self.name)
            || self.layout().is_some()
            || paired.contains(self.name);
        if is_listed || (self.has_quotes && !self.is_end) {
            return Meaning::Shortcode;
        }
        if self.is_end || self.name.contains(|c: char| c.is_ascii_uppercase()) {
            return Meaning::Text;
        }
        let has_values = self.attributes.keys().any(|key| !key.is_empty());
        let (is_bare, is_snake_case) = (self.attributes.is_empty(), self.name.contains('_'));
        match (self.name.contains(['_', '-']), has_values) {
            (true, true) => Meaning::Shortcode,
            (true, false) if is_bare && is_snake_case => Meaning::Shortcode,
            (true, false) if is_bare => Meaning::Unclear,
            (false, true) if !self.attributes.contains_key("") => Meaning::Unclear,
            _ => Meaning::Text,
        }
    }

    /// Returns the name prefix of a page builder's shortcode.
    fn layout(&self) -> Option<&'static str> {
        let mut prefixes = LAYOUT.iter();
        prefixes
            .find(|prefix| self.name.starts_with(**prefix))
            .copied()
    }

    /// Writes the texts that the attributes show, each as a paragraph. Returns whether there are
    /// any.
    fn write_shown(&self, out: &mut String) -> bool {
        if self.is_end || PLUGINS.contains(&self.name) {
            return false;
        }
        let length = out.len();
        for name in SHOWN {
            let value = self.attributes.get(name).copied().unwrap_or_default();
            let is_setting = SETTINGS.contains(&value.to_ascii_lowercase().as_str());
            if value.contains(char::is_alphabetic) && !is_setting && !value.contains("://") {
                let _ = write!(out, "<p>{value}</p>");
            }
        }
        out.len() > length
    }

    /// Writes the replacement of the tag to `out`. Returns the bytes of `after` that it consumes.
    fn replace(
        &self,
        after: &str,
        is_paired: bool,
        out: &mut String,
        beside: &mut Beside<'_>,
    ) -> usize {
        let function = || Lost::Function(self.name.to_owned());
        match (self.name, self.is_end) {
            ("caption" | "wp_caption", false) => {
                out.push_str("<figure><wp-caption>");
                if let Some(words) = self.attributes.get("caption") {
                    out.push_str(words);
                }
            }
            ("caption" | "wp_caption", true) => out.push_str("</wp-caption></figure>"),
            ("gallery", false) => {
                // Once the limit is reached, the attachments are not collected again.
                let mut ids = Vec::new();
                if beside.pictures < PICTURES_MAX {
                    ids = self.gallery(beside);
                    beside.pictures += ids.len();
                }
                if beside.pictures > PICTURES_MAX {
                    ids.clear();
                }
                if ids.is_empty() {
                    (beside.lost)(function());
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
                // Old posts name the file without a key.
                let bare = self.attributes.get("").filter(|word| word.contains("://"));
                match source.or(bare) {
                    Some(source) => drop(write!(out, "<p>{source}</p>")),
                    // Without a source WordPress plays attachments; `attached` has only pictures.
                    None => (beside.lost)(function()),
                }
            }
            ("embed" | "gallery" | "audio" | "video", true) => {}
            (name, false) if ENCODED.contains(&name) => {
                (beside.lost)(function());
                return after.find("[/").unwrap_or_default();
            }
            (name, is_end) => {
                let layout = self.layout();
                if layout.is_some() {
                    out.push_str("<div></div>");
                }
                let has_text = self.write_shown(out) || is_paired;
                match layout {
                    _ if is_end => {}
                    Some(prefix) if has_text => {
                        (beside.lost)(Lost::Wrapper(format!("{prefix}…")));
                    }
                    _ if has_text => (beside.lost)(Lost::Wrapper(name.to_owned())),
                    _ => (beside.lost)(function()),
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

    fn expanded(text: &str) -> (String, Vec<Lost>) {
        let mut lost = Vec::new();
        let mut beside = Beside {
            attached: &|post| match post {
                None => vec!["7".to_owned(), "9".to_owned()],
                Some(_) => Vec::new(),
            },
            lost: &mut |one| lost.push(one),
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
            "[se x=3 allora]",
            "[prima e-dopo]",
            "[Nome_Cognome]",
            "[/nota]",
            "[x=3]",
            "[non-violenza e pace]",
            "[",
            "[/",
            "[]",
        ] {
            assert_eq!(expanded(text), (text.to_owned(), vec![]), "{text}");
        }
        let (out, lost) = expanded("x [contact-form-7 id=\"12\" title=\"A ] b\"] y");
        assert_eq!(
            (out.as_str(), lost),
            ("x  y", vec![Lost::Function("contact-form-7".to_owned())])
        );
        let (out, lost) = expanded("[dropcap]A[/dropcap]ria");
        let dropcap = Lost::Wrapper("dropcap".to_owned());
        assert_eq!((out.as_str(), lost), ("Aria", vec![dropcap]));
        assert_eq!(expanded("[[gallery]]").0, "&#91;gallery&#93;");
        assert_eq!(
            expanded("<a title=\"[gallery]\">").0,
            "<a title=\"[gallery]\">"
        );
    }

    /// Regression: words of the author in brackets were removed as shortcodes.
    #[test]
    fn words_that_may_be_shortcodes_stay_and_are_named() {
        for (text, name) in [
            ("pratica [auto-osservazione] e", "auto-osservazione"),
            ("[misura lato=3]", "misura"),
        ] {
            let lost = vec![Lost::Brackets(name.to_owned())];
            assert_eq!(expanded(text), (text.to_owned(), lost), "{text}");
        }
        for text in [
            "[mio_modulo]",
            "[modulo-uno id=3]",
            "[wpforms id=5]",
            "[prodotti ids='1']",
            "[mc4wp_form]",
            "[contact-form-7 id=”12″ title=”Modulo di contatto”]",
        ] {
            let (out, lost) = expanded(text);
            assert!(out.is_empty(), "{text}: {out}");
            assert!(
                matches!(lost.as_slice(), [Lost::Function(_)]),
                "{text}: {lost:?}"
            );
        }
    }

    /// Regression: titles in attributes were lost, and the report said that the text stays.
    #[test]
    fn text_in_the_attributes_of_page_builders_stays() {
        let text = "[vc_row][vc_custom_heading text=\"Il respiro\" align=\"left\"]\
            [toggle title=\"Quanto dura?\"]Un’ora.[/toggle][vc_raw_html]JTNDcCUzRQ==[/vc_raw_html][/vc_row]";
        let (out, lost) = expanded(text);
        assert_eq!(
            out.replace("<div></div>", ""),
            "<p>Il respiro</p><p>Quanto dura?</p>Un’ora."
        );
        let named = |name: &str| name.to_owned();
        assert_eq!(
            lost,
            [
                Lost::Wrapper(named("vc_…")),
                Lost::Wrapper(named("vc_…")),
                Lost::Wrapper(named("toggle")),
                Lost::Function(named("vc_raw_html")),
            ]
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
        assert_eq!(lost, []);
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
                vec![Lost::Function("gallery".to_owned())],
            ),
        ] {
            let figure = format!("<figure class=\"wp-block-gallery\">{expected}</figure>");
            assert_eq!(expanded(text), (figure, lost), "{text}");
        }
        let file = "https://a.it/x.mp3";
        let found = expanded(&format!("[audio {file}]"));
        assert_eq!(found, (format!("<p>{file}</p>"), vec![]));
        for name in ["audio", "video"] {
            let found = expanded(&format!("a [{name} width=\"1\"][/{name}] b"));
            let lost = vec![Lost::Function(name.to_owned())];
            assert_eq!(found, ("a  b".to_owned(), lost));
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
