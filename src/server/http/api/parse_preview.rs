//! Tells the panel how the free text of a field is understood, while it is typed: date and time of
//! an event, a telephone number.

use crate::http::auth::Admin;
use crate::http::request_body::JsonObject;
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use respiro_content::time::{day, parse_rfc3339};
use respiro_content::{event_times, phone};
use serde_json::{Value as Json, json};

/// Answers `{schedule, dateUnderstood, questions}` for `{date, time, dateWrittenAt}`: section 13 of
/// the HTTP contract. Without `dateWrittenAt` the text counts as entered today.
pub async fn understand_date(_: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let date = body.optional_text("date")?;
    let time = body.optional_text("time")?;
    let written = body.optional_text("dateWrittenAt")?.and_then(parse_rfc3339);
    let written = day(written.unwrap_or_else(|| app.now()));
    json_no_store(
        StatusCode::OK,
        &event_times::understand(date, time, written),
    )
}

/// Answers `{reading, question, choices}` for `{phone}`: the number as stored and shown, or a
/// question with the candidates to choose from.
pub async fn understand_phone(_: Admin, body: JsonObject) -> HandlerResult {
    let written = body.text("phone")?;
    let shown = |number: &str| json!({ "number": number, "text": phone::grouped(number) });
    let json = match phone::read(written) {
        Ok(number) => json!({ "reading": shown(&number), "question": null, "choices": [] }),
        Err(unread) => {
            let candidates = phone::candidates(written);
            let choices: Vec<Json> = candidates.iter().map(|one| shown(one)).collect();
            json!({ "reading": null, "question": unread.question(), "choices": choices })
        }
    };
    json_no_store(StatusCode::OK, &json)
}
