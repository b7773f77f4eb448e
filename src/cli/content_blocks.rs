//! `words`: reads and changes content blocks.

use anyhow::{Context, bail};
use clap::Subcommand;
use respiro_server::control::Request;
use serde_json::{Value as Json, json};
use std::io::Read as _;

/// Maximum size of a value.
const INPUT_BYTES_MAX: u64 = 192 * 1024;

#[derive(Debug, Subcommand)]
pub enum ContentBlockCommand {
    /// List the blocks, with those changed or hidden marked
    List,
    /// Print a block as JSON
    Get { id: String },
    /// Change a block: its value, or {"value": …, "hidden": …}, as JSON from standard input
    Set { id: String },
    /// Reset a block to its default
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
