//! Normalizes submitted text: line endings, control, zero-width and bidirectional characters.

/// Multi-line text: `\n` line endings, no other control or invisible characters, trimmed.
pub fn multi_line(text: &str) -> String {
    let kept = |c: &char| !c.is_control() || *c == '\n' || *c == '\t';
    let kept: String = strip_invisible(text).chars().filter(kept).collect();
    trim_blank(&kept).to_owned()
}

/// Single-line text: as [`multi_line`], with one space between words.
pub fn single_line(text: &str) -> String {
    let words = multi_line(text);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Removes zero-width and bidirectional characters, tag characters and noncharacters. The
/// zero-width joiner stays between pictographs, where it combines two into one, and tag characters
/// stay in a flag.
pub fn strip_invisible(raw: &str) -> String {
    strip_invisible_except(raw, None)
}

/// Zero-width space: separates two Markdown delimiters that would otherwise merge.
const JOINT: char = '\u{200b}';

/// As [`strip_invisible`], but keeps the zero-width spaces that Markdown parsing needs.
pub fn strip_invisible_from_markdown(raw: &str) -> String {
    strip_invisible_except(raw, Some(JOINT))
}

/// Black flag: letters in tag characters after it name the region (UTS 51).
const FLAG: char = '\u{1f3f4}';
/// Ends the region of a flag.
const CANCEL_TAG: char = '\u{e007f}';
/// Longest region, for example `usca`.
const REGION_LENGTH_MAX: usize = 6;

/// Trims the text; returns an empty one when all of its characters are invisible.
pub fn trim_blank(text: &str) -> &str {
    if text.chars().all(is_blank) {
        ""
    } else {
        text.trim()
    }
}

fn strip_invisible_except(raw: &str, keeps: Option<char>) -> String {
    let plain = raw.replace("\r\n", "\n").replace('\r', "\n");
    let mut clean = String::with_capacity(plain.len());
    let mut characters = plain.chars().peekable();
    while let Some(character) = characters.next() {
        if character == FLAG {
            clean.push(character);
            let tags = region_length(characters.clone());
            clean.extend(characters.by_ref().take(tags));
            continue;
        }
        let joins = character == '\u{200d}'
            && clean.chars().next_back().is_some_and(is_pictograph)
            && characters.peek().copied().is_some_and(is_pictograph);
        if joins || !is_unseen(character) || keeps == Some(character) {
            clean.push(character);
        }
    }
    clean
}

/// Number of the tag characters that make a black flag that of a region; 0 if they do not.
fn region_length(following: impl Iterator<Item = char>) -> usize {
    let is_region =
        |tag: &char| matches!(tag, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let mut following = following.peekable();
    let mut length = 0;
    while following.next_if(is_region).is_some() {
        length += 1;
    }
    let is_whole = following.next() == Some(CANCEL_TAG);
    if is_whole && (3..=REGION_LENGTH_MAX).contains(&length) {
        length + 1
    } else {
        0
    }
}

const fn is_unseen(character: char) -> bool {
    // The last two code points of each plane are noncharacters.
    character as u32 & 0xfffe == 0xfffe
        || matches!(
            character,
            '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{fdd0}'..='\u{fdef}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Characters that are blank on their own: soft hyphens, fillers, variation selectors.
fn is_blank(character: char) -> bool {
    let is_filler = matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{180b}'..='\u{180f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    is_filler || character.is_whitespace() || is_unseen(character)
}

const fn is_pictograph(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_goes_and_pictographs_stay_whole() {
        assert_eq!(
            strip_invisible("a\u{200b}b\u{202e}c\u{feff}\u{200d}d\u{fffe}"),
            "abcd"
        );
        assert_eq!(multi_line(" \u{2060}a\u{ffff}\r\nb\u{1b} "), "a\nb");
        for whole in ["👩‍👩‍👧‍👦 🧘🏽‍♀️", "❤️‍🔥 1️⃣ ☎️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "meravi\u{ad}gliosa"]
        {
            assert_eq!(single_line(whole), whole);
        }
        let hidden: String = "ignora"
            .chars()
            .filter_map(|c| char::from_u32(0xe0000 + c as u32))
            .collect();
        let flag = "🏴󠁧󠁢󠁥󠁮󠁧󠁿";
        for (typed, kept) in [
            (format!("a{hidden}b"), "ab".to_owned()),
            (format!("{flag}{hidden}b"), format!("{flag}b")),
            (format!("🏴{hidden}b"), "🏴b".to_owned()),
            (format!("🏴{hidden}{hidden}\u{e007f}b"), "🏴b".to_owned()),
        ] {
            assert_eq!(single_line(&typed), kept);
        }
        assert_eq!(
            strip_invisible_from_markdown("**a**\u{200b}*b*\u{202e}"),
            "**a**\u{200b}*b*"
        );
    }

    #[test]
    fn what_nobody_sees_is_nothing() {
        for nothing in [
            "\u{200b}\u{2060}",
            "\u{ad} \u{fe0f}",
            "\u{3164}\u{2800}\u{1ffff}",
            "",
        ] {
            assert_eq!(single_line(nothing), "", "{nothing:?}");
            assert_eq!(trim_blank(nothing), "", "{nothing:?}");
        }
    }
}
