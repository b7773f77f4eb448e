//! One event as an iCalendar file (RFC 5545).
//!
//! Written by hand: the `icalendar` crate brings a second time library and stamps with the clock,
//! and an answer here is a pure function of the snapshot.

use crate::content::time::rome;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use serde_json::Value as Json;

/// Longest line in bytes, its line break not counted.
const LINE_BYTES_MAX: usize = 75;

/// The calendar file of an event; `None` when its date was not understood.
pub(super) fn event(site: &str, event: &Json) -> Option<String> {
    let field = |name: &str| event[name].as_str().filter(|text| !text.is_empty());
    let schedule = event["schedule"].as_object()?;
    let start = schedule.get("start")?.as_str()?;
    let end = schedule.get("end").and_then(Json::as_str);
    let all_day = schedule.get("allDay")?.as_bool()?;
    let (id, stamp) = (field("id")?, utc(field("updatedAt")?.parse().ok()?));
    let host = site.split("://").nth(1).unwrap_or(site);
    let mut file = String::new();
    let mut line = |text: &str| fold(&mut file, text);
    line("BEGIN:VCALENDAR");
    line("VERSION:2.0");
    line("PRODID:-//respiro//respiro//IT");
    line("CALSCALE:GREGORIAN");
    line("METHOD:PUBLISH");
    line("BEGIN:VEVENT");
    line(&format!("UID:{id}@{host}"));
    line(&format!("DTSTAMP:{stamp}"));
    line(&format!("LAST-MODIFIED:{stamp}"));
    if all_day {
        let first: Date = start.parse().ok()?;
        let last: Date = end.map_or(Some(first), |end| end.parse().ok())?;
        line(&format!("DTSTART;VALUE=DATE:{}", first.strftime("%Y%m%d")));
        // The end is the first day after.
        let after = last.tomorrow().ok()?;
        line(&format!("DTEND;VALUE=DATE:{}", after.strftime("%Y%m%d")));
    } else {
        line(&format!("DTSTART:{}", utc(start.parse().ok()?)));
        if let Some(end) = end {
            line(&format!("DTEND:{}", utc(instant_after(end)?)));
        }
    }
    line(&format!("SUMMARY:{}", escape(field("title")?)));
    for (property, name) in [("DESCRIPTION", "description"), ("LOCATION", "location")] {
        if let Some(text) = field(name) {
            line(&format!("{property}:{}", escape(text)));
        }
    }
    line(&format!("URL:{site}/evento/{id}"));
    line("END:VEVENT");
    line("END:VCALENDAR");
    Some(file)
}

/// An end: an instant, or the midnight after a last day that names no hour.
fn instant_after(text: &str) -> Option<Timestamp> {
    if let Ok(instant) = text.parse() {
        return Some(instant);
    }
    let day: Date = text.parse().ok()?;
    let midnight = day.checked_add(1.day()).ok()?.at(0, 0, 0, 0);
    Some(midnight.to_zoned(rome()).ok()?.timestamp())
}

fn utc(instant: Timestamp) -> String {
    instant.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Text as a property's value.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.replace("\r\n", "\n").chars() {
        match character {
            '\n' | '\r' => escaped.push_str("\\n"),
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\t' => escaped.push('\t'),
            control if control.is_control() => {}
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// Adds a line, broken into lines of allowed length, never inside a character.
fn fold(file: &mut String, text: &str) {
    let mut bytes = 0;
    for character in text.chars() {
        if bytes + character.len_utf8() > LINE_BYTES_MAX {
            file.push_str("\r\n ");
            bytes = 1;
        }
        file.push(character);
        bytes += character.len_utf8();
    }
    file.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn example(schedule: &Json) -> Json {
        json!({
            "id": "ev1",
            "title": "Respiro; \"pieno\", e \\ vuoto",
            "description": "Prima riga\nBEGIN:VALARM\r\nseconda riga",
            "location": "Lugano, Svizzera ".to_owned() + &"à".repeat(80),
            "updatedAt": "2026-11-21T10:00:00.000Z",
            "schedule": schedule,
        })
    }

    #[test]
    fn an_event_with_hours_is_written_in_utc() {
        let schedule = json!({
            "start": "2027-03-06T09:30:00+01:00", "end": "2027-03-06T17:30:00+01:00", "allDay": false,
        });
        let text = event("https://example.org", &example(&schedule)).unwrap();
        assert!(text.contains("\r\nDTSTART:20270306T083000Z\r\nDTEND:20270306T163000Z\r\n"));
        assert!(text.contains("\r\nUID:ev1@example.org\r\nDTSTAMP:20261121T100000Z\r\n"));
    }

    #[test]
    fn whole_days_end_on_the_day_after() {
        let schedule = json!({ "start": "2027-04-10", "end": "2027-04-11", "allDay": true });
        let text = event("https://example.org", &example(&schedule)).unwrap();
        assert!(text.contains("DTSTART;VALUE=DATE:20270410\r\nDTEND;VALUE=DATE:20270412\r\n"));
    }

    #[test]
    fn a_last_day_without_an_hour_lasts_until_its_midnight_in_italy() {
        let schedule = json!({
            "start": "2027-04-10T09:30:00+02:00", "end": "2027-04-11", "allDay": false,
        });
        let text = event("https://example.org", &example(&schedule)).unwrap();
        assert!(text.contains("\r\nDTEND:20270411T220000Z\r\n"), "{text}");
    }

    #[test]
    fn texts_cannot_add_lines_and_no_line_is_too_long() {
        let schedule = json!({ "start": "2027-04-10", "end": null, "allDay": true });
        let text = event("https://example.org", &example(&schedule)).unwrap();
        assert!(!text.contains("\r\nBEGIN:VALARM"));
        assert!(text.contains("SUMMARY:Respiro\\; \"pieno\"\\, e \\\\ vuoto\r\n"));
        assert!(text.split("\r\n").all(|line| line.len() <= LINE_BYTES_MAX));
        let unfolded = text.replace("\r\n ", "");
        assert!(unfolded.contains(&"à".repeat(80)));
    }

    #[test]
    fn a_date_that_was_not_understood_gives_no_file() {
        assert_eq!(event("https://example.org", &example(&Json::Null)), None);
    }
}
