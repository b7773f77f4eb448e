//! Upgrade of an installation by the Debian package. The installed package is packed again first,
//! because a way back needs a package too: `dpkg` keeps none.

use super::super::control_client::is_healthy;
use super::super::{local_backup, print_line};
use super::run;
use anyhow::{Context, bail};
use respiro_content::time::stamp;
use respiro_server::state::now;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const NAME: &str = "respiro";
/// Where `dpkg` keeps the scripts of installed packages.
const SCRIPTS: &str = "/var/lib/dpkg/info";
/// Fields of the status of an installed package that a package itself does not have.
const STATUS_FIELDS: [&str; 2] = ["Status:", "Conffiles:"];
/// The former version ran here before: it gets enough time.
const FORMER_SETTLE_TIME: Duration = Duration::from_mins(1);
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// Installs a verified package. Puts package and data file back if the service does not get
/// healthy within `settle_seconds`.
pub fn upgrade(
    package: &Path,
    folder: &Path,
    data: &Path,
    settle_seconds: u32,
) -> anyhow::Result<()> {
    let former = repack(folder).context("the installed package cannot be kept for a way back")?;
    let copy = data.with_file_name(format!("before-upgrade-{}.redb", stamp(now())));
    if data.exists() {
        local_backup::backup(data, &copy).context("nothing was changed")?;
    }
    let settle_time = Duration::from_secs(settle_seconds.into());
    if install(package).is_ok() && becomes_healthy(data, settle_time) {
        return print_line(&format!(
            "upgraded; the data file as it was: {}",
            copy.display()
        ));
    }
    go_back(&former, folder, data, &copy)?;
    if becomes_healthy(data, FORMER_SETTLE_TIME) {
        bail!("the new version did not answer: the former one runs again, with its data");
    }
    bail!("neither version answers: run respiro doctor");
}

/// Installs a package. Its scripts restart the service and fail if that does not get healthy.
fn install(package: &Path) -> anyhow::Result<()> {
    let mut dpkg = Command::new("dpkg");
    // The scripts need not copy the data file once more, and ask nothing.
    dpkg.env("RESPIRO_UPGRADE", "1")
        .env("DEBIAN_FRONTEND", "noninteractive");
    run(dpkg.arg("--install").arg(package))
}

/// Puts the data file back with the former program, because it may be unable to read what the new
/// one made of it, then the former package.
fn go_back(former: &Path, folder: &Path, data: &Path, copy: &Path) -> anyhow::Result<()> {
    // A service that failed is stopped already.
    let _ = run(Command::new("systemctl").args(["stop", "respiro.service"]));
    if copy.exists() {
        let unpacked = folder.join("former");
        run(Command::new("dpkg-deb")
            .arg("-x")
            .arg(former)
            .arg(&unpacked))?;
        let mut restore = Command::new(unpacked.join("usr/bin/respiro"));
        restore
            .arg("--data")
            .arg(data)
            .args(["restore", "--yes"])
            .arg(copy);
        let by_hand = || format!("put {} back as {} by hand", copy.display(), data.display());
        run(&mut restore).with_context(by_hand)?;
    }
    install(former)
}

fn becomes_healthy(data: &Path, time: Duration) -> bool {
    let until = Instant::now() + time;
    loop {
        if is_healthy(data) {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(CHECK_INTERVAL);
    }
}

/// Makes a package of the installed files.
fn repack(folder: &Path) -> anyhow::Result<PathBuf> {
    let tree = folder.join("installed");
    fs::create_dir_all(tree.join("DEBIAN"))?;
    for path in output(Command::new("dpkg-query").args(["--listfiles", NAME]))?.lines() {
        let target = tree.join(path.trim_start_matches('/'));
        // `dpkg` may be configured to leave out documentation.
        let Ok(found) = fs::symlink_metadata(path) else {
            continue;
        };
        if found.is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            run(Command::new("cp").arg("--archive").arg(path).arg(&target))?;
        }
    }
    let status = output(Command::new("dpkg-query").args(["--status", NAME]))?;
    fs::write(tree.join("DEBIAN/control"), control_file(&status))?;
    for entry in fs::read_dir(SCRIPTS)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let part = name
            .strip_prefix(NAME)
            .and_then(|rest| rest.strip_prefix('.'));
        if let Some(part) = part.filter(|part| !["list", "md5sums"].contains(part)) {
            fs::copy(entry.path(), tree.join("DEBIAN").join(part))?;
        }
    }
    let package = folder.join("former.deb");
    run(Command::new("dpkg-deb")
        .args(["--root-owner-group", "--build"])
        .arg(tree)
        .arg(&package))?;
    Ok(package)
}

/// Returns the control file of a package, of its status: without the fields of `dpkg` itself and
/// their further lines.
fn control_file(status: &str) -> String {
    let mut is_kept = true;
    let mut control = String::new();
    for line in status.lines() {
        if !line.starts_with(' ') {
            is_kept = !STATUS_FIELDS.iter().any(|field| line.starts_with(field));
        }
        if is_kept {
            control.push_str(line);
            control.push('\n');
        }
    }
    control
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot run {name}"))?;
    if !output.status.success() {
        bail!(
            "{name} failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_file_has_the_fields_of_the_package_alone() {
        let status = "Package: respiro\nStatus: install ok installed\nVersion: 0.1.0\n\
                      Conffiles:\n /etc/x 123\n /etc/y 456\nDescription: site\n whole\n";
        let control = "Package: respiro\nVersion: 0.1.0\nDescription: site\n whole\n";
        assert_eq!(control_file(status), control);
    }
}
