//! The table of routes as the bundle brings it: which pages there are, and what each reads.

/// A row: one page, or one for each item or each part of a list.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// The name of the page's file.
    pub page: String,
    /// `{key}` stands for an item's id or slug.
    pub path: String,
    #[serde(flatten)]
    pub kind: RouteKind,
    /// Whether search engines may know it.
    #[serde(default)]
    pub sitemap: bool,
    /// Paths that lead here for good.
    #[serde(default)]
    pub former_paths: Vec<String>,
    /// The picture that messengers show for it.
    pub social: Option<SocialPicture>,
    #[serde(default)]
    pub reads: Vec<Read>,
    /// Whether a host of plain files shows something else than the program.
    #[serde(default)]
    pub is_other_in_files: bool,
    /// Ids of the blocks of words that it shows.
    #[serde(default)]
    pub words: Vec<String>,
    /// A page for each entry of a list of words, `{key}` being its id.
    pub entries: Option<Entries>,
}

/// The entries of a list of words that have pages.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Entries {
    pub block: String,
    pub list: String,
    /// Ids of those whose pages have rows of their own, and addresses that those have.
    pub but: Vec<String>,
}

/// The picture of a page with fixed words.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct SocialPicture {
    pub path: String,
    /// The block of words that says its title; the site's name stands beside it.
    pub words: String,
}

impl Route {
    /// The read that gives each item a page, and its place.
    pub fn each(&self) -> Option<(usize, &Read)> {
        let mut reads = self.reads.iter().enumerate();
        reads.find(|(_, read)| matches!(read.how, How::Each))
    }

    /// The read that is shown in parts, its place, and how.
    pub fn parts(&self) -> Option<(usize, &Read, &Part)> {
        let mut reads = self.reads.iter().enumerate();
        reads.find_map(|(place, read)| match &read.how {
            How::Parts(part) => Some((place, read, part)),
            _ => None,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum RouteKind {
    Page,
    /// Without an address: handlers show it below one of theirs.
    Screen {
        status: u16,
    },
    /// Shown for what is not there one step below `prefix`; without one, wherever no other fits.
    Missing {
        status: u16,
        prefix: Option<String>,
    },
}

/// Something of a kind that a page reads.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Read {
    /// What the page calls it.
    pub name: String,
    /// Slug of the kind.
    pub of: String,
    /// The fields the page shows: a change of another one is none to it. Absent: all.
    pub fields: Option<Vec<String>>,
    pub when: Option<When>,
    #[serde(flatten)]
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum When {
    Upcoming,
    /// The latest first.
    Past,
}

/// Which items of the kind.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase", tag = "how")]
pub enum How {
    /// The one whose key is in the address: a page for each.
    Each,
    /// The first ones.
    First { count: usize },
    /// All, in parts: a page for each part. The first is at the route's own path, the others where
    /// `rest` says, `{n}` being the number.
    Parts(Part),
    /// Beside an item of the same kind, those after it in the list, of the same word in a field
    /// where there are any. The list is a ring.
    Near { count: usize, by: String },
    /// Beside an item of the same kind, those after it in the list among the ones of the read's own
    /// time; nothing beside an item of another. The list is a ring.
    After { count: usize },
    /// Beside an item of the same kind, the one before it in the list and the one after.
    Beside,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Items of the first part, where it holds others than the rest.
    pub first: Option<usize>,
    pub size: usize,
    pub rest: String,
    /// There is no such page until the list is longer than this.
    #[serde(default)]
    pub over: Option<usize>,
}
