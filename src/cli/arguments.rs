//! Defines the command line: options, commands and environment variables.

use super::export::ExportOptions;
use super::import::ImportOptions;
use super::s3_options::{BackupOptions, CopyOptions, KeyOptions};
use super::serve_options::{ServeOptions, parse_email};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use respiro_media::sandbox;
use std::path::PathBuf;
use tracing::Level;

const AFTER_HELP: &str = "\
Every option can be set by the environment: --public-url is RESPIRO_PUBLIC_URL; lists are
separated by commas. A flag wins over the environment; an empty variable is not set.

First account: RESPIRO_ADMIN_EMAIL with RESPIRO_ADMIN_PASSWORD (or RESPIRO_ADMIN_PASSWORD_FILE,
a file that holds the password). Without them the log prints a one-time link.

The mail server's password is RESPIRO_SMTP_PASSWORD (or RESPIRO_SMTP_PASSWORD_FILE), the keys of
object storage are RESPIRO_S3_ACCESS_KEY and RESPIRO_S3_SECRET_KEY (or ..._FILE).

Exit codes: 0 done, 1 failed (the reason is on standard error), 2 wrong usage.";

const LOG_LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// The whole website of a practitioner in one program: pages, admin panel, pictures, HTTPS.
#[derive(Debug, Parser)]
#[command(name = "respiro", version, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub serve: ServeOptions,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// The data file; created with its folder when it does not exist
    #[arg(
        long,
        env = "RESPIRO_DATA",
        value_name = "FILE",
        default_value = "data/respiro.redb",
        global = true
    )]
    pub data: PathBuf,
    /// How log lines are written to standard error
    #[arg(
        long,
        env = "RESPIRO_LOG_FORMAT",
        value_enum,
        default_value = "text",
        global = true
    )]
    pub log_format: LogFormat,
    /// How much is logged
    #[arg(
        long,
        env = "RESPIRO_LOG_LEVEL",
        value_name = "LEVEL",
        value_parser = PossibleValuesParser::new(LOG_LEVELS).try_map(|name| name.parse::<Level>()),
        ignore_case = true,
        default_value = "info",
        global = true
    )]
    pub log_level: Level,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the site (what happens without a command)
    Serve(Box<ServeOptions>),
    /// Accounts of the admin panel
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Write a consistent, checked copy of the data file, also while the server runs
    Backup {
        /// The new file (an existing one is never overwritten), or `s3://BUCKET/PREFIX`
        out: PathBuf,
        #[command(flatten)]
        elsewhere: BackupOptions,
    },
    /// Verify a data file, or the newest copy at `s3://BUCKET/PREFIX`, whole
    Check {
        file: PathBuf,
        #[command(flatten)]
        copy: CopyOptions,
    },
    /// Put a backup, or a copy at `s3://BUCKET/PREFIX`, in the place of the data file, which is
    /// kept as ….precedente
    Restore {
        file: PathBuf,
        /// Do not ask
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        copy: CopyOptions,
    },
    /// Print a new pair of keys for copies elsewhere; the secret one is shown once
    BackupKey(KeyOptions),
    /// Write everything but accounts as JSON and original pictures into a new folder, or the
    /// published site as plain files
    Export(ExportOptions),
    /// Fill an empty data file from an exported folder, or bring articles from WordPress, or
    /// addresses from another list
    Import(ImportOptions),
    /// Read and change the words of the pages
    #[command(subcommand)]
    Words(super::content_blocks::ContentBlockCommand),
    /// Ask the running server whether it is well
    Healthcheck,
    /// Print the running server's figures for Prometheus
    Metrics,
    /// Print every setting with its source and look for what stands in the way
    Doctor(Box<DoctorOptions>),
    /// Print completions for a shell
    Completions { shell: Shell },
    /// Print the man page
    Man,
    /// Read a picture on standard input and write what is made of it (used by the server itself)
    #[command(name = sandbox::COMMAND, hide = true)]
    ProcessPicture,
}

#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Make an account; the password is asked for, or read from standard input
    Add { email: String },
    /// Set a new password and end the account's sessions
    Passwd { email: String },
    /// List the accounts
    List,
    /// Remove an account and end its sessions
    Remove { email: String },
}

/// What `doctor` understands.
#[derive(Debug, Clone, Args)]
pub struct DoctorOptions {
    #[command(flatten)]
    pub serve: ServeOptions,
    /// Also send a test message to this address
    #[arg(long, value_name = "EMAIL", value_parser = parse_email)]
    pub mail_to: Option<String>,
}
