//! Admin endpoints for newsletters: progress, preview, test, start, schedule, pause, resume, stop.

use crate::accounts::normalize_email;
use crate::errors::{NO_MAIL, Result};
use crate::http::api::subscribers::quoted;
use crate::http::auth::Admin;
use crate::http::pages::preview;
use crate::http::request_body::{Object, invalid};
use crate::http::responses::{csv, no_content, private};
use crate::http::{Answer, Shared};
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, web};
use respiro_content::time::{parse_rfc3339, rfc3339};
use respiro_content::{NEWSLETTERS, Timestamp};
use respiro_db::{Campaign, CampaignStatus, Delivery, DeliveryOutcome, Reader, Writer};
use respiro_email as email;
use respiro_newsletter::{
    self as newsletter, campaign, campaign_queue, campaign_sender, rendered_campaign,
};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

type Id = web::Path<String>;

const NO_ACCOUNT: &str = "deve essere l’indirizzo di chi entra nel pannello";

/// Lists newsletters with their progress, newest first.
pub async fn list(_: Admin, shared: Shared) -> Answer {
    let mails = shared.config.mail.is_some();
    let list = shared.read(|reader| {
        let mut items = reader.items(&NEWSLETTERS)?;
        items.sort_by_key(|item| std::cmp::Reverse(item.created_at));
        let pace = reader.settings()?.newsletter_pace();
        let row = |item: &respiro_content::Item| {
            let sending = sending_json(&reader.campaign(&item.id)?, pace);
            Ok(json!({
                "id": item.id,
                "subject": item.text("title"),
                "updatedAt": rfc3339(item.updated_at),
                "sending": sending,
            }))
        };
        let rows: Result<Vec<Json>> = items.iter().map(row).collect();
        Ok((rows?, campaign_queue::recipients(reader)?.len()))
    });
    let (newsletters, recipients) = list.await?;
    private(
        StatusCode::OK,
        &json!({ "newsletters": newsletters, "recipients": recipients, "mails": mails }),
    )
}

pub async fn one(_: Admin, shared: Shared, id: Id) -> Answer {
    let id = id.into_inner();
    let json = shared.read(move |reader| whole(reader, &id)).await?;
    private(StatusCode::OK, &json)
}

/// Returns the progress of a newsletter and its failed deliveries.
fn whole(reader: &Reader<'_>, id: &str) -> Result<Json> {
    let sending = campaign::known(reader, id)?;
    let pace = reader.settings()?.newsletter_pace();
    let mut failures = reader.delivery_failures(id)?;
    failures.extend(reader.postponed(&sending)?);
    // A delivery that is retried right now is in neither of the two lists.
    let tried = sending.in_flight.clone();
    failures.extend(tried.filter(|delivery| delivery.tries > 0));
    let mut json = sending_json(&sending, pace);
    let rows: Result<Vec<Json>> = failures
        .iter()
        .map(|one| failure_json(reader, one))
        .collect();
    json["failures"] = Json::Array(rows?);
    let first = campaign_queue::active(reader)?;
    let waits = sending.state == CampaignStatus::Sending && first.is_some_and(|one| one.id != id);
    json["waitsForOther"] = Json::Bool(waits);
    Ok(json)
}

fn sending_json(sending: &Campaign, setting: i64) -> Json {
    let pace = campaign_queue::pace_of(sending, setting);
    let at = |moment: Option<Timestamp>| moment.map(rfc3339);
    let trouble = sending.trouble.as_ref();
    json!({
        "state": format!("{:?}", sending.state).to_lowercase(),
        "scheduledAt": at(sending.scheduled_at),
        "startedAt": at(sending.started_at),
        "endedAt": at(sending.ended_at),
        "testedAt": at(sending.tested_at),
        "resumedAt": at(sending.resumed_at),
        "retryAt": at(sending.retry_at),
        "isLate": sending.is_late,
        "isSlowed": sending.slowed_pace.is_some(),
        "pace": pace,
        "total": sending.tally.total,
        "accepted": sending.tally.accepted,
        "refused": sending.tally.refused,
        "uncertain": sending.tally.uncertain,
        "skipped": sending.tally.skipped,
        "unsubscribed": sending.tally.unsubscribed,
        "waiting": sending.waiting(),
        "trouble": trouble.map(|(code, reason)| json!({ "code": code, "reason": reason })),
    })
}

fn failure_json(reader: &Reader<'_>, delivery: &Delivery) -> Result<Json> {
    // This delivery marked the address, and the mark was not cleared since.
    let is_marked = delivery.is_marked
        && reader
            .address_status(&delivery.email)?
            .unreachable_at
            .is_some();
    Ok(json!({
        "email": delivery.email,
        "fate": fate(delivery.fate).0,
        "tries": delivery.tries,
        "at": rfc3339(delivery.at),
        "reason": delivery.reason,
        "isMarked": is_marked,
    }))
}

/// Returns the outcome as the API names it, and its label in the spreadsheet.
const fn fate(fate: DeliveryOutcome) -> (&'static str, &'static str) {
    match fate {
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
pub async fn preview(_: Admin, shared: Shared, id: Id) -> Answer {
    let (app, wanted) = (shared.clone(), id.clone());
    let draw = async move { Ok(rendered_campaign::draft(&app.site, &wanted).await?) };
    let draft = preview::turn(&shared).await?.task(draw).await?;
    let settled = rendered_campaign::settled(&shared.site, &id).await?;
    let sent = settled.unwrap_or(draft.mailing);
    let (html, text) = rendered_campaign::example(&shared.site, &sent);
    private(
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
pub async fn preview_page(
    _: Admin,
    shared: Shared,
    id: Id,
    request: actix_web::HttpRequest,
) -> Answer {
    let app = shared.clone();
    let draw = async move { Ok(rendered_campaign::shown(&app.site, &id).await?) };
    let sent = preview::turn(&shared).await?.task(draw).await?;
    let (mut html, _) = rendered_campaign::example(&shared.site, &sent);
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
pub async fn test(_: Admin, shared: Shared, id: Id, body: Object) -> Answer {
    let Some(mail) = shared.config.mail.clone() else {
        return Err(NO_MAIL);
    };
    let to = normalize_email(body.text("email")?);
    let wanted = to.clone();
    let known = shared
        .read(move |reader| Ok(reader.account(&wanted)?))
        .await?;
    if known.is_none() {
        return Err(invalid("email", NO_ACCOUNT));
    }
    shared.auth.rate_limits.count_test_email(shared.now())?;
    let letter = rendered_campaign::test(&shared.site, &id, &to).await?;
    let sent = async { email::deliver(&mail, &to, &letter.compose(&mail)?).await };
    let now = shared.now();
    if let Err(failure) = sent.await {
        tracing::warn!(
            reason = failure.reason,
            "a test of a newsletter was not taken"
        );
        let answer = json!({ "sent": false, "reason": failure.italian_reason() });
        return private(StatusCode::OK, &answer);
    }
    let id = id.into_inner();
    shared
        .change(move |writer| {
            let mut sending = campaign::known(writer, &id)?;
            sending.tested_at = Some(now);
            Ok(writer.put_campaign(&sending)?)
        })
        .await?;
    private(StatusCode::OK, &json!({ "sent": true }))
}

/// Starts sending now.
pub async fn start(_: Admin, shared: Shared, id: Id) -> Answer {
    let has_mail_server = shared.config.mail.is_some();
    campaign_sender::start(&shared.site, &shared.jobs.newsletter, has_mail_server, &id).await?;
    answer(&shared, id.into_inner()).await
}

pub async fn schedule(_: Admin, shared: Shared, id: Id, body: Object) -> Answer {
    if shared.config.mail.is_none() {
        return Err(NO_MAIL);
    }
    let at = parse_rfc3339(body.text("at")?).ok_or_else(|| invalid("at", "non è una data"))?;
    rendered_campaign::refuse_faults(&rendered_campaign::draft(&shared.site, &id).await?)?;
    let now = shared.now();
    act(shared, id, move |writer, id| {
        campaign::schedule(writer, id, at, now)
    })
    .await
}

pub async fn unschedule(_: Admin, shared: Shared, id: Id) -> Answer {
    act(shared, id, |writer, id| {
        campaign::unschedule(writer, id, None)
    })
    .await
}

pub async fn pause(_: Admin, shared: Shared, id: Id) -> Answer {
    act(shared, id, campaign::pause).await
}

pub async fn resume(_: Admin, shared: Shared, id: Id) -> Answer {
    act(shared, id, campaign::resume).await
}

pub async fn stop(_: Admin, shared: Shared, id: Id) -> Answer {
    let now = shared.now();
    act(shared, id, move |writer, id| {
        campaign::stop(writer, id, now)
    })
    .await
}

/// Removes the pictures of a deleted newsletter from e-mails already sent: a person in one may have
/// withdrawn consent.
pub async fn forget_pictures(_: Admin, shared: Shared, id: Id) -> Answer {
    let id = id.into_inner();
    shared
        .change(move |writer| Ok(writer.remove_sent_images(&id)?))
        .await?;
    Ok(no_content())
}

async fn act(
    shared: Shared,
    id: Id,
    work: impl FnOnce(&mut Writer<'_>, &str) -> newsletter::Result<()> + Send + 'static,
) -> Answer {
    let id = id.into_inner();
    let wanted = id.clone();
    shared
        .change(move |writer| Ok(work(writer, &wanted)?))
        .await?;
    shared.jobs.newsletter.campaigns.notify_one();
    answer(&shared, id).await
}

async fn answer(shared: &Shared, id: String) -> Answer {
    let json = shared.read(move |reader| whole(reader, &id)).await?;
    private(StatusCode::OK, &json)
}

/// Returns the totals and the failed deliveries as CSV.
pub async fn report(_: Admin, shared: Shared, id: Id) -> Answer {
    let id = id.into_inner();
    let (sending, failures) = shared
        .read(move |reader| {
            let sending = campaign::known(reader, &id)?;
            Ok((sending, reader.delivery_failures(&id)?))
        })
        .await?;
    let tally = sending.tally;
    let mut text = String::from("voce,valore\r\n");
    let counts = [
        ("accettate", tally.accepted),
        ("rifiutate", tally.refused),
        ("esito incerto", tally.uncertain),
        ("saltate", tally.skipped),
        ("cancellate dopo", tally.unsubscribed),
    ];
    // Writing to a string cannot fail.
    for (name, count) in counts {
        let _ = write!(text, "{},{count}\r\n", quoted(name));
    }
    let _ = write!(text, "\r\nindirizzo,esito,motivo\r\n");
    for delivery in &failures {
        let (email, reason) = (quoted(&delivery.email), quoted(&delivery.reason));
        let fate = quoted(fate(delivery.fate).1);
        let _ = write!(text, "{email},{fate},{reason}\r\n");
    }
    Ok(csv("resoconto.csv", &text))
}
