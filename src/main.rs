//! The program: hands the command line to `cli` and its answer to the shell.

use std::process::ExitCode;

fn main() -> ExitCode {
    respiro::cli::run(std::env::args_os())
}
