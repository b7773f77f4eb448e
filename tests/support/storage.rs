//! Test helper: in-process object storage with the part of the S3 API that off-site copies use.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test binary uses a part and stops where a step fails"
)]

use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

type Objects = BTreeMap<String, Vec<u8>>;
/// Gets the objects, the method and the key of a call. May change the objects first; `true` refuses
/// the call.
type Refuse = Box<dyn Fn(&mut Objects, &str, &str) -> bool + Send>;

#[derive(Default)]
pub struct Inside {
    pub objects: Objects,
    /// Method and key of each call, in order.
    pub calls: Vec<(String, String)>,
    pub refuse: Option<Refuse>,
    /// Modification time of all objects in listings.
    pub modified: Option<&'static str>,
    /// Delay of each answer.
    pub pause: Duration,
}

pub struct Fake {
    pub inside: Arc<Mutex<Inside>>,
    pub port: u16,
}

impl Fake {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let inside: Arc<Mutex<Inside>> = Arc::default();
        let own = Arc::clone(&inside);
        // The thread ends with the process of the test.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let inside = Arc::clone(&own);
                thread::spawn(move || answer(stream, &inside));
            }
        });
        Self { inside, port }
    }

    pub fn names(&self, start: &str) -> Vec<String> {
        let inside = self.inside.lock().unwrap();
        let names = inside.objects.keys().filter(|name| name.starts_with(start));
        names.cloned().collect()
    }

    pub fn change(&self, change: impl FnOnce(&mut Inside)) {
        change(&mut self.inside.lock().unwrap());
    }
}

/// Answers one request; each has a connection of its own.
fn answer(stream: TcpStream, inside: &Mutex<Inside>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut words = line.split_ascii_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return;
    };
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.split_once(':') else {
            break;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let (status, told) = serve(method, target, body, &mut inside.lock().unwrap());
    let pause = inside.lock().unwrap().pause;
    thread::sleep(pause);
    let head = format!(
        "HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        told.len()
    );
    let mut stream = stream;
    // The client may have been killed.
    let _ = stream.write_all(&[head.as_bytes(), &told].concat());
}

fn serve(method: &str, target: &str, body: Vec<u8>, inside: &mut Inside) -> (u16, Vec<u8>) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let key = decoded(path)
        .trim_start_matches("/b")
        .trim_start_matches('/')
        .to_owned();
    inside.calls.push((method.to_owned(), key.clone()));
    if inside
        .refuse
        .as_ref()
        .is_some_and(|refuse| refuse(&mut inside.objects, method, &key))
    {
        return (403, b"<Error><Code>AccessDenied</Code></Error>".to_vec());
    }
    match method {
        "PUT" => {
            inside.objects.insert(key, body);
            (200, Vec::new())
        }
        "DELETE" => {
            inside.objects.remove(&key);
            (204, Vec::new())
        }
        _ if key.is_empty() => {
            let mut parameters = query.split('&').filter_map(|pair| pair.split_once('='));
            let start = parameters.find(|(name, _)| *name == "prefix");
            let start = decoded(start.map_or("", |(_, value)| value));
            let modified = inside.modified.map_or_else(String::new, |at| {
                format!("<LastModified>{at}</LastModified>")
            });
            let mut told = "<ListBucketResult><IsTruncated>false</IsTruncated>".to_owned();
            for (name, bytes) in inside
                .objects
                .iter()
                .filter(|(name, _)| name.starts_with(&start))
            {
                let size = bytes.len();
                let _ = write!(
                    told,
                    "<Contents><Key>{name}</Key><Size>{size}</Size>{modified}</Contents>"
                );
            }
            (200, (told + "</ListBucketResult>").into_bytes())
        }
        _ => inside.objects.get(&key).map_or_else(
            || (404, b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
            |bytes| (200, bytes.clone()),
        ),
    }
}
