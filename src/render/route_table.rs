//! The route table of the server bundle: the pages of the site and the data that each page reads.

use std::collections::BTreeMap;

/// A row: one page, a page for each item, or a page for each page of a list.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// Name of the page's source file.
    pub page: String,
    /// `{key}` stands for an item's id or slug. May end in a query parameter: the page is then
    /// published at the path with this query.
    pub path: String,
    #[serde(flatten)]
    pub kind: RouteKind,
    /// Whether the sitemap lists the page.
    #[serde(default)]
    pub sitemap: bool,
    /// Former paths with the address that each is permanently redirected to. `{key}` in both stands
    /// for an item's id.
    #[serde(default)]
    pub former_paths: BTreeMap<String, String>,
    /// The link-preview image.
    pub social: Option<SocialPicture>,
    #[serde(default)]
    pub reads: Vec<Read>,
    /// Whether the static export renders the page differently.
    #[serde(default)]
    pub is_other_in_files: bool,
    /// Ids of the content blocks that the page shows.
    #[serde(default)]
    pub words: Vec<String>,
    /// A page for each entry of a list in a content block; `{key}` is the id of the entry.
    pub entries: Option<Entries>,
}

/// A list in a content block whose entries have a page each.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Entries {
    pub block: String,
    pub list: String,
}

/// The link-preview image of a page that has no item.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct SocialPicture {
    pub path: String,
    /// Id of the content block with the title; the site's name is drawn beside it.
    pub words: String,
}

impl Route {
    /// The read that creates a page for each item, with its index in `reads`.
    pub fn each(&self) -> Option<(usize, &Read)> {
        let mut reads = self.reads.iter().enumerate();
        reads.find(|(_, read)| matches!(read.how, How::Each))
    }

    /// The paginated read, with its index in `reads` and its page sizes.
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
    /// Has no path of its own: handlers return it at their own addresses.
    Screen {
        status: u16,
    },
    /// Returned for unknown paths one segment below `prefix`; without `prefix`, for all others.
    Missing {
        status: u16,
        prefix: Option<String>,
    },
}

/// A query of a page for items of a collection.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Read {
    /// Name of the result in the page's input.
    pub name: String,
    /// Slug of the collection.
    pub of: String,
    /// Fields that the page shows; changes to other fields do not re-render it. `None`: all.
    pub fields: Option<Vec<String>>,
    pub when: Option<When>,
    #[serde(flatten)]
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum When {
    Upcoming,
    /// Latest first.
    Past,
}

/// Which items of the collection a query returns.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase", tag = "how")]
pub enum How {
    /// The item whose key is in the path. Creates a page for each item.
    Each,
    /// The first items.
    First { count: usize },
    /// All items, paginated. The first page is at the route's own path, the others at `rest`,
    /// in which `{n}` is the page number.
    Parts(Part),
    /// The items that follow the page's own item in the list, which wraps around: first those with
    /// the same value in the field `by`.
    Near { count: usize, by: String },
    /// The items that follow the page's own item among those that match `when`; the list wraps
    /// around. Nothing for an item that does not match.
    After { count: usize },
    /// The items before and after the page's own item in the list.
    Beside,
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Number of items on the first page, when it differs from `size`.
    pub first: Option<usize>,
    pub size: usize,
    pub rest: String,
    /// The pages exist only while the list is longer than this.
    #[serde(default)]
    pub over: Option<usize>,
}
