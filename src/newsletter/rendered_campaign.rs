//! Renders a newsletter once, then fills it in for each recipient.

use super::campaign_queue::{Recipient, recipients};
use super::error::{Error, Result};
use super::links::{self, Keys, NEVER};
use super::message_ids::message_id;
use super::messages;
use respiro_auth::signed_links::Purpose;
use respiro_content::markdown::{self, RenderContext, Survey};
use respiro_content::settings::REPLY;
use respiro_content::url::host_of;
use respiro_content::{Item, NEWSLETTERS, Pictures, Settings, time};
use respiro_db::{CampaignStatus, Reader, RenderedCampaign};
use respiro_email::{EmailMessage, escape_html, is_reachable};
use respiro_publish::{Site, blocking};
use serde_json::json;
use std::sync::Arc;

/// Some mail clients clip larger messages.
pub const HTML_BYTES_MAX: usize = 100_000;
/// Content blocks with the practitioner's texts for e-mails, and with the legal information that is
/// in the footer of every page.
pub(super) const EMAIL_TEXTS: &str = "newsletter.letters";
const LEGAL_FOOTER: &str = "footer.legal";
/// Placeholders in the rendered text for what differs between recipients.
const UNSUBSCRIBE_MARK: &str = "respiro-mark-unsubscribe";
const WHY_MARK: &str = "respiro-mark-why";

/// Name and reply address of the sender.
#[derive(Debug, Clone)]
pub struct Sender {
    pub name: String,
    pub reply_to: Option<String>,
}

impl Sender {
    pub fn of(settings: &Settings) -> Self {
        let name = settings.text("newsletterSender");
        // An address that mail cannot reach must not hide a later one that it can.
        let addresses = [REPLY, "email"]
            .into_iter()
            .filter_map(|name| settings.text(name));
        let mut reachable = addresses.filter(|address| is_reachable(address));
        Self {
            name: name.unwrap_or(settings.brand()).to_owned(),
            reply_to: reachable.next().map(str::to_owned),
        }
    }
}

/// A newsletter as it would be sent now, with its faults and warnings.
#[derive(Debug)]
pub struct Draft {
    pub item: Item,
    pub rendered: RenderedCampaign,
    pub sender: Sender,
    /// Preview text that mail clients show beside the subject.
    pub preheader: String,
    pub recipients: usize,
    /// Codes of the faults that prevent sending (`ui/src/admin/features/newsletter/messages.ts`).
    pub faults: Vec<&'static str>,
    /// Codes of warnings that the practitioner should read before sending.
    pub notes: Vec<&'static str>,
}

impl Draft {
    /// Fails with 409 if another text was saved since the draft was read.
    pub fn check_unchanged(&self, reader: &Reader<'_>, id: &str) -> Result<()> {
        let now = reader.items().get(&NEWSLETTERS, id)?;
        if now.as_ref() == Some(&self.item) {
            return Ok(());
        }
        Err(Error::Conflict(messages::CHANGED_MEANWHILE))
    }
}

/// Reads and renders a newsletter.
pub async fn draft(site: &Site, id: &str) -> Result<Draft> {
    noted_draft(site, id, None).await
}

/// As `draft`, with a note of the program above the text.
async fn noted_draft(site: &Site, id: &str, note: Option<&str>) -> Result<Draft> {
    let (wanted, today) = (id.to_owned(), time::day(site.now()));
    let published = site.published_snapshot().await?;
    let (item, pictures, settings, recipients, state) = site
        .read(move |reader| {
            let item = reader
                .items()
                .get(&NEWSLETTERS, &wanted)?
                .ok_or(Error::NotFound)?;
            let pictures = reader.pictures().find(item.picture_ids())?;
            let tested = reader.campaigns().get(&wanted)?;
            let count = recipients(reader)?.len();
            Ok::<_, Error>((item, pictures, reader.settings().get()?, count, tested))
        })
        .await?;
    let preheader = preheader(site, &item, &pictures);
    let content = EmailContent::of(&item, &preheader, note);
    let rendered = render(site, &content, &pictures).await?;
    let survey = survey_links(&item);
    let mut faults = super::preflight::faults(&item, &survey, &settings);
    if rendered.html.len() > HTML_BYTES_MAX {
        faults.push("tooLarge");
    }
    if recipients == 0 {
        faults.push("noRecipients");
    }
    let is_tested = state.tested_at.is_some();
    let notes = super::preflight::notes(&item, &survey, &published, (is_tested, today));
    Ok(Draft {
        sender: Sender::of(&settings),
        item,
        rendered,
        preheader,
        recipients,
        faults,
        notes,
    })
}

/// Fails with the first fault, if any prevents sending.
pub fn refuse_faults(draft: &Draft) -> Result<()> {
    match draft.faults.first() {
        None => Ok(()),
        Some(code) => Err(Error::Conflict(messages::fault_text(code))),
    }
}

/// Lists the links of the text, and that of the button.
fn survey_links(item: &Item) -> Survey {
    let mut survey = markdown::survey(item.text("content").unwrap_or_default());
    survey
        .links
        .extend(item.text("buttonUrl").map(str::to_owned));
    survey
}

/// What is rendered into a message.
#[derive(Debug)]
pub(super) struct EmailContent<'a> {
    pub subject: &'a str,
    /// Heading above the text, if it differs from the subject.
    pub heading: Option<&'a str>,
    pub preheader: &'a str,
    /// Markdown.
    pub content: &'a str,
    /// Label and address.
    pub button: Option<(&'a str, &'a str)>,
    pub note: Option<&'a str>,
}

impl<'a> EmailContent<'a> {
    fn of(item: &'a Item, preheader: &'a str, note: Option<&'a str>) -> Self {
        Self {
            subject: item.text("title").unwrap_or_default(),
            heading: None,
            preheader,
            content: item.text("content").unwrap_or_default(),
            button: item.text("buttonText").zip(item.text("buttonUrl")),
            note,
        }
    }
}

pub(super) async fn render(
    site: &Site,
    content: &EmailContent<'_>,
    pictures: &Pictures,
) -> Result<RenderedCampaign> {
    let render_context = RenderContext {
        pictures,
        site: Some(site.public_url()),
    };
    let plain = markdown::to_plain_text(content.content, &render_context);
    let published = site.published_snapshot().await?;
    let words = published.blocks_json(&[EMAIL_TEXTS, LEGAL_FOOTER].map(str::to_owned));
    let input = json!({
        "publicUrl": site.public_url(),
        "settings": published.formatted_settings_json(),
        "words": { "blocks": words },
        "subject": content.subject,
        "heading": content.heading.unwrap_or(content.subject),
        "note": content.note,
        "preheader": content.preheader,
        "html": markdown::render(content.content, &render_context).html,
        "plain": plain,
        "button": content.button.map(|(text, url)| json!({ "text": text, "url": url })),
        "unsubscribeMark": UNSUBSCRIBE_MARK,
        "whyMark": WHY_MARK,
    });
    let renderer = Arc::clone(&site.publisher);
    let html_and_text = blocking(move || renderer.mail(input.to_string())).await?;
    Ok(RenderedCampaign {
        subject: content.subject.to_owned(),
        html: html_and_text.html,
        text: html_and_text.text,
    })
}

/// Returns the practitioner's preview text, or the start of the content.
fn preheader(site: &Site, item: &Item, pictures: &Pictures) -> String {
    let render_context = RenderContext {
        pictures,
        site: Some(site.public_url()),
    };
    let own = item.text("preheader").map(str::to_owned);
    own.unwrap_or_else(|| {
        let content = item.text("content").unwrap_or_default();
        start_of(&markdown::to_plain_text(content, &render_context))
    })
}

/// Returns the first 120 characters of a text, for the preview beside the subject.
fn start_of(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(120).collect()
}

/// Returns the unsubscribe link for an address. `by` is the id of the newsletter that contains it.
pub fn unsubscribe_url(site: &Site, keys: &Keys, email: &str, by: Option<&str>) -> String {
    let subject = match by {
        Some(id) => format!("{email}\n{id}"),
        None => email.to_owned(),
    };
    let token = links::token(keys, Purpose::Unsubscribe, &subject, NEVER);
    format!(
        "{}/newsletter/{}/{token}",
        site.public_url(),
        links::UNSUBSCRIBE
    )
}

/// Composes the newsletter for one recipient.
pub fn compose(
    site: &Site,
    keys: &Keys,
    rendered: &RenderedCampaign,
    sender: &Sender,
    to: &Recipient,
    unsubscribe_url: String,
) -> EmailMessage {
    let (why, at) = (reason_text(site, to), site.now());
    let fill = |text: &str, why: &str| {
        let text = text.replace(UNSUBSCRIBE_MARK, &unsubscribe_url);
        text.replace(WHY_MARK, why)
    };
    EmailMessage {
        to: to.email.clone(),
        subject: rendered.subject.clone(),
        text: fill(&rendered.text, &why),
        html: Some(fill(&rendered.html, &escape_html(&why))),
        sender: sender.name.clone(),
        reply_to: sender.reply_to.clone(),
        list: Some(format!("newsletter.{}", host_of(site.public_url()))),
        unsubscribe_url: Some(unsubscribe_url),
        id: message_id(keys, &to.email, at),
        at,
    }
}

fn reason_text(site: &Site, to: &Recipient) -> String {
    messages::reason_for_message(
        to.confirmed_at.unwrap_or_default(),
        to.page.as_deref(),
        host_of(site.public_url()),
    )
}

/// Returns HTML and text as a recipient would get them, with links that have no effect.
pub fn example(site: &Site, rendered: &RenderedCampaign) -> (String, String) {
    let example = Recipient {
        email: String::new(),
        confirmed_at: Some(site.now()),
        page: None,
    };
    let why = reason_text(site, &example);
    let fill = |text: &str, why: &str| {
        let text = text.replace(UNSUBSCRIBE_MARK, site.public_url());
        text.replace(WHY_MARK, why)
    };
    (
        fill(&rendered.html, &escape_html(&why)),
        fill(&rendered.text, &why),
    )
}

/// Composes a test message to an account of the panel. Its unsubscribe link unsubscribes no
/// address.
pub async fn test(site: &Site, id: &str, to: &str) -> Result<EmailMessage> {
    let draft = noted_draft(site, id, Some(messages::TEST_NOTE)).await?;
    let keys = site.read(Keys::of).await?;
    let recipient = Recipient {
        email: to.to_owned(),
        confirmed_at: Some(site.now()),
        page: None,
    };
    let no_link = unsubscribe_url(site, &keys, "", None);
    let mut email = compose(
        site,
        &keys,
        &draft.rendered,
        &draft.sender,
        &recipient,
        no_link,
    );
    email.subject = messages::test_subject(&email.subject);
    Ok(email)
}

/// Returns the text that was sent, or the current draft if sending has not begun.
pub async fn sent_or_draft(site: &Site, id: &str) -> Result<RenderedCampaign> {
    match sent_text(site, id).await? {
        Some(rendered) => Ok(rendered),
        None => Ok(draft(site, id).await?.rendered),
    }
}

/// Returns the text that was sent. `None` while sending has not begun.
pub async fn sent_text(site: &Site, id: &str) -> Result<Option<RenderedCampaign>> {
    let wanted = id.to_owned();
    site.read(move |reader| {
        let state = reader.campaigns().get(&wanted)?.state;
        let is_settled = !matches!(state, CampaignStatus::Draft | CampaignStatus::Scheduled);
        if is_settled {
            Ok(reader.campaigns().rendered(&wanted)?)
        } else {
            Ok(None)
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_content::Value;

    /// Regression: an address that mail cannot reach left the message without a reply address.
    #[test]
    fn answers_go_to_the_first_address_that_they_can_reach() {
        let reply = |reply: &str, email: &str| {
            let mut settings = Settings::default();
            for (name, address) in [(REPLY, reply), ("email", email)] {
                let address = Value::Text(address.to_owned());
                settings.values.insert(name.to_owned(), address);
            }
            Sender::of(&settings).reply_to
        };
        let own = Some("anna@example.org".to_owned());
        assert_eq!(reply("à@è.it", "anna@example.org"), own);
        assert_eq!(reply("anna@example.org", "sito@example.org"), own);
        assert_eq!(reply("à@è.it", "anna@è.it"), Some("anna@è.it".to_owned()));
        assert_eq!(reply("à@è.it", "è@è.it"), None);
    }
}
