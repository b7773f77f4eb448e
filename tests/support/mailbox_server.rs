//! Test helper: IMAP server with one folder, over TLS, that answers as a test configures it.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test binary uses a part, and stops where a step fails"
)]

use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_mins(1);
pub const USER: &str = "sito@example.org";
pub const PASSWORD: &str = "segreta \"e\\ lunga";

#[derive(Debug, Clone)]
struct Stored {
    uid: u32,
    bytes: Vec<u8>,
    is_seen: bool,
}

#[derive(Debug, Default)]
struct Folder {
    uid_validity: u32,
    next_uid: u32,
    messages: Vec<Stored>,
    /// Every received line, with the prefix `tls ` if it was encrypted.
    heard: Vec<String>,
    /// Configured answers, by the start of a command after its tag.
    answers: Vec<(String, String)>,
}

pub struct MailboxServer {
    pub port: u16,
    folder: Arc<Mutex<Folder>>,
}

impl MailboxServer {
    /// Starts the server with a certificate for `localhost`; writes its root to the file that
    /// `root` names.
    pub fn start(is_starttls: bool, place: &Path) -> Self {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        std::fs::write(root(place), made.cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let tls = Arc::new(tls);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let folder = Arc::new(Mutex::new(Folder {
            uid_validity: 7,
            next_uid: 1,
            ..Folder::default()
        }));
        let own = Arc::clone(&folder);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (tls, folder, stream) = (Arc::clone(&tls), Arc::clone(&own), stream.unwrap());
                thread::spawn(move || serve(stream, is_starttls, &tls, &folder));
            }
        });
        Self { port, folder }
    }

    /// Adds a message. Returns its number.
    pub fn add(&self, bytes: &[u8]) -> u32 {
        let mut folder = self.folder.lock().unwrap();
        let uid = folder.next_uid;
        folder.next_uid += 1;
        folder.messages.push(Stored {
            uid,
            bytes: bytes.to_vec(),
            is_seen: false,
        });
        uid
    }

    /// Numbers the messages anew, as a server does after a restore.
    pub fn renumber(&self, first: u32) {
        let mut folder = self.folder.lock().unwrap();
        folder.uid_validity += 1;
        for (uid, message) in (first..).zip(&mut folder.messages) {
            message.uid = uid;
        }
        folder.next_uid = first + u32::try_from(folder.messages.len()).unwrap();
    }

    /// Returns the numbers of the messages that are marked as read.
    pub fn seen(&self) -> Vec<u32> {
        let folder = self.folder.lock().unwrap();
        let seen = folder.messages.iter().filter(|message| message.is_seen);
        seen.map(|message| message.uid).collect()
    }

    pub fn heard(&self) -> Vec<String> {
        self.folder.lock().unwrap().heard.clone()
    }

    /// Returns how often a command was received.
    pub fn count(&self, command: &str) -> usize {
        let heard = self.heard();
        heard.iter().filter(|line| line.contains(command)).count()
    }

    /// Sets the answer to commands that start with `command`: `TAG` stands for the tag; `None`
    /// restores the default. An empty answer closes the connection.
    pub fn answer(&self, command: &str, answer: Option<&str>) {
        let mut folder = self.folder.lock().unwrap();
        folder.answers.retain(|(known, _)| known != command);
        let answer = answer.map(|answer| (command.to_owned(), answer.to_owned()));
        folder.answers.extend(answer);
    }
}

pub fn root(place: &Path) -> PathBuf {
    place.join("mailbox-root.pem")
}

fn serve(mut stream: TcpStream, starttls: bool, tls: &Arc<ServerConfig>, folder: &Mutex<Folder>) {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    if starttls && !talk(&mut stream, folder, true, false) {
        return;
    }
    let connection = ServerConnection::new(Arc::clone(tls)).unwrap();
    talk(
        &mut StreamOwned::new(connection, stream),
        folder,
        !starttls,
        true,
    );
}

/// Handles commands until the client disconnects, or asks for TLS: then returns `true`.
fn talk(wire: &mut (impl Read + Write), folder: &Mutex<Folder>, greets: bool, tls: bool) -> bool {
    if greets && wire.write_all(b"* OK mailbox for tests\r\n").is_err() {
        return false;
    }
    while let Some(line) = line(wire) {
        let (tag, command) = line.split_once(' ').unwrap();
        let mut folder = folder.lock().unwrap();
        let mark = if tls { "tls " } else { "" };
        folder.heard.push(format!("{mark}{command}"));
        let mut answers = folder.answers.iter();
        let set = answers.find(|(known, _)| command.starts_with(known.as_str()));
        let answer = match set {
            Some((_, set)) if set.is_empty() => return false,
            Some((_, set)) => set.replace("TAG", tag).into_bytes(),
            None => folder.answer(tag, command),
        };
        drop(folder);
        if wire.write_all(&answer).and_then(|()| wire.flush()).is_err() {
            return false;
        }
        match command {
            "STARTTLS" => return true,
            "LOGOUT" => return false,
            _ => {}
        }
    }
    false
}

impl Folder {
    fn answer(&mut self, tag: &str, command: &str) -> Vec<u8> {
        let quoted = PASSWORD.replace('\\', "\\\\").replace('"', "\\\"");
        let mut answer = Vec::new();
        if command.starts_with("LOGIN ") {
            if command != format!("LOGIN \"{USER}\" \"{quoted}\"") {
                return format!("{tag} NO [AUTHENTICATIONFAILED] {USER} is unknown\r\n")
                    .into_bytes();
            }
        } else if command.starts_with("SELECT ") {
            if !["SELECT \"INBOX\"", "SELECT \"Posta tornata\""].contains(&command) {
                return format!("{tag} NO no such folder\r\n").into_bytes();
            }
            let mut said = String::new();
            write!(
                said,
                "* FLAGS (\\Seen \\Deleted)\r\n* {} EXISTS\r\n* 0 RECENT\r\n\
                 * OK [PERMANENTFLAGS (\\Seen \\Deleted \\*)] yes\r\n\
                 * OK [UIDVALIDITY {}] yes\r\n* OK [UIDNEXT {}] yes\r\n",
                self.messages.len(),
                self.uid_validity,
                self.next_uid
            )
            .unwrap();
            answer.extend(said.into_bytes());
        } else if let Some(query) = command.strip_prefix("UID SEARCH ") {
            // As servers do: `n:*` always contains the last message.
            let set = query.strip_prefix("UID ").unwrap_or("1:*");
            let from = set
                .strip_suffix(":*")
                .map(|from| from.parse::<u32>().unwrap());
            let last = self.messages.last().map(|message| message.uid);
            let found = self.messages.iter().map(|message| message.uid);
            let found = found.filter(|uid| match from {
                Some(from) => *uid >= from || Some(*uid) == last,
                None => set.split(',').any(|one| one == uid.to_string()),
            });
            let found = found.map(|uid| format!(" {uid}"));
            let found = found.collect::<Vec<String>>().concat();
            answer.extend(format!("* SEARCH{found}\r\n").into_bytes());
        } else if let Some(rest) = command.strip_prefix("UID FETCH ") {
            let (set, query) = rest.split_once(' ').unwrap();
            for (number, message) in (1..).zip(&self.messages) {
                if set.split(',').any(|uid| uid == message.uid.to_string()) {
                    answer.extend(fetched(number, message, query));
                }
            }
        } else if let Some(rest) = command.strip_prefix("UID STORE ") {
            let (set, flags) = rest.split_once(' ').unwrap();
            assert_eq!(flags, "+FLAGS.SILENT (\\Seen)");
            for message in &mut self.messages {
                message.is_seen |= set.split(',').any(|uid| uid == message.uid.to_string());
            }
        } else if command == "LOGOUT" {
            answer.extend(b"* BYE\r\n");
        }
        answer.extend(format!("{tag} OK done\r\n").into_bytes());
        answer
    }
}

fn fetched(number: u32, message: &Stored, query: &str) -> Vec<u8> {
    let (section, rest) = query
        .split_once("BODY.PEEK[")
        .unwrap()
        .1
        .split_once(']')
        .unwrap();
    let (_, length) = rest.trim_end_matches([')', '>']).split_once('.').unwrap();
    let bytes = if section.is_empty() {
        message.bytes.clone()
    } else {
        let end = message
            .bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n");
        message.bytes[..end.map_or(message.bytes.len(), |end| end + 4)].to_vec()
    };
    let bytes = &bytes[..bytes.len().min(length.parse().unwrap())];
    let head = format!(
        "* {number} FETCH (UID {} BODY[{section}]<0> {{{}}}\r\n",
        message.uid,
        bytes.len()
    );
    [head.as_bytes(), bytes, b")\r\n"].concat()
}

fn line(wire: &mut impl Read) -> Option<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n") {
        match wire.read(&mut byte) {
            Ok(1) => bytes.push(byte[0]),
            _ => return None,
        }
    }
    Some(String::from_utf8(bytes).unwrap().trim_end().to_owned())
}

/// A report by a mail server about the message with this Message-ID.
pub fn bounce(message_id: &str, recipient: &str, status: &str) -> Vec<u8> {
    let report = format!(
        "From: MAILER-DAEMON@mx.example.com\nTo: {USER}\nSubject: Undelivered\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b1\n\n\
         --b1\nContent-Type: text/plain\n\nNot delivered.\n\
         --b1\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\n\
         Final-Recipient: rfc822; {recipient}\nAction: failed\nStatus: {status}\n\n\
         --b1\nContent-Type: text/rfc822-headers\n\nMessage-ID: {message_id}\nTo: {recipient}\n\n\
         --b1--\n"
    );
    report.replace('\n', "\r\n").into_bytes()
}

/// A report of a recipient's complaint that hides the recipient.
pub fn complaint(message_id: &str) -> Vec<u8> {
    let report = format!(
        "From: feedback@provider.example\nTo: {USER}\nSubject: FW\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=b1\n\n\
         --b1\nContent-Type: text/plain\n\nA complaint.\n\
         --b1\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n\n\
         --b1\nContent-Type: message/rfc822\n\nMessage-ID: {message_id}\nTo: redacted\n\nCiao\n\
         --b1--\n"
    );
    report.replace('\n', "\r\n").into_bytes()
}
