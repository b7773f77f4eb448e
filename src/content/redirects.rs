//! The one table of redirects: former addresses of items, paths of the site that content was
//! imported from, and addresses that the admin redirects.
//!
//! Which of several claims decides, strongest first:
//! 1. a published page or file at the address itself,
//! 2. the admin's redirect,
//! 3. a former path in the route table of this release,
//! 4. the former slug of an item; a publication at the address ends it,
//! 5. a path of an imported site.

use super::time::Timestamp;
use std::collections::BTreeMap;

/// Where a redirect leads.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum RedirectTarget {
    /// The present page of the item with this id, so a chain of former slugs is one redirect.
    Item(String),
    /// A path of the site, with its query.
    Path(String),
    /// Nowhere: the content was removed for good.
    Gone,
}

/// Origin of a redirect. Sorted by priority: where two redirects have one path, the greater wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RedirectSource {
    /// An import: a path of the former site.
    Import,
    /// The change of an item's slug.
    SlugChange,
    /// A page of this release that had another path in earlier ones.
    Page,
    /// The admin.
    Admin,
}

impl RedirectSource {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::SlugChange => "slugChange",
            Self::Page => "page",
            Self::Admin => "admin",
        }
    }
}

/// A redirect of one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    pub target: RedirectTarget,
    pub source: RedirectSource,
    /// `None` for slugs and imports, whose rows hold no time.
    pub created_at: Option<Timestamp>,
}

/// The strongest stored redirect of each address. Addresses have no trailing slash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RedirectTable(BTreeMap<String, Redirect>);

impl RedirectTable {
    /// Adds a redirect unless a stronger one has its address.
    pub fn insert(&mut self, from: &str, redirect: Redirect) {
        let from = from.strip_suffix('/').unwrap_or(from);
        let known = self.0.get(from);
        if !from.is_empty() && known.is_none_or(|known| known.source <= redirect.source) {
            self.0.insert(from.to_owned(), redirect);
        }
    }

    pub fn get(&self, from: &str) -> Option<&Redirect> {
        self.0.get(from)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Redirect)> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_claim_of_an_address_decides_in_any_order() {
        let of = |source, id: &str| Redirect {
            target: RedirectTarget::Item(id.to_owned()),
            source,
            created_at: None,
        };
        let all = [
            of(RedirectSource::Import, "a"),
            of(RedirectSource::SlugChange, "b"),
            of(RedirectSource::Admin, "c"),
        ];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut table = RedirectTable::default();
            for place in order {
                table.insert("/blog/uno", all[place].clone());
            }
            assert_eq!(table.get("/blog/uno"), Some(&all[2]));
        }
        let mut table = RedirectTable::default();
        table.insert("/2019/uno/", all[0].clone());
        table.insert("/", all[0].clone());
        let addresses: Vec<&String> = table.iter().map(|(from, _)| from).collect();
        assert_eq!(addresses, ["/2019/uno"]);
    }
}
