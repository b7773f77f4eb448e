//! Reports as mail servers write them: `fuzz/seeds/report/NAME.eml`.

use super::ReportOutcome::{Complaint, Failed, Permanent};
use super::*;
use BounceCause::{MailboxClosed, MailboxFull, NoDomain, NoMailbox, Refused, Undelivered};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const ID: &str = "1790000000000.dU-TwaFV__sFbubeUSJyAund0lu06JbMd0y8wp3K784@example.org";

/// Each file, what it says, and an address that it names. `None`: nothing that counts.
const REPORTS: &[(&str, Option<(ReportOutcome, &str)>)] = &[
    ("arf-aol-redacted", Some((Complaint, ""))),
    ("arf-dkim", None),
    (
        "arf-headers-only",
        Some((Complaint, "tito@comcast.example")),
    ),
    ("arf-not-spam", None),
    ("arf-yahoo", Some((Complaint, "sara@yahoo.example"))),
    (
        "aruba-full",
        Some((Failed(MailboxFull), "olga@studioolga.example")),
    ),
    (
        "aruba-no-user",
        Some((Permanent(NoMailbox), "mara@studiomara.example")),
    ),
    (
        "exchange-no-domain",
        Some((Permanent(NoDomain), "nina@gmial.example")),
    ),
    (
        "exchange-no-user",
        Some((Permanent(NoMailbox), "dario@studio.example")),
    ),
    (
        "exim-report",
        Some((Permanent(NoMailbox), "pia@example.net")),
    ),
    (
        "exim-text",
        Some((Permanent(NoMailbox), "remo@example.net")),
    ),
    ("exim-warning", None),
    ("gmail-delayed", None),
    (
        "gmail-no-user",
        Some((Permanent(NoMailbox), "gina.bassi@gmail.example")),
    ),
    (
        "gmail-over-quota",
        Some((Failed(MailboxFull), "pieno@gmail.example")),
    ),
    (
        "gmail-rate",
        Some((Failed(Refused), "molto.scritta@gmail.example")),
    ),
    (
        "hotmail-unavailable",
        Some((Permanent(NoMailbox), "vecchia@hotmail.example")),
    ),
    (
        "icloud-no-user",
        Some((Permanent(NoMailbox), "lia@icloud.example")),
    ),
    ("letter", None),
    ("libero-spam", Some((Failed(Refused), "zoe@libero.example"))),
    (
        "mixed-several-failed",
        Some((Failed(MailboxFull), "due@lista.example")),
    ),
    ("no-headers-back", None),
    ("out-of-office", None),
    (
        "outlook-blocked",
        Some((Failed(Refused), "elena@outlook.example")),
    ),
    (
        "postfix-expired",
        Some((Failed(Undelivered), "luca@spento.example")),
    ),
    (
        "postfix-forwarded",
        Some((Permanent(NoMailbox), "vecchia@example.com")),
    ),
    (
        "postfix-no-host",
        Some((Permanent(NoDomain), "ivo@exmaple.example")),
    ),
    (
        "postfix-no-user",
        Some((Permanent(NoMailbox), "ugo@example.com")),
    ),
    ("qmail", Some((Permanent(NoMailbox), "bea@vecchia.example"))),
    (
        "register-chkuser",
        Some((Permanent(NoMailbox), "teo@teo.example")),
    ),
    (
        "sendmail-disabled",
        Some((Permanent(MailboxClosed), "prof@uni.example")),
    ),
    ("success", None),
    (
        "utf8-report",
        Some((Permanent(NoMailbox), "perché@è.example")),
    ),
    (
        "yahoo-no-user",
        Some((Permanent(NoMailbox), "rosa@yahoo.example")),
    ),
    ("zimbra-several", None),
];

fn reports() -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/report");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let named = files.map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(path).unwrap())
    });
    named.collect()
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    String::from_utf8(bytes.to_vec())
        .unwrap()
        .replace('\n', "\r\n")
        .into_bytes()
}

#[test]
fn reports_of_many_servers_are_understood() {
    let reports = reports();
    let known: Vec<&str> = REPORTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(reports.keys().collect::<Vec<_>>(), known);
    for (name, expected) in REPORTS {
        for bytes in [reports[*name].clone(), with_crlf(&reports[*name])] {
            let found = parse_report(&bytes);
            let Some((outcome, address)) = expected else {
                assert_eq!(found, None, "{name}");
                continue;
            };
            let found = found.unwrap_or_else(|| panic!("{name}: no report"));
            assert_eq!(
                (found.message_id.as_str(), found.outcome),
                (ID, *outcome),
                "{name}"
            );
            let is_named = found.recipients.iter().any(|one| one == address);
            assert!(
                is_named || address.is_empty(),
                "{name}: {:?}",
                found.recipients
            );
        }
    }
}

/// The table of classes (RFC 3463) that `docs/configure.md` describes.
#[test]
fn an_address_is_stopped_for_what_is_said_of_addresses_alone() {
    for (status, reply, expected) in [
        ("5.1.1", "", Permanent(NoMailbox)),
        ("5.1.3", "", Permanent(NoMailbox)),
        ("5.1.6", "", Permanent(NoMailbox)),
        ("5.1.2", "", Permanent(NoDomain)),
        ("5.1.10", "", Permanent(NoMailbox)),
        ("5.4.4", "", Permanent(NoDomain)),
        ("5.4.310", "", Permanent(NoDomain)),
        ("5.2.1", "", Permanent(MailboxClosed)),
        ("5.2.2", "", Failed(MailboxFull)),
        ("5.1.0", "550 5.1.0 sender rejected", Failed(Undelivered)),
        ("5.1.0", "550 5.1.0 no such user", Permanent(NoMailbox)),
        ("5.1.7", "", Failed(Refused)),
        ("5.1.8", "", Failed(Refused)),
        ("5.1.90", "", Failed(Refused)),
        ("5.2.3", "", Failed(Undelivered)),
        ("5.3.4", "", Failed(Undelivered)),
        ("5.4.1", "Access denied", Failed(Undelivered)),
        ("5.4.6", "", Failed(Undelivered)),
        ("5.5.0", "", Failed(Undelivered)),
        ("5.6.0", "", Failed(Refused)),
        ("5.7.1", "", Failed(Refused)),
        ("5.7.26", "550 5.7.26 user unknown", Failed(Refused)),
        (
            "5.1.1",
            "550 5.1.1 blocked, see our blocklist",
            Failed(Refused),
        ),
        ("5.0.0", "552 mailbox is full", Failed(MailboxFull)),
        ("5.0.0", "554 account disabled", Permanent(MailboxClosed)),
        ("5.0.0", "554 refused", Failed(Undelivered)),
        ("", "", Failed(Undelivered)),
        ("4.1.1", "", Failed(NoMailbox)),
        ("4.4.7", "", Failed(Undelivered)),
        ("4.2.2", "", Failed(MailboxFull)),
    ] {
        assert_eq!(classify(status, reply), Some(expected), "{status} {reply}");
    }
    assert_eq!(classify("2.1.5", ""), None);
}

/// A message is fetched up to a limit, which may fall anywhere.
#[test]
fn a_report_that_is_cut_off_never_says_more_than_the_whole() {
    for (name, expected) in REPORTS {
        let bytes = with_crlf(&reports()[*name]);
        for end in (0..bytes.len()).step_by(7) {
            let Some(found) = parse_report(&bytes[..end]) else {
                continue;
            };
            let Some((outcome, _)) = expected else {
                assert!(
                    !matches!(found.outcome, Complaint),
                    "{name} cut at {end}: {found:?}"
                );
                continue;
            };
            if found.outcome == *outcome {
                continue;
            }
            let is_softer = matches!(found.outcome, Failed(_));
            assert!(is_softer, "{name} cut at {end}: {found:?}");
        }
    }
}

/// Whatever a stranger writes ends neither the program nor its stack.
#[test]
fn hostile_messages_report_nothing() {
    let head = "From: MAILER-DAEMON@x.example\r\nContent-Type: multipart/report; \
                report-type=delivery-status; boundary=b\r\n\r\n";
    let part = "--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\n\r\n";
    let nested = (0..5_000)
        .map(|n| format!("Content-Type: multipart/report; boundary=b{n}\r\n\r\n--b{n}\r\n"));
    let nested = nested.collect::<Vec<String>>().concat();
    let rfc822 = "Content-Type: message/rfc822\r\n\r\n".repeat(8_000);
    let groups = "Action: failed\r\nStatus: 5.1.1\r\n\r\n".repeat(7_000);
    let attributes = (0..20_000).map(|n| format!(";\r\n a{n}=b"));
    let attributes = attributes.collect::<Vec<String>>().concat();
    let mut odd = head.as_bytes().to_vec();
    odd.extend([0xff, 0xfe, 0x00, 0xc3, 0x28].repeat(40_000));
    for hostile in [
        format!("{head}{}", part.repeat(10_000)).into_bytes(),
        format!("From: a@b.it\r\n{nested}").into_bytes(),
        format!("From: a@b.it\r\n{rfc822}").into_bytes(),
        format!("{head}{part}{groups}").into_bytes(),
        format!("From: mailer-daemon@x\r\nContent-Type: text/plain{attributes}\r\n\r\nx")
            .into_bytes(),
        format!("X-Failed-Recipients: {}\r\n\r\n", "a@".repeat(100_000)).into_bytes(),
        format!(
            "{head}{part}\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{}\r\n",
            "x".repeat(200_000)
        )
        .into_bytes(),
        format!("Subject: {}\r\n\r\n", "=?utf-8?b?".repeat(20_000)).into_bytes(),
        format!("From: {}\r\n\r\n", "<(\"".repeat(60_000)).into_bytes(),
        b"--b\r\n".repeat(40_000),
        // An assertion of the parser failed at a message in a message in a part.
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n\
          Content-Type: message/rfc822\n\nSubject: a\n\nCiao\n\n--b--\n"
            .to_vec(),
        odd,
        Vec::new(),
    ] {
        let hostile = hostile.get(..256 * 1024).unwrap_or(&hostile);
        assert_eq!(parse_report(hostile), None);
    }
}
