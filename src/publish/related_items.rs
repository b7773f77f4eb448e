//! Neighbours of an item in its list: the items that follow it, those of the same group first or
//! only those with a given date state; or the previous and the next item.
//!
//! Each item has its own neighbours, so that a new item changes only a few other pages.

use respiro_content::Entry;
use std::collections::HashMap;
use std::sync::Arc;

/// Which items outside the item's own group count as neighbours.
#[derive(PartialEq, Eq)]
enum Others {
    /// The items that follow it, of all other groups.
    Following,
    /// The previous and the next item, of any group.
    Beside,
    Nobody,
}

pub(super) struct RelatedItems<'a> {
    list: &'a [Arc<Entry>],
    count: usize,
    others: Others,
    /// Indexes into the list, by group.
    groups: Vec<Vec<usize>>,
    /// For each item its group and its position in that group.
    places: Vec<Option<(usize, usize)>>,
}

impl<'a> RelatedItems<'a> {
    pub(super) fn new(list: &'a [Arc<Entry>], by: &str, count: usize) -> Self {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut places = Vec::with_capacity(list.len());
        for (index, entry) in list.iter().enumerate() {
            places.push(entry.text(by).map(|word| {
                let group = *numbers.entry(word).or_insert_with(|| {
                    groups.push(Vec::new());
                    groups.len() - 1
                });
                groups[group].push(index);
                (group, groups[group].len() - 1)
            }));
        }
        Self {
            list,
            count,
            others: Others::Following,
            groups,
            places,
        }
    }

    /// The items that follow, among those that `wanted` accepts. Items that `wanted` refuses have
    /// no neighbours.
    pub(super) fn after(
        list: &'a [Arc<Entry>],
        count: usize,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Self {
        let mut kin = Vec::new();
        let mut places = Vec::with_capacity(list.len());
        for (index, entry) in list.iter().enumerate() {
            let is_one = wanted(entry);
            places.push(is_one.then_some((0, kin.len())));
            kin.extend(is_one.then_some(index));
        }
        Self {
            list,
            count,
            others: Others::Nobody,
            groups: vec![kin],
            places,
        }
    }

    /// The previous and the next item. The first and the last item have only one of them.
    pub(super) fn beside(list: &'a [Arc<Entry>]) -> Self {
        Self {
            list,
            count: 0,
            others: Others::Beside,
            groups: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Returns the neighbours of the item at `index`. Following items wrap around at the end of the
    /// list.
    pub(super) fn of(&self, index: usize) -> impl Iterator<Item = &'a Arc<Entry>> {
        let own = self.places.get(index).copied().flatten();
        let kin = own.into_iter().flat_map(move |(group, place)| {
            let group = &self.groups[group];
            (1..group.len()).map(move |step| group[(place + step) % group.len()])
        });
        let length = self.list.len();
        let is_following = self.others == Others::Following;
        let others = (1..length)
            .take_while(move |_| is_following)
            .map(move |step| (index + step) % length)
            .filter(move |other| {
                let word = |place: Option<(usize, usize)>| place.map(|(group, _)| group);
                own.is_none() || word(self.places[*other]) != word(own)
            });
        let beside = [index.checked_sub(1), Some(index + 1)];
        let beside = beside
            .into_iter()
            .flatten()
            .filter(|_| self.others == Others::Beside);
        let beside = beside.filter_map(|other| self.list.get(other));
        let near = kin.chain(others).take(self.count);
        beside.chain(near.map(|other| &self.list[other]))
    }
}
