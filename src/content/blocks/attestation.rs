//! What speaks of her life and of other people: she is asked whether it is true.

use super::{BlockDefinition, Field, FieldType, SavedBlock, hash, text_with_settings};
use crate::Timestamp;
use serde_json::Value as Json;

/// Her word that what she read is true.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Attestation {
    /// Hashes, with spaces between: of each statement that she read. That of the whole default, as
    /// a former release kept it, stands for all that the default says.
    pub statement_hashes: String,
    pub at: Timestamp,
    /// E-mail address; empty for the operator's commands.
    pub account: String,
}

impl Attestation {
    pub fn hashes(&self) -> impl Iterator<Item = &str> {
        self.statement_hashes.split(' ')
    }
}

impl BlockDefinition {
    /// Whether it speaks of her life or of others, so that she has to say that it is true.
    pub const fn needs_attestation(&self) -> bool {
        !self.to_confirm.is_empty()
    }

    /// How many things it says that she is asked about: entries, and paragraphs. While it is open,
    /// only those that she has yet to find true, or to write anew. `None` follows the default.
    pub fn statement_count(
        &self,
        own: Option<&Json>,
        saved: Option<&SavedBlock>,
        confirmed: Option<&Attestation>,
    ) -> usize {
        if self.awaits_attestation(own, saved, confirmed) {
            self.unattested_count(own, confirmed)
        } else {
            self.statement_texts(own.unwrap_or(&self.default)).len()
        }
    }

    /// Whether she has yet to say that it is true. What she hides is not asked for. `own` is what
    /// is saved.
    pub fn awaits_attestation(
        &self,
        own: Option<&Json>,
        saved: Option<&SavedBlock>,
        confirmed: Option<&Attestation>,
    ) -> bool {
        !self.is_hidden(saved) && self.unattested_count(own, confirmed) > 0
    }

    /// Hashes of all that she reads when she is asked.
    pub fn statement_hashes(&self, own: Option<&Json>) -> String {
        let said = self.statement_texts(own.unwrap_or(&self.default));
        let hashes: Vec<String> = said.iter().map(|one| hash(&[one])).collect();
        hashes.join(" ")
    }

    /// What stands word for word as the program brought it and was never found true. Of somebody
    /// who is quoted also what she wrote: nobody else says that they agreed.
    fn unattested_count(&self, own: Option<&Json>, confirmed: Option<&Attestation>) -> usize {
        let program = self.statement_texts(&self.default);
        let hashes: Vec<&str> = confirmed
            .into_iter()
            .flat_map(Attestation::hashes)
            .collect();
        let has_read_default = hashes.contains(&self.default_hash());
        let is_left = |one: &&String| {
            let is_programs = program.contains(one);
            let is_read = has_read_default && is_programs || hashes.contains(&&*hash(&[one]));
            (is_programs || self.quotes) && !is_read
        };
        let said = own.map(|own| self.statement_texts(own));
        said.as_ref()
            .unwrap_or(&program)
            .iter()
            .filter(is_left)
            .count()
    }

    /// Each statement by itself. Pictures, links and signs beside the words make them no truer.
    fn statement_texts(&self, value: &Json) -> Vec<String> {
        let asked = |field: &&Field| self.to_confirm.contains(&field.name);
        let fields = self.fields.iter().filter(asked);
        let said: Vec<String> = fields
            .flat_map(|field| field_statements(field, value.get(&field.name)))
            .collect();
        // Words and whose they are stand or fall together.
        if self.quotes {
            vec![said.join(BESIDE)]
        } else {
            said
        }
    }
}

const BESIDE: &str = " · ";

fn field_statements(field: &Field, kept: Option<&Json>) -> Vec<String> {
    let Some(kept) = kept else {
        return Vec::new();
    };
    let said: Vec<String> = match (&field.holds, kept) {
        (FieldType::List { fields, .. }, Json::Array(entries)) => {
            let words = |entry: &Json| {
                let each = |field: &Field| field_statements(field, entry.get(&field.name));
                fields
                    .iter()
                    .flat_map(each)
                    .collect::<Vec<_>>()
                    .join(BESIDE)
            };
            entries.iter().map(words).collect()
        }
        (FieldType::Line { .. } | FieldType::Paragraphs { .. } | FieldType::RichText { .. }, _) => {
            as_kept(kept).split("\n\n").map(in_one_line).collect()
        }
        (FieldType::Year, Json::Number(year)) => vec![year.to_string()],
        _ => Vec::new(),
    };
    said.into_iter().filter(|one| !one.is_empty()).collect()
}

/// A text with its settings as they are named: what they hold is asked for elsewhere.
fn as_kept(kept: &Json) -> String {
    let word = |part: &Json| match part {
        Json::String(words) => words.clone(),
        Json::Null => String::new(),
        setting => setting.to_string(),
    };
    text_with_settings::parts(kept).iter().map(word).collect()
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
