//! Stored state of off-site backups, its JSON for the admin panel, and its notifications.

use crate::messages;
use respiro_content::{Timestamp, time};
use respiro_db::NotificationEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// A full backup older than this is late; one is due each day.
const LATE_MILLISECONDS: i64 = 48 * 60 * 60 * 1000;
/// Failures are reported only after this time: most network faults pass.
const NOTIFY_AFTER_MILLISECONDS: i64 = 60 * 60 * 1000;

/// State of the off-site backups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OffsiteStatus {
    pub place: String,
    pub ok: bool,
    /// Snapshot time of the last full backup, RFC 3339.
    pub whole_at: Option<String>,
    /// Time up to which changes are backed up, RFC 3339.
    pub changes_at: Option<String>,
    /// Why the last backup failed, in Italian.
    pub reason: Option<String>,
    /// Since when every backup has failed, RFC 3339.
    #[serde(default)]
    pub failed_since: Option<String>,
    /// Bytes in the bucket after the last full backup.
    #[serde(default)]
    pub bytes: Option<u64>,
}

/// Returns the notification for the admin, if one is due.
pub fn notification_for(
    state: &OffsiteStatus,
    was: &OffsiteStatus,
    now: Timestamp,
    notified_at: Option<Timestamp>,
) -> Option<NotificationEvent> {
    let Some(since) = state.failed_since.as_deref().and_then(time::parse_rfc3339) else {
        return (was.failed_since.is_some()).then_some(NotificationEvent::OffsiteWorks);
    };
    let reason = state.reason.clone().unwrap_or_default();
    // No retry helps where another machine has taken over.
    let is_lasting = reason == messages::OTHER_MACHINE;
    let is_late = is_lasting || now.saturating_sub(since) >= NOTIFY_AFTER_MILLISECONDS;
    let is_notified =
        notified_at.is_some_and(|at| now.saturating_sub(at) < NOTIFY_AFTER_MILLISECONDS);
    (is_late && !is_notified).then_some(NotificationEvent::OffsiteFailed { reason, since })
}

/// Returns the state of the backups in `place` for the admin panel; ignores the state of another
/// place. `parts` is the number of parts uploaded by a running backup, and the total.
pub fn status_json(
    known: Option<OffsiteStatus>,
    place: &str,
    is_sending: bool,
    parts: (usize, usize),
    now: Timestamp,
) -> Json {
    let state = known
        .filter(|known| known.place == place)
        .unwrap_or(OffsiteStatus {
            place: place.to_owned(),
            ok: true,
            ..OffsiteStatus::default()
        });
    let whole = state.whole_at.as_deref().and_then(time::parse_rfc3339);
    let is_late = whole.is_some_and(|at| now.saturating_sub(at) > LATE_MILLISECONDS);
    json!({
        "place": state.place,
        "ok": state.ok,
        "isLate": is_late,
        "isSending": is_sending,
        "parts": (is_sending && parts.1 > 0).then(|| json!({ "there": parts.0, "all": parts.1 })),
        "bytes": state.bytes,
        "wholeAt": state.whole_at,
        "changesAt": state.changes_at,
        "reason": state.reason,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_machine_is_reported_at_once_and_once_an_hour() {
        let failed = |reason: &str| OffsiteStatus {
            reason: Some(reason.to_owned()),
            failed_since: Some(time::rfc3339(1_000)),
            ..OffsiteStatus::default()
        };
        let was = OffsiteStatus::default();
        let notice = |reason, now, notified_at| {
            notification_for(&failed(reason), &was, now, notified_at).is_some()
        };
        assert!(notice(messages::OTHER_MACHINE, 1_000, None));
        assert!(!notice(messages::OTHER_MACHINE, 2_000, Some(1_000)));
        assert!(!notice(messages::UNREACHABLE, 1_000, None));
        assert!(notice(
            messages::UNREACHABLE,
            1_000 + NOTIFY_AFTER_MILLISECONDS,
            None
        ));
    }

    #[test]
    fn golden_note_of_copies_elsewhere() {
        const GOLDEN: &str = concat!(
            r#"{"place":"s3://b","ok":true,"wholeAt":"2026","changesAt":"2027","reason":"no","#,
            r#""failedSince":"2028","bytes":9}"#
        );
        let outcome: OffsiteStatus = serde_json::from_str(GOLDEN).unwrap();
        let expected = OffsiteStatus {
            place: "s3://b".to_owned(),
            ok: true,
            whole_at: Some("2026".to_owned()),
            changes_at: Some("2027".to_owned()),
            reason: Some("no".to_owned()),
            failed_since: Some("2028".to_owned()),
            bytes: Some(9),
        };
        assert_eq!(outcome, expected);
        assert_eq!(serde_json::to_string(&outcome).unwrap(), GOLDEN);
        assert_eq!(
            crate::offsite::NOTES,
            [
                "copies",
                "mirror",
                "backup",
                "copies-instances",
                "mirror-instances",
                "clock"
            ]
        );
        // Note of a release without the last two fields.
        let former =
            r#"{"place":"s3://b","ok":true,"wholeAt":null,"changesAt":null,"reason":null}"#;
        let outcome: OffsiteStatus = serde_json::from_str(former).unwrap();
        assert_eq!((outcome.failed_since, outcome.bytes), (None, None));
    }
}
