//! Looks up TXT records: a stub resolver that asks the name servers of the system.

use respiro_auth::token;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::timeout;

const RESOLV_CONF: &str = "/etc/resolv.conf";
/// As the resolver of the C library.
const SERVERS_MAX: usize = 3;
const PORT: u16 = 53;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
/// Largest answer over UDP: it fits one packet on every path (DNS flag day 2020).
const UDP_BYTES_MAX: u16 = 1_232;
/// Most strings that are returned, and most bytes of all of them.
const RECORDS_MAX: usize = 32;
const TEXT_BYTES_MAX: usize = 16 * 1024;
const NAME_BYTES_MAX: usize = 253;
const LABEL_BYTES_MAX: usize = 63;
const HEADER_BYTES: usize = 12;
const TYPE_TXT: u16 = 16;
const TYPE_OPT: u16 = 41;
const CLASS_IN: u16 = 1;
const NO_ERROR: u8 = 0;
const NO_SUCH_NAME: u8 = 3;

/// Why a name was not looked up.
#[derive(Debug, thiserror::Error)]
pub enum DnsError {
    #[error("is no host name")]
    InvalidName,
    #[error("no name server answers")]
    NoAnswer,
    /// The name server refused, or failed.
    #[error("the name server answers with code {0}")]
    Refused(u8),
    #[error("the answer cannot be read")]
    Malformed,
}

/// The name servers that are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsResolver {
    servers: Vec<SocketAddr>,
}

impl DnsResolver {
    pub const fn new(servers: Vec<SocketAddr>) -> Self {
        Self { servers }
    }

    /// Reads the name servers of the system.
    pub fn system() -> Self {
        let text = std::fs::read_to_string(RESOLV_CONF).unwrap_or_default();
        Self::new(parse_resolv_conf(&text))
    }

    /// Returns the texts of the TXT records of a name; none if the name does not exist.
    pub async fn txt(&self, name: &str) -> Result<Vec<String>, DnsError> {
        let query = Query::new(name)?;
        for server in &self.servers {
            match timeout(ANSWER_TIMEOUT, query.ask(*server)).await {
                Ok(Ok(answer)) => return query.texts(&answer),
                Ok(Err(error)) => tracing::debug!(%error, %server, "a name server failed"),
                Err(_) => tracing::debug!(%server, "a name server does not answer"),
            }
        }
        Err(DnsError::NoAnswer)
    }
}

fn parse_resolv_conf(text: &str) -> Vec<SocketAddr> {
    let addresses = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let is_server = words.next() == Some("nameserver");
        // A link-local address names its interface after a percent sign, which is not parsed.
        words.next().filter(|_| is_server)?.parse::<IpAddr>().ok()
    });
    let mut servers: Vec<IpAddr> = addresses.take(SERVERS_MAX).collect();
    if servers.is_empty() {
        servers.push(Ipv4Addr::LOCALHOST.into());
    }
    servers
        .into_iter()
        .map(|address| SocketAddr::new(address, PORT))
        .collect()
}

/// A query, which its answer repeats.
struct Query {
    id: [u8; 2],
    /// Name, type and class, as they are sent.
    question: Vec<u8>,
}

impl Query {
    fn new(name: &str) -> Result<Self, DnsError> {
        let name = name.trim_end_matches('.');
        let is_valid = |label: &str| {
            let mut bytes = label.bytes();
            (1..=LABEL_BYTES_MAX).contains(&label.len())
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        if name.len() > NAME_BYTES_MAX || !name.split('.').all(is_valid) {
            return Err(DnsError::InvalidName);
        }
        let mut question = Vec::with_capacity(name.len() + 6);
        for label in name.split('.') {
            question.push(u8::try_from(label.len()).unwrap_or_default());
            question.extend_from_slice(label.as_bytes());
        }
        question.push(0);
        question.extend_from_slice(&TYPE_TXT.to_be_bytes());
        question.extend_from_slice(&CLASS_IN.to_be_bytes());
        let random = token::id().or(Err(DnsError::NoAnswer))?;
        let [high, low, ..] = token::hash(&random);
        Ok(Self {
            id: [high, low],
            question,
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.id.to_vec();
        // Recursion desired; one question, no answers, one additional record.
        bytes.extend_from_slice(&[1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
        bytes.extend_from_slice(&self.question);
        bytes.push(0);
        bytes.extend_from_slice(&TYPE_OPT.to_be_bytes());
        bytes.extend_from_slice(&UDP_BYTES_MAX.to_be_bytes());
        bytes.extend_from_slice(&[0; 6]);
        bytes
    }

    /// Asks over UDP, and again over TCP if the answer was cut off.
    async fn ask(&self, server: SocketAddr) -> io::Result<Vec<u8>> {
        let any: SocketAddr = if server.is_ipv4() {
            (Ipv4Addr::UNSPECIFIED, 0).into()
        } else {
            (std::net::Ipv6Addr::UNSPECIFIED, 0).into()
        };
        let socket = UdpSocket::bind(any).await?;
        socket.connect(server).await?;
        socket.send(&self.to_bytes()).await?;
        let mut buffer = vec![0; usize::from(UDP_BYTES_MAX)];
        loop {
            let length = socket.recv(&mut buffer).await?;
            let answer = buffer.get(..length).unwrap_or_default();
            // A packet of another query, or one that was made up.
            if !self.is_answered_by(answer) {
                continue;
            }
            let is_truncated = answer.get(2).is_some_and(|flags| flags & 2 != 0);
            return if is_truncated {
                self.ask_over_tcp(server).await
            } else {
                Ok(answer.to_vec())
            };
        }
    }

    async fn ask_over_tcp(&self, server: SocketAddr) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(server).await?;
        let bytes = self.to_bytes();
        let length = u16::try_from(bytes.len()).map_err(io::Error::other)?;
        stream.write_all(&length.to_be_bytes()).await?;
        stream.write_all(&bytes).await?;
        let length = stream.read_u16().await?;
        let mut answer = vec![0; usize::from(length)];
        stream.read_exact(&mut answer).await?;
        if !self.is_answered_by(&answer) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(answer)
    }

    /// Whether the bytes are a response with this id and this question.
    fn is_answered_by(&self, bytes: &[u8]) -> bool {
        let question = bytes.get(HEADER_BYTES..HEADER_BYTES + self.question.len());
        bytes.starts_with(&self.id)
            && bytes.get(2).is_some_and(|flags| flags & 0x80 != 0)
            && bytes.get(4..6) == Some(&[0, 1])
            && question.is_some_and(|question| question.eq_ignore_ascii_case(&self.question))
    }

    /// Returns the texts of all TXT records; those behind a CNAME have the other name.
    fn texts(&self, answer: &[u8]) -> Result<Vec<String>, DnsError> {
        match answer.get(3).map(|flags| flags & 0x0f) {
            Some(NO_ERROR) => {}
            Some(NO_SUCH_NAME) => return Ok(Vec::new()),
            Some(code) => return Err(DnsError::Refused(code)),
            None => return Err(DnsError::Malformed),
        }
        let count = answer.get(6..8).map_or(0, to_u16);
        let mut rest = answer
            .get(HEADER_BYTES + self.question.len()..)
            .ok_or(DnsError::Malformed)?;
        let mut texts = Vec::new();
        let mut bytes_left = TEXT_BYTES_MAX;
        for _ in 0..count {
            let (record_type, data, behind) = split_record(rest).ok_or(DnsError::Malformed)?;
            rest = behind;
            if record_type == TYPE_TXT && texts.len() < RECORDS_MAX {
                let text = join_strings(data).ok_or(DnsError::Malformed)?;
                bytes_left = bytes_left.saturating_sub(text.len());
                if bytes_left > 0 {
                    texts.push(text);
                }
            }
        }
        Ok(texts)
    }
}

fn to_u16(bytes: &[u8]) -> u16 {
    bytes
        .iter()
        .fold(0, |number, byte| (number << 8) | u16::from(*byte))
}

/// Splits the first resource record into type, data and what follows.
fn split_record(bytes: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let bytes = skip_name(bytes)?;
    let (head, rest) = bytes.split_at_checked(10)?;
    let length = usize::from(to_u16(head.get(8..10)?));
    let (data, behind) = rest.split_at_checked(length)?;
    Some((to_u16(head.get(..2)?), data, behind))
}

/// A compressed name ends with a pointer, which is not followed.
fn skip_name(mut bytes: &[u8]) -> Option<&[u8]> {
    loop {
        let (length, rest) = bytes.split_first()?;
        match length {
            0 => return Some(rest),
            pointer if pointer & 0xc0 == 0xc0 => return rest.get(1..),
            length if length & 0xc0 == 0 => bytes = rest.get(usize::from(*length)..)?,
            _ => return None,
        }
    }
}

/// A text is sent in parts of up to 255 bytes. Bytes that are no printable ASCII become `?`: the
/// panel shows the text.
fn join_strings(mut data: &[u8]) -> Option<String> {
    let mut text = String::new();
    while let Some((length, rest)) = data.split_first() {
        let (part, behind) = rest.split_at_checked(usize::from(*length))?;
        let is_printable = |byte: &u8| (b' '..=b'~').contains(byte);
        let shown = |byte: &u8| {
            if is_printable(byte) {
                char::from(*byte)
            } else {
                '?'
            }
        };
        text.extend(part.iter().map(shown));
        data = behind;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query() -> Query {
        let mut query = Query::new("_dmarc.example.org").unwrap();
        query.id = [7, 9];
        query
    }

    /// Returns an answer with these resource records.
    fn answer_of(query: &Query, code: u8, records: &[&[u8]]) -> Vec<u8> {
        let mut bytes = query.id.to_vec();
        let count = u8::try_from(records.len()).unwrap();
        bytes.extend([0x81, 0x80 | code, 0, 1, 0, count, 0, 0, 0, 0]);
        bytes.extend(&query.question);
        bytes.extend(records.concat());
        bytes
    }

    fn txt(parts: &[&[u8]]) -> Vec<u8> {
        let mut data = Vec::new();
        for part in parts {
            data.push(u8::try_from(part.len()).unwrap());
            data.extend_from_slice(part);
        }
        let length = u8::try_from(data.len()).unwrap();
        let mut record = vec![0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, length];
        record.extend(data);
        record
    }

    #[test]
    fn the_texts_of_an_answer_are_joined_from_their_parts() {
        let query = query();
        let cname = [&[0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 2][..], &[0xc0, 12]].concat();
        let text = txt(&[b"v=DMARC1; ", b"p=none\x07"]);
        let answer = answer_of(&query, 0, &[&cname, &text]);
        assert!(query.is_answered_by(&answer));
        assert_eq!(query.texts(&answer).unwrap(), ["v=DMARC1; p=none?"]);
        let none = answer_of(&query, NO_SUCH_NAME, &[]);
        assert_eq!(query.texts(&none).unwrap(), [""; 0]);
        let failed = answer_of(&query, 2, &[]);
        assert!(matches!(query.texts(&failed), Err(DnsError::Refused(2))));
    }

    /// Cut at every place, and with every byte changed, an answer is read or refused.
    #[test]
    fn a_broken_answer_is_refused() {
        let query = query();
        let whole = answer_of(&query, 0, &[&txt(&[b"v=spf1 -all"])]);
        for length in 0..whole.len() {
            assert!(query.texts(&whole[..length]).is_err(), "{length}");
        }
        for place in 0..whole.len() {
            for value in [0, 1, 0x3f, 0x40, 0xc0, 0xff] {
                let mut broken = whole.clone();
                broken[place] = value;
                let _ = query.texts(&broken);
            }
        }
        let endless = [0x3f; 600];
        assert!(split_record(&endless).is_none());
    }

    #[test]
    fn an_answer_to_another_question_is_none() {
        let query = query();
        let answer = answer_of(&query, 0, &[]);
        let mut other_id = answer.clone();
        other_id[0] ^= 1;
        assert!(!query.is_answered_by(&other_id));
        assert!(!query.is_answered_by(&query.to_bytes()), "a query");
        let mut other_name = answer;
        other_name[14] ^= 1;
        assert!(!query.is_answered_by(&other_name));
    }

    #[test]
    fn a_name_is_checked_before_it_is_sent() {
        let long = "a".repeat(64);
        let many = "abc.".repeat(80);
        for wrong in ["", ".", "a..b", "a b.it", "a\0.it", "è.it", &long, &many] {
            assert!(Query::new(wrong).is_err(), "{wrong}");
        }
        assert!(Query::new("s1._domainkey.example.org.").is_ok());
    }

    #[test]
    fn the_name_servers_of_the_system_are_read() {
        let text = "# a comment\nsearch lan\nnameserver 192.0.2.1\nnameserver fe80::1%eth0\n\
                    nameserver 2001:db8::1\n";
        let servers = parse_resolv_conf(text);
        let expected = ["192.0.2.1:53", "[2001:db8::1]:53"];
        assert_eq!(servers, expected.map(|server| server.parse().unwrap()));
        assert_eq!(parse_resolv_conf(""), ["127.0.0.1:53".parse().unwrap()]);
    }
}
