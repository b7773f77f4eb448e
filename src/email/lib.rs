//! E-mails of the program: composes messages, delivers them over SMTP, classifies failures; the
//! queues of transactional and of notification e-mails; reads reports about returned messages.
//!
//! May name `respiro-auth`, `-content`, `-db` and `-publish`; the only crate that names lettre,
//! async-imap and mail-parser.
//! Invariants: nothing is sent without TLS, except to a relay in the own network; error reasons
//! hold no addresses; a message that the server may have accepted is never reported as refused.

pub mod account_emails;
mod bounce_mailbox;
mod bounce_report;
mod dns_txt;
mod error;
mod message;
mod messages;
pub mod notification_emails;
pub mod refused_mail;
pub mod sender_checks;
mod smtp;
mod smtp_error;
mod stop_signal;
mod template;
pub mod transactional_queue;

pub use bounce_mailbox::{
    BounceMailbox, Look, MailboxCursor, MailboxError, MailboxOptions, MailboxPhase,
};
pub use bounce_report::{MailReport, ReportOutcome, parse_report};
pub use dns_txt::{DnsError, DnsResolver};
pub use error::{Error, Result};
pub use message::EmailMessage;
pub use messages::{MONTH_SWITCH, NoticeContent, NoticeEmail, NoticeTopic, test_notice};
pub use respiro_content::validation::is_reachable;
pub use smtp::{SmtpOptions, SmtpServer, TlsMode, deliver, hello_name, verify_connection};
pub use smtp_error::{DeliveryError, FailureClass, SmtpPhase};
pub use stop_signal::{StopSignal, StopSwitch};
pub use template::{EmailTemplate, FooterLine, escape_html};
