//! Control socket of a running server: one line of JSON in each direction.

mod content_blocks;
pub mod requests;
mod server;

pub use server::listen;

use respiro_db::fs_util::with_suffix;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};

/// Maximum length of a request.
const REQUEST_BYTES_MAX: u64 = 256 * 1024;
/// Maximum length of a socket path (`sun_path`).
const ADDRESS_BYTES_MAX: usize = 107;
/// Maximum length of an answer.
pub const RESPONSE_BYTES_MAX: u64 = 1024 * 1024;

/// Request of a command, performed by the server or by the command on the data file.
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
    /// `change` is `{value?, hidden?}`, or the value alone.
    SetWords {
        id: String,
        change: serde_json::Value,
    },
    /// Writes a verified copy beside the data file; the client removes it.
    Copy,
    /// Pins a snapshot of the data file while the client keeps the connection open.
    Freeze,
    /// Replaces the data file by the verified file at `replacement_path`.
    TakeReplacement,
    /// Merges the staging file at `staging_path` into the data file.
    Adopt,
    Health,
    Metrics,
    /// Returns the public URL of the site.
    PublicUrl,
    /// Returns the expiry of the current certificate, RFC 3339; empty if there is none.
    CertificateEnd,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// A message for the operator.
    Done(String),
    Accounts(Vec<AccountRow>),
    Copied {
        path: PathBuf,
        summary: String,
    },
    /// Header and length of the file; the client reads the rest from the file itself.
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

/// Returns the socket path of the server that has this data file open.
pub fn socket_path(data: &Path) -> PathBuf {
    with_suffix(data, ".sock")
}

/// Makes long socket paths usable: a socket address holds 107 bytes. For longer paths it opens the
/// folder and addresses the socket through `/proc/self/fd`.
pub struct SocketPath {
    pub short: PathBuf,
    _folder: Option<File>,
}

impl SocketPath {
    pub fn of(path: &Path) -> io::Result<Self> {
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

/// Returns the path of the staging file of an import.
pub fn staging_path(data: &Path) -> PathBuf {
    with_suffix(data, ".arrivo")
}

/// Returns the path of the file that replaces the data file. No path travels over the socket.
pub fn replacement_path(data: &Path) -> PathBuf {
    with_suffix(data, ".ripristino")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// During an upgrade, a command may talk to a server of another release.
    #[test]
    fn golden_requests() {
        let email = || "a@b.it".to_owned();
        let golden = [
            (
                Request::AddAccount {
                    email: email(),
                    password: "p".to_owned(),
                },
                r#"{"add-account":{"email":"a@b.it","password":"p"}}"#,
            ),
            (
                Request::SetPassword {
                    email: email(),
                    password: "p".to_owned(),
                },
                r#"{"set-password":{"email":"a@b.it","password":"p"}}"#,
            ),
            (Request::ListAccounts, r#""list-accounts""#),
            (
                Request::RemoveAccount { email: email() },
                r#"{"remove-account":{"email":"a@b.it"}}"#,
            ),
            (Request::ListWords, r#""list-words""#),
            (
                Request::GetWords {
                    id: "home.hero".to_owned(),
                },
                r#"{"get-words":{"id":"home.hero"}}"#,
            ),
            (
                Request::SetWords {
                    id: "home.hero".to_owned(),
                    change: serde_json::json!({ "hidden": true }),
                },
                r#"{"set-words":{"id":"home.hero","change":{"hidden":true}}}"#,
            ),
            (Request::Copy, r#""copy""#),
            (Request::Freeze, r#""freeze""#),
            (Request::TakeReplacement, r#""take-replacement""#),
            (Request::Adopt, r#""adopt""#),
            (Request::Health, r#""health""#),
            (Request::Metrics, r#""metrics""#),
            (Request::PublicUrl, r#""public-url""#),
            (Request::CertificateEnd, r#""certificate-end""#),
        ];
        for (request, golden) in golden {
            assert_eq!(serde_json::to_string(&request).unwrap(), golden);
            let read: Request = serde_json::from_str(golden).unwrap();
            assert_eq!(format!("{read:?}"), format!("{request:?}"));
        }
    }

    #[test]
    fn golden_answers() {
        let row = AccountRow {
            email: "a@b.it".to_owned(),
            created: "2026".to_owned(),
            second_factor: true,
            sessions: 2,
        };
        let golden = [
            (Response::Done("fatto".to_owned()), r#"{"done":"fatto"}"#),
            (
                Response::Accounts(vec![row]),
                r#"{"accounts":[{"email":"a@b.it","created":"2026","second_factor":true,"sessions":2}]}"#,
            ),
            (
                Response::Copied {
                    path: PathBuf::from("/a.copia"),
                    summary: "3 items".to_owned(),
                },
                r#"{"copied":{"path":"/a.copia","summary":"3 items"}}"#,
            ),
            (
                Response::Frozen {
                    head: vec![1, 255],
                    bytes: 4096,
                },
                r#"{"frozen":{"head":[1,255],"bytes":4096}}"#,
            ),
            (Response::Text("testo".to_owned()), r#"{"text":"testo"}"#),
            (Response::Failed("no".to_owned()), r#"{"failed":"no"}"#),
        ];
        for (answer, golden) in golden {
            assert_eq!(serde_json::to_string(&answer).unwrap(), golden);
            let read: Response = serde_json::from_str(golden).unwrap();
            assert_eq!(format!("{read:?}"), format!("{answer:?}"));
        }
    }

    #[test]
    fn golden_names_beside_the_data_file() {
        let data = Path::new("d.redb");
        assert_eq!(socket_path(data), Path::new("d.redb.sock"));
        assert_eq!(staging_path(data), Path::new("d.redb.arrivo"));
        assert_eq!(replacement_path(data), Path::new("d.redb.ripristino"));
    }
}
