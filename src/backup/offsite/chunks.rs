//! Splits pictures into pieces, so that a failed upload repeats one piece at most.

use super::Encryptor;
use respiro_db::Blob;
use std::ops::Range;

/// An encrypted piece fits one S3 call. Small in tests, because encryption is slow there.
pub const PIECE_BYTES: u64 = if cfg!(test) {
    64 * 1024
} else {
    4 * 1024 * 1024
};

/// A part of a picture, stored as its own object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Content name: equal pieces have equal names under one key.
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

/// Returns the pieces of a picture: one with the content name if the picture is small, else
/// `NAME-001` and so on. Older programs uploaded one object; `is_whole` says whether it exists.
pub fn pieces(encryptor: &Encryptor, blob: &Blob, is_whole: impl Fn(&str) -> bool) -> Vec<Piece> {
    let name = encryptor.name(&blob.hash);
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
    use crate::offsite::new_pair;

    #[test]
    fn pieces_make_the_whole() {
        let encryptor = Encryptor::new(&new_pair().1).unwrap();
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
            let found = pieces(&encryptor, &blob, |_| false);
            assert_eq!(found.len() as u64, bytes.div_ceil(PIECE_BYTES).max(1));
            let content: Vec<u8> = (0..bytes)
                .map(|at| u8::try_from(at % 251).unwrap())
                .collect();
            let parts = found.iter().flat_map(|piece| piece.of(&content).unwrap());
            assert!(parts.copied().eq(content.iter().copied()));
            assert_eq!(pieces(&encryptor, &blob, |_| true)[0].bytes, bytes);
        }
    }
}
