//! The three ways into a data file.

use super::options::ImportOptions;
use super::{csv, import, wordpress};
use std::path::Path;

/// One of the three.
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
