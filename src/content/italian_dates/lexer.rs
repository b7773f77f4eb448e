//! Splits an Italian date into tokens: numbers, months, weekdays and the words and signs that join
//! them.

use super::super::italian_times;
use jiff::civil::Weekday;

const MONTHS: [&str; 12] = super::super::time::MONTHS;
/// Singular and plural, Monday first, without accents.
const WEEKDAYS: [(&str, &str, Weekday); 7] = [
    ("lunedi", "lunedi", Weekday::Monday),
    ("martedi", "martedi", Weekday::Tuesday),
    ("mercoledi", "mercoledi", Weekday::Wednesday),
    ("giovedi", "giovedi", Weekday::Thursday),
    ("venerdi", "venerdi", Weekday::Friday),
    ("sabato", "sabati", Weekday::Saturday),
    ("domenica", "domeniche", Weekday::Sunday),
];
const NUMBERS: [&str; 31] = super::super::time::NUMBERS;
/// Articles and other words that name no day: part of the day without an hour, `week-end`.
const FILLERS: [&str; 27] = [
    "il",
    "lo",
    "l",
    "i",
    "gli",
    "le",
    "la",
    "di",
    "del",
    "dello",
    "dell",
    "della",
    "nel",
    "nei",
    "giorno",
    "in",
    "data",
    "week",
    "end",
    "anno",
    "mattina",
    "mattino",
    "mattinata",
    "pomeriggio",
    "sera",
    "serata",
    "notte",
];
/// Nouns that a poster counts before its days: `4 incontri: 5, 12, 19 e 26 gennaio`. The lexer
/// skips them where no number precedes them.
const COUNTED: [&str; 9] = [
    "incontri",
    "appuntamenti",
    "lezioni",
    "serate",
    "giornate",
    "sessioni",
    "giorni",
    "date",
    "weekend",
];
/// Parts of the day that belong to the hour before them: `8 di sera`.
const PARTS_OF_DAY: [&str; 6] = ["mattina", "mattino", "pomeriggio", "sera", "notte", "mezza"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Number {
        value: u16,
        digits: usize,
    },
    Month(i8),
    Weekday(Weekday),
    /// `mar`, which is also short for March: a month after a day, else a weekday.
    Tuesday,
    /// `primo`, a number only before a month.
    First,
    Comma,
    And,
    Slash,
    Dot,
    Dash,
    To,
    From,
    Every,
    Next,
    /// A sign that parts of a poster stand apart by: `sabato | 12 dicembre`.
    Bar,
    /// Between the hour and the minutes of a time.
    Colon,
    /// An article, or another word without meaning here.
    Filler,
}

impl Kind {
    pub(super) fn weekday(self) -> Option<Weekday> {
        match self {
            Self::Weekday(day) => Some(day),
            Self::Tuesday => Some(Weekday::Tuesday),
            _ => None,
        }
    }
}

/// `start` and `end` are byte offsets into the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

pub(super) struct Lexed<'a> {
    pub tokens: Vec<Token>,
    /// From the first word that introduces a time: `ore 20,30`.
    pub time: Option<&'a str>,
}

/// `None` when a word or sign is not part of a date.
pub(super) fn lex(text: &str) -> Option<Lexed<'_>> {
    time_first(text).or_else(|| lex_from(text, 0))
}

/// Lexes a text whose time stands before its date: `ore 21, sabato 12 dicembre`.
fn time_first(text: &str) -> Option<Lexed<'_>> {
    let first = text.split([' ', '.', ',']).next()?;
    let is_clock = first.starts_with(|c: char| c.is_ascii_digit()) && first.contains(':');
    let word: String = first.chars().take_while(|c| is_letter(*c)).collect();
    if !is_clock && !introduces_time(&plain(&word), &text[word.len()..]) {
        return None;
    }
    let mut ends = text.match_indices(char::is_whitespace).map(|(at, _)| at);
    ends.find_map(|at| {
        let (time, date) = text.split_at(at);
        let time = time.trim_end_matches(|c: char| !c.is_alphanumeric());
        let last = plain(time.rsplit(' ').next()?);
        let is_ended =
            last.ends_with(|c: char| c.is_ascii_digit()) || PARTS_OF_DAY.contains(&last.as_str());
        let goes_on = plain(date)
            .split_whitespace()
            .take(2)
            .any(|word| PARTS_OF_DAY.contains(&word));
        if !is_ended || goes_on {
            return None;
        }
        italian_times::read(time)?;
        let lexed = lex_from(text, at).filter(|lexed| lexed.time.is_none())?;
        Some(Lexed {
            time: Some(time),
            ..lexed
        })
    })
}

fn lex_from(text: &str, start: usize) -> Option<Lexed<'_>> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut time = None;
    let mut at = start;
    while let Some(character) = text[at..].chars().next() {
        let end = at + run_length(&text[at..], character);
        if !tokens.is_empty()
            && let Some(from) = time_start(text, at, end)
        {
            time = Some(&text[from..]);
            break;
        }
        let kind = match character {
            c if c.is_ascii_digit() => {
                let value = text[at..end].parse().ok()?;
                Some(Kind::Number {
                    value,
                    digits: end - at,
                })
            }
            c if is_letter(c) && formula_length(&text[at..]).is_some() => {
                at += formula_length(&text[at..])?;
                continue;
            }
            c if is_letter(c) => {
                let word = plain(&text[at..end]);
                if COUNTED.contains(&word.as_str()) {
                    remove_count(&mut tokens, &text[end..]);
                    None
                } else if is_label(&word, &text[end..]) {
                    None
                } else {
                    Some(word_kind(&word, &text[end..])?)
                }
            }
            '.' => is_dot(&tokens, text, at, end).then_some(Kind::Dot),
            // Also after a word or a year: `Data: 12 dicembre`.
            ':' => is_between_digits(text, at, end).then_some(Kind::Colon),
            c => Some(sign_kind(c)?),
        };
        if let Some(kind) = kind.filter(|kind| *kind != Kind::Filler) {
            tokens.push(Token {
                kind,
                start: at,
                end,
            });
        }
        at = end;
    }
    if let Some(index) = bare_time(&tokens) {
        time = Some(&text[tokens[index].start..]);
        tokens.truncate(index);
    }
    if time.is_some_and(names_a_day) {
        return None;
    }
    tidy(&mut tokens)?;
    Some(Lexed { tokens, time })
}

/// `None` for a sign that is not part of a date.
fn sign_kind(sign: char) -> Option<Kind> {
    Some(match sign {
        ',' | ';' => Kind::Comma,
        '&' | '+' => Kind::And,
        '/' => Kind::Slash,
        '|' | '•' | '·' => Kind::Bar,
        '-' | '–' | '—' | '‒' | '−' | '>' | '›' | '~' | '→' | '⟶' | '➔' | '➜' | '➝' | '➞' => {
            Kind::Dash
        }
        c if c.is_whitespace()
            || "°º'’‘`´()[]«»\"“”*!…".contains(c)
            || is_invisible(c)
            || is_pictogram(c) =>
        {
            Kind::Filler
        }
        _ => return None,
    })
}

/// Offset at which the time begins, if the run `at..end` begins one: a word such as `ore`, a number
/// with `h`, a drawn clock or `@` before a number.
fn time_start(text: &str, at: usize, end: usize) -> Option<usize> {
    let (run, rest) = (&text[at..end], &text[end..]);
    let first = run.chars().next()?;
    let starts_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    match first {
        c if c.is_ascii_digit() => {
            let after = rest.strip_prefix(['h', 'H'])?;
            (!after.starts_with(is_letter)).then_some(at)
        }
        c if is_letter(c) => {
            let word = plain(run);
            let is_said = matches!(word.as_str(), "con" | "orario" | "ritrovo");
            introduces_time(&word, rest).then_some(if is_said { end } else { at })
        }
        '@' => starts_with_digit(rest.trim_start()).then_some(end),
        '\u{1f550}'..='\u{1f567}' | '⌚' | '⏰' | '⏱' => {
            let hour = rest.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c));
            starts_with_digit(hour).then_some(at + first.len_utf8() + rest.len() - hour.len())
        }
        _ => None,
    }
}

fn introduces_time(word: &str, rest: &str) -> bool {
    let rest = plain(rest);
    let rest = rest.trim_start();
    match word {
        "ore" | "h" | "alle" | "dalle" | "ora" | "orario" | "inizio" => true,
        "con" => rest.starts_with("inizio"),
        "ritrovo" => rest.starts_with("ore") || rest.starts_with("alle"),
        "tutto" => rest.starts_with("il giorno"),
        "tutta" => rest.starts_with("la giornata"),
        "intera" => rest.starts_with("giornata"),
        "giornata" => rest.starts_with("intera"),
        _ => false,
    }
}

/// Whether a time contains the name of a month or a weekday, as in
/// `sabato 12 dicembre ore 20 e domenica 13 dicembre ore 17`: the days after it would be lost.
fn names_a_day(time: &str) -> bool {
    let is_day = |word: &str| {
        let kind = word_kind(&plain(word), "");
        kind.is_some_and(|kind| matches!(kind, Kind::Month(_)) || kind.weekday().is_some())
    };
    time.split(|c: char| !is_letter(c)).any(is_day) && italian_times::read(time).is_none()
}

/// Whether the word before a colon only announces the days: `Quando: sabato 12 dicembre`.
fn is_label(word: &str, rest: &str) -> bool {
    matches!(word, "quando" | "data") && rest.trim_start().starts_with(':')
}

/// Removes the number of `4 incontri`. The number is not one of the listed days if it begins the
/// text or follows a complete date.
fn remove_count(tokens: &mut Vec<Token>, rest: &str) {
    let is_short = |token: &Token| matches!(token.kind, Kind::Number { digits: 1..=2, .. });
    let is_apart = match tokens.len() {
        0 => return,
        1 => true,
        length => matches!(
            tokens[length - 2].kind,
            Kind::Month(_) | Kind::Number { digits: 4, .. } | Kind::Comma | Kind::Dash | Kind::Bar
        ),
    };
    let has_month = tokens
        .iter()
        .any(|token| matches!(token.kind, Kind::Month(_)));
    let is_head = tokens.len() == 1 && rest.contains(|c: char| c.is_ascii_digit());
    if tokens.last().is_some_and(is_short) && is_apart && (has_month || is_head) {
        tokens.pop();
    }
}

/// Whether a full stop parts two numbers, rather than ending an abbreviation or a sentence:
/// `12.12.2026`, `12. 12. 2026`.
fn is_dot(tokens: &[Token], text: &str, at: usize, end: usize) -> bool {
    if is_between_digits(text, at, end) {
        return true;
    }
    let (last, before) = match tokens {
        [.., before, last] => (last, Some(before.kind)),
        [last] => (last, None),
        [] => return false,
    };
    matches!(last.kind, Kind::Number { digits: 1..=2, .. })
        && !matches!(before, Some(Kind::Month(_)))
        && text[last.end..at].trim().is_empty()
        && text[end..]
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit())
}

fn is_between_digits(text: &str, at: usize, end: usize) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    text[..at].ends_with(is_digit) && text[end..].starts_with(is_digit)
}

/// Bytes of a formula that says no more than the date itself: `p.v.` is the next such day, `c.a.`
/// this year.
fn formula_length(text: &str) -> Option<usize> {
    let formulas = [
        "p.v.",
        "p. v.",
        "p.v",
        "c.a.",
        "c. a.",
        "c.a",
        "fine settimana",
    ];
    let head = |formula: &&str| {
        text.get(..formula.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(formula))
    };
    let length = formulas.iter().find(|formula| head(formula))?.len();
    let next = text[length..].chars().next();
    next.is_none_or(|c| !is_letter(c)).then_some(length)
}

/// Index of a time without a word before it: `12 dicembre 20:30`; after a date that is complete
/// also `20.30` and `10-17`.
fn bare_time(tokens: &[Token]) -> Option<usize> {
    (1..tokens.len()).find(|at| is_clock(tokens, *at) || is_hours(tokens, *at))
}

fn is_clock(tokens: &[Token], at: usize) -> bool {
    let [Some(hour), Some(sign), Some(minute)] =
        [0, 1, 2].map(|ahead| tokens.get(at + ahead).map(|token| token.kind))
    else {
        return false;
    };
    let before = tokens[..at]
        .iter()
        .rfind(|token| !matches!(token.kind, Kind::Comma | Kind::Bar | Kind::Dash));
    let is_after_date = is_after_numeric_date(tokens, at)
        || matches!(
            before.map(|token| token.kind),
            Some(Kind::Month(_) | Kind::Number { digits: 4, .. })
        );
    let (
        Kind::Number {
            value: hour,
            digits: 1..=2,
        },
        Kind::Number {
            value: minute,
            digits: 2,
        },
    ) = (hour, minute)
    else {
        return false;
    };
    let is_clock = hour <= 24 && minute < 60;
    // `12.12.2026, 16.10.2027`
    let is_dated = matches!(tokens.get(at + 3).map(|token| token.kind), Some(Kind::Dot));
    match sign {
        Kind::Colon => is_clock && before.is_some(),
        Kind::Dot => is_clock && is_after_date && minute % 5 == 0 && !is_dated,
        _ => false,
    }
}

/// Whether a numeric date ends right before the token `at`: `12/12 20.30`.
fn is_after_numeric_date(tokens: &[Token], at: usize) -> bool {
    let Some([day, sign, month]) = at.checked_sub(3).and_then(|from| tokens.get(from..at)) else {
        return false;
    };
    let is_number = |token: &Token| matches!(token.kind, Kind::Number { .. });
    is_number(day) && is_number(month) && matches!(sign.kind, Kind::Slash | Kind::Dot | Kind::Dash)
}

/// Whether the token `at` begins hours at the end of a text, right after a date with the name of
/// its month: `12 dicembre 10-17`.
fn is_hours(tokens: &[Token], at: usize) -> bool {
    let is_hour = |token: &Token| {
        matches!(
            token.kind,
            Kind::Number {
                value: 0..=24,
                digits: 1..=2
            }
        )
    };
    let [from, dash, to] = &tokens[at..] else {
        return false;
    };
    let is_day_before = |month: usize| {
        let day = month.checked_sub(1).map(|at| tokens[at].kind);
        matches!(tokens[month].kind, Kind::Month(_)) && matches!(day, Some(Kind::Number { .. }))
    };
    let is_after_date = match tokens[at - 1].kind {
        Kind::Month(_) => is_day_before(at - 1),
        Kind::Number { digits: 4, .. } => at >= 2 && is_day_before(at - 2),
        _ => false,
    };
    is_after_date && is_hour(from) && matches!(dash.kind, Kind::Dash) && is_hour(to)
}

/// Bytes of the number, word or single character at the start of `text`.
fn run_length(text: &str, first: char) -> usize {
    let belongs = |c: char| {
        if first.is_ascii_digit() {
            c.is_ascii_digit()
        } else {
            is_letter(first) && (is_letter(c) || is_accent(c))
        }
    };
    let rest = &text[first.len_utf8()..];
    let run = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    first.len_utf8() + run
}

/// The ordinal signs count as letters in Unicode.
fn is_letter(character: char) -> bool {
    character.is_alphabetic() && !matches!(character, 'º' | 'ª')
}

const fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}' | '\u{301}')
}

const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{fe0f}'
    )
}

/// Drawings that social networks put beside a date.
const fn is_pictogram(character: char) -> bool {
    matches!(
        character,
        '\u{2190}'..='\u{21ff}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{2600}'..='\u{27bf}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

/// Lower case without accents.
fn plain(word: &str) -> String {
    let lower = word.to_lowercase();
    let letters = lower.chars().filter(|c| !is_accent(*c)).map(|c| match c {
        'à' | 'á' => 'a',
        'è' | 'é' => 'e',
        'ì' | 'í' | 'î' => 'i',
        'ò' | 'ó' => 'o',
        'ù' | 'ú' => 'u',
        c => c,
    });
    letters.collect()
}

/// `None` for a word that is not part of a date.
fn word_kind(word: &str, rest: &str) -> Option<Kind> {
    let kind = match word {
        "e" | "ed" => Kind::And,
        "al" | "all" | "alla" | "a" | "ad" | "fino" | "sino" => Kind::To,
        "dal" | "dall" | "dalla" | "da" => Kind::From,
        "ogni" | "tutti" | "tutte" => Kind::Every,
        "prossimo" | "prossima" | "questo" | "questa" => Kind::Next,
        "prossimi" | "prossime" if rest.contains(|c: char| c.is_ascii_digit()) => Kind::Filler,
        "primo" => Kind::First,
        word if FILLERS.contains(&word) => Kind::Filler,
        "mar" => Kind::Tuesday,
        word if word.starts_with("duemila") => {
            let ones = NUMBERS
                .iter()
                .position(|name| word.strip_prefix("duemila") == Some(*name));
            Kind::Number {
                value: 2001 + u16::try_from(ones?).ok()?,
                digits: 4,
            }
        }
        "lu" | "ma" | "me" | "gi" | "ve" | "sa" | "do" => {
            let day = rest.trim_start_matches(['.', ' ', '\u{a0}']);
            let is_before_day = day.starts_with(|c: char| c.is_ascii_digit());
            let (_, _, weekday) = WEEKDAYS.iter().find(|(name, ..)| name.starts_with(word))?;
            is_before_day.then_some(Kind::Weekday(*weekday))?
        }
        word => {
            let is_abbreviation = |name: &str| word.len() >= 3 && name.starts_with(word);
            let month = MONTHS.iter().position(|name| is_abbreviation(name));
            let weekday = WEEKDAYS
                .iter()
                .find(|(one, several, _)| is_abbreviation(one) || word == *several);
            match (
                NUMBERS.iter().position(|name| *name == word),
                month,
                weekday,
            ) {
                (Some(index), _, _) => Kind::Number {
                    value: u16::try_from(index + 1).ok()?,
                    digits: 2,
                },
                (None, Some(index), _) => Kind::Month(i8::try_from(index + 1).ok()?),
                (None, None, Some((_, _, day))) => Kind::Weekday(*day),
                (None, None, None) => return None,
            }
        }
    };
    Some(kind)
}

/// Resolves `mar` and `primo`, and removes signs without meaning: `week-end`, a comma at the end,
/// `fino al`.
fn tidy(tokens: &mut Vec<Token>) -> Option<()> {
    join_parts(tokens);
    for at in 0..tokens.len() {
        let is_number = |token: Option<&Token>| {
            token.is_some_and(|token| matches!(token.kind, Kind::Number { .. }))
        };
        let next = tokens.get(at + 1).map(|token| token.kind);
        let kind = match tokens[at].kind {
            Kind::Tuesday if at > 0 && is_number(tokens.get(at - 1)) => Kind::Month(3),
            Kind::First if matches!(next, Some(Kind::Month(_))) => Kind::Number {
                value: 1,
                digits: 1,
            },
            Kind::First => return None,
            kind => kind,
        };
        tokens[at].kind = kind;
    }
    tokens.dedup_by(|next, kept| {
        next.kind == kept.kind && matches!(next.kind, Kind::To | Kind::Comma)
    });
    let is_loose = |token: &Token| matches!(token.kind, Kind::Comma | Kind::Dash | Kind::Slash);
    // Of `mattina e sera` only the conjunction is left.
    let is_loose_end = |token: &Token| is_loose(token) || token.kind == Kind::And;
    while tokens.last().is_some_and(is_loose_end) {
        tokens.pop();
    }
    while tokens.first().is_some_and(is_loose) {
        tokens.remove(0);
    }
    move_heading(tokens);
    (!tokens.is_empty()).then_some(())
}

/// Moves a month that stands above its days behind them: `Gennaio 2027: 9, 16 e 23`.
fn move_heading(tokens: &mut Vec<Token>) {
    let is_month = |token: &Token| matches!(token.kind, Kind::Month(_));
    let is_year = |token: &Token| matches!(token.kind, Kind::Number { digits: 4, .. });
    let is_alone = tokens.iter().filter(|token| is_month(token)).count() == 1;
    if !is_alone || !tokens.first().is_some_and(is_month) {
        return;
    }
    let length = 1 + usize::from(tokens.get(1).is_some_and(is_year));
    if tokens
        .get(length)
        .is_some_and(|token| token.kind == Kind::Comma)
    {
        tokens.remove(length);
    }
    let is_day = |token: &Token| matches!(token.kind, Kind::Number { .. } | Kind::From);
    let is_listed = tokens
        .get(length)
        .is_some_and(|token| is_day(token) || token.kind.weekday().is_some());
    if is_listed {
        tokens.rotate_left(length);
    }
}

/// Reads the bars of `12 | 12 | 2026` as slashes.
fn slash_bars(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let Some([day, one, month, two, year]) = tokens.get_mut(at..at + 5) else {
            return;
        };
        let is_short = |kind: Kind| matches!(kind, Kind::Number { digits: 1..=2, .. });
        let is_date = is_short(day.kind)
            && is_short(month.kind)
            && matches!(year.kind, Kind::Number { digits: 4, .. });
        if is_date && one.kind == Kind::Bar && two.kind == Kind::Bar {
            (one.kind, two.kind) = (Kind::Slash, Kind::Slash);
        }
    }
}

/// Removes the signs within a date, as in `12-dic-2026` and `sabato | 12 | dicembre`, and the
/// `prossimo` of a written day; any other bar is a comma.
fn join_parts(tokens: &mut Vec<Token>) {
    let has_day = tokens
        .iter()
        .any(|token| matches!(token.kind, Kind::Number { .. }));
    if has_day {
        tokens.retain(|token| token.kind != Kind::Next);
    }
    slash_bars(tokens);
    let former = tokens.clone();
    let is_within = |at: usize| {
        let (Some(before), Some(after)) = (former.get(at.wrapping_sub(1)), former.get(at + 1))
        else {
            return false;
        };
        let is_tight = before.end == former[at].start && former[at].end == after.start;
        let is_sign = matches!(former[at].kind, Kind::Bar | Kind::Dash | Kind::Slash);
        let is_year = |value: u16, digits: usize| {
            let is_last = at + 2 == former.len();
            digits == 4 || digits == 2 && is_tight && (20..=49).contains(&value) && is_last
        };
        is_sign
            && match (before.kind, after.kind) {
                (Kind::Number { .. }, Kind::Month(_)) => true,
                (Kind::Month(_), Kind::Number { value, digits }) => is_year(value, digits),
                _ => false,
            }
    };
    let mut at = 0;
    tokens.retain(|_| {
        at += 1;
        !is_within(at - 1)
    });
    for token in tokens {
        if token.kind == Kind::Bar {
            token.kind = Kind::Comma;
        }
    }
}
