//! Converts content of other programs into items of the site: WordPress exports.
//!
//! Depends on `respiro-content` and `respiro-media` only, not on the data file or the command line:
//! the caller provides the decoder, new ids and the function that stores a picture, and persists
//! the result. Invariant: the importer trusts, resolves and fetches nothing that the imported file
//! names, and bounds every list and text that the file controls.

pub mod wordpress;
