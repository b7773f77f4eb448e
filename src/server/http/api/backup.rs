//! Backup endpoints: download of the data file, remote copy on demand, repeated CDN purge.

use crate::config::Cdn;
use crate::errors::{Error, NO_PLACE, Result};
use crate::http::auth::Admin;
use crate::http::responses::private;
use crate::http::{Answer, Shared};
use crate::state::{App, blocking};
use actix_web::HttpResponse;
use actix_web::body::SizedStream;
use actix_web::http::{StatusCode, header};
use actix_web::web::Bytes;
use futures_util::{Stream, stream};
use respiro_auth::token;
use respiro_content::time::rfc3339;
use serde_json::json;
use std::fs::File;
use std::io::{self, Read};

const NO_CACHE: Error = Error::Conflict("Davanti al sito non c’è una copia veloce da aggiornare.");
const PART_BYTES: usize = 64 * 1024;

/// Makes and checks a consistent copy of the data file, then streams it in chunks.
pub async fn download(_: Admin, shared: Shared) -> Answer {
    let (file, bytes) = copy(&shared).await?;
    let day: String = rfc3339(shared.now()).chars().take(10).collect();
    let disposition = format!("attachment; filename=\"respiro-{day}.redb\"");
    Ok(HttpResponse::Ok()
        .content_type("application/octet-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_DISPOSITION, disposition))
        .body(SizedStream::new(bytes, chunks(file))))
}

/// Requests a complete remote copy now. `/api/admin/status` reports its progress.
pub async fn copy_now(_: Admin, shared: Shared) -> Answer {
    if shared.config.copies.is_none() {
        return Err(NO_PLACE);
    }
    shared.jobs.full_backups.trigger.request();
    private(StatusCode::ACCEPTED, &json!({ "isSending": true }))
}

/// Requests another purge of the CDN.
pub async fn tell_cache(_: Admin, shared: Shared) -> Answer {
    if !shared.config.cdn.as_ref().is_some_and(Cdn::is_told) {
        return Err(NO_CACHE);
    }
    shared.site.cdn_purge.trigger.request();
    private(StatusCode::ACCEPTED, &json!({ "isTelling": true }))
}

/// Makes a copy and unlinks it once it is open: its space is freed when the download ends, however
/// it ends.
async fn copy(app: &App) -> Result<(File, u64)> {
    let store = app.site.store();
    let now = app.now();
    let id = token::id().map_err(|error| Error::Internal(error.to_string()))?;
    let path = app.config.data.with_extension(format!("download-{id}"));
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
fn chunks(file: File) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(file, |mut file| async {
        let read = tokio::task::spawn_blocking(move || {
            let mut chunk = vec![0; PART_BYTES];
            let length = file.read(&mut chunk)?;
            chunk.truncate(length);
            io::Result::Ok((chunk, file))
        });
        let (chunk, file) = read.await.map_err(io::Error::other)??;
        Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), file)))
    })
}
