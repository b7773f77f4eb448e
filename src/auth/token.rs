//! Random tokens and ids, and the hash that is stored in place of a token.

use super::error::Result;
use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Returns 128 random bits as 26 characters of lower-case base 32, the form of every id.
pub fn id() -> Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(encode(bytes))
}

/// Returns 128 bits in the form of an id.
pub fn encode(bytes: [u8; 16]) -> String {
    let bits = u128::from_be_bytes(bytes);
    let digit = |position: u32| {
        let index = usize::try_from((bits >> (position * 5)) & 31).unwrap_or_default();
        char::from(ALPHABET[index])
    };
    (0..26).rev().map(digit).collect()
}

/// Returns 256 random bits for sessions and one-time links, as base 32 without padding.
pub fn secret() -> Result<String> {
    Ok(format!("{}{}", id()?, id()?))
}

/// Returns the SHA-256 of a token, which is stored in its place.
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_the_form_that_checks_accept_and_is_new_each_time() {
        let first = id().unwrap();
        assert!(respiro_content::validation::is_id(&first), "{first}");
        assert_ne!(first, id().unwrap());
    }

    #[test]
    fn golden_hash_of_a_token() {
        let hash = data_encoding::HEXLOWER.encode(&hash("abc"));
        let golden = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash, golden);
    }
}
