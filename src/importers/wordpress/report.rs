//! Collects what an import brings and leaves out, for the report that the practitioner reads.

use super::html::Lost;
use respiro_media::ImageError;
use std::collections::{BTreeMap, BTreeSet};

/// Most warnings about single posts. A crafted export could cause millions.
const LINES_MAX: usize = 10_000;

/// Counts and warnings of one import.
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
    /// Category of this site for each renamed WordPress category.
    pub categories: BTreeMap<String, &'static str>,
    pub homeless: BTreeSet<String>,
    pub missing_pictures: usize,
    /// Warnings without duplicates, in the order of the posts.
    pub lines: Vec<String>,
    said: BTreeSet<String>,
    /// Number of warnings beyond `LINES_MAX`.
    pub unsaid: usize,
    pub pages: Vec<PageText>,
    /// Number of entries of each post type that plugins have added.
    pub others: BTreeMap<String, usize>,
}

/// Something of a post that the import leaves out or changes.
#[derive(Debug, Clone, Copy)]
pub enum Warning<'a> {
    Lost(&'a Lost),
    /// File name of a picture that the media library does not contain.
    MissingPicture(&'a str),
    /// File name of a refused picture, and the reason.
    RefusedPicture(&'a str, PictureProblem),
    /// The post is left out, because it has more characters than this limit.
    TooLong(usize),
}

/// Reason why a picture of the media library is not imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureProblem {
    TooLarge,
    Damaged,
    Refused(ImageError),
}

/// A WordPress page, which the practitioner copies by hand.
#[derive(Debug, Default)]
pub struct PageText {
    pub title: String,
    /// Former path; `None` for the home page and for a page that was not public.
    pub path: Option<String>,
    /// File names of the pictures of the page.
    pub pictures: Vec<String>,
    pub text: String,
}

impl Report {
    /// Creates an empty report of an export with this number of users.
    pub fn of(users: usize) -> Self {
        Self {
            users,
            ..Self::default()
        }
    }

    /// Adds a warning about the post with this title, unless the report already contains it.
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

    /// Regression: repeated galleries reported the same missing pictures each time.
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
