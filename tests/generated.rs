//! The generated file of facts is committed and current. `BLESS=1` rewrites it.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the tree must fail"
)]

use respiro::auth::password::PASSWORD_CHARACTERS_MIN;
use respiro::error::Error;
use respiro::images::{PAPER, UPLOAD_BYTES_MAX};
use respiro::newsletter::CONSENT;
use std::fmt::Write as _;
use std::{env, fs, path::PathBuf};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Everything that Rust decides and the UI must know.
fn facts() -> String {
    let mut out = String::from(
        "// Generated from the program's own tables. Do not edit: BLESS=1 cargo test --test generated\n\n",
    );
    out.push_str(&respiro::content::typescript::tables());
    out.push_str("\nexport const limits = {\n");
    let _ = writeln!(out, "  passwordCharactersMin: {PASSWORD_CHARACTERS_MIN},");
    let _ = writeln!(out, "  uploadBytesMax: {UPLOAD_BYTES_MAX},");
    out.push_str("} as const;\n\n");
    out.push_str("/** What stands beside the button and is kept as the proof of consent. */\n");
    let _ = writeln!(out, "export const consentText = {CONSENT:?};\n");
    out.push_str("/** Last part of a problem's `type`. */\nexport type ProblemCode =");
    for code in problem_codes() {
        let _ = write!(out, "\n  | '{code}'");
    }
    out.push_str(";\n");
    out
}

/// In the order of the one table, which is a `match`: nothing can list its rows but its source.
fn problem_codes() -> Vec<String> {
    let source = fs::read_to_string(path("src/error.rs")).unwrap();
    let (_, table) = source.split_once("pub const fn code(&self)").unwrap();
    let (table, _) = table.split_once("pub fn ").unwrap();
    let rows = table.split("=> ").skip(1);
    rows.filter_map(|row| row.split('"').nth(1).map(str::to_owned))
        .collect()
}

#[test]
fn the_typescript_of_the_facts_is_what_the_program_says() {
    let file = path("ui/src/kinds/kinds.gen.ts");
    let expected = facts();
    assert!(expected.contains("| 'not-found'"), "no codes were read");
    if env::var_os("BLESS").is_some() {
        fs::write(&file, &expected).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, expected, "run BLESS=1 cargo test --test generated");
}

#[test]
fn the_words_of_a_refused_upload_name_the_limit() {
    let title = Error::TooLarge.code().title;
    assert!(title.ends_with(&format!(" {}MB", UPLOAD_BYTES_MAX >> 20)));
}

#[test]
fn the_paper_of_pictures_is_that_of_the_pages() {
    let [red, green, blue] = PAPER;
    let tokens = fs::read_to_string(path("ui/src/styles/tokens.css")).unwrap();
    let token = format!("--paper: #{red:02x}{green:02x}{blue:02x};");
    assert!(tokens.contains(&token), "{token}");
}

#[path = "house/openapi.rs"]
mod openapi;

#[test]
fn the_openapi_file_is_what_the_routes_and_the_kinds_say() {
    let file = path("docs/openapi.json");
    let expected = openapi::file();
    if env::var_os("BLESS").is_some() {
        fs::write(&file, &expected).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == expected, "run BLESS=1 cargo test --test generated");
}
