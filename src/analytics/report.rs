//! The report of the panel: a series over time, and the top pages, sources and contacts.

use jiff::ToSpan as _;
use jiff::civil::Date;
use respiro_content::validation::unicode_domain;
use respiro_db::{DIRECT, DayTotals, OTHERS};
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Rows of each list of the report.
const ROWS_MAX: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// The last 30 days.
    Days,
    /// The last 12 months.
    Months,
}

/// Looks up the current titles of counted paths.
pub trait PageTitles {
    /// `None` when the page no longer exists; `Some(None)` for a page without a title of its own.
    fn title(&self, path: &str) -> Option<Option<String>>;
}

/// Totals of a period, of its days or months, and of the period before.
pub struct VisitReport {
    period: Period,
    parts: Vec<(Date, DayTotals)>,
    sum: DayTotals,
    /// `None` when nothing was counted then.
    before: Option<DayTotals>,
    since: Option<Date>,
}

impl Period {
    pub fn parse(name: Option<&str>) -> Self {
        match name {
            Some("months") => Self::Months,
            _ => Self::Days,
        }
    }

    /// First day of each part, and of the period before.
    fn parts(self, today: Date) -> (Vec<Date>, Date) {
        match self {
            Self::Days => {
                let first = today.saturating_sub(29.days());
                let parts = (0..30).map(|day| first.saturating_add(day.days()));
                (parts.collect(), first.saturating_sub(30.days()))
            }
            Self::Months => {
                let first = today.first_of_month().saturating_sub(11.months());
                let parts = (0..12).map(|month| first.saturating_add(month.months()));
                (parts.collect(), first.saturating_sub(12.months()))
            }
        }
    }
}

impl VisitReport {
    /// Sums up `days`, which are sorted.
    pub fn of(days: Vec<(Date, DayTotals)>, period: Period, today: Date) -> Self {
        let since = days.first().map(|(date, _)| *date);
        let (starts, before_from) = period.parts(today);
        let mut parts: Vec<(Date, DayTotals)> = starts
            .into_iter()
            .map(|start| (start, DayTotals::default()))
            .collect();
        let (mut sum, mut before) = (DayTotals::default(), DayTotals::default());
        for (date, totals) in days {
            let part = parts.iter_mut().rev().find(|(start, _)| *start <= date);
            match part {
                Some((_, part)) if date <= today => {
                    part.add(&totals);
                    sum.add(&totals);
                }
                None if date >= before_from => before.add(&totals),
                _ => {}
            }
        }
        Self {
            period,
            parts,
            sum,
            before: (!before.is_empty()).then_some(before),
            since,
        }
    }

    pub fn to_json(&self, titles: &impl PageTitles) -> Json {
        let parts = self.parts.iter().map(|(start, totals)| {
            let mut json = totals_json(totals);
            json["from"] = json!(start.to_string());
            json
        });
        json!({
            "parts": parts.collect::<Vec<Json>>(),
            "sum": totals_json(&self.sum),
            "before": self.before.as_ref().map(totals_json),
            "since": self.since.map(|since| since.to_string()),
            "sources": sources_json(&self.sum.sources),
            "pages": rows_json(&self.sum.pages, |count| *count, |path, count| {
                page_json(titles, path, json!({ "views": count }))
            }),
            "contacts": rows_json(&self.sum.presses, |clicks| clicks.iter().sum(), |path, clicks| {
                let [phone, email, message] = clicks;
                let counts = json!({ "phone": phone, "email": email, "message": message });
                page_json(titles, path, counts)
            }),
        })
    }

    /// The series as CSV. No field can start a spreadsheet formula.
    pub fn to_csv(&self, separator: char) -> String {
        let first = match self.period {
            Period::Days => "Giorno",
            Period::Months => "Mese",
        };
        let mut text = format!("{first},Pagine aperte,Visitatori,Telefono,E-mail,Messaggi\r\n");
        for (start, totals) in &self.parts {
            let name = match self.period {
                Period::Days => start.to_string(),
                Period::Months => start.strftime("%Y-%m").to_string(),
            };
            let [phone, email, message] = totals.pressed();
            let (views, visitors) = (totals.views, totals.visitors);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "{name},{views},{visitors},{phone},{email},{message}\r\n"
            );
        }
        // No cell contains a comma.
        text.replace(',', &separator.to_string())
    }
}

fn totals_json(totals: &DayTotals) -> Json {
    let [phone, email, message] = totals.pressed();
    json!({
        "views": totals.views,
        "visitors": totals.visitors,
        "phone": phone,
        "email": email,
        "message": message,
    })
}

fn sources_json(counts: &BTreeMap<String, u64>) -> Vec<Json> {
    rows_json(
        counts,
        |count| *count,
        |host, count| {
            let host = match host {
                DIRECT => json!({ "is": "direct" }),
                OTHERS => json!({ "is": "others" }),
                host => json!({ "is": "host", "host": unicode_domain(host) }),
            };
            merge(host, json!({ "views": count }))
        },
    )
}

/// A page with its counts as JSON.
fn page_json(titles: &impl PageTitles, path: &str, counts: Json) -> Json {
    let page = match titles.title(path) {
        _ if path == OTHERS => json!({ "is": "others" }),
        Some(title) => json!({ "is": "page", "path": path, "title": title }),
        None => json!({ "is": "removed", "path": path }),
    };
    merge(page, counts)
}

fn merge(mut object: Json, more: Json) -> Json {
    if let (Some(object), Json::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

/// The top rows in descending order; the sum of the others comes last.
fn rows_json<T: Copy>(
    counts: &BTreeMap<String, T>,
    weight: impl Fn(&T) -> u64,
    json: impl Fn(&str, T) -> Json,
) -> Vec<Json> {
    let mut ordered: Vec<(&String, &T)> = counts.iter().collect();
    ordered.sort_by_key(|(name, count)| (*name == OTHERS, Reverse(weight(count))));
    let ordered = ordered.into_iter().take(ROWS_MAX);
    ordered.map(|(name, count)| json(name, *count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn days(views: &[(&str, u64)]) -> Vec<(Date, DayTotals)> {
        let totals = |views| DayTotals {
            views,
            visitors: 1,
            ..DayTotals::default()
        };
        views
            .iter()
            .map(|(date, views)| (day(date), totals(*views)))
            .collect()
    }

    #[test]
    fn a_source_is_shown_as_people_write_it() {
        let counts = [("xn--perch-fsa.it", 2), ("xn--a", 1)];
        let counts = counts.map(|(host, count)| (host.to_owned(), count));
        let shown = sources_json(&counts.into());
        assert_eq!(shown[0]["host"], "perché.it");
        assert_eq!(shown[1]["host"], "xn--a", "it does not decode");
    }

    #[test]
    fn thirty_days_and_twelve_months_end_today_and_are_compared_with_those_before() {
        let all = days(&[
            ("2024-11-30", 1),
            ("2024-12-01", 2),
            ("2025-11-30", 4),
            ("2025-12-01", 8),
            ("2026-09-24", 16),
            ("2026-10-23", 32),
            ("2026-10-24", 64),
            ("2026-11-22", 128),
        ]);
        let visits = VisitReport::of(all.clone(), Period::Days, day("2026-11-22"));
        assert_eq!(visits.parts.len(), 30);
        assert_eq!(visits.parts[0].0, day("2026-10-24"));
        assert_eq!(
            (visits.parts[0].1.views, visits.parts[29].1.views),
            (64, 128)
        );
        assert_eq!(visits.sum.views, 192);
        assert_eq!(visits.before.unwrap().views, 16 + 32);
        let visits = VisitReport::of(all, Period::Months, day("2026-11-22"));
        assert_eq!(visits.parts.len(), 12);
        assert_eq!(visits.parts[0].0, day("2025-12-01"));
        assert_eq!(visits.parts[11].1.views, 128);
        assert_eq!(visits.sum.views, 8 + 16 + 32 + 64 + 128);
        assert_eq!(visits.before.as_ref().unwrap().views, 2 + 4);
        assert!(
            visits.to_csv(',').ends_with("2026-11,128,1,0,0,0\r\n"),
            "{}",
            visits.to_csv(',')
        );
    }
}
