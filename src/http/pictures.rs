//! Stored pictures and their variants, from a small cache of those that are asked for most.

use super::guard;
use super::respond::{matches, not_modified};
use super::sliced::Sliced;
use super::{Answer, Shared};
use crate::app::{App, blocking};
use crate::content::check::is_id;
use crate::content::item::picture_of;
use crate::content::{KINDS, Picture, Snapshot, StoredFile};
use crate::error::{Error, Result};
use crate::images;
use crate::store::{PictureUse, Reader};
use actix_web::http::header;
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Bytes of pictures kept in memory.
const CACHE_BYTES_MAX: usize = 12 * 1024 * 1024;
/// A picture larger than this is read from the store each time.
const CACHED_BYTES_MAX: usize = 1024 * 1024;
pub(super) const MAIN: &str = "main";
/// Kept, never served: it still carries its metadata.
const ORIGINAL: &str = "original";
const SOCIAL: &str = "social.jpg";
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// The title on a social picture may change.
const FOR_A_DAY: &str = "public, max-age=86400";

pub async fn main(request: HttpRequest, shared: Shared, id: web::Path<String>) -> Answer {
    serve(&request, &shared, &id, MAIN).await
}

pub async fn variant(
    request: HttpRequest,
    shared: Shared,
    path: web::Path<(String, String)>,
) -> Answer {
    let (id, name) = path.into_inner();
    match name.as_str() {
        MAIN | ORIGINAL => Err(Error::NotFound),
        SOCIAL => social(&request, &shared, &id).await,
        name => serve(&request, &shared, &id, name).await,
    }
}

async fn serve(request: &HttpRequest, app: &App, id: &str, name: &str) -> Answer {
    let file = find(request, app, id, name).await?;
    let tag = etag(&file.hash);
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, file.media_type.as_str()))
        .insert_header((header::CACHE_CONTROL, FOR_EVER))
        .insert_header((header::CONTENT_DISPOSITION, "inline"))
        .insert_header((header::ETAG, tag.as_str()));
    if matches(request.headers(), &tag) {
        return Ok(not_modified(&mut response));
    }
    let bytes = bytes(app, file.hash).await?;
    Ok(response.body(Sliced::new(bytes)))
}

/// The file of a picture that this request may see.
async fn find(request: &HttpRequest, app: &App, id: &str, name: &str) -> Result<StoredFile> {
    let (picture, picture_use) = picture(app, id).await?;
    let visible = match picture_use {
        PictureUse::Live | PictureUse::Nobody => true,
        PictureUse::TrashOnly => guard::find(request, app).await?.is_some(),
    };
    let file = picture.files.get(name).filter(|_| visible);
    file.cloned().ok_or(Error::NotFound)
}

async fn picture(app: &App, id: &str) -> Result<(Picture, PictureUse)> {
    if !is_id(id) {
        return Err(Error::NotFound);
    }
    let id = id.to_owned();
    app.read(move |reader: &Reader<'_>| {
        let picture = reader.picture(&id)?.ok_or(Error::NotFound)?;
        Ok((picture, reader.picture_use(&id)?))
    })
    .await
}

async fn bytes(app: &App, hash: [u8; 32]) -> Result<Bytes> {
    if let Some(bytes) = CACHE.get(&hash) {
        return Ok(bytes);
    }
    let read = app.read(move |reader| reader.blob(&hash)).await?;
    let bytes = Bytes::from(read.ok_or(Error::NotFound)?);
    CACHE.put(hash, &bytes);
    Ok(bytes)
}

/// The 1200x630 picture that messengers show, with the title of what uses the picture.
async fn social(request: &HttpRequest, app: &App, id: &str) -> Answer {
    let file = find(request, app, id, MAIN).await?;
    let snapshot = app.published().await?;
    let (title, focus) = caption(&snapshot, id);
    let brand = snapshot.settings.to_json();
    let brand = brand.get("brand").and_then(serde_json::Value::as_str);
    let brand = brand.unwrap_or_default().to_owned();
    let key = crate::auth::token::hash(&format!("{id}\n{title}\n{brand}\n{focus:?}"));
    let tag = etag(&key);
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "image/jpeg"))
        .insert_header((header::CACHE_CONTROL, FOR_A_DAY))
        .insert_header((header::CONTENT_DISPOSITION, "inline"))
        .insert_header((header::ETAG, tag.as_str()));
    if matches(request.headers(), &tag) {
        return Ok(not_modified(&mut response));
    }
    let bytes = match CACHE.get(&key) {
        Some(bytes) => bytes,
        None => draw(app, file.hash, key, (title, brand, focus)).await?,
    };
    Ok(response.body(Sliced::new(bytes)))
}

async fn draw(
    app: &App,
    hash: [u8; 32],
    key: [u8; 32],
    (title, brand, focus): (String, String, (u8, u8)),
) -> Result<Bytes> {
    let main = bytes(app, hash).await?;
    let turn = Arc::clone(&app.queues.image_workers).acquire_owned().await;
    let drawn = blocking(move || {
        let _turn = turn;
        images::social(Some(&main), &title, &brand, focus)
            .map_err(|refusal| Error::Internal(format!("social picture: {refusal:?}")))
    })
    .await?;
    let bytes = Bytes::from(drawn);
    CACHE.put(key, &bytes);
    Ok(bytes)
}

/// Title and focal point of the first published item that shows the picture.
fn caption(snapshot: &Snapshot, id: &str) -> (String, (u8, u8)) {
    let items = KINDS.iter().flat_map(|kind| snapshot.published(kind));
    for item in items {
        let shown = picture_of(item, &item.pictures).filter(|picture| picture.id == id);
        if let Some(picture) = shown {
            let title = item.text("title").unwrap_or_default().to_owned();
            let chosen = (item.focus("imageFocusX"), item.focus("imageFocusY"));
            return (title, picture.focus(chosen));
        }
    }
    (String::new(), (50, 50))
}

pub(super) fn etag(hash: &[u8; 32]) -> String {
    let mut tag = String::from("\"");
    for byte in &hash[..12] {
        // Writing to a string cannot fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    tag
}

/// Blobs by their hash: what is cached can never be stale.
static CACHE: LazyLock<Cache> = LazyLock::new(Cache::default);

#[derive(Debug, Default)]
struct Cache(Mutex<Kept>);

/// The least recently asked for stands first.
#[derive(Debug, Default)]
struct Kept {
    bytes: usize,
    entries: VecDeque<([u8; 32], Bytes)>,
}

impl Cache {
    fn get(&self, hash: &[u8; 32]) -> Option<Bytes> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let position = kept.entries.iter().position(|(known, _)| known == hash)?;
        let entry = kept.entries.remove(position)?;
        let bytes = entry.1.clone();
        kept.entries.push_back(entry);
        Some(bytes)
    }

    fn put(&self, hash: [u8; 32], bytes: &Bytes) {
        if bytes.len() > CACHED_BYTES_MAX {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.entries.iter().any(|(known, _)| *known == hash) {
            return;
        }
        kept.bytes += bytes.len();
        kept.entries.push_back((hash, bytes.clone()));
        while kept.bytes > CACHE_BYTES_MAX {
            let Some((_, oldest)) = kept.entries.pop_front() else {
                return;
            };
            kept.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_forgets_what_was_asked_for_longest_ago() {
        let cache = Cache::default();
        let megabyte = Bytes::from(vec![0; CACHED_BYTES_MAX]);
        for number in 0..12 {
            cache.put([number; 32], &megabyte);
        }
        assert!(cache.get(&[0; 32]).is_some());
        cache.put([12; 32], &megabyte);
        assert!(cache.get(&[0; 32]).is_some());
        assert!(cache.get(&[1; 32]).is_none());
        cache.put([99; 32], &Bytes::from(vec![0; CACHED_BYTES_MAX + 1]));
        assert!(cache.get(&[99; 32]).is_none());
    }
}
