//! `respiro upgrade`: verifies the signature and the checksum of a release, then replaces the
//! installed program by it. `install.sh` of the release, or `dpkg`, does the replacing; a version
//! that does not get healthy goes back with its unit and its data file.
//!
//! Only the operator's command reads a release: the program asks no server for a newer version.

mod package;
mod release;
mod source;

use super::control_client;
use super::print_line;
use anyhow::{Context, bail};
use clap::Args;
use release::{Keys, Release};
use respiro_db::fs_util::random_id;
use respiro_server::control::Request;
use respiro_server::release_version::{CURRENT, ReleaseVersion};
use source::Source;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Settings of an installation by `install.sh` or by the package.
const SETTINGS: &str = "etc/respiro/respiro.env";

/// Options of `upgrade`.
#[derive(Debug, Clone, Args)]
pub struct UpgradeOptions {
    /// Release (tar.gz or .deb), with SHA256SUMS and SHA256SUMS.minisig beside it
    #[arg(required_unless_present_any = ["from", "check"], conflicts_with_all = ["from", "check"])]
    file: Option<PathBuf>,
    /// Download the release: address of its folder, or of its file
    #[arg(long, value_name = "URL", conflicts_with = "check")]
    from: Option<String>,
    /// Verify a release, and let the panel say that it is there; installs nothing
    #[arg(long, value_name = "FILE|URL")]
    check: Option<String>,
    /// Install an older version than the present one too
    #[arg(long)]
    allow_downgrade: bool,
    /// Public keys (minisign) to trust instead of those in the program: for releases of your own
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Folder that stands for / (tests)
    #[arg(long, hide = true, value_name = "DIR", default_value = "/")]
    root: PathBuf,
    /// Seconds in which the new version must become healthy
    #[arg(long, hide = true, value_name = "N", default_value_t = 30)]
    settle_seconds: u32,
}

/// The tool that installed the program and replaces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Installation {
    /// By `install.sh`.
    Tarball,
    /// By the Debian package.
    Package,
}

impl Installation {
    fn below(root: &Path) -> anyhow::Result<Self> {
        if root.join("usr/local/bin/respiro").exists() {
            Ok(Self::Tarball)
        } else if root.join("usr/bin/respiro").exists() {
            Ok(Self::Package)
        } else {
            bail!(
                "respiro is installed neither by install.sh nor by the package: replace the program \
                 by hand, after a `respiro backup`"
            )
        }
    }

    const fn describe(self) -> &'static str {
        match self {
            Self::Tarball => "install.sh: use the tar.gz",
            Self::Package => "the package: use the .deb",
        }
    }
}

/// Upgrades the installed program, or announces a release in the panel.
pub fn upgrade(data: &Path, options: &UpgradeOptions) -> anyhow::Result<()> {
    let keys = Keys::load(options.key.as_deref())?;
    if let Some(place) = &options.check {
        let (source, name) = Source::parse(place)?;
        let release = Release::verify(&source, &keys)?;
        if let Some(name) = &name {
            release.check_name(name)?;
        }
        return announce(&data_file(data, &options.root), &release);
    }
    if options.root == Path::new("/") && !rustix::process::geteuid().is_root() {
        bail!("run this as root: sudo respiro upgrade …");
    }
    let installation = Installation::below(&options.root)?;
    let (source, name) = match (&options.file, &options.from) {
        (Some(file), _) => Source::of_file(file)?,
        (None, Some(url)) => Source::parse(url)?,
        (None, None) => bail!("name the file of the release, or --from URL"),
    };
    let release = Release::verify(&source, &keys)?;
    release.check_order(options.allow_downgrade)?;
    let name = name.unwrap_or_else(|| release.file_name(installation));
    release.check_name(&name)?;
    if release.file_name(installation) != name {
        bail!(
            "{name} does not fit: this installation came from {}",
            installation.describe()
        );
    }
    let folder = WorkFolder::create(&options.root)?;
    let file = folder.path.join(&name);
    release.fetch(&source, &name, &file)?;
    print_line(&format!(
        "{name}: signature and checksum are right; respiro {CURRENT} is replaced by {}",
        release.version
    ))?;
    match installation {
        Installation::Tarball => run_installer(&file, &folder.path, options),
        Installation::Package => package::upgrade(
            &file,
            &folder.path,
            &data_file(data, &options.root),
            options.settle_seconds,
        ),
    }
}

/// Stores the version of a verified release, so that the panel tells the practitioner.
fn announce(data: &Path, release: &Release) -> anyhow::Result<()> {
    let version = release.version.to_string();
    if Some(&release.version) <= ReleaseVersion::current().as_ref() {
        return print_line(&format!(
            "{version} is a good release; this program is {CURRENT}: nothing to do"
        ));
    }
    control_client::request(data, Request::AnnounceRelease { version })
}

/// Returns the data file of the command, or the one of the installed settings if that is missing.
fn data_file(data: &Path, root: &Path) -> PathBuf {
    let settings = || fs::read_to_string(root.join(SETTINGS)).ok();
    let named = || setting(&settings()?, "RESPIRO_DATA");
    match named().filter(|_| !data.exists()) {
        Some(named) => root.join(named.trim_start_matches('/')),
        None => data.to_owned(),
    }
}

/// Returns the last value of a setting in a file that systemd reads, without quotation marks.
fn setting(text: &str, name: &str) -> Option<String> {
    let last = text.lines().rev().find_map(|line| {
        let (key, value) = line.trim().split_once('=')?;
        (key == name).then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    last.filter(|value| !value.is_empty())
}

/// Unpacks a verified archive and lets its `install.sh` replace the program.
fn run_installer(archive: &Path, folder: &Path, options: &UpgradeOptions) -> anyhow::Result<()> {
    let mut unpack = Command::new("tar");
    unpack.args(["--extract", "--gzip", "--no-same-owner", "--file"]);
    run(unpack.arg(archive).arg("--directory").arg(folder))?;
    let unpacked = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.join("install.sh").is_file())
        .context("the release has no install.sh")?;
    let mut install = Command::new("sh");
    install.arg(unpacked.join("install.sh"));
    install.arg("--upgrade").arg("--binary");
    install.arg(unpacked.join("respiro"));
    install.args(["--settle-seconds", &options.settle_seconds.to_string()]);
    if options.root != Path::new("/") {
        install.arg("--root").arg(&options.root);
    }
    run(&mut install).context("not upgraded: the lines above say why, and what runs now")
}

/// Runs a program of the system to its end.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot run {name}"))?;
    if !status.success() {
        bail!("{name} failed ({status})");
    }
    Ok(())
}

/// Private folder for a release while it is installed; removed when dropped. Not below `/tmp`,
/// which may forbid to execute files.
struct WorkFolder {
    path: PathBuf,
}

impl WorkFolder {
    fn create(root: &Path) -> anyhow::Result<Self> {
        let path = root.join(format!("var/lib/respiro-upgrade-{}", random_id()?));
        DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self { path })
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_read_as_systemd_reads_it() {
        let text = "# RESPIRO_DATA=/no\nRESPIRO_DATA=/first\n  RESPIRO_DATA=\"/srv/x.redb\" \nX=\n";
        assert_eq!(setting(text, "RESPIRO_DATA").unwrap(), "/srv/x.redb");
        assert_eq!(setting(text, "X"), None);
        assert_eq!(setting(text, "Y"), None);
    }
}
