//! The content blocks of this release, as the UI build wrote them.

use crate::content::blocks::BlockDefinitions;
use crate::error::{Error, Result};
use std::sync::LazyLock;

static TABLE: LazyLock<Result<BlockDefinitions, String>> = LazyLock::new(|| {
    let json = include_str!(concat!(env!("OUT_DIR"), "/ui/words.json"));
    BlockDefinitions::from_json(json).map_err(|error| error.to_string())
});

/// Fails when the build embedded definitions that this program cannot read.
pub fn table() -> Result<&'static BlockDefinitions> {
    TABLE
        .as_ref()
        .map_err(|reason| Error::Internal(reason.clone()))
}
