//! Tests of messages that came back: what the reports in a mailbox change.

use crate::helpers::{DAY, TestApp};
use crate::mail_server::MailServer;
use crate::mailbox_server::{MailboxServer, PASSWORD, USER, bounce, complaint, root};
use crate::newsletter::{mail, mail_server};
use crate::sendings::{add_readers, until, written};
use respiro_email::MailboxOptions;
use respiro_newsletter::bounce_reader;
use respiro_server::tls::chain_of;
use serde_json::{Value as Json, json};

const HOUR: i64 = 60 * 60 * 1_000;

struct Site {
    app: TestApp,
    server: MailServer,
    mailbox: MailboxServer,
    options: MailboxOptions,
}

impl Site {
    /// Starts the program with these confirmed addresses and an empty mailbox.
    async fn start(emails: &[&str]) -> Self {
        let (server, folder) = (mail_server(), tempfile::tempdir().unwrap());
        let mailbox = MailboxServer::start(false, folder.path());
        let roots = chain_of(&root(folder.path())).unwrap();
        let options = MailboxOptions {
            host: "localhost".to_owned(),
            port: mailbox.port,
            is_starttls: false,
            user: USER.to_owned(),
            password: PASSWORD.to_owned(),
            folder: "INBOX".to_owned(),
            extra_roots: Ok(roots.iter().map(|root| root.to_vec()).collect()),
        };
        let app = TestApp::start_as(|config, _| {
            config.mail = Some(mail(server.port));
            config.bounces = Some(options.clone());
        })
        .await;
        add_readers(&app, emails).await;
        let site = Self {
            app,
            server,
            mailbox,
            options,
        };
        // The first look of the program.
        while site.bounces().await["readAt"].is_null() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        site
    }

    async fn read(&self) -> bool {
        let app = &self.running();
        bounce_reader::read_once(&app.site, &app.jobs.bounces, &self.options).await
    }

    fn running(&self) -> std::sync::Arc<respiro_server::state::App> {
        std::sync::Arc::clone(&self.app.running.app)
    }

    /// What the panel says of the mailbox.
    async fn bounces(&self) -> Json {
        self.app.get("/api/admin/sendings").await.is(200).json()["bounces"].clone()
    }

    async fn row(&self, email: &str) -> Json {
        let list = self.app.get("/api/admin/newsletter").await.is(200).json();
        let mut rows = list.as_array().unwrap().iter();
        rows.find(|one| one["email"] == email).unwrap().clone()
    }

    /// Sends a newsletter to everybody. Returns the Message-ID of each, by address.
    async fn send(&self, title: &str, count: usize) -> Vec<(String, String)> {
        let id = written(&self.app, title).await;
        let path = format!("/api/admin/sendings/{id}/start");
        self.app.post(&path, &json!({})).await.is(200);
        let mut sent = Vec::new();
        for _ in 0..count {
            let taken = self.server.arriving().await;
            let to = taken
                .to
                .trim_start_matches("RCPT TO:<")
                .trim_end_matches('>');
            sent.push((to.to_owned(), taken.header("Message-ID")));
        }
        until(&self.app, &id, |now| now["state"] == "sent").await;
        sent.sort();
        sent
    }
}

#[tokio::test]
async fn a_report_stops_the_address_that_the_message_was_sent_to() {
    let site = Site::start(&["ada@example.com", "lina@example.com", "olga@example.com"]).await;
    let sent = site.send("Settembre", 3).await;
    let [(_, ada), (_, lina), (_, olga)] = &sent[..] else {
        panic!("{sent:?}")
    };
    let used = site.mailbox.add(&bounce(ada, "ada@example.com", "5.1.1"));
    // A message that was forwarded comes back from another address.
    let forwarded = site
        .mailbox
        .add(&bounce(lina, "altra@altrove.example", "5.2.1"));
    let complained = site.mailbox.add(&complaint(olga));
    let private = b"From: gina@example.net\r\nSubject: Ciao\r\n\r\nuser unknown\r\n";
    site.mailbox.add(private);
    assert!(!site.read().await);

    let ada = site.row("ada@example.com").await;
    assert_eq!(ada["state"], "unreachable");
    assert_eq!(ada["bounce"]["cause"], "noMailbox");
    let lina = site.row("lina@example.com").await;
    assert_eq!(
        (&lina["state"], &lina["bounce"]["cause"]),
        (&json!("unreachable"), &json!("mailboxClosed"))
    );
    let olga = site.row("olga@example.com").await;
    assert_eq!(
        (&olga["state"], &olga["bounce"]["cause"]),
        (&json!("unsubscribed"), &json!("complaint"))
    );
    // Only what was used is marked, and the text of a private message is not requested.
    assert_eq!(site.mailbox.seen(), [used, forwarded, complained]);
    assert_eq!(
        site.mailbox.count("FETCH 4 "),
        0,
        "{:?}",
        site.mailbox.heard()
    );

    // By hand, and only until another message comes back.
    let path = "/api/admin/newsletter/ada@example.com/restore";
    site.app.post(path, &json!({})).await.is(204);
    let ada = site.row("ada@example.com").await;
    assert_eq!(
        (&ada["state"], &ada["bounce"]),
        (&json!("confirmed"), &Json::Null)
    );
    // The server numbers everything anew: nothing is used twice.
    site.mailbox.renumber(40);
    site.read().await;
    assert_eq!(site.row("ada@example.com").await["state"], "confirmed");
    site.app.let_time_pass(DAY);
    site.app.sign_in(&site.app.admin).await.is(200);
    let sent = site.send("Ottobre", 1).await;
    site.mailbox
        .add(&bounce(&sent[0].1, "ada@example.com", "5.1.1"));
    site.read().await;
    assert_eq!(site.row("ada@example.com").await["state"], "unreachable");
}

/// Anybody can write to the mailbox: a report counts only with the Message-ID that the address got.
#[tokio::test]
async fn a_forged_report_changes_nothing() {
    let site = Site::start(&["ada@example.com", "lina@example.com"]).await;
    let sent = site.send("Settembre", 2).await;
    let id = sent[0].1.trim_matches(['<', '>']);
    let (local, domain) = id.split_once('@').unwrap();
    let (at, signature) = local.split_once('.').unwrap();
    let other = if signature.starts_with('A') { "B" } else { "A" };
    let other = format!("{other}{}", &signature[1..]);
    let next: i64 = at.parse::<i64>().unwrap() + 1;
    for forged in [
        "<abc@example.org>".to_owned(),
        format!("<{next}.{signature}@{domain}>"),
        format!("<{at}.{other}@{domain}>"),
        format!("<{at}.@{domain}>"),
        format!("<.{signature}@{domain}>"),
        format!("<{at}@{domain}>"),
        format!("<99999999999999999999.{signature}@{domain}>"),
        format!("<-5.{signature}@{domain}>"),
    ] {
        site.mailbox
            .add(&bounce(&forged, "ada@example.com", "5.1.1"));
        site.mailbox.add(&complaint(&forged));
    }
    // A reader can report their own message, for nobody else.
    site.mailbox
        .add(&bounce(&sent[0].1, "lina@example.com", "5.1.1"));
    site.read().await;
    assert_eq!(site.row("lina@example.com").await["state"], "confirmed");
    assert_eq!(site.row("lina@example.com").await["bounce"], Json::Null);
    assert_eq!(site.row("ada@example.com").await["state"], "unreachable");
    assert_eq!(site.mailbox.seen().len(), 1);
}

#[tokio::test]
async fn a_failure_that_passes_is_shown_when_it_is_repeated() {
    let site = Site::start(&["piena@example.com"]).await;
    for round in 1..=3 {
        let sent = site.send(&format!("Numero {round}"), 1).await;
        let report = bounce(&sent[0].1, "piena@example.com", "5.2.2");
        // Twice about the same message.
        site.mailbox.add(&report);
        site.mailbox.add(&report);
        site.read().await;
        let row = site.row("piena@example.com").await;
        assert_eq!(row["state"], "confirmed", "{row}");
        match round {
            3 => {
                assert_eq!(row["bounce"]["cause"], "mailboxFull", "{row}");
                assert_eq!(row["bounce"]["messages"], 3, "{row}");
            }
            _ => assert_eq!(row["bounce"], Json::Null, "{row}"),
        }
        site.app.let_time_pass(HOUR);
    }
    site.app.let_time_pass(30 * DAY);
    site.app.sign_in(&site.app.admin).await.is(200);
    assert_eq!(site.row("piena@example.com").await["bounce"], Json::Null);
}

/// A confirmation that comes back stops the address; whoever opens its link is reached after all.
#[tokio::test]
async fn a_confirmation_that_comes_back_is_shown_until_it_is_confirmed() {
    let site = Site::start(&[]).await;
    let body = json!({ "email": "nuova@example.com" });
    let (app, visitor) = (&site.app, &site.app.visitor);
    app.by(visitor, "POST", "/api/newsletter", Some(&body))
        .await
        .is(202);
    let taken = site.server.arriving().await;
    site.mailbox.add(&bounce(
        &taken.header("Message-ID"),
        "nuova@example.com",
        "5.1.1",
    ));
    site.read().await;
    let row = site.row("nuova@example.com").await;
    assert_eq!(
        (&row["state"], &row["bounce"]["cause"]),
        (&json!("unreachable"), &json!("noMailbox"))
    );
    crate::newsletter::press(app, &taken.link("/conferma/")).await;
    let row = site.row("nuova@example.com").await;
    assert_eq!(
        (&row["state"], &row["bounce"]),
        (&json!("confirmed"), &Json::Null)
    );
}

/// A relay that is out of order answers `no such user` for every address.
#[tokio::test]
async fn reports_of_a_day_do_not_empty_the_list() {
    let emails: Vec<String> = (0..30).map(|n| format!("a{n}@example.com")).collect();
    let emails: Vec<&str> = emails.iter().map(String::as_str).collect();
    let site = Site::start(&emails).await;
    for (email, id) in site.send("Settembre", 30).await {
        site.mailbox.add(&bounce(&id, &email, "5.1.1"));
    }
    site.read().await;
    let list = site.app.get("/api/admin/newsletter").await.json();
    let rows = list.as_array().unwrap();
    let count = |state: &str| rows.iter().filter(|one| one["state"] == state).count();
    assert_eq!((count("unreachable"), count("confirmed")), (20, 10));
    assert!(rows.iter().all(|one| one["bounce"]["cause"] == "noMailbox"));
}

#[tokio::test]
async fn a_mailbox_that_stays_closed_gives_one_notice() {
    let site = Site::start(&[]).await;
    let notices = async || {
        let told = site.app.get("/api/admin/notices").await.is(200).json();
        let rows = told["notices"].as_array().unwrap().clone();
        rows.into_iter()
            .filter(|one| one["subject"] == "bounces")
            .collect::<Vec<_>>()
    };
    site.mailbox.answer("LOGIN", Some("TAG NO wrong\r\n"));
    site.read().await;
    let told = site.bounces().await;
    assert_eq!(
        told["reason"], "il server della casella rifiuta nome o password",
        "{told}"
    );
    assert!(notices().await.is_empty(), "it may pass");
    for _ in 0..8 {
        site.app.let_time_pass(HOUR / 6);
        site.read().await;
    }
    let open = notices().await;
    assert_eq!((open.len(), &open[0]["count"]), (1, &json!(1)), "{open:?}");
    assert_eq!(open[0]["solvedAt"], Json::Null);
    site.mailbox.answer("LOGIN", None);
    site.read().await;
    assert_ne!(notices().await[0]["solvedAt"], Json::Null);
    let told = site.bounces().await;
    assert_eq!(told["failingSince"], Json::Null, "{told}");
}

/// The cursor is stored with what follows from the reports: after a restart nothing is read twice.
#[tokio::test]
async fn a_restart_goes_on_after_the_last_message() {
    let mut site = Site::start(&["ada@example.com"]).await;
    let sent = site.send("Settembre", 1).await;
    site.mailbox
        .add(&bounce(&sent[0].1, "ada@example.com", "5.1.1"));
    site.read().await;
    site.app = site.app.restart().await;
    while site.bounces().await["readAt"].is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(
        site.mailbox.count("UID SEARCH UID 2:*"),
        1,
        "{:?}",
        site.mailbox.heard()
    );
    assert_eq!(
        site.mailbox.count("BODY.PEEK[]"),
        1,
        "{:?}",
        site.mailbox.heard()
    );
}
