//! Converts the HTML of a post to Markdown. Works on the token stream without building a tree, so
//! that deep or wrong nesting cannot make it fail.

mod attribute_limit;
mod elements;

use super::inline::{Run, Style};
use super::markdown_blocks::{Blocks, Figure};
use super::reusable_blocks;
use super::shortcodes::{self, Beside};
pub use attribute_limit::limit_attributes;
use elements::attribute;
use html5gum::emitters::default::{StartTag, Token};
use html5gum::{DefaultEmitter, Tokenizer};
use serde_json::Value as Json;

/// Most open elements that are tracked for galleries.
const OPEN_MAX: usize = 256;
/// Classes of gallery elements.
const GALLERIES: &[&str] = &["wp-block-gallery", "blocks-gallery-grid", "tiled-gallery"];
/// Class of a text over a picture, and beginning of the class of that picture.
const COVER: &str = "wp-block-cover";
/// Elements whose content is dropped, because it is no text.
const SILENT: &[&str] = &[
    "noscript", "script", "style", "svg", "template", "textarea", "title",
];
/// Elements that begin and end a paragraph.
const BLOCKS: &[&str] = &[
    "address", "article", "aside", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "footer", "form", "header", "main", "nav", "p", "section", "summary", "table", "tbody",
    "tfoot", "thead", "tr",
];

/// Blocks that WordPress also writes without content, with nothing to show.
const EMPTY_BLOCKS: &[&str] = &[
    "button",
    "buttons",
    "code",
    "column",
    "columns",
    "cover",
    "details",
    "freeform",
    "gallery",
    "group",
    "heading",
    "html",
    "image",
    "list",
    "list-item",
    "media-text",
    "paragraph",
    "preformatted",
    "pullquote",
    "quote",
    "separator",
    "shortcode",
    "spacer",
    "table",
    "verse",
];
const BLOCK_NAME_CHARACTERS_MAX: usize = 60;

/// Resolves the pictures and links of a post, and records what the conversion drops.
pub trait Around {
    /// Returns the id of the imported picture by its URL and WordPress attachment id.
    fn picture(&mut self, address: &str, number: Option<&str>) -> Option<String>;
    /// Returns the alternative text of the attachment.
    fn alt(&self, _number: Option<&str>) -> String {
        String::new()
    }
    /// Returns the ids of the picture attachments of `post`, or of the current post for `None`.
    fn attached(&self, _post: Option<&str>) -> Vec<String> {
        Vec::new()
    }
    /// Returns the HTML of the reusable block with this id.
    fn block(&self, _id: &str) -> Option<&str> {
        None
    }
    /// Returns the footnotes of the current post, as WordPress stores them: a JSON array.
    fn footnotes(&self) -> Option<&str> {
        None
    }
    /// Returns the target of a link on this site; `None` if the link is unsafe.
    fn link(&mut self, address: &str) -> Option<String>;
    fn lost(&mut self, lost: Lost);
}

/// Content that the conversion drops or replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// A block, a shortcode or an element that is gone with all that it showed.
    Function(String),
    /// A shortcode or an element whose text stays.
    Wrapper(String),
    /// A word in brackets that stays in the text: it may be a shortcode.
    Brackets(String),
    /// A reusable block that the export does not contain, or not all of it.
    ReusableBlock,
    Gallery,
    /// Embedded content that became a link.
    Embedded(String),
}

/// Converts the content of a WordPress post to Markdown.
pub fn markdown(text: &str, around: &mut dyn Around) -> String {
    let (text, is_incomplete) = reusable_blocks::resolve(text, around);
    if is_incomplete {
        around.lost(Lost::ReusableBlock);
    }
    let mut lost = Vec::new();
    let mut beside = Beside {
        attached: &|post| around.attached(post),
        lost: &mut |one| lost.push(one),
        pictures: 0,
    };
    let expanded = shortcodes::expand(&text, &mut beside);
    for one in lost {
        around.lost(one);
    }
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut converter = Converter {
        around,
        // In block editor content newlines are insignificant; in classic content they separate
        // paragraphs.
        has_lines: !text.contains("<!-- wp:"),
        blocks: Blocks::default(),
        open: Vec::new(),
        runs: Vec::new(),
        figures: Vec::new(),
        style: Style::default(),
        depth: Depth::default(),
        silent: None,
        heading: None,
        code: None,
        caption: None,
    };
    let limited = limit_attributes(&expanded);
    for token in Tokenizer::new_with_emitter(limited.as_ref(), emitter) {
        let Ok(token) = token;
        converter.take(token);
    }
    converter.flush();
    converter.show_figures();
    converter.blocks.text
}

/// Number of open elements of each kind.
#[derive(Default)]
struct Depth {
    strong: u16,
    emphasis: u16,
    struck: u16,
    code: u16,
    table: u16,
    gallery: u16,
}

fn up(count: &mut u16) {
    *count = count.saturating_add(1);
}

struct Converter<'a> {
    around: &'a mut dyn Around,
    has_lines: bool,
    blocks: Blocks,
    open: Vec<(String, bool)>,
    runs: Vec<Run>,
    figures: Vec<Figure>,
    style: Style,
    depth: Depth,
    silent: Option<(String, u32)>,
    heading: Option<usize>,
    code: Option<String>,
    caption: Option<String>,
}

impl Converter<'_> {
    fn take(&mut self, token: Token) {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                self.begin(&name, &tag);
            }
            Token::EndTag(tag) => self.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) if self.silent.is_none() => {
                self.text(&String::from_utf8_lossy(&text.value));
            }
            Token::Comment(comment) => self.comment(&String::from_utf8_lossy(&comment.value)),
            Token::String(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }

    /// Records a self-closing block comment as lost: WordPress renders such a block on the server,
    /// so the export holds no content of it. A block that is only a link becomes one.
    fn comment(&mut self, text: &str) {
        let block = text.trim().strip_prefix("wp:");
        let Some(block) = block.and_then(|block| block.strip_suffix('/')) else {
            return;
        };
        let (name, attributes) = block.split_once(char::is_whitespace).unwrap_or((block, ""));
        if EMPTY_BLOCKS.contains(&name) {
            return;
        }
        if matches!(name, "social-link" | "navigation-link") && self.link_of_block(attributes) {
            return;
        }
        let name: String = name.chars().take(BLOCK_NAME_CHARACTERS_MAX).collect();
        self.around.lost(Lost::Function(format!("wp:{name}")));
    }

    fn link_of_block(&mut self, attributes: &str) -> bool {
        let attributes: Json = serde_json::from_str(attributes.trim()).unwrap_or_default();
        let text = |name: &str| attributes.get(name).and_then(Json::as_str);
        let Some(url) = text("url") else { return false };
        let label = text("label").or(text("service"));
        let label = label.filter(|label| !label.trim().is_empty());
        let label = super::permalinks::plain(label.unwrap_or(url));
        let Some(target) = self.around.link(url) else {
            return false;
        };
        self.flush();
        self.style.link = Some(elements::destination(&target));
        self.words(&label, false);
        self.style.link = None;
        self.flush();
        true
    }

    fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.push_str(text);
            return;
        }
        // Texts of the site must not contain control characters other than newlines.
        let clean = text
            .replace("\r\n", "\n")
            .replace(|c: char| c.is_control() && c != '\n', " ");
        if let Some(caption) = &mut self.caption {
            caption.push_str(&clean);
            return;
        }
        if !self.has_lines {
            self.words(&clean, false);
            return;
        }
        let mut paragraphs = split_paragraphs(&clean).into_iter();
        if let Some(first) = paragraphs.next() {
            self.words(first, true);
        }
        for paragraph in paragraphs {
            if self.depth.table == 0 && self.heading.is_none() {
                self.flush();
            }
            self.words(paragraph, true);
        }
    }

    fn words(&mut self, text: &str, keeps_lines: bool) {
        let mut run = String::with_capacity(text.len());
        let mut last = self
            .runs
            .last()
            .and_then(|run| run.text.chars().next_back());
        for c in text.chars() {
            let c = match c {
                '\n' if keeps_lines && self.heading.is_none() && self.depth.table == 0 => '\n',
                // A no-break space is kept.
                c if c.is_whitespace() && c != '\u{a0}' => ' ',
                c => c,
            };
            let follows_break = last.is_none_or(|last| last == '\n');
            if (c == ' ' && (follows_break || last == Some(' '))) || (c == '\n' && follows_break) {
                continue;
            }
            if c == '\n' && run.ends_with(' ') {
                run.pop();
            }
            run.push(c);
            last = Some(c);
        }
        self.push(run);
    }

    fn push(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        if !text.trim().is_empty() && self.depth.gallery == 0 {
            self.show_figures();
        }
        let mut style = self.style.clone();
        style.is_strong = self.depth.strong > 0 && self.heading.is_none();
        style.is_emphasis = self.depth.emphasis > 0;
        style.is_struck = self.depth.struck > 0;
        style.is_code = self.depth.code > 0;
        match self.runs.last_mut() {
            Some(last) if last.style == style => last.text.push_str(&text),
            _ => self.runs.push(Run { text, style }),
        }
    }

    fn begin(&mut self, name: &str, tag: &StartTag<()>) {
        if let Some((silent, depth)) = &mut self.silent {
            *depth += u32::from(silent == name && !tag.self_closing);
            return;
        }
        if SILENT.contains(&name) {
            if name == "script" {
                self.around.lost(Lost::Function(name.to_owned()));
            }
            if !tag.self_closing {
                self.silent = Some((name.to_owned(), 1));
            }
            return;
        }
        let class = attribute(tag, "class");
        match name {
            "b" | "strong" => up(&mut self.depth.strong),
            "i" | "em" | "cite" => up(&mut self.depth.emphasis),
            "s" | "del" | "strike" => up(&mut self.depth.struck),
            "code" | "kbd" | "tt" => up(&mut self.depth.code),
            "a" => self.begin_link(tag, &class),
            "br" => self.line_break(),
            "hr" => {
                self.flush();
                self.blocks.put("---");
            }
            "img" => self.picture(tag, &class),
            "div"
                if class.contains(COVER)
                    && elements::background(&attribute(tag, "style")).is_some() =>
            {
                self.picture(tag, &class);
            }
            "option" => self.words(" ", false),
            "iframe" | "embed" | "video" | "audio" | "source" | "object" => self.embed(tag),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.flush();
                self.heading = name[1..].parse().ok();
            }
            "pre" => {
                self.flush();
                self.code = Some(String::new());
            }
            "figcaption" | "wp-caption" => self.caption = Some(String::new()),
            "td" | "th" if !self.runs.is_empty() => self.words(" – ", false),
            "p" | "div" if self.depth.table > 0 && !self.runs.is_empty() => self.words(" ", false),
            "blockquote" | "ul" | "ol" | "menu" | "li" => self.begin_container(name, tag),
            _ => {}
        }
        self.open_block(name, &class);
    }

    fn open_block(&mut self, name: &str, class: &str) {
        let may_hold = matches!(name, "div" | "figure" | "ul");
        if may_hold && self.open.len() < OPEN_MAX {
            let is_gallery = GALLERIES.iter().any(|known| class.contains(known));
            if is_gallery {
                if self.depth.gallery == 0 {
                    self.flush();
                    self.show_figures();
                }
                self.depth.gallery += 1;
            }
            self.open.push((name.to_owned(), is_gallery));
        }
        if name == "table" {
            up(&mut self.depth.table);
        }
        if name == "form" {
            self.around.lost(Lost::Wrapper("form".to_owned()));
        }
        if name == "figure" || self.is_block(name) {
            self.flush();
            if self.depth.gallery == 0 {
                self.show_figures();
            }
        }
    }

    /// Whether the element begins and ends a paragraph. Inside a table only `table` and `tr` do.
    fn is_block(&self, name: &str) -> bool {
        BLOCKS.contains(&name)
            && (self.depth.table == 0 || matches!(name, "table" | "tr"))
            && self.caption.is_none()
    }

    fn end(&mut self, name: &str) {
        if let Some((silent, depth)) = &mut self.silent {
            *depth -= u32::from(silent == name);
            if *depth == 0 {
                self.silent = None;
            }
            return;
        }
        let down = |count: &mut u16| *count = count.saturating_sub(1);
        match name {
            "b" | "strong" => down(&mut self.depth.strong),
            "i" | "em" | "cite" => down(&mut self.depth.emphasis),
            "s" | "del" | "strike" => down(&mut self.depth.struck),
            "code" | "kbd" | "tt" => down(&mut self.depth.code),
            "a" => self.end_link(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.flush(),
            "pre" => self.end_code(),
            "figcaption" | "wp-caption" => self.end_caption(),
            "blockquote" | "ul" | "ol" | "menu" | "li" => self.end_container(name),
            "figure" | "div" if self.caption.is_none() => self.flush(),
            _ => {}
        }
        if self.is_block(name) {
            self.flush();
        }
        if name == "table" {
            down(&mut self.depth.table);
        }
        self.close_block(name);
    }

    fn close_block(&mut self, name: &str) {
        let known = self.open.iter().rposition(|(open, _)| open == name);
        let Some(place) = known else { return };
        for (_, is_gallery) in self.open.split_off(place) {
            if is_gallery {
                self.depth.gallery -= 1;
                if self.depth.gallery == 0 {
                    if self.figures.len() > 1 {
                        self.around.lost(Lost::Gallery);
                    }
                    self.show_figures();
                }
            }
        }
        if self.depth.gallery == 0 {
            self.show_figures();
        }
    }
}

/// Splits `text` at blank lines.
fn split_paragraphs(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(found) = text[at..].find('\n') {
        let line = at + found;
        let blank = text[line..].len() - text[line..].trim_start_matches([' ', '\t', '\n']).len();
        at = line + blank;
        if text[line..at].matches('\n').count() > 1 {
            parts.push(&text[start..line]);
            start = at;
        }
    }
    parts.push(&text[start..]);
    parts
}
