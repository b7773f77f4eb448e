//! Totals of page views, one row per day, and whether they are counted.

use super::Writable;
use crate::Reader;
use crate::error::{Error, Result};
use crate::file_metadata::STATISTICS_OFF_KEY;
use crate::tables::{self, META, STATISTICS};
use jiff::civil::Date;
use respiro_content::Timestamp;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Most pages per day with a count of their own, for views and for contact clicks.
const PAGES_MAX: usize = 200;
/// Most referring hosts per day with a count of their own.
const SOURCES_MAX: usize = 100;

/// Source of a visit without a referrer.
pub const DIRECT: &str = "";
/// Key of the sum of everything beyond the limits. No path and no host has this form.
pub const OTHERS: &str = "*";

#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct DayTotals {
    pub views: u64,
    pub visitors: u64,
    /// Views by path.
    pub pages: BTreeMap<String, u64>,
    /// Arrivals by host.
    pub sources: BTreeMap<String, u64>,
    /// Clicks on telephone, e-mail and message by path.
    pub presses: BTreeMap<String, [u64; 3]>,
}

impl DayTotals {
    pub fn is_empty(&self) -> bool {
        self.views == 0 && self.visitors == 0 && self.presses.is_empty()
    }

    /// Adds other totals.
    pub fn add(&mut self, other: &Self) {
        self.views = self.views.saturating_add(other.views);
        self.visitors = self.visitors.saturating_add(other.visitors);
        add_all(&mut self.pages, &other.pages);
        add_all(&mut self.sources, &other.sources);
        for (path, presses) in &other.presses {
            add_presses(self.presses.entry(path.clone()).or_default(), *presses);
        }
    }

    /// Keeps the highest counts and sums up the rest: a row stays small whatever paths and
    /// referrers clients send.
    pub fn bound(&mut self) {
        bound(
            &mut self.pages,
            PAGES_MAX,
            |count| *count,
            |sum, count| {
                *sum = sum.saturating_add(count);
            },
        );
        bound(
            &mut self.sources,
            SOURCES_MAX,
            |count| *count,
            |sum, count| {
                *sum = sum.saturating_add(count);
            },
        );
        let all = |presses: &[u64; 3]| presses.iter().sum();
        bound(&mut self.presses, PAGES_MAX, all, add_presses);
    }

    pub fn pressed(&self) -> [u64; 3] {
        let mut sum = [0; 3];
        for presses in self.presses.values() {
            add_presses(&mut sum, *presses);
        }
        sum
    }
}

fn add_presses(sum: &mut [u64; 3], presses: [u64; 3]) {
    for (sum, count) in sum.iter_mut().zip(presses) {
        *sum = sum.saturating_add(count);
    }
}

fn add_all(sums: &mut BTreeMap<String, u64>, counts: &BTreeMap<String, u64>) {
    for (name, count) in counts {
        let sum = sums.entry(name.clone()).or_default();
        *sum = sum.saturating_add(*count);
    }
}

fn bound<T: Copy + Default>(
    rows: &mut BTreeMap<String, T>,
    rows_max: usize,
    weight: impl Fn(&T) -> u64,
    add: impl Fn(&mut T, T),
) {
    if rows.len() <= rows_max {
        return;
    }
    let mut rest = rows.remove(OTHERS).unwrap_or_default();
    let mut ordered: Vec<(String, T)> = std::mem::take(rows).into_iter().collect();
    ordered.sort_by_key(|(_, row)| Reverse(weight(row)));
    for (_, row) in ordered.drain(rows_max - 1..) {
        add(&mut rest, row);
    }
    rows.extend(ordered);
    rows.insert(OTHERS.to_owned(), rest);
}

/// Totals of page views.
pub struct PageViews<'a>(pub(super) Reader<'a>);

impl PageViews<'_> {
    /// Returns the days with a visit, in order.
    pub fn list(&self) -> Result<Vec<(Date, DayTotals)>> {
        let rows = tables::records(self.0.tables, STATISTICS, b"")?;
        let rows = rows.into_iter();
        let by_day = rows.filter_map(|(key, totals)| Some((date_of(&key).ok()?, totals)));
        Ok(by_day.collect())
    }

    pub fn get(&self, date: Date) -> Result<Option<DayTotals>> {
        tables::record(self.0.tables, STATISTICS, date.to_string().as_bytes())
    }

    /// Since when page views are not counted; `None` while they are.
    pub fn uncounted_since(&self) -> Result<Option<Timestamp>> {
        let since: Option<Option<Timestamp>> =
            tables::readable_record(self.0.tables, META, STATISTICS_OFF_KEY)?;
        Ok(since.flatten())
    }
}

impl Writable<'_, '_, PageViews<'_>> {
    pub fn put(&mut self, date: Date, totals: &DayTotals) -> Result<()> {
        let key = date.to_string();
        tables::put(self.writer.transaction, STATISTICS, key.as_bytes(), totals)
    }

    /// Removes the days before `first` and returns their number.
    pub fn remove_before(&mut self, first: Date) -> Result<u64> {
        let mut removed = 0;
        for (date, _) in self.list()? {
            if date < first {
                let key = date.to_string();
                self.writer.transaction.remove(STATISTICS, key.as_bytes())?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Changes the site, because the privacy page says whether page views are counted.
    pub fn set_uncounted_since(&mut self, since: Option<Timestamp>) -> Result<()> {
        self.writer.touched.site |= self.uncounted_since()?.is_some() != since.is_some();
        tables::put(self.writer.transaction, META, STATISTICS_OFF_KEY, &since)
    }
}

/// Parses a key. Years have four digits, so keys sort by day.
pub(crate) fn date_of(key: &[u8]) -> Result<Date> {
    let date = std::str::from_utf8(key)
        .ok()
        .and_then(|key| key.parse().ok());
    date.ok_or_else(|| Error::Storage(format!("{} is no day of visits", key.escape_ascii())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_keeps_what_was_counted_most_and_loses_no_count() {
        let mut day = DayTotals::default();
        for number in 0..5_000_u64 {
            let one = DayTotals {
                views: 1,
                sources: [(format!("spam{number}.example"), 1)].into(),
                pages: [(format!("/evento/{number}"), 1)].into(),
                presses: [(format!("/evento/{number}"), [1, 0, 0])].into(),
                ..DayTotals::default()
            };
            day.add(&one);
            day.add(&DayTotals {
                sources: [("search.example".to_owned(), 2)].into(),
                ..DayTotals::default()
            });
            day.bound();
        }
        assert_eq!(day.sources.len(), SOURCES_MAX);
        assert_eq!(day.sources["search.example"], 10_000);
        assert_eq!(day.sources.values().sum::<u64>(), 15_000);
        assert_eq!(day.pages.len(), PAGES_MAX);
        assert_eq!(day.pages.values().sum::<u64>(), 5_000);
        assert_eq!(day.pressed(), [5_000, 0, 0]);
    }
}
