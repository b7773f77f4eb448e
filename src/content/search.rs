//! Full-text search in items: every word must occur, ignoring accents and case.

use super::{Item, Value};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum query length in bytes. Longer queries are truncated.
const SEARCH_BYTES_MAX: usize = 200;

/// A parsed query. An empty query matches every item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search(Vec<String>);

impl Search {
    pub fn new(text: &str) -> Self {
        let end = text.floor_char_boundary(SEARCH_BYTES_MAX);
        let folded = folded(&text[..end]);
        Self(folded.split_whitespace().map(str::to_owned).collect())
    }

    /// Whether every query word occurs in some text field of the item.
    pub fn is_in(&self, item: &Item) -> bool {
        let texts = item.values.values().filter_map(Value::as_text);
        self.is_in_any(texts)
    }

    /// Whether every query word occurs in one of the texts.
    pub fn is_in_any<'a>(&self, texts: impl Iterator<Item = &'a str>) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let texts = folded(&texts.collect::<Vec<_>>().join(" "));
        self.0.iter().all(|word| texts.contains(word))
    }
}

/// A name or an address that is searched for as a whole, ignoring accents and case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase(String);

impl Phrase {
    /// Returns `None` for a text of fewer than three characters: it would occur everywhere.
    pub fn new(text: &str) -> Option<Self> {
        let words = joined_words(&folded(text));
        (words.chars().count() >= 3).then_some(Self(words))
    }

    /// Whether the text contains the phrase, not as part of longer words.
    pub fn is_in(&self, text: &str) -> bool {
        let text = joined_words(&folded(text));
        let is_border = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
        text.match_indices(&self.0).any(|(start, found)| {
            let before = text.get(..start).and_then(|text| text.chars().next_back());
            let after = text.get(start + found.len()..);
            is_border(before) && is_border(after.and_then(|text| text.chars().next()))
        })
    }

    /// Whether the text is the phrase and nothing else.
    pub fn equals(&self, text: &str) -> bool {
        joined_words(&folded(text)) == self.0
    }
}

fn joined_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn folded(text: &str) -> String {
    let is_seen = |letter: &char| !is_combining_mark(*letter) && !is_break(*letter);
    let bare = text.nfd().filter(is_seen);
    bare.flat_map(char::to_lowercase).collect()
}

/// Whether the character is an invisible break or join mark, which matching ignores.
const fn is_break(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(texts: &[(&str, &str)]) -> Item {
        let values = texts.iter().map(|(name, text)| {
            let value = Value::Text((*text).to_owned());
            ((*name).to_owned(), value)
        });
        Item {
            id: "a".to_owned(),
            published: true,
            sort_order: 0,
            created_at: 0,
            updated_at: 0,
            values: values.collect(),
        }
    }

    #[test]
    fn words_are_found_without_accents_and_capitals_in_any_field() {
        let item = item(&[("title", "Città di CÔMO"), ("text", "respirò  be\u{ad}ne")]);
        for found in [
            "",
            "  ",
            "bene",
            "re\u{200b}spiro",
            "citta",
            "CITTÀ",
            "como bene",
            "spiro",
            "cômo",
        ] {
            assert!(Search::new(found).is_in(&item), "{found}");
        }
        for missing in ["roma", "citta roma", "comobene"] {
            assert!(!Search::new(missing).is_in(&item), "{missing}");
        }
    }

    #[test]
    fn a_phrase_is_found_as_whole_words() {
        let name = Phrase::new(" Anna  Rossì ").unwrap();
        for text in [
            "anna rossi",
            "Grazie ad Anna\u{a0}Rossi!",
            "«ANNA ROSSI», Como",
        ] {
            assert!(name.is_in(text), "{text}");
        }
        for text in ["Anna Rossini", "Susanna Rossi", "Anna", "Rossi Anna"] {
            assert!(!name.is_in(text), "{text}");
        }
        assert!(name.equals("ANNA rossi ") && !name.equals("Anna Rossi, Como"));
        assert_eq!(Phrase::new("  a "), None);
        let address = Phrase::new("a.b@esempio.it").unwrap();
        assert!(address.is_in("scrivi a a.b@esempio.it.") && !address.is_in("ca.b@esempio.it"));
    }

    #[test]
    fn a_search_is_cut_between_letters() {
        let long = "è".repeat(SEARCH_BYTES_MAX);
        let cut = Search::new(&long);
        assert_eq!(cut.0, ["e".repeat(SEARCH_BYTES_MAX / 2)]);
    }
}
