//! Writes the head of an answer, of which most is the same each time.

use crate::http::cached_response::{CachedResponse, Selection};
use actix_web::http::StatusCode;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use std::cell::RefCell;
use std::io::Write as _;

/// Heads are around 1,250 bytes.
const HEAD_BYTES: usize = 1_536;

/// The head of an answer. Without `length` it has no body and says none.
pub fn head(
    cached_page: &CachedResponse<'_>,
    share: &Selection,
    length: Option<u64>,
    (number, fixed): (u64, &str),
) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let status = StatusCode::from_u16(cached_page.status(share)).unwrap_or_default();
    let reason = status.canonical_reason().unwrap_or_default();
    // Writing to memory cannot fail.
    let _ = write!(head, "HTTP/1.1 {} {reason}\r\n", status.as_str());
    if let Some(length) = length {
        let _ = write!(head, "content-length: {length}\r\n");
    }
    cached_page.headers(share, |name, value| {
        for part in [name, ": ", value, "\r\n"] {
            head.extend_from_slice(part.as_bytes());
        }
    });
    head.extend_from_slice(fixed.as_bytes());
    let _ = write!(head, "x-request-id: {number:x}\r\ndate: ");
    with_date(|date| head.extend_from_slice(date.as_bytes()));
    head.extend_from_slice(b"\r\n\r\n");
    head
}

thread_local! {
    /// The second and its name; written once a second.
    static DATE: RefCell<(i64, String)> = const { RefCell::new((i64::MIN, String::new())) };
}

fn with_date(write: impl FnOnce(&str)) {
    DATE.with_borrow_mut(|(second, name)| {
        let now = Timestamp::now();
        if now.as_second() != *second {
            name.clear();
            let printer = DateTimePrinter::new();
            if printer.print_timestamp_rfc9110(&now, &mut *name).is_ok() {
                *second = now.as_second();
            }
        }
        write(name);
    });
}
