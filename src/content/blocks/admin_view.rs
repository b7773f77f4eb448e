//! Defines a block as the admin API returns it.

use super::{Attestation, BlockDefinition, Field, SavedBlock};
use crate::time;
use crate::{Error, Result};
use serde_json::Value as Json;
use std::borrow::Cow;

/// Borrows from the definition, so that a response does not copy it.
#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts about a block that have nothing to do with each other"
)]
pub struct AdminView<'a> {
    id: &'a str,
    label: &'a str,
    pages: &'a [String],
    fields: &'a [Field],
    value: Cow<'a, Json>,
    default: &'a Json,
    changed: bool,
    default_changed: bool,
    hideable: bool,
    hidden: bool,
    to_confirm: bool,
    /// Fields whose statements have to be confirmed.
    asked: &'a [String],
    statements: usize,
    confirmed: bool,
    updated_at: Option<String>,
    version: String,
}

impl BlockDefinition {
    /// `own` is the saved value.
    pub fn admin_view(
        &self,
        own: Option<Json>,
        saved: Option<&SavedBlock>,
        confirmed: Option<&Attestation>,
    ) -> AdminView<'_> {
        let is_outdated = |saved: &SavedBlock| saved.default_hash != self.default_hash();
        AdminView {
            id: &self.id,
            label: &self.label,
            pages: &self.pages,
            fields: &self.fields,
            default: &self.default,
            changed: own.is_some(),
            default_changed: own.is_some() && saved.is_some_and(is_outdated),
            hideable: self.hideable,
            hidden: self.is_hidden(saved),
            to_confirm: self.needs_attestation(),
            asked: &self.to_confirm,
            statements: self.statement_count(own.as_ref(), saved, confirmed),
            confirmed: !self.awaits_attestation(own.as_ref(), saved, confirmed),
            updated_at: saved.map(|saved| time::rfc3339(saved.saved_at)),
            version: self.version(saved),
            value: own.map_or(Cow::Borrowed(&self.default), Cow::Owned),
        }
    }

    /// The admin view as a JSON value.
    pub fn to_json(
        &self,
        saved: Option<&SavedBlock>,
        confirmed: Option<&Attestation>,
    ) -> Result<Json> {
        serde_json::to_value(self.admin_view(self.own_value(saved), saved, confirmed))
            .map_err(Error::BlockJson)
    }
}
