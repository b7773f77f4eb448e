//! IMAP client for the mailbox that messages come back to (RFC 3501): reads what arrived since the
//! last time, and marks the reports that were used. Deletes nothing.
//!
//! The mailbox may be one that a person reads too: only the header fields of [`FIELDS`] are
//! requested of each message, and the text of those alone that look like a report.

use crate::bounce_report::{MailReport, parse_report};
use crate::messages;
use async_imap::imap_proto::{MailboxDatum, Response, Status};
use async_imap::types::{Fetch, Flag, Mailbox};
use async_imap::{Client, Session};
use futures_util::TryStreamExt as _;
use mail_parser::{MessageParser, MimeHeaders as _};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Time limit for the connection, TLS and greeting, and for each command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// No further message is requested after this time.
const LOOK_TIMEOUT: Duration = Duration::from_mins(2);
/// Messages that one look reads.
const MESSAGES_MAX: usize = 200;
/// How much of a message is read: a report comes before the returned message.
const MESSAGE_BYTES_MAX: usize = 256 * 1024;
/// Bytes that a session may receive in all; the server could announce any size.
const SESSION_BYTES_MAX: usize = 16 * 1024 * 1024;
/// How far back the first look goes, in days.
const FIRST_LOOK_DAYS: i64 = 14;
const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// The header fields that tell whether a message is a report.
const FIELDS: &str = "CONTENT-TYPE FROM X-FAILED-RECIPIENTS";

/// How to reach the mailbox.
#[derive(Clone, PartialEq, Eq)]
pub struct MailboxOptions {
    pub host: String,
    pub port: u16,
    /// Whether TLS starts after the greeting (STARTTLS), not with the first byte.
    pub is_starttls: bool,
    pub user: String,
    pub password: String,
    pub folder: String,
    /// Extra trusted roots (DER) for this server only. An error is the reason why their file cannot
    /// be read.
    pub extra_roots: Result<Vec<Vec<u8>>, String>,
}

impl MailboxOptions {
    /// Names the mailbox without its password.
    pub fn name(&self) -> String {
        format!("{}@{}:{}/{}", self.user, self.host, self.port, self.folder)
    }
}

impl fmt::Debug for MailboxOptions {
    /// Omits the password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = formatter.debug_struct("MailboxOptions");
        options.field("name", &self.name()).finish_non_exhaustive()
    }
}

/// The step at which reading the mailbox failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailboxPhase {
    TrustRoots,
    Connect,
    Tls,
    Greeting,
    Login,
    Folder,
    /// A command after the folder was opened.
    Read,
    Timeout,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct MailboxError {
    pub phase: MailboxPhase,
    /// For the log: contains no addresses.
    pub reason: String,
}

impl MailboxError {
    fn new(phase: MailboxPhase, reason: impl fmt::Display) -> Self {
        let reason = crate::smtp_error::redact(&reason.to_string());
        Self { phase, reason }
    }

    /// The reason in Italian for the admin.
    pub const fn italian_reason(&self) -> &'static str {
        messages::mailbox_error(self.phase)
    }
}

type Result<T, E = MailboxError> = std::result::Result<T, E>;

/// The last message that was read, and the mailbox whose numbers count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailboxCursor {
    pub mailbox: String,
    pub uid_validity: u32,
    pub last_uid: u32,
}

/// What one look found.
#[derive(Debug)]
pub struct Look {
    /// Each with the number by which it can be marked.
    pub reports: Vec<(u32, MailReport)>,
    pub cursor: MailboxCursor,
    /// Whether unread messages are left.
    pub is_partial: bool,
}

/// A session with an open folder.
pub struct BounceMailbox {
    session: Session<Limited<TlsStream<TcpStream>>>,
    name: String,
    folder: Mailbox,
}

impl fmt::Debug for BounceMailbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut mailbox = formatter.debug_struct("BounceMailbox");
        mailbox.field("name", &self.name).finish_non_exhaustive()
    }
}

impl BounceMailbox {
    /// Connects, signs in and opens the folder.
    pub async fn open(options: &MailboxOptions) -> Result<Self> {
        let client = within(MailboxPhase::Connect, connect(options)).await?;
        let mut session = within(MailboxPhase::Login, async {
            let signed_in = client.login(&options.user, &options.password).await;
            signed_in.map_err(|(error, _)| MailboxError::new(MailboxPhase::Login, error))
        })
        .await?;
        let folder = within(MailboxPhase::Folder, async {
            let selected = session.select(&options.folder).await;
            selected.map_err(|error| MailboxError::new(MailboxPhase::Folder, error))
        })
        .await?;
        Ok(Self {
            session,
            name: options.name(),
            folder,
        })
    }

    /// Number of messages in the folder.
    pub const fn message_count(&self) -> u32 {
        self.folder.exists
    }

    /// Reads the reports that arrived after `cursor`; without one, or if the server numbers the
    /// messages anew, those of the last two weeks.
    pub async fn look(&mut self, cursor: Option<MailboxCursor>, now: i64) -> Result<Look> {
        let begin = Instant::now();
        let uid_validity = self.folder.uid_validity.unwrap_or_default();
        let known = cursor.filter(|known| {
            known.mailbox == self.name && known.uid_validity == uid_validity && uid_validity > 0
        });
        let mut last_uid = known.as_ref().map_or(0, |known| known.last_uid);
        let query = match &known {
            Some(known) => format!("UID {}:*", known.last_uid.saturating_add(1)),
            None => format!(
                "SINCE {}",
                search_date(now - FIRST_LOOK_DAYS * DAY_MILLISECONDS)
            ),
        };
        let found = self.search(&query).await?;
        // `n:*` includes the last message even if its number is lower.
        let mut uids: Vec<u32> = found.into_iter().filter(|uid| *uid > last_uid).collect();
        uids.sort_unstable();
        let mut is_partial = uids.len() > MESSAGES_MAX;
        uids.truncate(MESSAGES_MAX);
        let candidates = self.candidates(&uids).await?;
        let mut reports = Vec::new();
        for uid in &uids {
            if candidates.contains(uid) {
                let is_exhausted = begin.elapsed() >= LOOK_TIMEOUT
                    || self.session.get_ref().left < 2 * MESSAGE_BYTES_MAX;
                if is_exhausted {
                    is_partial = true;
                    break;
                }
                let report = self.read_report(*uid).await?;
                reports.extend(report.map(|report| (*uid, report)));
            }
            last_uid = *uid;
        }
        if !is_partial {
            // Older messages than the first look goes back to are never read.
            let next = self.folder.uid_next.unwrap_or_default();
            last_uid = last_uid.max(next.saturating_sub(1));
        }
        Ok(Look {
            reports,
            cursor: MailboxCursor {
                mailbox: self.name.clone(),
                uid_validity,
                last_uid,
            },
            is_partial,
        })
    }

    /// Searches the folder. `uid_search` takes a refusal for an empty result.
    async fn search(&mut self, query: &str) -> Result<Vec<u32>> {
        let failed = |reason: &str| MailboxError::new(MailboxPhase::Read, reason);
        within(MailboxPhase::Read, async {
            let command = format!("UID SEARCH {query}");
            let id = self
                .session
                .run_command(command)
                .await
                .map_err(read_error)?;
            let mut uids = Vec::new();
            loop {
                let response = self.session.read_response().await;
                let response = response.map_err(|error| failed(&error.to_string()))?;
                let response = response.ok_or_else(|| failed("the connection is lost"))?;
                match response.parsed() {
                    Response::MailboxData(MailboxDatum::Search(found)) => uids.extend(found),
                    Response::Done { tag, status, .. } if *tag == id => {
                        return match status {
                            Status::Ok => Ok(uids),
                            _ => Err(failed("the server refuses the search")),
                        };
                    }
                    _ => {}
                }
            }
        })
        .await
    }

    /// Returns the numbers of the messages that look like a report by their header fields.
    async fn candidates(&mut self, uids: &[u32]) -> Result<Vec<u32>> {
        if uids.is_empty() {
            return Ok(Vec::new());
        }
        let query = format!("(UID BODY.PEEK[HEADER.FIELDS ({FIELDS})]<0.8192>)");
        let heads = self.fetch(uids, &query).await?;
        let heads = heads
            .iter()
            .filter(|head| is_candidate(head.header().unwrap_or_default()));
        Ok(heads.filter_map(|head| head.uid).collect())
    }

    async fn read_report(&mut self, uid: u32) -> Result<Option<MailReport>> {
        let query = format!("(UID BODY.PEEK[]<0.{MESSAGE_BYTES_MAX}>)");
        let messages = self.fetch(&[uid], &query).await?;
        // The server may add others, whose flags changed.
        let wanted = messages
            .iter()
            .find(|one| one.uid == Some(uid) && one.body().is_some());
        let body = wanted.and_then(Fetch::body).unwrap_or_default();
        Ok(parse_report(body.get(..MESSAGE_BYTES_MAX).unwrap_or(body)))
    }

    /// Requests parts of messages. Fails if one is left out that is still there: the stream of
    /// responses ends with a refusal, too.
    async fn fetch(&mut self, uids: &[u32], query: &str) -> Result<Vec<Fetch>> {
        let messages: Vec<Fetch> = within(MailboxPhase::Read, async {
            let messages = self.session.uid_fetch(set_of(uids), query).await;
            let messages = messages.map_err(read_error)?.try_collect().await;
            messages.map_err(read_error)
        })
        .await?;
        let has = |uid: &u32| messages.iter().any(|message| message.uid == Some(*uid));
        let missing: Vec<u32> = uids.iter().copied().filter(|uid| !has(uid)).collect();
        if missing.is_empty() {
            return Ok(messages);
        }
        let left = self.search(&format!("UID {}", set_of(&missing))).await?;
        if left.iter().any(|uid| missing.contains(uid)) {
            let reason = "the server leaves out a message";
            return Err(MailboxError::new(MailboxPhase::Read, reason));
        }
        Ok(messages)
    }

    /// Marks messages as read, so that a person sees which ones the program used.
    pub async fn mark_seen(&mut self, uids: &[u32]) -> Result<()> {
        if uids.is_empty() {
            return Ok(());
        }
        within(MailboxPhase::Read, async {
            let stored = self
                .session
                .uid_store(set_of(uids), "+FLAGS.SILENT (\\Seen)")
                .await;
            let stored = stored.map_err(read_error)?;
            stored.try_collect::<Vec<_>>().await.map_err(read_error)?;
            Ok(())
        })
        .await
    }

    /// Whether the folder lets the program mark messages.
    pub fn can_mark(&self) -> bool {
        let flags = &self.folder.permanent_flags;
        flags.is_empty() || flags.contains(&Flag::Seen)
    }

    /// Ends the session. An error changes nothing any more.
    pub async fn close(mut self) {
        drop(timeout(Duration::from_secs(2), self.session.logout()).await);
    }
}

fn read_error(error: async_imap::error::Error) -> MailboxError {
    MailboxError::new(MailboxPhase::Read, error)
}

async fn within<T>(phase: MailboxPhase, work: impl Future<Output = Result<T>>) -> Result<T> {
    let late = format!("the mailbox's server takes too long ({phase:?})");
    // Boxed: a session is large, and this future is part of the callers' futures.
    let done = timeout(COMMAND_TIMEOUT, Box::pin(work)).await;
    done.map_err(|_late| MailboxError::new(MailboxPhase::Timeout, late))?
}

/// Formats a set of numbers as commands name it.
fn set_of(uids: &[u32]) -> String {
    let uids: Vec<String> = uids.iter().map(u32::to_string).collect();
    uids.join(",")
}

/// Formats a day as `SEARCH` wants it, such as `7-Sep-2026`.
fn search_date(at: i64) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let day = respiro_content::time::day(at);
    let month = MONTHS[usize::from(day.month().unsigned_abs()).saturating_sub(1) % 12];
    format!("{}-{month}-{}", day.day(), day.year())
}

/// Whether the header fields are those of a report, or of a message by a mail server.
fn is_candidate(head: &[u8]) -> bool {
    let Some(head) = MessageParser::default().parse_headers(head) else {
        return false;
    };
    let is_report = head.content_type().is_some_and(|found| {
        let subtype = found.subtype().unwrap_or_default();
        subtype.eq_ignore_ascii_case("report")
    });
    let from = head.from().and_then(|from| from.first()?.address());
    let user = from
        .unwrap_or_default()
        .split('@')
        .next()
        .unwrap_or_default();
    let is_server =
        user.to_ascii_lowercase().contains("daemon") || user.eq_ignore_ascii_case("postmaster");
    is_report || is_server || head.header_raw("X-Failed-Recipients").is_some()
}

/// Connects over TLS and reads the greeting.
async fn connect(options: &MailboxOptions) -> Result<Client<Limited<TlsStream<TcpStream>>>> {
    let tls = TlsConnector::from(Arc::new(tls_config(options)?));
    let place = (options.host.as_str(), options.port);
    let failed = |error| MailboxError::new(MailboxPhase::Connect, error);
    let mut stream = TcpStream::connect(place).await.map_err(failed)?;
    if options.is_starttls {
        let mut client = Client::new(Limited::new(stream));
        greeting(&mut client).await?;
        let asked = client.run_command_and_check_ok("STARTTLS", None).await;
        asked.map_err(|error| MailboxError::new(MailboxPhase::Tls, error))?;
        // What the server sent before TLS is dropped with the client.
        stream = client.into_inner().inner;
    }
    let name = ServerName::try_from(options.host.clone());
    let name = name.map_err(|error| MailboxError::new(MailboxPhase::Tls, error))?;
    let secured = tls.connect(name, stream).await;
    let secured = secured.map_err(|error| MailboxError::new(MailboxPhase::Tls, error))?;
    let mut client = Client::new(Limited::new(secured));
    if !options.is_starttls {
        greeting(&mut client).await?;
    }
    Ok(client)
}

async fn greeting<S>(client: &mut Client<S>) -> Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + fmt::Debug + Send,
{
    let failed = |reason: &str| MailboxError::new(MailboxPhase::Greeting, reason);
    match client.read_response().await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(failed("the server closes the connection")),
        Err(error) => Err(failed(&error.to_string())),
    }
}

/// TLS with the usual roots and the extra ones of the options.
fn tls_config(options: &MailboxOptions) -> Result<ClientConfig> {
    let failed = |reason: String| MailboxError::new(MailboxPhase::TrustRoots, reason);
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    for root in options
        .extra_roots
        .as_ref()
        .map_err(|reason| failed(reason.clone()))?
    {
        let added = roots.add(CertificateDer::from(root.clone()));
        added.map_err(|error| failed(error.to_string()))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| failed(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// A stream that ends with an error after a number of bytes.
#[derive(Debug)]
struct Limited<S> {
    inner: S,
    left: usize,
}

impl<S> Limited<S> {
    const fn new(inner: S) -> Self {
        Self {
            inner,
            left: SESSION_BYTES_MAX,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Limited<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let done = Pin::new(&mut self.inner).poll_read(context, buffer);
        let read = buffer.filled().len() - before;
        let Some(left) = self.left.checked_sub(read) else {
            let reason = "the mailbox's server sends more than was asked for";
            return Poll::Ready(Err(io::Error::other(reason)));
        };
        self.left = left;
        done
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Limited<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
