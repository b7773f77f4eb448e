//! Size of a link-preview image, and mixing of colours.

pub(super) const WIDTH: u32 = 1200;
pub(super) const HEIGHT: u32 = 630;

pub(super) type Colour = [u8; 3];

/// The colour at `position` (0 to 1) of evenly spaced stops.
pub(super) fn along(stops: &[Colour; 4], position: f32) -> Colour {
    let place = position.clamp(0.0, 0.999) * 3.0;
    let [first, second, third, last] = *stops;
    if place < 1.0 {
        mix(first, second, place)
    } else if place < 2.0 {
        mix(second, third, place - 1.0)
    } else {
        mix(third, last, place - 2.0)
    }
}

pub(super) fn mix(under: Colour, over: Colour, amount: f32) -> Colour {
    // Nearly every pixel lies wholly on one side.
    if amount <= 0.0 {
        return under;
    }
    if amount >= 1.0 {
        return over;
    }
    let channel = |under: u8, over: u8| {
        let mixed = f32::from(under) + (f32::from(over) - f32::from(under)) * amount;
        u8::try_from(to_u32(mixed)).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = under;
    [
        channel(red, over[0]),
        channel(green, over[1]),
        channel(blue, over[2]),
    ]
}

#[expect(
    clippy::cast_precision_loss,
    reason = "lengths here are below a few thousand pixels"
)]
pub(super) fn to_f32(length: u32) -> f32 {
    length as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded, and a cast from a float saturates"
)]
pub(super) fn to_u32(value: f32) -> u32 {
    value.round() as u32
}
