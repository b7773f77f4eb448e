//! What is fed with anything at all, and may answer anything but a panic, a hang or a crash.
//! `tests/fuzz.rs` replays the seeds and mutates them; `fuzz/` gives the same to cargo-fuzz.

use respiro_backup::offsite::{Manifest, ManifestKey};
use respiro_backup::s3_mirror;
use respiro_content::markdown::{self, RenderContext};
use respiro_content::{COLLECTIONS, Changes, Pictures, Settings, event_times, time};
use respiro_importers::wordpress::{ImportOptions, Media, convert, read};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

pub type Target = fn(&[u8]);

/// What takes anything, by the folder of its seeds.
pub const TARGETS: &[(&str, Target)] = &[
    ("body", body),
    ("data_file", data_file),
    ("picture", picture),
    ("date", date),
    ("markdown", markdown_text),
    ("import", import),
    ("wordpress", wordpress_export),
    ("manifest", manifest),
    ("report", mail_report),
];

/// A request's body, as an item of each kind and as settings.
pub fn body(bytes: &[u8]) {
    let Ok(Value::Object(body)) = serde_json::from_slice(bytes) else {
        return;
    };
    for kind in COLLECTIONS {
        drop(Changes::parse(kind, &body));
    }
    drop(Settings::default().merge(&body));
}

/// A file that is opened as data: every record in it goes through the codec.
pub fn data_file(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    fs::write(&path, bytes).unwrap();
    drop(respiro_db::check(&path));
}

/// A picture, through the same code as in its confined process.
pub fn picture(bytes: &[u8]) {
    // A large one is slow, not wrong: only its head is looked at.
    if bytes.len() < 64 * 1024 {
        drop(respiro_media::process(bytes));
    }
}

/// An Italian date and, on a second line, a time.
pub fn date(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (date, hour) = text.split_once('\n').unwrap_or((&text, ""));
    let written = time::day(0);
    drop(event_times::read(Some(date), None, written));
    let reading = event_times::understand(Some(date), Some(hour), written);
    for answer in reading
        .questions
        .iter()
        .flat_map(|question| &question.answers)
    {
        drop(event_times::understand(
            Some(&answer.text),
            Some(&answer.text),
            written,
        ));
    }
}

pub fn markdown_text(bytes: &[u8]) {
    let pictures = Pictures::new();
    let around = RenderContext {
        pictures: &pictures,
        site: Some("https://example.org"),
    };
    let text = String::from_utf8_lossy(bytes);
    drop(markdown::picture_ids(&text));
    let html = markdown::render(&text, &around).html;
    assert!(!html.contains("<script"), "{html}");
}

/// The content file of an exported folder.
pub fn import(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("respiro.json"), bytes).unwrap();
    let definitions = respiro::ui_assets::block_definitions().unwrap();
    drop(respiro_importers::json::read(folder.path(), definitions));
}

/// The manifest of an off-site backup, with its signature, or of a mirror; the line of a key file.
pub fn manifest(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::parse("whole/20260921T133320Z", bytes) {
        let _ = (manifest.bytes(), manifest.objects(), manifest.about());
        assert!(
            manifest
                .signed_by()
                .is_none_or(|key| { key.has_signed("whole/20260921T133320Z", bytes) })
        );
    }
    s3_mirror::parse_any(bytes);
    if let Ok(Some(key)) = ManifestKey::find_in(&String::from_utf8_lossy(bytes)) {
        assert_eq!(key.to_string().parse(), Ok(key));
    }
}

/// A WordPress export, without a media library. Renders the texts of the posts.
pub fn wordpress_export(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.xml");
    fs::write(&path, bytes).unwrap();
    let Ok(export) = read(&path) else { return };
    let options = ImportOptions {
        categories: BTreeMap::new(),
        default_category: "Benessere",
        existing_slugs: BTreeSet::new(),
        skip_existing: true,
        now: 1_800_000_000_000,
        program: None,
    };
    let arrived = convert(&export, &Media::default(), &options, &mut |_, _| Ok(())).unwrap();
    drop(arrived.report.text(true, "Benessere", true));
    for item in &arrived.items {
        markdown_text(item.text("content").unwrap_or_default().as_bytes());
    }
}

/// A message in the mailbox of returned messages.
pub fn mail_report(bytes: &[u8]) {
    if let Some(report) = respiro_email::parse_report(bytes) {
        assert!(!report.message_id.is_empty() && report.message_id.len() <= 320);
        assert!(report.recipients.len() <= 64);
    }
}
