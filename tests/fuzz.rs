//! Fuzz tests of all parsers of external input: the committed seeds, and random mutations of them.
//! The mutations use a fixed seed, so that a failure is reproducible.
//!
//! `RESPIRO_FUZZ_SECONDS=600 cargo test --test fuzz -- --nocapture` runs each target for ten
//! minutes; `RESPIRO_FUZZ_TARGET=wordpress` selects one.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops where a step fails, and says what it did"
)]

#[path = "../fuzz/targets.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Mutations per target in a normal run of the tests.
const ROUNDS: u64 = 400;
/// Tokens that have a meaning to the parsers.
const WORDS: &[&str] = &[
    "\"",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "1e999",
    "-0",
    "\\u0000",
    "\\ud800",
    "\n",
    "\0",
    "\u{202e}",
    "<script>",
    "](",
    "```",
    "maggio",
    "31",
    "24:00",
    "°",
    "\u{ff}\u{ff}",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = root().join("fuzz/seeds").join(name);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    if name == "data_file" {
        paths.push(root().join("tests/data/releases/development.redb"));
    }
    if name == "picture" {
        paths.push(root().join("src/importers/demo/pictures/gallery-1.jpg"));
    }
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Xorshift generator (Marsaglia) with a fixed seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap()
    }

    fn mutate(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len());
            let to = (at + 1 + self.below(16)).min(bytes.len());
            match self.below(6) {
                0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                1 if !bytes.is_empty() => bytes[at] = self.next().to_le_bytes()[0],
                2 if to > at => drop(bytes.drain(at..to)),
                3 if to > at => {
                    let part = bytes[at..to].to_vec();
                    bytes.splice(at..at, part);
                }
                4 => {
                    let word = WORDS[self.below(WORDS.len())].bytes();
                    bytes.splice(at..at, word);
                }
                _ => {
                    let other = &seeds[self.below(seeds.len())];
                    let from = self.below(other.len());
                    let end = (from + self.below(256)).min(other.len());
                    bytes.splice(at..at, other[from..end].to_vec());
                }
            }
        }
        bytes
    }
}

fn run(name: &str, target: fn(&[u8]), bytes: &[u8]) {
    if catch_unwind(|| target(bytes)).is_err() {
        let kept = std::env::temp_dir().join(format!("respiro-fuzz-{name}"));
        fs::write(&kept, bytes).unwrap();
        panic!("{name} broke over {}", kept.display());
    }
}

#[test]
fn nothing_that_reads_from_outside_breaks_over_anything() {
    let seconds = std::env::var("RESPIRO_FUZZ_SECONDS").ok();
    let seconds = seconds.map(|text| Duration::from_secs(text.parse().unwrap()));
    let wanted = std::env::var("RESPIRO_FUZZ_TARGET").ok();
    let is_known = |wanted: &String| targets::TARGETS.iter().any(|(name, _)| name == wanted);
    assert!(wanted.as_ref().is_none_or(is_known), "no target {wanted:?}");
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
    for (name, target) in targets::TARGETS.iter().filter(|(name, _)| is_wanted(name)) {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in &seeds {
            run(name, *target, seed);
        }
        let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
        let started = Instant::now();
        let mut rounds = 0;
        // This target is slow: each round writes, opens and traverses a data file.
        let most = if *name == "data_file" {
            ROUNDS / 10
        } else {
            ROUNDS
        };
        while seconds.map_or(rounds < most, |seconds| started.elapsed() < seconds) {
            run(name, *target, &chance.mutate(&seeds));
            rounds += 1;
        }
        println!("{name}: {rounds} mutations in {:?}", started.elapsed());
    }
}
