//! Parses a price as Italians and Swiss write it: `€ 15,00`, `1.250`, `CHF 1'200`, `gratuito`,
//! `15 € a persona`. `ui/src/lib/amount.ts` has the same grammar; `tests/data/amounts.json`
//! compares them.

const WHOLE_DIGITS_MAX: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Currency {
    Euro,
    Franc,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Price<'a> {
    Amount {
        cents: i64,
        currency: Currency,
        /// Text after the amount, such as `a persona`. May be empty.
        note: &'a str,
    },
    /// Text such as `offerta libera`, shown as typed.
    Words,
}

/// `None` for a text of digits and signs alone that is not an amount, such as `15,0,0`.
pub(super) fn read(text: &str) -> Option<Price<'_>> {
    let text = text.trim();
    amount(text).or_else(|| has_words(text).then_some(Price::Words))
}

fn amount(text: &str) -> Option<Price<'_>> {
    let free = ["gratis", "gratuito", "gratuita", "gratuiti", "gratuite"];
    if free.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(Price::Amount {
            cents: 0,
            currency: Currency::Euro,
            note: "",
        });
    }
    let (before, rest) = sign(text);
    let in_number = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,'’".contains(c);
    let rest = rest.trim_start();
    let end = rest.find(|c| !in_number(c)).unwrap_or(rest.len());
    let (number, mut rest) = rest.split_at(end);
    // `120.-` and `120,–`
    let number = match number.strip_suffix(['.', ',']) {
        Some(whole) if rest.starts_with(['-', '–']) => {
            rest = rest.trim_start_matches(['-', '–']).trim_start();
            whole
        }
        _ => number,
    };
    let cents = cents(number.trim_end())?;
    let (after, note) = sign(rest);
    let note = note.trim();
    let currency = match (before, after) {
        (Some(before), Some(after)) if before != after => return None,
        (before, after) => after.or(before),
    };
    let is_note = currency.is_some()
        && note.contains(char::is_alphabetic)
        && !note.contains(|c: char| c.is_ascii_digit());
    (note.is_empty() || is_note).then_some(Price::Amount {
        cents,
        currency: currency.unwrap_or(Currency::Euro),
        note,
    })
}

/// Signs and their currency, the longer ones first.
const SIGNS: [(&str, Currency); 7] = [
    ("€", Currency::Euro),
    ("euro", Currency::Euro),
    ("eur", Currency::Euro),
    ("chf", Currency::Franc),
    ("franchi", Currency::Franc),
    ("sfr", Currency::Franc),
    ("fr", Currency::Franc),
];

/// Splits off the currency at the start of a text.
fn sign(text: &str) -> (Option<Currency>, &str) {
    for (sign, currency) in SIGNS {
        let (Some(start), Some(rest)) = (text.get(..sign.len()), text.get(sign.len()..)) else {
            continue;
        };
        let is_whole = sign == "€" || !rest.starts_with(char::is_alphabetic);
        if start.eq_ignore_ascii_case(sign) && is_whole {
            let is_short = sign.ends_with("fr");
            let rest = rest.strip_prefix('.').filter(|_| is_short).unwrap_or(rest);
            return (Some(currency), rest);
        }
    }
    (None, text)
}

/// Parses `95`, `95,50`, `1.200` and the Swiss `1'200`.
fn cents(number: &str) -> Option<i64> {
    let is_digit = |c: &char| c.is_ascii_digit();
    let characters: Vec<char> = number.chars().collect();
    let is_group = |at: usize| {
        let rest = &characters[at + 1..];
        at > 0
            && characters[at] != ','
            && is_digit(&characters[at - 1])
            && rest.iter().take_while(|c| is_digit(c)).count() == 3
    };
    let bare: String = (0..characters.len())
        .filter(|at| is_digit(&characters[*at]) || !is_group(*at))
        .map(|at| characters[at])
        .collect();
    let (whole, cents) = bare.split_once([',', '.']).unwrap_or((&bare, "00"));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = (1..=WHOLE_DIGITS_MAX).contains(&whole.len()) && (1..=2).contains(&cents.len());
    if !fits || !are_digits(whole) || !are_digits(cents) {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let cents: i64 = format!("{cents:0<2}").parse().ok()?;
    Some(whole * 100 + cents)
}

/// Whether the text has a word that is not a currency.
fn has_words(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty());
    words.any(|word| {
        !SIGNS
            .iter()
            .any(|(sign, _)| sign.eq_ignore_ascii_case(word))
    })
}

/// The stored form: `45`, `45,50`, `45 CHF`, `15 € a persona`. Words and a price of zero have no
/// currency. `None` for an unreadable price.
pub(super) fn normalized(text: &str) -> Option<String> {
    let Price::Amount {
        cents,
        currency,
        note,
    } = read(text)?
    else {
        return Some(text.trim().to_owned());
    };
    let (whole, rest) = (cents / 100, cents % 100);
    let number = match rest {
        0 => whole.to_string(),
        rest => format!("{whole},{rest:02}"),
    };
    let sign = match currency {
        Currency::Franc if cents != 0 || !note.is_empty() => " CHF",
        Currency::Euro if !note.is_empty() => " €",
        _ => "",
    };
    // `80 €, pranzo compreso`, `15 €/persona`
    let is_glued = note.is_empty() || note.starts_with([',', ';', '/']);
    let space = if is_glued { "" } else { " " };
    Some(format!("{number}{sign}{space}{note}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sanitize::strip_invisible;

    #[test]
    fn prices_are_read_as_people_write_them() {
        let table = include_str!("../../tests/data/amounts.json");
        let table: Vec<(String, Option<String>)> = serde_json::from_str(table).unwrap();
        let count = table.len();
        for (text, expected) in table {
            // As the validation of a field does.
            let found = normalized(&strip_invisible(&text));
            assert_eq!(found, expected, "{text:?}");
            if let Some(found) = found {
                assert_eq!(normalized(&found), Some(found), "{text:?}");
            }
        }
        assert!(count >= 50, "{count}");
    }
}
