//! Exports and imports visit totals by day.

use super::serde_adapters::{merge, optional_time};
use super::spanned_json::{Problems, SpannedJson};
use crate::Result;
use jiff::civil::Date;
use respiro_content::Timestamp;
use respiro_db::{DayTotals, Reader, Writer};
use serde::{Deserialize, Serialize};
use serde_json::value::Serializer as ToJson;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// Limit of imported days; the data file keeps fewer.
const DAYS_MAX: usize = 800;
const NAME_BYTES_MAX: usize = 300;

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    #[serde(default, with = "optional_time")]
    off_since: Option<Timestamp>,
    #[serde(skip)]
    days: BTreeMap<Date, DayTotals>,
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "DayTotals",
    default = "DayTotals::default",
    deny_unknown_fields
)]
struct DayFields {
    views: u64,
    visitors: u64,
    pages: BTreeMap<String, u64>,
    sources: BTreeMap<String, u64>,
    presses: BTreeMap<String, [u64; 3]>,
}

impl Statistics {
    pub fn export(reader: &Reader<'_>) -> Result<Json> {
        let off_since = reader.page_views().uncounted_since()?;
        let days = reader.page_views().list()?.into_iter();
        let day = |(date, totals): (Date, DayTotals)| {
            Ok((
                date.to_string(),
                merge([DayFields::serialize(&totals, ToJson)])?,
            ))
        };
        let days = days.map(day).collect::<Result<Map<String, Json>>>()?;
        let statistics = Self {
            off_since,
            ..Self::default()
        };
        merge([
            serde_json::to_value(statistics),
            Ok(json!({ "days": days })),
        ])
    }

    pub fn read<'a>(problems: &mut Problems<'a>, json: &SpannedJson<'a>) -> Self {
        let mut statistics: Self = problems.value(json).unwrap_or_default();
        let days = json.get("days").map(|days| problems.members(&days));
        for (name, json) in days.unwrap_or_default().into_iter().take(DAYS_MAX) {
            let totals = problems.record(&json, |json| DayFields::deserialize(json));
            match name.parse::<Date>() {
                Ok(date) if date.to_string() == name => {
                    let totals = totals.map(limit_names).unwrap_or_default();
                    statistics.days.insert(date, totals);
                }
                _ => problems.add(&json, "is no day"),
            }
        }
        statistics
    }

    pub fn write(&self, writer: &mut Writer<'_>) -> Result<()> {
        for (date, totals) in &self.days {
            add_visits(writer, *date, totals)?;
        }
        Ok(writer.page_views().set_uncounted_since(self.off_since)?)
    }
}

/// Adds the totals of a day to what the site itself has counted.
pub fn add_visits(writer: &mut Writer<'_>, date: Date, totals: &DayTotals) -> Result<()> {
    let mut sum = writer.page_views().get(date)?.unwrap_or_default();
    sum.add(totals);
    Ok(writer.page_views().put(date, &sum)?)
}

fn limit_names(mut totals: DayTotals) -> DayTotals {
    let is_short = |name: &String| name.len() <= NAME_BYTES_MAX;
    totals.pages.retain(|name, _| is_short(name));
    totals.sources.retain(|name, _| is_short(name));
    totals.presses.retain(|name, _| is_short(name));
    totals.bound();
    totals
}
