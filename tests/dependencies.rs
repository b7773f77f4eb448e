//! Tests of the dependencies: allowed licences, a reason for each exception, no banned crate.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the tree must fail"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const DENY: &str = include_str!("../.ci/deny.toml");

const LOCK: &str = include_str!("../Cargo.lock");

/// Returns name and version of each package of a lock file.
fn locked(lock: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let pairs = lock.lines().zip(lock.lines().skip(1));
    pairs.filter_map(|(name, version)| {
        let name = name.strip_prefix("name = ")?;
        let version = version.strip_prefix("version = ")?;
        Some((name.trim_matches('"'), version.trim_matches('"')))
    })
}

/// Returns the lines of one list of `.ci/deny.toml`.
fn list(name: &str) -> Vec<&'static str> {
    let opening = format!("\n{name} = [\n");
    let (_, rest) = DENY.split_once(&opening).unwrap();
    let (lines, _) = rest.split_once("\n]").unwrap();
    let lines = lines.lines().map(str::trim);
    lines.filter(|line| !line.starts_with('#')).collect()
}

/// Returns the quoted strings of a line.
fn quoted(line: &'static str) -> impl Iterator<Item = &'static str> {
    line.split('"').skip(1).step_by(2)
}

/// Returns the crates of one list of `.ci/deny.toml`, each with its reason.
fn crates_with_reasons(name: &str) -> Vec<(&'static str, &'static str)> {
    let read = |line| {
        let mut texts = quoted(line);
        let row = texts.next().zip(texts.next());
        assert!(row.is_some_and(|(_, reason)| !reason.is_empty()), "{line}");
        row.unwrap()
    };
    list(name).into_iter().map(read).collect()
}

/// Returns name and licence expression of each package, from `cargo metadata`.
fn packages() -> Vec<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--filter-platform",
        ])
        .arg("x86_64-unknown-linux-gnu")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let used: BTreeSet<&str> = json["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|node| node["id"].as_str())
        .collect();
    json["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| package["id"].as_str().is_some_and(|id| used.contains(id)))
        .map(|package| {
            let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
            (text("name"), text("license"))
        })
        .collect()
}

/// Returns whether the allowed licences satisfy an expression like `A OR (B AND C)`.
fn allowed(expression: &str) -> bool {
    let licences: Vec<_> = list("allow").into_iter().flat_map(quoted).collect();
    let expression = expression.replace(['(', ')'], " ").replace('/', " OR ");
    expression.split(" OR ").any(|choice| {
        choice.split(" AND ").all(|licence| {
            let licence = licence.split(" WITH ").next().unwrap_or_default().trim();
            licences.contains(&licence)
        })
    })
}

#[test]
fn every_crate_has_a_licence_we_may_ship() {
    let packages = packages();
    assert!(
        packages.len() > 50,
        "cargo metadata answered {} packages",
        packages.len()
    );
    let refused: Vec<_> = packages
        .iter()
        .filter(|(_, licence)| !allowed(licence))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

/// Checks the crates that are compiled: the lock file also lists optional dependencies that only a
/// feature like `hyper-rustls?/ring` enables.
#[test]
fn banned_crates_stay_out() {
    let built = built("normal,build,dev");
    assert!(built.len() > 50, "cargo tree was not read");
    let numbers = |version: &str| -> Vec<u32> {
        version
            .split('.')
            .map(|part| part.parse().unwrap_or(0))
            .collect()
    };
    for (row, reason) in crates_with_reasons("deny") {
        // `name`, or `name:<version` for those before a version.
        let (name, first_allowed) = row.split_once(":<").unwrap_or((row, ""));
        for line in &built {
            let (built, version) = line.split_once(" v").unwrap_or((line, ""));
            let version = version.split(' ').next().unwrap_or_default();
            let is_old = first_allowed.is_empty() || numbers(version) < numbers(first_allowed);
            assert!(built != name || !is_old, "{line} is banned: {reason}");
        }
    }
}

#[test]
fn every_second_version_in_the_lock_carries_its_reason() {
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, version) in locked(LOCK) {
        let package = format!("{name}@{version}");
        versions.entry(name).or_default().insert(package);
    }
    assert!(versions.len() > 50, "the lock was not read");
    let skipped: BTreeSet<_> = crates_with_reasons("skip").into_iter().collect();
    let is_skipped = |package: &String| skipped.iter().any(|(name, _)| name == package);
    for (name, packages) in &versions {
        let without: Vec<_> = packages.iter().filter(|one| !is_skipped(one)).collect();
        assert_eq!(without.len(), 1, "{name} in .ci/deny.toml: {packages:?}");
    }
    for (package, _) in &skipped {
        let name = package.split('@').next().unwrap();
        let found = versions.get(name).is_some_and(|all| all.contains(*package));
        assert!(found, "{package} is no longer in the lock");
    }
}

/// `fuzz/Cargo.lock` is a copy of `Cargo.lock`; `cargo metadata --manifest-path fuzz/Cargo.toml`
/// updates it. Regression: the copy was outdated, so `--locked` failed in the fuzzer, and without
/// it the fuzzer ran against other versions than the released ones.
#[test]
fn the_lock_of_the_fuzzer_holds_what_the_program_is_built_from() {
    let fuzzed = include_str!("../fuzz/Cargo.lock");
    let shipped: BTreeSet<_> = locked(LOCK).collect();
    let own = ["respiro-fuzz", "libfuzzer-sys", "arbitrary"];
    let others = locked(fuzzed).filter(|package| !shipped.contains(package));
    let others: Vec<_> = others.filter(|(name, _)| !own.contains(name)).collect();
    assert!(
        others.is_empty(),
        "in no Cargo.lock but its own: {others:?}"
    );
    let (_, ours) = fuzzed.split_once("name = \"respiro\"\n").unwrap();
    let (ours, _) = ours.split_once(']').unwrap();
    let (_, wanted) = include_str!("../Cargo.toml")
        .split_once("[dependencies]\n")
        .unwrap();
    let (wanted, _) = wanted.split_once("\n[").unwrap();
    let names = wanted
        .lines()
        .filter_map(|line| Some(line.split_once(" = ")?.0));
    let missing: Vec<_> = names
        .filter(|name| {
            !ours.contains(&format!("\"{name}\"")) && !ours.contains(&format!("\"{name} "))
        })
        .collect();
    assert!(missing.is_empty(), "not yet in it: {missing:?}");
}

/// Returns each package that is built, with its features.
fn built(edges: &str) -> BTreeSet<String> {
    built_for("x86_64-unknown-linux-gnu", edges)
}

fn built_for(target: &str, edges: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--workspace", "--locked", "--target", target])
        .args(["--prefix=none", "--format={p} {f}"])
        .args(["--edges", edges])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    let packages = text.lines().map(|line| line.trim_end_matches(" (*)"));
    packages.map(str::to_owned).collect()
}

/// Returns the packages that the notices of the program name, as `name version`.
fn noticed() -> BTreeSet<String> {
    let mut text = Vec::new();
    let mut compressed: &[u8] = include_bytes!("../src/cli/licenses.txt.br");
    brotli::BrotliDecompress(&mut compressed, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let rule = format!("\n\n{}\n\n", "-".repeat(80));
    let names = text.split(&rule).skip(1).flat_map(|group| {
        let names = group.lines().take_while(|line| !line.is_empty());
        names.filter_map(|line| Some(line.split_once(" (")?.0.to_owned()))
    });
    names.collect()
}

/// Returns the npm packages that are bundled, as `name version`.
fn bundled() -> BTreeSet<String> {
    let lock: serde_json::Value =
        serde_json::from_str(include_str!("../ui/package-lock.json")).unwrap();
    let packages = lock["packages"].as_object().unwrap();
    let shipped = packages.iter().filter(|(path, package)| {
        let is_data = path.ends_with("/@zxcvbn-ts/language-common");
        !path.is_empty() && (is_data || package["dev"] != true)
    });
    let named = shipped.map(|(path, package)| {
        let alias = package["name"].as_str();
        let name = alias.unwrap_or_else(|| path.rsplit("node_modules/").next().unwrap());
        format!("{name} {}", package["version"].as_str().unwrap())
    });
    named.collect()
}

#[test]
fn the_notices_name_every_package_that_is_shipped_and_no_other() {
    let noticed = noticed();
    let mut shipped = bundled();
    for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
        for package in built_for(target, "normal") {
            if package.is_empty() || package.contains(" (/") {
                continue;
            }
            let mut words = package.split(' ');
            let (name, version) = (words.next().unwrap(), words.next().unwrap());
            shipped.insert(format!("{name} {}", version.trim_start_matches('v')));
        }
    }
    let missing: Vec<_> = shipped.difference(&noticed).collect();
    let gone: Vec<_> = noticed.difference(&shipped).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "run node .ci/licenses.mjs: without a notice {missing:?}, no longer shipped {gone:?}"
    );
}

/// Regression: one more feature of a small crate made every run of the checks build 50 other crates
/// and the packages of the workspace twice.
#[test]
fn the_tests_ask_for_no_other_features_than_the_program() {
    let program = built("normal,build");
    assert!(program.len() > 50, "cargo tree was not read");
    let tests = built("normal,build,dev");
    let twice: Vec<_> = program.difference(&tests).collect();
    assert!(twice.is_empty(), "without what the tests add: {twice:#?}");
}

/// Returns path and text of the manifest of each package of the workspace, the root's first.
fn manifests() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = fs::read_dir(root.join("src")).unwrap();
    let folders = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let members = folders.map(|name| format!("src/{name}/Cargo.toml"));
    let mut members: Vec<_> = members.filter(|path| root.join(path).exists()).collect();
    members.sort();
    let paths = std::iter::once("Cargo.toml".to_owned()).chain(members);
    paths
        .map(|path| {
            let text = fs::read_to_string(root.join(&path)).unwrap();
            (path, text)
        })
        .collect()
}

#[test]
fn every_package_is_a_member_and_takes_the_lints_of_the_workspace() {
    let manifests = manifests();
    let (_, root) = &manifests[0];
    for (path, text) in &manifests {
        assert!(text.contains("\n[lints]\nworkspace = true\n"), "{path}");
        let folder = path.trim_end_matches("Cargo.toml").trim_end_matches('/');
        let is_member = folder.is_empty() || root.contains(&format!("\"{folder}\""));
        assert!(is_member, "{folder} is no member of the workspace");
    }
}

#[test]
fn every_dependency_in_a_manifest_carries_its_reason() {
    let mut faults = Vec::new();
    for (path, manifest) in manifests() {
        let mut in_dependencies = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                in_dependencies = line.contains("dependencies");
            } else if in_dependencies
                && line.contains(" = ")
                && !line.contains('#')
                // Its reason is in the table of the workspace.
                && !line.ends_with("{ workspace = true }")
            {
                faults.push(format!("{path}: {line}"));
            }
        }
    }
    assert!(faults.is_empty(), "without a reason: {faults:#?}");
}
