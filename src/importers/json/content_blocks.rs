//! Exports and imports the versions of content blocks, and attestations. An import validates a
//! block as the API does.

use super::serde_adapters::{merge, now, text, time_or_now};
use super::spanned_json::{Problems, SpannedJson};
use crate::Result;
use respiro_content::Timestamp;
use respiro_content::blocks::{
    Attestation, BlockDefinition, BlockDefinitions, SavedBlock, Strictness, VERSIONS_MAX, validate,
};
use respiro_db::Reader;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::Serializer as ToJson;
use serde_json::{Map, Value as Json};

const HASH_CHARACTERS_MAX: usize = 32;

#[derive(Serialize, Deserialize)]
#[serde(remote = "SavedBlock", rename_all = "camelCase")]
struct VersionFields {
    #[serde(skip)]
    id: String,
    revision: u64,
    #[serde(
        default,
        serialize_with = "write_value",
        deserialize_with = "read_value"
    )]
    value: Option<String>,
    #[serde(default)]
    hidden: bool,
    #[serde(default = "now", with = "time_or_now")]
    saved_at: Timestamp,
    #[serde(default, deserialize_with = "text::<254, _>")]
    account: String,
    #[serde(default, deserialize_with = "text::<32, _>")]
    default_hash: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Attestation")]
struct AttestationFields {
    #[serde(rename = "read", default)]
    #[serde(serialize_with = "write_hashes", deserialize_with = "read_hashes")]
    statement_hashes: String,
    #[serde(default = "now", with = "time_or_now")]
    at: Timestamp,
    #[serde(default, deserialize_with = "text::<254, _>")]
    account: String,
}

/// How earlier releases exported which default an attestation covers.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FormerAttestation {
    #[serde(default, deserialize_with = "text::<32, _>")]
    default_hash: String,
}

/// Writes the stored JSON text as an object; `null` follows the default.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn write_value<S: Serializer>(value: &Option<String>, out: S) -> Result<S::Ok, S::Error> {
    let value = value.as_deref();
    let value = value.and_then(|value| serde_json::from_str::<Json>(value).ok());
    value.serialize(out)
}

fn read_value<'de, D: Deserializer<'de>>(json: D) -> Result<Option<String>, D::Error> {
    let value = Option::<Map<String, Json>>::deserialize(json)?;
    Ok(value.map(|value| Json::Object(value).to_string()))
}

/// Writes a list; in the data file, spaces separate the hashes.
fn write_hashes<S: Serializer>(hashes: &str, out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(hashes.split(' '))
}

fn read_hashes<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let list = Vec::<Json>::deserialize(json)?;
    let is_hash = |hash: &&str| {
        hash.len() <= HASH_CHARACTERS_MAX && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let hashes = list.iter().filter_map(Json::as_str).filter(is_hash);
    Ok(hashes.collect::<Vec<_>>().join(" "))
}

/// Exports every saved block with its versions, newest first.
pub fn export(reader: &Reader<'_>) -> Result<Map<String, Json>> {
    let version = |saved: &SavedBlock| merge([VersionFields::serialize(saved, ToJson)]);
    let ids = reader.content_blocks().list()?.into_keys();
    let block = |id: String| {
        let versions = reader.content_blocks().versions(&id)?;
        let versions = versions.iter().map(version).collect::<Result<Json>>()?;
        Ok((id, versions))
    };
    ids.map(block).collect()
}

pub fn export_attestations(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
) -> Result<Map<String, Json>> {
    let mut attestations = Map::new();
    let blocks = definitions.list.iter();
    for block in blocks.filter(|block| block.needs_attestation()) {
        if let Some(attestation) = reader.content_blocks().attestation(&block.id)? {
            let json = merge([AttestationFields::serialize(&attestation, ToJson)])?;
            attestations.insert(block.id.clone(), json);
        }
    }
    Ok(attestations)
}

/// Reads the versions of each block, newest first. This release may refuse former versions: they
/// are validated when one is restored.
pub fn read<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
    definitions: &BlockDefinitions,
) -> Vec<Vec<SavedBlock>> {
    let mut blocks = Vec::new();
    for (id, json) in problems.members(json) {
        let list = problems.list(&json);
        if list.is_empty() || list.len() > VERSIONS_MAX {
            let message = format!("holds no versions, or more than {VERSIONS_MAX}");
            problems.add(&json, &message);
            continue;
        }
        let Some(definition) = definitions.find(&id) else {
            problems.add(&json, "is a block that this version does not know");
            continue;
        };
        let mut versions: Vec<SavedBlock> = Vec::new();
        for json in &list {
            let saved = problems.record(json, |json| VersionFields::deserialize(json));
            let Some(mut saved) = saved else {
                continue;
            };
            saved.id.clone_from(&id);
            if versions.is_empty() {
                saved.value = valid_value(definition, &saved).unwrap_or_else(|problem| {
                    problems.add(json, &problem);
                    None
                });
            }
            if saved.revision == 0 {
                problems.add(&json.field("revision"), "must be at least 1");
            }
            if versions
                .last()
                .is_some_and(|newer| newer.revision <= saved.revision)
            {
                problems.add(json, "is not in the order of revisions");
            }
            versions.push(saved);
        }
        blocks.push(versions);
    }
    blocks
}

fn valid_value(definition: &BlockDefinition, saved: &SavedBlock) -> Result<Option<String>, String> {
    let Some(value) = saved.own_value() else {
        return Ok(None);
    };
    let value = definition.with_current_fields(value);
    let value = validate(definition, &value, Strictness::Moved, &mut || None);
    let value = value.map_err(|errors| {
        let first = errors.into_iter().next();
        let problem = first.map(|error| format!("{}: {}", error.field, error.message));
        problem.unwrap_or_default()
    })?;
    Ok(Some(value.to_string()))
}

/// Reads the attestations by block.
pub fn read_attestations<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
    definitions: &BlockDefinitions,
) -> Vec<(String, Attestation)> {
    let mut attestations = Vec::new();
    for (id, json) in problems.members(json) {
        if definitions.find(&id).is_none() {
            problems.add(&json, "is nothing that could be confirmed");
        }
        let former: Option<FormerAttestation> = problems.value(&json);
        let attestation = problems.record(&json, |json| AttestationFields::deserialize(json));
        if let (Some(former), Some(mut attestation)) = (former, attestation) {
            if attestation.statement_hashes.is_empty() {
                attestation.statement_hashes = former.default_hash;
            }
            attestations.push((id, attestation));
        }
    }
    attestations
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIOGRAPHY: &str = r#"[{
        "id": "chi-sono.biography", "pages": ["chi-sono"], "label": "Biografia",
        "fields": [], "default": {}, "hideable": false
    }]"#;

    fn statement_hashes(attestation: &str) -> String {
        let text = format!("{{\"chi-sono.biography\": {attestation}}}");
        let mut problems = Problems::new("x.json", &text);
        let json = SpannedJson::parse(&text).unwrap();
        let definitions = BlockDefinitions::from_json(BIOGRAPHY).unwrap();
        let read = read_attestations(&mut problems, &json, &definitions);
        assert_eq!(problems.finish(), Ok(()));
        read[0].1.statement_hashes.clone()
    }

    #[test]
    fn attestations_are_read_from_exports_of_this_release_and_of_earlier_ones() {
        assert_eq!(statement_hashes(r#"{"read": ["a1", "b2"]}"#), "a1 b2");
        assert_eq!(statement_hashes(r#"{"defaultHash": "a1"}"#), "a1");
        let none = r#"{"read": ["a 1", 5], "defaultHash": ""}"#;
        assert_eq!(statement_hashes(none), "");
    }
}
