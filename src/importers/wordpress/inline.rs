//! Writes runs of styled text as inline Markdown that renders to the same marks.

/// Zero-width space between adjacent Markdown delimiters, which would otherwise parse as one.
/// Neither the editor nor the page shows it. `ui/src/admin/rich-text/write-markdown.ts` uses the
/// same separator.
const JOINT: &str = "&#8203;";
/// Longest number of an ordered list, in digits (CommonMark, list markers).
const LIST_DIGITS_MAX: usize = 9;
/// Longest name of a character reference.
const ENTITY_BYTES_MAX: usize = 32;

/// Marks of a run of text.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each mark stands by itself, and any of them together"
)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Style {
    /// Link destination and optional title in Markdown syntax.
    pub link: Option<String>,
    pub is_strong: bool,
    pub is_emphasis: bool,
    pub is_struck: bool,
    pub is_code: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    Link(String),
    Strong,
    Emphasis,
    Struck,
}

impl Mark {
    fn sign(&self) -> &'static str {
        match self {
            Self::Link(_) => "[",
            Self::Strong => "**",
            Self::Emphasis => "*",
            Self::Struck => "~~",
        }
    }

    fn close(&self) -> String {
        match self {
            Self::Link(target) => format!("]({target})"),
            other => other.sign().to_owned(),
        }
    }
}

impl Style {
    /// Returns the marks, outermost first.
    fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = self.link.iter().cloned().map(Mark::Link).collect();
        marks.extend(self.is_strong.then_some(Mark::Strong));
        marks.extend(self.is_emphasis.then_some(Mark::Emphasis));
        marks.extend(self.is_struck.then_some(Mark::Struck));
        marks
    }
}

/// A run of text with one style. A newline in `text` is a hard line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub text: String,
    pub style: Style,
}

/// Part of a run: text without spaces around it, or only the spaces.
struct Piece<'a> {
    text: &'a str,
    marks: Vec<Mark>,
    is_code: bool,
}

impl Piece<'_> {
    fn is_space(&self) -> bool {
        !self.is_code && self.text.trim().is_empty()
    }
}

/// Writes `runs` as one trimmed paragraph.
pub fn write(runs: &[Run]) -> String {
    let mut pieces: Vec<Piece<'_>> = runs.iter().flat_map(split).collect();
    let first = pieces.iter().position(|piece| !piece.is_space());
    let last = pieces.iter().rposition(|piece| !piece.is_space());
    let (Some(first), Some(last)) = (first, last) else {
        return String::new();
    };
    pieces.truncate(last + 1);
    pieces.drain(..first);
    // A space keeps only the marks that the text on both its sides shares, so that no mark begins
    // or ends with a space.
    // Two passes, because a search for the next text from each space is quadratic.
    let mut before = Vec::new();
    for piece in &mut pieces {
        if piece.is_space() {
            piece.marks.clone_from(&before);
        } else {
            before.clone_from(&piece.marks);
        }
    }
    let mut after = Vec::new();
    for piece in pieces.iter_mut().rev() {
        if piece.is_space() {
            let shared = common(&piece.marks, &after);
            piece.marks.truncate(shared);
        } else {
            after.clone_from(&piece.marks);
        }
    }
    let mut out = Out::default();
    for piece in &pieces {
        out.turn_to(&piece.marks);
        out.put(&if piece.is_code {
            code(piece.text)
        } else {
            escape(piece.text, &out.text)
        });
    }
    out.turn_to(&[]);
    out.text
}

fn split(run: &Run) -> Vec<Piece<'_>> {
    let marks = run.style.marks();
    let piece = |text, marks: &[Mark], is_code| Piece {
        text,
        marks: marks.to_vec(),
        is_code,
    };
    if run.style.is_code {
        return vec![piece(&run.text, &marks, true)];
    }
    let body = run.text.trim();
    let start = run.text.len() - run.text.trim_start().len();
    let parts = [&run.text[..start], body, &run.text[start + body.len()..]];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.map(|part| piece(part, &marks, false)).collect()
}

/// Returns the length of the common prefix of both lists.
fn common(one: &[Mark], other: &[Mark]) -> usize {
    one.iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

#[derive(Default)]
struct Out {
    text: String,
    open: Vec<Mark>,
    has_closed: bool,
    has_opened: bool,
}

impl Out {
    fn turn_to(&mut self, marks: &[Mark]) {
        let shared = common(&self.open, marks);
        while self.open.len() > shared {
            if let Some(mark) = self.open.pop() {
                self.text.push_str(&mark.close());
                self.has_closed = true;
            }
        }
        for mark in &marks[shared..] {
            if self.has_closed && !self.has_opened {
                self.text.push_str(JOINT);
                self.has_closed = false;
            }
            self.text.push_str(mark.sign());
            self.open.push(mark.clone());
            self.has_opened = true;
        }
    }

    /// Appends text. Inserts a `JOINT` where an opening delimiter is not left-flanking or a closing
    /// delimiter is not right-flanking (CommonMark, delimiter runs), because it would not count.
    fn put(&mut self, words: &str) {
        let Some(next) = words.chars().next() else {
            return;
        };
        let is_word = |c: char| !c.is_whitespace() && !is_punctuation(c);
        if self.has_opened {
            let signs = self.text.len() - self.text.trim_end_matches(['*', '~']).len();
            let before = self.text[..self.text.len() - signs].chars().next_back();
            if signs > 0 && is_punctuation(next) && before.is_some_and(is_word) {
                self.text.insert_str(self.text.len() - signs, JOINT);
            }
        } else if self.has_closed {
            let before = self.text.trim_end_matches(['*', '~']);
            let is_sign = before.len() < self.text.len();
            if is_sign && before.ends_with(is_punctuation) && is_word(next) {
                self.text.push_str(JOINT);
            }
        }
        (self.has_closed, self.has_opened) = (false, false);
        self.text.push_str(words);
    }
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || (!c.is_alphanumeric() && !c.is_whitespace() && !c.is_control())
}

fn code(text: &str) -> String {
    let text = text.replace('\n', " ");
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

/// Escapes `text` so that Markdown shows it literally. `before` is the Markdown in front of it.
pub fn escape(text: &str, before: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut starts_line = before.is_empty() || before.ends_with('\n');
    let mut former = before.chars().next_back().unwrap_or('\n');
    let mut digits = leading_digits(before);
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let next = rest.chars().next().unwrap_or(' ');
        let is_special = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
            '_' => !(former.is_alphanumeric() && next.is_alphanumeric()),
            '&' => is_entity(rest),
            '#' | '>' | '+' | '-' | '=' | '|' => starts_line,
            // Markdown reads one to nine digits at the start of a line, then `.` or `)`, as a list.
            '.' | ')' => digits.is_some_and(|digits| (1..=LIST_DIGITS_MAX).contains(&digits)),
            _ => false,
        };
        match c {
            '\n' => out.push('\\'),
            _ if is_special => out.push('\\'),
            _ => {}
        }
        out.push(c);
        starts_line = c == '\n' || (starts_line && c == ' ');
        digits = match c {
            '\n' => Some(0),
            c if c.is_ascii_digit() => digits.map(|digits| digits + 1),
            _ => None,
        };
        former = c;
    }
    out
}

fn is_entity(rest: &str) -> bool {
    let window = &rest.as_bytes()[..rest.len().min(ENTITY_BYTES_MAX + 1)];
    let name = window.iter().position(|byte| *byte == b';');
    name.is_some_and(|end| {
        end > 0
            && window[..end]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
    })
}

/// Returns the number of digits if the last line of `before` has only digits.
fn leading_digits(before: &str) -> Option<usize> {
    let bytes = before.bytes().rev().take(LIST_DIGITS_MAX + 1);
    let line = bytes.take_while(|byte| *byte != b'\n');
    line.map(|byte| byte.is_ascii_digit().then_some(1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_content::markdown::{RenderContext, render};

    fn shown(markdown: &str) -> String {
        let around = RenderContext {
            pictures: &std::collections::BTreeMap::new(),
            site: None,
        };
        render(markdown, &around).html
    }

    fn run(text: &str, signs: &str) -> Run {
        Run {
            text: text.to_owned(),
            style: Style {
                link: signs.contains('l').then(|| "/a".to_owned()),
                is_strong: signs.contains('s'),
                is_emphasis: signs.contains('e'),
                is_struck: signs.contains('x'),
                is_code: signs.contains('c'),
            },
        }
    }

    #[test]
    fn marks_that_touch_overlap_or_hold_spaces_mean_what_they_meant() {
        for (runs, html) in [
            (
                vec![run("a ", "s"), run("b", "e")],
                "<strong>a</strong> <em>b</em>",
            ),
            (
                vec![run("a", "s"), run("b", "se"), run("c", "e")],
                "<strong>a<em>b</em></strong>\u{200b}<em>c</em>",
            ),
            (
                vec![run("«a»", "s"), run("b", "")],
                "<strong>«a»</strong>\u{200b}b",
            ),
            (vec![run("a", ""), run("«b»", "e")], "a\u{200b}<em>«b»</em>"),
            (
                vec![run("a b", "l"), run(" c", "ls")],
                "<a href=\"/a\">a b <strong>c</strong></a>",
            ),
            (vec![run("a*b", "c")], "<code>a*b</code>"),
            (
                vec![run("a", "x"), run("b", "s")],
                "<del>a</del>\u{200b}<strong>b</strong>",
            ),
        ] {
            let markdown = write(&runs);
            assert_eq!(shown(&markdown), format!("<p>{html}</p>\n"), "{markdown}");
        }
    }

    #[test]
    fn words_are_never_read_as_signs() {
        for text in [
            "# no",
            "- no",
            "+ no",
            "1. no",
            "12) no",
            "> no",
            "a*b*c",
            "_a_ snake_case",
            "[a](b)",
            "<script>",
            "&amp; &copy; R&B",
            "`x`",
            "~~x~~",
            "\\",
            "=== no",
            "--- ",
            "![a](b)",
        ] {
            let markdown = write(&[run(text, "")]);
            let html = shown(&markdown);
            let plain = html
                .replace("&amp;", "&")
                .replace("&lt;", "<")
                .replace("&gt;", ">");
            assert_eq!(plain, format!("<p>{}</p>\n", text.trim()), "{markdown}");
        }
        let lines = shown(&write(&[run("a\n# b\n2. c", "")]));
        assert_eq!(lines, "<p>a<br />\n# b<br />\n2. c</p>\n");
    }
}
