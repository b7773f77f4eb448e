//! `words`: reads and changes content blocks.

use super::control::{Answer, Request};
use crate::auth::token;
use crate::content::Timestamp;
use crate::content::blocks::{BlockDefinition, Change, Strictness};
use crate::error::{Error, FieldError, Result};
use crate::store::{Reader, Writer};
use crate::ui_assets;
use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write as _;
use std::io::Read as _;

/// Maximum size of a value.
const INPUT_BYTES_MAX: u64 = 192 * 1024;

#[derive(Debug, Subcommand)]
pub enum ContentBlockCommand {
    /// List the blocks, and which of them are changed or hidden
    List,
    /// Print a block as JSON
    Get { id: String },
    /// Change a block: its value, or {"value": …, "hidden": …}, as JSON from standard input
    Set { id: String },
    /// Show a block again as the program brings it
    Reset { id: String },
}

/// Returns the request of a command, for the server or the data file.
pub fn build_request(command: ContentBlockCommand) -> anyhow::Result<Request> {
    Ok(match command {
        ContentBlockCommand::List => Request::ListWords,
        ContentBlockCommand::Get { id } => Request::GetWords { id },
        ContentBlockCommand::Set { id } => Request::SetWords {
            id,
            change: read_input()?,
        },
        ContentBlockCommand::Reset { id } => {
            let change = json!({ "value": null, "hidden": false });
            Request::SetWords { id, change }
        }
    })
}

fn read_input() -> anyhow::Result<Json> {
    let mut text = String::new();
    let mut input = std::io::stdin().take(INPUT_BYTES_MAX);
    input
        .read_to_string(&mut text)
        .context("standard input is no UTF-8 text")?;
    match serde_json::from_str(&text).context("standard input is not JSON, or too long")? {
        Json::Object(object) => Ok(Json::Object(object)),
        _ => bail!("standard input must be a JSON object"),
    }
}

pub fn list_blocks(reader: &Reader<'_>) -> Result<Answer> {
    let saved = reader.saved_blocks()?;
    let mut lines = String::new();
    for block in &ui_assets::block_definitions()?.list {
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
    Ok(Answer::Text(lines))
}

pub fn read_block(reader: &Reader<'_>, id: &str) -> Result<Answer> {
    let Some(definition) = ui_assets::block_definitions()?.find(id) else {
        return Ok(unknown_block(id));
    };
    let saved = reader.saved_block(id)?;
    let confirmed = reader.attestation(id)?;
    let json = definition.to_json(saved.as_ref(), confirmed.as_ref())?;
    Ok(Answer::Text(format!("{json:#}\n")))
}

pub fn change_block(
    writer: &mut Writer<'_>,
    id: &str,
    sent: &Json,
    now: Timestamp,
) -> Result<Answer> {
    let Some(definition) = ui_assets::block_definitions()?.find(id) else {
        return Ok(unknown_block(id));
    };
    let object = wrap_value(definition, sent)?;
    let mut new_id = || token::id().ok();
    let change = Change::parse(definition, &object, Strictness::Published, &mut new_id)?;
    writer.change_block(definition, change, now, "")?;
    Ok(Answer::Done(format!("{id} is saved")))
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

fn unknown_block(id: &str) -> Answer {
    Answer::Failed(format!(
        "there is no block {id}: `respiro words list` names them"
    ))
}
