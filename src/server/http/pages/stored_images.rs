//! Serves stored pictures and their variants, and decides which of them a request may see.

use crate::errors::{Error, Result};
use crate::http::auth;
use crate::http::body_cursor::BodyCursor;
use crate::http::cached_response::{self, CachedResponse};
use crate::http::pages::published_pages::{MANY_SOCIAL_IMAGES, NOT_PUBLISHED};
use crate::http::responses::{etag_of_hash, matches, not_modified, values};
use crate::http::{AppState, HandlerResult};
use crate::state::App;
use actix_web::body;
use actix_web::http::{Method, header};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use respiro_content::StoredFile;
use respiro_content::picture::{MAIN, is_private_file};
use respiro_content::validation::is_id;
use respiro_publish::headers::{FOR_A_DAY, FOR_NOBODY};
use respiro_publish::{Pages, caption};
use std::sync::Arc;

const SOCIAL: &str = "social.jpg";

pub async fn main(request: HttpRequest, app: AppState, id: web::Path<String>) -> HandlerResult {
    serve(&request, &app, &id, MAIN).await
}

pub async fn variant(
    request: HttpRequest,
    app: AppState,
    path: web::Path<(String, String)>,
) -> HandlerResult {
    let (id, name) = path.into_inner();
    match name.as_str() {
        name if is_private_file(name) => Err(Error::NotFound),
        SOCIAL => serve_social(&request, &app, &id).await,
        name => serve(&request, &app, &id, name).await,
    }
}

async fn serve(request: &HttpRequest, app: &AppState, id: &str, name: &str) -> HandlerResult {
    let (file, visibility) = find_file(request, app, id, name).await?;
    let picture = match visibility {
        Visibility::Public => CachedResponse::picture(&file),
        Visibility::Admin => CachedResponse::picture_in_private(&file),
    };
    cached_response::send(app, request, &picture).await
}

/// Who may see a picture. It selects `Cache-Control`: after the admin looked at the trash, shared
/// caches would else hold a deleted picture for a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visibility {
    Public,
    /// Only the trash refers to the picture.
    Admin,
}

/// Returns the file of a picture if this request may see it.
async fn find_file(
    request: &HttpRequest,
    app: &App,
    id: &str,
    name: &str,
) -> Result<(StoredFile, Visibility)> {
    if let Some(pages) = app.site.publisher.pages()
        && let Some(file) = published_file(&pages, id, name)
    {
        return Ok((file.clone(), Visibility::Public));
    }
    if !is_id(id) {
        return Err(Error::NotFound);
    }
    let (of_id, name) = (id.to_owned(), name.to_owned());
    let read = app.read(move |reader| {
        let picture = reader.pictures().get(&of_id)?.ok_or(Error::NotFound)?;
        picture.files.get(&name).cloned().ok_or(Error::NotFound)
    });
    let file = read.await?;
    if !app.site.is_picture_of_trash_only(id).await? {
        return Ok((file, Visibility::Public));
    }
    let session = auth::find_admin(request, app).await?;
    session.ok_or(Error::NotFound)?;
    Ok((file, Visibility::Admin))
}

/// Parses the picture's id and the file name from a path below the folder of pictures.
pub fn id_and_name(path: &str) -> Option<(&str, &str)> {
    match path.split_once('/') {
        None => Some((path, MAIN)),
        Some((_, name)) if is_private_file(name) => None,
        both => both,
    }
}

/// Returns a file of a published picture without reading the data file.
pub fn published_file<'a>(pages: &'a Pages, id: &str, name: &str) -> Option<&'a StoredFile> {
    pages.picture(id)?.files.get(name)
}

/// Serves the 1200x630 link-preview image, with the title of the item that shows the picture.
async fn serve_social(request: &HttpRequest, app: &App, id: &str) -> HandlerResult {
    let pages = app.site.publisher.pages();
    let pages = pages.ok_or(Error::Unavailable(NOT_PUBLISHED))?;
    let ((title, brand), focus) = caption(&pages, id);
    let key = respiro_auth::token::hash(&format!("{id}\n{title}\n{brand}\n{focus:?}"));
    let tag = etag_of_hash(&key, "");
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "image/jpeg"))
        .insert_header((header::CACHE_CONTROL, FOR_A_DAY))
        .insert_header((header::CONTENT_DISPOSITION, "inline"))
        .insert_header((header::ETAG, tag.as_str()));
    let is_known = matches(values(request.headers(), header::IF_NONE_MATCH), &tag);
    if is_known && published_file(&pages, id, MAIN).is_some() {
        return Ok(not_modified(&mut response));
    }
    let (file, visibility) = find_file(request, app, id, MAIN).await?;
    if visibility == Visibility::Admin {
        response.insert_header((header::CACHE_CONTROL, FOR_NOBODY));
    }
    if is_known {
        return Ok(not_modified(&mut response));
    }
    if let Some(bytes) = app.caches.images.get(&key) {
        return Ok(response.body(BodyCursor::from(bytes).into_body(None)));
    }
    // HEAD does not draw the image; its length is unknown and left out.
    if request.method() == Method::HEAD {
        return Ok(response.body(body::None::new()).map_into_boxed_body());
    }
    let bytes = render_social(app, file.hash, key, (title, brand, focus)).await?;
    Ok(response.body(BodyCursor::from(bytes).into_body(None)))
}

async fn render_social(
    app: &App,
    hash: [u8; 32],
    key: [u8; 32],
    (title, brand, focus): (String, String, (u8, u8)),
) -> Result<Bytes> {
    let permit = app.queues.social_images.acquire().await;
    let permit = permit.ok_or(Error::Unavailable(MANY_SOCIAL_IMAGES))?;
    // The previous holder of the permit may have drawn it.
    if let Some(bytes) = app.caches.images.get(&key) {
        return Ok(bytes);
    }
    let main = app.blob(hash).await?;
    let site = Arc::clone(&app.site.publisher);
    let drawn = permit.blocking(move || Ok(site.draw_titled(&main, focus, &(title, brand))?));
    let bytes = Bytes::from(drawn.await?);
    app.caches.images.put(key, &bytes);
    Ok(bytes)
}
