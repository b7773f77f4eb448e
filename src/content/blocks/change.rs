//! Parses a change of a block from a client request and applies it to the saved block.

use super::{BlockDefinition, SavedBlock, Strictness, validate};
use crate::FieldError;
use crate::Timestamp;
use serde_json::{Map, Value as Json};

const NOT_HIDEABLE: &str = "questa parte non si può nascondere: la pagina ne ha bisogno";
const NOTHING_TO_CONFIRM: &str = "non c'è niente da confermare";
const NO_SWITCH: &str = "deve essere vero o falso";

/// A requested change; `None` leaves the property unchanged.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// `Some(None)` restores the default.
    pub value: Option<Option<Json>>,
    pub hidden: Option<bool>,
    /// `true` attests that the statements of the block are true; `false` withdraws the attestation.
    pub confirmed: Option<bool>,
}

impl Change {
    /// Parses `{value?, hidden?, confirmed?}`.
    pub fn parse(
        definition: &BlockDefinition,
        object: &Map<String, Json>,
        care: Strictness,
        new_id: &mut dyn FnMut() -> Option<String>,
    ) -> Result<Self, Vec<FieldError>> {
        let switch = |name: &str, is_offered: bool, problem: &str| {
            let refused = |problem: &str| {
                let message = format!("«{}»: {problem}", definition.label);
                vec![FieldError::new(name, message)]
            };
            match object.get(name) {
                None => Ok(None),
                Some(Json::Bool(true)) if !is_offered => Err(refused(problem)),
                Some(Json::Bool(is_on)) => Ok(Some(*is_on)),
                Some(_) => Err(refused(NO_SWITCH)),
            }
        };
        let hidden = switch("hidden", definition.hideable, NOT_HIDEABLE)?;
        let confirmed = switch(
            "confirmed",
            definition.needs_attestation(),
            NOTHING_TO_CONFIRM,
        )?;
        let value = match object.get("value") {
            None => None,
            Some(Json::Null) => Some(None),
            Some(value) => {
                let kept = validate(definition, value, care, new_id)?;
                Some((kept != definition.default).then_some(kept))
            }
        };
        Ok(Self {
            value,
            hidden,
            confirmed,
        })
    }

    /// Returns the new version; `None` when value and visibility are unchanged.
    pub fn apply(
        &self,
        definition: &BlockDefinition,
        saved: Option<&SavedBlock>,
        now: Timestamp,
        account: &str,
    ) -> Option<SavedBlock> {
        let former = saved.and_then(|saved| saved.value.clone());
        let was_hidden = saved.is_some_and(|saved| saved.hidden);
        let value = match &self.value {
            None => former.clone(),
            Some(value) => value.as_ref().map(Json::to_string),
        };
        let hidden = self.hidden.unwrap_or(was_hidden);
        if value == former && hidden == was_hidden {
            return None;
        }
        Some(SavedBlock {
            id: definition.id.clone(),
            revision: saved.map_or(0, |saved| saved.revision) + 1,
            value,
            hidden,
            saved_at: now,
            account: account.to_owned(),
            default_hash: definition.default_hash().to_owned(),
        })
    }
}
