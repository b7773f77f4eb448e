//! Removes expired data: unused images, old trash, sessions, upload addresses.

use crate::clock::TrustedTime;
use crate::error::Result;
use crate::repositories::history;
use crate::tables::{self, UPLOADS};
use crate::{SignupSource, Subscription, Writer};
use jiff::ToSpan as _;
use respiro_content::{Timestamp, time};

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// How long an image may be unused.
pub const PICTURE_UNUSED_MILLISECONDS_MAX: i64 = DAY_MILLISECONDS;
/// How long a deleted item can be restored.
pub const TRASH_MILLISECONDS_MAX: i64 = 30 * DAY_MILLISECONDS;

/// How long a newsletter address may stay unconfirmed.
pub const PENDING_MILLISECONDS_MAX: i64 = 30 * DAY_MILLISECONDS;

/// How long an expired invitation is listed, with the recipient's name.
pub const REQUEST_ENDED_MILLISECONDS_MAX: i64 = 30 * DAY_MILLISECONDS;

/// How long page views are kept, as the privacy page says.
pub const VISITS_MONTHS_MAX: i64 = 24;

/// What `apply_retention` removed.
#[derive(Debug, Clone, Copy, Default)]
pub struct RetentionReport {
    pub pictures: u64,
    pub trash: u64,
    pub unconfirmed: u64,
    pub requests: u64,
    pub sessions: u64,
    pub uploads: u64,
    pub visits: u64,
    pub notices: u64,
    pub drafts: u64,
    pub former_states: u64,
}

impl Writer<'_> {
    /// Removes expired data: unused images after a day, trash, unconfirmed addresses and expired
    /// invitations after 30 days, expired sessions and upload addresses, page views after 24
    /// months, notifications after 90 days, drafts 60 days after their last change, states of the
    /// history beyond its limits.
    pub fn apply_retention(&mut self, now: &TrustedTime) -> Result<RetentionReport> {
        let mut swept = RetentionReport::default();
        let mut ended = self.trash().list()?;
        ended.retain(|trashed| now.age_of(trashed.deleted_at) >= TRASH_MILLISECONDS_MAX);
        swept.trash = ended.len() as u64;
        self.trash().purge_all(&ended)?;
        swept.drafts = self.drafts().remove_expired(now)?;
        let others = self.pictures().used_but_by_history()?;
        let file_bytes = std::fs::metadata(self.path).map_or(0, |file| file.len());
        let bytes_max = history::bytes_max(file_bytes);
        swept.former_states = self.history().remove_expired(now, &others, bytes_max)?;
        let used = self.pictures().used()?;
        for (id, picture) in self.pictures().list()? {
            let age = now.age_of(picture.created_at);
            if !used.contains(&id) && age >= PICTURE_UNUSED_MILLISECONDS_MAX {
                self.pictures().remove(&picture)?;
                swept.pictures += 1;
            }
        }
        let mut unconfirmed = Vec::new();
        for subscriber in self.subscribers().list()? {
            let Some(standing) = self.address_statuses().readable(&subscriber.email)? else {
                continue;
            };
            let age = now.age_of(standing.asked_at.unwrap_or(subscriber.created_at));
            // Also addresses that no e-mail could confirm: a flood of them would stay for ever.
            let waits = match subscriber.state {
                Subscription::Pending => true,
                Subscription::Collected => standing.way == Some(SignupSource::Form),
                _ => false,
            };
            if waits && age >= PENDING_MILLISECONDS_MAX {
                unconfirmed.push(subscriber.email);
            }
        }
        if !unconfirmed.is_empty() {
            let emails = unconfirmed.iter().map(String::as_str).collect();
            self.subscribers().remove_all(&emails)?;
            swept.unconfirmed = unconfirmed.len() as u64;
        }
        for (hash, request) in self.testimonial_requests().list()? {
            let ended_at = request.ended_at(now.at());
            if ended_at.is_some_and(|at| now.age_of(at) >= REQUEST_ENDED_MILLISECONDS_MAX) {
                self.testimonial_requests().remove(&hash)?;
                swept.requests += 1;
            }
        }
        swept.sessions = self.sessions().remove_ended(now)?;
        for (key, expires_at) in tables::records::<Timestamp>(self.tables, UPLOADS, b"")? {
            if now.at() >= expires_at {
                self.transaction.remove(UPLOADS, &key)?;
                swept.uploads += 1;
            }
        }
        swept.notices = self.notifications().remove_old(now)?;
        self.idempotency_keys().remove_expired(now.at())?;
        self.account_links().remove_expired(now.at())?;
        self.remove_old_decisions(now)?;
        let first = time::day(now.at()).saturating_sub(VISITS_MONTHS_MAX.months());
        swept.visits = self.page_views().remove_before(first)?;
        Ok(swept)
    }
}
