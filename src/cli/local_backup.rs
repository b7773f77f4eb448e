//! `respiro backup` and `respiro check` of a local file.

use super::control_client::pin_snapshot;
use super::{eprint_line, pluralize, print_line};
use anyhow::bail;
use respiro_db::{Store, backup_snapshot, check, check_snapshot};
use respiro_server::control::requests;
use respiro_server::state::now;
use std::path::Path;

/// Writes a consistent copy of the data file. Never overwrites an existing file.
pub fn backup(data: &Path, out: &Path) -> anyhow::Result<()> {
    if out.exists() {
        bail!("{} exists already: choose another name", out.display());
    }
    if !data.exists() {
        bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        );
    }
    // Reads the live file of a running server directly: no other disk needs space.
    let copied = match pin_snapshot(data)? {
        Some(pinned) => pinned.outcome(backup_snapshot(data, &pinned.header, out, now()))?,
        None => Store::open(data)?.backup(out, now()),
    };
    let figures =
        copied.map_err(|error| anyhow::anyhow!(requests::explain_error(&error.into())))?;
    let summary = requests::summarize_contents(&figures);
    print_line(&format!("{}: {summary}", out.display()))
}

/// Verifies a whole data file. Fails if it is damaged; warns about odd content. The file of a
/// running server is verified as a snapshot.
pub fn verify(file: &Path) -> anyhow::Result<()> {
    if !file.exists() {
        bail!(
            "{} does not exist: name a data file or a copy",
            file.display()
        );
    }
    let checked = match pin_snapshot(file)? {
        Some(pinned) => pinned.outcome(check_snapshot(file, &pinned.header))?,
        None => check(file),
    };
    match checked {
        Ok(report) => {
            for oddity in &report.oddities {
                eprint_line(&format!("warning: {oddity}"));
            }
            let summary = requests::summarize_contents(&report.stats);
            print_line(&format!("{}: good: {summary}", file.display()))
        }
        Err(problems) => bail!(
            "{}: {}:\n{}\ntake another copy, or put one back: respiro restore BACKUP",
            file.display(),
            pluralize(problems.len(), "problem", "problems"),
            problems.join("\n")
        ),
    }
}
