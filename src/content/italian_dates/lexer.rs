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
const ARTICLES: [&str; 21] = [
    "il", "lo", "l", "i", "gli", "le", "la", "di", "del", "dello", "dell", "della", "nel", "nei",
    "giorno", "giorni", "in", "data", "date", "weekend", "anno",
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
            c if is_letter(c) => {
                let word = plain(&text[at..end]);
                let introduces_time =
                    matches!(word.as_str(), "ore" | "h" | "alle" | "dalle" | "ora");
                if introduces_time && !tokens.is_empty() {
                    time = Some(&text[at..]);
                    break;
                }
                Some(word_kind(&word, &text[end..])?)
            }
            ',' | ';' => Some(Kind::Comma),
            '&' | '+' => Some(Kind::And),
            '/' => Some(Kind::Slash),
            '-' | '–' | '—' | '‒' | '−' | '>' | '→' => Some(Kind::Dash),
            // A full stop also ends an abbreviation or a sentence.
            '.' => {
                let is_between = is_digit(text[..at].chars().next_back())
                    && is_digit(text[end..].chars().next());
                is_between.then_some(Kind::Dot)
            }
            c if c.is_whitespace() || "°º'’‘`´()*•|".contains(c) || is_invisible(c) => {
                None
            }
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
    tidy(&mut tokens)?;
    Some(Lexed { tokens, time })
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
        "primo" => Kind::First,
        // `weekend` is also written `week-end`.
        "week" | "end" | "settimana" => Kind::Filler,
        "fine" if plain(rest).trim_start().starts_with("settimana") => Kind::Filler,
        word if ARTICLES.contains(&word) => Kind::Filler,
        "mar" => Kind::Tuesday,
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
    tokens.dedup_by(|next, kept| next.kind == kept.kind && next.kind == Kind::To);
    let is_loose = |token: &Token| matches!(token.kind, Kind::Comma | Kind::Dash | Kind::Slash);
    while tokens.last().is_some_and(is_loose) {
        tokens.pop();
    }
    while tokens.first().is_some_and(is_loose) {
        tokens.remove(0);
    }
    (!tokens.is_empty()).then_some(())
}
