//! Control socket of a running server: one line of JSON in each direction.

mod content_blocks;
pub mod requests;
mod server;

pub use server::{check_responsive, listen};

use respiro_content::validation::is_id;
use respiro_db::fs_util::{TempKind, temp_path_with_id, with_suffix};
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
    /// Like `SetPassword`, and removes the second factor.
    ResetAccount {
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
    /// Writes a verified copy beside the data file; the client removes it. Sent by earlier builds.
    Copy,
    /// Pins a snapshot of the data file while the client keeps the connection open.
    Freeze,
    /// As `SwapIn`, of a file with a fixed name. Sent by earlier builds.
    TakeReplacement,
    /// As `Merge`, of a file with a fixed name. Sent by earlier builds.
    Adopt,
    /// Replaces the data file by the verified file with this id beside it.
    SwapIn {
        id: String,
    },
    /// Merges the staging file with this id into the data file.
    Merge {
        id: String,
    },
    /// Fills the empty site from the staging file with this id, which holds an exported site.
    MergeExport {
        id: String,
    },
    /// Compacts the data file.
    Compact,
    Health,
    Metrics,
    /// Returns whether the system time is plausible; fails while it is doubted.
    Clock,
    /// Takes the system time for right.
    ConfirmClock,
    /// Returns the public URL of the site.
    PublicUrl,
    /// Returns the expiry of the current certificate, RFC 3339; empty if there is none.
    CertificateEnd,
    /// Returns the private address that most requests come from although it is no trusted proxy;
    /// empty if there is none.
    LikelyProxy,
    /// Returns the settings in force, each with its source.
    Settings,
    /// Makes the site read-only because it moves to another machine, or undoes that.
    Retire {
        undo: bool,
    },
    /// Stores the version of a release, so that the panel says that it is there.
    AnnounceRelease {
        version: String,
    },
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
        /// Identifies the file; 0 from an earlier build.
        #[serde(default, skip_serializing_if = "is_zero")]
        inode: u64,
    },
    Text(String),
    Failed(String),
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape that serde wants"
)]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AccountRow {
    pub email: String,
    pub created: String,
    pub second_factor: bool,
    pub sessions: usize,
    /// Name of the role, as in JSON; empty from a server older than roles.
    #[serde(default)]
    pub role: String,
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

/// Returns the path of a file that a command handed over. No path travels over the socket; `None`
/// if `id` is no id and so might lead elsewhere.
fn handed_over(data: &Path, id: &str, kind: TempKind) -> Option<PathBuf> {
    is_id(id).then(|| temp_path_with_id(data, id, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_db::fs_util::legacy;

    /// During an upgrade, a command may talk to a server of another release.
    #[test]
    fn golden_requests() {
        let email = || "a@b.it".to_owned();
        let id = || "a".to_owned();
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
            (
                Request::ResetAccount {
                    email: email(),
                    password: "p".to_owned(),
                },
                r#"{"reset-account":{"email":"a@b.it","password":"p"}}"#,
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
            (Request::Compact, r#""compact""#),
            (Request::Metrics, r#""metrics""#),
            (Request::SwapIn { id: id() }, r#"{"swap-in":{"id":"a"}}"#),
            (Request::Merge { id: id() }, r#"{"merge":{"id":"a"}}"#),
            (
                Request::MergeExport { id: id() },
                r#"{"merge-export":{"id":"a"}}"#,
            ),
            (Request::PublicUrl, r#""public-url""#),
            (Request::Clock, r#""clock""#),
            (Request::ConfirmClock, r#""confirm-clock""#),
            (Request::CertificateEnd, r#""certificate-end""#),
            (Request::LikelyProxy, r#""likely-proxy""#),
        ];
        assert_spelled(&golden);
    }

    #[test]
    fn golden_requests_about_the_program() {
        assert_spelled(&[
            (Request::Settings, r#""settings""#),
            (
                Request::Retire { undo: true },
                r#"{"retire":{"undo":true}}"#,
            ),
            (
                Request::AnnounceRelease {
                    version: "0.2.0".to_owned(),
                },
                r#"{"announce-release":{"version":"0.2.0"}}"#,
            ),
        ]);
    }

    /// Asserts that each request is written and read as its text.
    fn assert_spelled(golden: &[(Request, &str)]) {
        for (request, golden) in golden {
            assert_eq!(serde_json::to_string(request).unwrap(), *golden);
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
            role: "owner".to_owned(),
            sessions: 2,
        };
        let golden = [
            (Response::Done("fatto".to_owned()), r#"{"done":"fatto"}"#),
            (
                Response::Accounts(vec![row]),
                r#"{"accounts":[{"email":"a@b.it","created":"2026","second_factor":true,"sessions":2,"role":"owner"}]}"#,
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
                    inode: 0,
                },
                r#"{"frozen":{"head":[1,255],"bytes":4096}}"#,
            ),
            (
                Response::Frozen {
                    head: vec![1, 255],
                    bytes: 4096,
                    inode: 77,
                },
                r#"{"frozen":{"head":[1,255],"bytes":4096,"inode":77}}"#,
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
        let old_staging = legacy::staging_path(data);
        assert_eq!(old_staging, Path::new("d.redb.arrivo"));
        let old_replacement = legacy::replacement_path(data);
        assert_eq!(old_replacement, Path::new("d.redb.ripristino"));
        let id = "abcdefghijklmnopqrstuvwxyz";
        let name = |kind| handed_over(data, id, kind).unwrap();
        assert_eq!(
            [name(TempKind::Replacement), name(TempKind::Staging)],
            [
                Path::new("d.redb.abcdefghijklmnopqrstuvwxyz.replacement"),
                Path::new("d.redb.abcdefghijklmnopqrstuvwxyz.staging"),
            ]
        );
        let elsewhere = handed_over(data, "/../../other.redb", TempKind::Staging);
        assert_eq!(elsewhere, None);
    }
}
