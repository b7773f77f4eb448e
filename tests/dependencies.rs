//! What the program is built from: known licences, a reason for each crate, nothing banned.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the tree must fail"
)]

use std::collections::BTreeSet;
use std::process::Command;

/// Licences the project may be shipped under. An expression passes when one choice of it does.
const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "Unicode-3.0",
    "MPL-2.0",
    "CC0-1.0",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "IJG",
    "MIT-0",
    "NCSA",
];

/// Crates that must not come back, and why.
const BANNED: &[(&str, &str)] = &[
    ("h2", "RUSTSEC-2026-0258 in the version actix pins"),
    ("actix-governor", "GPL"),
    ("openssl", "needs a system library"),
    ("aws-lc-sys", "ring is the one crypto provider"),
];

/// What `cargo metadata` says of each package: name and licence expression.
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

/// Whether `A OR (B AND C)` can be satisfied with the allowed licences.
fn allowed(expression: &str) -> bool {
    let expression = expression.replace(['(', ')'], " ").replace('/', " OR ");
    expression.split(" OR ").any(|choice| {
        choice.split(" AND ").all(|licence| {
            let licence = licence.split(" WITH ").next().unwrap_or_default().trim();
            LICENCES.contains(&licence)
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

#[test]
fn banned_crates_stay_out() {
    let names: BTreeSet<String> = packages().into_iter().map(|(name, _)| name).collect();
    for (name, reason) in BANNED {
        assert!(!names.contains(*name), "{name} is banned: {reason}");
    }
}

#[test]
fn every_dependency_in_the_manifest_carries_its_reason() {
    let manifest = include_str!("../Cargo.toml");
    let mut in_dependencies = false;
    let mut faults = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies");
        } else if in_dependencies && line.contains(" = ") && !line.contains('#') {
            faults.push(line);
        }
    }
    assert!(faults.is_empty(), "without a reason: {faults:#?}");
}
