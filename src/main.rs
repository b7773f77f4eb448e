//! Entry point: passes the command line to `cli` and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    respiro::cli::run(std::env::args_os())
}
