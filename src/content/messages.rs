//! Italian sentences about the date and the time of an event.

use super::time::{MONTHS, WEEKDAYS};
use jiff::civil::{Date, Weekday};

pub(super) const DATES_OUT_OF_ORDER: &str =
    "Le date non sono in ordine: scrivile dalla prima all’ultima.";
pub(super) const MONTHS_OF_A_YEAR: &str =
    "I mesi sono dodici: scrivi prima il giorno, poi il mese.";
pub(super) const ONE_EVENT: &str = "Un incontro solo";

pub(super) fn weekday(day: Weekday) -> &'static str {
    let index = usize::try_from(day.to_monday_zero_offset()).unwrap_or_default();
    WEEKDAYS.get(index).copied().unwrap_or_default()
}

/// `month` is one-based.
pub(super) fn month(month: i8) -> &'static str {
    let index = usize::try_from(month - 1).unwrap_or_default();
    MONTHS.get(index).copied().unwrap_or_default()
}

/// `Sabato 12`.
pub(super) fn short_day(date: Date) -> String {
    let weekday = weekday(date.weekday());
    let mut letters = weekday.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!(
        "{}{} {}",
        first.unwrap_or_default(),
        letters.as_str(),
        date.day()
    )
}

/// `il 12`, `l’8`.
fn the_day(day: i8) -> String {
    match day {
        1 => "il 1º".to_owned(),
        8 | 11 => format!("l’{day}"),
        day => format!("il {day}"),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

pub(super) fn guessed_year(year: i16) -> String {
    format!("L’anno non c’è: è il primo che arriva, il {year}.")
}

pub(super) fn in_year(year: i16) -> String {
    format!("È il {year}")
}

pub(super) fn weekday_mismatch(actual: Date) -> String {
    let article = if actual.weekday() == Weekday::Sunday {
        "una"
    } else {
        "un"
    };
    format!(
        "{} {} {} è {article} {}: quale dei due?",
        capitalized(&the_day(actual.day())),
        month(actual.month()),
        actual.year(),
        weekday(actual.weekday())
    )
}

pub(super) fn days_of_month(number: i8, days: i8) -> String {
    format!("{} ha {days} giorni.", capitalized(month(number)))
}

pub(super) fn past_date(last: Date) -> String {
    let day = the_day(last.day());
    format!(
        "È già passata: era {day} {} {}.",
        month(last.month()),
        last.year()
    )
}

pub(super) fn one_or_several(count: usize) -> String {
    match count {
        2 => "Due giorni di seguito: è un solo incontro o sono due date?".to_owned(),
        count => format!("{count} giorni di seguito: è un solo incontro o sono {count} date?"),
    }
}

pub(super) fn several_events(count: usize) -> String {
    match count {
        2 => "Due date".to_owned(),
        count => format!("{count} date"),
    }
}

fn the_hour(hour: i32) -> String {
    if hour == 1 {
        "L’1".to_owned()
    } else {
        format!("Le {hour}")
    }
}

pub(super) fn morning_or_evening(hour: i32) -> String {
    let evening = if hour < 5 {
        "del pomeriggio"
    } else {
        "di sera"
    };
    let morning = if hour < 5 { "di notte" } else { "di mattina" };
    format!("{} {morning} o {evening}?", the_hour(hour))
}

pub(super) fn at_hour(hour: i32) -> String {
    format!("{}:00", the_hour(hour))
}
