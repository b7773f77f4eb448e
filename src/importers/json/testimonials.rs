//! Exports and imports testimonial requests and provenances. The file holds no usable link, only
//! the SHA-256 of each token.

use super::serde_adapters::{
    hex, id, merge, now, optional_text, optional_time, or_default, text, time_or_now,
};
use super::spanned_json::{Problems, SpannedJson};
use crate::Result;
use respiro_content::value::{Values, value_json};
use respiro_content::{Changes, Timestamp};
use respiro_db::{Origin, Provenance, Reader, TestimonialRequest, Writer, testimonial_collection};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::Serializer as ToJson;
use serde_json::{Map, Value as Json};

#[derive(Default)]
pub struct Testimonials {
    requests: Vec<([u8; 32], TestimonialRequest)>,
    provenances: Vec<Provenance>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestKey {
    #[serde(with = "hex")]
    token_hash: [u8; 32],
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TestimonialRequest", rename_all = "camelCase")]
struct RequestFields {
    #[serde(deserialize_with = "id")]
    id: String,
    #[serde(default, deserialize_with = "text::<4_000, _>")]
    name: String,
    #[serde(default, deserialize_with = "text::<4_000, _>")]
    activity: String,
    #[serde(default = "now", with = "time_or_now")]
    created_at: Timestamp,
    #[serde(default = "now", with = "time_or_now")]
    expires_at: Timestamp,
    #[serde(default, with = "optional_time")]
    opened_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    cancelled_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    received_at: Option<Timestamp>,
    #[serde(default, deserialize_with = "optional_text::<4_000, _>")]
    item_id: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Provenance", rename_all = "camelCase")]
struct ProvenanceFields {
    #[serde(rename = "id", deserialize_with = "id")]
    item_id: String,
    /// An unknown origin is imported as none.
    #[serde(default, deserialize_with = "or_default")]
    origin: Option<Origin>,
    #[serde(default, with = "optional_time")]
    received_at: Option<Timestamp>,
    #[serde(default, deserialize_with = "optional_text::<4_000, _>")]
    request_id: Option<String>,
    #[serde(default, with = "optional_time")]
    requested_at: Option<Timestamp>,
    #[serde(default, deserialize_with = "text::<4_000, _>")]
    activity: String,
    #[serde(default, deserialize_with = "text::<4_000, _>")]
    consent_text: String,
    #[serde(default, deserialize_with = "text::<4_000, _>")]
    consent_version: String,
    #[serde(default, with = "optional_time")]
    consented_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    withdrawn_at: Option<Timestamp>,
    #[serde(default)]
    #[serde(serialize_with = "write_received", deserialize_with = "read_received")]
    received: Values,
    #[serde(default, deserialize_with = "text::<4_000, _>")]
    note: String,
    #[serde(default, with = "optional_time")]
    settled_at: Option<Timestamp>,
}

fn write_received<S: Serializer>(values: &Values, out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(values.iter().map(|(name, value)| (name, value_json(value))))
}

/// Reads the fields as the visitor sent them; none if this version refuses them.
fn read_received<'de, D: Deserializer<'de>>(json: D) -> Result<Values, D::Error> {
    let fields: Map<String, Json> = or_default(json)?;
    let changes = testimonial_collection()
        .ok()
        .map(|kind| Changes::parse(kind, &fields));
    let values = changes.and_then(Result::ok).unwrap_or_default().values;
    let values = values.into_iter();
    Ok(values
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect())
}

impl Testimonials {
    pub fn export_requests(reader: &Reader<'_>) -> Result<Vec<Json>> {
        let requests = reader.testimonial_requests().list()?.into_iter();
        let record = |(token_hash, request)| {
            merge([
                serde_json::to_value(RequestKey { token_hash }),
                RequestFields::serialize(&request, ToJson),
            ])
        };
        requests.map(record).collect()
    }

    pub fn export_provenances(reader: &Reader<'_>) -> Result<Vec<Json>> {
        let provenances = reader.provenances().list()?.into_iter();
        let record = |one| merge([ProvenanceFields::serialize(&one, ToJson)]);
        provenances.map(record).collect()
    }

    pub fn read_requests<'a>(&mut self, problems: &mut Problems<'a>, json: &SpannedJson<'a>) {
        for json in &problems.list(json) {
            let key: Option<RequestKey> = problems.value(json);
            let request = problems.record(json, |json| RequestFields::deserialize(json));
            let request = key.map(|key| key.token_hash).zip(request);
            self.requests.extend(request);
        }
    }

    pub fn read_provenances<'a>(&mut self, problems: &mut Problems<'a>, json: &SpannedJson<'a>) {
        for json in &problems.list(json) {
            let provenance = problems.record(json, |json| ProvenanceFields::deserialize(json));
            self.provenances.extend(provenance);
        }
    }

    pub fn write(&self, writer: &mut Writer<'_>) -> Result<()> {
        for (hash, request) in &self.requests {
            writer.testimonial_requests().put(hash, request)?;
        }
        for provenance in &self.provenances {
            writer.provenances().put(provenance)?;
        }
        Ok(())
    }
}
