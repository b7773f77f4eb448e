//! Library of the package `respiro`: the command line, and the built UI that it hands to the
//! server. Tests and benches name the crates of the workspace themselves.

pub mod cli;
pub mod ui_assets;
