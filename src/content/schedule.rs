//! Reads the free Italian date and time of an event, when they say one thing only.
//!
//! A date that is not understood gives no schedule: never a wrong date in a calendar.

use super::time::{MONTHS, rome};
use jiff::civil::{Date, DateTime, Time};

/// When an event is, in Italian time.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// RFC 3339 with offset, or a bare date when the time is not known.
    pub start: String,
    /// Only where the text says it: RFC 3339, or a bare date when it names a last day without hour.
    pub end: Option<String>,
    pub all_day: bool,
}

const WEEKDAYS: [&str; 7] = [
    "lunedì",
    "martedì",
    "mercoledì",
    "giovedì",
    "venerdì",
    "sabato",
    "domenica",
];

/// The schedule that `15 Settembre 2024` and `14:30` mean; `None` when either is not understood.
pub fn read(date_text: Option<&str>, time_text: Option<&str>) -> Option<Schedule> {
    let (first, last) = read_dates(&date_text?.to_lowercase())?;
    let Some(time_text) = time_text.filter(|text| !text.trim().is_empty()) else {
        let end = (last != first).then(|| last.to_string());
        return Some(Schedule {
            start: first.to_string(),
            end,
            all_day: true,
        });
    };
    let (from, to) = read_times(&time_text.to_lowercase())?;
    let start = first.to_datetime(from);
    let end = match to.map(|to| last.to_datetime(to)) {
        Some(end) if end <= start => return None,
        Some(end) => Some(in_rome(end)?),
        None => (last != first).then(|| last.to_string()),
    };
    Some(Schedule {
        start: in_rome(start)?,
        end,
        all_day: false,
    })
}

/// The last day that a date and a time mean, as [`read`] understands them: an event that ends
/// after midnight belongs to the day it is announced for.
pub fn last_day(date_text: Option<&str>, time_text: Option<&str>) -> Option<Date> {
    read(date_text, time_text)?;
    Some(read_dates(&date_text?.to_lowercase())?.1)
}

/// First and last day: `15 settembre 2024`, `sabato 6 marzo 2027`, `10-11 aprile 2027`,
/// `30 aprile - 2 maggio 2027`, `15/09/2024`.
fn read_dates(text: &str) -> Option<(Date, Date)> {
    let text = text.replace(['–', '—'], "-").replace(',', " ");
    if let Some(day) = read_numeric(text.trim()) {
        return Some((day, day));
    }
    let spaced = text.replace('-', " - ");
    let words: Vec<&str> = spaced
        .split_whitespace()
        .filter(|word| !WEEKDAYS.contains(word) && !matches!(*word, "dal" | "il" | "del"))
        .map(|word| {
            if word == "al" || word == "e" {
                "-"
            } else {
                word
            }
        })
        .collect();
    let range = match words.as_slice() {
        [day, month, year] => {
            let only = build(day, month, year)?;
            (only, only)
        }
        [from, "-", to, month, year] => (build(from, month, year)?, build(to, month, year)?),
        [from, month, "-", to, last_month, year] => {
            (build(from, month, year)?, build(to, last_month, year)?)
        }
        _ => return None,
    };
    (range.0 <= range.1).then_some(range)
}

fn read_numeric(text: &str) -> Option<Date> {
    let mut parts = text.split(['/', '.']);
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

fn build(day: &str, month: &str, year: &str) -> Option<Date> {
    let day = day.trim_end_matches(['º', '°']);
    let month = MONTHS.iter().position(|name| *name == month)?;
    let year: i16 = year
        .parse()
        .ok()
        .filter(|year| (1990..=2200).contains(year))?;
    Date::new(year, i8::try_from(month + 1).ok()?, day.parse().ok()?).ok()
}

/// `14:30`, `ore 14.30`, `9:30-17:30`, `dalle 9 alle 18`.
fn read_times(text: &str) -> Option<(Time, Option<Time>)> {
    let text = text.replace(['–', '—'], "-").replace('-', " - ");
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !matches!(*word, "ore" | "dalle" | "h" | "alle" | "-" | "circa"))
        .collect();
    match words.as_slice() {
        [from] => Some((clock(from)?, None)),
        [from, to] => Some((clock(from)?, Some(clock(to)?))),
        _ => None,
    }
}

fn clock(word: &str) -> Option<Time> {
    let (hour, minute) = word.split_once([':', '.']).unwrap_or((word, "00"));
    if hour.len() > 2 || minute.len() != 2 {
        return None;
    }
    Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

fn in_rome(moment: DateTime) -> Option<String> {
    let zoned = moment.to_zoned(rome()).ok()?;
    Some(zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_italian_date_and_time_is_understood_with_the_offset_of_its_season() {
        let winter = read(Some("15 Gennaio 2027"), Some("20:30")).unwrap();
        assert_eq!(winter.start, "2027-01-15T20:30:00+01:00");
        let summer = read(Some("domenica 15 Settembre 2024"), Some("ore 14.30")).unwrap();
        assert_eq!(summer.start, "2024-09-15T14:30:00+02:00");
        assert_eq!(summer.end, None);
    }

    #[test]
    fn a_range_of_days_or_hours_has_an_end() {
        let days = read(Some("10-11 Aprile 2027"), None).unwrap();
        assert_eq!((days.start.as_str(), days.all_day), ("2027-04-10", true));
        assert_eq!(days.end.as_deref(), Some("2027-04-11"));
        let hours = read(Some("6 Marzo 2027"), Some("9:30-17:30")).unwrap();
        assert_eq!(hours.end.as_deref(), Some("2027-03-06T17:30:00+01:00"));
        let months = read(Some("dal 30 aprile al 2 maggio 2027"), None).unwrap();
        assert_eq!(months.end.as_deref(), Some("2027-05-02"));
    }

    #[test]
    fn what_is_not_understood_gives_no_schedule() {
        for text in [
            "Ogni martedì di Febbraio 2027",
            "30 febbraio 2027",
            "presto",
            "",
            "2027",
        ] {
            assert_eq!(read(Some(text), Some("19:00")), None, "{text}");
        }
        for time in ["di sera", "25:00", "18:00-17:00", "9 10 11"] {
            assert_eq!(read(Some("6 Marzo 2027"), Some(time)), None, "{time}");
        }
    }
}
