//! Test helper: SMTP server that accepts messages, also over TLS, and answers as a test configures
//! it.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "each test binary uses a part, and stops where a step fails"
)]

use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for expected events, long enough for a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

const LOOK: Duration = Duration::from_millis(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    Plainly,
    WithStartTls,
    WithTls,
}

/// A message as received.
#[derive(Debug)]
pub struct Taken {
    pub to: String,
    pub text: String,
}

impl Taken {
    /// Returns the value of a header, unfolded.
    pub fn header(&self, name: &str) -> String {
        let (head, _) = self.text.split_once("\r\n\r\n").unwrap();
        let head = head.replace("\r\n ", " ");
        let start = format!("{name}: ");
        let mut values = head.lines().filter_map(|line| line.strip_prefix(&start));
        let value = values.next().unwrap_or_default().to_owned();
        assert!(values.next().is_none(), "{name} stands twice");
        value
    }

    /// Returns the text that the recipient reads.
    pub fn body(&self) -> String {
        // The first part of a multipart message is plain text.
        if self.header("Content-Type").starts_with("multipart/") {
            return self.parts().swap_remove(0);
        }
        let (_, body) = self.text.split_once("\r\n\r\n").unwrap();
        match self.header("Content-Transfer-Encoding").as_str() {
            "7bit" => body.to_owned(),
            "quoted-printable" => from_quoted_printable(body),
            other => panic!("{other} is not read here"),
        }
    }

    /// Returns the text of each part of a multipart message, in order.
    pub fn parts(&self) -> Vec<String> {
        let kind = self.header("Content-Type");
        let (_, rest) = kind.split_once("boundary=\"").unwrap();
        let (boundary, _) = rest.split_once('"').unwrap();
        let between = format!("\r\n--{boundary}");
        let parts = self.text.split(&between).skip(1);
        let parts = parts.map(|part| Self {
            to: self.to.clone(),
            text: part.trim_start().to_owned(),
        });
        // Two dashes follow the last boundary.
        let parts = parts.filter(|part| !part.text.starts_with("--"));
        parts.map(|part| part.body()).collect()
    }

    /// Returns the path of the only link that contains `word`.
    pub fn link(&self, word: &str) -> String {
        let body = self.body();
        let mut lines = body.lines().filter(|line| line.contains(word));
        let line = lines.next().unwrap();
        assert!(lines.next().is_none(), "{body}");
        line[line.find("/newsletter/").unwrap()..].to_owned()
    }
}

fn from_quoted_printable(body: &str) -> String {
    let body = body.replace("=\r\n", "");
    let mut parts = body.split('=');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}

pub struct MailServer {
    pub port: u16,
    taken: Receiver<Taken>,
    shared: Arc<Shared>,
}

struct Shared {
    begins: Begins,
    tls: Arc<ServerConfig>,
    /// Every received line, with the prefix `tls ` if it was encrypted.
    heard: Mutex<Vec<String>>,
    /// Configured answers, by the start of the command.
    answers: Mutex<Vec<(String, String)>>,
    taken: Sender<Taken>,
}

impl MailServer {
    /// Starts the server with a certificate for `localhost`; writes its root to the file that
    /// `root` names.
    pub fn start(begins: Begins, folder: &Path) -> Self {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        std::fs::write(root(folder), made.cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, taken) = mpsc::channel();
        let shared = Arc::new(Shared {
            begins,
            tls: Arc::new(tls),
            heard: Mutex::default(),
            answers: Mutex::default(),
            taken: sender,
        });
        let own = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                own.serve(stream.unwrap());
            }
        });
        Self {
            port,
            taken,
            shared,
        }
    }

    /// Waits for the next message.
    pub fn next(&self) -> Taken {
        self.taken.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for the next message while the sender runs in the same thread.
    pub async fn arriving(&self) -> Taken {
        let started = Instant::now();
        loop {
            match self.taken.try_recv() {
                Ok(taken) => return taken,
                Err(_) => assert!(started.elapsed() < PATIENCE, "{:?}", self.heard()),
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until a command is received.
    pub async fn hears(&self, command: &str) {
        let started = Instant::now();
        while self.count(command) == 0 {
            assert!(started.elapsed() < PATIENCE, "{:?}", self.heard());
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Returns the recipients of the messages that have arrived since.
    pub fn recipients(&self) -> Vec<String> {
        self.taken.try_iter().map(|taken| taken.to).collect()
    }

    pub fn has_more(&self) -> bool {
        self.taken.try_recv().is_ok()
    }

    pub fn heard(&self) -> Vec<String> {
        self.shared.heard.lock().unwrap().clone()
    }

    /// Returns how often a command was received.
    pub fn count(&self, command: &str) -> usize {
        let heard = self.heard();
        heard.iter().filter(|line| line.contains(command)).count()
    }

    /// Sets the answer to `command`, or to a line that starts so; `None` restores the default.
    /// `END` is the end of a message; the value of `SLEEP` is the delay of that answer in
    /// milliseconds.
    pub fn answer(&self, command: &str, answer: Option<&str>) {
        let mut answers = self.shared.answers.lock().unwrap();
        answers.retain(|(known, _)| known != command);
        answers.extend(answer.map(|answer| (command.to_owned(), answer.to_owned())));
    }
}

pub fn root(folder: &Path) -> PathBuf {
    folder.join("mail-root.pem")
}

impl Shared {
    fn serve(&self, stream: TcpStream) {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        if self.begins == Begins::WithTls {
            self.talk(&mut self.encrypted(stream), true, true);
            return;
        }
        let mut stream = stream;
        if self.talk(&mut stream, true, false) {
            self.talk(&mut self.encrypted(stream), false, true);
        }
    }

    fn encrypted(&self, stream: TcpStream) -> StreamOwned<ServerConnection, TcpStream> {
        let connection = ServerConnection::new(Arc::clone(&self.tls)).unwrap();
        StreamOwned::new(connection, stream)
    }

    /// Handles commands until the client disconnects, or asks for TLS: then returns `true`. A
    /// client that refuses the certificate disconnects in the middle of a line.
    fn talk(&self, wire: &mut (impl Read + Write), greets: bool, is_encrypted: bool) -> bool {
        if greets && wire.write_all(b"220 mail for tests\r\n").is_err() {
            return false;
        }
        let mut to = String::new();
        while let Some(line) = line(wire) {
            let mark = if is_encrypted { "tls " } else { "" };
            self.heard.lock().unwrap().push(format!("{mark}{line}"));
            let command = line.split([' ', ':']).next().unwrap().to_owned();
            let set = self.set_for(&line).or_else(|| self.set(&command));
            let is_refused = set.as_deref().is_some_and(|set| !set.starts_with('2'));
            let answer = set.unwrap_or_else(|| self.usual(&command, is_encrypted).to_owned());
            if wire.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
                return false;
            }
            match command.as_str() {
                "RCPT" => to = line,
                "DATA" if !is_refused => {
                    let text = message(wire);
                    if let Some(milliseconds) = self.set("SLEEP") {
                        thread::sleep(Duration::from_millis(milliseconds.parse().unwrap()));
                    }
                    let end = self.set("END").unwrap_or_else(|| "250 taken".to_owned());
                    if end.starts_with('2') {
                        let to = to.clone();
                        self.taken.send(Taken { to, text }).unwrap();
                    }
                    wire.write_all(format!("{end}\r\n").as_bytes()).unwrap();
                }
                "STARTTLS" if !is_refused => return true,
                "QUIT" => return false,
                _ => {}
            }
        }
        false
    }

    /// Returns the answer that is set for this line alone, such as `RCPT TO:<a`.
    fn set_for(&self, line: &str) -> Option<String> {
        let answers = self.answers.lock().unwrap();
        let mut of_lines = answers.iter().filter(|(known, _)| known.contains(' '));
        let found = of_lines.find(|(known, _)| line.starts_with(known.as_str()))?;
        Some(found.1.clone())
    }

    fn set(&self, command: &str) -> Option<String> {
        let answers = self.answers.lock().unwrap();
        let found = answers.iter().find(|(known, _)| known == command)?;
        Some(found.1.clone())
    }

    fn usual(&self, command: &str, is_encrypted: bool) -> &'static str {
        match command {
            "EHLO" if self.begins == Begins::WithStartTls && !is_encrypted => {
                "250-tests\r\n250 STARTTLS"
            }
            "EHLO" => "250-tests\r\n250 AUTH PLAIN LOGIN",
            "AUTH" => "235 welcome",
            "STARTTLS" => "220 go on",
            "DATA" => "354 go on",
            "QUIT" => "221 bye",
            _ => "250 fine",
        }
    }
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

fn message(wire: &mut impl Read) -> String {
    let mut text = String::new();
    while let Some(line) = line(wire) {
        if line == "." {
            break;
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
        text.push_str("\r\n");
    }
    text
}
