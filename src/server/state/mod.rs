//! Application state that handlers share: configuration, site, limits, caches and job triggers.

pub mod connection_table;
mod host_aliases;
mod image_cache;
pub mod public_list_cache;
pub mod work_queues;

pub use respiro_db::clock::system_time as now;
pub use work_queues::blocking;

use crate::config::Config;
use crate::errors::Result;
use crate::link_check::LinkCheck;
use crate::metrics::counters::RequestCounters;
use connection_table::{ConnectionTable, Limits};
use host_aliases::HostAliases;
use image_cache::ImageCache;
use public_list_cache::PublicListCache;
use respiro_analytics::VisitCounter;
use respiro_auth::confirmations::Confirmations;
use respiro_auth::leaked_passwords::LeakedPasswords;
use respiro_auth::limits::RateLimits;
use respiro_auth::login_gate::LoginGate;
use respiro_auth::password::{Cost, PasswordPolicy};
use respiro_backup::offsite::schedule::FullBackups;
use respiro_content::Timestamp;
use respiro_db::clock::Clock;
use respiro_db::{Actor, DiskSpace, Reader, Writer};
use respiro_email::account_emails::AccountEmailQueue;
use respiro_newsletter::NewsletterQueues;
use respiro_newsletter::bounce_reader::BounceReader;
use respiro_publish::Site;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use work_queues::WorkQueues;

/// Parameters that only tests change: costs, timeouts, the clock.
#[derive(Debug, Clone)]
pub struct Tuning {
    pub password_cost: Cost,
    pub clock: Clock,
    pub handshake_timeout: Duration,
    /// Time limit for the head of a request.
    pub head_timeout: Duration,
    /// Time limit for the next part of a request's body.
    pub body_part_timeout: Duration,
    /// Within this time a body has to grow by 64 KiB.
    pub body_window: Duration,
    /// Time limit for a whole JSON body.
    pub json_timeout: Duration,
    /// How long an idle connection stays open.
    pub keep_alive: Duration,
    /// Whether pages are rendered in the background before a visitor requests them.
    pub should_prerender: bool,
    /// Newsletter requests that one client address may make before the rate limit applies.
    pub newsletter_free_tries: u32,
    /// Delay between the start and the first removal of expired data. A machine may boot with a
    /// wrong clock and correct it once the network is up; until then, data that only seems expired
    /// must not be deleted.
    pub retention_delay: Duration,
    /// Name servers that are asked instead of the system's.
    pub name_servers: Option<Vec<SocketAddr>>,
    /// Measures the disk of a folder.
    pub disk_space: fn(&Path) -> Option<DiskSpace>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            password_cost: Cost::default(),
            clock: Clock::default(),
            handshake_timeout: Duration::from_secs(10),
            head_timeout: Duration::from_secs(10),
            body_part_timeout: Duration::from_secs(10),
            body_window: Duration::from_mins(1),
            json_timeout: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            should_prerender: true,
            newsletter_free_tries: 5,
            retention_delay: Duration::from_mins(10),
            name_servers: None,
            disk_space: DiskSpace::of,
        }
    }
}

/// State of the running program, in parts by what uses them.
#[derive(Debug)]
pub struct App {
    pub config: Config,
    pub tuning: Tuning,
    pub site: Arc<Site>,
    pub auth: AuthState,
    pub caches: Caches,
    pub jobs: Jobs,
    pub meters: Meters,
    pub connections: Arc<ConnectionTable>,
    /// Limits on concurrent work of request handlers.
    pub queues: WorkQueues,
    pub host_aliases: HostAliases,
    /// Requests that the program starts anew, because its mode has changed.
    pub restart: Notify,
}

/// Used by sign-in, the account endpoints and the endpoints with a rate limit. In memory only: a
/// restart forgets attempts.
#[derive(Debug)]
pub struct AuthState {
    pub login_gate: LoginGate,
    /// Sessions that confirmed their password or passkey a moment ago.
    pub confirmations: Confirmations,
    pub leaked_passwords: LeakedPasswords,
    pub rate_limits: RateLimits,
    /// When a signed-in admin last sent a request; zero for never.
    last_panel_request: AtomicI64,
}

impl AuthState {
    pub fn record_panel_request(&self, now: Timestamp) {
        self.last_panel_request.store(now, Ordering::Relaxed);
    }

    /// Returns when a signed-in admin last sent a request.
    pub fn last_panel_request(&self) -> Option<Timestamp> {
        Some(self.last_panel_request.load(Ordering::Relaxed)).filter(|at| *at != 0)
    }
}

/// Response bodies that many clients share.
#[derive(Debug, Default)]
pub struct Caches {
    pub images: ImageCache,
    public_lists: PublicListCache,
}

/// Wakes background jobs, and reports their progress to the panel.
#[derive(Debug, Default)]
pub struct Jobs {
    /// E-mails with one-time links of accounts.
    pub account_emails: Arc<AccountEmailQueue>,
    pub newsletter: Arc<NewsletterQueues>,
    /// The mailbox of returned messages.
    pub bounces: Arc<BounceReader>,
    /// Addresses of other sites that the admin checks.
    pub link_check: Arc<LinkCheck>,
    /// Full off-site backups that the admin requests.
    pub full_backups: Arc<FullBackups>,
}

/// Counters that both response paths increment.
#[derive(Debug, Default)]
pub struct Meters {
    pub requests: RequestCounters,
    pub page_views: VisitCounter,
}

impl App {
    pub fn new(
        config: Config,
        site: Site,
        tuning: Tuning,
        leaked_passwords: LeakedPasswords,
    ) -> Self {
        Self {
            host_aliases: HostAliases::of(&config.tls, site.public_url()),
            queues: WorkQueues::new(config.image_workers),
            auth: AuthState {
                login_gate: LoginGate::new(tuning.password_cost),
                confirmations: Confirmations::default(),
                leaked_passwords,
                rate_limits: RateLimits::new(tuning.newsletter_free_tries),
                last_panel_request: AtomicI64::default(),
            },
            connections: Arc::new(ConnectionTable::new(
                Limits::default(),
                config.trusted_proxies.clone(),
            )),
            config,
            site: Arc::new(site),
            tuning,
            caches: Caches::default(),
            jobs: Jobs::default(),
            meters: Meters::default(),
            restart: Notify::new(),
        }
    }

    /// Runs `read` on one consistent view of the store, on a blocking thread.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Reader<'_>) -> Result<T> + Send + 'static,
    {
        self.site.read(read).await
    }

    /// Commits a change, then publishes it if a page shows it: `Site::change`, with the error of
    /// the server.
    pub async fn change<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Writer<'_>) -> Result<T> + Send + 'static,
    {
        self.site.change(write).await
    }

    /// As [`Self::change`], recorded in the history as a change of `actor`.
    pub async fn change_as<T, F>(&self, actor: Actor, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Writer<'_>) -> Result<T> + Send + 'static,
    {
        self.change(move |writer| {
            writer.act_as(actor);
            write(writer)
        })
        .await
    }

    pub const fn password_policy(&self) -> PasswordPolicy {
        PasswordPolicy {
            cost: self.tuning.password_cost,
            leaked: self.auth.leaked_passwords,
        }
    }

    /// Returns whether visitors see a message instead of the site.
    pub fn is_asleep(&self) -> bool {
        let pages = self.site.publisher.pages();
        pages.is_some_and(|pages| pages.snapshot.settings.is_asleep())
    }

    /// Returns whether the public URL is HTTPS.
    pub fn is_https(&self) -> bool {
        self.site.public_url().starts_with("https://")
    }

    /// Takes the system time for right, also at the next start.
    pub async fn confirm_clock(&self) -> Result<()> {
        let clock = self.site.clock().clone();
        clock.confirm();
        self.change(move |writer| Ok(writer.record_time(&clock)?))
            .await
    }

    /// Returns the time now. The modules below do not read the clock.
    pub fn now(&self) -> Timestamp {
        self.site.now()
    }
}
