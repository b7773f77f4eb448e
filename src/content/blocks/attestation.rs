//! What speaks of her life and of other people: she is asked whether it is true.

use super::{Definition, Field, Holds, Saved, hash, text_with_settings};
use crate::Timestamp;
use serde_json::Value as Json;

/// Her word that what she read is true.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Confirmed {
    /// Hashes, with spaces between: of each statement that she read. That of the whole default, as
    /// a former release kept it, stands for all that the default says.
    pub read: String,
    pub at: Timestamp,
    /// E-mail address; empty for the operator's commands.
    pub account: String,
}

impl Confirmed {
    pub fn hashes(&self) -> impl Iterator<Item = &str> {
        self.read.split(' ')
    }
}

impl Definition {
    /// Whether it speaks of her life or of others, so that she has to say that it is true.
    pub const fn asks(&self) -> bool {
        !self.to_confirm.is_empty()
    }

    /// How many things it says that she is asked about: entries, and paragraphs. While it is open,
    /// only those that she has yet to find true, or to write anew. `None` follows the default.
    pub fn statements(
        &self,
        own: Option<&Json>,
        saved: Option<&Saved>,
        confirmed: Option<&Confirmed>,
    ) -> usize {
        if self.is_open(own, saved, confirmed) {
            self.left(own, confirmed)
        } else {
            self.said(own.unwrap_or(&self.default)).len()
        }
    }

    /// Whether she has yet to say that it is true. What she hides is not asked for. `own` is what
    /// is saved.
    pub fn is_open(
        &self,
        own: Option<&Json>,
        saved: Option<&Saved>,
        confirmed: Option<&Confirmed>,
    ) -> bool {
        !self.is_hidden(saved) && self.left(own, confirmed) > 0
    }

    /// Hashes of all that she reads when she is asked.
    pub fn read_in(&self, own: Option<&Json>) -> String {
        let said = self.said(own.unwrap_or(&self.default));
        let hashes: Vec<String> = said.iter().map(|one| hash(&[one])).collect();
        hashes.join(" ")
    }

    /// What stands word for word as the program brought it and was never found true. Of somebody
    /// who is quoted also what she wrote: nobody else says that they agreed.
    fn left(&self, own: Option<&Json>, confirmed: Option<&Confirmed>) -> usize {
        let program = self.said(&self.default);
        let hashes: Vec<&str> = confirmed.into_iter().flat_map(Confirmed::hashes).collect();
        let has_read_default = hashes.contains(&self.default_hash());
        let is_left = |one: &&String| {
            let is_programs = program.contains(one);
            let is_read = has_read_default && is_programs || hashes.contains(&&*hash(&[one]));
            (is_programs || self.quotes) && !is_read
        };
        let said = own.map(|own| self.said(own));
        said.as_ref()
            .unwrap_or(&program)
            .iter()
            .filter(is_left)
            .count()
    }

    /// Each statement by itself. Pictures, links and signs beside the words make them no truer.
    fn said(&self, value: &Json) -> Vec<String> {
        let asked = |field: &&Field| self.to_confirm.contains(&field.name);
        let fields = self.fields.iter().filter(asked);
        let said: Vec<String> = fields
            .flat_map(|field| said_in(field, value.get(&field.name)))
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

fn said_in(field: &Field, kept: Option<&Json>) -> Vec<String> {
    let Some(kept) = kept else {
        return Vec::new();
    };
    let said: Vec<String> = match (&field.holds, kept) {
        (Holds::List { fields, .. }, Json::Array(entries)) => {
            let words = |entry: &Json| {
                let each = |field: &Field| said_in(field, entry.get(&field.name));
                fields
                    .iter()
                    .flat_map(each)
                    .collect::<Vec<_>>()
                    .join(BESIDE)
            };
            entries.iter().map(words).collect()
        }
        (Holds::Line { .. } | Holds::Paragraphs { .. } | Holds::RichText { .. }, _) => {
            as_kept(kept).split("\n\n").map(in_one_line).collect()
        }
        (Holds::Year, Json::Number(year)) => vec![year.to_string()],
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
