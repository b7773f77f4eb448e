//! Admin endpoints for redirects: the list of all, and those that the admin makes.

use crate::errors::{Error, FieldError, Result};
use crate::http::api::items::WRONG_QUERY;
use crate::http::auth::Admin;
use crate::http::pages::published_pages::{exists, is_missing, is_reserved};
use crate::http::request_body::JsonObject;
use crate::http::request_path::DecodedPath;
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use crate::page_view_job;
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_content::time::rfc3339;
use respiro_content::{Redirect, RedirectTarget};
use respiro_db::{ADMIN_REDIRECTS_MAX, AdminRedirect};
use respiro_publish::{FormerPath, Pages};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Longest address of a redirect.
const PATH_CHARACTERS_MAX: usize = 500;
const NOT_PUBLISHED: &str = "nothing is published yet";
const NOT_A_PATH: &str = "Scrivi un indirizzo di questo sito, per esempio «/vecchia-pagina»";
const LONG_PATH: &str = "L'indirizzo è troppo lungo";
const IS_A_PAGE: &str = "A questo indirizzo c'è già una pagina: scegline un altro";
const IS_OURS: &str = "Questo indirizzo serve al programma: scegline un altro";
const IS_NO_PAGE: &str = "Questa pagina non c'è sul sito: scegline una pubblicata";

/// Lists every redirect with where it leads at present; `to` is `null` for one that leads nowhere.
/// `missing` are addresses that visitors sought and that still lead nowhere.
pub async fn list(_: Admin, app: AppState) -> HandlerResult {
    let pages = pages(&app)?;
    page_view_job::count_queued_visits(&app);
    if let Err(error) = page_view_job::write_totals(&app.clone().into_inner()).await {
        tracing::debug!(%error, "visits wait to be written");
    }
    let sought = app.read(page_view_job::missing_paths).await?;
    let missing = sought.ranked().into_iter();
    let missing = missing.filter(|(path, _)| is_missing(&app.site.publisher, &pages, path));
    let missing: Vec<Json> = missing
        .map(|(path, sought)| {
            json!({ "path": path, "count": sought.count, "lastDay": sought.last_day.to_string() })
        })
        .collect();
    let rows: Vec<Json> = pages
        .redirect_rows()
        .map(|(from, redirect)| redirect_json(&pages, from, &redirect))
        .collect();
    let list = json!({ "redirects": rows, "ownMax": ADMIN_REDIRECTS_MAX, "missing": missing });
    json_no_store(StatusCode::OK, &list)
}

fn pages(app: &App) -> Result<Arc<Pages>> {
    let pages = app.site.publisher.pages();
    pages.ok_or(Error::Unavailable(NOT_PUBLISHED))
}

fn redirect_json(pages: &Pages, from: &str, redirect: &Redirect) -> Json {
    let to = match pages.redirect(from) {
        Some(FormerPath::Moved(to)) => Some(to),
        _ => None,
    };
    json!({
        "from": from,
        "to": to,
        "gone": redirect.target == RedirectTarget::Gone,
        "madeBy": redirect.source.name(),
        "createdAt": redirect.created_at.map(rfc3339),
        // A page at the address is shown instead.
        "isPage": pages.has_page(from),
    })
}

/// Redirects an address: `{from, to}`, or `{from, gone: true}`. Replaces the admin's former
/// redirect of it.
pub async fn put(_: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let published = pages(&app)?;
    let from = parse_from(&app, &published, body.text("from")?)?;
    let target = if body.0.get("gone") == Some(&Json::Bool(true)) {
        RedirectTarget::Gone
    } else {
        parse_target(&app, &published, body.text("to")?)?
    };
    let redirect = AdminRedirect {
        target,
        created_at: app.now(),
    };
    let address = from.clone();
    app.change(move |writer| Ok(writer.redirects().put_of_admin(&address, &redirect)?))
        .await?;
    let pages = pages(&app)?;
    let stored = pages.snapshot.redirects.get(&from).ok_or(Error::NotFound)?;
    json_no_store(StatusCode::OK, &redirect_json(&pages, &from, stored))
}

fn parse_from(app: &App, pages: &Arc<Pages>, text: &str) -> Result<String> {
    let wrong = |message| refusal("from", message);
    // Lookups try an address in lower case as well.
    let path = parse_path(app, "from", text)?.to_lowercase();
    match path.as_str() {
        "/" => Err(wrong(IS_A_PAGE)),
        path if is_reserved(path) => Err(wrong(IS_OURS)),
        path if exists(&app.site.publisher, pages, path) => Err(wrong(IS_A_PAGE)),
        path if path.contains(['?', '#']) => Err(wrong(NOT_A_PATH)),
        _ => Ok(path),
    }
}

/// Returns the page that a path stands for. An item is stored as such, so the redirect follows its
/// slug; a path that is itself redirected is replaced by where it leads.
fn parse_target(app: &App, pages: &Arc<Pages>, text: &str) -> Result<RedirectTarget> {
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let mut path = parse_path(app, "to", path)?;
    if !exists(&app.site.publisher, pages, &path) {
        match pages.redirect(&path) {
            Some(FormerPath::Moved(to)) => path = to,
            _ => return Err(refusal("to", IS_NO_PAGE)),
        }
    }
    let is_plain = |c: char| c.is_ascii_graphic() && c != '#';
    if !query.chars().all(is_plain) || query.len() > PATH_CHARACTERS_MAX {
        return Err(refusal("to", NOT_A_PATH));
    }
    if query.is_empty() {
        let item = pages.item_id_at(&path).map(str::to_owned);
        return Ok(item.map_or(RedirectTarget::Path(path), RedirectTarget::Item));
    }
    Ok(RedirectTarget::Path(format!("{path}?{query}")))
}

/// Parses a path of this site, which may be pasted with the site's address and percent-encoded.
fn parse_path(app: &App, field: &'static str, text: &str) -> Result<String> {
    let text = text.trim();
    let path = text.strip_prefix(app.site.public_url()).unwrap_or(text);
    if path.chars().count() > PATH_CHARACTERS_MAX {
        return Err(refusal(field, LONG_PATH));
    }
    let Ok(path) = DecodedPath::new(path) else {
        return Err(refusal(field, NOT_A_PATH));
    };
    let path = path.as_str();
    let has_parts = path.starts_with('/') && !path.contains("//");
    if !has_parts || path.contains(char::is_whitespace) {
        return Err(refusal(field, NOT_A_PATH));
    }
    let short = path.strip_suffix('/').filter(|short| !short.is_empty());
    Ok(short.unwrap_or(path).to_owned())
}

fn refusal(field: &'static str, message: &'static str) -> Error {
    Error::Invalid(vec![FieldError::new(field, message)])
}

/// Query of a removal.
#[derive(Debug, Deserialize)]
pub struct Address {
    from: String,
}

/// Removes a redirect that the admin made.
pub async fn remove(_: Admin, app: AppState, request: HttpRequest) -> HandlerResult {
    let Ok(address) = web::Query::<Address>::from_query(request.query_string()) else {
        return Err(Error::BadRequest(WRONG_QUERY));
    };
    let from = address.into_inner().from;
    app.change(move |writer| Ok(writer.redirects().remove_of_admin(&from)?))
        .await?;
    Ok(no_content())
}

/// Forgets the addresses that were sought and not found.
pub async fn clear_missing(_: Admin, app: AppState) -> HandlerResult {
    page_view_job::clear_missing_paths(&app.into_inner()).await?;
    Ok(no_content())
}
