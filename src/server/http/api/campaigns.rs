//! Admin endpoints for newsletters: progress, preview, test, start, schedule, pause, resume, stop.

use crate::accounts::normalize_email;
use crate::errors::{NO_MAIL, Result};
use crate::http::auth::Owner;
use crate::http::csv;
use crate::http::pages::preview;
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, web};
use respiro_content::time::{parse_rfc3339, rfc3339};
use respiro_content::{NEWSLETTERS, Timestamp};
use respiro_db::{Campaign, CampaignStatus, Delivery, DeliveryOutcome, Reader, Writer};
use respiro_email as email;
use respiro_newsletter::{
    self as newsletter, campaign, campaign_queue, campaign_sender, rendered_campaign,
};
use serde_json::{Value as Json, json};
use std::sync::Arc;

type Id = web::Path<String>;

const NO_ACCOUNT: &str = "deve essere l’indirizzo di chi entra nel pannello";

/// Lists newsletters with their progress, newest first.
pub async fn list(_: Owner, app: AppState) -> HandlerResult {
    let mails = app.config.mail.is_some();
    let list = app.read(|reader| {
        let mut items = reader.items().list(&NEWSLETTERS)?;
        items.sort_by_key(|item| std::cmp::Reverse(item.created_at));
        let pace = reader.settings().get()?.newsletter_pace();
        let row = |item: &respiro_content::Item| {
            let campaign = progress_json(&reader.campaigns().get(&item.id)?, pace);
            Ok(json!({
                "id": item.id,
                "subject": item.text("title"),
                "updatedAt": rfc3339(item.updated_at),
                "sending": campaign,
            }))
        };
        let rows: Result<Vec<Json>> = items.iter().map(row).collect();
        Ok((rows?, campaign_queue::recipients(reader)?.len()))
    });
    let (newsletters, recipients) = list.await?;
    json_no_store(
        StatusCode::OK,
        &json!({
            "newsletters": newsletters,
            "recipients": recipients,
            "mails": mails,
            "bounces": bounces_json(&app),
        }),
    )
}

/// Returns when the mailbox of returned messages was last read; null if there is none.
fn bounces_json(app: &AppState) -> Json {
    if app.config.bounces.is_none() {
        return Json::Null;
    }
    let state = app.jobs.bounces.state();
    let (since, reason) = state.failing.unzip();
    json!({
        "readAt": state.read_at.map(rfc3339),
        "failingSince": since.map(rfc3339),
        "reason": reason,
    })
}

pub async fn get(_: Owner, app: AppState, id: Id) -> HandlerResult {
    let id = id.into_inner();
    let json = app.read(move |reader| campaign_json(reader, &id)).await?;
    json_no_store(StatusCode::OK, &json)
}

/// Returns the progress of a newsletter and its failed deliveries.
fn campaign_json(reader: &Reader<'_>, id: &str) -> Result<Json> {
    let campaign = campaign::find(reader, id)?;
    let pace = reader.settings().get()?.newsletter_pace();
    let mut failures = reader.campaigns().failures(id)?;
    failures.extend(reader.campaigns().postponed(&campaign)?);
    // A delivery that is retried right now is in neither of the two lists.
    let tried = campaign.in_flight.clone();
    failures.extend(tried.filter(|delivery| delivery.tries > 0));
    let mut json = progress_json(&campaign, pace);
    let rows: Result<Vec<Json>> = failures
        .iter()
        .map(|delivery| failure_json(reader, delivery))
        .collect();
    json["failures"] = Json::Array(rows?);
    let first = campaign_queue::active(reader)?;
    let waits =
        campaign.state == CampaignStatus::Sending && first.is_some_and(|other| other.id != id);
    json["waitsForOther"] = Json::Bool(waits);
    Ok(json)
}

fn progress_json(campaign: &Campaign, setting: i64) -> Json {
    let pace = campaign_queue::pace_of(campaign, setting);
    let at = |moment: Option<Timestamp>| moment.map(rfc3339);
    let trouble = campaign.trouble.as_ref();
    json!({
        "state": format!("{:?}", campaign.state).to_lowercase(),
        "scheduledAt": at(campaign.scheduled_at),
        "startedAt": at(campaign.started_at),
        "endedAt": at(campaign.ended_at),
        "testedAt": at(campaign.tested_at),
        "resumedAt": at(campaign.resumed_at),
        "retryAt": at(campaign.retry_at),
        "isLate": campaign.is_late,
        "isSlowed": campaign.slowed_pace.is_some(),
        "pace": pace,
        "total": campaign.tally.total,
        "accepted": campaign.tally.accepted,
        "refused": campaign.tally.refused,
        "uncertain": campaign.tally.uncertain,
        "skipped": campaign.tally.skipped,
        "unsubscribed": campaign.tally.unsubscribed,
        "waiting": campaign.waiting(),
        "trouble": trouble.map(|(code, reason)| json!({ "code": code, "reason": reason })),
    })
}

fn failure_json(reader: &Reader<'_>, delivery: &Delivery) -> Result<Json> {
    // This delivery marked the address, and the mark was not cleared since.
    let is_marked = delivery.is_marked
        && reader
            .address_statuses()
            .get(&delivery.email)?
            .unreachable_at
            .is_some();
    Ok(json!({
        "email": delivery.email,
        "fate": outcome_labels(delivery.fate).0,
        "tries": delivery.tries,
        "at": rfc3339(delivery.at),
        "reason": delivery.reason,
        "isMarked": is_marked,
    }))
}

/// Returns the outcome as the API names it, and its label in the spreadsheet.
pub(super) const fn outcome_labels(outcome: DeliveryOutcome) -> (&'static str, &'static str) {
    match outcome {
        DeliveryOutcome::Waiting => ("waiting", "in attesa"),
        DeliveryOutcome::Full => ("full", "casella piena o non pronta"),
        DeliveryOutcome::Unknown => ("unknown", "casella inesistente"),
        DeliveryOutcome::Blocked => ("blocked", "messaggio rifiutato"),
        DeliveryOutcome::Uncertain => ("uncertain", "esito incerto"),
        DeliveryOutcome::Skipped => ("skipped", "saltata"),
    }
}

/// Renders the newsletter as a recipient gets it, with the faults and notes to check before
/// sending.
pub async fn preview(_: Owner, app: AppState, id: Id) -> HandlerResult {
    let (site, wanted) = (Arc::clone(&app.site), id.clone());
    let rendering = async move { Ok(rendered_campaign::draft(&site, &wanted).await?) };
    let draft = preview::acquire(&app).await?.task(rendering).await?;
    let settled = rendered_campaign::sent_text(&app.site, &id).await?;
    let sent = settled.unwrap_or(draft.rendered);
    let (html, text) = rendered_campaign::example(&app.site, &sent);
    json_no_store(
        StatusCode::OK,
        &json!({
            "subject": sent.subject,
            "sender": draft.sender.name,
            "preheader": draft.preheader,
            "html": html,
            "text": text,
            "bytes": sent.html.len(),
            "bytesMax": rendered_campaign::HTML_BYTES_MAX,
            "recipients": draft.recipients,
            "faults": draft.faults.iter()
                .map(|code| json!({ "code": code, "text": newsletter::fault_text(code) }))
                .collect::<Vec<Json>>(),
            "notes": draft.notes,
        }),
    )
}

/// Serves the message alone, as a page without scripts and with pictures of this site only.
pub async fn preview_page(_: Owner, app: AppState, id: Id, request: HttpRequest) -> HandlerResult {
    let site = Arc::clone(&app.site);
    let rendering = async move { Ok(rendered_campaign::sent_or_draft(&site, &id).await?) };
    let sent = preview::acquire(&app).await?.task(rendering).await?;
    let (mut html, _) = rendered_campaign::example(&app.site, &sent);
    let mode = request.query_string();
    if mode.contains("dark") {
        html = html.replace("(prefers-color-scheme:dark)", "all");
    } else {
        html = html.replace("(prefers-color-scheme:dark)", "not all");
    }
    let pictures = if mode.contains("imagesOff") {
        "'none'"
    } else {
        "'self'"
    };
    let policy = format!(
        "default-src 'none'; img-src {pictures}; style-src 'unsafe-inline'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'self'; sandbox"
    );
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        .body(html))
}

/// Sends a test to an account of the panel.
pub async fn test(_: Owner, app: AppState, id: Id, body: JsonObject) -> HandlerResult {
    let Some(mail) = app.config.mail.clone() else {
        return Err(NO_MAIL);
    };
    let to = normalize_email(body.text("email")?);
    let wanted = to.clone();
    let known = app
        .read(move |reader| Ok(reader.accounts().get(&wanted)?))
        .await?;
    if known.is_none() {
        return Err(invalid("email", NO_ACCOUNT));
    }
    app.auth.rate_limits.count_test_email(app.now())?;
    let message = rendered_campaign::test(&app.site, &id, &to).await?;
    let sent = async { email::deliver(&mail, &to, &message.compose(&mail)?).await };
    let now = app.now();
    if let Err(failure) = sent.await {
        tracing::warn!(
            reason = failure.reason,
            "a test of a newsletter was not taken"
        );
        let response = json!({ "sent": false, "reason": failure.italian_reason() });
        return json_no_store(StatusCode::OK, &response);
    }
    let id = id.into_inner();
    app.change(move |writer| {
        let mut campaign = campaign::find(writer, &id)?;
        campaign.tested_at = Some(now);
        Ok(writer.campaigns().put(&campaign)?)
    })
    .await?;
    json_no_store(StatusCode::OK, &json!({ "sent": true }))
}

/// Starts sending now.
pub async fn start(_: Owner, app: AppState, id: Id) -> HandlerResult {
    let has_mail_server = app.config.mail.is_some();
    campaign_sender::start(&app.site, &app.jobs.newsletter, has_mail_server, &id).await?;
    respond(&app, id.into_inner()).await
}

pub async fn schedule(_: Owner, app: AppState, id: Id, body: JsonObject) -> HandlerResult {
    if app.config.mail.is_none() {
        return Err(NO_MAIL);
    }
    let at = parse_rfc3339(body.text("at")?).ok_or_else(|| invalid("at", "non è una data"))?;
    rendered_campaign::refuse_faults(&rendered_campaign::draft(&app.site, &id).await?)?;
    let now = app.now();
    change_and_respond(app, id, move |writer, id| {
        campaign::schedule(writer, id, at, now)
    })
    .await
}

pub async fn unschedule(_: Owner, app: AppState, id: Id) -> HandlerResult {
    change_and_respond(app, id, |writer, id| campaign::unschedule(writer, id, None)).await
}

pub async fn pause(_: Owner, app: AppState, id: Id) -> HandlerResult {
    change_and_respond(app, id, campaign::pause).await
}

pub async fn resume(_: Owner, app: AppState, id: Id) -> HandlerResult {
    change_and_respond(app, id, campaign::resume).await
}

pub async fn stop(_: Owner, app: AppState, id: Id) -> HandlerResult {
    let now = app.now();
    change_and_respond(app, id, move |writer, id| campaign::stop(writer, id, now)).await
}

/// Removes the pictures of a deleted newsletter from e-mails already sent: a person in one may have
/// withdrawn consent.
pub async fn remove_sent_images(_: Owner, app: AppState, id: Id) -> HandlerResult {
    let id = id.into_inner();
    app.change(move |writer| Ok(writer.sent_images().remove(&id)?))
        .await?;
    Ok(no_content())
}

async fn change_and_respond(
    app: AppState,
    id: Id,
    work: impl FnOnce(&mut Writer<'_>, &str) -> newsletter::Result<()> + Send + 'static,
) -> HandlerResult {
    let id = id.into_inner();
    let wanted = id.clone();
    app.change(move |writer| Ok(work(writer, &wanted)?)).await?;
    app.jobs.newsletter.campaigns.notify_one();
    respond(&app, id).await
}

async fn respond(app: &AppState, id: String) -> HandlerResult {
    let json = app.read(move |reader| campaign_json(reader, &id)).await?;
    json_no_store(StatusCode::OK, &json)
}

/// Returns the totals and the failed deliveries as CSV.
pub async fn report(_: Owner, request: HttpRequest, app: AppState, id: Id) -> HandlerResult {
    let separator = csv::separator(&request)?;
    let id = id.into_inner();
    let (campaign, failures) = app
        .read(move |reader| {
            let campaign = campaign::find(reader, &id)?;
            Ok((campaign, reader.campaigns().failures(&id)?))
        })
        .await?;
    let tally = campaign.tally;
    let mut text = csv::plain_line(separator, &["voce", "valore"]);
    let counts = [
        ("accettate", tally.accepted),
        ("rifiutate", tally.refused),
        ("esito incerto", tally.uncertain),
        ("saltate", tally.skipped),
        ("cancellate dopo", tally.unsubscribed),
    ];
    for (name, count) in counts {
        text += &csv::plain_line(separator, &[csv::quoted(name), count.to_string()]);
    }
    text += "\r\n";
    text += &csv::plain_line(separator, &["indirizzo", "esito", "motivo"]);
    for delivery in &failures {
        let outcome = outcome_labels(delivery.fate).1;
        text += &csv::line(separator, &[&delivery.email, outcome, &delivery.reason]);
    }
    Ok(csv::response("resoconto.csv", &text))
}
