//! Replaces the data file by a restored one while the site stays up.

use super::write_path::{Site, WriteGuard, blocking};
use super::{Error, Result};
use arc_swap::ArcSwap;
use respiro_content::Timestamp;
use respiro_db::clock::Clock;
use respiro_db::{
    self as db, CERTIFICATE_NOTES, CarriedOver, OpenError, PersonalDecisions, Session, Store,
    WriteAccess, Writer, check, failpoint,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Hash of a session's token, and the session, which stays signed in after the restore.
pub type KeptSession = ([u8; 32], Session);

/// Result of a restore: where the former file is, and what was carried over from it.
#[derive(Debug)]
pub struct Restored {
    /// Where the former data file is kept.
    pub kept: Option<PathBuf>,
    /// Decisions of persons that the new file took over from the former one.
    pub carried: CarriedOver,
}

impl Site {
    /// Replaces the data file by `file` and publishes its content.
    ///
    /// A blocking job owns the guard and `held`, so that it completes if the caller is cancelled.
    /// The former file is kept beside the new one, usually with the suffix `.previous`. Every
    /// session of the new file ends; `session` is added if the new file has its account, or has no
    /// account at all. On failure `file` stays: the reason may pass.
    pub async fn restore(
        &self,
        file: PathBuf,
        session: Option<KeptSession>,
        held: impl Send + 'static,
    ) -> Result<Restored> {
        let guard = self.write_guard().await;
        let current = Arc::clone(&self.store);
        blocking(move || {
            let _held = held;
            let restored = swap_store(&guard, &current, &file, session, &guard.options.clock);
            match &restored {
                Ok(restored) => {
                    guard.count_commit();
                    tracing::info!(?restored, "a backup was restored");
                }
                Err(error) => tracing::error!(%error, "nothing was restored"),
            }
            restored
        })
        .await
    }

    /// Counts the decisions of persons that the backup in `file` does not know of; a restore
    /// carries them over.
    pub async fn count_carried_over(&self, file: PathBuf) -> Result<CarriedOver> {
        let store = self.store();
        blocking(move || {
            let decisions = store.read(|reader| reader.personal_decisions())?;
            let backup = Store::look(&file).map_err(as_error)?;
            Ok(backup.read(|reader| decisions.count_missing_in(reader))?)
        })
        .await
    }
}

/// Checks and renders the new file, then swaps the files and the published pages. Until the swap
/// nothing changes.
///
/// Off-site backups of the former file may start until then: `clock` gives the time from which on
/// backups belong to the new file.
fn swap_store(
    guard: &WriteGuard,
    current: &ArcSwap<WriteAccess>,
    file: &Path,
    session: Option<KeptSession>,
    clock: &Clock,
) -> Result<Restored> {
    failpoint("begun");
    check(file).map_err(|problems| db::Error::Storage(problems.join("; ")))?;
    let mut store = Store::open_candidate(file, guard.store.path()).map_err(as_error)?;
    failpoint("opened");
    // The certificate in use stays in use, so its notes must describe it and not that of the
    // backup.
    let certificates = guard.store.read(|reader| reader.notes(CERTIFICATE_NOTES))?;
    let decisions = known_decisions(&guard.store);
    let (carried, _) = store.write(|writer| {
        writer.sessions().remove_all()?;
        writer.account_links().remove_all()?;
        writer.put_notes(&certificates)?;
        writer.set_copies_elsewhere(guard.options.has_offsite_backups)?;
        let host_email = guard.options.host_email.as_deref();
        writer.notifications().set_host_email(host_email)?;
        let carried = decisions.map(|known| writer.carry_over(&known));
        carry_over_drafts(writer, &guard.store, clock.now());
        session.map_or(Ok(()), |kept| keep_in(writer, &guard.store, kept))?;
        Ok::<_, Error>(carried.transpose()?)
    })?;
    failpoint("signed in");
    let mut snapshot = store.read(|reader| guard.options.snapshot(reader))?;
    let former = guard.publisher.pages();
    snapshot.day = snapshot.day.or(former.and_then(|pages| pages.snapshot.day));
    let mut kept = None;
    guard.publisher.publish_after(snapshot, guard.now, || {
        failpoint("rendered");
        store.write(|writer| {
            writer.start_new_identity(clock.now())?;
            // The time that the backup knows is older.
            writer.record_time(clock)
        })?;
        kept = store.swap_in(file, Some(&guard.store))?;
        current.store(Arc::new(store));
        Ok(())
    })?;
    failpoint("published");
    let carried = carried.unwrap_or_default();
    Ok(Restored { kept, carried })
}

/// Returns what persons decided until now. `None` if a damaged file cannot say: then the restore
/// goes on, because it is the remedy.
fn known_decisions(former: &Store) -> Option<PersonalDecisions> {
    let decisions = former.read(|reader| reader.personal_decisions());
    decisions
        .inspect_err(|error| {
            tracing::error!(%error, "who left the newsletter since the backup is not carried over");
        })
        .ok()
}

/// Adds the drafts of the former file. A damaged file must not prevent a restore.
fn carry_over_drafts(writer: &mut Writer<'_>, former: &Store, now: Timestamp) {
    let carried = former.read(|reader| writer.carry_over_drafts(reader, now));
    if let Err(error) = carried {
        tracing::error!(%error, "drafts of the former data file are not carried over");
    }
}

/// Adds the session to the new file. If the file has no account, the account is copied too, because
/// the admin would be locked out otherwise. Its passkeys are not: they are valid only in their own
/// data file.
fn keep_in(
    writer: &mut Writer<'_>,
    former: &Store,
    (token_hash, session): KeptSession,
) -> Result<()> {
    if writer.accounts().list()?.is_empty()
        && let Some(account) = former.read(|reader| reader.accounts().get(&session.email))?
    {
        let details = former.read(|reader| reader.accounts().details(&session.email))?;
        writer.accounts().create(&account, &details)?;
    }
    if writer.accounts().get(&session.email)?.is_some() {
        writer.sessions().begin(&token_hash, &session)?;
    }
    Ok(())
}

fn as_error(error: OpenError) -> Error {
    match error {
        OpenError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            db::Error::StorageFull.into()
        }
        error => db::Error::Storage(error.to_string()).into(),
    }
}

#[cfg(debug_assertions)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::power_loss::{BUNDLE, site_with};
    use respiro_db::Account;
    use respiro_db::clock::system_time;
    use respiro_db::fs_util::is_leftover_name;
    use std::env;
    use std::process::{Command, Stdio};

    /// Passes the folder to the child process. Without it the child's test does nothing.
    const FOLDER: &str = "RESPIRO_TEST_KILL_FOLDER";
    const EMAIL: &str = "anna@example.it";
    /// Every step of a restore, in order, and the site that the next start finds after a kill
    /// there.
    const STEPS: &[(&str, &[u8])] = &[
        ("begun", b"old"),
        ("opened", b"old"),
        ("signed in", b"old"),
        ("rendered", b"old"),
        ("synced", b"old"),
        ("kept aside", b"old"),
        ("exchanged", b"new"),
        ("exchanged for good", b"new"),
        ("settled", b"new"),
        ("published", b"new"),
    ];

    fn open_as(path: &Path, site: &[u8]) -> WriteAccess {
        let store = Store::open(path).unwrap();
        let account = Account {
            email: EMAIL.to_owned(),
            password_hash: "$argon2id$…".to_owned(),
            created_at: 0,
            second_factor: None,
        };
        let written = store.write(|writer| {
            writer.put_note("site", site)?;
            writer.accounts().put(&account)
        });
        written.unwrap();
        store
    }

    fn site_of(store: &Store) -> Vec<u8> {
        store.read(|reader| reader.note("site")).unwrap().unwrap()
    }

    fn session() -> Session {
        let now = system_time();
        Session {
            id: "s".to_owned(),
            email: EMAIL.to_owned(),
            created_at: now,
            last_seen_at: now,
            user_agent: String::new(),
        }
    }

    /// Not a test by itself: the process that is killed during a restore.
    #[test]
    fn the_child_restores_until_it_is_killed() {
        let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
            return;
        };
        let data = folder.join("data.redb");
        let store = Store::open(&data).unwrap();
        let site = site_with(store, BUNDLE);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(site.publish()).unwrap();
        let file = folder.join("data.redb.abcdefghijklmnopqrstuvwxyz.upload");
        let done = runtime.block_on(site.restore(file, Some(([1; 32], session())), ()));
        done.unwrap();
    }

    /// Regression: the identity of the file began before the checks. An off-site backup that
    /// started during them was taken for that of another machine, and all later ones were refused.
    #[test]
    fn another_lineage_begins_when_the_files_are_exchanged() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.redb");
        let candidate = folder
            .path()
            .join("data.redb.abcdefghijklmnopqrstuvwxyz.upload");
        drop(open_as(&candidate, b"new"));
        let site = site_with(open_as(&data, b"old"), BUNDLE);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let guard = runtime.block_on(site.write_guard());
        let clock = Clock::default();
        clock.pass(60_000);
        swap_store(&guard, &site.store, &candidate, None, &clock).unwrap();
        let lineage = site.store().read(|reader| reader.file_identity()).unwrap();
        assert!(lineage.unwrap().since >= guard.now + 60_000);
    }

    /// Regression: the file was removed after every failure, also after one that passes, and with it
    /// hours of upload or download.
    #[test]
    fn a_file_that_could_not_be_restored_stays_for_another_try() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.redb");
        let candidate = folder.path().join("copy.redb");
        let in_use = open_as(&candidate, b"new");
        let site = site_with(open_as(&data, b"old"), BUNDLE);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let restore = || runtime.block_on(site.restore(candidate.clone(), None, ()));
        restore().unwrap_err();
        assert!(candidate.exists());
        assert_eq!(site_of(&site.store()), b"old");
        drop(in_use);
        let kept = restore().unwrap().kept;
        assert_eq!(kept, Some(folder.path().join("data.redb.previous")));
        assert_eq!(site_of(&site.store()), b"new");
    }

    /// Regression: a backup of last year brought back its certificate note, and e-mails and metrics
    /// reported the site's certificate as expired while the one in memory was valid for weeks.
    #[test]
    fn the_certificate_in_use_stays_and_one_that_only_the_copy_knows_comes_along() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.redb");
        let candidate = folder
            .path()
            .join("data.redb.abcdefghijklmnopqrstuvwxyz.upload");
        let put = |store: &WriteAccess, notes: &[(&str, &[u8])]| {
            let written = store.write(|writer| {
                let mut notes = notes.iter();
                notes.try_for_each(|(name, value)| writer.put_note(name, value))
            });
            written.unwrap();
        };
        let copy = open_as(&candidate, b"new");
        put(
            &copy,
            &[
                ("acme-account-a", b"of last year"),
                ("acme-certificate-a", b"of last year"),
                ("acme-certificate-b", b"of another name"),
            ],
        );
        drop(copy);
        let store = open_as(&data, b"old");
        put(
            &store,
            &[
                ("acme-account-a", b"in use"),
                ("acme-certificate-a", b"in use"),
                ("acmf", b"no certificate"),
            ],
        );
        let site = site_with(store, BUNDLE);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let guard = runtime.block_on(site.write_guard());
        swap_store(&guard, &site.store, &candidate, None, site.clock()).unwrap();
        let note = |name: &str| site.store().read(|reader| reader.note(name)).unwrap();
        let text = |name: &str| note(name).map(|note| String::from_utf8(note).unwrap());
        assert_eq!(text("acme-account-a").as_deref(), Some("in use"));
        assert_eq!(text("acme-certificate-a").as_deref(), Some("in use"));
        assert_eq!(
            text("acme-certificate-b").as_deref(),
            Some("of another name")
        );
        assert_eq!(text("acmf"), None);
        assert_eq!(text("site").as_deref(), Some("new"));
    }

    /// Regression: a crash between the two renames made the next start create an empty site.
    #[test]
    fn killed_at_any_step_of_a_restore_the_next_start_finds_one_whole_site() {
        for (step, expected) in STEPS {
            let folder = tempfile::tempdir().unwrap();
            let data = folder.path().join("data.redb");
            drop(open_as(&data, b"old"));
            let new = open_as(&folder.path().join("other.redb"), b"new");
            new.backup(
                &folder
                    .path()
                    .join("data.redb.abcdefghijklmnopqrstuvwxyz.upload"),
                0,
            )
            .unwrap();
            drop(new);
            let killed = Command::new(env::current_exe().unwrap())
                .args([
                    "--exact",
                    "restore::tests::the_child_restores_until_it_is_killed",
                ])
                .env(FOLDER, folder.path())
                .env("RESPIRO_TEST_KILL_AT", step)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            assert_eq!(killed.code(), None, "{step}: it was not killed");

            let store = Store::open(&data).unwrap();
            store.finish_interrupted_swap();
            assert_eq!(&site_of(&store), expected, "{step}");
            let signed_in = store
                .read(|reader| reader.sessions().get(&[1; 32]))
                .unwrap();
            assert_eq!(signed_in.is_some(), *expected == b"new", "{step}");
            drop(store);
            check(&data).unwrap();
            let former = folder.path().join("data.redb.previous");
            assert_eq!(former.exists(), *expected == b"new", "{step}");
            if former.exists() {
                assert_eq!(site_of(&Store::look(&former).unwrap()), b"old", "{step}");
            }
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            let left =
                |name: &str| is_leftover_name(name, "data.redb") || name.contains(".previous.");
            assert!(
                !names.iter().any(|name| left(&name.to_string_lossy())),
                "{step}: {names:?}"
            );
        }
    }
}
