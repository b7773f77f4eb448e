//! Defines attestations: the practitioner confirms that statements about her and other people are
//! true.

use super::{BlockDefinition, Field, FieldType, SavedBlock, hash, text_with_settings};
use crate::Timestamp;
use serde_json::Value as Json;

/// A confirmation that the statements read are true.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Attestation {
    /// Space-separated hash of each confirmed statement. The hash of the whole default, stored by
    /// earlier releases, covers all statements of the default.
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
    /// Whether the block has statements that need an attestation.
    pub const fn needs_attestation(&self) -> bool {
        !self.to_confirm.is_empty()
    }

    /// Number of statements (list entries and paragraphs); while some are unattested, the number of
    /// those. `own: None` follows the default.
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

    /// Whether a statement is still unattested; never in a hidden block. `own` is the saved value.
    pub fn awaits_attestation(
        &self,
        own: Option<&Json>,
        saved: Option<&SavedBlock>,
        confirmed: Option<&Attestation>,
    ) -> bool {
        !self.is_hidden(saved) && self.unattested_count(own, confirmed) > 0
    }

    /// Space-separated hashes of all statements of the value.
    pub fn statement_hashes(&self, own: Option<&Json>) -> String {
        let said = self.statement_texts(own.unwrap_or(&self.default));
        let hashes: Vec<String> = said.iter().map(|one| hash(&[one])).collect();
        hashes.join(" ")
    }

    /// Number of statements that equal the default and were never confirmed. In a quote, rewritten
    /// statements count too: only an attestation records the consent of the quoted person.
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

    /// The text of each statement, without pictures, links and icons.
    fn statement_texts(&self, value: &Json) -> Vec<String> {
        let asked = |field: &&Field| self.to_confirm.contains(&field.name);
        let fields = self.fields.iter().filter(asked);
        let said: Vec<String> = fields
            .flat_map(|field| field_statements(field, value.get(&field.name)))
            .collect();
        // A quote and its author are one statement.
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

/// The text with settings by name, because the values of settings are attested elsewhere.
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
