//! Newsletter sign-up for visitors; subscriber list, export and removal for the admin.

use crate::errors::{NO_MAIL, Result};
use crate::http::auth::Owner;
use crate::http::client_addr::networks;
use crate::http::csv as spreadsheet;
use crate::http::request_body::JsonObject;
use crate::http::responses::{json_list_no_store, json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use respiro_content::Timestamp;
use respiro_content::time::rfc3339;
use respiro_db::{
    AddressStatus, BounceCause, BounceRecord, SignupSource, Subscriber, Subscription,
};
use respiro_newsletter::{self as newsletter, BounceSummary, campaign};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Header line of the exported list.
const COLUMNS: &[&str] = &[
    "email",
    "stato",
    "iscritto il",
    "confermato il",
    "consenso",
    "versione",
    "pagina",
    "come",
    "conferma inviata il",
    "cancellato il",
];

/// Answers 202 whether the address is new or known, after the same work. With a mail server the
/// body says that a message was sent, for every address alike.
pub async fn subscribe(request: HttpRequest, app: AppState, body: JsonObject) -> HandlerResult {
    let mails = app.config.mail.is_some();
    let email = newsletter::checked(body.text("email")?, mails)?;
    let pages = app.site.publisher.pages();
    // A visitor can type the address of another person, and every newsletter to it names this page.
    // Only paths of the site are stored: the e-mail must not carry text that an attacker chose.
    let is_here = |path: &&str| pages.as_ref().is_some_and(|pages| pages.has_page(path));
    let page = body.optional_text("page")?.filter(is_here);
    let page = page.map(str::to_owned);
    let now = app.now();
    app.auth
        .rate_limits
        .count_newsletter(&networks(&request, &app), now)?;
    app.change(move |writer| Ok(newsletter::subscribe(writer, email, page, mails, now)?))
        .await?;
    let mut answer = HttpResponse::Accepted();
    answer.insert_header((header::CACHE_CONTROL, "no-store"));
    if mails {
        app.jobs.newsletter.confirmations.notify_one();
        return Ok(answer.json(json!({ "confirmation": true })));
    }
    Ok(answer.finish())
}

/// Returns the state as the API names it, and its label in the panel.
const fn state_labels(
    subscriber: &Subscriber,
    status: &AddressStatus,
) -> (&'static str, &'static str) {
    match subscriber.state {
        Subscription::Pending | Subscription::Confirmed if status.unreachable_at.is_some() => {
            ("unreachable", "non raggiungibile")
        }
        Subscription::Pending => ("pending", "da confermare"),
        Subscription::Confirmed => ("confirmed", "confermata"),
        Subscription::Unsubscribed => ("unsubscribed", "cancellata"),
        Subscription::Collected => ("collected", "raccolta"),
    }
}

const fn signup_labels(way: Option<SignupSource>) -> (&'static str, &'static str) {
    match way {
        Some(SignupSource::Form) => ("form", "riquadro del sito, con conferma per e-mail"),
        Some(SignupSource::FormOnly) => {
            ("formOnly", "riquadro del sito, senza conferma per e-mail")
        }
        Some(SignupSource::Import) => ("import", "portato da un altro elenco"),
        None => ("unknown", "non registrato"),
    }
}

/// A cause as the API names it.
const fn bounce_name(cause: BounceCause) -> &'static str {
    match cause {
        BounceCause::NoMailbox => "noMailbox",
        BounceCause::NoDomain => "noDomain",
        BounceCause::MailboxClosed => "mailboxClosed",
        BounceCause::MailboxFull => "mailboxFull",
        BounceCause::Refused => "refused",
        BounceCause::Undelivered => "undelivered",
        BounceCause::Complaint => "complaint",
    }
}

fn bounce_json(bounce: BounceSummary) -> Json {
    json!({
        "cause": bounce_name(bounce.cause),
        "at": rfc3339(bounce.at),
        "messages": bounce.messages,
    })
}

/// Returns all subscribers, each with the status of its address.
async fn subscribers_with_status(app: &AppState) -> Result<Vec<(Subscriber, AddressStatus)>> {
    let read = app.read(|reader| {
        let subscribers = reader.subscribers().list()?.into_iter();
        let with_standing = |one: Subscriber| {
            let status = reader.address_statuses().readable(&one.email)?;
            let status = status.unwrap_or_else(|| AddressStatus::new(&one.email));
            Ok((one, status))
        };
        subscribers.map(with_standing).collect()
    });
    read.await
}

pub async fn list(_: Owner, request: HttpRequest, app: AppState) -> HandlerResult {
    let mut subscribers = subscribers_with_status(&app).await?;
    subscribers.sort_by_key(|(subscriber, _)| std::cmp::Reverse(subscriber.created_at));
    let bounces = app.read(|reader| Ok(reader.bounces().list()?)).await?;
    let bounces: BTreeMap<&str, &BounceRecord> =
        bounces.iter().map(|one| (&*one.email, one)).collect();
    let now = app.now();
    let bounce = |status: &AddressStatus| {
        let record = bounces.get(&*status.email).copied();
        newsletter::bounce_summary(status, record, now)
    };
    let list: Vec<Json> = subscribers
        .iter()
        .map(|(subscriber, status)| subscriber_json(subscriber, status, bounce(status)))
        .collect();
    json_list_no_store(&request, &list)
}

pub(super) fn subscriber_json(
    subscriber: &Subscriber,
    status: &AddressStatus,
    bounce: Option<BounceSummary>,
) -> Json {
    json!({
        "email": subscriber.email,
        "state": state_labels(subscriber, status).0,
        "createdAt": rfc3339(subscriber.created_at),
        "confirmedAt": subscriber.confirmed_at.map(rfc3339),
        "consentText": subscriber.consent_text,
        "consentVersion": newsletter::consent_version(status, &subscriber.consent_text),
        "page": status.page,
        "way": signup_labels(status.way).0,
        "mailedAt": status.mailed_at.map(rfc3339),
        "unsubscribedAt": status.unsubscribed_at.map(rfc3339),
        "bounce": bounce.map(bounce_json),
    })
}

pub async fn csv(_: Owner, request: HttpRequest, app: AppState) -> HandlerResult {
    let separator = spreadsheet::separator(&request)?;
    let mut subscribers = subscribers_with_status(&app).await?;
    subscribers.sort_by(|(a, _), (b, _)| (a.created_at, &a.email).cmp(&(b.created_at, &b.email)));
    let mut text = spreadsheet::plain_line(separator, COLUMNS);
    for (subscriber, status) in &subscribers {
        let moment = |at: Option<Timestamp>| at.map(rfc3339).unwrap_or_default();
        let version = newsletter::consent_version(status, &subscriber.consent_text);
        let cells = [
            subscriber.email.clone(),
            state_labels(subscriber, status).1.to_owned(),
            rfc3339(subscriber.created_at),
            moment(subscriber.confirmed_at),
            subscriber.consent_text.clone(),
            version.unwrap_or_default(),
            status.page.clone().unwrap_or_default(),
            signup_labels(status.way).1.to_owned(),
            moment(status.mailed_at),
            moment(status.unsubscribed_at),
        ];
        text += &spreadsheet::line(separator, &cells.each_ref().map(String::as_str));
    }
    Ok(spreadsheet::response("newsletter.csv", &text))
}

/// Unsubscribes a person who asked the admin for it.
pub async fn unsubscribe(_: Owner, app: AppState, email: web::Path<String>) -> HandlerResult {
    let now = app.now();
    app.change(move |writer| {
        let email = newsletter::find_address(writer, &email)?;
        Ok(campaign::unsubscribe(writer, &email, None, now)?)
    })
    .await?;
    Ok(no_content())
}

/// Clears the mark "unreachable": the address receives the next newsletter again.
pub async fn restore(_: Owner, app: AppState, email: web::Path<String>) -> HandlerResult {
    let now = app.now();
    app.change(move |writer| {
        let email = newsletter::find_address(writer, &email)?;
        Ok(campaign::restore_address(writer, &email, now)?)
    })
    .await?;
    Ok(no_content())
}

/// Asks addresses that were collected without a mail server to confirm, each once.
pub async fn ask_confirmation(_: Owner, app: AppState) -> HandlerResult {
    if app.config.mail.is_none() {
        return Err(NO_MAIL);
    }
    let now = app.now();
    let asked = app
        .change(move |writer| Ok(newsletter::ask_collected(writer, now)?))
        .await?;
    app.jobs.newsletter.confirmations.notify_one();
    json_no_store(StatusCode::OK, &json!({ "asked": asked }))
}

pub async fn remove(_: Owner, app: AppState, email: web::Path<String>) -> HandlerResult {
    let now = app.now();
    app.change(move |writer| {
        let email = newsletter::find_address(writer, &email)?;
        Ok(writer.erase_subscriber(&email, now)?)
    })
    .await?;
    Ok(no_content())
}
