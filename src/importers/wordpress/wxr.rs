//! Parses a WordPress export (WXR) as a stream, without expanding custom entities, accepting a
//! document type or fetching anything.

use super::encoding::Utf8Reader;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, Read as _};
use std::path::Path;

/// Post types of WordPress itself, without those that begin with `wp_`. All others are of plugins.
const CORE_POST_TYPES: &[&str] = &[
    "attachment",
    "custom_css",
    "customize_changeset",
    "nav_menu_item",
    "oembed_cache",
    "page",
    "post",
    "revision",
    "user_request",
];
const PICTURE_EXTENSIONS: &[&str] = &["avif", "gif", "heic", "jpe", "jpeg", "jpg", "png", "webp"];
/// WordPress can export a larger site year by year.
pub const EXPORT_MEGABYTES_MAX: u64 = 128;
/// Deepest accepted nesting; a real export nests six elements.
const DEPTH_MAX: usize = 16;
const ENTRIES_MAX: usize = 200_000;
const CHANNEL: [&str; 2] = ["rss", "channel"];

/// Error of parsing an export.
#[derive(Debug, PartialEq, Eq)]
pub enum ReadError {
    NotWxr,
    TooLarge,
    Line { line: usize, reason: String },
    Io(String),
}

/// A parsed export.
#[derive(Debug, Default)]
pub struct Export {
    /// URL of the exported site.
    pub site: String,
    pub users: usize,
    pub entries: Vec<Entry>,
}

/// A post, page, attachment or other entry; `sort` is its WordPress post type.
#[derive(Debug, Default, Clone)]
pub struct Entry {
    pub sort: String,
    pub id: String,
    pub status: String,
    pub title: String,
    pub link: String,
    pub name: String,
    /// Publication date in UTC, then in the time zone of the site.
    pub written: [String; 2],
    pub content: String,
    pub excerpt: String,
    pub has_password: bool,
    pub categories: Vec<String>,
    pub former_names: Vec<String>,
    /// Attachment id of the featured image.
    pub thumbnail: String,
    /// URL of an attachment. `alt` is the alternative text of the attachment.
    pub file: String,
    pub alt: String,
    /// Id of the post that an attachment belongs to. `place` is its position in that post.
    pub parent: String,
    pub place: i64,
    pub comments: usize,
    /// Footnotes, as WordPress stores them: a JSON array.
    pub footnotes: String,
    /// Whether the entry had bytes that are not UTF-8.
    pub has_stray_bytes: bool,
}

/// Parses the export at `path`.
pub fn read(path: &Path) -> Result<Export, ReadError> {
    let failed = |error: std::io::Error| ReadError::Io(error.to_string());
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if !about.is_file() {
        return Err(ReadError::NotWxr);
    }
    let bytes_max = EXPORT_MEGABYTES_MAX * 1024 * 1024;
    if about.len() > bytes_max {
        return Err(ReadError::TooLarge);
    }
    let text = Utf8Reader::new(file.take(bytes_max)).map_err(failed)?;
    let mut reader = Reader::from_reader(text);
    // Old WordPress versions export titles with an unescaped ampersand.
    reader.config_mut().allow_dangling_amp = true;
    let mut gathered = Gathered::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let (is_inside, count) = (gathered.is_inside_entry(), gathered.export.entries.len());
        let told = match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) => break,
            Ok(event) => gathered.take(event),
            Err(error) => Err(error.to_string()),
        };
        if let Err(reason) = told {
            let line = line_at(path, reader.buffer_position());
            return Err(if gathered.is_wxr {
                ReadError::Line { line, reason }
            } else {
                ReadError::NotWxr
            });
        }
        if is_inside != gathered.is_inside_entry() {
            let position = reader.buffer_position();
            let has_strays = reader.get_mut().take_strays(position);
            if let Some(entry) = gathered.export.entries.get_mut(count) {
                entry.has_stray_bytes = has_strays;
            }
        }
    }
    match (gathered.is_wxr, gathered.open.is_empty()) {
        (false, _) => Err(ReadError::NotWxr),
        (true, false) => Err(ReadError::Line {
            line: line_at(path, bytes_max),
            reason: "the file ends in the middle".to_owned(),
        }),
        (true, true) => Ok(gathered.export),
    }
}

/// Returns the number of the line, from 1, that contains the byte at `position` of the text; 0 if
/// the file cannot be opened.
fn line_at(path: &Path, position: u64) -> usize {
    let text = File::open(path).and_then(Utf8Reader::new);
    let Ok(text) = text else { return 0 };
    let mut lines = 1;
    let mut rest = text.take(position);
    loop {
        let part = match rest.fill_buf() {
            Ok(part) if !part.is_empty() => part,
            _ => return lines,
        };
        lines += part.split(|byte| *byte == b'\n').count() - 1;
        let length = part.len();
        rest.consume(length);
    }
}

/// Parser state: the entries so far, the open elements and the text of the current element.
#[derive(Default)]
struct Gathered {
    export: Export,
    is_wxr: bool,
    open: Vec<String>,
    text: String,
    entry: Entry,
    /// Whether the open `category` element is a category and not a tag.
    is_category: bool,
    meta_key: String,
    meta_value: String,
}

impl Gathered {
    /// Whether an `item` is open.
    fn is_inside_entry(&self) -> bool {
        self.open.len() > CHANNEL.len() && self.open[CHANNEL.len()] == "item"
    }

    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(start) => self.begin(&start)?,
            Event::Empty(start) => {
                self.begin(&start)?;
                self.end();
            }
            Event::End(_) => self.end(),
            Event::Text(text) => self.text.push_str(&text.xml10_content()),
            Event::CData(text) => self.text.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => self.refer(&reference),
            Event::DocType(_) => return Err("it has a document type".to_owned()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn begin(&mut self, start: &BytesStart<'_>) -> Result<(), String> {
        let qualified = start.name();
        let name: &str = qualified.as_ref();
        if self.open.len() >= DEPTH_MAX {
            return Err("its elements lie too deep".to_owned());
        }
        if self.open.is_empty() && name != "rss" {
            return Err("it does not begin with rss".to_owned());
        }
        if name == "category" {
            let domain = start.try_get_attribute("domain").ok().flatten();
            self.is_category = domain.is_some_and(|domain| &*domain.value == "category");
        }
        if name == "item" && self.export.entries.len() >= ENTRIES_MAX {
            return Err("it has too many entries".to_owned());
        }
        self.open.push(name.to_owned());
        self.text.clear();
        Ok(())
    }

    /// Appends a numeric character reference or one of the five predefined XML entities as its
    /// character. Any other reference stays as it is written.
    fn refer(&mut self, reference: &BytesRef<'_>) {
        let name = reference.xml10_content();
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            self.text.push(character);
        } else if let Some(text) = resolve_predefined_entity(&name) {
            self.text.push_str(text);
        } else {
            self.text.push('&');
            self.text.push_str(&name);
            self.text.push(';');
        }
    }

    fn end(&mut self) {
        let Some(name) = self.open.pop() else { return };
        let text = std::mem::take(&mut self.text);
        let open: Vec<&str> = self.open.iter().map(String::as_str).collect();
        match open.strip_prefix(&CHANNEL) {
            Some([]) => self.end_of_channel(&name, text),
            Some(["item"]) => self.end_of_item(&name, text),
            Some(["item", "wp:postmeta"]) => match name.as_str() {
                "wp:meta_key" => self.meta_key = text,
                "wp:meta_value" => self.meta_value = text,
                _ => {}
            },
            _ => {}
        }
    }

    fn end_of_channel(&mut self, name: &str, text: String) {
        match name {
            "wp:wxr_version" => self.is_wxr = true,
            "link" if self.export.site.is_empty() => self.export.site = text,
            "wp:base_blog_url" => self.export.site = text,
            "wp:author" => self.export.users += 1,
            "item" => self.export.entries.push(std::mem::take(&mut self.entry)),
            _ => {}
        }
    }

    fn end_of_item(&mut self, name: &str, text: String) {
        let entry = &mut self.entry;
        match name {
            "title" => entry.title = text,
            "link" => entry.link = text,
            "content:encoded" => entry.content = text,
            "excerpt:encoded" => entry.excerpt = text,
            "category" if self.is_category => entry.categories.push(text),
            "wp:post_id" => entry.id = text,
            "wp:post_type" => entry.sort = text,
            "wp:post_name" => entry.name = text,
            "wp:status" => entry.status = text,
            "wp:post_date_gmt" => entry.written[0] = text,
            "wp:post_date" => entry.written[1] = text,
            "wp:post_password" => entry.has_password = !text.is_empty(),
            "wp:attachment_url" => entry.file = text,
            "wp:post_parent" => entry.parent = text,
            "wp:menu_order" => entry.place = text.trim().parse().unwrap_or_default(),
            "wp:comment" => entry.comments += 1,
            "wp:postmeta" => {
                let value = std::mem::take(&mut self.meta_value);
                match std::mem::take(&mut self.meta_key).as_str() {
                    "_thumbnail_id" => entry.thumbnail = value,
                    "_wp_attachment_image_alt" => entry.alt = value,
                    "footnotes" => entry.footnotes = value,
                    "_wp_old_slug" => entry.former_names.push(value),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Whether an entry has a plugin's post type and a status that an author sets.
pub fn is_plugin_post_type(post_type: &str, status: &str) -> bool {
    !CORE_POST_TYPES.contains(&post_type)
        && !post_type.starts_with("wp_")
        && !matches!(status, "trash" | "auto-draft" | "inherit")
}

/// Whether the file name has the extension of a picture.
pub fn has_picture_extension(file: &str) -> bool {
    let ending = file.rsplit('.').next().unwrap_or_default();
    PICTURE_EXTENSIONS.contains(&ending.to_ascii_lowercase().as_str())
}

/// Returns the picture attachments of each post by post id, in their order there.
pub fn attachments_by_post(export: &Export) -> BTreeMap<&str, Vec<&Entry>> {
    let mut attached: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &export.entries {
        let is_number = entry.id.parse::<u64>().is_ok();
        if is_number && has_picture_extension(&entry.file) {
            attached.entry(&entry.parent).or_default().push(entry);
        }
    }
    for files in attached.values_mut() {
        files.sort_by_key(|file| (file.place, file.id.parse::<u64>().ok()));
    }
    attached
}

/// Returns the entries that have a file by attachment id.
pub fn attachments_by_id(export: &Export) -> BTreeMap<&str, &Entry> {
    let files = export.entries.iter().filter(|entry| !entry.file.is_empty());
    files.map(|entry| (entry.id.as_str(), entry)).collect()
}
