//! What is published beside the pages: sitemap, robots, feed, calendars, the site's manifest.

use super::compress::Raw;
use super::{calendar, feeds};
use crate::content::Snapshot;
use crate::error::Result;
use crate::images;
use crate::render::{PlannedPage, RenderedPage};
use serde_json::{Value as Json, json};

/// The colour of the token `primary`, for the browser's own frame.
const THEME_COLOUR: &str = "#1f5c5c";

/// Every such answer by path.
pub(super) fn all(
    snapshot: &Snapshot,
    json: &Json,
    plan: &[(PlannedPage, Option<RenderedPage>)],
) -> Result<Vec<(String, Raw)>> {
    let site = &snapshot.public_url;
    let mut files = vec![
        (
            "/sitemap.xml".to_owned(),
            Raw::ok(
                "application/xml; charset=utf-8",
                feeds::sitemap(site, plan)?,
            ),
        ),
        (
            "/feed.xml".to_owned(),
            Raw::ok(
                "application/atom+xml; charset=utf-8",
                feeds::blog(site, json)?,
            ),
        ),
        (
            "/robots.txt".to_owned(),
            Raw::ok("text/plain; charset=utf-8", robots(site)),
        ),
        (
            "/manifest.webmanifest".to_owned(),
            Raw::ok("application/manifest+json", manifest(json)),
        ),
    ];
    for event in feeds::items(json, "events") {
        if let (Some(id), Some(text)) = (event["id"].as_str(), calendar::event(site, event)) {
            let raw = Raw::ok("text/calendar; charset=utf-8", text);
            files.push((format!("/evento/{id}.ics"), raw));
        }
    }
    Ok(files)
}

fn robots(site: &str) -> String {
    format!("User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: {site}/sitemap.xml\n")
}

fn manifest(json: &Json) -> String {
    let brand = &json["settings"]["brand"];
    let icon = |size: u32, purpose: &str| {
        json!({
            "src": format!("/icon-{size}.png"),
            "sizes": format!("{size}x{size}"),
            "type": "image/png",
            "purpose": purpose,
        })
    };
    let [red, green, blue] = images::PAPER;
    json!({
        "name": brand,
        "short_name": brand,
        "lang": "it",
        "start_url": "/",
        "scope": "/",
        "display": "browser",
        "background_color": format!("#{red:02x}{green:02x}{blue:02x}"),
        "theme_color": THEME_COLOUR,
        "icons": [icon(192, "any"), icon(512, "any"), icon(512, "maskable")],
    })
    .to_string()
}
