//! Finds the addresses of other sites that published content names, each with its places.

use super::collections::COLLECTIONS;
use super::settings::SETTINGS;
use super::snapshot::Snapshot;
use super::value::Value;
use crate::Audience;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

const SCHEMES: &[&str] = &["https://", "http://"];
const ADDRESS_CHARACTERS_MAX: usize = 2_000;

/// Returns the places of each address, as the panel shows them. Addresses of the site itself and
/// what follows a `#` are left out.
pub fn outside_links(snapshot: &Snapshot) -> BTreeMap<String, Vec<Json>> {
    let mut found: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    let mut note = |text: &str, place: &Json| {
        for address in addresses(text) {
            let rest = address.strip_prefix(&snapshot.public_url);
            let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
            if is_own {
                continue;
            }
            let places = found.entry(address).or_default();
            if !places.contains(place) {
                places.push(place.clone());
            }
        }
    };
    for collection in COLLECTIONS {
        for entry in snapshot.published(collection) {
            let title = entry.text("title").or(entry.text("name"));
            let place = json!({ "kind": collection.slug, "id": entry.id, "title": title });
            for text in entry.values.values().filter_map(Value::as_text) {
                note(text, &place);
            }
        }
    }
    for block in snapshot
        .block_definitions
        .iter()
        .flat_map(|table| &table.list)
    {
        let saved = snapshot.blocks.get(&block.id);
        if saved.is_none_or(|saved| !saved.hidden) {
            let value = saved.and_then(|saved| saved.value.as_ref());
            let place = json!({ "block": block.id, "title": block.label });
            each_text(value.unwrap_or(&block.default), &mut |text| {
                note(text, &place);
            });
        }
    }
    for setting in SETTINGS
        .iter()
        .filter(|one| one.field.audience != Audience::Admin)
    {
        let name = setting.field.name;
        if let Some(text) = snapshot.settings.text(name) {
            note(
                text,
                &json!({ "setting": name, "title": setting.field.label }),
            );
        }
    }
    found
}

fn each_text(json: &Json, visit: &mut impl FnMut(&str)) {
    match json {
        Json::String(text) => visit(text),
        Json::Array(list) => list.iter().for_each(|one| each_text(one, visit)),
        Json::Object(fields) => fields.values().for_each(|one| each_text(one, visit)),
        _ => {}
    }
}

/// Returns the `http` and `https` addresses in a text, also in Markdown.
fn addresses(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = SCHEMES
        .iter()
        .filter_map(|scheme| lower.get(from..)?.find(scheme))
        .min()
    {
        let start = from + start;
        let address = address_at(text.get(start..).unwrap_or_default());
        from = start + address.len().max(1);
        let (scheme, rest) = address.split_once("://").unwrap_or_default();
        let plain = rest.split('#').next().unwrap_or_default().replace('\\', "");
        let plain = plain.replace("&amp;", "&");
        if !plain.is_empty() && plain.chars().count() <= ADDRESS_CHARACTERS_MAX {
            found.push(format!("{}://{plain}", scheme.to_ascii_lowercase()));
        }
    }
    found
}

/// Returns the address at the start of a text, without the signs of the sentence around it.
fn address_at(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|sign: char| {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        depth < 0 || sign.is_whitespace() || sign.is_control() || "<>\"`[]{}|^«»“”".contains(sign)
    });
    let address = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '*', '_', '~', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Changes, Entry, Item, Pictures, Settings, collection_by_slug};

    #[test]
    fn addresses_are_found_in_sentences_and_in_markdown() {
        for (text, expected) in [
            (
                "Vedi https://a.example/x, poi HTTP://B.example.",
                vec!["https://a.example/x", "http://B.example"],
            ),
            (
                "[qui](https://a.example/x_(y)) e <https://b.example>",
                vec!["https://a.example/x_(y)", "https://b.example"],
            ),
            (
                "https://a.example/a\\_b?x=1&amp;y=2#fine",
                vec!["https://a.example/a_b?x=1&y=2"],
            ),
            ("**https://a.example/**", vec!["https://a.example/"]),
            ("«https://a.example/è»", vec!["https://a.example/è"]),
            ("https:// e ftp://a.example e /blog", vec![]),
            ("http", vec![]),
        ] {
            assert_eq!(addresses(text), expected, "{text}");
        }
    }

    #[test]
    fn an_address_stands_once_with_all_its_places_and_our_own_do_not() {
        let blog = collection_by_slug("blog").unwrap();
        let body = json!({ "slug": "uno", "title": "Uno", "published": true,
            "content": "https://a.example e https://a.example#x, https://noi.example/blog, \
                https://noi.example.evil/" });
        let changes = Changes::parse(blog, body.as_object().unwrap()).unwrap();
        let item = Item::create(blog, changes, "a".to_owned(), 0, 1).unwrap();
        let settings = json!({ "socialUrl": "https://a.example" });
        let mut snapshot = Snapshot {
            public_url: "https://noi.example".to_owned(),
            settings: Settings::default()
                .merge(settings.as_object().unwrap())
                .unwrap(),
            ..Snapshot::default()
        };
        let entry = Entry::new(blog, item, Pictures::new());
        snapshot.apply(blog, [("a".to_owned(), Some(entry))].into());
        let found = outside_links(&snapshot);
        assert_eq!(
            found["https://a.example"],
            [
                json!({ "kind": "blog", "id": "a", "title": "Uno" }),
                json!({ "setting": "socialUrl", "title": "Indirizzo del profilo social" }),
            ]
        );
        let addresses: Vec<&String> = found.keys().collect();
        assert_eq!(
            addresses,
            ["https://a.example", "https://noi.example.evil/"]
        );
    }
}
