//! `respiro doctor`: prints every setting with its source, and problems with their remedy.

mod bounce_mailbox;
mod mail_server;
mod offsite_backups;
mod sender_domain;

use super::config::describe_settings;
use super::control_client::{is_server_running, pin_snapshot, send_request};
use super::{format_error, pluralize, print_line};
use anyhow::bail;
use clap::ArgMatches;
use respiro_content::Timestamp;
use respiro_content::time::{parse_rfc3339, rfc3339};
use respiro_db::{Oddity, Store, check};
use respiro_server::config::{Acme, Config, Tls};
use respiro_server::control::requests;
use respiro_server::control::{Request, Response};
use respiro_server::listeners;
use respiro_server::state::now;
use respiro_server::tls;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;

/// Free space below this causes a warning, well before uploads are refused.
const WARNING_FREE_BYTES_MIN: u64 = 512 * 1024 * 1024;
/// A clock before this time is wrong, because the program is younger. 2026-01-01.
const CLOCK_MIN: Timestamp = 1_767_225_600_000;
/// Ports up to this one require `CAP_NET_BIND_SERVICE`.
const PRIVILEGED_PORT_MAX: u16 = 1023;

/// Fewer remaining days of a certificate cause a warning.
const CERTIFICATE_DAYS_MIN: i64 = 7;
const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;

/// Result of one check.
enum Finding {
    Good(String),
    /// The unusual state, and the remedy.
    Warning(String, String),
    /// The problem, and the remedy.
    Problem(String, String),
}

/// Prints settings and findings. Fails if a problem prevents serving.
pub fn doctor(
    matches: &ArgMatches,
    checked: Result<Config, String>,
    mail_to: Option<&str>,
) -> anyhow::Result<()> {
    print_line("settings")?;
    for line in describe_settings(matches, "doctor") {
        print_line(&format!("  {line}"))?;
    }
    let config = match checked {
        Ok(config) => config,
        Err(message) => bail!("the settings do not fit together: {message}"),
    };
    let running = is_server_running(&config.data);
    let mut findings = vec![
        check_data_file(&config.data),
        check_disk(&config.data),
        check_clock(&config.data),
    ];
    findings.extend(check_host_names(&config));
    let ports = config.listen.iter();
    findings.extend(ports.map(|&address| check_port("--listen", address, running)));
    for (option, address) in [
        ("--http-redirect", config.http_redirect),
        ("--metrics", config.metrics),
    ] {
        findings.extend(address.map(|address| check_port(option, address, running)));
    }
    findings.extend(check_trusted_proxies(&config, running));
    findings.extend(check_certificate(&config, running));
    findings.extend(check_local_backups(&config));
    findings.push(offsite_backups::check_backups(&config));
    findings.extend(offsite_backups::check_mirror(&config));
    findings.push(mail_server::check(&config, mail_to));
    if mail_to.is_some() {
        findings.extend(sender_domain::check(&config));
    }
    findings.extend(bounce_mailbox::check(&config));
    print_line("findings")?;
    let mut problems = 0;
    for finding in &findings {
        match finding {
            Finding::Good(what) => print_line(&format!("  ok       {what}"))?,
            Finding::Warning(what, next) => {
                print_line(&format!("  warning  {what}\n           {next}"))?;
            }
            Finding::Problem(what, next) => {
                problems += 1;
                print_line(&format!("  problem  {what}\n           {next}"))?;
            }
        }
    }
    if problems > 0 {
        let problems = pluralize(problems, "problem", "problems");
        bail!("{problems}: follow the lines under each");
    }
    Ok(())
}

fn check_data_file(data: &Path) -> Finding {
    let name = data.display();
    match send_request(data, &Request::Health) {
        Ok(Some(Response::Failed(reason))) => Finding::Problem(
            format!("the server on {name} is not well: {reason}"),
            "look at its log: journalctl -u respiro".to_owned(),
        ),
        Ok(Some(_)) => match running_oddities(data) {
            Ok(oddities) if !oddities.is_empty() => odd_rows(data, &oddities),
            Ok(_) => Finding::Good(format!("a server runs on {name} and is healthy")),
            Err(error) => Finding::Warning(
                format!(
                    "the file of the running server cannot be read: {}",
                    format_error(&error)
                ),
                "run this as root or as the server's user".to_owned(),
            ),
        },
        Err(error) => Finding::Problem(
            format!(
                "the server on {name} cannot be asked: {}",
                format_error(&error)
            ),
            "run this as root or as the server's user".to_owned(),
        ),
        Ok(None) if !data.exists() => Finding::Warning(
            format!("{name} does not exist yet"),
            "the first start creates it; is --data right?".to_owned(),
        ),
        Ok(None) => match check(data) {
            Ok(report) if report.oddities.is_empty() => Finding::Good(format!(
                "{name}: {}",
                requests::summarize_contents(&report.stats)
            )),
            Ok(report) => odd_rows(data, &report.oddities),
            Err(problems) => Finding::Problem(
                format!("{name}: {}", problems.join("; ")),
                "put a backup back: respiro restore BACKUP".to_owned(),
            ),
        },
    }
}

/// Returns the rows that a running server skips, read from a pinned snapshot of its file.
fn running_oddities(data: &Path) -> anyhow::Result<Vec<Oddity>> {
    let Some(pinned) = pin_snapshot(data)? else {
        return Ok(Vec::new());
    };
    let store = Store::open_snapshot(data, &pinned.header)?;
    let read = store.read(|reader| Ok::<_, respiro_db::Error>(reader.oddities()));
    Ok(pinned.outcome(read)??)
}

fn odd_rows(data: &Path, oddities: &[Oddity]) -> Finding {
    let rows: Vec<String> = oddities.iter().map(ToString::to_string).collect();
    Finding::Warning(
        format!("{}: {}", data.display(), rows.join("; ")),
        "the site goes on without these rows and keeps their bytes: install the newest respiro, \
         or put back a backup that has them"
            .to_owned(),
    )
}

fn check_disk(data: &Path) -> Finding {
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
            if free < WARNING_FREE_BYTES_MIN {
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

fn check_clock(data: &Path) -> Finding {
    if now() < CLOCK_MIN {
        return Finding::Problem(
            "the clock is years behind".to_owned(),
            "set it: timedatectl set-ntp true".to_owned(),
        );
    }
    match send_request(data, &Request::Clock) {
        Ok(Some(Response::Failed(reason))) => clock_doubted(&reason),
        Ok(None) if data.exists() => match Store::look(data) {
            Ok(store) => match requests::stored_clock(&store) {
                Response::Failed(reason) => clock_doubted(&reason),
                _ => Finding::Good("the clock is plausible".to_owned()),
            },
            // Another finding names the file.
            Err(_) => Finding::Good("the clock is plausible".to_owned()),
        },
        _ => Finding::Good("the clock is plausible".to_owned()),
    }
}

fn clock_doubted(reason: &str) -> Finding {
    Finding::Problem(
        reason.to_owned(),
        "the site itself is served meanwhile, and nothing is lost".to_owned(),
    )
}

/// Checks that the names of the site resolve.
fn check_host_names(config: &Config) -> Vec<Finding> {
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

fn check_port(option: &str, address: SocketAddr, running: bool) -> Finding {
    match listeners::bind(address) {
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

/// Warns when a proxy in front is not trusted: its visitors then share the limits of one address.
fn check_trusted_proxies(config: &Config, running: bool) -> Option<Finding> {
    let asked = running.then(|| send_request(&config.data, &Request::LikelyProxy))?;
    match asked {
        Ok(Some(Response::Text(address))) if !address.is_empty() => Some(Finding::Warning(
            format!("most requests come from {address}, which is not trusted"),
            format!(
                "if it is a proxy, name it with --trusted-proxy {address}: all visitors behind it \
                 share the limits of one address until then"
            ),
        )),
        // A server of an earlier version does not know the request.
        _ => None,
    }
}

fn check_certificate(config: &Config, running: bool) -> Vec<Finding> {
    match &config.tls {
        Tls::Off => vec![Finding::Warning(
            "no certificate: this port speaks plain HTTP".to_owned(),
            "fine behind a reverse proxy; otherwise use --acme-domain or --tls-cert".to_owned(),
        )],
        Tls::Files { certificate, key } => match tls::load(certificate, key) {
            Ok(_) => {
                let name = certificate.display().to_string();
                let next = "put the renewed chain and key in place of these files";
                vec![
                    Finding::Good(format!("{name} fits its key")),
                    expiry_finding(&name, tls::file_expiry(certificate), now(), next),
                ]
            }
            Err(error) => vec![Finding::Problem(
                error.to_string(),
                "name a PEM chain with --tls-cert and its own key with --tls-key".to_owned(),
            )],
        },
        Tls::Acme(acme) => check_acme_certificate(acme, config, running),
    }
}

fn check_acme_certificate(acme: &Acme, config: &Config, running: bool) -> Vec<Finding> {
    let names = acme.domains.join(", ");
    let ports: Vec<u16> = config.listen.iter().map(SocketAddr::port).collect();
    let mut findings = vec![if ports.contains(&443) {
        Finding::Good(format!(
            "certificates for {names} are ordered from {}",
            acme.directory
        ))
    } else {
        Finding::Warning(
            format!("certificates for {names} are ordered"),
            format!(
                "the authority connects to port 443 of each name: forward it to port {}",
                ports.first().copied().unwrap_or_default()
            ),
        )
    }];
    if running {
        let at = match send_request(&config.data, &Request::CertificateEnd) {
            Ok(Some(Response::Text(at))) => parse_rfc3339(&at),
            _ => None,
        };
        let next = "look at the log for what the authority said: journalctl -u respiro";
        findings.push(expiry_finding(&names, at, now(), next));
    }
    findings
}

/// Checks the remaining lifetime of a certificate.
fn expiry_finding(name: &str, at: Option<Timestamp>, now: Timestamp, next: &str) -> Finding {
    let Some(at) = at else {
        let what = format!("there is no certificate for {name} yet");
        return Finding::Problem(what, next.to_owned());
    };
    let days = (at - now).div_euclid(DAY_MILLISECONDS);
    let what = format!("the certificate of {name} ends at {}", rfc3339(at));
    if at <= now {
        Finding::Problem(format!("{what}: that is over"), next.to_owned())
    } else if days < CERTIFICATE_DAYS_MIN {
        Finding::Warning(format!("{what}: {days} days"), next.to_owned())
    } else {
        Finding::Good(format!("{what}: {days} days"))
    }
}

fn check_local_backups(config: &Config) -> Vec<Finding> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_told_by_the_days_it_has_left() {
        let now = parse_rfc3339("2026-11-21T10:00:00Z").unwrap();
        let found =
            |days: i64| expiry_finding("x", Some(now + days * DAY_MILLISECONDS), now, "renew");
        assert!(matches!(found(60), Finding::Good(what) if what.ends_with(": 60 days")));
        assert!(
            matches!(found(6), Finding::Warning(what, next) if what.ends_with("6 days") && next == "renew")
        );
        assert!(matches!(found(0), Finding::Problem(what, _) if what.ends_with("is over")));
        assert!(matches!(
            expiry_finding("x", None, now, "renew"),
            Finding::Problem(..)
        ));
    }
}
