//! What speaks of her life and of other people: she is asked whether it is true.

use super::{Definition, Field, Holds, Saved, plain};
use crate::content::Timestamp;
use serde_json::{Map, Value as Json};

/// Her word that what the program brings is true.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Confirmed {
    /// Hash of the default that she read: another release may say something else.
    pub default_hash: String,
    pub at: Timestamp,
    /// E-mail address; empty for the operator's commands.
    pub account: String,
}

impl Definition {
    /// Whether it speaks of her life or of others, so that she has to say that it is true.
    pub const fn asks(&self) -> bool {
        !self.to_confirm.is_empty()
    }

    /// How many things it says that she is asked about: entries, and paragraphs. `None` follows
    /// the default.
    pub fn statements(&self, own: Option<&Json>) -> usize {
        let value = own.unwrap_or(&self.default);
        let asked = |field: &&Field| self.to_confirm.contains(&field.name);
        let fields = self.fields.iter().filter(asked);
        let said = |field: &Field| statements_in(field, value.get(&field.name));
        let count: usize = fields.map(said).sum();
        count.max(usize::from(self.asks()))
    }

    /// Whether she has yet to say that it is true. What she wrote herself and what she hides is not
    /// asked for; a picture beside the program's words makes them no truer. `own` is what is saved.
    pub fn is_open(
        &self,
        own: Option<&Json>,
        saved: Option<&Saved>,
        confirmed: Option<&Confirmed>,
    ) -> bool {
        let is_hers =
            || !self.quotes && own.is_some_and(|own| !says_same(&self.fields, own, &self.default));
        let is_said = || confirmed.is_some_and(|said| said.default_hash == self.default_hash());
        self.asks() && !self.is_hidden(saved) && !is_said() && !is_hers()
    }
}

fn statements_in(field: &Field, kept: Option<&Json>) -> usize {
    let Some(kept) = kept else { return 0 };
    if let (Holds::List { .. }, Some(entries)) = (&field.holds, kept.as_array()) {
        return entries.len();
    }
    let text = plain(kept, &Map::new());
    let paragraphs = text.split("\n\n");
    paragraphs.filter(|one| !one.trim().is_empty()).count()
}

/// Whether two values are the same but for their pictures.
fn says_same(fields: &[Field], one: &Json, two: &Json) -> bool {
    fields.iter().all(|field| {
        let pair = (one.get(&field.name), two.get(&field.name));
        match (&field.holds, pair) {
            (Holds::Picture, _) => true,
            (Holds::List { fields, .. }, (Some(Json::Array(one)), Some(Json::Array(two)))) => {
                let mut entries = one.iter().zip(two);
                one.len() == two.len() && entries.all(|(one, two)| says_same(fields, one, two))
            }
            (_, (one, two)) => one == two,
        }
    })
}
