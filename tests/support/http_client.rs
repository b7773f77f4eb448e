//! Test helper: HTTP client, ureq in blocking tasks. It follows no redirects.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "each test binary uses a part and stops where a step fails"
)]

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use ureq::http::header::{CONTENT_TYPE, COOKIE, HeaderName, HeaderValue, SET_COOKIE};
use ureq::http::{HeaderMap, Method, Request, StatusCode};
use ureq::{Agent, AsSendBody, Body};

const TIMEOUT: Duration = Duration::from_mins(1);
const BODY_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// A client for one server. Clones share connections and cookies.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    /// Values by name, if the client stores cookies.
    cookies: Option<Arc<Mutex<BTreeMap<String, String>>>>,
}

impl Client {
    pub fn new(keeps_cookies: bool) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent("")
            .build()
            .new_agent();
        Self {
            agent,
            cookies: keeps_cookies.then(Arc::default),
        }
    }

    pub fn request(&self, method: Method, url: impl AsRef<str>) -> RequestBuilder {
        RequestBuilder {
            client: self.clone(),
            method,
            url: url.as_ref().to_owned(),
            headers: HeaderMap::new(),
            body: Vec::new(),
            timeout: TIMEOUT,
        }
    }

    pub fn get(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::GET, url)
    }

    pub fn head(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::HEAD, url)
    }

    pub fn post(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::POST, url)
    }

    pub fn put(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::PUT, url)
    }

    pub fn delete(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::DELETE, url)
    }

    /// Returns the `Cookie` header, if there are cookies.
    fn cookie_header(&self) -> Option<HeaderValue> {
        let cookies = self.cookies.as_ref()?.lock().unwrap();
        let pairs: Vec<_> = cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; ").parse().unwrap())
    }

    fn keep_cookies(&self, headers: &HeaderMap) {
        let Some(cookies) = &self.cookies else { return };
        for header in headers.get_all(SET_COOKIE) {
            let header = header.to_str().unwrap();
            let (pair, attributes) = header.split_once(';').unwrap_or((header, ""));
            let (name, value) = pair.split_once('=').unwrap();
            let mut cookies = cookies.lock().unwrap();
            if attributes
                .split(';')
                .any(|attribute| attribute.trim() == "Max-Age=0")
            {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

pub struct RequestBuilder {
    client: Client,
    method: Method,
    url: String,
    headers: HeaderMap,
    body: Vec<u8>,
    timeout: Duration,
}

impl RequestBuilder {
    /// Adds a header and keeps others of the same name.
    pub fn header<V>(mut self, name: &str, value: V) -> Self
    where
        V: TryInto<HeaderValue, Error: std::fmt::Debug>,
    {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        self.headers.append(name, value.try_into().unwrap());
        self
    }

    /// Sets headers, and replaces others of the same names.
    pub fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers.extend(headers);
        self
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub fn json(mut self, body: &(impl Serialize + ?Sized)) -> Self {
        let json = HeaderValue::from_static("application/json");
        self.headers.entry(CONTENT_TYPE).or_insert(json);
        self.body = serde_json::to_vec(body).unwrap();
        self
    }

    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    pub async fn send(self) -> Result<Response, ureq::Error> {
        tokio::task::spawn_blocking(|| self.send_blocking())
            .await
            .unwrap()
    }

    fn send_blocking(mut self) -> Result<Response, ureq::Error> {
        if let Some(cookies) = self.client.cookie_header() {
            self.headers.entry(COOKIE).or_insert(cookies);
        }
        let mut request = Request::builder().method(self.method).uri(self.url);
        *request.headers_mut().unwrap() = self.headers;
        let mut response = if self.body.is_empty() {
            run(&self.client.agent, request.body(())?, self.timeout)?
        } else {
            run(&self.client.agent, request.body(self.body)?, self.timeout)?
        };
        let body = response.body_mut().with_config().limit(BODY_BYTES_MAX);
        let bytes = body.read_to_vec()?;
        let (parts, _) = response.into_parts();
        self.client.keep_cookies(&parts.headers);
        Ok(Response {
            status: parts.status,
            headers: parts.headers,
            bytes,
        })
    }
}

fn run(
    agent: &Agent,
    request: Request<impl AsSendBody>,
    timeout: Duration,
) -> Result<ureq::http::Response<Body>, ureq::Error> {
    let request = agent.configure_request(request);
    agent.run(request.timeout_global(Some(timeout)).build())
}

/// A complete response.
#[derive(Debug)]
pub struct Response {
    status: StatusCode,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl Response {
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub fn bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn text(self) -> String {
        String::from_utf8(self.bytes).unwrap()
    }
}
