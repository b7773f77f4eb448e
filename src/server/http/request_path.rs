//! The percent-decoded path of a request. It is decoded once, and all comparisons use it.

use crate::errors::{Error, Result};

const MALFORMED: &str = "L'indirizzo richiesto non è scritto correttamente.";
/// Longest accepted path; preview links are the longest ones that the site makes.
pub const PATH_BYTES_MAX: usize = 2_048;

/// A decoded path: valid UTF-8, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedPath(String);

impl DecodedPath {
    /// Returns 400 for a percent sign without two digits, invalid UTF-8, control characters, or a
    /// path over the limit.
    pub fn new(raw: &str) -> Result<Self> {
        let malformed = Error::BadRequest(MALFORMED);
        if raw.len() > PATH_BYTES_MAX {
            return Err(malformed);
        }
        let mut bytes = Vec::with_capacity(raw.len());
        let mut rest = raw.bytes();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                bytes.push(byte);
                continue;
            }
            match (rest.next().and_then(digit), rest.next().and_then(digit)) {
                (Some(high), Some(low)) => bytes.push(high * 16 + low),
                _ => return Err(malformed),
            }
        }
        match String::from_utf8(bytes) {
            Ok(path) if !path.chars().any(char::is_control) => Ok(Self(path)),
            _ => Err(malformed),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_once_and_malformed_ones_refused() {
        assert_eq!(DecodedPath::new("/event%69").unwrap().as_str(), "/eventi");
        assert_eq!(DecodedPath::new("/%C3%A8").unwrap().as_str(), "/è");
        assert_eq!(DecodedPath::new("/a%2525").unwrap().as_str(), "/a%25");
        for bad in ["/%", "/%4", "/%zz", "/%ff", "/%00", "/a%0ab", "/%C3"] {
            assert!(DecodedPath::new(bad).is_err(), "{bad}");
        }
        assert!(DecodedPath::new(&"a".repeat(PATH_BYTES_MAX + 1)).is_err());
    }
}
