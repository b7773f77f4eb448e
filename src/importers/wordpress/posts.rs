//! Converts the entries of an export into posts, with the validation that the API applies.

use super::addresses::{addresses, former_paths, path_of, plain, slugs};
use super::attachments::{attached, is_of_plugin, library};
use super::html::{Around, Lost, markdown};
use super::media::{Media, Unusable};
use super::messages::UNTITLED;
use super::options::Wishes;
use super::report::{PageText, PictureProblem, Report, Warning};
use super::wxr::{Entry, Export};
use crate::{Error, Result};
use respiro_auth::token;
use respiro_content::url::authority_of;
use respiro_content::{
    Changes, FieldError, Item, Kind, Picture, Timestamp, kind_by_slug, picture::NewFile, time,
};
use respiro_db::{Reader, Writer};
use respiro_media::sandbox;
use serde_json::{Map, json};
use std::collections::{BTreeMap, BTreeSet};

/// Collection that WordPress posts are imported into.
const KIND: &str = "blog";
/// Longest HTML that is converted: longer HTML would exceed the character limit as Markdown too.
const HTML_BYTES_MAX: usize = 2 * 1024 * 1024;
const SORT_CHARACTERS_MAX: usize = 60;

/// Result of an import, without the pictures: the caller writes it to the data file.
#[derive(Default)]
pub struct Arrived {
    pub items: Vec<Item>,
    /// A path of the WordPress site and the id of the post that it redirects to.
    pub former_paths: Vec<(String, String)>,
    pub report: Report,
    /// Number of posts left out because the site already has their slug.
    pub skipped: usize,
}

/// Returns the slugs of existing posts.
pub fn slugs_of_posts(reader: &Reader<'_>) -> Result<BTreeSet<String>> {
    let kind = kind_by_slug(KIND).ok_or(Error::MissingCollection(KIND))?;
    let items = reader.items(kind)?;
    let slugs = items.iter().filter_map(|item| item.page_key(kind));
    Ok(slugs.map(str::to_owned).collect())
}

/// Writes the posts and their former paths.
pub fn put(writer: &mut Writer<'_>, arrived: &Arrived) -> Result<()> {
    let kind = kind_by_slug(KIND).ok_or(Error::MissingCollection(KIND))?;
    for item in &arrived.items {
        writer.import_item(kind, item)?;
    }
    for (path, id) in &arrived.former_paths {
        writer.import_former_path(path, id)?;
    }
    Ok(())
}

/// Converts all entries of `export`. Calls `keep` with each picture as soon as it is decoded.
pub fn convert(
    export: &Export,
    media: &Media,
    wishes: &Wishes<'_>,
    keep: &mut dyn FnMut(Picture, Vec<NewFile>) -> Result<()>,
) -> Result<Arrived> {
    let kind = kind_by_slug(KIND).ok_or(Error::MissingCollection(KIND))?;
    let slugs = slugs(export, wishes)?;
    let mut moving = Moving {
        export,
        media,
        wishes,
        keep,
        files: library(export),
        attached: attached(export),
        addresses: addresses(export, &slugs),
        pictures: BTreeMap::new(),
        report: Report::of(export.users),
        title: String::new(),
        number: String::new(),
        page_files: None,
        failed: None,
    };
    let mut arrived = Arrived::default();
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
                Some(slug) => moving.article(kind, entry, slug, &mut arrived)?,
                None => arrived.skipped += 1,
            },
            ("page", "publish" | "draft" | "pending" | "private" | "future") => {
                moving.page(entry)?;
            }
            (sort, status) if is_of_plugin(sort, status) => {
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
    wishes: &'a Wishes<'a>,
    keep: &'a mut dyn FnMut(Picture, Vec<NewFile>) -> Result<()>,
    files: BTreeMap<&'a str, &'a Entry>,
    attached: BTreeMap<&'a str, Vec<&'a Entry>>,
    addresses: BTreeMap<String, String>,
    /// Id of the imported picture, or the problem that prevents the import, by media library key.
    pictures: BTreeMap<String, Result<String, PictureProblem>>,
    report: Report,
    /// Title of the post or page that is being converted.
    title: String,
    number: String,
    /// File names of the pictures of the page that is being converted, with their order. `None`
    /// while a post is converted. Pictures of pages are listed in the report and not imported.
    page_files: Option<BTreeMap<String, usize>>,
    failed: Option<Error>,
}

impl Moving<'_> {
    fn article(
        &mut self,
        kind: &Kind,
        entry: &Entry,
        slug: &str,
        arrived: &mut Arrived,
    ) -> Result<()> {
        self.report.comments += entry.comments;
        self.title = title_of(entry);
        self.number.clone_from(&entry.id);
        let is_long = entry.content.len() > HTML_BYTES_MAX;
        let text = if is_long {
            String::new()
        } else {
            self.markdown(&entry.content)?
        };
        let characters_max = longest("content");
        if is_long || text.chars().count() > characters_max {
            let title = self.title.clone();
            self.report.warn(&title, &Warning::TooLong(characters_max));
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
        put("excerpt", cut(&plain(&entry.excerpt), longest("excerpt")));
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
        let changes = Changes::parse(kind, &body);
        let made = changes.and_then(|changes| {
            Item::create(
                kind,
                changes,
                id.clone(),
                arrived.items.len(),
                self.wishes.now,
            )
        });
        arrived
            .items
            .push(made.map_err(|errors| self.named(errors))?);
        self.report.posts += 1;
        self.report.drafts += usize::from(!is_published);
        let here = format!("/blog/{slug}");
        let paths = former_paths(entry).into_iter().filter(|path| *path != here);
        arrived
            .former_paths
            .extend(paths.map(|path| (path, id.clone())));
        Ok(())
    }

    /// Adds the title of the current post to `errors`.
    fn named(&self, errors: Vec<FieldError>) -> Error {
        let title = self.title.clone();
        Error::InvalidPost { title, errors }
    }

    fn page(&mut self, entry: &Entry) -> Result<()> {
        self.report.comments += entry.comments;
        self.title = title_of(entry);
        self.number.clone_from(&entry.id);
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
            let known = self.wishes.categories.get(&former.trim().to_lowercase());
            match known {
                Some(category) if !category.eq_ignore_ascii_case(former) => {
                    self.report.categories.insert(former.clone(), category);
                }
                Some(_) => {}
                None => drop(self.report.homeless.insert(former.clone())),
            }
            found = found.or(known.copied());
        }
        found.unwrap_or(self.wishes.default_category)
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
            Ok(bytes) => match sandbox::process(self.wishes.program, &bytes)? {
                Err(refusal) => Err(PictureProblem::Refused(refusal)),
                Ok(processed) => {
                    let id = token::id()?;
                    let (picture, files) =
                        processed.into_picture(id.clone(), &bytes, self.wishes.now);
                    (self.keep)(picture, files)?;
                    self.report.pictures += 1;
                    Ok(id)
                }
            },
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
        let title = self.title.clone();
        let Some(key) = addresses
            .find_map(|address| self.media.find(address))
            .map(str::to_owned)
        else {
            self.report.warn(&title, &Warning::MissingPicture(&name));
            return None;
        };
        match self.taken_in(&key) {
            Ok(Ok(id)) => Some(id),
            Ok(Err(problem)) => {
                let warning = Warning::RefusedPicture(&name, problem);
                self.report.warn(&title, &warning);
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

    fn link(&mut self, address: &str) -> Option<String> {
        let address = address.trim();
        let own = authority_of(&self.export.site);
        let host = authority_of(address);
        let is_local = address.starts_with('/') && !address.starts_with("//");
        if is_local || (host.is_some() && host == own) {
            let known = path_of(address).and_then(|path| self.addresses.get(&path));
            if let Some(path) = known {
                return Some(path.clone());
            }
        }
        let lower = address.to_ascii_lowercase();
        let schemes = ["http://", "https://", "mailto:", "tel:"];
        let is_safe = is_local || schemes.iter().any(|scheme| lower.starts_with(scheme));
        (is_safe && !address.contains(char::is_control)).then(|| address.to_owned())
    }

    fn lost(&mut self, lost: Lost) {
        let title = self.title.clone();
        self.report.warn(&title, &Warning::Lost(&lost));
    }
}

/// Returns the longest value, in characters, that `field` of a post accepts.
fn longest(field: &str) -> usize {
    kind_by_slug(KIND).map_or(0, |kind| kind.characters_max(field))
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
