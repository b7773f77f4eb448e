//! A release: its signed list of files, and the keys that may sign it.

use super::Installation;
use super::source::Source;
use anyhow::{Context, anyhow, bail};
use minisign_verify::{PublicKey, Signature};
use respiro_server::release_version::{CURRENT, ReleaseVersion};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Public keys of releases, one a line; `RESPIRO_RELEASE_KEYS` in the environment of the build
/// replaces the file.
const KEYS: &str = match option_env!("RESPIRO_RELEASE_KEYS") {
    Some(keys) => keys,
    None => include_str!("../../../.ci/release-keys.pub"),
};
/// A build trusts the maintainer's present key and the one that replaces it.
const KEYS_MAX: usize = 2;

const SUMS: &str = "SHA256SUMS";
const SIGNATURE: &str = "SHA256SUMS.minisig";
/// Limit of the list of files and of its signature.
const LIST_BYTES_MAX: u64 = 64 * 1024;
/// Limit of an archive or a package.
const FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// The part of a target after the architecture.
const TARGET_SYSTEM: &str = "-linux-gnu";

const BY_HAND: &str = "check the release by hand (`minisign -Vm SHA256SUMS -P KEY`, then `sha256sum \
    --check --ignore-missing SHA256SUMS`) and run `sh install.sh --upgrade` of the tar.gz, or `apt \
    install ./FILE.deb`; or name the key with --key FILE";

/// Keys that may sign a release.
pub struct Keys(Vec<PublicKey>);

impl Keys {
    /// Reads the keys of a file, or those in the program.
    pub fn load(file: Option<&Path>) -> anyhow::Result<Self> {
        let text = match file {
            None => KEYS.to_owned(),
            Some(path) => std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?,
        };
        let keys = Self::parse(&text)?;
        if keys.0.is_empty() {
            let place = file.map_or_else(
                || "this build".to_owned(),
                |path| path.display().to_string(),
            );
            bail!("{place} has no key of releases: {BY_HAND}");
        }
        Ok(keys)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let lines = text.lines().map(str::trim).filter(|line| {
            !line.is_empty() && !line.starts_with('#') && !line.starts_with("untrusted comment:")
        });
        let keys = lines.take(KEYS_MAX).map(|line| {
            PublicKey::from_base64(line)
                .map_err(|error| anyhow!("{line} is no public key of minisign: {error}"))
        });
        Ok(Self(keys.collect::<anyhow::Result<_>>()?))
    }
}

/// A release whose signature is right.
#[derive(Debug)]
pub struct Release {
    pub version: ReleaseVersion,
    /// Names of the files with their SHA-256, in hexadecimal.
    files: Vec<(String, String)>,
}

impl Release {
    /// Reads the list of files and verifies its signature, and that the release is for this
    /// machine.
    pub fn verify(source: &Source, keys: &Keys) -> anyhow::Result<Self> {
        let list = source.read(SUMS, LIST_BYTES_MAX)?;
        let signature = source.read(SIGNATURE, LIST_BYTES_MAX)?;
        Self::from_list(&list, &signature, keys)
    }

    fn from_list(list: &[u8], signature: &[u8], keys: &Keys) -> anyhow::Result<Self> {
        let signature = str::from_utf8(signature).unwrap_or_default();
        let signature = Signature::decode(signature)
            .map_err(|error| anyhow!("{SIGNATURE} is no signature of minisign ({error})"))?;
        let is_signed = |key: &PublicKey| key.verify(list, &signature, false).is_ok();
        if !keys.0.iter().any(is_signed) {
            bail!(
                "{SUMS} is not signed by a key that this program trusts, so nothing is installed: \
                 get the release again from its maintainer"
            );
        }
        let comment = signature.trusted_comment();
        let value = |key: &str| {
            let words = comment.split(' ').skip(1);
            words
                .filter_map(|word| word.split_once('='))
                .find_map(|(name, value)| (name == key).then_some(value))
        };
        let version = value("version").and_then(ReleaseVersion::parse);
        let Some(version) = version.filter(|_| comment.starts_with("respiro ")) else {
            bail!("the signature is right, but not that of a release of respiro: {comment}");
        };
        let target = target();
        if !value("targets")
            .unwrap_or_default()
            .split(',')
            .any(|known| known == target)
        {
            bail!("release {version} is not made for this machine ({target})");
        }
        let text = str::from_utf8(list).context("the list of files is no text")?;
        let files = text.lines().filter_map(|line| line.split_once("  "));
        let files = files.map(|(sum, name)| (name.to_owned(), sum.to_owned()));
        Ok(Self {
            version,
            files: files.collect(),
        })
    }

    /// Refuses an older version than the present one, unless it is asked for.
    pub fn check_order(&self, allow_downgrade: bool) -> anyhow::Result<()> {
        if !allow_downgrade && Some(&self.version) < ReleaseVersion::current().as_ref() {
            bail!(
                "{} is older than this program ({CURRENT}), and may not read its data file: add \
                 --allow-downgrade to install it all the same",
                self.version
            );
        }
        Ok(())
    }

    /// Refuses the name of a file of another version, or one that was not signed.
    pub fn check_name(&self, name: &str) -> anyhow::Result<()> {
        if !self.files.iter().any(|(known, _)| known == name) {
            bail!(
                "{name} is not among the signed files of release {}",
                self.version
            );
        }
        // The version of the package may not be that of the signed list.
        let version = self.version.to_string();
        let rest = name.strip_prefix("respiro").and_then(|rest| rest.get(1..));
        let rest = rest.and_then(|rest| rest.strip_prefix(&version));
        if !rest.is_some_and(|rest| rest.starts_with(['-', '_'])) {
            bail!("{name} is not of the signed version {version}");
        }
        Ok(())
    }

    /// Returns the name of the file for this machine.
    pub fn file_name(&self, installation: Installation) -> String {
        let version = &self.version;
        match installation {
            Installation::Tarball => format!("respiro-{version}-{}.tar.gz", target()),
            Installation::Package => format!("respiro_{version}_{}.deb", debian_architecture()),
        }
    }

    /// Copies or downloads a signed file to `path` and compares its checksum.
    pub fn fetch(&self, source: &Source, name: &str, path: &Path) -> anyhow::Result<()> {
        let expected = self.files.iter().find(|(known, _)| known == name);
        let (_, expected) = expected.with_context(|| format!("{name} is not signed"))?;
        let mut reader = HashingReader {
            inner: source.open(name, FILE_BYTES_MAX)?,
            hash: Sha256::new(),
        };
        let mut file =
            File::create_new(path).with_context(|| format!("cannot write {}", path.display()))?;
        io::copy(&mut reader, &mut file).with_context(|| format!("cannot read {name}"))?;
        file.sync_all()?;
        let mut found = String::new();
        for byte in reader.hash.finalize() {
            write!(found, "{byte:02x}")?;
        }
        if found != expected.to_ascii_lowercase() {
            bail!(
                "{name} is damaged (its SHA-256 is {found}), so nothing is installed: get it again"
            );
        }
        Ok(())
    }
}

/// Target of this program, as the names of release files spell it.
fn target() -> String {
    format!("{}{TARGET_SYSTEM}", std::env::consts::ARCH)
}

fn debian_architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// Hashes what is read.
struct HashingReader<R> {
    inner: R,
    hash: Sha256,
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}
