//! How commands reach a running server: one line of JSON each way over a Unix socket.

mod client;
mod server;

pub use client::{Held, STOPPED, ask, freeze, server_is_there};
pub use server::listen;

use crate::store::place::beside;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};

/// Longest question.
const REQUEST_BYTES_MAX: u64 = 256 * 1024;
/// Longest path in the address of a socket (`sun_path`).
const ADDRESS_BYTES_MAX: usize = 107;
/// Longest answer.
const ANSWER_BYTES_MAX: u64 = 1024 * 1024;

/// What a command asks of whoever has the data file open.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    AddAccount {
        email: String,
        password: String,
    },
    SetPassword {
        email: String,
        password: String,
    },
    ListAccounts,
    RemoveAccount {
        email: String,
    },
    ListWords,
    GetWords {
        id: String,
    },
    /// `{value?, hidden?}`, or the value alone.
    SetWords {
        id: String,
        change: serde_json::Value,
    },
    /// A checked copy beside the data file; the asker takes it from there.
    Copy,
    /// Leaves the data file as it is for as long as the asker keeps the connection open.
    Freeze,
    /// Takes the checked file that waits beside the data file into use.
    TakeReplacement,
    /// Takes in what waits beside the data file in a file of its own.
    Adopt,
    Health,
    Metrics,
    /// The address that people reach the site at.
    PublicUrl,
    /// When the certificate in use ends, RFC 3339; empty while there is none.
    CertificateEnd,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// A sentence for people.
    Done(String),
    Accounts(Vec<AccountRow>),
    Copied {
        path: PathBuf,
        summary: String,
    },
    /// The file's head and length, by which the asker reads the rest itself.
    Frozen {
        head: Vec<u8>,
        bytes: u64,
    },
    Text(String),
    Failed(String),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AccountRow {
    pub email: String,
    pub created: String,
    pub second_factor: bool,
    pub sessions: usize,
}

/// The socket of the server that has this data file open.
pub fn socket_of(data: &Path) -> PathBuf {
    beside(data, ".sock")
}

/// A socket's address holds 107 bytes, and a data file may lie deeper than that. The folder is
/// opened then, and the socket named through it.
struct Reach {
    short: PathBuf,
    _folder: Option<File>,
}

impl Reach {
    fn to(path: &Path) -> io::Result<Self> {
        let parts = path.parent().zip(path.file_name());
        let (folder, name) = match parts {
            Some(parts) if path.as_os_str().len() > ADDRESS_BYTES_MAX => parts,
            _ => {
                return Ok(Self {
                    short: path.to_owned(),
                    _folder: None,
                });
            }
        };
        let folder = File::open(folder)?;
        let mut short = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        short.push(name);
        Ok(Self {
            short,
            _folder: Some(folder),
        })
    }
}

/// Where a file waits whose content is taken in.
pub fn arrival_of(data: &Path) -> PathBuf {
    beside(data, ".arrivo")
}

/// Where a file waits to take the data file's place. No path travels over the socket.
pub fn replacement_of(data: &Path) -> PathBuf {
    beside(data, ".ripristino")
}
