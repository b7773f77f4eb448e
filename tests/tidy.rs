//! The fences of the house: which crate is named where, which way imports go, how long things are.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the tree must fail"
)]

use std::fs;
use std::path::{Path, PathBuf};

const FILE_LINES_MAX: usize = 400;
const RUST_COLUMNS_MAX: usize = 100;

/// A word that may stand only in files below one of these folders (or in these files).
const RUST_FENCES: &[(&str, &[&str])] = &[
    ("actix_", &["src/http/", "src/log.rs"]),
    ("redb", &["src/store/"]),
    ("rquickjs", &["src/render/"]),
    ("lettre", &["src/mail/"]),
    ("use clap", &["src/cli/", "src/config.rs", "src/main.rs"]),
];

/// A layer may not name the modules after it (`docs/architecture.md`, Layers).
const RUST_DIRECTION: &[(&str, &[&str])] = &[
    (
        "src/content/",
        &[
            "crate::store",
            "crate::render",
            "crate::site",
            "crate::app",
            "crate::http",
        ],
    ),
    (
        "src/images/",
        &[
            "crate::store",
            "crate::render",
            "crate::site",
            "crate::app",
            "crate::http",
        ],
    ),
    (
        "src/auth/",
        &[
            "crate::store",
            "crate::render",
            "crate::site",
            "crate::app",
            "crate::http",
        ],
    ),
    (
        "src/store/",
        &[
            "crate::render",
            "crate::site",
            "crate::app",
            "crate::http",
            "crate::cli",
        ],
    ),
    (
        "src/render/",
        &[
            "crate::store",
            "crate::site",
            "crate::app",
            "crate::http",
            "crate::cli",
        ],
    ),
    (
        "src/site/",
        &["crate::store", "crate::app", "crate::http", "crate::cli"],
    ),
    (
        "src/app/",
        &["crate::accounts", "crate::http", "crate::cli"],
    ),
];

/// Never in the program itself.
const RUST_BANNED: &[&str] = &[
    "todo!(",
    "unimplemented!(",
    "dbg!(",
    "println!(",
    "eprintln!(",
];

/// Which areas of the UI an area may import from.
const UI_DIRECTION: &[(&str, &[&str])] = &[
    ("ui/src/lib/", &["primitives/", "kinds/", "site/", "admin/"]),
    ("ui/src/primitives/", &["kinds/", "site/", "admin/"]),
    ("ui/src/kinds/", &["lib/", "primitives/", "site/", "admin/"]),
    ("ui/src/site/", &["admin/"]),
    ("ui/src/admin/", &["site/"]),
];

/// Pages are pure functions of their data, and QuickJS has no Intl.
const UI_PURE_BANNED: &[&str] = &[
    "Intl.",
    "toLocale",
    "localeCompare",
    "Math.random",
    "Date.now",
    "new Date()",
];

const UI_BANNED: &[&str] = &[
    "dangerouslySetInnerHTML={{ __html: props",
    "style={{",
    "@ts-ignore",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root().join(folder), endings, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, endings, found);
        } else if endings
            .iter()
            .any(|ending| path.to_string_lossy().ends_with(ending))
        {
            let name = path
                .strip_prefix(root())
                .unwrap()
                .to_string_lossy()
                .into_owned();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The lines of a Rust file that are not its inline tests.
fn program(text: &str) -> Vec<&str> {
    text.lines()
        .take_while(|line| line.trim() != "#[cfg(test)]")
        .collect()
}

fn report(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn each_outside_library_is_named_in_one_place_only() {
    let mut faults = Vec::new();
    for (name, text) in files("src", &[".rs"]) {
        for (line_number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for (word, allowed) in RUST_FENCES {
                if code.contains(word) && !allowed.iter().any(|place| name.starts_with(place)) {
                    // A data file is called `respiro.redb`; that names no crate.
                    if !code.contains(".redb") {
                        faults.push(format!("{name}:{} names {word}", line_number + 1));
                    }
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn layers_use_only_what_stands_below_them() {
    let mut faults = Vec::new();
    for (name, text) in files("src", &[".rs"]) {
        for (layer, above) in RUST_DIRECTION
            .iter()
            .filter(|(layer, _)| name.starts_with(layer))
        {
            for line in program(&text) {
                if let Some(word) = above.iter().find(|word| line.contains(**word)) {
                    faults.push(format!("{name}: {layer} uses {word}: {line}"));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn rust_files_are_short_and_open_with_what_they_are_for() {
    let mut faults = Vec::new();
    for (name, text) in files("src", &[".rs"]) {
        let lines = program(&text);
        if lines.len() > FILE_LINES_MAX && !name.ends_with("tests.rs") {
            faults.push(format!("{name}: {} lines", lines.len()));
        }
        if !text.starts_with("//!") {
            faults.push(format!("{name}: no `//!` line at its start"));
        }
        for (number, line) in lines.iter().enumerate() {
            if line.chars().count() > RUST_COLUMNS_MAX && !line.contains('"') {
                faults.push(format!(
                    "{name}:{}: over {RUST_COLUMNS_MAX} columns",
                    number + 1
                ));
            }
            if let Some(word) = RUST_BANNED.iter().find(|word| line.contains(**word)) {
                faults.push(format!("{name}:{}: {word}", number + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn the_ui_imports_in_one_direction() {
    let mut faults = Vec::new();
    for (name, text) in files("ui/src", &[".ts", ".tsx"]) {
        for (area, forbidden) in UI_DIRECTION
            .iter()
            .filter(|(area, _)| name.starts_with(area))
        {
            for line in text
                .lines()
                .filter(|line| line.contains(" from '") || line.contains("import('"))
            {
                let climbs = line.contains("../");
                if let Some(word) = forbidden
                    .iter()
                    .find(|word| climbs && line.contains(&format!("../{word}")))
                {
                    faults.push(format!("{name}: {area} imports {word}: {line}"));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn ui_files_are_short_and_pages_are_pure() {
    let mut faults = Vec::new();
    for (name, text) in files("ui/src", &[".ts", ".tsx", ".css"]) {
        let generated = name.ends_with(".gen.ts");
        let is_test = name.contains(".test.");
        let is_copy = name.starts_with("ui/src/site/content/");
        let lines = text.lines().count();
        if lines > FILE_LINES_MAX && !generated && !is_test && !is_copy {
            faults.push(format!("{name}: {lines} lines"));
        }
        let pure = ["ui/src/site/", "ui/src/primitives/"]
            .iter()
            .any(|area| name.starts_with(area));
        let banned = UI_BANNED
            .iter()
            .chain(UI_PURE_BANNED.iter().filter(|_| pure));
        for word in banned.filter(|_| !is_test) {
            for (number, line) in text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.contains(word))
            {
                if !line.trim_start().starts_with("//") && !line.trim_start().starts_with('*') {
                    faults.push(format!("{name}:{}: {word}", number + 1));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn styles_carry_no_ids_and_no_important() {
    let mut faults = Vec::new();
    for (name, text) in files("ui/src", &[".module.css"]) {
        for (number, line) in text.lines().enumerate() {
            let selector = line.trim_start();
            if line.contains("!important") || selector.starts_with('#') {
                faults.push(format!("{name}:{}: {line}", number + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn nothing_in_the_repository_names_another_origin_to_load_from() {
    let mut faults = Vec::new();
    let allowed = [
        "example.",
        "w3.org",
        "schema.org",
        "wa.me",
        "github.com",
        "127.0.0.1",
        "localhost",
    ];
    for (name, text) in files("ui/src", &[".ts", ".tsx", ".css"]) {
        for line in text
            .lines()
            .filter(|line| line.contains("url(http") || line.contains("src=\"http"))
        {
            if !allowed.iter().any(|word| line.contains(word)) {
                faults.push(format!("{name}: {line}"));
            }
        }
    }
    report(&faults);
}
