//! Defines the command line: options, commands and environment variables.

use super::export::ExportOptions;
use super::import::ImportOptions;
use super::s3_options::{BackupOptions, CopyOptions, KeyOptions};
use super::serve_options::{ServeOptions, parse_email};
use super::upgrade::UpgradeOptions;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use respiro_content::picture::PictureEdit;
use respiro_media::sandbox;
use std::path::PathBuf;
use tracing::Level;

const AFTER_HELP: &str = "\
Every option can also be set by an environment variable: --public-url by RESPIRO_PUBLIC_URL.
Lists are separated by commas. Options override variables; empty variables are ignored.

First account: RESPIRO_ADMIN_EMAIL with RESPIRO_ADMIN_PASSWORD (or RESPIRO_ADMIN_PASSWORD_FILE,
a file that contains the password). Without them the log shows a one-time link.

The mail server's password is RESPIRO_SMTP_PASSWORD (or RESPIRO_SMTP_PASSWORD_FILE), the mailbox
of returned messages imaps://USER:PASSWORD@HOST in RESPIRO_BOUNCES (or ..._FILE), the keys of
object storage RESPIRO_S3_ACCESS_KEY and RESPIRO_S3_SECRET_KEY (or ..._FILE).

Exit codes: 0 success, 1 failure (with the reason on standard error), 2 wrong usage.";

const LOG_LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// The website of a practitioner in one program: pages, admin panel, images, HTTPS.
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

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Path of the data file; it and its folder are created if missing
    #[arg(
        long,
        env = "RESPIRO_DATA",
        value_name = "FILE",
        default_value = "data/respiro.redb",
        global = true
    )]
    pub data: PathBuf,
    /// Format of the log on standard error
    #[arg(
        long,
        env = "RESPIRO_LOG_FORMAT",
        value_enum,
        default_value = "text",
        global = true
    )]
    pub log_format: LogFormat,
    /// Minimum severity of logged events
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
    /// Serve the site (the default command)
    Serve(Box<ServeOptions>),
    /// Manage the accounts of the admin panel
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Back up the data file: consistent and verified, also while the server runs
    Backup {
        /// New file (never overwrites one), or `s3://BUCKET/PREFIX`
        out: PathBuf,
        #[command(flatten)]
        elsewhere: BackupOptions,
    },
    /// Verify a data file, or the newest backup at `s3://BUCKET/PREFIX`, completely
    Check {
        file: PathBuf,
        /// Off-site: go on although the origin of the backup is not proved
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        copy: CopyOptions,
    },
    /// Replace the data file by a backup file or by one at `s3://BUCKET/PREFIX`; the former data
    /// file is kept as ….previous
    Restore {
        file: PathBuf,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        copy: CopyOptions,
    },
    /// Give the disk back what the data file does not use; images and the panel wait meanwhile. The
    /// server does so itself at its start, and at night when much is unused
    Compact,
    /// Generate a key pair for encrypted off-site backups; the secret key is shown once
    BackupKey(KeyOptions),
    /// Export everything except accounts as JSON and original images into a new folder, or the
    /// published site as static files
    Export(ExportOptions),
    /// Import an exported folder into an empty data file, articles from WordPress, or newsletter
    /// addresses from a CSV file
    Import(ImportOptions),
    /// Read and change the content blocks of the pages
    #[command(subcommand)]
    Words(super::content_blocks::ContentBlockCommand),
    /// Show whether the system time is plausible; after a jump, newsletters, scheduled publication,
    /// deletion and pruning wait until it is
    Clock {
        /// Take the system time for right
        #[arg(long)]
        confirm: bool,
    },
    /// Retire this machine when the site moves to another one: it shows the pages, says that the
    /// site moves, takes no changes and sends nothing
    Retire {
        /// Let this machine be the site again
        #[arg(long)]
        undo: bool,
    },
    /// Check whether the running server is healthy
    Healthcheck,
    /// Print the running server's metrics in the Prometheus format
    Metrics,
    /// Print the settings that the running server uses, or a start would use, each with its source
    Config(Box<ServeOptions>),
    /// Print every setting with its source, and check for problems
    Doctor(Box<DoctorOptions>),
    /// Replace the installed program by a signed release, and go back if it does not get healthy
    Upgrade(Box<UpgradeOptions>),
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Print the man page
    Man,
    /// Print the licences of the program and of everything that it contains
    Licenses,
    /// Decode an image from standard input and write its variants (used by the server itself)
    #[command(name = sandbox::COMMAND, hide = true)]
    ProcessPicture {
        /// Process that started this one; they end together
        #[arg(long = sandbox::PARENT_OPTION, value_name = "PID")]
        parent: Option<u32>,
        /// Crop and turn it
        #[arg(long = sandbox::EDIT_OPTION, value_name = "JSON", value_parser = parse_edit)]
        edit: Option<PictureEdit>,
        /// Draw a link-preview image
        #[arg(long = sandbox::LINK_PREVIEW_FLAG)]
        link_preview: bool,
    },
}

fn parse_edit(json: &str) -> Result<PictureEdit, serde_json::Error> {
    serde_json::from_str(json)
}

#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Create an account; prompts for the password, or reads it from standard input
    Add { email: String },
    /// Set a new password; ends the account's sessions and removes its passkeys
    Passwd { email: String },
    /// Set a new password; ends the account's sessions, removes its passkeys and second factor
    Reset { email: String },
    /// List the accounts
    List,
    /// Remove an account; ends its sessions
    Remove { email: String },
}

/// Options of `doctor`.
#[derive(Debug, Clone, Args)]
pub struct DoctorOptions {
    #[command(flatten)]
    pub serve: ServeOptions,
    /// Also send a test message to this address
    #[arg(long, value_name = "EMAIL", value_parser = parse_email)]
    pub mail_to: Option<String>,
}
