//! Pictures go in pieces: what a try that breaks has to send again is one of them at most.

use super::Sealer;
use crate::store::Blob;
use std::ops::Range;

/// Sealed it is smaller than what the storage takes in one call. Small in tests, which seal slowly.
pub const PIECE_BYTES: u64 = if cfg!(test) {
    64 * 1024
} else {
    4 * 1024 * 1024
};

/// A part of a picture, which lies by itself in the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Of its content: the same piece has the same name under one key.
    pub name: String,
    pub from: u64,
    pub bytes: u64,
}

impl Piece {
    pub fn of<'a>(&self, whole: &'a [u8]) -> Option<&'a [u8]> {
        let place = |at: u64| usize::try_from(at).ok();
        let range: Range<usize> = place(self.from)?..place(self.from + self.bytes)?;
        whole.get(range)
    }
}

/// A picture as it goes: by the name of all of it when it is small, else `NAME-001` and so on.
/// Former programs sent all in one object; `is_whole` says whether that one is there.
pub fn pieces(sealer: &Sealer, blob: &Blob, is_whole: impl Fn(&str) -> bool) -> Vec<Piece> {
    let name = sealer.name(&blob.hash);
    if blob.bytes <= PIECE_BYTES || is_whole(&name) {
        let (from, bytes) = (0, blob.bytes);
        return vec![Piece { name, from, bytes }];
    }
    let starts = (0..blob.bytes.div_ceil(PIECE_BYTES)).map(|number| number * PIECE_BYTES);
    let piece = |(number, from): (u64, u64)| Piece {
        name: format!("{name}-{number:03}"),
        from,
        bytes: PIECE_BYTES.min(blob.bytes - from),
    };
    (1..).zip(starts).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copies::new_pair;

    #[test]
    fn pieces_make_the_whole() {
        let sealer = Sealer::new(&new_pair().1).unwrap();
        let hash = [7; 32];
        for bytes in [
            0,
            1,
            PIECE_BYTES,
            PIECE_BYTES + 1,
            2 * PIECE_BYTES,
            1_000_000,
        ] {
            let blob = Blob { hash, bytes };
            let found = pieces(&sealer, &blob, |_| false);
            assert_eq!(found.len() as u64, bytes.div_ceil(PIECE_BYTES).max(1));
            let content: Vec<u8> = (0..bytes)
                .map(|at| u8::try_from(at % 251).unwrap())
                .collect();
            let parts = found.iter().flat_map(|piece| piece.of(&content).unwrap());
            assert!(parts.copied().eq(content.iter().copied()));
            assert_eq!(pieces(&sealer, &blob, |_| true)[0].bytes, bytes);
        }
    }
}
