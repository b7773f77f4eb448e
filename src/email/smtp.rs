//! SMTP client: hands messages to the mail server of the host's provider.

use crate::{DeliveryError, SmtpPhase, is_reachable};
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use respiro_content::validation::{ascii_domain, with_ascii_domain};
use std::error::Error as _;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::lookup_host;
use tokio::time::timeout;

/// Time limit for DNS, and for the TCP connection to one address.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit for connection, TLS and greeting together.
const GREETING_TIMEOUT: Duration = Duration::from_secs(20);
/// Time limit for QUIT after the message was accepted.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// How many addresses of the mail server are tried.
const ADDRESSES_MAX: usize = 4;

/// How to reach the mail server.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpOptions {
    pub server: SmtpServer,
    /// Set if and only if `server.user` is set.
    pub password: Option<String>,
    /// Sender address of all messages.
    pub from: String,
    /// Name that EHLO gives: a public one, because strict servers refuse others. `None` for the
    /// machine's own.
    pub hello_name: Option<String>,
    /// Extra trusted roots (DER) for this server only. An error is the reason why their file cannot
    /// be read; it fails each delivery, not the start.
    pub extra_roots: Result<Vec<Vec<u8>>, String>,
    /// Time limit of a whole delivery.
    pub timeout: Duration,
}

impl fmt::Debug for SmtpOptions {
    /// Omits the password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut mail = formatter.debug_struct("SmtpOptions");
        mail.field("server", &self.server).field("from", &self.from);
        mail.finish_non_exhaustive()
    }
}

/// A mail server, parsed from an address like `smtp://user@mail.example.org:587`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub security: TlsMode,
    pub user: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsMode {
    /// TLS from the first byte.
    Implicit,
    /// STARTTLS after the greeting; the delivery fails without it.
    StartTls,
    /// Plain text, for a relay on this machine or in its network; never with a password.
    Off,
}

/// Returns the name that EHLO gives for a site at this host; `None` if it is no public name.
pub fn hello_name(host: &str) -> Option<String> {
    let name = ascii_domain(host).to_ascii_lowercase();
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    let (_, top) = name.rsplit_once('.')?;
    (name.split('.').all(is_label) && !is_number(top)).then_some(name)
}

/// Delivers one message to the mail server.
///
/// A connection that is lost after the text was sent leaves the outcome unknown: a message that the
/// server accepted cannot be told from one that it did not (RFC 5321, 6.1).
pub async fn deliver(options: &SmtpOptions, to: &str, message: &[u8]) -> Result<(), DeliveryError> {
    let (recipient_sent, data_started) = (AtomicBool::new(false), AtomicBool::new(false));
    let work = async {
        let mut connection = open_transaction(options).await?;
        let receiver = parse_address(to, SmtpPhase::Recipient)?;
        recipient_sent.store(true, Ordering::Relaxed);
        let asked = connection.command(Rcpt::new(receiver, Vec::new())).await;
        asked.map_err(|error| DeliveryError::of(SmtpPhase::Recipient, &error))?;
        let about = |error| DeliveryError::of(SmtpPhase::Message, &error);
        connection.command(Data).await.map_err(about)?;
        data_started.store(true, Ordering::Relaxed);
        connection.message(message).await.map_err(about)?;
        Ok(connection)
    };
    // Boxed: a connection is large, and this future is part of the callers' futures.
    match Box::pin(with_timeout(options.timeout, work)).await {
        // The message is accepted: an error of QUIT changes nothing.
        Ok(mut connection) => drop(timeout(QUIT_TIMEOUT, connection.abort()).await),
        Err(failure) => {
            // A server that stalls after RCPT may do so for this recipient only.
            let is_about_recipient =
                failure.phase == SmtpPhase::Timeout && recipient_sent.load(Ordering::Relaxed);
            return Err(DeliveryError {
                is_uncertain: data_started.load(Ordering::Relaxed) && failure.code.is_none(),
                phase: if is_about_recipient {
                    SmtpPhase::Recipient
                } else {
                    failure.phase
                },
                ..failure
            });
        }
    }
    Ok(())
}

/// Connects, authenticates and sends MAIL FROM, but no message.
pub async fn verify_connection(options: &SmtpOptions) -> Result<(), DeliveryError> {
    with_timeout(options.timeout, async {
        open_transaction(options).await?.abort().await;
        Ok(())
    })
    .await
}

async fn with_timeout<T>(
    time: Duration,
    work: impl Future<Output = Result<T, DeliveryError>>,
) -> Result<T, DeliveryError> {
    let late = || DeliveryError::new(SmtpPhase::Timeout, "the mail server takes too long");
    timeout(time, work).await.map_err(|_late| late())?
}

/// Validates an address. lettre's own check would add Unicode tables to the binary.
pub(crate) fn parse_address(text: &str, phase: SmtpPhase) -> Result<Address, DeliveryError> {
    let address = with_ascii_domain(text);
    let parts = address.rsplit_once('@').filter(|_| is_reachable(&address));
    let (user, domain) = parts.ok_or_else(|| DeliveryError {
        is_final: true,
        ..DeliveryError::new(phase, "this is no address that mail servers take")
    })?;
    Ok(Address::new_dangerous(user, domain))
}

/// Opens a connection and sends MAIL FROM; RCPT comes next.
async fn open_transaction(options: &SmtpOptions) -> Result<AsyncSmtpConnection, DeliveryError> {
    let mut connection = connect(options).await?;
    let from = parse_address(&options.from, SmtpPhase::Sender)?;
    let asked = connection.command(MailFrom::new(Some(from), Vec::new()));
    match asked.await {
        Ok(_) => Ok(connection),
        Err(error) => {
            connection.abort().await;
            Err(DeliveryError::of(SmtpPhase::Sender, &error))
        }
    }
}

async fn connect(options: &SmtpOptions) -> Result<AsyncSmtpConnection, DeliveryError> {
    let server = &options.server;
    let tls = match server.security {
        TlsMode::Off => None,
        TlsMode::Implicit | TlsMode::StartTls => Some(tls_parameters(options)?),
    };
    let first = tls.clone().filter(|_| server.security == TlsMode::Implicit);
    let hello = options
        .hello_name
        .clone()
        .map_or_else(ClientId::default, ClientId::Domain);
    let addresses = resolve(&server.host, server.port).await?;
    let connected = AsyncSmtpConnection::connect_tokio1(
        addresses.as_slice(),
        Some(CONNECT_TIMEOUT),
        &hello,
        first,
        None,
    );
    let no_greeting = |_| DeliveryError::new(SmtpPhase::Greeting, "it says nothing");
    let connected = timeout(GREETING_TIMEOUT, connected)
        .await
        .map_err(no_greeting)?;
    let mut connection = connected.map_err(|error| connection_error(options, &error))?;
    if server.security == TlsMode::StartTls
        && let Some(tls) = tls
    {
        let upgraded = connection.starttls(tls, &hello).await;
        upgraded.map_err(|error| DeliveryError::of(SmtpPhase::Tls, &error))?;
    }
    if let (Some(user), Some(password)) = (&server.user, &options.password) {
        let account = Credentials::new(user.clone(), password.clone());
        let signed_in = connection
            .auth(&[Mechanism::Plain, Mechanism::Login], &account)
            .await;
        if let Err(error) = signed_in {
            connection.abort().await;
            return Err(DeliveryError::of(SmtpPhase::Authentication, &error));
        }
    }
    Ok(connection)
}

async fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>, DeliveryError> {
    let found = timeout(CONNECT_TIMEOUT, lookup_host((host, port))).await;
    let failed = |reason: &str| DeliveryError::new(SmtpPhase::DnsLookup, reason);
    let found = found.map_err(|_late| failed("nobody answers who knows the name"))?;
    let found = found.map_err(|error| failed(&error.to_string()))?;
    Ok(found.take(ADDRESSES_MAX).collect())
}

/// Maps an error before the greeting to its phase.
fn connection_error(options: &SmtpOptions, error: &Error) -> DeliveryError {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            return DeliveryError::of(phase_of(options, inner.kind()), error);
        }
        cause = inner.source();
    }
    DeliveryError::of(SmtpPhase::Greeting, error)
}

fn phase_of(options: &SmtpOptions, kind: io::ErrorKind) -> SmtpPhase {
    use io::ErrorKind::{
        ConnectionRefused, HostUnreachable, InvalidData, NetworkUnreachable, TimedOut,
    };
    match kind {
        ConnectionRefused | HostUnreachable | NetworkUnreachable | TimedOut => SmtpPhase::Connect,
        InvalidData if options.server.security == TlsMode::Implicit => SmtpPhase::Tls,
        _ => SmtpPhase::Greeting,
    }
}

/// TLS with the usual roots and the extra ones of the options.
fn tls_parameters(options: &SmtpOptions) -> Result<TlsParameters, DeliveryError> {
    let mut parameters = TlsParameters::builder(options.server.host.clone());
    let roots = options.extra_roots.as_ref();
    for root in roots.map_err(|reason| DeliveryError::new(SmtpPhase::TrustRoots, reason))? {
        let root = Certificate::from_der(root.clone());
        let root = root.map_err(|error| DeliveryError::of(SmtpPhase::TrustRoots, &error))?;
        parameters = parameters.add_root_certificate(root);
    }
    let built = parameters.build();
    built.map_err(|error| DeliveryError::of(SmtpPhase::TrustRoots, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_public_name_is_given_to_the_mail_server() {
        let accented = Some("xn--perch-fsa.it".to_owned());
        assert_eq!(
            hello_name("www.Example.org"),
            Some("www.example.org".to_owned())
        );
        assert_eq!(hello_name("perché.it"), accented);
        for other in [
            "localhost",
            "127.0.0.1",
            "[::1]",
            "::1",
            "a..it",
            "",
            "a b.it",
        ] {
            assert_eq!(hello_name(other), None, "{other}");
        }
    }
}
