//! The sitemap and the blog's Atom feed.

use super::Pages;
use super::page_entry::PageEntry;
use super::{Error, Result};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use respiro_content::item::{FieldSelection, picture_of};
use respiro_content::markdown::{self, RenderContext};
use respiro_content::schema::Page;
use respiro_content::time::rfc3339;
use respiro_content::typography::{apostrophes, apostrophes_in_html};
use respiro_content::{Entry, PublicIds, Snapshot, collection_by_slug};
use serde_json::Value as Json;
use std::io;
use std::sync::Arc;

/// Maximum number of articles in the feed.
const FEED_ENTRIES_MAX: usize = 50;
/// Date of an empty feed, which Atom requires; no article is older.
const FEED_EPOCH: &str = "2025-01-01T00:00:00.000Z";

pub const FEED_PATH: &str = "/feed.xml";
/// Addresses of the feed on a WordPress site, which the readers of a moved site still request.
pub const WORDPRESS_FEED_PATHS: &[&str] = &[
    "/atom",
    "/feed",
    "/feed/atom",
    "/feed/rdf",
    "/feed/rss",
    "/feed/rss2",
    "/rss",
    "/wp-atom.php",
    "/wp-rdf.php",
    "/wp-rss.php",
    "/wp-rss2.php",
];
/// Lists of articles that have a feed on a WordPress site.
const WORDPRESS_LISTS: &[&str] = &["/author/", "/category/", "/tag/"];
/// Values of `?feed=` on a WordPress site. The feeds of comments have other values.
const WORDPRESS_FEEDS: &[&str] = &["atom", "feed", "rdf", "rss", "rss2"];

type Xml = Writer<Vec<u8>>;

/// Whether the path, without a trailing slash, is that of a feed on a WordPress site: of all
/// articles, or of a category, a tag or an author. There is one feed here.
pub fn is_wordpress_feed(path: &str) -> bool {
    if WORDPRESS_FEED_PATHS.contains(&path) {
        return true;
    }
    let mut lists = WORDPRESS_LISTS.iter();
    let name = lists.find_map(|list| path.strip_prefix(list)?.strip_suffix("/feed"));
    name.is_some_and(|name| !name.is_empty())
}

/// Whether the value of `?feed=` names a feed of articles on a WordPress site.
pub fn is_wordpress_feed_query(value: &str) -> bool {
    WORDPRESS_FEEDS.contains(&value)
}

/// Maximum addresses in one sitemap file: larger files are slow to read.
const SITEMAP_URLS_MAX: usize = 1_000;
const SITEMAP_NAMESPACE: (&str, &str) = ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");

/// Returns the number of part files for so many addresses; 0 if they fit in `/sitemap.xml`.
pub(super) const fn sitemap_parts(urls: usize) -> usize {
    if urls <= SITEMAP_URLS_MAX {
        0
    } else {
        urls.div_ceil(SITEMAP_URLS_MAX)
    }
}

pub(super) fn part_path(part: usize) -> String {
    format!("/sitemap-{part}.xml")
}

/// Returns the sitemap of all listed pages, or the index of its parts.
pub(super) fn sitemap(site: &str, pages: &Pages) -> Result<Vec<u8>> {
    let parts = sitemap_parts(pages.listed().count());
    if parts == 0 {
        return urls(site, pages, pages.listed());
    }
    document(|xml| {
        let index = xml
            .create_element("sitemapindex")
            .with_attribute(SITEMAP_NAMESPACE);
        index.write_inner_content(|xml| {
            for part in 1..=parts {
                xml.create_element("sitemap").write_inner_content(|xml| {
                    text(xml, "loc", &format!("{site}{}", part_path(part)))
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// Returns one part of the sitemap; `part` counts from 1.
pub(super) fn sitemap_part(site: &str, pages: &Pages, part: usize) -> Result<Vec<u8>> {
    let before = part.saturating_sub(1) * SITEMAP_URLS_MAX;
    let page_entries = pages.listed().skip(before).take(SITEMAP_URLS_MAX);
    urls(site, pages, page_entries)
}

fn urls<'a>(
    site: &str,
    pages: &Pages,
    page_entries: impl Iterator<Item = &'a Arc<PageEntry>>,
) -> Result<Vec<u8>> {
    document(|xml| {
        let urls = xml
            .create_element("urlset")
            .with_attribute(SITEMAP_NAMESPACE);
        urls.write_inner_content(|xml| {
            for page_entry in page_entries {
                xml.create_element("url").write_inner_content(|xml| {
                    text(xml, "loc", &format!("{site}{}", page_entry.path))?;
                    let changed = page_entry
                        .shown()
                        .and_then(|shown| pages.last_modified(shown));
                    changed.map_or(Ok(()), |at| text(xml, "lastmod", &rfc3339(at)))
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// Returns the Atom feed of the newest articles with their whole text.
pub(super) fn blog(site: &str, snapshot: &Snapshot) -> Result<Vec<u8>> {
    let blog = collection_by_slug("blog").and_then(|kind| Some((kind, kind.list?, kind.page?)));
    let Some((kind, list, page)) = blog else {
        return Err(Error::Internal("there is no blog".to_owned()));
    };
    let posts = snapshot.published(kind).iter().take(FEED_ENTRIES_MAX);
    let texts: Vec<String> = posts
        .clone()
        .map(|post| text_elsewhere(site, post))
        .collect();
    let ids: Vec<String> = posts
        .clone()
        .map(|post| match &post.public_ids {
            Some(ids) => ids.item.clone(),
            None => PublicIds::of_address(site, &post.id, &[]).item,
        })
        .collect();
    let posts: Vec<Json> = posts
        .map(|post| post.to_json(kind, FieldSelection::All))
        .collect();
    let updated = posts
        .iter()
        .filter_map(|post| post["updatedAt"].as_str())
        .max()
        .unwrap_or(FEED_EPOCH);
    let settings = snapshot.settings_json();
    let brand = settings["brand"].as_str().unwrap_or_default();
    let address = format!("{site}{FEED_PATH}");
    let feed_id = snapshot.feed_id.as_deref().unwrap_or(&address);
    let author = settings["practitioner"].as_str().unwrap_or(brand);
    document(|xml| {
        let attributes = [
            ("xmlns", "http://www.w3.org/2005/Atom"),
            ("xml:lang", "it"),
            ("xml:base", site),
        ];
        let feed = xml.create_element("feed").with_attributes(attributes);
        feed.write_inner_content(|xml| {
            text(xml, "title", &apostrophes(&format!("{brand}: blog")))?;
            text(xml, "id", feed_id)?;
            text(xml, "updated", updated)?;
            link(xml, "self", &format!("{site}/feed.xml"))?;
            link(xml, "alternate", &format!("{site}{list}"))?;
            xml.create_element("author")
                .write_inner_content(|xml| text(xml, "name", author))?;
            for ((post, html), id) in posts.iter().zip(&texts).zip(&ids) {
                entry(xml, site, page, (id, post, html))?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// Returns an article as HTML for feed readers: cover first, all addresses absolute.
fn text_elsewhere(site: &str, post: &Entry) -> String {
    let around = RenderContext {
        pictures: &post.pictures,
        site: Some(site),
    };
    let alt = post.text("imageAlt").unwrap_or_default();
    let cover = picture_of(post, &post.pictures);
    let cover = cover.map(|picture| markdown::cover_html(picture, alt, &around));
    let text = post.text("content").unwrap_or_default();
    cover.unwrap_or_default() + &apostrophes_in_html(&markdown::render(text, &around).html)
}

fn entry(
    xml: &mut Xml,
    site: &str,
    page: Page,
    (id, post, html): (&str, &Json, &str),
) -> io::Result<()> {
    let field = |name: &str| post[name].as_str();
    let slug = field("slug").unwrap_or_default();
    xml.create_element("entry").write_inner_content(|xml| {
        text(
            xml,
            "title",
            &apostrophes(field("title").unwrap_or_default()),
        )?;
        text(xml, "id", id)?;
        text(xml, "published", field("createdAt").unwrap_or(FEED_EPOCH))?;
        text(xml, "updated", field("updatedAt").unwrap_or(FEED_EPOCH))?;
        link(xml, "alternate", &format!("{site}{}{slug}", page.prefix))?;
        if let Some(category) = field("category") {
            let term = ("term", clean(category));
            let element = xml.create_element("category");
            element
                .with_attribute((term.0, term.1.as_str()))
                .write_empty()?;
        }
        if let Some(excerpt) = field("excerpt") {
            text(xml, "summary", &apostrophes(excerpt))?;
        }
        if !html.is_empty() {
            let html = clean(html);
            let content = xml
                .create_element("content")
                .with_attribute(("type", "html"));
            content.write_text_content(BytesText::new(&html))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn document(write: impl FnOnce(&mut Xml) -> io::Result<()>) -> Result<Vec<u8>> {
    let mut xml = Writer::new(Vec::new());
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))
        .and_then(|()| write(&mut xml))
        .map_err(|error| Error::Internal(format!("cannot write XML: {error}")))?;
    Ok(xml.into_inner())
}

fn text(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    let text = clean(text);
    xml.create_element(name)
        .write_text_content(BytesText::new(&text))?;
    Ok(())
}

fn link(xml: &mut Xml, relation: &str, address: &str) -> io::Result<()> {
    let link = xml.create_element("link");
    link.with_attributes([("rel", relation), ("href", address)])
        .write_empty()?;
    Ok(())
}

/// Removes characters that XML 1.0 cannot represent, escaped or not.
fn clean(text: &str) -> String {
    let allowed = |character: &char| match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => *other >= ' ',
    };
    text.chars().filter(allowed).collect()
}
