//! Tests of the check of the sender's domain, against a name server of the test.

use crate::helpers::{Answer, TestApp};
use crate::newsletter::mail;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex};

const PATH: &str = "/api/admin/sender-check";
const LETTER: &str = "Authentication-Results: mx.google.com; dkim=pass header.i=@example.org;\n \
    spf=pass smtp.mailfrom=sito@example.org; dmarc=pass header.from=example.org\n\
    From: Respiro <sito@example.org>\nSubject: Prova\n";

/// A name server that answers with these TXT records, and notes what it is asked.
struct NameServer {
    address: SocketAddr,
    records: Arc<Mutex<BTreeMap<String, Vec<String>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl NameServer {
    fn start() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let records: Arc<Mutex<BTreeMap<String, Vec<String>>>> = Arc::default();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (known, heard) = (Arc::clone(&records), Arc::clone(&asked));
        std::thread::spawn(move || {
            let mut buffer = [0; 1500];
            while let Ok((length, from)) = socket.recv_from(&mut buffer) {
                let (answer, name) = answer(&buffer[..length], &known.lock().unwrap());
                heard.lock().unwrap().push(name);
                let _ = socket.send_to(&answer, from);
            }
        });
        Self {
            address,
            records,
            asked,
        }
    }

    fn put(&self, name: &str, texts: &[&str]) {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        self.records.lock().unwrap().insert(name.to_owned(), texts);
    }
}

/// Returns the answer to a query, and the name that it asks for.
fn answer(query: &[u8], records: &BTreeMap<String, Vec<String>>) -> (Vec<u8>, String) {
    let mut labels = Vec::new();
    let mut place = 12;
    while query[place] != 0 {
        let end = place + 1 + usize::from(query[place]);
        labels.push(String::from_utf8_lossy(&query[place + 1..end]).into_owned());
        place = end;
    }
    let name = labels.join(".");
    let texts = records.get(&name).cloned().unwrap_or_default();
    let count = u8::try_from(texts.len()).unwrap();
    let mut bytes = query[..2].to_vec();
    bytes.extend([0x81, 0x80, 0, 1, 0, count, 0, 0, 0, 0]);
    bytes.extend(&query[12..place + 5]);
    for text in texts {
        let length = u8::try_from(text.len()).unwrap();
        bytes.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, length + 1, length]);
        bytes.extend(text.as_bytes());
    }
    (bytes, name)
}

async fn start(server: &NameServer) -> TestApp {
    let address = server.address;
    TestApp::start_as(|config, tuning| {
        config.mail = Some(mail(25));
        tuning.name_servers = Some(vec![address]);
    })
    .await
}

async fn check(app: &TestApp, letter: Option<&str>) -> Answer {
    app.post(PATH, &json!({ "letter": letter })).await
}

fn states(report: &Json) -> [&str; 3] {
    ["spf", "dkim", "dmarc"].map(|name| report[name]["state"].as_str().unwrap())
}

#[tokio::test]
async fn name_servers_are_asked_only_when_she_presses() {
    let server = NameServer::start();
    let app = start(&server).await;
    app.get("/api/admin/status").await.is(200);
    app.get("/api/admin/sendings").await.is(200);
    assert_eq!(*server.asked.lock().unwrap(), [""; 0]);
    let report = check(&app, None).await.is(200).json();
    assert_eq!(report["domain"], "example.org");
    assert_eq!(states(&report), ["missing", "untested", "missing"]);
    let spf = json!({ "name": "example.org", "value": "v=spf1 ip4:127.0.0.1 ~all" });
    assert_eq!(report["spf"]["wanted"], spf);
    let dmarc = json!({ "name": "_dmarc.example.org", "value": "v=DMARC1; p=none" });
    assert_eq!(report["dmarc"]["wanted"], dmarc);
    let asked = server.asked.lock().unwrap().clone();
    assert_eq!(asked, ["example.org", "_dmarc.example.org"]);
}

#[tokio::test]
async fn all_is_good_when_the_records_are_there_and_a_letter_passed() {
    let server = NameServer::start();
    server.put("example.org", &["other=1", "v=spf1 mx ~all"]);
    server.put("_dmarc.example.org", &["v=DMARC1; p=none"]);
    let app = start(&server).await;
    let report = check(&app, None).await.is(200).json();
    assert_eq!(states(&report), ["likely", "untested", "good"]);
    let report = check(&app, Some(LETTER)).await.is(200).json();
    assert_eq!(states(&report), ["good", "good", "good"]);
    assert_eq!(report["spf"]["wanted"], Json::Null);
    let other = LETTER.replace("@example.org;", "@provider.example;");
    let report = check(&app, Some(&other)).await.is(200).json();
    assert_eq!(report["dkim"]["state"], "wrong");
    assert_eq!(report["dkim"]["found"], "provider.example");
}

#[tokio::test]
async fn a_letter_that_says_nothing_is_refused_and_asks_nobody() {
    let server = NameServer::start();
    let app = start(&server).await;
    let other = LETTER.replace("sito@example.org>", "sito@example.net>");
    let bare = "From: sito@example.org\nSubject: x\n";
    for (letter, said) in [
        ("Ciao Anna", "Mostra originale"),
        (other.as_str(), "non viene dal sito"),
        (bare, "Gmail, Outlook o iCloud"),
    ] {
        let refused = check(&app, Some(letter)).await.is(422).json();
        assert_eq!(refused["errors"][0]["field"], "letter");
        let message = refused["errors"][0]["message"].as_str().unwrap();
        assert!(message.contains(said), "{message}");
    }
    assert_eq!(*server.asked.lock().unwrap(), [""; 0]);
    app.post(PATH, &json!({ "letter": 5 })).await.is(422);
    let large = json!({ "letter": "a".repeat(300 * 1024) });
    app.post(PATH, &large).await.is(413);
    let mut statuses = Vec::new();
    for _ in 0..25 {
        statuses.push(check(&app, None).await.status);
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    let without_mail = TestApp::start().await;
    check(&without_mail, None).await.is(409);
}

#[tokio::test]
async fn name_servers_that_do_not_answer_are_said() {
    let closed = UdpSocket::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let app = TestApp::start_as(|config, tuning| {
        config.mail = Some(mail(25));
        tuning.name_servers = Some(vec![closed]);
    })
    .await;
    let report = check(&app, Some(LETTER)).await.is(200).json();
    assert_eq!(states(&report), ["good", "good", "unknown"]);
    let report = check(&app, None).await.is(200).json();
    assert_eq!(states(&report), ["unknown", "untested", "unknown"]);
}
