//! Outermost middleware: checks path, session, method and origin of each request; sets the headers
//! of each response and records it. Redirects from other host names to the public address.

use super::access_log;
use super::auth;
use super::client_addr;
use super::pages::published_pages;
use super::request_body;
use super::request_path::DecodedPath;
use super::responses::{accepts_html, is_read};
use crate::config::Mode;
use crate::errors::{Error, Result};
use crate::state::App;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, ResponseError};
use respiro_publish::headers::{HEADERS, POLICY, STRICT_TRANSPORT_SECURITY, policy_of};
use std::collections::hash_map::RandomState;
use std::future::{Future, poll_fn};
use std::hash::BuildHasher as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::LazyLock;
use std::task::Poll;
use std::time::Instant;

const ADMIN_PREFIX: &str = "/api/admin/";
/// Prefixes of paths that programs request; their errors are never pages.
const PROGRAM_PREFIXES: &[&str] = &["/api/", "/objects/"];
/// Methods that a route can have and that change something.
const CHANGES: &[Method] = &[Method::POST, Method::PUT, Method::DELETE];
/// Browsers may cache the redirect for a day, shared caches may not. Some of them (nginx by
/// default) key by path alone: one request under another host name would make them redirect every
/// visitor of the public address to itself.
const REDIRECT_CACHE: &str = "private, max-age=86400";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The settings that select the headers of every response.
#[derive(Debug, Clone, Copy)]
struct HeaderScope {
    https: bool,
    /// A copy of the site: search engines must not show it.
    is_rehearsal: bool,
}

impl HeaderScope {
    fn of(app: &App) -> Self {
        Self {
            https: app.is_https(),
            is_rehearsal: app.config.mode == Mode::Rehearsal,
        }
    }
}

/// The headers of every response: of files and of HTML, each without and with HTTPS, each of the
/// site and of a rehearsal.
static DEFAULT_HEADERS: LazyLock<[[[hyper::HeaderMap; 2]; 2]; 2]> = LazyLock::new(|| {
    ["", "text/html"].map(|content_type| {
        [false, true].map(|https| {
            [false, true].map(|is_rehearsal| {
                let scope = HeaderScope {
                    https,
                    is_rehearsal,
                };
                defaults(scope, content_type)
                    .map(|(name, value)| {
                        let name = hyper::header::HeaderName::from_static(name);
                        (name, hyper::header::HeaderValue::from_static(value))
                    })
                    .collect()
            })
        })
    })
});

/// Returns the headers that `finish` sets, for a response that does without it.
pub fn default_headers(app: &App, content_type: &str) -> &'static hyper::HeaderMap {
    let scope = HeaderScope::of(app);
    let of_type = &DEFAULT_HEADERS[usize::from(content_type.starts_with("text/html"))];
    &of_type[usize::from(scope.https)][usize::from(scope.is_rehearsal)]
}

fn defaults(
    scope: HeaderScope,
    content_type: &str,
) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
    let policy = (POLICY, policy_of(content_type));
    let transport = ("strict-transport-security", STRICT_TRANSPORT_SECURITY);
    let others = HEADERS.iter().copied().filter(|(name, _)| *name != POLICY);
    [policy]
        .into_iter()
        .chain(others)
        .chain(scope.https.then_some(transport))
        .chain(
            scope
                .is_rehearsal
                .then_some(("x-robots-tag", "noindex, nofollow")),
        )
}

/// Wraps every request and response.
pub async fn handle_request(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let started = Instant::now();
    let app = request_body::app(request.request())?;
    let method = request.method().clone();
    let count = |status: u16| {
        app.meters
            .requests
            .record_response(method.as_str(), status, started.elapsed());
    };
    let checked = check(request.request(), &app).await;
    // The admin wants these answers with 503: they are no failures to log.
    let is_asleep = matches!(&checked, Ok(Admission::Asleep) | Err(Error::Asleep));
    let mut response = match checked {
        Ok(Admission::Asleep) => {
            let (parts, _) = request.into_parts();
            match published_pages::asleep(&parts, &app).await {
                Ok(page) => ServiceResponse::new(parts, page),
                Err(error) => ServiceResponse::from_err(error, parts),
            }
        }
        Ok(Admission::UnreadablePath) => {
            let (parts, _) = request.into_parts();
            match published_pages::missing(&parts, &app).await {
                Ok(page) => ServiceResponse::new(parts, page),
                Err(error) => ServiceResponse::from_err(error, parts),
            }
        }
        Ok(Admission::Route) if is_alias_host(request.request(), &app) => {
            let answer = redirect_to_public_url(app.site.public_url(), request.uri());
            request.into_response(answer).map_into_boxed_body()
        }
        Ok(Admission::Route) => {
            let Some(response) = catch_panic(next.call(request)).await else {
                count(500);
                return Err(response_without_request(HeaderScope::of(&app)));
            };
            response?.map_into_boxed_body()
        }
        Err(error) => ServiceResponse::from_err(error, request.into_parts().0),
    };
    let id = if is_asleep { None } else { log(&response) };
    let status = response.status().as_u16();
    count(status);
    let answered = response.request();
    let path = answered.uri().path();
    access_log::record(
        &app,
        (method.as_str(), path, status),
        started.elapsed(),
        || client_addr::client_addr(answered, &app.config.trusted_proxies),
    );
    finish(response.headers_mut(), id, HeaderScope::of(&app));
    Ok(response)
}

/// What answers an admitted request.
enum Admission {
    Route,
    /// A path that is no valid text, requested by a browser: the site's 404 page.
    UnreadablePath,
    /// A page that a browser requests while the site is asleep: the admin's message.
    Asleep,
}

/// Admits a request or returns the reason for refusing it. The contract fixes the order of checks.
async fn check(request: &HttpRequest, app: &App) -> Result<Admission> {
    let path = DecodedPath::new(request.uri().path());
    let guarded = match &path {
        Ok(path) => path.as_str().starts_with(ADMIN_PREFIX),
        Err(_) => request.uri().path().starts_with(ADMIN_PREFIX),
    };
    if guarded {
        let admin = auth::find_admin(request, app).await?;
        let admin = admin.ok_or(Error::Unauthorized)?;
        request.extensions_mut().insert(admin);
    }
    if app.is_asleep()
        && !published_pages::is_open_asleep(request.uri().path())
        && auth::find_admin(request, app).await?.is_none()
    {
        let is_page = is_for_a_person(request);
        return is_page.then_some(Admission::Asleep).ok_or(Error::Asleep);
    }
    let path = match path {
        Ok(path) => path,
        Err(_) if is_for_a_person(request) => return Ok(Admission::UnreadablePath),
        Err(error) => return Err(error),
    };
    if app.config.mode == Mode::Retired && CHANGES.contains(request.method()) {
        return Err(Error::Moved);
    }
    // The address of an upload is its permission and may be used from any origin. Other methods
    // change nothing: no route has them.
    let is_change = CHANGES.contains(request.method()) && !path.as_str().starts_with("/objects/");
    if is_change {
        auth::check_origin(request.headers(), app.site.public_url())?;
    }
    request.extensions_mut().insert(path);
    Ok(Admission::Route)
}

/// Returns whether a browser requests a page.
fn is_for_a_person(request: &HttpRequest) -> bool {
    let path = request.uri().path();
    let is_for_programs = |prefix: &&str| path.starts_with(*prefix);
    is_read(request.method())
        && accepts_html(request.headers())
        && !PROGRAM_PREFIXES.iter().any(is_for_programs)
}

/// Returns whether the request is a read under another host name of the site. Pages are redirected
/// to the public address, because writes are accepted from that origin only.
pub fn is_alias_host(request: &HttpRequest, app: &App) -> bool {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    is_read(request.method()) && host.is_some_and(|host| app.host_aliases.has(host))
}

/// Returns a 308 to the same path and query of the public address.
pub fn redirect_to_public_url(public_url: &str, asked: &Uri) -> HttpResponse {
    let path = asked.path_and_query().map_or("/", |path| path.as_str());
    let target = format!("{public_url}/{}", path.trim_start_matches('/'));
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, target))
        .insert_header((header::CACHE_CONTROL, REDIRECT_CACHE))
        .finish()
}

/// Returns `None` when `work` panics: a panic in a handler fails this request alone.
async fn catch_panic<F: Future>(work: F) -> Option<F::Output> {
    let mut work = pin!(work);
    poll_fn(
        |context| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(Poll::Ready(output)) => Poll::Ready(Some(output)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(_) => Poll::Ready(None),
        },
    )
    .await
}

/// Returns a response without its request, which was lost with the handler.
fn response_without_request(scope: HeaderScope) -> actix_web::Error {
    let id = random_id();
    tracing::error!(request = id, "a handler panicked");
    let error = Error::Internal("a handler panicked".to_owned());
    let mut response = error.error_response();
    finish(response.headers_mut(), Some(id), scope);
    InternalError::from_response(error, response).into()
}

/// Logs a 5xx response and returns the id under which it is logged. Never logs addresses, bodies,
/// tokens or the query.
fn log(response: &ServiceResponse<BoxBody>) -> Option<String> {
    let status = response.status().as_u16();
    if status < 500 {
        tracing::debug!(status, "answered");
        return None;
    }
    let id = random_id();
    let method = response.request().method();
    let route = response.request().match_pattern().unwrap_or_default();
    let error = response.response().error().map(ToString::to_string);
    let error = error.unwrap_or_default();
    tracing::error!(request = id, status, %method, route, error, "failed");
    Some(id)
}

/// Returns an id that tells nothing, neither of the visitors before nor of the server.
fn random_id() -> String {
    // Keyed anew by the operating system's randomness.
    format!("{:016x}", RandomState::new().hash_one(()))
}

fn finish(headers: &mut HeaderMap, id: Option<String>, scope: HeaderScope) {
    let content_type = headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    for (name, value) in defaults(scope, content_type.unwrap_or_default()) {
        let name = HeaderName::from_static(name);
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if let Some(id) = id.and_then(|id| HeaderValue::from_str(&id).ok()) {
        headers.insert(REQUEST_ID, id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, RequestLog};
    use crate::state::Tuning;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, init_service, try_call_service};
    use actix_web::web;
    use respiro_auth::leaked_passwords::LeakedPasswords;
    use respiro_db::Store;
    use respiro_db::clock::Clock;
    use respiro_publish::{Bundle, Publisher, Site, SiteOptions};

    const HTTPS: HeaderScope = HeaderScope {
        https: true,
        is_rehearsal: false,
    };

    /// Regression: ids counted from 0 at each start and told every visitor the traffic.
    #[test]
    fn ids_of_failures_tell_neither_traffic_nor_restarts() {
        assert_ne!(random_id(), random_id());
    }

    #[actix_web::test]
    async fn a_panicking_handler_answers_500_with_every_header_and_is_counted() {
        async fn panicking(request: HttpRequest) -> String {
            let host = request.headers().get("x-not-there");
            format!("{:?}", host.unwrap())
        }
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("x.redb");
        let store = Store::open(&data).unwrap();
        let config = Config::new(vec![([127, 0, 0, 1], 0).into()], data);
        let options = SiteOptions {
            public_url: "https://example.org".to_owned(),
            definitions: Box::leak(Box::default()),
            has_offsite_backups: false,
            host_email: None,
            request_log: RequestLog::Off,
            clock: Clock::default(),
        };
        let site = Site::new(
            store,
            Publisher::start_with(Bundle::of_renderer("globalThis.respiro = {};")).unwrap(),
            options,
        );
        let app = App::new(
            config,
            site,
            Tuning::default(),
            LeakedPasswords::from_gzip(&[]),
        );
        let app = web::Data::new(app);
        let service = actix_web::App::new()
            .app_data(app.clone())
            .route("/", web::get().to(panicking))
            .wrap(from_fn(handle_request));
        let service = init_service(service).await;
        let request = TestRequest::get().uri("/").to_request();
        let error = try_call_service(&service, request).await.err().unwrap();
        let response = error.as_response_error().error_response();
        assert_eq!(response.status(), 500);
        for (name, value) in defaults(HTTPS, "application/problem+json") {
            assert_eq!(response.headers().get(name).unwrap(), value, "{name}");
        }
        assert!(response.headers().contains_key(REQUEST_ID));
        assert_eq!(response.headers().get("cache-control").unwrap(), "no-store");
        let mut text = String::new();
        app.meters.requests.write(&mut text);
        assert!(text.contains("{method=\"GET\",status=\"5xx\"} 1"), "{text}");
    }
}
