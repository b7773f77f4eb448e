//! Parses the days that an Italian text names: one day, several, a range, or every Tuesday of a
//! month.
//!
//! A text is a date only if every word of it is known. Any other text is free text: no days, no
//! questions. The year, the month and the weekday may be missing; what the parser assumed or could
//! not resolve is returned as a [`Question`].

mod lexer;
mod resolve;

use super::date_questions::{Answer, Question};
use super::messages;
use super::time::with_article;
use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use lexer::{Kind, Token};
use resolve::{Dates, Item, Join};

/// Maximum occurrences of one event. A text that names more is rejected.
const DAYS_MAX: usize = 60;

/// First and last day of one occurrence.
pub(super) type Days = (Date, Date);

/// How a text was understood.
#[derive(Debug, Default)]
pub(super) struct Reading<'a> {
    /// Occurrences in chronological order; `None` when the text is not a date, or an impossible
    /// one.
    pub days: Option<Vec<Days>>,
    pub questions: Vec<Question>,
    /// A time that follows the date in the same text: `12 dicembre ore 20,30`.
    pub time: Option<&'a str>,
}

/// Parses a text such as `15 settembre 2024`, `sab 12/12`, `6, 13 e 20 marzo`, `dal 5 al 7 marzo`
/// or `ogni martedì di marzo`. A missing year is that of the next such day from `written` on, the
/// day on which the text was entered.
pub(super) fn read(text: &str, written: Date) -> Reading<'_> {
    let Some(lexed) = lexer::lex(text) else {
        return Reading::default();
    };
    let mut reading = days_of(text, &lexed.tokens, written).unwrap_or_default();
    let is_too_long = |days: &Vec<Days>| !(1..=DAYS_MAX).contains(&days.len());
    if reading.days.as_ref().is_some_and(is_too_long) {
        return Reading::default();
    }
    if let Some(last) = reading.days.iter().flatten().last()
        && last.1 < written
    {
        reading
            .questions
            .push(past_date(text, &lexed.tokens, last.1, written));
    }
    reading.time = lexed.time;
    reading
}

fn days_of<'a>(text: &str, tokens: &[Token], written: Date) -> Option<Reading<'a>> {
    let kinds: Vec<Kind> = tokens.iter().map(|token| token.kind).collect();
    match kinds.as_slice() {
        [Kind::Every, ..] => every(&tokens[1..], written),
        kinds if is_weekdays_of_range(kinds) => every(tokens, written).map(join_row),
        [Kind::Next, Kind::Weekday(day)] | [Kind::Weekday(day), Kind::Next] => {
            let first = written.tomorrow().ok()?;
            let date = first.series(1.day()).find(|date| date.weekday() == *day)?;
            Some(Reading {
                days: Some(vec![(date, date)]),
                ..Reading::default()
            })
        }
        _ => listed(text, tokens, written),
    }
}

/// Whether weekdays stand before a range: `martedì e giovedì, dal 2 all’11 marzo`.
fn is_weekdays_of_range(kinds: &[Kind]) -> bool {
    let Some(from) = kinds.iter().position(|kind| *kind == Kind::From) else {
        return false;
    };
    let (before, range) = kinds.split_at(from);
    let is_weekly =
        |kind: &Kind| kind.weekday().is_some() || matches!(kind, Kind::And | Kind::Comma);
    let is_range =
        range.iter().filter(|kind| **kind == Kind::From).count() == 1 && range.contains(&Kind::To);
    before.first().is_some_and(|kind| kind.weekday().is_some())
        && before.iter().all(is_weekly)
        && is_range
}

/// Joins consecutive days: `sabato e domenica dal 12 al 13 dicembre`.
fn join_row(reading: Reading<'_>) -> Reading<'_> {
    let row = reading.days.as_deref().and_then(|days| {
        let is_row = days.len() > 1
            && days
                .windows(2)
                .all(|two| two[0].1.tomorrow().ok() == Some(two[1].0));
        is_row.then(|| vec![(days[0].0, days[days.len() - 1].1)])
    });
    Reading {
        days: row.or(reading.days),
        ..reading
    }
}

/// Parses listed days and ranges; month and year may follow only the last day.
fn listed<'a>(text: &str, tokens: &[Token], written: Date) -> Option<Reading<'a>> {
    let mut items = resolve::items(tokens)?;
    let is_open = matches!(tokens[0].kind, Kind::From) && items.len() == 1;
    if is_open || tokens[0].kind == Kind::To {
        // `dal 12 dicembre` and `fino al 12 dicembre` name no day of their own.
        return None;
    }
    let dates = match resolve::dates(&mut items, written)? {
        Dates::Known(dates) => dates,
        Dates::Impossible(at) => {
            return Some(Reading {
                questions: vec![impossible_date(text, &items, at)],
                ..Reading::default()
            });
        }
    };
    let mut questions = Vec::new();
    if let Some(year) = dates.guessed_year {
        questions.push(guessed_year(text, tokens, year, written));
    }
    if let Some(at) = dates.mismatch {
        questions.push(weekday_mismatch(text, &items[at], dates.nearest[at]));
    }
    let mut days = occurrences(&items, &dates.days)?;
    let is_in_order = days.is_sorted_by(|one, two| one.1 < two.0)
        && days.iter().all(|(first, last)| first <= last);
    if !is_in_order {
        return Some(Reading {
            questions: vec![Question::impossible_date(
                messages::DATES_OUT_OF_ORDER.to_owned(),
            )],
            ..Reading::default()
        });
    }
    if are_neighbours(&items, &days) {
        let (first, last) = (days.first()?.0, days.last()?.1);
        questions.push(one_or_several(&items, first, last));
        days = vec![(first, last)];
    }
    Some(Reading {
        days: Some(days),
        questions,
        time: None,
    })
}

/// Groups the dates of the items into occurrences. Two days joined by a dash are a range, three or
/// more are a list; a dash may also part two lists: `4 e 11 dicembre – 8 e 15 gennaio`. Neighbours
/// that a slash joins are a range too: `5/6 e 12/13 dicembre`.
fn occurrences(items: &[Item], dates: &[Date]) -> Option<Vec<Days>> {
    let parts_lists = |at: usize| {
        items[at].join == Join::Dash
            && items[at - 1].is_month_written
            && !items[at].is_month_written
    };
    let joins: Vec<Join> = (0..items.len())
        .map(|at| {
            if parts_lists(at) {
                Join::Comma
            } else {
                items[at].join
            }
        })
        .collect();
    let mut days = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let follows = |join: Join| {
            let rest = joins[at + 1..].iter();
            rest.take_while(move |one| **one == join).count()
        };
        let (ranges, dashes) = (follows(Join::To), follows(Join::Dash));
        let is_pair = joins[at] != Join::Slash
            && follows(Join::Slash) == 1
            && dates[at].tomorrow().ok() == Some(dates[at + 1])
            && !(items[at].is_month_written && items[at + 1].is_month_written);
        match (ranges, dashes) {
            (1, _) | (_, 1) => {
                days.push((dates[at], dates[at + 1]));
                at += 2;
                let is_chain = joins
                    .get(at)
                    .is_some_and(|join| matches!(join, Join::To | Join::Dash));
                if is_chain {
                    return None;
                }
            }
            (0, 0) if is_pair => {
                days.push((dates[at], dates[at + 1]));
                at += 2;
            }
            (0, 0) => {
                days.push((dates[at], dates[at]));
                at += 1;
            }
            (0, dashes) => {
                let run = &dates[at..=at + dashes];
                days.extend(run.iter().map(|date| (*date, *date)));
                at += dashes + 1;
            }
            _ => return None,
        }
    }
    Some(days)
}

/// Whether the text may mean one event of several days, or several events: consecutive days that
/// are joined by more than commas, and whose months are not all written.
fn are_neighbours(items: &[Item], days: &[Days]) -> bool {
    let is_short = !items.iter().all(|item| item.is_month_written);
    let joins = || items[1..].iter().map(|item| item.join);
    let is_loose = joins().any(|join| join != Join::Comma) && joins().all(|join| join != Join::To);
    let is_consecutive = match days {
        [(first, last)] => items.len() == 2 && first.tomorrow().ok() == Some(*last),
        days => {
            days.iter().all(|(first, last)| first == last)
                && days
                    .windows(2)
                    .all(|two| two[0].1.tomorrow().ok() == Some(two[1].0))
        }
    };
    items.len() > 1 && is_short && is_loose && is_consecutive
}

/// Parses the part after `ogni`: `martedì e giovedì di marzo 2027`,
/// `sabato dal 6 marzo al 24 aprile 2027`, `sabato fino al 20 marzo`.
fn every<'a>(tokens: &[Token], written: Date) -> Option<Reading<'a>> {
    let is_of_week = |token: &Token| {
        matches!(
            token.kind,
            Kind::Weekday(_) | Kind::Tuesday | Kind::And | Kind::Comma
        )
    };
    let end = tokens.iter().position(|token| !is_of_week(token))?;
    let (of_week, rest) = tokens.split_at(end);
    let of_week: Vec<Weekday> = of_week
        .iter()
        .filter_map(|token| token.kind.weekday())
        .collect();
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
    let kinds: Vec<Kind> = rest.iter().map(|token| token.kind).collect();
    let (days, guessed) = if let Some((months, written_year)) = months_of(&kinds) {
        let of_year = |year: i16| {
            let mut days = Vec::new();
            for (at, month) in months.iter().enumerate() {
                let is_next_year = !months[..=at].is_sorted();
                let year = year + i16::from(is_next_year);
                days.extend(within(whole_month(year, *month)?));
            }
            Some(days)
        };
        let turns = i16::from(!months.is_sorted());
        if let Some(year) = written_year {
            (of_year(year - turns)?, None)
        } else {
            let days = of_year(written.year())?;
            let is_over = days.last().is_some_and(|(_, last)| *last < written);
            let year = written.year() + i16::from(is_over);
            (of_year(year)?, Some(year))
        }
    } else {
        let mut items = resolve::items(rest)?;
        let Dates::Known(dates) = resolve::dates(&mut items, written)? else {
            return None;
        };
        let is_until = matches!(kinds.first(), Some(Kind::To));
        let range = match dates.days.as_slice() {
            [first, last] if items[1].join == Join::To || items[1].join == Join::Dash => {
                (*first, *last)
            }
            [last] if is_until => (written, *last),
            _ => return None,
        };
        (within(range), dates.guessed_year)
    };
    Some(Reading {
        days: Some(days),
        questions: guessed
            .map(|year| Question::guessed_year(year, Vec::new()))
            .into_iter()
            .collect(),
        time: None,
    })
}

/// Parses `marzo`, `marzo 2027`, `gennaio e febbraio 2027` or `da gennaio a marzo`; the year is
/// that of the last month.
fn months_of(kinds: &[Kind]) -> Option<(Vec<i8>, Option<i16>)> {
    let (kinds, year) = match kinds {
        [rest @ .., Kind::Number { value, digits: 4 }] => (rest, Some(resolve::year(*value)?)),
        kinds => (kinds, None),
    };
    if let [Kind::From, Kind::Month(first), Kind::To, Kind::Month(last)] = kinds {
        let count = (last - first).rem_euclid(12);
        let months = (0..=count).map(|later| (first - 1 + later) % 12 + 1);
        return Some((months.collect(), year));
    }
    let mut months = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        match kind {
            Kind::Month(month) if at % 2 == 0 => months.push(*month),
            Kind::And | Kind::Comma if at % 2 == 1 => {}
            _ => return None,
        }
    }
    (kinds.len() % 2 == 1).then_some((months, year))
}

fn whole_month(year: i16, month: i8) -> Option<Days> {
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

/// Offers the year after the assumed one, if it can be appended to the date.
fn guessed_year(text: &str, tokens: &[Token], year: i16, written: Date) -> Question {
    let other = year + 1;
    let mut with_year = text.to_owned();
    let end = tokens.last().map_or(text.len(), |token| token.end);
    with_year.insert_str(end, &format!(" {other}"));
    let is_read = lexer::lex(&with_year)
        .and_then(|lexed| resolve::items(&lexed.tokens))
        .and_then(|mut items| resolve::dates(&mut items, written))
        .is_some_and(|dates| matches!(dates, Dates::Known(known) if known.guessed_year.is_none()));
    let answer = is_read.then(|| Answer {
        label: messages::in_year(other),
        text: with_year,
    });
    Question::guessed_year(year, answer.into_iter().collect())
}

/// Offers the weekday of the written day, and the nearest day with the written weekday.
fn weekday_mismatch(text: &str, item: &Item, actual: Date) -> Question {
    let Some((written, span)) = &item.weekday else {
        return Question::impossible_date(String::new());
    };
    let replace_weekday = {
        let mut text = text.to_owned();
        text.replace_range(span.clone(), messages::weekday(actual.weekday()));
        text
    };
    let mut answers = vec![Answer {
        label: messages::short_day(actual),
        text: replace_weekday,
    }];
    let near = (1..=3).flat_map(|days| [actual + days.days(), actual - days.days()]);
    let same_month = |date: &Date| date.month() == actual.month();
    if let Some(moved) = near
        .filter(|date| date.weekday() == *written)
        .find(same_month)
    {
        let mut text = text.to_owned();
        text.replace_range(item.day_span.clone(), &moved.day().to_string());
        answers.push(Answer {
            label: messages::short_day(moved),
            text,
        });
    }
    Question::weekday_mismatch(*written, actual, answers)
}

/// Offers the last day of the month and the first of the next one.
fn impossible_date(text: &str, items: &[Item], at: usize) -> Question {
    let item = &items[at];
    let month = item.month.unwrap_or_default();
    // A leap year has every day that a month can have.
    let last = whole_month(item.year.unwrap_or(2024), month).map(|(_, last)| last);
    let Some(last) = last else {
        return Question::impossible_date(messages::MONTHS_OF_A_YEAR.to_owned());
    };
    let mut question = Question::impossible_date(messages::days_of_month(last.month(), last.day()));
    if let ([_], Some(month_span), Ok(next)) = (items, &item.month_span, last.tomorrow()) {
        let mut replace = |date: Date| {
            let mut text = text.to_owned();
            text.replace_range(month_span.clone(), messages::month(date.month()));
            text.replace_range(item.day_span.clone(), &date.day().to_string());
            let label = format!("{} {}", date.day(), messages::month(date.month()));
            question.answers.push(Answer { label, text });
        };
        replace(last);
        replace(next);
    }
    question
}

/// Offers the year in which the day is not over, if the text has one year.
fn past_date(text: &str, tokens: &[Token], last: Date, written: Date) -> Question {
    let is_year = |token: &&Token| matches!(token.kind, Kind::Number { digits: 4, .. });
    let mut years = tokens.iter().filter(is_year);
    let mut answers = Vec::new();
    if let (Some(token), None) = (years.next(), years.next()) {
        let is_ahead = |year: &i16| {
            Date::new(*year, last.month(), last.day()).is_ok_and(|date| date >= written)
        };
        if let Some(year) = (written.year()..written.year() + 9).find(is_ahead) {
            let mut text = text.to_owned();
            text.replace_range(token.start..token.end, &year.to_string());
            answers.push(Answer {
                label: messages::in_year(year),
                text,
            });
        }
    }
    Question::past_date(last, answers)
}

/// Offers a range, and a list of days.
fn one_or_several(items: &[Item], first: Date, last: Date) -> Question {
    let year = if items.iter().any(|item| item.is_year_written) {
        format!(" {}", last.year())
    } else {
        String::new()
    };
    let month = |date: Date| messages::month(date.month());
    let is_one_month = first.month() == last.month();
    let from = if is_one_month {
        first.day().to_string()
    } else {
        format!("{} {}", first.day(), month(first))
    };
    let days: Vec<Date> = first
        .series(1.day())
        .take_while(|day| *day <= last)
        .collect();
    let count = days.len();
    let each = days.iter().map(|day| {
        if is_one_month && *day != last {
            day.day().to_string()
        } else {
            format!("{} {}", day.day(), month(*day))
        }
    });
    let (from, to) = (
        with_article("dal", &from),
        with_article("al", &last.day().to_string()),
    );
    let as_one = format!("{from} {to} {}{year}", month(last));
    let as_several = format!("{}{year}", each.collect::<Vec<_>>().join(", "));
    Question::one_or_several(count, as_one, as_several)
}
