//! The operator's commands: command line in, exit code out.

mod arguments;
mod serve;

use crate::log;
use arguments::{Arguments, Command, Common, LogFormat, ServeOptions};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Options of `serve` that may stand without a command in front of them, and so nowhere else.
const COMMON: &[&str] = &["data", "log_format", "log_level"];

/// Runs one command. Exit codes: 0 done, 1 failed, 2 wrong usage.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let parsed = parse(arguments).and_then(|(arguments, _matches)| {
        let format = match arguments.common.log_format {
            LogFormat::Text => log::Format::Text,
            LogFormat::Json => log::Format::Json,
        };
        log::start(format, &arguments.common.log_level).map_err(|message| wrong(&message))?;
        Ok(arguments)
    });
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    match dispatch(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(error)) => usage(&error),
        Err(Failure::Other(error)) => {
            complain(&format!("respiro: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Why a command ended badly.
enum Failure {
    Usage(clap::Error),
    Other(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    let Arguments {
        common,
        serve,
        command,
    } = arguments;
    match command {
        None => serve_with(&serve, &common),
        Some(Command::Serve(serve)) => serve_with(&serve, &common),
    }
}

fn serve_with(options: &ServeOptions, common: &Common) -> Result<(), Failure> {
    let config = options
        .check(common)
        .map_err(|message| Failure::Usage(wrong(&message)))?;
    Ok(serve::serve(&config)?)
}

fn parse(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<(Arguments, ArgMatches), clap::Error> {
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(arguments)?;
    // `respiro --listen X backup OUT` would silently ignore the option.
    if matches.subcommand_name().is_some() {
        for id in matches.ids().map(clap::Id::as_str) {
            let given = matches.value_source(id) == Some(ValueSource::CommandLine);
            if given
                && command.get_arguments().any(|known| known.get_id() == id)
                && !COMMON.contains(&id)
            {
                let option = id.replace('_', "-");
                let message = format!("--{option} belongs after the command, not before it");
                return Err(command.error(ErrorKind::ArgumentConflict, message));
            }
        }
    }
    let arguments = Arguments::from_arg_matches(&matches)?;
    Ok((arguments, matches))
}

/// A usage error that clap itself could not see.
fn wrong(message: &str) -> clap::Error {
    Arguments::command().error(ErrorKind::ValueValidation, message)
}

fn usage(error: &clap::Error) -> ExitCode {
    // Help and version end up here too, on standard output, with code 0. A closed pipe is no news.
    let _ = error.print();
    if error.use_stderr() {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}

/// A line on standard error.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
