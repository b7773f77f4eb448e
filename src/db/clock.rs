//! The clock of the running program, and the guard that holds irrevocable work while the system
//! time may be wrong (decisions/031). No other module below the HTTP layer reads the system time.
//!
//! [`Clock::now`] is the system time as long as it moves with the time since boot. After a jump of
//! more than a day it goes on from the last plausible time instead, until a second source agrees
//! with the system time or a person confirms it. At a start, the last plausible time is the one in
//! the data file.

use crate::error::{Error, Result};
use crate::{Reader, Writer};
use respiro_content::Timestamp;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The note of the data file that holds [`LastSeen`] as JSON.
pub const CLOCK_NOTE: &str = "clock";
/// A jump of the system time beyond this is doubted; a source agrees with it within this.
const JUMP_MILLISECONDS_MAX: i64 = 24 * 60 * 60 * 1_000;
/// The time is written once an hour, with a write that happens anyway if there is one. The row
/// keeps its length, and no request causes a write of its own: the file does not grow by it.
const RECORD_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// `systemd-timesyncd` touches this file at each synchronization; it is absent after a boot.
const TIMESYNC: &str = "/run/systemd/timesync/synchronized";
/// Corrections that are remembered. Each belongs to a start with a clock that was behind.
const CORRECTIONS_MAX: usize = 8;
/// Stamps older than this decide about nothing that a correction delays.
const CORRECTION_MILLISECONDS_MAX: i64 = 100 * JUMP_MILLISECONDS_MAX;

/// Returns the system time in milliseconds since 1970.
pub fn system_time() -> Timestamp {
    milliseconds_since_1970(SystemTime::now())
}

fn milliseconds_since_1970(time: SystemTime) -> Timestamp {
    let elapsed = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds since boot, including the time that the machine was suspended.
fn since_boot() -> i64 {
    let elapsed = clock_gettime(ClockId::Boottime);
    elapsed.tv_sec * 1_000 + elapsed.tv_nsec / 1_000_000
}

/// Source that confirmed the system time after a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSource {
    /// The system time moves with the last plausible time again.
    DataFile,
    /// An answer of the certificate authority.
    Acme,
    /// An answer of the object storage.
    ObjectStorage,
    /// `systemd-timesyncd`.
    Timesync,
    /// An admin in the panel, or the operator by command.
    Person,
}

/// Stamps from `from` to `until` were made while the clock was behind by `by` milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Correction {
    from: Timestamp,
    until: Timestamp,
    by: i64,
}

/// Record of the last plausible time in the data file, with the corrections of the system time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LastSeen {
    seen_at: Timestamp,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    corrections: Vec<Correction>,
}

/// The plausible time now, and what is known of stamps made while the clock was behind.
#[derive(Debug, Clone)]
pub struct ClockReading {
    at: Timestamp,
    corrections: Arc<[Correction]>,
}

impl ClockReading {
    pub const fn at(&self) -> Timestamp {
        self.at
    }

    /// Returns how long ago a stamp of this program was made, in milliseconds. Negative for the
    /// stamp of a clock that was ahead.
    pub fn age_of(&self, stamp: Timestamp) -> i64 {
        let corrections = self.corrections.iter();
        let behind_by = corrections
            .filter(|one| (one.from..=one.until).contains(&stamp))
            .map(|one| one.by)
            .max();
        let made_at = stamp.saturating_add(behind_by.unwrap_or(0));
        self.at.saturating_sub(made_at)
    }
}

/// The time by a clock that is not doubted. Only [`Clock::trusted`] makes one, and all work that
/// cannot be undone takes one: newsletters, scheduled publication, deletion and pruning.
#[derive(Debug, Clone)]
pub struct TrustedTime(ClockReading);

impl std::ops::Deref for TrustedTime {
    type Target = ClockReading;

    fn deref(&self) -> &ClockReading {
        &self.0
    }
}

/// A jump of the system time that nothing has explained yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockDoubt {
    pub system_time: Timestamp,
    /// The last plausible time, advanced by the time that passed since.
    pub plausible_time: Timestamp,
}

#[derive(Debug, Clone)]
struct State {
    /// The plausible time when the time since boot was `base_since_boot`.
    base: Timestamp,
    base_since_boot: i64,
    /// The plausible time at the start, or after the last jump that was accepted.
    continuous_since: Timestamp,
    is_doubted: bool,
    accepted_by: TimeSource,
    corrections: Arc<[Correction]>,
    recorded_at: Option<Timestamp>,
}

impl State {
    fn starting(at: Timestamp, since_boot: i64, corrections: Vec<Correction>) -> Self {
        Self {
            base: at,
            base_since_boot: since_boot,
            continuous_since: at,
            is_doubted: false,
            accepted_by: TimeSource::DataFile,
            corrections: corrections.into(),
            recorded_at: None,
        }
    }

    /// Compares the system time with the plausible time, and returns the plausible time.
    fn advance(&mut self, system_time: Timestamp, since_boot: i64) -> Timestamp {
        let expected = self.base + (since_boot - self.base_since_boot);
        if system_time.abs_diff(expected) > JUMP_MILLISECONDS_MAX.unsigned_abs() {
            self.is_doubted = true;
            return expected;
        }
        if self.is_doubted {
            self.accepted_by = TimeSource::DataFile;
        }
        self.is_doubted = false;
        (self.base, self.base_since_boot) = (system_time, since_boot);
        system_time
    }

    /// Takes the system time for right.
    fn accept(&mut self, source: TimeSource, system_time: Timestamp, since_boot: i64) {
        let plausible = self.advance(system_time, since_boot);
        if !self.is_doubted {
            return;
        }
        let mut corrections = self.corrections.to_vec();
        if system_time > plausible {
            corrections.push(Correction {
                from: self.continuous_since,
                until: plausible,
                by: system_time - plausible,
            });
        }
        corrections.retain(|one| system_time - one.until - one.by < CORRECTION_MILLISECONDS_MAX);
        let surplus = corrections.len().saturating_sub(CORRECTIONS_MAX);
        corrections.drain(..surplus);
        *self = Self {
            accepted_by: source,
            ..Self::starting(system_time, since_boot, corrections)
        };
    }
}

/// Shifts of the clock that only tests set.
#[derive(Debug, Default)]
struct TestShift {
    /// Time that has passed, by all clocks.
    passed_ms: AtomicI64,
    /// How far the system time alone is off.
    off_ms: AtomicI64,
}

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<Option<State>>,
    shift: TestShift,
    fixed_at: Option<Timestamp>,
    timesync: Option<PathBuf>,
}

/// The clock of the program; clones share its state.
#[derive(Debug, Clone, Default)]
pub struct Clock(Arc<Inner>);

impl Clock {
    /// A clock that stands still, for tests.
    pub fn fixed(at: Timestamp) -> Self {
        Self(Arc::new(Inner {
            fixed_at: Some(at),
            ..Inner::default()
        }))
    }

    /// A clock that looks for the state of `systemd-timesyncd` at another path, for tests.
    pub fn with_timesync(path: PathBuf) -> Self {
        Self(Arc::new(Inner {
            timesync: Some(path),
            ..Inner::default()
        }))
    }

    /// Lets time pass, for tests.
    pub fn pass(&self, milliseconds: i64) {
        let passed = &self.0.shift.passed_ms;
        passed.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Sets the system time off by this, for tests.
    pub fn set_off(&self, milliseconds: i64) {
        self.0.shift.off_ms.store(milliseconds, Ordering::Relaxed);
    }

    /// Returns the time of the machine, right or wrong: for certificates, signatures and codes that
    /// another machine compares with its own clock.
    pub fn system_time(&self) -> Timestamp {
        let shift = &self.0.shift;
        let at = self.0.fixed_at.unwrap_or_else(system_time);
        at.saturating_add(shift.passed_ms.load(Ordering::Relaxed))
            .saturating_add(shift.off_ms.load(Ordering::Relaxed))
    }

    fn since_boot(&self) -> i64 {
        let passed = self.0.shift.passed_ms.load(Ordering::Relaxed);
        let at = self.0.fixed_at.map_or_else(since_boot, |_| 0);
        at.saturating_add(passed)
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut State, Timestamp, i64) -> T) -> T {
        let (system_time, since_boot) = (self.system_time(), self.since_boot());
        let mut state: MutexGuard<'_, Option<State>> =
            self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state =
            state.get_or_insert_with(|| State::starting(system_time, since_boot, Vec::new()));
        work(state, system_time, since_boot)
    }

    /// Begins with what the data file knows of the time. Called once at the start, before the first
    /// reading. A file of an earlier version knows nothing: then the system time is taken for
    /// right.
    pub fn resume(&self, reader: &Reader<'_>) -> Result<()> {
        let note = reader.note(CLOCK_NOTE)?;
        let known = note.and_then(|note| serde_json::from_slice::<LastSeen>(&note).ok());
        self.with_state(|state, system_time, since_boot| {
            let recorded_at = known.as_ref().map(|known| known.seen_at);
            let known = known.unwrap_or_else(|| LastSeen {
                seen_at: system_time,
                corrections: Vec::new(),
            });
            *state = State::starting(known.seen_at, since_boot, known.corrections);
            state.recorded_at = recorded_at;
            state.continuous_since = state.advance(system_time, since_boot);
        });
        Ok(())
    }

    /// Returns the plausible time.
    pub fn now(&self) -> Timestamp {
        self.with_state(State::advance)
    }

    pub fn reading(&self) -> ClockReading {
        self.with_state(|state, system_time, since_boot| ClockReading {
            at: state.advance(system_time, since_boot),
            corrections: Arc::clone(&state.corrections),
        })
    }

    /// Returns the time, unless the system time is doubted.
    pub fn trusted(&self) -> Option<TrustedTime> {
        // Looks for another source first.
        if self.doubt().is_some() {
            return None;
        }
        self.with_state(|state, system_time, since_boot| {
            let at = state.advance(system_time, since_boot);
            let corrections = Arc::clone(&state.corrections);
            (!state.is_doubted).then_some(TrustedTime(ClockReading { at, corrections }))
        })
    }

    /// Returns the jump that is doubted, after looking for `systemd-timesyncd`.
    pub fn doubt(&self) -> Option<ClockDoubt> {
        let doubt = || {
            self.with_state(|state, system_time, since_boot| {
                let plausible_time = state.advance(system_time, since_boot);
                state.is_doubted.then_some(ClockDoubt {
                    system_time,
                    plausible_time,
                })
            })
        };
        doubt()?;
        let timesync = self.0.timesync.clone();
        let synchronized = std::fs::metadata(timesync.unwrap_or_else(|| TIMESYNC.into()));
        if let Ok(at) = synchronized.and_then(|found| found.modified()) {
            self.observe(TimeSource::Timesync, milliseconds_since_1970(at));
        }
        doubt()
    }

    /// Returns what last agreed with the system time.
    pub fn accepted_by(&self) -> TimeSource {
        self.with_state(|state, _, _| state.accepted_by)
    }

    /// Compares the system time with that of another machine; ends a doubt if they agree.
    pub fn observe(&self, source: TimeSource, other: Timestamp) {
        self.with_state(|state, system_time, since_boot| {
            if system_time.abs_diff(other) <= JUMP_MILLISECONDS_MAX.unsigned_abs() {
                state.accept(source, system_time, since_boot);
            }
        });
    }

    /// As [`Clock::observe`], of the `Date` header of an answer.
    pub fn observe_date(&self, source: TimeSource, date: &str) {
        if let Ok(date) = jiff::fmt::rfc2822::parse(date) {
            self.observe(source, date.timestamp().as_millisecond());
        }
    }

    /// Takes the system time for right, because a person says so.
    pub fn confirm(&self) {
        self.with_state(|state, system_time, since_boot| {
            state.accept(TimeSource::Person, system_time, since_boot);
        });
    }

    /// Returns whether the time in the data file is an hour old.
    pub fn is_record_due(&self) -> bool {
        self.with_state(|state, system_time, since_boot| {
            let now = state.advance(system_time, since_boot);
            let age = state.recorded_at.map(|at| now.saturating_sub(at));
            age.is_none_or(|age| !(0..RECORD_MILLISECONDS).contains(&age))
        })
    }

    /// Returns what to write into the data file.
    fn last_seen(&self) -> LastSeen {
        self.with_state(|state, system_time, since_boot| {
            let seen_at = state.advance(system_time, since_boot);
            state.recorded_at = Some(seen_at);
            LastSeen {
                seen_at,
                corrections: state.corrections.to_vec(),
            }
        })
    }
}

impl Writer<'_> {
    /// Writes the plausible time: while the clock is doubted it is not ahead of the true time,
    /// either.
    pub fn record_time(&mut self, clock: &Clock) -> Result<()> {
        let bytes = serde_json::to_vec(&clock.last_seen());
        let bytes = bytes.map_err(|error| Error::Internal(error.to_string()))?;
        self.put_note(CLOCK_NOTE, &bytes)
    }

    /// Writes the time if an hour has passed and the transaction has changed something anyway.
    pub fn record_time_if_due(&mut self, clock: &Clock) -> Result<()> {
        if self.transaction.is_changed() && clock.is_record_due() {
            return self.record_time(clock);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Session, Store, WriteAccess};
    use std::fs::File;
    use std::time::Duration;

    const HOUR: i64 = 60 * 60 * 1_000;
    const DAY: i64 = 24 * HOUR;
    /// Times of one run of a test differ by less.
    const SECONDS: i64 = 60 * 1_000;

    /// Starts with a clock that is off by this.
    fn start(store: &Store, off: i64) -> Clock {
        let clock = Clock::with_timesync("/nonexistent".into());
        clock.set_off(off);
        store.read(|reader| clock.resume(reader)).unwrap();
        clock
    }

    fn record(store: &WriteAccess, clock: &Clock) {
        store.write(|writer| writer.record_time(clock)).unwrap();
    }

    /// Returns a data file that was in use until now.
    fn used() -> (tempfile::TempDir, WriteAccess) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data.redb")).unwrap();
        record(&store, &start(&store, 0));
        (folder, store)
    }

    fn is_about(one: Timestamp, other: Timestamp) -> bool {
        one.abs_diff(other) < SECONDS.unsigned_abs()
    }

    #[test]
    fn a_jump_at_a_start_is_doubted_until_the_clock_is_right() {
        let (_folder, store) = used();
        for off in [40 * DAY, -2_000 * DAY] {
            let clock = start(&store, off);
            assert!(clock.trusted().is_none());
            assert!(is_about(clock.now(), system_time()), "{off}");
            clock.pass(3 * HOUR);
            assert!(is_about(clock.now(), system_time() + 3 * HOUR), "{off}");
            let doubt = clock.doubt().unwrap();
            assert!(is_about(doubt.system_time, system_time() + off + 3 * HOUR));
            clock.set_off(0);
            assert!(clock.trusted().is_some());
            assert_eq!(clock.accepted_by(), TimeSource::DataFile);
        }
        for off in [23 * HOUR, -23 * HOUR] {
            let trusted = start(&store, off).trusted().unwrap();
            assert!(is_about(trusted.at(), system_time() + off));
        }
    }

    #[test]
    fn a_file_without_a_time_trusts_the_clock() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data.redb")).unwrap();
        assert!(start(&store, 40 * DAY).trusted().is_some());
    }

    #[test]
    fn a_jump_while_running_is_doubted_and_time_that_passes_is_not() {
        let (_folder, store) = used();
        let clock = start(&store, 0);
        clock.pass(21 * DAY);
        assert!(clock.trusted().is_some(), "a suspended machine");
        for off in [2 * DAY, -2 * DAY] {
            clock.set_off(off);
            assert!(clock.trusted().is_none());
            assert!(is_about(clock.now(), system_time() + 21 * DAY));
            clock.set_off(0);
            assert!(clock.trusted().is_some());
        }
    }

    #[test]
    fn each_second_source_that_agrees_ends_the_doubt_and_none_that_does_not() {
        let (folder, store) = used();
        let (off, week) = (21 * DAY, 7 * DAY);
        for source in [TimeSource::Acme, TimeSource::ObjectStorage] {
            let clock = start(&store, off);
            clock.observe(source, system_time() + off + week);
            clock.observe_date(source, "Thu, 01 Jan 1970 00:00:00 GMT");
            clock.observe_date(source, "odd");
            assert!(clock.trusted().is_none());
            let there = jiff::Timestamp::from_millisecond(system_time() + off).unwrap();
            let date = there.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
            clock.observe_date(source, &date);
            assert!(is_about(clock.trusted().unwrap().at(), system_time() + off));
            assert_eq!(clock.accepted_by(), source);
        }
        let synchronized = folder.path().join("synchronized");
        let file = File::create(&synchronized).unwrap();
        let clock = Clock::with_timesync(synchronized);
        clock.set_off(off);
        store.read(|reader| clock.resume(reader)).unwrap();
        assert!(clock.trusted().is_none(), "synchronized before the jump");
        let there = Duration::from_millis((system_time() + off).unsigned_abs());
        file.set_modified(UNIX_EPOCH + there).unwrap();
        assert!(clock.trusted().is_some());
        assert_eq!(clock.accepted_by(), TimeSource::Timesync);
    }

    #[test]
    fn a_person_ends_the_doubt_also_for_the_next_start() {
        let (_folder, store) = used();
        for off in [21 * DAY, 20 * DAY - HOUR] {
            let clock = start(&store, off);
            assert!(clock.trusted().is_none() || off < 21 * DAY);
            clock.confirm();
            assert!(clock.trusted().is_some());
            record(&store, &clock);
            assert!(start(&store, off).trusted().is_some());
        }
    }

    /// While it is doubted, time goes on from a start to the next.
    #[test]
    fn the_time_in_the_file_is_never_the_doubted_one() {
        let (_folder, store) = used();
        let clock = start(&store, 40 * DAY);
        clock.pass(5 * HOUR);
        record(&store, &clock);
        let next = start(&store, 40 * DAY);
        assert!(is_about(next.now(), system_time() + 5 * HOUR));
        assert!(start(&store, 0).trusted().is_some());
    }

    #[test]
    fn the_time_is_written_hourly_and_only_with_another_change() {
        let (_folder, store) = used();
        let clock = start(&store, 0);
        let seen = || {
            store
                .read(|reader| reader.note(CLOCK_NOTE))
                .unwrap()
                .unwrap()
        };
        let length = seen().len();
        let write = |changes: bool| {
            let former = seen();
            let number = clock.now().to_string().into_bytes();
            let written = store.write(|writer| {
                if changes {
                    writer.put_note("other", &number)?;
                }
                writer.record_time_if_due(&clock)
            });
            written.unwrap();
            seen() != former
        };
        assert!(!write(true));
        clock.pass(HOUR);
        assert!(!write(false) && write(true));
        clock.pass(HOUR / 2);
        assert!(!write(true));
        clock.pass(HOUR / 2);
        assert!(!write(false) && write(true));
        assert_eq!(seen().len(), length, "the row does not grow");
    }

    fn session(at: Timestamp) -> Session {
        Session {
            id: "s".to_owned(),
            email: "anna@example.it".to_owned(),
            created_at: at,
            last_seen_at: at,
            user_agent: String::new(),
        }
    }

    /// The machine was off for two months, and its clock went on from where it had stopped.
    #[test]
    fn what_began_while_the_clock_was_behind_is_not_aged_by_the_correction() {
        let (_folder, store) = used();
        let clock = start(&store, 0);
        let before = session(clock.now() - HOUR);
        clock.pass(HOUR);
        let begun = session(clock.now());
        clock.pass(HOUR);
        clock.set_off(60 * DAY);
        assert!(before.is_alive(&clock.reading()) && begun.is_alive(&clock.reading()));
        clock.observe(TimeSource::Acme, clock.system_time());
        let now = clock.trusted().unwrap();
        assert!(is_about(now.age_of(begun.created_at), HOUR));
        assert!(is_about(now.age_of(before.created_at), 60 * DAY + 3 * HOUR));
        assert!(begun.is_alive(&now) && !before.is_alive(&now));
        record(&store, &clock);
        let next = start(&store, 60 * DAY + 2 * HOUR);
        assert!(begun.is_alive(&next.trusted().unwrap()));
        next.pass(15 * DAY);
        assert!(!begun.is_alive(&next.trusted().unwrap()));
    }

    #[test]
    fn golden_note_of_the_clock() {
        const GOLDEN: &str =
            r#"{"seenAt":1795000000000,"corrections":[{"from":1,"until":2,"by":3}]}"#;
        let seen: LastSeen = serde_json::from_str(GOLDEN).unwrap();
        assert_eq!(serde_json::to_string(&seen).unwrap(), GOLDEN);
        let short: LastSeen = serde_json::from_str(r#"{"seenAt":5}"#).unwrap();
        assert_eq!((short.seen_at, short.corrections.len()), (5, 0));
        assert_eq!(CLOCK_NOTE, "clock");
    }
}
