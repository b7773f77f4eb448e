//! The neighbours of an item in its list: so many that follow it, those of the same word first; or
//! the one before it and the one after.
//!
//! Each item has its own neighbours, so that a new one changes the pages of a few others only.

use crate::content::Entry;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) struct Near<'a> {
    list: &'a [Arc<Entry>],
    count: usize,
    is_beside: bool,
    /// Places in the list of the items of each word.
    groups: Vec<Vec<usize>>,
    /// For each item its group and its place there.
    places: Vec<Option<(usize, usize)>>,
}

impl<'a> Near<'a> {
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
            is_beside: false,
            groups,
            places,
        }
    }

    /// The one before and the one after; the ends of the list have one of them.
    pub(super) fn beside(list: &'a [Arc<Entry>]) -> Self {
        Self {
            list,
            count: 0,
            is_beside: true,
            groups: Vec::new(),
            places: Vec::new(),
        }
    }

    /// The neighbours of the item at `index`. After the last one the list begins again.
    pub(super) fn of(&self, index: usize) -> impl Iterator<Item = &'a Arc<Entry>> {
        let own = self.places.get(index).copied().flatten();
        let kin = own.into_iter().flat_map(move |(group, place)| {
            let group = &self.groups[group];
            (1..group.len()).map(move |step| group[(place + step) % group.len()])
        });
        let length = self.list.len();
        let others = (1..length)
            .map(move |step| (index + step) % length)
            .filter(move |other| {
                let word = |place: Option<(usize, usize)>| place.map(|(group, _)| group);
                own.is_none() || word(self.places[*other]) != word(own)
            });
        let beside = [index.checked_sub(1), Some(index + 1)];
        let beside = beside.into_iter().flatten().filter(|_| self.is_beside);
        let beside = beside.filter_map(|other| self.list.get(other));
        let near = kin.chain(others).take(self.count);
        beside.chain(near.map(|other| &self.list[other]))
    }
}
