//! Passwords that are tried first: leaked ones, runs and repetitions, years, the owner's own name,
//! and a few of these in a row. The list is inside the program, so that no password is ever asked
//! about elsewhere (ASVS 5.0, 6.2.4 and 6.2.12).

use flate2::read::GzDecoder;
use std::collections::HashSet;
use std::io::{self, Read as _};

/// The 49,000 most frequent leaked passwords, a line each; the build of the UI takes them from a
/// package.
const LEAKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ui/common-passwords.txt.gz"));
const LEAKED_BYTES_MAX: u64 = 1024 * 1024;
/// What is made of so few guessable pieces is itself guessed.
const PIECES_MIN: usize = 4;
/// Longer pieces are in no list.
const PIECE_CHARACTERS_MAX: usize = 24;
/// Shorter words are no guess worth naming: their characters count one by one.
const WORD_BYTES_MIN: usize = 3;
const NUMBER_CHARACTERS_MAX: usize = 8;
const ROWS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "asdfghjklò",
    "zxcvbnm",
    "01234567890",
    "1qaz2wsx3edc4rfv5tgb6yhn",
];

/// Whether a password is among those that are tried first. `about` are words that belong to its
/// owner. Reads the list anew each time: passwords are chosen seldom.
pub fn is_common(password: &str, about: &[&str]) -> io::Result<bool> {
    let mut leaked = String::new();
    GzDecoder::new(LEAKED)
        .take(LEAKED_BYTES_MAX)
        .read_to_string(&mut leaked)?;
    let about: Vec<String> = about.iter().map(|word| word.to_lowercase()).collect();
    let plain = password.to_lowercase();
    let read: String = plain.chars().map(letter_meant).collect();
    // The few that occur at all.
    let words: HashSet<&str> = leaked
        .lines()
        .chain(about.iter().map(String::as_str))
        .filter(|word| word.len() >= WORD_BYTES_MIN)
        .filter(|word| plain.contains(word) || read.contains(word))
        .collect();
    Ok([plain, read].iter().any(|text| {
        let characters: Vec<char> = text.chars().collect();
        pieces(repeated_unit(&characters), &words) < PIECES_MIN
    }))
}

/// The letter that a sign stands for in "p4$$w0rd".
fn letter_meant(sign: char) -> char {
    match sign {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// "abc" of "abcabcabc": what is repeated to the end counts once.
fn repeated_unit(characters: &[char]) -> &[char] {
    (1..=characters.len() / 2)
        .filter_map(|length| characters.split_at_checked(length))
        .find(|(unit, rest)| rest.chunks(unit.len()).all(|chunk| unit.starts_with(chunk)))
        .map_or(characters, |(unit, _)| unit)
}

/// The fewest guessable pieces that the characters are made of; one that fits nothing is a piece of
/// its own.
fn pieces(characters: &[char], words: &HashSet<&str>) -> usize {
    // `fewest[end]` is the answer for the characters before `end`.
    let mut fewest = vec![0];
    for end in 1..=characters.len() {
        let first = end.saturating_sub(PIECE_CHARACTERS_MAX);
        let best = fewest
            .iter()
            .enumerate()
            .skip(first)
            .filter(|(start, _)| {
                let piece = characters.get(*start..end).unwrap_or_default();
                piece.len() == 1 || is_guessable(piece, words)
            })
            .map(|(_, before)| before + 1)
            .min();
        fewest.push(best.unwrap_or(end));
    }
    fewest.pop().unwrap_or_default()
}

fn is_guessable(piece: &[char], words: &HashSet<&str>) -> bool {
    let text: String = piece.iter().collect();
    let backwards: String = piece.iter().rev().collect();
    let same = piece.windows(2).all(|pair| pair.first() == pair.last());
    let number = piece.len() <= NUMBER_CHARACTERS_MAX && piece.iter().all(char::is_ascii_digit);
    let row = || {
        ROWS.iter()
            .any(|row| row.contains(&text) || row.contains(&backwards))
    };
    same || number || words.contains(text.as_str()) || row()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_people_have_is_common() {
        let about = ["anna", "verdi", "respiro", "como"];
        let common = [
            "123456789012",
            "qwertyuiopas",
            "password1234",
            "Password2026!",
            "P@ssw0rd1234",
            "iloveyou1234",
            "aaaaaaaaaaaaaaaa",
            "abcabcabcabc",
            "annaverdi2026",
            "respirocomo1",
            "francescagiulia1",
            "juventus juventus",
            "1qaz2wsx3edc",
            "0987654321987",
        ];
        for password in common {
            assert!(is_common(password, &about).unwrap(), "{password}");
        }
        let own = [
            "corretto cavallo batteria",
            "un respiro misurato",
            "respiro profondo",
            "fG7#kd92-xQpl",
            "tre gatti sul tetto",
        ];
        for password in own {
            assert!(!is_common(password, &about).unwrap(), "{password}");
        }
    }

    #[test]
    fn a_password_of_any_length_is_looked_at_in_a_moment() {
        let long: String = "è7ò".chars().cycle().take(200).collect();
        assert!(is_common(&long, &[]).unwrap(), "one unit, repeated");
        let long: String = (0..200_u32)
            .filter_map(|n| char::from_u32(0x4e00 + n))
            .collect();
        assert!(!is_common(&long, &[]).unwrap());
    }
}
