//! Backup endpoints: download of the data file, remote copy on demand, repeated CDN purge.

use crate::accounts;
use crate::config::Cdn;
use crate::errors::{Error, NO_PLACE, Result};
use crate::http::auth::{ConfirmedOwner, Owner};
use crate::http::client_addr::client_context;
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use crate::state::{App, blocking};
use actix_web::body::{self, SizedStream};
use actix_web::http::{Method, StatusCode, header};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::{Stream, stream};
use respiro_content::time::rfc3339;
use respiro_db::fs_util::{TempKind, temp_path};
use serde_json::json;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

const NO_CDN: Error = Error::Conflict("Davanti al sito non c’è una copia veloce da aggiornare.");
const RETRY_SECONDS: u64 = 10;
const CHUNK_BYTES: usize = 64 * 1024;

/// Makes and checks a consistent copy of the data file, then streams it in chunks. A second
/// download while one runs gets 429. HEAD makes no copy, so its answer has no length.
pub async fn download(
    ConfirmedOwner(admin): ConfirmedOwner,
    request: HttpRequest,
    app: AppState,
) -> HandlerResult {
    let day: String = rfc3339(app.now()).chars().take(10).collect();
    let disposition = format!("attachment; filename=\"respiro-{day}.redb\"");
    let mut response = HttpResponse::Ok();
    response
        .content_type("application/octet-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_DISPOSITION, disposition));
    if request.method() == Method::HEAD {
        return Ok(response.body(body::None::new()));
    }
    let permit = Arc::clone(&app.queues.backup_downloads).try_acquire_owned();
    let permit = permit.or(Err(Error::TooManyRequests {
        retry_after_seconds: RETRY_SECONDS,
    }))?;
    let (file, bytes) = create_download_file(&app).await?;
    let context = client_context(&request, &app);
    accounts::note_backup_download(&app, &context, &admin.session.email).await;
    Ok(response.body(SizedStream::new(bytes, read_chunks(file, permit))))
}

/// Requests a complete remote copy now. `/api/admin/status` reports its progress.
pub async fn back_up_offsite(_: Owner, app: AppState) -> HandlerResult {
    if app.config.offsite_backup.is_none() {
        return Err(NO_PLACE);
    }
    app.jobs.full_backups.trigger.request();
    json_no_store(StatusCode::ACCEPTED, &json!({ "isSending": true }))
}

/// Requests another purge of the CDN.
pub async fn purge_cdn(_: Owner, app: AppState) -> HandlerResult {
    if !app.config.cdn.as_ref().is_some_and(Cdn::is_told) {
        return Err(NO_CDN);
    }
    app.site.cdn_purge.trigger.request();
    json_no_store(StatusCode::ACCEPTED, &json!({ "isTelling": true }))
}

/// Makes a copy and unlinks it once it is open: its space is freed when the download ends, however
/// it ends.
async fn create_download_file(app: &App) -> Result<(File, u64)> {
    let store = app.site.store();
    let now = app.now();
    let path = temp_path(&app.config.data, TempKind::Download).map_err(io)?;
    blocking(move || {
        let copied = store.backup(&path, now).map_err(Error::from).and_then(|_| {
            let file = File::open(&path).map_err(io)?;
            let bytes = file.metadata().map_err(io)?.len();
            Ok((file, bytes))
        });
        if let Err(error) = std::fs::remove_file(&path) {
            tracing::warn!(%error, "cannot remove the copy made for a download");
        }
        copied
    })
    .await
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err wants"
)]
fn io(error: io::Error) -> Error {
    Error::Store(error.to_string())
}

/// Streams a file; reads it on the blocking pool instead of the request threads.
/// Holds the permit until the download ends, however it ends.
fn read_chunks(file: File, permit: OwnedSemaphorePermit) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold((file, permit), |(mut file, permit)| async {
        let read = tokio::task::spawn_blocking(move || {
            let mut chunk = vec![0; CHUNK_BYTES];
            let length = file.read(&mut chunk)?;
            chunk.truncate(length);
            io::Result::Ok((chunk, file))
        });
        let (chunk, file) = read.await.map_err(io::Error::other)??;
        Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), (file, permit))))
    })
}
