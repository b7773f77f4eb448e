//! Defines what the site holds: collections and their fields, items, settings, content blocks,
//! Markdown, Italian dates, phone numbers and amounts.
//!
//! The lowest crate: it names no other crate of the workspace. It has no clock and does no I/O; the
//! caller passes the time, new ids and the block definitions. A value is validated once, when it is
//! parsed; later code trusts it. Records are bincode: field and variant order is fixed.

mod amounts;
pub mod banner;
pub mod blocks;
pub mod collections;
mod date_questions;
mod error;
pub mod event_times;
mod italian_dates;
mod italian_times;
pub mod item;
pub mod markdown;
mod messages;
pub mod outside_links;
pub mod phone;
pub mod picture;
pub mod public_ids;
pub mod redirects;
pub mod sanitize;
pub mod schema;
pub mod search;
pub mod settings;
pub mod snapshot;
pub mod tax_id;
pub mod time;
pub mod typography;
pub mod url;
pub mod validation;
pub mod value;

pub use collections::{
    COLLECTIONS, NEWSLETTERS, collection_by_number, collection_by_slug, stored_collections,
};
pub use date_questions::{Answer, Question, QuestionCode, QuestionField};
pub use error::{Error, FieldError, Result};
pub use item::{Changes, Item};
pub use picture::{Picture, Pictures, StoredFile};
pub use public_ids::{DateId, PublicIds};
pub use redirects::{Redirect, RedirectSource, RedirectTable, RedirectTarget};
pub use schema::{Audience, Collection, Field, FieldType};
pub use search::Search;
pub use settings::Settings;
pub use snapshot::{Entry, RequestLog, Snapshot, last_day};
pub use time::Timestamp;
pub use value::Value;
