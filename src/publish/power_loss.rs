//! Simulates power cuts while the whole program runs: changes, publishes, sessions, writes of a
//! restore.

use super::{Bundle, Publisher, Result, Site, SiteOptions};
use respiro_content::RequestLog;
use respiro_db::WriteAccess;
use respiro_db::clock::Clock;
use respiro_db::power_loss::{
    Disk, Event, Mishap, STEPS, cut_power, cuts, empty_image, open, rehearse, state,
};
use std::path::Path;

pub(super) const BUNDLE: &str = "
    globalThis.respiro = {
      routes: () => JSON.stringify([{ page: 'a', path: '/', kind: 'page' },
        { page: 'a', path: '/404', kind: 'missing', status: 404, prefix: null }]),
      page: (page, path, input) => ({
        head: '', html: JSON.parse(input).site.publicUrl, entry: '', data: '' }),
    };";

/// Returns a site at `http://a` whose pages are rendered by `renderer`.
pub(super) fn site_with(store: WriteAccess, renderer: &'static str) -> Site {
    let options = SiteOptions {
        public_url: "http://a".to_owned(),
        definitions: Box::leak(Box::default()),
        has_offsite_backups: false,
        host_email: None,
        request_log: RequestLog::Off,
        clock: Clock::default(),
    };
    let publisher = Publisher::start_with(Bundle::of_renderer(renderer)).unwrap();
    Site::new(store, publisher, options)
}

/// Creates a temporary directory, in memory if possible.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Runs every step as a change with its publish. Returns the disk events.
fn record(path: &Path, image: &[u8]) -> Vec<Event> {
    let disk = Disk::with(image, Mishap::None);
    let store = open(path, &disk).unwrap();
    let site = site_with(store, BUNDLE);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for (number, step) in STEPS.iter().enumerate() {
        let changed: Result<_> = runtime.block_on(site.change(|writer| Ok(step(writer)?)));
        changed.unwrap();
        disk.promise(number + 1);
    }
    drop(site);
    disk.events()
}

/// Runs the program on a disk that may lie about syncing. Returns how many cuts lost data or left
/// part of a change.
fn cut_power_at_work(lies: bool, cuts: usize) -> usize {
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let image = empty_image(&path);
    let states = rehearse(&path, &image);
    let events = record(&path, &image);
    cut_power((&image, &events, lies), cuts, |disk, promised| {
        let Some(store) = open(&path, disk) else {
            return false;
        };
        let allowed = &states[promised..(promised + 2).min(states.len())];
        store
            .read(state)
            .is_ok_and(|found| allowed.contains(&found))
    })
}

/// Seven tenths of the cuts are made here; three tenths during an upgrade and a backup.
#[test]
fn a_power_cut_loses_nothing_acknowledged_and_halves_nothing() {
    assert_eq!(cut_power_at_work(false, cuts() / 10 * 7), 0);
}

#[test]
fn the_simulation_notices_a_disk_that_lies_about_syncing() {
    let cuts = 200;
    let lost = cut_power_at_work(true, cuts);
    assert!(lost > cuts / 4, "{lost} of {cuts}");
}

/// Regression: a commit that the disk carried out and reported as failed was in the data file, and
/// pages did not show it until the next start.
#[test]
fn pages_show_what_the_data_file_says_after_a_commit_that_failed() {
    const TELLING: &str = "
        globalThis.respiro = {
          routes: () => JSON.stringify([{ page: 'a', path: '/', kind: 'page' },
            { page: 'a', path: '/404', kind: 'missing', status: 404, prefix: null }]),
          page: (page, path, input) => ({
            head: '', html: `<${JSON.parse(input).site.demo}>`, entry: '', data: '' }),
        };";
    let folder = folder();
    let path = folder.path().join("respiro.redb");
    let image = empty_image(&path);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (mut refused, mut refused_but_there) = (0, 0);
    for mishap in [Mishap::FullAt, Mishap::FailAt, Mishap::FailAfter] {
        for access in 1.. {
            let disk = Disk::with(&image, Mishap::None);
            let site = site_with(open(&path, &disk).unwrap(), TELLING);
            runtime.block_on(site.publish()).unwrap();
            disk.inject(mishap(access));
            let changed: Result<_> =
                runtime.block_on(site.change(|writer| Ok(writer.set_demo(true)?)));
            if access > disk.accesses() {
                break;
            }
            let is_there = site.store().read(|reader| reader.is_demo()).unwrap();
            let shown = site.publisher.page("/").unwrap();
            let shown = String::from_utf8(shown.identity().bytes.to_vec()).unwrap();
            assert!(
                shown.contains(&format!("<{is_there}>")),
                "{:?}: {shown}",
                mishap(access)
            );
            assert!(site.publisher.state().unwrap().ok);
            assert!(is_there || changed.is_err());
            refused += usize::from(changed.is_err());
            refused_but_there += usize::from(changed.is_err() && is_there);
        }
    }
    assert!(
        refused > 2 && refused_but_there > 0,
        "{refused} {refused_but_there}"
    );
}
