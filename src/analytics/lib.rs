//! Counts page views and contact clicks by day, without storing anything about a visitor.
//!
//! May name `respiro-content` and `respiro-db` (the stored totals). Invariants: addresses and user
//! agents become hashes with a salt of the day, held in memory until midnight in Italy; queues and
//! tables are bounded; recording a visit never blocks. The caller stores the totals.

mod day_counter;
mod missing_paths;
pub mod report;
mod robots;
mod visit;
mod visit_counter;

pub use day_counter::PendingTotals;
pub use missing_paths::{MISSING_PATHS_MAX, MissingPaths, Sought};
pub use robots::is_robot;
pub use visit::{ContactClick, RequestHints, Visit, VisitKind};
pub use visit_counter::{PathKind, VisitCounter};
