//! The admin's notifications. The panel lists the same ones whether or not e-mails are sent.

use crate::errors::{NO_MAIL, Result};
use crate::http::auth::Admin;
use crate::http::request_body::Object;
use crate::http::responses::{no_content, private};
use crate::http::{Answer, Shared};
use actix_web::http::StatusCode;
use respiro_content::Timestamp;
use respiro_content::time::rfc3339;
use respiro_db::{Notification, PendingEmail, Reader};
use respiro_email::notification_emails;
use serde_json::{Value as Json, json};

/// Lists the notifications of the account, newest first, with its last e-mail failure.
pub async fn list(admin: Admin, shared: Shared) -> Answer {
    let mails = shared.config.mail.is_some();
    let email = admin.session.email;
    let json = shared.read(move |reader| {
        let list: Vec<Json> = shown(reader, &email)?.iter().map(notice_json).collect();
        let posts = reader.pending_emails()?.into_iter();
        let own = posts.filter(|post| post.email == email);
        let failed = own.filter_map(|post: PendingEmail| post.failed).max();
        let failed = failed.map(|(at, reason)| json!({ "at": rfc3339(at), "reason": reason }));
        Ok(json!({ "notices": list, "mails": mails, "failed": failed }))
    });
    private(StatusCode::OK, &json.await?)
}

fn shown(reader: &Reader<'_>, email: &str) -> Result<Vec<Notification>> {
    let mut notices = reader.notifications()?;
    notices.retain(|noticed| noticed.is_for(email));
    notices.sort_by_key(|noticed| std::cmp::Reverse((noticed.at, noticed.number)));
    Ok(notices)
}

/// Returns how many notifications the account has not read.
pub fn unread(reader: &Reader<'_>, email: &str) -> Result<usize> {
    let notices = shown(reader, email)?.into_iter();
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
pub async fn read(admin: Admin, shared: Shared, body: Object) -> Answer {
    let (email, now) = (admin.session.email, shared.now());
    let number = body.0.get("number").and_then(Json::as_u64);
    shared
        .change(move |writer| Ok(writer.mark_notifications_read(&email, number, now)?))
        .await?;
    Ok(no_content())
}

/// Sends a test e-mail to the account's own address.
pub async fn test(admin: Admin, shared: Shared) -> Answer {
    let Some(mail) = shared.config.mail.clone() else {
        return Err(NO_MAIL);
    };
    shared.auth.rate_limits.count_test_email(shared.now())?;
    let reason = notification_emails::test(&shared.site, &mail, &admin.session.email).await?;
    private(
        StatusCode::OK,
        &json!({ "sent": reason.is_none(), "reason": reason }),
    )
}
