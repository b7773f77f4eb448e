//! What came and what stayed behind, as the practitioner reads it.

use super::html::Lost;
use respiro_media::ImageError;
use std::collections::{BTreeMap, BTreeSet};

/// Lines about single articles. Nobody reads more, and an export can be made to ask for millions.
const LINES_MAX: usize = 10_000;

/// Everything there is to say about one import.
#[derive(Debug, Default)]
pub struct Report {
    pub posts: usize,
    pub drafts: usize,
    pub pictures: usize,
    pub redirects: usize,
    pub comments: usize,
    pub private: usize,
    pub trashed: usize,
    pub users: usize,
    pub has_menus: bool,
    /// What a category there has become here.
    pub categories: BTreeMap<String, &'static str>,
    pub homeless: BTreeSet<String>,
    pub missing_pictures: usize,
    /// In the order of the articles, each said once.
    pub lines: Vec<String>,
    said: BTreeSet<String>,
    /// Lines that are too many.
    pub unsaid: usize,
    pub pages: Vec<PageText>,
    /// How many there are of each kind that a plugin has added.
    pub others: BTreeMap<String, usize>,
}

/// What of a post does not come along, or comes otherwise.
#[derive(Debug, Clone, Copy)]
pub enum Warning<'a> {
    Lost(&'a Lost),
    /// File name of a picture that the library lacks.
    MissingPicture(&'a str),
    /// File name, and why the picture is refused.
    RefusedPicture(&'a str, PictureProblem),
    /// The post is left out: it has more characters than this.
    TooLong(usize),
}

/// Why a picture of the library does not come along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureProblem {
    TooLarge,
    Damaged,
    Refused(ImageError),
}

/// A page there: what is to be copied by hand.
#[derive(Debug, Default)]
pub struct PageText {
    pub title: String,
    /// Where it was; unknown of one that nobody could open.
    pub path: Option<String>,
    /// Names of the files that it showed.
    pub pictures: Vec<String>,
    pub text: String,
}

impl Report {
    /// Of an export that has so many users.
    pub fn of(users: usize) -> Self {
        Self {
            users,
            ..Self::default()
        }
    }

    /// Adds a warning about the post with this title, unless it stands there already.
    pub fn warn(&mut self, title: &str, warning: &Warning<'_>) {
        self.missing_pictures += usize::from(matches!(warning, Warning::MissingPicture(_)));
        self.say(warning.text(title));
    }

    fn say(&mut self, line: String) {
        if self.said.contains(&line) {
            return;
        }
        if self.lines.len() == LINES_MAX {
            self.unsaid += 1;
            return;
        }
        self.said.insert(line.clone());
        self.lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Galleries that repeat themselves said the same thousand missing pictures each time.
    #[test]
    fn each_line_is_said_once_and_they_have_an_end() {
        let mut report = Report::default();
        for name in ["a.jpg", "b.jpg", "a.jpg", "b.jpg"] {
            report.warn("Uno", &Warning::MissingPicture(name));
        }
        assert_eq!(report.lines.len(), 2);
        for number in 0..=LINES_MAX {
            report.warn("Due", &Warning::MissingPicture(&format!("{number}.jpg")));
        }
        let text = report.text(true, "Benessere", true);
        assert_eq!(text.matches("manca un’immagine").count(), LINES_MAX);
        assert!(
            text.contains("- Ci sono ancora 3 righe come queste.\n"),
            "{text}"
        );
    }
}
