//! Notifies the practitioner and the host when the mail server refuses messages of the site.

use crate::{DeliveryError, Result};
use respiro_content::Timestamp;
use respiro_db::{NotificationEvent, NotificationKind, Reader};
use respiro_publish::Site;

/// A server that refuses every tenth message of a newsletter, by the recipient's domain, is one
/// trouble and not a hundred.
const NOTICE_INTERVAL_MS: i64 = 24 * 60 * 60_000;

/// Takes note of a delivery: stores a notification for a refusal that is not about one recipient,
/// one a day at most, and resolves it with the first message that is accepted after its own
/// e-mails.
pub async fn record(site: &Site, failure: Option<&DeliveryError>) {
    let event = match failure {
        None => NotificationEvent::MailAccepted,
        Some(failure) if failure.is_refusal() => NotificationEvent::MailRefused {
            reason: failure.italian_reason().to_owned(),
        },
        Some(_) => return,
    };
    let now = site.now();
    match site
        .read(move |reader| changes(reader, &event, now).map(|is| is.then_some(event)))
        .await
    {
        Ok(Some(event)) => site.notify(event).await,
        Ok(None) => {}
        Err(error) => tracing::error!(%error, "cannot see whether refused mail is known"),
    }
}

/// Returns whether the event changes what is stored.
fn changes(reader: &Reader<'_>, event: &NotificationEvent, now: Timestamp) -> Result<bool> {
    let mut notices = reader.notifications().list()?.into_iter();
    let last = notices.rfind(|one| one.subject == NotificationKind::Mail);
    let is_open = last.as_ref().is_some_and(|one| one.solved_at.is_none());
    if matches!(event, NotificationEvent::MailRefused { .. }) {
        let is_recent = last.is_some_and(|one| now - one.at < NOTICE_INTERVAL_MS);
        return Ok(!is_open && !is_recent);
    }
    // Resolved earlier, the notification would send no e-mail: none passes while mail is refused.
    let is_told = is_open && {
        let mut posts = reader.pending_emails().list()?.into_iter();
        !posts.any(|post| post.subject == NotificationKind::Mail && post.waiting > 0)
    };
    Ok(is_told)
}
