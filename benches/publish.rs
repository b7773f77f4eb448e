//! Benchmark of a change and of a start as the site grows: `cargo bench --bench publish`.
//!
//! Prints medians in milliseconds for the demonstration content, and for the same with 10,000
//! events and 2,000 articles, in one run: one change from its transaction to the swapped pages, the
//! durable commit alone, and a start from opening the data file to the first page. `--small` uses a
//! tenth of the large site.

use respiro::ui_assets;
use respiro_content::time::day;
use respiro_content::{Changes, RequestLog, collection_by_slug};
use respiro_db::clock::Clock;
use respiro_db::{Store, WriteAccess};
use respiro_publish::{Publisher, Site, SiteOptions};
use respiro_server::errors::Error;
use serde_json::json;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const ROUNDS: usize = 40;
const STARTS: usize = 5;
const REST: Duration = Duration::from_millis(120);
const NOW: i64 = 1_795_000_000_000;
const PUBLIC_URL: &str = "http://127.0.0.1:8080";

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn median(mut all: Vec<Duration>) -> f64 {
    all.sort();
    all[all.len() / 2].as_secs_f64() * 1_000.0
}

/// Adds published events, half of them past, and articles, up to these counts. A kind may have
/// 10,000 items.
fn grow(store: &WriteAccess, events: usize, posts: usize) -> Outcome<()> {
    for (slug, count) in [("events", events), ("blog", posts)] {
        let kind = collection_by_slug(slug).ok_or("no such kind")?;
        let text = "Un respiro dopo l'altro, con calma e attenzione. ".repeat(30);
        let there = store.read(|reader| reader.items().list(kind))?.len();
        let bodies = (0..count.saturating_sub(there)).map(|number| {
            let year = if number % 2 == 0 { 2024 } else { 2028 };
            json!({
                "published": true, "title": format!("Titolo numero {number}"),
                "date": format!("{} marzo {year}", number % 28 + 1), "time": "20:30",
                "location": "Bologna", "description": "Una sera per respirare insieme.",
                "slug": format!("articolo-{number}"), "excerpt": "Un riassunto di una riga.",
                "category": "Tecniche", "content": text,
            })
        });
        let bodies: Vec<_> = bodies.collect();
        store.write(|writer| -> respiro_server::errors::Result<_> {
            for (number, body) in bodies.iter().enumerate() {
                let fields = body.as_object().cloned().unwrap_or_default();
                let changes = Changes::parse(kind, &fields)?;
                let id = format!("{slug}{number:021}");
                let now = NOW + i64::try_from(number).unwrap_or_default();
                writer.items().create(kind, changes, id, now)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

struct Measured {
    start: f64,
    commit: f64,
    publish: [f64; 4],
    pages: usize,
}

fn options() -> Outcome<SiteOptions> {
    Ok(SiteOptions {
        public_url: PUBLIC_URL.to_owned(),
        definitions: ui_assets::block_definitions()?,
        has_offsite_backups: false,
        host_email: None,
        request_log: RequestLog::Off,
        clock: Clock::default(),
    })
}

fn measure(path: &Path) -> Outcome<Measured> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let started = Instant::now();
        let store = Store::open(path)?;
        let site = Publisher::start_with(ui_assets::bundle()?)?;
        let definitions = ui_assets::block_definitions()?;
        let snapshot = store.read(|reader| reader.snapshot(PUBLIC_URL, definitions))?;
        site.publish(snapshot, NOW)?;
        site.page("/").ok_or("no home page")?;
        starts.push(started.elapsed());
    }
    let (store, publisher) = (
        Store::open(path)?,
        Publisher::start_with(ui_assets::bundle()?)?,
    );
    let site = Site::new(store, publisher, options()?);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(site.publish())?;
    let mut commits = Vec::new();
    let mut publish = [0.0; 4];
    let kinds = [
        ("course-testimonials", "name", false),
        ("events", "title", false),
        // The first upcoming event, which is first in the list.
        ("events", "title", true),
        ("blog", "title", false),
    ];
    let today = day(NOW);
    for (place, (slug, field, is_first)) in kinds.iter().enumerate() {
        let kind = collection_by_slug(slug).ok_or("no such kind")?;
        let pages = site.publisher.pages().ok_or("not published")?;
        let list = pages.snapshot.published(kind);
        let middle = list.get(list.len() / 2);
        let mut upcoming = list.iter().filter(|entry| !entry.is_past(today));
        let entry = middle.filter(|_| !is_first).or_else(|| upcoming.next());
        let id = entry.ok_or("an empty list")?.id.clone();
        let mut whole = Vec::new();
        for round in 0..ROUNDS {
            let body = json!({ *field: format!("Prova numero {round}") });
            let changes = Changes::parse(kind, body.as_object().ok_or("no object")?)
                .map_err(|errors| format!("{errors:?}"))?;
            let started = Instant::now();
            runtime.block_on(site.save_task_state("bench", &round))?;
            commits.push(started.elapsed());
            let (started, id) = (Instant::now(), id.clone());
            let done: Result<_, Error> = runtime
                .block_on(site.change(move |w| Ok(w.items().update(kind, &id, changes, NOW)?)));
            done?;
            whole.push(started.elapsed());
            // Waits for the background work after the answer, so that the next measurement excludes
            // it.
            std::thread::sleep(REST);
        }
        publish[place] = median(whole);
    }
    Ok(Measured {
        start: median(starts),
        commit: median(commits),
        publish,
        pages: site.publisher.state().ok_or("not published")?.stats.planned,
    })
}

fn main() -> Outcome<()> {
    let small = std::env::args().any(|argument| argument == "--small");
    let (events, posts) = if small { (1_000, 200) } else { (10_000, 2_000) };
    let folder = tempfile::tempdir()?;
    let (demo, large) = (folder.path().join("a.redb"), folder.path().join("b.redb"));
    for path in [&demo, &large] {
        respiro_importers::demo::fill(&Store::open(path)?, NOW)?;
    }
    grow(&Store::open(&large)?, events, posts)?;
    let (one, two) = (measure(&demo)?, measure(&large)?);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| what (median) | demonstration | {events} events, {posts} articles | ratio |"
    )?;
    writeln!(out, "|---|---|---|---|")?;
    writeln!(out, "| addresses | {} | {} | |", one.pages, two.pages)?;
    let rows = [
        (
            "opening the data file to the first page",
            one.start,
            two.start,
        ),
        ("durable commit alone", one.commit, two.commit),
        (
            "a testimonial changed, commit included",
            one.publish[0],
            two.publish[0],
        ),
        (
            "an event changed, commit included",
            one.publish[1],
            two.publish[1],
        ),
        (
            "the next event changed, commit included",
            one.publish[2],
            two.publish[2],
        ),
        (
            "an article changed, commit included",
            one.publish[3],
            two.publish[3],
        ),
    ];
    for (what, one, two) in rows {
        writeln!(
            out,
            "| {what} | {one:.1} ms | {two:.1} ms | {:.2} |",
            two / one
        )?;
    }
    Ok(())
}
