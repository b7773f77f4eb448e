//! Notifies the practitioner and the host when the mail server refuses messages of the site.

use crate::{DeliveryError, Result};
use respiro_db::{NotificationEvent, NotificationKind, Reader};
use respiro_publish::Site;

/// Takes note of a delivery: stores a notification for a refusal that is not about one recipient,
/// and resolves it with the first message that is accepted after its own e-mails.
pub async fn record(site: &Site, failure: Option<&DeliveryError>) {
    let event = match failure {
        None => NotificationEvent::MailAccepted,
        Some(failure) if failure.is_refusal() => NotificationEvent::MailRefused {
            reason: failure.italian_reason().to_owned(),
        },
        Some(_) => return,
    };
    match site
        .read(move |reader| changes(reader, &event).map(|is| is.then_some(event)))
        .await
    {
        Ok(Some(event)) => site.notify(event).await,
        Ok(None) => {}
        Err(error) => tracing::error!(%error, "cannot see whether refused mail is known"),
    }
}

/// Returns whether the event changes what is stored.
fn changes(reader: &Reader<'_>, event: &NotificationEvent) -> Result<bool> {
    let is_open = reader
        .notifications()
        .open(NotificationKind::Mail)?
        .is_some();
    if matches!(event, NotificationEvent::MailRefused { .. }) {
        return Ok(!is_open);
    }
    // Resolved earlier, the notification would send no e-mail: none passes while mail is refused.
    let is_told = is_open && {
        let mut posts = reader.pending_emails().list()?.into_iter();
        !posts.any(|post| post.subject == NotificationKind::Mail && post.waiting > 0)
    };
    Ok(is_told)
}
