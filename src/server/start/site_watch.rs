//! Checks the age of the backups and the free disk space every hour, and stores the summary of each
//! month for the accounts that asked for it.

use crate::config::Mode;
use crate::errors::Result;
use crate::state::App;
use jiff::ToSpan as _;
use jiff::civil::Date;
use respiro_backup::{local_backup, offsite};
use respiro_content::blocks::BlockDefinitions;
use respiro_content::time::{day, parse_rfc3339, rome_time_zone};
use respiro_content::{Timestamp, settings::SETTINGS};
use respiro_db::fs_util::parent_dir;
use respiro_db::{DiskSpace, NotificationEvent, NotificationKind, Reader, Role, Subscription};
use std::sync::Arc;
use std::time::Duration;

const CHECK_INTERVAL: Duration = Duration::from_hours(1);
const DAY_MILLISECONDS: i64 = 24 * 60 * 60_000;
/// How old the last good copy may be.
const COPY_DAYS_MAX: i64 = 7;
/// Percent of the disk: below the first the notice is stored, from the second on it is resolved.
const DISK_LOW_PERCENT: u64 = 10;
const DISK_FREE_PERCENT: u64 = 12;
/// Settings that the text of a summary names; it counts the others.
const SETTINGS_NAMED_MAX: usize = 3;

/// Checks every hour. Never returns.
pub(super) async fn run(app: Arc<App>) {
    tokio::time::sleep(app.tuning.retention_delay).await;
    loop {
        // A rehearsal makes no copies, and a retired machine takes no changes.
        if app.config.mode == Mode::Normal
            && let Some(time) = app.site.clock().trusted()
        {
            match find_events(&app, time.at()).await {
                Ok(events) => {
                    for event in events {
                        app.site.notify(event).await;
                    }
                }
                Err(error) => tracing::error!(%error, "the hourly check of the site failed"),
            }
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

/// Returns what the notifications do not say yet.
async fn find_events(app: &App, now: Timestamp) -> Result<Vec<NotificationEvent>> {
    let schedule = app.config.backup.as_ref();
    let local = schedule.and_then(|schedule| local_backup::newest(&schedule.dir, now));
    let space = (app.tuning.disk_space)(&parent_dir(&app.config.data));
    let definitions = app.site.definitions();
    app.read(move |reader| {
        let mut events = Vec::new();
        events.extend(copies_event(reader, local, now)?);
        let is_open = is_open(reader, NotificationKind::Disk)?;
        events.extend(space.and_then(|space| disk_event(space, is_open)));
        events.extend(month_events(reader, definitions, now)?);
        Ok(events)
    })
    .await
}

fn is_open(reader: &Reader<'_>, subject: NotificationKind) -> Result<bool> {
    Ok(reader.notifications().open(subject)?.is_some())
}

/// A site without any copy is given as many days from its first account on.
fn copies_event(
    reader: &Reader<'_>,
    local: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<NotificationEvent>> {
    let note = reader.note(offsite::schedule::NOTE)?;
    let status = note.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let status: offsite::status::OffsiteStatus = status.unwrap_or_default();
    let whole = status.whole_at.as_deref().and_then(parse_rfc3339);
    let last_good_at = local.max(whole);
    let accounts = reader.accounts().list()?.into_iter();
    let begun = accounts.map(|account| account.created_at).min();
    let Some(since) = last_good_at.or(begun) else {
        return Ok(None);
    };
    let is_late = now.saturating_sub(since) >= COPY_DAYS_MAX * DAY_MILLISECONDS;
    let is_open = is_open(reader, NotificationKind::Copies)?;
    Ok(match (is_late, is_open) {
        (true, false) => Some(NotificationEvent::CopiesMissing { last_good_at }),
        (false, true) => Some(NotificationEvent::CopiesBack),
        _ => None,
    })
}

fn disk_event(space: DiskSpace, is_open: bool) -> Option<NotificationEvent> {
    let has =
        |percent: u64| space.available.saturating_mul(100) >= space.total.saturating_mul(percent);
    match is_open {
        false if !has(DISK_LOW_PERCENT) => Some(NotificationEvent::DiskLow {
            free: format!(
                "resta libero meno del {DISK_LOW_PERCENT} %: {} GB su {}",
                gigabytes(space.available),
                gigabytes(space.total)
            ),
        }),
        true if has(DISK_FREE_PERCENT) => Some(NotificationEvent::DiskFree),
        _ => None,
    }
}

/// `1,2`
fn gigabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000_000;
    format!("{},{}", tenths / 10, tenths % 10)
}

/// Returns the summary of last month for each account that asked for it before this month began
/// and has none of it yet.
fn month_events(
    reader: &Reader<'_>,
    definitions: &BlockDefinitions,
    now: Timestamp,
) -> Result<Vec<NotificationEvent>> {
    let this_month = day(now).first_of_month();
    let (Some(end), last_month) = (start_of(this_month), this_month.saturating_sub(1.month()))
    else {
        return Ok(Vec::new());
    };
    let Some(first) = start_of(last_month) else {
        return Ok(Vec::new());
    };
    let known = reader.notifications().list()?;
    let mut text = String::new();
    let mut events = Vec::new();
    for account in reader.accounts().list()? {
        let email = account.email;
        // The panel shows the newsletter to owners only.
        if reader.accounts().details(&email)?.role != Role::Owner {
            continue;
        }
        let asked_at = reader.accounts().notice_choices(&email)?.monthly_since;
        let is_told = known.iter().any(|one| {
            one.subject == NotificationKind::Month
                && one.moment == Some(first)
                && one.email.as_ref() == Some(&email)
        });
        if is_told || asked_at.is_none_or(|at| at >= end) {
            continue;
        }
        if text.is_empty() {
            text = month_text(reader, definitions, last_month)?;
        }
        events.push(NotificationEvent::Month {
            email,
            text: text.clone(),
            first,
        });
    }
    Ok(events)
}

fn start_of(date: Date) -> Option<Timestamp> {
    let start = date.to_zoned(rome_time_zone()).ok()?;
    Some(start.timestamp().as_millisecond())
}

/// Returns the facts of a month, one a line.
fn month_text(reader: &Reader<'_>, definitions: &BlockDefinitions, month: Date) -> Result<String> {
    let before = month.saturating_sub(1.month());
    let [views, views_before] = [month, before].map(|month| views_of(reader, month));
    let signups = reader.subscribers().list()?.into_iter().filter(|one| {
        let confirmed_at = one.confirmed_at.map(|at| day(at).first_of_month());
        one.state == Subscription::Confirmed && confirmed_at == Some(month)
    });
    let visits = if reader.page_views().uncounted_since()?.is_some() {
        "Le visite non sono contate.".to_owned()
    } else {
        format!(
            "Pagine aperte: {}; il mese prima {}.",
            views?, views_before?
        )
    };
    let signups = signups.count();
    let todo = match todo_of(reader, definitions)? {
        todo if todo.is_empty() => "Non c’è niente da fare.".to_owned(),
        todo => format!("Da fare: {}.", todo.join("; ")),
    };
    Ok(format!(
        "{visits}\nNuove iscrizioni alla newsletter: {signups}.\n{todo}"
    ))
}

fn views_of(reader: &Reader<'_>, month: Date) -> Result<u64> {
    let days = reader.page_views().list()?.into_iter();
    let of_month = days.filter(|(date, _)| date.first_of_month() == month);
    Ok(of_month.map(|(_, totals)| totals.views).sum())
}

/// Returns the open tasks, as the home of the panel lists them.
fn todo_of(reader: &Reader<'_>, definitions: &BlockDefinitions) -> Result<Vec<String>> {
    let counted = |count: usize, one: &str, more: &str| match count {
        0 => None,
        1 => Some(one.to_owned()),
        count => Some(format!("{count} {more}")),
    };
    let mut todo = Vec::new();
    todo.extend(counted(
        reader.provenances().count_unreviewed()?,
        "una testimonianza da leggere",
        "testimonianze da leggere",
    ));
    todo.extend(counted(
        reader.content_blocks().count_unattested(definitions)?,
        "una frase del sito da controllare",
        "frasi del sito da controllare",
    ));
    let missing = reader.settings().get()?.missing();
    let mut labels = missing.iter().filter_map(|name| {
        let setting = SETTINGS
            .iter()
            .find(|setting| setting.field.name == *name)?;
        Some(setting.field.label)
    });
    let named: Vec<&str> = labels.by_ref().take(SETTINGS_NAMED_MAX).collect();
    if !named.is_empty() {
        let others = match labels.count() {
            0 => String::new(),
            1 => " e un altro".to_owned(),
            others => format!(" e altri {others}"),
        };
        todo.push(format!("dati da completare ({}{others})", named.join(", ")));
    }
    Ok(todo)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIGABYTE: u64 = 1_000_000_000;

    #[test]
    fn a_disk_is_low_under_ten_percent_and_free_again_from_twelve_on() {
        let space = |available: u64| DiskSpace {
            available: available * GIGABYTE,
            total: 50 * GIGABYTE,
        };
        assert_eq!(disk_event(space(5), false), None);
        let low = disk_event(space(4), false);
        let free = "resta libero meno del 10 %: 4,0 GB su 50,0".to_owned();
        assert_eq!(low, Some(NotificationEvent::DiskLow { free }));
        assert_eq!(disk_event(space(4), true), None, "said once");
        assert_eq!(disk_event(space(5), true), None, "near the limit");
        assert_eq!(
            disk_event(space(6), true),
            Some(NotificationEvent::DiskFree)
        );
    }
}
