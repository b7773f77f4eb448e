//! Starts the program from a configuration: data file, site, ports, background tasks. Used by the
//! CLI and by tests.

mod clock_watch;
mod nightly_compaction;
mod scheduler;
mod site_watch;
mod unreadable_rows;

use crate::accounts;
use crate::config::{Cdn, Config, Mode};
use crate::errors::Error;
use crate::http;
use crate::listeners;
use crate::page_view_job;
use crate::state::{App, Tuning};
use crate::tls::{self, TlsError};
use respiro_auth::leaked_passwords::LeakedPasswords;
use respiro_auth::password::PasswordPolicy;
use respiro_auth::signed_links::{self, Purpose};
use respiro_content::time::{day, until_midnight};
use respiro_db::{OpenError, Role, Store, WriteAccess};
use respiro_email::{
    SmtpOptions, StopSignal, StopSwitch, account_emails, notification_emails, transactional_queue,
};
use respiro_importers::demo;
use respiro_newsletter::{SubscriptionEmails, bounce_reader, campaign_sender};
use respiro_publish::{
    self as publish, Bundle, Publisher, Site, SiteOptions, UiAssets, cdn_purge, headers,
    publish_repair,
};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// Interval of the removal of expired data.
const RETENTION_INTERVAL: Duration = Duration::from_hours(1);

/// Larger data files are compacted at night or by command only.
const START_COMPACTION_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// How soon a new day is noticed after a suspend over midnight or a change of the clock.
const NEW_DAY_CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// Interval of checks for scheduled work; its accuracy.
const SCHEDULE_CHECK_INTERVAL: Duration = Duration::from_secs(10);

const PUBLISH_ATTEMPTS: u32 = 4;
/// How much longer than its delivery the outcome of an e-mail may take to be stored.
const OUTCOME_WAIT: Duration = Duration::from_secs(5);
const CLOSE_WAIT: Duration = Duration::from_millis(20);
const CLOSE_ATTEMPTS: u32 = 250;

/// Why the program did not start. The message tells the operator what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot listen on {address}: {source}; choose another address with --listen")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("cannot listen on {address}: {source}; choose another address with {option}")]
    AuxiliaryListen {
        address: SocketAddr,
        option: &'static str,
        source: std::io::Error,
    },
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(
        "the first account of the environment is not made: {0}; \
         change RESPIRO_ADMIN_EMAIL or RESPIRO_ADMIN_PASSWORD"
    )]
    FirstAccount(Error),
    #[error(transparent)]
    Other(#[from] Error),
}

/// The running program.
#[derive(Debug)]
pub struct Running {
    /// The first one of `addresses`.
    pub address: SocketAddr,
    pub addresses: Vec<SocketAddr>,
    pub public_url: String,
    pub app: Arc<App>,
    servers: Vec<http::Running>,
    tasks: Vec<JoinHandle<()>>,
    /// The tasks that send e-mails, and their switch.
    senders: Vec<JoinHandle<()>>,
    stop_senders: StopSwitch,
}

impl Running {
    /// Stops accepting connections, finishes running requests (30 s at most) and the e-mails being
    /// delivered (within the time limit of a delivery), closes the data file.
    pub async fn stop(mut self) {
        self.stop_senders.request_stop();
        let delivery = self.app.config.mail.as_ref().map(|mail| mail.timeout);
        let delivered_at = Instant::now() + delivery.unwrap_or_default() + OUTCOME_WAIT;
        for task in &self.tasks {
            task.abort();
        }
        for server in self.servers {
            server.stop().await;
        }
        clock_watch::record_time(&self.app).await;
        page_view_job::count_queued_visits(&self.app);
        if let Err(error) = page_view_job::write_totals(&self.app).await {
            tracing::warn!(%error, "the visits of the last minute are lost");
        }
        for sender in &mut self.senders {
            if timeout_at(delivered_at, &mut *sender).await.is_err() {
                tracing::error!("the outcome of an e-mail is not stored in time");
                sender.abort();
                let _ = sender.await;
            }
        }
        for task in self.tasks {
            // Wait for the task's end only: after it, the task no longer holds the data file.
            let _ = task.await;
        }
        let file = self.app.site.store().held();
        drop(self.app);
        // The last holder of the store closes the file: a blocking write of an aborted task may
        // still be running.
        for _ in 0..CLOSE_ATTEMPTS {
            if file.strong_count() == 0 {
                return;
            }
            tokio::time::sleep(CLOSE_WAIT).await;
        }
        tracing::error!("the data file is still in use; stopping without closing it");
    }
}

/// Starts the program as configured.
pub async fn start(config: Config, assets: UiAssets) -> Result<Running, StartError> {
    start_with(config, Tuning::default(), assets).await
}

/// Starts the program with the costs, timeouts and clock of a test.
pub async fn start_with(
    config: Config,
    tuning: Tuning,
    assets: UiAssets,
) -> Result<Running, StartError> {
    let listeners = listeners::bind_all(&config.listen)
        .map_err(|(address, source)| StartError::Listen { address, source })?;
    let addresses = listeners.iter().map(TcpListener::local_addr);
    let addresses: Vec<SocketAddr> = addresses.collect::<Result<_, _>>().map_err(io)?;
    let address = *addresses
        .first()
        .ok_or_else(|| io(std::io::ErrorKind::AddrNotAvailable.into()))?;
    let public_url = config.public_url(address);
    let app = open(config, public_url.clone(), tuning, assets).await?;
    accounts::log_setup_link(&app).await?;
    publish_first(&app).await?;
    let (tls, certificate_task) = tls::prepare(&app)?.unzip();
    let mut servers = vec![http::start(Arc::clone(&app), listeners, tls).map_err(io)?];
    servers.extend(start_auxiliary_listeners(&app, &public_url)?);
    let mut tasks = vec![
        tokio::spawn(clock_watch::run(Arc::clone(&app))),
        tokio::spawn(run_retention(Arc::clone(&app))),
        tokio::spawn(publish_each_day(Arc::clone(&app))),
        tokio::spawn(nightly_compaction::run(Arc::clone(&app))),
        tokio::spawn(publish_repair::run(Arc::clone(&app.site))),
        tokio::spawn(page_view_job::run(Arc::clone(&app))),
        tokio::spawn(site_watch::run(Arc::clone(&app))),
    ];
    tasks.extend(certificate_task.map(tokio::spawn));
    let cdn = app.config.cdn.clone().filter(Cdn::is_told);
    tasks.extend(cdn.map(|cdn| tokio::spawn(cdn_purge::run(Arc::clone(&app.site), cdn))));
    let (stop_senders, stop) = StopSignal::new();
    let mail = app.config.mail.clone();
    let senders = mail.map(|mail| start_senders(&app, &mail, &stop));
    tasks.extend(start_bounce_reader(&app));
    tasks.push(tokio::spawn(run_schedule(Arc::clone(&app))));
    Ok(Running {
        address,
        addresses,
        public_url,
        app,
        servers,
        tasks,
        senders: senders.unwrap_or_default(),
        stop_senders,
    })
}

fn start_senders(app: &App, mail: &SmtpOptions, stop: &StopSignal) -> Vec<JoinHandle<()>> {
    let parts = || (Arc::clone(&app.site), mail.clone(), stop.clone());
    let queues = || Arc::clone(&app.jobs.newsletter);
    let emails = SubscriptionEmails { queues: queues() };
    let (site, mail, stop) = parts();
    let transactional = transactional_queue::run(site, emails, mail, stop);
    let (site, mail, stop) = parts();
    let campaigns = campaign_sender::run(site, queues(), mail, stop);
    let (site, mail, stop) = parts();
    let notifications = notification_emails::run(site, mail, stop);
    let (site, mail, stop) = parts();
    let waiting = Arc::clone(&app.jobs.account_emails);
    let links = account_emails::run(site, waiting, mail, stop);
    vec![
        tokio::spawn(links),
        tokio::spawn(transactional),
        tokio::spawn(campaigns),
        tokio::spawn(notifications),
    ]
}

fn start_bounce_reader(app: &App) -> Option<JoinHandle<()>> {
    let mailbox = app.config.bounces.clone()?;
    let (site, reader) = (Arc::clone(&app.site), Arc::clone(&app.jobs.bounces));
    Some(tokio::spawn(bounce_reader::run(site, reader, mailbox)))
}

/// Starts the ports for the redirect to HTTPS and for metrics, if they are configured.
fn start_auxiliary_listeners(
    app: &Arc<App>,
    public_url: &str,
) -> Result<Vec<http::Running>, StartError> {
    let bind = |address: SocketAddr, option: &'static str| {
        listeners::bind(address).map_err(|source| StartError::AuxiliaryListen {
            address,
            option,
            source,
        })
    };
    let mut servers = Vec::new();
    if let Some(address) = app.config.http_redirect {
        let listener = bind(address, "--http-redirect")?;
        servers.push(
            http::auxiliary_listeners::redirect(listener, public_url.to_owned()).map_err(io)?,
        );
    }
    if let Some(address) = app.config.metrics {
        let listener = bind(address, "--metrics")?;
        servers.push(http::auxiliary_listeners::metrics(listener, Arc::clone(app)).map_err(io)?);
    }
    Ok(servers)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err wants"
)]
fn io(error: std::io::Error) -> StartError {
    Error::Internal(format!("a port does not start: {error}")).into()
}

/// Opens the store and the site. Creates the first account and the demo content if the
/// configuration asks for them.
async fn open(
    config: Config,
    public_url: String,
    tuning: Tuning,
    assets: UiAssets,
) -> Result<Arc<App>, StartError> {
    let leaked = LeakedPasswords::from_gzip(assets.leaked_passwords);
    let policy = PasswordPolicy {
        cost: tuning.password_cost,
        leaked,
    };
    let work = move || {
        let store = Store::open(&config.data)?;
        let mut config = config;
        if store.read(|reader| Ok::<_, Error>(reader.is_retired()?))? {
            tracing::warn!("this site is retired: it takes no changes and sends nothing");
            config = config.without_effects(Mode::Retired);
        }
        store.finish_interrupted_swap();
        // Nobody waits for it yet, but a service manager ends a start that takes minutes.
        let is_quick = std::fs::metadata(&config.data)
            .is_ok_and(|file| file.len() <= START_COMPACTION_BYTES_MAX);
        if is_quick && let Err(error) = store.give_back() {
            tracing::error!(%error, "giving space back to the disk failed");
        }
        let clock = &tuning.clock;
        store.read(|reader| Ok::<_, Error>(clock.resume(reader)?))?;
        if let Some((email, password)) = &config.first_account
            && store.read(|reader| Ok::<_, Error>(reader.accounts().is_empty()?))?
        {
            let account = accounts::new_account(email, password, policy, clock.now())
                .map_err(StartError::FirstAccount)?;
            let details = accounts::new_details(Role::Owner)?;
            tolerate_unwritable_disk(
                store.write(|writer| Ok(writer.accounts().create(&account, &details)?)),
            )?;
        }
        let has_offsite_backups = config.offsite_backup.is_some();
        if store.read(|reader| Ok::<_, Error>(reader.has_copies_elsewhere()?))?
            != has_offsite_backups
        {
            tolerate_unwritable_disk(
                store.write(|writer| Ok(writer.set_copies_elsewhere(has_offsite_backups)?)),
            )?;
        }
        tolerate_unwritable_disk(
            store.write(|writer| Ok(writer.public_ids().begin(&public_url)?)),
        )?;
        let host_email = store_host_email(&store, &config)?;
        let fill_demo = || Ok(demo::fill(&store, clock.now())?);
        if config.demo && tolerate_unwritable_disk(fill_demo())? == Some(true) {
            tracing::info!("the empty data file was filled with demonstration content");
        }
        let publisher = start_publisher(&store, &config, &tuning, &assets)?
            .with_image_program(config.image_program.clone());
        let options = SiteOptions {
            public_url,
            definitions: assets.block_definitions,
            has_offsite_backups,
            host_email,
            request_log: config.request_log,
            clock: tuning.clock.clone(),
        };
        Ok(App::new(
            config,
            Site::new(store, publisher, options),
            tuning,
            leaked,
        ))
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(app) => app.map(Arc::new),
        Err(error) => Err(Error::Internal(format!("starting failed: {error}")).into()),
    }
}

/// Stores the address of the person who runs the server, as the configuration names it.
fn store_host_email(store: &WriteAccess, config: &Config) -> Result<Option<String>, Error> {
    let contact = config.host_contact.as_ref();
    let email = contact.and_then(|contact| contact.email.clone());
    let known = email.as_deref();
    tolerate_unwritable_disk(
        store.write(|writer| Ok(writer.notifications().set_host_email(known)?)),
    )?;
    Ok(email)
}

/// Returns the text of the bar on top of every page.
const fn bar_of(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Normal => None,
        Mode::Rehearsal => Some("Prova: è una copia del sito, non invia nulla."),
        Mode::Retired => Some("Il sito sta traslocando: per ora si può solo leggere."),
    }
}

/// Starts the site, with the rendered pages that a former run stored beside the data file.
fn start_publisher(
    store: &Store,
    config: &Config,
    tuning: &Tuning,
    assets: &UiAssets,
) -> Result<Publisher, Error> {
    let mut bundle = Bundle::from_assets(assets)?;
    if let Some(text) = bar_of(config.mode) {
        bundle = bundle.with_bar(text)?;
    }
    if !tuning.should_prerender {
        return Ok(Publisher::start_quietly(bundle, cache_control(config))?);
    }
    let secret = store.read(|reader| reader.secret())?;
    let publisher = match signed_links::derive(&secret, Purpose::KeptPages, "") {
        Some(key) => Publisher::start_beside(&config.data, key, bundle, cache_control(config)),
        None => Publisher::start_behind(bundle, cache_control(config)),
    };
    Ok(publisher?)
}

const fn cache_control(config: &Config) -> &'static str {
    match &config.cdn {
        None => headers::ASKED,
        Some(cdn) if cdn.is_told() => headers::SHARED_TOLD,
        Some(_) => headers::SHARED,
    }
}

/// Logs a failed write to a full or read-only disk and continues: existing pages can still be
/// served.
fn tolerate_unwritable_disk<T>(done: Result<T, Error>) -> Result<Option<T>, Error> {
    match done {
        Err(error @ (Error::StorageFull | Error::ReadOnly)) => {
            tracing::error!(%error, "cannot write what the configuration asks for");
            Ok(None)
        }
        done => done.map(Some),
    }
}

/// Publishes for the first time, with retries: on a machine that is busy starting, the first render
/// may exceed its deadline.
async fn publish_first(app: &App) -> Result<(), Error> {
    for _ in 1..PUBLISH_ATTEMPTS {
        match app.site.publish().await {
            Err(publish::Error::Render(error)) => {
                tracing::warn!(error, "publishing failed, trying again");
            }
            done => return Ok(done?),
        }
    }
    Ok(app.site.publish().await?)
}

async fn run_retention(app: Arc<App>) {
    unreadable_rows::report(&app).await;
    tokio::time::sleep(app.tuning.retention_delay).await;
    loop {
        let Some(now) = app.site.clock().trusted() else {
            tokio::time::sleep(clock_watch::CHECK_INTERVAL).await;
            continue;
        };
        if let Err(error) = http::restore::remove_unconfirmed_uploads(&app, &now).await {
            tracing::error!(%error, "removing a file that nobody restored failed");
        }
        match app
            .change(move |writer| Ok(writer.apply_retention(&now)?))
            .await
        {
            Ok(report) => tracing::debug!(?report, "removed what time has ended"),
            Err(error) => tracing::error!(%error, "removing what time has ended failed"),
        }
        unreadable_rows::report(&app).await;
        tokio::time::sleep(RETENTION_INTERVAL).await;
    }
}

/// Publishes after midnight, because events of the day before have become past events. Retries
/// after a failure.
async fn publish_each_day(app: Arc<App>) {
    loop {
        tokio::time::sleep(NEW_DAY_CHECK_INTERVAL.min(until_midnight(app.now()))).await;
        let today = day(app.now());
        if app
            .site
            .publisher
            .pages()
            .is_none_or(|pages| pages.is_of(today))
        {
            continue;
        }
        if let Err(error) = app.site.publish_new_day().await {
            tracing::error!(%error, "publishing for the new day failed");
        }
    }
}

/// Does scheduled work when it is due, or at the start if its time passed while the program was
/// stopped.
async fn run_schedule(app: Arc<App>) {
    let mut pending = scheduler::PendingRetry::default();
    loop {
        let done = scheduler::run_due(&app).await;
        pending.notify_outcome(&app, done).await;
        tokio::time::sleep(SCHEDULE_CHECK_INTERVAL).await;
    }
}
