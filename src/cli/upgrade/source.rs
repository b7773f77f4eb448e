//! Reads the files of a release from a folder or from a web address.

use anyhow::{Context, bail};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::Agent;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Limit of a whole download.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_mins(15);
/// Endings of the files that can be installed.
const INSTALLABLE: [&str; 2] = [".tar.gz", ".deb"];

/// Place of the files of a release.
#[derive(Debug)]
pub enum Source {
    Folder(PathBuf),
    /// Without a trailing slash.
    Address(String),
}

impl Source {
    /// Returns the place that an address or a path names, and the file if it names one.
    pub fn parse(text: &str) -> anyhow::Result<(Self, Option<String>)> {
        if !text.contains("://") {
            return Self::of_file(Path::new(text));
        }
        if !is_acceptable(text) {
            bail!("{text} must begin with https:// and hold neither a password nor a query");
        }
        let text = text.trim_end_matches('/');
        match text.rsplit_once('/') {
            Some((folder, name)) if INSTALLABLE.iter().any(|end| name.ends_with(end)) => {
                Ok((Self::Address(folder.to_owned()), Some(name.to_owned())))
            }
            _ => Ok((Self::Address(text.to_owned()), None)),
        }
    }

    /// Returns the folder of a file and its name, or a folder alone.
    pub fn of_file(path: &Path) -> anyhow::Result<(Self, Option<String>)> {
        let path = std::path::absolute(path)?;
        if path.is_dir() {
            return Ok((Self::Folder(path), None));
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.with_context(|| format!("{} names no file", path.display()))?;
        let name = name.to_owned();
        let folder = path.parent().unwrap_or(&path);
        Ok((Self::Folder(folder.to_owned()), Some(name)))
    }

    /// Opens a file, which ends after `bytes_max`.
    pub fn open(&self, name: &str, bytes_max: u64) -> anyhow::Result<Box<dyn Read>> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                let file =
                    File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
                Ok(Box::new(file.take(bytes_max)))
            }
            Self::Address(folder) => {
                let address = format!("{folder}/{name}");
                let config = Agent::config_builder()
                    .timeout_connect(Some(CONNECT_TIMEOUT))
                    .timeout_global(Some(DOWNLOAD_TIMEOUT))
                    .user_agent("respiro")
                    .build();
                let response = Agent::new_with_config(config)
                    .get(&address)
                    .call()
                    .with_context(|| format!("cannot download {address}"))?;
                let body = response.into_body().into_with_config().limit(bytes_max);
                Ok(Box::new(body.reader()))
            }
        }
    }

    /// Reads a whole small file.
    pub fn read(&self, name: &str, bytes_max: u64) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = self.open(name, bytes_max)?;
        file.read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {name}"))?;
        Ok(bytes)
    }
}

/// Returns whether an address is encrypted or leads to this machine. The signature proves what is
/// downloaded; encryption hides from a listener which version runs here.
fn is_acceptable(address: &str) -> bool {
    let local = ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"];
    let is_safe = address.starts_with("https://") || local.iter().any(|at| address.starts_with(at));
    is_safe && !address.contains(['@', '?', '#', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_folder_or_a_file_of_it() {
        let parsed = |text: &str| match Source::parse(text).unwrap() {
            (Source::Address(folder), name) => (folder, name),
            (Source::Folder(path), name) => (path.display().to_string(), name),
        };
        let folder = "https://example.org/respiro";
        assert_eq!(
            parsed("https://example.org/respiro/"),
            (folder.to_owned(), None)
        );
        let file = "respiro_0.2.0_amd64.deb";
        let expected = (folder.to_owned(), Some(file.to_owned()));
        assert_eq!(parsed(&format!("{folder}/{file}")), expected);
        let expected = ("/srv".to_owned(), Some("x.tar.gz".to_owned()));
        assert_eq!(parsed("/srv/x.tar.gz"), expected);
        for odd in [
            "http://example.org/x",
            "https://me:pw@example.org",
            "https://x.it/a?t=1",
        ] {
            assert!(Source::parse(odd).is_err(), "{odd}");
        }
    }
}
