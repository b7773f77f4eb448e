//! The validated configuration of the server.

use ipnet::IpNet;
use percent_encoding::percent_decode_str;
pub use respiro_backup::S3Location;
pub use respiro_backup::local_backup::BackupSchedule;
pub use respiro_backup::offsite::OffsiteOptions;
pub use respiro_content::RequestLog;
pub use respiro_content::url::{authority_of, host_of, origin_of};
use respiro_db::fs_util::resolve_link;
use respiro_email::{MailboxOptions, SmtpOptions, SmtpServer, TlsMode};
pub use respiro_publish::Cdn;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

/// Let's Encrypt, production.
pub const ACME_DIRECTORY_DEFAULT: &str = "https://acme-v02.api.letsencrypt.org/directory";
/// Copies that a backup schedule keeps by default.
pub const BACKUP_KEEP_DEFAULT: u16 = 7;
/// Pictures processed at the same time by default.
pub const IMAGE_WORKERS_DEFAULT: u8 = 1;
/// Longest DNS name.
const DOMAIN_BYTES_MAX: usize = 253;
const DOMAIN_LABEL_BYTES_MAX: usize = 63;
/// Longest bucket and prefix together.
const S3_URI_BYTES_MAX: usize = 256;

/// Configuration of `respiro serve`, built by the command line or by a test.
#[derive(Debug, Clone)]
pub struct Config {
    /// Never empty; the first one is in the default of the public address.
    pub listen: Vec<SocketAddr>,
    pub data: PathBuf,
    /// Without a trailing slash. `None`: derived from TLS and the bound address.
    pub public_url: Option<String>,
    pub demo: bool,
    pub trusted_proxies: Vec<IpNet>,
    /// E-mail address and password of the first account, if the environment names them.
    pub first_account: Option<(String, String)>,
    pub tls: Tls,
    /// Plain HTTP port that answers 308 to the public address.
    pub http_redirect: Option<SocketAddr>,
    /// Plain HTTP port that serves `/metrics`, apart from the site's own.
    pub metrics: Option<SocketAddr>,
    pub image_workers: u8,
    /// The executable that decodes pictures in processes of its own. `None`: decode in this
    /// process.
    pub image_program: Option<PathBuf>,
    pub backup: Option<BackupSchedule>,
    /// `None`: newsletter addresses are collected without asking for confirmation.
    pub mail: Option<SmtpOptions>,
    /// The mailbox that messages come back to. `None`: they are not read.
    pub bounces: Option<MailboxOptions>,
    /// Scheduled copies outside this machine.
    pub offsite_backup: Option<OffsiteOptions>,
    /// A bucket that mirrors the published site.
    pub mirror: Option<S3Location>,
    /// `None`: caches must revalidate every page.
    pub cdn: Option<Cdn>,
    /// URI for reports of vulnerabilities, published in `security.txt`.
    pub security_contact: Option<String>,
    /// The host whom the sign-in form names to an admin who forgot the password.
    pub host_contact: Option<HostContact>,
    pub mode: Mode,
    /// Whether the server logs requests, and with which part of a client's address.
    pub request_log: RequestLog,
    /// The settings with their sources, one a line, without secrets.
    pub described: Vec<String>,
}

/// The person or company that runs the server, as anyone at the sign-in form may read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostContact {
    pub name: Option<String>,
    pub phone: Option<String>,
    pub email: Option<String>,
}

/// Longest contact of the host, in characters.
const HOST_CONTACT_CHARACTERS_MAX: usize = 200;
/// A part with fewer digits is no telephone number.
const PHONE_DIGITS_MIN: usize = 6;

/// Parses `Studio Esempio, +39 031 000000, studio@example.org`: parts in any order, each optional.
pub fn parse_host_contact(text: &str) -> Result<HostContact, String> {
    if text.chars().count() > HOST_CONTACT_CHARACTERS_MAX || text.chars().any(char::is_control) {
        return Err(format!(
            "must be one line of at most {HOST_CONTACT_CHARACTERS_MAX} characters"
        ));
    }
    let mut contact = HostContact::default();
    for part in text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let is_phone_sign = |c: char| c.is_ascii_digit() || "+ ()/.-".contains(c);
        let digits = part.chars().filter(char::is_ascii_digit).count();
        let field = if respiro_email::is_reachable(part) {
            &mut contact.email
        } else if digits >= PHONE_DIGITS_MIN && part.chars().all(is_phone_sign) {
            &mut contact.phone
        } else {
            &mut contact.name
        };
        if field.is_some() {
            return Err(
                "holds a name, a telephone number and an e-mail address, one of each at most"
                    .to_owned(),
            );
        }
        *field = Some(part.to_owned());
    }
    if contact == HostContact::default() {
        return Err("holds neither a name, a telephone number nor an e-mail address".to_owned());
    }
    Ok(contact)
}

/// Restriction under which the server runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Normal,
    /// A copy of the site, on which an upgrade or new pages are tried: nothing leaves it.
    Rehearsal,
    /// The site moves to another machine. This one shows the pages, takes no changes and sends
    /// nothing. The data file says so, not the command line.
    Retired,
}

/// Source of the TLS certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Tls {
    #[default]
    Off,
    Files {
        certificate: PathBuf,
        key: PathBuf,
    },
    Acme(Acme),
}

/// Certificates that the server orders itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acme {
    /// Never empty.
    pub domains: Vec<String>,
    pub email: Option<String>,
    pub directory: String,
    /// Extra trusted root, for connections to the ACME directory only.
    pub ca: Option<PathBuf>,
}

/// Default time limit of an e-mail delivery.
pub const MAIL_TIMEOUT_SECONDS: u16 = 60;

impl Config {
    /// Returns the defaults of the contract, section 1, for this data file. A link to the data file
    /// is resolved.
    pub fn new(listen: Vec<SocketAddr>, data: PathBuf) -> Self {
        let data = resolve_link(data);
        Self {
            listen,
            data,
            public_url: None,
            demo: false,
            trusted_proxies: Vec::new(),
            first_account: None,
            tls: Tls::Off,
            http_redirect: None,
            metrics: None,
            image_workers: IMAGE_WORKERS_DEFAULT,
            image_program: None,
            backup: None,
            mail: None,
            bounces: None,
            offsite_backup: None,
            mirror: None,
            cdn: None,
            security_contact: None,
            host_contact: None,
            mode: Mode::Normal,
            request_log: RequestLog::Off,
            described: Vec::new(),
        }
    }

    /// Returns the configuration of a rehearsal: it listens on `listen` alone, without a
    /// certificate of ACME, under an address of its own.
    #[must_use]
    pub fn into_rehearsal(self) -> Self {
        let tls = match self.tls {
            Tls::Acme(_) => Tls::Off,
            other => other,
        };
        let has_own_address = tls == Tls::Off;
        Self {
            public_url: self.public_url.filter(|_| !has_own_address),
            tls,
            http_redirect: None,
            metrics: None,
            ..self
        }
        .without_effects(Mode::Rehearsal)
    }

    /// Returns the configuration without mail, copies, mirror and purges: two machines with the
    /// data of one site must not both send its messages or write its copies.
    #[must_use]
    pub fn without_effects(self, mode: Mode) -> Self {
        Self {
            mode,
            backup: None,
            mail: None,
            bounces: None,
            offsite_backup: None,
            mirror: None,
            cdn: None,
            ..self
        }
    }

    /// Returns the public address for the bound port.
    pub fn public_url(&self, bound: SocketAddr) -> String {
        if let Some(url) = &self.public_url {
            return url.clone();
        }
        let port = |standard: u16| match bound.port() {
            port if port == standard => String::new(),
            port => format!(":{port}"),
        };
        match &self.tls {
            Tls::Off => format!("http://{}{}", host(bound.ip()), port(80)),
            Tls::Files { .. } => format!("https://{}{}", host(bound.ip()), port(443)),
            Tls::Acme(acme) => {
                let domain = acme.domains.first().map_or("localhost", String::as_str);
                format!("https://{domain}{}", port(443))
            }
        }
    }
}

/// Formats the host for a URL that a browser on this machine can open: loopback for an unspecified
/// address.
fn host(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) if address.is_unspecified() => "127.0.0.1".to_owned(),
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) if address.is_unspecified() => format!("[{}]", Ipv6Addr::LOCALHOST),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Returns the URI of a contact: an e-mail address as `mailto:`, or an `https://` address.
pub fn parse_contact(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_plain = text.is_ascii() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    let address = text.strip_prefix("mailto:").unwrap_or(text);
    match text {
        _ if !is_plain => {}
        page if page.starts_with("https://") && page.len() > 8 => return Ok(page.to_owned()),
        _ if respiro_email::is_reachable(address) => return Ok(format!("mailto:{address}")),
        _ => {}
    }
    Err("must be an e-mail address or begin with https://".to_owned())
}

/// Normalizes an origin such as `https://example.org/`: lower case, no trailing slash.
pub fn parse_public_url(text: &str) -> Result<String, String> {
    let lower = text.trim().trim_end_matches('/').to_ascii_lowercase();
    let host = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"))
        .ok_or("must start with https:// or http://")?;
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return Err("its port is not a number from 1 to 65535".to_owned());
    }
    let literal = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
        .is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    if !literal && !is_host(name) {
        return Err("must be scheme and host alone, like https://example.org".to_owned());
    }
    Ok(lower)
}

/// Parses `smtps://[USER@]HOST[:465]`, `smtp://[USER@]HOST[:587]`, `smtp+plain://HOST[:25]`.
///
/// Errors do not quote the text: it may contain a password.
pub fn parse_mail_server(text: &str) -> Result<SmtpServer, String> {
    let (scheme, rest) = text.trim().split_once("://").ok_or(MAIL_SCHEMES)?;
    let (security, port) = match scheme {
        "smtps" => (TlsMode::Implicit, 465),
        "smtp" => (TlsMode::StartTls, 587),
        "smtp+plain" => (TlsMode::Off, 25),
        _ => return Err(MAIL_SCHEMES.to_owned()),
    };
    // The user is often an e-mail address: split at the last `@`.
    let (user, place) = match rest.rsplit_once('@') {
        Some((user, place)) => (Some(user.replace("%40", "@")), place),
        None => (None, rest),
    };
    let place = place.strip_suffix('/').unwrap_or(place);
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().or(Err("its port is no number"))?),
        None => (place, port),
    };
    let host = host.to_ascii_lowercase();
    if !is_host(&host) {
        return Err(MAIL_SCHEMES.to_owned());
    }
    if let Some(user) = &user {
        if user.contains(':') {
            return Err(
                "holds a password: put that into RESPIRO_SMTP_PASSWORD, where fewer can see it"
                    .to_owned(),
            );
        }
        if user.is_empty() || user.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err("its user is empty or holds odd characters".to_owned());
        }
    }
    if security == TlsMode::Off && (user.is_some() || !is_local_host(&host)) {
        return Err(
            "smtp+plain:// is for a relay without a user in the own network: use smtps:// or smtp://"
                .to_owned(),
        );
    }
    Ok(SmtpServer {
        host,
        port,
        security,
        user,
    })
}

const MAIL_SCHEMES: &str = "must be smtps://USER@HOST (TLS), smtp://USER@HOST (STARTTLS), or \
    smtp+plain://HOST for a relay in the own network";

/// Parses `imaps://USER:PASSWORD@HOST[:993]/[FOLDER]` or `imap+starttls://…[:143]`. User, password
/// and folder may be percent-encoded. The roots are those of the mail server.
///
/// Errors do not quote the text: it contains a password.
pub fn parse_mailbox(
    text: &str,
    extra_roots: Result<Vec<Vec<u8>>, String>,
) -> Result<MailboxOptions, String> {
    let (scheme, rest) = text.trim().split_once("://").ok_or(MAILBOX_FORM)?;
    let (is_starttls, port) = match scheme {
        "imaps" => (false, 993),
        "imap+starttls" => (true, 143),
        _ => return Err(MAILBOX_FORM.to_owned()),
    };
    // The user is often an e-mail address, and a password may hold a slash: the last `@` ends both.
    let (account, place) = rest.rsplit_once('@').ok_or(MAILBOX_FORM)?;
    let (user, password) = account.split_once(':').ok_or(MAILBOX_FORM)?;
    let (place, folder) = place.split_once('/').unwrap_or((place, ""));
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().or(Err("its port is no number"))?),
        None => (place, port),
    };
    let host = host.to_ascii_lowercase();
    let plain = |text: &str| {
        let text = percent_decode_str(text).decode_utf8().ok()?.into_owned();
        (!text.is_empty() && !text.contains(char::is_control)).then_some(text)
    };
    let folder = if folder.is_empty() { "INBOX" } else { folder };
    match (plain(user), plain(password), plain(folder)) {
        (Some(user), Some(password), Some(folder)) if is_host(&host) => Ok(MailboxOptions {
            host,
            port,
            is_starttls,
            user,
            password,
            folder,
            extra_roots,
        }),
        _ => Err(MAILBOX_FORM.to_owned()),
    }
}

const MAILBOX_FORM: &str = "must be imaps://USER:PASSWORD@HOST/FOLDER, with signs like @ : / % in \
    user and password percent-encoded";

/// Returns whether the host is this machine, a private address, or a name without a dot, as
/// containers have.
fn is_local_host(host: &str) -> bool {
    match host.parse::<std::net::Ipv4Addr>() {
        Ok(address) => address.is_loopback() || address.is_private(),
        Err(_) => !host.contains('.'),
    }
}

/// Parses `s3://BUCKET[/PREFIX]` into bucket and prefix.
pub fn parse_s3_uri(text: &str) -> Result<(String, String), String> {
    let rest = text
        .strip_prefix("s3://")
        .ok_or("must be s3://BUCKET/PREFIX")?;
    if rest.contains(['@', '?']) {
        return Err(
            "holds a secret: other users of this machine can read it; use the environment or a file"
                .to_owned(),
        );
    }
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
    let parts = prefix.split('/').filter(|_| !prefix.is_empty());
    let is_sound =
        |part: &str| !part.is_empty() && part.chars().all(is_plain) && !part.starts_with('.');
    if !is_sound(bucket) || !parts.into_iter().all(is_sound) || rest.len() > S3_URI_BYTES_MAX {
        return Err("must be s3://BUCKET/PREFIX, of letters, digits, - and _".to_owned());
    }
    Ok((bucket.to_owned(), prefix.to_owned()))
}

/// Parses a host name for which TLS-ALPN-01 can obtain a certificate.
pub fn parse_domain(text: &str) -> Result<String, String> {
    let name = text.trim().trim_end_matches('.').to_ascii_lowercase();
    if name.starts_with("*.") {
        return Err("wildcards need a DNS challenge: name each host instead".to_owned());
    }
    if name.parse::<IpAddr>().is_ok() || !name.contains('.') || !is_host(&name) {
        return Err("must be a full DNS name, like example.org".to_owned());
    }
    Ok(name)
}

fn is_host(name: &str) -> bool {
    let label = |label: &str| {
        (1..=DOMAIN_LABEL_BYTES_MAX).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    name.len() <= DOMAIN_BYTES_MAX && name.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_has_one_spelling() {
        for (typed, kept) in [
            ("https://Example.org/", "https://example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://[::1]", "http://[::1]"),
        ] {
            assert_eq!(parse_public_url(typed).unwrap(), kept);
        }
    }

    #[test]
    fn a_public_url_is_scheme_and_host_alone() {
        for typed in [
            "",
            "example.org",
            "ftp://example.org",
            "https://",
            "https://example.org/site",
            "https://example.org?x",
            "https://user@example.org",
            "https://example.org:port",
            "https://exa mple.org",
            "https://-example.org",
        ] {
            assert!(parse_public_url(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn a_host_is_named_with_what_people_can_call_or_write_to() {
        let contact = parse_host_contact("Studio Esempio, +39 031 000 000, s@example.org").unwrap();
        assert_eq!(contact.name.as_deref(), Some("Studio Esempio"));
        assert_eq!(contact.phone.as_deref(), Some("+39 031 000 000"));
        assert_eq!(contact.email.as_deref(), Some("s@example.org"));
        let contact = parse_host_contact("031 000000").unwrap();
        assert_eq!((contact.name, contact.email), (None, None));
        let long = "x".repeat(HOST_CONTACT_CHARACTERS_MAX + 1);
        for wrong in ["", " , ", "due\nrighe", "Uno, Due", long.as_str()] {
            assert!(parse_host_contact(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_mail_server_is_named_by_an_address() {
        let server = parse_mail_server("smtp://me@example.org@Mail.example.org").unwrap();
        assert_eq!(
            (server.host.as_str(), server.port, server.security),
            ("mail.example.org", 587, TlsMode::StartTls)
        );
        assert_eq!(server.user.as_deref(), Some("me@example.org"));
        let encoded = parse_mail_server("smtp://me%40example.org@mail.example.org/").unwrap();
        assert_eq!(encoded, server);
        assert_eq!(parse_mail_server("smtps://u@x.it:4465").unwrap().port, 4465);
        assert_eq!(parse_mail_server("smtps://x.it").unwrap().port, 465);
        for near in ["127.0.0.1", "localhost", "postfix", "192.168.1.2"] {
            let server = parse_mail_server(&format!("smtp+plain://{near}")).unwrap();
            assert_eq!((server.port, server.security), (25, TlsMode::Off));
        }
    }

    #[test]
    fn a_mail_server_needs_tls_and_no_password_in_its_address() {
        for typed in [
            "",
            "mail.example.org",
            "http://mail.example.org",
            "smtp://",
            "smtp://@x.it",
            "smtp://a b@x.it",
            "smtp://a\r\nRCPT@x.it",
            "smtp://x.it:port",
            "smtp://x.it/y",
            "smtp+plain://mail.example.org",
            "smtp+plain://8.8.8.8",
            "smtp+plain://me@127.0.0.1",
        ] {
            assert!(parse_mail_server(typed).is_err(), "{typed}");
        }
        let refused = parse_mail_server("smtps://me:segreto@x.it").unwrap_err();
        assert!(refused.contains("RESPIRO_SMTP_PASSWORD"), "{refused}");
        assert!(!refused.contains("segreto"), "{refused}");
    }

    #[test]
    fn a_mailbox_is_named_by_an_address_with_its_password() {
        let parsed = |text: &str| parse_mailbox(text, Ok(Vec::new()));
        let mailbox = parsed("imaps://sito@example.org:pa%3Ass/w%40rd@Mail.example.org").unwrap();
        assert_eq!(
            mailbox.name(),
            "sito@example.org@mail.example.org:993/INBOX"
        );
        assert_eq!(mailbox.password, "pa:ss/w@rd");
        let other = parsed("imap+starttls://me:x@x.it:1143/Posta%20tornata").unwrap();
        assert_eq!((other.port, other.is_starttls), (1143, true));
        assert_eq!(other.folder, "Posta tornata");
        for odd in [
            "",
            "imaps://x.it",
            "imaps://me@x.it",
            "imaps://me:@x.it",
            "imaps://:segreto@x.it",
            "imap://me:segreto@x.it",
            "smtps://me:segreto@x.it",
            "imaps://me:segreto@x.it:port",
            "imaps://me:segreto@a b.it",
            "imaps://me:segreto%0d%0a@x.it",
            "imaps://me:segreto%ff@x.it",
            "imaps://me:segreto@x.it/a%0ab",
        ] {
            let refused = parsed(odd).unwrap_err();
            assert!(!refused.contains("segreto"), "{odd}: {refused}");
        }
        assert!(!format!("{mailbox:?}").contains("pa:ss"));
    }

    #[test]
    fn a_place_is_bucket_and_prefix_without_a_secret() {
        let parsed = |text: &str| parse_s3_uri(text).unwrap();
        assert_eq!(parsed("s3://b/x/y/"), ("b".to_owned(), "x/y".to_owned()));
        assert_eq!(
            parsed("s3://my-bucket"),
            ("my-bucket".to_owned(), String::new())
        );
        for odd in [
            "b/x",
            "s3://",
            "s3:///x",
            "s3://b//x",
            "s3://b/../x",
            "s3://b/à",
            "https://b",
        ] {
            assert!(parse_s3_uri(odd).is_err(), "{odd}");
        }
        let refused = parse_s3_uri("s3://key:segreto@b/x").unwrap_err();
        assert!(refused.contains("environment") && !refused.contains("segreto"));
    }

    #[test]
    fn a_domain_is_a_full_name() {
        assert_eq!(parse_domain("WWW.Example.org.").unwrap(), "www.example.org");
        for typed in [
            "",
            "localhost",
            "*.example.org",
            "192.0.2.1",
            "a..b",
            "é.it",
        ] {
            assert!(parse_domain(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn the_public_address_follows_the_port_and_the_certificate() {
        let mut config = Config::new(vec![([0, 0, 0, 0], 0).into()], PathBuf::from("x"));
        let bound = ([0, 0, 0, 0], 8443).into();
        assert_eq!(config.public_url(bound), "http://127.0.0.1:8443");
        config.tls = Tls::Acme(Acme {
            domains: vec!["example.org".to_owned()],
            email: None,
            directory: ACME_DIRECTORY_DEFAULT.to_owned(),
            ca: None,
        });
        assert_eq!(config.public_url(bound), "https://example.org:8443");
        let standard = ([0, 0, 0, 0], 443).into();
        assert_eq!(config.public_url(standard), "https://example.org");
        config.public_url = Some("https://www.example.org".to_owned());
        assert_eq!(config.public_url(standard), "https://www.example.org");
    }
}
