//! Renders the published files that are not pages: sitemap, robots.txt, feeds, web app manifest.

use super::Result;
use super::compress::UncompressedResponse;
use super::page_entry::GeneratedFile;
use super::{Pages, feeds, icalendar};
use jiff::ToSpan as _;
use respiro_content::collection_by_slug;
use respiro_content::item::FieldSelection;
use respiro_media as media;
use serde_json::{Value as Json, json};

/// The colour of the token `primary`, for the browser's frame.
const THEME_COLOUR: &str = "#1f5c5c";

const XML: &str = "application/xml; charset=utf-8";
const CALENDAR: &str = "text/calendar; charset=utf-8";
pub(super) const CALENDAR_PATH: &str = "/eventi.ics";
/// Days that a past event stays in the calendar feed.
const CALENDAR_DAYS_BEFORE: i64 = 60;
pub(super) const CALENDAR_ENDING: &str = ".ics";

pub(super) fn make(pages: &Pages, file: GeneratedFile) -> Result<UncompressedResponse> {
    let site = &pages.snapshot.public_url;
    Ok(match file {
        GeneratedFile::Sitemap => UncompressedResponse::ok(XML, feeds::sitemap(site, pages)?),
        GeneratedFile::SitemapPart(part) => {
            UncompressedResponse::ok(XML, feeds::sitemap_part(site, pages, part)?)
        }
        GeneratedFile::Feed => UncompressedResponse::ok(
            "application/atom+xml; charset=utf-8",
            feeds::blog(site, &pages.snapshot)?,
        ),
        GeneratedFile::Calendar => UncompressedResponse::ok(CALENDAR, events(pages)),
        GeneratedFile::Robots => {
            UncompressedResponse::ok("text/plain; charset=utf-8", robots(site))
        }
        GeneratedFile::Manifest => {
            let settings = pages.snapshot.settings_json();
            UncompressedResponse::ok("application/manifest+json", manifest(&settings))
        }
    })
}

/// Returns the iCalendar file of the item whose page is at `path` without `.ics`.
pub(super) fn calendar(pages: &Pages, path: &str) -> Option<UncompressedResponse> {
    let page = path.strip_suffix(CALENDAR_ENDING)?;
    let (kind, entry) = pages.item_at(page)?;
    let event = entry.to_json(kind, FieldSelection::All);
    let cancelled = cancelled(pages);
    let text = icalendar::event(calendar_of(pages, &cancelled), &event)?;
    Some(UncompressedResponse::ok(CALENDAR, text))
}

/// Renders the calendar feed. It keeps recent past events, because subscribers expect a calendar to
/// remember them.
fn events(pages: &Pages) -> String {
    let Some(kind) = collection_by_slug("events") else {
        return String::new();
    };
    let first = pages.today.saturating_sub(CALENDAR_DAYS_BEFORE.days());
    let events: Vec<Json> = pages
        .snapshot
        .published(kind)
        .iter()
        .filter(|event| !event.is_past(first))
        .map(|event| event.to_json(kind, FieldSelection::All))
        .collect();
    let name = format!("Eventi di {}", pages.snapshot.settings.brand());
    let cancelled = cancelled(pages);
    icalendar::all(calendar_of(pages, &cancelled), &name, events.iter())
}

/// Returns the site's text for a cancelled event.
fn cancelled(pages: &Pages) -> String {
    pages.snapshot.block_text("eventi.states", "cancelled")
}

fn calendar_of<'a>(pages: &'a Pages, cancelled: &'a str) -> icalendar::Of<'a> {
    icalendar::Of {
        site: &pages.snapshot.public_url,
        cancelled,
    }
}

fn robots(site: &str) -> String {
    format!("User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: {site}/sitemap.xml\n")
}

fn manifest(settings: &Json) -> String {
    let brand = &settings["brand"];
    let icon = |size: u32, purpose: &str| {
        json!({
            "src": format!("/icon-{size}.png"),
            "sizes": format!("{size}x{size}"),
            "type": "image/png",
            "purpose": purpose,
        })
    };
    let [red, green, blue] = media::PAPER;
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
