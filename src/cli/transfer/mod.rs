//! `export` and `import`: everything as JSON and original pictures, readable without us.

mod addresses;
mod content;
mod export;
mod import;
mod notices;
mod sendings;
mod source;
mod testimonials;
mod visits;
mod ways;
mod words;

mod arrival;
mod csv;
mod options;
mod wordpress;

pub use export::export;
pub use import::{import, read};
pub use options::ImportOptions;
pub use ways::import_any;

use crate::store::fs_util::reserve_path;
use std::fs;
use std::path::Path;

/// Number of the layout of an exported folder.
const FORMAT: u64 = 1;
const CONTENT_FILE: &str = "respiro.json";
const PICTURE_FOLDER: &str = "pictures";
const ORIGINAL: &str = "original";

/// The copy and what opening it put beside it. What stays behind does no harm.
fn remove_copy(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_file(reserve_path(path));
}
