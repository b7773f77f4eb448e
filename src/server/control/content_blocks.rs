//! Reads and changes of content blocks for commands.

use super::Response;
use crate::errors::{Error, FieldError, Result};
use respiro_auth::token;
use respiro_content::Timestamp;
use respiro_content::blocks::{BlockDefinition, BlockDefinitions, Change, Strictness};
use respiro_db::{Reader, Writer};
use serde_json::{Map, Value as Json};
use std::fmt::Write as _;

pub fn list_blocks(reader: &Reader<'_>, definitions: &BlockDefinitions) -> Result<Response> {
    let saved = reader.content_blocks().list()?;
    let mut lines = String::new();
    for block in &definitions.list {
        let saved = saved.get(&block.id);
        let is_changed = saved.is_some_and(|saved| saved.value.is_some());
        let changed = if is_changed { "changed" } else { "-" };
        let hidden = if block.is_hidden(saved) {
            "hidden"
        } else {
            "-"
        };
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{}\t{changed}\t{hidden}\t{}", block.id, block.label);
    }
    Ok(Response::Text(lines))
}

pub fn read_block(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
    id: &str,
) -> Result<Response> {
    let Some(definition) = definitions.find(id) else {
        return Ok(unknown_block(id));
    };
    let saved = reader.content_blocks().get(id)?;
    let confirmed = reader.content_blocks().attestation(id)?;
    let json = definition.to_json(saved.as_ref(), confirmed.as_ref())?;
    Ok(Response::Text(format!("{json:#}\n")))
}

pub fn change_block(
    writer: &mut Writer<'_>,
    definitions: &BlockDefinitions,
    id: &str,
    sent: &Json,
    now: Timestamp,
) -> Result<Response> {
    let Some(definition) = definitions.find(id) else {
        return Ok(unknown_block(id));
    };
    let object = wrap_value(definition, sent)?;
    let mut new_id = || token::id().ok();
    let change = Change::parse(definition, &object, Strictness::Published, &mut new_id)?;
    let value = change.value.clone().flatten();
    let mut blocks = writer.content_blocks();
    blocks.change(definition, change, now, "")?;
    if let Some(value) = value {
        blocks.check_entries(definition, &value, definitions)?;
    }
    Ok(Response::Done(format!("{id} is saved")))
}

/// Wraps a bare value into a change.
fn wrap_value(definition: &BlockDefinition, sent: &Json) -> Result<Map<String, Json>> {
    let object = sent
        .as_object()
        .ok_or_else(|| Error::Invalid(vec![FieldError::new("value", "must be a JSON object")]))?;
    let is_value = definition
        .fields
        .iter()
        .any(|field| object.contains_key(&field.name));
    if is_value && !object.contains_key("value") {
        return Ok([("value".to_owned(), sent.clone())].into_iter().collect());
    }
    Ok(object.clone())
}

fn unknown_block(id: &str) -> Response {
    Response::Failed(format!(
        "there is no block {id}: `respiro words list` names them"
    ))
}
