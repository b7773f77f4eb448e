//! Limits the attributes of a tag before html5gum reads it.

use std::borrow::Cow;

/// Most attributes with a value that a tag keeps. html5gum 0.9 recurses once for each quoted
/// attribute; a tag with 50,000 attributes overflows the stack.
const ATTRIBUTES_MAX: usize = 200;

/// Removes the attributes beyond `ATTRIBUTES_MAX` from every tag.
pub fn limit_attributes(html: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = html[at..].find('<') {
        let start = at + found;
        let Some((cut, end)) = tag_at(&html.as_bytes()[start..]) else {
            at = start + 1;
            continue;
        };
        if let Some(cut) = cut {
            out.push_str(&html[copied..start + cut]);
            copied = start + end;
        }
        at = start + end;
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[copied..]);
    Cow::Owned(out)
}

/// Follows the tag at the start of `bytes` through the attribute states of the HTML standard.
/// Returns the position after the last kept attribute, if the tag has more, and the position of the
/// `>` or the end; `None` if the `<` begins no tag.
fn tag_at(bytes: &[u8]) -> Option<(Option<usize>, usize)> {
    let name = match bytes.get(1)? {
        b'/' => 2,
        _ => 1,
    };
    if !bytes.get(name)?.is_ascii_alphabetic() {
        return None;
    }
    let find = |from: usize, ends: fn(u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        let found = rest.iter().position(|byte| ends(*byte));
        found.map_or(bytes.len(), |found| from + found)
    };
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    let mut at = find(name, |byte| is_space_or(byte, b"/>"));
    let mut attributes = 0;
    let mut cut = None;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'>' => break,
            byte if *byte == b'/' || is_space(*byte) => {
                at += 1;
                continue;
            }
            _ => {}
        }
        // The first byte belongs to the name even if it is `=`.
        let name_end = find(at + 1, |byte| is_space_or(byte, b"/>="));
        let equals = find(name_end, |byte| !byte.is_ascii_whitespace());
        if bytes.get(equals) != Some(&b'=') {
            at = name_end;
            continue;
        }
        let value = find(equals + 1, |byte| !byte.is_ascii_whitespace());
        at = match bytes.get(value) {
            Some(b'"') => find(value + 1, |byte| byte == b'"') + 1,
            Some(b'\'') => find(value + 1, |byte| byte == b'\'') + 1,
            _ => find(value, |byte| is_space_or(byte, b">")),
        };
        at = at.min(bytes.len());
        attributes += 1;
        if attributes == ATTRIBUTES_MAX {
            cut = Some(at);
        }
    }
    Some((cut.filter(|_| attributes > ATTRIBUTES_MAX), at))
}

fn is_space_or(byte: u8, others: &[u8]) -> bool {
    byte.is_ascii_whitespace() || others.contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_within_the_limit_stay_as_they_are() {
        for html in [
            "",
            "a < b",
            "<",
            "</",
            "<p",
            "<a x",
            "<a x=",
            "<a x=\"",
            "<a =\"x\" y>b",
            "<img src='a>b' alt=è>",
            "<!-- <a x=\"y\" -->",
        ] {
            assert_eq!(limit_attributes(html), html);
        }
        let most = format!("<a {}>b</a>", "x=\"y\" ".repeat(ATTRIBUTES_MAX));
        assert!(matches!(limit_attributes(&most), Cow::Borrowed(_)));
    }

    #[test]
    fn further_attributes_are_cut_and_the_text_stays() {
        for attribute in ["x=\"y\" ", "x='>' ", "è=\"è\"", "x = y "] {
            let html = format!("uno <a {}>due</a> tre", attribute.repeat(50_000));
            let limited = limit_attributes(&html);
            assert!(limited.len() < ATTRIBUTES_MAX * 10, "{attribute}");
            assert!(limited.ends_with(">due</a> tre"), "{limited}");
        }
        let open = format!("uno <a {}", "x=\"y\" ".repeat(50_000));
        assert!(limit_attributes(&open).len() < ATTRIBUTES_MAX * 10);
    }
}
