//! Testimonial invitations and the provenance of each testimonial. Private: pages learn only
//! whether testimonials were solicited.

use super::Writable;
use crate::error::{Error, Result};
use crate::messages;
use crate::tables::{self, PROVENANCES, REQUESTS};
use crate::{NotificationKind, Reader};
use respiro_content::value::Values;
use respiro_content::{Collection, Timestamp, collection_by_slug};
use std::collections::BTreeSet;

/// The collection that invitations are for.
pub const TESTIMONIAL_COLLECTION: &str = "course-testimonials";
const WITHDRAWN: Error = Error::Conflict(messages::CONSENT_WITHDRAWN);

/// An invitation link, keyed by the SHA-256 of its token.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct TestimonialRequest {
    /// Public id, unrelated to the token.
    pub id: String,
    /// The recipient's name, for the panel and the greeting only.
    pub name: String,
    /// What the recipient attended.
    pub activity: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub opened_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    /// When it was used, and the item it created.
    pub received_at: Option<Timestamp>,
    pub item_id: Option<String>,
}

/// How a testimonial was submitted.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    bincode::Encode,
    bincode::Decode,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    Link,
    /// Typed into the panel.
    Hand,
    Import,
}

/// Provenance of a testimonial, keyed by the item's id.
#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Provenance {
    pub item_id: String,
    /// `None` for testimonials of releases that did not record it.
    pub origin: Option<Origin>,
    pub received_at: Option<Timestamp>,
    pub request_id: Option<String>,
    pub requested_at: Option<Timestamp>,
    pub activity: String,
    pub consent_text: String,
    pub consent_version: String,
    pub consented_at: Option<Timestamp>,
    pub withdrawn_at: Option<Timestamp>,
    /// The submitted fields.
    pub received: Values,
    /// The admin's remark.
    pub note: String,
    /// When the admin reviewed it.
    pub settled_at: Option<Timestamp>,
}

impl Origin {
    /// Name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Hand => "hand",
            Self::Import => "import",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Link, Self::Hand, Self::Import];
        all.into_iter().find(|origin| origin.name() == name)
    }
}

impl TestimonialRequest {
    /// Returns whether the link still opens the form.
    pub const fn is_open(&self, now: Timestamp) -> bool {
        self.received_at.is_none() && self.cancelled_at.is_none() && now < self.expires_at
    }

    /// When it expired or was withdrawn; `None` while it is open, and once it was used.
    pub fn ended_at(&self, now: Timestamp) -> Option<Timestamp> {
        if self.received_at.is_some() || self.is_open(now) {
            return None;
        }
        Some(self.cancelled_at.unwrap_or(self.expires_at))
    }
}

impl Provenance {
    pub fn new(item_id: &str) -> Self {
        Self {
            item_id: item_id.to_owned(),
            ..Self::default()
        }
    }

    pub fn is_by_link(&self) -> bool {
        self.origin == Some(Origin::Link)
    }
}

/// Testimonial invitations.
pub struct TestimonialRequests<'a>(pub(super) Reader<'a>);

impl TestimonialRequests<'_> {
    pub fn get(&self, token_hash: &[u8; 32]) -> Result<Option<TestimonialRequest>> {
        tables::record(self.0.tables, REQUESTS, token_hash)
    }

    /// Returns all invitations, each with the hash of its token.
    pub fn list(&self) -> Result<Vec<([u8; 32], TestimonialRequest)>> {
        let rows = tables::records(self.0.tables, REQUESTS, b"")?.into_iter();
        let by_hash = rows.filter_map(|(key, request)| Some((key.try_into().ok()?, request)));
        Ok(by_hash.collect())
    }
}

impl Writable<'_, '_, TestimonialRequests<'_>> {
    pub fn put(&mut self, token_hash: &[u8; 32], request: &TestimonialRequest) -> Result<()> {
        tables::put(self.writer.transaction, REQUESTS, token_hash, request)
    }

    pub fn remove(&mut self, token_hash: &[u8; 32]) -> Result<()> {
        self.writer
            .transaction
            .remove(REQUESTS, token_hash)
            .map(drop)
    }
}

/// Provenance of the testimonials.
pub struct Provenances<'a>(pub(super) Reader<'a>);

impl Provenances<'_> {
    pub fn get(&self, item_id: &str) -> Result<Option<Provenance>> {
        tables::record(self.0.tables, PROVENANCES, item_id.as_bytes())
    }

    /// Returns a new one without a row, and `None` for a row that does not decode.
    fn readable(&self, item_id: &str) -> Result<Option<Provenance>> {
        let key = item_id.as_bytes();
        let Some(bytes) = self.0.tables.get(PROVENANCES, key)? else {
            return Ok(Some(Provenance::new(item_id)));
        };
        Ok(tables::decode_or_log(PROVENANCES, key, &bytes))
    }

    pub fn list(&self) -> Result<Vec<Provenance>> {
        let rows = tables::records(self.0.tables, PROVENANCES, b"")?.into_iter();
        Ok(rows.map(|(_, provenance)| provenance).collect())
    }

    /// Counts testimonials submitted through a link that await review.
    pub fn count_unreviewed(&self) -> Result<usize> {
        let waits = |one: &Provenance| one.is_by_link() && one.settled_at.is_none();
        self.count_collected(waits, false)
    }

    /// Returns whether a published testimonial was submitted through a link.
    pub(crate) fn has_published_solicited(&self) -> Result<bool> {
        Ok(self.count_collected(Provenance::is_by_link, true)? > 0)
    }

    /// Returns the ids of the testimonials in the list and in the trash.
    pub(crate) fn testimonial_ids(&self) -> Result<BTreeSet<String>> {
        let listed = self.0.items().list(testimonial_collection()?)?;
        let trashed = self.0.trash().list()?.into_iter().map(|one| one.item);
        Ok(listed
            .into_iter()
            .chain(trashed)
            .map(|one| one.id)
            .collect())
    }

    fn count_collected(&self, wanted: impl Fn(&Provenance) -> bool, shown: bool) -> Result<usize> {
        let mut count = 0;
        for one in self.list()?.iter().filter(|one| wanted(one)) {
            let item = self
                .0
                .items()
                .get(testimonial_collection()?, &one.item_id)?;
            count += usize::from(item.is_some_and(|item| item.published == shown));
        }
        Ok(count)
    }
}

impl Writable<'_, '_, Provenances<'_>> {
    pub fn put(&mut self, provenance: &Provenance) -> Result<()> {
        let key = provenance.item_id.as_bytes();
        tables::put(self.writer.transaction, PROVENANCES, key, provenance)
    }

    /// Moves a testimonial to the trash, from which it cannot be restored, and removes its drafts
    /// and former states.
    pub fn withdraw(&mut self, item_id: &str, now: Timestamp) -> Result<()> {
        let collection = testimonial_collection()?;
        self.writer.drafts().remove_of_item(collection, item_id)?;
        if self.writer.items().get(collection, item_id)?.is_some() {
            self.writer.items().delete(collection, item_id, now)?;
        } else {
            self.writer.trash().get(item_id)?;
        }
        self.writer.history().forget_item(collection, item_id)?;
        let Some(mut provenance) = self.readable(item_id)? else {
            // The row stays, and keeps the testimonial from being restored.
            return self.writer.remember_withdrawal(item_id, now);
        };
        provenance.withdrawn_at.get_or_insert(now);
        self.put(&provenance)
    }

    /// Refuses to restore a testimonial whose author withdrew consent.
    pub(crate) fn ensure_restorable(&self, item_id: &str) -> Result<()> {
        match self.readable(item_id)? {
            None => Err(Error::Conflict(messages::PROVENANCE_UNREADABLE)),
            Some(provenance) if provenance.withdrawn_at.is_some() => Err(WITHDRAWN),
            Some(_) => Ok(()),
        }
    }

    /// Marks a published testimonial as reviewed. Pages say how solicited ones are collected, so
    /// they change too.
    pub(crate) fn sync_review(
        &mut self,
        item_id: &str,
        published_at: Option<Timestamp>,
    ) -> Result<()> {
        let known = tables::readable_record(self.writer.tables, PROVENANCES, item_id.as_bytes())?;
        let Some(provenance): Option<Provenance> = known else {
            return Ok(());
        };
        self.writer.touched.site |= provenance.is_by_link();
        match published_at {
            Some(at) if provenance.settled_at.is_none() => self.settle(provenance, at),
            _ => Ok(()),
        }
    }

    /// Marks a testimonial as reviewed, and its notification as read when no other one waits.
    pub fn settle(&mut self, mut provenance: Provenance, now: Timestamp) -> Result<()> {
        provenance.settled_at.get_or_insert(now);
        self.put(&provenance)?;
        if self.count_unreviewed()? == 0 {
            self.writer
                .notifications()
                .mark_kind_read(NotificationKind::Testimonial, now)?;
        }
        Ok(())
    }

    /// Removes the provenance and the invitation. Remembers a withdrawal.
    pub(crate) fn remove(&mut self, item_id: &str) -> Result<()> {
        let known = tables::readable_record(self.writer.tables, PROVENANCES, item_id.as_bytes())?;
        let Some(provenance): Option<Provenance> = known else {
            return Ok(());
        };
        if let Some(at) = provenance.withdrawn_at {
            self.writer.remember_withdrawal(item_id, at)?;
        }
        let transaction = self.writer.transaction;
        transaction.remove(PROVENANCES, item_id.as_bytes())?;
        for (hash, request) in self.writer.testimonial_requests().list()? {
            if request.item_id.as_deref() == Some(item_id) {
                self.writer.testimonial_requests().remove(&hash)?;
            }
        }
        Ok(())
    }
}

pub fn testimonial_collection() -> Result<&'static Collection> {
    let collection = collection_by_slug(TESTIMONIAL_COLLECTION);
    collection.ok_or_else(|| Error::Internal("nobody can be asked for a testimonial".to_owned()))
}
