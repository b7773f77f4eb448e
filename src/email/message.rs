//! A message: its parts, and its bytes as RFC 5322 and MIME require them.

use crate::smtp::parse_address;
use crate::{DeliveryError, SmtpOptions, SmtpPhase};
use lettre::message::header::{
    ContentType, Date, From, HeaderName, HeaderValue, Headers, MIME_VERSION_1_0, MessageId,
    ReplyTo, Subject, To,
};
use lettre::message::{Body, Mailbox, Mailboxes, MultiPart};
use respiro_content::Timestamp;
use std::time::{Duration, UNIX_EPOCH};

/// Longer sender names are truncated.
const NAME_CHARACTERS_MAX: usize = 80;

/// One message to one recipient.
#[derive(Debug, Clone, Default)]
pub struct EmailMessage {
    pub to: String,
    /// Display name of the sender.
    pub sender: String,
    pub subject: String,
    /// Lines end with `\n`.
    pub text: String,
    /// The same content as HTML.
    pub html: Option<String>,
    /// Address for replies, when it is not the sender's.
    pub reply_to: Option<String>,
    /// List-Id (RFC 2919), a name below the host of the site.
    pub list: Option<String>,
    /// Address of the page that unsubscribes the recipient.
    pub unsubscribe_url: Option<String>,
    /// Unique; the local part of the Message-ID.
    pub id: String,
    pub at: Timestamp,
}

impl EmailMessage {
    /// Composes headers and body, with CRLF line ends.
    pub fn compose(self, options: &SmtpOptions) -> Result<Vec<u8>, DeliveryError> {
        let from = parse_address(&options.from, SmtpPhase::Sender)?;
        let to = parse_address(&self.to, SmtpPhase::Recipient)?;
        let milliseconds = u64::try_from(self.at).unwrap_or_default();
        let mut headers = Headers::new();
        headers.set(Date::new(UNIX_EPOCH + Duration::from_millis(milliseconds)));
        let domain = from.domain();
        headers.set(MessageId::from(format!("<{}@{domain}>", self.id)));
        let name = without_control_characters(&self.sender)
            .chars()
            .take(NAME_CHARACTERS_MAX)
            .collect();
        let sender = Mailbox::new(Some(name), from);
        headers.set(From::from(Mailboxes::from(sender)));
        headers.set(To::from(Mailboxes::from(Mailbox::new(None, to))));
        headers.set(Subject::from(without_control_characters(&self.subject)));
        if let Some(reply_to) = &self.reply_to {
            let mailbox = Mailbox::new(None, parse_address(reply_to, SmtpPhase::Sender)?);
            headers.set(ReplyTo::from(Mailboxes::from(mailbox)));
        }
        // Keeps automatic responders from replying (RFC 3834).
        insert_header(&mut headers, AUTO_SUBMITTED, "auto-generated".to_owned());
        if let Some(url) = self.unsubscribe_url {
            // One-click unsubscribe is a POST by the provider, over HTTPS only (RFC 8058).
            if url.starts_with("https://") {
                insert_header(
                    &mut headers,
                    ONE_CLICK,
                    "List-Unsubscribe=One-Click".to_owned(),
                );
            }
            insert_header(&mut headers, LIST_UNSUBSCRIBE, format!("<{url}>"));
        }
        if let Some(list) = self.list {
            insert_header(
                &mut headers,
                LIST_ID,
                format!("<{}>", without_control_characters(&list)),
            );
            insert_header(&mut headers, PRECEDENCE, "bulk".to_owned());
        }
        headers.set(MIME_VERSION_1_0);
        if let Some(html) = &self.html {
            let text = self.text.replace('\n', "\r\n");
            let both = MultiPart::alternative_plain_html(text, html.replace('\n', "\r\n"));
            return Ok([headers.to_string().into_bytes(), both.formatted()].concat());
        }
        let body = Body::new(self.text.replace('\n', "\r\n"));
        headers.set(ContentType::TEXT_PLAIN);
        headers.set(body.encoding());
        Ok([headers.to_string().as_bytes(), b"\r\n", &body.into_vec()].concat())
    }
}

const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");
const LIST_UNSUBSCRIBE: HeaderName = HeaderName::new_from_ascii_str("List-Unsubscribe");
const LIST_ID: HeaderName = HeaderName::new_from_ascii_str("List-Id");
const PRECEDENCE: HeaderName = HeaderName::new_from_ascii_str("Precedence");
const ONE_CLICK: HeaderName = HeaderName::new_from_ascii_str("List-Unsubscribe-Post");

fn insert_header(headers: &mut Headers, name: HeaderName, value: String) {
    headers.insert_raw(HeaderValue::new(name, value));
}

/// Removes line breaks, which would start another header.
fn without_control_characters(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}
