//! Reads secrets from the environment, from files that it names or from credentials that systemd
//! passes, never from the command line.

use std::env::VarError;
use std::path::{Path, PathBuf};

/// Variables without a command-line option. `NAME_FILE` names a file with the value instead; a
/// credential of systemd wins over that file, which may then be readable by root alone.
pub const SECRETS: &[&str] = &[
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    SMTP_PASSWORD,
    BOUNCES,
    S3_ACCESS_KEY,
    S3_SECRET_KEY,
];
const ADMIN_EMAIL: &str = "RESPIRO_ADMIN_EMAIL";
const ADMIN_PASSWORD: &str = "RESPIRO_ADMIN_PASSWORD";
pub const SMTP_PASSWORD: &str = "RESPIRO_SMTP_PASSWORD";
/// The address of the mailbox for returned messages contains its password.
pub const BOUNCES: &str = "RESPIRO_BOUNCES";
pub const S3_ACCESS_KEY: &str = "RESPIRO_S3_ACCESS_KEY";
pub const S3_SECRET_KEY: &str = "RESPIRO_S3_SECRET_KEY";

/// Describes the source of a secret without its value.
pub fn secret_source(name: &str) -> String {
    let file_name = format!("{name}_FILE");
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set(name) {
        "set  (environment)".to_owned()
    } else if let Some(path) = credential(name) {
        format!("set  (credential of systemd: {})", path.display())
    } else if is_set(&file_name) {
        format!("set  (the file that {file_name} names)")
    } else {
        "not set".to_owned()
    }
}

/// Returns the file of the credential for this variable (`LoadCredential=` of the unit).
fn credential(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("CREDENTIALS_DIRECTORY")?;
    let path = Path::new(&folder).join(credential_name(name));
    path.exists().then_some(path)
}

/// `RESPIRO_SMTP_PASSWORD` is the credential `smtp-password`.
fn credential_name(name: &str) -> String {
    let name = name.strip_prefix("RESPIRO_").unwrap_or(name);
    name.to_ascii_lowercase().replace('_', "-")
}

/// Returns the email and password of the first account, if the environment sets them.
pub fn first_account() -> Result<Option<(String, String)>, String> {
    let email = secret(ADMIN_EMAIL)?;
    let password = secret(ADMIN_PASSWORD)?;
    match (email, password) {
        (Some(email), Some(password)) => Ok(Some((email, password))),
        (None, None) => Ok(None),
        _ => Err(
            "RESPIRO_ADMIN_EMAIL and RESPIRO_ADMIN_PASSWORD (or …_FILE) go together: set both or none"
                .to_owned(),
        ),
    }
}

/// Returns `NAME`, or the first line of its credential or of the file in `NAME_FILE`. Empty
/// variables count as unset.
pub fn secret(name: &str) -> Result<Option<String>, String> {
    let direct = match std::env::var(name) {
        Err(VarError::NotUnicode(_)) => return Err(format!("{name} is no UTF-8 text")),
        found => found.ok().filter(|value| !value.trim().is_empty()),
    };
    let file_name = format!("{name}_FILE");
    let file = std::env::var_os(&file_name).filter(|value| !value.is_empty());
    let credential = credential(name);
    match (direct, credential.or(file.map(PathBuf::from))) {
        (Some(_), Some(_)) => Err(format!("set {name} or {file_name}, not both")),
        (Some(value), None) => Ok(Some(value)),
        (None, None) => Ok(None),
        (None, Some(path)) => {
            let shown = path.display();
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("{file_name}: cannot read {shown}: {error}"))?;
            let line = text.lines().next().unwrap_or_default().to_owned();
            if line.is_empty() {
                return Err(format!("{file_name}: {shown} is empty"));
            }
            Ok(Some(line))
        }
    }
}
