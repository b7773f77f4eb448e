//! Publishes the site: the one write path, rendered pages in memory and on disk, feeds, sitemap,
//! calendar, link previews, static export, purge of a CDN.
//!
//! May name `respiro-content`, `-db`, `-media` and `-render`. Invariants: a change is one durable
//! transaction, then one publish of what it touched; a failed publish never undoes the commit and
//! is repaired soon; nothing that was removed, withdrawn or corrected is shown again, whatever
//! fails; nothing else in the workspace writes while the site is served.

mod ai_crawlers;
pub mod cdn_purge;
mod compress;
mod critical_css;
mod error;
mod feeds;
mod generated_files;
pub mod headers;
mod html_template;
mod icalendar;
mod incremental_planner;
pub mod job_trigger;
mod link_preview;
mod messages;
mod page;
mod page_cache;
mod page_entry;
mod page_rendering;
#[cfg(debug_assertions)]
#[cfg(test)]
mod power_loss;
mod prerender_worker;
pub mod publish_repair;
mod publisher;
mod related_items;
mod restore;
mod site_index;
pub mod static_export;
mod ui_assets;
mod ui_bundle;
mod write_path;

pub use cdn_purge::Cdn;
pub use error::{Error, Result};
pub use feeds::{FEED_PATH, WORDPRESS_FEED_PATHS, is_wordpress_feed, is_wordpress_feed_query};
pub use generated_files::EventCalendar;
pub use link_preview::{SocialPicture, Words, caption, words_of};
pub use page::{Body, Page};
pub use page_entry::PageEntry;
pub use publisher::{PublishState, PublishStats, Publisher};
pub use restore::{KeptSession, Restored};
pub use site_index::{FormerPath, KEY, Pages};
pub use static_export::{ExportEntry, ExportedFile};
pub use ui_assets::{EmbeddedFile, UiAssets};
pub use ui_bundle::Bundle;
pub use write_path::{Site, SiteOptions, blocking};

use page::IdentityBody;
use publisher::{Shared, locked};
