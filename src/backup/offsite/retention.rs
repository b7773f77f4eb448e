//! Retention calendar: keeps the copies of seven days, four weeks and twelve months.

use respiro_content::{Timestamp, time};
use std::collections::BTreeSet;

const DAYS: usize = 7;
const WEEKS: usize = 4;
const MONTHS: usize = 12;

/// Returns the newest of each of the last days, weeks and months that have any. `moments` is
/// sorted, newest first; its first is always kept.
pub fn kept(moments: &[Timestamp]) -> BTreeSet<Timestamp> {
    let mut kept = BTreeSet::new();
    let mut keep = |most: usize, period: &dyn Fn(Timestamp) -> (i16, i8, i8)| {
        let mut periods = BTreeSet::new();
        for at in moments {
            if periods.insert(period(*at)) {
                if periods.len() > most {
                    break;
                }
                kept.insert(*at);
            }
        }
    };
    keep(DAYS, &|at| {
        let day = time::day(at);
        (day.year(), day.month(), day.day())
    });
    keep(WEEKS, &|at| {
        let week = time::day(at).iso_week_date();
        (week.year(), week.week(), 0)
    });
    keep(MONTHS, &|at| {
        let day = time::day(at);
        (day.year(), day.month(), 0)
    });
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1000;

    #[test]
    fn seven_days_four_weeks_and_twelve_months_stay() {
        let newest = time::parse_rfc3339("2026-11-21T03:00:00Z").unwrap();
        let daily: Vec<Timestamp> = (0..800).map(|day| newest - day * DAY).collect();
        let kept = kept(&daily);
        assert!(kept.contains(&newest));
        assert!((0..7).all(|day| kept.contains(&(newest - day * DAY))));
        // 21 November is a Saturday: weeks end on the 15th, 8th and 1st; months on the 31st of
        // October and so on, eleven of them beside November.
        assert_eq!(kept.len(), 7 + 2 + 11, "{kept:?}");
        assert_eq!(super::kept(&[]).len(), 0);
        // Prune after each day: the number of kept copies never exceeds the limits.
        let mut held: Vec<Timestamp> = Vec::new();
        for day in (0..800).rev() {
            held.insert(0, newest - day * DAY);
            let keep = super::kept(&held);
            held.retain(|at| keep.contains(at));
            assert!(held.len() <= 7 + 4 + 12);
        }
        assert!(
            held.last()
                .is_some_and(|oldest| newest - oldest > 300 * DAY)
        );
    }

    #[test]
    fn copies_long_past_are_not_removed_while_no_newer_ones_come() {
        let old: Vec<Timestamp> = (0..5).map(|day| -day * DAY).collect();
        assert_eq!(kept(&old).len(), 5);
    }
}
