//! Renders the published files that are not pages: sitemap, robots.txt, feeds, web app manifest.

use super::ai_crawlers::TRAINING_CRAWLERS;
use super::compress::UncompressedResponse;
use super::page_entry::GeneratedFile;
use super::{Page, Pages, Result, feeds, icalendar, locked};
use jiff::ToSpan as _;
use respiro_content::item::FieldSelection;
use respiro_content::{Collection, Entry, PublicIds, Settings, collection_by_slug};
use respiro_media as media;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, Weak};

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
            let settings = &pages.snapshot.settings;
            UncompressedResponse::ok("text/plain; charset=utf-8", robots(site, settings))
        }
        GeneratedFile::Manifest => {
            let settings = pages.snapshot.settings_json();
            UncompressedResponse::ok("application/manifest+json", manifest(&settings))
        }
    })
}

/// Total size of the cached calendar files of events; a file takes about 2 kB.
const EVENT_CALENDAR_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The iCalendar files of single events. Each is made once per publish, on its first request: one
/// took 2 ms of processor time, so 500 requests a second filled a core.
#[derive(Debug, Default)]
pub(super) struct EventCalendars(Mutex<MadeCalendars>);

#[derive(Debug, Default)]
struct MadeCalendars {
    /// The pages that they were made of.
    of: Weak<Pages>,
    bytes: usize,
    by_path: HashMap<String, MadeCalendar>,
}

/// `None` for an event whose date was not recognized.
type MadeCalendar = Option<Arc<Page>>;

/// What is known of the calendar file at a path.
#[derive(Debug)]
pub enum EventCalendar {
    Made(Arc<Page>),
    /// [`Publisher::calendar`](super::Publisher::calendar) makes it.
    ToMake,
}

impl EventCalendars {
    /// Returns the file at `path`, without making it; `None` if there is none.
    pub(super) fn find(&self, pages: &Arc<Pages>, path: &str) -> Option<EventCalendar> {
        pages.item_at(path.strip_suffix(CALENDAR_ENDING)?)?;
        match self.made(pages, path) {
            Some(made) => made.map(EventCalendar::Made),
            None => Some(EventCalendar::ToMake),
        }
    }

    fn made(&self, pages: &Arc<Pages>, path: &str) -> Option<MadeCalendar> {
        let made = locked(&self.0);
        let is_current = made.of.as_ptr() == Arc::as_ptr(pages);
        made.by_path.get(path).filter(|_| is_current).cloned()
    }

    /// Returns the file at `path`, made by `make` if necessary.
    pub(super) fn obtain(
        &self,
        pages: &Arc<Pages>,
        path: &str,
        make: impl FnOnce() -> Option<Page>,
    ) -> Option<Arc<Page>> {
        pages.item_at(path.strip_suffix(CALENDAR_ENDING)?)?;
        if let Some(made) = self.made(pages, path) {
            return made;
        }
        let page = make().map(Arc::new);
        let mut cache = locked(&self.0);
        let bytes = path.len() + page.as_ref().map_or(0, |page| page.bytes());
        let is_current = cache.of.as_ptr() == Arc::as_ptr(pages);
        if !is_current || cache.bytes + bytes > EVENT_CALENDAR_BYTES_MAX {
            *cache = MadeCalendars {
                of: Arc::downgrade(pages),
                ..MadeCalendars::default()
            };
        }
        cache.bytes += bytes;
        cache.by_path.insert(path.to_owned(), page.clone());
        page
    }
}

/// Returns the iCalendar file of the item whose page is at `path` without `.ics`.
pub(super) fn calendar(pages: &Pages, path: &str) -> Option<UncompressedResponse> {
    let page = path.strip_suffix(CALENDAR_ENDING)?;
    let (kind, entry) = pages.item_at(page)?;
    let event = event_json(pages, kind, entry);
    let states = event_states(pages);
    let text = icalendar::event(calendar_of(pages, &states), &event)?;
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
        .map(|event| event_json(pages, kind, event))
        .collect();
    let name = format!("Eventi di {}", pages.snapshot.settings.brand());
    let states = event_states(pages);
    icalendar::all(calendar_of(pages, &states), &name, events.iter())
}

/// Returns an event with the UID of each of its dates.
fn event_json(pages: &Pages, kind: &Collection, event: &Entry) -> Json {
    let mut json = event.to_json(kind, FieldSelection::All);
    let days = icalendar::days(&json["schedule"]);
    let of_address = || PublicIds::of_address(&pages.snapshot.public_url, &event.id, &days);
    let ids = event.public_ids.clone().unwrap_or_else(of_address);
    json["uids"] = json!(ids.by_day());
    json
}

/// Returns the site's texts for a cancelled and for a sold-out event.
fn event_states(pages: &Pages) -> [String; 2] {
    ["cancelled", "soldOut"].map(|state| pages.snapshot.block_text("eventi.states", state))
}

fn calendar_of<'a>(pages: &'a Pages, [cancelled, sold_out]: &'a [String; 2]) -> icalendar::Of<'a> {
    icalendar::Of {
        site: &pages.snapshot.public_url,
        cancelled,
        sold_out,
    }
}

/// One group for all crawlers; a second one for those that collect training data, if the settings
/// refuse that. A crawler obeys only the group that names it (RFC 9309, section 2.2.1).
fn robots(site: &str, settings: &Settings) -> String {
    let mut refused = String::new();
    if settings.refuses_ai_training() {
        for (name, _) in TRAINING_CRAWLERS {
            let _ = writeln!(refused, "User-agent: {name}");
        }
        refused.push_str("Disallow: /\n\n");
    }
    format!(
        "User-agent: *\nDisallow: /admin\nDisallow: /api/\n\n{refused}\
         Sitemap: {site}/sitemap.xml\n"
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_content::Value;
    use respiro_content::settings::{AI_CITE_ONLY, AI_CRAWLERS, AI_NOTHING_SAID};

    const SITE: &str = "https://respiro.example.org";
    const UNCHANGED: &str = "User-agent: *\nDisallow: /admin\nDisallow: /api/\n\n\
                             Sitemap: https://respiro.example.org/sitemap.xml\n";

    fn answered(answer: &str) -> Settings {
        let mut settings = Settings::default();
        let value = Value::Text(answer.to_owned());
        settings.values.insert(AI_CRAWLERS.to_owned(), value);
        settings
    }

    #[test]
    fn robots_txt_names_no_ai_crawler_until_training_is_refused() {
        assert_eq!(robots(SITE, &Settings::default()), UNCHANGED);
        assert_eq!(robots(SITE, &answered(AI_NOTHING_SAID)), UNCHANGED);
        let refusing = robots(SITE, &answered(AI_CITE_ONLY));
        let groups: Vec<&str> = refusing.split("\n\n").collect();
        let [all, training, sitemap] = groups[..] else {
            panic!("{refusing}");
        };
        assert_eq!(format!("{all}\n\n{sitemap}"), UNCHANGED);
        let lines: Vec<&str> = training.lines().collect();
        assert_eq!(lines.first(), Some(&"User-agent: GPTBot"));
        assert_eq!(lines.last(), Some(&"Disallow: /"));
        assert_eq!(lines.len(), TRAINING_CRAWLERS.len() + 1);
    }

    /// Search engines and assistants that cite stay out of the table; every row has its source.
    #[test]
    fn the_crawlers_that_cite_are_not_refused() {
        for citing in [
            "OAI-SearchBot",
            "ChatGPT-User",
            "Claude-User",
            "PerplexityBot",
            "Googlebot",
            "Bingbot",
            "Applebot",
        ] {
            let mut rows = TRAINING_CRAWLERS.iter();
            let is_refused = rows.any(|(name, _)| name.eq_ignore_ascii_case(citing));
            assert!(!is_refused, "{citing}");
        }
        for (name, source) in TRAINING_CRAWLERS {
            assert!(source.starts_with("https://"), "{name}");
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            assert!(name.bytes().all(is_token), "{name}");
        }
    }
}
