//! Reads and writes the records of each subject, as methods of `Reader` and `Writer`.

pub(crate) mod accounts;
pub(crate) mod campaigns;
pub(crate) mod content_blocks;
pub(crate) mod import;
pub(crate) mod items;
pub(crate) mod notifications;
pub(crate) mod page_views;
pub(crate) mod passkeys;
pub(crate) mod pictures;
pub(crate) mod publish_schedule;
pub(crate) mod settings;
pub(crate) mod slug_index;
pub(crate) mod subscribers;
pub(crate) mod testimonial_requests;
pub(crate) mod trash;
