//! How the free Italian date and time of a form would be understood, while they are typed.

use super::Answer;
use super::body::Object;
use super::guard::Admin;
use super::respond::private;
use crate::content::schedule;
use actix_web::http::StatusCode;
use serde_json::json;

/// `{date, time}` as the calendar would have them. `schedule` is null when they are not understood
/// together; `dateUnderstood` tells whether the time alone is to blame.
pub async fn understand(_: Admin, body: Object) -> Answer {
    let date = body.optional_text("date")?;
    let time = body.optional_text("time")?;
    private(
        StatusCode::OK,
        &json!({
            "schedule": schedule::read(date, time),
            "dateUnderstood": schedule::read(date, None).is_some(),
        }),
    )
}
