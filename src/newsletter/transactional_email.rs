//! Composes the e-mail that asks an address to confirm its subscription, and the one that welcomes
//! a confirmed address. The state of the subscription decides which of the two an address gets.

use super::campaign_queue::{Recipient, recipient_of};
use super::error::{Error, Result};
use super::links::{self, Keys, NEVER};
use super::message_ids::message_id;
use super::messages;
use super::rendered_campaign::{self, EmailContent, Sender};
use super::subscriptions::{
    self, NewsletterQueues, RATE_LIMIT_REACHED, is_asked_again, notify_once_a_day,
};
use respiro_auth::signed_links::Purpose;
use respiro_content::{Pictures, Settings, Timestamp, collection_by_slug, markdown};
use respiro_db::{Subscription, Writer};
use respiro_email::transactional_queue::{TransactionalEmails, TransactionalKind};
use respiro_email::{self as email, EmailMessage, EmailTemplate, FooterLine};
use respiro_publish::Site;
use std::sync::Arc;
use tokio::sync::Notify;

/// How long a confirmation link is valid. Its texts say "sette giorni".
const CONFIRM_MILLISECONDS: i64 = 7 * 24 * 60 * 60_000;

/// The transactional e-mails of the newsletter.
#[derive(Debug)]
pub struct SubscriptionEmails {
    pub queues: Arc<NewsletterQueues>,
}

impl TransactionalEmails for SubscriptionEmails {
    async fn compose(
        &self,
        site: &Site,
        email: &str,
    ) -> email::Result<Option<(EmailMessage, TransactionalKind)>> {
        Ok(compose(site, email).await?)
    }

    fn record_accepted(
        writer: &mut Writer<'_>,
        email: &str,
        kind: TransactionalKind,
        now: Timestamp,
    ) -> email::Result<()> {
        match kind {
            TransactionalKind::Confirmation => Ok(record_confirmation(writer, email, now)?),
            TransactionalKind::Welcome => Ok(()),
        }
    }

    fn record_limit_reached(writer: &mut Writer<'_>, now: Timestamp) -> email::Result<()> {
        Ok(notify_once_a_day(writer, RATE_LIMIT_REACHED, now)?)
    }

    fn queued(&self) -> &Notify {
        &self.queues.confirmations
    }
}

async fn compose(site: &Site, email: &str) -> Result<Option<(EmailMessage, TransactionalKind)>> {
    let address = email.to_owned();
    let found = site.read(move |reader| {
        let (subscriber, status) = (
            reader.subscribers().get(&address)?,
            reader.address_statuses().get(&address)?,
        );
        let last_restored_at = reader.last_restored_at()?;
        let known = (
            Keys::of(reader)?,
            reader.settings().get()?,
            last_restored_at,
        );
        Ok::<_, Error>((subscriber, status, known))
    });
    let (subscriber, status, (keys, settings, last_restored_at)) = found.await?;
    let Some(subscriber) = subscriber else {
        return Ok(None);
    };
    if subscriber.state == Subscription::Pending || is_asked_again(&subscriber, &status) {
        let message = confirmation(site, &keys, &settings, email).await;
        return Ok(Some((message, TransactionalKind::Confirmation)));
    }
    match recipient_of(&subscriber, &status) {
        // The subscriber confirmed before the data file was restored from a backup: the file of
        // that time sent the welcome.
        Some(to) if to.confirmed_at <= last_restored_at => Ok(None),
        Some(to) if settings.is_on("newsletterWelcome") => {
            let message = welcome(site, &keys, &settings, &to).await?;
            Ok(Some((message, TransactionalKind::Welcome)))
        }
        _ => Ok(None),
    }
}

/// Records that the mail server accepted a confirmation message. Has no effect on a subscriber that
/// was removed meanwhile.
fn record_confirmation(writer: &mut Writer<'_>, email: &str, now: Timestamp) -> Result<()> {
    let mut status = writer.address_statuses().get(email)?;
    let Some(subscriber) = writer.subscribers().get(email)? else {
        return Ok(());
    };
    match subscriber.state {
        Subscription::Unsubscribed if !is_asked_again(&subscriber, &status) => return Ok(()),
        // The recipient confirmed before the mail server had replied.
        Subscription::Confirmed => subscriptions::enqueue_welcome(writer, email, now)?,
        _ => {}
    }
    // Time of the last confirmation message; part of the proof of consent.
    status.mailed_at = Some(now);
    Ok(writer.address_statuses().put(&status)?)
}

async fn confirmation(site: &Site, keys: &Keys, settings: &Settings, email: &str) -> EmailMessage {
    let now = site.now();
    let link = |path: &str, purpose: Purpose, until: Timestamp| {
        let token = links::token(keys, purpose, email, until);
        format!("{}/newsletter/{path}/{token}", site.public_url())
    };
    let confirm = link(links::CONFIRM, Purpose::Confirm, now + CONFIRM_MILLISECONDS);
    let unsubscribe = link(links::UNSUBSCRIBE, Purpose::Unsubscribe, NEVER);
    let brand = settings.brand();
    let subject = messages::confirmation_subject(brand);
    let template = EmailTemplate {
        subject: &subject,
        heading: messages::CONFIRMATION_HEADING,
        preheader: messages::CONFIRMATION_PREHEADER,
        text: &messages::confirmation_html_text(brand),
        button: Some((messages::CONFIRMATION_BUTTON, &confirm)),
        footer: &[
            FooterLine {
                text: messages::CONFIRMATION_DECLINE,
                link: Some((messages::CONFIRMATION_DECLINE_LINK, &unsubscribe)),
            },
            FooterLine {
                text: brand,
                link: Some((site.public_url(), site.public_url())),
            },
        ],
    };
    let html = site
        .render_email_html(template.render_input(site.public_url(), settings))
        .await;
    EmailMessage {
        to: email.to_owned(),
        text: messages::confirmation_text(brand, site.public_url(), &confirm, &unsubscribe),
        html,
        subject,
        sender: brand.to_owned(),
        unsubscribe_url: Some(unsubscribe),
        id: message_id(keys, email, now),
        at: now,
        ..EmailMessage::default()
    }
}

/// Composes the welcome message in the layout of a newsletter.
async fn welcome(
    site: &Site,
    keys: &Keys,
    settings: &Settings,
    to: &Recipient,
) -> Result<EmailMessage> {
    let published = site.published_snapshot().await?;
    let text = |field: &str| published.block_text(rendered_campaign::EMAIL_TEXTS, field);
    let list = collection_by_slug("blog")
        .and_then(|kind| kind.list)
        .unwrap_or_default();
    let blog = format!("{}{list}", site.public_url());
    let content = EmailContent {
        subject: &text("welcomeSubject"),
        heading: Some(&text("welcomeTitle")),
        preheader: &text("welcomePreview"),
        content: &markdown::from_plain_text(&text("welcomeText")),
        button: Some((&text("welcomeAction"), &blog)),
        note: None,
    };
    let rendered = rendered_campaign::render(site, &content, &Pictures::default()).await?;
    let link = rendered_campaign::unsubscribe_url(site, keys, &to.email, None);
    let sender = Sender::of(settings);
    let email = rendered_campaign::compose(site, keys, &rendered, &sender, to, link);
    Ok(email)
}
