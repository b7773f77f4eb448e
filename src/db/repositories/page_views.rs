//! The totals of visits, a row for each day, and whether visits are counted.

use crate::error::{Error, Result};
use crate::file_metadata::STATISTICS_OFF_KEY;
use crate::tables::{self, META, STATISTICS};
use crate::{Reader, Writer};
use jiff::civil::Date;
use respiro_content::Timestamp;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Pages of a day that are told apart, and pages that somebody pressed a contact on.
const PAGES_MAX: usize = 200;
/// Hosts of a day that are told apart.
const SOURCES_MAX: usize = 100;

/// The source of a visit that names none.
pub const DIRECT: &str = "";
/// Where everything beyond the limits is added up. No path and no host is written like this.
pub const OTHERS: &str = "*";

#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct DayTotals {
    pub views: u64,
    pub visitors: u64,
    /// Views by path.
    pub pages: BTreeMap<String, u64>,
    /// Arrivals by host.
    pub sources: BTreeMap<String, u64>,
    /// Presses on telephone, e-mail and messages by path.
    pub presses: BTreeMap<String, [u64; 3]>,
}

impl DayTotals {
    pub fn is_empty(&self) -> bool {
        self.views == 0 && self.visitors == 0 && self.presses.is_empty()
    }

    /// Adds the totals of another time.
    pub fn add(&mut self, other: &Self) {
        self.views = self.views.saturating_add(other.views);
        self.visitors = self.visitors.saturating_add(other.visitors);
        add_all(&mut self.pages, &other.pages);
        add_all(&mut self.sources, &other.sources);
        for (path, presses) in &other.presses {
            add_presses(self.presses.entry(path.clone()).or_default(), *presses);
        }
    }

    /// Keeps what was counted most, and the rest as one sum: a day's row stays small whatever
    /// strangers ask for and say they come from.
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

impl Reader<'_> {
    /// Every day with a visit, in their order.
    pub fn visits(&self) -> Result<Vec<(Date, DayTotals)>> {
        let rows = tables::records(self.tables, STATISTICS, b"")?;
        let rows = rows.into_iter();
        rows.map(|(key, totals)| Ok((date_of(&key)?, totals)))
            .collect()
    }

    pub fn visits_on(&self, date: Date) -> Result<Option<DayTotals>> {
        tables::record(self.tables, STATISTICS, date.to_string().as_bytes())
    }

    /// Since when visits are not counted; `None` while they are.
    pub fn uncounted_since(&self) -> Result<Option<Timestamp>> {
        let since: Option<Option<Timestamp>> =
            tables::record(self.tables, META, STATISTICS_OFF_KEY)?;
        Ok(since.flatten())
    }
}

impl Writer<'_> {
    pub fn put_visits_on(&mut self, date: Date, totals: &DayTotals) -> Result<()> {
        let key = date.to_string();
        tables::put(self.transaction, STATISTICS, key.as_bytes(), totals)
    }

    /// Removes the days before `first`; how many there were.
    pub fn remove_visits_before(&mut self, first: Date) -> Result<u64> {
        let mut removed = 0;
        for (date, _) in self.visits()? {
            if date < first {
                let key = date.to_string();
                self.transaction.remove(STATISTICS, key.as_bytes())?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// The privacy page says which it is.
    pub fn set_uncounted_since(&mut self, since: Option<Timestamp>) -> Result<()> {
        self.touched.site |= self.uncounted_since()?.is_some() != since.is_some();
        tables::put(self.transaction, META, STATISTICS_OFF_KEY, &since)
    }
}

/// Years have four digits: the order of keys is that of days.
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
