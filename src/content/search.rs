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
        if self.0.is_empty() {
            return true;
        }
        let texts: Vec<&str> = item.values.values().filter_map(Value::as_text).collect();
        let texts = folded(&texts.join(" "));
        self.0.iter().all(|word| texts.contains(word))
    }
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
    fn a_search_is_cut_between_letters() {
        let long = "è".repeat(SEARCH_BYTES_MAX);
        let cut = Search::new(&long);
        assert_eq!(cut.0, ["e".repeat(SEARCH_BYTES_MAX / 2)]);
    }
}
