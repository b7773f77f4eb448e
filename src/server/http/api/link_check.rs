//! Admin endpoints that check the addresses of other sites: the result, and the button.

use crate::errors::Error;
use crate::http::auth::Admin;
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use respiro_content::outside_links::outside_links;
use std::sync::Arc;

const NOT_PUBLISHED: &str = "nothing is published yet";

/// Returns the run under way or the last one; `null` before the first.
pub async fn get(_: Admin, app: AppState) -> HandlerResult {
    json_no_store(StatusCode::OK, &app.jobs.link_check.to_json())
}

/// Starts a run unless one is under way.
pub async fn start(admin: Admin, app: AppState) -> HandlerResult {
    let pages = app.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let clock = app.site.clock().clone();
    let check = Arc::clone(&app.jobs.link_check);
    check.start(outside_links(&pages.snapshot), move || clock.now());
    get(admin, app).await
}
