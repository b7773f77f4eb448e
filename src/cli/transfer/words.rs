//! The words of an exported file: checked as a client's are.

use super::source::{Members, Source, place_of};
use crate::app::now;
use crate::block_definitions;
use crate::content::blocks::{Attestation, SavedBlock, Strictness, VERSIONS_MAX, validate};
use crate::content::{Timestamp, time};
use serde_json::Value as Json;
use serde_json::value::RawValue;

const ACCOUNT_CHARACTERS_MAX: usize = 254;
const HASH_CHARACTERS_MAX: usize = 32;

/// The versions of each block, newest first. Former ones may be what this release would refuse:
/// they are looked at again when one comes back.
pub fn read<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Vec<Vec<SavedBlock>> {
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
        match read.collect::<Result<Vec<SavedBlock>, _>>() {
            Ok(versions) if is_descending(&versions) => blocks.push(versions),
            Ok(_) => source.problem(part.get(), &place, "is not in the order of revisions"),
            Err((number, reason)) => {
                source.problem(part.get(), &format!("{place}[{number}]"), &reason);
            }
        }
    }
    blocks
}

/// What she has found true, by block.
pub fn confirmed<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Vec<(String, Attestation)> {
    let mut all = Vec::new();
    for (id, part) in source.object(part, "confirmedWords") {
        let place = format!("confirmedWords.{id}");
        let said: Json = source.parsed(part, &place, "is no object");
        let known = block_definitions::table().is_ok_and(|table| table.find(&id).is_some());
        let account = account_of(&said);
        let (Some(account), true) = (account, known && said.is_object()) else {
            source.problem(part.get(), &place, "is nothing that could be confirmed");
            continue;
        };
        let said = Attestation {
            statement_hashes: read_of(&said),
            at: moment_of(&said, "at"),
            account,
        };
        all.push((id, said));
    }
    all
}

/// `None` when it is no address.
fn account_of(json: &Json) -> Option<String> {
    let account = json["account"].as_str().unwrap_or_default();
    let fits =
        account.chars().count() <= ACCOUNT_CHARACTERS_MAX && !account.contains(char::is_control);
    fits.then(|| account.to_owned())
}

fn hash_of(json: &Json) -> String {
    let hash = json["defaultHash"].as_str().unwrap_or_default();
    hash.chars().take(HASH_CHARACTERS_MAX).collect()
}

/// What she read; a former release wrote down which default that was.
fn read_of(json: &Json) -> String {
    let hashes = json["read"].as_array().into_iter().flatten();
    let is_hash = |hash: &&str| {
        hash.len() <= HASH_CHARACTERS_MAX && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let known: Vec<&str> = hashes.filter_map(Json::as_str).filter(is_hash).collect();
    if known.is_empty() {
        hash_of(json)
    } else {
        known.join(" ")
    }
}

fn moment_of(json: &Json, name: &str) -> Timestamp {
    let text = json[name].as_str().unwrap_or_default();
    time::parse_rfc3339(text).unwrap_or_else(now)
}

fn is_descending(versions: &[SavedBlock]) -> bool {
    versions
        .windows(2)
        .all(|pair| matches!(pair, [newer, older] if newer.revision > older.revision))
}

fn saved(id: &str, version: &Json, is_present: bool) -> Result<SavedBlock, String> {
    let definition = block_definitions::table()
        .map_err(|error| error.to_string())?
        .find(id);
    let definition = definition.ok_or("is a block that this version does not know")?;
    let value = Some(&version["value"]).filter(|value| !value.is_null());
    let value = match value {
        Some(value) if is_present && value.is_object() => {
            let whole = definition.with_current_fields(value.clone());
            let kept = validate(definition, &whole, Strictness::Moved, &mut || None);
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
    let account = account_of(version).ok_or("has an account that is no address")?;
    let revision = version["revision"].as_u64().filter(|number| *number > 0);
    Ok(SavedBlock {
        id: id.to_owned(),
        revision: revision.ok_or("has no revision")?,
        value,
        hidden: version["hidden"].as_bool().unwrap_or(false),
        saved_at: moment_of(version, "savedAt"),
        account,
        default_hash: hash_of(version),
    })
}

/// Every picture that a version names comes with it.
pub fn references(
    source: &mut Source<'_>,
    root: &Members<'_>,
    words: &[Vec<SavedBlock>],
    is_there: &dyn Fn(&str) -> bool,
) {
    for saved in words.iter().flatten() {
        let ids = saved.picture_ids();
        for id in ids.iter().filter(|id| !is_there(id)) {
            let part = root
                .get("words")
                .map_or("", |part| place_of(part.get(), id));
            let message = format!("names the picture {id}, which is not there");
            source.problem(part, &format!("words.{}", saved.id), &message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_she_found_true_comes_from_files_of_this_release_and_of_former_ones() {
        assert_eq!(read_of(&json!({ "read": ["a1", "b2"] })), "a1 b2");
        assert_eq!(read_of(&json!({ "defaultHash": "a1" })), "a1");
        assert_eq!(
            read_of(&json!({ "read": ["a 1", 5], "defaultHash": "" })),
            ""
        );
    }
}
