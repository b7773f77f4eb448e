//! Demonstration content: fills an empty data file with examples, marked as such.

mod unchanged;

pub use unchanged::unchanged;

use crate::error::{Error, Result};
use respiro_auth::token;
use respiro_content::time::parse_rfc3339;
use respiro_content::value::picture_path;
use respiro_content::{Changes, Collection, Settings, Timestamp, collection_by_slug};
use respiro_db::{WriteAccess, Writer};
use respiro_media::ProcessedImage;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// The embedded texts.
#[derive(rust_embed::Embed)]
#[folder = "$CARGO_MANIFEST_DIR/demo/content/"]
struct Texts;

/// The embedded pictures.
#[derive(rust_embed::Embed)]
#[folder = "$CARGO_MANIFEST_DIR/demo/pictures/"]
struct Drawings;

/// Sources of the examples: kind, text file, prefix of picture names.
const SOURCES: &[(&str, &str, Option<&str>)] = &[
    ("course-testimonials", "courseTestimonials.json", None),
    ("photo-gallery", "photoGallery.json", Some("gallery")),
    ("special-thanks", "specialThanks.json", Some("thanks")),
    ("media-features", "mediaFeatures.json", Some("press")),
    ("events", "events.json", Some("event")),
    ("blog", "blogPosts.json", Some("blog")),
];

/// Number of threads that process pictures; the first start waits for them.
const THREADS: usize = 2;

/// A processed picture, ready to be stored.
struct ProcessedDrawing {
    name: String,
    processed: ProcessedImage,
    original: Vec<u8>,
}

/// Fills the data file if it holds no items. Returns whether it did.
pub fn fill(store: &WriteAccess, now: Timestamp) -> Result<bool> {
    let figures = store.read(|reader| reader.figures())?;
    if !figures.counts.values().all(|count| *count == 0) {
        return Ok(false);
    }
    let drawings = process_drawings()?;
    store.write(|writer| -> Result<_> {
        let ids = write_pictures(writer, drawings, now)?;
        for (slug, file, prefix) in SOURCES {
            let collection = collection_by_slug(slug).ok_or_else(|| invalid_content(slug))?;
            for (position, body) in read_items(file)?.into_iter().enumerate() {
                let picture = prefix.and_then(|prefix| {
                    ids.get(&format!("{prefix}-{}", position + 1))
                        .map(String::as_str)
                });
                write_item(writer, collection, body, picture, now)?;
            }
        }
        writer.settings().put(&settings()?)?;
        Ok(writer.set_demo(true)?)
    })?;
    Ok(true)
}

fn invalid_content(what: &str) -> Error {
    Error::Internal(format!("demonstration content is broken: {what}"))
}

fn read_items(file: &str) -> Result<Vec<Map<String, Json>>> {
    let data = Texts::get(file).ok_or_else(|| invalid_content(file))?;
    let json: Json = serde_json::from_slice(&data.data)
        .map_err(|error| invalid_content(&format!("{file}: {error}")))?;
    let items = json
        .get("items")
        .and_then(Json::as_array)
        .ok_or_else(|| invalid_content(file))?;
    Ok(items.iter().filter_map(Json::as_object).cloned().collect())
}

fn write_item(
    writer: &mut Writer<'_>,
    collection: &'static Collection,
    mut body: Map<String, Json>,
    picture: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    body.insert(
        "imageUrl".to_owned(),
        picture.map_or(Json::Null, |id| json!(picture_path(id))),
    );
    body.entry("published").or_insert(Json::Bool(true));
    if let Some(hint) = body.remove("imageHint") {
        body.insert("imageAlt".to_owned(), hint);
    } else if picture.is_some() {
        body.insert("imageDecorative".to_owned(), Json::Bool(true));
    }
    let created_at = body
        .get("createdAt")
        .and_then(Json::as_str)
        .and_then(parse_rfc3339);
    let changes = Changes::parse(collection, &body)?;
    writer
        .items()
        .create(collection, changes, new_id()?, created_at.unwrap_or(now))?;
    Ok(())
}

fn new_id() -> Result<String> {
    token::id().map_err(|error| Error::Internal(error.to_string()))
}

/// Decodes and encodes every picture on `THREADS` threads.
fn process_drawings() -> Result<Vec<ProcessedDrawing>> {
    let names: Vec<String> = Drawings::iter()
        .filter(|name| !name.ends_with(".md"))
        .map(|name| name.to_string())
        .collect();
    let share = names.len().div_ceil(THREADS).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = names
            .chunks(share)
            .map(|chunk| {
                scope.spawn(move || chunk.iter().map(|name| process_drawing(name)).collect())
            })
            .collect();
        let mut drawings = Vec::with_capacity(names.len());
        for worker in workers {
            let part: Result<Vec<ProcessedDrawing>> = worker
                .join()
                .unwrap_or_else(|_| Err(invalid_content("a picture")));
            drawings.extend(part?);
        }
        Ok(drawings)
    })
}

fn process_drawing(name: &str) -> Result<ProcessedDrawing> {
    let file = Drawings::get(name).ok_or_else(|| invalid_content(name))?;
    let processed = respiro_media::process(&file.data)
        .map_err(|refusal| invalid_content(&format!("{name}: {refusal:?}")))?;
    let stem = name
        .trim_start_matches("pictures/")
        .split('.')
        .next()
        .unwrap_or_default();
    Ok(ProcessedDrawing {
        name: stem.to_owned(),
        processed,
        original: file.data.into_owned(),
    })
}

fn write_pictures(
    writer: &mut Writer<'_>,
    drawings: Vec<ProcessedDrawing>,
    now: Timestamp,
) -> Result<BTreeMap<String, String>> {
    let mut ids = BTreeMap::new();
    for ProcessedDrawing {
        name,
        processed,
        original,
    } in drawings
    {
        let id = new_id()?;
        let (picture, files) = processed.into_picture(id.clone(), &original, now);
        writer.pictures().put(picture, files)?;
        ids.insert(name, id);
    }
    Ok(ids)
}

/// Returns settings that are recognizably invented.
fn settings() -> Result<Settings> {
    let body = json!({
        "brand": "Respiro",
        "practitioner": "Anna Esempio",
        "towns": "Como e Lugano",
        "certifyingBody": "Ente di promozione sportiva (esempio)",
        "phone": "+39 000 000 0000",
        "email": "info@example.com",
        "whatsapp": "390000000000",
        "socialName": "Social (esempio)",
        "socialUrl": "https://example.com/social",
        "vatNumber": "00000000000",
        "address": "Via Esempio 1, 22100 Como (CO)",
        "bookTitle": "Il respiro (esempio)",
        "bookstoreUrl": "https://example.com/libreria",
        "publisherUrl": "https://example.com/editore",
    });
    let body = body.as_object().cloned().unwrap_or_default();
    Ok(Settings::default().merge(&body)?)
}
