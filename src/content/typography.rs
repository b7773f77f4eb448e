//! Converts typewriter apostrophes to typographic ones in text that does not pass the page
//! renderer: feed, calendars, titles on pictures. Pages apply the complete rule
//! (`ui/src/lib/typography.ts`).

use std::borrow::Cow;

/// Italian apocopes: truncated words that end with an apostrophe.
const SHORTENED: [&str; 8] = ["po", "mo", "be", "va", "fa", "da", "di", "sta"];

/// Returns the text with typographic apostrophes; quotes, minutes and feet stay as typed.
pub fn apostrophes(text: &str) -> Cow<'_, str> {
    if !text.contains('\'') {
        return Cow::Borrowed(text);
    }
    let mut set = String::with_capacity(text.len() + 8);
    for (at, letter) in text.char_indices() {
        let (before, after) = (&text[..at], &text[at + letter.len_utf8()..]);
        if letter == '\'' && is_apostrophe(before, after) {
            set.push('’');
        } else {
            set.push(letter);
        }
    }
    Cow::Owned(set)
}

fn is_apostrophe(before: &str, after: &str) -> bool {
    let follows_letter = before.chars().next_back().is_some_and(char::is_alphabetic);
    if follows_letter && after.chars().next().is_some_and(char::is_alphanumeric) {
        return true;
    }
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next();
    word.is_some_and(|word| SHORTENED.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

/// Applies [`apostrophes`] to the text nodes of generated HTML; code stays as typed.
pub fn apostrophes_in_html(html: &str) -> String {
    let mut set = String::with_capacity(html.len());
    let mut plain = 0_usize;
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        push(&mut set, text, plain);
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let (tag, after) = tag.split_at(end);
        plain = match tag {
            _ if tag.starts_with("<code") || tag.starts_with("<pre") => plain + 1,
            "</code>" | "</pre>" => plain.saturating_sub(1),
            _ => plain,
        };
        set.push_str(tag);
        rest = after;
    }
    push(&mut set, rest, plain);
    set
}

fn push(set: &mut String, text: &str, plain: usize) {
    if plain > 0 {
        set.push_str(text);
    } else {
        set.push_str(&apostrophes(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apostrophe_stands_before_letters_and_figures_or_after_a_shortened_word() {
        for (typed, set) in [
            ("L'arte dell'ascolto", "L’arte dell’ascolto"),
            ("un po' di tempo, 'così'", "un po’ di tempo, 'così'"),
            ("dal 10 all'11 aprile", "dal 10 all’11 aprile"),
            ("5' di pausa, alto 6'", "5' di pausa, alto 6'"),
            ("È già l’ora", "È già l’ora"),
            ("'", "'"),
        ] {
            assert_eq!(apostrophes(typed), set);
        }
    }

    #[test]
    fn tags_and_code_stay_as_they_are() {
        let html = "<p title=\"l'a\">l'aria <code>l'a</code> d'oro</p>";
        let set = "<p title=\"l'a\">l’aria <code>l'a</code> d’oro</p>";
        assert_eq!(apostrophes_in_html(html), set);
        assert_eq!(apostrophes_in_html("l'a <b"), "l’a <b");
    }
}
