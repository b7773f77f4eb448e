//! Admin endpoints for content blocks: read, change one or all, restore a version, preview.

use crate::errors::{Error, FieldError, Result};
use crate::http::auth::Admin;
use crate::http::pages::preview;
use crate::http::pages::published_pages::preview_response;
use crate::http::precondition::IfMatch;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, json_with_etag};
use crate::http::{AppState, HandlerResult};
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_auth::token;
use respiro_content::blocks::{
    self, AdminView, BlockDefinition, BlockDefinitions, Change, PublishedBlock, SavedBlock,
    Strictness,
};
use respiro_content::{Snapshot, Timestamp};
use respiro_db::{self as db, Actor, Reader, Writer};
use respiro_publish::{Pages, Publisher};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

const NO_BLOCKS: &str = "deve essere un oggetto con i blocchi da cambiare";
const NO_BLOCK: &str = "non c'è un blocco con questo nome";

type Id = web::Path<String>;

#[derive(serde::Serialize)]
struct Blocks {
    blocks: Vec<AdminView<'static>>,
    /// How many pages the publish changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<usize>,
}

pub async fn list(_: Admin, app: AppState) -> HandlerResult {
    let table = app.site.definitions();
    let read = |reader: &Reader<'_>| {
        let saved = reader.content_blocks().list()?;
        let block = |block: &'static BlockDefinition| {
            let confirmed = reader.content_blocks().attestation(&block.id)?;
            let saved = saved.get(&block.id);
            Ok(block.admin_view(block.own_value(saved), saved, confirmed.as_ref()))
        };
        table.list.iter().map(block).collect::<Result<Vec<_>>>()
    };
    let blocks = app.read(read).await?;
    json_no_store(
        StatusCode::OK,
        &Blocks {
            blocks,
            pages: None,
        },
    )
}

pub async fn get(_: Admin, app: AppState, id: Id) -> HandlerResult {
    let definition = find(&app, &id)?;
    let json = app.read(move |reader| current(definition, reader)).await?;
    json_with_etag(StatusCode::OK, &json)
}

pub async fn put(
    admin: Admin,
    app: AppState,
    id: Id,
    expected: IfMatch,
    body: JsonObject,
) -> HandlerResult {
    let definition = find(&app, &id)?;
    let change = parse_change(definition, &body.0, Strictness::Published)?;
    let (actor, definitions) = (admin.actor(app.now()), app.site.definitions());
    let (now, account) = (actor.at, admin.session.email);
    let json = app
        .change_as(actor, move |writer| {
            expected.check(|| current(definition, writer))?;
            change_block(writer, (definition, definitions), change, now, &account)?;
            current(definition, writer)
        })
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

/// Changes all blocks or none, in one transaction and one publish.
pub async fn put_all(admin: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let former = app.site.publisher.pages();
    let actor = admin.actor(app.now());
    let blocks = change_all(&app, blocks_in(&body.0)?, actor, |_| Ok(())).await?;
    let pages = Some(pages_since(&app.site.publisher, former.as_ref()));
    json_no_store(StatusCode::OK, &Blocks { blocks, pages })
}

/// Changes all blocks or none. `after` runs in the same transaction.
pub async fn change_all(
    app: &App,
    blocks: &Map<String, Json>,
    actor: Actor,
    after: impl FnOnce(&mut Writer<'_>) -> Result<()> + Send + 'static,
) -> Result<Vec<AdminView<'static>>> {
    let mut changes = Vec::new();
    let mut errors = Vec::new();
    for (id, part) in blocks {
        let Some(definition) = app.site.definitions().find(id) else {
            errors.push(unknown_block(id));
            continue;
        };
        let object = part.as_object().ok_or_else(|| invalid(id, NO_BLOCKS))?;
        match parse_change(definition, object, Strictness::Published) {
            Ok(change) => changes.push((definition, change, expected_version(object))),
            Err(Error::Invalid(refused)) => errors.extend(set_block_id(refused, definition)),
            Err(error) => return Err(error),
        }
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let (now, account) = (actor.at, actor.account.clone());
    let definitions = app.site.definitions();
    app.change_as(actor, move |writer| {
        let mut blocks = Vec::new();
        let mut errors = Vec::new();
        let mut values = Vec::new();
        for (definition, change, version) in changes {
            check_version(writer, definition, version.as_deref())?;
            let value = change.value.clone().flatten();
            values.extend(value.map(|value| (definition, value)));
            let (saved, own) = match writer
                .content_blocks()
                .change(definition, change, now, &account)
            {
                Ok(done) => done,
                // Missing pictures: report those of every block, not of the first one alone.
                Err(db::Error::Invalid(missing)) => {
                    errors.extend(set_block_id(missing, definition));
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let confirmed = writer.content_blocks().attestation(&definition.id)?;
            blocks.push(definition.admin_view(own, saved.as_ref(), confirmed.as_ref()));
        }
        for (definition, value) in &values {
            let checked = writer.content_blocks();
            match checked.check_entries(definition, value, definitions) {
                Err(db::Error::Invalid(gone)) => errors.extend(set_block_id(gone, definition)),
                checked => checked?,
            }
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        after(writer)?;
        Ok(blocks)
    })
    .await
}

/// Returns how many pages the publish after `former` changed. A concurrent publish may be counted
/// instead.
fn pages_since(site: &Publisher, former: Option<&Arc<Pages>>) -> usize {
    let present = site.pages();
    if present.as_ref().map(Arc::as_ptr) == former.map(Arc::as_ptr) {
        return 0;
    }
    site.state().map_or(0, |state| state.stats.pages)
}

pub async fn versions(_: Admin, app: AppState, id: Id) -> HandlerResult {
    let definition = find(&app, &id)?;
    let versions = app
        .read(|reader| Ok(reader.content_blocks().versions(&definition.id)?))
        .await?;
    let versions: Vec<Json> = versions
        .iter()
        .map(|saved| definition.version_json(saved))
        .collect();
    json_no_store(StatusCode::OK, &json!({ "versions": versions }))
}

/// Saves a former version as a new one.
pub async fn restore(
    admin: Admin,
    app: AppState,
    path: web::Path<(String, String)>,
    expected: IfMatch,
) -> HandlerResult {
    let (id, version) = path.into_inner();
    let definition = find(&app, &id)?;
    let (actor, definitions) = (admin.actor(app.now()), app.site.definitions());
    let (now, account) = (actor.at, admin.session.email);
    let json = app
        .change_as(actor, move |writer| {
            expected.check(|| current(definition, writer))?;
            let versions = writer.content_blocks().versions(&definition.id)?;
            let is_it = |saved: &&SavedBlock| definition.version(Some(saved)) == version;
            let former = versions.iter().find(is_it).ok_or(Error::NotFound)?;
            // Validate it again: an older release may have accepted what this one refuses.
            let mut object = Map::new();
            object.insert(
                "value".to_owned(),
                definition.own_value(Some(former)).unwrap_or_default(),
            );
            let hidden = definition.is_hidden(Some(former));
            object.insert("hidden".to_owned(), json!(hidden));
            let change = parse_change(definition, &object, Strictness::Published)?;
            change_block(writer, (definition, definitions), change, now, &account)?;
            current(definition, writer)
        })
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

/// Renders `{page, blocks}` as the whole page; each text is marked with the place it comes from.
pub async fn preview(_: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let path = body.text("page")?.to_owned();
    let nothing = Map::new();
    let blocks = match body.0.get("blocks") {
        None | Some(Json::Null) => &nothing,
        Some(_) => blocks_in(&body.0)?,
    };
    render_drafts(&app, path, blocks, Publisher::marked_preview).await
}

/// Renders a page of the site with drafts of blocks, by `render`.
pub async fn render_drafts(
    app: &App,
    path: String,
    blocks: &Map<String, Json>,
    render: fn(&Publisher, &Snapshot, &str) -> respiro_publish::Result<String>,
) -> HandlerResult {
    let mut drafts = Vec::new();
    for (id, part) in blocks {
        let definition = app.site.definitions().find(id);
        let definition = definition.ok_or_else(|| Error::Invalid(vec![unknown_block(id)]))?;
        let object = part.as_object().ok_or_else(|| invalid(id, NO_BLOCKS))?;
        let change = parse_change(definition, object, Strictness::Draft);
        drafts.push((
            definition,
            change.map_err(|error| with_block_id(error, definition))?,
        ));
    }
    let permit = preview::acquire(app).await?;
    let published = app.site.published_snapshot().await?;
    let now = app.now();
    let snapshot = app
        .read(move |reader| with_drafts(reader, Snapshot::clone(&published), now, drafts))
        .await?;
    let site = Arc::clone(&app.site.publisher);
    let rendered = permit.blocking(move || Ok(render(&site, &snapshot, &path)?));
    let html = rendered.await?;
    Ok(preview_response(html))
}

fn with_drafts(
    reader: &Reader<'_>,
    mut snapshot: Snapshot,
    now: Timestamp,
    drafts: Vec<(&'static BlockDefinition, Change)>,
) -> Result<Snapshot> {
    for (definition, change) in drafts {
        let saved = reader.content_blocks().get(&definition.id)?;
        let own = definition.own_value(saved.as_ref());
        let value = change.value.unwrap_or(own);
        let hidden = change
            .hidden
            .unwrap_or_else(|| definition.is_hidden(saved.as_ref()));
        let ids = value.as_ref().map(blocks::picture_ids).unwrap_or_default();
        let pictures = reader.pictures().find(ids.iter().map(String::as_str))?;
        let shown = PublishedBlock::new(definition, value, hidden, &pictures).with_change_day(now);
        snapshot
            .blocks
            .insert(definition.id.clone(), Arc::new(shown));
    }
    Ok(snapshot)
}

fn find(app: &App, id: &str) -> Result<&'static BlockDefinition> {
    app.site.definitions().find(id).ok_or(Error::NotFound)
}

fn unknown_block(id: &str) -> FieldError {
    let shown: String = id.chars().take(60).collect();
    FieldError::new(id, format!("«{shown}»: {NO_BLOCK}"))
}

/// Changes one block, and fails if it then names an entry of another list that does not exist.
fn change_block(
    writer: &mut Writer<'_>,
    (definition, definitions): (&BlockDefinition, &BlockDefinitions),
    change: Change,
    now: Timestamp,
    account: &str,
) -> Result<()> {
    let value = change.value.clone().flatten();
    let mut blocks = writer.content_blocks();
    blocks.change(definition, change, now, account)?;
    match value {
        Some(value) => Ok(blocks.check_entries(definition, &value, definitions)?),
        None => Ok(()),
    }
}

/// Returns the blocks of a body, or of a draft of a page.
pub fn blocks_in(body: &Map<String, Json>) -> Result<&Map<String, Json>> {
    let blocks = body.get("blocks").and_then(Json::as_object);
    blocks.ok_or_else(|| invalid("blocks", NO_BLOCKS))
}

pub(super) fn parse_change(
    definition: &BlockDefinition,
    object: &Map<String, Json>,
    care: Strictness,
) -> Result<Change> {
    Change::parse(definition, object, care, &mut || token::id().ok()).map_err(Into::into)
}

fn current(definition: &BlockDefinition, reader: &Reader<'_>) -> Result<Json> {
    let saved = reader.content_blocks().get(&definition.id)?;
    let confirmed = reader.content_blocks().attestation(&definition.id)?;
    Ok(definition.to_json(saved.as_ref(), confirmed.as_ref())?)
}

fn expected_version(object: &Map<String, Json>) -> Option<String> {
    let version = object.get("version").and_then(Json::as_str)?;
    Some(version.trim_matches('"').to_owned())
}

fn check_version(
    reader: &Reader<'_>,
    definition: &BlockDefinition,
    version: Option<&str>,
) -> Result<()> {
    let saved = reader.content_blocks().get(&definition.id)?;
    match version {
        Some(version) if version != definition.version(saved.as_ref()) => Err(Error::Stale {
            current: Box::new(current(definition, reader)?),
        }),
        _ => Ok(()),
    }
}

fn with_block_id(error: Error, definition: &BlockDefinition) -> Error {
    match error {
        Error::Invalid(errors) => Error::Invalid(set_block_id(errors, definition)),
        other => other,
    }
}

pub(super) fn set_block_id(
    mut errors: Vec<FieldError>,
    definition: &BlockDefinition,
) -> Vec<FieldError> {
    for error in &mut errors {
        error.block = Some(definition.id.clone());
    }
    errors
}
