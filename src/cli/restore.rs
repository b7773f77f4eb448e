//! Restores a data file and keeps the replaced one.

use super::control_client::{STOPPED, is_server_running, pin_snapshot, send_request};
use super::{eprint_line, print_line};
use anyhow::{Context, bail};
use respiro_db::clock::CLOCK_NOTE;
use respiro_db::fs_util::{TempKind, copy_synced, random_id, temp_path_with_id};
use respiro_db::{CERTIFICATE_NOTES, OpenError, PersonalDecisions, Store, WriteAccess, check};
use respiro_server::control::requests;
use respiro_server::control::{Request, Response};
use respiro_server::state::now;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

/// Replaces the data file by `file` and keeps the replaced file as `….previous`.
pub fn restore(data: &Path, file: &Path, yes: bool) -> anyhow::Result<()> {
    // Opened before anything is written: the copy is made of this file even if its name changes.
    let mut source = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let report = match check(file) {
        Ok(report) => report,
        Err(problems) => bail!(
            "{} is not restored, it is no good: {}",
            file.display(),
            problems.join("; ")
        ),
    };
    for oddity in &report.oddities {
        eprint_line(&format!("warning: {oddity}"));
    }
    print_line(&format!(
        "{}: {}",
        file.display(),
        requests::summarize_contents(&report.stats)
    ))?;
    print_carried_over(data, file)?;
    require_replaceable(data, yes, &format!("replace {}?", data.display()))?;
    create_parent_folder(data)?;
    let is_running = is_server_running(data);
    let id = random_id()?;
    let twin = temp_path_with_id(data, &id, TempKind::Replacement);
    let swapped = copy_checked(&mut source, &twin)
        .and_then(|twin_file| replace_by_file(data, &id, &twin_file, is_running))?;
    if let Outcome::Refused(error) = swapped {
        // A copy of `file`, which is still there.
        let _ = fs::remove_file(&twin);
        return Err(error);
    }
    report_restored(data, "", is_running);
    Ok(())
}

/// Prints that the data file was replaced. A closed pipe makes no failure of it.
pub fn report_restored(data: &Path, origin: &str, is_running: bool) {
    let next = if is_running {
        ""
    } else {
        ": start the server now"
    };
    let _ = print_line(&format!("{} is restored{origin}{next}", data.display()));
}

fn copy_checked(source: &mut File, twin: &Path) -> anyhow::Result<File> {
    let copied = copy_synced(source, twin).map_err(|error| explain_write_error(twin, error))?;
    if let Err(problems) = check(twin) {
        let _ = fs::remove_file(twin);
        bail!("the copy is damaged: {}", problems.join("; "));
    }
    Ok(copied)
}

/// Prints which decisions of persons in the data file the backup does not know of. Prints nothing
/// if one of the files cannot be read: a restore is the remedy for a damaged data file, and
/// migrates a backup of an older format.
fn print_carried_over(data: &Path, file: &Path) -> anyhow::Result<()> {
    let decisions = |store: &Store| store.read(|reader| reader.personal_decisions()).ok();
    let known: Option<PersonalDecisions> = match pin_snapshot(data) {
        Ok(Some(held)) => Store::open_snapshot(data, &held.header)
            .ok()
            .and_then(|store| decisions(&store)),
        _ => Store::look(data).ok().and_then(|store| decisions(&store)),
    };
    let Some(known) = known else { return Ok(()) };
    let Ok(backup) = Store::look(file) else {
        return Ok(());
    };
    let carried = backup.read(|reader| known.count_missing_in(reader))?;
    requests::summarize_carried_over(&carried).map_or(Ok(()), |summary| print_line(&summary))
}

/// Fails if another program has the data file open, or if the operator does not confirm.
pub fn require_replaceable(data: &Path, yes: bool, question: &str) -> anyhow::Result<()> {
    if !data.exists() {
        return Ok(());
    }
    if !is_server_running(data) {
        drop(open_unless_locked(data)?);
    }
    if !yes && !ask_confirmation(data, question)? {
        bail!("nothing was changed");
    }
    Ok(())
}

/// Creates the folder of a data file.
pub fn create_parent_folder(data: &Path) -> anyhow::Result<()> {
    let folder = data
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
    })
}

/// Outcome of a replacement. An `Err` beside it means that the outcome is unknown.
pub enum Outcome {
    Replaced,
    /// The restore changed nothing, and kept the uploaded or downloaded file.
    Refused(anyhow::Error),
}

/// Replaces the data file by the verified file with this `id` beside it, which is open as `file`. A
/// running server does it itself.
pub fn replace_by_file(
    data: &Path,
    id: &str,
    file: &File,
    is_running: bool,
) -> anyhow::Result<Outcome> {
    let draft = temp_path_with_id(data, id, TempKind::Replacement);
    if let Err(error) = copy_owner(data, file) {
        return Ok(Outcome::Refused(explain_write_error(&draft, error)));
    }
    if is_running {
        return request_swap(data, id);
    }
    Ok(match swap_files(data, &draft) {
        Ok(()) => Outcome::Replaced,
        Err(error) => Outcome::Refused(error),
    })
}

fn explain_write_error(draft: &Path, error: io::Error) -> anyhow::Error {
    let shown = draft.display();
    if error.kind() == io::ErrorKind::StorageFull {
        return anyhow::anyhow!("the disk is full: make room for {shown}; nothing was changed");
    }
    anyhow::Error::new(error).context(format!("cannot write {shown}"))
}

fn request_swap(data: &Path, id: &str) -> anyhow::Result<Outcome> {
    let answer = send_request(data, &Request::SwapIn { id: id.to_owned() }).context(
        "it is not known whether the server took the file: `respiro check` the data file",
    )?;
    let refusal = match answer {
        Some(Response::Done(text)) => {
            let _ = print_line(&text);
            return Ok(Outcome::Replaced);
        }
        Some(Response::Failed(reason)) => reason,
        Some(_) => "the server gave an answer that does not fit: is it another version?".to_owned(),
        None => STOPPED.to_owned(),
    };
    Ok(Outcome::Refused(anyhow::Error::msg(refusal)))
}

/// Replaces the data file without a server. Keeps the replaced file open, and so locked, meanwhile.
fn swap_files(data: &Path, draft: &Path) -> anyhow::Result<()> {
    let former = if data.exists() {
        open_unless_locked(data)?
    } else {
        None
    };
    let had_one = data.exists();
    let mut store = Store::open_candidate(draft, data)?;
    // Keep the current certificate, if it can be read.
    let certificates =
        |former: &WriteAccess| former.read(|reader| reader.notes(CERTIFICATE_NOTES)).ok();
    let certificates = former.as_ref().and_then(certificates).unwrap_or_default();
    // The time that the backup knows is older.
    let seen = former
        .as_ref()
        .and_then(|former| former.read(|reader| reader.note(CLOCK_NOTE)).ok()?);
    let decisions = |former: &WriteAccess| former.read(|reader| reader.personal_decisions()).ok();
    let decisions = former.as_ref().and_then(decisions);
    let is_unreadable = had_one && decisions.is_none();
    let (carried, _) = store.write(|writer| {
        writer.sessions().remove_all()?;
        writer.account_links().remove_all()?;
        writer.put_notes(&certificates)?;
        if let Some(seen) = &seen {
            writer.put_note(CLOCK_NOTE, seen)?;
        }
        let carried = decisions
            .map(|known| writer.carry_over(&known))
            .transpose()?;
        if let Some(former) = former.as_ref() {
            // A damaged file must not prevent a restore.
            let _ = former.read(|reader| writer.carry_over_drafts(reader, now()));
        }
        writer.start_new_identity(now())?;
        Ok::<_, respiro_db::Error>(carried.unwrap_or_default())
    })?;
    let kept = store.swap_in(draft, former.as_deref())?;
    drop(former);
    if let Some(summary) = requests::summarize_carried_over(&carried) {
        let _ = print_line(&summary);
    }
    if is_unreadable {
        let _ = print_line(
            "the former file cannot be read: who left the newsletter since the backup is not \
             carried over",
        );
    }
    if let Some(kept) = kept {
        let _ = print_line(&format!("the former file is kept as {}", kept.display()));
    }
    Ok(())
}

/// Opens the data file. Returns `None` for a damaged file, which may be replaced; fails if
/// another program uses the file.
fn open_unless_locked(data: &Path) -> anyhow::Result<Option<WriteAccess>> {
    match Store::open(data) {
        Ok(store) => Ok(Some(store)),
        Err(error @ (OpenError::Locked(_) | OpenError::Special(_))) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// Gives an open file the owner of the data file, so that the server can read what root made. Not
/// by its name: the owner of the folder could put a link to another file there.
pub(super) fn copy_owner(data: &Path, file: &File) -> io::Result<()> {
    let folder = std::path::absolute(data)?;
    let model = fs::metadata(data).or_else(|_| fs::metadata(folder.parent().unwrap_or(data)))?;
    let mine = file.metadata()?;
    if (model.uid(), model.gid()) == (mine.uid(), mine.gid()) {
        return Ok(());
    }
    fchown(file, Some(model.uid()), Some(model.gid()))
}

fn ask_confirmation(data: &Path, question: &str) -> anyhow::Result<bool> {
    let refusal = format!(
        "{} exists: add --yes to replace it (it is kept as .previous)",
        data.display()
    );
    ask(question, &refusal)
}

/// Asks the operator in a terminal. Fails with `refusal` if there is none.
pub fn ask(question: &str, refusal: &str) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() {
        bail!(refusal.to_owned());
    }
    let mut stderr = io::stderr();
    write!(stderr, "{question} [y/N] ")?;
    stderr.flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes" | "s" | "si" | "sì"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_db::{Subscriber, Subscription, Writer};
    use std::os::unix::fs::symlink;

    /// Regression: the owner of the folder put a link in place of the copy, and the command of root
    /// gave him the file behind it.
    #[test]
    fn the_owner_changes_of_the_open_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["data", "draft", "of root"] {
            fs::write(path(name), name).unwrap();
        }
        let nobody = 65534;
        if std::os::unix::fs::chown(path("data"), Some(nobody), Some(nobody)).is_err() {
            return;
        }
        let draft = File::open(path("draft")).unwrap();
        fs::remove_file(path("draft")).unwrap();
        symlink(path("of root"), path("draft")).unwrap();
        copy_owner(&path("data"), &draft).unwrap();
        assert_eq!(draft.metadata().unwrap().uid(), nobody);
        assert_ne!(fs::metadata(path("of root")).unwrap().uid(), nobody);
    }

    /// Regression: a restore replaced the current certificate, valid for weeks, by that of the
    /// backup, which had mostly expired.
    #[test]
    fn without_a_server_the_certificate_in_use_stays_too() {
        let folder = tempfile::tempdir().unwrap();
        let (data, draft) = (folder.path().join("data"), folder.path().join("draft"));
        for (path, account) in [(&data, &b"in use"[..]), (&draft, b"of last year")] {
            let store = Store::open(path).unwrap();
            let notes = [("acme-account-a".to_owned(), account.to_vec())];
            store.write(|writer| writer.put_notes(&notes)).unwrap();
        }
        let only_there = |writer: &mut Writer<'_>| writer.put_note("acme-certificate-b", b"b");
        Store::open(&draft).unwrap().write(only_there).unwrap();
        swap_files(&data, &draft).unwrap();
        let store = Store::open(&data).unwrap();
        let note = |name: &str| store.read(|reader| reader.note(name)).unwrap().unwrap();
        assert_eq!(note("acme-account-a"), b"in use");
        assert_eq!(note("acme-certificate-b"), b"b");
    }

    /// Regression: a restore subscribed again who had left the newsletter since the backup.
    #[test]
    fn without_a_server_who_left_the_newsletter_stays_away() {
        let folder = tempfile::tempdir().unwrap();
        let (data, draft) = (folder.path().join("data"), folder.path().join("draft"));
        let email = "left@example.it";
        let states = [
            (&data, Subscription::Unsubscribed),
            (&draft, Subscription::Confirmed),
        ];
        for (path, state) in states {
            let subscriber = Subscriber {
                email: email.to_owned(),
                state,
                consent_text: String::new(),
                created_at: 1,
                confirmed_at: Some(2),
            };
            let store = Store::open(path).unwrap();
            store
                .write(|writer| writer.subscribers().put(&subscriber))
                .unwrap();
        }
        print_carried_over(&data, &draft).unwrap();
        swap_files(&data, &draft).unwrap();
        let store = Store::open(&data).unwrap();
        let found = store
            .read(|reader| reader.subscribers().get(email))
            .unwrap();
        assert_eq!(found.unwrap().state, Subscription::Unsubscribed);
    }
}
