//! Request counters since the start of the server: updated by `http`, read by the metrics page.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Methods counted separately; all others count as `other`.
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "DELETE", "other"];
const STATUS_CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];
/// Upper bounds of the histogram buckets, in microseconds and as Prometheus text in seconds.
const DURATION_BUCKETS: [(u64, &str); 7] = [
    (1_000, "0.001"),
    (5_000, "0.005"),
    (25_000, "0.025"),
    (100_000, "0.1"),
    (500_000, "0.5"),
    (2_500_000, "2.5"),
    (10_000_000, "10"),
];
const MICROSECONDS_PER_SECOND: u64 = 1_000_000;

/// Monotonic counters, except `uploads_waiting`. They contain no addresses and no paths.
#[derive(Debug, Default)]
pub struct RequestCounters {
    answers: [[AtomicU64; STATUS_CLASSES.len()]; METHODS.len()],
    /// Responses by the first bucket that holds them; the last element counts slower ones.
    durations: [AtomicU64; DURATION_BUCKETS.len() + 1],
    microseconds: AtomicU64,
    uploads_waiting: AtomicU64,
}

/// Guard that counts an upload as waiting until it is dropped.
#[derive(Debug)]
pub struct WaitingUpload<'a>(&'a AtomicU64);

impl Drop for WaitingUpload<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl RequestCounters {
    /// Counts a response. `elapsed` is the time until its head was ready.
    pub fn record_response(&self, method: &str, status: u16, elapsed: Duration) {
        let known = METHODS.iter().position(|name| *name == method);
        let method = &self.answers[known.unwrap_or(METHODS.len() - 1)];
        let class = usize::from((status / 100).clamp(2, 5) - 2);
        method[class].fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        let within = DURATION_BUCKETS
            .iter()
            .position(|(edge, _)| microseconds <= *edge);
        self.durations[within.unwrap_or(DURATION_BUCKETS.len())].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    pub fn start_waiting(&self) -> WaitingUpload<'_> {
        self.uploads_waiting.fetch_add(1, Ordering::Relaxed);
        WaitingUpload(&self.uploads_waiting)
    }

    pub fn uploads_waiting(&self) -> u64 {
        self.uploads_waiting.load(Ordering::Relaxed)
    }

    /// Appends the counters in the Prometheus text format. Writing to a string cannot fail.
    pub fn write(&self, text: &mut String) {
        let name = "respiro_http_requests_total";
        let _ = writeln!(text, "# HELP {name} Requests answered since the start.");
        let _ = writeln!(text, "# TYPE {name} counter");
        for (method, row) in METHODS.iter().zip(&self.answers) {
            for (class, count) in STATUS_CLASSES.iter().zip(row) {
                let count = count.load(Ordering::Relaxed);
                let labels = format!("{{method=\"{method}\",status=\"{class}\"}}");
                let _ = writeln!(text, "{name}{labels} {count}");
            }
        }
        let name = "respiro_http_malformed_requests_total";
        let _ = writeln!(
            text,
            "# HELP {name} Requests refused because they were no HTTP."
        );
        let _ = writeln!(text, "# TYPE {name} counter");
        let _ = writeln!(text, "{name} {}", crate::log::malformed_requests());
        let name = "respiro_http_request_duration_seconds";
        let _ = writeln!(
            text,
            "# HELP {name} Time until the head of an answer was ready."
        );
        let _ = writeln!(text, "# TYPE {name} histogram");
        let mut count = 0;
        let edges = DURATION_BUCKETS
            .iter()
            .map(|(_, edge)| *edge)
            .chain(["+Inf"]);
        for (edge, within) in edges.zip(&self.durations) {
            count += within.load(Ordering::Relaxed);
            let _ = writeln!(text, "{name}_bucket{{le=\"{edge}\"}} {count}");
        }
        let sum = seconds(self.microseconds.load(Ordering::Relaxed));
        let _ = writeln!(text, "{name}_sum {sum}\n{name}_count {count}");
    }
}

/// Formats microseconds as seconds without floating-point rounding.
pub fn seconds(microseconds: u64) -> String {
    let whole = microseconds / MICROSECONDS_PER_SECOND;
    format!("{whole}.{:06}", microseconds % MICROSECONDS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_method_and_class_and_timed() {
        let meter = RequestCounters::default();
        meter.record_response("GET", 200, Duration::from_micros(900));
        meter.record_response("GET", 304, Duration::from_millis(30));
        meter.record_response("BREW", 418, Duration::from_mins(1));
        let mut text = String::new();
        meter.write(&mut text);
        for line in [
            "respiro_http_requests_total{method=\"GET\",status=\"2xx\"} 1",
            "respiro_http_requests_total{method=\"GET\",status=\"3xx\"} 1",
            "respiro_http_requests_total{method=\"other\",status=\"4xx\"} 1",
            "respiro_http_request_duration_seconds_bucket{le=\"0.001\"} 1",
            "respiro_http_request_duration_seconds_bucket{le=\"0.025\"} 1",
            "respiro_http_request_duration_seconds_bucket{le=\"0.1\"} 2",
            "respiro_http_request_duration_seconds_bucket{le=\"10\"} 2",
            "respiro_http_request_duration_seconds_bucket{le=\"+Inf\"} 3",
            "respiro_http_request_duration_seconds_sum 60.030900",
            "respiro_http_request_duration_seconds_count 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }

    #[test]
    fn an_upload_waits_until_its_turn_comes() {
        let meter = RequestCounters::default();
        let waiting = meter.start_waiting();
        assert_eq!(meter.uploads_waiting(), 1);
        drop(waiting);
        assert_eq!(meter.uploads_waiting(), 0);
    }
}
