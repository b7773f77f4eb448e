//! Repositories: each reads and writes the records of one subject, and is reached as
//! `reader.items()` or `writer.items()`.
//!
//! A repository is a struct around a [`Reader`]; its own `impl` block has the reads. The writes are
//! methods of [`Writable`] with that repository.

pub(crate) mod account_links;
pub(crate) mod accounts;
pub(crate) mod campaigns;
pub(crate) mod content_blocks;
pub(crate) mod drafts;
pub(crate) mod history;
mod host_emails;
pub(crate) mod idempotency_keys;
pub(crate) mod import;
pub(crate) mod items;
pub(crate) mod notifications;
pub(crate) mod page_views;
pub(crate) mod passkeys;
pub(crate) mod picture_uses;
pub(crate) mod pictures;
pub(crate) mod public_ids;
pub(crate) mod publish_schedule;
pub(crate) mod redirects;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod slug_index;
pub(crate) mod subscribers;
pub(crate) mod testimonial_requests;
pub(crate) mod trash;

use crate::{Reader, Writer};
use account_links::AccountLinks;
use accounts::Accounts;
use campaigns::{Campaigns, SentImages};
use content_blocks::ContentBlocks;
use drafts::Drafts;
use history::History;
use idempotency_keys::IdempotencyKeys;
use items::Items;
use notifications::{Notifications, PendingEmails};
use page_views::PageViews;
use passkeys::Passkeys;
use pictures::{Blobs, StoredPictures, Uploads};
use public_ids::PublicIdTable;
use publish_schedule::PublishSchedules;
use redirects::Redirects;
use sessions::Sessions;
use settings::SiteSettings;
use std::ops::Deref;
use subscribers::{AddressStatuses, Bounces, Subscribers};
use testimonial_requests::{Provenances, TestimonialRequests};
use trash::Trash;

/// A repository in a write transaction. Reads as the repository `R`, and sees the transaction's own
/// changes.
pub struct Writable<'t, 'a, R> {
    reads: R,
    writer: &'t mut Writer<'a>,
}

impl<R> Deref for Writable<'_, '_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.reads
    }
}

macro_rules! accessors {
    ($($name:ident: $repository:ident),* $(,)?) => {
        impl<'a> Reader<'a> {
            $(pub fn $name(&self) -> $repository<'a> {
                $repository(*self)
            })*
        }

        impl<'a> Writer<'a> {
            $(pub fn $name(&mut self) -> Writable<'_, 'a, $repository<'a>> {
                Writable { reads: $repository(self.reader), writer: self }
            })*
        }
    };
}

accessors! {
    account_links: AccountLinks,
    accounts: Accounts,
    address_statuses: AddressStatuses,
    blobs: Blobs,
    bounces: Bounces,
    campaigns: Campaigns,
    content_blocks: ContentBlocks,
    drafts: Drafts,
    history: History,
    idempotency_keys: IdempotencyKeys,
    items: Items,
    notifications: Notifications,
    page_views: PageViews,
    passkeys: Passkeys,
    pending_emails: PendingEmails,
    pictures: StoredPictures,
    provenances: Provenances,
    public_ids: PublicIdTable,
    redirects: Redirects,
    schedules: PublishSchedules,
    sent_images: SentImages,
    sessions: Sessions,
    settings: SiteSettings,
    subscribers: Subscribers,
    testimonial_requests: TestimonialRequests,
    trash: Trash,
    uploads: Uploads,
}
