//! The sitemap and the blog's Atom feed.

use crate::error::{Error, Result};
use crate::render::{PlannedPage, RenderedPage};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use serde_json::Value as Json;
use std::io;

/// Newest articles in the feed.
const FEED_ENTRIES_MAX: usize = 50;
/// The blog is this old or younger: an empty feed still needs a date.
const FEED_EPOCH: &str = "2025-01-01T00:00:00.000Z";

type Xml = Writer<Vec<u8>>;

/// The published items of a kind in the snapshot's JSON.
pub(super) fn items<'a>(json: &'a Json, slug: &str) -> impl Iterator<Item = &'a Json> {
    json["items"][slug].as_array().into_iter().flatten()
}

/// Every page that search engines may know.
pub(super) fn sitemap(site: &str, plan: &[(PlannedPage, Option<RenderedPage>)]) -> Result<Vec<u8>> {
    document(|xml| {
        let namespace = ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");
        let urls = xml.create_element("urlset").with_attribute(namespace);
        urls.write_inner_content(|xml| {
            for (page, _) in plan.iter().filter(|(page, _)| page.sitemap) {
                xml.create_element("url").write_inner_content(|xml| {
                    text(xml, "loc", &format!("{site}{}", page.path))?;
                    if let Some(last_modified) = &page.last_modified {
                        text(xml, "lastmod", last_modified)?;
                    }
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// The newest articles, whole.
pub(super) fn blog(site: &str, json: &Json) -> Result<Vec<u8>> {
    let posts: Vec<&Json> = items(json, "blog").take(FEED_ENTRIES_MAX).collect();
    let updated = posts
        .iter()
        .filter_map(|post| post["updatedAt"].as_str())
        .max()
        .unwrap_or(FEED_EPOCH);
    let settings = &json["settings"];
    let brand = settings["brand"].as_str().unwrap_or_default();
    let author = settings["practitioner"].as_str().unwrap_or(brand);
    document(|xml| {
        let attributes = [
            ("xmlns", "http://www.w3.org/2005/Atom"),
            ("xml:lang", "it"),
            ("xml:base", site),
        ];
        let feed = xml.create_element("feed").with_attributes(attributes);
        feed.write_inner_content(|xml| {
            text(xml, "title", &format!("{brand}: blog"))?;
            text(xml, "id", &format!("{site}/feed.xml"))?;
            text(xml, "updated", updated)?;
            link(xml, "self", &format!("{site}/feed.xml"))?;
            link(xml, "alternate", &format!("{site}/blog"))?;
            xml.create_element("author")
                .write_inner_content(|xml| text(xml, "name", author))?;
            for post in &posts {
                entry(xml, site, post)?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

fn entry(xml: &mut Xml, site: &str, post: &Json) -> io::Result<()> {
    let field = |name: &str| post[name].as_str();
    let (id, slug) = (
        field("id").unwrap_or_default(),
        field("slug").unwrap_or_default(),
    );
    xml.create_element("entry").write_inner_content(|xml| {
        text(xml, "title", field("title").unwrap_or_default())?;
        // The id stays when the slug changes.
        text(xml, "id", &format!("{site}/feed.xml#{id}"))?;
        text(xml, "published", field("createdAt").unwrap_or(FEED_EPOCH))?;
        text(xml, "updated", field("updatedAt").unwrap_or(FEED_EPOCH))?;
        link(xml, "alternate", &format!("{site}/blog/{slug}"))?;
        if let Some(category) = field("category") {
            let term = ("term", clean(category));
            let element = xml.create_element("category");
            element
                .with_attribute((term.0, term.1.as_str()))
                .write_empty()?;
        }
        if let Some(excerpt) = field("excerpt") {
            text(xml, "summary", excerpt)?;
        }
        if let Some(html) = field("contentHtml") {
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

/// XML 1.0 cannot hold these characters, escaped or not.
fn clean(text: &str) -> String {
    let allowed = |character: &char| match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => *other >= ' ',
    };
    text.chars().filter(allowed).collect()
}
