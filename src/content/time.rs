//! Converts timestamps between storage (milliseconds since 1970, UTC), RFC 3339 and Italian text.

/// January first.
pub(super) const MONTHS: [&str; 12] = [
    "gennaio",
    "febbraio",
    "marzo",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "agosto",
    "settembre",
    "ottobre",
    "novembre",
    "dicembre",
];

/// Monday first.
pub(super) const WEEKDAYS: [&str; 7] = [
    "lunedì",
    "martedì",
    "mercoledì",
    "giovedì",
    "venerdì",
    "sabato",
    "domenica",
];

/// Days of a month and hours in words, from one.
pub(super) const NUMBERS: [&str; 31] = [
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
    "venti",
    "ventuno",
    "ventidue",
    "ventitre",
    "ventiquattro",
    "venticinque",
    "ventisei",
    "ventisette",
    "ventotto",
    "ventinove",
    "trenta",
    "trentuno",
];

/// Milliseconds since 1970-01-01T00:00:00Z.
pub type Timestamp = i64;

/// `2026-11-21T10:00:00.000Z`.
pub fn rfc3339(timestamp: Timestamp) -> String {
    instant(timestamp)
        .strftime("%Y-%m-%dT%H:%M:%S%.3fZ")
        .to_string()
}

/// Reads RFC 3339, years 1970 to 9999; `None` for anything else.
pub fn parse_rfc3339(text: &str) -> Option<Timestamp> {
    let instant: jiff::Timestamp = text.parse().ok()?;
    let milliseconds = instant.as_millisecond();
    (milliseconds >= 0).then_some(milliseconds)
}

/// `20260131T235959Z`, for names: sorts by time, and needs no quoting in a shell.
pub fn stamp(timestamp: Timestamp) -> String {
    instant(timestamp).strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Reads a stamp; `None` for anything else.
pub fn parse_stamp(text: &str) -> Option<Timestamp> {
    parse_rfc3339(text).filter(|at| stamp(*at) == text)
}

/// Returns when a task is due that waits until `at`, at most `longest` milliseconds. A later `at`
/// was written by a clock that was ahead: the task is due now, because it would otherwise stall
/// without a message.
pub fn due(at: Timestamp, longest: i64, now: Timestamp) -> Timestamp {
    if at > now.saturating_add(longest) {
        now
    } else {
        at
    }
}

/// The time zone of the site, compiled in, so that the system needs no zone files.
pub fn rome_time_zone() -> jiff::tz::TimeZone {
    jiff::tz::get!("Europe/Rome")
}

/// Joins an article to a date that begins with its day: `il 12 marzo`, `dall’8 marzo`.
pub fn with_article(article: &str, date: &str) -> String {
    let digits = date.chars().take_while(char::is_ascii_digit).count();
    match (article, &date[..digits]) {
        ("il", "8" | "11") => format!("l’{date}"),
        (_, "8" | "11") => format!("{article}l’{date}"),
        _ => format!("{article} {date}"),
    }
}

/// The calendar day in Italy.
pub fn day(timestamp: Timestamp) -> jiff::civil::Date {
    instant(timestamp).to_zoned(rome_time_zone()).date()
}

/// Formats the calendar day in Italy: `21 marzo 2026`.
pub fn format_day(timestamp: Timestamp) -> String {
    format_date(day(timestamp))
}

/// Formats a calendar day: `21 marzo 2026`.
pub fn format_date(day: jiff::civil::Date) -> String {
    let month = usize::try_from(day.month() - 1).unwrap_or_default();
    format!("{} {} {}", day.day(), MONTHS[month], day.year())
}

/// Formats the month in Italy: `marzo 2026`.
pub fn format_month(timestamp: Timestamp) -> String {
    let day = day(timestamp);
    let month = usize::try_from(day.month() - 1).unwrap_or_default();
    format!("{} {}", MONTHS[month], day.year())
}

/// Formats Italian local time: `21 marzo 2026 alle 9:05`.
pub fn format_moment(timestamp: Timestamp) -> String {
    let clock = instant(timestamp).to_zoned(rome_time_zone());
    let (hour, minute) = (clock.hour(), clock.minute());
    format!("{} alle {hour}:{minute:02}", format_day(timestamp))
}

/// Formats the calendar day in Italy: `sabato 21 marzo 2026`.
pub fn format_weekday(timestamp: Timestamp) -> String {
    format!("{} {}", weekday(timestamp), format_day(timestamp))
}

/// Formats Italian local time without the year, for recent events: `sabato 21 marzo alle 9:05`.
pub fn format_weekday_moment(timestamp: Timestamp) -> String {
    let clock = instant(timestamp).to_zoned(rome_time_zone());
    let (day, hour, minute) = (clock.day(), clock.hour(), clock.minute());
    let month = MONTHS[usize::try_from(clock.month() - 1).unwrap_or_default()];
    let weekday = weekday(timestamp);
    format!("{weekday} {day} {month} alle {hour}:{minute:02}")
}

fn weekday(timestamp: Timestamp) -> &'static str {
    let number = day(timestamp).weekday().to_monday_zero_offset();
    WEEKDAYS[usize::try_from(number).unwrap_or_default()]
}

/// Returns the time until the next midnight in Italy.
pub fn until_midnight(timestamp: Timestamp) -> std::time::Duration {
    let midnight = day(timestamp)
        .tomorrow()
        .and_then(|tomorrow| tomorrow.to_zoned(rome_time_zone()))
        .map_or(timestamp, |midnight| midnight.timestamp().as_millisecond());
    let left = midnight.saturating_sub(timestamp).max(1);
    std::time::Duration::from_millis(left.unsigned_abs())
}

fn instant(timestamp: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_millisecond(timestamp).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_takes_the_article_that_is_spoken() {
        assert_eq!(with_article("il", "12 marzo 2027"), "il 12 marzo 2027");
        assert_eq!(with_article("il", "8/3/2027"), "l’8/3/2027");
        assert_eq!(with_article("dal", "11 marzo"), "dall’11 marzo");
        assert_eq!(with_article("al", "18 marzo"), "al 18 marzo");
    }

    #[test]
    fn a_moment_is_a_name_and_back() {
        let at = parse_rfc3339("2026-11-21T10:20:30.999Z").unwrap();
        assert_eq!(stamp(at), "20261121T102030Z");
        assert_eq!(parse_stamp(&stamp(at)), Some(at - 999));
        for odd in [
            "",
            "Z",
            "20261121",
            "é1T2Z",
            "20261121T102030",
            "20261321T102030Z",
            "2026-11-21T10:20:30Z",
            "20261121T102030+01",
        ] {
            assert_eq!(parse_stamp(odd), None, "{odd}");
        }
    }

    #[test]
    fn what_waits_longer_than_it_was_told_to_is_due() {
        assert_eq!([due(5, 60, 100), due(160, 60, 100)], [5, 160]);
        assert_eq!([due(161, 60, 100), due(i64::MAX, 60, 100)], [100, 100]);
    }
}
