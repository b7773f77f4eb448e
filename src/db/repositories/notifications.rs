//! What the practitioner is told of: in the panel for 90 days, and by e-mail where she wants it.

use crate::error::Result;
use crate::tables::{self, NOTICES, POSTS};
use crate::{Reader, Writer};
use bincode::{Decode, Encode};
use respiro_content::Timestamp;

const HOUR_MILLISECONDS: i64 = 60 * 60_000;
/// How long a notice stands in the panel, as the panel says.
pub const NOTICE_MILLISECONDS_MAX: i64 = 90 * 24 * HOUR_MILLISECONDS;
/// Notices kept at most: the oldest go first.
const NOTICES_MAX: usize = 300;

/// What of a subject waits to be told to an account by e-mail.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct PendingEmail {
    pub subject: NotificationKind,
    pub email: String,
    /// How often it happened since the last e-mail.
    pub waiting: u32,
    pub waiting_since: Timestamp,
    pub last_at: Option<Timestamp>,
    pub due_at: Timestamp,
    /// That failed since one was handed over.
    pub tries: u32,
    /// When and why the last one was not taken.
    pub failed: Option<(Timestamp, String)>,
}

impl PendingEmail {
    fn new(subject: NotificationKind, email: &str, now: Timestamp) -> Self {
        Self {
            subject,
            email: email.to_owned(),
            waiting: 0,
            waiting_since: now,
            last_at: None,
            due_at: now,
            tries: 0,
            failed: None,
        }
    }

    fn key(&self) -> Vec<u8> {
        tables::kind_key(self.subject.number(), &self.email)
    }

    /// Takes everything that waits, for one e-mail; says how much that is. Written before the
    /// e-mail goes, so that no stop in between brings a second one within the hour.
    pub fn take_pending(&mut self, now: Timestamp) -> u32 {
        self.last_at = Some(now);
        self.due_at = now + self.subject.gap_milliseconds();
        std::mem::take(&mut self.waiting)
    }

    /// The soonest moment of the next e-mail about something else.
    fn free_at(&self, now: Timestamp) -> Timestamp {
        self.last_at.map_or(now, |at| at + HOUR_MILLISECONDS)
    }
}

const DAY_MILLISECONDS: i64 = 24 * HOUR_MILLISECONDS;

/// What a notice is about: each has an e-mail of its own, at most one an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum NotificationKind {
    Testimonial,
    Backup,
    Offsite,
    Certificate,
    Device,
    /// What was planned for a moment, and could not be done then.
    Plan,
    /// More people asked for the newsletter than are written to at once.
    Signups,
    /// A planned newsletter could not begin, and is a draft again.
    NotStarted,
    /// How an account is opened has changed, or somebody knows its password and not its code.
    Access,
}

impl NotificationKind {
    pub const ALL: [Self; 9] = [
        Self::Testimonial,
        Self::Backup,
        Self::Offsite,
        Self::Certificate,
        Self::Device,
        Self::Plan,
        Self::Signups,
        Self::NotStarted,
        Self::Access,
    ];

    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Testimonial => 1,
            Self::Backup => 2,
            Self::Offsite => 3,
            Self::Certificate => 4,
            Self::Device => 5,
            Self::Plan => 6,
            Self::Signups => 7,
            Self::NotStarted => 8,
            Self::Access => 9,
        }
    }

    /// As the panel calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Testimonial => "testimonial",
            Self::Backup => "backup",
            Self::Offsite => "offsite",
            Self::Certificate => "certificate",
            Self::Device => "device",
            Self::Plan => "plan",
            Self::Signups => "signups",
            Self::NotStarted => "notStarted",
            Self::Access => "access",
        }
    }

    /// The setting that turns its e-mails off; `None` of what is told in the panel alone.
    pub const fn switch(self) -> Option<&'static str> {
        match self {
            Self::Testimonial => Some("noticeTestimonial"),
            Self::Backup | Self::Offsite => Some("noticeBackup"),
            Self::Certificate => Some("noticeCertificate"),
            Self::Device | Self::Access => Some("noticeDevice"),
            Self::Plan | Self::Signups | Self::NotStarted => None,
        }
    }

    /// After an e-mail, how long until the next: a trouble that stays is told again each day, a
    /// certificate that nobody renews every third.
    pub const fn gap_milliseconds(self) -> i64 {
        match self {
            Self::Testimonial | Self::Device | Self::Access => HOUR_MILLISECONDS,
            Self::Certificate => 3 * DAY_MILLISECONDS,
            _ => DAY_MILLISECONDS,
        }
    }
}

/// A notice as it stands in the panel.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct Notification {
    /// Later ones have higher numbers.
    pub number: u64,
    pub subject: NotificationKind,
    pub first_at: Timestamp,
    pub at: Timestamp,
    pub count: u32,
    /// Why; of a sign-in the device, of access what happened.
    pub text: String,
    /// The last good copy, since when copies are late, or the end of the certificate.
    pub moment: Option<Timestamp>,
    /// Whose account somebody signed in to, or changed.
    pub email: Option<String>,
    pub read_at: Option<Timestamp>,
    pub solved_at: Option<Timestamp>,
    pub mailed_at: Option<Timestamp>,
}

impl Notification {
    /// Whether one more of the same goes into this row.
    pub(crate) fn coalesces_with(&self, other: &Self) -> bool {
        self.subject == other.subject
            && match self.subject {
                NotificationKind::Testimonial => self.read_at.is_none(),
                NotificationKind::Device | NotificationKind::Access => {
                    self.read_at.is_none() && self.email == other.email && self.text == other.text
                }
                NotificationKind::Backup
                | NotificationKind::Offsite
                | NotificationKind::Certificate
                | NotificationKind::Plan => self.solved_at.is_none(),
                NotificationKind::Signups | NotificationKind::NotStarted => false,
            }
    }

    /// Whether an account sees it: a sign-in concerns nobody else.
    pub fn is_for(&self, account: &str) -> bool {
        self.email.as_deref().is_none_or(|email| email == account)
    }
}

/// What happened. Reasons are Italian and hold no addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotificationEvent {
    /// Somebody wrote by a link that she had sent.
    Testimonial,
    BackupFailed {
        reason: String,
        last_good_at: Option<Timestamp>,
    },
    BackupWorks,
    OffsiteFailed {
        reason: String,
        since: Timestamp,
    },
    OffsiteWorks,
    CertificateEnds {
        reason: String,
        at: Timestamp,
    },
    CertificateRenewed {
        until: Timestamp,
    },
    /// `device` in words.
    NewDevice {
        email: String,
        device: String,
    },
    /// `what` in words: how the account is opened has changed, or somebody tries to open it.
    Access {
        email: String,
        what: String,
    },
    /// The program tries again by itself.
    PlanWaits {
        reason: String,
        since: Timestamp,
    },
    PlanDone,
    /// Of a newsletter. Only she can mend it.
    NotStarted {
        reason: String,
    },
    /// Somebody who asks for the newsletter is not written to now; `limit` says which one is full,
    /// as the panel calls it.
    SignupsWait {
        limit: &'static str,
    },
}

/// The row of something that happens for the first time, and whether it ends what was open.
pub(crate) fn to_row(notice: NotificationEvent, now: Timestamp) -> (Notification, bool) {
    let row = |subject| Notification {
        number: 0,
        subject,
        first_at: now,
        at: now,
        count: 1,
        text: String::new(),
        moment: None,
        email: None,
        read_at: None,
        solved_at: None,
        mailed_at: None,
    };
    let because = |subject, text, moment| Notification {
        text,
        moment,
        ..row(subject)
    };
    let of_account = |email, row| Notification {
        email: Some(email),
        ..row
    };
    match notice {
        NotificationEvent::Testimonial => (row(NotificationKind::Testimonial), false),
        NotificationEvent::BackupFailed {
            reason,
            last_good_at,
        } => (
            because(NotificationKind::Backup, reason, last_good_at),
            false,
        ),
        NotificationEvent::BackupWorks => (row(NotificationKind::Backup), true),
        NotificationEvent::OffsiteFailed { reason, since } => (
            because(NotificationKind::Offsite, reason, Some(since)),
            false,
        ),
        NotificationEvent::OffsiteWorks => (row(NotificationKind::Offsite), true),
        NotificationEvent::CertificateEnds { reason, at } => (
            because(NotificationKind::Certificate, reason, Some(at)),
            false,
        ),
        NotificationEvent::CertificateRenewed { until } => {
            let row = because(NotificationKind::Certificate, String::new(), Some(until));
            (row, true)
        }
        NotificationEvent::NewDevice { email, device } => {
            let row = because(NotificationKind::Device, device, None);
            (of_account(email, row), false)
        }
        NotificationEvent::Access { email, what } => {
            let row = because(NotificationKind::Access, what, None);
            (of_account(email, row), false)
        }
        NotificationEvent::PlanWaits { reason, since } => {
            (because(NotificationKind::Plan, reason, Some(since)), false)
        }
        NotificationEvent::NotStarted { reason } => {
            (because(NotificationKind::NotStarted, reason, None), false)
        }
        NotificationEvent::PlanDone => (row(NotificationKind::Plan), true),
        NotificationEvent::SignupsWait { limit } => (
            because(NotificationKind::Signups, limit.to_owned(), None),
            false,
        ),
    }
}

impl Reader<'_> {
    /// Every notice, the oldest first.
    pub fn notifications(&self) -> Result<Vec<Notification>> {
        let rows = tables::records(self.tables, NOTICES, b"")?;
        Ok(rows.into_iter().map(|(_, noticed)| noticed).collect())
    }

    pub fn pending_emails(&self) -> Result<Vec<PendingEmail>> {
        let rows = tables::records(self.tables, POSTS, b"")?;
        Ok(rows.into_iter().map(|(_, post)| post).collect())
    }

    pub fn pending_email(
        &self,
        subject: NotificationKind,
        email: &str,
    ) -> Result<Option<PendingEmail>> {
        let key = tables::kind_key(subject.number(), email);
        tables::record(self.tables, POSTS, &key)
    }
}

impl Writer<'_> {
    /// Writes down what happened, and who is to hear of it by e-mail.
    pub fn add_notification(&mut self, notice: NotificationEvent, now: Timestamp) -> Result<()> {
        let (noticed, is_over) = to_row(notice, now);
        let kept = self.notifications()?;
        let open = kept
            .iter()
            .rev()
            .find(|known| known.coalesces_with(&noticed));
        let open = open.cloned();
        if is_over {
            return match open {
                Some(open) => self.resolve(open, &noticed),
                None => Ok(()),
            };
        }
        let number = kept.last().map_or(1, |last| last.number + 1);
        let written = match open {
            Some(open) => Notification {
                number: open.number,
                first_at: open.first_at,
                count: open.count.saturating_add(1),
                read_at: open.read_at,
                mailed_at: open.mailed_at,
                ..noticed
            },
            None => Notification { number, ..noticed },
        };
        self.put_notification(&written)?;
        let surplus = kept.len().saturating_sub(NOTICES_MAX - 1);
        for old in kept.iter().take(surplus) {
            self.remove_notification(old)?;
        }
        self.queue_emails(&written, now)
    }

    fn resolve(&mut self, open: Notification, by: &Notification) -> Result<()> {
        let solved = Notification {
            solved_at: Some(by.at),
            moment: by.moment.or(open.moment),
            ..open
        };
        self.put_notification(&solved)?;
        for mut post in self.pending_emails()? {
            if post.subject == solved.subject {
                post.waiting = 0;
                post.due_at = post.due_at.min(post.free_at(by.at));
                self.put_pending_email(&post)?;
            }
        }
        Ok(())
    }

    fn queue_emails(&mut self, noticed: &Notification, now: Timestamp) -> Result<()> {
        let settings = self.settings()?;
        let switch = noticed.subject.switch();
        if !switch.is_some_and(|name| settings.is_on(name)) {
            return Ok(());
        }
        for account in self.accounts()? {
            if !noticed.is_for(&account.email) {
                continue;
            }
            let known = self.pending_email(noticed.subject, &account.email)?;
            let mut post =
                known.unwrap_or_else(|| PendingEmail::new(noticed.subject, &account.email, now));
            if post.waiting == 0 {
                post.waiting_since = now;
            }
            post.waiting = post.waiting.saturating_add(1);
            self.put_pending_email(&post)?;
        }
        Ok(())
    }

    pub fn put_notification(&mut self, noticed: &Notification) -> Result<()> {
        let key = noticed.number.to_be_bytes();
        tables::put(self.transaction, NOTICES, &key, noticed)
    }

    fn remove_notification(&mut self, noticed: &Notification) -> Result<()> {
        let key = noticed.number.to_be_bytes();
        self.transaction.remove(NOTICES, &key).map(drop)
    }

    pub fn put_pending_email(&mut self, post: &PendingEmail) -> Result<()> {
        tables::put(self.transaction, POSTS, &post.key(), post)
    }

    pub fn remove_pending_email(&mut self, post: &PendingEmail) -> Result<()> {
        self.transaction.remove(POSTS, &post.key()).map(drop)
    }

    /// One notice, or everything that an account sees, is no news any more.
    pub fn mark_notifications_read(
        &mut self,
        account: &str,
        number: Option<u64>,
        now: Timestamp,
    ) -> Result<()> {
        for mut noticed in self.notifications()? {
            let is_meant = number.is_none_or(|number| number == noticed.number);
            if is_meant && noticed.read_at.is_none() && noticed.is_for(account) {
                noticed.read_at = Some(now);
                self.put_notification(&noticed)?;
            }
        }
        Ok(())
    }

    /// Removes old notices, and what waits for accounts that are no more.
    pub(crate) fn remove_old_notifications(&mut self, now: Timestamp) -> Result<u64> {
        let mut removed = 0;
        for noticed in self.notifications()? {
            if now - noticed.at >= NOTICE_MILLISECONDS_MAX {
                self.remove_notification(&noticed)?;
                removed += 1;
            }
        }
        for post in self.pending_emails()? {
            if self.account(&post.email)?.is_none() {
                self.remove_pending_email(&post)?;
            }
        }
        Ok(removed)
    }
}
