//! Converts a prepared response into an actix response.

use super::Shared;
use super::body_cursor::BodyCursor;
use super::ready::{Content, Ready, Share, Wish};
use super::respond::values;
use crate::app::App;
use crate::error::Result;
use actix_web::body::SizedStream;
use actix_web::http::{Method, StatusCode, header};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Sends a prepared response, as far as the client does not have it.
pub async fn ready(
    shared: &Shared,
    request: &HttpRequest,
    ready: &Ready<'_>,
) -> Result<HttpResponse> {
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
        Share::Whole if wish.is_head => {
            let body = SizedStream::new(ready.bytes(), stream::empty::<io::Result<Bytes>>());
            return Ok(response.body(body));
        }
        Share::Whole => None,
        Share::Part(part) => Some(part),
    };
    let body = begin(shared, &ready.content, part).await?;
    Ok(response.body(body.into_body(Some(Arc::clone(shared)))))
}

/// Opens the body of a response. `part` applies to pictures only; nothing else is sent in ranges.
pub async fn begin(
    app: &App,
    content: &Content<'_>,
    part: Option<Range<u64>>,
) -> Result<BodyCursor> {
    match content {
        Content::Memory(bytes) => Ok(BodyCursor::from(Bytes::clone(bytes))),
        Content::Plain(page) => Ok(BodyCursor::from(page.plain())),
        Content::Stored(file) => BodyCursor::of_file(app, file, part).await,
    }
}
