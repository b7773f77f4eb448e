//! Files moved without ever losing one: copies taken over, data files put back.

use super::control::{Answer, Request, ask, replacement_of, server_is_there};
use super::{operations, say};
use crate::store::place::{self, beside, create_private, former_of};
use crate::store::{OpenError, Store, check};
use anyhow::{Context, bail};
use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

/// Takes the checked copy at `from` over as `out`, which must not exist, and removes `from`.
pub fn take(from: &Path, out: &Path) -> anyhow::Result<()> {
    let placed = match fs::hard_link(from, out) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(exists(out)),
        // Another disk: the bytes have to travel, so they are checked again.
        Err(_) => copy_checked(from, out),
    };
    fs::remove_file(from).with_context(|| format!("cannot remove {}", from.display()))?;
    placed
}

/// Copies under a temporary name, syncs, checks, then gives the copy its name.
fn copy_checked(from: &Path, out: &Path) -> anyhow::Result<()> {
    let draft = beside(out, &format!(".{}.parziale", std::process::id()));
    let written = copy_synced(from, &draft)
        .with_context(|| format!("cannot write {}", draft.display()))
        .and_then(|()| {
            check(&draft).map_err(|problems| {
                anyhow::anyhow!(
                    "the copy is damaged and was removed: {}",
                    problems.join("; ")
                )
            })
        })
        .and_then(|_| match fs::hard_link(&draft, out) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(exists(out)),
            linked => linked.with_context(|| format!("cannot write {}", out.display())),
        });
    // After success the file lives on under its own name.
    let _ = fs::remove_file(&draft);
    written
}

fn copy_synced(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = create_private(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()
}

fn exists(out: &Path) -> anyhow::Error {
    anyhow::anyhow!("{} exists already: choose another name", out.display())
}

/// Puts `file` in the place of the data file, which is kept as `….precedente`.
pub fn restore(data: &Path, file: &Path, yes: bool) -> anyhow::Result<()> {
    let figures = match check(file) {
        Ok(figures) => figures,
        Err(problems) => bail!(
            "{} is not restored, it is no good: {}",
            file.display(),
            problems.join("; ")
        ),
    };
    say(&format!(
        "{}: {}",
        file.display(),
        operations::summary(&figures)
    ))?;
    let running = server_is_there(data);
    if data.exists() {
        if !running {
            refuse_when_locked(data)?;
        }
        if !yes && !confirmed(data)? {
            bail!("nothing was changed");
        }
    }
    if let Some(folder) = data
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    put_in_place(data, file, running)?;
    let next = if running {
        ""
    } else {
        ": start the server now"
    };
    say(&format!("{} is restored{next}", data.display()))
}

/// A checked twin of `file` takes the data file's place, by the running server's own hand.
pub fn put_in_place(data: &Path, file: &Path, running: bool) -> anyhow::Result<()> {
    let draft = replacement_of(data);
    let _ = fs::remove_file(&draft);
    let placed = copy_synced(file, &draft)
        .and_then(|()| keep_owner(data, &draft))
        .with_context(|| format!("cannot write {}", draft.display()))
        .and_then(|()| {
            check(&draft)
                .map(drop)
                .map_err(|problems| anyhow::anyhow!("the copy is damaged: {}", problems.join("; ")))
        })
        .and_then(|()| {
            if running {
                hand_over(data)
            } else {
                exchange(data, &draft)
            }
        });
    if placed.is_err() {
        let _ = fs::remove_file(&draft);
    }
    placed
}

fn hand_over(data: &Path) -> anyhow::Result<()> {
    match ask(data, &Request::TakeReplacement)? {
        Some(Answer::Done(text)) => {
            let former = former_of(data);
            say(&format!(
                "{text}; the former one is kept as {}",
                former.display()
            ))
        }
        Some(Answer::Failed(reason)) => bail!(reason),
        Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
        None => bail!("the server stopped meanwhile: run this again"),
    }
}

fn exchange(data: &Path, draft: &Path) -> anyhow::Result<()> {
    let former = place::exchange(draft, data)
        .with_context(|| format!("cannot put the file in the place of {}", data.display()))?;
    if let Some(former) = former {
        say(&format!("the former file is kept as {}", former.display()))?;
    }
    Ok(())
}

/// A damaged file may be replaced; one that another program uses may not.
fn refuse_when_locked(data: &Path) -> anyhow::Result<()> {
    match Store::open(data) {
        Err(error @ OpenError::Locked(_)) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Restored by root, the file still belongs to the server's user.
fn keep_owner(data: &Path, draft: &Path) -> io::Result<()> {
    let folder = std::path::absolute(data)?;
    let model = fs::metadata(data).or_else(|_| fs::metadata(folder.parent().unwrap_or(data)))?;
    let mine = fs::metadata(draft)?;
    if (model.uid(), model.gid()) == (mine.uid(), mine.gid()) {
        return Ok(());
    }
    chown(draft, Some(model.uid()), Some(model.gid()))
}

fn confirmed(data: &Path) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() {
        bail!(
            "{} exists: add --yes to replace it (it is kept as .precedente)",
            data.display()
        );
    }
    let mut stderr = io::stderr();
    write!(stderr, "replace {}? [y/N] ", data.display())?;
    stderr.flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes" | "s" | "si" | "sì"))
}
