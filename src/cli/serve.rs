//! `respiro serve`: runs the server until it is told to stop.

use super::{control, notify};
use crate::backup;
use crate::config::Config;
use anyhow::Context;
use std::sync::Arc;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Runs until SIGTERM or SIGINT.
pub fn serve(config: Config) -> anyhow::Result<()> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the run time")?;
    runtime.block_on(run(config))
}

async fn run(config: Config) -> anyhow::Result<()> {
    // Before anything is open: a stop during the start must not be lost.
    let mut signals = Signals::listen().context("cannot listen for signals")?;
    let schedule = config.backup.clone();
    let running = tokio::select! {
        started = crate::start(config) => started?,
        name = signals.next() => {
            tracing::info!(signal = name, "stopped before the start was done");
            return Ok(());
        }
    };
    let control = match control::listen(&running.app, running.address) {
        Ok(control) => Some(control),
        Err(error) => {
            tracing::warn!(%error, "commands cannot reach this server: stop it to use them");
            None
        }
    };
    let backups = schedule.map(|schedule| {
        let app = Arc::clone(&running.app);
        tokio::spawn(backup::run(app, schedule))
    });
    tell("READY=1");
    tracing::info!(
        address = %running.address,
        url = running.public_url,
        "ready"
    );
    let name = signals.next().await;
    tracing::info!(signal = name, "stopping: requests under way get 30 s");
    tell("STOPPING=1");
    drop(control);
    if let Some(backups) = backups {
        backups.abort();
    }
    running.stop().await;
    tracing::info!("stopped");
    Ok(())
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

/// Tells systemd, when it asked to be told.
fn tell(state: &str) {
    if let Err(error) = notify::notify(state) {
        tracing::warn!(%error, "cannot notify the service manager");
    }
}
