//! Reads request bodies under limits of size and time.

use crate::errors::{Error, FieldError, Result, SizeLimit};
use crate::state::App;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpRequest, rt::time::timeout};
use futures_util::StreamExt as _;
use serde_json::{Map, Value as Json};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

/// Largest JSON body in bytes.
pub const JSON_BYTES_MAX: usize = 256 * 1024;
/// Bytes that each `body_window` must bring at least: slow connections are served, slow-drip
/// clients are refused.
const WINDOW_BYTES_MIN: usize = 64 * 1024;

const NOT_JSON: &str = "Il contenuto inviato non è JSON valido.";
const NOT_OBJECT: &str = "Il contenuto inviato deve essere un oggetto JSON.";
const BROKEN_OFF: &str = "Il contenuto inviato si è interrotto.";
const TOO_SLOW: &str = "Il contenuto inviato è arrivato troppo lentamente.";
const WRONG_TYPE: &str = "deve essere un testo";

/// A JSON object parsed from a body of at most `BYTES_MAX` bytes.
#[derive(Debug)]
pub struct JsonObject<const BYTES_MAX: usize = JSON_BYTES_MAX>(pub Map<String, Json>);

impl<const BYTES_MAX: usize> FromRequest for JsonObject<BYTES_MAX> {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let mut payload = payload.take();
        Box::pin(async move {
            let app = app(&request)?;
            let whole = read(&request, &mut payload, BYTES_MAX, SizeLimit::Body);
            let bytes = match timeout(app.tuning.json_timeout, whole).await {
                Ok(bytes) => bytes?,
                Err(_) => return Err(Error::BadRequest(TOO_SLOW)),
            };
            match serde_json::from_slice(&bytes) {
                Ok(Json::Object(object)) => Ok(Self(object)),
                Ok(_) => Err(Error::BadRequest(NOT_OBJECT)),
                Err(_) => Err(Error::BadRequest(NOT_JSON)),
            }
        })
    }
}

impl JsonObject {
    /// Returns a required text field, or 422. The limit of the body also bounds its length.
    pub fn text(&self, name: &'static str) -> Result<&str> {
        match self.0.get(name) {
            Some(Json::String(text)) => Ok(text),
            Some(_) => Err(invalid(name, WRONG_TYPE)),
            None => Err(invalid(name, "è obbligatorio")),
        }
    }

    /// Returns a text field that may be missing or null; 422 for another type.
    pub fn optional_text(&self, name: &'static str) -> Result<Option<&str>> {
        match self.0.get(name) {
            Some(Json::String(text)) => Ok(Some(text)),
            None | Some(Json::Null) => Ok(None),
            Some(_) => Err(invalid(name, WRONG_TYPE)),
        }
    }
}

/// Returns a 422 with the error of one field.
pub fn invalid(field: &str, reason: &str) -> Error {
    let message = format!("Il campo «{field}» {reason}");
    Error::Invalid(vec![FieldError::new(field, message)])
}

/// Returns the application state that all requests share.
pub fn app(request: &HttpRequest) -> Result<web::Data<App>> {
    let data = request.app_data::<web::Data<App>>().cloned();
    data.ok_or_else(|| Error::Internal("the application is not set".to_owned()))
}

/// Reads a body of at most `bytes_max`; 413 for a larger one. It does not wait for the remainder:
/// the response is sent at once, and the connection lingers so that the client receives it.
pub async fn read(
    request: &HttpRequest,
    payload: &mut Payload,
    bytes_max: usize,
    limit: SizeLimit,
) -> Result<Vec<u8>> {
    if content_length(request).is_some_and(|bytes| bytes > bytes_max as u64) {
        return Err(Error::TooLarge(limit));
    }
    let app = app(request)?;
    let mut parts = Parts::new(&app, payload);
    let mut bytes = Vec::new();
    while let Some(part) = parts.next().await? {
        if bytes.len() + part.len() > bytes_max {
            return Err(Error::TooLarge(limit));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// Reads a body chunk by chunk. Each chunk must arrive within `part_timeout`, and each `window`
/// must bring `WINDOW_BYTES_MIN`.
pub struct Parts<'a> {
    payload: &'a mut Payload,
    part_timeout: Duration,
    window: Duration,
    window_began: Instant,
    window_bytes: usize,
}

impl<'a> Parts<'a> {
    pub fn new(app: &App, payload: &'a mut Payload) -> Self {
        Self {
            payload,
            part_timeout: app.tuning.body_part_timeout,
            window: app.tuning.body_window,
            window_began: Instant::now(),
            window_bytes: 0,
        }
    }

    /// Returns the next chunk, `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Bytes>> {
        let part = match timeout(self.part_timeout, self.payload.next()).await {
            Ok(Some(Ok(part))) => part,
            Ok(None) => return Ok(None),
            Ok(Some(Err(_))) => return Err(Error::BadRequest(BROKEN_OFF)),
            Err(_) => return Err(Error::BadRequest(TOO_SLOW)),
        };
        self.window_bytes += part.len();
        if self.window_began.elapsed() >= self.window {
            if self.window_bytes < WINDOW_BYTES_MIN {
                return Err(Error::BadRequest(TOO_SLOW));
            }
            self.window_began = Instant::now();
            self.window_bytes = 0;
        }
        Ok(Some(part))
    }
}

/// Returns the value of `Content-Length`.
pub fn content_length(request: &HttpRequest) -> Option<u64> {
    let value = request.headers().get(header::CONTENT_LENGTH)?;
    value.to_str().ok()?.parse().ok()
}
