//! Sends stored notices (`db/repositories/notifications.rs`) as e-mails to the accounts of the
//! panel, at most one of a subject per hour.

use crate::messages::MONTH_SWITCH;
use crate::refused_mail;
use crate::{
    DeliveryError, EmailMessage, EmailTemplate, Error, FailureClass, FooterLine, NoticeContent,
    NoticeEmail, NoticeTopic, Result, SmtpOptions, StopSignal, deliver, test_notice,
};
use respiro_auth::token;
use respiro_content::settings::SETTINGS;
use respiro_content::url::host_of;
use respiro_content::{Settings, Timestamp, time};
use respiro_db::{Notification, NotificationKind, PendingEmail, Writer};
use respiro_publish::Site;
use std::sync::Arc;
use std::time::Duration;

/// Upper limit of a wait: a machine that was suspended would otherwise wake up late.
const POLL_INTERVAL: Duration = Duration::from_mins(5);
/// Waits after each failed attempt; after the last one only the panel shows the notice.
const RETRY_MINUTES: [i64; 5] = [5, 15, 60, 4 * 60, 12 * 60];
const MINUTE_MILLISECONDS: i64 = 60_000;
/// Notices that waited longer, because the site could send no e-mail, are dropped.
const STALE_MILLISECONDS: i64 = 4 * 24 * 60 * MINUTE_MILLISECONDS;

/// An e-mail taken from the queue.
struct OutgoingEmail {
    post: PendingEmail,
    /// Number of notices that the e-mail is about.
    count: u32,
    /// The latest of these notices.
    noticed: Notification,
    settings: Settings,
    /// The recipient runs the server and has no account.
    is_host: bool,
}

/// Sends e-mails when they are due, until a stop is requested.
pub async fn run(site: Arc<Site>, mail: SmtpOptions, mut stop: StopSignal) {
    loop {
        let wait = match send_next(&site, &mail).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::error!(%error, "cannot see which notices wait for an e-mail");
                POLL_INTERVAL
            }
        };
        // A new notice ends the wait.
        if !stop.wait(wait, site.notification_stored()).await {
            return;
        }
    }
}

/// Sends one e-mail if one is due. Returns how long to wait for the next.
async fn send_next(site: &Site, mail: &SmtpOptions) -> Result<Duration> {
    let now = site.now();
    let posts = site
        .read(|reader| Ok::<_, Error>(reader.pending_emails().list()?))
        .await?;
    let waiting = posts.into_iter().filter(|post| post.waiting > 0);
    let Some(next) = waiting.min_by_key(|post| due_at(post, now)) else {
        return Ok(POLL_INTERVAL);
    };
    let due_at = due_at(&next, now);
    if due_at > now {
        let wait = u64::try_from(due_at - now).unwrap_or_default();
        return Ok(POLL_INTERVAL.min(Duration::from_millis(wait)));
    }
    let taken = site
        .change(move |writer| take_pending(writer, &next, now))
        .await?;
    if let Some(pending) = taken {
        let delivered = deliver_notice(site, mail, &pending).await;
        if let Err(failure) = &delivered {
            let (reason, subject) = (&failure.reason, pending.post.subject.name());
            tracing::warn!(reason, subject, "a notice was not taken by the mail server");
        }
        let outcome = delivered.clone();
        site.change(move |writer| record_outcome(writer, pending, outcome, now))
            .await?;
        refused_mail::record(site, delivered.as_ref().err()).await;
    }
    Ok(Duration::ZERO)
}

/// When the e-mail is due; bounded, in case the clock was ahead when the time was stored.
fn due_at(post: &PendingEmail, now: Timestamp) -> Timestamp {
    let retry = RETRY_MINUTES
        .iter()
        .max()
        .map_or(0, |minutes| minutes * MINUTE_MILLISECONDS);
    let longest = post.subject.gap_milliseconds().max(retry);
    time::due(post.due_at, longest, now)
}

/// Takes the next e-mail from the queue. `None` if its recipient should not get it any more.
fn take_pending(
    writer: &mut Writer<'_>,
    next: &PendingEmail,
    now: Timestamp,
) -> Result<Option<OutgoingEmail>> {
    let Some(mut post) = writer.pending_emails().get(next.subject, &next.email)? else {
        return Ok(None);
    };
    let is_host = writer.notifications().is_host(&post.email)?;
    if !is_host && writer.accounts().get(&post.email)?.is_none() {
        writer.pending_emails().remove(&post)?;
        return Ok(None);
    }
    let settings = writer.settings().get()?;
    let is_wanted = writer
        .notifications()
        .is_emailed(post.subject, &post.email)?;
    let is_stale = now - post.waiting_since > STALE_MILLISECONDS;
    let latest = writer.notifications().list()?.into_iter().rfind(|noticed| {
        noticed.subject == post.subject
            && noticed.solved_at.is_none()
            && noticed.is_for(&post.email)
    });
    let Some(noticed) = latest.filter(|_| is_wanted && !is_stale) else {
        post.waiting = 0;
        writer.pending_emails().put(&post)?;
        return Ok(None);
    };
    let count = post.take_pending(now);
    writer.pending_emails().put(&post)?;
    Ok(Some(OutgoingEmail {
        post,
        count,
        noticed,
        settings,
        is_host,
    }))
}

async fn deliver_notice(
    site: &Site,
    mail: &SmtpOptions,
    pending: &OutgoingEmail,
) -> Result<(), DeliveryError> {
    let noticed = &pending.noticed;
    let content = NoticeContent {
        topic: topic(noticed.subject),
        text: &noticed.text,
        at: noticed.at,
        first_at: noticed.first_at,
        moment: noticed.moment,
        count: pending.count,
        host: host_of(site.public_url()),
        switch_label: switch_label(noticed.subject),
        recipient: &pending.post.email,
        is_host: pending.is_host,
        now: site.now(),
    };
    let message = compose_message(
        site,
        &pending.settings,
        &pending.post.email,
        content.compose(),
    )
    .await
    .map_err(|error| DeliveryError::before_connection(&error.to_string()))?;
    deliver(mail, &pending.post.email, &message.compose(mail)?).await
}

const fn topic(subject: NotificationKind) -> NoticeTopic {
    match subject {
        NotificationKind::Testimonial => NoticeTopic::Testimonial,
        NotificationKind::Backup => NoticeTopic::Backup,
        NotificationKind::Offsite => NoticeTopic::Offsite,
        NotificationKind::Certificate => NoticeTopic::Certificate,
        NotificationKind::Device => NoticeTopic::Device,
        NotificationKind::Access => NoticeTopic::Access,
        NotificationKind::Month => NoticeTopic::Month,
        NotificationKind::Copies => NoticeTopic::Copies,
        NotificationKind::Disk => NoticeTopic::Disk,
        NotificationKind::Mail => NoticeTopic::Mail,
        NotificationKind::Plan
        | NotificationKind::Signups
        | NotificationKind::NotStarted
        | NotificationKind::Unreadable
        | NotificationKind::Bounces => NoticeTopic::Other,
    }
}

/// Label of the switch that turns e-mails of this subject off.
fn switch_label(subject: NotificationKind) -> &'static str {
    if subject == NotificationKind::Month {
        return MONTH_SWITCH;
    }
    let name = subject.switch().unwrap_or_default();
    let mut fields = SETTINGS.iter().map(|setting| &setting.field);
    fields
        .find(|field| field.name == name)
        .map_or(name, |field| field.label)
}

pub(crate) async fn compose_message(
    site: &Site,
    settings: &Settings,
    to: &str,
    email: NoticeEmail,
) -> Result<EmailMessage> {
    let (label, place) = &email.button;
    let panel_url = format!("{}/admin{place}", site.public_url());
    let footer = email.footer.iter();
    let footer = footer.map(|text| FooterLine { text, link: None });
    let template = EmailTemplate {
        subject: &email.subject,
        heading: email.heading,
        preheader: email.preheader,
        text: &email.text,
        button: Some((*label, &panel_url)),
        footer: &footer.collect::<Vec<_>>(),
    };
    let html = site
        .render_email_html(template.render_input(site.public_url(), settings))
        .await;
    Ok(EmailMessage {
        to: to.to_owned(),
        sender: settings.brand().to_owned(),
        text: email.plain_text(&panel_url),
        html,
        subject: email.subject,
        id: token::id()?,
        at: site.now(),
        ..EmailMessage::default()
    })
}

/// Stores the outcome. An e-mail that the server may have accepted counts as sent, so that no
/// duplicate follows.
fn record_outcome(
    writer: &mut Writer<'_>,
    pending: OutgoingEmail,
    delivered: Result<(), DeliveryError>,
    now: Timestamp,
) -> Result<()> {
    let OutgoingEmail {
        post,
        count,
        is_host,
        ..
    } = pending;
    let Some(mut post) = writer.pending_emails().get(post.subject, &post.email)? else {
        return Ok(());
    };
    match delivered {
        Err(failure) if failure.classify() != FailureClass::OutcomeUnknown => {
            post.failed = Some((now, failure.italian_reason().to_owned()));
            let again = RETRY_MINUTES.get(usize::try_from(post.tries).unwrap_or(usize::MAX));
            match again.filter(|_| !failure.is_about_message()) {
                Some(minutes) => {
                    post.tries += 1;
                    post.due_at = now + minutes * MINUTE_MILLISECONDS;
                    post.waiting = post.waiting.saturating_add(count);
                }
                None => post.tries = 0,
            }
        }
        _ => {
            post.failed = None;
            post.tries = 0;
            // The panel says of a notice that it was sent to the practitioner.
            let told = if is_host {
                Vec::new()
            } else {
                writer.notifications().list()?
            };
            for mut noticed in told {
                // Older notices were not waiting: their setting was off, or an import added them.
                let is_told = noticed.subject == post.subject
                    && noticed.mailed_at.is_none()
                    && noticed.at >= post.waiting_since
                    && noticed.is_for(&post.email);
                if is_told {
                    noticed.mailed_at = Some(now);
                    writer.notifications().put(&noticed)?;
                }
            }
        }
    }
    Ok(writer.pending_emails().put(&post)?)
}

/// Sends a test e-mail. Returns the Italian reason if the server did not accept it.
pub async fn test(site: &Site, mail: &SmtpOptions, to: &str) -> Result<Option<&'static str>> {
    let settings = site
        .read(|reader| Ok::<_, Error>(reader.settings().get()?))
        .await?;
    let message =
        compose_message(site, &settings, to, test_notice(host_of(site.public_url()))).await?;
    let sent = async { deliver(mail, to, &message.compose(mail)?).await };
    match sent.await {
        Ok(()) => Ok(None),
        Err(failure) => Ok(Some(failure.italian_reason())),
    }
}
