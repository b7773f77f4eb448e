//! Checks off-site copies: whether one exists, its age, and access to the storage.

use super::Finding;
use respiro_backup::offsite::{BackupKind, BackupRef, BackupRepository};
use respiro_backup::s3_mirror::Mirror;
use respiro_backup::{Bucket, StorageError};
use respiro_content::{Timestamp, time};
use respiro_server::config::Config;
use respiro_server::state::now;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
const MINUTE_MILLISECONDS: i64 = 60 * 1000;
/// A full backup older than this is late; one is made each day.
const LATE_DAYS: i64 = 2;

pub(super) fn check_backups(config: &Config) -> Finding {
    let Some(wanted) = &config.offsite_backup else {
        return Finding::Warning(
            "no copies outside this machine".to_owned(),
            "add --backup-s3 s3://BUCKET/PREFIX; see When the machine is gone in docs/restore.md"
                .to_owned(),
        );
    };
    let place = wanted.space.place();
    let all = Bucket::new(&wanted.space).and_then(|bucket| BackupRepository::new(bucket).all());
    match all {
        Ok(all) => age_finding(&place, &all, now()),
        Err(error) => Finding::Problem(
            describe_failure(&place, &error),
            error.operator_message(&place),
        ),
    }
}

/// Checks the bucket that mirrors the published site, if one is configured.
pub(super) fn check_mirror(config: &Config) -> Option<Finding> {
    let space = config.mirror.as_ref()?;
    let place = space.place();
    let there = Bucket::new(space).and_then(|bucket| Mirror::new(bucket).count());
    Some(match there {
        Ok(0) => Finding::Warning(
            format!("{place} holds no site yet"),
            "start the server with --publish-s3; look at its log: journalctl -u respiro".to_owned(),
        ),
        Ok(count) => Finding::Good(format!("{place} holds the published site: {count} objects")),
        Err(error) => Finding::Problem(
            describe_failure(&place, &error),
            error.operator_message(&place),
        ),
    })
}

fn describe_failure(place: &str, error: &StorageError) -> String {
    match error {
        StorageError::Network(_) | StorageError::Slow => format!("{place} was not reached"),
        _ => format!("{place} refuses"),
    }
}

fn age_finding(place: &str, all: &[BackupRef], now: Timestamp) -> Finding {
    let next = format!("look at the log: journalctl -u respiro; then run: respiro backup {place}");
    let Some(whole) = all.iter().find(|copy| copy.kind == BackupKind::Full) else {
        return Finding::Problem(format!("there is no copy at {place}"), next);
    };
    let when = time::rfc3339(whole.at);
    if now.saturating_sub(whole.at) > LATE_DAYS * DAY_MILLISECONDS {
        let last = format!("the last copy at {place} is of {when}: over {LATE_DAYS} days old");
        return Finding::Problem(last, next);
    }
    let newest = all.first().map_or(whole.at, |copy| copy.at);
    let (age, changes_age) = (format_age(whole.at, now), format_age(newest, now));
    let newest = time::rfc3339(newest);
    Finding::Good(format!(
        "the last copy at {place} is of {when}, {age}; the last changes there are of {newest}, \
         {changes_age}"
    ))
}

/// Formats an age in words; a future time, from a fast clock, counts as now.
fn format_age(at: Timestamp, now: Timestamp) -> String {
    let minutes = now.saturating_sub(at).max(0) / MINUTE_MILLISECONDS;
    match minutes {
        0..120 => format!("{minutes} minutes ago"),
        _ => format!("{} hours ago", minutes / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the finding gave two UTC times without their age.
    #[test]
    fn an_age_is_said_in_words() {
        for (milliseconds, said) in [
            (-5_000, "0 minutes ago"),
            (59_000, "0 minutes ago"),
            (119 * MINUTE_MILLISECONDS, "119 minutes ago"),
            (120 * MINUTE_MILLISECONDS, "2 hours ago"),
            (LATE_DAYS * DAY_MILLISECONDS, "48 hours ago"),
        ] {
            assert_eq!(format_age(1_000_000, 1_000_000 + milliseconds), said);
        }
    }
}
