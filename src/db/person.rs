//! Everything that the data file holds about one person, to hand it over or to erase it.
//!
//! Newsletter records are found by the e-mail address. Testimonials and other texts carry no
//! address: they are found by the name that is written in them.

use crate::error::Result;
use crate::repositories::history::State;
use crate::{
    AddressStatus, Delivery, Draft, Provenance, Reader, Subscriber, TestimonialRequest, Trashed,
    Writer,
};
use respiro_content::blocks::SavedBlock;
use respiro_content::search::Phrase;
use respiro_content::{Collection, Item, NEWSLETTERS, Timestamp, Value, stored_collections};
use std::collections::BTreeSet;

/// The person that is searched for.
#[derive(Debug, Clone)]
pub struct PersonQuery {
    /// In its stored form; empty if it is unknown.
    pub email: String,
    /// As written in texts; empty if it is unknown.
    pub name: String,
}

/// An item in which the name or the address occurs.
#[derive(Debug)]
pub struct PersonItem {
    pub collection: &'static Collection,
    pub item: Item,
    pub deleted_at: Option<Timestamp>,
    /// Whether one field holds the name and nothing else: the author of a testimonial, say.
    pub is_own: bool,
    pub provenance: Option<Provenance>,
}

impl PersonItem {
    /// Newsletters are deleted in their own list, which refuses it while one is being sent.
    pub fn is_erasable(&self) -> bool {
        self.collection.number != NEWSLETTERS.number
    }
}

/// Records of a person in the data file.
#[derive(Debug, Default)]
pub struct PersonRecords {
    pub subscriber: Option<(Subscriber, AddressStatus)>,
    /// Queued and failed newsletters to the address, by the newsletter's id.
    pub deliveries: Vec<(String, Delivery)>,
    pub items: Vec<PersonItem>,
    /// Invitations to write a testimonial.
    pub invitations: Vec<TestimonialRequest>,
    /// Ids of the content blocks whose present text names the person.
    pub blocks: Vec<String>,
    /// Former states of the site's history that name the person.
    pub former_versions: usize,
    /// Drafts that name the person, without their content.
    pub drafts: Vec<Draft>,
}

/// How much was erased.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErasedCounts {
    pub subscribers: usize,
    pub items: usize,
    pub invitations: usize,
    pub former_versions: usize,
    pub drafts: usize,
}

/// Recognises the person in texts.
struct Matcher {
    phrases: Vec<Phrase>,
    name: Option<Phrase>,
}

impl Matcher {
    fn new(query: &PersonQuery) -> Self {
        let name = Phrase::new(&query.name);
        let phrases = [Phrase::new(&query.email), name.clone()];
        Self {
            phrases: phrases.into_iter().flatten().collect(),
            name,
        }
    }

    fn names(&self, text: &str) -> bool {
        self.phrases.iter().any(|phrase| phrase.is_in(text))
    }

    fn is_name(&self, text: &str) -> bool {
        self.name.as_ref().is_some_and(|name| name.equals(text))
    }

    fn finds(&self, item: &Item) -> bool {
        let mut texts = item.values.values().filter_map(Value::as_text);
        texts.any(|text| self.names(text))
    }

    fn finds_version(&self, saved: &SavedBlock) -> bool {
        saved.value.as_ref().is_some_and(|json| self.names(json))
    }

    fn finds_state(&self, state: &State) -> bool {
        match state {
            State::Block(saved) => self.finds_version(saved),
            State::Item(item) => self.finds(item),
            State::Settings(settings) => {
                let mut texts = settings.values.values().filter_map(Value::as_text);
                texts.any(|text| self.names(text))
            }
            State::Absent | State::Erased | State::Order(_) => false,
        }
    }
}

impl Reader<'_> {
    pub fn person(&self, query: &PersonQuery) -> Result<PersonRecords> {
        let matcher = Matcher::new(query);
        let mut records = PersonRecords {
            items: self.items_of(&matcher)?,
            invitations: self.invitations_of(&matcher)?,
            ..PersonRecords::default()
        };
        if let Some(subscriber) = self.subscribers().get(&query.email)? {
            let status = self.address_statuses().readable(&query.email)?;
            let status = status.unwrap_or_else(|| AddressStatus::new(&query.email));
            records.subscriber = Some((subscriber, status));
        }
        for campaign in self.campaigns().list()? {
            let queued = self.campaigns().queued(&campaign.id)?.into_iter();
            let all = queued.chain(self.campaigns().failures(&campaign.id)?);
            let own = all.filter(|delivery| delivery.email == query.email);
            let own = own.map(|delivery| (campaign.id.clone(), delivery));
            records.deliveries.extend(own);
        }
        for (id, saved) in self.content_blocks().list()? {
            if matcher.finds_version(&saved) {
                records.blocks.push(id);
            }
        }
        let former = self.history().find(|state| matcher.finds_state(state))?;
        records.former_versions = former.len();
        records.drafts = self.drafts().find_text(|text| matcher.names(text))?;
        Ok(records)
    }

    fn items_of(&self, matcher: &Matcher) -> Result<Vec<PersonItem>> {
        let mut found = Vec::new();
        for collection in stored_collections() {
            for item in self.items().list(collection)? {
                found.extend(self.person_item(matcher, collection, item, None)?);
            }
        }
        for Trashed {
            collection,
            item,
            deleted_at,
        } in self.trash().list()?
        {
            found.extend(self.person_item(matcher, collection, item, Some(deleted_at))?);
        }
        Ok(found)
    }

    fn person_item(
        &self,
        matcher: &Matcher,
        collection: &'static Collection,
        item: Item,
        deleted_at: Option<Timestamp>,
    ) -> Result<Option<PersonItem>> {
        if !matcher.finds(&item) {
            return Ok(None);
        }
        let mut texts = item.values.values().filter_map(Value::as_text);
        let is_own = texts.any(|text| matcher.is_name(text));
        Ok(Some(PersonItem {
            provenance: self.provenances().get(&item.id)?,
            collection,
            item,
            deleted_at,
            is_own,
        }))
    }

    fn invitations_of(&self, matcher: &Matcher) -> Result<Vec<TestimonialRequest>> {
        let all = self.testimonial_requests().list()?.into_iter();
        let own = all.filter(|(_, request)| matcher.names(&request.name));
        Ok(own.map(|(_, request)| request).collect())
    }
}

impl Writer<'_> {
    /// Erases the newsletter records, the invitations, the former states of the site and the drafts
    /// that name the person, and the items `ids` for good. A restored backup does not bring them
    /// back.
    pub fn erase_person(
        &mut self,
        query: &PersonQuery,
        ids: &BTreeSet<String>,
        now: Timestamp,
    ) -> Result<ErasedCounts> {
        let matcher = Matcher::new(query);
        let mut counts = ErasedCounts::default();
        // A caller can name only items in which the person occurs.
        for found in self.items_of(&matcher)? {
            let id = &found.item.id;
            if !ids.contains(id) || !found.is_erasable() {
                continue;
            }
            if found.deleted_at.is_none() {
                self.items().delete(found.collection, id, now)?;
            }
            self.trash().purge(id)?;
            self.remember_erased_item(id, now)?;
            counts.items += 1;
        }
        for (hash, request) in self.testimonial_requests().list()? {
            if matcher.names(&request.name) {
                self.testimonial_requests().remove(&hash)?;
                counts.invitations += 1;
            }
        }
        let former = self.history().find(|state| matcher.finds_state(state))?;
        self.history().remove(&former)?;
        counts.former_versions = former.len();
        counts.drafts = self.drafts().remove_text(|text| matcher.names(text))?;
        if self.subscribers().get(&query.email)?.is_some() {
            counts.subscribers = 1;
        }
        self.erase_subscriber(&query.email, now)?;
        Ok(counts)
    }
}
