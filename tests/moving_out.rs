//! Tests that the few lines of code in `docs/move.md` read an export without this program.
#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test stops where it fails and says when it cannot run"
)]

#[path = "support/server.rs"]
mod server;
#[path = "support/wordpress.rs"]
mod wordpress;

use server::respiro;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wordpress::{EXPORT, PICTURES, library};

const GUIDE: &str = include_str!("../docs/move.md");

/// Returns the code block of one language below a heading of the guide.
fn block(heading: &str, language: &str) -> &'static str {
    let (_, below) = GUIDE.split_once(heading).unwrap();
    let (_, block) = below.split_once(&format!("```{language}\n")).unwrap();
    block.split_once("```").unwrap().0
}

/// Imports a site with pictures in its texts.
fn site(folder: &Path, library: &Path) -> PathBuf {
    let data = folder.join("site.redb");
    let done = respiro(&data)
        .args(["import", "--wordpress", EXPORT, "--media"])
        .arg(library)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    data
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn an_export_is_read_without_the_program_as_the_guide_says() {
    let folder = tempfile::tempdir().unwrap();
    let (export, out) = (folder.path().join("export"), folder.path().join("out"));
    let library = library(folder.path());
    let data = site(folder.path(), &library);
    let done = respiro(&data).arg("export").arg(&export).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let text = fs::read_to_string(export.join("respiro.json")).unwrap();
    let site: serde_json::Value = serde_json::from_str(&text).unwrap();
    // Every referenced picture is in the export, as it was uploaded.
    let pictures = site["pictures"].as_object().unwrap();
    let mut named = 0;
    for part in text.split("/objects/uploads/").skip(1) {
        let id = part.split(|c: char| !c.is_ascii_alphanumeric()).next();
        let file = pictures[id.unwrap()]["file"].as_str().unwrap();
        assert!(export.join(file).is_file(), "{file}");
        named += 1;
    }
    assert!(named > PICTURES.len(), "{named}");
    let uploaded: BTreeSet<Vec<u8>> = PICTURES
        .iter()
        .map(|name| fs::read(library.join("2019/05").join(name)).unwrap())
        .collect();
    let exported: BTreeSet<Vec<u8>> = names(&export.join("pictures"))
        .iter()
        .map(|name| fs::read(export.join("pictures").join(name)).unwrap())
        .collect();
    assert_eq!(exported, uploaded);

    let script = folder.path().join("move.py");
    fs::write(&script, block("## Moving out", "python")).unwrap();
    let ran = Command::new("python3")
        .arg(&script)
        .args([&export, &out])
        .output();
    let Ok(ran) = ran else {
        eprintln!("skipped: python3 is missing");
        return;
    };
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let articles = site["items"]["blog"].as_array().unwrap();
    let wanted: BTreeSet<String> = articles
        .iter()
        .map(|one| format!("{}.md", one["slug"].as_str().unwrap()))
        .collect();
    assert!(wanted.len() == 4, "{wanted:?}");
    assert_eq!(names(&out.join("blog")), wanted);
    let mut links = 0;
    for name in &wanted {
        let page = fs::read_to_string(out.join("blog").join(name)).unwrap();
        assert!(page.starts_with("---\ntitle: \""), "{page}");
        assert!(!page.contains("/objects/uploads/"), "{page}");
        for part in page.split("../pictures/").skip(1) {
            let file = part.split([')', ' ', '"', '\n']).next().unwrap();
            assert!(out.join("pictures").join(file).is_file(), "{file}");
            links += 1;
        }
    }
    assert!(links >= PICTURES.len(), "{links}");
}
