//! Exports and imports notices. E-mails about them that are not sent yet stay behind: they are
//! addressed to accounts, and an export holds no accounts.

use super::serde_adapters::{merge, now, optional_time, or_default, time_or_now};
use super::spanned_json::{Problems, SpannedJson};
use crate::Result;
use respiro_content::Timestamp;
use respiro_db::{Notification, NotificationKind, Reader, Writer};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use serde_json::value::Serializer as ToJson;

/// Limit of imported notices; the data file keeps fewer.
const NOTICES_MAX: usize = 1_000;
const TEXT_CHARACTERS_MAX: usize = 1_000;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Notification", rename_all = "camelCase")]
struct NotificationFields {
    #[serde(skip)]
    number: u64,
    subject: NotificationKind,
    #[serde(default = "now", with = "time_or_now")]
    first_at: Timestamp,
    #[serde(default = "now", with = "time_or_now")]
    at: Timestamp,
    #[serde(default = "one", deserialize_with = "count")]
    count: u32,
    #[serde(default, deserialize_with = "or_default")]
    text: String,
    #[serde(default, with = "optional_time")]
    moment: Option<Timestamp>,
    #[serde(rename = "account", default, deserialize_with = "or_default")]
    email: Option<String>,
    #[serde(default, with = "optional_time")]
    read_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    solved_at: Option<Timestamp>,
    #[serde(default, with = "optional_time")]
    mailed_at: Option<Timestamp>,
}

const fn one() -> u32 {
    1
}

fn count<'de, D: Deserializer<'de>>(json: D) -> Result<u32, D::Error> {
    let count: Option<u32> = or_default(json)?;
    Ok(count.unwrap_or_else(one))
}

pub fn export(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let record = |notice: &Notification| merge([NotificationFields::serialize(notice, ToJson)]);
    reader.notifications().list()?.iter().map(record).collect()
}

pub fn read<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Vec<Notification> {
    let list = problems.list(json);
    let list = list.iter().take(NOTICES_MAX);
    let read = |json| {
        let mut notice = problems.record(json, |json| NotificationFields::deserialize(json))?;
        // Without `firstAt` the event occurred once.
        notice.first_at = notice.first_at.min(notice.at);
        if !is_short(&notice.text) {
            notice.text.clear();
        }
        notice.email = notice.email.filter(|email| is_short(email));
        Some(notice)
    };
    list.filter_map(read).collect()
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= TEXT_CHARACTERS_MAX
}

/// Numbers the notices after those of the data file.
pub fn write(writer: &mut Writer<'_>, notices: &[Notification]) -> Result<()> {
    let last = writer
        .notifications()
        .list()?
        .last()
        .map_or(0, |notice| notice.number);
    for (number, notice) in (last + 1..).zip(notices) {
        let notice = notice.clone();
        writer
            .notifications()
            .put(&Notification { number, ..notice })?;
    }
    Ok(())
}
