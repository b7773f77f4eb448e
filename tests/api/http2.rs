//! HTTP/2 client of the tests, and tests of what one HTTP/2 client may do.

use crate::helpers::{EMAIL, PASSWORD, TestApp, png};
use crate::tls::Certificate;
use h2::client::SendRequest;
use h2::{Reason, RecvStream};
use respiro_content::collection_by_slug;
use serde_json::json;
use std::io::Cursor;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use ureq::http::{Method, Request, Response, StatusCode};

/// Ends a test that would wait for ever.
const HANG_TIMEOUT: Duration = Duration::from_mins(1);
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// `GET https://x/robots.txt` and `POST https://x/api/newsletter`, in literals without an index.
const GET_ROBOTS: &[u8] = b"\x82\x87\x01\x01x\x04\x0b/robots.txt";
const POST_NEWSLETTER: &[u8] = b"\x83\x87\x01\x01x\x04\x0f/api/newsletter";

/// A part of a request's body.
type Part = Cursor<Vec<u8>>;

/// A connection of a client that keeps the rules.
pub struct Http2 {
    send: SendRequest<Part>,
}

impl Http2 {
    pub async fn open(certificate: &Certificate, app: &TestApp) -> Self {
        let stream = certificate.connect(app, &["h2", "http/1.1"]).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        let builder = h2::client::Builder::new();
        let (send, connection) = builder.handshake(stream).await.unwrap();
        tokio::spawn(connection);
        Self { send }
    }

    /// Sends a request without a body; `more` are header lines.
    pub async fn begin(
        &mut self,
        method: &str,
        path: &str,
        more: &str,
    ) -> Result<Response<RecvStream>, h2::Error> {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = Request::builder()
            .method(method)
            .uri(format!("https://x{path}"));
        for line in more.lines() {
            let (name, value) = line.split_once(": ").unwrap();
            request = request.header(name, value);
        }
        let mut ready = self.send.clone().ready().await?;
        let (response, _) = ready.send_request(request.body(()).unwrap(), true)?;
        response.await
    }

    /// Returns the response as a client of HTTP/1.1 would see it: status line and headers in the
    /// order of their names, without the date, and the body.
    pub async fn ask(&mut self, method: &str, path: &str, more: &str) -> (Vec<String>, Vec<u8>) {
        let response = self.begin(method, path, more).await.unwrap();
        let mut lines: Vec<_> = response
            .headers()
            .iter()
            .filter(|(name, _)| *name != "date")
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        lines.sort();
        lines.insert(0, format!("HTTP/1.1 {}", response.status()));
        (lines, read(response.into_body()).await.unwrap())
    }
}

async fn read(mut body: RecvStream) -> Result<Vec<u8>, h2::Error> {
    let mut bytes = Vec::new();
    while let Some(part) = body.data().await {
        let part = part?;
        body.flow_control().release_capacity(part.len()).unwrap();
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend_from_slice(&stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// Opens a connection on which a test writes frames by itself.
async fn open_raw(
    certificate: &Certificate,
    app: &TestApp,
) -> impl AsyncRead + AsyncWrite + Unpin + use<> {
    let mut stream = certificate.connect(app, &["h2"]).await;
    let begin = [PREFACE, &frame(SETTINGS, 0, 0, &[])].concat();
    stream.write_all(&begin).await.unwrap();
    stream
}

/// Reads frames until the server closes the connection. Returns the reasons of its GOAWAY frames.
async fn read_to_end(stream: &mut (impl AsyncRead + Unpin)) -> Vec<u32> {
    let all = async {
        let mut reasons = Vec::new();
        let mut head = [0; 9];
        while stream.read_exact(&mut head).await.is_ok() {
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            let mut payload = vec![0; usize::try_from(length).unwrap()];
            if stream.read_exact(&mut payload).await.is_err() {
                break;
            }
            if head[3] == GO_AWAY {
                reasons.push(u32::from_be_bytes(payload[4..8].try_into().unwrap()));
            }
        }
        reasons
    };
    timeout(HANG_TIMEOUT, all).await.unwrap()
}

/// Writes these bytes again and again until the server closes the connection; 200,000 times at most.
async fn is_cut_off(certificate: &Certificate, app: &TestApp, first: &[u8], flood: &[u8]) -> bool {
    let stream = open_raw(certificate, app).await;
    let (mut reading, mut writing) = tokio::io::split(stream);
    let read = tokio::spawn(async move { read_to_end(&mut reading).await });
    let write = async {
        writing.write_all(first).await?;
        for _ in 0..2_000 {
            writing.write_all(&flood.repeat(100)).await?;
        }
        std::io::Result::Ok(())
    };
    let is_cut = timeout(HANG_TIMEOUT, write).await.unwrap().is_err() || read.is_finished();
    read.abort();
    is_cut
}

async fn start(certificate: &Certificate) -> TestApp {
    TestApp::start_empty(|config, _| certificate.set(config)).await
}

#[tokio::test]
async fn floods_of_frames_that_ask_for_nothing_end_the_connection() {
    let certificate = Certificate::make();
    let app = start(&certificate).await;
    let post = frame(HEADERS, END_HEADERS, 1, POST_NEWSLETTER);
    let open = frame(HEADERS, 0, 1, GET_ROBOTS);
    for (name, first, flood) in [
        ("settings", &b""[..], frame(SETTINGS, 0, 0, &[])),
        ("ping", b"", frame(PING, 0, 0, &[0; 8])),
        ("empty data", &post, frame(DATA, 0, 1, &[])),
        ("small data", &post, frame(DATA, 0, 1, b" ")),
        ("continuation", &open, frame(CONTINUATION, 0, 1, &[])),
        (
            "large continuation",
            &open,
            frame(CONTINUATION, 0, 1, &[0; 1_000]),
        ),
        ("unknown", b"", frame(200, 0, 0, &[])),
    ] {
        assert!(
            is_cut_off(&certificate, &app, first, &flood).await,
            "{name}"
        );
    }
    let mut other = Http2::open(&certificate, &app).await;
    assert_eq!(
        other.ask("GET", "/robots.txt", "").await.0[0],
        "HTTP/1.1 200 OK"
    );
}

/// CVE-2023-44487: requests that are cancelled at once count against no limit of streams.
#[tokio::test]
async fn rapid_resets_end_the_connection() {
    let certificate = Certificate::make();
    let app = start(&certificate).await;
    let mut stream = open_raw(&certificate, &app).await;
    let mut flood = Vec::new();
    for number in 0..5_000 {
        let id = number * 2 + 1;
        flood.extend(frame(HEADERS, END_HEADERS | END_STREAM, id, GET_ROBOTS));
        flood.extend(frame(RESET, 0, id, &8_u32.to_be_bytes()));
    }
    let (mut reading, mut writing) = tokio::io::split(&mut stream);
    let (_, reasons) = tokio::join!(writing.write_all(&flood), read_to_end(&mut reading));
    // The server may close before it can say why.
    assert!(
        reasons
            .iter()
            .all(|reason| *reason == u32::from(Reason::ENHANCE_YOUR_CALM))
    );
}

#[tokio::test]
async fn one_connection_has_a_limited_number_of_requests_in_flight() {
    let certificate = Certificate::make();
    let app = start(&certificate).await;
    let mut stream = open_raw(&certificate, &app).await;
    let mut all = Vec::new();
    for number in 0..1_000 {
        // Bodies that never end.
        all.extend(frame(HEADERS, END_HEADERS, number * 2 + 1, POST_NEWSLETTER));
    }
    let (mut reading, mut writing) = tokio::io::split(&mut stream);
    let (mut refused, mut head) = (0, [0; 9]);
    let read = async {
        while refused < 700 && reading.read_exact(&mut head).await.is_ok() {
            let length = usize::from(head[1]) << 8 | usize::from(head[2]);
            let mut payload = vec![0; length];
            reading.read_exact(&mut payload).await.unwrap();
            let code = (head[3] == RESET).then(|| payload[3]);
            if code.map(u32::from) == Some(u32::from(Reason::REFUSED_STREAM)) {
                refused += 1;
            } else if head[3] == GO_AWAY {
                refused = 1_000;
            }
        }
    };
    let (_, read) = tokio::join!(writing.write_all(&all), timeout(HANG_TIMEOUT, read));
    read.unwrap();
    assert!(refused >= 64, "{refused}");
}

/// A client that announces a window and takes nothing holds no more than a buffer of each response.
#[tokio::test]
async fn who_takes_nothing_keeps_nobody_waiting_and_holds_little() {
    let certificate = Certificate::make();
    let app = TestApp::start().await;
    let collection = collection_by_slug("photo-gallery").unwrap();
    let path = app.upload(png("uno")).await;
    app.create(collection, "uno", json!({ "imageUrl": path }))
        .await;
    let app = app
        .restart_signed_out(|config| certificate.set(config))
        .await;
    let stream = certificate.connect(&app, &["h2"]).await;
    let (send, connection) = h2::client::Builder::new()
        .initial_window_size(0)
        .handshake::<_, Part>(stream)
        .await
        .unwrap();
    tokio::spawn(connection);
    let mut bodies = Vec::new();
    for _ in 0..100 {
        let mut ready = send.clone().ready().await.unwrap();
        let request = Request::get(format!("https://x{path}")).body(()).unwrap();
        let (response, _) = ready.send_request(request, true).unwrap();
        bodies.push(response.await.unwrap());
    }
    assert!(bodies.iter().all(|body| body.status() == StatusCode::OK));
    let mut other = Http2::open(&certificate, &app).await;
    let (lines, body) = other.ask("GET", &path, "").await;
    assert_eq!(lines[0], "HTTP/1.1 200 OK");
    assert!(!body.is_empty());
}

#[tokio::test]
async fn a_stop_says_goodbye_with_a_goaway() {
    let certificate = Certificate::make();
    let app = start(&certificate).await;
    let mut stream = open_raw(&certificate, &app).await;
    let get = frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_ROBOTS);
    stream.write_all(&get).await.unwrap();
    let mut head = [0; 9];
    while head[3] != HEADERS {
        stream.read_exact(&mut head).await.unwrap();
        let length = usize::from(head[1]) << 8 | usize::from(head[2]);
        stream.read_exact(&mut vec![0; length]).await.unwrap();
    }
    let ((), reasons) = tokio::join!(app.running.stop(), read_to_end(&mut stream));
    assert!(
        !reasons.is_empty() && reasons.iter().all(|reason| *reason == 0),
        "{reasons:?}"
    );
}

#[tokio::test]
async fn an_idle_connection_is_closed_with_a_goaway() {
    let certificate = Certificate::make();
    let app = TestApp::start_empty(|config, tuning| {
        certificate.set(config);
        tuning.keep_alive = Duration::from_millis(300);
        tuning.head_timeout = Duration::from_millis(300);
    })
    .await;
    let mut silent = open_raw(&certificate, &app).await;
    let mut http2 = Http2::open(&certificate, &app).await;
    assert_eq!(
        http2.ask("GET", "/robots.txt", "").await.0[0],
        "HTTP/1.1 200 OK"
    );
    let reasons = read_to_end(&mut silent).await;
    assert!(
        !reasons.is_empty() && reasons.iter().all(|reason| *reason == 0),
        "{reasons:?}"
    );
}

/// Browsers may send each cookie in a line of its own (RFC 9113, section 8.2.3).
#[tokio::test]
async fn a_session_works_with_each_cookie_in_a_line_of_its_own() {
    let certificate = Certificate::make();
    let app = TestApp::start_empty(|config, _| {
        config.first_account = Some((EMAIL.to_owned(), PASSWORD.to_owned()));
        certificate.set(config);
    })
    .await;
    let mut http2 = Http2::open(&certificate, &app).await;
    let request = Request::post("https://x/api/auth/login")
        .header("origin", &app.running.public_url)
        .header("content-type", "application/json")
        .body(())
        .unwrap();
    let mut ready = http2.send.clone().ready().await.unwrap();
    let (response, mut body) = ready.send_request(request, false).unwrap();
    let json = json!({ "email": EMAIL, "password": PASSWORD }).to_string();
    let (first, rest) = json.as_bytes().split_at(10);
    body.send_data(Cursor::new(first.to_vec()), false).unwrap();
    body.send_data(Cursor::new(rest.to_vec()), true).unwrap();
    let response = response.await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let mut lines = "cookie: other=1\n".to_owned();
    for cookie in response.headers().get_all("set-cookie") {
        let pair = cookie.to_str().unwrap().split(';').next().unwrap();
        for part in ["cookie: ", pair, "\n"] {
            lines.push_str(part);
        }
    }
    let (lines, _) = http2.ask("GET", "/api/admin/status", &lines).await;
    assert_eq!(lines[0], "HTTP/1.1 200 OK");
}

/// HTTP/2 without TLS has no way to be agreed on here.
#[tokio::test]
async fn the_plain_port_refuses_http2() {
    let app = TestApp::start_empty(|_, _| {}).await;
    let mut stream = tokio::net::TcpStream::connect(app.running.address)
        .await
        .unwrap();
    stream.write_all(PREFACE).await.unwrap();
    let mut rest = Vec::new();
    let read = timeout(HANG_TIMEOUT, stream.read_to_end(&mut rest)).await;
    assert!(read.is_ok());
    let text = String::from_utf8_lossy(&rest);
    assert!(text.is_empty() || text.starts_with("HTTP/1.1 4"), "{text}");
}
