//! What speaks of her life and of other people: she is asked whether it is true.

use super::{Definition, Saved};
use crate::content::Timestamp;

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
    /// Whether she has yet to say that it is true. What she wrote herself and what she hides is not
    /// asked for.
    pub fn is_open(&self, saved: Option<&Saved>, confirmed: Option<&Confirmed>) -> bool {
        let is_hers = saved.is_some_and(|saved| saved.value.is_some());
        let is_said = confirmed.is_some_and(|said| said.default_hash == self.default_hash());
        self.to_confirm && !is_hers && !self.is_hidden(saved) && !is_said
    }
}
