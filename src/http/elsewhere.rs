//! Answers that lead to the public address: from plain HTTP, and from other names of the site.

use super::respond::is_read;
use crate::app::App;
use actix_web::http::{Uri, header};
use actix_web::{HttpRequest, HttpResponse};

/// How long browsers may remember where they were led. Caches on the way may not: some know an
/// answer by its path alone (nginx, unless told), and one stranger who asked under another name had
/// them lead everybody from the public address to itself for a day.
const REDIRECT_CACHE: &str = "private, max-age=86400";

/// Reads under another name of the site lead to its own, where what they show can be used.
pub fn is_elsewhere(request: &HttpRequest, app: &App) -> bool {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    is_read(request.method()) && host.is_some_and(|host| app.other_names.has(host))
}

/// 308 to the same path and query of the public address.
pub fn to_public_address(public_url: &str, asked: &Uri) -> HttpResponse {
    let path = asked.path_and_query().map_or("/", |path| path.as_str());
    let target = format!("{public_url}/{}", path.trim_start_matches('/'));
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, target))
        .insert_header((header::CACHE_CONTROL, REDIRECT_CACHE))
        .finish()
}
