//! Admin endpoints for visitor statistics, and the switch that turns counting off.

use crate::errors::Result;
use crate::http::auth::{Admin, Owner};
use crate::http::csv as spreadsheet;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use crate::page_view_job;
use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use respiro_analytics::report::{self, Period, VisitReport};
use respiro_content::time::{self, rfc3339};
use respiro_publish::Pages;
use serde_json::json;

/// The published pages.
struct Published<'a>(Option<&'a Pages>);

impl report::PageTitles for Published<'_> {
    fn title(&self, path: &str) -> Option<Option<String>> {
        let pages = self.0?;
        let title = || pages.title_at(path).map(str::to_owned);
        pages.has_page(path).then(title)
    }
}

fn period(request: &HttpRequest) -> Period {
    let mut pairs = request.query_string().split('&');
    Period::parse(pairs.find_map(|pair| pair.strip_prefix("period=")))
}

/// Returns the report, including visits that were not stored yet.
async fn visits(request: &HttpRequest, app: &AppState) -> Result<VisitReport> {
    let (period, today) = (period(request), time::day(app.now()));
    page_view_job::count_queued_visits(app);
    let app = app.clone().into_inner();
    if let Err(error) = page_view_job::write_totals(&app).await {
        tracing::debug!(%error, "visits wait to be written");
    }
    let days = app.read(|reader| Ok(reader.page_views().list()?)).await?;
    Ok(VisitReport::of(days, period, today))
}

pub async fn get(_: Admin, request: HttpRequest, app: AppState) -> HandlerResult {
    let visits = visits(&request, &app).await?;
    let since = app
        .read(|reader| Ok(reader.page_views().uncounted_since()?))
        .await?;
    let pages = app.site.publisher.pages();
    let mut json = visits.to_json(&Published(pages.as_deref()));
    json["counting"] = json!(since.is_none());
    json["offSince"] = json!(since.map(rfc3339));
    // Requests that a CDN answers itself do not reach the server.
    json["isBehindCache"] = json!(app.config.cdn.is_some());
    json_no_store(StatusCode::OK, &json)
}

pub async fn csv(_: Admin, request: HttpRequest, app: AppState) -> HandlerResult {
    let separator = spreadsheet::separator(&request)?;
    let visits = visits(&request, &app).await?;
    Ok(spreadsheet::response(
        "visite.csv",
        &visits.to_csv(separator),
    ))
}

/// Turns counting on or off: `{counting}`.
pub async fn put(
    Owner(admin): Owner,
    request: HttpRequest,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let counting = body.0.get("counting").and_then(serde_json::Value::as_bool);
    let counting = counting.ok_or_else(|| invalid("counting", "deve essere vero o falso"))?;
    page_view_job::set_counting(&app.clone().into_inner(), counting).await?;
    get(admin, request, app).await
}

pub async fn clear(_: Owner, app: AppState) -> HandlerResult {
    page_view_job::clear_totals(&app.into_inner()).await?;
    Ok(no_content())
}
