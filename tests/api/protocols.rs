//! Tests that both protocols give identical responses, and that a client cannot tell whether the
//! routes or the memory answered.

use crate::helpers::{TestApp, png};
use crate::http2::Http2;
use crate::tls::Certificate;
use respiro_content::collection_by_slug;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A header that matters and stands twice leads to the routes; it changes nothing in the response.
const TO_ROUTES: &str = "Sec-GPC: 1\r\nSec-GPC: 1\r\n";

async fn connect(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.running.address).await.unwrap()
}

/// Returns the status line with the headers in the order of their names, without those that differ
/// in each response, and the body.
async fn read_answer(
    stream: &mut (impl AsyncRead + Unpin),
    is_head: bool,
) -> (Vec<String>, Vec<u8>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines: Vec<String> = head.trim_end().split("\r\n").map(str::to_owned).collect();
    let before = lines.len();
    lines.retain(|line| !line.starts_with("date: "));
    assert_eq!(lines.len(), before - 1, "{head}");
    lines[1..].sort();
    let length = lines
        .iter()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length = length.map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; if is_head { 0 } else { length }];
    stream.read_exact(&mut body).await.unwrap();
    (lines, body)
}

async fn ask(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    method: &str,
    path: &str,
    more: &str,
) -> (Vec<String>, Vec<u8>) {
    let request = format!("{method} {path} HTTP/1.1\r\nHost: x\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    read_answer(stream, method == "HEAD").await
}

fn etag(lines: &[String]) -> String {
    let tag = lines.iter().find_map(|line| line.strip_prefix("etag: "));
    tag.unwrap_or("\"none\"").to_owned()
}

/// Returns the headers of requests that may get different answers.
fn header_lines(tag: &str) -> Vec<String> {
    vec![
        String::new(),
        "Accept-Encoding: gzip\r\n".to_owned(),
        "Accept-Encoding: gzip, deflate, br\r\n".to_owned(),
        format!("If-None-Match: {tag}\r\n"),
        format!("If-None-Match: W/{tag}, \"x\"\r\nAccept-Encoding: br\r\n"),
        "If-None-Match: *\r\n".to_owned(),
        "Range: bytes=2-5\r\n".to_owned(),
        "Range: bytes=99999999-\r\n".to_owned(),
        format!("Range: bytes=-3\r\nIf-Range: {tag}\r\n"),
    ]
}

#[tokio::test]
async fn both_protocols_and_both_ways_give_the_same_answers() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("photo-gallery").unwrap();
    let item = app.create(collection, "uno", json!({})).await;
    let picture = item["imageUrl"].as_str().unwrap().to_owned();
    let home = app.visit("/").await.text();
    let script = home
        .split("src=\"")
        .find(|part| part.starts_with("/assets/"))
        .unwrap();
    let script = script.split('"').next().unwrap();
    let variant = format!("{picture}/48.webp");
    let certificate = Certificate::make();
    let app = app
        .restart_signed_out(|config| certificate.set(config))
        .await;
    let mut http1 = certificate.connect(&app, &["http/1.1"]).await;
    let mut http2 = Http2::open(&certificate, &app).await;
    for path in [
        "/",
        "/eventi",
        "/chi-sono?da=qui",
        "/sitemap.xml",
        "/feed.xml",
        "/robots.txt",
        "/admin",
        "/favicon.ico",
        "/manifest.webmanifest",
        script,
        &picture,
        &variant,
        "/nessuna",
        "/evento/x",
        "/blog/x",
        "/a/b/c",
        "//",
        "/objects/uploads/x",
        "/api/events",
        "/healthz",
        "/eventi/",
        "/testimonials",
        "/contatti?servizio=individual",
        "/contatti?servizio=nessuno",
        "/contatti/per/ritiro",
        "/api",
        "/social/x.jpg",
    ] {
        let tag = etag(&ask(&mut http1, "GET", path, TO_ROUTES).await.0);
        for method in ["GET", "HEAD"] {
            for more in header_lines(&tag) {
                let one = ask(&mut http1, method, path, &more).await;
                let routed = more.clone() + TO_ROUTES;
                for other in [
                    ask(&mut http1, method, path, &routed).await,
                    http2.ask(method, path, &more).await,
                    http2.ask(method, path, &routed).await,
                ] {
                    assert_eq!(one.0, other.0, "{method} {path} {more}");
                    assert!(one.1 == other.1, "{method} {path} {more}");
                }
            }
        }
    }
}

#[tokio::test]
async fn requests_sent_at_once_are_answered_in_their_order() {
    let app = TestApp::start().await;
    let mut stream = connect(&app).await;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    let paths = [
        "/",
        "/nessuna",
        "/robots.txt",
        "/api/events",
        "/eventi",
        "/healthz",
    ];
    let all: String = paths.iter().map(|path| get(path)).collect();
    stream.write_all(all.as_bytes()).await.unwrap();
    for path in paths {
        let (lines, body) = read_answer(&mut stream, false).await;
        let alone = app.visit(path).await;
        assert!(
            lines[0].starts_with(&format!("HTTP/1.1 {}", alone.status)),
            "{path}"
        );
        assert_eq!(body, alone.bytes, "{path}");
    }
}

#[tokio::test]
async fn a_head_that_comes_in_pieces_is_put_together() {
    let app = TestApp::start().await;
    let mut stream = connect(&app).await;
    for _ in 0..2 {
        for part in ["GET /robots.t", "xt HTTP/1.1\r\nHo", "st: x\r\n", "\r\n"] {
            stream.write_all(part.as_bytes()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let (lines, body) = read_answer(&mut stream, false).await;
        assert_eq!(lines[0], "HTTP/1.1 200 OK");
        assert!(body.starts_with(b"User-agent"));
    }
}

#[tokio::test]
async fn idle_connections_end_and_busy_ones_do_not() {
    let app = TestApp::start_as(|_, tuning| {
        tuning.keep_alive = Duration::from_millis(700);
        tuning.head_timeout = Duration::from_millis(700);
    })
    .await;
    let mut silent = connect(&app).await;
    let mut busy = connect(&app).await;
    for _ in 0..6 {
        let (lines, _) = ask(&mut busy, "GET", "/robots.txt", "").await;
        assert_eq!(lines[0], "HTTP/1.1 200 OK");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    for stream in [&mut silent, &mut busy] {
        let mut rest = Vec::new();
        let ended = timeout(Duration::from_secs(20), stream.read_to_end(&mut rest)).await;
        ended.unwrap().unwrap();
        assert!(rest.is_empty());
    }
}

/// A shutdown waits for responses in progress, thirty seconds at most, and not for idle
/// connections.
#[tokio::test]
async fn a_stop_does_not_wait_for_idle_connections() {
    let app = TestApp::start().await;
    let mut stream = connect(&app).await;
    ask(&mut stream, "GET", "/", "").await;
    let _silent = connect(&app).await;
    let began = Instant::now();
    app.running.stop().await;
    assert!(began.elapsed() < Duration::from_secs(15));
    assert!(stream.read_u8().await.is_err());
}

#[tokio::test]
async fn a_change_shows_on_a_connection_that_was_open_before() {
    let app = TestApp::start().await;
    let mut stream = connect(&app).await;
    let collection = collection_by_slug("photo-gallery").unwrap();
    let path = app.upload(png("due")).await;
    let (lines, _) = ask(&mut stream, "GET", "/robots.txt", "").await;
    assert_eq!(lines[0], "HTTP/1.1 200 OK");
    let item = app
        .create(collection, "due", json!({ "imageUrl": path }))
        .await;
    assert_eq!(
        ask(&mut stream, "GET", &path, "").await.0[0],
        "HTTP/1.1 200 OK"
    );
    let id = item["id"].as_str().unwrap();
    app.delete(&format!("/api/admin/photo-gallery/{id}")).await;
    assert_eq!(
        ask(&mut stream, "GET", &path, "").await.0[0],
        "HTTP/1.1 404 Not Found"
    );
}

/// Both protocols refuse a head that is too large with the same status.
#[tokio::test]
async fn a_head_that_is_too_large_gets_431() {
    let certificate = Certificate::make();
    let app = TestApp::start_empty(|config, _| certificate.set(config)).await;
    let large = format!("X-Large: {}\r\n", "a".repeat(40_000));
    let mut http1 = certificate.connect(&app, &["http/1.1"]).await;
    let request = format!("GET / HTTP/1.1\r\nHost: x\r\n{large}\r\n");
    http1.write_all(request.as_bytes()).await.unwrap();
    let mut head = [0; 12];
    http1.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 431");
    let mut http2 = Http2::open(&certificate, &app).await;
    let (lines, _) = http2.ask("GET", "/", &large).await;
    assert!(lines[0].starts_with("HTTP/1.1 431"), "{lines:?}");
    // The connection is not lost with the one request.
    let (lines, _) = http2.ask("GET", "/robots.txt", "").await;
    assert_eq!(lines[0], "HTTP/1.1 200 OK");
}
