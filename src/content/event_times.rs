//! Parses the free-text Italian date and time of an event into a schedule.
//!
//! Text that is ambiguous or not understood yields no schedule: a missing calendar entry is better
//! than a wrong date.

use super::date_questions::Question;
use super::italian_dates::{self, Days};
use super::italian_times::{self, Clock, MIDNIGHT, NOON, TimeReading, Times};
use super::time::rome_time_zone;
use jiff::civil::Date;
use jiff::{ToSpan as _, Zoned};

/// The occurrences of an event, in Italian local time.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// The first occurrence.
    #[serde(flatten)]
    pub first: Occurrence,
    pub all_day: bool,
    /// The later occurrences, in chronological order.
    pub others: Vec<Occurrence>,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Occurrence {
    /// RFC 3339 with offset, or a bare date when the text gives no time.
    pub start: String,
    /// `Some` only when the text states an end: RFC 3339, or a bare date for a last day without a
    /// time.
    pub end: Option<String>,
}

/// How the date and the time of an event were understood.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Understanding {
    /// `None` when the date or the time is not understood.
    pub schedule: Option<Schedule>,
    /// Tells whether the time alone is to blame for a missing schedule.
    pub date_understood: bool,
    pub questions: Vec<Question>,
}

/// Parses a date such as `15 Settembre 2024` or `sab 12/12` and a time such as `14:30` or `8 di
/// sera`. A date without a year is resolved from `written`, the day on which the text was entered.
pub fn understand(
    date_text: Option<&str>,
    time_text: Option<&str>,
    written: Date,
) -> Understanding {
    let date = italian_dates::read(date_text.unwrap_or_default(), written);
    let mut questions = date.questions;
    let time_text = time_text
        .filter(|text| !text.trim().is_empty())
        .or(date.time);
    let time = match time_text {
        None => Some(TimeReading::default()),
        Some(text) => italian_times::read(text),
    };
    let schedule = match (&date.days, &time) {
        (Some(days), Some(time)) => schedule(days, time.times),
        _ => None,
    };
    if date.days.is_some() {
        questions.extend(time.and_then(|time| time.question));
    }
    Understanding {
        schedule,
        date_understood: date.days.is_some(),
        questions,
    }
}

/// Returns the schedule alone; `None` when the date or the time is not understood.
pub fn read(date_text: Option<&str>, time_text: Option<&str>, written: Date) -> Option<Schedule> {
    understand(date_text, time_text, written).schedule
}

fn schedule(days: &[Days], times: Option<Times>) -> Option<Schedule> {
    let occurrences = days.iter().map(|days| occurrence(*days, times));
    let mut occurrences = occurrences.collect::<Option<Vec<_>>>()?.into_iter();
    Some(Schedule {
        first: occurrences.next()?,
        all_day: times.is_none(),
        others: occurrences.collect(),
    })
}

/// Moves the end to the next day if the event starts after noon and ends by noon; rejects any other
/// end before the start as a typing error.
fn occurrence((first, last): Days, times: Option<Times>) -> Option<Occurrence> {
    let last_day = (last != first).then(|| last.to_string());
    let Some((from, to)) = times else {
        return Some(Occurrence {
            start: first.to_string(),
            end: last_day,
        });
    };
    let start = in_rome(first, from)?;
    let is_night = first == last && from >= NOON && to.is_some_and(|to| to <= NOON && to < from);
    let night = if is_night { MIDNIGHT } else { 0 };
    let end = match to {
        Some(to) => Some(in_rome(last, to + night)?),
        None => None,
    };
    if end.as_ref().is_some_and(|end| *end <= start) {
        return None;
    }
    Some(Occurrence {
        start: rfc3339(&start),
        end: end.map_or(last_day, |end| Some(rfc3339(&end))),
    })
}

/// Returns the last day that the date text names, even if the time is not understood. An event that
/// ends after midnight belongs to the day for which it is announced.
pub fn last_day(date_text: Option<&str>, written: Date) -> Option<Date> {
    let days = italian_dates::read(date_text?, written).days?;
    days.last().map(|(_, last)| *last)
}

/// Converts a wall-clock time, so that the hour stays as written in the night of a DST change.
fn in_rome(day: Date, clock: Clock) -> Option<Zoned> {
    let moment = day.at(0, 0, 0, 0).checked_add(clock.minutes()).ok()?;
    moment.to_zoned(rome_time_zone()).ok()
}

fn rfc3339(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::super::{QuestionCode, QuestionField};
    use super::*;

    const WRITTEN: Date = Date::constant(2026, 11, 22);

    fn read(date: Option<&str>, time: Option<&str>) -> Option<Schedule> {
        super::read(date, time, WRITTEN)
    }

    #[test]
    fn a_plain_italian_date_and_time_is_understood_with_the_offset_of_its_season() {
        let winter = read(Some("15 Gennaio 2027"), Some("20:30")).unwrap();
        assert_eq!(winter.first.start, "2027-01-15T20:30:00+01:00");
        let summer = read(Some("domenica 15 Settembre 2024"), Some("ore 14.30")).unwrap();
        assert_eq!(summer.first.start, "2024-09-15T14:30:00+02:00");
        assert_eq!(summer.first.end, None);
    }

    #[test]
    fn a_range_of_days_or_hours_has_an_end() {
        let days = read(Some("10-11 Aprile 2027"), None).unwrap();
        assert_eq!(
            (days.first.start.as_str(), days.all_day),
            ("2027-04-10", true)
        );
        assert_eq!(days.first.end.as_deref(), Some("2027-04-11"));
        let hours = read(Some("6 Marzo 2027"), Some("9:30-17:30")).unwrap();
        assert_eq!(
            hours.first.end.as_deref(),
            Some("2027-03-06T17:30:00+01:00")
        );
        let months = read(Some("dal 30 aprile al 2 maggio 2027"), None).unwrap();
        assert_eq!(months.first.end.as_deref(), Some("2027-05-02"));
    }

    #[test]
    fn what_is_not_understood_gives_no_schedule() {
        for text in [
            "Ogni secondo martedì di Febbraio 2027",
            "Ogni martedì",
            "ogni marzo 2027",
            "20 e 6 marzo 2027",
            "6, 6 e 20 marzo 2027",
            "6, 13, marzo",
            "31 e 30 febbraio 2027",
            "30 febbraio 2027",
            "presto",
            "",
            "2027",
        ] {
            assert_eq!(read(Some(text), Some("19:00")), None, "{text}");
        }
        for time in [
            "di sera",
            "25:00",
            "24:30",
            "18:00-17:00",
            "9-5",
            "12-12",
            "21-21",
            "24-24",
            "9 10 11",
        ] {
            assert_eq!(read(Some("6 Marzo 2027"), Some(time)), None, "{time}");
        }
    }

    fn starts(date: &str, time: Option<&str>) -> Vec<String> {
        let Some(schedule) = read(Some(date), time) else {
            return Vec::new();
        };
        let all = std::iter::once(schedule.first).chain(schedule.others);
        all.map(|one| one.start).collect()
    }

    fn ends(date: &str, time: &str) -> (String, Option<String>) {
        let first = read(Some(date), Some(time)).unwrap().first;
        (first.start, first.end)
    }

    /// Regression: events that end at midnight or later were missing from the calendar.
    #[test]
    fn hours_that_go_on_after_midnight_end_on_the_next_day() {
        for time in ["22-2", "22:00 - 02:00", "dalle 22 alle 2"] {
            let (start, end) = ends("24 novembre 2026", time);
            assert_eq!(start, "2026-11-24T22:00:00+01:00", "{time}");
            assert_eq!(end.as_deref(), Some("2026-11-25T02:00:00+01:00"), "{time}");
        }
        let half_past = ends("24 novembre 2026", "18:00 - 00:30").1;
        assert_eq!(half_past.as_deref(), Some("2026-11-25T00:30:00+01:00"));
        for time in ["21-24", "dalle 21 alle 24", "ore 21.00-24.00", "21-00:00"] {
            let end = ends("31 dicembre 2026", time).1;
            assert_eq!(end.as_deref(), Some("2027-01-01T00:00:00+01:00"), "{time}");
        }
        let (start, end) = ends("31 dicembre 2026", "dalle 24 alle 2");
        assert_eq!(start, "2027-01-01T00:00:00+01:00");
        assert_eq!(end.as_deref(), Some("2027-01-01T02:00:00+01:00"));
        // The end takes the UTC offset of its own side of the DST change.
        let spring = ends("27 marzo 2027", "20-3").1;
        assert_eq!(spring.as_deref(), Some("2027-03-28T03:00:00+02:00"));
        let autumn = ends("30 ottobre 2027", "20-4");
        assert_eq!(autumn.0, "2027-10-30T20:00:00+02:00");
        assert_eq!(autumn.1.as_deref(), Some("2027-10-31T04:00:00+01:00"));
        // Each occurrence of a repeated evening event ends on its own next day.
        let nights = read(Some("6 e 20 marzo 2027"), Some("22-2")).unwrap();
        let end = nights.others[0].end.as_deref();
        assert_eq!(end, Some("2027-03-21T02:00:00+01:00"));
        // In a range of days the end time applies to the last day as written.
        let days = ends("10-11 aprile 2027", "18-12").1;
        assert_eq!(days.as_deref(), Some("2027-04-11T12:00:00+02:00"));
    }

    #[test]
    fn repeated_and_several_dates_are_each_in_the_calendar() {
        let tuesdays = [
            "2027-03-02",
            "2027-03-09",
            "2027-03-16",
            "2027-03-23",
            "2027-03-30",
        ];
        for text in [
            "Ogni martedì di marzo 2027",
            "ogni martedi di Marzo",
            "Tutti i martedì di marzo 2027",
            "Ogni martedì dal 2 al 30 marzo 2027",
            "2, 9, 16, 23 e 30 marzo 2027",
            "martedì 2, 9, 16, 23, 30 marzo 2027",
            "2/3/2027, 9/3/2027, 16/3/2027, 23/3/2027 e 30/3/2027",
        ] {
            assert_eq!(starts(text, None), tuesdays, "{text}");
        }
        assert_eq!(
            starts("Ogni martedì e giovedì di febbraio 2027", Some("19:00"))[..2],
            ["2027-02-02T19:00:00+01:00", "2027-02-04T19:00:00+01:00"]
        );
        // Each occurrence takes the UTC offset of its own date.
        assert_eq!(
            starts("6 marzo e 3 aprile 2027", Some("9")),
            ["2027-03-06T09:00:00+01:00", "2027-04-03T09:00:00+02:00"]
        );
        assert_eq!(starts("Tutte le domeniche di maggio 2027", None).len(), 5);
        assert_eq!(
            starts("6 e 20 marzo 2027", None),
            ["2027-03-06", "2027-03-20"]
        );
        let last = last_day(Some("6 e 20 marzo 2027"), WRITTEN);
        assert_eq!(last, Some(Date::constant(2027, 3, 20)));
    }

    #[test]
    fn days_in_a_row_are_one_time_with_an_end() {
        for text in [
            "9, 10 e 11 aprile 2027",
            "Venerdì 9, sabato 10 e domenica 11 aprile 2027",
            "dal 9 al 11 aprile 2027",
        ] {
            let days = read(Some(text), None).unwrap();
            assert_eq!(days.first.start, "2027-04-09", "{text}");
            assert_eq!(days.first.end.as_deref(), Some("2027-04-11"), "{text}");
            assert!(days.others.is_empty(), "{text}");
        }
        let weekends = read(Some("10-11 e 17-18 aprile 2027"), None).unwrap();
        assert_eq!(weekends.others[0].end.as_deref(), Some("2027-04-18"));
        let new_year = read(Some("30 dicembre 2026 - 2 gennaio 2027"), None).unwrap();
        assert_eq!(new_year.first.end.as_deref(), Some("2027-01-02"));
    }

    #[test]
    fn a_month_without_a_year_is_the_first_one_that_is_not_over() {
        assert_eq!(starts("Ogni martedì di novembre", None)[0], "2026-11-03");
        assert_eq!(starts("Ogni martedì di ottobre", None)[0], "2027-10-05");
        let over = super::read(
            Some("Ogni sabato di novembre"),
            None,
            Date::constant(2026, 11, 29),
        );
        assert_eq!(over.unwrap().first.start, "2027-11-06");
    }

    /// The codes of a reading, by the words of the tables.
    fn codes(questions: &[Question]) -> Vec<&'static str> {
        let code = |question: &Question| match question.code {
            QuestionCode::GuessedYear => "year",
            QuestionCode::WeekdayMismatch => "weekday",
            QuestionCode::ImpossibleDate => "impossible",
            QuestionCode::PastDate => "past",
            QuestionCode::Ambiguous => "ambiguous",
        };
        questions.iter().map(code).collect()
    }

    /// The rows of a table: a text, and what is expected of it.
    fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = table
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| line.rsplit_once(" = ").unwrap())
    }

    #[test]
    fn dates_are_read_as_italians_write_them() {
        let table = include_str!("../../tests/data/italian_dates.txt");
        let mut wrong = Vec::new();
        for (text, expected) in rows(table) {
            let reading = understand(Some(text), None, WRITTEN);
            let days = italian_dates::read(text, WRITTEN).days.unwrap_or_default();
            let mut found: Vec<String> = days
                .iter()
                .map(|(first, last)| {
                    if first == last {
                        first.to_string()
                    } else {
                        format!("{first}..{last}")
                    }
                })
                .collect();
            if found.is_empty() {
                found.push("none".to_owned());
            }
            found.extend(codes(&reading.questions).into_iter().map(str::to_owned));
            let found = found.join(" ");
            if found != expected {
                wrong.push(format!("{text}: {found}, expected {expected}"));
            }
        }
        assert!(rows(table).count() >= 200, "{}", rows(table).count());
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn times_are_read_as_italians_write_them() {
        let table = include_str!("../../tests/data/italian_times.txt");
        let mut wrong = Vec::new();
        for (text, expected) in rows(table) {
            let clock = |clock: Clock| format!("{:02}:{:02}", clock / 60, clock % 60);
            let reading = italian_times::read(text);
            let mut found = match &reading {
                None => "none".to_owned(),
                Some(TimeReading { times: None, .. }) => "all-day".to_owned(),
                Some(TimeReading {
                    times: Some((from, to)),
                    ..
                }) => {
                    let end = to.map(|to| format!("-{}", clock(to)));
                    format!("{}{}", clock(*from), end.unwrap_or_default())
                }
            };
            if reading.is_some_and(|reading| reading.question.is_some()) {
                found.push_str(" ambiguous");
            }
            if found != expected {
                wrong.push(format!("{text}: {found}, expected {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// A text with two wrong weekdays is asked about twice.
    #[test]
    fn an_answer_settles_its_question() {
        let table = include_str!("../../tests/data/italian_dates.txt");
        let mut count = 0;
        for (text, _) in rows(table) {
            for question in understand(Some(text), None, WRITTEN).questions {
                for answer in &question.answers {
                    let after = understand(Some(&answer.text), None, WRITTEN);
                    let is_open = after.questions.contains(&question);
                    assert!(after.schedule.is_some(), "{text}: {answer:?}");
                    assert!(!is_open, "{text}: {answer:?} leaves {:?}", after.questions);
                    count += 1;
                }
            }
        }
        assert!(count > 50, "{count}");
        for (time, _) in rows(include_str!("../../tests/data/italian_times.txt")) {
            let question = italian_times::read(time).and_then(|reading| reading.question);
            for answer in question.iter().flat_map(|question| &question.answers) {
                let after = italian_times::read(&answer.text).unwrap();
                assert!(after.question.is_none(), "{time}: {answer:?}");
            }
        }
    }

    #[test]
    fn questions_carry_what_the_contract_says() {
        let ask = |date, time| understand(Some(date), Some(time), WRITTEN);
        let wrong = ask("Domenica 12 Dicembre 2026", "20:30").questions;
        assert_eq!(
            (wrong[0].written, wrong[0].actual),
            (Some("domenica"), Some("sabato"))
        );
        assert_eq!(
            wrong[0].message,
            "Il 12 dicembre 2026 è un sabato: quale dei due?"
        );
        let texts: Vec<&str> = wrong[0]
            .answers
            .iter()
            .map(|answer| answer.text.as_str())
            .collect();
        assert_eq!(
            texts,
            ["sabato 12 Dicembre 2026", "Domenica 13 Dicembre 2026"]
        );
        let guessed = ask("12 dicembre", "20:30").questions;
        assert_eq!(
            (guessed[0].year, guessed[0].answers[0].text.as_str()),
            (Some(2026), "12 dicembre 2027")
        );
        let impossible = ask("31 novembre", "20:30").questions;
        assert_eq!(impossible[0].message, "Novembre ha 30 giorni.");
        assert_eq!(impossible[0].answers[1].text, "1 dicembre");
        let bare = ask("12 dicembre 2026", "8").questions;
        assert_eq!(
            (bare[0].field, bare[0].answers[1].text.as_str()),
            (QuestionField::Time, "20:00")
        );
        let within = understand(
            Some("sabato 12 dicembre 2026, ore 20,30"),
            Some(" "),
            WRITTEN,
        );
        assert_eq!(
            within.schedule.unwrap().first.start,
            "2026-12-12T20:30:00+01:00"
        );
    }
}
