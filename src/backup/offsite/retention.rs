//! Retention rules of off-site backups, as one function.

use super::BackupKind;
use respiro_content::{Timestamp, time};
use std::collections::BTreeSet;

const HOUR_MILLISECONDS: i64 = 60 * 60 * 1000;
const DAY_MILLISECONDS: i64 = 24 * HOUR_MILLISECONDS;
const DAYS: usize = 7;
const WEEKS: usize = 4;
const MONTHS: usize = 12;
/// A backup that a person made is kept at least this long.
const BY_COMMAND_MILLISECONDS_MIN: i64 = 30 * DAY_MILLISECONDS;
/// Delta backups are kept this long, one an hour.
const DELTA_MILLISECONDS_MAX: i64 = 2 * DAY_MILLISECONDS;

/// A backup as the retention rules see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub kind: BackupKind,
    pub made_at: Timestamp,
    /// Whether a person made it by command.
    pub is_by_command: bool,
}

/// Returns the indices of the backups to keep, of `all`, sorted newest first:
///
/// - of full backups the newest of each of the last seven days, four weeks and twelve months that
///   have any, and those that a person made, for 30 days;
/// - of delta backups the newest of each hour, for two days;
/// - always the newest of each kind.
pub fn kept(all: &[Candidate], now: Timestamp) -> BTreeSet<usize> {
    let of_kind = |kind: BackupKind| {
        let numbered = all.iter().enumerate();
        let of_kind = numbered.filter(move |(_, candidate)| candidate.kind == kind);
        of_kind.map(|(index, candidate)| (index, *candidate))
    };
    let full: Vec<(usize, Candidate)> = of_kind(BackupKind::Full).collect();
    let deltas: Vec<(usize, Candidate)> = of_kind(BackupKind::Delta).collect();
    let mut kept = BTreeSet::new();
    kept.extend(
        full.first()
            .into_iter()
            .chain(deltas.first())
            .map(|one| one.0),
    );
    for (most, period) in CALENDAR {
        kept.extend(newest_of_each(&full, period).take(*most));
    }
    let age = |candidate: &Candidate| now.saturating_sub(candidate.made_at);
    let by_command = full.iter().filter(|(_, candidate)| {
        candidate.is_by_command && age(candidate) < BY_COMMAND_MILLISECONDS_MIN
    });
    kept.extend(by_command.map(|(index, _)| *index));
    let recent = deltas
        .into_iter()
        .filter(|(_, candidate)| age(candidate) < DELTA_MILLISECONDS_MAX);
    let recent: Vec<_> = recent.collect();
    kept.extend(newest_of_each(&recent, &hour));
    kept
}

type Period = (i64, i64, i64);
/// Number of periods, and what tells two of them apart.
type Rule = (usize, fn(Timestamp) -> Period);

const CALENDAR: &[Rule] = &[(DAYS, day), (WEEKS, week), (MONTHS, month)];

fn hour(at: Timestamp) -> Period {
    (at.div_euclid(HOUR_MILLISECONDS), 0, 0)
}

fn day(at: Timestamp) -> Period {
    let day = time::day(at);
    (day.year().into(), day.month().into(), day.day().into())
}

fn week(at: Timestamp) -> Period {
    let week = time::day(at).iso_week_date();
    (week.year().into(), week.week().into(), 0)
}

fn month(at: Timestamp) -> Period {
    let day = time::day(at);
    (day.year().into(), day.month().into(), 0)
}

/// Returns the index of the first backup of each period.
fn newest_of_each(
    sorted: &[(usize, Candidate)],
    period: &dyn Fn(Timestamp) -> Period,
) -> impl Iterator<Item = usize> {
    let mut periods = BTreeSet::new();
    let is_first = |(_, candidate): &&(usize, Candidate)| periods.insert(period(candidate.made_at));
    let first: Vec<usize> = sorted
        .iter()
        .filter(is_first)
        .map(|(index, _)| *index)
        .collect();
    first.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = DAY_MILLISECONDS;
    const HOUR: i64 = HOUR_MILLISECONDS;

    fn at(text: &str) -> Timestamp {
        time::parse_rfc3339(text).unwrap()
    }

    fn full(made_at: Timestamp) -> Candidate {
        Candidate {
            kind: BackupKind::Full,
            made_at,
            is_by_command: false,
        }
    }

    fn kept_times(all: &[Candidate], now: Timestamp) -> BTreeSet<Timestamp> {
        let kept = kept(all, now).into_iter();
        kept.map(|index| all[index].made_at).collect()
    }

    /// Regression: a backup by command went with the next one of the same day, and only the last
    /// four delta backups stayed, so that `--at` a moment between two of them found none.
    #[test]
    fn the_rules_keep_these_backups() {
        use BackupKind::{Delta, Full};
        let now = "2026-11-21T12:00:00Z";
        // Kind, whether by command, time, whether kept. Newest first.
        let table: &[(BackupKind, bool, &str, bool)] = &[
            (Delta, false, "2026-11-21T11:59:00Z", true),
            (Delta, false, "2026-11-21T11:10:00Z", false),
            (Delta, false, "2026-11-21T10:59:59Z", true),
            (Delta, false, "2026-11-21T10:00:00Z", false),
            (Full, false, "2026-11-21T09:00:00Z", true),
            (Full, true, "2026-11-21T08:00:00Z", true),
            (Full, false, "2026-11-21T07:00:00Z", false),
            (Full, true, "2026-11-21T06:00:00Z", true),
            (Delta, false, "2026-11-20T23:30:00Z", true),
            (Full, false, "2026-11-20T09:00:00Z", true),
            (Delta, false, "2026-11-19T12:00:01Z", true),
            (Delta, false, "2026-11-19T12:00:00Z", false),
            (Delta, false, "2026-11-18T12:00:00Z", false),
            (Full, false, "2026-11-15T09:00:00Z", true),
            (Full, true, "2026-10-22T12:00:01Z", true),
            (Full, true, "2026-10-22T12:00:00Z", false),
        ];
        let all = table
            .iter()
            .map(|(kind, is_by_command, made, _)| Candidate {
                kind: *kind,
                made_at: at(made),
                is_by_command: *is_by_command,
            });
        let all: Vec<Candidate> = all.collect();
        let kept = kept(&all, at(now));
        for (index, (kind, _, made, is_kept)) in table.iter().enumerate() {
            assert_eq!(kept.contains(&index), *is_kept, "{kind:?} {made}");
        }
    }

    #[test]
    fn seven_days_four_weeks_and_twelve_months_stay() {
        let newest = at("2026-11-21T03:00:00Z");
        let daily: Vec<Candidate> = (0..800).map(|day| full(newest - day * DAY)).collect();
        let kept = kept_times(&daily, newest);
        assert!((0..7).all(|day| kept.contains(&(newest - day * DAY))));
        // 21 November is a Saturday: weeks end on the 15th, 8th and 1st; months on the 31st of
        // October and so on, eleven of them beside November.
        assert_eq!(kept.len(), 7 + 2 + 11, "{kept:?}");
        assert!(super::kept(&[], newest).is_empty());
        // Prune after each day: the number of kept backups never exceeds the limits.
        let mut held: Vec<Candidate> = Vec::new();
        for day in (0..800).rev() {
            held.insert(0, full(newest - day * DAY));
            let keep = kept_times(&held, newest - day * DAY);
            held.retain(|one| keep.contains(&one.made_at));
            assert!(held.len() <= 7 + 4 + 12);
        }
        let oldest = held.last().unwrap().made_at;
        assert!(newest - oldest > 300 * DAY);
    }

    /// A delta backup every minute for three days.
    #[test]
    fn delta_backups_stay_one_an_hour_for_two_days() {
        let newest = at("2026-11-21T12:30:00Z");
        let mut held: Vec<Candidate> = Vec::new();
        for minute in (0..3 * 24 * 60).rev() {
            let made_at = newest - minute * 60_000;
            held.insert(
                0,
                Candidate {
                    kind: BackupKind::Delta,
                    ..full(made_at)
                },
            );
            let keep = kept_times(&held, made_at);
            held.retain(|one| keep.contains(&one.made_at));
        }
        assert_eq!(held.len(), 49);
        assert!(held.iter().all(|one| newest - one.made_at < 48 * HOUR));
    }

    #[test]
    fn backups_long_past_are_not_removed_while_no_newer_ones_come() {
        let old: Vec<Candidate> = (0..5).map(|day| full(-day * DAY)).collect();
        assert_eq!(kept(&old, at("2026-11-21T12:00:00Z")).len(), 5);
        let delta = Candidate {
            kind: BackupKind::Delta,
            ..full(0)
        };
        assert_eq!(kept(&[delta], at("2026-11-21T12:00:00Z")).len(), 1);
    }
}
