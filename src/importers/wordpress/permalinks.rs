//! Computes the slugs of imported posts and the former paths that redirect to them.

use super::html::limit_attributes;
use super::options::ImportOptions;
use super::wxr::{Entry, Export};
use crate::{Error, Result};
use html5gum::{Token, Tokenizer};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization as _;

const SLUG_CHARACTERS_MAX: usize = 100;
const ADDRESS_BYTES_MAX: usize = 1_000;

fn is_article(entry: &Entry) -> bool {
    entry.sort == "post"
        && !entry.has_password
        && !matches!(entry.status.as_str(), "trash" | "auto-draft" | "private")
}

/// Returns the slug of each post by its index in the export; skipped posts have none.
pub fn slugs(export: &Export, options: &ImportOptions<'_>) -> Result<BTreeMap<usize, String>> {
    // The last suffix used for each slug: trying from 2 for every post is quadratic when thousands
    // share a title.
    let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
    let mut known = BTreeSet::new();
    let mut slugs = BTreeMap::new();
    for (place, entry) in export.entries.iter().enumerate() {
        if !is_article(entry) {
            continue;
        }
        let bare = slug_of(entry);
        if options.existing_slugs.contains(&bare) {
            if options.skip_existing {
                continue;
            }
            return Err(Error::SlugTaken { slug: bare });
        }
        let mut slug = bare.clone();
        let number = wanted.entry(bare.clone()).or_insert(1);
        while known.contains(&slug) || options.existing_slugs.contains(&slug) {
            *number += 1;
            slug = format!("{bare}-{number}");
        }
        known.insert(slug.clone());
        slugs.insert(place, slug);
    }
    Ok(slugs)
}

/// Derives the slug from the WordPress slug or else from the title, with accents removed.
fn slug_of(entry: &Entry) -> String {
    let name = percent_decode_str(&entry.name).decode_utf8_lossy();
    let title = plain(&entry.title);
    let made = [name.as_ref(), title.as_str()].map(|text| {
        let bare: String = text.nfkd().filter(char::is_ascii).collect();
        let bare = bare.to_ascii_lowercase();
        let words = bare.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let mut slug = words.join("-");
        slug.truncate(SLUG_CHARACTERS_MAX);
        slug.trim_end_matches('-').to_owned()
    });
    let found = made
        .into_iter()
        .find(|slug| !slug.is_empty() && slug != "404");
    found.unwrap_or_else(|| format!("articolo-{}", entry.id.trim().parse::<u64>().unwrap_or(1)))
}

/// Maps the former paths of all imported posts to their paths on this site.
pub fn addresses(export: &Export, slugs: &BTreeMap<usize, String>) -> BTreeMap<String, String> {
    let mut addresses = BTreeMap::new();
    for (place, slug) in slugs {
        let Some(entry) = export.entries.get(*place) else {
            continue;
        };
        for path in former_paths(entry) {
            addresses.insert(path, format!("/blog/{slug}"));
        }
    }
    addresses
}

/// Returns all former paths of a post: its permalink, those with former slugs, and `/?p=id`.
pub fn former_paths(entry: &Entry) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    if let Ok(number) = entry.id.parse::<u64>() {
        paths.insert(format!("/?p={number}"));
    }
    let Some(own) = path_of(&entry.link).filter(|path| !path.contains('?') && path != "/") else {
        return paths;
    };
    let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
    for name in &entry.former_names {
        let name = percent_decode_str(name).decode_utf8_lossy();
        if !name.is_empty() && !name.contains(['/', '?']) && !name.contains(char::is_control) {
            paths.insert(format!("{folder}/{name}"));
        }
    }
    paths.insert(own);
    paths
}

/// Returns the decoded path of a URL without a trailing slash. Keeps the query only in `/?p=id`.
pub fn path_of(address: &str) -> Option<String> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = &rest[rest.find('/')?..];
    let path = path.split('#').next().unwrap_or_default();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let is_fit = path.len() <= ADDRESS_BYTES_MAX && !path.contains(char::is_control);
    let bare = path.trim_end_matches('/');
    let found = match query.strip_prefix("p=") {
        Some(number) if bare.is_empty() => {
            format!("/?p={}", number.split('&').next()?.parse::<u64>().ok()?)
        }
        _ if bare.is_empty() => "/".to_owned(),
        _ => bare.to_owned(),
    };
    is_fit.then_some(found)
}

/// Returns the text of `html` on one line.
pub fn plain(html: &str) -> String {
    let mut text = String::new();
    let limited = limit_attributes(html);
    for token in Tokenizer::new(limited.as_ref()) {
        match token {
            Ok(Token::String(part)) => text.push_str(&String::from_utf8_lossy(&part.value)),
            Ok(_) => text.push(' '),
        }
    }
    let text = text.replace(char::is_control, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: suffixes were tried from 2 for each post; an export of 16 MB took an hour.
    #[test]
    fn a_hundred_thousand_articles_of_one_title_have_addresses_at_once() {
        let entry = Entry {
            sort: "post".to_owned(),
            status: "publish".to_owned(),
            title: "Uno".to_owned(),
            ..Entry::default()
        };
        let second = Entry {
            title: "Uno 2".to_owned(),
            ..entry.clone()
        };
        let mut entries = vec![second];
        entries.extend(std::iter::repeat_n(entry, 100_000));
        let export = Export {
            entries,
            ..Export::default()
        };
        let options = ImportOptions {
            categories: BTreeMap::new(),
            default_category: "Benessere",
            existing_slugs: BTreeSet::from(["uno-3".to_owned()]),
            skip_existing: false,
            now: 0,
            program: None,
        };
        let slugs = slugs(&export, &options).unwrap();
        let given = |place: usize| slugs[&place].as_str();
        assert_eq!(
            [given(0), given(1), given(2), given(3)],
            ["uno-2", "uno", "uno-4", "uno-5"]
        );
        assert_eq!(slugs.values().collect::<BTreeSet<_>>().len(), 100_001);
    }
}
