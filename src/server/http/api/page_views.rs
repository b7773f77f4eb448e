//! Records page views and contact clicks without delaying the response.

use crate::config::{authority_of, origin_of};
use crate::errors::SizeLimit;
use crate::http::client_addr;
use crate::http::request_body;
use crate::http::responses::no_content;
use crate::http::{AppState, HandlerResult};
use crate::state::App;
use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use actix_web::web;
use respiro_analytics::{ContactClick, RequestHints, Visit, VisitKind};
use std::net::IpAddr;

/// Largest body: a path and the kind of contact.
const CLICK_BYTES_MAX: usize = 200;

/// Records a page view. `address` is evaluated only if the view is countable.
pub fn record_view(
    app: &App,
    hints: &RequestHints<'_>,
    path: &str,
    address: impl FnOnce() -> IpAddr,
) {
    if !app.meters.page_views.is_on() || !hints.is_countable() {
        return;
    }
    let own = authority_of(origin_of(app.site.public_url())).unwrap_or_default();
    let source = hints.source(own);
    record(app, hints, VisitKind::View { source }, path, address());
}

/// Records a page view of an actix request.
pub fn record_request_view(request: &HttpRequest, app: &App, path: &str) {
    let address = || client_addr::client_addr(request, &app.config.trusted_proxies);
    let hints = RequestHints {
        query: Some(request.query_string()),
        ..request_hints(request.headers())
    };
    record_view(app, &hints, path, address);
}

fn record(app: &App, hints: &RequestHints<'_>, kind: VisitKind, path: &str, address: IpAddr) {
    app.meters.page_views.record(Visit {
        kind,
        path: path.into(),
        address,
        agent: hints.agent(),
    });
}

fn request_hints(headers: &HeaderMap) -> RequestHints<'_> {
    let get = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    RequestHints {
        agent: get("user-agent"),
        language: get("accept-language"),
        cookie: get("cookie"),
        referer: get("referer"),
        do_not_track: get("dnt"),
        privacy_control: get("sec-gpc"),
        purpose: get("sec-purpose").or_else(|| get("purpose")),
        query: None,
    }
}

/// Records a click. The body is `phone /contatti`: kind of contact and path of the page. The
/// response is the same for any body: the client does not read it.
pub async fn record_contact_click(
    request: HttpRequest,
    app: AppState,
    payload: web::Payload,
) -> HandlerResult {
    let mut payload = payload.into_inner();
    let bytes =
        request_body::read(&request, &mut payload, CLICK_BYTES_MAX, SizeLimit::Body).await?;
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    let hints = request_hints(request.headers());
    if let Some((name, path)) = text.split_once(' ')
        && let Some(click) = ContactClick::parse(name)
        && app.meters.page_views.is_on()
        && hints.is_countable()
    {
        let address = client_addr::client_addr(&request, &app.config.trusted_proxies);
        record(&app, &hints, VisitKind::Click(click), path, address);
    }
    Ok(no_content())
}
