//! Saved content blocks, their versions and attestations.

use super::Writable;
use crate::Reader;
use crate::error::{Error, Result};
use crate::messages::MISSING_IN_BLOCK;
use crate::tables::{self, CONFIRMED, WORDS};
use respiro_content::FieldError;
use respiro_content::Timestamp;
use respiro_content::blocks::{
    Attestation, BlockDefinition, BlockDefinitions, Change, PublishedBlock, SavedBlock,
    VERSIONS_MAX, picture_ids, picture_places,
};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Saved content blocks, their versions and attestations.
pub struct ContentBlocks<'a>(pub(super) Reader<'a>);

impl ContentBlocks<'_> {
    /// Returns `None` for a block whose row does not decode, too: pages show its default.
    pub fn get(&self, id: &str) -> Result<Option<SavedBlock>> {
        tables::readable_record(self.0.tables, WORDS, id.as_bytes())
    }

    /// Returns all saved blocks by id.
    pub fn list(&self) -> Result<BTreeMap<String, SavedBlock>> {
        let rows = tables::records::<SavedBlock>(self.0.tables, WORDS, b"")?;
        let by_id = |(_, saved): (_, SavedBlock)| (saved.id.clone(), saved);
        Ok(rows.into_iter().map(by_id).collect())
    }

    pub fn attestation(&self, id: &str) -> Result<Option<Attestation>> {
        tables::record(self.0.tables, CONFIRMED, id.as_bytes())
    }

    /// Counts the statements that the admin has not confirmed, rewritten or hidden.
    pub fn count_unattested(&self, definitions: &BlockDefinitions) -> Result<usize> {
        let mut count = 0;
        for block in definitions
            .list
            .iter()
            .filter(|block| block.needs_attestation())
        {
            let saved = self.get(&block.id)?;
            let confirmed = self.attestation(&block.id)?;
            let own = block.own_value(saved.as_ref());
            if block.awaits_attestation(own.as_ref(), saved.as_ref(), confirmed.as_ref()) {
                count += block.statement_count(own.as_ref(), saved.as_ref(), confirmed.as_ref());
            }
        }
        Ok(count)
    }

    /// Fails with a field error for each entry of another list that a value names and that does
    /// not exist. Call it after all changes of the transaction.
    pub fn check_entries(
        &self,
        definition: &BlockDefinition,
        value: &Json,
        definitions: &BlockDefinitions,
    ) -> Result<()> {
        let mut errors = Vec::new();
        for reference in definition.entry_references(value) {
            let (block, list) = reference.list;
            let Some(other) = definitions.find(block) else {
                continue;
            };
            let own = other.own_value(self.get(block)?.as_ref());
            let entries = own.as_ref().unwrap_or(&other.default)[list].as_array();
            if !entries.is_some_and(|all| all.iter().any(|entry| entry["id"] == *reference.id)) {
                errors.push(reference.error());
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(errors))
        }
    }

    /// Returns the newest versions of a block, the present one first.
    pub fn versions(&self, id: &str) -> Result<Vec<SavedBlock>> {
        let mut versions = self.0.history().block_versions(id)?;
        versions.extend(self.get(id)?);
        Ok(versions.into_iter().rev().take(VERSIONS_MAX).collect())
    }

    /// Returns a block as pages show it; `None` if it has its default.
    pub(crate) fn published(
        &self,
        id: &str,
        definitions: &BlockDefinitions,
    ) -> Result<Option<PublishedBlock>> {
        let saved = self.get(id)?;
        saved.map_or(Ok(None), |saved| self.publish(&saved, definitions))
    }

    fn publish(
        &self,
        saved: &SavedBlock,
        definitions: &BlockDefinitions,
    ) -> Result<Option<PublishedBlock>> {
        let Some(definition) = definitions.find(&saved.id) else {
            return Ok(None);
        };
        let own = definition.own_value(Some(saved));
        let ids = own.as_ref().map(picture_ids).unwrap_or_default();
        let pictures = self.0.pictures().find(ids.iter().map(String::as_str))?;
        let is_hidden = definition.is_hidden(Some(saved));
        let shown = PublishedBlock::new(definition, own, is_hidden, &pictures)
            .with_change_day(saved.saved_at);
        Ok((shown.hidden || shown.value.is_some()).then_some(shown))
    }

    pub(crate) fn list_published(
        &self,
        definitions: &BlockDefinitions,
    ) -> Result<BTreeMap<String, Arc<PublishedBlock>>> {
        let mut all = BTreeMap::new();
        for (id, saved) in self.list()? {
            if let Some(shown) = self.publish(&saved, definitions)? {
                all.insert(id, Arc::new(shown));
            }
        }
        Ok(all)
    }
}

impl Writable<'_, '_, ContentBlocks<'_>> {
    /// Changes a block, unless it has the value already. Returns the saved block and its value.
    /// Never replaces a row that does not decode.
    pub fn change(
        &mut self,
        definition: &BlockDefinition,
        change: Change,
        now: Timestamp,
        account: &str,
    ) -> Result<(Option<SavedBlock>, Option<Json>)> {
        let key = definition.id.as_bytes();
        let former: Option<SavedBlock> = tables::record(self.writer.tables, WORDS, key)?;
        let saved = change.apply(definition, former.as_ref(), now, account);
        let own = match change.value {
            Some(value) => value,
            None => definition.own_value(former.as_ref()),
        };
        if let Some(is_true) = change.confirmed {
            let said = is_true.then(|| Attestation {
                statement_hashes: definition.statement_hashes(own.as_ref()),
                at: now,
                account: account.to_owned(),
            });
            self.put_attestation(&definition.id, said.as_ref())?;
        }
        let Some(saved) = saved else {
            return Ok((former, own));
        };
        let named = own.as_ref().map(picture_ids).unwrap_or_default();
        self.put_with_pictures(&saved, &named, Some(definition))?;
        Ok((Some(saved), own))
    }

    /// `None` withdraws the attestation.
    pub fn put_attestation(&mut self, id: &str, confirmed: Option<&Attestation>) -> Result<()> {
        match confirmed {
            Some(said) => tables::put(self.writer.transaction, CONFIRMED, id.as_bytes(), said),
            None => self
                .writer
                .transaction
                .remove(CONFIRMED, id.as_bytes())
                .map(drop),
        }
    }

    /// Saves a block and keeps the former version. Fails with a field error for each image that
    /// does not exist.
    pub fn put(&mut self, saved: &SavedBlock) -> Result<()> {
        self.put_with_pictures(saved, &saved.picture_ids(), None)
    }

    fn put_with_pictures(
        &mut self,
        saved: &SavedBlock,
        pictures: &[String],
        definition: Option<&BlockDefinition>,
    ) -> Result<()> {
        let mut gone = Vec::new();
        for id in pictures {
            if self.writer.pictures().get(id)?.is_none() {
                gone.push(id);
            }
        }
        if !gone.is_empty() {
            return Err(Error::Invalid(missing_picture_errors(
                &gone, saved, definition,
            )));
        }
        let former = self.get(&saved.id)?;
        if former.as_ref() != Some(saved) {
            self.writer.history().record_block(saved, former)?;
        }
        tables::put(self.writer.transaction, WORDS, saved.id.as_bytes(), saved)?;
        self.writer.touched.words.insert(saved.id.clone());
        Ok(())
    }
}

/// Returns an error for each field that names a missing image.
fn missing_picture_errors(
    gone: &[&String],
    saved: &SavedBlock,
    definition: Option<&BlockDefinition>,
) -> Vec<FieldError> {
    let value = saved.own_value().unwrap_or_default();
    let places = picture_places(&value, "").into_iter();
    let places = places.filter(|(_, id)| gone.contains(&id));
    let told = places.map(|(place, _)| {
        let label = definition.map_or(&*place, |definition| definition.label_at(&place));
        FieldError::new(&place, format!("«{label}»: {MISSING_IN_BLOCK}"))
    });
    told.collect()
}
