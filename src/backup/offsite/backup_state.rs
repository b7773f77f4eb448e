//! State of copying while its two jobs run concurrently: a whole copy, which may take hours, and
//! copies of changes, which must not wait for it.

use super::status::Outcome;
use super::{BackupKind, StorageError, UploadStats};
use respiro_content::{Timestamp, time};

const EVERY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;

/// The mark of the copied state, and the counts of the copy.
pub type Copied = ([u8; 32], UploadStats);

/// What copies of changes have uploaded since a whole copy began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    Everything,
    /// Some pictures are only listed as awaited.
    Part,
}

pub struct Keeping {
    pub outcome: Outcome,
    /// Mark of the last copied state.
    last: [u8; 32],
    beside: Beside,
    is_under_way: bool,
    has_failed: bool,
    is_wanted: bool,
}

impl Keeping {
    pub const fn new(outcome: Outcome) -> Self {
        Self {
            outcome,
            last: [0; 32],
            beside: Beside::Nothing,
            is_under_way: false,
            has_failed: false,
            is_wanted: false,
        }
    }

    pub const fn last(&self) -> [u8; 32] {
        self.last
    }

    /// Whether copies of changes exceeded their size limit, so a whole copy must begin at once.
    pub const fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Whether a whole copy is due: the last one failed, is a day old, or is dated in the future.
    pub fn is_due(&self, now: Timestamp) -> bool {
        let last = self.outcome.whole_at.as_deref();
        let last = last.and_then(time::parse_rfc3339);
        let is_old = |at| now.saturating_sub(at) >= EVERY_MILLISECONDS || at > now;
        self.has_failed || last.is_none_or(is_old)
    }

    pub fn begin_whole(&mut self) {
        self.is_under_way = true;
        // The whole copy includes the pictures that earlier copies of changes await.
        self.beside = Beside::Nothing;
        self.is_wanted = false;
    }

    /// Records the end of a whole copy. `began` is when its snapshot was read.
    pub fn whole_ended(
        &mut self,
        began: Timestamp,
        now: Timestamp,
        done: Result<Copied, StorageError>,
    ) {
        self.is_under_way = false;
        self.has_failed = done.is_err();
        let (mark, sent) = match done {
            Ok(copied) => copied,
            Err(fault) => return self.failed(now, &fault),
        };
        let at = Some(time::rfc3339(began));
        match self.beside {
            Beside::Nothing => {
                self.last = mark;
                self.outcome.changes_at.clone_from(&at);
            }
            Beside::Everything => {}
            // Copy again, now that the awaited pictures exist.
            Beside::Part => self.last = [0; 32],
        }
        self.outcome.whole_at = at;
        self.outcome.bytes = sent.space.or(self.outcome.bytes);
        self.copied(BackupKind::Whole, &sent);
        self.went_well();
    }

    /// Records the end of a copy of changes. A failed whole copy (damaged picture, full disk) does
    /// not stop copies of changes, and their success does not clear its failure.
    pub fn changes_ended(&mut self, now: Timestamp, done: Result<Option<Copied>, StorageError>) {
        match done {
            Ok(copied) => {
                if let Some((mark, sent)) = copied {
                    self.last = mark;
                    self.outcome.changes_at = Some(time::rfc3339(now));
                    self.beside = match sent.awaited {
                        0 => Beside::Everything,
                        _ => Beside::Part,
                    };
                    self.is_wanted = sent.awaited > 0 && !self.is_under_way;
                    self.copied(BackupKind::Changes, &sent);
                }
                if !self.is_under_way && !self.has_failed {
                    self.went_well();
                }
            }
            Err(fault) => self.failed(now, &fault),
        }
    }

    fn copied(&self, sort: BackupKind, sent: &UploadStats) {
        let place = &self.outcome.place;
        tracing::info!(place, ?sort, ?sent, "copied and read back");
    }

    fn went_well(&mut self) {
        self.outcome.ok = true;
        self.outcome.reason = None;
        self.outcome.failed_since = None;
    }

    fn failed(&mut self, now: Timestamp, fault: &StorageError) {
        let outcome = &mut self.outcome;
        outcome.ok = false;
        outcome.reason = Some(fault.reason().to_owned());
        outcome
            .failed_since
            .get_or_insert_with(|| time::rfc3339(now));
        let reason = fault.told(&outcome.place);
        tracing::error!(reason, "the copy elsewhere failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: [u8; 32] = [0; 32];

    fn brought(mark: u8, awaited: usize) -> Copied {
        let sent = UploadStats {
            awaited,
            ..UploadStats::default()
        };
        ([mark; 32], sent)
    }

    fn fresh() -> Keeping {
        Keeping::new(Outcome {
            ok: true,
            ..Outcome::default()
        })
    }

    /// Regression: one damaged picture made the whole copy fail; it stayed due forever, and changes
    /// were no longer copied.
    #[test]
    fn changes_go_where_the_whole_copy_fails() {
        let mut keeping = fresh();
        keeping.begin_whole();
        let damaged = StorageError::Other("the data file is damaged".to_owned());
        keeping.whole_ended(0, 5_000, Err(damaged));
        keeping.changes_ended(5_000, Ok(Some(brought(7, 0))));
        assert_eq!(keeping.last(), [7; 32]);
        assert!(keeping.is_due(5_000));
        let state = &keeping.outcome;
        assert!(!state.ok && state.reason.is_some());
        let at = Some("1970-01-01T00:00:05.000Z");
        assert_eq!(state.changes_at.as_deref(), at);
        assert_eq!(state.failed_since.as_deref(), at);
        assert_eq!(state.whole_at, None);
        keeping.begin_whole();
        keeping.whole_ended(6_000, 6_000, Ok(brought(8, 0)));
        assert!(keeping.outcome.ok && keeping.outcome.failed_since.is_none());
    }

    /// Regression: changes waited until a first whole copy of gigabytes had finished.
    #[test]
    fn what_went_beside_a_whole_copy_and_named_what_it_awaits_goes_once_more() {
        let mut keeping = fresh();
        assert!(keeping.is_due(0));
        keeping.begin_whole();
        keeping.changes_ended(60_000, Ok(Some(brought(2, 300))));
        assert_eq!(keeping.last(), [2; 32]);
        assert!(!keeping.is_wanted() && keeping.outcome.ok);
        keeping.whole_ended(0, 9_000_000, Ok(brought(1, 0)));
        assert!(keeping.outcome.ok && !keeping.is_due(9_000_000));
        assert_eq!(keeping.last(), EMPTY);
        // `changes_at` does not go back to the time at which the whole copy began.
        let changes_at = keeping.outcome.changes_at.as_deref();
        assert_eq!(changes_at, Some("1970-01-01T00:01:00.000Z"));
        keeping.changes_ended(9_000_000, Ok(Some(brought(2, 0))));
        assert_eq!(keeping.last(), [2; 32]);
    }

    /// 200 photographs imported at once from WordPress: a whole copy uploads them.
    #[test]
    fn much_at_once_begins_a_whole_copy() {
        let mut keeping = fresh();
        keeping.begin_whole();
        keeping.whole_ended(0, 0, Ok(brought(1, 0)));
        assert_eq!(keeping.last(), [1; 32]);
        keeping.changes_ended(60_000, Ok(Some(brought(2, 200))));
        assert!(keeping.is_wanted());
        keeping.begin_whole();
        assert!(!keeping.is_wanted());
        keeping.whole_ended(61_000, 90_000, Ok(brought(2, 0)));
        // Regression: one more copy of the same changes followed.
        assert_eq!(keeping.last(), [2; 32]);
        let changes_at = keeping.outcome.changes_at.as_deref();
        assert_eq!(changes_at, Some("1970-01-01T00:01:01.000Z"));
    }
}
