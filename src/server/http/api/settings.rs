//! Admin endpoints for the site's settings and for the status of the server.

use crate::config::Cdn;
use crate::errors::{Error, FieldError, Result};
use crate::http::api::{examples, notices};
use crate::http::auth::{Admin, Owner};
use crate::http::precondition::IfMatch;
use crate::http::request_body::JsonObject;
use crate::http::responses::{json_no_store, json_with_etag, no_content};
use crate::http::{AppState, HandlerResult};
use crate::release_version;
use crate::state::App;
use actix_web::http::StatusCode;
use jiff::civil::Date;
use respiro_backup::{local_backup, offsite, s3_mirror};
use respiro_content::blocks::BlockDefinitions;
use respiro_content::settings::{
    BANNER_FROM, BANNER_UNTIL, COPYRIGHT_YEAR, REPLY, SETTINGS, TAX_CODE, VAT_NUMBER,
};
use respiro_content::time::{day, format_date, parse_rfc3339, rfc3339};
use respiro_content::{
    Audience, FieldType, Picture, Pictures, Settings, Value, banner, phone, tax_id,
};
use respiro_db::{Reader, StoreStats, WriteBlock};
use respiro_email::is_reachable;
use serde_json::{Map, Value as Json, json};

/// An admin may leave the question open for this long before the answer.
const SEEN_MILLISECONDS_MAX: u64 = 24 * 60 * 60 * 1000;
const CLOCK_CHANGED: &str =
    "Intanto la data del server è cambiata: ricarica la pagina e guardala di nuovo.";
const UNREACHABLE_REPLY: &str = "Le risposte a questo indirizzo non arriverebbero da tutti i programmi di \
                        posta: scrivine uno senza accenti e senza punti uno dopo l’altro";

pub async fn get(_: Admin, app: AppState) -> HandlerResult {
    let today = day(app.now());
    let json = app.read(move |reader| current(reader, today)).await?;
    json_with_etag(StatusCode::OK, &json)
}

pub async fn put(
    Owner(admin): Owner,
    app: AppState,
    expected: IfMatch,
    mut body: JsonObject,
) -> HandlerResult {
    let today = day(app.now());
    let json = app
        .change_as(admin.actor(app.now()), move |writer| {
            expected.check(|| current(writer, today))?;
            let former = writer.settings().get()?;
            let day_errors = read_banner_days(&mut body.0, &former, today);
            let (settings, mut errors) = former.merge_valid(&body.0);
            errors.extend(day_errors);
            errors.extend(reply_error(&settings, &former));
            errors.extend(tax_number_error(&settings, &former, VAT_NUMBER));
            errors.extend(tax_number_error(&settings, &former, TAX_CODE));
            if !errors.is_empty() {
                return Err(Error::Invalid(errors));
            }
            writer.settings().put(&settings)?;
            current(writer, today)
        })
        .await?;
    json_with_etag(StatusCode::OK, &json)
}

/// Refuses a new reply address that some mail programs cannot send to. An unchanged one passes: an
/// import may have brought it.
fn reply_error(settings: &Settings, former: &Settings) -> Option<FieldError> {
    let reply = settings.text(REPLY);
    let is_refused = reply != former.text(REPLY) && !reply.is_none_or(is_reachable);
    is_refused.then(|| FieldError::new(REPLY, UNREACHABLE_REPLY))
}

/// Refuses a new tax number that does not exist. An unchanged one passes, as a reply address does.
fn tax_number_error(settings: &Settings, former: &Settings, name: &str) -> Option<FieldError> {
    let number = settings.text(name);
    let known = former.text(name);
    let changed = number.filter(|_| number != known)?;
    let problem = if name == TAX_CODE {
        tax_id::code_problem(changed)
    } else {
        tax_id::problem(changed)
    };
    Some(FieldError::new(name, problem?))
}

/// Replaces the days of the line above the site, as typed, by days with their year.
fn read_banner_days(
    body: &mut Map<String, Json>,
    former: &Settings,
    today: Date,
) -> Option<FieldError> {
    let names = [BANNER_FROM, BANNER_UNTIL];
    let known = names.map(|name| former.text(name).unwrap_or_default());
    let texts = [0, 1].map(|place| match body.get(names[place]) {
        None => Some(known[place]),
        Some(Json::Null) => Some(""),
        Some(json) => json.as_str().map(str::trim),
    });
    // A value that is no text is refused like that of any other field.
    let [Some(from), Some(until)] = texts else {
        return None;
    };
    if [from, until] == known {
        return None;
    }
    let days = match banner::read_days(from, until, today) {
        Ok(days) => days,
        Err(error) => {
            // A day too long to be one is no second error.
            body.remove(BANNER_FROM);
            body.remove(BANNER_UNTIL);
            return Some(error);
        }
    };
    for (name, day) in names.into_iter().zip(days) {
        body.insert(name.to_owned(), json!(day.map(format_date)));
    }
    None
}

fn current(reader: &Reader<'_>, today: Date) -> Result<Json> {
    let settings = reader.settings().get()?;
    let mut pictures = Pictures::new();
    for id in settings.picture_ids() {
        if let Some(picture) = reader.pictures().get(id)? {
            pictures.insert(id.to_owned(), picture);
        }
    }
    let mut json = settings_json(&settings, &pictures);
    json[format!("{COPYRIGHT_YEAR}Shown")] = json!(settings.copyright_year_on(Some(today)));
    Ok(json)
}

/// Returns the flat object, with the whole picture beside each picture's path and the printed form
/// beside each telephone number and the year of the copyright notice.
fn settings_json(settings: &Settings, pictures: &Pictures) -> Json {
    let mut object = settings.to_json(Audience::Admin);
    for setting in SETTINGS {
        let name = setting.field.name;
        if setting.field.holds == FieldType::Picture {
            let id = settings.values.get(name).and_then(Value::picture_id);
            let picture = id.and_then(|id| pictures.get(id));
            let focus = settings.focus(name);
            let picture_json = |picture: &Picture| picture.to_admin_json(Some(""), focus);
            let json = picture.map_or(Json::Null, picture_json);
            object.insert(format!("{name}Picture"), json);
        }
        if setting.field.holds == FieldType::Phone {
            let picture_json = settings.text(name).map(phone::grouped);
            object.insert(format!("{name}Shown"), json!(picture_json));
        }
    }
    Json::Object(object)
}

pub async fn status(admin: Admin, app: AppState) -> HandlerResult {
    let email = admin.session.email;
    let definitions = app.site.definitions();
    let (mut status, copies, mirror) = app
        .read(move |reader| {
            Ok((
                stored_status(reader, definitions, &email)?,
                reader.note(offsite::schedule::NOTE)?,
                reader.note(s3_mirror::after_publish::NOTE)?,
            ))
        })
        .await?;
    let publish = app
        .site
        .publisher
        .state()
        .map(|state| json!({ "ok": state.ok, "at": rfc3339(state.at), "error": state.error }));
    let copies = app.config.offsite_backup.as_ref().map(|wanted| {
        let known = copies.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let is_sending = app.jobs.full_backups.trigger.is_running();
        let parts = app.jobs.full_backups.progress.get();
        let place = wanted.space.place();
        offsite::status::status_json(known, &place, is_sending, parts, app.now())
    });
    let mirror = app.config.mirror.as_ref().map(|space| {
        let known = mirror.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        s3_mirror::after_publish::status_json(known, &space.place())
    });
    status["asleep"] = json!(app.is_asleep());
    status["version"] = json!(release_version::CURRENT);
    status["publish"] = json!(publish);
    status["copies"] = json!(copies);
    status["mirror"] = json!(mirror);
    status["clock"] = clock_json(&app);
    status["cdn"] = cdn_json(&app);
    status["storage"] = json!(storage_name(app.site.store().trouble()));
    json_no_store(StatusCode::OK, &status)
}

/// Returns the part of the status that the data file holds.
fn stored_status(reader: &Reader<'_>, definitions: &BlockDefinitions, email: &str) -> Result<Json> {
    let backup = reader.note(local_backup::NOTE)?;
    let backup = backup.and_then(|bytes| serde_json::from_slice::<Json>(&bytes).ok());
    let carried = reader.carried_over()?;
    let restored = reader.restore_marker()?.map(|one| {
        json!({
            "copiedAt": rfc3339(one.copied_at),
            "endedSendings": one.held_sendings,
            "carriedOver": carried,
        })
    });
    Ok(json!({
        "demo": reader.is_demo()?,
        "examples": examples::count(reader)?,
        "data": data_json(&reader.figures()?),
        "backup": backup,
        "restored": restored,
        "missingSettings": reader.settings().get()?.missing(),
        "wordsToConfirm": reader.content_blocks().count_unattested(definitions)?,
        "unreadNotices": notices::unread_count(reader, email)?,
        "newTestimonials": reader.provenances().count_unreviewed()?,
        "newerRelease": release_version::newer_release(reader)?.map(|one| one.to_string()),
    }))
}

/// Returns the doubted system time, and what it was by all that is known; `null` if it is
/// plausible.
fn clock_json(app: &App) -> Json {
    let doubt = app.site.clock().doubt();
    doubt.map_or(Json::Null, |doubt| {
        json!({
            "systemTime": rfc3339(doubt.system_time),
            "plausibleTime": rfc3339(doubt.plausible_time),
        })
    })
}

/// Takes the system time for right, if it is still the one that the admin saw.
pub async fn confirm_clock(_: Owner, app: AppState, body: JsonObject) -> HandlerResult {
    let seen = body.0.get("systemTime").and_then(Json::as_str);
    let seen = seen.and_then(parse_rfc3339).ok_or_else(|| {
        let message = "Manca la data che hai visto.";
        Error::Invalid(vec![FieldError::new("systemTime", message)])
    })?;
    if app.site.clock().doubt().is_some() {
        if app.site.clock().system_time().abs_diff(seen) > SEEN_MILLISECONDS_MAX {
            return Err(Error::Conflict(CLOCK_CHANGED));
        }
        app.confirm_clock().await?;
    }
    Ok(no_content())
}

/// Returns the result of the last CDN purge; `null` if no CDN is notified.
fn cdn_json(app: &App) -> Json {
    if !app.config.cdn.as_ref().is_some_and(Cdn::is_told) {
        return Json::Null;
    }
    let last = app.site.cdn_purge.last();
    let last = last.as_deref();
    json!({
        "isTelling": app.site.cdn_purge.trigger.is_running(),
        "toldAt": last.map(|told| rfc3339(told.at)),
        "reason": last.and_then(|told| told.failure),
    })
}

/// Returns whether the disk accepts writes.
const fn storage_name(trouble: Option<WriteBlock>) -> &'static str {
    match trouble {
        None => "ok",
        Some(WriteBlock::Full) => "full",
        Some(WriteBlock::ReadOnly) => "readOnly",
    }
}

fn data_json(figures: &StoreStats) -> Json {
    json!({
        "bytes": figures.file_bytes,
        "pictures": figures.pictures,
        "pictureBytes": figures.picture_bytes,
        "counts": figures.counts,
        "trash": figures.trash,
    })
}
