//! `respiro doctor`: every setting with its source, and what stands in the way, with a next step.

use super::arguments::{Common, ServeOptions};
use super::control::{Answer, Request, ask, server_is_there};
use super::{operations, say};
use crate::config::{Config, Tls};
use crate::store::check;
use anyhow::bail;
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::Path;
use std::time::SystemTime;

/// Less free space than this is worth a word.
const FREE_BYTES_MIN: u64 = 512 * 1024 * 1024;
/// A clock before this is wrong: this program is younger. 2026-01-01 in seconds.
const CLOCK_SECONDS_MIN: u64 = 1_767_225_600;
/// Ports below this need a permission of their own.
const PRIVILEGED_PORT_MAX: u16 = 1023;

/// What a look at one thing found.
enum Finding {
    Good(String),
    /// What is unusual, and what to do about it.
    Warning(String, String),
    /// What is wrong, and what to do about it.
    Problem(String, String),
}

/// Prints settings and findings. Fails when something stands in the way of serving.
pub fn doctor(
    options: &ServeOptions,
    common: &Common,
    matches: &ArgMatches,
    checked: Result<Config, String>,
) -> anyhow::Result<()> {
    say("settings")?;
    for (name, value) in settings(options, common) {
        let id = name.replace('-', "_");
        say(&format!("  {name} = {value}  ({})", source(matches, &id)))?;
    }
    let config = match checked {
        Ok(config) => config,
        Err(message) => bail!("the settings do not fit together: {message}"),
    };
    let running = server_is_there(&config.data);
    let mut findings = vec![data_file(&config.data), disk(&config.data), clock()];
    findings.extend(names(&config));
    findings.push(port("--listen", config.listen, running));
    findings.extend(
        config
            .http_redirect
            .map(|address| port("--http-redirect", address, running)),
    );
    findings.push(certificate(&config));
    findings.extend(backups(&config));
    say("findings")?;
    let mut problems = 0;
    for finding in &findings {
        match finding {
            Finding::Good(what) => say(&format!("  ok       {what}"))?,
            Finding::Warning(what, next) => say(&format!("  warning  {what}\n           {next}"))?,
            Finding::Problem(what, next) => {
                problems += 1;
                say(&format!("  problem  {what}\n           {next}"))?;
            }
        }
    }
    if problems > 0 {
        bail!("{problems} problems: follow the lines under each");
    }
    Ok(())
}

fn settings(options: &ServeOptions, common: &Common) -> Vec<(&'static str, String)> {
    let path = |path: &Option<std::path::PathBuf>| {
        path.as_ref()
            .map_or("-".to_owned(), |path| path.display().to_string())
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let address =
        |address: &Option<SocketAddr>| address.map_or("-".to_owned(), |it| it.to_string());
    let list = |list: Vec<String>| {
        if list.is_empty() {
            "-".to_owned()
        } else {
            list.join(",")
        }
    };
    let proxies = options
        .trusted_proxies
        .iter()
        .map(ToString::to_string)
        .collect();
    vec![
        ("data", common.data.display().to_string()),
        ("listen", options.listen.to_string()),
        ("public-url", text(&options.public_url)),
        ("demo", options.demo.to_string()),
        ("trusted-proxies", list(proxies)),
        ("tls-cert", path(&options.tls_cert)),
        ("tls-key", path(&options.tls_key)),
        ("acme-domains", list(options.acme_domains.clone())),
        ("acme-email", text(&options.acme_email)),
        ("acme-directory", options.acme_directory.clone()),
        ("acme-ca", path(&options.acme_ca)),
        ("http-redirect", address(&options.http_redirect)),
        ("metrics", address(&options.metrics)),
        ("image-workers", options.image_workers.to_string()),
        ("backup-dir", path(&options.backup_dir)),
        ("backup-keep", options.backup_keep.to_string()),
        (
            "log-format",
            format!("{:?}", common.log_format).to_lowercase(),
        ),
        ("log-level", common.log_level.clone()),
    ]
}

fn source(matches: &ArgMatches, id: &str) -> &'static str {
    match matches.value_source(id) {
        Some(ValueSource::CommandLine) => "command line",
        Some(ValueSource::EnvVariable) => "environment",
        _ => "default",
    }
}

fn data_file(data: &Path) -> Finding {
    let name = data.display();
    match ask(data, &Request::Health) {
        Ok(Some(Answer::Failed(reason))) => Finding::Problem(
            format!("the server on {name} is not well: {reason}"),
            "look at its log: journalctl -u respiro".to_owned(),
        ),
        Ok(Some(_)) => Finding::Good(format!("a server runs on {name} and is healthy")),
        Err(error) => Finding::Problem(
            format!("the server on {name} cannot be asked: {error:#}"),
            "run this as root or as the server's user".to_owned(),
        ),
        Ok(None) if !data.exists() => Finding::Warning(
            format!("{name} does not exist yet"),
            "the first start creates it; is --data right?".to_owned(),
        ),
        Ok(None) => match check(data) {
            Ok(figures) => Finding::Good(format!("{name}: {}", operations::summary(&figures))),
            Err(problems) => Finding::Problem(
                format!("{name}: {}", problems.join("; ")),
                "put a backup back: respiro restore BACKUP".to_owned(),
            ),
        },
    }
}

fn disk(data: &Path) -> Finding {
    let folder = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    let Some(existing) = folder.ancestors().skip(1).find(|folder| folder.exists()) else {
        return Finding::Problem(
            format!("{} has no folder", data.display()),
            "name a data file in a folder that exists".to_owned(),
        );
    };
    match rustix::fs::statvfs(existing) {
        Ok(space) => {
            let free = space.f_bavail.saturating_mul(space.f_frsize);
            let what = format!("{} MiB free at {}", free / 1024 / 1024, existing.display());
            if free < FREE_BYTES_MIN {
                let next = "free some space: uploads are refused when the disk is nearly full";
                Finding::Warning(what, next.to_owned())
            } else {
                Finding::Good(what)
            }
        }
        Err(error) => Finding::Warning(
            format!("cannot measure the disk at {}: {error}", existing.display()),
            "check the permissions of the folder".to_owned(),
        ),
    }
}

fn clock() -> Finding {
    let seconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs());
    if seconds < CLOCK_SECONDS_MIN {
        return Finding::Problem(
            "the clock is years behind".to_owned(),
            "set it: timedatectl set-ntp true".to_owned(),
        );
    }
    Finding::Good("the clock is plausible".to_owned())
}

/// Do the names that people use lead anywhere?
fn names(config: &Config) -> Vec<Finding> {
    let mut names: Vec<String> = match &config.tls {
        Tls::Acme(acme) => acme.domains.clone(),
        _ => Vec::new(),
    };
    let host = config
        .public_url
        .as_deref()
        .and_then(|url| url.split("://").nth(1))
        .and_then(|host| host.split(':').next())
        .filter(|host| host.parse::<std::net::IpAddr>().is_err() && !host.starts_with('['));
    names.extend(host.map(str::to_owned));
    names.sort();
    names.dedup();
    names.into_iter().map(|name| resolve(&name)).collect()
}

fn resolve(name: &str) -> Finding {
    match (name, 443).to_socket_addrs() {
        Ok(addresses) => {
            let mut found: Vec<String> =
                addresses.map(|address| address.ip().to_string()).collect();
            found.dedup();
            Finding::Good(format!(
                "{name} leads to {} (is that this machine?)",
                found.join(", ")
            ))
        }
        Err(error) => Finding::Problem(
            format!("{name} leads nowhere: {error}"),
            "add an A (and AAAA) record for it at your DNS provider".to_owned(),
        ),
    }
}

fn port(option: &str, address: SocketAddr, running: bool) -> Finding {
    match TcpListener::bind(address) {
        Ok(_) => Finding::Good(format!("{option} {address} is free")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse && running => Finding::Good(
            format!("{option} {address} is taken, by the running server"),
        ),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => Finding::Problem(
            format!("{option} {address} is taken by another program"),
            format!("find it: ss -ltnp 'sport = :{}'", address.port()),
        ),
        Err(_) if address.port() <= PRIVILEGED_PORT_MAX => Finding::Problem(
            format!("{option} {address} is not allowed for this user"),
            "give the service CAP_NET_BIND_SERVICE (install.sh does), or use a port over 1023"
                .to_owned(),
        ),
        Err(error) => Finding::Problem(
            format!("{option} {address}: {error}"),
            "choose an address that this machine has".to_owned(),
        ),
    }
}

fn certificate(config: &Config) -> Finding {
    match &config.tls {
        Tls::Off => Finding::Warning(
            "no certificate: this port speaks plain HTTP".to_owned(),
            "fine behind a reverse proxy; otherwise use --acme-domain or --tls-cert".to_owned(),
        ),
        Tls::Files { certificate, key } => match crate::tls::load(certificate, key) {
            Ok(_) => Finding::Good(format!("{} fits its key", certificate.display())),
            Err(error) => Finding::Problem(
                error.to_string(),
                "name a PEM chain with --tls-cert and its own key with --tls-key".to_owned(),
            ),
        },
        Tls::Acme(acme) if config.listen.port() != 443 => Finding::Warning(
            format!("certificates for {} are ordered", acme.domains.join(", ")),
            format!(
                "the authority connects to port 443 of each name: forward it to port {}",
                config.listen.port()
            ),
        ),
        Tls::Acme(acme) => Finding::Good(format!(
            "certificates for {} are ordered from {}",
            acme.domains.join(", "),
            acme.directory
        )),
    }
}

fn backups(config: &Config) -> Vec<Finding> {
    let Some(schedule) = &config.backup else {
        return vec![Finding::Warning(
            "no scheduled backup".to_owned(),
            "add --backup-dir, best on another disk".to_owned(),
        )];
    };
    let folder = schedule.dir.display();
    let finding = match std::fs::metadata(&schedule.dir) {
        Ok(found) if found.is_dir() => Finding::Good(format!(
            "{} daily copies are kept in {folder}",
            schedule.keep
        )),
        Ok(_) => Finding::Problem(
            format!("{folder} is no folder"),
            "name a folder with --backup-dir".to_owned(),
        ),
        Err(_) => Finding::Warning(
            format!("{folder} does not exist yet"),
            "the first backup creates it".to_owned(),
        ),
    };
    vec![finding]
}
