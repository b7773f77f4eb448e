//! How the free Italian date and time of a form would be understood, while they are typed.

use super::body::Object;
use super::guard::Admin;
use super::respond::private;
use super::{Answer, Shared};
use crate::content::event_times;
use crate::content::time::{day, parse_rfc3339};
use actix_web::http::StatusCode;
use serde_json::json;

/// `{date, time}` as the calendar would have them. `schedule` is null when they are not understood
/// together; `dateUnderstood` tells whether the time alone is to blame.
pub async fn understand(_: Admin, shared: Shared, body: Object) -> Answer {
    let date = body.optional_text("date")?;
    let time = body.optional_text("time")?;
    // A month without a year is looked for from the day on which these words were written: today,
    // unless they stand so since.
    let written = body.optional_text("dateWrittenAt")?.and_then(parse_rfc3339);
    let written = day(written.unwrap_or_else(|| shared.now()));
    private(
        StatusCode::OK,
        &json!({
            "schedule": event_times::read(date, time, written),
            "dateUnderstood": event_times::read(date, None, written).is_some(),
        }),
    )
}
