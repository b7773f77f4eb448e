//! Tests of races: requests that have read their state and wait for their turn to write.

use crate::helpers::{EMAIL, PASSWORD, TestApp, client};
use serde_json::json;
use std::sync::mpsc;
use std::time::Duration;

const HOUR: i64 = 60 * 60 * 1_000;
/// Long enough for a request to read its state and queue its write. A slower request reads the
/// state afterwards: the test then proves less, but does not fail.
const QUEUED: Duration = Duration::from_millis(400);

/// Blocks every change until the sender is dropped.
async fn hold(app: &TestApp) -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let program = std::sync::Arc::clone(&app.running.app);
    tokio::spawn(async move {
        let done = program.change(move |_| {
            let _ = begun.send(());
            let _ = held.recv();
            Ok(())
        });
        done.await.unwrap();
    });
    begins.await.unwrap();
    release
}

/// Regression: a request had read the session, the session was ended, and the request wrote it
/// back.
#[tokio::test]
async fn a_session_ended_while_a_request_waits_to_note_that_it_was_seen_stays_ended() {
    let app = TestApp::start().await;
    app.let_time_pass(2 * HOUR);
    let release = hold(&app).await;
    let nothing = json!({});
    let ((), ended, seen) = tokio::join!(
        async {
            tokio::time::sleep(QUEUED * 2).await;
            drop(release);
        },
        app.post("/api/auth/logout", &nothing),
        async {
            tokio::time::sleep(QUEUED).await;
            app.get("/api/admin/settings").await
        }
    );
    ended.is(204);
    seen.is(401);
    let sessions = app
        .running
        .app
        .read(|reader| Ok(reader.sessions().list(EMAIL)?))
        .await;
    assert_eq!(sessions.unwrap().len(), 0, "it stands again");
}

/// Regression: the old password was verified, then the admin changed it, which ended every other
/// session. The sign-in with the old password still created a session.
#[tokio::test]
async fn a_password_changed_while_the_old_one_waits_at_the_door_lets_nobody_in() {
    let app = TestApp::start().await;
    let other = client(true);
    let release = hold(&app).await;
    let words = json!({ "currentPassword": PASSWORD, "newPassword": "un altro respiro lungo" });
    let ((), changed, late) = tokio::join!(
        async {
            tokio::time::sleep(QUEUED * 2).await;
            drop(release);
        },
        app.put("/api/auth/password", &words),
        async {
            tokio::time::sleep(QUEUED).await;
            app.sign_in(&other).await
        }
    );
    changed.is(204);
    late.is(401);
    let sessions = app
        .running
        .app
        .read(|reader| Ok(reader.sessions().list(EMAIL)?))
        .await;
    assert_eq!(sessions.unwrap().len(), 1, "only the one that changed it");
}

/// Regression: 11,709 logouts with an invalid token grew the file from 0.1 to 872 MB in 20 s.
#[tokio::test]
async fn nobody_without_a_session_has_the_data_file_written() {
    let app = TestApp::start().await;
    let known = json!({ "email": "lina@example.com" });
    app.by(&app.visitor, "POST", "/api/newsletter", Some(&known))
        .await;
    let data = app.folder().join("data.redb");
    let before = std::fs::read(&data).unwrap();
    for number in 0..20 {
        let cookie = format!("respiro-session=garbage-{number}");
        let logout = app.visitor.post(app.url("/api/auth/logout"));
        let logout = logout.header("cookie", cookie).send().await.unwrap();
        assert_eq!(logout.status(), 204);
        for path in ["conferma", "cancella"] {
            let path = format!("/newsletter/{path}/bGluYQ.0.garbage{number}");
            let answer = app.by(&app.visitor, "POST", &path, None).await;
            assert_eq!(answer.status, 404, "{path}");
        }
        app.by(&app.visitor, "POST", "/api/newsletter", Some(&known))
            .await
            .is(202);
        let garbage = json!({ "email": format!("a{number}@example.com"), "password": "x" });
        app.by(&app.visitor, "POST", "/api/auth/login", Some(&garbage))
            .await;
        let upload = format!(
            "/objects/uploads/{}?expires=9999999999999&signature=x",
            "a".repeat(26)
        );
        app.put_bytes(&upload, vec![1; 100]).await.is(403);
        let token = json!({ "token": "x", "email": EMAIL, "password": PASSWORD });
        app.by(&app.visitor, "POST", "/api/auth/setup", Some(&token))
            .await;
    }
    assert!(
        std::fs::read(&data).unwrap() == before,
        "the file was written"
    );
}

/// Thousands of machines each have free attempts; together they are limited, for seconds only.
#[tokio::test]
async fn newsletter_requests_from_everywhere_together_are_bounded() {
    let app = TestApp::start().await;
    let limits = &app.running.app.auth.rate_limits;
    let now = app.running.app.now();
    let mut let_in = 0;
    let networks = |number: i64| ["", "", ""].map(|start| format!("{start}{number}"));
    for number in 0..5_000_i64 {
        let_in += i32::from(
            limits
                .count_newsletter(&networks(number), now + number)
                .is_ok(),
        );
    }
    assert!((600..=610).contains(&let_in), "{let_in}");
    let later = now + 5_000 + 8_000;
    assert!(limits.count_newsletter(&networks(9_999), later).is_ok());
}

/// Regression: the owner of one /48 filled the outbox alone, because each of its networks had free
/// attempts of its own.
#[test]
fn newsletter_requests_from_all_networks_of_one_owner_are_few() {
    let limits = respiro_auth::limits::RateLimits::new(5);
    let mut let_in = [0, 0];
    for number in 0..3_000_i64 {
        let owners = [("one", number % 16), ("other", number % 300)];
        for (count, (owner, site)) in let_in.iter_mut().zip(owners) {
            let networks = [
                format!("{owner} {number}"),
                format!("{owner} site {site}"),
                format!("{owner} region"),
            ];
            *count += i32::from(limits.count_newsletter(&networks, number).is_ok());
        }
    }
    assert_eq!(let_in, [40, 40]);
    // Meanwhile a visitor from another network is accepted.
    let visitor = ["a", "a site", "a region"].map(str::to_owned);
    assert!(limits.count_newsletter(&visitor, 3_000).is_ok());
}

/// A subscriber to changes, such as remote copies, is notified of a change whose caller has
/// disconnected.
#[tokio::test]
async fn a_change_whose_caller_leaves_is_done_and_counted() {
    let app = TestApp::start().await;
    let mut changes = app.running.app.site.commits();
    changes.mark_unchanged();
    let (begun, is_begun) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let own = std::sync::Arc::clone(&app.running.app);
    let caller = tokio::spawn(async move {
        own.change(move |writer| {
            begun.send(()).unwrap();
            may_go_on.recv().unwrap();
            Ok(writer.put_note("left", b"done")?)
        })
        .await
    });
    while is_begun.try_recv().is_err() {
        tokio::task::yield_now().await;
    }
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    go_on.send(()).unwrap();
    // The program also makes changes of its own meanwhile.
    let note = async || {
        app.running
            .app
            .read(|reader| Ok(reader.note("left")?))
            .await
    };
    while note().await.unwrap().is_none() {
        changes.changed().await.unwrap();
    }
}
