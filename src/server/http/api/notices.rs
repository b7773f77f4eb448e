//! The admin's notifications. The panel lists the same ones whether or not e-mails are sent.

use crate::errors::{NO_MAIL, Result};
use crate::http::auth::{Admin, Owner};
use crate::http::request_body::{JsonObject, invalid};
use crate::http::responses::{json_no_store, no_content};
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use respiro_content::Timestamp;
use respiro_content::time::rfc3339;
use respiro_db::{NoticeChoices, Notification, PendingEmail, Reader};
use respiro_email::notification_emails;
use serde_json::{Value as Json, json};

/// Lists the notifications of the account, newest first, with its last e-mail failure.
pub async fn list(admin: Admin, app: AppState) -> HandlerResult {
    let mails = app.config.mail.is_some();
    let email = admin.session.email;
    let json = app.read(move |reader| {
        let list: Vec<Json> = visible_notices(reader, &email)?
            .iter()
            .map(notice_json)
            .collect();
        let posts = reader.pending_emails().list()?.into_iter();
        let own = posts.filter(|post| post.email == email);
        let failed = own.filter_map(|post: PendingEmail| post.failed).max();
        let failed = failed.map(|(at, reason)| json!({ "at": rfc3339(at), "reason": reason }));
        let choices = reader.accounts().notice_choices(&email)?;
        Ok(json!({
            "notices": list,
            "mails": mails,
            "failed": failed,
            "monthly": choices.monthly_since.is_some(),
        }))
    });
    json_no_store(StatusCode::OK, &json.await?)
}

fn visible_notices(reader: &Reader<'_>, email: &str) -> Result<Vec<Notification>> {
    let mut notices = reader.notifications().list()?;
    notices.retain(|noticed| noticed.is_for(email));
    notices.sort_by_key(|noticed| std::cmp::Reverse((noticed.at, noticed.number)));
    Ok(notices)
}

/// Returns how many notifications the account has not read.
pub fn unread_count(reader: &Reader<'_>, email: &str) -> Result<usize> {
    let notices = visible_notices(reader, email)?.into_iter();
    Ok(notices.filter(|noticed| noticed.read_at.is_none()).count())
}

fn notice_json(noticed: &Notification) -> Json {
    let at = |moment: Option<Timestamp>| moment.map(rfc3339);
    json!({
        "number": noticed.number,
        "subject": noticed.subject.name(),
        "firstAt": rfc3339(noticed.first_at),
        "at": rfc3339(noticed.at),
        "count": noticed.count,
        "text": noticed.text,
        "moment": at(noticed.moment),
        "isRead": noticed.read_at.is_some(),
        "solvedAt": at(noticed.solved_at),
        "mailedAt": at(noticed.mailed_at),
    })
}

/// Marks one notification as read, or all of them without `number`.
pub async fn read(admin: Admin, app: AppState, body: JsonObject) -> HandlerResult {
    let (email, now) = (admin.session.email, app.now());
    let number = body.0.get("number").and_then(Json::as_u64);
    app.change(move |writer| Ok(writer.notifications().mark_read(&email, number, now)?))
        .await?;
    Ok(no_content())
}

/// Turns the summary of each month on or off for the account itself.
pub async fn choose_monthly(Owner(admin): Owner, app: AppState, body: JsonObject) -> HandlerResult {
    let (email, now) = (admin.session.email, app.now());
    let wanted = body.0.get("wanted").and_then(Json::as_bool);
    let wanted = wanted.ok_or_else(|| invalid("wanted", "deve essere vero o falso"))?;
    app.change(move |writer| {
        let known = writer.accounts().notice_choices(&email)?.monthly_since;
        let monthly_since = wanted.then(|| known.unwrap_or(now));
        let choices = NoticeChoices { monthly_since };
        Ok(writer.accounts().put_notice_choices(&email, &choices)?)
    })
    .await?;
    Ok(no_content())
}

/// Sends a test e-mail to the account's own address.
pub async fn test(admin: Admin, app: AppState) -> HandlerResult {
    let Some(mail) = app.config.mail.clone() else {
        return Err(NO_MAIL);
    };
    app.auth.rate_limits.count_test_email(app.now())?;
    let reason = notification_emails::test(&app.site, &mail, &admin.session.email).await?;
    json_no_store(
        StatusCode::OK,
        &json!({ "sent": reason.is_none(), "reason": reason }),
    )
}
