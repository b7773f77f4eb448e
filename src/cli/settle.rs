//! How the C library keeps memory that was freed: it looks at that once, before a program begins.

use std::env;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// What the program is started with where nobody has said otherwise (docs/decisions/026).
const SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "131072"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
];
/// Set by whoever has begun anew: a program with capabilities of its file has the others taken
/// away each time.
const SETTLED: &str = "RESPIRO_MEMORY_SETTLED";

/// Begins this program anew in its own place, once, with what is not set. Where that cannot be, it
/// goes on and takes more memory.
pub fn settle() {
    let unset = SETTINGS
        .into_iter()
        .filter(|(name, _)| env::var_os(name).is_none());
    let unset: Vec<_> = unset.collect();
    let mut arguments = env::args_os();
    let (Some(name), false) = (arguments.next(), unset.is_empty()) else {
        return;
    };
    if env::var_os(SETTLED).is_some() {
        return;
    }
    let Ok(program) = env::current_exe() else {
        return;
    };
    // A loader that was called by its own name would take the first argument for the program.
    if program.file_name() != Path::new(&name).file_name() {
        return;
    }
    let mut again = Command::new(program);
    again
        .arg0(name)
        .args(arguments)
        .envs(unset)
        .env(SETTLED, "1");
    let error = again.exec();
    tracing::debug!(%error, "memory that is freed stays with the C library");
}
