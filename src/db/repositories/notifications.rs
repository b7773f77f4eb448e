//! Notifications for the admin: shown in the panel for 90 days, and sent by e-mail if the setting
//! says so.

use super::Writable;
use crate::Reader;
use crate::clock::TrustedTime;
use crate::error::Result;
use crate::tables::{self, NOTICES, POSTS};
use bincode::{Decode, Encode};
use respiro_content::Timestamp;

const HOUR_MILLISECONDS: i64 = 60 * 60_000;
/// How long the panel shows a notification, as it says.
pub const NOTICE_MILLISECONDS_MAX: i64 = 90 * 24 * HOUR_MILLISECONDS;
/// Most notifications kept; the oldest are removed first.
const NOTICES_MAX: usize = 300;

/// The pending e-mail about one kind to one account.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct PendingEmail {
    pub subject: NotificationKind,
    pub email: String,
    /// Events since the last e-mail.
    pub waiting: u32,
    pub waiting_since: Timestamp,
    pub last_at: Option<Timestamp>,
    pub due_at: Timestamp,
    /// Failed attempts since the last e-mail was sent.
    pub tries: u32,
    /// When and why the last attempt failed.
    pub failed: Option<(Timestamp, String)>,
}

impl PendingEmail {
    pub(super) fn new(subject: NotificationKind, email: &str, now: Timestamp) -> Self {
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
        tables::collection_key(self.subject.number(), &self.email)
    }

    /// Takes all pending events for one e-mail and returns their count. Stored before the e-mail is
    /// sent, so that a restart does not send a second one within the hour.
    pub fn take_pending(&mut self, now: Timestamp) -> u32 {
        self.last_at = Some(now);
        self.due_at = now + self.subject.gap_milliseconds();
        std::mem::take(&mut self.waiting)
    }

    /// Earliest time of an e-mail about another event.
    fn free_at(&self, now: Timestamp) -> Timestamp {
        self.last_at.map_or(now, |at| at + HOUR_MILLISECONDS)
    }
}

const DAY_MILLISECONDS: i64 = 24 * HOUR_MILLISECONDS;

/// What a notification is about. Each kind has its own e-mail, at most one per hour.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Encode,
    Decode,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum NotificationKind {
    Testimonial,
    Backup,
    Offsite,
    Certificate,
    Device,
    /// A scheduled publication that could not be applied.
    Plan,
    /// More sign-ups than confirmation messages may be sent at once.
    Signups,
    /// A scheduled newsletter could not start and is a draft again.
    NotStarted,
    /// The credentials of an account changed, or a correct password came with a wrong code.
    Access,
    /// Rows of the data file do not decode and are skipped.
    Unreadable,
    /// The mailbox for returned messages cannot be read.
    Bounces,
    /// The summary of a month, for an account that asked for it.
    Month,
    /// There has been no good backup for days.
    Copies,
    /// The disk of the data file is nearly full.
    Disk,
    /// The mail server refuses messages of this site.
    Mail,
}

impl NotificationKind {
    pub const ALL: [Self; 15] = [
        Self::Testimonial,
        Self::Backup,
        Self::Offsite,
        Self::Certificate,
        Self::Device,
        Self::Plan,
        Self::Signups,
        Self::NotStarted,
        Self::Access,
        Self::Unreadable,
        Self::Bounces,
        Self::Month,
        Self::Copies,
        Self::Disk,
        Self::Mail,
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
            Self::Unreadable => 10,
            Self::Bounces => 11,
            Self::Month => 12,
            Self::Copies => 13,
            Self::Disk => 14,
            Self::Mail => 15,
        }
    }

    /// Name in JSON.
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
            Self::Unreadable => "unreadable",
            Self::Bounces => "bounces",
            Self::Month => "month",
            Self::Copies => "copies",
            Self::Disk => "disk",
            Self::Mail => "mail",
        }
    }

    /// The setting that turns its e-mails off; `None` if only the panel shows it, and for the
    /// summary of a month, which each account chooses for itself.
    pub const fn switch(self) -> Option<&'static str> {
        match self {
            Self::Testimonial => Some("noticeTestimonial"),
            Self::Backup | Self::Offsite | Self::Copies => Some("noticeBackup"),
            Self::Disk | Self::Mail => Some("noticeServer"),
            Self::Certificate => Some("noticeCertificate"),
            Self::Device | Self::Access => Some("noticeDevice"),
            Self::Plan
            | Self::Signups
            | Self::NotStarted
            | Self::Unreadable
            | Self::Bounces
            | Self::Month => None,
        }
    }

    /// Time until the next e-mail: a persisting failure is repeated daily, an expiring certificate
    /// every third day.
    pub const fn gap_milliseconds(self) -> i64 {
        match self {
            Self::Testimonial | Self::Device | Self::Access => HOUR_MILLISECONDS,
            Self::Certificate => 3 * DAY_MILLISECONDS,
            _ => DAY_MILLISECONDS,
        }
    }

    /// Whether a lasting condition is stored and sent once, however often it is found.
    pub(super) const fn is_sent_once(self) -> bool {
        matches!(self, Self::Copies | Self::Disk | Self::Mail)
    }
}

/// A notification as the panel shows it.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct Notification {
    /// Increases with each notification.
    pub number: u64,
    pub subject: NotificationKind,
    pub first_at: Timestamp,
    pub at: Timestamp,
    pub count: u32,
    /// The reason; the device of a sign-in; what happened to an account.
    pub text: String,
    /// The last good backup, since when backups are late, or the expiry of the certificate.
    pub moment: Option<Timestamp>,
    /// The account that was signed in to or changed.
    pub email: Option<String>,
    pub read_at: Option<Timestamp>,
    pub solved_at: Option<Timestamp>,
    pub mailed_at: Option<Timestamp>,
}

impl Notification {
    /// Returns the row of one event, without a number.
    const fn new(subject: NotificationKind, now: Timestamp) -> Self {
        Self {
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
        }
    }

    /// Returns whether an event is counted in this row instead of a new one.
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
                | NotificationKind::Plan
                | NotificationKind::Unreadable
                | NotificationKind::Bounces
                | NotificationKind::Copies
                | NotificationKind::Disk
                | NotificationKind::Mail => self.solved_at.is_none(),
                NotificationKind::Signups
                | NotificationKind::NotStarted
                | NotificationKind::Month => false,
            }
    }

    /// Returns whether an account sees it: sign-ins are shown to their account only.
    pub fn is_for(&self, account: &str) -> bool {
        self.email.as_deref().is_none_or(|email| email == account)
    }
}

/// An event to notify about. Reasons are Italian and contain no addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotificationEvent {
    /// A testimonial was submitted through an invitation.
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
    /// `device` is Italian text.
    NewDevice {
        email: String,
        device: String,
    },
    /// `what` is Italian text: the credentials changed, or someone tries to sign in.
    Access {
        email: String,
        what: String,
    },
    /// Retried automatically.
    PlanWaits {
        reason: String,
        since: Timestamp,
    },
    PlanDone,
    /// Rows of the data file are skipped. `places` counts them by place, in Italian.
    RowsUnreadable {
        places: String,
    },
    RowsReadable,
    /// Retried automatically.
    BouncesUnread {
        reason: String,
        since: Timestamp,
    },
    BouncesRead,
    /// A newsletter that only the admin can correct.
    NotStarted {
        reason: String,
    },
    /// A confirmation message is deferred; `limit` names the exhausted limit in JSON.
    SignupsWait {
        limit: &'static str,
    },
    /// `text` is Italian, one fact a line; `first` is the begin of the month.
    Month {
        email: String,
        text: String,
        first: Timestamp,
    },
    /// No good backup since `last_good_at`; `None` if there never was one.
    CopiesMissing {
        last_good_at: Option<Timestamp>,
    },
    CopiesBack,
    /// `free` is Italian: how much is free.
    DiskLow {
        free: String,
    },
    DiskFree,
    MailRefused {
        reason: String,
    },
    MailAccepted,
}

/// Returns the row of a first event, and whether it resolves an open notification.
#[expect(clippy::too_many_lines, reason = "one row for each event")]
pub(crate) fn to_row(notice: NotificationEvent, now: Timestamp) -> (Notification, bool) {
    let row = |subject| Notification::new(subject, now);
    let because = |subject, text, moment| Notification {
        text,
        moment,
        ..row(subject)
    };
    let of_account = |subject, email, text| Notification {
        email: Some(email),
        ..because(subject, text, None)
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
        NotificationEvent::CertificateRenewed { until } => (
            because(NotificationKind::Certificate, String::new(), Some(until)),
            true,
        ),
        NotificationEvent::NewDevice { email, device } => {
            (of_account(NotificationKind::Device, email, device), false)
        }
        NotificationEvent::Access { email, what } => {
            (of_account(NotificationKind::Access, email, what), false)
        }
        NotificationEvent::PlanWaits { reason, since } => {
            (because(NotificationKind::Plan, reason, Some(since)), false)
        }
        NotificationEvent::NotStarted { reason } => {
            (because(NotificationKind::NotStarted, reason, None), false)
        }
        NotificationEvent::PlanDone => (row(NotificationKind::Plan), true),
        NotificationEvent::RowsUnreadable { places } => {
            (because(NotificationKind::Unreadable, places, None), false)
        }
        NotificationEvent::BouncesUnread { reason, since } => (
            because(NotificationKind::Bounces, reason, Some(since)),
            false,
        ),
        NotificationEvent::BouncesRead => (row(NotificationKind::Bounces), true),
        NotificationEvent::RowsReadable => (row(NotificationKind::Unreadable), true),
        NotificationEvent::SignupsWait { limit } => (
            because(NotificationKind::Signups, limit.to_owned(), None),
            false,
        ),
        NotificationEvent::Month { email, text, first } => (
            Notification {
                moment: Some(first),
                ..of_account(NotificationKind::Month, email, text)
            },
            false,
        ),
        NotificationEvent::CopiesMissing { last_good_at } => (
            because(NotificationKind::Copies, String::new(), last_good_at),
            false,
        ),
        NotificationEvent::CopiesBack => (row(NotificationKind::Copies), true),
        NotificationEvent::DiskLow { free } => (because(NotificationKind::Disk, free, None), false),
        NotificationEvent::DiskFree => (row(NotificationKind::Disk), true),
        NotificationEvent::MailRefused { reason } => {
            (because(NotificationKind::Mail, reason, None), false)
        }
        NotificationEvent::MailAccepted => (row(NotificationKind::Mail), true),
    }
}

/// Notifications for the admin.
pub struct Notifications<'a>(pub(super) Reader<'a>);

impl Notifications<'_> {
    /// Returns all notifications, oldest first.
    pub fn list(&self) -> Result<Vec<Notification>> {
        let rows = tables::records(self.0.tables, NOTICES, b"")?;
        Ok(rows.into_iter().map(|(_, noticed)| noticed).collect())
    }

    /// Returns the latest notification of a kind that is not resolved.
    pub fn open(&self, subject: NotificationKind) -> Result<Option<Notification>> {
        let mut list = self.list()?.into_iter();
        Ok(list.rfind(|one| one.subject == subject && one.solved_at.is_none()))
    }

    /// Returns whether an address gets e-mails of a kind.
    pub fn is_emailed(&self, subject: NotificationKind, email: &str) -> Result<bool> {
        if self.is_host(email)? {
            return Ok(true);
        }
        if subject == NotificationKind::Month {
            return Ok(self
                .0
                .accounts()
                .notice_choices(email)?
                .monthly_since
                .is_some());
        }
        let settings = self.0.settings().get()?;
        Ok(subject.switch().is_some_and(|name| settings.is_on(name)))
    }

    /// Returns the number of the last row, also if it does not decode: it must not be replaced.
    fn last_number(&self) -> Result<u64> {
        let mut last = 0;
        self.0.tables.scan(NOTICES, b"", &mut |key, _| {
            last = <[u8; 8]>::try_from(key).map_or(last, u64::from_be_bytes);
            Ok(())
        })?;
        Ok(last)
    }
}

impl Writable<'_, '_, Notifications<'_>> {
    /// Stores an event and queues its e-mails.
    pub fn add(&mut self, notice: NotificationEvent, now: Timestamp) -> Result<()> {
        let (noticed, is_over) = to_row(notice, now);
        let kept = self.list()?;
        let open = kept
            .iter()
            .rev()
            .find(|known| known.coalesces_with(&noticed));
        let open = open.cloned();
        if open.is_some() && !is_over && noticed.subject.is_sent_once() {
            return Ok(());
        }
        if is_over {
            return match open {
                Some(open) => self.resolve(open, &noticed),
                None => Ok(()),
            };
        }
        let number = self.last_number()? + 1;
        let surplus = match open {
            Some(_) => 0,
            None => (kept.len() + 1).saturating_sub(NOTICES_MAX),
        };
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
        self.put(&written)?;
        // Not by number: an event that repeats for weeks keeps the number of its first time.
        let mut by_age: Vec<&Notification> = kept.iter().collect();
        by_age.sort_by_key(|noticed| (noticed.at, noticed.number));
        for old in by_age.into_iter().take(surplus) {
            self.remove_notification(old)?;
        }
        self.queue_emails(&written, now)?;
        self.queue_host_email(&written, now)
    }

    fn resolve(&mut self, open: Notification, by: &Notification) -> Result<()> {
        let solved = Notification {
            solved_at: Some(by.at),
            moment: by.moment.or(open.moment),
            ..open
        };
        self.put(&solved)?;
        for mut post in self.writer.pending_emails().list()? {
            if post.subject == solved.subject {
                post.waiting = 0;
                post.due_at = post.due_at.min(post.free_at(by.at));
                self.writer.pending_emails().put(&post)?;
            }
        }
        Ok(())
    }

    fn queue_emails(&mut self, noticed: &Notification, now: Timestamp) -> Result<()> {
        for account in self.writer.accounts().list()? {
            let is_wanted = self.is_emailed(noticed.subject, &account.email)?;
            if !is_wanted || !noticed.is_for(&account.email) {
                continue;
            }
            let known = self
                .writer
                .pending_emails()
                .get(noticed.subject, &account.email)?;
            let mut post =
                known.unwrap_or_else(|| PendingEmail::new(noticed.subject, &account.email, now));
            if post.waiting == 0 {
                post.waiting_since = now;
            }
            post.waiting = post.waiting.saturating_add(1);
            self.writer.pending_emails().put(&post)?;
        }
        Ok(())
    }

    pub fn put(&mut self, noticed: &Notification) -> Result<()> {
        let key = noticed.number.to_be_bytes();
        tables::put(self.writer.transaction, NOTICES, &key, noticed)
    }

    fn remove_notification(&mut self, noticed: &Notification) -> Result<()> {
        let key = noticed.number.to_be_bytes();
        self.writer.transaction.remove(NOTICES, &key).map(drop)
    }

    /// Marks one notification as read, or all that an account sees.
    pub fn mark_read(&mut self, account: &str, number: Option<u64>, now: Timestamp) -> Result<()> {
        for mut noticed in self.list()? {
            let is_meant = number.is_none_or(|number| number == noticed.number);
            if is_meant && noticed.read_at.is_none() && noticed.is_for(account) {
                noticed.read_at = Some(now);
                self.put(&noticed)?;
            }
        }
        Ok(())
    }

    /// Shows the notifications of an account to its new address.
    pub(crate) fn change_email(&mut self, email: &str, new_email: &str) -> Result<()> {
        for mut noticed in self.list()? {
            if noticed.email.as_deref() == Some(email) {
                noticed.email = Some(new_email.to_owned());
                self.put(&noticed)?;
            }
        }
        Ok(())
    }

    /// Marks the notifications of a kind as read, for every account.
    pub(crate) fn mark_kind_read(
        &mut self,
        subject: NotificationKind,
        now: Timestamp,
    ) -> Result<()> {
        for mut noticed in self.list()? {
            if noticed.subject == subject && noticed.read_at.is_none() {
                noticed.read_at = Some(now);
                self.put(&noticed)?;
            }
        }
        Ok(())
    }

    /// Removes old notifications, and pending e-mails of removed accounts.
    pub(crate) fn remove_old(&mut self, now: &TrustedTime) -> Result<u64> {
        let mut removed = 0;
        for noticed in self.list()? {
            if now.age_of(noticed.at) >= NOTICE_MILLISECONDS_MAX {
                self.remove_notification(&noticed)?;
                removed += 1;
            }
        }
        for post in self.writer.pending_emails().list()? {
            let is_known = self.writer.accounts().get(&post.email)?.is_some();
            if !is_known && !self.is_host(&post.email)? {
                self.writer.pending_emails().remove(&post)?;
            }
        }
        Ok(removed)
    }
}

/// Pending e-mails about notifications.
pub struct PendingEmails<'a>(pub(super) Reader<'a>);

impl PendingEmails<'_> {
    pub fn list(&self) -> Result<Vec<PendingEmail>> {
        let rows = tables::records(self.0.tables, POSTS, b"")?;
        Ok(rows.into_iter().map(|(_, post)| post).collect())
    }

    pub fn get(&self, subject: NotificationKind, email: &str) -> Result<Option<PendingEmail>> {
        let key = tables::collection_key(subject.number(), email);
        tables::readable_record(self.0.tables, POSTS, &key)
    }
}

impl Writable<'_, '_, PendingEmails<'_>> {
    pub fn put(&mut self, post: &PendingEmail) -> Result<()> {
        tables::put(self.writer.transaction, POSTS, &post.key(), post)
    }

    pub fn remove(&mut self, post: &PendingEmail) -> Result<()> {
        self.writer.transaction.remove(POSTS, &post.key()).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    /// Regression: with a full list the failure of a backup that had repeated for weeks was removed
    /// as the oldest.
    #[test]
    fn an_event_that_repeats_outlives_older_ones_in_a_full_list() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("respiro.redb")).unwrap();
        let failed = || NotificationEvent::BackupFailed {
            reason: "il disco è pieno".to_owned(),
            last_good_at: None,
        };
        let other = |number: i64| NotificationEvent::NotStarted {
            reason: number.to_string(),
        };
        let filled = store.write(|writer| {
            writer.notifications().add(failed(), 0)?;
            for number in 1..i64::try_from(NOTICES_MAX).unwrap() {
                writer.notifications().add(other(number), number)?;
            }
            writer.notifications().add(failed(), 1_000)?;
            writer.notifications().add(other(1_001), 1_001)
        });
        filled.unwrap();
        let list = store.read(|reader| reader.notifications().list()).unwrap();
        assert_eq!(list.len(), NOTICES_MAX);
        let repeated = list
            .iter()
            .find(|one| one.subject == NotificationKind::Backup);
        assert_eq!(repeated.map(|one| one.count), Some(2));
        assert!(list.iter().all(|one| one.text != "1"), "the oldest is gone");
    }
}
