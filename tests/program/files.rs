//! Commands never destroy what they did not make: files of people beside the data file, sources of
//! a restore, what the site stores during an import.

use super::{PASSWORD, Place, START_TIME_MAX, code, exported_folder, respiro, text};
use respiro_db::Store;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const ID: &str = "abcdefghijklmnopqrstuvwxyz";

fn add_account(place: &Place, email: &str) {
    let added = place.command_with_line(&["admin", "add", email], PASSWORD);
    assert_eq!(code(&added), 0, "{}", text(&added.stderr));
}

fn accounts(place: &Place) -> String {
    text(&place.command(&["admin", "list"]).stdout)
}

/// A place with an account, and a copy of its data file.
fn place_with_copy() -> (Place, Vec<u8>) {
    let place = Place::new();
    add_account(&place, "a@example.org");
    let bytes = fs::read(place.path("site.redb")).unwrap();
    (place, bytes)
}

#[track_caller]
fn restore(place: &Place, file: &Path) -> String {
    let restored = place.command(&["restore", "--yes", file.to_str().unwrap()]);
    assert_eq!(code(&restored), 0, "{}", text(&restored.stderr));
    text(&restored.stdout)
}

/// Regression: a start removed `cp respiro.redb respiro.redb.copia` as a leftover of its own.
#[test]
fn a_start_removes_its_own_leftovers_and_no_copy_of_a_person() {
    let (place, copy) = place_with_copy();
    let theirs = [
        "site.redb.copia",
        "site.redb.prova",
        "site.redb.ripristino",
        "site.redb.arrivo",
        "site.redb.vecchia.parziale",
        "site.redb.copy",
        "site.redb.partial",
        "site.redb.replacement",
        "site.redb.previous-old",
        "site.restore-mine",
        "site.download-2026",
    ];
    let ours = [
        format!("site.redb.{ID}.partial"),
        format!("site.redb.{ID}.staging"),
        format!("site.redb.{ID}.staging.reserve"),
        "site.redb.4711-0.parziale".to_owned(),
        format!("site.restore-{ID}"),
    ];
    for name in theirs {
        fs::write(place.path(name), &copy).unwrap();
    }
    for name in &ours {
        fs::write(place.path(name), "left").unwrap();
    }
    // One that a process is still filling.
    let in_use = Store::open(&place.path(&format!("site.redb.{}.staging", ID.replace('a', "b"))));
    let in_use = in_use.unwrap();
    assert_eq!(place.serve().stop("-TERM"), Some(0));
    for name in theirs {
        assert_eq!(fs::read(place.path(name)).unwrap(), copy, "{name}");
    }
    for name in &ours {
        assert!(!place.path(name).exists(), "{name}");
    }
    assert!(in_use.path().exists());
}

/// Regression: the reserve was whatever had its name. A copy of that name was deleted on a full
/// disk, and a link led a command of root to another file, which grew to 8 MiB.
#[test]
fn a_reserve_is_never_made_of_a_copy_or_through_a_link() {
    let (place, copy) = place_with_copy();
    fs::remove_file(place.path("site.redb.reserve")).unwrap();
    for name in ["site.redb.reserve", "site.redb.riserva"] {
        fs::write(place.path(name), &copy).unwrap();
    }
    add_account(&place, "b@example.org");
    for name in ["site.redb.reserve", "site.redb.riserva"] {
        assert_eq!(fs::read(place.path(name)).unwrap(), copy, "{name}");
        fs::remove_file(place.path(name)).unwrap();
    }
    for (number, target) in ["of-root", "nowhere"].iter().enumerate() {
        let target = place.path(target);
        if number == 0 {
            fs::write(&target, "of root\n").unwrap();
        }
        symlink(&target, place.path("site.redb.reserve")).unwrap();
        add_account(&place, &format!("c{number}@example.org"));
        assert_eq!(
            fs::read(&target).ok().map(|bytes| bytes.len()),
            (number == 0).then_some(8)
        );
        fs::remove_file(place.path("site.redb.reserve")).unwrap();
    }
    add_account(&place, "d@example.org");
    let reserve = fs::metadata(place.path("site.redb.reserve")).unwrap();
    assert_eq!(reserve.len(), 8 * 1024 * 1024);
}

/// Regression: `respiro restore respiro.redb.ripristino` deleted the backup before it was read.
#[test]
fn a_restore_keeps_its_source_whatever_its_name() {
    for served in [false, true] {
        let (place, copy) = place_with_copy();
        add_account(&place, "b@example.org");
        let server = served.then(|| place.serve());
        let names = [
            "ripristino",
            "replacement",
            "copia",
            "previous",
            "precedente-nuovo",
        ];
        for name in names {
            let source = place.path(&format!("site.redb.{name}"));
            fs::write(&source, &copy).unwrap();
            let told = restore(&place, &source);
            assert!(
                fs::read(&source).unwrap() == copy,
                "{name}, served: {served}"
            );
            let kept = told
                .split("kept as ")
                .nth(1)
                .unwrap()
                .lines()
                .next()
                .unwrap();
            assert!(
                Path::new(kept).is_file() && Path::new(kept) != source,
                "{told}"
            );
        }
        drop(server);
        // Of the files that restores have kept, only the newest is left beside that of a person.
        let previous = |name: &str| place.path(name).exists();
        assert!(previous("site.redb.previous") && previous("site.redb.previous-2"));
        assert!(!previous("site.redb.previous-3") && place.left().is_empty());
    }
}

/// Regression: a folder of that name made the restore fail after the files were exchanged. The
/// program said that nothing was restored and went on with the former file, which lost what was
/// stored then at the next start.
#[test]
fn a_folder_in_the_way_of_the_previous_file_fails_no_restore() {
    let (place, copy) = place_with_copy();
    let source = place.path("copy.redb");
    fs::write(&source, copy).unwrap();
    fs::create_dir(place.path("site.redb.previous")).unwrap();
    let server = place.serve();
    let told = restore(&place, &source);
    assert!(told.contains("site.redb.previous-2"), "{told}");
    add_account(&place, "b@example.org");
    assert_eq!(server.stop("-TERM"), Some(0));
    let _server = place.serve();
    assert!(accounts(&place).contains("b@example.org"));
    assert!(place.path("site.redb.previous").is_dir());
}

/// Returns a folder on another file system than the temporary folder, if there is one.
fn other_disk(place: &Place) -> Option<TempDir> {
    let folder = tempfile::tempdir_in("/dev/shm").ok()?;
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    (device(folder.path()) != device(place.folder.path())).then_some(folder)
}

/// Regression: what replaces the data file lay beside the link, and could not be renamed to another
/// disk; the reserve lay there too.
#[test]
fn a_data_file_behind_a_link_is_restored_on_its_own_disk() {
    let (place, copy) = place_with_copy();
    let Some(disk) = other_disk(&place) else {
        return;
    };
    fs::remove_file(place.path("site.redb.reserve")).unwrap();
    fs::remove_file(place.path("site.redb")).unwrap();
    let real = disk.path().join("real.redb");
    fs::write(&real, &copy).unwrap();
    symlink(&real, place.path("site.redb")).unwrap();
    let source = place.path("copy.redb");
    fs::write(&source, copy).unwrap();
    add_account(&place, "b@example.org");
    restore(&place, &source);
    add_account(&place, "c@example.org");
    {
        let _server = place.serve();
        assert_eq!(code(&place.command(&["healthcheck"])), 0);
        assert_eq!(code(&place.command(&["check", &place.data()])), 0);
        restore(&place, &source);
        assert!(!accounts(&place).contains("c@example.org"));
    }
    assert!(
        fs::symlink_metadata(place.path("site.redb"))
            .unwrap()
            .is_symlink()
    );
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "real.redb.sock")
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(place.folder.path()), ["copy.redb", "site.redb"]);
    let beside = ["", ".page-cache", ".previous", ".reserve"];
    assert_eq!(
        names(disk.path()),
        beside.map(|ending| format!("real.redb{ending}"))
    );
}

#[test]
fn files_of_earlier_builds_beside_the_data_file_are_used_on() {
    let (place, copy) = place_with_copy();
    let reserve = place.path("site.redb.reserve");
    let inode = fs::metadata(&reserve).unwrap().ino();
    fs::rename(&reserve, place.path("site.redb.riserva")).unwrap();
    fs::write(place.path("site.redb.precedente"), &copy).unwrap();
    assert_eq!(place.serve().stop("-TERM"), Some(0));
    fs::rename(
        place.path("site.redb.page-cache"),
        place.path("site.redb.pagine"),
    )
    .unwrap();
    let pages = fs::read_dir(place.path("site.redb.pagine"))
        .unwrap()
        .count();
    assert!(pages > 0);
    let note = place.path("site.redb.pagine/nota.txt");
    fs::write(&note, "mine").unwrap();
    assert_eq!(place.serve().stop("-TERM"), Some(0));
    assert_eq!(fs::metadata(&reserve).unwrap().ino(), inode);
    assert_eq!(fs::read(place.path("site.redb.previous")).unwrap(), copy);
    assert!(place.path("site.redb.page-cache/nota.txt").exists());
    // Beside a new cache folder the old one is emptied, but for files of people.
    let old = place.path("site.redb.pagine");
    fs::create_dir(&old).unwrap();
    for name in [
        "nota.txt".to_owned(),
        "ab".repeat(32),
        format!("{}.parziale", "cd".repeat(32)),
    ] {
        fs::write(old.join(name), "x").unwrap();
    }
    assert_eq!(place.serve().stop("-TERM"), Some(0));
    let left: Vec<_> = fs::read_dir(&old)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["nota.txt"]);
}

/// Waits until a file beside the data file has a name that ends like this.
fn appears(place: &Place, ending: &str) -> PathBuf {
    let started = Instant::now();
    loop {
        let entries = fs::read_dir(place.folder.path()).unwrap().flatten();
        let mut paths = entries.map(|entry| entry.path());
        if let Some(found) = paths.find(|path| path.to_str().unwrap().ends_with(ending)) {
            return found;
        }
        assert!(started.elapsed() < START_TIME_MAX, "no {ending}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Regression: the server exchanged its file for a copy that was filled for minutes, and lost what
/// was stored meanwhile.
#[test]
fn an_import_beside_a_server_loses_nothing_that_is_stored_meanwhile() {
    let place = Place::new();
    let content = exported_folder(&place);
    add_account(&place, "before@example.org");
    let _server = place.serve();
    let import = || {
        respiro(&["--data", &place.data(), "import", &place.name("in")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let signal = |child: &std::process::Child, name: &str| {
        let sent = Command::new("kill")
            .args([name, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
    };
    let first = import();
    appears(&place, ".staging");
    signal(&first, "-STOP");
    add_account(&place, "meanwhile@example.org");
    signal(&first, "-CONT");
    let first = first.wait_with_output().unwrap();
    assert_eq!(code(&first), 0, "{}", text(&first.stderr));
    let listed = accounts(&place);
    assert!(
        listed.contains("before@") && listed.contains("meanwhile@"),
        "{listed}"
    );
    assert!(place.left().is_empty(), "{:?}", place.left());
    let id = content["items"]["events"][0]["id"].as_str().unwrap();
    let exported = place.command(&["export", &place.name("out")]);
    assert_eq!(code(&exported), 0, "{}", text(&exported.stderr));
    let json = fs::read_to_string(place.path("out/respiro.json")).unwrap();
    assert!(json.contains(id) && json.contains("a@example.org"));
    let again = import().wait_with_output().unwrap();
    assert!(
        text(&again.stderr).contains("has content already"),
        "{}",
        text(&again.stderr)
    );
}

/// Regression: the originals of an export, which say where a photo was taken, followed the umask.
#[test]
fn an_export_can_be_read_by_its_owner_alone() {
    let place = Place::new();
    exported_folder(&place);
    assert_eq!(code(&place.command(&["import", &place.name("in")])), 0);
    let out = place.name("out");
    let script = format!(
        "umask 000; exec \"$0\" --data {} export {out}",
        place.data()
    );
    let exported = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_respiro")])
        .env_clear()
        .output()
        .unwrap();
    assert_eq!(code(&exported), 0, "{}", text(&exported.stderr));
    let mut files = 0;
    let mut folders = vec![PathBuf::from(out)];
    while let Some(folder) = folders.pop() {
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                assert_eq!(mode, 0o600, "{}", path.display());
            }
        }
    }
    assert_eq!(files, 2);
}
