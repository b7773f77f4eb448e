//! What may happen that the practitioner is told of, and its row when it does.

use bincode::{Decode, Encode};
use respiro_content::Timestamp;

const HOUR_MILLISECONDS: i64 = 60 * 60_000;
const DAY_MILLISECONDS: i64 = 24 * HOUR_MILLISECONDS;

/// What a notice is about: each has an e-mail of its own, at most one an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Subject {
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

impl Subject {
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
pub struct Noticed {
    /// Later ones have higher numbers.
    pub number: u64,
    pub subject: Subject,
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

impl Noticed {
    /// Whether one more of the same goes into this row.
    pub(crate) fn gathers(&self, other: &Self) -> bool {
        self.subject == other.subject
            && match self.subject {
                Subject::Testimonial => self.read_at.is_none(),
                Subject::Device | Subject::Access => {
                    self.read_at.is_none() && self.email == other.email && self.text == other.text
                }
                Subject::Backup | Subject::Offsite | Subject::Certificate | Subject::Plan => {
                    self.solved_at.is_none()
                }
                Subject::Signups | Subject::NotStarted => false,
            }
    }

    /// Whether an account sees it: a sign-in concerns nobody else.
    pub fn is_for(&self, account: &str) -> bool {
        self.email.as_deref().is_none_or(|email| email == account)
    }
}

/// What happened. Reasons are Italian and hold no addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
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
pub(crate) fn noticed(notice: Notice, now: Timestamp) -> (Noticed, bool) {
    let row = |subject| Noticed {
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
    let because = |subject, text, moment| Noticed {
        text,
        moment,
        ..row(subject)
    };
    let of_account = |email, row| Noticed {
        email: Some(email),
        ..row
    };
    match notice {
        Notice::Testimonial => (row(Subject::Testimonial), false),
        Notice::BackupFailed {
            reason,
            last_good_at,
        } => (because(Subject::Backup, reason, last_good_at), false),
        Notice::BackupWorks => (row(Subject::Backup), true),
        Notice::OffsiteFailed { reason, since } => {
            (because(Subject::Offsite, reason, Some(since)), false)
        }
        Notice::OffsiteWorks => (row(Subject::Offsite), true),
        Notice::CertificateEnds { reason, at } => {
            (because(Subject::Certificate, reason, Some(at)), false)
        }
        Notice::CertificateRenewed { until } => {
            let row = because(Subject::Certificate, String::new(), Some(until));
            (row, true)
        }
        Notice::NewDevice { email, device } => {
            let row = because(Subject::Device, device, None);
            (of_account(email, row), false)
        }
        Notice::Access { email, what } => {
            let row = because(Subject::Access, what, None);
            (of_account(email, row), false)
        }
        Notice::PlanWaits { reason, since } => (because(Subject::Plan, reason, Some(since)), false),
        Notice::NotStarted { reason } => (because(Subject::NotStarted, reason, None), false),
        Notice::PlanDone => (row(Subject::Plan), true),
        Notice::SignupsWait { limit } => (because(Subject::Signups, limit.to_owned(), None), false),
    }
}
