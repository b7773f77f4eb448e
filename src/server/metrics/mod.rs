//! Metrics in the Prometheus text format.

pub mod counters;

use crate::errors::Result;
use crate::state::App;
use crate::tls;
use respiro_backup::local_backup;
use respiro_content::time::parse_rfc3339;
use respiro_db::StoreStats;
use std::fmt::{Display, Write};
use std::sync::Arc;

/// Size of a memory page on every supported platform.
const PAGE_BYTES: u64 = 4096;

/// Returns all metrics in the Prometheus text format. They contain no addresses and no names.
pub async fn text(app: &Arc<App>) -> Result<String> {
    let (figures, note, sessions) = app
        .read(|reader| {
            let mut sessions = 0;
            for account in reader.accounts().list()? {
                sessions += reader.sessions().list(&account.email)?.len();
            }
            Ok((
                reader.figures()?,
                reader.note(local_backup::NOTE)?,
                sessions,
            ))
        })
        .await?;
    let mut page = Page::default();
    let version = format!("{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    page.labelled("build_info", "Always 1.", &version, 1);
    contents(&mut page, &figures);
    page.gauge("sessions", "Signed-in devices.", count(sessions));
    published(&mut page, app);
    let outcome = note.and_then(|note| serde_json::from_slice::<local_backup::Outcome>(&note).ok());
    if let Some(outcome) = outcome {
        let at = parse_rfc3339(&outcome.at).unwrap_or_default();
        let ok = u64::from(outcome.ok);
        page.gauge("backup_ok", "1 when the last backup went well.", ok);
        page.gauge("backup_timestamp_seconds", "Last backup.", seconds(at));
    }
    if let Some(at) = tls::certificate_expiry(app).await? {
        let help = "When the certificate ends.";
        page.gauge("certificate_end_timestamp_seconds", help, seconds(at));
    }
    let free = count(app.queues.image_workers.available_permits());
    let busy = u64::from(app.config.image_workers).saturating_sub(free);
    let waiting = app.meters.requests.uploads_waiting();
    page.gauge("uploads_processing", "Pictures being resized.", busy);
    page.gauge("uploads_waiting", "Pictures waiting for that.", waiting);
    if let Some(bytes) = resident_bytes() {
        page.gauge("resident_memory_bytes", "Memory in use.", bytes);
    }
    app.meters.requests.write(&mut page.text);
    Ok(page.text)
}

fn contents(page: &mut Page, figures: &StoreStats) {
    for (kind, count) in &figures.counts {
        let kind = format!("{{kind=\"{kind}\"}}");
        page.labelled("items", "Items by kind.", &kind, *count);
    }
    page.gauge("trash_items", "Items in the trash.", figures.trash);
    page.gauge("pictures", "Pictures stored.", figures.pictures);
    page.gauge("picture_bytes", "Bytes of pictures.", figures.picture_bytes);
    page.gauge("accounts", "Accounts of the panel.", figures.accounts);
    page.gauge(
        "data_file_bytes",
        "Size of the data file.",
        figures.file_bytes,
    );
}

fn published(page: &mut Page, app: &App) {
    let Some(state) = app.site.publisher.state() else {
        return;
    };
    let ok = u64::from(state.ok);
    page.gauge("publish_ok", "1 when the last publish went well.", ok);
    let at = seconds(state.at);
    page.gauge("publish_timestamp_seconds", "Last publish.", at);
    let microseconds = u64::try_from(state.stats.whole_time.as_micros()).unwrap_or(u64::MAX);
    let took = counters::seconds(microseconds);
    let help = "How long the last publish took; 0 when it failed.";
    page.labelled("publish_duration_seconds", help, "", took);
}

#[derive(Default)]
struct Page {
    text: String,
    last: &'static str,
}

impl Page {
    fn gauge(&mut self, name: &'static str, help: &str, value: u64) {
        self.labelled(name, help, "", value);
    }

    /// Appends a gauge. Rows of one name must follow each other. Writing to a string cannot fail.
    fn labelled(&mut self, name: &'static str, help: &str, labels: &str, value: impl Display) {
        if self.last != name {
            let _ = writeln!(self.text, "# HELP respiro_{name} {help}");
            let _ = writeln!(self.text, "# TYPE respiro_{name} gauge");
            self.last = name;
        }
        let _ = writeln!(self.text, "respiro_{name}{labels} {value}");
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn seconds(milliseconds: i64) -> u64 {
    u64::try_from(milliseconds / 1000).unwrap_or_default()
}

fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}
