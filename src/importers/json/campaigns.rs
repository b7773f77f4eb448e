//! Exports and imports campaigns, their queued messages and delivery failures, and the pictures of
//! deleted newsletters that mails still show. An imported campaign resumes only when the admin
//! says so.

use super::fields::{Key, email_address, merge, now, optional_time, or_default, text, time_or_now};
use super::spanned_json::{Problems, SpannedJson};
use crate::Result;
use respiro_content::Timestamp;
use respiro_content::validation::is_id;
use respiro_db::{
    Campaign, CampaignStatus, Delivery, DeliveryCounts, DeliveryOutcome, Reader, RenderedCampaign,
    Writer,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::Serializer as ToJson;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// A newsletter has at most 100 KB of text.
const MAILING_BYTES_MAX: usize = 512 * 1024;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Campaign", rename_all = "camelCase", default = "stopped")]
struct CampaignFields {
    #[serde(skip_deserializing)]
    id: String,
    #[serde(deserialize_with = "state")]
    state: CampaignStatus,
    #[serde(with = "optional_time")]
    scheduled_at: Option<Timestamp>,
    #[serde(with = "optional_time")]
    started_at: Option<Timestamp>,
    #[serde(with = "optional_time")]
    ended_at: Option<Timestamp>,
    #[serde(with = "optional_time")]
    tested_at: Option<Timestamp>,
    #[serde(skip)]
    resumed_at: Option<Timestamp>,
    #[serde(deserialize_with = "or_default")]
    is_late: bool,
    #[serde(flatten, with = "TallyFields")]
    tally: DeliveryCounts,
    #[serde(skip)]
    in_flight: Option<Delivery>,
    #[serde(with = "optional_time")]
    handed_at: Option<Timestamp>,
    #[serde(skip)]
    slowed_pace: Option<u32>,
    #[serde(skip)]
    taken_in_a_row: u32,
    #[serde(skip)]
    refused_in_a_row: u32,
    #[serde(skip)]
    retry_at: Option<Timestamp>,
    #[serde(skip)]
    failures: u32,
    #[serde(skip)]
    trouble: Option<(String, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DeliveryCounts", default = "DeliveryCounts::default")]
struct TallyFields {
    #[serde(deserialize_with = "or_default")]
    total: u32,
    #[serde(deserialize_with = "or_default")]
    accepted: u32,
    #[serde(deserialize_with = "or_default")]
    refused: u32,
    #[serde(deserialize_with = "or_default")]
    uncertain: u32,
    #[serde(deserialize_with = "or_default")]
    skipped: u32,
    #[serde(deserialize_with = "or_default")]
    unsubscribed: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Delivery", rename_all = "camelCase")]
struct DeliveryFields {
    #[serde(deserialize_with = "email_address")]
    email: String,
    fate: DeliveryOutcome,
    #[serde(default, deserialize_with = "or_default")]
    tries: u32,
    #[serde(default = "now", with = "time_or_now")]
    at: Timestamp,
    #[serde(default, deserialize_with = "text::<1_000, _>")]
    reason: String,
    #[serde(default, deserialize_with = "or_default")]
    is_marked: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RenderedCampaign")]
struct MailingFields {
    subject: String,
    html: String,
    text: String,
}

#[derive(Deserialize)]
struct Trouble {
    #[serde(default, deserialize_with = "text::<1_000, _>")]
    code: String,
    #[serde(default, deserialize_with = "text::<1_000, _>")]
    reason: String,
}

/// Campaign of an export without states: such exports hold only campaigns that had ended.
fn stopped() -> Campaign {
    Campaign {
        state: CampaignStatus::Stopped,
        ..Campaign::new("")
    }
}

fn state<'de, D: Deserializer<'de>>(json: D) -> Result<CampaignStatus, D::Error> {
    let state = Option::<CampaignStatus>::deserialize(json)?;
    Ok(state.unwrap_or(CampaignStatus::Stopped))
}

struct CampaignExport {
    sending: Campaign,
    mailing: Option<RenderedCampaign>,
    waiting: Vec<Delivery>,
    refusals: Vec<Delivery>,
}

#[derive(Default)]
pub struct Campaigns {
    list: Vec<CampaignExport>,
    /// Number of campaigns that were under way or scheduled.
    pub held: u32,
}

impl Campaigns {
    pub fn export(reader: &Reader<'_>) -> Result<Vec<Json>> {
        let delivery = |delivery: &Delivery| merge([DeliveryFields::serialize(delivery, ToJson)]);
        let deliveries = |list: Vec<Delivery>| list.iter().map(delivery).collect::<Result<Json>>();
        let mailing =
            |mailing: &RenderedCampaign| merge([MailingFields::serialize(mailing, ToJson)]);
        let record = |sending: &Campaign| {
            let id = &sending.id;
            let trouble = sending.trouble.as_ref();
            let more = json!({
                "trouble": trouble.map(|(code, reason)| json!({ "code": code, "reason": reason })),
                "mailing": reader.rendered_campaign(id)?.as_ref().map(mailing).transpose()?,
                "inFlight": sending.in_flight.as_ref().map(delivery).transpose()?,
                "waiting": deliveries(reader.queued(id)?)?,
                "refusals": deliveries(reader.delivery_failures(id)?)?,
            });
            merge([CampaignFields::serialize(sending, ToJson), Ok(more)])
        };
        reader.campaigns()?.iter().map(record).collect()
    }

    pub fn read<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Self {
        let mut campaigns = Self::default();
        for json in &problems.list(json) {
            let key: Option<Key> = problems.value(json);
            let sending = problems.record(json, |json| CampaignFields::deserialize(json));
            let trouble = json.get("trouble");
            let trouble = trouble.and_then(|json| problems.value::<Trouble>(&json));
            let mailing = read_mailing(problems, json);
            let waiting = read_deliveries(problems, json, "waiting");
            let mut refusals = read_deliveries(problems, json, "refusals");
            let in_flight = json.get("inFlight");
            let in_flight = in_flight.and_then(|json| read_delivery(problems, &json));
            let (Some(key), Some(mut sending)) = (key, sending) else {
                continue;
            };
            sending.id = key.id;
            sending.trouble = trouble.map(|trouble| (trouble.code, trouble.reason));
            // Exports of earlier releases have `sent` in place of `state`.
            if json.get("state").is_none() && json.field("sent").text() == "true" {
                sending.state = CampaignStatus::Sent;
            }
            // The exporting site was handing this message over: it may have arrived.
            if let Some(delivery) = in_flight {
                sending.tally.uncertain = sending.tally.uncertain.saturating_add(1);
                refusals.push(Delivery {
                    fate: DeliveryOutcome::Uncertain,
                    ..delivery
                });
            }
            campaigns.held += u32::from(sending.hold());
            campaigns.list.push(CampaignExport {
                sending,
                mailing,
                waiting,
                refusals,
            });
        }
        campaigns
    }

    pub fn put(&self, writer: &mut Writer<'_>) -> Result<()> {
        for campaign in &self.list {
            let id = &campaign.sending.id;
            writer.put_campaign(&campaign.sending)?;
            if let Some(mailing) = &campaign.mailing {
                writer.put_rendered_campaign(id, mailing)?;
            }
            for delivery in &campaign.waiting {
                writer.enqueue(id, delivery)?;
            }
            for delivery in &campaign.refusals {
                writer.put_delivery_failure(id, delivery)?;
            }
        }
        Ok(())
    }
}

fn read_mailing<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> Option<RenderedCampaign> {
    let json = json.get("mailing")?;
    if json.text().len() > MAILING_BYTES_MAX {
        problems.add(&json, "is too long");
        return None;
    }
    problems.record(&json, |json| MailingFields::deserialize(json))
}

fn read_deliveries<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
    name: &str,
) -> Vec<Delivery> {
    let Some(json) = json.get(name) else {
        return Vec::new();
    };
    let list = problems.list(&json);
    let read = |json| read_delivery(problems, json);
    list.iter().filter_map(read).collect()
}

fn read_delivery<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Option<Delivery> {
    problems.record(json, |json| DeliveryFields::deserialize(json))
}

/// Returns the pictures of deleted newsletters by newsletter.
pub fn read_mailed_pictures<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> BTreeMap<String, Vec<String>> {
    let mut pictures = BTreeMap::new();
    for (id, json) in problems.members(json) {
        if !is_id(&id) {
            problems.add(&json, "has an unusable name");
        }
        if let Some(ids) = problems.value(&json) {
            pictures.insert(id, ids);
        }
    }
    pictures
}
