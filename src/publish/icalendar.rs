//! Writes events as iCalendar files (RFC 5545): a single event, and a feed of all events.
//!
//! Written without the `icalendar` crate, which adds a second time library and stamps with the
//! clock; a response here is a pure function of the snapshot.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use respiro_content::collection_by_slug;
use respiro_content::public_ids::days_of;
use respiro_content::time::rome_time_zone;
use respiro_content::typography::apostrophes;
use serde_json::Value as Json;

/// Maximum line length in bytes, without the line break (RFC 5545, section 3.1).
const LINE_BYTES_MAX: usize = 75;

/// Number of dates after which the feed takes no further event.
const TIMES_MAX: usize = 500;

/// The site that publishes the events.
#[derive(Debug, Clone, Copy)]
pub(super) struct Of<'a> {
    pub site: &'a str,
    /// The site's text for a cancelled event.
    pub cancelled: &'a str,
    /// The site's text for a sold-out event.
    pub sold_out: &'a str,
}

/// Returns the iCalendar file of an event; `None` if its date was not recognized.
pub(super) fn event(of: Of<'_>, event: &Json) -> Option<String> {
    let mut file = Calendar::begin(&[]);
    file.add(of, event)?;
    Some(file.end())
}

/// Returns the feed with all dates of the given events, earliest first, so that the limit cuts off
/// the furthest ones.
pub(super) fn all<'a>(of: Of<'_>, name: &str, events: impl Iterator<Item = &'a Json>) -> String {
    let name = escape(name);
    let mut file = Calendar::begin(&[
        &format!("NAME:{name}"),
        &format!("X-WR-CALNAME:{name}"),
        "X-WR-TIMEZONE:Europe/Rome",
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
        "X-PUBLISHED-TTL:PT6H",
    ]);
    let mut events: Vec<&Json> = events.collect();
    events.sort_by_key(|event| event["schedule"]["start"].as_str());
    for event in events {
        // Skips events whose date was not recognized.
        let _ = file.add(of, event);
        if file.times >= TIMES_MAX {
            break;
        }
    }
    file.end()
}

struct Calendar {
    text: String,
    times: usize,
}

impl Calendar {
    fn begin(more: &[&str]) -> Self {
        let mut text = String::new();
        let first = [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//respiro//respiro//IT",
            "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH",
        ];
        for line in first.iter().chain(more) {
            fold(&mut text, line);
        }
        Self { text, times: 0 }
    }

    fn end(mut self) -> String {
        fold(&mut self.text, "END:VCALENDAR");
        self.text
    }

    /// Adds every date of an event, each with its own UID. `None` if the date was not recognized.
    fn add(&mut self, of: Of<'_>, event: &Json) -> Option<()> {
        let schedule = event["schedule"].as_object()?;
        let all_day = schedule.get("allDay")?.as_bool()?;
        let mut text = String::new();
        for (day, time) in days(&event["schedule"])
            .iter()
            .zip(times(&event["schedule"]))
        {
            let uid = event["uids"][day].as_str()?;
            write(&mut text, of, event, (uid, time, all_day))?;
            self.times += 1;
        }
        self.text.push_str(&text);
        Some(())
    }
}

fn times(schedule: &Json) -> impl Iterator<Item = &Json> {
    let others = schedule["others"].as_array();
    std::iter::once(schedule).chain(others.into_iter().flatten())
}

/// Returns the days of a schedule, as `uids` of an event names them.
pub(super) fn days(schedule: &Json) -> Vec<String> {
    days_of(times(schedule).filter_map(|time| time["start"].as_str()))
}

fn write(
    file: &mut String,
    of: Of<'_>,
    event: &Json,
    (uid, time, all_day): (&str, &Json, bool),
) -> Option<()> {
    let field = |name: &str| event[name].as_str().filter(|text| !text.is_empty());
    let start = time["start"].as_str()?;
    let end = time["end"].as_str();
    let id = field("id")?;
    let changed: Timestamp = field("updatedAt")?.parse().ok()?;
    let made: Timestamp = field("createdAt")?.parse().ok()?;
    let (stamp, cancelled) = (utc(changed), event["cancelled"] == true);
    let site = of.site;
    let mut line = |text: &str| fold(file, text);
    line("BEGIN:VEVENT");
    line(&format!("UID:{uid}"));
    line(&format!("DTSTAMP:{stamp}"));
    line(&format!("LAST-MODIFIED:{stamp}"));
    // Grows with every change: calendar programs ignore an update without a higher sequence.
    let sequence = changed.as_second().saturating_sub(made.as_second()).max(0);
    line(&format!("SEQUENCE:{sequence}"));
    let status = if cancelled { "CANCELLED" } else { "CONFIRMED" };
    line(&format!("STATUS:{status}"));
    if all_day {
        let first: Date = start.parse().ok()?;
        let last: Date = end.map_or(Some(first), |end| end.parse().ok())?;
        line(&format!("DTSTART;VALUE=DATE:{}", first.strftime("%Y%m%d")));
        // DTEND is exclusive (RFC 5545, section 3.6.1).
        let after = last.tomorrow().ok()?;
        line(&format!("DTEND;VALUE=DATE:{}", after.strftime("%Y%m%d")));
    } else {
        line(&format!("DTSTART:{}", utc(start.parse().ok()?)));
        if let Some(end) = end {
            line(&format!("DTEND:{}", utc(instant_after(end)?)));
        }
    }
    let title = escape(field("title")?);
    let state = if cancelled {
        of.cancelled
    } else if is_sold_out(event) {
        of.sold_out
    } else {
        ""
    };
    let state = match state {
        "" => String::new(),
        said => format!("{}: ", escape(said)),
    };
    line(&format!("SUMMARY:{state}{title}"));
    for (property, name) in [("DESCRIPTION", "description"), ("LOCATION", "location")] {
        if let Some(text) = field(name) {
            line(&format!("{property}:{}", escape(text)));
        }
    }
    let page = collection_by_slug("events")?.page?;
    line(&format!("URL:{site}{}{id}", page.prefix));
    line("END:VEVENT");
    Some(())
}

/// Whether no place is left; `ui/src/lib/places-left.ts` has the same rule.
fn is_sold_out(event: &Json) -> bool {
    event["soldOut"] == true || event["placesLeft"] == 0
}

/// Parses an end: an instant, or a date without a time, which ends at its following midnight.
fn instant_after(text: &str) -> Option<Timestamp> {
    if let Ok(instant) = text.parse() {
        return Some(instant);
    }
    let day: Date = text.parse().ok()?;
    let midnight = day.checked_add(1.day()).ok()?.at(0, 0, 0, 0);
    Some(midnight.to_zoned(rome_time_zone()).ok()?.timestamp())
}

fn utc(instant: Timestamp) -> String {
    instant.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Escapes text for a property value (RFC 5545, section 3.3.11) and drops control characters.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in apostrophes(text).replace("\r\n", "\n").chars() {
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

/// Appends a line, folded at the maximum length, never inside a character.
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
    use respiro_content::event_times;
    use serde_json::json;
    use std::collections::BTreeMap;

    const OF: Of<'_> = Of {
        site: "https://example.org",
        cancelled: "Annullato",
        sold_out: "Esaurito",
    };

    fn example(schedule: &Json) -> Json {
        json!({
            "id": "ev1",
            "title": "Respiro; \"pieno\", e \\ vuoto",
            "description": "Prima riga dell'invito\nBEGIN:VALARM\r\nseconda riga",
            "location": "Lugano, Svizzera ".to_owned() + &"à".repeat(80),
            "createdAt": "2026-11-21T09:00:00.000Z",
            "updatedAt": "2026-11-21T10:00:00.000Z",
            "schedule": schedule,
            "uids": uids(schedule),
        })
    }

    fn uids(schedule: &Json) -> BTreeMap<String, String> {
        let days = days(schedule).into_iter();
        days.map(|day| (day.clone(), format!("ev1-{day}")))
            .collect()
    }

    #[test]
    fn an_event_with_hours_is_written_in_utc() {
        let schedule = json!({
            "start": "2027-03-06T09:30:00+01:00", "end": "2027-03-06T17:30:00+01:00", "allDay": false,
        });
        let text = event(OF, &example(&schedule)).unwrap();
        assert!(text.contains("\r\nDTSTART:20270306T083000Z\r\nDTEND:20270306T163000Z\r\n"));
        assert!(text.contains("\r\nUID:ev1-2027-03-06\r\nDTSTAMP:20261121T100000Z\r\n"));
    }

    #[test]
    fn whole_days_end_on_the_day_after() {
        let schedule = json!({ "start": "2027-04-10", "end": "2027-04-11", "allDay": true });
        let text = event(OF, &example(&schedule)).unwrap();
        assert!(text.contains("DTSTART;VALUE=DATE:20270410\r\nDTEND;VALUE=DATE:20270412\r\n"));
    }

    #[test]
    fn a_last_day_without_an_hour_lasts_until_its_midnight_in_italy() {
        let schedule = json!({
            "start": "2027-04-10T09:30:00+02:00", "end": "2027-04-11", "allDay": false,
        });
        let text = event(OF, &example(&schedule)).unwrap();
        assert!(text.contains("\r\nDTEND:20270411T220000Z\r\n"), "{text}");
    }

    #[test]
    fn a_night_ends_on_the_next_day_by_the_clock_that_is_set_in_it() {
        let written = Date::constant(2026, 11, 22);
        for (day, hours, times) in [
            (
                "31 dicembre 2026",
                "21-24",
                ["20261231T200000Z", "20261231T230000Z"],
            ),
            (
                "27 marzo 2027",
                "20-3",
                ["20270327T190000Z", "20270328T010000Z"],
            ),
        ] {
            let schedule = event_times::read(Some(day), Some(hours), written);
            let text = event(OF, &example(&json!(schedule))).unwrap();
            let [start, end] = times;
            let expected = format!("\r\nDTSTART:{start}\r\nDTEND:{end}\r\n");
            assert!(text.contains(&expected), "{text}");
        }
    }

    #[test]
    fn texts_cannot_add_lines_and_no_line_is_too_long() {
        let schedule = json!({ "start": "2027-04-10", "end": null, "allDay": true });
        let text = event(OF, &example(&schedule)).unwrap();
        assert!(!text.contains("\r\nBEGIN:VALARM"));
        assert!(text.contains("SUMMARY:Respiro\\; \"pieno\"\\, e \\\\ vuoto\r\n"));
        assert!(text.split("\r\n").all(|line| line.len() <= LINE_BYTES_MAX));
        let unfolded = text.replace("\r\n ", "");
        assert!(unfolded.contains(&"à".repeat(80)));
        assert!(unfolded.contains("DESCRIPTION:Prima riga dell’invito\\nBEGIN"));
    }

    #[test]
    fn a_date_that_was_not_understood_gives_no_file() {
        assert_eq!(event(OF, &example(&Json::Null)), None);
    }

    #[test]
    fn every_time_of_an_event_is_one_of_the_calendar_and_says_when_it_was_called_off() {
        let schedule = json!({
            "start": "2027-03-02", "end": null, "allDay": true,
            "others": [{ "start": "2027-03-09", "end": null }],
        });
        let mut one = example(&schedule);
        let text = event(OF, &one).unwrap();
        assert_eq!(text.matches("BEGIN:VEVENT").count(), 2);
        assert!(text.contains("UID:ev1-2027-03-02\r\n"));
        assert!(text.contains("UID:ev1-2027-03-09\r\n"));
        assert!(text.contains("DTSTART;VALUE=DATE:20270309\r\n"));
        assert!(text.contains("SEQUENCE:3600\r\nSTATUS:CONFIRMED\r\n"));
        one["cancelled"] = json!(true);
        let unread = example(&Json::Null);
        let all = all(OF, "Eventi, di tutti", [&unread, &one].into_iter());
        assert_eq!(all.matches("STATUS:CANCELLED").count(), 2);
        assert!(all.contains("SUMMARY:Annullato: Respiro\\;"));
        // The summary uses the site's own text for a cancelled event.
        let cancelled = "Rinviato";
        let hers = event(Of { cancelled, ..OF }, &one).unwrap();
        assert!(hers.contains("SUMMARY:Rinviato: Respiro\\;"));
        assert!(all.contains("X-WR-CALNAME:Eventi\\, di tutti\r\n"));
        assert_eq!(all.matches("VCALENDAR").count(), 2);
    }

    /// RFC 5545 has no status for it, and the event takes place: the summary alone says it.
    #[test]
    fn an_event_without_places_says_so_in_its_summary_and_stays_confirmed() {
        let schedule = json!({ "start": "2027-03-02", "end": null, "allDay": true });
        let mut one = example(&schedule);
        for (fields, summary) in [
            (json!({ "placesLeft": 3 }), "SUMMARY:Respiro\\;"),
            (json!({ "placesLeft": 0 }), "SUMMARY:Esaurito: Respiro\\;"),
            (
                json!({ "placesLeft": 3, "soldOut": true }),
                "SUMMARY:Esaurito: Respiro\\;",
            ),
            (
                json!({ "cancelled": true }),
                "SUMMARY:Annullato: Respiro\\;",
            ),
        ] {
            let more = fields.as_object().unwrap().clone();
            one.as_object_mut().unwrap().extend(more);
            let text = event(OF, &one).unwrap();
            assert!(text.contains(summary), "{fields}: {text}");
            let is_confirmed = text.contains("STATUS:CONFIRMED\r\n");
            assert_eq!(is_confirmed, one["cancelled"] != true, "{fields}");
        }
    }

    // Regression: the limit cut off events of the next month and kept some in two years.
    #[test]
    fn beyond_the_limit_the_furthest_are_missing() {
        let of = |day: usize| {
            let start = format!("{}-03-{:02}", 2027 + day / 28, day % 28 + 1);
            example(&json!({ "start": start, "allDay": true }))
        };
        let events: Vec<Json> = (0..TIMES_MAX + 28).rev().map(of).collect();
        let file = all(OF, "Eventi", events.iter());
        assert_eq!(file.matches("BEGIN:VEVENT").count(), TIMES_MAX);
        assert!(file.contains("DTSTART;VALUE=DATE:20270301"));
        let last = 2027 + TIMES_MAX.div_ceil(28);
        assert!(!file.contains(&format!("DTSTART;VALUE=DATE:{last}")));
    }
}
