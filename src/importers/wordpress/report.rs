//! Collects what an import brings and leaves out, for the report that the practitioner reads.

use respiro_content::Timestamp;
use respiro_media::ImageError;
use std::collections::{BTreeMap, BTreeSet};

/// Most lines about texts. A crafted export could cause millions.
const LINES_MAX: usize = 2_000;
/// Titles that a line names; it counts the others.
pub const TITLES_SHOWN: usize = 5;
/// Most different details of a line that are counted.
const DETAILS_MAX: usize = 1_000;

/// Counts and warnings of one import.
#[derive(Debug, Default)]
pub struct Report {
    pub posts: usize,
    pub drafts: usize,
    /// Posts that the site will publish, with their titles.
    pub scheduled: Vec<(String, Timestamp)>,
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
    /// Alike warnings together, in the order of the posts.
    pub lines: Vec<Line>,
    places: BTreeMap<Subject, usize>,
    /// Number and title of the current post or page.
    current: (usize, String),
    /// Number of warnings beyond `LINES_MAX`.
    pub unsaid: usize,
    pub pages: Vec<PageText>,
    /// Number of entries of each post type that plugins have added.
    pub others: BTreeMap<String, usize>,
}

/// The subject of a warning. The report sums up all warnings with the same subject in one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A block, a shortcode or an element that is gone with all that it showed.
    Function(String),
    /// A shortcode or an element whose text stays.
    Wrapper(String),
    /// A word in brackets that stays and may be a shortcode.
    Brackets(String),
    Gallery,
    ReusableBlock,
    /// Content of this host became links; the details are the URLs.
    Embedded(String),
    /// The export had bytes that are not UTF-8.
    StrayBytes,
    /// The moment for publication has passed.
    PastSchedule,
    /// The excerpt is cut to this number of characters.
    Excerpt(usize),
    /// Pictures of one post that the media library does not contain; the details are file names.
    MissingPictures {
        post: usize,
    },
    /// Pictures of one post that are refused for this reason; the details are file names.
    RefusedPictures {
        post: usize,
        reason: String,
    },
    /// Links of one post to pages and files of the former site; the details are their addresses.
    OldLinks {
        post: usize,
    },
    /// The import skips this post, because it exceeds the limit of characters.
    TooLong {
        post: usize,
        characters_max: usize,
    },
}

/// Alike warnings.
#[derive(Debug)]
pub struct Line {
    pub subject: Subject,
    /// The first titles.
    pub titles: Vec<String>,
    pub post_count: usize,
    last_post: usize,
    pub details: BTreeSet<String>,
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

    /// Begins a post or page: the next warnings are about it.
    pub fn begin(&mut self, title: &str) {
        self.current = (self.current.0 + 1, title.to_owned());
    }

    /// Returns the number of the current post or page.
    pub fn post(&self) -> usize {
        self.current.0
    }

    /// Adds a warning about the current post or page.
    pub fn warn(&mut self, subject: Subject, detail: Option<&str>) {
        let (post, title) = &self.current;
        let place = match self.places.get(&subject) {
            Some(place) => *place,
            None if self.lines.len() == LINES_MAX => {
                self.unsaid += 1;
                return;
            }
            None => {
                self.places.insert(subject.clone(), self.lines.len());
                self.lines.push(Line {
                    subject,
                    titles: Vec::new(),
                    post_count: 0,
                    last_post: 0,
                    details: BTreeSet::new(),
                });
                self.lines.len() - 1
            }
        };
        let Some(line) = self.lines.get_mut(place) else {
            return;
        };
        if line.last_post != *post {
            line.last_post = *post;
            line.post_count += 1;
            if line.titles.len() < TITLES_SHOWN {
                line.titles.push(title.clone());
            }
        }
        if let Some(detail) = detail.filter(|_| line.details.len() < DETAILS_MAX) {
            line.details.insert(detail.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: repeated galleries reported the same missing pictures each time, and an export
    /// of 60 posts filled 862 lines.
    #[test]
    fn alike_lines_are_one_and_they_have_an_end() {
        let mut report = Report::default();
        report.begin("Uno");
        for name in ["a.jpg", "b.jpg", "a.jpg", "b.jpg"] {
            report.warn(
                Subject::MissingPictures {
                    post: report.post(),
                },
                Some(name),
            );
        }
        for title in ["Due", "Tre", "Quattro", "Cinque", "Sei", "Sette"] {
            report.begin(title);
            report.warn(Subject::Function("wp:search".to_owned()), None);
            report.warn(Subject::Function("wp:search".to_owned()), None);
        }
        let text = report.text(true, "Benessere", true);
        for line in [
            "- In «Uno» mancano 2 immagini che non erano nell’archivio: a.jpg, b.jpg.\n",
            "- In 6 testi («Due», «Tre», «Quattro», «Cinque», «Sei» e un altro) non è arrivato «wp:search», una funzione che qui non c’è.\n",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        for number in 0..LINES_MAX {
            report.warn(Subject::Function(number.to_string()), None);
        }
        let text = report.text(true, "Benessere", true);
        assert!(
            text.contains("- Ci sono ancora 2 righe come queste.\n"),
            "{text}"
        );
    }

    #[test]
    fn a_report_without_a_media_library_does_not_list_every_picture() {
        let mut report = Report::default();
        for post in 0..300 {
            report.begin(&format!("Articolo {post}"));
            report.warn(
                Subject::MissingPictures {
                    post: report.post(),
                },
                Some("a.jpg"),
            );
            report.warn(
                Subject::MissingPictures {
                    post: report.post(),
                },
                Some("b.jpg"),
            );
        }
        let text = report.text(true, "Benessere", true);
        let line = "- In 300 testi («Articolo 0», «Articolo 1», «Articolo 2», «Articolo 3», «Articolo 4» e altri 295) mancano 600 immagini che non erano nell’archivio.\n";
        assert!(text.contains(line), "{text}");
        assert_eq!(text.matches("immagini che non erano").count(), 1);
    }
}
