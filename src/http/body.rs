//! Reads request bodies under limits of size and time.

use crate::app::App;
use crate::error::{Error, FieldError, Result};
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpRequest, rt::time::timeout};
use serde_json::{Map, Value as Json};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::time::Duration;

/// Largest JSON body.
pub const JSON_BYTES_MAX: usize = 256 * 1024;
/// Of a body that is refused this much is still read, so that the client gets to see the answer.
const DRAIN_BYTES_MAX: usize = 32 * 1024 * 1024;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

const NOT_JSON: &str = "Il contenuto inviato non è JSON valido.";
const NOT_OBJECT: &str = "Il contenuto inviato deve essere un oggetto JSON.";
const BROKEN_OFF: &str = "Il contenuto inviato si è interrotto.";
const TOO_SLOW: &str = "Il contenuto inviato è arrivato troppo lentamente.";
const WRONG_TYPE: &str = "deve essere un testo";

/// A JSON object out of a body.
#[derive(Debug)]
pub struct Object(pub Map<String, Json>);

impl FromRequest for Object {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let mut payload = payload.take();
        Box::pin(async move {
            let app = app(&request)?;
            let whole = read(&request, &mut payload, JSON_BYTES_MAX);
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

impl Object {
    /// A text that must be there; 422 otherwise. Its length is bounded by the body's.
    pub fn text(&self, name: &'static str) -> Result<&str> {
        match self.0.get(name) {
            Some(Json::String(text)) => Ok(text),
            Some(_) => Err(invalid(name, WRONG_TYPE)),
            None => Err(invalid(name, "è obbligatorio")),
        }
    }

    /// A text that may be missing or null.
    pub fn optional_text(&self, name: &'static str) -> Result<Option<&str>> {
        match self.0.get(name) {
            Some(Json::String(text)) => Ok(Some(text)),
            None | Some(Json::Null) => Ok(None),
            Some(_) => Err(invalid(name, WRONG_TYPE)),
        }
    }
}

/// One field's error, as a 422.
pub fn invalid(field: &str, reason: &str) -> Error {
    let message = format!("Il campo «{field}» {reason}");
    Error::Invalid(vec![FieldError::new(field, message)])
}

/// The one application value of a request.
pub fn app(request: &HttpRequest) -> Result<web::Data<App>> {
    let data = request.app_data::<web::Data<App>>().cloned();
    data.ok_or_else(|| Error::Internal("the application is not set".to_owned()))
}

/// Reads a body of at most `bytes_max`; each part must arrive in time.
pub async fn read(
    request: &HttpRequest,
    payload: &mut Payload,
    bytes_max: usize,
) -> Result<Vec<u8>> {
    if announced(request).is_some_and(|bytes| bytes > bytes_max as u64) {
        drain(payload).await;
        return Err(Error::TooLarge);
    }
    let part_timeout = app(request)?.tuning.body_part_timeout;
    let mut bytes = Vec::new();
    while let Some(part) = next(payload, part_timeout).await? {
        if bytes.len() + part.len() > bytes_max {
            drain(payload).await;
            return Err(Error::TooLarge);
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// The next part of a body, `None` at its end.
pub async fn next(payload: &mut Payload, part_timeout: Duration) -> Result<Option<Bytes>> {
    let part = poll_fn(|context| futures_core::Stream::poll_next(Pin::new(&mut *payload), context));
    match timeout(part_timeout, part).await {
        Ok(Some(Ok(part))) => Ok(Some(part)),
        Ok(None) => Ok(None),
        Ok(Some(Err(_))) => Err(Error::BadRequest(BROKEN_OFF)),
        Err(_) => Err(Error::BadRequest(TOO_SLOW)),
    }
}

/// Reads on and forgets: a connection cut while the client still sends would hide the answer.
pub async fn drain(payload: &mut Payload) {
    let drained = async {
        let mut rest = DRAIN_BYTES_MAX;
        while let Ok(Some(part)) = next(payload, DRAIN_TIMEOUT).await {
            match rest.checked_sub(part.len()) {
                Some(less) => rest = less,
                None => return,
            }
        }
    };
    // Whether it ended in time or not, the answer goes out now.
    drop(timeout(DRAIN_TIMEOUT, drained).await);
}

/// What `Content-Length` says.
pub fn announced(request: &HttpRequest) -> Option<u64> {
    let value = request.headers().get(header::CONTENT_LENGTH)?;
    value.to_str().ok()?.parse().ok()
}
