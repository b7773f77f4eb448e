//! Checks of a newsletter before it is sent.

use jiff::civil::Date;
use respiro_content::markdown::Survey;
use respiro_content::{COLLECTIONS, Entry, Item, Settings, Snapshot};

/// Parts of Italian words that read like a medical promise.
const CLAIMS: [&str; 6] = ["cura ", "cure ", "curare", "guarigion", "guarire", "terapi"];

/// Characters of a subject that a phone shows. The form names the same number.
const SUBJECT_CHARACTERS_SHOWN: usize = 45;

/// Returns the codes of the faults that prevent sending.
pub fn faults(item: &Item, survey: &Survey, settings: &Settings) -> Vec<&'static str> {
    let is_empty = |name: &str| item.text(name).is_none();
    let checks = [
        ("noSubject", is_empty("title")),
        ("noBody", is_empty("content")),
        (
            "brokenLink",
            survey.links.iter().any(|link| is_broken(link)),
        ),
        ("foreignImage", survey.has_foreign_picture),
        ("noAddress", settings.text("address").is_none()),
    ];
    found(&checks)
}

/// Returns the codes of warnings that the practitioner should read before sending.
pub fn notes(
    item: &Item,
    survey: &Survey,
    published: &Snapshot,
    (is_tested, today): (bool, Date),
) -> Vec<&'static str> {
    let links: Vec<Option<Named<'_>>> = survey
        .links
        .iter()
        .map(|link| named(link, published))
        .collect();
    let is_past = |link: &Option<Named<'_>>| match link {
        Some(Named::Published(entry)) => entry.is_past(today),
        _ => false,
    };
    let is_missing = |link: &Option<Named<'_>>| matches!(link, Some(Named::Missing));
    let checks = [
        ("alt", survey.has_silent_picture),
        ("noTest", !is_tested),
        (
            "longSubject",
            item.text("title")
                .is_some_and(|title| title.chars().count() > SUBJECT_CHARACTERS_SHOWN),
        ),
        ("pastEvent", links.iter().any(is_past)),
        ("unpublished", links.iter().any(is_missing)),
        ("claim", claims(item)),
    ];
    found(&checks)
}

fn found(checks: &[(&'static str, bool)]) -> Vec<&'static str> {
    let found = checks.iter().filter(|(_, is_so)| *is_so);
    found.map(|(code, _)| *code).collect()
}

/// Returns whether a link is neither a path of this site nor a complete address.
fn is_broken(link: &str) -> bool {
    let is_local = link.starts_with('/') && !link.starts_with("//");
    let known = ["https://", "http://", "mailto:", "tel:", "#messaggio"];
    !is_local && !known.iter().any(|start| link.starts_with(start))
}

/// The page of this site that a link leads to.
enum Named<'a> {
    Published(&'a Entry),
    Missing,
}

fn named<'a>(link: &str, published: &'a Snapshot) -> Option<Named<'a>> {
    let path = link.strip_prefix(&published.public_url).unwrap_or(link);
    for collection in COLLECTIONS {
        let Some(page) = collection.page else {
            continue;
        };
        let key = path.strip_prefix(page.prefix);
        let Some(key) = key.filter(|key| !key.is_empty() && !key.contains('/')) else {
            continue;
        };
        let key = key.split(['?', '#']).next().unwrap_or(key);
        let mut entries = published.published(collection).iter();
        let entry = entries.find(|entry| entry.page_key(collection) == Some(key));
        return Some(entry.map_or(Named::Missing, |entry| Named::Published(entry)));
    }
    None
}

fn claims(item: &Item) -> bool {
    let texts = ["title", "preheader", "content"];
    let mut texts = texts.iter().filter_map(|name| item.text(name));
    texts.any(|text| {
        let text = format!("{} ", text.to_lowercase());
        CLAIMS.iter().any(|claim| text.contains(claim))
    })
}
