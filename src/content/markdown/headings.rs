//! Assigns ids and levels to headings, and counts the words of a text.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Tag, TagEnd};
use std::collections::BTreeMap;

/// Prefix of heading ids, so that no heading takes the id of a page element.
const ID_PREFIX: &str = "sezione-";
const ID_CHARACTERS_MAX: usize = 60;

/// A second-level heading of the page.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Section {
    pub id: String,
    pub text: String,
}

/// Sets level and id of every heading. Returns the sections and the word count.
pub(super) fn mark(events: &mut [Event<'_>]) -> (Vec<Section>, usize) {
    let lowered = events.iter().any(|event| {
        matches!(
            event,
            Event::Start(Tag::Heading {
                level: HeadingLevel::H1,
                ..
            })
        )
    });
    let mut sections = Vec::new();
    let mut taken = BTreeMap::new();
    let mut words = 0;
    for place in 0..events.len() {
        match &events[place] {
            Event::Text(text) | Event::Code(text) => words += text.split_whitespace().count(),
            Event::End(TagEnd::Heading(level)) => {
                let level = level_on_page(*level, lowered);
                events[place] = Event::End(TagEnd::Heading(level));
            }
            Event::Start(Tag::Heading { level, .. }) => {
                let level = level_on_page(*level, lowered);
                let text = heading_text(&events[place + 1..]);
                let id = free_id(&text, &mut taken);
                events[place] = Event::Start(Tag::Heading {
                    level,
                    id: Some(CowStr::from(id.clone())),
                    classes: vec![],
                    attrs: vec![],
                });
                if level == HeadingLevel::H2 && !text.is_empty() {
                    sections.push(Section { id, text });
                }
            }
            _ => {}
        }
    }
    (sections, words)
}

/// The page title is the only first level. In a text with first-level headings every heading moves
/// one level down; other texts stay unchanged.
fn level_on_page(level: HeadingLevel, lowered: bool) -> HeadingLevel {
    use HeadingLevel::{H1, H2, H3, H4, H5, H6};
    match level {
        level if !lowered => level,
        H1 => H2,
        H2 => H3,
        H3 => H4,
        H4 => H5,
        H5 | H6 => H6,
    }
}

fn heading_text(after: &[Event<'_>]) -> String {
    let inside = after
        .iter()
        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let text = inside.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        Event::SoftBreak | Event::HardBreak => Some(" "),
        _ => None,
    });
    text.collect::<String>().trim().to_owned()
}

/// Returns an unused id. `taken` maps each used id to the next suffix to try, so that equal
/// headings take linear time.
fn free_id(text: &str, taken: &mut BTreeMap<String, u32>) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let name: String = words.join("-").chars().take(ID_CHARACTERS_MAX).collect();
    let id = format!("{ID_PREFIX}{name}");
    let Some(mut number) = taken.get(&id).copied() else {
        taken.insert(id.clone(), 2);
        return id;
    };
    let mut free = format!("{id}-{number}");
    while taken.contains_key(&free) {
        number += 1;
        free = format!("{id}-{number}");
    }
    taken.insert(id, number + 1);
    taken.insert(free.clone(), 2);
    free
}
