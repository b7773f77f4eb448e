//! Parses the messages that mail servers return: delivery reports (RFC 3464), the text form of
//! qmail and of old Exim, and reports of unwanted messages (ARF, RFC 5965).
//!
//! Anybody can write such a message. The caller must verify that the Message-ID which it quotes is
//! one that this site created.

use crate::smtp_error::{EnhancedCode, parse_enhanced_code};
use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders as _, PartType};
use respiro_db::BounceCause;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::panic::catch_unwind;

/// Recipients of a report that are read; a message of this program has one.
const RECIPIENTS_MAX: usize = 20;
/// Parts of a message that are looked at.
const PARTS_MAX: usize = 50;
/// Header fields of a returned message that are looked at.
const FIELDS_MAX: usize = 200;
/// Longer text parts and status fields are read up to here.
const TEXT_BYTES_MAX: usize = 64 * 1024;
/// Longest local part and domain of a Message-ID or address (RFC 5321, 4.5.3.1).
const ADDRESS_BYTES_MAX: usize = 320;

/// What a returned message says about one that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailReport {
    /// Message-ID of the sent message, without angle brackets.
    pub message_id: String,
    /// Addresses that the report names, as it names them. A message that was forwarded has others
    /// than the one it was sent to, and reports of complaints often hide it.
    pub recipients: Vec<String>,
    pub outcome: ReportOutcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOutcome {
    /// Nothing more can be delivered to this address.
    Permanent(BounceCause),
    /// This message was not delivered; the next one may be.
    Failed(BounceCause),
    /// The recipient reported the message as unwanted.
    Complaint,
}

/// Returns what a message reports. `None` for other messages, for reports of a delay or of a
/// success, and for reports that do not quote a Message-ID.
pub fn parse_report(bytes: &[u8]) -> Option<MailReport> {
    // mail-parser 0.11.9 asserts in debug builds what a hostile message can break; a panic would
    // end the job that reads the mailbox.
    catch_unwind(|| parse_unguarded(bytes)).ok()?
}

fn parse_unguarded(bytes: &[u8]) -> Option<MailReport> {
    let message = MessageParser::default().parse(bytes)?;
    let parts = || message.parts.iter().take(PARTS_MAX);
    let content = |types: &[&str]| {
        let part = parts().find(|part| types.contains(&&*content_type(part)))?;
        Some(String::from_utf8_lossy(clip(part.contents())).into_owned())
    };
    let returned = parts().find_map(returned_message);
    if let Some(fields) = content(&["message/feedback-report"]) {
        return complaint(&fields, returned?);
    }
    let status = ["message/delivery-status", "message/global-delivery-status"];
    if let Some(fields) = content(&status) {
        return delivery_report(&fields, returned?);
    }
    let text = parts().find_map(|part| match &part.body {
        PartType::Text(text) => Some(Cow::Borrowed(&**text)),
        _ => None,
    })?;
    text_report(&message, &text, returned)
}

/// Header fields of the returned message.
struct Returned {
    message_id: Option<String>,
    to: Option<String>,
}

impl Returned {
    fn of(headers: &str) -> Self {
        Self {
            message_id: field(headers, "message-id").and_then(|value| {
                let value = value.split_once('<').map_or(&*value, |(_, rest)| rest);
                let id = value.split('>').next().unwrap_or_default().trim();
                (!id.is_empty() && id.len() <= ADDRESS_BYTES_MAX).then(|| id.to_owned())
            }),
            to: field(headers, "to").and_then(|value| address(&value)),
        }
    }
}

fn returned_message(part: &MessagePart<'_>) -> Option<Returned> {
    const TYPES: &[&str] = &[
        "text/rfc822-headers",
        "message/rfc822-headers",
        "message/global-headers",
        "message/rfc822",
        "message/global",
        "message/partial",
    ];
    if let PartType::Message(message) = &part.body {
        let mut fields = String::new();
        for (name, value) in message.headers_raw().take(FIELDS_MAX) {
            // Writing to a string cannot fail.
            let _ = writeln!(fields, "{name}:{value}");
        }
        return Some(Returned::of(&fields));
    }
    let is_returned = TYPES.contains(&&*content_type(part));
    is_returned.then(|| Returned::of(&String::from_utf8_lossy(clip(part.contents()))))
}

fn content_type(part: &MessagePart<'_>) -> String {
    let name = part.content_type().map(|found| {
        let subtype = found.subtype().unwrap_or_default();
        format!("{}/{subtype}", found.ctype())
    });
    name.unwrap_or_default().to_ascii_lowercase()
}

fn clip(bytes: &[u8]) -> &[u8] {
    bytes.get(..TEXT_BYTES_MAX).unwrap_or(bytes)
}

/// Returns the unfolded value of the first field with this lower-case name.
fn field(fields: &str, name: &str) -> Option<String> {
    let mut lines = fields.lines();
    let mut value = lines.by_ref().find_map(|line| {
        let (label, value) = line.split_once(':')?;
        label
            .trim_end()
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    })?;
    for line in lines.take_while(|line| line.starts_with([' ', '\t'])) {
        value.push(' ');
        value.push_str(line.trim());
    }
    Some(value)
}

/// Returns the address of a field such as `rfc822; anna@example.org` or `Anna <anna@example.org>`.
fn address(value: &str) -> Option<String> {
    let value = value.rsplit_once(';').map_or(value, |(_, rest)| rest);
    let value = value.rsplit_once('<').map_or(value, |(_, rest)| rest);
    let value = value.split('>').next().unwrap_or_default().trim();
    let is_address = value.contains('@')
        && value.len() <= ADDRESS_BYTES_MAX
        && !value.contains(|c: char| c.is_control() || c.is_whitespace());
    is_address.then(|| value.to_owned())
}

/// Reads the fields of an ARF report. Types that are no complaint of a person are left out.
fn complaint(fields: &str, returned: Returned) -> Option<MailReport> {
    const COMPLAINTS: &[&str] = &["abuse", "fraud", "virus", "opt-out", "opt-out-list"];
    let kind = field(fields, "feedback-type")?.to_ascii_lowercase();
    if !COMPLAINTS.contains(&&*kind) {
        return None;
    }
    let named = ["original-rcpt-to", "removal-recipient"];
    let named = named.iter().filter_map(|name| field(fields, name));
    Some(MailReport {
        message_id: returned.message_id?,
        recipients: named
            .filter_map(|value| address(&value))
            .chain(returned.to)
            .collect(),
        outcome: ReportOutcome::Complaint,
    })
}

/// Reads the groups of fields of a delivery report: the first is about the message, each other
/// about a recipient.
fn delivery_report(fields: &str, returned: Returned) -> Option<MailReport> {
    let fields = fields.replace("\r\n", "\n");
    let groups = fields
        .split("\n\n")
        .filter(|group| field(group, "action").is_some());
    let mut recipients: Vec<String> = Vec::new();
    let mut outcomes = Vec::new();
    for group in groups.take(RECIPIENTS_MAX) {
        let named = [
            "original-recipient",
            "final-recipient",
            "x-actual-recipient",
        ];
        let named = named.iter().filter_map(|name| field(group, name));
        recipients.extend(named.filter_map(|value| address(&value)));
        // Another report follows a delay, unless the message arrives.
        let action = field(group, "action").unwrap_or_default();
        if action
            .split_whitespace()
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case("failed"))
        {
            let status = field(group, "status").unwrap_or_default();
            let text = field(group, "diagnostic-code").unwrap_or_default();
            outcomes.push(classify(&status, &text));
        } else {
            outcomes.push(None);
        }
    }
    recipients.extend(returned.to);
    Some(MailReport {
        message_id: returned.message_id?,
        recipients,
        outcome: common_outcome(&outcomes)?,
    })
}

/// Returns the outcome for a message that was forwarded to several recipients: it is permanent only
/// if all of them failed permanently.
fn common_outcome(outcomes: &[Option<ReportOutcome>]) -> Option<ReportOutcome> {
    let failed: Option<Vec<ReportOutcome>> = outcomes.iter().copied().collect();
    let failed = failed?;
    let is_soft = |outcome: &&ReportOutcome| matches!(outcome, ReportOutcome::Failed(_));
    failed.iter().find(is_soft).or(failed.first()).copied()
}

/// Reads a report that consists of text, followed by the returned message: qmail, old Exim.
fn text_report(
    message: &Message<'_>,
    text: &str,
    returned: Option<Returned>,
) -> Option<MailReport> {
    const SENDERS: &[&str] = &["mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon"];
    let from = message.from()?.first()?.address()?.to_ascii_lowercase();
    let user = from.split('@').next().unwrap_or_default();
    let named = message.header_raw("X-Failed-Recipients").and_then(address);
    if named.is_none() && !SENDERS.contains(&user) {
        return None;
    }
    let text = String::from_utf8_lossy(clip(text.as_bytes())).replace("\r\n", "\n");
    // The text says so before it quotes the message.
    let starts = [
        "\nReturn-Path:",
        "\nReceived:",
        "\nMessage-ID:",
        "\nMessage-Id:",
    ];
    let start = starts.iter().filter_map(|start| text.find(start)).min();
    let (reason, quoted) = text.split_at(start.unwrap_or(text.len()));
    let returned = returned.unwrap_or_else(|| Returned::of(quoted));
    if reason.contains("has not yet been delivered") || reason.contains("will be retried") {
        return None;
    }
    Some(MailReport {
        message_id: returned.message_id?,
        recipients: named.into_iter().chain(returned.to).collect(),
        outcome: classify("5.0.0", reason)?,
    })
}

/// The classes of RFC 3463, subject and detail, that decide alone. All others fall through to the
/// rows of [`cause_by_subject`].
const CAUSES: &[(EnhancedCode, BounceCause)] = &[
    ((1, 1), BounceCause::NoMailbox),
    // Bad syntax of the address; moved without a forwarding address.
    ((1, 3), BounceCause::NoMailbox),
    ((1, 6), BounceCause::NoMailbox),
    // The domain accepts no mail (RFC 7505); Microsoft: no such recipient.
    ((1, 10), BounceCause::NoMailbox),
    ((1, 2), BounceCause::NoDomain),
    // No route: Postfix and Exim say so if the domain does not exist, Microsoft by its own number.
    ((4, 4), BounceCause::NoDomain),
    ((4, 310), BounceCause::NoDomain),
    ((2, 1), BounceCause::MailboxClosed),
    ((2, 2), BounceCause::MailboxFull),
    // The sender's address; Microsoft's limits of a sender.
    ((1, 7), BounceCause::Refused),
    ((1, 8), BounceCause::Refused),
    ((1, 90), BounceCause::Refused),
];

/// Texts by which servers name a missing mailbox without a class of RFC 3463, or with an undefined
/// one (`5.0.0`, `5.1.0`, `5.5.0`).
const NO_MAILBOX_TEXTS: &[&str] = &[
    "no such user",
    "user unknown",
    "unknown user",
    "no such recipient",
    "unknown recipient",
    "recipient unknown",
    "recipient not found",
    "user not found",
    "mailbox not found",
    "mailbox unavailable",
    "no mailbox here",
    "no such mailbox",
    "unknown mailbox",
    "invalid recipient",
    "invalid mailbox",
    "does not exist",
    "doesn't have a",
    "unrouteable address",
    "utente sconosciuto",
    "casella inesistente",
];
const MAILBOX_FULL_TEXTS: &[&str] = &["quota", "mailbox full", "mailbox is full", "casella piena"];
const MAILBOX_CLOSED_TEXTS: &[&str] = &[
    "account disabled",
    "account is disabled",
    "mailbox disabled",
    "account inactive",
];
const NO_DOMAIN_TEXTS: &[&str] = &[
    "host or domain name not found",
    "domain not found",
    "nxdomain",
];
/// Texts of refusals for another reason than the address, whatever the class says.
const REFUSED_TEXTS: &[&str] = &[
    "spam",
    "blocklist",
    "blacklist",
    "blocked",
    "reputation",
    "at a rate",
    "too quickly",
    "too many",
];

/// Classifies a failure by its status, or by the reply of the server that refused the message.
fn classify(status: &str, text: &str) -> Option<ReportOutcome> {
    let text = text.to_ascii_lowercase();
    // Multi-line replies have a hyphen between the code and the class.
    let reply = text.replace('-', " ");
    let (said, replied) = (parse_enhanced_code(status), parse_enhanced_code(&reply));
    let is_undefined = |code: &EnhancedCode| code.0 == 0 || code.1 == 0 && code.0 < 6;
    let code = said.filter(|code| !is_undefined(code)).or(replied);
    let status = status.trim();
    if status.starts_with('2') {
        return None;
    }
    let is_permanent = !status.starts_with('4');
    let cause = match code.filter(|code| !is_undefined(code)) {
        Some(code) => CAUSES
            .iter()
            .find(|(known, _)| *known == code)
            .map_or_else(|| cause_by_subject(code), |(_, cause)| *cause),
        None => cause_by_text(&text),
    };
    let contains = |known: &[&str]| known.iter().any(|known| text.contains(known));
    let is_about_address = matches!(
        cause,
        BounceCause::NoMailbox | BounceCause::NoDomain | BounceCause::MailboxClosed
    );
    Some(if !is_about_address {
        ReportOutcome::Failed(cause)
    } else if contains(REFUSED_TEXTS) {
        ReportOutcome::Failed(BounceCause::Refused)
    } else if is_permanent {
        ReportOutcome::Permanent(cause)
    } else {
        ReportOutcome::Failed(cause)
    })
}

/// Returns the cause by the subject of RFC 3463: content (6), security and policy (7) are refusals.
const fn cause_by_subject((subject, _): EnhancedCode) -> BounceCause {
    match subject {
        6 | 7 => BounceCause::Refused,
        _ => BounceCause::Undelivered,
    }
}

/// Returns the cause by a lower-case reply.
fn cause_by_text(text: &str) -> BounceCause {
    let rows = [
        (REFUSED_TEXTS, BounceCause::Refused),
        (MAILBOX_FULL_TEXTS, BounceCause::MailboxFull),
        (MAILBOX_CLOSED_TEXTS, BounceCause::MailboxClosed),
        (NO_DOMAIN_TEXTS, BounceCause::NoDomain),
        (NO_MAILBOX_TEXTS, BounceCause::NoMailbox),
    ];
    let mut found = rows
        .iter()
        .filter(|(known, _)| known.iter().any(|known| text.contains(known)));
    found
        .next()
        .map_or(BounceCause::Undelivered, |(_, cause)| *cause)
}

#[cfg(test)]
#[path = "bounce_report_tests.rs"]
mod tests;
