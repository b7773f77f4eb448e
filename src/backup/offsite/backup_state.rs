//! State of the off-site backups while two jobs run concurrently: a full backup, which may take
//! hours, and delta backups, which must not wait for it.

use super::status::OffsiteStatus;
use super::{BackupKind, StorageError, UploadStats};
use respiro_content::{Timestamp, time};

const EVERY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;

/// The fingerprint of the state that was backed up, and the counts of the upload.
pub type UploadOutcome = ([u8; 32], UploadStats);

/// Progress of the delta backups since a full backup began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DeltasSinceFull {
    None,
    Complete,
    /// Some pictures are only listed as awaited.
    Partial,
}

pub struct BackupState {
    pub outcome: OffsiteStatus,
    /// Fingerprint of the last state that was backed up.
    last: [u8; 32],
    deltas: DeltasSinceFull,
    is_full_running: bool,
    has_full_failed: bool,
    is_full_wanted: bool,
}

impl BackupState {
    pub const fn new(outcome: OffsiteStatus) -> Self {
        Self {
            outcome,
            last: [0; 32],
            deltas: DeltasSinceFull::None,
            is_full_running: false,
            has_full_failed: false,
            is_full_wanted: false,
        }
    }

    pub const fn last(&self) -> [u8; 32] {
        self.last
    }

    /// Whether delta backups exceeded their size limit, so that a full backup must begin at once.
    pub const fn is_full_wanted(&self) -> bool {
        self.is_full_wanted
    }

    /// Whether a full backup is due: the last one failed, is a day old, or is dated in the future.
    pub fn is_full_due(&self, now: Timestamp) -> bool {
        let last = self.outcome.whole_at.as_deref();
        let last = last.and_then(time::parse_rfc3339);
        let is_old = |at| now.saturating_sub(at) >= EVERY_MILLISECONDS || at > now;
        self.has_full_failed || last.is_none_or(is_old)
    }

    pub fn begin_full(&mut self) {
        self.is_full_running = true;
        // The full backup includes the pictures that earlier delta backups await.
        self.deltas = DeltasSinceFull::None;
        self.is_full_wanted = false;
    }

    /// Records the end of a full backup. `began` is when its snapshot was read.
    pub fn record_full(
        &mut self,
        began: Timestamp,
        now: Timestamp,
        done: Result<UploadOutcome, StorageError>,
    ) {
        self.is_full_running = false;
        self.has_full_failed = done.is_err();
        let (mark, sent) = match done {
            Ok(copied) => copied,
            Err(error) => return self.record_failure(now, &error),
        };
        let at = Some(time::rfc3339(began));
        match self.deltas {
            DeltasSinceFull::None => {
                self.last = mark;
                self.outcome.changes_at.clone_from(&at);
            }
            DeltasSinceFull::Complete => {}
            // Back up again, now that the awaited pictures exist.
            DeltasSinceFull::Partial => self.last = [0; 32],
        }
        self.outcome.whole_at = at;
        self.outcome.bytes = sent.space.or(self.outcome.bytes);
        self.log_upload(BackupKind::Full, &sent);
        self.record_success();
    }

    /// Records the end of a delta backup. A failed full backup (damaged picture, full disk) does
    /// not stop delta backups, and their success does not clear its failure.
    pub fn record_delta(
        &mut self,
        now: Timestamp,
        done: Result<Option<UploadOutcome>, StorageError>,
    ) {
        match done {
            Ok(copied) => {
                if let Some((mark, sent)) = copied {
                    self.last = mark;
                    self.outcome.changes_at = Some(time::rfc3339(now));
                    self.deltas = match sent.awaited {
                        0 => DeltasSinceFull::Complete,
                        _ => DeltasSinceFull::Partial,
                    };
                    self.is_full_wanted = sent.awaited > 0 && !self.is_full_running;
                    self.log_upload(BackupKind::Delta, &sent);
                }
                if !self.is_full_running && !self.has_full_failed {
                    self.record_success();
                }
            }
            Err(error) => self.record_failure(now, &error),
        }
    }

    fn log_upload(&self, kind: BackupKind, sent: &UploadStats) {
        let place = &self.outcome.place;
        tracing::info!(place, ?kind, ?sent, "copied and read back");
    }

    fn record_success(&mut self) {
        self.outcome.ok = true;
        self.outcome.reason = None;
        self.outcome.failed_since = None;
    }

    fn record_failure(&mut self, now: Timestamp, error: &StorageError) {
        let outcome = &mut self.outcome;
        outcome.ok = false;
        outcome.reason = Some(error.user_message().to_owned());
        outcome
            .failed_since
            .get_or_insert_with(|| time::rfc3339(now));
        let reason = error.operator_message(&outcome.place);
        tracing::error!(reason, "the off-site backup failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: [u8; 32] = [0; 32];

    fn brought(mark: u8, awaited: usize) -> UploadOutcome {
        let sent = UploadStats {
            awaited,
            ..UploadStats::default()
        };
        ([mark; 32], sent)
    }

    fn fresh() -> BackupState {
        BackupState::new(OffsiteStatus {
            ok: true,
            ..OffsiteStatus::default()
        })
    }

    /// Regression: one damaged picture made the full backup fail; it stayed due forever, and
    /// changes were no longer copied.
    #[test]
    fn changes_go_where_the_whole_copy_fails() {
        let mut state = fresh();
        state.begin_full();
        let damaged = StorageError::Other("the data file is damaged".to_owned());
        state.record_full(0, 5_000, Err(damaged));
        state.record_delta(5_000, Ok(Some(brought(7, 0))));
        assert_eq!(state.last(), [7; 32]);
        assert!(state.is_full_due(5_000));
        let outcome = &state.outcome;
        assert!(!outcome.ok && outcome.reason.is_some());
        let at = Some("1970-01-01T00:00:05.000Z");
        assert_eq!(outcome.changes_at.as_deref(), at);
        assert_eq!(outcome.failed_since.as_deref(), at);
        assert_eq!(outcome.whole_at, None);
        state.begin_full();
        state.record_full(6_000, 6_000, Ok(brought(8, 0)));
        assert!(state.outcome.ok && state.outcome.failed_since.is_none());
    }

    /// Regression: changes waited until a first full backup of gigabytes had finished.
    #[test]
    fn what_went_beside_a_whole_copy_and_named_what_it_awaits_goes_once_more() {
        let mut state = fresh();
        assert!(state.is_full_due(0));
        state.begin_full();
        state.record_delta(60_000, Ok(Some(brought(2, 300))));
        assert_eq!(state.last(), [2; 32]);
        assert!(!state.is_full_wanted() && state.outcome.ok);
        state.record_full(0, 9_000_000, Ok(brought(1, 0)));
        assert!(state.outcome.ok && !state.is_full_due(9_000_000));
        assert_eq!(state.last(), EMPTY);
        // `changes_at` does not go back to the time at which the full backup began.
        let changes_at = state.outcome.changes_at.as_deref();
        assert_eq!(changes_at, Some("1970-01-01T00:01:00.000Z"));
        state.record_delta(9_000_000, Ok(Some(brought(2, 0))));
        assert_eq!(state.last(), [2; 32]);
    }

    /// 200 photographs imported at once from WordPress: a full backup uploads them.
    #[test]
    fn much_at_once_begins_a_whole_copy() {
        let mut state = fresh();
        state.begin_full();
        state.record_full(0, 0, Ok(brought(1, 0)));
        assert_eq!(state.last(), [1; 32]);
        state.record_delta(60_000, Ok(Some(brought(2, 200))));
        assert!(state.is_full_wanted());
        state.begin_full();
        assert!(!state.is_full_wanted());
        state.record_full(61_000, 90_000, Ok(brought(2, 0)));
        // Regression: one more copy of the same changes followed.
        assert_eq!(state.last(), [2; 32]);
        let changes_at = state.outcome.changes_at.as_deref();
        assert_eq!(changes_at, Some("1970-01-01T00:01:01.000Z"));
    }
}
