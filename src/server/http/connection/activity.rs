//! Tracks the requests in flight, the sent bytes and the idle time of one connection, and decides
//! when the server closes it.

use crate::state::Tuning;
use crate::state::connection_table::{RequestInFlight, Slot};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time before the pace of a client is checked.
const GRACE: Duration = Duration::from_mins(1);
/// Slowest accepted client, in bytes per second; slower ones are disconnected.
const PACE_MIN: u64 = 512;
/// How long the other side has to take part in a close.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub struct Activity {
    slot: Slot,
    opened: Instant,
    in_flight: Cell<usize>,
    /// Responses that are begun and not yet written to the socket.
    responding: Cell<usize>,
    /// Since when `responding` is not 0, and the bytes written since then.
    responding_since: Cell<Instant>,
    sent_bytes: Cell<u64>,
    /// Whether the socket takes no more bytes at the moment.
    is_blocked: Cell<bool>,
    /// Requests whose response is produced and may still be in a buffer.
    produced: RefCell<Vec<RequestInFlight>>,
    /// When the last response was written; `None` before the first one.
    idle_since: Cell<Option<Instant>>,
    /// When the first byte of the next request arrived.
    head_began: Cell<Option<Instant>>,
    has_unread_body: Cell<bool>,
}

/// A request in flight; dropped when its response is written to the socket.
#[derive(Debug)]
pub struct Exchange {
    activity: Rc<Activity>,
    in_flight: Option<RequestInFlight>,
    is_responding: bool,
}

/// Result of `Activity::check`.
#[derive(Debug, PartialEq, Eq)]
pub enum Check {
    /// Nothing; the next check is due then.
    Next(Instant),
    /// The client asks for nothing any more.
    Idle,
    /// The head of a request does not arrive.
    SlowHead,
    /// The client takes a response too slowly, or takes no part in the close.
    Stalled,
}

impl Activity {
    pub fn new(slot: Slot) -> Self {
        let now = Instant::now();
        Self {
            slot,
            opened: now,
            in_flight: Cell::new(0),
            responding: Cell::new(0),
            responding_since: Cell::new(now),
            sent_bytes: Cell::new(0),
            is_blocked: Cell::new(false),
            produced: RefCell::default(),
            idle_since: Cell::new(None),
            head_began: Cell::new(None),
            has_unread_body: Cell::new(false),
        }
    }

    pub fn slot(&self) -> &Slot {
        &self.slot
    }

    /// Begins a request; `None` when too many are in flight.
    pub fn begin(self: &Rc<Self>) -> Option<Exchange> {
        let in_flight = self.slot.begin_request()?;
        self.in_flight.update(|count| count + 1);
        self.head_began.set(None);
        Some(Exchange {
            activity: Rc::clone(self),
            in_flight: Some(in_flight),
            is_responding: false,
        })
    }

    /// Notes that bytes arrived.
    pub fn record_read(&self) {
        if self.in_flight.get() == 0 && self.head_began.get().is_none() {
            self.head_began.set(Some(Instant::now()));
        }
    }

    pub fn record_write(&self, bytes: usize) {
        self.sent_bytes.update(|sent| sent + bytes as u64);
    }

    pub fn record_blocked(&self) {
        self.is_blocked.set(true);
    }

    /// Notes that everything produced so far is written.
    pub fn record_flush(&self) {
        self.is_blocked.set(false);
        let mut produced = self.produced.borrow_mut();
        if produced.is_empty() {
            return;
        }
        self.end(produced.len(), produced.len());
        produced.clear();
    }

    /// Notes that a request's body was not read to its end.
    pub fn record_unread_body(&self) {
        self.has_unread_body.set(true);
    }

    /// Returns whether the client may still be sending what nobody will read.
    pub fn has_unread_body(&self) -> bool {
        self.has_unread_body.get()
    }

    fn end(&self, requests: usize, responses: usize) {
        self.in_flight.update(|count| count - requests);
        self.responding.update(|count| count - responses);
        if self.in_flight.get() == 0 {
            self.idle_since.set(Some(Instant::now()));
        }
    }

    /// Decides whether the connection may stay open. `closing_since` is when its end was announced
    /// to the client. A head that arrives slowly is told from an idle connection over HTTP/1.1
    /// only: over HTTP/2 other frames arrive too.
    pub fn check(&self, tuning: &Tuning, is_http2: bool, closing_since: Option<Instant>) -> Check {
        if !self.is_blocked.get() {
            self.record_flush();
        }
        let now = Instant::now();
        let responding = now.duration_since(self.responding_since.get());
        if self.responding.get() > 0 && is_too_slow(responding, self.sent_bytes.get()) {
            return Check::Stalled;
        }
        let next = now + tuning.head_timeout;
        if self.in_flight.get() > 0 {
            return Check::Next(next);
        }
        let or = |deadline: Instant, due: Check| {
            if now >= deadline {
                due
            } else {
                Check::Next(deadline.min(next))
            }
        };
        if let Some(since) = closing_since {
            return or(since + CLOSE_TIMEOUT, Check::Stalled);
        }
        match (self.head_began.get(), self.idle_since.get()) {
            (Some(began), _) if !is_http2 => or(began + tuning.head_timeout, Check::SlowHead),
            (_, Some(since)) => or(since + tuning.keep_alive, Check::Idle),
            (_, None) => or(self.opened + tuning.head_timeout, Check::Idle),
        }
    }
}

impl Exchange {
    /// Notes that the response begins: from now on the client has to take it.
    pub fn respond(&mut self) {
        let activity = &self.activity;
        if activity.responding.get() == 0 {
            activity.responding_since.set(Instant::now());
            activity.sent_bytes.set(0);
        }
        activity.responding.update(|count| count + 1);
        self.is_responding = true;
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let Some(in_flight) = self.in_flight.take() else {
            return;
        };
        if self.is_responding {
            self.activity.produced.borrow_mut().push(in_flight);
        } else {
            self.activity.end(1, 0);
        }
    }
}

/// Returns whether a client that took `sent` bytes in `elapsed` is below the minimum pace.
fn is_too_slow(elapsed: Duration, sent: u64) -> bool {
    elapsed > GRACE && sent < PACE_MIN.saturating_mul(elapsed.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::connection_table::{ConnectionTable, Limits, Transport};
    use std::sync::Arc;

    fn activity() -> Rc<Activity> {
        let table = Arc::new(ConnectionTable::new(Limits::default(), Vec::new()));
        let slot = table.admit(None, Transport::Plain).unwrap();
        Rc::new(Activity::new(slot))
    }

    fn check(activity: &Activity, tuning: &Tuning, is_http2: bool) -> Check {
        match activity.check(tuning, is_http2, None) {
            Check::Next(_) => Check::Next(activity.opened),
            other => other,
        }
    }

    #[test]
    fn only_who_keeps_a_snails_pace_for_long_is_cut_off() {
        let slow = |seconds: u64, sent: u64| is_too_slow(Duration::from_secs(seconds), sent);
        assert!(!slow(59, 0));
        assert!(!slow(61, 61 * PACE_MIN));
        assert!(slow(61, 60 * PACE_MIN));
        assert!(!slow(600, 1024 * 1024));
    }

    #[test]
    fn a_connection_is_busy_until_its_response_is_written() {
        let activity = activity();
        let at_once = Tuning {
            keep_alive: Duration::ZERO,
            head_timeout: Duration::ZERO,
            ..Tuning::default()
        };
        let busy = Check::Next(activity.opened);
        let mut exchange = activity.begin().unwrap();
        assert_eq!(check(&activity, &at_once, false), busy);
        exchange.respond();
        activity.record_blocked();
        drop(exchange);
        assert_eq!(check(&activity, &at_once, false), busy);
        assert!(!activity.slot().is_idle());
        activity.record_flush();
        assert!(activity.slot().is_idle());
        assert_eq!(check(&activity, &at_once, false), Check::Idle);
    }

    #[test]
    fn a_head_that_began_is_told_from_an_idle_connection() {
        let activity = activity();
        let at_once = Tuning {
            head_timeout: Duration::ZERO,
            ..Tuning::default()
        };
        assert_eq!(check(&activity, &at_once, false), Check::Idle);
        activity.record_read();
        assert_eq!(check(&activity, &at_once, false), Check::SlowHead);
        assert_eq!(check(&activity, &at_once, true), Check::Idle);
    }
}
