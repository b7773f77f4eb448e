//! The content blocks of this release, as the UI build wrote them.

use crate::content::blocks::Table;
use crate::error::{Error, Result};
use std::sync::LazyLock;

static TABLE: LazyLock<Result<Table, String>> = LazyLock::new(|| {
    let json = include_str!(concat!(env!("OUT_DIR"), "/ui/words.json"));
    Table::from_json(json).map_err(|error| error.to_string())
});

/// Fails when the build embedded definitions that this program cannot read.
pub fn table() -> Result<&'static Table> {
    TABLE
        .as_ref()
        .map_err(|reason| Error::Internal(reason.clone()))
}
