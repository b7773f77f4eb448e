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
pub enum Step {
    /// The file of the extra root.
    Root,
    /// The mail server's name leads nowhere.
    Name,
    /// Nobody answers there.
    Connect,
    /// No TLS, or not with a certificate of this name.
    Tls,
    /// What answers does not talk as a mail server.
    Greeting,
    SignIn,
    /// The mail server does not want mail from this address.
    Sender,
    /// The mail server does not want mail for the receiver.
    Receiver,
    Message,
    /// It took too long.
    Time,
}

/// Why nothing was delivered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    pub step: Step,
    /// Whether the server refused for good what it was asked.
    pub(crate) is_final: bool,
    /// Whether the server may have taken the message all the same.
    pub(crate) is_uncertain: bool,
    /// Whether several receivers in a row got the same answer.
    pub(super) is_of_several: bool,
    /// What the server answered, when it did.
    pub(crate) code: Option<u16>,
    /// Without addresses.
    pub reason: String,
}

impl Failure {
    pub(crate) fn new(step: Step, reason: &str) -> Self {
        Self {
            step,
            is_final: false,
            is_uncertain: false,
            is_of_several: false,
            code: None,
            reason: speakable(reason),
        }
    }

    pub(crate) fn of(step: Step, error: &smtp::Error) -> Self {
        let code = error.status().map(u16::from);
        // What a server answered is told in its own words, as it said them.
        let reason = match (code, error.source()) {
            (Some(code), Some(said)) => format!("{code} {said}"),
            _ => error.to_string(),
        };
        Self {
            is_final: error.is_permanent(),
            code,
            ..Self::new(step, &reason)
        }
    }

    /// What kept a message from being written at all.
    pub fn here(reason: &str) -> Self {
        Self::new(Step::Root, reason)
    }

    /// Whether the mail server broke off or fell silent, instead of refusing.
    pub const fn is_silence(&self) -> bool {
        self.code.is_none() && !self.is_final
    }

    /// The same, once the server has said it of several receivers in a row: then it is about none
    /// of them.
    #[must_use]
    pub fn of_several(self) -> Self {
        Self {
            is_of_several: true,
            ..self
        }
    }

    /// Whether the receiver's mailbox is what stood in the way, by the server's own words.
    pub fn is_about_mailbox(&self) -> bool {
        detail(&self.reason).is_some_and(|(subject, _)| subject <= 2)
    }

    pub fn blame(&self) -> Blame {
        let is_about_one = matches!(self.step, Step::Receiver | Step::Message);
        match self.code {
            _ if self.is_uncertain => Blame::Uncertain,
            // An address that no server takes, found here.
            None if self.is_final && is_about_one => Blame::Receiver,
            None if is_about_one => Blame::ReceiverNow,
            None => Blame::Server,
            Some(code) => match blame(self.step, code, detail(&self.reason)) {
                Blame::ReceiverNow if self.is_of_several => Blame::Pace,
                blame => blame,
            },
        }
    }

    /// Why nothing was taken, as people read it: without what the server said, which may name
    /// somebody and is in its own language.
    pub const fn because(&self) -> &'static str {
        messages::reason(self.step)
    }

    /// Whether this very message is refused for good. Everything else can be mended.
    pub fn is_about_message(&self) -> bool {
        matches!(self.blame(), Blame::Receiver | Blame::Policy)
    }
}

/// What a server says may name the receiver, whom no log should know.
fn speakable(reason: &str) -> String {
    let words = reason.split_whitespace();
    let words: Vec<&str> = words
        .map(|word| if word.contains('@') { "…" } else { word })
        .collect();
    let reason: String = words.join(" ");
    let shown = reason.chars().filter(|c| !c.is_control());
    shown.take(REASON_CHARACTERS_MAX).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// Nobody knows whether the message was taken.
    Uncertain,
    /// The receiver, for good.
    Receiver,
    /// The receiver, for now.
    ReceiverNow,
    /// What this site sends is not wanted there.
    Policy,
    /// The mail server wants fewer messages.
    Pace,
    /// No mail server, or none that takes mail from here.
    Server,
}

/// The last two numbers of an extended code, `5.7.1`.
pub(crate) type Detail = (u16, u16);

/// No such mailbox, no such domain, moved, no mail wanted there at all.
const NO_SUCH_ADDRESS: &[Detail] = &[(1, 0), (1, 1), (1, 2), (1, 3), (1, 6), (1, 10), (2, 1)];
const MAILBOX_FULL: Detail = (2, 2);
/// Google's limit of a day. Nothing is sent faster for asking another server.
const LIMIT_OF_A_DAY: Detail = (4, 5);
/// Microsoft's limits: a sender that sends too much, and its receivers of a day.
const TOO_MUCH_SENT: &[Detail] = &[(1, 8), (1, 90)];

/// Of what a server answered at this step.
pub(crate) fn blame(step: Step, code: u16, detail: Option<Detail>) -> Blame {
    let is_about_one = matches!(step, Step::Receiver | Step::Message);
    let is_among = |details: &[Detail]| detail.is_some_and(|detail| details.contains(&detail));
    match (code, detail) {
        (421, _) | (400.., Some(LIMIT_OF_A_DAY)) | (400..500, Some((7, _))) => Blame::Pace,
        (400..500, _) if is_about_one => Blame::ReceiverNow,
        (400..500, _) => Blame::Pace,
        (..400, _) => Blame::Server,
        _ if !is_about_one => Blame::Server,
        (_, Some(MAILBOX_FULL)) => Blame::ReceiverNow,
        _ if is_among(TOO_MUCH_SENT) => Blame::Pace,
        _ if is_among(NO_SUCH_ADDRESS) => Blame::Receiver,
        // Without such a code what was refused is the address, or the letter after it.
        (_, None) if step == Step::Receiver => Blame::Receiver,
        _ => Blame::Policy,
    }
}

/// The extended code in what a server said (RFC 3463), however it is set.
pub(crate) fn detail(reason: &str) -> Option<Detail> {
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
    use super::*;

    /// A provider's daily limit, and a letter it did not like, once marked the whole list as
    /// unreachable: every 5xx was the receiver's.
    #[test]
    fn an_address_is_blamed_for_what_is_said_of_addresses_alone() {
        use Step::{Greeting, Message, Receiver, Sender};
        for (step, answer, expected) in [
            (Receiver, "550 5.1.1 no such user", Blame::Receiver),
            (Receiver, "550 5.1.0 address rejected", Blame::Receiver),
            (Receiver, "550 #5.1.10: no such domain", Blame::Receiver),
            (Receiver, "550 5.2.1 disabled", Blame::Receiver),
            (Receiver, "550 no such user here", Blame::Receiver),
            (Receiver, "552 5.2.2 over quota", Blame::ReceiverNow),
            (Receiver, "550 5.4.5 daily sending quota", Blame::Pace),
            (Receiver, "550 5.1.8 bad outbound sender", Blame::Pace),
            (Receiver, "550 5.1.90 daily limit", Blame::Pace),
            (Receiver, "550 5.7.1 we do not like you", Blame::Policy),
            (Receiver, "550 (5.4.1) access denied", Blame::Policy),
            (Receiver, "554 5.5.1 no valid receivers", Blame::Policy),
            (Message, "554 5.6.0 not this", Blame::Policy),
            (Message, "554 spam", Blame::Policy),
            (Message, "550 5.1.1 no such user", Blame::Receiver),
            (Message, "550 5.4.5 daily sending quota", Blame::Pace),
            (Message, "552 5.2.2 over quota", Blame::ReceiverNow),
            (Receiver, "452 4.2.2 mailbox full", Blame::ReceiverNow),
            (Receiver, "450 too many", Blame::ReceiverNow),
            (Receiver, "450 4.7.1 slower", Blame::Pace),
            (Receiver, "450 4.4.5 congested", Blame::Pace),
            (Receiver, "421 4.3.2 going away", Blame::Pace),
            (Sender, "451 try later", Blame::Pace),
            (Sender, "550 5.4.5 daily sending quota", Blame::Pace),
            (Sender, "550 5.1.8 bad sender", Blame::Server),
            (Sender, "553 5.7.1 not yours", Blame::Server),
            (Greeting, "554 no", Blame::Server),
            (Greeting, "220 hello", Blame::Server),
        ] {
            let code = answer[..3].parse().unwrap();
            let found = blame(step, code, detail(&answer[4..]));
            assert_eq!(found, expected, "{step:?}: {answer}");
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
            assert_eq!(detail(reason), expected, "{reason}");
        }
    }
}
