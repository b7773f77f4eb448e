//! Builds days from tokens, and fills in the months and years that the text leaves out.

use super::lexer::{Kind, Token};
use jiff::civil::{Date, Weekday};
use std::collections::VecDeque;
use std::ops::Range;

/// The Gregorian calendar repeats its weekdays within this many years, but for a century that is no
/// leap year.
const YEARS_AHEAD_MAX: i16 = 12;

/// Days by which the first of a range has to be greater than the last to be in the month before.
const HALF_MONTH: u16 = 15;

/// How a day is joined to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    First,
    Comma,
    And,
    Slash,
    Dash,
    To,
}

/// A day as the admin wrote it. Spans are byte offsets into the text.
#[derive(Debug)]
pub(super) struct Item {
    pub join: Join,
    pub weekday: Option<(Weekday, Range<usize>)>,
    pub day: u16,
    pub day_span: Range<usize>,
    pub month: Option<i8>,
    pub month_span: Option<Range<usize>>,
    pub year: Option<i16>,
    pub is_month_written: bool,
    pub is_year_written: bool,
}

/// The days of a text, one for each item.
#[derive(Debug)]
pub(super) struct Known {
    pub days: Vec<Date>,
    /// The next such days whatever their weekdays; differs from `days` if a later year agrees with
    /// the written weekdays.
    pub nearest: Vec<Date>,
    pub guessed_year: Option<i16>,
    /// Index of the first item whose weekday is not that of its nearest day.
    pub mismatch: Option<usize>,
}

pub(super) enum Dates {
    Known(Known),
    /// The index of an item that names no day of its month.
    Impossible(usize),
}

/// A four-digit year that a text may name.
pub(super) fn year(value: u16) -> Option<i16> {
    let year = i16::try_from(value).ok()?;
    (1990..=2200).contains(&year).then_some(year)
}

/// Parses tokens into days: `[weekday] day [month [year]]`, joined by commas, `e`, dashes, slashes
/// or `al`. `None` when the tokens are in no such order.
pub(super) fn items(tokens: &[Token]) -> Option<Vec<Item>> {
    let mut parser = Parser {
        tokens,
        items: Vec::new(),
        weekdays: VecDeque::new(),
        join: None,
    };
    let mut at = 0;
    while at < tokens.len() {
        at += parser.take(at)?;
    }
    let is_complete = parser.weekdays.is_empty() && parser.join.is_none();
    (is_complete && !ends_in_bare_number(&parser.items)).then_some(parser.items)
}

/// Whether the last number may be an hour as well as a day: `12 dicembre 2026 - 21`.
fn ends_in_bare_number(items: &[Item]) -> bool {
    match items {
        [.., before, last] => {
            let is_apart = matches!(last.join, Join::Comma | Join::Dash);
            is_apart && last.month.is_none() && last.weekday.is_none() && before.month.is_some()
        }
        items => items.is_empty(),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    items: Vec<Item>,
    /// Weekdays whose days follow: `sabato e domenica 12 e 13 dicembre`.
    weekdays: VecDeque<(Weekday, Range<usize>)>,
    /// The connector since the last item.
    join: Option<Join>,
}

impl Parser<'_> {
    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Parses what begins at the token `at`. Returns the number of its tokens.
    fn take(&mut self, at: usize) -> Option<usize> {
        match self.tokens[at].kind {
            Kind::Weekday(_) | Kind::Tuesday => self.weekday(at),
            Kind::Number { value, digits } => self.number(at, value, digits),
            Kind::Month(month) => self.month(at, month),
            Kind::From => Some(1),
            Kind::To if self.items.is_empty() => Some(1),
            kind => {
                let is_after_day = !self.items.is_empty();
                self.join = Some(is_after_day.then(|| joined(self.join, kind))??);
                Some(1)
            }
        }
    }

    /// A weekday belongs to the day that follows, else to the complete date before it.
    fn weekday(&mut self, at: usize) -> Option<usize> {
        let named = (self.tokens[at].kind.weekday()?, span(&self.tokens[at]));
        let (next, second) = (self.kind(at + 1), self.kind(at + 2));
        let is_number = |kind: Option<Kind>| matches!(kind, Some(Kind::Number { .. }));
        let is_connector = matches!(
            next,
            Some(Kind::Comma | Kind::And | Kind::Dash | Kind::Slash | Kind::To)
        );
        let is_open = self.items.is_empty() || self.join.is_some();
        let is_weekday = |kind: Option<Kind>| kind.is_some_and(|kind| kind.weekday().is_some());
        if is_open && is_connector && is_weekday(second) {
            self.weekdays.push_back(named);
            Some(2)
        } else if is_number(next) {
            self.weekdays.push_back(named);
            Some(1)
        } else if is_open && next == Some(Kind::Comma) && is_number(second) {
            self.weekdays.push_back(named);
            Some(2)
        } else {
            let last = self.items.last_mut()?;
            let is_next = matches!(self.join.take(), None | Some(Join::Comma));
            let is_free = last.month.is_some() && last.weekday.is_none() && is_next;
            last.weekday = Some(is_free.then_some(named)?);
            Some(1)
        }
    }

    /// A number is a year after a month, else a day, or a whole date with the tokens that follow.
    fn number(&mut self, at: usize, value: u16, digits: usize) -> Option<usize> {
        if let Some(year) = year_at(self.tokens, at)
            && let Some(item) = self.items.last_mut()
            && item.month.is_some()
            && item.year.is_none()
            && matches!(self.join, None | Some(Join::Comma))
        {
            (item.year, item.is_year_written, self.join) = (Some(year), true, None);
            return Some(1);
        }
        let (mut item, count) = numeric(self.tokens, at).or_else(|| {
            let day = (digits <= 2).then_some(value)?;
            Some((bare(day, span(&self.tokens[at])), 1))
        })?;
        item.weekday = self.weekdays.pop_front();
        item.join = match (self.items.last(), self.join.take()) {
            (None, _) => Join::First,
            (Some(_), Some(join)) => join,
            // On a poster days stand below each other: `sab 6 dom 7 marzo`.
            (Some(last), None) => {
                let is_named = item.weekday.is_some() && last.weekday.is_some();
                let is_month_next = matches!(self.kind(at + 1), Some(Kind::Month(_)));
                (is_named || is_month_next && last.month.is_some()).then_some(Join::Comma)?
            }
        };
        self.items.push(item);
        Some(count)
    }

    fn month(&mut self, at: usize, month: i8) -> Option<usize> {
        let is_adjacent = at > 0 && matches!(self.tokens[at - 1].kind, Kind::Number { .. });
        let is_next = is_adjacent && self.join.is_none();
        let item = self
            .items
            .last_mut()
            .filter(|item| is_next && item.month.is_none())?;
        (item.month, item.month_span) = (Some(month), Some(span(&self.tokens[at])));
        item.is_month_written = true;
        Some(1)
    }
}

const fn span(token: &Token) -> Range<usize> {
    token.start..token.end
}

const fn bare(day: u16, day_span: Range<usize>) -> Item {
    Item {
        join: Join::First,
        weekday: None,
        day,
        day_span,
        month: None,
        month_span: None,
        year: None,
        is_month_written: false,
        is_year_written: false,
    }
}

/// Combines a connector with the one before it: `, e` is `e`, `- al` is `al`.
const fn joined(before: Option<Join>, kind: Kind) -> Option<Join> {
    match (before, kind) {
        (None, Kind::Comma) => Some(Join::Comma),
        (None | Some(Join::Comma), Kind::And) => Some(Join::And),
        // Dots are between days only: `6.7.8 marzo`.
        (None, Kind::Slash | Kind::Dot) => Some(Join::Slash),
        (None, Kind::Dash) => Some(Join::Dash),
        (None | Some(Join::Dash | Join::Comma), Kind::To) => Some(Join::To),
        _ => None,
    }
}

/// A year after a month: four digits, or two that cannot be the next day.
fn year_at(tokens: &[Token], at: usize) -> Option<i16> {
    match tokens[at].kind {
        Kind::Number { value, digits: 4 } => year(value),
        Kind::Number { value, digits: 2 } if (20..=49).contains(&value) => {
            let next = tokens.get(at + 1).map(|token| token.kind);
            let is_after_month = at > 0 && matches!(tokens[at - 1].kind, Kind::Month(_));
            (is_after_month && !matches!(next, Some(Kind::Month(_)))).then_some(2000)?;
            year(2000 + value)
        }
        _ => None,
    }
}

/// Parses `12/12`, `12.12.2026`, `12-12-26` or `2026-12-12`, with the number of tokens. Day and
/// month alone are numeric only in a text without the name of a month: in `12/13 dicembre` both are
/// days.
fn numeric(tokens: &[Token], at: usize) -> Option<(Item, usize)> {
    let has_month_name = tokens
        .iter()
        .any(|token| matches!(token.kind, Kind::Month(_)));
    let has_sign = tokens
        .iter()
        .any(|token| matches!(token.kind, Kind::Slash | Kind::Dot));
    let number = |at: usize| match tokens.get(at)?.kind {
        Kind::Number { value, digits } => Some((value, digits)),
        _ => None,
    };
    let is_sign = |kind: Kind| matches!(kind, Kind::Slash | Kind::Dot | Kind::Dash);
    let sign = |at: usize| {
        tokens
            .get(at)
            .map(|token| token.kind)
            .filter(|kind| is_sign(*kind))
    };
    let first = sign(at + 1)?;
    let (one, two) = (number(at)?, number(at + 2)?);
    let whole = if sign(at + 3) == Some(first) {
        number(at + 4)
    } else {
        None
    };
    // `5-12-19/1/2027` are three days, `12/13.12.2026` are two.
    let is_list = first == Kind::Dash && matches!(sign(at + 5), Some(Kind::Slash | Kind::Dot));
    let is_pair = first == Kind::Slash
        && sign(at + 3) == Some(Kind::Dot)
        && number(at + 4).is_some()
        && matches!(
            tokens.get(at + 5).map(|token| token.kind),
            None | Some(Kind::Dot)
        );
    let (day, month, written_year, length, day_at) = match (one, two, whole) {
        ((year_value, 4), month, Some(day)) => (day.0, month, year(year_value), 5, at + 4),
        (day, month, Some((value, 4))) => (day.0, month, year(value), 5, at),
        (day, month, Some((value, 2))) if !has_month_name && !is_list => {
            (day.0, month, year(2000 + value), 5, at)
        }
        (day, month, None) if !has_month_name && !is_pair => {
            let is_date = match first {
                Kind::Dot => month.0 <= 12,
                Kind::Slash => true,
                _ => !has_sign && tokens.len() <= at + 3 && at <= 1,
            };
            is_date.then_some((day.0, month, None, 3, at))?
        }
        _ => return None,
    };
    let is_short = |digits: usize| digits <= 2;
    if length == 5 && written_year.is_none() || !is_short(month.1) {
        return None;
    }
    let day_token = tokens[day_at];
    let mut item = bare(day, day_token.start..day_token.end);
    (item.month, item.year) = (Some(i8::try_from(month.0).ok()?), written_year);
    item.is_month_written = true;
    item.is_year_written = written_year.is_some();
    Some((item, length))
}

/// Fills in months and years and returns the days. `None` when no month is written.
pub(super) fn dates(items: &mut [Item], written: Date) -> Option<Dates> {
    fill_months(items)?;
    if items.iter().any(|item| item.year.is_some()) {
        fill_years(items);
        let years: Vec<i16> = items.iter().filter_map(|item| item.year).collect();
        return Some(match days(items, &years) {
            Ok(days) => Dates::Known(Known {
                mismatch: mismatch(items, &days),
                nearest: days.clone(),
                days,
                guessed_year: None,
            }),
            Err(at) => Dates::Impossible(at),
        });
    }
    Some(guess_year(items, written))
}

/// A missing month is that of the next day that has one, else that of the day before.
fn fill_months(items: &mut [Item]) -> Option<()> {
    let mut later: Option<(i8, u16, Join)> = None;
    for item in items.iter_mut().rev() {
        if item.month.is_none()
            && let Some((month, day, join)) = later
        {
            // `dal 28 al 2 marzo` begins in February; `dal 13 al 12` is a typing error.
            let is_before = matches!(join, Join::To | Join::Dash) && item.day > day + HALF_MONTH;
            item.month = Some(match (is_before, month) {
                (false, month) => month,
                (true, 1) => 12,
                (true, month) => month - 1,
            });
        }
        later = item
            .month
            .map(|month| (month, item.day, item.join))
            .or(later);
    }
    let mut earlier = None;
    for item in items.iter_mut() {
        item.month = item.month.or(earlier);
        earlier = item.month;
    }
    items.iter().all(|item| item.month.is_some()).then_some(())
}

/// A missing year is that of the next day that has one, or the year before if the month is later in
/// the year; else it follows the day before.
fn fill_years(items: &mut [Item]) {
    for at in (0..items.len().saturating_sub(1)).rev() {
        if items[at].year.is_none() {
            let turns = items[at].month > items[at + 1].month;
            items[at].year = items[at + 1].year.map(|year| year - i16::from(turns));
        }
    }
    for at in 1..items.len() {
        if items[at].year.is_none() {
            let turns = items[at].month < items[at - 1].month;
            items[at].year = items[at - 1].year.map(|year| year + i16::from(turns));
        }
    }
}

/// The days of the given years, or the index of the first one that does not exist.
fn days(items: &[Item], years: &[i16]) -> Result<Vec<Date>, usize> {
    let day = |(at, item): (usize, &Item)| {
        let day = i8::try_from(item.day).ok().ok_or(at)?;
        Date::new(years[at], item.month.unwrap_or_default(), day)
            .ok()
            .ok_or(at)
    };
    items.iter().enumerate().map(day).collect()
}

fn mismatch(items: &[Item], days: &[Date]) -> Option<usize> {
    let differs = |(item, day): (&Item, &Date)| {
        item.weekday
            .as_ref()
            .is_some_and(|(weekday, _)| *weekday != day.weekday())
    };
    items.iter().zip(days).position(differs)
}

/// Takes the first year in which the last day is not over and, if weekdays are written, all of them
/// agree.
fn guess_year(items: &[Item], written: Date) -> Dates {
    let mut nearest: Option<Vec<Date>> = None;
    let mut impossible = 0;
    for first in written.year() - 1..=written.year() + YEARS_AHEAD_MAX {
        let mut years = vec![first];
        for two in items.windows(2) {
            let turns = two[1].month < two[0].month;
            years.push(years[years.len() - 1] + i16::from(turns));
        }
        let days = match days(items, &years) {
            Ok(days) => days,
            Err(at) => {
                impossible = at;
                continue;
            }
        };
        if days.last().is_none_or(|last| *last < written) {
            continue;
        }
        let nearest = nearest.get_or_insert_with(|| days.clone());
        if mismatch(items, &days).is_none() {
            return Dates::Known(Known {
                guessed_year: days.first().map(|day| day.year()),
                mismatch: mismatch(items, nearest),
                nearest: nearest.clone(),
                days,
            });
        }
    }
    match nearest {
        Some(days) => Dates::Known(Known {
            guessed_year: days.first().map(|day| day.year()),
            mismatch: mismatch(items, &days),
            nearest: days.clone(),
            days,
        }),
        None => Dates::Impossible(impossible),
    }
}
