//! Benchmark of the store: `cargo bench --bench store`. Prints figures and asserts nothing.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::redundant_closure_for_method_calls,
    reason = "a bench prints, and stops where a step fails"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use respiro_content::{COLLECTIONS, collection_by_slug};
use respiro_db::{Direction, Store, check};
use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{NOW, changes};

const PICTURES: usize = 60;
const PICTURE_BYTES: usize = 3_000_000;
const RUNS: usize = 200;
/// Passes the data file to the child process that is killed.
const CHILD: &str = "RESPIRO_BENCH_FILE";

fn main() {
    if let Some(path) = env::var_os(CHILD) {
        write_until_killed(Path::new(&path));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("respiro.redb");
    let store = Store::open(&path).unwrap();
    support::fill(&store);
    let photo_gallery = collection_by_slug("photo-gallery").unwrap();

    let mut hashes = Vec::new();
    let stored = median(PICTURES, |number| {
        let bytes = noise(number);
        let (picture, files) = support::picture(&support::id(), &bytes);
        hashes.push(picture.files["main"].hash);
        let id = picture.id.clone();
        let (_, taken) = timed(|| store.write(|writer| writer.pictures().put(picture, files)));
        support::create(&store, photo_gallery, changes(photo_gallery, &id, number));
        taken
    });
    println!("store a picture of 3 MB, p50: {stored:?}");

    let events = collection_by_slug("events").unwrap();
    let id = support::ids(&store, events)[1].clone();
    let edit = median(RUNS, |number| {
        let changes = changes(events, &support::ids(&store, photo_gallery)[0], number);
        let mut changes = changes;
        changes.values.remove("imageUrl");
        timed(|| {
            store
                .write(|w| w.items().update(events, &id, changes, NOW))
                .unwrap()
        })
        .1
    });
    println!("commit of one item's change, p50: {edit:?}");
    let shift = median(RUNS, |number| {
        let direction = [Direction::Up, Direction::Down][number % 2];
        timed(|| {
            store
                .write(|w| w.items().reposition(events, &id, direction, NOW))
                .unwrap()
        })
        .1
    });
    println!("commit of a move, p50: {shift:?}");
    let read = median(RUNS, |number| {
        let hash = &hashes[number % hashes.len()];
        timed(|| {
            let bytes = store.read(|reader| reader.blobs().get(hash));
            bytes.unwrap().unwrap()
        })
        .1
    });
    println!("read and verify a picture of 3 MB, p50: {read:?}");
    let definitions = respiro::ui_assets::block_definitions().unwrap();
    let snapshot = median(RUNS, |_| {
        timed(|| store.read(|r| r.snapshot("", definitions)).unwrap()).1
    });
    let items: usize = COLLECTIONS
        .iter()
        .map(|kind| support::ids(&store, kind).len())
        .sum();
    println!("snapshot of {items} items, p50: {snapshot:?}");
    let picture = support::add_picture(&store, b"x");
    let trash_only = || store.read(|r| r.pictures().ids_of_trash_only()).unwrap();
    let used = median(RUNS, |_| timed(|| trash_only().contains(&picture)).1);
    println!("whether only the trash uses a picture, p50: {used:?}");

    copies(&store, folder.path());
    drop(store);
    openings(&path);
}

fn copies(store: &Store, folder: &Path) {
    let copy = folder.join("copia");
    let (figures, taken) = timed(|| store.backup(&copy, 0).unwrap());
    println!("backup, checked: {taken:?}");
    let bytes = |path: &Path| std::fs::metadata(path).unwrap().len();
    let payload = figures.picture_bytes;
    println!(
        "payload {payload} bytes, file {} ({} on disk), compact copy {}",
        bytes(store.path()),
        on_disk(store.path()),
        bytes(&copy)
    );
}

fn openings(path: &Path) {
    let (_, taken) = timed(|| check(path).unwrap());
    println!("check: {taken:?}");
    let ((), taken) = timed(|| drop(Store::open(path).unwrap()));
    println!("open and close after a clean close: {taken:?}");
    let after_kill = median(5, |_| {
        kill_a_writer(path);
        timed(|| Store::open(path).unwrap()).1
    });
    println!("open after kill -9, p50 of 5: {after_kill:?}");
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let answer = work();
    (answer, start.elapsed())
}

fn median(runs: usize, mut run: impl FnMut(usize) -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..runs).map(&mut run).collect();
    times.sort();
    times[runs / 2]
}

/// Returns pseudorandom bytes that differ for each picture.
fn noise(number: usize) -> Vec<u8> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64 ^ number as u64;
    let words = std::iter::repeat_with(|| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed.to_le_bytes()
    });
    words.take(PICTURE_BYTES / 8).flatten().collect()
}

fn on_disk(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).unwrap().blocks() * 512
}

fn write_until_killed(path: &Path) {
    let store = Store::open(path).unwrap();
    for number in 0_u64.. {
        let value = number.to_le_bytes();
        store
            .write(|writer| writer.put_note("bench", &value))
            .unwrap();
        println!("{number}");
    }
}

fn kill_a_writer(path: &Path) {
    let mut child = Command::new(env::current_exe().unwrap())
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.take(20).for_each(drop);
    child.kill().unwrap();
    child.wait().unwrap();
}
