//! `respiro admin`: adds, resets, lists and removes accounts.

use super::control_client::{perform, print_response, request};
use anyhow::{Context, bail};
use respiro_server::control::Request;
use std::io::{BufRead, IsTerminal, Read};
use std::path::Path;

/// Maximum length of a password line.
const PASSWORD_BYTES_MAX: u64 = 4096;

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
