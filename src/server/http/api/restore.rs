//! Restores a backup: inspects an uploaded file, and replaces the data file after confirmation.

use crate::accounts;
use crate::errors::{Error, FieldError, Result, SizeLimit};
use crate::http::api::uploads::require_space;
use crate::http::auth::{ConfirmedOwner, Owner};
use crate::http::request_body::{self, JsonObject, invalid};
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use crate::state::{App, blocking};
use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_auth::token;
use respiro_content::time::rfc3339;
use respiro_content::validation::is_id;
use respiro_db::clock::TrustedTime;
use respiro_db::fs_util::{self, TempKind};
use respiro_db::{self as db};
use serde_json::json;
use std::fs::{DirEntry, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Largest accepted data file in bytes.
pub const RESTORE_BYTES_MAX: u64 = 8 * 1024 * 1024 * 1024;
/// Bytes buffered before each write.
const CHUNK_BYTES: usize = 1024 * 1024;
/// How long an inspected file waits for confirmation.
const UNCONFIRMED_MAX: Duration = Duration::from_hours(1);
const NOT_A_BACKUP: &str =
    "Questo file non è un backup di questo sito, oppure è danneggiato. Nulla è stato cambiato.";
pub(super) const BUSY: &str =
    "È già in corso un ripristino o un'importazione. Riprova tra qualche istante.";
pub(super) const UPLOAD_MISSING: &str = "Il file caricato non c'è più: caricalo di nuovo.";

/// Receives a file and returns what it contains; replaces nothing yet.
pub async fn inspect(
    _: ConfirmedOwner,
    request: HttpRequest,
    app: AppState,
    payload: web::Payload,
) -> HandlerResult {
    let mut payload = payload.into_inner();
    let Ok(_permit) = app.queues.restores.try_acquire() else {
        return Err(Error::Conflict(BUSY));
    };
    require_space(&app, request_body::content_length(&request).unwrap_or(0))?;
    remove_uploads(&app.config.data, Duration::ZERO);
    let token = token::id().map_err(|error| Error::Internal(error.to_string()))?;
    let path = upload_path(&app.config.data, &token);
    let limit = (RESTORE_BYTES_MAX, SizeLimit::Backup);
    let received = receive(&app, &mut payload, &path, limit).await;
    let checked = match received {
        Ok(()) => check(path.clone()).await,
        Err(error) => Err(error),
    };
    let stats = checked.inspect_err(|_| remove_uploads(&app.config.data, Duration::ZERO))?;
    // Only information: the restore migrates a file of an older format, which cannot be read yet.
    let carried = app.site.count_carried_over(path).await;
    let carried = carried
        .inspect_err(|error| tracing::warn!(%error, "cannot compare the file with the data file"))
        .ok();
    json_no_store(
        StatusCode::OK,
        &json!({
            "token": token,
            "counts": stats.counts,
            "pictures": stats.pictures,
            "accounts": stats.accounts,
            "bytes": stats.file_bytes,
            "createdAt": stats.copied_at.map(rfc3339),
            "carriedOver": carried,
        }),
    )
}

async fn check(path: PathBuf) -> Result<db::StoreStats> {
    blocking(move || {
        let checked = db::check(&path).map(|report| report.stats);
        checked.map_err(|problems| {
            tracing::warn!(?problems, "a file sent for restoring is refused");
            Error::Invalid(vec![FieldError::new("file", NOT_A_BACKUP)])
        })
    })
    .await
}

/// Writes the body to a file that only the server's user may read.
pub(super) async fn receive(
    app: &App,
    payload: &mut Payload,
    path: &Path,
    (bytes_max, limit): (u64, SizeLimit),
) -> Result<()> {
    let mut file = fs_util::create_private(path).map_err(unwritable)?;
    let mut chunk = Vec::with_capacity(CHUNK_BYTES);
    let mut written: u64 = 0;
    let mut parts = request_body::Parts::new(app, payload);
    while let Some(bytes) = parts.next().await? {
        chunk.extend_from_slice(&bytes);
        if chunk.len() >= CHUNK_BYTES {
            written += chunk.len() as u64;
            if written > bytes_max {
                return Err(Error::TooLarge(limit));
            }
            require_space(app, 0)?;
            (file, chunk) = write(file, chunk).await?;
        }
    }
    if written + chunk.len() as u64 > bytes_max {
        return Err(Error::TooLarge(limit));
    }
    let (file, _) = write(file, chunk).await?;
    blocking(move || file.sync_all().map_err(unwritable)).await
}

async fn write(mut file: File, mut chunk: Vec<u8>) -> Result<(File, Vec<u8>)> {
    blocking(move || {
        file.write_all(&chunk).map_err(unwritable)?;
        chunk.clear();
        Ok((file, chunk))
    })
    .await
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err wants"
)]
pub(super) fn unwritable(error: std::io::Error) -> Error {
    if error.kind() == std::io::ErrorKind::StorageFull {
        Error::StorageFull
    } else {
        Error::Store(format!("cannot keep the uploaded file: {error}"))
    }
}

/// Returns the path of a waiting file: beside the data file, so that it can replace it.
pub(super) fn upload_path(data: &Path, token: &str) -> PathBuf {
    fs_util::temp_path_with_id(data, token, TempKind::Upload)
}

/// Removes files that were inspected and not confirmed: they take the space that a backup needs.
/// Does nothing while a file is received or applied. The clock has to be trusted, because the age
/// of
/// a file is its time of modification.
pub async fn remove_unconfirmed_uploads(app: &App, _: &TrustedTime) -> Result<()> {
    remove_uploads_unless_busy(&app.queues.restores, app.config.data.clone()).await
}

async fn remove_uploads_unless_busy(restores: &Arc<Semaphore>, data: PathBuf) -> Result<()> {
    let Ok(permit) = Arc::clone(restores).try_acquire_owned() else {
        return Ok(());
    };
    blocking(move || {
        let _permit = permit;
        remove_uploads(&data, UNCONFIRMED_MAX);
        Ok(())
    })
    .await
}

/// Removes files that have waited at least this long for confirmation.
pub(super) fn remove_uploads(data: &Path, age_min: Duration) {
    let stem = data.file_name().unwrap_or_default().to_string_lossy();
    let is_upload = |entry: &DirEntry| {
        let name = entry.file_name();
        name.to_str()
            .is_some_and(|name| fs_util::is_temp_name(name, &stem, TempKind::Upload))
    };
    let Ok(entries) = std::fs::read_dir(fs_util::parent_dir(data)) else {
        return;
    };
    for entry in entries.flatten() {
        if is_upload(&entry)
            && is_older_than(&entry, age_min)
            && let Err(error) = std::fs::remove_file(entry.path())
        {
            tracing::warn!(%error, "cannot remove a file that waited to be restored");
        }
    }
}

/// Compares with the file's modification time. A clock that was set back since then counts as no
/// wait.
fn is_older_than(entry: &DirEntry, age_min: Duration) -> bool {
    let written = entry.metadata().and_then(|file| file.modified());
    age_min.is_zero() || written.is_ok_and(|at| at.elapsed().is_ok_and(|age| age >= age_min))
}

/// Clears the restore marker, once the admin has handled the consequences of a restore.
pub async fn dismiss_report(_: Owner, app: AppState) -> HandlerResult {
    app.change(|writer| Ok(writer.clear_restore_marker()?))
        .await?;
    Ok(no_content())
}

/// Replaces the data file with the inspected file, which still waits when this fails.
pub async fn apply(
    ConfirmedOwner(admin): ConfirmedOwner,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let token = body.text("token")?;
    if !is_id(token) {
        return Err(invalid("token", "non è valido"));
    }
    let path = upload_path(&app.config.data, token);
    let Ok(permit) = Arc::clone(&app.queues.restores).try_acquire_owned() else {
        return Err(Error::Conflict(BUSY));
    };
    if !path.is_file() {
        return Err(Error::Conflict(UPLOAD_MISSING));
    }
    let session = (admin.token_hash, admin.session);
    let restored = app.site.restore(path, Some(session), permit).await?;
    let carried = restored.carried;
    accounts::notify_all(&app, accounts::BACKUP_RESTORED.to_owned()).await;
    json_no_store(
        StatusCode::OK,
        &json!({ "restored": true, "carriedOver": carried }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    /// Regression: an unconfirmed file stayed until a restart, and daily backups found no space.
    #[tokio::test]
    async fn a_file_that_nobody_confirms_goes_after_an_hour_but_not_on_its_way() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.redb");
        File::create(&data).unwrap();
        let restores = Arc::new(Semaphore::new(1));
        let put = |letter: &str, age: Duration| {
            let path = upload_path(&data, &letter.repeat(26));
            let file = File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
            path
        };
        let left = put("l", UNCONFIRMED_MAX);
        let fresh = put("f", UNCONFIRMED_MAX / 2);
        let permit = restores.try_acquire().unwrap();
        remove_uploads_unless_busy(&restores, data.clone())
            .await
            .unwrap();
        assert!(left.exists(), "one is on its way");
        drop(permit);
        remove_uploads_unless_busy(&restores, data.clone())
            .await
            .unwrap();
        assert!(!left.exists() && fresh.exists() && data.exists());
        let of_a_person = folder.path().join("data.restore-mine");
        File::create(&of_a_person).unwrap();
        remove_uploads(&data, Duration::ZERO);
        assert!(!fresh.exists() && data.exists() && of_a_person.exists());
    }
}
