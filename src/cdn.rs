//! Purges the cache in front of the server after each publish. Purges are batched and retried, and
//! never delay a publish.

use crate::app::cache_in_front::Told;
use crate::app::{App, blocking};
use crate::config::Cdn;
use crate::error::UNKNOWN_REASON;
use crate::site::Pages;
use std::path::Path;
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

/// Purges after publishes and on request, until the server stops.
pub async fn run(app: Arc<App>, cdn: Cdn) {
    let cdn = Arc::new(cdn);
    let mut changes = app.site.commits();
    let mut told = shown(&app);
    let front = &app.cache_in_front;
    loop {
        let asked = tokio::select! {
            news = changes.changed() => match news {
                Ok(()) => false,
                Err(_) => return,
            },
            () = front.wish.heard() => true,
        };
        tokio::time::sleep(GATHER).await;
        changes.borrow_and_update();
        let present = shown(&app);
        if Weak::ptr_eq(&present, &told) && !asked {
            continue;
        }
        told = present;
        front.wish.begin();
        let failure = tell_until_heard(&app, &cdn).await.err();
        front.keep(Told {
            at: app.now(),
            failure,
        });
        front.wish.end();
    }
}

/// Purges with retries. The error is the reason of the last failure, in Italian.
async fn tell_until_heard(app: &App, cdn: &Arc<Cdn>) -> Result<(), &'static str> {
    let pages = app
        .site
        .publisher
        .pages()
        .map_or(0, |pages| pages.all().count());
    let place = place_of(cdn);
    let mut last = Ok(());
    for pause in PAUSES {
        tokio::time::sleep(*pause).await;
        let (own, url) = (Arc::clone(cdn), app.site.public_url().to_owned());
        let told = blocking(move || Ok(tell(&own, &url))).await;
        last = match told {
            Ok(Ok(())) => {
                tracing::info!(place, pages, "asked the cache in front to forget the pages");
                return Ok(());
            }
            Ok(Err(fault)) => {
                tracing::warn!(
                    place,
                    reason = %fault,
                    "the cache in front did not forget: it shows the change after \
                     {SEEN_AFTER_SECONDS} s at the latest"
                );
                Err(fault.reason())
            }
            Err(error) => {
                tracing::error!(%error, "cannot tell the cache in front");
                Err(UNKNOWN_REASON)
            }
        };
    }
    last
}

/// Why a purge failed, for the log.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Fault {
    #[error("{0}")]
    NoAnswer(String),
    #[error("it answers {0}")]
    Refused(u16),
    #[error("the command {0}")]
    Hook(String),
}

impl Fault {
    /// Returns the Italian reason for the admin panel.
    const fn reason(&self) -> &'static str {
        match self {
            Self::NoAnswer(_) => "non risponde",
            Self::Refused(_) => "rifiuta la richiesta",
            Self::Hook(_) => "il comando non è riuscito",
        }
    }
}

fn shown(app: &App) -> Weak<Pages> {
    let pages = app.site.publisher.pages();
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
fn tell(cdn: &Cdn, public_url: &str) -> Result<(), Fault> {
    if let Some(url) = &cdn.purge {
        let host = public_url.split("://").nth(1).unwrap_or_default();
        purge(url, &cdn.method, host)?;
    }
    cdn.hook.as_deref().map_or(Ok(()), |hook| {
        run_hook(command_of(hook, cdn.hidden, public_url))
    })
}

fn purge(url: &str, method: &str, host: &str) -> Result<(), Fault> {
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .timeout_global(Some(TIMEOUT))
        .build()
        .new_agent();
    let request = Request::builder().method(method).uri(url);
    let request = request.header("x-respiro-host", host).body(());
    let request = request.map_err(|error| Fault::NoAnswer(error.to_string()))?;
    let answer = agent.run(request);
    let answer = answer.map_err(|error| match error {
        // Other errors may contain the address, which may hold a secret.
        ureq::Error::Io(error) => Fault::NoAnswer(error.to_string()),
        _ => Fault::NoAnswer("no answer".to_owned()),
    })?;
    if answer.status().is_success() {
        Ok(())
    } else {
        Err(Fault::Refused(answer.status().as_u16()))
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
fn run_hook(mut command: Command) -> Result<(), Fault> {
    let mut child = command
        .spawn()
        .map_err(|error| Fault::Hook(format!("does not start: {error}")))?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(Fault::Hook(format!("ended with {status}"))),
            Ok(None) if started.elapsed() < TIMEOUT => thread::sleep(HOOK_LOOK),
            Ok(None) | Err(_) => {
                // Killing fails if the process has ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(Fault::Hook("took too long".to_owned()));
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
        let told = folder.path().join("told");
        let done = hook(
            folder.path(),
            &format!("echo \"$RESPIRO_PUBLIC_URL\" > {}", told.display()),
        );
        assert_eq!(
            run_hook(command_of(&done, &[], "https://a.example")),
            Ok(())
        );
        assert_eq!(fs::read_to_string(&told).unwrap(), "https://a.example\n");
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
        let told = folder.path().join("told");
        let hook = hook(folder.path(), &format!("env > {}", told.display()));
        let mut command = command_of(&hook, &[hidden], "https://a.example");
        command.env("KEPT", "sì");
        assert_eq!(run_hook(command), Ok(()));
        let given = fs::read_to_string(&told).unwrap();
        let is_hidden = !given.lines().any(|line| line.starts_with("PATH="));
        assert!(given.contains("KEPT=sì") && is_hidden, "{given}");
    }

    /// The command is killed after `TIMEOUT`, so that the caller does not block.
    #[test]
    fn a_hook_that_hangs_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let hanging = hook(folder.path(), "exec sleep 600");
        let told = run_hook(command_of(&hanging, &[], "https://a.example"));
        assert_eq!(told, Err(Fault::Hook("took too long".to_owned())));
    }
}
