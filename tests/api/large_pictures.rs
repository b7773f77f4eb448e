//! Tests of pictures that are too large for memory: the server reads them while it sends them.

use crate::helpers::{DAY, TestApp, answer, trusted};
use respiro_content::{Picture, StoredFile, collection_by_slug};
use respiro_db::Store;
use respiro_server::state::now;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// Bytes of a file in one row of the store.
const CHUNK_BYTES: usize = 256 * 1024 - 128;
/// More than the buffers at both ends of a connection hold.
const LONG_BYTES: usize = 24 * 1024 * 1024;
/// The fast path and the routes (`front.rs`).
const WAYS: [&str; 2] = ["", "TE: trailers\r\n"];

/// Returns bytes that differ at every position.
fn bytes(length: usize) -> Vec<u8> {
    let words = (0..length.div_ceil(8) as u64).map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut bytes: Vec<u8> = words.flat_map(u64::to_be_bytes).collect();
    bytes.truncate(length);
    bytes
}

/// Publishes a picture with these bytes. Returns its path and the path of its item.
async fn published(app: &TestApp, bytes: Vec<u8>) -> (String, String) {
    let file = StoredFile {
        media_type: "image/jpeg".to_owned(),
        hash: Sha256::digest(&bytes).into(),
        bytes: bytes.len() as u64,
    };
    let id = respiro_auth::token::id().unwrap();
    let path = format!("/objects/uploads/{id}");
    let picture = Picture {
        id,
        width: 4,
        height: 3,
        placeholder: "data:,".to_owned(),
        widths: vec![],
        media_type: file.media_type.clone(),
        created_at: now(),
        files: BTreeMap::from([("main".to_owned(), file)]),
    };
    let files = vec![("main".to_owned(), "image/jpeg".to_owned(), bytes)];
    let stored = app
        .running
        .app
        .change(|writer| Ok(writer.pictures().put(picture, files)?));
    stored.await.unwrap();
    let collection = collection_by_slug("photo-gallery").unwrap();
    let item = app
        .create(collection, "foto", json!({ "imageUrl": path }))
        .await;
    let id = item["id"].as_str().unwrap();
    (path, format!("/api/admin/photo-gallery/{id}"))
}

/// Regression: a request for `bytes=0-0` read and hashed the whole file each time.
#[tokio::test]
async fn a_large_picture_can_be_had_whole_and_in_parts() {
    let app = TestApp::start().await;
    let whole = bytes(9 * CHUNK_BYTES + 77);
    let (path, _) = published(&app, whole.clone()).await;
    let (length, tag) = (
        whole.len(),
        app.visit(&path).await.header("etag").to_owned(),
    );
    for way in [("accept", "*/*"), ("te", "trailers")] {
        let all = app.visit_with(&path, &[way]).await;
        assert!(all.status == 200 && all.bytes == whole, "{way:?}");
        for (range, from, to) in [
            ("bytes=0-0", 0, 1),
            ("bytes=0-19", 0, 20),
            ("bytes=262000-262040", 262_000, 262_041),
            ("bytes=262015-262016", 262_015, 262_017),
            ("bytes=262016-262016", 262_016, 262_017),
            ("bytes=200000-1900000", 200_000, 1_900_001),
            ("bytes=2358000-", 2_358_000, length),
            ("bytes=-1", length - 1, length),
            ("bytes=-77", length - 77, length),
            ("bytes=-78", length - 78, length),
        ] {
            let part = app
                .visit_with(&path, &[way, ("range", range), ("if-range", &tag)])
                .await;
            assert_eq!(part.status, 206, "{range}");
            assert!(part.bytes == whole[from..to], "{way:?} {range}");
            let said = format!("bytes {from}-{}/{length}", to - 1);
            assert_eq!(part.header("content-range"), said);
        }
        let beyond = format!("bytes={length}-");
        let beyond = app.visit_with(&path, &[way, ("range", &beyond)]).await;
        assert_eq!((beyond.status, beyond.bytes.len()), (416, 0));
        assert_eq!(beyond.header("content-range"), format!("bytes */{length}"));
        let other = [way, ("range", "bytes=0-9"), ("if-range", "\"another\"")];
        let all = app.visit_with(&path, &other).await;
        assert!(all.status == 200 && all.bytes == whole, "{way:?}");
        let known = [way, ("if-none-match", tag.as_str())];
        assert_eq!(app.visit_with(&path, &known).await.status, 304);
        let request = app.visitor.head(app.url(&path)).header(way.0, way.1);
        let head = answer(request).await;
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        assert_eq!(head.header("content-length"), length.to_string());
    }
}

/// Requests a picture with a small receive buffer and reads only the head.
async fn begin(app: &TestApp, path: &str, way: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(app.running.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n{way}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 200 OK"));
    stream
}

/// Reads up to `length` bytes, or until the connection ends or breaks.
async fn to_the_end(mut stream: TcpStream, length: usize) -> Vec<u8> {
    let mut taken = Vec::new();
    let mut part = vec![0; 1024 * 1024];
    while taken.len() < length {
        let read = timeout(Duration::from_secs(30), stream.read(&mut part)).await;
        match read.unwrap() {
            Ok(length) if length > 0 => taken.extend_from_slice(&part[..length]),
            _ => break,
        }
    }
    taken
}

#[tokio::test]
async fn an_answer_breaks_off_when_its_picture_is_deleted_for_good() {
    let app = TestApp::start().await;
    let whole = bytes(LONG_BYTES);
    let (path, item) = published(&app, whole.clone()).await;
    let streams = [
        begin(&app, &path, WAYS[0]).await,
        begin(&app, &path, WAYS[1]).await,
    ];
    app.delete(&item).await.is(204);
    app.delete("/api/admin/trash").await.is(204);
    let later = app.running.app.now() + 3 * DAY;
    let sweep = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&trusted(later))?));
    sweep.await.unwrap();
    // Another picture reuses the space of the deleted one in the data file.
    published(&app, vec![7; LONG_BYTES]).await;
    app.visit(&path).await.is(404);
    for stream in streams {
        let taken = to_the_end(stream, whole.len()).await;
        assert!(taken.len() < whole.len());
        assert!(whole.starts_with(&taken));
    }
}

#[tokio::test]
async fn an_answer_goes_on_over_a_restore_that_has_its_picture_and_breaks_off_else() {
    let app = TestApp::start().await;
    let whole = bytes(LONG_BYTES);
    let (path, _) = published(&app, whole.clone()).await;
    let (same, other) = (
        app.folder().join("data.restore-same"),
        app.folder().join("data.restore-other"),
    );
    app.running.app.site.store().backup(&same, now()).unwrap();
    drop(Store::open(&other).unwrap());
    for way in WAYS {
        let stream = begin(&app, &path, way).await;
        let copy = same.with_extension("restore-copy");
        std::fs::copy(&same, &copy).unwrap();
        app.running.app.site.restore(copy, None, ()).await.unwrap();
        assert!(to_the_end(stream, whole.len()).await == whole);
    }
    let streams = [
        begin(&app, &path, WAYS[0]).await,
        begin(&app, &path, WAYS[1]).await,
    ];
    app.running.app.site.restore(other, None, ()).await.unwrap();
    for stream in streams {
        let taken = to_the_end(stream, whole.len()).await;
        assert!(taken.len() < whole.len());
        assert!(whole.starts_with(&taken));
    }
}
