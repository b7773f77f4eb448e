//! Mail through the host's own mail server, by lettre; the only place that names it.

pub mod letter;

use crate::config::{Mail, MailSecurity};
use crate::content::check::is_email_address;
use crate::tls::chain_of;
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use std::error::Error as _;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::lookup_host;
use tokio::time::timeout;

/// One address of the mail server must answer within this time.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Then it must have said who it is within this time.
const GREETING_TIMEOUT: Duration = Duration::from_secs(20);
/// A whole delivery must be done within this time.
const DELIVERY_TIMEOUT: Duration = Duration::from_mins(1);
/// Addresses of the mail server that are tried, one after another.
const ADDRESSES_MAX: usize = 4;
/// Of what a mail server says, this much is told.
const REASON_CHARACTERS_MAX: usize = 300;

/// How far a delivery got before it failed: what has to be mended depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The file of the extra root.
    Root,
    /// The mail server's name leads nowhere.
    Name,
    /// Nobody answers there.
    Connect,
    /// No TLS, or not with a certificate of this name.
    Tls,
    /// What answers does not talk as a mail server.
    Greeting,
    SignIn,
    /// The mail server does not want mail from this address.
    Sender,
    /// The mail server does not want mail for the receiver.
    Receiver,
    Message,
    /// It took too long.
    Time,
}

/// Why nothing was delivered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    pub step: Step,
    /// Whether the server refused for good what it was asked.
    is_final: bool,
    /// Without addresses.
    pub reason: String,
}

impl Failure {
    fn new(step: Step, reason: &str) -> Self {
        Self {
            step,
            is_final: false,
            reason: speakable(reason),
        }
    }

    fn of(step: Step, error: &Error) -> Self {
        Self {
            is_final: error.is_permanent(),
            ..Self::new(step, &error.to_string())
        }
    }

    /// Whether this very message is refused for good. Everything else can be mended.
    pub fn is_about_message(&self) -> bool {
        self.is_final && matches!(self.step, Step::Receiver | Step::Message)
    }
}

/// What a server says may name the receiver, whom no log should know.
fn speakable(reason: &str) -> String {
    let words = reason.split_whitespace();
    let words: Vec<&str> = words
        .map(|word| if word.contains('@') { "…" } else { word })
        .collect();
    let reason: String = words.join(" ");
    let shown = reason.chars().filter(|c| !c.is_control());
    shown.take(REASON_CHARACTERS_MAX).collect()
}

/// Whether every mail server could take mail for this address: plain ASCII, no quoting, no dots
/// in a row.
pub fn is_reachable(address: &str) -> bool {
    address.is_ascii() && is_email_address(address) && !address.contains("..")
}

/// Hands one message to the mail server.
pub async fn deliver(mail: &Mail, to: &str, message: &[u8]) -> Result<(), Failure> {
    within(async {
        let mut connection = ready(mail).await?;
        let receiver = address(to, Step::Receiver)?;
        let asked = connection.command(Rcpt::new(receiver, Vec::new())).await;
        asked.map_err(|error| Failure::of(Step::Receiver, &error))?;
        let about = |error| Failure::of(Step::Message, &error);
        connection.command(Data).await.map_err(about)?;
        connection.message(message).await.map_err(about)?;
        // The server has taken it: how it says goodbye changes nothing.
        connection.abort().await;
        Ok(())
    })
    .await
}

/// Connects, signs in and asks whether the sender may send. Nothing is sent.
pub async fn try_out(mail: &Mail) -> Result<(), Failure> {
    within(async {
        ready(mail).await?.abort().await;
        Ok(())
    })
    .await
}

async fn within(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let late = || Failure::new(Step::Time, "the mail server takes too long");
    timeout(DELIVERY_TIMEOUT, work)
        .await
        .map_err(|_late| late())?
}

/// Checked here: lettre's own check would bring the tables of all scripts for names.
fn address(text: &str, step: Step) -> Result<Address, Failure> {
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
    if let Some(path) = &mail.ca {
        let refused = |reason: String| {
            Failure::new(
                Step::Root,
                &format!("cannot use {}: {reason}", path.display()),
            )
        };
        for root in chain_of(path).map_err(refused)? {
            let root = Certificate::from_der(root.to_vec());
            let root = root.map_err(|error| Failure::of(Step::Root, &error))?;
            parameters = parameters.add_root_certificate(root);
        }
    }
    let built = parameters.build();
    built.map_err(|error| Failure::of(Step::Root, &error))
}
