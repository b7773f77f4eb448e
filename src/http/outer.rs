//! What happens to every request: number, method, path, session, origin; and to every answer.

use super::body;
use super::guard;
use super::path::Decoded;
use super::respond::is_read;
use crate::app::App;
use crate::error::{Error, Result};
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest};
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

const ADMIN_PREFIX: &str = "/api/admin/";
const METHODS: &[Method] = &[
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::DELETE,
];
const METHODS_ALLOW: &str = "GET, HEAD, POST, PUT, DELETE";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

/// Set on every answer that does not set them itself.
const HEADERS: &[(&str, &str)] = &[
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "SAMEORIGIN"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    (
        "permissions-policy",
        "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), \
         gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    ),
    ("cross-origin-opener-policy", "same-origin"),
];
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";

static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// The outermost layer.
pub async fn outer(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let number = REQUESTS.fetch_add(1, Ordering::Relaxed);
    let app = body::app(request.request())?;
    let mut response = match check(request.request(), &app).await {
        Ok(()) => match caught(next.call(request)).await {
            Some(response) => response?.map_into_boxed_body(),
            None => return Err(panicked(number).into()),
        },
        Err(error) => {
            let (request, mut payload) = request.into_parts();
            body::drain(&mut payload).await;
            ServiceResponse::from_err(error, request)
        }
    };
    log(number, &response);
    finish(number, &mut response, app.is_https());
    Ok(response)
}

/// Lets a request in, or says why not; the order is the contract's.
async fn check(request: &HttpRequest, app: &App) -> Result<()> {
    let path = Decoded::new(request.uri().path());
    let guarded = match &path {
        Ok(path) => path.as_str().starts_with(ADMIN_PREFIX),
        Err(_) => request.uri().path().starts_with(ADMIN_PREFIX),
    };
    if guarded {
        let admin = guard::find(request, app).await?;
        let admin = admin.ok_or(Error::Unauthorized)?;
        request.extensions_mut().insert(admin);
    }
    let path = path?;
    if !METHODS.contains(request.method()) {
        let allow = METHODS_ALLOW.to_owned();
        return Err(Error::MethodNotAllowed { allow });
    }
    // An upload's address is its permission: it may be used from anywhere.
    let is_change = !is_read(request.method()) && !path.as_str().starts_with("/objects/");
    if is_change {
        guard::check_origin(request.headers(), &app.public_url)?;
    }
    request.extensions_mut().insert(path);
    Ok(())
}

/// A panic in a handler costs its request and nothing else: `None`.
async fn caught<F: Future>(work: F) -> Option<F::Output> {
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

fn panicked(number: u64) -> Error {
    tracing::error!(request = number, "a handler panicked");
    Error::Internal("a handler panicked".to_owned())
}

/// One line for each failure of ours. Never addresses, bodies or tokens; not even the query.
fn log(number: u64, response: &ServiceResponse<BoxBody>) {
    let status = response.status().as_u16();
    if status < 500 {
        tracing::debug!(request = number, status, "answered");
        return;
    }
    let method = response.request().method();
    let route = response.request().match_pattern().unwrap_or_default();
    let error = response.response().error().map(ToString::to_string);
    let error = error.unwrap_or_default();
    tracing::error!(request = number, status, %method, route, error, "failed");
}

fn finish(number: u64, response: &mut ServiceResponse<BoxBody>, https: bool) {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        set_default(headers, HeaderName::from_static(name), value);
    }
    if https {
        let value = STRICT_TRANSPORT_SECURITY;
        set_default(headers, header::STRICT_TRANSPORT_SECURITY, value);
    }
    if let Ok(number) = HeaderValue::from_str(&format!("{number:x}")) {
        headers.insert(REQUEST_ID, number);
    }
}

fn set_default(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    if !headers.contains_key(&name) {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
