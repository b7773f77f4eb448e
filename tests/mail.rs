//! Tests of SMTP delivery against a mail server of the test, and of the report of `doctor`.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "support/mail_server.rs"]
mod mail_server;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use mail_server::{Begins, MailServer, root};
use respiro_email::{EmailMessage, SmtpOptions, SmtpPhase, deliver};
use respiro_server::config::parse_mail_server;
use respiro_server::tls::chain_of;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const PASSWORD: &str = "segreto di prova";

fn mail(scheme: &str, place: &str, folder: Option<&Path>) -> SmtpOptions {
    SmtpOptions {
        server: parse_mail_server(&format!("{scheme}://{place}")).unwrap(),
        password: place.contains('@').then(|| PASSWORD.to_owned()),
        from: "sito@example.org".to_owned(),
        hello_name: Some("www.example.org".to_owned()),
        extra_roots: folder.map_or(Ok(Vec::new()), |folder| {
            let roots = chain_of(&root(folder))?;
            Ok(roots.iter().map(|root| root.to_vec()).collect())
        }),
        timeout: std::time::Duration::from_secs(20),
    }
}

fn letter() -> EmailMessage {
    EmailMessage {
        to: "lina@example.com".to_owned(),
        sender: "Respiro è\r\nBcc: x@example.org".to_owned(),
        subject: "Perché no?\r\nBcc: x@example.org".to_owned(),
        text: format!(
            ".\nPerché no\n.\n{}\nhttps://example.org/{}\n",
            "parole e parole ".repeat(20),
            "x".repeat(200)
        ),
        unsubscribe_url: Some(format!("https://example.org/{}", "y".repeat(200))),
        id: "abc".to_owned(),
        at: 1_790_000_000_000,
        ..EmailMessage::default()
    }
}

async fn send(mail: &SmtpOptions) -> Result<(), respiro_email::DeliveryError> {
    let bytes = letter().compose(mail).unwrap();
    deliver(mail, "lina@example.com", &bytes).await
}

#[tokio::test]
async fn a_message_has_every_header_and_no_text_becomes_one() {
    let folder = tempfile::tempdir().unwrap();
    let server = MailServer::start(Begins::Plainly, folder.path());
    let mail = mail("smtp+plain", &format!("127.0.0.1:{}", server.port), None);
    send(&mail).await.unwrap();
    let taken = server.next();
    let text = &taken.text;
    assert!(text.is_ascii(), "{text}");
    assert!(text.lines().all(|line| line.len() <= 998), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("Bcc")), "{text}");
    assert_eq!(taken.header("To"), "lina@example.com");
    assert!(
        taken.header("From").ends_with(" <sito@example.org>"),
        "{text}"
    );
    for name in ["From", "Subject"] {
        assert!(taken.header(name).contains("=?utf-8?"), "{text}");
    }
    assert_eq!(taken.header("Date"), "Mon, 21 Sep 2026 14:13:20 +0000");
    assert_eq!(taken.header("Message-ID"), "<abc@example.org>");
    assert_eq!(taken.header("Auto-Submitted"), "auto-generated");
    assert_eq!(taken.header("MIME-Version"), "1.0");
    assert_eq!(taken.header("Content-Type"), "text/plain; charset=utf-8");
    assert_eq!(
        taken.header("List-Unsubscribe"),
        format!("<https://example.org/{}>", "y".repeat(200))
    );
    assert_eq!(
        taken.header("List-Unsubscribe-Post"),
        "List-Unsubscribe=One-Click"
    );
    assert_eq!(
        taken.body().trim_end(),
        letter().text.trim_end().replace('\n', "\r\n")
    );
    assert_eq!(server.count("AUTH"), 0);
}

/// Decodes the encoded words of a header (RFC 2047). Each must be complete by itself.
fn decoded(header: &str) -> String {
    let mut said = String::new();
    let mut was_encoded = false;
    for word in header.split(' ') {
        let base64 = word
            .strip_prefix("=?utf-8?b?")
            .and_then(|rest| rest.strip_suffix("?="));
        if !(said.is_empty() || was_encoded && base64.is_some()) {
            said.push(' ');
        }
        was_encoded = base64.is_some();
        match base64 {
            Some(base64) => {
                let bytes = BASE64.decode(base64).unwrap();
                assert!(word.len() <= 75, "{word}");
                said.push_str(&String::from_utf8(bytes).unwrap());
            }
            None => said.push_str(word),
        }
    }
    said
}

/// Regression: a subject was silently truncated at 80 characters, like the name of a sender.
#[test]
fn a_long_subject_arrives_whole() {
    let mail = mail("smtp+plain", "127.0.0.1:25", None);
    let plain = "Il respiro di maggio, ".repeat(9);
    let accented = "Perché no? Così è più semplice 🧘🏽‍♀️ ".repeat(6);
    let one_word = "è".repeat(200);
    for subject in [
        plain.trim_end(),
        accented.trim_end(),
        &one_word,
        "=?utf-8?q?x?= e y",
    ] {
        let written = EmailMessage {
            subject: format!("[Prova] {subject}\r\n"),
            sender: "Anna ".repeat(40),
            list: Some(format!("newsletter.{}.example.org", "a".repeat(120))),
            ..letter()
        };
        let bytes = written.compose(&mail).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let taken = mail_server::Taken {
            to: String::new(),
            text,
        };
        assert_eq!(
            decoded(&taken.header("Subject")),
            format!("[Prova] {subject}")
        );
        assert!(taken.header("List-Id").ends_with(".example.org>"));
        assert!(
            decoded(&taken.header("From")).chars().count() < 110,
            "{}",
            taken.text
        );
        let (head, _) = taken.text.split_once("\r\n\r\n").unwrap();
        let mut own = head.lines().filter(|line| !line.starts_with("List-"));
        assert!(own.all(|line| line.len() <= 78), "{head}");
    }
}

#[tokio::test]
async fn a_password_travels_only_inside_tls_that_names_the_server() {
    for (begins, scheme) in [(Begins::WithStartTls, "smtp"), (Begins::WithTls, "smtps")] {
        let folder = tempfile::tempdir().unwrap();
        let server = MailServer::start(begins, folder.path());
        let place = format!("me@localhost:{}", server.port);
        send(&mail(scheme, &place, Some(folder.path())))
            .await
            .unwrap();
        server.next();
        let heard = server.heard();
        let outside: Vec<&String> = heard
            .iter()
            .filter(|line| !line.starts_with("tls "))
            .collect();
        match begins {
            Begins::WithStartTls => assert_eq!(outside.len(), 2, "{heard:?}"),
            _ => assert!(outside.is_empty(), "{heard:?}"),
        }
        assert_eq!(server.count("tls AUTH PLAIN"), 1, "{heard:?}");
        // A root certificate that is not configured, and a host name that the certificate does not
        // have.
        for wrong in [
            mail(scheme, &place, None),
            mail(
                scheme,
                &format!("me@127.0.0.1:{}", server.port),
                Some(folder.path()),
            ),
        ] {
            let failure = send(&wrong).await.unwrap_err();
            assert_eq!(failure.phase, SmtpPhase::Tls, "{failure:?}");
        }
        assert_eq!(server.count("AUTH"), 1, "{:?}", server.heard());
    }
}

#[tokio::test]
async fn a_server_without_tls_gets_nothing_but_a_greeting() {
    let folder = tempfile::tempdir().unwrap();
    let server = MailServer::start(Begins::Plainly, folder.path());
    let place = format!("me@localhost:{}", server.port);
    let failure = send(&mail("smtp", &place, Some(folder.path())))
        .await
        .unwrap_err();
    assert_eq!(failure.phase, SmtpPhase::Tls, "{failure:?}");
    assert_eq!((server.count("AUTH"), server.count("MAIL")), (0, 0));
}

/// Regression: `EHLO` gave the machine's own name, which strict mail servers refuse.
#[tokio::test]
async fn the_mail_server_is_greeted_with_the_public_name() {
    let folder = tempfile::tempdir().unwrap();
    for begins in [Begins::Plainly, Begins::WithStartTls] {
        let server = MailServer::start(begins, folder.path());
        let scheme = if begins == Begins::Plainly {
            "smtp+plain"
        } else {
            "smtp"
        };
        let place = format!("localhost:{}", server.port);
        send(&mail(scheme, &place, Some(folder.path())))
            .await
            .unwrap();
        let heard = server.heard();
        let mut greetings = heard.iter().filter(|line| line.contains("EHLO"));
        assert!(
            greetings.all(|line| line.ends_with("EHLO www.example.org")),
            "{heard:?}"
        );
    }
}

#[tokio::test]
async fn a_failure_says_how_far_it_came_and_names_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = MailServer::start(Begins::Plainly, folder.path());
    let plain = mail("smtp+plain", &format!("127.0.0.1:{}", server.port), None);
    for (command, answer, step, is_about_message) in [
        ("EHLO", "550 not you", SmtpPhase::Greeting, false),
        (
            "MAIL",
            "550 not from <sito@example.org>",
            SmtpPhase::Sender,
            false,
        ),
        (
            "RCPT",
            "550 no <lina@example.com> here",
            SmtpPhase::Recipient,
            true,
        ),
        (
            "RCPT",
            "451 lina@example.com: come back later",
            SmtpPhase::Recipient,
            false,
        ),
        ("DATA", "554 no", SmtpPhase::Message, true),
        ("END", "452 full", SmtpPhase::Message, false),
    ] {
        server.answer(command, Some(answer));
        let failure = send(&plain).await.unwrap_err();
        server.answer(command, None);
        assert_eq!(failure.phase, step, "{failure:?}");
        assert_eq!(failure.is_about_message(), is_about_message, "{failure:?}");
        assert!(!failure.reason.contains('@'), "{failure:?}");
        assert!(failure.reason.contains(&answer[..3]), "{failure:?}");
    }
    let nowhere = mail("smtps", "mail.invalid", None);
    assert_eq!(
        send(&nowhere).await.unwrap_err().phase,
        SmtpPhase::DnsLookup
    );
}

fn doctor(place: &TempDir, url: &str, ca: &Path, more: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_respiro"))
        .args(["--data", place.path().join("site.redb").to_str().unwrap()])
        .args(["doctor", "--listen", "127.0.0.1:0"])
        .args(["--public-url", "http://localhost"])
        .args(["--smtp-url", url, "--mail-from", "sito@example.org"])
        .args(["--smtp-ca", ca.to_str().unwrap()])
        .args(more)
        .env_clear()
        .env("RESPIRO_SMTP_PASSWORD_FILE", place.path().join("password"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let report = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(report).unwrap())
}

#[test]
fn doctor_signs_in_at_the_mail_server_and_says_what_to_do_when_it_cannot() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("password"), format!("{PASSWORD}\n")).unwrap();
    let server = MailServer::start(Begins::WithTls, place.path());
    let url = format!("smtps://me@localhost:{}", server.port);
    let root = root(place.path());

    let (ended, report) = doctor(&place, &url, &root, &[]);
    assert_eq!(ended, Some(0), "{report}");
    for line in [
        "takes mail from sito@example.org, over TLS",
        "RESPIRO_SMTP_PASSWORD: set  (the file that RESPIRO_SMTP_PASSWORD_FILE names)",
        "mail-from = sito@example.org  (command line)",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    assert!(!report.contains(PASSWORD), "{report}");
    assert_eq!((server.count("AUTH"), server.count("RCPT")), (1, 0));

    let (ended, report) = doctor(&place, &url, &root, &["--mail-to", "io@example.net"]);
    assert_eq!(ended, Some(0), "{report}");
    assert!(report.contains("took a test message"), "{report}");
    let taken = server.next();
    assert_eq!(taken.to, "RCPT TO:<io@example.net>");
    assert!(taken.body().contains("può mandare posta"), "{}", taken.text);

    server.answer("AUTH", Some("535 wrong"));
    let stranger = place.path().join("password");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    for (url, root, words) in [
        (url.as_str(), &root, "check the user in --smtp-url"),
        (
            &format!("smtps://me@localhost:{port}"),
            &root,
            "check the port",
        ),
        (
            "smtps://me@mail.invalid",
            &root,
            "check the name mail.invalid",
        ),
        (
            &url.replace("localhost", "127.0.0.1"),
            &root,
            "must name 127.0.0.1",
        ),
        (&url, &stranger, "certificate with --smtp-ca"),
        (
            "smtps://me:segretissimo@localhost",
            &root,
            "RESPIRO_SMTP_PASSWORD",
        ),
    ] {
        let (ended, report) = doctor(&place, url, root, &[]);
        assert_eq!(ended, Some(1), "{words}: {report}");
        assert!(report.contains(words), "{words}: {report}");
        assert!(
            !report.contains("segretissimo") && !report.contains(PASSWORD),
            "{report}"
        );
    }
}
