//! What content is: the table of kinds, items, settings, checks. Pure: no clock, no I/O.

pub mod check;
mod days;
mod error;
pub mod item;
pub mod kind;
pub mod kinds;
pub mod markdown;
pub mod phone;
pub mod picture;
pub mod plain;
pub mod schedule;
pub mod search;
pub mod settings;
pub mod snapshot;
pub mod time;
pub mod typescript;
pub mod typography;
pub mod value;
pub mod words;

pub use error::{Error, FieldError, Result};
pub use item::{Changes, Item};
pub use kind::{Audience, Field, Holds, Kind};
pub use kinds::{KINDS, NEWSLETTERS, kind_by_number, kind_by_slug, stored_kinds};
pub use picture::{Picture, Pictures, StoredFile};
pub use search::Search;
pub use settings::Settings;
pub use snapshot::{ANY_KIND, Entry, Former, Snapshot, last_day};
pub use time::Timestamp;
pub use value::Value;
