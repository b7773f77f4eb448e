//! Decodes AVIF.

use super::Refusal;
use super::decode::Decoded;

pub(super) fn decode(_bytes: &[u8]) -> Result<Decoded, Refusal> {
    Err(Refusal::Undecodable)
}
