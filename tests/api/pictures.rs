//! Tests of pictures as visitors get them: fast, whole or in part, without reading the data file.

use crate::helpers::{TestApp, answer, encode};
use image::{ImageFormat, Rgb, RgbImage};
use respiro_content::collection_by_slug;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Returns a PNG of noise, which no encoder compresses.
fn noise(side: u32) -> Vec<u8> {
    let mut seed = 7_u32;
    let picture = RgbImage::from_fn(side, side, |_, _| {
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.to_be_bytes()[0]
        };
        Rgb([next(), next(), next()])
    });
    encode(picture, ImageFormat::Png)
}

/// Publishes a picture of the gallery and returns its path.
async fn published(app: &TestApp, bytes: Vec<u8>) -> String {
    let collection = collection_by_slug("photo-gallery").unwrap();
    let path = app.upload(bytes).await;
    app.create(collection, "foto", json!({ "imageUrl": path }))
        .await;
    path
}

/// Sends one request on a kept-alive connection and reads the response, at most `take` bytes at a
/// time.
async fn ask(stream: &mut TcpStream, path: &str, take: usize) -> usize {
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head.split("content-length: ").nth(1).unwrap();
    let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
    let mut part = vec![0; take];
    let mut rest = length;
    while rest > 0 {
        let most = take.min(rest);
        let read = stream.read(&mut part[..most]).await.unwrap();
        assert_ne!(read, 0, "the answer ended early");
        rest -= read;
    }
    length
}

async fn median(app: &TestApp, path: &str, take: usize) -> Duration {
    let mut stream = TcpStream::connect(app.running.address).await.unwrap();
    let mut times = Vec::new();
    for _ in 0..50 {
        let began = Instant::now();
        ask(&mut stream, path, take).await;
        times.push(began.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

/// Regression: a picture larger than the write buffer was sent in two parts, and the second waited
/// for the client's delayed acknowledgement: 44 ms each, 23 a second on a kept-alive connection.
#[tokio::test]
async fn a_large_picture_does_not_wait_for_acknowledgements() {
    let app = TestApp::start().await;
    let large = published(&app, noise(540)).await;
    let small = published(&app, noise(96)).await;
    let bytes = app.visit(&large).await.bytes.len();
    assert!((200_000..600_000).contains(&bytes), "{bytes}");
    let bytes = app.visit(&small).await.bytes.len();
    assert!((1_000..10_000).contains(&bytes), "{bytes}");
    for take in [8 * 1024, 1024 * 1024] {
        let (large, small) = (
            median(&app, &large, take).await,
            median(&app, &small, take).await,
        );
        let limit = small + Duration::from_millis(10);
        assert!(
            large < limit,
            "{large:?} beside {small:?}, {take} at a time"
        );
    }
}

#[tokio::test]
async fn a_picture_can_be_had_in_parts() {
    let app = TestApp::start().await;
    let path = published(&app, noise(64)).await;
    let whole = app.visit(&path).await;
    let (tag, length) = (whole.header("etag").to_owned(), whole.bytes.len());
    assert_eq!(whole.header("accept-ranges"), "bytes");
    let part = app.visit_with(&path, &[("range", "bytes=10-19")]).await;
    assert_eq!((part.status, &part.bytes[..]), (206, &whole.bytes[10..20]));
    assert_eq!(
        part.header("content-range"),
        format!("bytes 10-19/{length}")
    );
    assert_eq!(part.header("etag"), tag);
    let same = [("range", "bytes=-5"), ("if-range", tag.as_str())];
    let part = app.visit_with(&path, &same).await;
    assert_eq!(
        (part.status, &part.bytes[..]),
        (206, &whole.bytes[length - 5..])
    );
    for headers in [
        &[("range", "bytes=0-4"), ("if-range", "\"another\"")][..],
        &[("range", "bytes=0-4,9-12")],
        &[("range", "bytes=nonsense")],
    ] {
        let answer = app.visit_with(&path, headers).await;
        assert_eq!(
            (answer.status, answer.bytes.len()),
            (200, length),
            "{headers:?}"
        );
    }
    let beyond = app
        .visit_with(&path, &[("range", "bytes=999999999-")])
        .await;
    assert_eq!((beyond.status, beyond.bytes.len()), (416, 0));
    assert_eq!(beyond.header("content-range"), format!("bytes */{length}"));
    let known = [("range", "bytes=0-4"), ("if-none-match", tag.as_str())];
    assert_eq!(app.visit_with(&path, &known).await.status, 304);
}

/// Regression: a HEAD request read the bytes of the picture for nothing.
#[tokio::test]
async fn the_head_of_a_picture_says_its_length() {
    let app = TestApp::start().await;
    let path = published(&app, noise(64)).await;
    let whole = app.visit(&path).await;
    let request = app
        .visitor
        .head(app.url(&path))
        .header("range", "bytes=0-4");
    let head = answer(request).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-length"), whole.bytes.len().to_string());
    // The connection is still in sync after the HEAD response.
    assert_eq!(app.visit(&path).await.bytes, whole.bytes);
}
