//! Entry point of the command line: parses arguments, runs a command, returns an exit code.

mod accounts;
mod arguments;
mod config;
mod content_blocks;
mod control_client;
mod doctor;
mod export;
mod import;
mod key_sheet;
mod local_backup;
mod restore;
mod s3_backup;
mod s3_options;
mod sd_notify;
mod secrets;
mod serve;
mod serve_options;
mod upgrade;

use arguments::{AdminCommand, Arguments, Command, Common, LogFormat};
use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use clap_complete::Shell;
use respiro_db::fs_util::resolve_link;
use respiro_media::sandbox;
use respiro_server::control::Request;
use respiro_server::control::requests::megabytes;
use respiro_server::log;
use serve_options::ServeOptions;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Ids of the global options. Other options are refused before a command.
const COMMON: &[&str] = &["data", "log_format", "log_level"];

/// Runs one command. Exit codes: 0 done, 1 failed, 2 wrong usage.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let (arguments, matches) = match parse(arguments) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error),
    };
    start_log(&arguments.common);
    match dispatch(arguments, &matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(error)) => usage(&error),
        Err(Failure::Other(error)) => {
            eprint_line(&format!("respiro: {}", format_error(&error)));
            ExitCode::FAILURE
        }
    }
}

fn start_log(common: &Common) {
    let format = match common.log_format {
        LogFormat::Text => log::Format::Text,
        LogFormat::Json => log::Format::Json,
    };
    log::start(format, common.log_level);
}

/// Failure of a command.
enum Failure {
    Usage(clap::Error),
    Other(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

/// Returns the message of an error with its causes. Omits a cause that the message already
/// contains, as messages with a next step do.
fn format_error(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    match error
        .chain()
        .find_map(<dyn Error>::downcast_ref::<io::Error>)
    {
        // The message ends with the cause, so it has no next step yet.
        Some(reason) if message.ends_with(&reason.to_string()) => {
            format!("{message}{}", next_step(reason.kind()))
        }
        _ => message,
    }
}

const fn next_step(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::PermissionDenied => "; run this as root, or as the user it belongs to",
        io::ErrorKind::NotFound => "; is the name right?",
        io::ErrorKind::StorageFull => "; free some space",
        _ => "",
    }
}

/// Formats a number with its noun.
fn pluralize(count: usize, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{count} {noun}")
}

fn dispatch(arguments: Arguments, matches: &ArgMatches) -> Result<(), Failure> {
    let Arguments {
        common,
        serve,
        command,
    } = arguments;
    let data = resolve_link(common.data);
    let data = data.as_path();
    // Those of the command; of the program, if none is named.
    let own = matches.subcommand().map_or(matches, |(_, own)| own);
    match command {
        None => return serve_with(&serve, data, matches),
        Some(Command::Serve(serve)) => return serve_with(&serve, data, own),
        Some(Command::Admin(AdminCommand::Add { email })) => accounts::add_account(data, email),
        Some(Command::Admin(AdminCommand::Passwd { email })) => accounts::set_password(data, email),
        Some(Command::Admin(AdminCommand::Reset { email })) => accounts::reset_account(data, email),
        Some(Command::Admin(AdminCommand::List)) => accounts::list_accounts(data),
        Some(Command::Admin(AdminCommand::Remove { email })) => {
            accounts::remove_account(data, email)
        }
        Some(Command::Backup {
            out,
            elsewhere: options,
        }) => match elsewhere(&out) {
            Some(place) => s3_backup::backup(data, place, &options),
            None => local_backup::backup(data, &out),
        },
        Some(Command::Check { file, yes, copy }) => match elsewhere(&file) {
            Some(place) => s3_backup::check(data, place, yes, &copy),
            None => local_backup::verify(&resolve_link(file)),
        },
        Some(Command::Restore { file, yes, copy }) => match elsewhere(&file) {
            Some(place) => s3_backup::restore(data, place, yes, &copy),
            None => restore::restore(data, &file, yes),
        },
        Some(Command::Compact) => control_client::request(data, Request::Compact),
        Some(Command::BackupKey(options)) => s3_backup::generate_keys(data, &options),
        Some(Command::Export(options)) => export::export(data, &options),
        Some(Command::Import(options)) => import::import(data, &options),
        Some(Command::Words(command)) => {
            control_client::request(data, content_blocks::build_request(command)?)
        }
        Some(Command::Clock { confirm: false }) => control_client::request(data, Request::Clock),
        Some(Command::Clock { confirm: true }) => {
            control_client::request(data, Request::ConfirmClock)
        }
        Some(Command::Retire { undo }) => control_client::request(data, Request::Retire { undo }),
        Some(Command::Healthcheck) => control_client::health(data),
        Some(Command::Metrics) => control_client::metrics(data),
        Some(Command::Config(_)) => config::print_config(data, own),
        Some(Command::Doctor(options)) => {
            let checked = options.serve.check(data);
            doctor::doctor(own, checked, options.mail_to.as_deref())
        }
        Some(Command::Upgrade(options)) => upgrade::upgrade(data, &options),
        Some(Command::Completions { shell }) => completions(shell),
        Some(Command::Man) => man(),
        Some(Command::Licenses) => licenses(),
        Some(Command::ProcessPicture {
            parent,
            edit,
            link_preview,
        }) => {
            let task = if link_preview {
                sandbox::Task::LinkPreview
            } else {
                sandbox::Task::Upload(edit.unwrap_or_default())
            };
            sandbox::worker_main(task, parent).map_err(Into::into)
        }
    }?;
    Ok(())
}

/// Returns the argument if it names a place in object storage.
fn elsewhere(argument: &Path) -> Option<&str> {
    argument
        .to_str()
        .filter(|text| text.starts_with(s3_options::SCHEME))
}

/// Generates into memory first, because a closed pipe would make clap panic.
fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "respiro", &mut bytes);
    Ok(io::stdout().write_all(&bytes)?)
}

fn man() -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut bytes)?;
    Ok(io::stdout().write_all(&bytes)?)
}

/// Texts of the licences of all crates, npm packages and typefaces in the program, by
/// `.ci/licenses.mjs`.
const LICENSES: &[u8] = include_bytes!("licenses.txt.br");

fn licenses() -> anyhow::Result<()> {
    let mut text = Vec::new();
    brotli::BrotliDecompress(&mut &*LICENSES, &mut text)?;
    Ok(io::stdout().write_all(&text)?)
}

/// Prints a line of the answer on standard output.
fn print_line(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

fn serve_with(options: &ServeOptions, data: &Path, matches: &ArgMatches) -> Result<(), Failure> {
    let mut config = options
        .check(data)
        .map_err(|message| Failure::Usage(wrong(&message)))?;
    config.described = config::describe_settings(matches, "serve");
    Ok(serve::serve(config)?)
}

fn parse(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<(Arguments, ArgMatches), clap::Error> {
    let mut command = without_empty_variables(Arguments::command());
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

/// Treats empty environment variables as unset: settings files and container definitions list
/// many without a value.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| {
        std::env::var_os(name).is_some_and(|value| value.to_string_lossy().trim().is_empty())
    };
    command
        .mut_args(|argument| {
            if argument.get_env().is_some_and(is_empty) {
                argument.env(Resettable::Reset)
            } else {
                argument
            }
        })
        .mut_subcommands(without_empty_variables)
}

/// Returns a usage error that clap itself cannot detect.
fn wrong(message: &str) -> clap::Error {
    Arguments::command().error(ErrorKind::ValueValidation, message)
}

fn usage(error: &clap::Error) -> ExitCode {
    // Help and version also arrive here: standard output, code 0. Ignore a closed pipe.
    let _ = error.print();
    if error.use_stderr() {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}

/// Prints a line on standard error.
fn eprint_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
