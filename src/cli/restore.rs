//! Restores a data file and keeps the replaced one.

use super::control_client::{is_server_running, pin_snapshot, send_request};
use super::{eprint_line, print_line};
use anyhow::{Context, bail};
use respiro_db::fs_util::{create_private, previous_path, reserve_path};
use respiro_db::{CERTIFICATE_NOTES, OpenError, PersonalDecisions, Store, WriteAccess, check};
use respiro_server::control::requests;
use respiro_server::control::{Request, Response, replacement_path};
use respiro_server::state::now;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

fn copy_synced(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = create_private(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()
}

/// Removes a copy of the data file and its reserve; a leftover does no harm.
pub fn remove_copy(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_file(reserve_path(path));
}

/// Replaces the data file by `file` and keeps the replaced file as `….precedente`.
pub fn restore(data: &Path, file: &Path, yes: bool) -> anyhow::Result<()> {
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
    let running = is_server_running(data);
    replace_by_copy(data, file, running)?;
    let next = if running {
        ""
    } else {
        ": start the server now"
    };
    print_line(&format!("{} is restored{next}", data.display()))
}

/// Prints which decisions of persons in the data file the backup does not know of. Prints nothing
/// if the data file cannot be read: a restore is the remedy for a damaged one.
fn print_carried_over(data: &Path, file: &Path) -> anyhow::Result<()> {
    let decisions = |store: &Store| store.read(|reader| reader.personal_decisions()).ok();
    let known: Option<PersonalDecisions> = match pin_snapshot(data) {
        Ok(Some(held)) => Store::open_snapshot(data, &held.header)
            .ok()
            .and_then(|store| decisions(&store)),
        _ => Store::look(data).ok().and_then(|store| decisions(&store)),
    };
    let Some(known) = known else { return Ok(()) };
    let backup = Store::look(file)?;
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

/// Replaces the data file by a verified copy of `file`. A running server does it itself.
pub fn replace_by_copy(data: &Path, file: &Path, running: bool) -> anyhow::Result<()> {
    let twin = replacement_path(data);
    let _ = fs::remove_file(&twin);
    let made = copy_synced(file, &twin)
        .map_err(|error| explain_write_error(&twin, error))
        .and_then(|()| {
            check(&twin)
                .map(drop)
                .map_err(|problems| anyhow::anyhow!("the copy is damaged: {}", problems.join("; ")))
        });
    if made.is_err() {
        let _ = fs::remove_file(&twin);
    }
    made?;
    replace_by_file(data, &twin, running)
}

/// Replaces the data file by a verified file beside it, without a second copy. Removes `file`
/// on failure.
pub fn replace_by_file(data: &Path, file: &Path, running: bool) -> anyhow::Result<()> {
    let draft = replacement_path(data);
    let placed = copy_owner(data, file)
        .and_then(|()| fs::rename(file, &draft))
        .map_err(|error| explain_write_error(&draft, error))
        .and_then(|()| {
            if running {
                request_swap(data)
            } else {
                swap_files(data, &draft)
            }
        });
    if placed.is_err() {
        let _ = fs::remove_file(file);
        let _ = fs::remove_file(&draft);
    }
    placed
}

fn explain_write_error(draft: &Path, error: io::Error) -> anyhow::Error {
    let shown = draft.display();
    if error.kind() == io::ErrorKind::StorageFull {
        return anyhow::anyhow!("the disk is full: make room for {shown}; nothing was changed");
    }
    anyhow::Error::new(error).context(format!("cannot write {shown}"))
}

fn request_swap(data: &Path) -> anyhow::Result<()> {
    match send_request(data, &Request::TakeReplacement)? {
        Some(Response::Done(text)) => {
            let former = previous_path(data);
            print_line(&format!(
                "{text}; the former one is kept as {}",
                former.display()
            ))
        }
        Some(Response::Failed(reason)) => bail!(reason),
        Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
        None => bail!("the server stopped meanwhile: run this again"),
    }
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
    let decisions = |former: &WriteAccess| former.read(|reader| reader.personal_decisions()).ok();
    let decisions = former.as_ref().and_then(decisions);
    let is_unreadable = had_one && decisions.is_none();
    let (carried, _) = store.write(|writer| {
        writer.sessions().remove_all()?;
        writer.put_notes(&certificates)?;
        let carried = decisions
            .map(|known| writer.carry_over(&known))
            .transpose()?;
        writer.start_new_identity(now())?;
        Ok::<_, respiro_db::Error>(carried.unwrap_or_default())
    })?;
    store.swap_in(draft)?;
    drop(former);
    if let Some(summary) = requests::summarize_carried_over(&carried) {
        print_line(&summary)?;
    }
    if is_unreadable {
        print_line(
            "the former file cannot be read: who left the newsletter since the backup is not \
             carried over",
        )?;
    }
    if had_one {
        let former = previous_path(data);
        print_line(&format!("the former file is kept as {}", former.display()))?;
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

/// Gives `draft` the owner of the data file, so that the server can read a file restored by root.
pub(super) fn copy_owner(data: &Path, draft: &Path) -> io::Result<()> {
    let folder = std::path::absolute(data)?;
    let model = fs::metadata(data).or_else(|_| fs::metadata(folder.parent().unwrap_or(data)))?;
    let mine = fs::metadata(draft)?;
    if (model.uid(), model.gid()) == (mine.uid(), mine.gid()) {
        return Ok(());
    }
    chown(draft, Some(model.uid()), Some(model.gid()))
}

fn ask_confirmation(data: &Path, question: &str) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() {
        bail!(
            "{} exists: add --yes to replace it (it is kept as .precedente)",
            data.display()
        );
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
