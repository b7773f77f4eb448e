//! Operations of commands on an open data file, used with and without a server.

use super::content_blocks;
use super::{AccountRow, Request, Response};
use crate::accounts;
use crate::errors::{Error, Result};
use crate::release_version::{self, ReleaseVersion};
use respiro_auth::password::PasswordPolicy;
use respiro_content::blocks::BlockDefinitions;
use respiro_content::{Timestamp, time};
use respiro_db::clock::Clock;
use respiro_db::fs_util::{TempKind, temp_path};
use respiro_db::{
    self as db, Account, CarriedOver, Compaction, ImportSummary, NotificationEvent, Role, Store,
    StoreStats, WriteAccess, Writer,
};

const ACCOUNT_ADDED: &str = "È stato aggiunto un altro account al pannello";
const LAST_OWNER: &str = "nobody else may do everything: add an account first with `respiro admin \
    add EMAIL`; nothing was changed";
const ACCOUNT_REMOVED: &str = "È stato tolto un altro account dal pannello";
const ACCOUNT_RESET: &str =
    "Chi gestisce il server ha cambiato la password e tolto passkey e codice di verifica";
const PASSWORD_SET: &str = "Chi gestisce il server ha cambiato la password";

/// Performs a request on an open data file.
pub fn perform(
    store: &WriteAccess,
    request: Request,
    policy: PasswordPolicy,
    definitions: &BlockDefinitions,
    now: Timestamp,
) -> Response {
    let outcome = match request {
        Request::AddAccount { email, password } => {
            add_account(store, &email, &password, policy, now)
        }
        Request::SetPassword { email, password } => {
            let fresh = accounts::new_account(&email, &password, policy, now);
            fresh.and_then(|fresh| set_password(store, &fresh, SecondFactorChange::Keep, now))
        }
        Request::ResetAccount { email, password } => {
            let fresh = accounts::new_account(&email, &password, policy, now);
            fresh.and_then(|fresh| set_password(store, &fresh, SecondFactorChange::Remove, now))
        }
        Request::ListAccounts => list_accounts(store),
        Request::RemoveAccount { email } => remove_account(store, &email, now),
        Request::ListWords => store.read(|reader| content_blocks::list_blocks(reader, definitions)),
        Request::GetWords { id } => {
            store.read(|reader| content_blocks::read_block(reader, definitions, &id))
        }
        Request::SetWords { id, change } => {
            let set = store.write(|writer| {
                content_blocks::change_block(writer, definitions, &id, &change, now)
            });
            set.map(|(answer, _)| answer)
        }
        Request::Compact => compact(store),
        Request::Copy => return copy(store, now),
        Request::Clock => return stored_clock(store),
        Request::ConfirmClock => confirm_stored_clock(store),
        Request::Retire { undo } => retire(store, undo),
        Request::AnnounceRelease { version } => announce_release(store, &version),
        Request::TakeReplacement
        | Request::Adopt
        | Request::SwapIn { .. }
        | Request::Merge { .. }
        | Request::MergeExport { .. }
        | Request::Freeze
        | Request::Health
        | Request::Metrics
        | Request::PublicUrl
        | Request::CertificateEnd
        | Request::Settings
        | Request::LikelyProxy => {
            return Response::Failed(
                "no server is running: start it with `respiro serve`".to_owned(),
            );
        }
    };
    outcome.unwrap_or_else(|error| Response::Failed(explain_error(&error)))
}

/// Stores that the site moves to another machine. A restore forgets it: the copy of a retired file
/// is the site itself on its new machine.
fn retire(store: &WriteAccess, undo: bool) -> Result<Response> {
    store.write(|writer| writer.set_retired(!undo))?;
    Ok(Response::Done(if undo {
        "this machine serves the site again, and takes changes".to_owned()
    } else {
        "this machine is retired: it shows the pages and says that the site moves; it takes no \
         changes and sends nothing. Next: `respiro backup FILE`, and `respiro restore FILE` on the \
         new machine (docs/move.md). `respiro retire --undo` takes it back"
            .to_owned()
    }))
}

fn announce_release(store: &WriteAccess, version: &str) -> Result<Response> {
    let version = ReleaseVersion::parse(version).ok_or(Error::BadRequest("no version"))?;
    store.write(|writer| release_version::announce(writer, &version))?;
    Ok(Response::Done(format!(
        "the panel says that {version} is there; install it with `respiro upgrade`"
    )))
}

fn compact(store: &Store) -> Result<Response> {
    Ok(match store.compact()? {
        Compaction::Done {
            bytes_before,
            bytes_after,
        } => Response::Done(format!(
            "compacted: {} of disk before, {} now",
            megabytes(bytes_before),
            megabytes(bytes_after)
        )),
        Compaction::Busy => Response::Failed(
            "the data file is being read by a backup or another command: run this again when it is \
             done"
            .to_owned(),
        ),
    })
}

/// Formats bytes as megabytes, with a decimal below 10 MB.
pub fn megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_add(50_000) / 100_000;
    if tenths < 100 {
        format!("{}.{} MB", tenths / 10, tenths % 10)
    } else {
        format!("{} MB", tenths / 10)
    }
}

/// Describes the clock. Fails while it is doubted, with the next step.
pub fn describe_clock(clock: &Clock) -> Response {
    match clock.doubt() {
        None => Response::Done(format!(
            "{}, and the clock is plausible",
            time::rfc3339(clock.now())
        )),
        Some(doubt) => Response::Failed(format!(
            "the system time is {}, but it was {} by all that is known: newsletters, scheduled \
             publication, deletion and pruning wait. If it is right: `respiro clock --confirm`; \
             otherwise correct it: timedatectl set-ntp true",
            time::rfc3339(doubt.system_time),
            time::rfc3339(doubt.plausible_time)
        )),
    }
}

/// Performs `Request::Clock` on a data file that no server has open.
pub fn stored_clock(store: &Store) -> Response {
    let clock = Clock::default();
    match store.read(|reader| clock.resume(reader)) {
        Ok(()) => describe_clock(&clock),
        Err(error) => Response::Failed(error.to_string()),
    }
}

fn confirm_stored_clock(store: &WriteAccess) -> Result<Response> {
    let clock = Clock::default();
    store.write(|writer| {
        clock.resume(writer)?;
        clock.confirm();
        Ok::<_, Error>(writer.record_time(&clock)?)
    })?;
    Ok(describe_clock(&clock))
}

fn add_account(
    store: &WriteAccess,
    email: &str,
    password: &str,
    policy: PasswordPolicy,
    now: Timestamp,
) -> Result<Response> {
    let account = accounts::new_account(email, password, policy, now)?;
    let details = accounts::new_details(Role::Owner)?;
    let email = account.email.clone();
    let (known, _) = store.write(|writer| -> Result<_> {
        if writer.accounts().get(&account.email)?.is_some() {
            return Ok(true);
        }
        notify_accounts(writer, ACCOUNT_ADDED, now)?;
        writer.accounts().create(&account, &details)?;
        Ok(false)
    })?;
    Ok(if known {
        Response::Failed(format!(
            "{email} has an account already: use `respiro admin passwd {email}`"
        ))
    } else {
        Response::Done(format!("{email} can sign in now"))
    })
}

/// Whether a password set by the operator keeps or removes the account's second factor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SecondFactorChange {
    Keep,
    Remove,
}

/// Gives the account of `fresh` its password; ends all sessions and removes all passkeys.
fn set_password(
    store: &WriteAccess,
    fresh: &Account,
    second_factor: SecondFactorChange,
    now: Timestamp,
) -> Result<Response> {
    let email = &fresh.email;
    let is_reset = second_factor == SecondFactorChange::Remove;
    let (known, _) = store.write(|writer| -> Result<_> {
        let mut account = match writer.accounts().get(email) {
            Ok(Some(account)) => account,
            Ok(None) => return Ok(false),
            // Nobody can sign in with a row that does not decode.
            Err(db::Error::Storage(_)) if is_reset => fresh.clone(),
            Err(error) => return Err(error.into()),
        };
        account.password_hash.clone_from(&fresh.password_hash);
        if is_reset {
            account.second_factor = None;
        }
        writer.accounts().put(&account)?;
        writer.sessions().remove_by_account(email, None)?;
        writer.account_links().remove_by_account(email)?;
        if is_reset && writer.accounts().details(email).is_err() {
            let details = accounts::new_details(Role::Owner)?;
            writer.accounts().put_details(email, &details)?;
        }
        // An attacker with the old password may have added a passkey.
        writer.passkeys().remove_by_account(email)?;
        let what = if is_reset {
            ACCOUNT_RESET
        } else {
            PASSWORD_SET
        };
        let event = NotificationEvent::Access {
            email: email.clone(),
            what: what.to_owned(),
        };
        writer.notifications().add(event, now)?;
        Ok(true)
    })?;
    Ok(if !known {
        unknown_account(email)
    } else if is_reset {
        Response::Done(format!(
            "{email} has a new password; its sessions are ended, its passkeys and its second \
             factor removed"
        ))
    } else {
        Response::Done(format!(
            "{email} has a new password; its sessions are ended, its passkeys removed"
        ))
    })
}

/// Notifies every account of the data file.
fn notify_accounts(writer: &mut Writer<'_>, what: &str, now: Timestamp) -> Result<()> {
    for account in writer.accounts().list()? {
        let event = NotificationEvent::Access {
            email: account.email,
            what: what.to_owned(),
        };
        writer.notifications().add(event, now)?;
    }
    Ok(())
}

fn list_accounts(store: &Store) -> Result<Response> {
    let rows = store.read(|reader| -> Result<_> {
        let mut rows = Vec::new();
        for account in reader.accounts().list()? {
            rows.push(AccountRow {
                sessions: reader.sessions().list(&account.email)?.len(),
                created: time::rfc3339(account.created_at),
                second_factor: account.second_factor.is_some(),
                role: reader
                    .accounts()
                    .details(&account.email)?
                    .role
                    .name()
                    .to_owned(),
                email: account.email,
            });
        }
        Ok(rows)
    })?;
    Ok(Response::Accounts(rows))
}

fn remove_account(store: &WriteAccess, email: &str, now: Timestamp) -> Result<Response> {
    let email = accounts::normalize_email(email);
    let ((removed, left), _) = store.write(|writer| -> Result<_> {
        // The only account may go: without any account the next start prints a set-up link.
        if writer.accounts().list()?.len() > 1 {
            let other = writer.accounts().check_other_owner(&email);
            other.map_err(|_conflict| Error::Store(LAST_OWNER.to_owned()))?;
        }
        let removed = writer.accounts().remove(&email)?;
        if removed {
            notify_accounts(writer, ACCOUNT_REMOVED, now)?;
        }
        Ok((removed, writer.accounts().list()?.len()))
    })?;
    Ok(match (removed, left) {
        (false, _) => unknown_account(&email),
        (true, 0) => Response::Done(format!(
            "{email} is removed; no account is left: the next start prints a one-time link"
        )),
        (true, _) => Response::Done(format!("{email} is removed")),
    })
}

/// Performs `Request::Copy`, which needs no right to write.
pub fn copy(store: &Store, now: Timestamp) -> Response {
    copy_data_file(store, now).unwrap_or_else(|error| Response::Failed(explain_error(&error)))
}

/// Copies the data file to a path beside it: a sandboxed server may write there, and that disk
/// is known to be large.
fn copy_data_file(store: &Store, now: Timestamp) -> Result<Response> {
    let path = temp_path(store.path(), TempKind::Copy)
        .and_then(std::path::absolute)
        .map_err(|error| Error::Store(error.to_string()))?;
    let figures = store.backup(&path, now)?;
    Ok(Response::Copied {
        path,
        summary: summarize_contents(&figures),
    })
}

fn unknown_account(email: &str) -> Response {
    Response::Failed(format!(
        "{email} has no account: `respiro admin list` shows who has"
    ))
}

/// Summarizes the contents of a data file in one line.
pub fn summarize_contents(figures: &StoreStats) -> String {
    let items: u64 = figures.counts.values().sum();
    format!(
        "{items} items, {} in the trash, {} changed blocks of words, {} pictures ({} bytes), \
         {} accounts, {} bytes in all",
        figures.trash,
        figures.words,
        figures.pictures,
        figures.picture_bytes,
        figures.accounts,
        figures.file_bytes
    )
}

/// Summarizes the decisions that a restore carries over; `None` if there are none.
pub fn summarize_carried_over(carried: &CarriedOver) -> Option<String> {
    let CarriedOver {
        unsubscribed,
        erased,
        withdrawn,
    } = *carried;
    if unsubscribed + erased + withdrawn == 0 {
        return None;
    }
    Some(format!(
        "decided after this backup, and kept: addresses that left the newsletter: {unsubscribed}, \
         addresses erased: {erased}, testimonials withdrawn: {withdrawn}"
    ))
}

/// Summarizes an import in one line.
pub fn summarize_import(adopted: &ImportSummary) -> String {
    let ImportSummary {
        items,
        pictures,
        subscribers,
        known,
    } = adopted;
    format!(
        "{items} items, {pictures} pictures, {subscribers} new addresses, {known} known already"
    )
}

/// Returns the message of an error for the operator.
pub fn explain_error(error: &Error) -> String {
    match error {
        Error::StorageFull => {
            "there is no room left on the disk: free some space and try again".to_owned()
        }
        Error::Store(reason) => reason.clone(),
        error => error.to_string(),
    }
}
