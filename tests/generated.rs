//! Tests that the committed generated files are current. `BLESS=1` rewrites them.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the tree must fail"
)]

use respiro::ui_assets;
use respiro_auth::password::PASSWORD_CHARACTERS_MIN;
use respiro_content::blocks::{Field, FieldType, NO_AMOUNT, VERSIONS_MAX};
use respiro_content::{phone, validation};
use respiro_media::{ImageError, PAPER, UPLOAD_BYTES_MAX};
use respiro_newsletter::CONSENT;
use respiro_server::accounts;
use respiro_server::accounts::device::{BROWSERS, SYSTEMS, UNKNOWN as UNKNOWN_DEVICE};
use respiro_server::errors::{Error, NO_MAIL, NO_PLACE, SizeLimit, UNKNOWN_REASON};
use respiro_server::http::restore::RESTORE_BYTES_MAX;
use std::fmt::Write as _;
use std::{env, fs, path::PathBuf};

#[path = "generated/typescript.rs"]
mod typescript;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

const HEAD: &str = "// Generated from the program's own tables. Do not edit: BLESS=1 cargo test --test generated\n\n";

/// Returns the facts that Rust decides and the whole UI needs.
fn facts() -> String {
    let mut out = HEAD.to_owned();
    out.push_str(&typescript::tables());
    out.push_str("\nexport const limits = {\n");
    let _ = writeln!(out, "  passwordCharactersMin: {PASSWORD_CHARACTERS_MIN},");
    let _ = writeln!(out, "  uploadBytesMax: {UPLOAD_BYTES_MAX},");
    out.push_str("} as const;\n\n");
    out.push_str("/** What the program answers, and the panel says before it asks. */\n");
    out.push_str("export const answers = {\n");
    let wrong = accounts::REFUSED.trim_end_matches('.');
    let _ = writeln!(out, "  wrongSignIn: {wrong:?},");
    let _ = writeln!(out, "  heic: {:?},", ImageError::Heic.explanation());
    let _ = writeln!(out, "  price: {:?},", validation::NOT_A_PRICE);
    let _ = writeln!(out, "  over: {:?},", validation::OVER);
    let not_a_number = capital(phone::NOT_A_NUMBER);
    let _ = writeln!(out, "  notANumber: \"{not_a_number}.\",");
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

/// Returns the facts that only lazily loaded parts of the panel need.
fn later_facts() -> String {
    let mut out = HEAD.to_owned();
    let constant = |out: &mut String, name: &str, text: &str| {
        let _ = writeln!(out, "export const {name} = {text:?};");
    };
    constant(&mut out, "unknownReason", UNKNOWN_REASON);
    constant(&mut out, "noMail", conflict(&NO_MAIL));
    constant(&mut out, "noPlace", conflict(&NO_PLACE));
    constant(&mut out, "notAnAmount", &capital(NO_AMOUNT));
    let number = |out: &mut String, name: &str, number: usize| {
        let _ = writeln!(out, "export const {name} = {number};");
    };
    number(&mut out, "phoneDigitsMin", phone::DIGITS_MIN);
    number(&mut out, "versionsMax", VERSIONS_MAX);
    out.push_str("\nexport const testimonialLimits = {\n");
    for (name, most) in [
        ("name", respiro_testimonials::NAME_CHARACTERS_MAX),
        ("activity", respiro_testimonials::ACTIVITY_CHARACTERS_MAX),
        ("message", respiro_testimonials::MESSAGE_CHARACTERS_MAX),
        ("note", respiro_testimonials::NOTE_CHARACTERS_MAX),
    ] {
        let _ = writeln!(out, "  {name}: {most},");
    }
    out.push_str("} as const;\n\n");
    out.push_str("/** What a browser's name for itself holds, and how people call it. */\n");
    for (name, table) in [("browsers", BROWSERS), ("systems", SYSTEMS)] {
        let _ = writeln!(out, "export const {name} = [");
        for (mark, called) in table {
            let _ = writeln!(out, "  ['{mark}', '{called}'],");
        }
        out.push_str("] as const;\n");
    }
    constant(&mut out, "unknownDevice", &capital(UNKNOWN_DEVICE));
    out
}

fn conflict(error: &Error) -> &'static str {
    match error {
        Error::Conflict(text) => text,
        _ => "",
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Returns the problem codes in the order of their table. The table is a `match`, so only its
/// source lists its rows.
fn problem_codes() -> Vec<String> {
    let source = fs::read_to_string(path("src/server/errors.rs")).unwrap();
    let (_, table) = source.split_once("pub const fn code(&self)").unwrap();
    let (table, _) = table.split_once("pub fn ").unwrap();
    let rows = table.split("=> ").skip(1);
    rows.filter_map(|row| row.split('"').nth(1).map(str::to_owned))
        .collect()
}

#[test]
fn the_typescript_of_the_facts_is_what_the_program_says() {
    let (facts, later) = (facts(), later_facts());
    assert!(facts.contains("| 'not-found'"), "no codes were read");
    assert!(
        later.contains("ancora mandare posta"),
        "no sentence was read"
    );
    for (name, expected) in [("kinds.gen.ts", facts), ("lazy-constants.gen.ts", later)] {
        let file = path("ui/src/kinds").join(name);
        if env::var_os("BLESS").is_some() {
            fs::write(&file, &expected).unwrap();
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(found, expected, "run BLESS=1 cargo test --test generated");
    }
}

#[test]
fn the_words_of_a_refused_upload_name_the_limit() {
    let title = Error::TooLarge(SizeLimit::Upload).code().title;
    assert!(title.ends_with(&format!(" {}MB", UPLOAD_BYTES_MAX >> 20)));
    let backup = Error::TooLarge(SizeLimit::Backup);
    let gigabytes = RESTORE_BYTES_MAX >> 30;
    let title = backup.code().title;
    assert!(title.ends_with(&format!(" {gigabytes}GB")));
    assert!(backup.detail().contains(&format!(" {gigabytes} GB")));
}

/// Returns a colour from the design tokens of the site.
fn token(name: &str) -> String {
    let tokens = fs::read_to_string(path("ui/src/styles/tokens.css")).unwrap();
    let (_, rest) = tokens.split_once(&format!("\n  --{name}: ")).unwrap();
    rest.split(';').next().unwrap().to_owned()
}

/// Regression: the paper colour was written in six places, and that of newsletters differed.
#[test]
fn colours_that_cannot_name_a_token_are_those_of_the_pages() {
    let [red, green, blue] = PAPER;
    let paper = token("paper");
    assert_eq!(paper, format!("#{red:02x}{green:02x}{blue:02x}"));
    for (file, line, name) in [
        (
            "ui/src/site/mail/newsletter-mail.tsx",
            "const PAPER = '{}'",
            "paper",
        ),
        (
            "ui/src/site/mail/newsletter-mail.tsx",
            "const INK = '{}'",
            "ink",
        ),
        (
            "ui/src/site/mail/newsletter-mail.tsx",
            "const QUIET = '{}'",
            "ink-soft",
        ),
        (
            "ui/src/site/mail/newsletter-mail.tsx",
            "const ACTION = '{}'",
            "primary",
        ),
        (
            "ui/src/site/mail/newsletter-mail.tsx",
            "const LINE = '{}'",
            "line",
        ),
        (
            "ui/src/admin/features/site-editor/editing/frame.module.css",
            "background: {};",
            "paper",
        ),
        (
            "ui/src/admin/features/site-editor/pages/page-list.module.css",
            "background: {};",
            "paper",
        ),
        (
            "src/publish/generated_files.rs",
            "const THEME_COLOUR: &str = \"{}\";",
            "primary",
        ),
    ] {
        let line = line.replace("{}", &token(name));
        assert!(
            fs::read_to_string(path(file)).unwrap().contains(&line),
            "{file}: {line}"
        );
    }
}

#[path = "support/openapi.rs"]
mod openapi;
#[path = "support/sensitive_routes.rs"]
mod sensitive_routes;

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

fn choices_in(fields: &[Field]) -> Vec<&String> {
    let choices = fields.iter().flat_map(|field| match &field.holds {
        FieldType::Choice { choices } => choices.iter().collect(),
        FieldType::List { fields, .. } => choices_in(fields),
        _ => Vec::new(),
    });
    choices.collect()
}

/// Regression: the panel showed the raw values 'saving', 'sum', 'none', 'companies' and 'sport'.
#[test]
fn the_panel_names_every_choice_of_the_words() {
    let wording = fs::read(path("ui/src/admin/features/site-editor/messages.json")).unwrap();
    let wording: serde_json::Value = serde_json::from_slice(&wording).unwrap();
    let groups = wording["appearance"].as_object().unwrap().values();
    let named: Vec<&String> = groups
        .filter_map(serde_json::Value::as_object)
        .flat_map(serde_json::Map::keys)
        .collect();
    let blocks = ui_assets::block_definitions().unwrap().list.iter();
    let choices: Vec<&String> = blocks.flat_map(|block| choices_in(&block.fields)).collect();
    assert!(choices.len() > 20, "{choices:?}");
    let missing = choices.iter().filter(|choice| !named.contains(choice));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&String>::new());
}
