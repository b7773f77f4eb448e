//! Sends what lies ready in the form that actix takes it.

use super::ready::{Content, Ready, Share, Wish};
use super::respond::values;
use super::sliced::Sliced;
use crate::app::App;
use crate::error::Result;
use actix_web::http::{Method, StatusCode, header};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use std::ops::Range;

/// What lies ready, as far as the client has not got it.
pub async fn ready(app: &App, request: &HttpRequest, ready: &Ready<'_>) -> Result<HttpResponse> {
    let text = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let wish = Wish {
        is_head: request.method() == Method::HEAD,
        range: text(header::RANGE),
        if_range: text(header::IF_RANGE),
    };
    let share = ready.share(values(request.headers(), header::IF_NONE_MATCH), &wish);
    let status = StatusCode::from_u16(ready.status(&share)).unwrap_or_default();
    let mut response = HttpResponse::build(status);
    ready.headers(&share, |name, value| {
        response.insert_header((name, value));
    });
    let part = match share {
        Share::Nothing | Share::Beyond => return Ok(response.finish()),
        Share::Whole if wish.is_head => return Ok(response.body(Sliced::announced(ready.bytes()))),
        Share::Whole => None,
        Share::Part(part) => Some(part),
    };
    let bytes = load(app, &ready.content, part).await?;
    Ok(response.body(Sliced::new(bytes)))
}

/// The bytes of an answer, or a part of them. Waits for the data file when they are not at hand.
pub async fn load(app: &App, content: &Content<'_>, part: Option<Range<u64>>) -> Result<Bytes> {
    let whole = match content {
        Content::Memory(bytes) => Bytes::clone(bytes),
        Content::Stored(file) => app.blob(file.hash).await?,
    };
    let Some(part) = part else {
        return Ok(whole);
    };
    let index = |at: u64| usize::try_from(at).map_or(whole.len(), |at| at.min(whole.len()));
    Ok(whole.slice(index(part.start)..index(part.end)))
}
