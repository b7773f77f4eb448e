//! Ids of items in the feed and in calendars. Programs of readers recognize an entry by them, so
//! one that was given out never changes: not with the slug, the dates or the public address.

use std::collections::BTreeMap;

/// The ids under which an item was published.
#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct PublicIds {
    /// The Atom id.
    pub item: String,
    /// The iCalendar UID of each date of an event.
    pub dates: Vec<DateId>,
}

/// The id of one date of an event.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct DateId {
    /// The date, and the number of the occurrence on it after a `#`, from the second on.
    pub day: String,
    pub uid: String,
}

impl PublicIds {
    /// Returns the ids of a site that made them of its address and the position of a date.
    pub fn of_address(public_url: &str, id: &str, days: &[String]) -> Self {
        let host = public_url.split("://").nth(1).unwrap_or(public_url);
        let dates = days.iter().enumerate().map(|(index, day)| DateId {
            day: day.clone(),
            uid: match index {
                0 => format!("{id}@{host}"),
                index => format!("{id}-{}@{host}", index + 1),
            },
        });
        Self {
            item: format!("{public_url}/feed.xml#{id}"),
            dates: dates.collect(),
        }
    }

    /// Follows a change of the dates: a date that stays keeps its UID, and a single date that is
    /// replaced by another was moved. `uid` makes one for a date; its last argument counts up while
    /// the UID is taken. Without days, because the text is not understood, nothing changes.
    pub fn follow(&mut self, days: &[String], uid: impl Fn(&str, u32) -> String) {
        if days.is_empty() {
            return;
        }
        let is_known = |day: &String| self.dates.iter().any(|date| date.day == *day);
        let added: Vec<String> = days.iter().filter(|day| !is_known(day)).cloned().collect();
        let mut gone = self
            .dates
            .iter_mut()
            .filter(|date| !days.contains(&date.day));
        if let (Some(moved), None, [day]) = (gone.next(), gone.next(), added.as_slice()) {
            moved.day.clone_from(day);
            return;
        }
        self.dates.retain(|date| days.contains(&date.day));
        for day in added {
            let is_free = |uid: &String| self.dates.iter().all(|date| date.uid != *uid);
            let taken = u32::try_from(self.dates.len()).unwrap_or(u32::MAX);
            let uid = (0..=taken).map(|number| uid(&day, number)).find(is_free);
            self.dates.extend(uid.map(|uid| DateId { day, uid }));
        }
    }

    /// Returns the UIDs by day.
    pub fn by_day(&self) -> BTreeMap<&str, &str> {
        let dates = self.dates.iter();
        dates
            .map(|date| (date.day.as_str(), date.uid.as_str()))
            .collect()
    }
}

/// Returns the days of an event's occurrences, as ids name them. `starts` are RFC 3339 or dates.
pub fn days_of<'a>(starts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut days: Vec<String> = Vec::new();
    for start in starts {
        let day = start.get(..10).unwrap_or(start);
        let earlier = days
            .iter()
            .filter(|known| known.split('#').next() == Some(day));
        days.push(match earlier.count() {
            0 => day.to_owned(),
            earlier => format!("{day}#{}", earlier + 1),
        });
    }
    days
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(ids: &mut PublicIds, days: &[&str]) {
        let days = days_of(days.iter().copied());
        ids.follow(&days, |day, number| format!("{day}/{number}"));
    }

    fn ids(ids: &PublicIds) -> Vec<(&str, &str)> {
        ids.by_day().into_iter().collect()
    }

    /// Regression: ids were numbers of a position, so those of later dates moved.
    #[test]
    fn a_date_keeps_its_id_when_another_goes_comes_or_moves() {
        let mut event = PublicIds::default();
        follow(&mut event, &["2027-03-06", "2027-03-13", "2027-03-20"]);
        follow(&mut event, &["2027-03-13", "2027-03-20"]);
        let two = [
            ("2027-03-13", "2027-03-13/0"),
            ("2027-03-20", "2027-03-20/0"),
        ];
        assert_eq!(ids(&event), two);
        // The text is not understood for a while.
        follow(&mut event, &[]);
        assert_eq!(ids(&event), two);
        // The 13th moves to the 14th, then the 13th is added: it is another date.
        follow(&mut event, &["2027-03-14", "2027-03-20"]);
        follow(&mut event, &["2027-03-13", "2027-03-14", "2027-03-20"]);
        assert_eq!(
            ids(&event),
            [
                ("2027-03-13", "2027-03-13/1"),
                ("2027-03-14", "2027-03-13/0"),
                ("2027-03-20", "2027-03-20/0"),
            ]
        );
    }

    #[test]
    fn two_occurrences_on_one_day_have_two_ids() {
        let days = days_of(["2027-03-06T10:00:00+01:00", "2027-03-06T18:00:00+01:00"].into_iter());
        assert_eq!(days, ["2027-03-06", "2027-03-06#2"]);
    }

    /// Installed sites have given these ids out.
    #[test]
    fn golden_ids_of_a_site_that_made_them_of_its_address() {
        let days = ["2027-03-06", "2027-03-13"].map(str::to_owned);
        let known = PublicIds::of_address("https://example.org", "ev1", &days);
        assert_eq!(known.item, "https://example.org/feed.xml#ev1");
        let uids: Vec<&str> = known.dates.iter().map(|date| date.uid.as_str()).collect();
        assert_eq!(uids, ["ev1@example.org", "ev1-2@example.org"]);
    }
}
