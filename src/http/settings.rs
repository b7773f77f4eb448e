//! The site's identity, and how the program is doing.

use super::body::Object;
use super::guard::Admin;
use super::notices;
use super::precondition::IfMatch;
use super::respond::{private, versioned};
use super::{Answer, Shared};
use crate::backup;
use crate::content::settings::SETTINGS;
use crate::content::time::rfc3339;
use crate::content::{Audience, Holds, Picture, Pictures, Settings, Value};
use crate::copies;
use crate::error::Result;
use crate::store::{Figures, Reader, Trouble};
use actix_web::http::StatusCode;
use serde_json::{Value as Json, json};

pub async fn get(_: Admin, shared: Shared) -> Answer {
    let json = shared.read(current).await?;
    versioned(StatusCode::OK, &json)
}

pub async fn put(_: Admin, shared: Shared, expected: IfMatch, body: Object) -> Answer {
    let json = shared
        .change(move |writer| {
            expected.check(|| current(writer))?;
            let settings = writer.settings()?.merge(&body.0)?;
            writer.put_settings(&settings)?;
            current(writer)
        })
        .await?;
    versioned(StatusCode::OK, &json)
}

fn current(reader: &Reader<'_>) -> Result<Json> {
    let settings = reader.settings()?;
    let mut pictures = Pictures::new();
    for id in settings.picture_ids() {
        if let Some(picture) = reader.picture(id)? {
            pictures.insert(id.to_owned(), picture);
        }
    }
    Ok(settings_json(&settings, &pictures))
}

/// The flat object; beside each picture's path stands the whole picture.
fn settings_json(settings: &Settings, pictures: &Pictures) -> Json {
    let mut object = settings.to_json(Audience::Admin);
    for setting in SETTINGS {
        let name = setting.field.name;
        if setting.field.holds == Holds::Picture {
            let id = settings.values.get(name).and_then(Value::picture_id);
            let picture = id.and_then(|id| pictures.get(id));
            let shown = |picture: &Picture| picture.to_admin_json(Some(""), (50, 50));
            let json = picture.map_or(Json::Null, shown);
            object.insert(format!("{name}Picture"), json);
        }
    }
    Json::Object(object)
}

pub async fn status(admin: Admin, shared: Shared) -> Answer {
    let email = admin.session.email;
    let (demo, figures, (backup, elsewhere), (missing, to_confirm), (unread, new_testimonials)) =
        shared
            .read(move |reader| {
                let backup = reader.note(backup::NOTE)?;
                let elsewhere = (
                    reader.note(copies::run::NOTE)?,
                    reader.note(copies::follow::NOTE)?,
                );
                let missing = reader.settings()?.missing();
                Ok((
                    reader.is_demo()?,
                    reader.figures()?,
                    (backup, elsewhere),
                    (missing, reader.words_to_confirm()?),
                    (notices::unread(reader, &email)?, reader.new_testimonials()?),
                ))
            })
            .await?;
    let (copies, mirror) = elsewhere;
    let publish = shared
        .site
        .state()
        .map(|state| json!({ "ok": state.ok, "at": rfc3339(state.at), "error": state.error }));
    let backup = backup.and_then(|bytes| serde_json::from_slice::<Json>(&bytes).ok());
    let copies = shared.config.copies.as_ref().map(|wanted| {
        let known = copies.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let is_sending = shared.copy_wish.is_under_way();
        copies::run::shown(known, &wanted.space.place(), is_sending, shared.now())
    });
    let mirror = shared.config.mirror.as_ref().map(|space| {
        let known = mirror.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        copies::follow::shown(known, &space.place())
    });
    let status = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "demo": demo,
        "publish": publish,
        "data": data_json(&figures),
        "backup": backup,
        "copies": copies,
        "mirror": mirror,
        "storage": storage_json(shared.store().trouble()),
        "missingSettings": missing,
        "wordsToConfirm": to_confirm,
        "unreadNotices": unread,
        "newTestimonials": new_testimonials,
    });
    private(StatusCode::OK, &status)
}

/// Whether the disk takes what she writes.
const fn storage_json(trouble: Option<Trouble>) -> &'static str {
    match trouble {
        None => "ok",
        Some(Trouble::Full) => "full",
        Some(Trouble::ReadOnly) => "readOnly",
    }
}

fn data_json(figures: &Figures) -> Json {
    json!({
        "bytes": figures.file_bytes,
        "pictures": figures.pictures,
        "pictureBytes": figures.picture_bytes,
        "counts": figures.counts,
        "trash": figures.trash,
    })
}
