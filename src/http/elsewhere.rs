//! Redirects to the public address, from plain HTTP and from other host names of the site.

use super::respond::is_read;
use crate::app::App;
use actix_web::http::{Uri, header};
use actix_web::{HttpRequest, HttpResponse};

/// Browsers may cache the redirect for a day, shared caches may not. Some of them (nginx by
/// default) key by path alone: one request under another host name would make them redirect every
/// visitor of the public address to itself.
const REDIRECT_CACHE: &str = "private, max-age=86400";

/// Returns whether the request is a read under another host name of the site. Pages are redirected
/// to the public address, because writes are accepted from that origin only.
pub fn is_elsewhere(request: &HttpRequest, app: &App) -> bool {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    is_read(request.method()) && host.is_some_and(|host| app.other_names.has(host))
}

/// Returns a 308 to the same path and query of the public address.
pub fn to_public_address(public_url: &str, asked: &Uri) -> HttpResponse {
    let path = asked.path_and_query().map_or("/", |path| path.as_str());
    let target = format!("{public_url}/{}", path.trim_start_matches('/'));
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, target))
        .insert_header((header::CACHE_CONTROL, REDIRECT_CACHE))
        .finish()
}
