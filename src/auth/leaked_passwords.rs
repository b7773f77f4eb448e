//! Detects passwords that attackers try first: leaked ones, keyboard runs, repetitions, years, the
//! owner's own name, and a few of these in a row. The list is part of the program, so that no
//! password is ever sent to a service (ASVS 5.0, 6.2.4 and 6.2.12).

use flate2::read::GzDecoder;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read as _};
#[cfg(test)]
use {flate2::Compression, flate2::write::GzEncoder, std::io::Write as _};

const LEAKED_BYTES_MAX: u64 = 1024 * 1024;
/// A password of fewer guessable parts is guessable itself.
const PARTS_MIN: usize = 4;
/// Longer parts are in no list.
const PART_CHARACTERS_MAX: usize = 24;
/// The characters of shorter words count one by one.
const WORD_BYTES_MIN: usize = 3;
const NUMBER_CHARACTERS_MAX: usize = 8;
const KEYBOARD_ROWS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "asdfghjklò",
    "zxcvbnm",
    "01234567890",
    "1qaz2wsx3edc4rfv5tgb6yhn",
];

/// The most frequent leaked passwords, one a line, compressed by gzip.
#[derive(Clone, Copy)]
pub struct LeakedPasswords(&'static [u8]);

impl fmt::Debug for LeakedPasswords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("LeakedPasswords")
    }
}

impl LeakedPasswords {
    pub const fn from_gzip(list: &'static [u8]) -> Self {
        Self(list)
    }

    /// Whether attackers try a password first. `about` holds words that belong to its owner.
    /// Decompresses the list on each call, because new passwords are rare.
    pub fn is_common(self, password: &str, about: &[&str]) -> io::Result<bool> {
        let mut leaked = String::new();
        GzDecoder::new(self.0)
            .take(LEAKED_BYTES_MAX)
            .read_to_string(&mut leaked)?;
        let about: Vec<String> = about.iter().map(|word| word.to_lowercase()).collect();
        let lower_case = password.to_lowercase();
        let without_leet: String = lower_case.chars().map(undo_leetspeak).collect();
        // Keep only the words that occur in the password.
        let words: HashSet<&str> = leaked
            .lines()
            .chain(about.iter().map(String::as_str))
            .filter(|word| word.len() >= WORD_BYTES_MIN)
            .filter(|word| lower_case.contains(word) || without_leet.contains(word))
            .collect();
        Ok([lower_case, without_leet].iter().any(|text| {
            let characters: Vec<char> = text.chars().collect();
            count_parts(repeated_unit(&characters), &words) < PARTS_MIN
        }))
    }

    /// A list of these words.
    #[cfg(test)]
    pub(super) fn of(words: &[&str]) -> Self {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(words.join("\n").as_bytes()).unwrap();
        Self(gzip.finish().unwrap().leak())
    }
}

/// Returns the letter that a character stands for in "p4$$w0rd".
fn undo_leetspeak(character: char) -> char {
    match character {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// Returns "abc" for "abcabcabc": a unit repeated to the end counts once.
fn repeated_unit(characters: &[char]) -> &[char] {
    (1..=characters.len() / 2)
        .filter_map(|length| characters.split_at_checked(length))
        .find(|(unit, rest)| rest.chunks(unit.len()).all(|chunk| unit.starts_with(chunk)))
        .map_or(characters, |(unit, _)| unit)
}

/// Returns the smallest number of guessable parts that make up the characters. A character that
/// fits no part counts as one.
fn count_parts(characters: &[char], words: &HashSet<&str>) -> usize {
    // `fewest[end]` is the answer for the characters before `end`.
    let mut fewest = vec![0];
    for end in 1..=characters.len() {
        let first = end.saturating_sub(PART_CHARACTERS_MAX);
        let best = fewest
            .iter()
            .enumerate()
            .skip(first)
            .filter(|(start, _)| {
                let part = characters.get(*start..end).unwrap_or_default();
                part.len() == 1 || is_guessable(part, words)
            })
            .map(|(_, before)| before + 1)
            .min();
        fewest.push(best.unwrap_or(end));
    }
    fewest.pop().unwrap_or_default()
}

fn is_guessable(part: &[char], words: &HashSet<&str>) -> bool {
    let text: String = part.iter().collect();
    let reversed: String = part.iter().rev().collect();
    let is_repetition = part.windows(2).all(|pair| pair.first() == pair.last());
    let is_number = part.len() <= NUMBER_CHARACTERS_MAX && part.iter().all(char::is_ascii_digit);
    let is_row = || {
        KEYBOARD_ROWS
            .iter()
            .any(|row| row.contains(&text) || row.contains(&reversed))
    };
    is_repetition || is_number || words.contains(text.as_str()) || is_row()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_of_any_length_is_looked_at_in_a_moment() {
        let leaked = LeakedPasswords::of(&["password"]);
        let long: String = "è7ò".chars().cycle().take(200).collect();
        assert!(leaked.is_common(&long, &[]).unwrap(), "one unit, repeated");
        let long: String = (0..200_u32)
            .filter_map(|n| char::from_u32(0x4e00 + n))
            .collect();
        assert!(!leaked.is_common(&long, &[]).unwrap());
    }
}
