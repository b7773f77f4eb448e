//! Splits an Italian date into tokens: numbers, months, weekdays and the words and signs that join
//! them.

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
/// Days of a month in words, from one.
const NUMBERS: [&str; 31] = [
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
    "venti",
    "ventuno",
    "ventidue",
    "ventitre",
    "ventiquattro",
    "venticinque",
    "ventisei",
    "ventisette",
    "ventotto",
    "ventinove",
    "trenta",
    "trentuno",
];
/// Articles and other words that name no day: part of the day without an hour, `week-end`.
const FILLERS: [&str; 29] = [
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
    "giorni",
    "in",
    "data",
    "date",
    "weekend",
    "week",
    "end",
    "anno",
    "mattina",
    "mattino",
    "mattinata",
    "pomeriggio",
    "sera",
    "serata",
];

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
    let mut tokens: Vec<Token> = Vec::new();
    let mut time = None;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let end = at + run_length(&text[at..], character);
        let is_digit = |character: Option<char>| character.is_some_and(|c| c.is_ascii_digit());
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
                if !tokens.is_empty() && introduces_time(&word, &text[end..]) {
                    let is_said = matches!(word.as_str(), "con" | "orario");
                    time = Some(&text[if is_said { end } else { at }..]);
                    break;
                }
                Some(word_kind(&word, &text[end..])?)
            }
            ',' | ';' => Some(Kind::Comma),
            '&' | '+' => Some(Kind::And),
            '/' => Some(Kind::Slash),
            '|' | '•' | '·' => Some(Kind::Bar),
            // Also after a word: `Data: 12 dicembre`.
            ':' => is_digit(text[..at].chars().next_back()).then_some(Kind::Colon),
            '-' | '–' | '—' | '‒' | '−' | '>' | '→' => Some(Kind::Dash),
            // A full stop also ends an abbreviation or a sentence.
            '.' => {
                let is_between = is_digit(text[..at].chars().next_back())
                    && is_digit(text[end..].chars().next());
                is_between.then_some(Kind::Dot)
            }
            c if c.is_whitespace() || "°º'’‘`´()*!".contains(c) || is_invisible(c) => None,
            _ => return None,
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
    tidy(&mut tokens)?;
    Some(Lexed { tokens, time })
}

fn introduces_time(word: &str, rest: &str) -> bool {
    match word {
        "ore" | "h" | "alle" | "dalle" | "ora" | "orario" | "inizio" => true,
        "con" => plain(rest).trim_start().starts_with("inizio"),
        _ => false,
    }
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

/// Index of a time without a word before it: `12 dicembre 20:30`, and after a month or a year also
/// `20.30`.
fn bare_time(tokens: &[Token]) -> Option<usize> {
    let is_time = |at: usize| {
        let (Some(hour), Some(sign), Some(minute)) =
            (tokens.get(at), tokens.get(at + 1), tokens.get(at + 2))
        else {
            return false;
        };
        let before = tokens[..at]
            .iter()
            .rfind(|token| !matches!(token.kind, Kind::Comma | Kind::Bar | Kind::Dash));
        let is_after_date = matches!(
            before.map(|token| token.kind),
            Some(Kind::Month(_) | Kind::Number { digits: 4, .. })
        );
        let Kind::Number {
            value: hour,
            digits: 1..=2,
        } = hour.kind
        else {
            return false;
        };
        let Kind::Number {
            value: minute,
            digits: 2,
        } = minute.kind
        else {
            return false;
        };
        let is_clock = hour <= 24 && minute < 60;
        match sign.kind {
            Kind::Colon => is_clock && before.is_some(),
            Kind::Dot => is_clock && is_after_date && minute % 5 == 0,
            _ => false,
        }
    };
    (1..tokens.len()).find(|at| is_time(*at))
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
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}'
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
        "al" | "all" | "a" | "ad" | "fino" | "sino" => Kind::To,
        "dal" | "dall" | "da" => Kind::From,
        "ogni" | "tutti" | "tutte" => Kind::Every,
        "prossimo" | "prossima" => Kind::Next,
        "prossimi" | "prossime" if rest.contains(|c: char| c.is_ascii_digit()) => Kind::Filler,
        "primo" => Kind::First,
        word if FILLERS.contains(&word) => Kind::Filler,
        "mar" => Kind::Tuesday,
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
    while tokens.last().is_some_and(is_loose) {
        tokens.pop();
    }
    while tokens.first().is_some_and(is_loose) {
        tokens.remove(0);
    }
    (!tokens.is_empty()).then_some(())
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
    let former = tokens.clone();
    let is_within = |at: usize| {
        let (Some(before), Some(after)) = (former.get(at.wrapping_sub(1)), former.get(at + 1))
        else {
            return false;
        };
        let is_tight = before.end == former[at].start && former[at].end == after.start;
        let is_sign = match former[at].kind {
            Kind::Bar => true,
            Kind::Dash | Kind::Slash => is_tight,
            _ => false,
        };
        let is_year = |value: u16, digits: usize| {
            digits == 4 || digits == 2 && (20..=49).contains(&value) && at + 2 == former.len()
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
