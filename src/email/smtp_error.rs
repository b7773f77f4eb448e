//! What a refusal says of who is to blame, and so of what to do next.
//!
//! Whom a newsletter could not reach it does not write to again. So an address is blamed only for
//! what servers say of addresses (RFC 3463): providers answer a daily limit, or a text that they do
//! not like, with the same 5xx.

use crate::messages;
use lettre::transport::smtp;
use std::error::Error as _;

/// Of what a mail server says, this much is told.
const REASON_CHARACTERS_MAX: usize = 300;

/// How far a delivery got before it failed: what has to be mended depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpPhase {
    /// The file of the extra root.
    TrustRoots,
    /// The mail server's name leads nowhere.
    DnsLookup,
    /// Nobody answers there.
    Connect,
    /// No TLS, or not with a certificate of this name.
    Tls,
    /// What answers does not talk as a mail server.
    Greeting,
    Authentication,
    /// The mail server does not want mail from this address.
    Sender,
    /// The mail server does not want mail for the receiver.
    Recipient,
    Message,
    /// It took too long.
    Timeout,
}

/// Why nothing was delivered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct DeliveryError {
    pub phase: SmtpPhase,
    /// Whether the server refused for good what it was asked.
    pub(crate) is_final: bool,
    /// Whether the server may have taken the message all the same.
    pub(crate) is_uncertain: bool,
    /// Whether several receivers in a row got the same answer.
    pub(crate) is_repeated: bool,
    /// What the server answered, when it did.
    pub(crate) code: Option<u16>,
    /// Without addresses.
    pub reason: String,
}

impl DeliveryError {
    pub(crate) fn new(phase: SmtpPhase, reason: &str) -> Self {
        Self {
            phase,
            is_final: false,
            is_uncertain: false,
            is_repeated: false,
            code: None,
            reason: redact(reason),
        }
    }

    pub(crate) fn of(phase: SmtpPhase, error: &smtp::Error) -> Self {
        let code = error.status().map(u16::from);
        // What a server answered is told in its own words, as it said them.
        let reason = match (code, error.source()) {
            (Some(code), Some(said)) => format!("{code} {said}"),
            _ => error.to_string(),
        };
        Self {
            is_final: error.is_permanent(),
            code,
            ..Self::new(phase, &reason)
        }
    }

    /// What kept a message from being written at all.
    pub fn before_connection(reason: &str) -> Self {
        Self::new(SmtpPhase::TrustRoots, reason)
    }

    /// Whether the mail server broke off or fell silent, instead of refusing.
    pub const fn is_connection_lost(&self) -> bool {
        self.code.is_none() && !self.is_final
    }

    /// The same, once the server has said it of several receivers in a row: then it is about none
    /// of them.
    #[must_use]
    pub fn repeated_for_several(self) -> Self {
        Self {
            is_repeated: true,
            ..self
        }
    }

    /// Whether the receiver's mailbox is what stood in the way, by the server's own words.
    pub fn is_about_mailbox(&self) -> bool {
        parse_enhanced_code(&self.reason).is_some_and(|(subject, _)| subject <= 2)
    }

    pub fn classify(&self) -> FailureClass {
        let is_about_recipient = matches!(self.phase, SmtpPhase::Recipient | SmtpPhase::Message);
        match self.code {
            _ if self.is_uncertain => FailureClass::OutcomeUnknown,
            // An address that no server takes, found here.
            None if self.is_final && is_about_recipient => FailureClass::Recipient,
            None if is_about_recipient => FailureClass::RecipientTemporary,
            None => FailureClass::Server,
            Some(code) => match classify(self.phase, code, parse_enhanced_code(&self.reason)) {
                FailureClass::RecipientTemporary if self.is_repeated => FailureClass::RateLimit,
                class => class,
            },
        }
    }

    /// Why nothing was taken, as people read it: without what the server said, which may name
    /// somebody and is in its own language.
    pub const fn italian_reason(&self) -> &'static str {
        messages::delivery_error(self.phase)
    }

    /// Whether this very message is refused for good. Everything else can be mended.
    pub fn is_about_message(&self) -> bool {
        matches!(
            self.classify(),
            FailureClass::Recipient | FailureClass::Policy
        )
    }
}

/// What a server says may name the receiver, whom no log should know.
fn redact(reason: &str) -> String {
    let words = reason.split_whitespace();
    let words: Vec<&str> = words
        .map(|word| if word.contains('@') { "…" } else { word })
        .collect();
    let reason: String = words.join(" ");
    let shown = reason.chars().filter(|c| !c.is_control());
    shown.take(REASON_CHARACTERS_MAX).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// Nobody knows whether the message was taken.
    OutcomeUnknown,
    /// The receiver, for good.
    Recipient,
    /// The receiver, for now.
    RecipientTemporary,
    /// What this site sends is not wanted there.
    Policy,
    /// The mail server wants fewer messages.
    RateLimit,
    /// No mail server, or none that takes mail from here.
    Server,
}

/// The last two numbers of an extended code, `5.7.1`.
pub(crate) type EnhancedCode = (u16, u16);

/// No such mailbox, no such domain, moved, no mail wanted there at all.
const NO_SUCH_ADDRESS: &[EnhancedCode] = &[(1, 0), (1, 1), (1, 2), (1, 3), (1, 6), (1, 10), (2, 1)];
const MAILBOX_FULL: EnhancedCode = (2, 2);
/// Google's limit of a day. Nothing is sent faster for asking another server.
const DAILY_LIMIT: EnhancedCode = (4, 5);
/// Microsoft's limits: a sender that sends too much, and its receivers of a day.
const SENDER_LIMITS: &[EnhancedCode] = &[(1, 8), (1, 90)];

/// Of what a server answered at this step.
pub(crate) fn classify(
    phase: SmtpPhase,
    code: u16,
    enhanced: Option<EnhancedCode>,
) -> FailureClass {
    let is_about_recipient = matches!(phase, SmtpPhase::Recipient | SmtpPhase::Message);
    let is_among =
        |codes: &[EnhancedCode]| enhanced.is_some_and(|enhanced| codes.contains(&enhanced));
    match (code, enhanced) {
        (421, _) | (400.., Some(DAILY_LIMIT)) | (400..500, Some((7, _))) => FailureClass::RateLimit,
        (400..500, _) if is_about_recipient => FailureClass::RecipientTemporary,
        (400..500, _) => FailureClass::RateLimit,
        (..400, _) => FailureClass::Server,
        _ if !is_about_recipient => FailureClass::Server,
        (_, Some(MAILBOX_FULL)) => FailureClass::RecipientTemporary,
        _ if is_among(SENDER_LIMITS) => FailureClass::RateLimit,
        _ if is_among(NO_SUCH_ADDRESS) => FailureClass::Recipient,
        // Without such a code what was refused is the address, or the letter after it.
        (_, None) if phase == SmtpPhase::Recipient => FailureClass::Recipient,
        _ => FailureClass::Policy,
    }
}

/// The extended code in what a server said (RFC 3463), however it is set.
pub(crate) fn parse_enhanced_code(reason: &str) -> Option<EnhancedCode> {
    reason.split_whitespace().find_map(|word| {
        let mut numbers = word.trim_matches(|c: char| !c.is_ascii_digit()).split('.');
        if !matches!(numbers.next(), Some("4" | "5")) {
            return None;
        }
        let found = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        numbers.next().is_none().then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::FailureClass as Class;
    use super::*;

    /// A provider's daily limit, and a letter it did not like, once marked the whole list as
    /// unreachable: every 5xx was the receiver's.
    #[test]
    fn an_address_is_blamed_for_what_is_said_of_addresses_alone() {
        use SmtpPhase::{Greeting, Message, Recipient, Sender};
        for (phase, answer, expected) in [
            (Recipient, "550 5.1.1 no such user", Class::Recipient),
            (Recipient, "550 5.1.0 address rejected", Class::Recipient),
            (Recipient, "550 #5.1.10: no such domain", Class::Recipient),
            (Recipient, "550 5.2.1 disabled", Class::Recipient),
            (Recipient, "550 no such user here", Class::Recipient),
            (Recipient, "552 5.2.2 over quota", Class::RecipientTemporary),
            (Recipient, "550 5.4.5 daily sending quota", Class::RateLimit),
            (Recipient, "550 5.1.8 bad outbound sender", Class::RateLimit),
            (Recipient, "550 5.1.90 daily limit", Class::RateLimit),
            (Recipient, "550 5.7.1 we do not like you", Class::Policy),
            (Recipient, "550 (5.4.1) access denied", Class::Policy),
            (Recipient, "554 5.5.1 no valid receivers", Class::Policy),
            (Message, "554 5.6.0 not this", Class::Policy),
            (Message, "554 spam", Class::Policy),
            (Message, "550 5.1.1 no such user", Class::Recipient),
            (Message, "550 5.4.5 daily sending quota", Class::RateLimit),
            (Message, "552 5.2.2 over quota", Class::RecipientTemporary),
            (
                Recipient,
                "452 4.2.2 mailbox full",
                Class::RecipientTemporary,
            ),
            (Recipient, "450 too many", Class::RecipientTemporary),
            (Recipient, "450 4.7.1 slower", Class::RateLimit),
            (Recipient, "450 4.4.5 congested", Class::RateLimit),
            (Recipient, "421 4.3.2 going away", Class::RateLimit),
            (Sender, "451 try later", Class::RateLimit),
            (Sender, "550 5.4.5 daily sending quota", Class::RateLimit),
            (Sender, "550 5.1.8 bad sender", Class::Server),
            (Sender, "553 5.7.1 not yours", Class::Server),
            (Greeting, "554 no", Class::Server),
            (Greeting, "220 hello", Class::Server),
        ] {
            let code = answer[..3].parse().unwrap();
            let found = classify(phase, code, parse_enhanced_code(&answer[4..]));
            assert_eq!(found, expected, "{phase:?}: {answer}");
        }
    }

    #[test]
    fn an_extended_code_is_found_where_servers_write_it() {
        for (reason, expected) in [
            ("permanent error (550): 5.7.1 no", Some((7, 1))),
            ("permanent error (550): 192.0.2.5 is listed", None),
            ("5.9.17.3 is listed, 5.7.26", Some((7, 26))),
            ("see [5.4.300].", Some((4, 300))),
            ("version 2.1.5", None),
            ("5.1", None),
            ("", None),
        ] {
            assert_eq!(parse_enhanced_code(reason), expected, "{reason}");
        }
    }
}
