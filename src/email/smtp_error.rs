//! The error of a delivery, and its class, which decides what the sender does next.
//!
//! The newsletter never writes again to an address of class `Recipient`. A 5xx alone must not put
//! an address there: providers answer daily limits and rejected content with it too. Only the
//! enhanced codes for addresses (RFC 3463) do.

use crate::messages;
use lettre::transport::smtp;
use std::error::Error as _;

/// Longer reasons of mail servers are truncated.
const REASON_CHARACTERS_MAX: usize = 300;

/// The phase in which a delivery failed; `doctor` tells the host what to do for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpPhase {
    /// The file with the extra root certificates cannot be used.
    TrustRoots,
    /// The mail server's name does not resolve.
    DnsLookup,
    /// The connection is refused or the host is unreachable.
    Connect,
    /// The server offers no TLS, or no certificate for this name.
    Tls,
    /// The server does not speak SMTP.
    Greeting,
    Authentication,
    /// The server rejected the sender's address.
    Sender,
    /// The server rejected the recipient's address.
    Recipient,
    Message,
    /// The deadline of the delivery has passed.
    Timeout,
}

/// Why a message was not delivered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct DeliveryError {
    pub phase: SmtpPhase,
    /// Whether the failure is permanent (5xx).
    pub(crate) is_final: bool,
    /// Whether the server may have accepted the message nevertheless.
    pub(crate) is_uncertain: bool,
    /// Whether several recipients in a row got the same reply.
    pub(crate) is_repeated: bool,
    /// The server's reply code; `None` without a reply.
    pub(crate) code: Option<u16>,
    /// Never contains addresses: it is logged.
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
        // The source holds the server's reply text; the error's own text would translate it.
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

    /// A failure while the message was composed, before any connection.
    pub fn before_connection(reason: &str) -> Self {
        Self::new(SmtpPhase::TrustRoots, reason)
    }

    /// Whether the server closed the connection or sent no reply, instead of refusing.
    pub const fn is_connection_lost(&self) -> bool {
        self.code.is_none() && !self.is_final
    }

    /// Marks the failure as one that several recipients in a row got: then the server limits the
    /// rate, and no single recipient is the cause.
    #[must_use]
    pub fn repeated_for_several(self) -> Self {
        Self {
            is_repeated: true,
            ..self
        }
    }

    /// Whether the enhanced code names the recipient's address or mailbox (subjects 1 and 2).
    pub fn is_about_mailbox(&self) -> bool {
        parse_enhanced_code(&self.reason).is_some_and(|(subject, _)| subject <= 2)
    }

    pub fn classify(&self) -> FailureClass {
        let is_about_recipient = matches!(self.phase, SmtpPhase::Recipient | SmtpPhase::Message);
        match self.code {
            _ if self.is_uncertain => FailureClass::OutcomeUnknown,
            // `parse_address` rejected the address before the connection.
            None if self.is_final && is_about_recipient => FailureClass::Recipient,
            None if is_about_recipient => FailureClass::RecipientTemporary,
            None => FailureClass::Server,
            Some(code) => match classify(self.phase, code, parse_enhanced_code(&self.reason)) {
                FailureClass::RecipientTemporary if self.is_repeated => FailureClass::RateLimit,
                class => class,
            },
        }
    }

    /// The reason in Italian for the admin, without the server's text: that may name a person and
    /// is in another language.
    pub const fn italian_reason(&self) -> &'static str {
        messages::delivery_error(self.phase)
    }

    /// Whether the server answered, and refuses this site, its sender or its messages.
    pub(crate) fn is_refusal(&self) -> bool {
        self.code.is_some()
            && matches!(self.classify(), FailureClass::Policy | FailureClass::Server)
    }

    /// Whether this message is refused for good. All other failures are worth a retry.
    pub fn is_about_message(&self) -> bool {
        matches!(
            self.classify(),
            FailureClass::Recipient | FailureClass::Policy
        )
    }
}

/// Removes addresses from a server's text: logs must not name recipients.
pub(crate) fn redact(reason: &str) -> String {
    let words = reason.split_whitespace();
    let words: Vec<&str> = words
        .map(|word| if word.contains('@') { "…" } else { word })
        .collect();
    let reason: String = words.join(" ");
    let shown = reason.chars().filter(|c| !c.is_control());
    shown.take(REASON_CHARACTERS_MAX).collect()
}

/// The cause of a failed delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// The server may have accepted the message.
    OutcomeUnknown,
    /// The address does not exist: never write to it again.
    Recipient,
    /// The recipient is unavailable: retry later.
    RecipientTemporary,
    /// The server rejects the content or this sender.
    Policy,
    /// The server limits the rate or the daily number of messages.
    RateLimit,
    /// The mail server is unreachable, misconfigured or rejects this site.
    Server,
}

/// Subject and detail of an enhanced status code (RFC 3463): `(7, 1)` for `5.7.1`.
pub(crate) type EnhancedCode = (u16, u16);

/// No such mailbox, no such domain, moved, domain accepts no mail, mailbox disabled.
const NO_SUCH_ADDRESS: &[EnhancedCode] = &[(1, 0), (1, 1), (1, 2), (1, 3), (1, 6), (1, 10), (2, 1)];
const MAILBOX_FULL: EnhancedCode = (2, 2);
/// Google's daily limit.
const DAILY_LIMIT: EnhancedCode = (4, 5);
/// Microsoft's limits: outbound spam suspected, daily number of recipients.
const SENDER_LIMITS: &[EnhancedCode] = &[(1, 8), (1, 90)];

/// Classifies the server's reply in this phase.
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
        // Without an enhanced code: RCPT is about the address, DATA about the content.
        (_, None) if phase == SmtpPhase::Recipient => FailureClass::Recipient,
        _ => FailureClass::Policy,
    }
}

/// Finds the enhanced status code in a reply, in whatever punctuation.
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

    /// Every 5xx once counted against the recipient: a provider's daily limit marked the whole list
    /// as unreachable.
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
