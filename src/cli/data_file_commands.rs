//! Commands on a data file: accounts, local backups, verification, health.

use super::control_client::{pin_snapshot, send_request};
use super::{eprint_line, pluralize, print_line};
use crate::ui_assets;
use anyhow::{Context, bail};
use respiro_auth::leaked_passwords::LeakedPasswords;
use respiro_auth::password::{Cost, PasswordPolicy};
use respiro_db::{Store, backup_snapshot, check, check_snapshot};
use respiro_server::control::requests;
use respiro_server::control::{self, Request, Response};
use respiro_server::state::now;
use std::io::{BufRead, IsTerminal, Read};
use std::path::Path;

/// Maximum length of a password line.
const PASSWORD_BYTES_MAX: u64 = 4096;

/// Sends the request to the running server, or performs it on the data file if none runs.
fn perform(data: &Path, request: Request, create: bool) -> anyhow::Result<Response> {
    if let Some(response) = send_request(data, &request)? {
        return Ok(response);
    }
    if !create && !data.exists() {
        bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        );
    }
    let store = Store::open(data)?;
    let policy = PasswordPolicy {
        cost: Cost::default(),
        leaked: LeakedPasswords::from_gzip(ui_assets::LEAKED_PASSWORDS),
    };
    let definitions = ui_assets::block_definitions()?;
    Ok(requests::perform(
        &store,
        request,
        policy,
        definitions,
        now(),
    ))
}

/// Prints an answer; a refusal becomes the error of the command.
fn print_response(response: Response) -> anyhow::Result<()> {
    match response {
        Response::Done(text) => print_line(&text),
        Response::Text(text) => print_line(text.trim_end()),
        Response::Accounts(rows) if rows.is_empty() => {
            print_line("no account yet: `respiro admin add EMAIL` makes one")
        }
        Response::Accounts(rows) => {
            for row in rows {
                let factor = if row.second_factor {
                    "second factor"
                } else {
                    "password only"
                };
                print_line(&format!(
                    "{}\tsince {}\t{factor}\t{} sessions",
                    row.email, row.created, row.sessions
                ))?;
            }
            Ok(())
        }
        Response::Copied { path, summary } => print_line(&format!("{}: {summary}", path.display())),
        Response::Failed(reason) => bail!(reason),
        Response::Frozen { .. } => bail!("the server gave an answer that does not fit"),
    }
}

pub fn add_account(data: &Path, email: String) -> anyhow::Result<()> {
    let password = read_password()?;
    print_response(perform(
        data,
        Request::AddAccount { email, password },
        true,
    )?)
}

pub fn set_password(data: &Path, email: String) -> anyhow::Result<()> {
    let password = read_password()?;
    print_response(perform(
        data,
        Request::SetPassword { email, password },
        false,
    )?)
}

pub fn reset_account(data: &Path, email: String) -> anyhow::Result<()> {
    let password = read_password()?;
    request(data, Request::ResetAccount { email, password })
}

/// Sends a request about a data file that must exist.
pub(super) fn request(data: &Path, request: Request) -> anyhow::Result<()> {
    print_response(perform(data, request, false)?)
}

pub fn list_accounts(data: &Path) -> anyhow::Result<()> {
    print_response(perform(data, Request::ListAccounts, false)?)
}

pub fn remove_account(data: &Path, email: String) -> anyhow::Result<()> {
    print_response(perform(data, Request::RemoveAccount { email }, false)?)
}

/// Reads a password: twice from a prompt, or the first line of standard input without a terminal.
fn read_password() -> anyhow::Result<String> {
    if std::io::stdin().is_terminal() {
        let password =
            rpassword::prompt_password("password: ").context("cannot read a password")?;
        let again = rpassword::prompt_password("again: ").context("cannot read a password")?;
        if password != again {
            bail!("the two passwords differ: nothing was changed");
        }
        return Ok(password);
    }
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .take(PASSWORD_BYTES_MAX)
        .read_line(&mut line)
        .context("cannot read a password from standard input")?;
    let password = line.trim_end_matches(['\n', '\r']);
    if password.is_empty() {
        bail!("standard input holds no password: pipe one in, or run this in a terminal");
    }
    Ok(password.to_owned())
}

/// Writes a consistent copy of the data file. Never overwrites an existing file.
pub fn backup(data: &Path, out: &Path) -> anyhow::Result<()> {
    if out.exists() {
        bail!("{} exists already: choose another name", out.display());
    }
    if !data.exists() {
        bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        );
    }
    // Reads the live file of a running server directly: no other disk needs space.
    let copied = match pin_snapshot(data)? {
        Some(pinned) => pinned.outcome(backup_snapshot(data, &pinned.header, out, now()))?,
        None => Store::open(data)?.backup(out, now()),
    };
    let figures =
        copied.map_err(|error| anyhow::anyhow!(requests::explain_error(&error.into())))?;
    let summary = requests::summarize_contents(&figures);
    print_line(&format!("{}: {summary}", out.display()))
}

/// Verifies a whole data file. Fails if it is damaged; warns about odd content. The file of a
/// running server is verified as a snapshot.
pub fn verify(file: &Path) -> anyhow::Result<()> {
    if !file.exists() {
        bail!(
            "{} does not exist: name a data file or a copy",
            file.display()
        );
    }
    let checked = match pin_snapshot(file)? {
        Some(pinned) => pinned.outcome(check_snapshot(file, &pinned.header))?,
        None => check(file),
    };
    match checked {
        Ok(report) => {
            for oddity in &report.oddities {
                eprint_line(&format!("warning: {oddity}"));
            }
            let summary = requests::summarize_contents(&report.stats);
            print_line(&format!("{}: good: {summary}", file.display()))
        }
        Err(problems) => bail!(
            "{}: {}:\n{}\ntake another copy, or put one back: respiro restore BACKUP",
            file.display(),
            pluralize(problems.len(), "problem", "problems"),
            problems.join("\n")
        ),
    }
}

/// Succeeds if the server on this data file is healthy.
pub fn health(data: &Path) -> anyhow::Result<()> {
    send_to_server(data, &Request::Health)
}

pub fn metrics(data: &Path) -> anyhow::Result<()> {
    send_to_server(data, &Request::Metrics)
}

fn send_to_server(data: &Path, request: &Request) -> anyhow::Result<()> {
    match send_request(data, request)? {
        Some(response) => print_response(response),
        None => bail!(
            "no server answers on {}: start it, or name its data file with --data",
            control::socket_path(data).display()
        ),
    }
}
