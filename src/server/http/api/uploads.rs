//! Picture uploads: signed addresses that work once, and the requests that use them.

use crate::errors::{Error, Result, SizeLimit};
use crate::http::auth::Admin;
use crate::http::request_body;
use crate::http::responses::{etag_of_hash, json_no_store};
use crate::http::{AppState, HandlerResult};
use crate::state::{App, blocking};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, web};
use respiro_auth::signed_links::{self, Purpose};
use respiro_auth::token;
use respiro_content::Picture;
use respiro_content::picture::{MAIN, PictureEdit};
use respiro_content::validation::is_id;
use respiro_content::value::{UPLOAD_PREFIX, picture_path};
use respiro_media::{self as media, ImageError, ProcessedImage, UPLOAD_BYTES_MAX, sandbox};
use rustix::fs::statvfs;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use tokio::sync::SemaphorePermit;

const UPLOAD_MILLISECONDS: i64 = 15 * 60_000;
/// Free disk space required to start an upload or to receive a file to restore. Pictures being
/// processed may go lower, to the reserve that the store keeps (`db/disk_space.rs`).
const FREE_BYTES_MIN: u64 = 256 * 1024 * 1024;
const RETRY_SECONDS: u64 = 10;

const WRONG_ADDRESS: &str =
    "Questo indirizzo di caricamento non è valido, è scaduto o è già stato usato.";

/// The signed query of an upload's address.
#[derive(Debug, Deserialize)]
struct SignedQuery {
    expires: i64,
    signature: String,
}

/// Creates an address for one upload: `PUBLIC_URL/objects/uploads/{id}?expires=…&signature=…`.
pub async fn start(_: Admin, app: AppState) -> HandlerResult {
    require_space(&app, 0)?;
    let id = token::id().map_err(|error| Error::Internal(error.to_string()))?;
    let expires_at = app.now() + UPLOAD_MILLISECONDS;
    let key = app.read(|reader| Ok(reader.secret()?)).await?;
    let signature = signed_links::sign(&key, Purpose::Upload, &id, expires_at);
    let address = format!(
        "{}{UPLOAD_PREFIX}{id}?expires={expires_at}&signature={signature}",
        app.site.public_url()
    );
    app.change(move |writer| Ok(writer.uploads().start(&id, expires_at)?))
        .await?;
    json_no_store(StatusCode::OK, &json!({ "uploadURL": address }))
}

/// Receives the bytes. The address is the permission; storing the picture uses it up.
pub async fn receive(
    request: HttpRequest,
    app: AppState,
    id: web::Path<String>,
    payload: web::Payload,
) -> HandlerResult {
    let id = id.into_inner();
    let mut payload = payload.into_inner();
    let _permit = verify_address(&request, &app, &id).await?;
    let bytes =
        request_body::read(&request, &mut payload, UPLOAD_BYTES_MAX, SizeLimit::Upload).await?;
    let (processed, bytes) = process(&app, bytes, PictureEdit::default()).await?;
    let now = app.now();
    let losses = processed.losses;
    let (picture, files) = processed.into_picture(id.clone(), &bytes, now);
    let tag = picture.files.get(MAIN);
    let tag = tag.map_or_else(String::new, |main| etag_of_hash(&main.hash, ""));
    let mut answer = stored_json(&picture);
    answer["lost"] = json!(losses.names());
    answer["notice"] = json!(losses.explanation());
    app.change(move |writer| {
        writer.uploads().take(&id, now)?;
        Ok(writer.pictures().put(picture, files)?)
    })
    .await?;
    let mut response = json_no_store(StatusCode::OK, &answer)?;
    // Upload clients expect an `ETag`, as object storage sends one; it is that of the picture.
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag);
        let exposed = HeaderValue::from_static("ETag");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    Ok(response)
}

/// Returns path and size of a stored image.
pub(super) fn stored_json(picture: &Picture) -> Json {
    json!({
        "imageUrl": picture_path(&picture.id),
        "width": picture.width,
        "height": picture.height,
    })
}

/// Edits the original that is stored with this hash, and stores the result as an image of its own.
/// The bytes of the original stay stored once.
pub(super) async fn store_edited(
    app: &App,
    original: [u8; 32],
    edit: PictureEdit,
) -> Result<Picture> {
    require_space(app, 0)?;
    let _permit = acquire_upload(app)?;
    let read = app.read(move |reader| Ok(reader.blobs().get(&original)?));
    let bytes = read.await?.ok_or(Error::NotFound)?;
    let (processed, bytes) = process(app, bytes, edit).await?;
    let id = token::id().map_err(|error| Error::Internal(error.to_string()))?;
    let (picture, files) = processed.into_picture(id, &bytes, app.now());
    let stored = picture.clone();
    app.change(move |writer| Ok(writer.pictures().put(picture, files)?))
        .await?;
    Ok(stored)
}

/// Checks the permission before the body is read. Returns one of the permits for concurrent
/// uploads.
async fn verify_address<'a>(
    request: &HttpRequest,
    app: &'a App,
    id: &str,
) -> Result<SemaphorePermit<'a>> {
    let wrong = Error::Forbidden(WRONG_ADDRESS);
    let query = web::Query::<SignedQuery>::from_query(request.query_string());
    let Ok(web::Query(query)) = query else {
        return Err(wrong);
    };
    let SignedQuery { expires, signature } = query;
    let wanted = id.to_owned();
    let (key, used) = app
        .read(move |reader| Ok((reader.secret()?, reader.pictures().get(&wanted)?.is_some())))
        .await?;
    let signed = signed_links::verify(&key, Purpose::Upload, id, expires, &signature);
    if !signed || !is_id(id) || expires <= app.now() || used {
        return Err(wrong);
    }
    require_space(app, 0)?;
    acquire_upload(app)
}

fn acquire_upload(app: &App) -> Result<SemaphorePermit<'_>> {
    let permit = app.queues.uploads.try_acquire();
    permit.or(Err(Error::TooManyRequests {
        retry_after_seconds: RETRY_SECONDS,
    }))
}

/// Waits for an image worker, then decodes and encodes off the request threads.
async fn process(
    app: &App,
    bytes: Vec<u8>,
    edit: PictureEdit,
) -> Result<(ProcessedImage, Vec<u8>)> {
    // Refuse a file that is no image before it waits for a worker.
    media::Format::sniff(&bytes).map_err(explain_refusal)?;
    let waiting = app.meters.requests.start_waiting();
    let permit = Arc::clone(&app.queues.image_workers).acquire_owned().await;
    drop(waiting);
    let program = app.config.image_program.clone();
    blocking(move || {
        let _permit = permit;
        let processed = sandbox::process(program.as_deref(), &bytes, edit)?;
        Ok((processed.map_err(explain_refusal)?, bytes))
    })
    .await
}

fn explain_refusal(refusal: ImageError) -> Error {
    match refusal {
        ImageError::NotAnImage | ImageError::Heic => Error::UnsupportedImage(refusal.explanation()),
        ImageError::TooManyPixels
        | ImageError::TooManyFrames
        | ImageError::MemoryLimit
        | ImageError::Polyglot
        | ImageError::UnknownColours
        | ImageError::Undecodable => Error::InvalidImage(refusal.explanation()),
    }
}

/// Returns 507 before the disk is full: other writes still need space.
pub fn require_space(app: &App, bytes: u64) -> Result<()> {
    let folder = app.config.data.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| std::path::Path::new("."));
    match statvfs(folder) {
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            if free < FREE_BYTES_MIN.saturating_add(bytes) {
                return Err(Error::StorageFull);
            }
            Ok(())
        }
        Err(error) => {
            tracing::warn!(%error, "cannot tell the free space of the disk");
            Ok(())
        }
    }
}
