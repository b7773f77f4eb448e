//! The words of an exported file: checked as a client's are.

use super::content::{Content, place_of};
use super::source::{Members, Source};
use crate::app::now;
use crate::content::time;
use crate::content::words::{Care, Saved, VERSIONS_MAX, check, table};
use serde_json::Value as Json;
use serde_json::value::RawValue;

const ACCOUNT_CHARACTERS_MAX: usize = 254;

/// The versions of each block, newest first. Former ones may be what this release would refuse:
/// they are looked at again when one comes back.
pub fn read<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Vec<Vec<Saved>> {
    let mut blocks = Vec::new();
    for (id, part) in source.object(part, "words") {
        let place = format!("words.{id}");
        let versions: Vec<Json> = source.parsed(part, &place, "is no list of versions");
        if versions.is_empty() || versions.len() > VERSIONS_MAX {
            let message = format!("holds no versions, or more than {VERSIONS_MAX}");
            source.problem(part.get(), &place, &message);
            continue;
        }
        let read = versions.iter().enumerate().map(|(number, version)| {
            saved(&id, version, number == 0).map_err(|reason| (number, reason))
        });
        match read.collect::<Result<Vec<Saved>, _>>() {
            Ok(versions) if is_descending(&versions) => blocks.push(versions),
            Ok(_) => source.problem(part.get(), &place, "is not in the order of revisions"),
            Err((number, reason)) => {
                source.problem(part.get(), &format!("{place}[{number}]"), &reason);
            }
        }
    }
    blocks
}

fn is_descending(versions: &[Saved]) -> bool {
    versions
        .windows(2)
        .all(|pair| matches!(pair, [newer, older] if newer.revision > older.revision))
}

fn saved(id: &str, version: &Json, is_present: bool) -> Result<Saved, String> {
    let definition = table().map_err(|error| error.to_string())?.find(id);
    let definition = definition.ok_or("is a block that this version does not know")?;
    let text = |name: &str| version[name].as_str().unwrap_or_default().to_owned();
    let value = Some(&version["value"]).filter(|value| !value.is_null());
    let value = match value {
        Some(value) if is_present && value.is_object() => {
            let whole = definition.completed(value);
            let kept = check(definition, &whole, Care::Published, &mut || None);
            let kept = kept.map_err(|errors| {
                let first = errors.into_iter().next();
                first.map_or_else(String::new, |error| {
                    format!("{}: {}", error.field, error.message)
                })
            })?;
            Some(kept.to_string())
        }
        Some(value) if value.is_object() => Some(value.to_string()),
        Some(_) => return Err("has a value that is no object".to_owned()),
        None => None,
    };
    let account = text("account");
    if account.chars().count() > ACCOUNT_CHARACTERS_MAX || account.contains(char::is_control) {
        return Err("has an account that is no address".to_owned());
    }
    let revision = version["revision"].as_u64().filter(|number| *number > 0);
    Ok(Saved {
        id: id.to_owned(),
        revision: revision.ok_or("has no revision")?,
        value,
        hidden: version["hidden"].as_bool().unwrap_or(false),
        saved_at: time::parse_rfc3339(&text("savedAt")).unwrap_or_else(now),
        account,
        default_hash: text("defaultHash").chars().take(32).collect(),
    })
}

/// Every picture that a version names comes with it.
pub fn references(source: &mut Source<'_>, root: &Members<'_>, content: &Content) {
    for saved in content.words.iter().flatten() {
        let ids = saved.picture_ids();
        for id in ids.iter().filter(|id| !content.pictures.contains_key(*id)) {
            let part = root
                .get("words")
                .map_or("", |part| place_of(part.get(), id));
            let message = format!("names the picture {id}, which is not there");
            source.problem(part, &format!("words.{}", saved.id), &message);
        }
    }
}
