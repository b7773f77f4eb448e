//! Tells the panel how the free text of an event's date and time is understood, while it is typed.

use super::body::Object;
use super::guard::Admin;
use super::respond::private;
use super::{Answer, Shared};
use crate::content::event_times;
use crate::content::time::{day, parse_rfc3339};
use actix_web::http::StatusCode;

/// Answers `{schedule, dateUnderstood, questions}` for `{date, time, dateWrittenAt}`: section 13 of
/// the HTTP contract. Without `dateWrittenAt` the text counts as entered today.
pub async fn understand(_: Admin, shared: Shared, body: Object) -> Answer {
    let date = body.optional_text("date")?;
    let time = body.optional_text("time")?;
    let written = body.optional_text("dateWrittenAt")?.and_then(parse_rfc3339);
    let written = day(written.unwrap_or_else(|| shared.now()));
    private(
        StatusCode::OK,
        &event_times::understand(date, time, written),
    )
}
