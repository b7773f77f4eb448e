//! Tests of the page cache beside the data file: the next start reads it, it is never older than
//! the published state, and modified files are detected.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use respiro_content::{Changes, Entry, Item, Pictures, Snapshot, collection_by_slug};
use respiro_publish::{Bundle, Publisher, headers};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const NOW: i64 = 1_795_000_000_000;

/// The files that a run leaves beside the data file, and sites that start from them.
struct Beside {
    _folder: tempfile::TempDir,
    data: PathBuf,
    pages: PathBuf,
}

impl Beside {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("respiro.redb");
        Self {
            pages: folder.path().join("respiro.redb.page-cache"),
            data,
            _folder: folder,
        }
    }

    fn start(&self, bundle: Bundle, key: u8) -> Publisher {
        Publisher::start_beside(&self.data, [key; 32], bundle, headers::ASKED).unwrap()
    }

    /// Returns the state after a first run that has cached every page of the table below.
    fn filled() -> Self {
        let beside = Self::new();
        let site = beside.start(Bundle::of_renderer(COUNTED), 1);
        site.publish(of_url("uno"), NOW).unwrap();
        // Four pages and the table of routes.
        beside.wait_for(5);
        beside
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.pages).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    fn wait_for(&self, count: usize) {
        let deadline = Instant::now() + Duration::from_mins(1);
        let is_whole = |path: &PathBuf| path.extension().is_none();
        while self.files().iter().filter(|path| is_whole(path)).count() != count {
            assert!(Instant::now() < deadline, "{:?}", self.files());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A renderer that writes its number of renders into each page: a page that is rendered again
/// differs.
const COUNTED: &str = "
    let count = 0;
    const of = (path) => ({ page: 'a', path, kind: 'page' });
    globalThis.respiro = {
      routes: () => JSON.stringify([of('/'), of('/a'), of('/b'),
        { page: 'a', path: '/404', kind: 'missing', status: 404, prefix: null }]),
      page: (page, path, input) => { count += 1;
        const { site } = JSON.parse(input);
        if (site.publicUrl === 'guasto') throw new Error('guasto');
        const html = `${site.publicUrl} ${count} ${'respiro '.repeat(60)}`;
        return { head: '', html, entry: '', data: '' }; },
    };";

/// A renderer with another source, as in another release.
const OTHER: &str = "
    globalThis.respiro = {
      routes: () => JSON.stringify([{ page: 'a', path: '/', kind: 'page' },
        { page: 'a', path: '/404', kind: 'missing', status: 404, prefix: null }]),
      page: () => ({ head: '', html: 'altro programma', entry: '', data: '' }),
    };";

/// A renderer that throws when it is loaded.
const BROKEN: &str = "throw new Error('guasto');";

fn of_url(url: &str) -> Snapshot {
    Snapshot {
        public_url: url.to_owned(),
        ..Snapshot::default()
    }
}

fn at(site: &Publisher, path: &str) -> String {
    let page = site.page(path).unwrap();
    String::from_utf8(page.identity().bytes.to_vec()).unwrap()
}

fn started(beside: &Beside, url: &str) -> Publisher {
    let site = beside.start(Bundle::of_renderer(COUNTED), 1);
    site.publish(of_url(url), NOW).unwrap();
    site
}

#[test]
fn a_start_shows_what_the_run_before_has_kept_byte_for_byte() {
    let beside = Beside::filled();
    let (one, two) = (started(&beside, "uno"), started(&beside, "uno"));
    for path in ["/b", "/a", "/"] {
        assert!(at(&one, path).contains("uno "), "{path}");
        let (one, two) = (one.page(path).unwrap(), two.page(path).unwrap());
        let brotli = one.brotli.as_ref().unwrap();
        assert!(brotli.etag.ends_with("-b11\""), "{path} was made anew");
        assert_eq!(one.identity().bytes, two.identity().bytes, "{path}");
        assert_eq!(one.identity().etag, two.identity().etag, "{path}");
    }
    let pages = one.pages().unwrap();
    let missing = pages.missing("/nulla").unwrap();
    assert_eq!(one.obtain(&pages, missing).status, 404);
    let state = one.state().unwrap();
    assert!(state.ok && state.stats.planned > 3);
}

/// Regression: after each start, publishing to the bucket rendered the whole site again.
#[test]
fn what_is_kept_is_not_drawn_again_for_plain_files() {
    let beside = Beside::filled();
    let site = started(&beside, "uno");
    let pages = site.pages().unwrap();
    let exported = site.export_entries(&pages);
    for path in ["/b", "/a", "/", "/b"] {
        let (_, what) = exported.iter().find(|(known, _)| known == path).unwrap();
        let given = site.export_bytes(&pages, path, what).unwrap();
        let given = String::from_utf8(given.bytes.to_vec()).unwrap();
        // A file brings its policy along, because its host may send no headers.
        let (start, rest) = given.split_once("<meta http-equiv=\"Content").unwrap();
        let (_, end) = rest.split_once('>').unwrap();
        assert_eq!(format!("{start}{end}"), at(&site, path), "{path}");
        let brotli = site.page(path).unwrap().brotli.clone().unwrap();
        assert!(brotli.etag.ends_with("-b11\""), "{path} was made anew");
    }
}

#[test]
fn nothing_that_is_kept_is_older_than_what_is_published() {
    let beside = Beside::filled();
    let site = started(&beside, "due");
    assert!(at(&site, "/a").contains("due ") && at(&site, "/").contains("due "));
    // Publishing the former state again serves its pages.
    site.publish(of_url("uno"), NOW).unwrap();
    assert!(at(&site, "/a").contains("uno "));
    drop(site);
    let other = beside.start(Bundle::of_renderer(OTHER), 1);
    other.publish(of_url("uno"), NOW).unwrap();
    assert!(at(&other, "/").contains("altro programma"));
    assert!(other.page("/a").is_none());
    drop(other);
    // Another data file, as after a restore.
    let restored = beside.start(Bundle::of_renderer(COUNTED), 2);
    restored.publish(of_url("uno"), NOW).unwrap();
    let page = restored.page("/").unwrap();
    assert!(page.brotli.as_ref().unwrap().etag.ends_with("-b5\""));
}

#[test]
fn what_is_of_former_days_is_swept_and_what_is_not_ours_stays() {
    let beside = Beside::filled();
    let foreign = beside.pages.join("note.txt");
    std::fs::write(&foreign, "mio").unwrap();
    // The temporary file of a killed process.
    let torn = beside.files().into_iter().find(|path| *path != foreign);
    let torn = format!("{}.partial", torn.unwrap().display());
    std::fs::write(&torn, "mezza").unwrap();
    let before = beside.files();
    let site = started(&beside, "due");
    let deadline = Instant::now() + Duration::from_mins(1);
    let left = || {
        beside
            .files()
            .iter()
            .filter(|path| before.contains(path))
            .count()
    };
    // The note and the table of routes.
    while left() > 2 {
        assert!(Instant::now() < deadline, "{:?}", beside.files());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(foreign.exists());
    drop(site);
}

/// Pages are correct with any content of the cache files: a page whose file was modified is
/// rendered again.
#[test]
fn kept_files_that_were_touched_are_not_believed() {
    type Harm = fn(&Path, Vec<u8>);
    let harms: [(&str, Harm); 8] = [
        ("a flipped bit", |path, mut bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(path, bytes).unwrap();
        }),
        ("half", |path, bytes| {
            std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("empty", |path, _| std::fs::write(path, "").unwrap()),
        ("more", |path, bytes| {
            std::fs::write(path, [bytes, vec![0; 9]].concat()).unwrap();
        }),
        ("huge", |path, _| {
            let file = std::fs::File::create(path).unwrap();
            file.set_len(1 << 40).unwrap();
        }),
        ("a link", |path, bytes| {
            let aside = path.with_extension("altrove");
            std::fs::write(&aside, bytes).unwrap();
            std::fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink(&aside, path).unwrap();
        }),
        ("a pipe that nobody writes to", |path, _| {
            std::fs::remove_file(path).unwrap();
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        }),
        ("another page's", |path, _| {
            let others = std::fs::read_dir(path.parent().unwrap()).unwrap();
            let mut others = others.map(|entry| entry.unwrap().path());
            let other = others.find(|other| other != path).unwrap();
            std::fs::copy(other, path).unwrap();
        }),
    ];
    for (name, harm) in harms {
        let beside = Beside::filled();
        for path in beside.files() {
            let bytes = std::fs::read(&path).unwrap_or_default();
            harm(&path, bytes);
        }
        let site = started(&beside, "uno");
        for path in ["/", "/a", "/b"] {
            let text = at(&site, path);
            assert!(
                text.contains("uno ") && text.contains("respiro"),
                "{name}: {path}"
            );
        }
        assert!(site.state().unwrap().ok, "{name}");
    }
}

/// The cache folder cannot be created, or is deleted while the site runs.
#[test]
fn where_nothing_can_be_kept_the_site_is_up_all_the_same() {
    let beside = Beside::new();
    std::fs::write(&beside.pages, "a file").unwrap();
    let site = started(&beside, "uno");
    assert!(at(&site, "/a").contains("uno "));
    drop(site);
    std::fs::remove_file(&beside.pages).unwrap();
    let site = started(&beside, "uno");
    std::fs::remove_dir_all(&beside.pages).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(at(&site, "/b").contains("uno ") && site.state().unwrap().ok);
}

/// Cached pages need no renderer. One that cannot be rendered falls back on its former response,
/// also in a cache file, but not when a setting in it was corrected.
#[test]
fn a_page_that_cannot_be_drawn_falls_back_on_its_kept_one() {
    const EVENTS: &str = "
        const reads = [{ name: 'all', of: 'events', how: 'first', count: 9 }];
        const of = (path) => ({ page: 'a', path, kind: 'page', reads });
        globalThis.respiro = {
          routes: () => JSON.stringify([of('/'), of('/a'), of('/b'),
            { page: 'a', path: '/404', kind: 'missing', status: 404, prefix: null }]),
          page: (page, path, input) => ({ head: '', html: `${input} ${'respiro '.repeat(60)}`,
            entry: '', data: '' }),
        };";
    let with_events = |ids: &[&str]| {
        let mut snapshot = of_url("uno");
        let events = collection_by_slug("events").unwrap();
        let entry = |id: &&str| {
            let body = json!({ "title": format!("<{id}>"), "published": true });
            let changes = Changes::parse(events, body.as_object().unwrap()).unwrap();
            let item = Item::create(events, changes, (*id).to_owned(), 0, 1).unwrap();
            let entry = Entry::new(events, item, Pictures::new());
            ((*id).to_owned(), Some(entry))
        };
        snapshot.apply(events, ids.iter().map(entry).collect());
        snapshot
    };
    let beside = Beside::new();
    let site = beside.start(Bundle::of_renderer(EVENTS), 1);
    let one = with_events(&["primo"]);
    site.publish(one.clone(), NOW).unwrap();
    beside.wait_for(5);
    drop(site);
    let site = beside.start(Bundle::of_renderer(EVENTS), 1);
    site.publish(one.clone(), NOW).unwrap();
    // The background thread finds the cache files and does not read them into memory.
    std::thread::sleep(Duration::from_secs(3));
    assert!(site.pages().unwrap().find("/b").unwrap().ready().is_none());
    let mut two = with_events(&["primo", "secondo"]);
    two.share_unchanged(&one);
    site.fail_next_renders(u32::MAX);
    site.publish(two.clone(), NOW).unwrap();
    for path in ["/", "/a", "/b"] {
        let page = at(&site, path);
        assert!(
            page.contains("primo") && !page.contains("secondo"),
            "{path}"
        );
    }
    let corrected = Snapshot {
        public_url: "due".to_owned(),
        ..two
    };
    site.publish(corrected, NOW).unwrap();
    for path in ["/", "/a", "/b"] {
        assert_eq!(site.page(path).unwrap().status, 503, "{path}");
    }
    drop(site);
    let broken = beside.start(Bundle::of_renderer(BROKEN), 1);
    assert!(broken.publish(of_url("uno"), NOW).is_err());
}

/// Regression: on a full disk each page that could not be cached stayed in memory, thus the whole
/// site.
#[test]
fn what_cannot_be_kept_and_nobody_asked_for_does_not_stay_in_memory() {
    let beside = Beside::new();
    let site = beside.start(Bundle::of_renderer(COUNTED), 1);
    std::fs::remove_dir_all(&beside.pages).unwrap();
    std::fs::write(&beside.pages, b"no folder").unwrap();
    site.publish(of_url("uno"), NOW).unwrap();
    let pages = site.pages().unwrap();
    // Requests the last page of the table. Once its smallest compression is ready, the background
    // task has processed the others.
    let last = pages.missing("/nulla").unwrap();
    site.obtain(&pages, last);
    let is_smallest = || {
        let page = last.ready().unwrap();
        page.brotli
            .as_ref()
            .is_some_and(|body| body.etag.ends_with("-b11\""))
    };
    let deadline = Instant::now() + Duration::from_mins(1);
    while !is_smallest() {
        assert!(Instant::now() < deadline, "the background never came to it");
        std::thread::sleep(Duration::from_millis(20));
    }
    for path in ["/a", "/b"] {
        assert!(pages.find(path).unwrap().ready().is_none(), "{path}");
    }
    assert!(at(&site, "/a").contains("uno "));
}
