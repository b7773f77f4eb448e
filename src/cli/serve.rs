//! `respiro serve`: runs the server until it is told to stop.

use crate::config::Config;
use anyhow::bail;

/// Runs until SIGTERM or SIGINT.
pub fn serve(config: &Config) -> anyhow::Result<()> {
    bail!("this build cannot serve {} yet", config.data.display())
}
