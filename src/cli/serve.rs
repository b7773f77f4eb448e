//! `respiro serve`: runs the server until it is told to stop.

use super::sd_notify;
use crate::ui_assets;
use anyhow::{Context, anyhow};
use respiro_backup::offsite::{self, BackupRepository, Encryptor};
use respiro_backup::s3_mirror::{self, Mirror};
use respiro_backup::{Bucket, StopFlag, StorageError, local_backup};
use respiro_server::config::Config;
use respiro_server::control;
use respiro_server::state::App;
use std::env;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

/// Variables with which glibc returns freed memory to the system (docs/decisions/026).
const MALLOC_SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "131072"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
];

/// How long the end of the process waits for blocking work, once the data file is closed.
const BLOCKING_WAIT: Duration = Duration::from_secs(2);

/// Runs until SIGTERM or SIGINT.
pub fn serve(config: Config) -> anyhow::Result<()> {
    log_missing_malloc_settings();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the run time")?;
    let done = runtime.block_on(run(config));
    // A transfer that waits for a silent object storage must not hold up the end of the process.
    runtime.shutdown_timeout(BLOCKING_WAIT);
    done
}

/// Logs missing variables. glibc reads them once, before `main`, so the program cannot set them.
fn log_missing_malloc_settings() {
    if !cfg!(target_env = "gnu") {
        return;
    }
    let missing: Vec<String> = MALLOC_SETTINGS
        .into_iter()
        .filter(|(name, _)| env::var_os(name).is_none())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if !missing.is_empty() {
        tracing::info!(
            missing = missing.join(" "),
            "freed memory stays with the process; to use less memory, start it with these variables"
        );
    }
}

async fn run(config: Config) -> anyhow::Result<()> {
    // Listen before anything is opened, so that a signal during the start is not lost.
    let mut signals = Signals::listen().context("cannot listen for signals")?;
    let mut config = config;
    while let Ended::Restart(addresses) = run_once(config.clone(), &mut signals).await? {
        tracing::info!("starting anew in another mode");
        config.listen = addresses;
    }
    Ok(())
}

/// Why the server stopped.
enum Ended {
    Signal,
    /// `respiro retire` changed the mode. The next start takes the same addresses.
    Restart(Vec<SocketAddr>),
}

async fn run_once(config: Config, signals: &mut Signals) -> anyhow::Result<Ended> {
    let running = tokio::select! {
        started = respiro_server::start(config, ui_assets::load()?) => started?,
        name = signals.next() => {
            tracing::info!(signal = name, "stopped before the start was done");
            return Ok(Ended::Signal);
        }
    };
    let schedule = running.app.config.backup.clone();
    let control = match control::listen(&running.app, &running.addresses) {
        Ok(control) => Some(control),
        Err(error) => {
            tracing::warn!(%error, "commands cannot reach this server: stop it to use them");
            None
        }
    };
    let backups = schedule.map(|schedule| {
        let site = Arc::clone(&running.app.site);
        tokio::spawn(local_backup::run(site, schedule))
    });
    let stop_transfers = StopFlag::default();
    let offsite_backups = start_offsite_backups(&running.app, &stop_transfers)?;
    let mirror = start_mirror(&running.app, &stop_transfers)?;
    let watchdog = sd_notify::watchdog_interval().map(|interval| {
        let (app, addresses) = (Arc::clone(&running.app), running.addresses.clone());
        tokio::spawn(feed_watchdog(app, addresses, interval))
    });
    notify_service_manager("READY=1");
    let addresses: Vec<String> = running.addresses.iter().map(ToString::to_string).collect();
    tracing::info!(
        address = addresses.join(","),
        url = running.public_url,
        "ready"
    );
    let ended = tokio::select! {
        name = signals.next() => {
            tracing::info!(signal = name, "stopping: requests under way get 30 s");
            Ended::Signal
        }
        () = running.app.restart.notified() => Ended::Restart(running.addresses.clone()),
    };
    // Requests under way and an e-mail may take longer than the limit of the watchdog; the stop has
    // a limit of its own.
    notify_service_manager(match ended {
        Ended::Signal => "STOPPING=1\nWATCHDOG_USEC=300000000",
        Ended::Restart(_) => "WATCHDOG_USEC=300000000",
    });
    drop(control);
    stop_transfers.stop();
    let tasks = [backups, offsite_backups, mirror, watchdog];
    for task in tasks.into_iter().flatten() {
        task.abort();
    }
    running.stop().await;
    tracing::info!("stopped");
    Ok(ended)
}

/// Starts the off-site copies, if configured.
fn start_offsite_backups(
    app: &Arc<App>,
    stop: &StopFlag,
) -> anyhow::Result<Option<JoinHandle<()>>> {
    let Some(wanted) = app.config.offsite_backup.clone() else {
        return Ok(None);
    };
    let place = wanted.space.place();
    let told = |error: StorageError| anyhow!(error.operator_message(&place));
    let bucket = Bucket::new(&wanted.space)
        .map_err(told)?
        .with_clock(app.site.clock());
    let repository = BackupRepository::new(bucket.stopped_by(stop.clone()));
    let encryptor = Encryptor::new(&wanted.recipient).map_err(|reason| anyhow!(reason))?;
    let (site, full_backups) = (Arc::clone(&app.site), Arc::clone(&app.jobs.full_backups));
    let work = offsite::schedule::run(site, full_backups, repository, encryptor, place);
    Ok(Some(tokio::spawn(work)))
}

/// Starts the mirror of the published site, if configured.
fn start_mirror(app: &Arc<App>, stop: &StopFlag) -> anyhow::Result<Option<JoinHandle<()>>> {
    let Some(space) = &app.config.mirror else {
        return Ok(None);
    };
    let place = space.place();
    let bucket = Bucket::new(space)
        .map_err(|error: StorageError| anyhow!(error.operator_message(&place)))?
        .with_clock(app.site.clock());
    let mirror = Mirror::new(bucket.stopped_by(stop.clone()));
    let work = s3_mirror::after_publish::run(Arc::clone(&app.site), mirror, place);
    Ok(Some(tokio::spawn(work)))
}

/// Tells systemd at each interval that the program is not stuck. Without that message systemd kills
/// and restarts it.
async fn feed_watchdog(app: Arc<App>, addresses: Vec<SocketAddr>, interval: Duration) {
    loop {
        match control::check_responsive(&app, &addresses).await {
            Ok(()) => notify_service_manager("WATCHDOG=1"),
            Err(reason) => tracing::error!(reason, "the watchdog is not fed"),
        }
        tokio::time::sleep(interval).await;
    }
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

/// Notifies systemd, if it requests notifications.
fn notify_service_manager(state: &str) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!(%error, "cannot notify the service manager");
    }
}
