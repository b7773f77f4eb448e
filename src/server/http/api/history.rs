//! Admin endpoints for the one history of the site: what changed and who changed it, and the way
//! back for one thing, a page, the settings or the whole site.

use crate::accounts::device::display_name;
use crate::errors::{Error, Result};
use crate::http::api::content_blocks::{parse_change, set_block_id};
use crate::http::api::items::WRONG_QUERY;
use crate::http::auth::Admin;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use respiro_content::blocks::{BlockDefinitions, Strictness};
use respiro_content::time::rfc3339;
use respiro_content::{Audience, Collection, Item, Settings, Timestamp};
use respiro_db::{
    self as db, Actor, Cause, HistoryChange, HistoryState, Reader, Role, Thing, Writer,
};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Change sets of one answer. A change set is what one transaction changed.
const CHANGE_SETS_MAX: usize = 40;
/// Bytes of the JSON of two states up to which the list holds them.
const LISTED_BYTES_MAX: usize = 8 * 1024;
/// The end of the year 9999, in milliseconds.
const MOMENT_MAX: Timestamp = 253_402_300_799_999;
/// Entries of an order that the answer names.
const ORDER_TITLES_MAX: usize = 100;
/// Fields of an item that say which one it is, in order of preference.
const TITLE_FIELDS: [&str; 3] = ["title", "name", "imageAlt"];
/// Fields that say nothing about what an account changed.
const TECHNICAL_FIELDS: [&str; 5] = ["id", "sortOrder", "updatedAt", "dateWrittenAt", "image"];
const UNKNOWN_MOMENT: &str = "La cronologia non arriva così indietro: scegli un giorno più vicino.";

/// Query parameters of the list.
#[derive(Debug, Default, Deserialize)]
pub struct Filter {
    /// Change sets before this moment, in milliseconds.
    before: Option<Timestamp>,
    /// `words`, `settings` and slugs of collections, with commas.
    kinds: Option<String>,
    account: Option<String>,
    thing: Option<String>,
}

impl Filter {
    fn includes(&self, change: &HistoryChange) -> bool {
        let kinds = self.kinds.as_deref();
        let account = self.account.as_deref();
        let thing = self.thing.as_deref();
        self.before.is_none_or(|before| change.at < before)
            && kinds.is_none_or(|kinds| kinds.split(',').any(|kind| kind == kind_of(&change.thing)))
            && account.is_none_or(|account| change.account == account)
            && thing.is_none_or(|thing| change.thing.name() == thing)
    }
}

/// Returns change sets, newest first, and how far back the history goes.
pub async fn list(_: Admin, app: AppState, request: HttpRequest) -> HandlerResult {
    let Ok(filter) = web::Query::<Filter>::from_query(request.query_string()) else {
        return Err(Error::BadRequest(WRONG_QUERY));
    };
    let definitions = app.site.definitions();
    let json = app
        .read(move |reader| {
            let all = reader.history().list()?;
            let oldest = all.last().map(|change| rfc3339(change.at));
            let accounts: BTreeSet<&str> = all.iter().map(|change| &*change.account).collect();
            let accounts: Vec<&str> = accounts.into_iter().filter(|one| !one.is_empty()).collect();
            let wanted: Vec<_> = all
                .iter()
                .filter(|change| filter.includes(change))
                .collect();
            let mut change_sets = wanted.chunk_by(|one, other| one.at == other.at);
            let shown: Vec<Json> = change_sets
                .by_ref()
                .take(CHANGE_SETS_MAX)
                .map(|changes| change_set_json(reader, definitions, changes, LISTED_BYTES_MAX))
                .collect::<Result<_>>()?;
            Ok(json!({
                "changeSets": shown,
                "hasMore": change_sets.next().is_some(),
                "oldest": oldest,
                "completeSince": rfc3339(reader.history().complete_since()?),
                "accounts": accounts,
            }))
        })
        .await?;
    json_no_store(StatusCode::OK, &json)
}

/// Returns one change set with every state, however long.
pub async fn get(_: Admin, app: AppState, moment: web::Path<String>) -> HandlerResult {
    let (moment, definitions) = (moment_of(&moment)?, app.site.definitions());
    let json = app
        .read(move |reader| {
            let changes = reader.history().list()?;
            let changes: Vec<_> = changes.iter().filter(|one| one.at == moment).collect();
            change_set_json(reader, definitions, &changes, usize::MAX)
        })
        .await?;
    json_no_store(StatusCode::OK, &json)
}

/// Parses a moment of an address, in milliseconds.
fn moment_of(text: &str) -> Result<Timestamp> {
    let moment = text.parse().ok();
    moment
        .filter(|moment| (0..=MOMENT_MAX).contains(moment))
        .ok_or(Error::NotFound)
}

fn change_set_json(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
    changes: &[&HistoryChange],
    bytes_max: usize,
) -> Result<Json> {
    let first = changes.first().ok_or(Error::NotFound)?;
    let (cause, to) = match first.cause {
        Cause::Edit => ("edit", None),
        Cause::Schedule => ("schedule", None),
        Cause::Return(to) => ("return", Some(to)),
        Cause::SiteReturn(to) => ("siteReturn", Some(to)),
        Cause::Unrecorded => ("unrecorded", None),
    };
    let things = changes.iter();
    let things = things.map(|change| change_json(reader, definitions, change, bytes_max));
    Ok(json!({
        "moment": first.at,
        "at": rfc3339(first.at),
        "account": first.account,
        "device": (!first.user_agent.is_empty()).then(|| display_name(&first.user_agent)),
        "cause": cause,
        "to": to.map(rfc3339),
        "changes": things.collect::<Result<Vec<_>>>()?,
    }))
}

/// `before` and `after` are null for a state without words; `isCut` says that they are too long
/// for the list.
fn change_json(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
    change: &HistoryChange,
    bytes_max: usize,
) -> Result<Json> {
    let thing = &change.thing;
    let (was, is) = reader.history().states_around(thing, change.at)?;
    let title = title_of(definitions, thing, &is).or_else(|| title_of(definitions, thing, &was));
    let action = action_of(reader, change, (&was, &is))?;
    let mut before = state_json(reader, definitions, thing, &was)?;
    let mut after = state_json(reader, definitions, thing, &is)?;
    if !matches!(thing, Thing::Block(_)) {
        drop_equal(&mut before, &mut after);
    }
    let is_cut = before.to_string().len() + after.to_string().len() > bytes_max;
    if is_cut {
        (before, after) = (Json::Null, Json::Null);
    }
    Ok(json!({
        "thing": thing.name(),
        "kind": kind_of(thing),
        "title": title,
        "action": action,
        "before": before,
        "after": after,
        "isCut": is_cut,
    }))
}

const fn kind_of(thing: &Thing) -> &'static str {
    match thing {
        Thing::Block(_) => "words",
        Thing::Settings => "settings",
        Thing::Item(collection, _) | Thing::Order(collection) => collection.slug,
    }
}

fn title_of(definitions: &BlockDefinitions, thing: &Thing, state: &HistoryState) -> Option<String> {
    match (thing, state) {
        (Thing::Block(id), _) => definitions.find(id).map(|block| block.label.clone()),
        (_, HistoryState::Item(item)) => {
            let mut fields = TITLE_FIELDS.iter();
            fields.find_map(|name| item.text(name)).map(str::to_owned)
        }
        _ => None,
    }
}

fn action_of(
    reader: &Reader<'_>,
    change: &HistoryChange,
    states: (&HistoryState, &HistoryState),
) -> Result<&'static str> {
    Ok(match states {
        (HistoryState::Erased, _) => "erased",
        (HistoryState::Order(_), _) => "moved",
        (HistoryState::Absent, HistoryState::Item(_)) => {
            let all = reader.history().since(&change.thing, Timestamp::MIN)?;
            let is_first = all.first().is_none_or(|(at, _)| *at == change.at);
            if is_first { "created" } else { "restored" }
        }
        (HistoryState::Item(_), HistoryState::Absent) => "deleted",
        (HistoryState::Item(was), HistoryState::Item(is)) if was.published != is.published => {
            if is.published {
                "published"
            } else {
                "unpublished"
            }
        }
        _ => "changed",
    })
}

fn state_json(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
    thing: &Thing,
    state: &HistoryState,
) -> Result<Json> {
    if let Thing::Block(id) = thing {
        let saved = match state {
            HistoryState::Block(saved) => Some(saved),
            _ => None,
        };
        return Ok(definitions.find(id).map_or(Json::Null, |block| {
            let value = block.own_value(saved);
            json!({
                "value": value.unwrap_or_else(|| block.default.clone()),
                "hidden": block.is_hidden(saved),
            })
        }));
    }
    Ok(match (thing, state) {
        (Thing::Item(collection, _), HistoryState::Item(item)) => {
            let pictures = reader.pictures().find(item.picture_ids())?;
            let mut json = item.to_json(collection, &pictures, Audience::Admin);
            if let Some(fields) = json.as_object_mut() {
                fields.retain(|name, value| {
                    !TECHNICAL_FIELDS.contains(&name.as_str()) && !value.is_null()
                });
            }
            json
        }
        (_, HistoryState::Settings(settings)) => Json::Object(settings.to_json(Audience::Admin)),
        (Thing::Order(collection), HistoryState::Order(ids)) => {
            json!({ "titles": order_titles(reader, collection, ids)? })
        }
        _ => Json::Null,
    })
}

/// Returns the present titles of a former order; null for an entry without one.
fn order_titles(
    reader: &Reader<'_>,
    collection: &Collection,
    ids: &[String],
) -> Result<Vec<Option<String>>> {
    let mut titles = Vec::new();
    for id in ids.iter().take(ORDER_TITLES_MAX) {
        let item = reader.items().get(collection, id)?;
        let named = item.map(|item| {
            let mut fields = TITLE_FIELDS.iter();
            fields.find_map(|name| item.text(name)).map(str::to_owned)
        });
        titles.extend(named);
    }
    Ok(titles)
}

/// Leaves the fields that differ. A state without the other stays whole.
fn drop_equal(before: &mut Json, after: &mut Json) {
    let (Some(was), Some(is)) = (before.as_object_mut(), after.as_object_mut()) else {
        return;
    };
    let is_equal = |name: &str, was: &Map<String, Json>, is: &Map<String, Json>| {
        was.get(name).unwrap_or(&Json::Null) == is.get(name).unwrap_or(&Json::Null)
    };
    let names = was.keys().chain(is.keys()).cloned();
    let equal: Vec<String> = names.filter(|name| is_equal(name, was, is)).collect();
    for name in equal {
        was.remove(&name);
        is.remove(&name);
    }
}

/// How much a return reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Scope {
    /// What one change set changed, or one thing of it.
    ChangeSet(Option<Thing>),
    /// Blocks of a page.
    Page(String),
    Settings,
    Site,
}

/// A thing and the state that it returns to.
struct Step {
    thing: Thing,
    state: HistoryState,
    /// The item did not exist: it leaves the site, and its draft stays.
    is_hidden: bool,
}

/// What a return of the whole site to its state before a moment changes.
pub async fn preview(admin: Admin, app: AppState, moment: web::Path<String>) -> HandlerResult {
    let (moment, definitions) = (moment_of(&moment)?, app.site.definitions());
    let json = app
        .read(move |reader| {
            let steps = site_steps(reader, moment, admin.role)?;
            let step_json = |step: &Step| {
                let title = title_of(definitions, &step.thing, &step.state);
                let block = match &step.thing {
                    Thing::Block(id) => definitions.find(id),
                    _ => None,
                };
                json!({
                    "thing": step.thing.name(),
                    "kind": kind_of(&step.thing),
                    "title": title,
                    "pages": block.map(|block| &block.pages),
                    "isHidden": step.is_hidden,
                })
            };
            let steps: Vec<Json> = steps.iter().map(step_json).collect();
            Ok(json!({ "at": rfc3339(moment), "steps": steps }))
        })
        .await?;
    json_no_store(StatusCode::OK, &json)
}

/// Puts `{scope, moment}` back to the state just before the moment. The return is a change set
/// itself, so it can be undone.
pub async fn put_back(admin: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let moment = body.0.get("moment").and_then(Json::as_i64);
    let moment = moment.filter(|moment| (0..=MOMENT_MAX).contains(moment));
    let moment = moment.ok_or_else(|| invalid("moment", "non è un momento"))?;
    let scope = parse_scope(&body)?;
    if scope == Scope::Settings && admin.role != Role::Owner {
        return Err(Error::OwnerRequired);
    }
    let definitions = app.site.definitions();
    let cause = match scope {
        Scope::Site => Cause::SiteReturn(moment),
        _ => Cause::Return(moment),
    };
    let actor = Actor {
        cause,
        ..admin.actor(app.now())
    };
    let json = app
        .change_as(actor.clone(), move |writer| {
            let steps = match &scope {
                Scope::ChangeSet(thing) => change_set_steps(writer, moment, thing.as_ref())?,
                Scope::Page(page) => page_steps(writer, definitions, moment, page)?,
                Scope::Settings => thing_steps(writer, [Thing::Settings], moment)?,
                Scope::Site => site_steps(writer, moment, admin.role)?,
            };
            let touches_settings = steps.iter().any(|step| step.thing == Thing::Settings);
            if touches_settings && admin.role != Role::Owner {
                return Err(Error::OwnerRequired);
            }
            let skipped = take_steps(writer, definitions, steps, &actor, scope == Scope::Site)?;
            Ok(json!({ "moment": writer.recorded_at(), "skipped": skipped }))
        })
        .await?;
    json_no_store(StatusCode::OK, &json)
}

fn parse_scope(body: &JsonObject) -> Result<Scope> {
    match body.text("scope")? {
        "changeSet" => {
            let thing = body.optional_text("thing")?;
            let parse = |name| Thing::parse(name).ok_or(Error::NotFound);
            Ok(Scope::ChangeSet(thing.map(parse).transpose()?))
        }
        "page" => Ok(Scope::Page(body.text("page")?.to_owned())),
        "settings" => Ok(Scope::Settings),
        "site" => Ok(Scope::Site),
        _ => Err(invalid("scope", "non è valido")),
    }
}

/// The things that one change set changed. Of the settings, those fields only.
fn change_set_steps(
    reader: &Reader<'_>,
    moment: Timestamp,
    wanted: Option<&Thing>,
) -> Result<Vec<Step>> {
    let changes = reader.history().list()?.into_iter();
    let changes = changes.filter(|change| change.at == moment);
    let mut steps = Vec::new();
    for change in changes.filter(|change| wanted.is_none_or(|thing| *thing == change.thing)) {
        let (was, is) = reader.history().states_around(&change.thing, moment)?;
        let state = match (was, is) {
            (HistoryState::Settings(was), HistoryState::Settings(is)) => {
                let present = reader.settings().get()?;
                HistoryState::Settings(with_changed_fields(present, &was, &is))
            }
            (was, _) => was,
        };
        steps.push(Step::to(change.thing, state));
    }
    if steps.is_empty() {
        return Err(Error::NotFound);
    }
    Ok(steps)
}

/// Returns `present` with the former values of the fields in which `was` and `is` differ.
fn with_changed_fields(mut present: Settings, was: &Settings, is: &Settings) -> Settings {
    let names: BTreeSet<&String> = was.values.keys().chain(is.values.keys()).collect();
    for name in names {
        match (was.values.get(name), is.values.get(name)) {
            (was, is) if was == is => {}
            (Some(was), _) => drop(present.values.insert(name.clone(), was.clone())),
            (None, _) => drop(present.values.remove(name)),
        }
    }
    present
}

fn page_steps(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
    moment: Timestamp,
    page: &str,
) -> Result<Vec<Step>> {
    let blocks = definitions.list.iter();
    let blocks = blocks.filter(|block| block.pages.iter().any(|other| other == page));
    let things = blocks.map(|block| Thing::Block(block.id.clone()));
    thing_steps(reader, things, moment)
}

/// Steps of the things that have changed since.
fn thing_steps(
    reader: &Reader<'_>,
    things: impl IntoIterator<Item = Thing>,
    moment: Timestamp,
) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    for thing in things {
        if let Some(state) = reader.history().state_before(&thing, moment)? {
            steps.push(Step::to(thing, state));
        }
    }
    Ok(steps)
}

/// What returns with the whole site: what it shows, and for an owner the settings. Drafts, and what
/// was a draft then, stay as they are.
fn site_steps(reader: &Reader<'_>, moment: Timestamp, role: Role) -> Result<Vec<Step>> {
    if moment <= reader.history().complete_since()? {
        return Err(Error::Conflict(UNKNOWN_MOMENT));
    }
    let changes = reader.history().list()?.into_iter();
    // An order follows the items that return.
    let mut things = BTreeMap::new();
    for change in changes.filter(|change| change.at >= moment) {
        let is_order = matches!(change.thing, Thing::Order(_));
        things.insert((is_order, change.thing.name()), change.thing);
    }
    let mut steps = Vec::new();
    for step in thing_steps(reader, things.into_values(), moment)? {
        let Step { thing, state, .. } = step;
        let present = reader.history().present(&thing)?;
        let is_same = match &thing {
            Thing::Settings => role != Role::Owner || state == present,
            Thing::Block(_) => shows_same(&state, &present),
            Thing::Order(_) => state == present,
            Thing::Item(..) => {
                steps.extend(item_step(&thing, state, present));
                continue;
            }
        };
        if !is_same {
            steps.push(Step::to(thing, state));
        }
    }
    Ok(steps)
}

/// How an item returns with the whole site.
fn item_step(thing: &Thing, then: HistoryState, now: HistoryState) -> Option<Step> {
    let is_published = |state: &HistoryState| match state {
        HistoryState::Item(item) => item.published,
        _ => false,
    };
    if !is_published(&then) && !is_published(&now) {
        return None;
    }
    match (then, now) {
        (HistoryState::Absent, HistoryState::Item(item)) => Some(Step {
            thing: thing.clone(),
            state: HistoryState::Item(Item {
                published: false,
                ..item
            }),
            is_hidden: true,
        }),
        (HistoryState::Item(then), HistoryState::Item(now)) => {
            let moved = Item {
                sort_order: now.sort_order,
                updated_at: now.updated_at,
                ..then
            };
            (moved != now).then(|| Step::to(thing.clone(), HistoryState::Item(moved)))
        }
        (HistoryState::Erased, _) => None,
        (then, _) => Some(Step::to(thing.clone(), then)),
    }
}

/// Whether a block shows the same in two states.
fn shows_same(one: &HistoryState, other: &HistoryState) -> bool {
    let shown = |state: &HistoryState| match state {
        HistoryState::Block(saved) => (saved.value.clone(), saved.hidden),
        _ => (None, false),
    };
    shown(one) == shown(other)
}

impl Step {
    const fn to(thing: Thing, state: HistoryState) -> Self {
        Self {
            thing,
            state,
            is_hidden: false,
        }
    }
}

/// Returns the things to their states, and the titles of those that cannot return. One that cannot
/// fails the whole, unless the site returns: then it is tried again after the others, which may
/// have taken its slug.
fn take_steps(
    writer: &mut Writer<'_>,
    definitions: &BlockDefinitions,
    steps: Vec<Step>,
    actor: &Actor,
    is_site: bool,
) -> Result<Vec<Option<String>>> {
    let mut failed = Vec::new();
    for step in steps {
        match take_step(writer, definitions, &step, actor) {
            Ok(()) => {}
            Err(Error::Invalid(_) | Error::Conflict(_) | Error::NotFound) if is_site => {
                failed.push(step);
            }
            Err(error) => return Err(error),
        }
    }
    let mut skipped = Vec::new();
    for step in failed {
        match take_step(writer, definitions, &step, actor) {
            Ok(()) => {}
            Err(Error::Invalid(_) | Error::Conflict(_) | Error::NotFound) => {
                skipped.push(title_of(definitions, &step.thing, &step.state));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(skipped)
}

fn take_step(
    writer: &mut Writer<'_>,
    definitions: &BlockDefinitions,
    step: &Step,
    actor: &Actor,
) -> Result<()> {
    match (&step.thing, &step.state) {
        (Thing::Block(id), state) => {
            let definition = definitions.find(id).ok_or(Error::NotFound)?;
            let saved = match state {
                HistoryState::Block(saved) => Some(saved),
                HistoryState::Absent => None,
                _ => return Err(Error::NotFound),
            };
            let mut object = Map::new();
            let value = definition.own_value(saved).unwrap_or_default();
            object.insert("value".to_owned(), value.clone());
            let is_hidden = definition.is_hidden(saved);
            object.insert("hidden".to_owned(), json!(is_hidden));
            // Validate it again: an older release may have accepted what this one refuses.
            let change = parse_change(definition, &object, Strictness::Published)?;
            let mut blocks = writer.content_blocks();
            blocks.change(definition, change, actor.at, &actor.account)?;
            if value.is_null() {
                return Ok(());
            }
            match blocks.check_entries(definition, &value, definitions) {
                Err(db::Error::Invalid(gone)) => {
                    Err(Error::Invalid(set_block_id(gone, definition)))
                }
                checked => Ok(checked?),
            }
        }
        (Thing::Item(collection, _), HistoryState::Item(item)) => {
            writer.items().put_back(collection, item, actor.at)?;
            Ok(())
        }
        (Thing::Item(collection, id), HistoryState::Absent) => {
            Ok(writer.items().delete(collection, id, actor.at)?)
        }
        (Thing::Settings, HistoryState::Settings(settings)) => {
            Ok(writer.settings().put(settings)?)
        }
        (Thing::Order(collection), HistoryState::Order(ids)) => {
            let present = writer.items().list(collection)?.into_iter();
            let mut present: Vec<String> = present.map(|item| item.id).collect();
            let place = |id: &String| ids.iter().position(|other| other == id);
            // Stable: what is newer than the order keeps its place at the end.
            present.sort_by_key(|id| place(id).unwrap_or(usize::MAX));
            writer.items().reorder(collection, &present, actor.at)?;
            Ok(())
        }
        _ => Err(Error::NotFound),
    }
}
