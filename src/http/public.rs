//! Small public endpoints: health check, the site's identity, an icon.

use super::respond::public;
use super::{Answer, Shared};
use crate::backup;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

const FILE_ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"48\" height=\"48\" \
    viewBox=\"0 0 24 24\" fill=\"none\" stroke=\"#5b6472\" stroke-width=\"1.5\" \
    stroke-linecap=\"round\" stroke-linejoin=\"round\" role=\"img\" aria-label=\"File\">\
    <path d=\"M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8z\"/>\
    <path d=\"M14 3v5h5\"/></svg>";

/// Returns 200 while the data file can be read. `?verbose` adds the results of the last publish and
/// the last backup.
pub async fn health(request: HttpRequest, shared: Shared) -> Answer {
    let note = shared.read(|reader| Ok(reader.note(backup::NOTE)?)).await?;
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    if request.query_string() != "verbose" {
        return Ok(response
            .content_type("text/plain; charset=utf-8")
            .body("ok"));
    }
    // The endpoint is public: paths and reasons stay in the log.
    let outcome = note.and_then(|note| serde_json::from_slice::<backup::Outcome>(&note).ok());
    Ok(response.json(json!({
        "status": "ok",
        "published": shared.site.publisher.state().is_some_and(|state| state.ok),
        "backup": outcome.map(|outcome| json!({"at": outcome.at, "ok": outcome.ok})),
    })))
}

pub async fn site(request: HttpRequest, shared: Shared) -> Answer {
    public(
        &request,
        &shared.site.published_snapshot().await?.settings_json(),
    )
}

pub async fn file_icon() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("image/svg+xml")
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .body(FILE_ICON)
}
