//! Drives the site through histories of changes and failures on a simulated disk, with a renderer
//! that fails now and then: pages never show what the data file no longer says, and soon show all of
//! what it says. `RESPIRO_HISTORIES` sets the number, `RESPIRO_REAL_RENDERER` takes the built UI.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail the test"
)]

use respiro::ui_assets;
use respiro_content::blocks::BlockDefinitions;
use respiro_content::{Changes, Collection, RequestLog, Settings, Snapshot, collection_by_slug};
use respiro_db::clock::Clock;
use respiro_db::power_loss::{Disk, Mishap, Replay, empty_image, open};
use respiro_db::{self as db, Direction, Reader, Writer};
use respiro_publish::headers::ASKED;
use respiro_publish::{Bundle, Publisher, Site, SiteOptions};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use tokio::runtime::Runtime;

const URL: &str = "http://a";
const STEPS: usize = 12;
const COLLECTIONS: [&str; 3] = ["events", "course-testimonials", "blog"];

/// Five routes; a page shows its input.
const ECHO: &str = "
    const read = (name, of, how) => ({ name, of, ...how });
    const page = (path, reads) => ({ page: 'p', path, kind: 'page', sitemap: true, reads });
    const first = { how: 'first', count: 3 };
    globalThis.respiro = {
      routes: () => JSON.stringify([
        page('/', [read('events', 'events', first), read('blog', 'blog', first)]),
        page('/eventi', [read('events', 'events',
          { how: 'parts', size: 2, rest: '/eventi/pagina/{n}' })]),
        page('/testimonianze', [read('all', 'course-testimonials', { how: 'first', count: 99 })]),
        page('/evento/{key}', [read('own', 'events', { how: 'each' }),
          read('next', 'events', { how: 'after', count: 1 })]),
        page('/blog/{key}', [read('own', 'blog', { how: 'each' }),
          read('beside', 'blog', { how: 'beside' })]),
        { page: 'p', path: '/404', kind: 'missing', status: 404, prefix: null }]),
      page: (page, path, input) => ({ head: '', html: path + input, entry: '', data: '' }),
    };";

/// Pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % end
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        (!all.is_empty()).then(|| &all[self.below(all.len())])
    }
}

/// What all histories share.
struct Setup {
    folder: PathBuf,
    image: Vec<u8>,
    is_real: bool,
    definitions: &'static BlockDefinitions,
}

impl Setup {
    fn publisher(&self) -> Publisher {
        let bundle = if self.is_real {
            ui_assets::bundle().unwrap()
        } else {
            Bundle::of_renderer(ECHO)
        };
        Publisher::start_quietly(bundle, ASKED).unwrap()
    }

    fn snapshot(&self, site: &Site) -> Option<Snapshot> {
        let read = |reader: &Reader<'_>| reader.snapshot(URL, self.definitions);
        site.store().read(read).ok()
    }
}

/// One site, its disk, and what it has been through.
struct History<'a> {
    setup: &'a Setup,
    runtime: Runtime,
    random: Random,
    path: PathBuf,
    /// The contents of `disk` when it was made.
    image: Vec<u8>,
    disk: Disk,
    site: Site,
    /// Renders what the data file says, for comparison.
    fresh: &'a Publisher,
    texts: usize,
    log: Vec<String>,
}

fn collection(slug: &str) -> &'static Collection {
    collection_by_slug(slug).unwrap()
}

fn changes(slug: &str, text: &str, is_published: Option<bool>) -> Changes {
    let mut body = match slug {
        "events" => json!({ "title": text, "date": "3 marzo 2099", "content": text }),
        "blog" => json!({ "title": text, "slug": text, "content": text, "excerpt": text }),
        _ => json!({ "name": text, "testimonial": text, "profession": text }),
    };
    if let Some(is_published) = is_published {
        body["published"] = json!(is_published);
    }
    Changes::parse(collection(slug), body.as_object().unwrap()).unwrap()
}

/// Returns the marks in a text: `tok`, digits, `x`.
fn marks(text: &str) -> BTreeSet<String> {
    let parts = text.split("tok").skip(1);
    let digits = parts.filter_map(|part| part.split_once('x').map(|(digits, _)| digits));
    let own = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    own.map(str::to_owned).collect()
}

impl<'a> History<'a> {
    fn begin(setup: &'a Setup, fresh: &'a Publisher, seed: u64) -> Self {
        let path = setup.folder.join(format!("{seed}.redb"));
        let disk = Disk::with(&setup.image, Mishap::None);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let site = start(setup, &runtime, &path, &disk);
        Self {
            setup,
            runtime,
            random: Random(seed),
            path,
            image: setup.image.clone(),
            disk,
            site,
            fresh,
            texts: 0,
            log: Vec::new(),
        }
    }

    fn text(&mut self) -> String {
        self.texts += 1;
        format!("tok{}x", self.texts)
    }

    /// Makes one random change, as the panel does. Returns its name.
    fn change(&mut self) -> String {
        let text = self.text();
        let slug = *self.random.pick(&COLLECTIONS).unwrap();
        let list = collection(slug);
        let now = self.site.now();
        let items = self.site.store().read(|reader| reader.items().list(list));
        let items = items.unwrap_or_default();
        let trash = self.site.store().read(|reader| reader.trash().list());
        let trash = trash.unwrap_or_default();
        let item = self.random.pick(&items).cloned();
        let kind = self.random.below(8);
        let (name, done) = match (kind, item) {
            (0..2, _) | (_, None) => {
                let is_published = !self.random.is_one_in(4);
                let (id, new) = (text.clone(), changes(slug, &text, Some(is_published)));
                let done =
                    self.write(move |writer| writer.items().create(list, new, id, now).map(drop));
                ("create", done)
            }
            (2, Some(item)) => {
                let new = changes(slug, &text, None);
                let done = self
                    .write(move |writer| writer.items().update(list, &item.id, new, now).map(drop));
                ("correct", done)
            }
            (3, Some(item)) => {
                let new = Changes {
                    published: Some(!item.published),
                    ..Changes::default()
                };
                let done = self
                    .write(move |writer| writer.items().update(list, &item.id, new, now).map(drop));
                ("publish or unpublish", done)
            }
            (4, Some(item)) => {
                let done = self.write(move |writer| writer.items().delete(list, &item.id, now));
                ("delete", done)
            }
            (5, _) if !trash.is_empty() => {
                let id = self.random.pick(&trash).unwrap().item.id.clone();
                let done = self.write(move |writer| writer.trash().restore(&id, now).map(drop));
                ("restore", done)
            }
            (6, Some(item)) => {
                let to = Direction::To(self.random.below(items.len()));
                let done = self.write(move |writer| {
                    writer.items().reposition(list, &item.id, to, now).map(drop)
                });
                ("move", done)
            }
            _ => {
                let brand = json!({ "brand": text });
                let settings = Settings::default().merge(brand.as_object().unwrap());
                let done = self.write(move |writer| writer.settings().put(&settings.unwrap()));
                ("settings", done)
            }
        };
        format!("{name} {slug} {text}: {done:?}")
    }

    fn write(
        &self,
        write: impl FnOnce(&mut Writer<'_>) -> db::Result<()> + Send + 'static,
    ) -> Result<(), respiro_publish::Error> {
        self.runtime
            .block_on(self.site.change(|writer| Ok(write(writer)?)))
    }

    /// Injects a random failure for the next change. Returns its name.
    fn inject(&mut self) -> String {
        let access = 1 + u64::try_from(self.random.below(14)).unwrap();
        let mishap = match self.random.below(8) {
            0 => Mishap::FullAt(access),
            1 => Mishap::FailAt(access),
            2 | 3 => Mishap::FailAfter(access),
            4 => Mishap::BrokenFrom(access),
            _ => Mishap::None,
        };
        self.disk.inject(mishap);
        let renders = if self.random.is_one_in(2) {
            u32::try_from(1 + self.random.below(6)).unwrap()
        } else {
            0
        };
        self.site.publisher.fail_next_renders(renders);
        format!("{mishap:?}, {renders} failed renders")
    }

    /// Ends the process, perhaps with the power, and starts another.
    fn restart(&mut self) -> String {
        let is_power_cut = self.random.is_one_in(2);
        let image = if is_power_cut {
            let events = self.disk.events();
            let mut replay = Replay::of(&self.image, &events, false);
            while replay.step() {}
            replay.after_power_cut(1 + u64::try_from(self.random.below(1_000)).unwrap())
        } else {
            self.disk.contents()
        };
        self.disk = Disk::with(&image, Mishap::None);
        self.image = image;
        self.site = start(self.setup, &self.runtime, &self.path, &self.disk);
        format!("restart after a power cut: {is_power_cut}")
    }

    /// Serves every page. Panics if one shows a text that the data file does not have.
    fn check_nothing_outdated(&mut self) {
        // The real renderer takes a hundred times as long.
        if self.setup.is_real && !self.random.is_one_in(3) {
            return;
        }
        let Some(snapshot) = self.setup.snapshot(&self.site) else {
            return;
        };
        let said = marks(&format!("{:?} {:?}", snapshot.lists, snapshot.settings));
        for (path, (status, body)) in served(&self.site.publisher) {
            let outdated: Vec<_> = marks(&body).difference(&said).cloned().collect();
            assert!(
                status == 503 || outdated.is_empty(),
                "{path} shows {outdated:?}, which the data file does not say\n{}",
                self.log.join("\n")
            );
        }
    }

    /// Ends all failures and repairs as the timer does. Panics unless everything that is published
    /// equals a fresh rendering of the data file.
    fn check_complete(&mut self) {
        self.disk.inject(Mishap::None);
        self.site.publisher.fail_next_renders(0);
        let mut repaired = self.runtime.block_on(self.site.repair());
        // The real renderer may meet its deadline on a busy machine: the timer tries again.
        for _ in 0..if self.setup.is_real { 20 } else { 0 } {
            if repaired.is_ok() && self.site.publisher.is_complete() {
                break;
            }
            repaired = self.runtime.block_on(self.site.repair());
        }
        let log = self.log.join("\n");
        assert!(repaired.is_ok(), "{repaired:?}\n{log}");
        assert!(self.site.publisher.is_complete(), "{log}");
        assert!(self.site.publisher.state().unwrap().ok, "{log}");
        let (own, fresh) = (self.served_whole(), self.rendered_afresh());
        let (own_paths, paths): (Vec<_>, Vec<_>) = (own.keys().collect(), fresh.keys().collect());
        assert_eq!(own_paths, paths, "{log}");
        for (path, expected) in &fresh {
            let (status, body) = &own[path];
            assert!(
                own[path] == *expected,
                "{path} differs: {status} with {} bytes, {} with {}\n{log}",
                body.len(),
                expected.0,
                expected.1.len()
            );
        }
        let is_same = exported(&self.site.publisher) == exported(self.fresh);
        assert!(is_same, "the static export differs\n{log}");
        let pages = |publisher: &Publisher| publisher.pages().unwrap();
        let (own, fresh) = (pages(&self.site.publisher), pages(self.fresh));
        assert_eq!(own.redirects(), fresh.redirects(), "{log}");
        let lists = |snapshot: &Snapshot| format!("{:?}", snapshot.lists);
        assert_eq!(lists(&own.snapshot), lists(&fresh.snapshot), "{log}");
    }

    /// Returns every answer. The real renderer may meet its deadline on a busy machine, and the
    /// former page is served: it is tried again.
    fn served_whole(&self) -> BTreeMap<String, (u16, String)> {
        for _ in 0..20 {
            let served = served(&self.site.publisher);
            if self.site.publisher.is_complete() {
                return served;
            }
            let _ = self.runtime.block_on(self.site.repair());
        }
        served(&self.site.publisher)
    }

    /// Returns what the data file says, rendered by `fresh`. A render that met its deadline would
    /// leave the page of the former call: it is rendered again.
    fn rendered_afresh(&self) -> BTreeMap<String, (u16, String)> {
        let render = || {
            let snapshot = self.setup.snapshot(&self.site).unwrap();
            self.fresh.publish(snapshot, self.site.now()).unwrap();
            served(self.fresh)
        };
        let rendered = (0..20).find_map(|_| {
            let rendered = render();
            self.fresh.is_complete().then_some(rendered)
        });
        rendered.expect("the renderer keeps missing its deadline")
    }

    fn run(mut self) {
        for _ in 0..STEPS {
            let injected = if self.random.is_one_in(3) {
                String::new()
            } else {
                self.inject()
            };
            let done = self.change();
            self.log.push(format!("{done} ({injected})"));
            self.check_nothing_outdated();
            match self.random.below(6) {
                0 => {
                    let done = self.restart();
                    self.log.push(done);
                    self.check_nothing_outdated();
                }
                1 => {
                    self.check_complete();
                    self.log.push("repaired".to_owned());
                }
                2 => {
                    // The timer, while the failure lasts.
                    let repaired = self.runtime.block_on(self.site.repair());
                    self.log.push(format!("repair: {repaired:?}"));
                    self.check_nothing_outdated();
                }
                _ => {}
            }
        }
        self.check_complete();
    }
}

/// Starts the site as the program does, with retries of the first publish.
fn start(setup: &Setup, runtime: &Runtime, path: &Path, disk: &Disk) -> Site {
    let options = SiteOptions {
        public_url: URL.to_owned(),
        definitions: setup.definitions,
        has_offsite_backups: false,
        host_email: None,
        request_log: RequestLog::Off,
        clock: Clock::default(),
    };
    let site = Site::new(open(path, disk).unwrap(), setup.publisher(), options);
    for _ in 0..3 {
        if runtime.block_on(site.publish()).is_ok() {
            return site;
        }
    }
    runtime.block_on(site.publish()).unwrap();
    site
}

/// Returns every answer by path: pages, screens, files and calendars of events.
fn served(publisher: &Publisher) -> BTreeMap<String, (u16, String)> {
    let pages = publisher.pages().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut served = BTreeMap::new();
    for page_entry in pages.all() {
        let page = publisher.obtain(&pages, page_entry);
        let calendar = publisher.calendar(&format!("{}.ics", page_entry.path));
        if let Some(calendar) = calendar {
            let body = text(&calendar.plain());
            served.insert(format!("{}.ics", page_entry.path), (calendar.status, body));
        }
        served.insert(page_entry.path.clone(), (page.status, text(&page.plain())));
    }
    served
}

/// Returns what a static host gets, by path.
fn exported(publisher: &Publisher) -> BTreeMap<String, Vec<u8>> {
    let pages = publisher.pages().unwrap();
    let mut exported = BTreeMap::new();
    for (path, content) in publisher.export_entries(&pages) {
        if content.is_page() {
            let export = || publisher.export_bytes(&pages, &path, &content);
            let file = (0..20).find_map(|_| export().ok());
            let file = file.unwrap_or_else(|| export().unwrap());
            exported.insert(path, file.bytes.to_vec());
        }
    }
    exported
}

#[test]
fn after_every_failure_the_pages_say_what_the_data_file_says() {
    let count = env::var("RESPIRO_HISTORIES").map_or(200, |text| text.parse().unwrap());
    let is_real = env::var_os("RESPIRO_REAL_RENDERER").is_some();
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    let folder = folder.unwrap();
    let definitions = if is_real {
        ui_assets::block_definitions().unwrap()
    } else {
        Box::leak(Box::default())
    };
    let setup = Setup {
        image: empty_image(&folder.path().join("empty.redb")),
        folder: folder.path().to_owned(),
        is_real,
        definitions,
    };
    std::thread::scope(|scope| {
        for thread in 0..2_u64 {
            let setup = &setup;
            scope.spawn(move || {
                let fresh = setup.publisher();
                for seed in (0..count).filter(|seed| seed % 2 == thread) {
                    History::begin(setup, &fresh, seed).run();
                }
            });
        }
    });
}
