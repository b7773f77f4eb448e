//! Architecture tests: crates and words per folder, direction of imports, lengths, duplicate texts.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the tree must fail"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const FILE_LINES_MAX: usize = 700;
const RUST_COLUMNS_MAX: usize = 100;

/// The layers of the program, highest first: a module may use modules in rows below its own, but
/// none in its own row or above. `docs/architecture.md` shows the same table.
const LAYERS: &[&[&str]] = &[
    &["main"],
    &["cli"],
    &["control", "start"],
    &["http"],
    &["metrics", "notices"],
    &["accounts", "analytics_job"],
    &["tls"],
    &["app", "ui_assets"],
    &["metrics::meter"],
    &["config"],
    &["error", "log"],
];

/// Crates of the workspace under the names that `src/lib.rs` gives them. Every module may use them;
/// they cannot use the program, or it would not compile.
const CRATES: &[&str] = &[
    "analytics",
    "auth",
    "backup",
    "content",
    "email",
    "images",
    "importers",
    "newsletter",
    "render",
    "site",
    "store",
    "testimonials",
];

/// Words that are allowed only in these files, or in files below these folders.
const RUST_FENCES: &[(&str, &[&str])] = &[
    ("actix_", &["src/http/", "src/log.rs"]),
    ("redb", &["src/db/"]),
    ("rquickjs", &["src/render/"]),
    ("lettre", &["src/email/"]),
    ("clap::", &["src/cli/"]),
    ("rusty_s3", &["src/backup/object_storage.rs"]),
    ("use age::", &["src/backup/offsite/encryption.rs"]),
    (
        "respiro_generics",
        &["src/http/responses.rs", "src/media/", "src/publish/"],
    ),
];

/// Not allowed in the program itself.
const RUST_BANNED: &[&str] = &[
    "todo!(",
    "unimplemented!(",
    "dbg!(",
    "println!(",
    "eprintln!(",
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

/// Returns the lines of a Rust file without its inline tests.
fn program(text: &str) -> Vec<&str> {
    let end = text.find("\n#[cfg(test)]\nmod tests {");
    text[..end.unwrap_or(text.len())].lines().collect()
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
                    // The data file is named `respiro.redb`, which is not the crate.
                    if !code.contains(".redb") {
                        faults.push(format!("{name}:{} names {word}", line_number + 1));
                    }
                }
            }
        }
    }
    report(&faults);
}

/// Returns the layer and the module of a path: the longest name that matches.
fn row_of(path: &str) -> Option<(usize, &'static str)> {
    let names = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(row, names)| names.iter().map(move |name| (row, *name)));
    names
        .filter(|(_, name)| path == *name || path.starts_with(&format!("{name}::")))
        .max_by_key(|(_, name)| name.len())
}

/// Returns the module path of a file: `http::server` for `src/http/server.rs`.
fn module_of(name: &str) -> String {
    let path = name.trim_start_matches("src/").trim_end_matches(".rs");
    path.trim_end_matches("/mod").replace('/', "::")
}

/// Returns every path below the crate's root in `text`, with `crate::{a, b::c}` split.
fn paths(text: &str, root: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices(root) {
        let rest = &text[start + root.len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(list_of(list)),
            None => found.push(path_at(rest)),
        }
    }
    found
}

fn path_at(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    text.chars().take_while(|c| is_part(*c)).collect()
}

/// Returns the parts of a list in braces, up to its own closing brace.
fn list_of(text: &str) -> Vec<String> {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for character in text.chars() {
        match character {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => parts.push(String::new()),
            other if depth == 0 && !other.is_whitespace() => {
                parts.last_mut().unwrap().push(other);
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the code of a file without comments and inline tests.
fn code(text: &str) -> String {
    let lines = program(text).into_iter();
    let lines: Vec<&str> = lines
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    lines.join("\n")
}

fn is_test_file(name: &str) -> bool {
    ["/tests.rs", "/fake.rs"]
        .iter()
        .any(|end| name.ends_with(end))
        || name.starts_with("src/db/power_loss")
}

/// Returns whether a file belongs to another package than the program's own.
fn is_of_package(name: &str) -> bool {
    let folder = name.split('/').nth(1).unwrap_or_default();
    root().join("src").join(folder).join("Cargo.toml").exists()
}

#[test]
fn layers_use_only_what_stands_below_them() {
    let mut faults = Vec::new();
    for (name, text) in files("src", &[".rs"]) {
        // The root and files that consist of tests may use every module. Another package can use
        // nothing of the program.
        if name == "src/lib.rs" || is_of_package(&name) || is_test_file(&name) {
            continue;
        }
        let module = module_of(&name);
        let Some((row, own)) = row_of(&module) else {
            faults.push(format!("{name}: `{module}` is in no layer"));
            continue;
        };
        let code = code(&text);
        let is_root = !module.contains("::");
        if code.contains("super::super::") || is_root && code.contains("super::") {
            faults.push(format!(
                "{name}: climbs by `super` where `crate` would be seen"
            ));
        }
        // `main` is a crate of its own, outside the library.
        let root = if module == "main" {
            "respiro::"
        } else {
            "crate::"
        };
        for path in paths(&code, root) {
            match row_of(&path) {
                Some((below, other)) if other == own || below > row => {}
                Some((_, other)) => faults.push(format!("{name}: `{own}` uses `{other}`: {path}")),
                None if CRATES.contains(&path.split("::").next().unwrap_or_default()) => {}
                None => faults.push(format!("{name}: {path} is in no layer")),
            }
        }
    }
    report(&faults);
}

/// Returns the module of a path: the longest chain of modules that are files, from the root.
fn module_at(known: &BTreeMap<String, String>, path: &str) -> Option<String> {
    let mut found = None;
    let mut module = String::new();
    for part in path.split("::").map(str::trim) {
        if !module.is_empty() {
            module.push_str("::");
        }
        module.push_str(part);
        if known.contains_key(&module) {
            found = Some(module.clone());
        }
    }
    found
}

/// Returns the modules of the same layer that a file uses through `crate::` or `super::`.
fn neighbours(known: &BTreeMap<String, String>, module: &str, text: &str) -> BTreeSet<String> {
    let code = code(text);
    let whole = paths(&code, "crate::").into_iter();
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let near = paths(&code, "super::")
        .into_iter()
        .map(|path| format!("{parent}::{path}"));
    let named = whole.chain(near);
    let found = named.filter_map(|path| module_at(known, path.trim_start_matches("::")));
    let layer = |module: &str| row_of(module).map(|(_, own)| own);
    found
        .filter(|other| other != module && layer(other) == layer(module))
        // The `mod.rs` of a folder holds what its files share, and re-exports them.
        .filter(|other| !module.starts_with(&format!("{other}::")))
        .filter(|other| !other.starts_with(&format!("{module}::")))
        .collect()
}

/// Returns all modules that `from` uses, directly or indirectly.
fn reached<'a>(uses: &'a BTreeMap<String, BTreeSet<String>>, from: &'a str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(module) = waiting.pop() {
        for next in uses.get(module).into_iter().flatten() {
            if found.insert(next.as_str()) {
                waiting.push(next);
            }
        }
    }
    found
}

/// Returns each import cycle once, with its members in alphabetical order.
fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = uses
        .keys()
        .map(|module| (module.as_str(), reached(uses, module)))
        .collect();
    let together =
        |one: &str, other: &str| reach[one].contains(other) && reach[other].contains(one);
    let members = |module: &str| -> Vec<&str> {
        let all = reach.keys().copied();
        all.filter(|other| together(module, other)).collect()
    };
    let found: BTreeSet<String> = reach
        .keys()
        .map(|module| members(module))
        .filter(|members| members.len() > 1)
        .map(|members| members.join(" <-> "))
        .collect();
    found.into_iter().collect()
}

/// Nine cycles existed. Finds imports that are written as `crate::…` or `super::…`, but neither
/// re-exports of `mod.rs` under another name nor methods that a file adds to a type of another
/// file.
#[test]
fn no_two_files_of_a_layer_need_each_other() {
    let known: BTreeMap<String, String> = files("src", &[".rs"])
        .into_iter()
        .filter(|(name, _)| !is_test_file(name) && !is_of_package(name) && name != "src/lib.rs")
        .map(|(name, text)| (module_of(&name), text))
        .collect();
    let uses = known
        .iter()
        .map(|(module, text)| (module.clone(), neighbours(&known, module, text)))
        .collect();
    report(&circles(&uses));
}

#[test]
fn a_circle_is_seen_however_long_it_is() {
    let known: BTreeMap<String, String> = [
        ("mail", "use self::a;"),
        ("mail::a", "use super::b::B;"),
        ("mail::b", "use super::{Sort, c};"),
        ("mail::c", "fn c() { crate::mail::a::of() }"),
        ("mail::d", "use super::a;"),
    ]
    .map(|(module, text)| (module.to_owned(), text.to_owned()))
    .into();
    let uses = known
        .iter()
        .map(|(module, text)| (module.clone(), neighbours(&known, module, text)))
        .collect();
    assert_eq!(circles(&uses), ["mail::a <-> mail::b <-> mail::c"]);
}

#[test]
fn every_module_that_a_layer_names_is_there() {
    let known: Vec<String> = files("src", &[".rs"])
        .iter()
        .map(|(name, _)| module_of(name))
        .collect();
    let gone: Vec<String> = LAYERS
        .iter()
        .flat_map(|names| names.iter())
        .filter(|name| !known.iter().any(|module| module == *name))
        .map(|name| format!("{name} is no module"))
        .collect();
    report(&gone);
}

#[test]
fn paths_are_read_from_every_form_of_import() {
    let text =
        "use crate::app::{App, now};\nuse crate::{error::Error, images::{self, Refusal}, log};\n";
    assert_eq!(
        paths(text, "crate::"),
        ["app::", "error::Error", "images::", "log"]
    );
    assert_eq!(row_of("metrics::meter::Meter"), Some((8, "metrics::meter")));
    assert_eq!(row_of("metrics::text"), Some((4, "metrics")));
    assert_eq!(row_of("httpx"), None);
    assert_eq!(module_of("src/http/mod.rs"), "http");
}

/// Returns the tables as `docs/architecture.md` shows them. Writing to a string cannot fail.
fn layers_as_text() -> String {
    let mut text = String::from("| layer | modules |\n|---|---|\n");
    for (row, names) in LAYERS.iter().enumerate() {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let number = LAYERS.len() - row;
        let _ = writeln!(text, "| {number} | {} |", names.join(" · "));
    }
    text.push_str("\n| outside | named in |\n|---|---|\n");
    for (word, places) in RUST_FENCES {
        let places: Vec<String> = places.iter().map(|place| format!("`{place}`")).collect();
        let _ = writeln!(text, "| `{word}` | {} |", places.join(" · "));
    }
    text
}

#[test]
fn the_description_of_the_architecture_has_these_tables() {
    let description = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let tables = layers_as_text();
    assert!(
        description.contains(&tables),
        "docs/architecture.md must hold:\n{tables}"
    );
}

#[test]
fn every_file_that_the_description_names_is_there() {
    let description = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let quoted = description.split('`').skip(1).step_by(2);
    let gone: Vec<String> = quoted
        .filter(|name| {
            ["src/", "ui/", "tests/", "docs/"]
                .iter()
                .any(|start| name.starts_with(start))
        })
        .filter(|name| !root().join(name).exists())
        .map(str::to_owned)
        .collect();
    report(&gone);
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

/// Sentences that may be in the program and in the UI, each with its reason.
const SAID_TWICE: &[(&str, &str)] = &[
    (
        "puoi cancellarti quando vuoi, da ogni e-mail",
        "the text of consent is kept as a proof; the thanks in the blog is hers to change",
    ),
    (
        "in presenza e online",
        "a choice of events: the compiler compares it with the table of kinds",
    ),
    (
        "il server di posta non risponde",
        "a clause of an e-mail; in the panel a sentence that goes on",
    ),
    (
        "riprova tra qualche minuto",
        "four everyday words that end answers about different things",
    ),
];

/// Returns the string literals of a file, with escaped line ends removed.
fn texts(file: &str) -> Vec<String> {
    let mut code = program(file);
    code.retain(|line| !line.trim_start().starts_with("//"));
    let code = code.join("\n");
    let mut found = Vec::new();
    let mut letters = code.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // A quotation mark as a character literal, not the start of a string.
            '\'' if letters.peek() == Some(&'"') => drop(letters.next()),
            '"' => {
                let mut text = String::new();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    match (letter, letters.peek()) {
                        ('\\', Some('\n')) => {
                            while letters.next_if(|next| next.is_whitespace()).is_some() {}
                        }
                        ('\\', Some(_)) => text.extend(letters.next()),
                        _ => text.push(letter),
                    }
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
}

/// Returns a text in lower case with straight apostrophes, for comparison.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// Returns whether `text` contains the sentence as a complete sentence.
fn says(text: &str, sentence: &str) -> bool {
    text.match_indices(sentence).any(|(start, found)| {
        let (before, after) = (&text[..start], &text[start + found.len()..]);
        (before.ends_with(['"', '\'', '`', '>']) || before.ends_with(". "))
            && after.starts_with(['"', '\'', '`', '<', '.', '!', '?'])
    })
}

/// Regression: about ten sentences were duplicated in the program and the panel, and two of them
/// differed. Finds whole sentences of four words or more, but none that spans two lines of the UI.
#[test]
fn no_sentence_is_kept_by_hand_in_the_program_and_in_the_ui() {
    let ui: Vec<(String, String)> = files("ui/src", &[".ts", ".tsx", ".json"])
        .into_iter()
        .filter(|(name, _)| !name.ends_with(".gen.ts") && !name.contains(".test."))
        .map(|(name, text)| (name, plain(&text)))
        .collect();
    let mut used = BTreeSet::new();
    let mut faults = BTreeSet::new();
    for (name, text) in files("src", &[".rs"]) {
        if name.starts_with("src/importers/demo/") || name.ends_with("tests.rs") {
            continue;
        }
        for text in texts(&text) {
            for sentence in plain(&text).split(['.', '!', '?']).map(str::trim) {
                if sentence.len() < 20 || sentence.matches(' ').count() < 3 {
                    continue;
                }
                let found = ui.iter().filter(|(_, other)| says(other, sentence));
                for (other, _) in found {
                    match SAID_TWICE.iter().find(|(known, _)| *known == sentence) {
                        Some((known, _)) => drop(used.insert(*known)),
                        None => drop(faults.insert(format!("{name} and {other}: {sentence}"))),
                    }
                }
            }
        }
    }
    report(&faults.into_iter().collect::<Vec<_>>());
    assert_eq!(
        used.len(),
        SAID_TWICE.len(),
        "an exception that nothing needs"
    );
}

/// Page addresses that Rust files may name, each with its reason. The table of kinds may name any.
const PAGES_BY_NAME: &[(&str, &str, &str)] = &[
    (
        "src/content/markdown/figure_html.rs",
        "/contatti",
        "where a button that writes to her leads outside the site: a text knows no plan",
    ),
    (
        "src/http/router.rs",
        "/testimonianza",
        "a route that is handled",
    ),
    (
        "src/http/router.rs",
        "/newsletter",
        "a route that is handled",
    ),
    (
        "src/http/pages/testimonial_form.rs",
        "/testimonianza",
        "the screens of that route, which the handler chooses from",
    ),
    (
        "src/testimonials/request_links.rs",
        "/testimonianza",
        "the links to that route",
    ),
    (
        "src/http/pages/newsletter_links.rs",
        "/newsletter",
        "the screens of that route, which the handler chooses from",
    ),
    (
        "src/newsletter/link_actions.rs",
        "/newsletter",
        "the screens of that route, which the handler chooses from",
    ),
    (
        "src/newsletter/transactional_email.rs",
        "/newsletter",
        "the links to that route",
    ),
    (
        "src/newsletter/rendered_campaign.rs",
        "/newsletter",
        "the links to that route",
    ),
    (
        "src/publish/static_export.rs",
        "/newsletter",
        "a route that plain files cannot have",
    ),
];

/// Returns the first part of each path in the table of routes: `/blog` of `/blog/{key}`.
fn pages_of_the_site() -> BTreeSet<String> {
    let routes = fs::read_to_string(root().join("ui/src/site/routes.tsx")).unwrap();
    let paths = routes
        .lines()
        .filter_map(|line| line.trim().strip_prefix("path: '/"));
    let first = paths.filter_map(|path| path.split(['/', '\'']).next());
    first
        .filter(|part| !part.is_empty() && !part.starts_with('{'))
        .map(|part| format!("/{part}"))
        .collect()
}

/// Returns whether a text contains the address of a page, alone or with more after it.
fn names_page(text: &str, page: &str) -> bool {
    text.match_indices(page).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + page.len()..].chars().next();
        before.is_none_or(|c| c == '}' || c.is_whitespace())
            && after.is_none_or(|c| c == '/' || c == '#' || c == '?' || c.is_whitespace())
    })
}

/// Regression: the feed named `/blog` and the calendar `/evento/`, so a renamed page would have
/// broken them. Addresses of other sites that an importer knows are no pages of this site.
#[test]
fn rust_knows_no_page_by_name() {
    let pages = pages_of_the_site();
    assert!(
        pages.contains("/eventi"),
        "the table of routes is read: {pages:?}"
    );
    let mut used = BTreeSet::new();
    let mut faults = Vec::new();
    for (name, text) in files("src", &[".rs"]) {
        let is_other = [
            "src/importers/demo/",
            "src/importers/error.rs",
            "src/importers/wordpress/",
            "src/content/collections.rs",
        ]
        .iter()
        .any(|start| name.starts_with(start));
        if is_other || is_test_file(&name) {
            continue;
        }
        for text in texts(&text) {
            for page in pages.iter().filter(|page| names_page(&text, page)) {
                let known = PAGES_BY_NAME
                    .iter()
                    .find(|(file, path, _)| *file == name && path == page);
                match known {
                    Some((file, path, _)) => drop(used.insert((*file, *path))),
                    None => faults.push(format!("{name} names {page}: {text}")),
                }
            }
        }
    }
    report(&faults);
    assert_eq!(used.len(), PAGES_BY_NAME.len(), "needed: {used:?}");
}

#[test]
fn what_several_browser_tests_press_is_named_in_one_file() {
    let tests = files("ui/e2e", &[".ts"]);
    let one = |name: &str| name.ends_with("/italian.ts");
    let (_, words) = tests.iter().find(|(name, _)| one(name)).unwrap();
    let words: Vec<&str> = words
        .lines()
        .filter_map(|line| line.trim().split_once(": '")?.1.strip_suffix("',"))
        .collect();
    assert!(words.len() > 50, "the file of words is read");
    let mut faults = Vec::new();
    for (name, text) in tests.iter().filter(|(name, _)| !one(name)) {
        for word in &words {
            if text.contains(&format!("{{ name: '{word}'")) {
                faults.push(format!("{name}: '{word}' is in ui/e2e/italian.ts"));
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
