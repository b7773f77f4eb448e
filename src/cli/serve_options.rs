//! Options of `serve`, those for a cache in front among them, and their validation into a `Config`.

use super::s3_options::OffsiteBackupOptions;
use super::secrets::{BOUNCES, SECRETS, SMTP_PASSWORD, first_account, secret};
use clap::Args;
use clap::builder::{BoolishValueParser, PossibleValuesParser};
use ipnet::IpNet;
use respiro_content::url::host_of;
use respiro_email::{MailboxOptions, SmtpOptions, hello_name};
use respiro_media::sandbox;
use respiro_server::config::{
    ACME_DIRECTORY_DEFAULT, Acme, BACKUP_KEEP_DEFAULT, BackupSchedule, Cdn, Config, HostContact,
    IMAGE_WORKERS_DEFAULT, MAIL_TIMEOUT_SECONDS, RequestLog, Tls, parse_contact, parse_domain,
    parse_host_contact, parse_mail_server, parse_mailbox, parse_public_url,
};
use respiro_server::tls::chain_of;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Options of `serve` and `doctor`.
#[derive(Debug, Clone, Args)]
pub struct ServeOptions {
    /// Address and port to listen on (repeatable); [::] takes IPv4 too
    #[arg(
        long,
        env = "RESPIRO_LISTEN",
        value_name = "ADDR:PORT",
        value_delimiter = ',',
        default_value = "127.0.0.1:8080"
    )]
    pub listen: Vec<SocketAddr>,
    /// Public address of the site [default: scheme and listen address]
    #[arg(long, env = "RESPIRO_PUBLIC_URL", value_name = "URL", value_parser = parse_public_url)]
    pub public_url: Option<String>,
    /// Fill an empty data file with demonstration content
    #[arg(long, env = "RESPIRO_DEMO", value_parser = BoolishValueParser::new())]
    pub demo: bool,
    /// Try an upgrade or new pages on a copy of the data file: no mail, no copies, no certificates
    /// and no purges, no search engines, and a bar on every page
    #[arg(long, env = "RESPIRO_REHEARSAL", value_parser = BoolishValueParser::new())]
    pub rehearsal: bool,
    /// Range of reverse proxies whose X-Forwarded-For is trusted (repeatable)
    #[arg(
        long = "trusted-proxy",
        env = "RESPIRO_TRUSTED_PROXY",
        value_name = "CIDR",
        value_delimiter = ',',
        value_parser = parse_range
    )]
    pub trusted_proxies: Vec<IpNet>,
    /// Certificate chain (PEM); reloaded when the file changes
    #[arg(
        long,
        env = "RESPIRO_TLS_CERT",
        value_name = "FILE",
        requires = "tls_key",
        conflicts_with = "acme_domains"
    )]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate (PEM)
    #[arg(
        long,
        env = "RESPIRO_TLS_KEY",
        value_name = "FILE",
        requires = "tls_cert"
    )]
    pub tls_key: Option<PathBuf>,
    /// Order a certificate for this name (repeatable); port 443 of it must reach this program
    #[arg(
        long = "acme-domain",
        env = "RESPIRO_ACME_DOMAIN",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = parse_domain
    )]
    pub acme_domains: Vec<String>,
    /// Contact address for the certificate authority
    #[arg(
        long,
        env = "RESPIRO_ACME_EMAIL",
        value_name = "EMAIL",
        requires = "acme_domains"
    )]
    pub acme_email: Option<String>,
    /// Directory URL of the certificate authority (ACME)
    #[arg(
        long,
        env = "RESPIRO_ACME_DIRECTORY",
        value_name = "URL",
        default_value = ACME_DIRECTORY_DEFAULT
    )]
    pub acme_directory: String,
    /// Extra trusted root (PEM) for the connection to the directory
    #[arg(
        long,
        env = "RESPIRO_ACME_CA",
        value_name = "FILE",
        requires = "acme_domains"
    )]
    pub acme_ca: Option<PathBuf>,
    /// Plain HTTP port that redirects to HTTPS (308)
    #[arg(long, env = "RESPIRO_HTTP_REDIRECT", value_name = "ADDR:PORT")]
    pub http_redirect: Option<SocketAddr>,
    /// Plain HTTP port that serves /metrics for Prometheus; keep it off the internet
    #[arg(long, env = "RESPIRO_METRICS", value_name = "ADDR:PORT")]
    pub metrics: Option<SocketAddr>,
    /// Contact for reports of vulnerabilities, published in /.well-known/security.txt: an e-mail
    /// address or an https:// address
    #[arg(
        long,
        env = "RESPIRO_SECURITY_CONTACT",
        value_name = "CONTACT",
        value_parser = parse_contact
    )]
    pub security_contact: Option<String>,
    /// Name, telephone number and e-mail address of the host, separated by commas; the sign-in form
    /// names them to an admin who forgot the password
    #[arg(
        long = "contact",
        env = "RESPIRO_CONTACT",
        value_name = "TEXT",
        value_parser = parse_host_contact
    )]
    pub host_contact: Option<HostContact>,
    #[command(flatten)]
    pub request_log: RequestLogOptions,
    /// Maximum number of images processed concurrently
    #[arg(
        long,
        env = "RESPIRO_IMAGE_WORKERS",
        value_name = "N",
        default_value_t = IMAGE_WORKERS_DEFAULT,
        value_parser = clap::value_parser!(u8).range(1..=16)
    )]
    pub image_workers: u8,
    /// Folder for a daily verified backup of the data file
    #[arg(long, env = "RESPIRO_BACKUP_DIR", value_name = "DIR")]
    pub backup_dir: Option<PathBuf>,
    /// Number of daily backups to keep
    #[arg(
        long,
        env = "RESPIRO_BACKUP_KEEP",
        value_name = "N",
        default_value_t = BACKUP_KEEP_DEFAULT,
        value_parser = clap::value_parser!(u16).range(1..=3650)
    )]
    pub backup_keep: u16,
    #[command(flatten)]
    pub elsewhere: OffsiteBackupOptions,
    #[command(flatten)]
    pub cdn: CdnOptions,
    /// Mail server for all e-mail: `smtps://USER@HOST` or `smtp://USER@HOST`
    #[arg(
        long,
        env = "RESPIRO_SMTP_URL",
        hide_env_values = true,
        value_name = "URL",
        requires = "mail_from"
    )]
    pub smtp_url: Option<String>,
    /// Extra trusted root (PEM) for the mail server and the mailbox of returned messages
    #[arg(
        long,
        env = "RESPIRO_SMTP_CA",
        value_name = "FILE",
        requires = "smtp_url"
    )]
    pub smtp_ca: Option<PathBuf>,
    /// Sender address of all e-mail
    #[arg(
        long,
        env = "RESPIRO_MAIL_FROM",
        value_name = "EMAIL",
        value_parser = parse_email,
        requires = "smtp_url"
    )]
    pub mail_from: Option<String>,
    /// Time limit for the delivery of a message in seconds, 2 to 600
    #[arg(long, env = "RESPIRO_SMTP_TIMEOUT", default_value_t = MAIL_TIMEOUT_SECONDS)]
    pub smtp_timeout: u16,
}

impl ServeOptions {
    /// Returns the validated configuration, or the conflict between options.
    pub fn check(&self, data: &Path) -> Result<Config, String> {
        let tls = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Tls::Files {
                certificate: certificate.clone(),
                key: key.clone(),
            },
            _ if self.acme_domains.is_empty() => Tls::Off,
            _ => Tls::Acme(self.acme()?),
        };
        if self.http_redirect.is_some() && tls == Tls::Off && !self.is_https() {
            return Err(
                "--http-redirect needs HTTPS to redirect to: add --tls-cert and --tls-key, \
                 --acme-domain, or an https:// --public-url"
                    .to_owned(),
            );
        }
        if tls != Tls::Off && self.public_url.is_some() && !self.is_https() {
            return Err("with a certificate --public-url must start with https://".to_owned());
        }
        let config = Config {
            public_url: self.public_url.clone(),
            demo: self.demo,
            trusted_proxies: self.trusted_proxies.clone(),
            first_account: first_account()?,
            tls,
            http_redirect: self.http_redirect,
            metrics: self.metrics,
            image_workers: self.image_workers,
            image_program: Some(PathBuf::from(sandbox::OWN_PROGRAM)),
            backup: self.backup_dir.clone().map(|dir| BackupSchedule {
                dir,
                keep: self.backup_keep,
            }),
            mail: self.mail()?,
            bounces: self.bounces()?,
            cdn: self.cdn.check(),
            security_contact: self.security_contact.clone(),
            host_contact: self.host_contact.clone(),
            request_log: self.request_log.check(),
            offsite_backup: self.elsewhere.offsite_backup()?,
            mirror: self.elsewhere.mirror()?,
            ..Config::new(self.listen.clone(), data.to_owned())
        };
        Ok(if self.rehearsal {
            config.into_rehearsal()
        } else {
            config
        })
    }

    fn is_https(&self) -> bool {
        self.public_url
            .as_deref()
            .is_some_and(|url| url.starts_with("https://"))
    }

    fn mail(&self) -> Result<Option<SmtpOptions>, String> {
        let password = secret(SMTP_PASSWORD)?;
        let (Some(url), Some(from)) = (&self.smtp_url, &self.mail_from) else {
            return Ok(None);
        };
        let server = parse_mail_server(url).map_err(|reason| format!("--smtp-url {reason}"))?;
        if server.user.is_some() != password.is_some() {
            return Err(format!(
                "a user in --smtp-url and {SMTP_PASSWORD} (or …_FILE) go together: set both or none"
            ));
        }
        if self.public_url.is_none() && self.acme_domains.is_empty() {
            return Err(
                "--smtp-url needs to know what links in messages begin with: add --public-url"
                    .to_owned(),
            );
        }
        Ok(Some(SmtpOptions {
            server,
            password,
            from: from.clone(),
            hello_name: self.public_host().and_then(hello_name),
            extra_roots: self.mail_roots(),
            timeout: std::time::Duration::from_secs(self.smtp_timeout.clamp(2, 600).into()),
        }))
    }

    fn bounces(&self) -> Result<Option<MailboxOptions>, String> {
        let Some(url) = secret(BOUNCES)? else {
            return Ok(None);
        };
        if self.smtp_url.is_none() {
            return Err(format!(
                "{BOUNCES} is for a site that sends mail: add --smtp-url"
            ));
        }
        let mailbox = parse_mailbox(&url, self.mail_roots());
        mailbox
            .map(Some)
            .map_err(|reason| format!("{BOUNCES} {reason}"))
    }

    fn mail_roots(&self) -> Result<Vec<Vec<u8>>, String> {
        self.smtp_ca.as_deref().map_or(Ok(Vec::new()), read_roots)
    }

    /// Returns the host of the site's address, or the first name of its certificate.
    fn public_host(&self) -> Option<&str> {
        let address = self.public_url.as_deref().map(host_of);
        address.or(self.acme_domains.first().map(String::as_str))
    }

    fn acme(&self) -> Result<Acme, String> {
        if !self.acme_directory.starts_with("https://") {
            return Err("--acme-directory must start with https://".to_owned());
        }
        Ok(Acme {
            domains: self.acme_domains.clone(),
            email: self.acme_email.clone(),
            directory: self.acme_directory.clone(),
            ca: self.acme_ca.clone(),
        })
    }
}

/// Reads the certificates of a PEM file as DER.
fn read_roots(path: &Path) -> Result<Vec<Vec<u8>>, String> {
    let chain = chain_of(path);
    let chain = chain.map_err(|reason| format!("cannot use {}: {reason}", path.display()))?;
    Ok(chain.iter().map(|root| root.to_vec()).collect())
}

pub(super) fn parse_email(text: &str) -> Result<String, String> {
    if respiro_email::is_reachable(text) {
        Ok(text.to_owned())
    } else {
        Err("must be an e-mail address, like sito@example.org".to_owned())
    }
}

/// Parses a CIDR range or a single address.
fn parse_range(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<std::net::IpAddr>().map(IpNet::from))
        .or(Err(
            "must be a range like 10.0.0.0/8, or one address".to_owned()
        ))
}

/// Options of `serve` and `doctor` for the log of requests.
#[derive(Debug, Clone, Args)]
pub struct RequestLogOptions {
    /// Log each request; the last part of the client's address is cut
    #[arg(long, env = "RESPIRO_ACCESS_LOG", value_parser = BoolishValueParser::new())]
    pub access_log: bool,
    /// Log whole addresses of clients
    #[arg(
        long,
        env = "RESPIRO_ACCESS_LOG_FULL",
        requires = "access_log",
        value_parser = BoolishValueParser::new()
    )]
    pub access_log_full: bool,
}

impl RequestLogOptions {
    const fn check(&self) -> RequestLog {
        match (self.access_log, self.access_log_full) {
            (false, _) => RequestLog::Off,
            (true, false) => RequestLog::Shortened,
            (true, true) => RequestLog::Full,
        }
    }
}

/// Options of `serve` and `doctor` for a CDN or caching proxy in front of the server.
#[derive(Debug, Clone, Args)]
pub struct CdnOptions {
    /// A CDN or caching proxy is in front: let it cache pages, also while the server is down (for
    /// two minutes; for a day with a purge)
    #[arg(long, env = "RESPIRO_CDN", value_parser = BoolishValueParser::new())]
    pub cdn: bool,
    /// Purge URL of the cache, called after each publish
    #[arg(
        long,
        env = "RESPIRO_CDN_PURGE",
        // Many caches take a token in the query.
        hide_env_values = true,
        value_name = "URL",
        requires = "cdn",
        value_parser = parse_address
    )]
    pub cdn_purge: Option<String>,
    /// Purge request that the cache accepts
    #[arg(
        long,
        env = "RESPIRO_CDN_PURGE_METHOD",
        value_name = "METHOD",
        default_value = "BAN",
        value_parser = PossibleValuesParser::new(["BAN", "PURGE"])
    )]
    pub cdn_purge_method: String,
    /// Command to run after each publish; it has 5 s
    #[arg(long, env = "RESPIRO_CDN_HOOK", value_name = "FILE", requires = "cdn")]
    pub cdn_hook: Option<PathBuf>,
}

impl CdnOptions {
    pub fn check(&self) -> Option<Cdn> {
        self.cdn.then(|| Cdn {
            purge: self.cdn_purge.clone(),
            method: self.cdn_purge_method.clone(),
            hook: self.cdn_hook.clone(),
            hidden: SECRETS,
        })
    }
}

fn parse_address(text: &str) -> Result<String, String> {
    let is_address = text.starts_with("http://") || text.starts_with("https://");
    if is_address && !text.contains(['@', ' ']) {
        Ok(text.to_owned())
    } else {
        Err("must be an address without a password, like http://127.0.0.1:6081/".to_owned())
    }
}
