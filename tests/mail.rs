//! Tests of SMTP delivery against a mail server of the test, and of the report of `doctor`.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "support/mail_server.rs"]
mod mail_server;
#[path = "support/mailbox_server.rs"]
mod mailbox_server;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use mail_server::{Begins, MailServer, root};
use mailbox_server::MailboxServer;
use respiro_email::{
    BounceMailbox, EmailMessage, Look, MailboxCursor, MailboxError, MailboxOptions, MailboxPhase,
    SmtpOptions, SmtpPhase, deliver,
};
use respiro_server::config::{parse_mail_server, parse_mailbox};
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
    let bounces = place.path().join("bounces");
    let output = Command::new(env!("CARGO_BIN_EXE_respiro"))
        .args(["--data", place.path().join("site.redb").to_str().unwrap()])
        .args(["doctor", "--listen", "127.0.0.1:0"])
        .args(["--public-url", "http://localhost"])
        .args(["--smtp-url", url, "--mail-from", "sito@example.org"])
        .args(["--smtp-ca", ca.to_str().unwrap()])
        .args(more)
        .env_clear()
        .env("RESPIRO_SMTP_PASSWORD_FILE", place.path().join("password"))
        .envs(
            bounces
                .is_file()
                .then(|| ("RESPIRO_BOUNCES_FILE", bounces.clone())),
        )
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

fn mailbox(server: &MailboxServer, folder: &Path, is_starttls: bool) -> MailboxOptions {
    let scheme = if is_starttls {
        "imap+starttls"
    } else {
        "imaps"
    };
    let password = mailbox_server::PASSWORD.replace(' ', "%20");
    let user = mailbox_server::USER;
    let url = format!("{scheme}://{user}:{password}@localhost:{}/", server.port);
    let roots = chain_of(&mailbox_server::root(folder)).unwrap();
    let roots = roots.iter().map(|root| root.to_vec()).collect();
    parse_mailbox(&url, Ok(roots)).unwrap()
}

async fn look(
    options: &MailboxOptions,
    cursor: Option<MailboxCursor>,
) -> Result<Look, MailboxError> {
    let mut mailbox = BounceMailbox::open(options).await?;
    let look = mailbox.look(cursor, 1_790_000_000_000).await;
    mailbox.close().await;
    look
}

#[tokio::test]
async fn a_mailbox_is_opened_only_inside_tls_that_names_its_server() {
    for is_starttls in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let server = MailboxServer::start(is_starttls, folder.path());
        let options = mailbox(&server, folder.path(), is_starttls);
        look(&options, None).await.unwrap();
        let heard = server.heard();
        let outside = heard.iter().filter(|line| !line.starts_with("tls "));
        let outside: Vec<&String> = outside.collect();
        assert_eq!(outside.len(), usize::from(is_starttls), "{heard:?}");
        assert_eq!(server.count("tls LOGIN"), 1, "{heard:?}");
        for wrong in [
            MailboxOptions {
                extra_roots: Ok(Vec::new()),
                ..options.clone()
            },
            MailboxOptions {
                host: "127.0.0.1".to_owned(),
                ..options.clone()
            },
        ] {
            let failure = look(&wrong, None).await.unwrap_err();
            assert_eq!(failure.phase, MailboxPhase::Tls, "{failure:?}");
        }
        assert_eq!(server.count("LOGIN"), 1, "{:?}", server.heard());
    }
}

#[tokio::test]
async fn each_failure_of_a_mailbox_is_told_by_its_step_and_without_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let server = MailboxServer::start(false, folder.path());
    server.add(&mailbox_server::complaint("<a@b>"));
    let options = mailbox(&server, folder.path(), false);
    for (command, answer, phase) in [
        (
            "LOGIN",
            "TAG NO sito@example.org is unknown\r\n",
            MailboxPhase::Login,
        ),
        ("LOGIN", "", MailboxPhase::Login),
        ("SELECT", "TAG NO no folder\r\n", MailboxPhase::Folder),
        ("UID SEARCH", "TAG BAD what\r\n", MailboxPhase::Read),
        ("UID SEARCH", "", MailboxPhase::Read),
        ("UID FETCH", "", MailboxPhase::Read),
        // Regression: after a refusal the message counted as read.
        ("UID FETCH", "TAG NO later\r\n", MailboxPhase::Read),
    ] {
        server.answer(command, Some(answer));
        let failure = look(&options, None).await.unwrap_err();
        server.answer(command, None);
        assert_eq!(failure.phase, phase, "{answer}: {failure:?}");
        assert!(!failure.reason.contains('@'), "{failure:?}");
    }
    let nowhere = MailboxOptions {
        host: "mail.invalid".to_owned(),
        ..options
    };
    let failure = look(&nowhere, None).await.unwrap_err();
    assert_eq!(failure.phase, MailboxPhase::Connect);
}

/// Nothing is read twice or missed, however many messages arrive and whatever their numbers are.
#[tokio::test]
async fn a_mailbox_is_read_from_the_last_message_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = MailboxServer::start(false, folder.path());
    let options = mailbox(&server, folder.path(), false);
    let empty = look(&options, None).await.unwrap();
    assert_eq!((empty.cursor.last_uid, empty.reports.len()), (0, 0));
    for number in 0..250 {
        server.add(&mailbox_server::complaint(&format!(
            "<{number}@example.org>"
        )));
    }
    let first = look(&options, Some(empty.cursor)).await.unwrap();
    assert_eq!((first.reports.len(), first.is_partial), (200, true));
    let second = look(&options, Some(first.cursor)).await.unwrap();
    assert_eq!((second.reports.len(), second.is_partial), (50, false));
    assert_eq!(second.reports[49].1.message_id, "249@example.org");
    let third = look(&options, Some(second.cursor.clone())).await.unwrap();
    assert_eq!((third.reports.len(), &third.cursor), (0, &second.cursor));
    // Other numbers, or another mailbox: the cursor does not count.
    server.renumber(1_000);
    let fourth = look(&options, Some(third.cursor)).await.unwrap();
    assert_eq!((fourth.reports.len(), fourth.cursor.last_uid), (200, 1_199));
    let other = MailboxOptions {
        folder: "Posta tornata".to_owned(),
        ..options
    };
    let other = look(&other, Some(fourth.cursor)).await.unwrap();
    assert_eq!(other.reports.len(), 200);
}

/// A message of any size costs 256 KiB; a report says what it has to say before that.
#[tokio::test]
async fn a_large_message_of_a_mailbox_is_read_up_to_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let server = MailboxServer::start(false, folder.path());
    let mut large = mailbox_server::bounce("<a@example.org>", "a@b.it", "5.1.1");
    large.extend("x".repeat(3_000_000).bytes());
    for _ in 0..70 {
        server.add(&large);
    }
    let options = mailbox(&server, folder.path(), false);
    let mut cursor = None;
    let mut count = 0;
    for _ in 0..3 {
        let look = look(&options, cursor).await.unwrap();
        count += look.reports.len();
        cursor = Some(look.cursor);
        if !look.is_partial {
            break;
        }
    }
    assert_eq!(count, 70);
}

#[test]
fn doctor_opens_the_mailbox_and_says_what_to_do_when_it_cannot() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("password"), format!("{PASSWORD}\n")).unwrap();
    let smtp = MailServer::start(Begins::WithTls, place.path());
    let server = MailboxServer::start(false, place.path());
    let both = [root(place.path()), mailbox_server::root(place.path())];
    let both = both.map(|root| std::fs::read(root).unwrap()).concat();
    let roots = place.path().join("roots.pem");
    std::fs::write(&roots, both).unwrap();
    let smtp = format!("smtps://me@localhost:{}", smtp.port);
    let secret = mailbox_server::PASSWORD.replace(' ', "%20");
    let user = mailbox_server::USER;
    let run = |url: &str| {
        let file = place.path().join("bounces");
        std::fs::write(&file, format!("{url}\n")).unwrap();
        let (ended, report) = doctor(&place, &smtp, &roots, &[]);
        assert!(!report.contains("segret"), "{report}");
        (ended, report)
    };
    let port = server.port;
    let (ended, report) = run(&format!("imaps://{user}:{secret}@localhost:{port}"));
    assert_eq!(ended, Some(0), "{report}");
    let good = format!("the mailbox at localhost:{port} can be read: 0 messages in INBOX");
    assert!(report.contains(&good), "{report}");
    assert!(
        report.contains("RESPIRO_BOUNCES: set  (the file that"),
        "{report}"
    );
    for (url, words) in [
        (
            format!("imaps://{user}:segreto@localhost:{port}"),
            "check user and password",
        ),
        (
            format!("imaps://{user}:{secret}@localhost:{port}/Altra"),
            "folder that exists",
        ),
        (
            format!("imaps://{user}:{secret}@127.0.0.1:{port}"),
            "must name 127.0.0.1",
        ),
        (
            format!("imaps://{user}:{secret}@mail.invalid"),
            "check the name mail.invalid",
        ),
        (
            format!("imap://{user}:{secret}@localhost:{port}"),
            "must be imaps://USER:PASSWORD@HOST",
        ),
    ] {
        let (ended, report) = run(&url);
        assert_eq!(ended, Some(1), "{words}: {report}");
        assert!(report.contains(words), "{words}: {report}");
    }
}
