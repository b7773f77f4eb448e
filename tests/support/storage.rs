//! Test helper: in-process object storage with the part of the S3 API that off-site copies use.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test binary uses a part and stops where a step fails"
)]

use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

type Objects = BTreeMap<String, Vec<u8>>;
/// Gets the objects, the method and the key of a call. May change the objects first; `true` refuses
/// the call.
type Refuse = Box<dyn Fn(&mut Objects, &str, &str) -> bool + Send>;
/// Returns the checksum of an object, as S3 writes it.
type Checksum = fn(&[u8]) -> String;

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
    /// Delay of each 16 KiB of an answer.
    pub pace: Duration,
    /// Headers of each call, in order.
    pub headers: Vec<Headers>,
    pub ignores_ranges: bool,
    pub ignores_preconditions: bool,
    /// Verifies and reports checksums, if set.
    pub checksum: Option<Checksum>,
    /// Reports the checksum that the client sent, without a look at the bytes.
    pub echoes_checksums: bool,
    checksums: BTreeMap<String, String>,
    parts: BTreeMap<u32, Vec<u8>>,
}

type Headers = BTreeMap<String, String>;
const SLICE_BYTES: usize = 16 * 1024;
const CHECKSUM: &str = "x-amz-checksum-sha256";

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
    let mut headers = Headers::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length");
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    if reader.read_exact(&mut body).is_err() {
        // The client gave up.
        return;
    }
    let (answer, pause, pace) = {
        let mut inside = inside.lock().unwrap();
        let answer = serve((method, target), &headers, body, &mut inside);
        (answer, inside.pause, inside.pace)
    };
    thread::sleep(pause);
    let Answer { status, told, more } = answer;
    let head = format!(
        "HTTP/1.1 {status} x\r\nContent-Length: {}\r\n{more}Connection: close\r\n\r\n",
        told.len()
    );
    let told = if method == "HEAD" { Vec::new() } else { told };
    let mut stream = stream;
    // The client may have been killed.
    if pace.is_zero() {
        let _ = stream.write_all(&[head.as_bytes(), &told].concat());
        return;
    }
    let _ = stream.write_all(head.as_bytes());
    for slice in told.chunks(SLICE_BYTES) {
        thread::sleep(pace);
        if stream.write_all(slice).is_err() {
            return;
        }
    }
}

struct Answer {
    status: u16,
    told: Vec<u8>,
    /// Further header lines.
    more: String,
}

impl Answer {
    const fn new(status: u16, told: Vec<u8>) -> Self {
        Self {
            status,
            told,
            more: String::new(),
        }
    }

    fn error(status: u16, code: &str) -> Self {
        Self::new(
            status,
            format!("<Error><Code>{code}</Code></Error>").into_bytes(),
        )
    }
}

fn tag_of(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// Whether the preconditions of a write hold.
fn holds(headers: &Headers, former: Option<&Vec<u8>>) -> bool {
    let tag = former.map(|bytes| tag_of(bytes));
    let is_matched = headers
        .get("if-match")
        .is_none_or(|wanted| Some(wanted) == tag.as_ref());
    is_matched && (headers.get("if-none-match").is_none() || tag.is_none())
}

fn put(key: &str, headers: &Headers, body: Vec<u8>, inside: &mut Inside) -> Answer {
    if !inside.ignores_preconditions && !holds(headers, inside.objects.get(key)) {
        return Answer::error(412, "PreconditionFailed");
    }
    let sent = headers.get(CHECKSUM);
    if let (Some(sent), Some(checksum)) = (sent, inside.checksum)
        && checksum(&body) != *sent
    {
        return Answer::error(400, "BadDigest");
    }
    inside.checksums.remove(key);
    if let Some(sent) = sent.filter(|_| inside.checksum.is_some() || inside.echoes_checksums) {
        inside.checksums.insert(key.to_owned(), sent.clone());
    }
    let more = format!("ETag: {}\r\n", tag_of(&body));
    inside.objects.insert(key.to_owned(), body);
    Answer {
        more,
        ..Answer::new(200, Vec::new())
    }
}

fn get(key: &str, headers: &Headers, inside: &Inside) -> Answer {
    let Some(bytes) = inside.objects.get(key) else {
        return Answer::error(404, "NoSuchKey");
    };
    let mut answer = Answer::new(200, bytes.clone());
    answer.more = format!("ETag: {}\r\n", tag_of(bytes));
    if let Some(checksum) = inside.checksums.get(key)
        && headers.contains_key("x-amz-checksum-mode")
    {
        let _ = write!(answer.more, "{CHECKSUM}: {checksum}\r\n");
    }
    let range = headers.get("range").filter(|_| !inside.ignores_ranges);
    let Some(range) = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-')) else {
        return answer;
    };
    let (first, last): (usize, usize) = (range.0.parse().unwrap(), range.1.parse().unwrap());
    if first >= bytes.len() {
        return Answer::error(416, "InvalidRange");
    }
    let end = bytes.len().min(last + 1);
    answer.status = 206;
    answer.told = bytes[first..end].to_vec();
    let total = bytes.len();
    let _ = write!(
        answer.more,
        "Content-Range: bytes {first}-{}/{total}\r\n",
        end - 1
    );
    answer
}

/// Answers a call of a multipart upload. Holds one upload at a time.
fn upload_part(
    method: &str,
    (key, query): (&str, &str),
    body: Vec<u8>,
    inside: &mut Inside,
) -> Answer {
    let number = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("partNumber="));
    match (method, number) {
        ("PUT", Some(number)) => {
            let more = format!("ETag: {}\r\n", tag_of(&body));
            inside.parts.insert(number.parse().unwrap(), body);
            Answer {
                more,
                ..Answer::new(200, Vec::new())
            }
        }
        ("POST", _) if query.contains("uploadId=") => {
            let whole = std::mem::take(&mut inside.parts).into_values().flatten();
            inside.objects.insert(key.to_owned(), whole.collect());
            Answer::new(200, b"<CompleteMultipartUploadResult/>".to_vec())
        }
        ("POST", _) => Answer::new(
            200,
            format!(
                "<InitiateMultipartUploadResult><Bucket>b</Bucket><Key>{key}</Key>\
                 <UploadId>u</UploadId></InitiateMultipartUploadResult>"
            )
            .into_bytes(),
        ),
        _ => {
            inside.parts.clear();
            Answer::new(204, Vec::new())
        }
    }
}

fn serve(
    (method, target): (&str, &str),
    headers: &Headers,
    body: Vec<u8>,
    inside: &mut Inside,
) -> Answer {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let key = decoded(path)
        .trim_start_matches("/b")
        .trim_start_matches('/')
        .to_owned();
    inside.calls.push((method.to_owned(), key.clone()));
    inside.headers.push(headers.clone());
    if inside
        .refuse
        .as_ref()
        .is_some_and(|refuse| refuse(&mut inside.objects, method, &key))
    {
        return Answer::error(403, "AccessDenied");
    }
    if method == "POST" || query.contains("uploadId=") {
        return upload_part(method, (&key, query), body, inside);
    }
    match method {
        "PUT" => put(&key, headers, body, inside),
        "DELETE" => {
            inside.objects.remove(&key);
            Answer::new(204, Vec::new())
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
            Answer::new(200, (told + "</ListBucketResult>").into_bytes())
        }
        _ => get(&key, headers, inside),
    }
}
