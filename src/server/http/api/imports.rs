//! Imports subscribers from a CSV table and articles from a WordPress export, with the engine of
//! `respiro import`. An upload is inspected only; its token then imports what the report said.

use crate::errors::{Error, FieldError, Result, SizeLimit};
use crate::http::api::restore::{BUSY, UPLOAD_MISSING};
use crate::http::api::restore::{receive, remove_uploads, unwritable, upload_path};
use crate::http::api::uploads::require_space;
use crate::http::auth::ConfirmedOwner;
use crate::http::request_body::{self, JsonObject, invalid};
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use crate::state::{App, blocking};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_auth::token;
use respiro_content::validation::is_id;
use respiro_db::fs_util::{self, TempKind, reserve_path};
use respiro_db::{Actor, ImportSummary, Store, Subscriber, Subscription, Writer};
use respiro_importers as importers;
use respiro_importers::csv;
use respiro_importers::wordpress::{
    self, DEFAULT_CATEGORY, ImportOptions, ImportResult, Media, ReadError,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// Largest accepted file in bytes. The command reads larger ones, in a process of its own: parsing
/// takes several times this in memory.
pub const IMPORT_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Longest statement of where the consent of imported addresses comes from, in characters.
const PROOF_CHARACTERS_MAX: usize = 300;
/// Longest report and longest texts of pages in a response, in bytes.
const REPORT_BYTES_MAX: usize = 256 * 1024;
const PAGE_TEXTS_BYTES_MAX: usize = 2 * 1024 * 1024;
const FILE: &str = "file";
const NOT_WXR: &str = "Non è un’esportazione di WordPress: là usa Strumenti, Esporta, Tutti i \
                       contenuti.";
const UNREADABLE: &str = "Il file non si legge. Caricalo di nuovo.";

/// Receives a table of addresses. Returns what an import would bring; stores nothing.
pub async fn inspect_subscribers(
    _: ConfirmedOwner,
    request: HttpRequest,
    app: AppState,
    payload: web::Payload,
) -> HandlerResult {
    let _permit = begin(&app)?;
    let (token, path) = take_upload(&request, &app, payload).await?;
    // The consent is stated after the report, and validated then.
    let subscribers = read_subscribers(&app, path, String::new()).await;
    let subscribers = subscribers.inspect_err(|_| forget_uploads(&app))?;
    let confirmed = |one: &&Subscriber| one.state == Subscription::Confirmed;
    let (total, confirmed) = (
        subscribers.len(),
        subscribers.iter().filter(confirmed).count(),
    );
    let known = app.read(move |reader| {
        let mut known = 0_usize;
        for one in &subscribers {
            known += usize::from(reader.subscribers().get(&one.email)?.is_some());
        }
        Ok(known)
    });
    let known = known.await?;
    json_no_store(
        StatusCode::OK,
        &json!({ "token": token, "total": total, "confirmed": confirmed, "known": known }),
    )
}

/// Receives a WordPress export. Returns the report of an import; stores nothing.
pub async fn inspect_wordpress(
    _: ConfirmedOwner,
    request: HttpRequest,
    app: AppState,
    payload: web::Payload,
) -> HandlerResult {
    let _permit = begin(&app)?;
    let (token, path) = take_upload(&request, &app, payload).await?;
    let result = convert_export(&app, path).await;
    let result = result.inspect_err(|_| forget_uploads(&app))?;
    let json = json!({
        "token": token,
        "articles": result.items.len(),
        "existing": result.skipped,
        "missingPictures": result.report.missing_pictures,
        "report": cut(result.report.text(true, DEFAULT_CATEGORY, false), REPORT_BYTES_MAX),
        "pageTexts": cut(result.report.page_texts(), PAGE_TEXTS_BYTES_MAX),
    });
    json_no_store(StatusCode::OK, &json)
}

/// Imports an inspected file, in one transaction. The file still waits when this fails.
pub async fn apply(
    ConfirmedOwner(admin): ConfirmedOwner,
    app: AppState,
    body: JsonObject,
) -> HandlerResult {
    let actor = admin.actor(app.now());
    let token = body.text("token")?;
    if !is_id(token) {
        return Err(invalid("token", "non è valido"));
    }
    let path = upload_path(&app.config.data, token);
    let _permit = begin(&app)?;
    if !path.is_file() {
        return Err(Error::Conflict(UPLOAD_MISSING));
    }
    let json = match body.text("kind")? {
        "subscribers" => {
            let proof = proof_of(body.text("proof")?)?;
            let subscribers = read_subscribers(&app, path, proof).await?;
            let write = move |writer: &mut Writer<'_>| csv::write_subscribers(writer, &subscribers);
            let summary = merge(&app, actor, write).await?;
            json!({ "subscribers": summary.subscribers, "known": summary.known })
        }
        "wordpress" => {
            let result = convert_export(&app, path).await?;
            let report = result.report.text(false, DEFAULT_CATEGORY, false);
            let write = move |writer: &mut Writer<'_>| wordpress::put(writer, &result);
            let summary = merge(&app, actor, write).await?;
            json!({ "articles": summary.items, "report": cut(report, REPORT_BYTES_MAX) })
        }
        _ => return Err(invalid("kind", "non è valido")),
    };
    forget_uploads(&app);
    json_no_store(StatusCode::OK, &json)
}

/// One import or restore at a time.
fn begin(app: &App) -> Result<OwnedSemaphorePermit> {
    let permit = Arc::clone(&app.queues.restores).try_acquire_owned();
    permit.or(Err(Error::Conflict(BUSY)))
}

/// Stores the body under a new token.
async fn take_upload(
    request: &HttpRequest,
    app: &App,
    payload: web::Payload,
) -> Result<(String, PathBuf)> {
    let length = request_body::content_length(request).unwrap_or(0);
    if length > IMPORT_BYTES_MAX {
        return Err(Error::TooLarge(SizeLimit::Import));
    }
    require_space(app, length)?;
    forget_uploads(app);
    let token = token::id().map_err(|error| Error::Internal(error.to_string()))?;
    let path = upload_path(&app.config.data, &token);
    let limit = (IMPORT_BYTES_MAX, SizeLimit::Import);
    let received = receive(app, &mut payload.into_inner(), &path, limit).await;
    received.inspect_err(|_| forget_uploads(app))?;
    Ok((token, path))
}

fn forget_uploads(app: &App) {
    remove_uploads(&app.config.data, Duration::ZERO);
}

fn refused_proof(message: String) -> Error {
    Error::Invalid(vec![FieldError::new("proof", message)])
}

fn proof_of(written: &str) -> Result<String> {
    let proof = written.trim();
    if proof.is_empty() {
        return Err(refused_proof(
            "Scrivi da dove viene il consenso.".to_owned(),
        ));
    }
    if proof.contains(char::is_control) || proof.chars().count() > PROOF_CHARACTERS_MAX {
        return Err(refused_proof(format!(
            "Scrivilo in una riga di al massimo {PROOF_CHARACTERS_MAX} caratteri."
        )));
    }
    Ok(proof.to_owned())
}

async fn read_subscribers(app: &App, path: PathBuf, proof: String) -> Result<Vec<Subscriber>> {
    let now = app.now();
    blocking(move || csv::read_subscribers(&path, &proof, now).map_err(explain)).await
}

/// Converts an export without its media library. Leaves out posts whose address is in use, so that
/// the same file can be imported again.
async fn convert_export(app: &App, path: PathBuf) -> Result<ImportResult> {
    let existing_slugs = app
        .read(|reader| Ok(wordpress::slugs_of_posts(reader)?))
        .await?;
    let now = app.now();
    blocking(move || {
        let export = wordpress::read(&path).map_err(|error| explain_export(&error))?;
        let options = ImportOptions {
            categories: wordpress::read_categories(None)?,
            default_category: DEFAULT_CATEGORY,
            existing_slugs,
            skip_existing: true,
            now,
            program: None,
        };
        let media = Media::default();
        wordpress::convert(&export, &media, &options, &mut |_, _| Ok(())).map_err(explain)
    })
    .await
}

/// A data file beside the site's, removed when dropped.
struct StagingFile(PathBuf);

impl Drop for StagingFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_file(reserve_path(&self.0));
    }
}

/// Writes into a data file of its own, then merges that into the site as the command does: known
/// addresses stay as they are, and all or nothing is imported.
async fn merge(
    app: &App,
    actor: Actor,
    write: impl FnOnce(&mut Writer<'_>) -> importers::Result<()> + Send + 'static,
) -> Result<ImportSummary> {
    let path = fs_util::temp_path(&app.config.data, TempKind::Staging).map_err(unwritable)?;
    let staging = blocking(move || {
        let staging = StagingFile(path);
        let store = Store::open(&staging.0).map_err(|error| Error::Store(error.to_string()))?;
        store.write(write).map_err(explain)?;
        Ok(staging)
    })
    .await?;
    app.change_as(actor, move |writer| {
        let from = open_staging(&staging.0)?;
        from.read(|reader| Ok(writer.adopt(reader)?))
    })
    .await
}

fn open_staging(path: &Path) -> Result<Store> {
    Store::look(path).map_err(|error| Error::Store(error.to_string()))
}

fn invalid_file(message: String) -> Error {
    Error::Invalid(vec![FieldError::new(FILE, message)])
}

fn explain(error: importers::Error) -> Error {
    match error {
        importers::Error::UnusableTable { problem, .. } => {
            invalid_file(problem.italian().to_owned())
        }
        importers::Error::InvalidRow { line, problem } => {
            invalid_file(format!("Riga {line}: {}.", problem.italian()))
        }
        importers::Error::InvalidPost { title, errors } => {
            let reasons = errors.iter().map(|error| error.message.as_str());
            invalid_file(format!(
                "«{title}»: {}",
                reasons.collect::<Vec<_>>().join("; ")
            ))
        }
        importers::Error::File { .. } => invalid_file(UNREADABLE.to_owned()),
        error => error.into(),
    }
}

fn explain_export(error: &ReadError) -> Error {
    match error {
        ReadError::NotWxr => invalid_file(NOT_WXR.to_owned()),
        ReadError::TooLarge => Error::TooLarge(SizeLimit::Import),
        ReadError::Line { line, .. } => invalid_file(format!(
            "Il file è rovinato alla riga {line}. Esportalo di nuovo da WordPress."
        )),
        ReadError::Io(_) => invalid_file(UNREADABLE.to_owned()),
    }
}

/// Cuts a text at the end of a line.
fn cut(mut text: String, bytes_max: usize) -> String {
    if text.len() > bytes_max {
        let end = text.floor_char_boundary(bytes_max);
        let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
        text.truncate(end);
        text.push_str("[…]\n");
    }
    text
}
