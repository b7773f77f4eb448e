//! Previews: a form rendered as its page, and signed links to a draft.

use crate::errors::{Error, Result};
use crate::http::api::drafts;
use crate::http::auth::Admin;
use crate::http::pages::published_pages::preview_response;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use crate::state::App;
use crate::state::work_queues::Permit;
use actix_web::http::StatusCode;
use actix_web::web;
use respiro_auth::signed_links::{self, Purpose};
use respiro_content::time::rfc3339;
use respiro_content::{Changes, Collection, Item, Snapshot, collection_by_slug};
use respiro_db::Reader;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Validity of a preview link.
const LINK_MILLISECONDS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// Id of an item that is not saved yet.
const UNSAVED_ID: &str = "anteprima";
const RETRY_SECONDS: u64 = 5;

/// Renders `{kind, id?, fields}` as the whole page that would show it.
pub async fn render_form(_: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let collection = collection_by_slug(body.text("kind")?);
    let collection = collection.ok_or_else(|| invalid("kind", "non è un tipo di contenuto"))?;
    let id = body.optional_text("id")?.map(str::to_owned);
    let fields = body.0.get("fields").and_then(Json::as_object);
    let fields = fields.ok_or_else(|| invalid("fields", "deve essere un oggetto"))?;
    let mut fields = fields.clone();
    if let Some(slug) = collection.slug_field() {
        let empty = fields
            .get(slug.name)
            .is_none_or(|slug| slug.as_str() == Some(""));
        if empty {
            fields.insert(slug.name.to_owned(), json!(UNSAVED_ID));
        }
    }
    let changes = Changes::parse(collection, &fields)?;
    let now = app.now();
    let html = render(&app, collection, move |reader| {
        let saved = match id {
            Some(id) => reader.items().get(collection, &id)?,
            None => None,
        };
        match saved {
            Some(mut item) => {
                item.merge(collection, changes, now)?;
                Ok(item)
            }
            None => Ok(Item::create(
                collection,
                changes,
                UNSAVED_ID.to_owned(),
                0,
                now,
            )?),
        }
    })
    .await?;
    json_no_store(StatusCode::OK, &json!({ "html": html }))
}

/// Waits for the permit to render a preview; 429 when too many requests wait.
pub(in crate::http) async fn acquire(app: &App) -> Result<Permit> {
    let permit = app.queues.previews.acquire().await;
    permit.ok_or(Error::TooManyRequests {
        retry_after_seconds: RETRY_SECONDS,
    })
}

/// Renders the page of one item as if it were published.
async fn render<F>(app: &App, collection: &'static Collection, item: F) -> Result<String>
where
    F: FnOnce(&Reader<'_>) -> Result<Item> + Send + 'static,
{
    let permit = acquire(app).await?;
    let published = app.site.published_snapshot().await?;
    let (snapshot, path) = app
        .read(move |reader| {
            let mut item = item(reader)?;
            item.published = true;
            let path = item.page_path(collection).or_else(|| {
                // Its page shows only the first of the list.
                item.sort_order = -1;
                collection.list.map(str::to_owned)
            });
            let path = path.ok_or(Error::NotFound)?;
            let mut snapshot = Snapshot::clone(&published);
            let entry = reader.items().entry(collection, item)?;
            // Remove another item at the same address: it would be rendered instead.
            let others = published.published(collection).iter().filter(|other| {
                other.id != entry.id && other.page_path(collection).as_ref() == Some(&path)
            });
            let mut entries: BTreeMap<_, _> =
                others.map(|other| (other.id.clone(), None)).collect();
            entries.insert(entry.id.clone(), Some(entry));
            snapshot.apply(collection, entries);
            Ok((snapshot, path))
        })
        .await?;
    let site = Arc::clone(&app.site.publisher);
    permit
        .blocking(move || Ok(site.preview(&snapshot, &path)?))
        .await
}

/// Returns a link that shows an item in its current state, published or not, to its holder.
pub async fn link(
    collection: &'static Collection,
    app: AppState,
    id: web::Path<String>,
) -> HandlerResult {
    let id = id.into_inner();
    let wanted = id.clone();
    let find = move |reader: &Reader<'_>| Ok(reader.items().get(collection, &wanted)?);
    app.read(find).await?.ok_or(Error::NotFound)?;
    link_answer(&app, &format!("{}.{id}", collection.slug)).await
}

/// Answers with a signed link to `KIND.ID`.
pub(in crate::http) async fn link_answer(app: &App, subject: &str) -> HandlerResult {
    let key = app.read(|reader| Ok(reader.secret()?)).await?;
    let expires_at = app.now() + LINK_MILLISECONDS;
    let signature = signed_links::sign(&key, Purpose::Preview, subject, expires_at);
    let url = format!(
        "{}/anteprima/{subject}.{expires_at}.{signature}",
        app.site.public_url()
    );
    json_no_store(
        StatusCode::OK,
        &json!({ "url": url, "expiresAt": rfc3339(expires_at) }),
    )
}

/// Serves the page behind a preview link; 404 if it is altered or expired, or the item is gone.
pub async fn open_link(app: AppState, token: web::Path<String>) -> HandlerResult {
    let (kind, id, expires_at, signature) = parse(&token).ok_or(Error::NotFound)?;
    let key = app.read(|reader| Ok(reader.secret()?)).await?;
    let subject = format!("{kind}.{id}");
    let signed = signed_links::verify(&key, Purpose::Preview, &subject, expires_at, &signature);
    if !signed || expires_at <= app.now() {
        return Err(Error::NotFound);
    }
    if kind == drafts::LINK_KIND {
        return drafts::open_link(&app, id).await;
    }
    let collection = collection_by_slug(&kind).ok_or(Error::NotFound)?;
    let html = render(&app, collection, move |reader| {
        reader.items().get(collection, &id)?.ok_or(Error::NotFound)
    })
    .await?;
    Ok(preview_response(html))
}

/// Parses `KIND.ID.EXPIRES.SIGNATURE`.
fn parse(token: &str) -> Option<(String, String, i64, String)> {
    let mut parts = token.splitn(4, '.');
    let (kind, id) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let expires_at = parts.next()?.parse().ok()?;
    Some((kind, id, expires_at, parts.next()?.to_owned()))
}
