//! Exports and imports campaigns, their queued messages and delivery failures, and the pictures of
//! deleted newsletters that mails still show. An imported campaign resumes only when the admin
//! says so.

use super::serde_adapters::{
    Key, email_address, merge, now, optional_time, or_default, text, time_or_now,
};
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
const RENDERED_BYTES_MAX: usize = 512 * 1024;

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Campaign",
    rename_all = "camelCase",
    default = "stopped_campaign"
)]
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
    #[serde(flatten, with = "DeliveryCountsFields")]
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
struct DeliveryCountsFields {
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
struct RenderedCampaignFields {
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
fn stopped_campaign() -> Campaign {
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
    campaign: Campaign,
    rendered: Option<RenderedCampaign>,
    queued: Vec<Delivery>,
    failures: Vec<Delivery>,
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
        let rendered = |rendered: &RenderedCampaign| {
            merge([RenderedCampaignFields::serialize(rendered, ToJson)])
        };
        let record = |campaign: &Campaign| {
            let id = &campaign.id;
            let trouble = campaign.trouble.as_ref();
            let more = json!({
                "trouble": trouble.map(|(code, reason)| json!({ "code": code, "reason": reason })),
                "mailing": reader.campaigns().rendered(id)?.as_ref().map(rendered).transpose()?,
                "inFlight": campaign.in_flight.as_ref().map(delivery).transpose()?,
                "waiting": deliveries(reader.campaigns().queued(id)?)?,
                "refusals": deliveries(reader.campaigns().failures(id)?)?,
            });
            merge([CampaignFields::serialize(campaign, ToJson), Ok(more)])
        };
        reader.campaigns().list()?.iter().map(record).collect()
    }

    pub fn read<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Self {
        let mut campaigns = Self::default();
        for json in &problems.list(json) {
            let key: Option<Key> = problems.value(json);
            let campaign = problems.record(json, |json| CampaignFields::deserialize(json));
            let trouble = json.get("trouble");
            let trouble = trouble.and_then(|json| problems.value::<Trouble>(&json));
            let rendered = read_rendered(problems, json);
            let queued = read_deliveries(problems, json, "waiting");
            let mut failures = read_deliveries(problems, json, "refusals");
            let in_flight = json.get("inFlight");
            let in_flight = in_flight.and_then(|json| read_delivery(problems, &json));
            let (Some(key), Some(mut campaign)) = (key, campaign) else {
                continue;
            };
            campaign.id = key.id;
            campaign.trouble = trouble.map(|trouble| (trouble.code, trouble.reason));
            // Exports of earlier releases have `sent` in place of `state`.
            if json.get("state").is_none() && json.field("sent").text() == "true" {
                campaign.state = CampaignStatus::Sent;
            }
            // The exporting site was handing this message over: it may have arrived.
            if let Some(delivery) = in_flight {
                campaign.tally.uncertain = campaign.tally.uncertain.saturating_add(1);
                failures.push(Delivery {
                    fate: DeliveryOutcome::Uncertain,
                    ..delivery
                });
            }
            campaigns.held += u32::from(campaign.hold());
            campaigns.list.push(CampaignExport {
                campaign,
                rendered,
                queued,
                failures,
            });
        }
        campaigns
    }

    pub fn write(&self, writer: &mut Writer<'_>) -> Result<()> {
        for exported in &self.list {
            let id = &exported.campaign.id;
            writer.campaigns().put(&exported.campaign)?;
            if let Some(rendered) = &exported.rendered {
                writer.campaigns().put_rendered(id, rendered)?;
            }
            for delivery in &exported.queued {
                writer.campaigns().enqueue(id, delivery)?;
            }
            for delivery in &exported.failures {
                writer.campaigns().put_failure(id, delivery)?;
            }
        }
        Ok(())
    }
}

fn read_rendered<'a>(
    problems: &mut Problems<'a>,
    json: &SpannedJson<'a>,
) -> Option<RenderedCampaign> {
    let json = json.get("mailing")?;
    if json.text().len() > RENDERED_BYTES_MAX {
        problems.add(&json, "is too long");
        return None;
    }
    problems.record(&json, |json| RenderedCampaignFields::deserialize(json))
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
