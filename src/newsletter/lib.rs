//! The newsletter: subscriptions, confirmation and welcome messages, campaigns, their queue and
//! sender, the links in e-mails, and what follows from messages that came back.
//!
//! May name `respiro-auth`, `-content`, `-db`, `-email` and `-publish`. Invariants: no address gets
//! a campaign without a confirmed subscription; the outcome of a message is stored before the next
//! is sent; a message with an unknown outcome is never sent again.

pub mod bounce_reader;
mod bounces;
pub mod campaign;
pub mod campaign_queue;
pub mod campaign_sender;
mod error;
pub mod link_actions;
pub mod links;
mod message_ids;
mod messages;
mod preflight;
pub mod rendered_campaign;
mod subscriptions;
mod transactional_email;

pub use bounces::{BounceSummary, summary as bounce_summary};
pub use error::{Error, Result};
pub use messages::{CONSENT, CONSENT_VERSION, NO_MAIL_SERVER, fault_text};
pub use subscriptions::{
    NewsletterQueues, ask_collected, checked, consent_version, find_address, is_asked_again,
    subscribe,
};
pub use transactional_email::SubscriptionEmails;
