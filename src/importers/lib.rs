//! Reads the content of other programs into the site's items: WordPress exports.
//!
//! May name `respiro-content` and `respiro-media`. Knows neither the data file nor the command
//! line: the caller hands in the decoder, new ids and the function that keeps a picture, and writes
//! the result. Invariant: nothing in a file from elsewhere is trusted, resolved or fetched; every
//! list and text that it controls is bounded.

pub mod wordpress;
