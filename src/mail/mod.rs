//! Mail through the host's own mail server, by lettre; the only place that names it.

mod blame;
pub mod letter;
pub mod sheet;

pub use crate::content::validation::is_reachable;
pub use blame::Blame;

use crate::config::{Mail, MailSecurity};
use crate::error;
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
/// Of what a mail server says, this much is told.
const REASON_CHARACTERS_MAX: usize = 300;

/// Without a mail server nothing can be sent.
pub const NO_MAIL: error::Error = error::Error::Conflict("Il sito non può ancora mandare posta");

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
    /// Whether the server may have taken the message all the same.
    is_uncertain: bool,
    /// Whether several receivers in a row got the same answer.
    is_of_several: bool,
    /// What the server answered, when it did.
    code: Option<u16>,
    /// Without addresses.
    pub reason: String,
}

impl Failure {
    fn new(step: Step, reason: &str) -> Self {
        Self {
            step,
            is_final: false,
            is_uncertain: false,
            is_of_several: false,
            code: None,
            reason: speakable(reason),
        }
    }

    fn of(step: Step, error: &Error) -> Self {
        let code = error.status().map(u16::from);
        // What a server answered is told in its own words, as it said them.
        let reason = match (code, error.source()) {
            (Some(code), Some(said)) => format!("{code} {said}"),
            _ => error.to_string(),
        };
        Self {
            is_final: error.is_permanent(),
            code,
            ..Self::new(step, &reason)
        }
    }

    /// What kept a message from being written at all.
    pub fn here(reason: &str) -> Self {
        Self::new(Step::Root, reason)
    }

    /// Whether the mail server broke off or fell silent, instead of refusing.
    pub const fn is_silence(&self) -> bool {
        self.code.is_none() && !self.is_final
    }

    /// The same, once the server has said it of several receivers in a row: then it is about none
    /// of them.
    #[must_use]
    pub fn of_several(self) -> Self {
        Self {
            is_of_several: true,
            ..self
        }
    }

    /// Whether the receiver's mailbox is what stood in the way, by the server's own words.
    pub fn is_about_mailbox(&self) -> bool {
        blame::detail(&self.reason).is_some_and(|(subject, _)| subject <= 2)
    }

    pub fn blame(&self) -> Blame {
        let is_about_one = matches!(self.step, Step::Receiver | Step::Message);
        match self.code {
            _ if self.is_uncertain => Blame::Uncertain,
            // An address that no server takes, found here.
            None if self.is_final && is_about_one => Blame::Receiver,
            None if is_about_one => Blame::ReceiverNow,
            None => Blame::Server,
            Some(code) => match blame::blame(self.step, code, blame::detail(&self.reason)) {
                Blame::ReceiverNow if self.is_of_several => Blame::Pace,
                blame => blame,
            },
        }
    }

    /// Why nothing was taken, as people read it: without what the server said, which may name
    /// somebody and is in its own language.
    pub const fn because(&self) -> &'static str {
        match self.step {
            Step::Root => "il certificato indicato per il server di posta non si legge",
            Step::Name => "il server di posta non si trova",
            Step::Connect => "il server di posta non risponde",
            Step::Tls => "la connessione al server di posta non è sicura",
            Step::Greeting => "il server di posta non risponde come dovrebbe",
            Step::SignIn => "il server di posta rifiuta nome o password",
            Step::Sender => "il server di posta rifiuta il mittente",
            Step::Receiver => "il server di posta rifiuta il destinatario",
            Step::Message => "il server di posta rifiuta il messaggio",
            Step::Time => "il server di posta è troppo lento",
        }
    }

    /// Whether this very message is refused for good. Everything else can be mended.
    pub fn is_about_message(&self) -> bool {
        matches!(self.blame(), Blame::Receiver | Blame::Policy)
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
