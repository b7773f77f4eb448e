//! Mail through the host's own mail server, by lettre.

use crate::{Failure, Step, is_reachable};
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
const GOODBYE_TIMEOUT: Duration = Duration::from_secs(2);
/// Addresses of the mail server that are tried, one after another.
const ADDRESSES_MAX: usize = 4;

/// How the program hands mail to the host's mail server.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    pub server: MailServer,
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

impl fmt::Debug for Mail {
    /// Without the password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut mail = formatter.debug_struct("Mail");
        mail.field("server", &self.server).field("from", &self.from);
        mail.finish_non_exhaustive()
    }
}

/// What an address like `smtp://user@mail.example.org:587` says of a mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailServer {
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
    pub user: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailSecurity {
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
pub async fn deliver(mail: &Mail, to: &str, message: &[u8]) -> Result<(), Failure> {
    let (named, begun) = (AtomicBool::new(false), AtomicBool::new(false));
    let work = async {
        let mut connection = ready(mail).await?;
        let receiver = address(to, Step::Receiver)?;
        named.store(true, Ordering::Relaxed);
        let asked = connection.command(Rcpt::new(receiver, Vec::new())).await;
        asked.map_err(|error| Failure::of(Step::Receiver, &error))?;
        let about = |error| Failure::of(Step::Message, &error);
        connection.command(Data).await.map_err(about)?;
        begun.store(true, Ordering::Relaxed);
        connection.message(message).await.map_err(about)?;
        Ok(connection)
    };
    // Boxed: a connection is large, and callers hold this future in theirs.
    match Box::pin(within(mail.timeout, work)).await {
        // The server has taken it: how it says goodbye changes nothing.
        Ok(mut connection) => drop(timeout(GOODBYE_TIMEOUT, connection.abort()).await),
        Err(failure) => {
            // A server that falls silent when it hears this receiver may do so for this one alone.
            let is_about_one = failure.step == Step::Time && named.load(Ordering::Relaxed);
            return Err(Failure {
                is_uncertain: begun.load(Ordering::Relaxed) && failure.code.is_none(),
                step: if is_about_one {
                    Step::Receiver
                } else {
                    failure.step
                },
                ..failure
            });
        }
    }
    Ok(())
}

/// Connects, signs in and asks whether the sender may send. Nothing is sent.
pub async fn try_out(mail: &Mail) -> Result<(), Failure> {
    within(mail.timeout, async {
        ready(mail).await?.abort().await;
        Ok(())
    })
    .await
}

async fn within<T>(
    time: Duration,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let late = || Failure::new(Step::Time, "the mail server takes too long");
    timeout(time, work).await.map_err(|_late| late())?
}

/// Checked here: lettre's own check would bring the tables of all scripts for names.
pub(crate) fn address(text: &str, step: Step) -> Result<Address, Failure> {
    let parts = text.rsplit_once('@').filter(|_| is_reachable(text));
    let (user, domain) = parts.ok_or_else(|| Failure {
        is_final: true,
        ..Failure::new(step, "this is no address that mail servers take")
    })?;
    Ok(Address::new_dangerous(user, domain))
}

/// A connection that is only short of a receiver.
async fn ready(mail: &Mail) -> Result<AsyncSmtpConnection, Failure> {
    let mut connection = open(mail).await?;
    let from = address(&mail.from, Step::Sender)?;
    let asked = connection.command(MailFrom::new(Some(from), Vec::new()));
    match asked.await {
        Ok(_) => Ok(connection),
        Err(error) => {
            connection.abort().await;
            Err(Failure::of(Step::Sender, &error))
        }
    }
}

async fn open(mail: &Mail) -> Result<AsyncSmtpConnection, Failure> {
    let server = &mail.server;
    let tls = match server.security {
        MailSecurity::Off => None,
        MailSecurity::Implicit | MailSecurity::StartTls => Some(tls(mail)?),
    };
    let first = tls
        .clone()
        .filter(|_| server.security == MailSecurity::Implicit);
    let hello = ClientId::default();
    let places = places(&server.host, server.port).await?;
    let connected = AsyncSmtpConnection::connect_tokio1(
        places.as_slice(),
        Some(CONNECT_TIMEOUT),
        &hello,
        first,
        None,
    );
    let silent = |_| Failure::new(Step::Greeting, "it says nothing");
    let connected = timeout(GREETING_TIMEOUT, connected).await.map_err(silent)?;
    let mut connection = connected.map_err(|error| beginning(mail, &error))?;
    if server.security == MailSecurity::StartTls
        && let Some(tls) = tls
    {
        let upgraded = connection.starttls(tls, &hello).await;
        upgraded.map_err(|error| Failure::of(Step::Tls, &error))?;
    }
    if let (Some(user), Some(password)) = (&server.user, &mail.password) {
        let account = Credentials::new(user.clone(), password.clone());
        let signed_in = connection
            .auth(&[Mechanism::Plain, Mechanism::Login], &account)
            .await;
        if let Err(error) = signed_in {
            connection.abort().await;
            return Err(Failure::of(Step::SignIn, &error));
        }
    }
    Ok(connection)
}

async fn places(host: &str, port: u16) -> Result<Vec<SocketAddr>, Failure> {
    let found = timeout(CONNECT_TIMEOUT, lookup_host((host, port))).await;
    let nowhere = |reason: &str| Failure::new(Step::Name, reason);
    let found = found.map_err(|_late| nowhere("nobody answers who knows the name"))?;
    let found = found.map_err(|error| nowhere(&error.to_string()))?;
    Ok(found.take(ADDRESSES_MAX).collect())
}

/// What kept a connection from its first answer.
fn beginning(mail: &Mail, error: &Error) -> Failure {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            return Failure::of(step_of(mail, inner.kind()), error);
        }
        cause = inner.source();
    }
    Failure::of(Step::Greeting, error)
}

fn step_of(mail: &Mail, kind: io::ErrorKind) -> Step {
    use io::ErrorKind::{
        ConnectionRefused, HostUnreachable, InvalidData, NetworkUnreachable, TimedOut,
    };
    match kind {
        ConnectionRefused | HostUnreachable | NetworkUnreachable | TimedOut => Step::Connect,
        InvalidData if mail.server.security == MailSecurity::Implicit => Step::Tls,
        _ => Step::Greeting,
    }
}

/// TLS with the usual roots, and the host's own when there is one.
fn tls(mail: &Mail) -> Result<TlsParameters, Failure> {
    let mut parameters = TlsParameters::builder(mail.server.host.clone());
    let roots = mail.extra_roots.as_ref();
    for root in roots.map_err(|reason| Failure::new(Step::Root, reason))? {
        let root = Certificate::from_der(root.clone());
        let root = root.map_err(|error| Failure::of(Step::Root, &error))?;
        parameters = parameters.add_root_certificate(root);
    }
    let built = parameters.build();
    built.map_err(|error| Failure::of(Step::Root, &error))
}
