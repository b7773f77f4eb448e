//! Parses the days that an Italian text names: one day, several, a range, or every Tuesday of a
//! month.

use super::time::MONTHS;
use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

/// Maximum occurrences of one event. A text that names more is rejected.
const DAYS_MAX: usize = 60;
const WEEKDAYS: [(&str, &str, Weekday); 7] = [
    ("lunedì", "lunedì", Weekday::Monday),
    ("martedì", "martedì", Weekday::Tuesday),
    ("mercoledì", "mercoledì", Weekday::Wednesday),
    ("giovedì", "giovedì", Weekday::Thursday),
    ("venerdì", "venerdì", Weekday::Friday),
    ("sabato", "sabati", Weekday::Saturday),
    ("domenica", "domeniche", Weekday::Sunday),
];

/// First and last day of one occurrence.
type Days = (Date, Date);

/// Parses a lower-case text into occurrences in chronological order: `15 settembre 2024`,
/// `10-11 aprile 2027`, `6, 13 e 20 marzo 2027`, `ogni martedì di marzo`. `None` when the days are
/// not in order or exceed [`DAYS_MAX`].
pub(super) fn read(text: &str, written: Date) -> Option<Vec<Days>> {
    let words = words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let times = match words.as_slice() {
        ["ogni", rest @ ..] | ["tutti" | "tutte", "i" | "le", rest @ ..] => every(rest, written)?,
        _ => named(&words)?,
    };
    let in_order = times.is_sorted_by(|one, two| one.1 < two.0);
    let fits = (1..=DAYS_MAX).contains(&times.len());
    (in_order && fits && times.iter().all(|(first, last)| first <= last)).then_some(times)
}

/// Splits the text into tokens, with `-` between the ends of a range and `+` between occurrences.
fn words(text: &str) -> Vec<String> {
    let text = text.replace(['–', '—'], "-");
    let text = text.replace('-', " - ").replace(',', " + ");
    text.split_whitespace()
        .map(|word| match word {
            "e" => "+",
            "al" => "-",
            word => word,
        })
        .filter(|word| !matches!(*word, "dal" | "il" | "del" | "di" | "da"))
        .map(str::to_owned)
        .collect()
}

fn weekday(word: &str) -> Option<Weekday> {
    let is = |name: &str| word == name || word == name.replace('ì', "i");
    let mut days = WEEKDAYS.iter();
    days.find(|(one, several, _)| is(one) || is(several))
        .map(|(_, _, day)| *day)
}

/// Parses the part after `ogni`: `martedì e giovedì di marzo 2027`,
/// `sabato dal 6 marzo al 24 aprile 2027`.
fn every(words: &[&str], written: Date) -> Option<Vec<Days>> {
    let is_of_week = |word: &&str| *word == "+" || weekday(word).is_some();
    let end = words.iter().position(|word| !is_of_week(word));
    let (of_week, rest) = words.split_at(end?);
    let of_week: Vec<Weekday> = of_week.iter().filter_map(|word| weekday(word)).collect();
    if of_week.is_empty() {
        return None;
    }
    let within = |(first, last): Days| -> Vec<Days> {
        let days = first.series(1.day()).take_while(|day| *day <= last);
        let days = days
            .take(400)
            .filter(|day| of_week.contains(&day.weekday()));
        days.map(|day| (day, day)).collect()
    };
    match rest {
        [month] => {
            let month = month_of(month)?;
            let in_year = |year: i16| Some(within(whole_month(year, month)?));
            let times = in_year(written.year())?;
            let is_over = times.last().is_some_and(|(_, last)| *last < written);
            if is_over {
                in_year(written.year() + 1)
            } else {
                Some(times)
            }
        }
        [month, year] => Some(within(whole_month(year_of(year)?, month_of(month)?)?)),
        rest => Some(within(group(rest, &mut Carried::default())?)),
    }
}

fn whole_month(year: i16, month: i8) -> Option<Days> {
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

/// Parses listed days; month and year may follow only the last day. Consecutive single days become
/// one occurrence.
fn named(words: &[&str]) -> Option<Vec<Days>> {
    let words: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| weekday(word).is_none())
        .collect();
    let mut carried = Carried::default();
    let mut times = Vec::new();
    for words in words.split(|word| *word == "+").rev() {
        // A removed weekday followed by a comma, or a comma before `e`, leaves an empty group.
        if words.is_empty() {
            continue;
        }
        // `6 marzo, 2027`
        if let [year] = words
            && carried.month.is_none()
            && let Some(year) = year_of(year)
        {
            carried.year = Some(year);
            continue;
        }
        times.push(group(words, &mut carried)?);
    }
    times.reverse();
    let single = times.iter().all(|(first, last)| first == last);
    let in_a_row = times
        .windows(2)
        .all(|two| two[0].1.tomorrow().ok() == Some(two[1].0));
    match (times.first(), times.last()) {
        (Some(first), Some(last)) if single && in_a_row => Some(vec![(first.0, last.1)]),
        _ => Some(times),
    }
}

/// Month and year of the later days. The parser reads from the end, so earlier days inherit them.
#[derive(Default)]
struct Carried {
    month: Option<i8>,
    year: Option<i16>,
}

impl Carried {
    /// Parses a day with an optional month and year; missing parts come from the later days.
    fn day(&mut self, words: &[&str]) -> Option<Date> {
        let (day, rest) = words.split_first()?;
        if rest.is_empty() && day.contains(['/', '.']) {
            return numeric(day);
        }
        match rest {
            [] => {}
            [month] => self.month = Some(month_of(month)?),
            [month, year] => {
                (self.month, self.year) = (Some(month_of(month)?), Some(year_of(year)?));
            }
            _ => return None,
        }
        let day = day.trim_end_matches(['º', '°']).parse().ok()?;
        Date::new(self.year?, self.month?, day).ok()
    }
}

/// Parses one day, or the two ends of a range.
fn group(words: &[&str], carried: &mut Carried) -> Option<Days> {
    let mut ends = words.split(|word| *word == "-");
    let (first, last) = (ends.next()?, ends.next());
    if ends.next().is_some() {
        return None;
    }
    let Some(last) = last else {
        let only = carried.day(first)?;
        return Some((only, only));
    };
    let last = carried.day(last)?;
    Some((carried.day(first)?, last))
}

fn numeric(text: &str) -> Option<Date> {
    let mut parts = text.split(['/', '.']);
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    Date::new(year_of(year)?, month.parse().ok()?, day.parse().ok()?).ok()
}

fn month_of(word: &str) -> Option<i8> {
    let place = MONTHS.iter().position(|name| *name == word)?;
    i8::try_from(place + 1).ok()
}

fn year_of(word: &str) -> Option<i16> {
    let year = word.parse().ok()?;
    (word.len() == 4 && (1990..=2200).contains(&year)).then_some(year)
}
