//! The line above every page: reads the days on which it appears and disappears.

use super::italian_dates;
use super::settings::{BANNER_FROM, BANNER_UNTIL};
use crate::FieldError;
use jiff::civil::Date;

const NOT_A_DAY: &str = "Non riesco a leggere il giorno: scrivi per esempio «1 agosto».";
const END_BEFORE_START: &str = "Questo giorno viene prima di quello di inizio.";
const OVER: &str = "Questo giorno è già passato: scegline uno dopo, oppure togli la riga.";

/// First and last day on which the line is shown; `None` for a side without a limit.
pub type BannerDays = [Option<Date>; 2];

/// Reads both days as typed on `today`; an empty text is no limit. Both are read as one range if
/// possible, so that `1 agosto` typed on 10 August with an end on 20 August is the past day. A
/// range in the first text stands for both: `dal 1 al 20 agosto`.
pub fn read_days(from: &str, until: &str, today: Date) -> Result<BannerDays, FieldError> {
    let refused = |name, message| Err(FieldError::new(name, message));
    let days = match (from, until) {
        ("", "") => [None, None],
        ("", until) => match range(until, today) {
            Some((_, last)) => [None, Some(last)],
            None => return refused(BANNER_UNTIL, NOT_A_DAY),
        },
        (from, until) => {
            let Some((first, end)) = range(from, today) else {
                return refused(BANNER_FROM, NOT_A_DAY);
            };
            if first != end {
                [Some(first), Some(end)]
            } else if until.is_empty() {
                [Some(first), None]
            } else {
                let joined = range(&format!("dal {from} al {until}"), today);
                let days = joined.or_else(|| Some((first, range(until, today)?.1)));
                let Some((first, last)) = days else {
                    return refused(BANNER_UNTIL, NOT_A_DAY);
                };
                [Some(first), Some(last)]
            }
        }
    };
    match days {
        [Some(first), Some(last)] if last < first => refused(BANNER_UNTIL, END_BEFORE_START),
        [_, Some(last)] if last < today => refused(BANNER_UNTIL, OVER),
        days => Ok(days),
    }
}

/// Returns the first and the last day that a text names.
fn range(text: &str, today: Date) -> Option<(Date, Date)> {
    let reading = italian_dates::read(text, today);
    // A time of day would be lost.
    let days = reading.days.filter(|_| reading.time.is_none())?;
    Some((days.first()?.0, days.last()?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date::constant(2026, 8, 10);

    fn read(from: &str, until: &str) -> Result<[String; 2], String> {
        let days = read_days(from, until, TODAY).map_err(|error| error.field)?;
        Ok(days.map(|day| day.map_or_else(String::new, |day| day.to_string())))
    }

    #[test]
    fn days_are_read_as_people_write_them() {
        for (from, until, expected) in [
            ("", "", ["", ""]),
            ("1 agosto", "20 agosto", ["2026-08-01", "2026-08-20"]),
            ("dal 1 al 20 agosto", "", ["2026-08-01", "2026-08-20"]),
            (
                "dal 1 al 20 settembre",
                "3 maggio",
                ["2026-09-01", "2026-09-20"],
            ),
            ("24 dicembre", "6 gennaio", ["2026-12-24", "2027-01-06"]),
            (
                "1 agosto 2026",
                "20 agosto 2026",
                ["2026-08-01", "2026-08-20"],
            ),
            ("20/12", "", ["2026-12-20", ""]),
            ("", "20 agosto", ["", "2026-08-20"]),
            ("11 agosto", "11 agosto", ["2026-08-11", "2026-08-11"]),
        ] {
            let expected = Ok(expected.map(str::to_owned));
            assert_eq!(read(from, until), expected, "{from} {until}");
        }
    }

    #[test]
    fn a_day_that_is_not_understood_over_or_before_the_start_is_refused() {
        for (from, until, field) in [
            ("presto", "", BANNER_FROM),
            ("", "presto", BANNER_UNTIL),
            ("1 agosto", "presto", BANNER_UNTIL),
            ("31 febbraio", "", BANNER_FROM),
            ("20 agosto 2026 ore 9", "", BANNER_FROM),
            ("20 agosto 2027", "1 agosto 2027", BANNER_UNTIL),
            ("", "9 agosto 2026", BANNER_UNTIL),
        ] {
            assert_eq!(read(from, until), Err(field.to_owned()), "{from} {until}");
        }
    }
}
