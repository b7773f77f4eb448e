//! Tells the panel how a telephone number is understood, while it is typed.

use super::Answer;
use super::body::Object;
use super::guard::Admin;
use super::respond::private;
use crate::content::phone::{self, Unread};
use actix_web::http::StatusCode;
use serde_json::{Value as Json, json};

/// Answers `{reading, choices}` for `{phone}`: the number as stored and shown, or the candidates if
/// its country is ambiguous.
pub async fn understand(_: Admin, body: Object) -> Answer {
    let written = body.text("phone")?;
    let shown = |number: &str| json!({ "number": number, "text": phone::grouped(number) });
    let (reading, choices): (Json, Vec<Json>) = match phone::read(written) {
        Ok(number) => (shown(&number), Vec::new()),
        Err(Unread::CountryUnclear) => {
            let candidates = phone::candidates(written);
            (
                Json::Null,
                candidates.iter().map(|one| shown(one)).collect(),
            )
        }
        Err(Unread::NotANumber) => (Json::Null, Vec::new()),
    };
    private(
        StatusCode::OK,
        &json!({ "reading": reading, "choices": choices }),
    )
}
