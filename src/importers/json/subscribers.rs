//! Exports and imports newsletter subscribers with their proof of consent.

use super::serde_adapters::{email_address, merge, now, optional_time, or_default, time_or_now};
use super::spanned_json::{Problems, SpannedJson};
use crate::Result;
use respiro_content::Timestamp;
use respiro_db::{AddressStatus, Reader, SignupSource, Subscriber, Subscription};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use serde_json::value::Serializer as ToJson;
use std::collections::BTreeSet;

const CONSENT_CHARACTERS_MAX: usize = 1_000;
const PAGE_BYTES_MAX: usize = 300;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Subscriber", rename_all = "camelCase")]
struct SubscriberFields {
    #[serde(deserialize_with = "email_address")]
    email: String,
    state: Subscription,
    #[serde(deserialize_with = "consent_text")]
    consent_text: String,
    #[serde(default = "now", with = "time_or_now")]
    created_at: Timestamp,
    #[serde(default, with = "optional_time")]
    confirmed_at: Option<Timestamp>,
}

/// Fields that exports of earlier releases lack.
#[derive(Serialize, Deserialize)]
#[serde(remote = "AddressStatus", rename_all = "camelCase")]
struct AddressStatusFields {
    #[serde(skip)]
    email: String,
    #[serde(default, deserialize_with = "or_default")]
    way: Option<SignupSource>,
    #[serde(default, deserialize_with = "optional_plain_text")]
    consent_version: Option<String>,
    #[serde(default, deserialize_with = "optional_plain_text")]
    page: Option<String>,
    #[serde(default, with = "optional_time")]
    asked_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    mailed_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    unsubscribed_at: Option<Timestamp>,
    #[serde(default, deserialize_with = "or_default")]
    soft_refusals: u32,
    #[serde(default, with = "optional_time")]
    unreachable_at: Option<Timestamp>,
}

fn consent_text<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let text = String::deserialize(json)?;
    if !is_plain(&text) {
        return Err(D::Error::custom("is no plain text of 1,000 characters"));
    }
    Ok(text)
}

fn optional_plain_text<'de, D: Deserializer<'de>>(json: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = or_default(json)?;
    Ok(text.filter(|text| is_plain(text)))
}

fn is_plain(text: &str) -> bool {
    text.chars().count() <= CONSENT_CHARACTERS_MAX && !text.contains(char::is_control)
}

/// A path of the exporting site; this site may lack the page.
fn is_path(page: &str) -> bool {
    page.starts_with('/') && page.len() <= PAGE_BYTES_MAX
}

pub fn export(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let record = |subscriber: &Subscriber| {
        let status = reader.address_statuses().readable(&subscriber.email)?;
        let status = status.unwrap_or_else(|| AddressStatus::new(&subscriber.email));
        merge([
            SubscriberFields::serialize(subscriber, ToJson),
            AddressStatusFields::serialize(&status, ToJson),
        ])
    };
    reader.subscribers().list()?.iter().map(record).collect()
}

pub fn read<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> Vec<(Subscriber, AddressStatus)> {
    let mut known = BTreeSet::new();
    let mut subscribers = Vec::new();
    for json in &problems.list(json) {
        let subscriber = problems.record(json, |json| SubscriberFields::deserialize(json));
        let status = problems.record(json, |json| AddressStatusFields::deserialize(json));
        let (Some(subscriber), Some(status)) = (subscriber, status) else {
            continue;
        };
        let email = subscriber.email.clone();
        if !known.insert(email.clone()) {
            problems.add(&json.field("email"), "stands twice");
        }
        let page = status.page.filter(|page| is_path(page));
        let status = AddressStatus {
            email,
            page,
            ..status
        };
        subscribers.push((subscriber, status));
    }
    subscribers
}
