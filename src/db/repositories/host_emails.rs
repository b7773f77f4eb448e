//! E-mails to the person who runs the server, who has no account: about what only a host can mend.

use super::Writable;
use super::notifications::{Notification, NotificationKind, Notifications, PendingEmail};
use crate::error::Result;
use respiro_content::Timestamp;

/// A certificate that is not renewed by then is the host's business.
const CERTIFICATE_HOST_MILLISECONDS: i64 = 10 * 24 * 60 * 60_000;
/// Name of the note that holds the e-mail address of the person who runs the server.
const HOST_EMAIL_NOTE: &str = "host-email";

impl Notification {
    /// Returns whether the person who runs the server gets an e-mail too.
    fn is_for_host(&self, now: Timestamp) -> bool {
        match self.subject {
            NotificationKind::Certificate => self
                .moment
                .is_some_and(|end| end - now < CERTIFICATE_HOST_MILLISECONDS),
            subject => subject.is_sent_once(),
        }
    }
}

impl Notifications<'_> {
    /// Returns the address of the person who runs the server, unless an account has it.
    pub fn host_email(&self) -> Result<Option<String>> {
        let note = self.0.note(HOST_EMAIL_NOTE)?;
        let email = note.and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(email) = email.filter(|email| !email.is_empty()) else {
            return Ok(None);
        };
        let has_account = self.0.accounts().get(&email)?.is_some();
        Ok((!has_account).then_some(email))
    }

    /// Returns whether this is the address of the person who runs the server.
    pub fn is_host(&self, email: &str) -> Result<bool> {
        Ok(self.host_email()?.as_deref() == Some(email))
    }
}

impl Writable<'_, '_, Notifications<'_>> {
    /// Queues one e-mail to the host for each notification, not for each of its events.
    pub(super) fn queue_host_email(
        &mut self,
        noticed: &Notification,
        now: Timestamp,
    ) -> Result<()> {
        let Some(host) = self.host_email()?.filter(|_| noticed.is_for_host(now)) else {
            return Ok(());
        };
        let known = self.writer.pending_emails().get(noticed.subject, &host)?;
        let is_told = |post: &PendingEmail| {
            post.waiting > 0 || post.last_at.is_some_and(|at| at >= noticed.first_at)
        };
        if known.as_ref().is_some_and(is_told) {
            return Ok(());
        }
        let mut post = known.unwrap_or_else(|| PendingEmail::new(noticed.subject, &host, now));
        post.waiting = 1;
        post.waiting_since = now;
        self.writer.pending_emails().put(&post)
    }

    /// Stores the address of the person who runs the server, as the configuration names it.
    pub fn set_host_email(&mut self, email: Option<&str>) -> Result<()> {
        let email = email.unwrap_or_default();
        let known = self.0.note(HOST_EMAIL_NOTE)?.unwrap_or_default();
        if known == email.as_bytes() {
            return Ok(());
        }
        self.writer.put_note(HOST_EMAIL_NOTE, email.as_bytes())
    }
}
