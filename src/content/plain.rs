//! Text as browsers and other programs send it, made plain.

/// Line ends as `\n`, no other control characters, trimmed.
pub fn lines(text: &str) -> String {
    let clean = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept = |c: &char| !c.is_control() || *c == '\n' || *c == '\t';
    let kept: String = clean.chars().filter(kept).collect();
    kept.trim().to_owned()
}

/// The same in one line, with one space between words.
pub fn one_line(text: &str) -> String {
    let words = lines(text);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
