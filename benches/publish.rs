//! What a publish costs with the demonstration content: `cargo bench --bench publish`.
//!
//! Prints milliseconds: the durable commit with its publish, the parts of the publish, and the time
//! from a cold start of the renderer to the first page.

use respiro::content::{Changes, kind_by_slug};
use respiro::site::Site;
use respiro::store::Store;
use serde_json::json;
use std::io::Write as _;
use std::time::{Duration, Instant};

const ROUNDS: usize = 60;
const NOW: i64 = 1_795_000_000_000;
const PUBLIC_URL: &str = "http://127.0.0.1:8080";

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// Median and 95th percentile.
fn summary(mut all: Vec<Duration>) -> String {
    all.sort();
    let at = |percent: usize| milliseconds(all[(all.len() * percent / 100).min(all.len() - 1)]);
    format!("p50 {:6.1} ms   p95 {:6.1} ms", at(50), at(95))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("respiro.redb"))?;
    respiro::demo::fill(&store, NOW)?;
    let started = Instant::now();
    let site = Site::start()?;
    site.publish(store.read(|reader| reader.snapshot(PUBLIC_URL))?, NOW)?;
    let first = started.elapsed();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "start to first page             {:10.1} ms",
        milliseconds(first)
    )?;
    for slug in ["course-testimonials", "events", "blog"] {
        let kind = kind_by_slug(slug).ok_or("no such kind")?;
        let mut whole = Vec::new();
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        let mut figures = respiro::site::Figures::default();
        for round in 0..ROUNDS {
            let id = store.read(|reader| reader.items(kind))?.remove(0).id;
            let name = if slug == "course-testimonials" {
                "name"
            } else {
                "title"
            };
            let body = json!({ name: format!("Prova numero {round}") });
            let changes = Changes::parse(kind, body.as_object().ok_or("no object")?)
                .map_err(|errors| format!("{errors:?}"))?;
            let started = Instant::now();
            store.write(|writer| writer.update_item(kind, &id, changes, NOW))?;
            let committed = started.elapsed();
            site.publish(store.read(|reader| reader.snapshot(PUBLIC_URL))?, NOW)?;
            whole.push(started.elapsed());
            figures = site.state().ok_or("not published")?.figures;
            parts[0].push(committed);
            parts[1].push(figures.render_time);
            parts[2].push(figures.compress_time);
        }
        let counts = (figures.rendered, figures.planned, figures.compressed);
        writeln!(out, "{slug}: one change              {}", summary(whole))?;
        for (name, part) in ["commit", "plan and render", "compress"].iter().zip(parts) {
            writeln!(out, "  {name:15} {}", summary(part))?;
        }
        writeln!(
            out,
            "  rendered {} of {}, compressed {}",
            counts.0, counts.1, counts.2
        )?;
    }
    Ok(())
}
