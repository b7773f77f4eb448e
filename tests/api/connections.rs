//! Tests of the limits of connections: one client keeps nobody out.

use crate::helpers::TestApp;
use crate::tls::{Certificate, connect_from};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const HANDSHAKES_PER_ADDRESS_MAX: usize = 64;
const CONNECTIONS_PER_ADDRESS_MAX: usize = 256;
/// Ends a test that would wait for ever.
const HANG_TIMEOUT: Duration = Duration::from_mins(1);

async fn get(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), path: &str) -> u16 {
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.unwrap().parse().unwrap()];
    stream.read_exact(&mut body).await.unwrap();
    head.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Waits until the server has closed the connection.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    timeout(HANG_TIMEOUT, stream.read_to_end(&mut rest))
        .await
        .is_ok()
}

/// Returns how many connections are still open, once no more than `expected` are.
async fn count_open(app: &TestApp, expected: usize) -> usize {
    let table = &app.running.app.connections;
    let counted = async {
        while table.open() > expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = timeout(HANG_TIMEOUT, counted).await;
    table.open()
}

/// 600 silent handshakes held every place for handshakes: each newcomer waited for ten seconds.
#[tokio::test]
async fn silent_handshakes_of_one_address_keep_nobody_out() {
    let certificate = Certificate::make();
    let app = TestApp::start_empty(|config, tuning| {
        certificate.set(config);
        tuning.handshake_timeout = Duration::from_hours(1);
    })
    .await;
    let mut silent = Vec::new();
    for _ in 0..600 {
        silent.push(connect_from(&app, 2).await);
    }
    let visit = async {
        let mut stream = certificate.connect(&app, &[]).await;
        get(&mut stream, "/robots.txt").await
    };
    assert_eq!(timeout(HANG_TIMEOUT, visit).await.unwrap(), 200);
    let open = count_open(&app, HANDSHAKES_PER_ADDRESS_MAX).await;
    assert_eq!(open, HANDSHAKES_PER_ADDRESS_MAX);
    assert!(is_closed(&mut silent[0]).await);
}

#[tokio::test]
async fn an_address_with_many_quiet_connections_gives_up_its_longest_idle_one() {
    let app = TestApp::start_empty(|_, _| {}).await;
    let mut quiet = Vec::new();
    for _ in 0..CONNECTIONS_PER_ADDRESS_MAX {
        let mut stream = connect_from(&app, 2).await;
        assert_eq!(get(&mut stream, "/robots.txt").await, 200);
        quiet.push(stream);
    }
    assert_eq!(get(&mut quiet[0], "/robots.txt").await, 200);
    let mut next = connect_from(&app, 2).await;
    assert_eq!(get(&mut next, "/robots.txt").await, 200);
    assert!(is_closed(&mut quiet[1]).await);
    for stream in [&mut quiet[0], &mut next] {
        assert_eq!(get(stream, "/api/site").await, 200);
        assert_eq!(get(stream, "/robots.txt").await, 200);
    }
    assert_eq!(
        app.running.app.connections.open(),
        CONNECTIONS_PER_ADDRESS_MAX
    );
}

#[tokio::test]
async fn an_address_is_refused_while_all_its_connections_are_busy_and_others_are_served() {
    let app = TestApp::start_empty(|_, tuning| {
        tuning.body_part_timeout = Duration::from_mins(5);
        tuning.json_timeout = Duration::from_mins(5);
    })
    .await;
    let table = &app.running.app.connections;
    let mut busy = Vec::new();
    let refused = async {
        // A connection is busy, and cannot be evicted, once its request is read.
        while table.refused() == 0 {
            let mut stream = connect_from(&app, 2).await;
            let head = "POST /api/newsletter HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{";
            let _ = stream.write_all(head.as_bytes()).await;
            busy.push(stream);
            tokio::task::yield_now().await;
        }
    };
    timeout(HANG_TIMEOUT, refused).await.unwrap();
    assert!(busy.len() > CONNECTIONS_PER_ADDRESS_MAX);
    let mut other = connect_from(&app, 3).await;
    assert_eq!(get(&mut other, "/robots.txt").await, 200);
}
