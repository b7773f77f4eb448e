//! Architecture tests: owners of libraries, lengths of files, duplicate texts, names of pages.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the tree must fail"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const FILE_LINES_MAX: usize = 700;
const RUST_COLUMNS_MAX: usize = 100;

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

/// Libraries that only one package may name, and that package's folder.
const LIBRARY_OWNERS: &[(&str, &str)] = &[
    ("actix-web", "src/server"),
    ("hyper", "src/server"),
    ("age", "src/backup"),
    ("async-imap", "src/email"),
    ("clap", "."),
    ("instant-acme", "src/server"),
    ("lettre", "src/email"),
    ("mail-parser", "src/email"),
    ("redb", "src/db"),
    ("rquickjs", "src/render"),
    ("rusty-s3", "src/backup"),
];

/// A crate can name only what its manifest lists; the compiler holds the rest.
#[test]
fn each_of_these_libraries_is_a_dependency_of_one_package() {
    let manifests = files("src", &["Cargo.toml"]);
    let package = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, package) = package.split_once("\n[package]\n").unwrap();
    let manifests = manifests
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()));
    let mut owners = BTreeSet::new();
    for (name, text) in manifests.chain([("./Cargo.toml", package)]) {
        let folder = name.trim_end_matches("/Cargo.toml");
        let (_, dependencies) = text.split_once("\n[dependencies]\n").unwrap();
        let dependencies = dependencies.split("\n[").next().unwrap();
        for line in dependencies.lines() {
            let library = line.split(" = ").next().unwrap();
            if LIBRARY_OWNERS.iter().any(|(name, _)| *name == library) {
                owners.insert((library.to_owned(), folder.to_owned()));
            }
        }
    }
    let expected = LIBRARY_OWNERS.iter();
    let expected = expected.map(|(library, folder)| ((*library).to_owned(), (*folder).to_owned()));
    assert_eq!(owners, expected.collect());
}

fn is_test_file(name: &str) -> bool {
    ["/tests.rs", "/test_storage.rs"]
        .iter()
        .any(|end| name.ends_with(end))
        || name.starts_with("src/db/power_loss")
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
        "src/server/http/router.rs",
        "/testimonianza",
        "a route that is handled",
    ),
    (
        "src/server/http/router.rs",
        "/newsletter",
        "a route that is handled",
    ),
    (
        "src/server/http/pages/testimonial_form.rs",
        "/testimonianza",
        "the screens of that route, which the handler chooses from",
    ),
    (
        "src/testimonials/request_links.rs",
        "/testimonianza",
        "the links to that route",
    ),
    (
        "src/server/http/pages/newsletter_links.rs",
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

/// Returns the path of every test as cargo prints it, with the package's or test program's file in
/// front: `tests/api/session.rs session::name`.
fn test_paths() -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let all = [files("src", &[".rs"]), files("tests", &[".rs"])].concat();
    for (file, text) in all {
        let stem = file.trim_end_matches(".rs").trim_end_matches("/mod");
        let stem = stem.trim_end_matches("/main");
        let modules = stem.split('/').skip(2).collect::<Vec<_>>().join("::");
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            is_test |= line == "#[test]" || line.starts_with("#[tokio::test");
            let name = line.trim_start_matches("async ").strip_prefix("fn ");
            if let Some(name) = name.and_then(|name| name.split('(').next())
                && is_test
            {
                is_test = false;
                paths.insert(format!("{file} {modules}::{name}"));
            }
        }
    }
    paths
}

/// Returns what is wrong with a command that proves a guarantee; `None` if its tests exist.
fn missing_proof(command: &str, tests: &BTreeSet<String>) -> Option<String> {
    let mut words = command.split(' ').filter(|word| !word.contains('='));
    let file = match words.next()? {
        "bash" | "node" | "python3" => words.next()?.to_owned(),
        "npx" => format!("ui/{}", words.nth(2)?),
        script if script.starts_with("tests/") => script.to_owned(),
        "cargo" => {
            let rest: Vec<&str> = words.collect();
            let ["test", options @ ..] = rest.as_slice() else {
                return None;
            };
            let program = options.iter().skip_while(|word| **word != "--test").nth(1);
            let place = program.map_or("src/".to_owned(), |program| format!("tests/{program}"));
            let is_anywhere = program.is_none() && !options.contains(&"--lib");
            let filter = options.last().filter(|word| {
                !word.starts_with("--") && program.is_none_or(|program| program != *word)
            });
            let is_there = tests.iter().any(|test| {
                let (file, path) = test.split_once(' ').unwrap_or_default();
                (is_anywhere || file.starts_with(&place))
                    && filter.is_none_or(|filter| path.contains(filter))
            });
            return (!is_there).then(|| format!("no test: {command}"));
        }
        _ => return None,
    };
    (!root().join(&file).exists()).then(|| format!("no file: {command}"))
}

/// Rows of `docs/accessibility.md`, one for each criterion of WCAG 2.2 at levels A and AA.
const CRITERIA: usize = 55;

/// A row whose state is `test` names a browser test by file and words of its title, or a recording.
#[test]
fn every_accessibility_criterion_has_a_state_and_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("docs/accessibility.md")).unwrap();
    let (mut faults, mut criteria) = (Vec::new(), 0);
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells[1] == "criterion" {
            continue;
        }
        criteria += 1;
        let proofs = cells[4].split('`').skip(1).step_by(2);
        let proofs: Vec<&str> = proofs.filter(|word| word.contains('/')).collect();
        match cells[3] {
            "test" if proofs.is_empty() => faults.push(format!("no test: {line}")),
            "test" | "by hand" | "not tried" | "no content" => {}
            state => faults.push(format!("{state}: {line}")),
        }
        for proof in proofs {
            let (file, title) = proof.split_once(": ").unwrap_or((proof, ""));
            let is_there = fs::read_to_string(root().join(file));
            if !is_there.is_ok_and(|source| source.contains(title)) {
                faults.push(format!("no test: {proof}"));
            }
        }
    }
    assert_eq!(criteria, CRITERIA);
    report(&faults);
}

/// The lists of guarantees must not outlive their tests.
#[test]
fn every_guarantee_names_a_test_that_exists() {
    let tests = test_paths();
    let mut faults = Vec::new();
    for document in ["docs/SECURITY.md", "docs/reliability.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let (mut is_in_list, mut guarantees) = (false, 0);
        for line in text.lines() {
            if line.starts_with("| guarantee |") {
                is_in_list = true;
            } else if !line.starts_with('|') {
                is_in_list = false;
            } else if is_in_list && !line.starts_with("|---") {
                guarantees += 1;
                let proofs = line.split('`').skip(1).step_by(2);
                let is_proof = |word: &&str| {
                    [
                        "cargo test ",
                        "bash tests/",
                        "node tests/",
                        "npx vitest ",
                        "tests/",
                    ]
                    .iter()
                    .any(|start| word.starts_with(start))
                };
                let proofs: Vec<&str> = proofs.filter(is_proof).collect();
                if proofs.is_empty() {
                    faults.push(format!("{document}: no proof: {line}"));
                }
                let missing = proofs
                    .iter()
                    .filter_map(|proof| missing_proof(proof, &tests));
                faults.extend(missing.map(|missing| format!("{document}: {missing}")));
            }
        }
        assert!(guarantees > 20, "{document}: {guarantees}");
    }
    let requirements = fs::read_to_string(root().join("docs/asvs.md")).unwrap();
    for word in requirements.split('`').skip(1).step_by(2) {
        let is_test_name = word.matches('_').count() > 1
            && word.chars().all(|c| c == '_' || c.is_ascii_lowercase());
        let is_file = word.contains('/') && !word.contains([' ', '*']);
        let is_there = if is_test_name {
            tests
                .iter()
                .any(|test| test.ends_with(&format!("::{word}")))
        } else if is_file {
            root().join(word).exists() || root().join("src").join(word).exists()
        } else {
            true
        };
        if !is_there {
            faults.push(format!("docs/asvs.md: {word} is not there"));
        }
    }
    report(&faults);
}
