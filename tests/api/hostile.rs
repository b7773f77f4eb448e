//! Tests of hostile clients: slow, lying, disconnecting, random. Other clients notice nothing.

use crate::helpers::{TestApp, answer};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use ureq::http::Uri;

const NOT_IN_ADDRESSES: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

async fn connect(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.running.address).await.unwrap()
}

/// Sends bytes and reads until the server closes, for 400 ms at most.
async fn raw(app: &TestApp, bytes: &[u8]) -> String {
    let mut socket = connect(app).await;
    // The server may close the connection before the client has sent all bytes.
    let _ = socket.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = timeout(Duration::from_millis(400), socket.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> u16 {
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    status.unwrap_or(0)
}

#[tokio::test]
async fn slow_heads_are_cut_off_while_others_are_served() {
    let app = TestApp::start_as(|_, tuning| tuning.head_timeout = Duration::from_millis(500)).await;
    let mut sockets = Vec::new();
    for _ in 0..200 {
        let mut socket = connect(&app).await;
        socket
            .write_all(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
            .await
            .unwrap();
        sockets.push(socket);
    }
    let start = Instant::now();
    for _ in 0..20 {
        assert_eq!(app.visit("/").await.status, 200);
    }
    assert!(start.elapsed() < Duration::from_secs(20));
    sleep(Duration::from_millis(1_500)).await;
    for socket in &mut sockets {
        let mut rest = Vec::new();
        let closed = timeout(Duration::from_secs(5), socket.read_to_end(&mut rest)).await;
        assert!(closed.is_ok(), "a slow socket is still open");
    }
}

#[tokio::test]
async fn slow_bodies_are_cut_off() {
    let app = TestApp::start_as(|_, tuning| {
        tuning.body_part_timeout = Duration::from_millis(300);
        tuning.json_timeout = Duration::from_secs(1);
    })
    .await;
    let mut socket = connect(&app).await;
    let head = "POST /api/newsletter HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{";
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4_096];
    let read = timeout(Duration::from_secs(5), socket.read(&mut answer))
        .await
        .unwrap();
    let answer = String::from_utf8_lossy(&answer[..read.unwrap()]).into_owned();
    assert_eq!(status(&answer), 400, "{answer}");
    assert!(answer.contains("lentamente"), "{answer}");
    // A client that sends one byte at a time meets the deadline of each part, but not that of the
    // whole body.
    let mut socket = connect(&app).await;
    socket.write_all(head.as_bytes()).await.unwrap();
    let start = Instant::now();
    let mut part = [0; 1];
    while timeout(Duration::from_millis(100), socket.read(&mut part))
        .await
        .is_err()
    {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "the trickle goes on"
        );
        let _ = socket.write_all(b" ").await;
    }
}

#[tokio::test]
async fn malformed_requests_get_a_4xx_or_a_closed_connection() {
    let app = TestApp::start().await;
    let long = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(200_000));
    let headers: Vec<String> = (0..200).map(|n| format!("X-{n}: y\r\n")).collect();
    let headers = headers.concat();
    let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n");
    let requests: &[&[u8]] = &[
        b"\0\0\0\0",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET  / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/newsletter HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /api/newsletter HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        b"POST /api/newsletter HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n",
        b"POST /api/newsletter HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        long.as_bytes(),
        many.as_bytes(),
    ];
    for request in requests {
        let answer = raw(&app, request).await;
        let shown = String::from_utf8_lossy(&request[..request.len().min(60)]);
        assert!(status(&answer) < 500, "{shown}: {answer}");
    }
    assert_eq!(app.visit("/").await.status, 200);
}

/// An xorshift generator with a fixed seed: each run produces the same bytes.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap()
    }

    fn text(&mut self) -> String {
        const PARTS: &[&str] = &[
            "/",
            "api",
            "admin",
            "events",
            "objects",
            "uploads",
            "%",
            "%2e",
            "..",
            "\"",
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "null",
            "1e9",
            "-",
            "\\u0000",
            "è",
            "👩",
            "?",
            "&",
            "=",
            "#",
            ";",
            "title",
            "imageUrl",
            "ids",
            "direction",
            "true",
            "expires",
            "signature",
            " ",
            "\u{0}",
        ];
        let length = self.next(12);
        (0..length).map(|_| PARTS[self.next(PARTS.len())]).collect()
    }
}

#[tokio::test]
async fn no_request_makes_the_server_fail() {
    let app = TestApp::start().await;
    let routes = respiro_server::http::paths();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..1_500 {
        let (method, path) = &routes[random.next(routes.len())];
        let mut path: String = path
            .split('/')
            .map(|part| {
                if part.starts_with('{') {
                    random.text()
                } else {
                    part.to_owned()
                }
            })
            .collect::<Vec<_>>()
            .join("/");
        if random.next(4) == 0 {
            path = format!("/{}", random.text());
        }
        if random.next(3) == 0 {
            path = format!("{path}?{}", random.text());
        }
        // Percent-encodes the characters that browsers encode.
        let url = utf8_percent_encode(&app.url(&path), NOT_IN_ADDRESSES).to_string();
        if url.parse::<Uri>().is_err() {
            continue;
        }
        let client = if random.next(2) == 0 {
            &app.admin
        } else {
            &app.visitor
        };
        let mut request = client.request(method.parse().unwrap(), url);
        match random.next(4) {
            0 => {}
            1 => request = request.body(random.text()),
            2 => request = request.body(format!("{{\"{}\":{}}}", random.text(), random.text())),
            _ => {
                let key = ["title", "ids", "direction", "email", "fields", "kind"][random.next(6)];
                request = request.json(&serde_json::json!({ key: random.text() }));
            }
        }
        let answer = answer(request).await;
        assert!(
            answer.status < 500,
            "{round}: {method} {path}: {}",
            answer.text()
        );
        if method == "POST" && path == "/api/auth/logout" {
            app.let_time_pass(60 * 60_000);
            app.sign_in(&app.admin).await.is(200);
        }
    }
    assert_eq!(app.visit("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_request_broken_off_leaves_nothing_behind() {
    let app = TestApp::start().await;
    let address = app.upload_address().await;
    for _ in 0..20 {
        let mut socket = connect(&app).await;
        let head =
            format!("PUT {address} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc");
        socket.write_all(head.as_bytes()).await.unwrap();
        drop(socket);
    }
    // The server may not have noticed all of them yet.
    let started = Instant::now();
    loop {
        let answer = app.put_bytes(&address, crate::helpers::png("a")).await;
        if answer.status != 429 || started.elapsed() > Duration::from_secs(20) {
            answer.is(200);
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
}
