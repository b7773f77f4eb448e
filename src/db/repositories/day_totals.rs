//! The totals of one day: all that is ever stored of visits.

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
