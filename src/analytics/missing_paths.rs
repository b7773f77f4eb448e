//! Addresses that visitors sought and that the site does not have: counted without anything about
//! the visitors, so that the admin can redirect the ones that matter.

use jiff::civil::Date;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Most addresses that are kept; those with the fewest requests are evicted first.
pub const MISSING_PATHS_MAX: usize = 200;
const PATH_CHARACTERS_MAX: usize = 200;
/// An address without a request for this long is dropped.
const DAYS_MAX: i32 = 180;
/// Longer segments with digits are tokens of personal links rather than names of pages.
const TOKEN_CHARACTERS_MIN: usize = 30;
/// More digits in a row are a telephone number.
const DIGITS_MAX: usize = 8;
/// Endings of pages and documents. Programs that look for weaknesses ask for others.
const ENDINGS: &[&str] = &["html", "htm", "pdf"];

/// How often an address was sought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sought {
    pub count: u64,
    /// The last day in Italy, stored as `2026-11-28`.
    #[serde(serialize_with = "write_day", deserialize_with = "read_day")]
    pub last_day: Date,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape that serde wants"
)]
fn write_day<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(day)
}

fn read_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

/// Addresses that were sought and not found, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MissingPaths(BTreeMap<String, Sought>);

impl MissingPaths {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Counts an address; ignores one that may name a person, or that only programs ask for.
    pub fn add(&mut self, path: &str, today: Date) {
        if let Some(path) = normalized(path) {
            self.count(path, 1, today);
            self.bound(2 * MISSING_PATHS_MAX);
        }
    }

    /// Adds the counts of `other`, and drops old addresses and those beyond the limit.
    pub fn merge(&mut self, other: &Self, today: Date) {
        for (path, sought) in &other.0 {
            self.count(path.clone(), sought.count, sought.last_day);
        }
        let is_recent = |sought: &Sought| (today - sought.last_day).get_days() <= DAYS_MAX;
        self.0.retain(|_, sought| is_recent(sought));
        self.bound(MISSING_PATHS_MAX);
    }

    /// The addresses, the most sought first.
    pub fn ranked(&self) -> Vec<(&str, &Sought)> {
        let mut rows: Vec<_> = self
            .0
            .iter()
            .map(|(path, sought)| (&**path, sought))
            .collect();
        rows.sort_by_key(|(_, sought)| Reverse((sought.count, sought.last_day)));
        rows
    }

    fn count(&mut self, path: String, count: u64, day: Date) {
        let row = self.0.entry(path).or_insert(Sought {
            count: 0,
            last_day: day,
        });
        row.count = row.count.saturating_add(count);
        row.last_day = row.last_day.max(day);
    }

    fn bound(&mut self, rows_max: usize) {
        while self.0.len() > rows_max {
            let weight = |(_, sought): &(&String, &Sought)| (sought.count, sought.last_day);
            let Some(least) = self
                .0
                .iter()
                .min_by_key(weight)
                .map(|(path, _)| path.clone())
            else {
                return;
            };
            self.0.remove(&least);
        }
    }
}

/// Returns the path in the form of the table of redirects: in lower case, without a slash at its
/// end. `None` for one that is not kept.
fn normalized(path: &str) -> Option<String> {
    let path = path.strip_suffix('/').unwrap_or(path);
    let is_odd = |sign: char| sign.is_control() || sign.is_whitespace() || "@{}<>\\".contains(sign);
    if path.chars().count() > PATH_CHARACTERS_MAX || path.contains("//") || path.contains(is_odd) {
        return None;
    }
    let mut segments = path.strip_prefix('/')?.split('/');
    segments.clone().all(is_name).then_some(())?;
    let ending = segments
        .next_back()?
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_lowercase());
    let is_page = ending.is_none_or(|ending| ENDINGS.contains(&ending.as_str()));
    is_page.then(|| path.to_lowercase())
}

fn is_name(segment: &str) -> bool {
    let digits = segment.split(|sign: char| !sign.is_ascii_digit());
    let is_number = digits.map(str::len).max() > Some(DIGITS_MAX);
    let has_digit = segment.contains(|sign: char| sign.is_ascii_digit());
    let is_mixed = !segment.contains('-') || segment.contains(char::is_uppercase);
    let is_token = segment.len() >= TOKEN_CHARACTERS_MIN && has_digit && is_mixed;
    let is_of_program = segment.starts_with('.') || segment.to_lowercase().starts_with("wp-");
    !segment.is_empty() && !is_number && !is_token && !is_of_program
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date::constant(2026, 11, 28);

    #[test]
    fn golden_note_of_missing_paths() {
        let mut missing = MissingPaths::default();
        missing.add("/Chi-siamo/", TODAY);
        missing.add("/chi-siamo", TODAY);
        let json = serde_json::to_string(&missing).unwrap();
        assert_eq!(json, r#"{"/chi-siamo":{"count":2,"lastDay":"2026-11-28"}}"#);
        assert_eq!(
            serde_json::from_str::<MissingPaths>(&json).unwrap(),
            missing
        );
    }

    #[test]
    fn an_address_that_names_a_person_or_that_programs_try_is_not_kept() {
        for path in [
            "/corsi/respiro-2019",
            "/evento/abcdefghijklmnop234567abcd",
            "/listino.pdf",
            "/perché",
            "/una-pagina-dal-titolo-molto-lungo-del-2019",
        ] {
            assert!(normalized(path).is_some(), "{path}");
        }
        for path in [
            "/",
            "",
            "x",
            "/a//b",
            "/anna@example.com",
            "/tel/3331234567",
            "/.env",
            "/.git/config",
            "/wp-login.php",
            "/wp-admin",
            "/index.php",
            "/a b",
            "/x/aB3dEfGhIjKlMnOpQrStUvWxYz0123456789-_abc",
            "/x/0123456789abcdef0123456789abcdef",
            "/{key}",
            &format!("/{}", "a".repeat(200)),
        ] {
            assert_eq!(normalized(path), None, "{path}");
        }
    }

    #[test]
    fn whoever_asks_for_many_addresses_drives_out_none_that_is_sought_often() {
        let mut missing = MissingPaths::default();
        for _ in 0..3 {
            missing.add("/vecchia-pagina", TODAY);
        }
        for number in 0..5_000 {
            missing.add(&format!("/a{number}"), TODAY);
        }
        assert!(missing.0.len() <= 2 * MISSING_PATHS_MAX);
        let mut stored = MissingPaths::default();
        stored.merge(&missing, TODAY);
        assert_eq!(stored.0.len(), MISSING_PATHS_MAX);
        assert_eq!(stored.ranked()[0].0, "/vecchia-pagina");
        stored.merge(&MissingPaths::default(), Date::constant(2027, 5, 27));
        assert_eq!(stored.0.len(), MISSING_PATHS_MAX);
        stored.merge(&MissingPaths::default(), Date::constant(2027, 5, 28));
        assert!(
            stored.is_empty(),
            "sought for the last time half a year ago"
        );
    }
}
