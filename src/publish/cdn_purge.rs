//! Purges the cache in front of the server after each publish. Purges are batched and retried, and
//! never delay a publish.

use super::job_trigger::JobTrigger;
use super::{Pages, Site, blocking, messages};
use arc_swap::ArcSwapOption;
use respiro_content::Timestamp;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::Request;

/// Publishes within this time share one purge.
const GATHER: Duration = Duration::from_millis(50);
const TIMEOUT: Duration = Duration::from_secs(5);
const HOOK_LOOK: Duration = Duration::from_millis(20);
/// Delay before each attempt.
const PAUSES: &[Duration] = &[
    Duration::ZERO,
    Duration::from_secs(1),
    Duration::from_secs(5),
];
/// Seconds until the cache revalidates without a purge: `s-maxage` plus `stale-while-revalidate`.
const SEEN_AFTER_SECONDS: u64 = 61;

/// A CDN or other cache in front of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cdn {
    /// URL to request after each publish.
    pub purge: Option<String>,
    /// HTTP method of the purge: `BAN` or `PURGE`.
    pub method: String,
    /// Command to run after each publish.
    pub hook: Option<PathBuf>,
    /// Environment variables that the command does not get.
    pub hidden: &'static [&'static str],
}

impl Cdn {
    /// Returns whether the cache is notified of changes.
    pub const fn is_told(&self) -> bool {
        self.purge.is_some() || self.hook.is_some()
    }
}

/// Requests for a purge, and the result of the last one.
#[derive(Debug, Default)]
pub struct CdnPurge {
    pub trigger: JobTrigger,
    last: ArcSwapOption<LastPurge>,
}

/// The result of a purge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastPurge {
    pub at: Timestamp,
    /// Why the purge failed, in Italian.
    pub failure: Option<&'static str>,
}

impl CdnPurge {
    /// Returns `None` before the first publish since the start of the program.
    pub fn last(&self) -> Option<Arc<LastPurge>> {
        self.last.load_full()
    }
}

/// Purges after publishes and on request, until the server stops.
pub async fn run(site: Arc<Site>, cdn: Cdn) {
    let cdn = Arc::new(cdn);
    let mut commits = site.commits();
    let mut purged = published(&site);
    let purge = &site.cdn_purge;
    loop {
        let is_requested = tokio::select! {
            commit = commits.changed() => match commit {
                Ok(()) => false,
                Err(_) => return,
            },
            () = purge.trigger.requested() => true,
        };
        tokio::time::sleep(GATHER).await;
        commits.borrow_and_update();
        let current = published(&site);
        if Weak::ptr_eq(&current, &purged) && !is_requested {
            continue;
        }
        purged = current;
        purge.trigger.start();
        let failure = purge_with_retries(&site, &cdn).await.err();
        let last = LastPurge {
            at: site.now(),
            failure,
        };
        purge.last.store(Some(Arc::new(last)));
        purge.trigger.finish();
    }
}

/// Purges with retries. The error is the reason of the last failure, in Italian.
async fn purge_with_retries(site: &Site, cdn: &Arc<Cdn>) -> Result<(), &'static str> {
    let pages = site.publisher.pages();
    let pages = pages.map_or(0, |pages| pages.all().count());
    let place = place_of(cdn);
    let mut last = Ok(());
    for pause in PAUSES {
        tokio::time::sleep(*pause).await;
        let (own, url) = (Arc::clone(cdn), site.public_url().to_owned());
        let attempt = blocking(move || Ok::<_, super::Error>(purge_once(&own, &url))).await;
        last = match attempt {
            Ok(Ok(())) => {
                tracing::info!(place, pages, "asked the cache in front to forget the pages");
                return Ok(());
            }
            Ok(Err(error)) => {
                tracing::warn!(
                    place,
                    reason = %error,
                    "the cache in front did not forget: it shows the change after \
                     {SEEN_AFTER_SECONDS} s at the latest"
                );
                Err(error.reason())
            }
            Err(error) => {
                tracing::error!(%error, "cannot tell the cache in front");
                Err(messages::UNKNOWN_REASON)
            }
        };
    }
    last
}

/// Why a purge failed, for the log.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum PurgeError {
    #[error("{0}")]
    NoAnswer(String),
    #[error("it answers {0}")]
    Refused(u16),
    #[error("the command {0}")]
    Hook(String),
}

impl PurgeError {
    /// Returns the Italian reason for the admin panel.
    const fn reason(&self) -> &'static str {
        match self {
            Self::NoAnswer(_) => messages::CDN_SILENT,
            Self::Refused(_) => messages::CDN_REFUSES,
            Self::Hook(_) => messages::CDN_HOOK_FAILED,
        }
    }
}

fn published(site: &Site) -> Weak<Pages> {
    let pages = site.publisher.pages();
    pages.map_or_else(Weak::new, |pages| Arc::downgrade(&pages))
}

/// Returns the purge address and the command for the log. Omits the query, which may hold a secret.
fn place_of(cdn: &Cdn) -> String {
    let address = cdn.purge.as_deref();
    let address = address.map(|url| url.split('?').next().unwrap_or_default().to_owned());
    let hook = cdn.hook.as_deref().map(|hook| hook.display().to_string());
    [address, hook]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// Makes one attempt. Blocks for a few seconds at most.
fn purge_once(cdn: &Cdn, public_url: &str) -> Result<(), PurgeError> {
    if let Some(url) = &cdn.purge {
        let host = public_url.split("://").nth(1).unwrap_or_default();
        send_purge(url, &cdn.method, host)?;
    }
    cdn.hook.as_deref().map_or(Ok(()), |hook| {
        run_hook(command_of(hook, cdn.hidden, public_url))
    })
}

fn send_purge(url: &str, method: &str, host: &str) -> Result<(), PurgeError> {
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .timeout_global(Some(TIMEOUT))
        .build()
        .new_agent();
    let request = Request::builder().method(method).uri(url);
    let request = request.header("x-respiro-host", host).body(());
    let request = request.map_err(|error| PurgeError::NoAnswer(error.to_string()))?;
    let answer = agent.run(request);
    let answer = answer.map_err(|error| match error {
        // Other errors may contain the address, which may hold a secret.
        ureq::Error::Io(error) => PurgeError::NoAnswer(error.to_string()),
        _ => PurgeError::NoAnswer("no answer".to_owned()),
    })?;
    if answer.status().is_success() {
        Ok(())
    } else {
        Err(PurgeError::Refused(answer.status().as_u16()))
    }
}

/// Returns the command with the public address in its environment, and without the server's
/// secrets.
fn command_of(hook: &Path, hidden: &[&str], public_url: &str) -> Command {
    let mut command = Command::new(hook);
    for name in hidden {
        command.env_remove(name);
    }
    command
        .env("RESPIRO_PUBLIC_URL", public_url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Runs the command; kills it after `TIMEOUT`.
fn run_hook(mut command: Command) -> Result<(), PurgeError> {
    let mut child = command
        .spawn()
        .map_err(|error| PurgeError::Hook(format!("does not start: {error}")))?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(PurgeError::Hook(format!("ended with {status}"))),
            Ok(None) if started.elapsed() < TIMEOUT => thread::sleep(HOOK_LOOK),
            Ok(None) | Err(_) => {
                // Killing fails if the process has ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(PurgeError::Hook("took too long".to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    fn hook(folder: &Path, text: &str) -> PathBuf {
        let path = folder.join("hook.sh");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        path
    }

    #[test]
    fn a_hook_hears_the_address_and_its_failures_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("output");
        let done = hook(
            folder.path(),
            &format!("echo \"$RESPIRO_PUBLIC_URL\" > {}", output.display()),
        );
        assert_eq!(
            run_hook(command_of(&done, &[], "https://a.example")),
            Ok(())
        );
        assert_eq!(fs::read_to_string(&output).unwrap(), "https://a.example\n");
        let failing = hook(folder.path(), "exit 3");
        let reason = run_hook(command_of(&failing, &[], "https://a.example"))
            .unwrap_err()
            .to_string();
        assert!(reason.contains("ended with exit status: 3"), "{reason}");
        let missing = run_hook(command_of(
            &folder.path().join("none"),
            &[],
            "https://a.example",
        ))
        .unwrap_err()
        .to_string();
        assert!(
            missing.starts_with("the command does not start"),
            "{missing}"
        );
    }

    /// Regression: the command inherited the object-storage keys and the mail server's password.
    #[test]
    fn a_hook_gets_no_secret() {
        // Any test environment sets this variable.
        let hidden = "PATH";
        assert!(std::env::var_os(hidden).is_some());
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("output");
        let hook = hook(folder.path(), &format!("env > {}", output.display()));
        let mut command = command_of(&hook, &[hidden], "https://a.example");
        command.env("KEPT", "sì");
        assert_eq!(run_hook(command), Ok(()));
        let given = fs::read_to_string(&output).unwrap();
        let is_hidden = !given.lines().any(|line| line.starts_with("PATH="));
        assert!(given.contains("KEPT=sì") && is_hidden, "{given}");
    }

    /// The command is killed after `TIMEOUT`, so that the caller does not block.
    #[test]
    fn a_hook_that_hangs_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let hanging = hook(folder.path(), "exec sleep 600");
        let output = run_hook(command_of(&hanging, &[], "https://a.example"));
        assert_eq!(output, Err(PurgeError::Hook("took too long".to_owned())));
    }
}
