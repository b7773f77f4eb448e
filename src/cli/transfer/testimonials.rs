//! Personal links and where testimonials come from, in an exported file. The file holds no link
//! that works: only what tells a token when it sees it.

use super::source::{Members, Source, id, instant};
use crate::app::now;
use crate::content::value::value_json;
use crate::content::{Changes, time};
use crate::error::Result;
use crate::store::{
    Origin, Provenance, Reader, TestimonialRequest, Writer, testimonial_collection,
};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json, json};

const TEXT_CHARACTERS_MAX: usize = 4_000;

#[derive(Default)]
pub struct Testimonials {
    requests: Vec<([u8; 32], TestimonialRequest)>,
    provenances: Vec<Provenance>,
}

pub fn requests(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let row = |(hash, request): ([u8; 32], TestimonialRequest)| {
        json!({
            "id": request.id,
            "tokenHash": HEXLOWER.encode(&hash),
            "name": request.name,
            "activity": request.activity,
            "createdAt": time::rfc3339(request.created_at),
            "expiresAt": time::rfc3339(request.expires_at),
            "openedAt": request.opened_at.map(time::rfc3339),
            "cancelledAt": request.cancelled_at.map(time::rfc3339),
            "receivedAt": request.received_at.map(time::rfc3339),
            "itemId": request.item_id,
        })
    };
    Ok(reader
        .testimonial_requests()?
        .into_iter()
        .map(row)
        .collect())
}

pub fn provenances(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let row = |one: Provenance| {
        let received = one.received.iter();
        let received: Map<String, Json> = received
            .map(|(name, value)| (name.clone(), value_json(value)))
            .collect();
        json!({
            "id": one.item_id,
            "origin": one.origin.map(Origin::name),
            "receivedAt": one.received_at.map(time::rfc3339),
            "requestId": one.request_id,
            "requestedAt": one.requested_at.map(time::rfc3339),
            "activity": one.activity,
            "consentText": one.consent_text,
            "consentVersion": one.consent_version,
            "consentedAt": one.consented_at.map(time::rfc3339),
            "withdrawnAt": one.withdrawn_at.map(time::rfc3339),
            "received": received,
            "note": one.note,
            "settledAt": one.settled_at.map(time::rfc3339),
        })
    };
    Ok(reader.provenances()?.into_iter().map(row).collect())
}

pub fn read_requests<'a>(
    source: &mut Source<'a>,
    part: &'a RawValue,
    testimonials: &mut Testimonials,
) {
    let part_name = "testimonialRequests";
    for (number, part) in source.list(part, part_name).into_iter().enumerate() {
        let place = format!("{part_name}[{number}]");
        let members = source.object(part, &place);
        let hash = text(source, &members, &place, "tokenHash");
        let Some(hash) = hash_of(&hash) else {
            source.problem(part.get(), &format!("{place}.tokenHash"), "is no SHA-256");
            continue;
        };
        let Some(id) = id(source, part, &members, &place) else {
            continue;
        };
        let mut at = |name: &str| instant(source, &members, &place, name);
        let (created_at, expires_at) = (at("createdAt"), at("expiresAt"));
        let (opened_at, cancelled_at) = (at("openedAt"), at("cancelledAt"));
        let received_at = at("receivedAt");
        let item_id = text(source, &members, &place, "itemId");
        testimonials.requests.push((
            hash,
            TestimonialRequest {
                id,
                name: text(source, &members, &place, "name"),
                activity: text(source, &members, &place, "activity"),
                created_at: created_at.unwrap_or_else(now),
                expires_at: expires_at.unwrap_or_else(now),
                opened_at,
                cancelled_at,
                received_at,
                item_id: Some(item_id).filter(|id| !id.is_empty()),
            },
        ));
    }
}

pub fn read_provenances<'a>(
    source: &mut Source<'a>,
    part: &'a RawValue,
    testimonials: &mut Testimonials,
) {
    for (number, part) in source.list(part, "provenances").into_iter().enumerate() {
        let place = format!("provenances[{number}]");
        let members = source.object(part, &place);
        let Some(item_id) = id(source, part, &members, &place) else {
            continue;
        };
        let mut at = |name: &str| instant(source, &members, &place, name);
        let (received_at, requested_at) = (at("receivedAt"), at("requestedAt"));
        let (consented_at, withdrawn_at) = (at("consentedAt"), at("withdrawnAt"));
        let settled_at = at("settledAt");
        let mut text = |name: &str| text(source, &members, &place, name);
        let origin = text("origin");
        let request_id = text("requestId");
        let one = Provenance {
            item_id,
            origin: Origin::named(&origin),
            received_at,
            request_id: Some(request_id).filter(|id| !id.is_empty()),
            requested_at,
            activity: text("activity"),
            consent_text: text("consentText"),
            consent_version: text("consentVersion"),
            consented_at,
            withdrawn_at,
            received: received(&members),
            note: text("note"),
            settled_at,
        };
        testimonials.provenances.push(one);
    }
}

/// The fields as they came, as far as the kind knows them.
fn received(members: &Members<'_>) -> crate::content::value::Values {
    let part = members.get("received").map_or("{}", |part| part.get());
    let fields: Map<String, Json> = serde_json::from_str(part).unwrap_or_default();
    let changes = testimonial_collection()
        .ok()
        .map(|kind| Changes::parse(kind, &fields));
    let values = changes.and_then(Result::ok).unwrap_or_default().values;
    let known = values
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.collect()
}

/// What is not there is empty.
fn text<'a>(source: &mut Source<'a>, members: &Members<'a>, place: &str, name: &str) -> String {
    let Some(part) = members.get(name).filter(|part| part.get() != "null") else {
        return String::new();
    };
    let text: String = source.parsed(part, &format!("{place}.{name}"), "is no text");
    if text.chars().count() > TEXT_CHARACTERS_MAX {
        source.problem(part.get(), &format!("{place}.{name}"), "is too long");
    }
    text
}

fn hash_of(text: &str) -> Option<[u8; 32]> {
    HEXLOWER_PERMISSIVE
        .decode(text.as_bytes())
        .ok()?
        .try_into()
        .ok()
}

impl Testimonials {
    pub fn put(&self, writer: &mut Writer<'_>) -> Result<()> {
        for (hash, request) in &self.requests {
            writer.put_testimonial_request(hash, request)?;
        }
        for provenance in &self.provenances {
            writer.put_provenance(provenance)?;
        }
        Ok(())
    }
}
