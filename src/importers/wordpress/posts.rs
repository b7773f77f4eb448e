//! Converts the entries of an export into posts, with the validation that the API applies.

use super::html::{Around, Lost, markdown};
use super::media::{Media, Unusable};
use super::messages::UNTITLED;
use super::options::ImportOptions;
use super::permalinks::{addresses, former_paths, path_of, plain, slugs};
use super::report::{PageText, PictureProblem, Report, Subject};
use super::wxr::{
    Entry, Export, attachments_by_id, attachments_by_post, has_picture_extension,
    is_plugin_post_type,
};
use crate::{Error, Result};
use respiro_auth::token;
use respiro_content::picture::PictureEdit;
use respiro_content::url::{authority_of, host_of};
use respiro_content::{
    Changes, Collection, FieldError, Item, Picture, Timestamp, collection_by_slug,
    picture::NewFile, time,
};
use respiro_db::{PublishSchedule, Reader, Writer};
use respiro_media::sandbox;
use serde_json::{Map, json};
use std::collections::{BTreeMap, BTreeSet};

/// Collection that WordPress posts are imported into.
const COLLECTION: &str = "blog";
/// Longest HTML that is converted: longer HTML would exceed the character limit as Markdown too.
const HTML_BYTES_MAX: usize = 2 * 1024 * 1024;
const SORT_CHARACTERS_MAX: usize = 60;
/// Longest name, URL or address that the report quotes.
const QUOTED_CHARACTERS_MAX: usize = 200;

/// Result of an import, without the pictures: the caller writes it to the data file.
#[derive(Default)]
pub struct ImportResult {
    pub items: Vec<Item>,
    /// A path of the WordPress site and the id of the post that it redirects to.
    pub former_paths: Vec<(String, String)>,
    /// Id of a post and the moment at which the site publishes it.
    pub schedules: Vec<(String, Timestamp)>,
    pub report: Report,
    /// Number of posts left out because the site already has their slug.
    pub skipped: usize,
}

/// Returns the slugs of existing posts.
pub fn slugs_of_posts(reader: &Reader<'_>) -> Result<BTreeSet<String>> {
    let collection = collection_by_slug(COLLECTION).ok_or(Error::MissingCollection(COLLECTION))?;
    let items = reader.items().list(collection)?;
    let slugs = items.iter().filter_map(|item| item.page_key(collection));
    Ok(slugs.map(str::to_owned).collect())
}

/// Writes the posts, their former paths and their schedules.
pub fn put(writer: &mut Writer<'_>, arrived: &ImportResult) -> Result<()> {
    let collection = collection_by_slug(COLLECTION).ok_or(Error::MissingCollection(COLLECTION))?;
    for item in &arrived.items {
        writer.items().import(collection, item)?;
    }
    for (path, id) in &arrived.former_paths {
        writer.redirects().put_path(path, id)?;
    }
    for (id, at) in &arrived.schedules {
        let schedule = PublishSchedule {
            collection_number: collection.number,
            publish_at: Some(*at),
            withdraw_at: None,
        };
        writer.schedules().put(id, &schedule)?;
    }
    Ok(())
}

/// Converts all entries of `export`. Calls `keep` with each picture as soon as it is decoded.
pub fn convert(
    export: &Export,
    media: &Media,
    options: &ImportOptions<'_>,
    keep: &mut dyn FnMut(Picture, Vec<NewFile>) -> Result<()>,
) -> Result<ImportResult> {
    let collection = collection_by_slug(COLLECTION).ok_or(Error::MissingCollection(COLLECTION))?;
    let slugs = slugs(export, options)?;
    let mut moving = Moving {
        export,
        media,
        options,
        keep,
        files: attachments_by_id(export),
        attached: attachments_by_post(export),
        attachment_pages: attachment_pages(export),
        blocks: reusable_blocks(export),
        addresses: addresses(export, &slugs),
        pictures: BTreeMap::new(),
        report: Report::of(export.users),
        title: String::new(),
        number: String::new(),
        footnotes: "",
        page_files: None,
        failed: None,
    };
    let mut arrived = ImportResult::default();
    for (place, entry) in export.entries.iter().enumerate() {
        match (entry.sort.as_str(), entry.status.as_str()) {
            ("nav_menu_item" | "wp_navigation" | "wp_template", _) => {
                moving.report.has_menus = true;
            }
            ("post", "trash") => moving.report.trashed += 1,
            ("post", "auto-draft") => {}
            ("post", status) if status == "private" || entry.has_password => {
                moving.report.private += 1;
            }
            ("post", _) => match slugs.get(&place) {
                Some(slug) => moving.article(collection, entry, slug, &mut arrived)?,
                None => arrived.skipped += 1,
            },
            ("page", "publish" | "draft" | "pending" | "private" | "future") => {
                moving.page(entry)?;
            }
            (sort, status) if is_plugin_post_type(sort, status) => {
                let sort = cut(&plain(sort), SORT_CHARACTERS_MAX);
                *moving.report.others.entry(sort).or_default() += 1;
            }
            _ => {}
        }
    }
    arrived.report = moving.report;
    arrived.report.redirects = arrived.former_paths.len();
    Ok(arrived)
}

/// State of a running import.
struct Moving<'a> {
    export: &'a Export,
    media: &'a Media,
    options: &'a ImportOptions<'a>,
    keep: &'a mut dyn FnMut(Picture, Vec<NewFile>) -> Result<()>,
    files: BTreeMap<&'a str, &'a Entry>,
    attached: BTreeMap<&'a str, Vec<&'a Entry>>,
    /// Former paths of the pages of attachments.
    attachment_pages: BTreeSet<String>,
    /// Reusable blocks by their id.
    blocks: BTreeMap<&'a str, &'a Entry>,
    addresses: BTreeMap<String, String>,
    /// Id of the imported picture, or the problem that prevents the import, by media library key.
    pictures: BTreeMap<String, Result<String, PictureProblem>>,
    report: Report,
    /// Title of the post or page that is being converted.
    title: String,
    number: String,
    /// Footnotes of the post or page that is being converted.
    footnotes: &'a str,
    /// File names of the pictures of the page that is being converted, with their order. `None`
    /// while a post is converted. Pictures of pages are listed in the report and not imported.
    page_files: Option<BTreeMap<String, usize>>,
    failed: Option<Error>,
}

impl<'a> Moving<'a> {
    fn begin(&mut self, entry: &'a Entry) {
        self.report.comments += entry.comments;
        self.title = title_of(entry);
        self.number.clone_from(&entry.id);
        self.footnotes = &entry.footnotes;
        self.report.begin(&self.title);
        if entry.has_stray_bytes {
            self.report.warn(Subject::StrayBytes, None);
        }
    }

    fn article(
        &mut self,
        collection: &Collection,
        entry: &'a Entry,
        slug: &str,
        arrived: &mut ImportResult,
    ) -> Result<()> {
        self.begin(entry);
        let is_long = entry.content.len() > HTML_BYTES_MAX;
        let text = if is_long {
            String::new()
        } else {
            self.markdown(&entry.content)?
        };
        let characters_max = longest("content");
        if is_long || text.chars().count() > characters_max {
            let post = self.report.post();
            let subject = Subject::TooLong {
                post,
                characters_max,
            };
            self.report.warn(subject, None);
            return Ok(());
        }
        let mut body = Map::new();
        let mut put = |name: &str, value: String| {
            if !value.is_empty() {
                body.insert(name.to_owned(), json!(value));
            }
        };
        put("slug", slug.to_owned());
        put("title", self.title.clone());
        let excerpt = plain(&entry.excerpt);
        let shortened = cut(&excerpt, longest("excerpt"));
        if shortened != excerpt {
            let subject = Subject::Excerpt(longest("excerpt"));
            self.report.warn(subject, None);
        }
        put("excerpt", shortened);
        put("category", self.category(entry).to_owned());
        put("content", text);
        if let Some(at) = written(entry) {
            put("createdAt", time::rfc3339(at));
        }
        if !entry.thumbnail.is_empty()
            && let Some(id) = self.picture("", Some(&entry.thumbnail))
        {
            put("imageUrl", respiro_content::value::picture_path(&id));
        }
        self.failed.take().map_or(Ok(()), Err)?;
        let is_published = entry.status == "publish";
        body.insert("published".to_owned(), json!(is_published));
        let id = token::id()?;
        let changes = Changes::parse(collection, &body);
        let made = changes.and_then(|changes| {
            Item::create(
                collection,
                changes,
                id.clone(),
                arrived.items.len(),
                self.options.now,
            )
        });
        arrived
            .items
            .push(made.map_err(|errors| self.named(errors))?);
        self.report.posts += 1;
        self.report.drafts += usize::from(!is_published);
        if entry.status == "future" {
            self.schedule(entry, &id, arrived);
        }
        let here = format!("/blog/{slug}");
        let paths = former_paths(entry).into_iter().filter(|path| *path != here);
        arrived
            .former_paths
            .extend(paths.map(|path| (path, id.clone())));
        Ok(())
    }

    /// Schedules a post that WordPress would publish. A moment that has passed is not made up for:
    /// the author decides.
    fn schedule(&mut self, entry: &Entry, id: &str, arrived: &mut ImportResult) {
        match written(entry).filter(|at| *at > self.options.now) {
            Some(at) => {
                self.report.scheduled.push((self.title.clone(), at));
                arrived.schedules.push((id.to_owned(), at));
            }
            None => self.report.warn(Subject::PastSchedule, None),
        }
    }

    /// Adds the title of the current post to `errors`.
    fn named(&self, errors: Vec<FieldError>) -> Error {
        let title = self.title.clone();
        Error::InvalidPost { title, errors }
    }

    fn page(&mut self, entry: &'a Entry) -> Result<()> {
        self.begin(entry);
        // Pages become no items, so no item would reference their pictures, and the sweep would
        // delete the pictures after a day.
        self.page_files = Some(BTreeMap::new());
        if !entry.thumbnail.is_empty() {
            self.picture("", Some(&entry.thumbnail));
        }
        let text = if entry.content.len() > HTML_BYTES_MAX {
            String::new()
        } else {
            self.markdown(&entry.content)?
        };
        let files = self.page_files.take().unwrap_or_default();
        let mut pictures: Vec<(String, usize)> = files.into_iter().collect();
        pictures.sort_by_key(|(_, place)| *place);
        let is_public = entry.status == "publish";
        let path = path_of(&entry.link).filter(|path| is_public && path != "/");
        self.report.pages.push(PageText {
            title: self.title.clone(),
            path,
            pictures: pictures.into_iter().map(|(name, _)| name).collect(),
            text: text.trim().to_owned(),
        });
        Ok(())
    }

    fn markdown(&mut self, html: &str) -> Result<String> {
        let text = markdown(html, self);
        self.failed.take().map_or(Ok(text), Err)
    }

    /// Returns the site category of the first mapped WordPress category, else the default category.
    fn category(&mut self, entry: &Entry) -> &'static str {
        let mut found = None;
        for former in &entry.categories {
            let known = self.options.categories.get(&former.trim().to_lowercase());
            match known {
                Some(category) if !category.eq_ignore_ascii_case(former) => {
                    self.report.categories.insert(former.clone(), category);
                }
                Some(_) => {}
                None => drop(self.report.homeless.insert(former.clone())),
            }
            found = found.or(known.copied());
        }
        found.unwrap_or(self.options.default_category)
    }

    /// Returns the id of the picture with this media library key. Decodes and stores the picture at
    /// the first call and caches the result, so that posts share the picture.
    fn taken_in(&mut self, key: &str) -> Result<Result<String, PictureProblem>> {
        if let Some(known) = self.pictures.get(key) {
            return Ok(known.clone());
        }
        let made = match self.media.bytes(key) {
            Err(Unusable::TooLarge) => Err(PictureProblem::TooLarge),
            Err(Unusable::Damaged) => Err(PictureProblem::Damaged),
            Ok(bytes) => {
                match sandbox::process(self.options.program, &bytes, PictureEdit::default())? {
                    Err(refusal) => Err(PictureProblem::Refused(refusal)),
                    Ok(processed) => {
                        let id = token::id()?;
                        let (picture, files) =
                            processed.into_picture(id.clone(), &bytes, self.options.now);
                        (self.keep)(picture, files)?;
                        self.report.pictures += 1;
                        Ok(id)
                    }
                }
            }
        };
        self.pictures.insert(key.to_owned(), made.clone());
        Ok(made)
    }
}

impl Around for Moving<'_> {
    fn picture(&mut self, address: &str, number: Option<&str>) -> Option<String> {
        let known = number.and_then(|number| self.files.get(number));
        let addresses = known
            .map(|entry| entry.file.as_str())
            .into_iter()
            .chain([address]);
        let mut addresses = addresses.filter(|address| !address.is_empty());
        let named = addresses.clone().next().or(number)?.to_owned();
        let name = named.rsplit('/').next().unwrap_or_default();
        let name = name.replace(char::is_control, "");
        if let Some(files) = &mut self.page_files {
            let place = files.len();
            files.entry(name).or_insert(place);
            return None;
        }
        let post = self.report.post();
        let name = short(&name);
        let Some(key) = addresses
            .find_map(|address| self.media.find(address))
            .map(str::to_owned)
        else {
            self.report.missing_pictures += 1;
            let subject = Subject::MissingPictures { post };
            self.report.warn(subject, Some(&name));
            return None;
        };
        match self.taken_in(&key) {
            Ok(Ok(id)) => Some(id),
            Ok(Err(problem)) => {
                let reason = problem.text();
                let subject = Subject::RefusedPictures { post, reason };
                self.report.warn(subject, Some(&name));
                None
            }
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    fn alt(&self, number: Option<&str>) -> String {
        let known = number.and_then(|number| self.files.get(number));
        known.map_or_else(String::new, |entry| entry.alt.clone())
    }

    fn attached(&self, post: Option<&str>) -> Vec<String> {
        let files = self.attached.get(post.unwrap_or(&self.number));
        let ids = files.into_iter().flatten().map(|file| file.id.clone());
        ids.collect()
    }

    fn block(&self, id: &str) -> Option<&str> {
        self.blocks.get(id).map(|entry| entry.content.as_str())
    }

    fn footnotes(&self) -> Option<&str> {
        Some(self.footnotes)
    }

    fn link(&mut self, address: &str) -> Option<String> {
        let address = address.trim();
        let is_local = address.starts_with('/') && !address.starts_with("//");
        if is_local || is_same_host(address, &self.export.site) {
            let path = path_of(address).unwrap_or_default();
            if let Some(path) = self.addresses.get(&path) {
                return Some(path.clone());
            }
            // A picture that links to its file or to its attachment page comes itself.
            let is_of_picture = has_picture_extension(&path)
                || address.contains("attachment_id=")
                || self.attachment_pages.contains(&path);
            if path != "/" && !is_of_picture {
                let post = self.report.post();
                let subject = Subject::OldLinks { post };
                self.report.warn(subject, Some(&short(&path)));
            }
        }
        let lower = address.to_ascii_lowercase();
        let schemes = ["http://", "https://", "mailto:", "tel:"];
        let is_safe = is_local || schemes.iter().any(|scheme| lower.starts_with(scheme));
        (is_safe && !address.contains(char::is_control)).then(|| address.to_owned())
    }

    fn lost(&mut self, lost: Lost) {
        let (subject, url) = match lost {
            Lost::Function(name) => (Subject::Function(short(&name)), None),
            Lost::Wrapper(name) => (Subject::Wrapper(short(&name)), None),
            Lost::Brackets(name) => (Subject::Brackets(short(&name)), None),
            Lost::Gallery => (Subject::Gallery, None),
            Lost::ReusableBlock => (Subject::ReusableBlock, None),
            Lost::Embedded(url) => (Subject::Embedded(short(host_of(&url))), Some(short(&url))),
        };
        self.report.warn(subject, url.as_deref());
    }
}

/// Returns the published reusable blocks by id, as WordPress shows them.
fn reusable_blocks(export: &Export) -> BTreeMap<&str, &Entry> {
    let blocks = export.entries.iter().filter(|entry| {
        entry.sort == "wp_block" && entry.status == "publish" && !entry.has_password
    });
    blocks.map(|entry| (entry.id.as_str(), entry)).collect()
}

fn attachment_pages(export: &Export) -> BTreeSet<String> {
    let files = export.entries.iter().filter(|entry| !entry.file.is_empty());
    files.filter_map(|entry| path_of(&entry.link)).collect()
}

/// Whether the URL has the host of the site, with or without `www.`.
fn is_same_host(url: &str, site: &str) -> bool {
    let host = |url| {
        let host = authority_of(url)?.to_ascii_lowercase();
        Some(
            host.strip_prefix("www.")
                .map_or(host.clone(), str::to_owned),
        )
    };
    host(url).is_some_and(|own| Some(own) == host(site))
}

/// Returns the name, URL or address as the report quotes it.
fn short(text: &str) -> String {
    cut(text, QUOTED_CHARACTERS_MAX)
}

/// Returns the longest value, in characters, that `field` of a post accepts.
fn longest(field: &str) -> usize {
    collection_by_slug(COLLECTION).map_or(0, |collection| collection.characters_max(field))
}

fn title_of(entry: &Entry) -> String {
    let title = cut(&plain(&entry.title), longest("title"));
    if title.is_empty() {
        UNTITLED.to_owned()
    } else {
        title
    }
}

/// Returns the date of the entry: the UTC date if it parses, else the date in the time zone of the
/// site. Drafts have neither.
fn written(entry: &Entry) -> Option<Timestamp> {
    let moments = entry.written.iter().filter_map(|text| {
        let (day, clock) = text.trim().split_once(' ')?;
        time::parse_rfc3339(&format!("{day}T{clock}Z"))
    });
    moments.into_iter().next()
}

/// Shortens `text` to `characters_max` characters at a word boundary, with an ellipsis.
fn cut(text: &str, characters_max: usize) -> String {
    if text.chars().count() <= characters_max {
        return text.to_owned();
    }
    let short: String = text.chars().take(characters_max - 1).collect();
    let whole = short
        .rsplit_once(' ')
        .map_or(short.as_str(), |(whole, _)| whole);
    format!("{whole}…")
}
