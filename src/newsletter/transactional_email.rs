//! Composes the e-mail that asks an address to confirm its subscription, and the one that welcomes
//! a confirmed address.

use super::campaign_queue::Recipient;
use super::error::Result;
use super::links::{self, Keys, NEVER};
use super::messages;
use super::rendered_campaign::{self, Sender, Sheet};
use respiro_auth::signed_links::Purpose;
use respiro_auth::token;
use respiro_content::{Pictures, Settings, Timestamp, collection_by_slug, markdown};
use respiro_email::{EmailMessage, EmailTemplate, FooterLine};
use respiro_publish::Site;

/// How long a confirmation link is valid. Its texts say "sette giorni".
const CONFIRM_MILLISECONDS: i64 = 7 * 24 * 60 * 60_000;

pub(super) async fn confirmation(
    site: &Site,
    keys: &Keys,
    settings: &Settings,
    email: &str,
) -> Result<EmailMessage> {
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
    Ok(EmailMessage {
        to: email.to_owned(),
        text: messages::confirmation_text(brand, site.public_url(), &confirm, &unsubscribe),
        html,
        subject,
        sender: brand.to_owned(),
        unsubscribe_url: Some(unsubscribe),
        id: token::id()?,
        at: now,
        ..EmailMessage::default()
    })
}

/// Composes the welcome message in the layout of a newsletter.
pub(super) async fn welcome(
    site: &Site,
    keys: &Keys,
    settings: &Settings,
    to: &Recipient,
) -> Result<EmailMessage> {
    let published = site.published_snapshot().await?;
    let said = |field: &str| published.block_text(rendered_campaign::LETTERS, field);
    let list = collection_by_slug("blog")
        .and_then(|kind| kind.list)
        .unwrap_or_default();
    let blog = format!("{}{list}", site.public_url());
    let sheet = Sheet {
        subject: &said("welcomeSubject"),
        heading: Some(&said("welcomeTitle")),
        preheader: &said("welcomePreview"),
        content: &markdown::from_plain_text(&said("welcomeText")),
        button: Some((&said("welcomeAction"), &blog)),
        note: None,
    };
    let mailing = rendered_campaign::draw(site, &sheet, &Pictures::default()).await?;
    let link = rendered_campaign::unsubscribe_url(site, keys, &to.email, None);
    rendered_campaign::letter(site, &mailing, &Sender::of(settings), to, link)
}
