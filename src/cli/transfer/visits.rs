//! The totals of visits in an exported file.

use super::source::{Members, Source};
use crate::content::{Timestamp, time};
use crate::error::Result;
use crate::store::DayTotals;
use crate::store::{Reader, Writer};
use jiff::civil::Date;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// Days of an imported file; more than are kept anyway.
const DAYS_MAX: usize = 800;
const NAME_BYTES_MAX: usize = 300;

/// What is known of visits.
#[derive(Default)]
pub struct Visits {
    days: BTreeMap<Date, DayTotals>,
    off_since: Option<Timestamp>,
}

pub fn export(reader: &Reader<'_>) -> Result<Json> {
    let days: Map<String, Json> = reader
        .visits()?
        .into_iter()
        .map(|(date, totals)| {
            let json = json!({
                "views": totals.views,
                "visitors": totals.visitors,
                "pages": totals.pages,
                "sources": totals.sources,
                "presses": totals.presses,
            });
            (date.to_string(), json)
        })
        .collect();
    let off_since = reader.uncounted_since()?.map(time::rfc3339);
    Ok(json!({ "offSince": off_since, "days": days }))
}

pub fn read<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Visits {
    let members = source.object(part, "statistics");
    let mut visits = Visits::default();
    if let Some(part) = members.get("offSince").filter(|part| part.get() != "null") {
        let text: String = serde_json::from_str(part.get()).unwrap_or_default();
        visits.off_since = time::parse_rfc3339(&text);
        if visits.off_since.is_none() {
            source.problem(part.get(), "statistics.offSince", "is no RFC 3339 time");
        }
    }
    let days = match members.get("days") {
        Some(part) => source.object(part, "statistics.days"),
        None => Members::new(),
    };
    for (name, part) in days.into_iter().take(DAYS_MAX) {
        let place = format!("statistics.days.{name}");
        match name.parse::<Date>() {
            Ok(date) if date.to_string() == name => {
                let totals = day(source, part, &place);
                visits.days.insert(date, totals);
            }
            _ => source.problem(part.get(), &place, "is no day"),
        }
    }
    visits
}

fn day<'a>(source: &mut Source<'a>, part: &'a RawValue, place: &str) -> DayTotals {
    let members = source.object(part, place);
    let mut totals = DayTotals::default();
    for (name, part) in members {
        let place = format!("{place}.{name}");
        let no_count = "is no count";
        match name.as_str() {
            "views" => totals.views = source.parsed(part, &place, no_count),
            "visitors" => totals.visitors = source.parsed(part, &place, no_count),
            "pages" => totals.pages = source.parsed(part, &place, no_count),
            "sources" => totals.sources = source.parsed(part, &place, no_count),
            "presses" => totals.presses = source.parsed(part, &place, no_count),
            _ => source.problem(part.get(), &place, "is no part of a day"),
        }
    }
    totals.pages.retain(|name, _| name.len() <= NAME_BYTES_MAX);
    totals
        .sources
        .retain(|name, _| name.len() <= NAME_BYTES_MAX);
    totals
        .presses
        .retain(|name, _| name.len() <= NAME_BYTES_MAX);
    totals.bound();
    totals
}

impl Visits {
    pub fn put(&self, writer: &mut Writer<'_>) -> Result<()> {
        for (date, totals) in &self.days {
            writer.put_visits_on(*date, totals)?;
        }
        Ok(writer.set_uncounted_since(self.off_since)?)
    }
}
