//! How a telephone number of a form would be read, while it is typed.

use super::Answer;
use super::body::Object;
use super::guard::Admin;
use super::respond::private;
use crate::content::phone::{self, Unread};
use actix_web::http::StatusCode;
use serde_json::{Value as Json, json};

/// `{phone}` as it would be kept and shown; `choices` where its country has to be said.
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
