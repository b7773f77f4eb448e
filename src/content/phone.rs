//! Parses telephone numbers as Italians and Swiss write them, into E.164, and formats them in
//! groups.
//!
//! Only the numbering plans of Italy and Switzerland, where the site is used, are implemented. A
//! number of any other country needs its country code (decisions/013).

use crate::sanitize::strip_invisible;

/// Maximum digits of an E.164 number, including the country code.
pub(super) const DIGITS_MAX: usize = 15;
/// Minimum digits of a number with its country code. Shorter numbers, such as 112, are dialled as
/// they are.
pub const DIGITS_MIN: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// The text has letters, too few digits, or a number that fits neither plan.
    NotANumber,
    /// The number has no country code and is valid in both Italy and Switzerland.
    CountryUnclear,
    /// The text holds several numbers, each of which is one.
    Several,
}

impl Unread {
    /// The question to ask with the [`candidates`]; `None` when there are none.
    pub const fn question(self) -> Option<&'static str> {
        match self {
            Self::NotANumber => None,
            Self::CountryUnclear => Some(COUNTRY_UNCLEAR),
            Self::Several => Some(SEVERAL),
        }
    }
}

pub const COUNTRY_UNCLEAR: &str = "Manca il prefisso del Paese: Italia (+39) o Svizzera (+41)?";
pub const SEVERAL: &str = "Qui sta un numero solo: quale?";
/// Error message; the label of the field precedes the text.
pub const NOT_A_NUMBER: &str = "non è un numero che si può chiamare: controlla le cifre";

/// Parses a number into E.164: `+393331234567`. Drops a note in brackets and
/// invisible characters: a number copied from a contacts app carries direction marks.
pub fn read(text: &str) -> Result<String, Unread> {
    let text = without_notes(&strip_invisible(text));
    match read_one(&text) {
        Err(Unread::NotANumber) if numbers_in(&text).len() > 1 => Err(Unread::Several),
        reading => reading,
    }
}

/// Removes brackets that contain letters: `333 1234567 (solo WhatsApp)`.
fn without_notes(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        let Some((inside, behind)) = after.split_once(')') else {
            break;
        };
        kept.push_str(before);
        if !inside.contains(char::is_alphabetic) {
            kept.extend(["(", inside, ")"]);
        }
        rest = behind;
    }
    kept + rest
}

/// Splits a list of numbers. Empty when one part is none: `333 1234567 o la sera`.
fn numbers_in(text: &str) -> Vec<&str> {
    const WORDS: &[&str] = &[" oppure ", " e ", " o ", " - ", " \u{2013} "];
    const SIGNS: &[char] = &['/', ',', ';', '|', '\n'];
    let by_words = WORDS
        .iter()
        .map(|word| text.split(word).collect::<Vec<_>>());
    let mut ways = by_words.chain([text.split(SIGNS).collect()]);
    let is_number = |part: &&str| read_one(part) != Err(Unread::NotANumber);
    ways.find(|parts| parts.len() > 1 && parts.iter().all(is_number))
        .unwrap_or_default()
}

fn read_one(text: &str) -> Result<String, Unread> {
    let written = Written::of(text).ok_or(Unread::NotANumber)?;
    if let Some(rest) = &written.international {
        return international(rest);
    }
    let national = written.digits.as_str();
    match (is_italian(national), swiss_of_national(national)) {
        (true, Some(swiss)) => match written.habit() {
            Some(Habit::Italian) => Ok(format!("+39{national}")),
            Some(Habit::Swiss) => Ok(format!("+41{swiss}")),
            None => Err(Unread::CountryUnclear),
        },
        (true, None) => Ok(format!("+39{national}")),
        (false, Some(swiss)) => Ok(format!("+41{swiss}")),
        // Messenger links (wa.me) write the country code without `+`.
        (false, None) if national.starts_with("39") || national.starts_with("41") => {
            international(national)
        }
        (false, None) => Err(Unread::NotANumber),
    }
}

/// Returns the E.164 readings of a number without a country code, or of several numbers, for the
/// user to choose from.
pub fn candidates(text: &str) -> Vec<String> {
    let text = without_notes(&strip_invisible(text));
    let parts = numbers_in(&text);
    let one = [text.as_str()];
    let parts = if parts.is_empty() {
        &one
    } else {
        parts.as_slice()
    };
    parts
        .iter()
        .flat_map(|part| match read_one(part) {
            Ok(number) => vec![number],
            Err(_) => in_both_countries(part),
        })
        .collect()
}

fn in_both_countries(text: &str) -> Vec<String> {
    let Some(written) = Written::of(text) else {
        return Vec::new();
    };
    let italian = Some(format!("+39{}", written.digits)).filter(|_| is_italian(&written.digits));
    let swiss = swiss_of_national(&written.digits).map(|national| format!("+41{national}"));
    italian.into_iter().chain(swiss).collect()
}

/// Formats a number in groups: `+39 333 123 4567`. Returns unparsable text unchanged.
pub fn grouped(text: &str) -> String {
    let Ok(number) = read(text) else {
        return text.to_owned();
    };
    let digits = number.trim_start_matches('+');
    let (country, national) = digits.split_at(country_digits(digits).min(digits.len()));
    let sizes: &[usize] = match (country, national.len()) {
        ("39", _) if national.starts_with('0') => match area_code_length(national) {
            2 => &[2, 4, 4, 3],
            3 => &[3, 3, 4],
            _ => &[4, 3, 4],
        },
        ("41", _) => &[2, 3, 2, 2],
        (_, 10) => &[3, 3, 4],
        (_, 11) => &[3, 4, 4],
        _ => &[3, 3, 3, 3, 3],
    };
    let mut groups = vec![format!("+{country}")];
    let mut rest = national;
    for size in sizes {
        if rest.is_empty() {
            break;
        }
        // Extends the last group by a single remaining digit, because one digit alone looks like a
        // typing error.
        let size = if rest.len() == size + 1 {
            rest.len()
        } else {
            *size
        };
        let (group, after) = rest.split_at(size.min(rest.len()));
        groups.push(group.to_owned());
        rest = after;
    }
    groups.push(rest.to_owned());
    groups.retain(|group| !group.is_empty());
    groups.join(" ")
}

/// A number split into its digits, their grouping and an explicit country code.
struct Written {
    digits: String,
    /// Lengths of the digit groups as typed.
    groups: Vec<usize>,
    /// The digits after `+` or `00`.
    international: Option<String>,
}

enum Habit {
    Italian,
    Swiss,
}

impl Written {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let allowed = |c: char| {
            c.is_ascii_digit()
                || c.is_whitespace()
                || "+()-./\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}".contains(c)
        };
        if !text.chars().all(allowed) || text.chars().skip(1).any(|c| c == '+') {
            return None;
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let groups = text
            .split(|c: char| !c.is_ascii_digit())
            .map(str::len)
            .filter(|length| *length > 0)
            .collect();
        let international = if text.starts_with('+') {
            // `(0)` is a trunk prefix, dialled only within the country. Italy dials its 0 from
            // abroad too.
            let abroad = text.replace("(0)", "");
            let kept = if digits.starts_with("39") {
                text
            } else {
                abroad.as_str()
            };
            Some(kept.chars().filter(char::is_ascii_digit).collect())
        } else {
            digits.strip_prefix("00").map(str::to_owned)
        };
        Some(Self {
            digits,
            groups,
            international,
        })
    }

    /// Guesses the country from the grouping: 091 123 45 67 is Swiss, 02 1234 5678 Italian.
    fn habit(&self) -> Option<Habit> {
        match self.groups.as_slice() {
            [3, 3, 2, 2] => Some(Habit::Swiss),
            [4, 3, 3] if is_swiss_service(&self.digits) => Some(Habit::Swiss),
            [2 | 4, _, ..] => Some(Habit::Italian),
            _ => None,
        }
    }
}

fn international(digits: &str) -> Result<String, Unread> {
    let fits = if let Some(national) = digits.strip_prefix("39") {
        is_italian(national)
    } else if let Some(national) = digits.strip_prefix("41") {
        // Drops the trunk prefix after the country code: +41 079 123 45 67.
        let national = national.strip_prefix('0').unwrap_or(national);
        return if is_swiss(national) {
            Ok(format!("+41{national}"))
        } else {
            Err(Unread::NotANumber)
        };
    } else {
        !digits.starts_with('0') && (DIGITS_MIN..=DIGITS_MAX).contains(&digits.len())
    };
    if fits {
        Ok(format!("+{digits}"))
    } else {
        Err(Unread::NotANumber)
    }
}

/// Italian plan: landlines keep their 0; mobile numbers begin with 3, freephone with 80, shared
/// cost with 84, premium rate with 89, nomadic with 55, personal with 178 and 199, social services
/// with 116.
fn is_italian(national: &str) -> bool {
    let length = national.len();
    match national.as_bytes() {
        [b'3', ..] => (9..=10).contains(&length),
        [b'0', ..] => (6..=11).contains(&length),
        [b'8', b'0', ..] | [b'8', b'9', b'2'..=b'5' | b'9', ..] => (6..=9).contains(&length),
        [b'8', b'4', ..] => matches!(length, 6 | 9),
        [b'5', b'5', ..] | [b'1', b'7', b'8', ..] => length == 10,
        [b'1', b'9', b'9', ..] => length == 9,
        [b'1', b'1', b'6', ..] => length == 6,
        _ => false,
    }
}

/// Returns the length of the area code of an Italian landline, with its 0: `02`, `031`, `0331`.
fn area_code_length(national: &str) -> usize {
    match national.as_bytes() {
        [_, b'2' | b'6', ..] => 2,
        [_, _, b'0' | b'1' | b'5' | b'9', ..] => 3,
        _ => 4,
    }
}

/// Whether the number begins with a Swiss prefix that no region has: 0800, 084x, 090x.
fn is_swiss_service(digits: &str) -> bool {
    matches!(
        digits.get(..4),
        Some("0800" | "0840" | "0842" | "0844" | "0848" | "0900" | "0901" | "0906")
    )
}

/// Swiss plan: nine digits after the country code; the first is neither 0 nor 1.
fn is_swiss(national: &str) -> bool {
    national.len() == 9 && !national.starts_with(['0', '1'])
}

fn swiss_of_national(digits: &str) -> Option<&str> {
    digits.strip_prefix('0').filter(|rest| is_swiss(rest))
}

/// Returns the length of the country code (ITU-T E.164): one, two or three digits.
fn country_digits(digits: &str) -> usize {
    const TWO: &[&str] = &[
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46",
        "47", "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63",
        "64", "65", "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95", "98",
    ];
    if digits.starts_with(['1', '7']) {
        1
    } else if digits.get(..2).is_some_and(|two| TWO.contains(&two)) {
        2
    } else {
        3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(text: &str) -> String {
        read(text).unwrap_or_else(|reason| format!("{text}: {reason:?}"))
    }

    #[derive(serde::Deserialize)]
    struct Examples {
        numbers: Vec<(String, String)>,
        shown: Vec<(String, String)>,
        unclear: Vec<String>,
        several: Vec<String>,
        invalid: Vec<String>,
    }

    /// `ui/src/admin/features/site-editor/model/links.test.ts` reads the same examples.
    fn examples() -> Examples {
        serde_json::from_str(include_str!("../../tests/data/phone-numbers.json")).unwrap()
    }

    #[test]
    fn numbers_are_read_as_italians_and_swiss_write_them() {
        let examples = examples();
        assert!(examples.numbers.len() > 40);
        for (written, number) in examples.numbers {
            assert_eq!(read_as(&written), number, "{written:?}");
        }
    }

    #[test]
    fn several_numbers_are_asked_about() {
        let both = ["+393331234567", "+39031123456"];
        for written in examples().several {
            assert_eq!(read(&written), Err(Unread::Several), "{written}");
            assert_eq!(candidates(&written), both, "{written}");
        }
        let open = "333 1234567 / 091 1234567";
        assert_eq!(read(open), Err(Unread::Several));
        assert_eq!(candidates(open).len(), 3);
        for wrong in ["333 1234567 / 12", "333 1234567 o la sera", "(solo)"] {
            assert_eq!(candidates(wrong), Vec::<String>::new(), "{wrong}");
        }
    }

    #[test]
    fn what_both_countries_have_is_asked_and_what_none_has_refused() {
        let examples = examples();
        for unclear in examples.unclear {
            assert_eq!(read(&unclear), Err(Unread::CountryUnclear), "{unclear}");
            assert_eq!(candidates(&unclear).len(), 2, "{unclear}");
        }
        for wrong in examples.invalid {
            assert_eq!(read(&wrong), Err(Unread::NotANumber), "{wrong}");
        }
    }

    #[test]
    fn what_is_shown_is_grouped_and_reads_back_the_same() {
        for (number, shown) in examples().shown {
            assert_eq!(grouped(&number), shown);
            assert_eq!(read(&shown), Ok(number), "{shown}");
        }
        assert_eq!(grouped("ufficio 12"), "ufficio 12");
    }
}
