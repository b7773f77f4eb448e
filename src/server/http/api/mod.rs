//! Handlers below `/api`, and the upload of files.

pub mod accounts;
pub mod backup;
pub mod campaigns;
pub mod content_blocks;
pub mod drafts;
pub mod history;
pub mod home;
pub mod items;
pub mod notices;
pub mod page_views;
pub mod parse_preview;
pub mod passkeys;
pub mod person;
pub mod pictures;
pub mod public_reads;
pub mod publish_schedule;
pub mod redirects;
pub mod restore;
pub mod session;
pub mod settings;
pub mod statistics;
pub mod subscribers;
pub mod testimonials;
pub mod trash;
pub mod uploads;
