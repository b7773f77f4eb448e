//! Hands a request to the actix application and its response back: the two name the same things in
//! two versions of the crate `http`.

use super::activity::{Activity, Exchange};
use super::body::{RequestBody, ResponseBody};
use crate::http::middleware;
use crate::state::App;
use actix_http::Payload;
use actix_service::Service;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http as actix;
use actix_web::http::header as actix_header;
use hyper::body::{Body, Incoming};
use hyper::header::{CONNECTION, CONTENT_LENGTH, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode, Version};
use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;

const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// The actix application of a worker.
pub trait Routes:
    Service<actix_http::Request, Response = ServiceResponse<BoxBody>, Error = actix_web::Error>
    + 'static
{
}

impl<S> Routes for S where
    S: Service<actix_http::Request, Response = ServiceResponse<BoxBody>, Error = actix_web::Error>
        + 'static
{
}

pub async fn call(
    routes: &impl Routes,
    app: &App,
    request: Request<Incoming>,
    peer: Option<SocketAddr>,
    activity: &Rc<Activity>,
    exchange: Exchange,
) -> Response<ResponseBody> {
    let (parts, body) = request.into_parts();
    let is_read = Rc::new(Cell::new(body.is_end_stream()));
    let payload: Payload = if is_read.get() {
        Payload::None
    } else {
        let body = RequestBody::new(body, Rc::clone(activity), Rc::clone(&is_read));
        Payload::Stream {
            payload: Box::pin(body),
        }
    };
    let mut request = actix_http::Request::with_payload(payload);
    if copy_head(&parts, peer, &mut request).is_none() {
        return status_only(app, StatusCode::BAD_REQUEST, Some(exchange));
    }
    let response = match routes.call(request).await {
        Ok(response) => actix_http::Response::from(response),
        Err(error) => error.error_response().into(),
    };
    let mut response = convert_response(&parts.method, response, exchange);
    if !is_read.get() && parts.version != Version::HTTP_2 {
        // The rest of the body is not waited for. Without this header the client would send its
        // next request on a connection that is about to end.
        response.headers_mut().insert(CONNECTION, CLOSE);
    }
    response
}

/// Returns a response without a body, with the headers of every response.
pub fn status_only(
    app: &App,
    status: StatusCode,
    exchange: Option<Exchange>,
) -> Response<ResponseBody> {
    let body = BoxBody::new(actix_web::web::Bytes::new());
    let mut response = Response::new(ResponseBody::new(body, exchange));
    *response.status_mut() = status;
    *response.headers_mut() = middleware::default_headers(app, "").clone();
    let length = HeaderValue::from_static("0");
    response.headers_mut().insert(CONTENT_LENGTH, length);
    response
}

/// Copies the head of a request; `None` if actix does not accept a part of it.
fn copy_head(
    parts: &Parts,
    peer: Option<SocketAddr>,
    request: &mut actix_http::Request,
) -> Option<()> {
    let head = request.head_mut();
    head.peer_addr = peer;
    head.method = actix::Method::from_bytes(parts.method.as_str().as_bytes()).ok()?;
    head.version = match parts.version {
        Version::HTTP_10 => actix::Version::HTTP_10,
        Version::HTTP_2 => actix::Version::HTTP_2,
        _ => actix::Version::HTTP_11,
    };
    // HTTP/2 has the host in the target.
    let is_http2 = parts.version == Version::HTTP_2;
    let path = parts.uri.path_and_query().filter(|_| is_http2);
    head.uri = match path {
        Some(path) => path.as_str().parse().ok()?,
        None => parts.uri.to_string().parse().ok()?,
    };
    for (name, value) in &parts.headers {
        if is_http2 && name == COOKIE {
            continue;
        }
        let name = actix_header::HeaderName::from_bytes(name.as_str().as_bytes()).ok()?;
        let value = actix_header::HeaderValue::from_bytes(value.as_bytes()).ok()?;
        head.headers.append(name, value);
    }
    if is_http2 {
        if let Some(authority) = parts.uri.authority().filter(|_| !has(parts, &HOST)) {
            let host = actix_header::HeaderValue::from_str(authority.as_str()).ok()?;
            head.headers.insert(actix_header::HOST, host);
        }
        if let Some(cookie) = joined_cookies(&parts.headers) {
            let cookie = actix_header::HeaderValue::from_bytes(&cookie).ok()?;
            head.headers.insert(actix_header::COOKIE, cookie);
        }
    }
    Some(())
}

fn has(parts: &Parts, name: &HeaderName) -> bool {
    parts.headers.contains_key(name)
}

/// Clients of HTTP/2 may send each cookie in a line of its own (RFC 9113, section 8.2.3).
fn joined_cookies(headers: &HeaderMap) -> Option<Vec<u8>> {
    let lines: Vec<_> = headers
        .get_all(COOKIE)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    (!lines.is_empty()).then(|| lines.join(&b"; "[..]))
}

fn convert_response(
    method: &Method,
    response: actix_http::Response<BoxBody>,
    exchange: Exchange,
) -> Response<ResponseBody> {
    let (head, body) = response.into_parts();
    let status = StatusCode::from_u16(head.status().as_u16()).unwrap_or_default();
    let mut headers = HeaderMap::with_capacity(head.headers().len() + 1);
    for (name, value) in head.headers() {
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        let value = HeaderValue::from_bytes(value.as_bytes());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    let may_have_body = !matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    let is_head = method == Method::HEAD;
    let length = match body.size() {
        BodySize::Sized(length) => Some(length),
        BodySize::None if !is_head => Some(0),
        BodySize::None | BodySize::Stream => None,
    };
    if let Some(length) = length.filter(|_| may_have_body) {
        headers.insert(CONTENT_LENGTH, length.into());
    }
    let body = if is_head || !may_have_body {
        BoxBody::new(actix_web::web::Bytes::new())
    } else {
        body
    };
    let mut response = Response::new(ResponseBody::new(body, Some(exchange)));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
