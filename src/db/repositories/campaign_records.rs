//! What the store keeps about messages on their way, and about each address's standing.

use respiro_content::{Timestamp, time};

/// The trouble of a newsletter that waits for her word since it came back from a copy.
const HELD: &str = "restored";

/// How far a newsletter is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum SendingState {
    Draft,
    Scheduled,
    Sending,
    Paused,
    Stopped,
    Sent,
}

impl SendingState {
    /// Whether its text may still change.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Draft | Self::Scheduled)
    }

    /// Whether somebody may still get it.
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Sending | Self::Paused)
    }
}

/// What became of the messages of a newsletter. Who is not counted still waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Tally {
    pub total: u32,
    pub accepted: u32,
    pub refused: u32,
    /// Nobody knows whether they arrived.
    pub uncertain: u32,
    /// Of people who left meanwhile.
    pub skipped: u32,
    /// Left by a link of this newsletter.
    pub unsubscribed: u32,
}

/// A newsletter on its way, keyed by its id.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Sending {
    pub id: String,
    pub state: SendingState,
    pub scheduled_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// When a test was last sent.
    pub tested_at: Option<Timestamp>,
    /// When it went on after a stop of the program.
    pub resumed_at: Option<Timestamp>,
    /// Whether the program was off when it should have started.
    pub is_late: bool,
    pub tally: Tally,
    /// The message that is being handed over now. At most one, and out of the queue.
    pub in_flight: Option<Delivery>,
    /// When a message was last handed over.
    pub handed_at: Option<Timestamp>,
    /// Messages an hour, while the mail server wants fewer than the setting says.
    pub slowed_pace: Option<u32>,
    /// Taken in a row since it was slowed.
    pub taken_in_a_row: u32,
    /// Refused for good in a row: when there are many, it is not the addresses.
    pub refused_in_a_row: u32,
    /// The mail server is left alone until then.
    pub retry_at: Option<Timestamp>,
    /// Tries in a row that found no working mail server.
    pub failures: u32,
    /// Why nothing goes out at the moment: a code, and what the mail server said.
    pub trouble: Option<(String, String)>,
}

impl Sending {
    pub fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            state: SendingState::Draft,
            scheduled_at: None,
            started_at: None,
            ended_at: None,
            tested_at: None,
            resumed_at: None,
            is_late: false,
            tally: Tally::default(),
            in_flight: None,
            handed_at: None,
            slowed_pace: None,
            taken_in_a_row: 0,
            refused_in_a_row: 0,
            retry_at: None,
            failures: 0,
            trouble: None,
        }
    }

    /// Lets it go on by her word alone, where this file was a copy: who got a message since, nobody
    /// knows here. Whether it was on its way or planned.
    pub fn hold(&mut self) -> bool {
        match self.state {
            SendingState::Paused if self.trouble.as_ref().is_some_and(|it| it.0 == HELD) => {
                return false;
            }
            SendingState::Sending | SendingState::Paused => {
                self.state = SendingState::Paused;
                self.retry_at = None;
                self.failures = 0;
                self.trouble = Some((HELD.to_owned(), String::new()));
            }
            SendingState::Scheduled => {
                let planned = self.scheduled_at.take().map(time::rfc3339);
                self.state = SendingState::Draft;
                self.trouble = Some(("unplanned".to_owned(), planned.unwrap_or_default()));
            }
            _ => return false,
        }
        true
    }

    pub fn waiting(&self) -> u32 {
        let Tally {
            total,
            accepted,
            refused,
            uncertain,
            skipped,
            ..
        } = self.tally;
        total.saturating_sub(accepted + refused + uncertain + skipped)
    }
}

/// A newsletter as it goes out: settled when it starts. Marks stand for what differs from
/// receiver to receiver.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Mailing {
    pub subject: String,
    pub html: String,
    pub text: String,
}

/// What became of a message, or of its last try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum Fate {
    Waiting,
    /// Refused by this receiver for now, to the end.
    Full,
    /// There is no such receiver.
    Unknown,
    /// The receiver's server wants nothing from this site.
    Blocked,
    /// The connection broke when the message may have been taken already.
    Uncertain,
    /// The receiver left meanwhile.
    Skipped,
}

/// A message to one address.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Delivery {
    pub email: String,
    pub fate: Fate,
    /// That failed.
    pub tries: u32,
    pub at: Timestamp,
    /// What the mail server said, without addresses.
    pub reason: String,
    /// Whether the address is left out from then on.
    pub is_marked: bool,
}

/// How an address came to the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum Way {
    /// By the box on a page, with a message to confirm.
    Form,
    /// By the box on a page alone.
    FormOnly,
    Import,
}

/// What is known of an address beside its subscription: the proof of consent, and whether messages
/// reach it. Addresses of former releases have none.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Standing {
    pub email: String,
    pub way: Option<Way>,
    /// Number of the text that stood beside the button.
    pub consent_version: Option<String>,
    /// Path of the page where the address was left.
    pub page: Option<String>,
    /// When it was last asked for.
    pub asked_at: Option<Timestamp>,
    /// When the message to confirm was handed over.
    pub mailed_at: Option<Timestamp>,
    pub unsubscribed_at: Option<Timestamp>,
    /// Newsletters in a row that it would not take for now.
    pub soft_refusals: u32,
    /// Since then messages are not sent there.
    pub unreachable_at: Option<Timestamp>,
}

impl Standing {
    pub fn new(email: &str) -> Self {
        Self {
            email: email.to_owned(),
            way: None,
            consent_version: None,
            page: None,
            asked_at: None,
            mailed_at: None,
            unsubscribed_at: None,
            soft_refusals: 0,
            unreachable_at: None,
        }
    }
}
