//! E-mails of the program: composes messages, delivers them over SMTP, classifies failures.
//!
//! May name `respiro-content` (settings, addresses); the only crate that names lettre. Invariants:
//! nothing is sent without TLS, except to a relay in the own network; error reasons hold no
//! addresses; a message that the server may have accepted is never reported as refused.

mod message;
mod messages;
mod smtp;
mod smtp_error;
mod template;

pub use message::EmailMessage;
pub use messages::{NoticeContent, NoticeEmail, NoticeTopic, test_notice};
pub use respiro_content::validation::is_reachable;
pub use smtp::{SmtpOptions, SmtpServer, TlsMode, deliver, verify_connection};
pub use smtp_error::{DeliveryError, FailureClass, SmtpPhase};
pub use template::{EmailTemplate, FooterLine, escape_html};
