//! Testimonials requested by a personal link: the link, the form behind it, the consent text,
//! provenance and withdrawal.
//!
//! May name `respiro-auth`, `-content` and `-db`. Invariants: only the hash of a link's token is
//! stored; a link is used once; the consent text is stored as the participant read it.

mod error;
mod form;
mod messages;
mod request_links;

pub use error::{Error, Result};
pub use form::{Consent, Fault, Form};
pub use request_links::{
    ACTIVITY_CHARACTERS_MAX, Asked, Link, MESSAGE_CHARACTERS_MAX, NAME_CHARACTERS_MAX,
    NOTE_CHARACTERS_MAX, NewLink, WAITING_MAX, ask, cancel, holds_link, look, note_opened, path,
    receive, renew, withdraw,
};
