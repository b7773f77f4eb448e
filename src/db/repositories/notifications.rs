//! What the practitioner is told of: in the panel for 90 days, and by e-mail where she wants it.

use crate::error::Result;
use crate::repositories::notification_records::{Notice, Noticed, Subject, noticed};
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
pub struct Post {
    pub subject: Subject,
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

impl Post {
    fn new(subject: Subject, email: &str, now: Timestamp) -> Self {
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
    pub fn take(&mut self, now: Timestamp) -> u32 {
        self.last_at = Some(now);
        self.due_at = now + self.subject.gap_milliseconds();
        std::mem::take(&mut self.waiting)
    }

    /// The soonest moment of the next e-mail about something else.
    fn free_at(&self, now: Timestamp) -> Timestamp {
        self.last_at.map_or(now, |at| at + HOUR_MILLISECONDS)
    }
}

impl Reader<'_> {
    /// Every notice, the oldest first.
    pub fn notices(&self) -> Result<Vec<Noticed>> {
        let rows = tables::records(self.tables, NOTICES, b"")?;
        Ok(rows.into_iter().map(|(_, noticed)| noticed).collect())
    }

    pub fn posts(&self) -> Result<Vec<Post>> {
        let rows = tables::records(self.tables, POSTS, b"")?;
        Ok(rows.into_iter().map(|(_, post)| post).collect())
    }

    pub fn post(&self, subject: Subject, email: &str) -> Result<Option<Post>> {
        let key = tables::kind_key(subject.number(), email);
        tables::record(self.tables, POSTS, &key)
    }
}

impl Writer<'_> {
    /// Writes down what happened, and who is to hear of it by e-mail.
    pub fn add_notice(&mut self, notice: Notice, now: Timestamp) -> Result<()> {
        let (noticed, is_over) = noticed(notice, now);
        let kept = self.notices()?;
        let open = kept.iter().rev().find(|known| known.gathers(&noticed));
        let open = open.cloned();
        if is_over {
            return match open {
                Some(open) => self.solve(open, &noticed),
                None => Ok(()),
            };
        }
        let number = kept.last().map_or(1, |last| last.number + 1);
        let written = match open {
            Some(open) => Noticed {
                number: open.number,
                first_at: open.first_at,
                count: open.count.saturating_add(1),
                read_at: open.read_at,
                mailed_at: open.mailed_at,
                ..noticed
            },
            None => Noticed { number, ..noticed },
        };
        self.put_notice(&written)?;
        let surplus = kept.len().saturating_sub(NOTICES_MAX - 1);
        for old in kept.iter().take(surplus) {
            self.remove_notice(old)?;
        }
        self.tell_by_mail(&written, now)
    }

    fn solve(&mut self, open: Noticed, by: &Noticed) -> Result<()> {
        let solved = Noticed {
            solved_at: Some(by.at),
            moment: by.moment.or(open.moment),
            ..open
        };
        self.put_notice(&solved)?;
        for mut post in self.posts()? {
            if post.subject == solved.subject {
                post.waiting = 0;
                post.due_at = post.due_at.min(post.free_at(by.at));
                self.put_post(&post)?;
            }
        }
        Ok(())
    }

    fn tell_by_mail(&mut self, noticed: &Noticed, now: Timestamp) -> Result<()> {
        let settings = self.settings()?;
        let switch = noticed.subject.switch();
        if !switch.is_some_and(|name| settings.is_on(name)) {
            return Ok(());
        }
        for account in self.accounts()? {
            if !noticed.is_for(&account.email) {
                continue;
            }
            let known = self.post(noticed.subject, &account.email)?;
            let mut post = known.unwrap_or_else(|| Post::new(noticed.subject, &account.email, now));
            if post.waiting == 0 {
                post.waiting_since = now;
            }
            post.waiting = post.waiting.saturating_add(1);
            self.put_post(&post)?;
        }
        Ok(())
    }

    pub fn put_notice(&mut self, noticed: &Noticed) -> Result<()> {
        let key = noticed.number.to_be_bytes();
        tables::put(self.transaction, NOTICES, &key, noticed)
    }

    fn remove_notice(&mut self, noticed: &Noticed) -> Result<()> {
        let key = noticed.number.to_be_bytes();
        self.transaction.remove(NOTICES, &key).map(drop)
    }

    pub fn put_post(&mut self, post: &Post) -> Result<()> {
        tables::put(self.transaction, POSTS, &post.key(), post)
    }

    pub fn remove_post(&mut self, post: &Post) -> Result<()> {
        self.transaction.remove(POSTS, &post.key()).map(drop)
    }

    /// One notice, or everything that an account sees, is no news any more.
    pub fn read_notices(
        &mut self,
        account: &str,
        number: Option<u64>,
        now: Timestamp,
    ) -> Result<()> {
        for mut noticed in self.notices()? {
            let is_meant = number.is_none_or(|number| number == noticed.number);
            if is_meant && noticed.read_at.is_none() && noticed.is_for(account) {
                noticed.read_at = Some(now);
                self.put_notice(&noticed)?;
            }
        }
        Ok(())
    }

    /// Removes old notices, and what waits for accounts that are no more.
    pub(crate) fn sweep_notices(&mut self, now: Timestamp) -> Result<u64> {
        let mut removed = 0;
        for noticed in self.notices()? {
            if now - noticed.at >= NOTICE_MILLISECONDS_MAX {
                self.remove_notice(&noticed)?;
                removed += 1;
            }
        }
        for post in self.posts()? {
            if self.account(&post.email)?.is_none() {
                self.remove_post(&post)?;
            }
        }
        Ok(removed)
    }
}
