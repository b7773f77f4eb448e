//! Limits the frames of an HTTP/2 client that neither ask for something nor bring something:
//! floods of SETTINGS, PING, `RST_STREAM`, `WINDOW_UPDATE`, PRIORITY, CONTINUATION and empty
//! DATA.
//! h2 bounds the memory that some of them take; this bounds the work that all of them make.

use std::time::Instant;

/// Such frames that a client may send at once.
const BURST: u64 = 1_000;
/// Such frames that it may send each second beyond that.
const PER_SECOND: u64 = 50;
/// Bytes that it may acknowledge with one frame: flow control needs some for each response.
const BYTES_PER_FRAME: u64 = 1_024;

const PREFACE_BYTES: usize = 24;
const HEAD_BYTES: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const END_STREAM: u8 = 1;

/// Reads frame heads as they arrive and counts the frames above.
#[derive(Debug)]
pub struct FrameLimit {
    /// Bytes to pass over: the rest of the preface or of a payload.
    skip: usize,
    head: [u8; HEAD_BYTES],
    head_length: usize,
    count: u64,
    sent_bytes: u64,
    /// When `count` was lowered last.
    lowered: Instant,
}

/// The client sends too many frames of this kind.
#[derive(Debug, PartialEq, Eq)]
pub struct Flood;

impl FrameLimit {
    pub fn new() -> Self {
        Self {
            skip: PREFACE_BYTES,
            head: [0; HEAD_BYTES],
            head_length: 0,
            count: 0,
            sent_bytes: 0,
            lowered: Instant::now(),
        }
    }

    pub fn record_write(&mut self, bytes: usize) {
        self.sent_bytes += bytes as u64;
    }

    pub fn record_read(&mut self, mut bytes: &[u8]) -> Result<(), Flood> {
        loop {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            bytes = &bytes[skipped..];
            let missing = HEAD_BYTES - self.head_length;
            let taken = missing.min(bytes.len());
            self.head[self.head_length..][..taken].copy_from_slice(&bytes[..taken]);
            self.head_length += taken;
            bytes = &bytes[taken..];
            if self.head_length < HEAD_BYTES {
                return Ok(());
            }
            self.head_length = 0;
            let [high, middle, low, kind, flags, ..] = self.head;
            self.skip = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
            let is_of_use = match kind {
                DATA => self.skip > 0 || flags & END_STREAM != 0,
                kind => kind == HEADERS,
            };
            if !is_of_use {
                self.count()?;
            }
        }
    }

    fn count(&mut self) -> Result<(), Flood> {
        self.count += 1;
        if self.count <= BURST {
            return Ok(());
        }
        let now = Instant::now();
        let elapsed_ms = now.duration_since(self.lowered).as_millis();
        let earned = u64::try_from(elapsed_ms).unwrap_or(u64::MAX) / (1_000 / PER_SECOND);
        let acknowledged = self.sent_bytes / BYTES_PER_FRAME;
        if earned > 0 {
            self.lowered = now;
        }
        self.sent_bytes %= BYTES_PER_FRAME;
        self.count = self
            .count
            .saturating_sub(earned)
            .saturating_sub(acknowledged);
        if self.count > BURST {
            Err(Flood)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PING: u8 = 6;

    fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let mut frame = vec![length[1], length[2], length[3], kind, flags, 0, 0, 0, 1];
        frame.extend_from_slice(payload);
        frame
    }

    fn begun() -> FrameLimit {
        let mut limit = FrameLimit::new();
        limit.record_read(&[b'P'; PREFACE_BYTES]).unwrap();
        limit
    }

    /// Returns how many of these frames pass.
    fn passing(limit: &mut FrameLimit, frame: &[u8]) -> u64 {
        let most = 20 * BURST;
        let passes = (0..most).take_while(|_| limit.record_read(frame).is_ok());
        u64::try_from(passes.count()).unwrap()
    }

    #[test]
    fn frames_that_ask_for_nothing_are_limited_and_others_are_not() {
        let nothing = [
            (2, 0),
            (3, 0),
            (4, 0),
            (PING, 0),
            (8, 0),
            (9, 4),
            (200, 0),
            (DATA, 0),
        ];
        for (kind, flags) in nothing {
            let payload: &[u8] = if kind == DATA { b"" } else { b"12345678" };
            let passed = passing(&mut begun(), &frame(kind, flags, payload));
            // A slow machine earns a few in the meantime.
            assert!((BURST..2 * BURST).contains(&passed), "{kind}: {passed}");
        }
        for (kind, flags, payload) in [(HEADERS, 4, "x"), (DATA, 0, "x"), (DATA, END_STREAM, "")] {
            let passed = passing(&mut begun(), &frame(kind, flags, payload.as_bytes()));
            assert_eq!(passed, 20 * BURST, "{kind}");
        }
    }

    #[test]
    fn what_was_sent_may_be_acknowledged() {
        let mut limit = begun();
        let update = frame(8, 0, &[0; 4]);
        for _ in 0..10 * BURST {
            limit.record_write(2 * 1_024);
            limit.record_read(&update).unwrap();
        }
    }

    #[test]
    fn frames_are_told_apart_wherever_their_bytes_are_cut() {
        let mut all = frame(DATA, 0, &[b'\x04'; 300]);
        all.extend(frame(PING, 0, &[0; 8]));
        let cut_in = |length: usize| {
            let mut limit = begun();
            for _ in 0..10 {
                for part in all.chunks(length) {
                    limit.record_read(part).unwrap();
                }
            }
            limit.count
        };
        for length in [1, 2, 5, 9, 10, 100, 1_000] {
            assert_eq!(cut_in(length), 10, "{length}");
        }
    }
}
