//! What the program says about itself to a monitoring system: Prometheus text.

use crate::app::App;
use crate::backup;
use crate::content::time::parse_rfc3339;
use crate::error::Result;
use std::fmt::Write;
use std::sync::Arc;

/// Size of a page of memory on every platform this is built for.
const PAGE_BYTES: u64 = 4096;

/// Everything that is measured, in the text format of Prometheus. No addresses, no names.
pub async fn metrics(app: &Arc<App>) -> Result<String> {
    let (figures, note) = app
        .read(|reader| Ok((reader.figures()?, reader.note(backup::NOTE)?)))
        .await?;
    let mut page = Page::default();
    let version = env!("CARGO_PKG_VERSION");
    page.gauge(
        "build_info",
        "Always 1.",
        &format!("{{version=\"{version}\"}}"),
        1,
    );
    for (kind, count) in &figures.counts {
        page.gauge(
            "items",
            "Items by kind.",
            &format!("{{kind=\"{kind}\"}}"),
            *count,
        );
    }
    page.gauge("trash_items", "Items in the trash.", "", figures.trash);
    page.gauge("pictures", "Pictures stored.", "", figures.pictures);
    page.gauge(
        "picture_bytes",
        "Bytes of pictures.",
        "",
        figures.picture_bytes,
    );
    page.gauge("accounts", "Accounts of the panel.", "", figures.accounts);
    page.gauge(
        "data_file_bytes",
        "Size of the data file.",
        "",
        figures.file_bytes,
    );
    if let Some(state) = app.site.state() {
        page.gauge(
            "publish_ok",
            "1 when the last publish went well.",
            "",
            u64::from(state.ok),
        );
        page.gauge(
            "publish_timestamp_seconds",
            "Last publish.",
            "",
            seconds(state.at),
        );
    }
    let outcome = note.and_then(|note| serde_json::from_slice::<backup::Outcome>(&note).ok());
    if let Some(outcome) = outcome {
        page.gauge(
            "backup_ok",
            "1 when the last backup went well.",
            "",
            u64::from(outcome.ok),
        );
        let at = parse_rfc3339(&outcome.at).unwrap_or_default();
        page.gauge(
            "backup_timestamp_seconds",
            "Last scheduled backup.",
            "",
            seconds(at),
        );
    }
    if let Some(bytes) = resident_bytes() {
        page.gauge("resident_memory_bytes", "Memory in use.", "", bytes);
    }
    Ok(page.text)
}

#[derive(Default)]
struct Page {
    text: String,
    last: String,
}

impl Page {
    /// Writing to a string cannot fail.
    fn gauge(&mut self, name: &str, help: &str, labels: &str, value: u64) {
        if self.last != name {
            let _ = writeln!(self.text, "# HELP respiro_{name} {help}");
            let _ = writeln!(self.text, "# TYPE respiro_{name} gauge");
            name.clone_into(&mut self.last);
        }
        let _ = writeln!(self.text, "respiro_{name}{labels} {value}");
    }
}

fn seconds(milliseconds: i64) -> u64 {
    u64::try_from(milliseconds / 1000).unwrap_or_default()
}

fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}
