//! `export` and `import`: everything as JSON and original pictures, readable without respiro; and
//! imports from WordPress and from CSV.

mod campaigns;
mod content;
mod content_blocks;
mod csv;
mod export;
mod fields;
mod import;
mod notices;
mod options;
mod spanned_json;
mod staging;
mod statistics;
mod subscribers;
mod testimonials;
mod wordpress;

pub use export::export;
pub use import::{import, read};
pub use options::ImportOptions;

use crate::store::fs_util::reserve_path;
use std::fs;
use std::path::Path;

/// Version of the layout of an exported folder.
const FORMAT: u64 = 1;
const CONTENT_FILE: &str = "respiro.json";
const PICTURE_FOLDER: &str = "pictures";
const ORIGINAL: &str = "original";

/// Imports from the one source that the options name.
pub fn import_any(data: &Path, options: &ImportOptions) -> anyhow::Result<()> {
    match (&options.dir, &options.wordpress, &options.csv) {
        (Some(dir), _, _) => import(data, dir),
        (_, Some(export), _) => wordpress::import(data, export, options),
        (_, _, Some(table)) => {
            let proof = options.proof.as_deref().unwrap_or_default();
            csv::import(data, table, proof, options.dry_run)
        }
        _ => Ok(()),
    }
}

/// Removes a copy of the data file and its reserve; a leftover does no harm.
fn remove_copy(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_file(reserve_path(path));
}
