//! Mail through the host's own mail server, by lettre.

use crate::{DeliveryError, SmtpPhase, is_reachable};
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use std::error::Error as _;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::lookup_host;
use tokio::time::timeout;

/// One address of the mail server must answer within this time.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Then it must have said who it is within this time.
const GREETING_TIMEOUT: Duration = Duration::from_secs(20);
/// A server that has taken a message is not waited for any longer than this.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Addresses of the mail server that are tried, one after another.
const ADDRESSES_MAX: usize = 4;

/// How the program hands mail to the host's mail server.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpOptions {
    pub server: SmtpServer,
    /// Together with the server's user.
    pub password: Option<String>,
    /// The address that messages come from.
    pub from: String,
    /// Extra trusted roots (DER), for the connection to this server only; why they cannot be read,
    /// which then fails each delivery.
    pub extra_roots: Result<Vec<Vec<u8>>, String>,
    /// A whole delivery must be done within this time.
    pub timeout: Duration,
}

impl fmt::Debug for SmtpOptions {
    /// Without the password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut mail = formatter.debug_struct("SmtpOptions");
        mail.field("server", &self.server).field("from", &self.from);
        mail.finish_non_exhaustive()
    }
}

/// What an address like `smtp://user@mail.example.org:587` says of a mail server.
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
    /// TLS after a greeting; nothing is sent without.
    StartTls,
    /// For a relay on this machine or in its own network, and never with a password.
    Off,
}

/// Hands one message to the mail server.
///
/// Once the text is on its way, whatever keeps the server's answer from arriving leaves its fate
/// unknown: nothing tells a message that was taken from one that was not (RFC 5321, 6.1).
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
    // Boxed: a connection is large, and callers hold this future in theirs.
    match Box::pin(with_timeout(options.timeout, work)).await {
        // The server has taken it: how it says goodbye changes nothing.
        Ok(mut connection) => drop(timeout(QUIT_TIMEOUT, connection.abort()).await),
        Err(failure) => {
            // A server that falls silent when it hears this receiver may do so for this one alone.
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

/// Connects, signs in and asks whether the sender may send. Nothing is sent.
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

/// Checked here: lettre's own check would bring the tables of all scripts for names.
pub(crate) fn parse_address(text: &str, phase: SmtpPhase) -> Result<Address, DeliveryError> {
    let parts = text.rsplit_once('@').filter(|_| is_reachable(text));
    let (user, domain) = parts.ok_or_else(|| DeliveryError {
        is_final: true,
        ..DeliveryError::new(phase, "this is no address that mail servers take")
    })?;
    Ok(Address::new_dangerous(user, domain))
}

/// A connection that is only short of a receiver.
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
    let hello = ClientId::default();
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

/// What kept a connection from its first answer.
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

/// TLS with the usual roots, and the host's own when there is one.
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
