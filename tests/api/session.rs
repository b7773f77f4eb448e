//! Tests of accounts: the first one, sign-in and sign-out, throttling, passwords, sessions, second
//! factor.

use crate::helpers::{Answer, DAY, EMAIL, PASSWORD, TestApp, answer, client, secret_of};
use respiro_auth::totp::code;
use respiro_db::SESSIONS_MAX;
use serde_json::{Value as Json, json};

async fn try_in(app: &TestApp, email: &str, password: &str) -> Answer {
    let body = json!({ "email": email, "password": password });
    app.by(&app.visitor, "POST", "/api/auth/login", Some(&body))
        .await
}

#[tokio::test]
async fn signing_in_gives_a_guarded_cookie_and_signing_out_ends_it() {
    let app = TestApp::start().await;
    let answer = app.sign_in(&client(false)).await.is(200);
    assert_eq!(answer.json(), json!({ "email": EMAIL }));
    let cookie = answer.header("set-cookie");
    for part in [
        "respiro-session=",
        "; HttpOnly",
        "; SameSite=Strict",
        "; Path=/",
        "; Max-Age=",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    // The statistics exclude visits with the device cookie. With `SameSite=Strict`, browsers did
    // not send it when the admin came from a search engine.
    let mut cookies = answer.headers.get_all("set-cookie").iter();
    let device = cookies.find(|cookie| cookie.as_bytes().starts_with(b"respiro-device="));
    let device = device.unwrap().to_str().unwrap();
    assert!(device.contains("; HttpOnly; SameSite=Lax"), "{device}");
    let session = app.get("/api/auth/session").await.is(200).json();
    assert_eq!(
        session,
        json!({ "email": EMAIL, "role": "owner", "secondFactor": false })
    );
    let out = app.by(&app.admin, "POST", "/api/auth/logout", None).await;
    assert_eq!(out.status, 204);
    app.get("/api/auth/session").await.is(401);
    app.get("/api/admin/events").await.is(401);
    assert_eq!(
        app.by(&app.visitor, "POST", "/api/auth/logout", None)
            .await
            .status,
        204
    );
}

#[tokio::test]
async fn under_https_the_cookie_is_secure_and_bound_to_the_host() {
    let app = TestApp::start_empty(|config, _| {
        config.first_account = Some((EMAIL.to_owned(), PASSWORD.to_owned()));
        config.public_url = Some("https://example.com".to_owned());
    })
    .await;
    let answer = app.sign_in(&app.visitor).await.is(200);
    let cookie = answer.header("set-cookie").to_owned();
    assert!(cookie.starts_with("__Host-respiro-session="), "{cookie}");
    assert!(
        cookie.contains("; Secure") && cookie.contains("Path=/;"),
        "{cookie}"
    );
    assert!(!cookie.contains("Domain"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let url = app.url("/api/auth/session");
    crate::helpers::answer(app.visitor.get(&url).header("cookie", pair))
        .await
        .is(200);
    let plain = pair.trim_start_matches("__Host-");
    crate::helpers::answer(app.visitor.get(&url).header("cookie", plain))
        .await
        .is(401);
}

#[tokio::test]
async fn an_unknown_address_and_a_wrong_password_get_the_same_answer() {
    let app = TestApp::start().await;
    let unknown = try_in(&app, "nessuno@example.com", PASSWORD).await.is(401);
    let wrong = try_in(&app, EMAIL, "un'altra parola").await.is(401);
    assert_eq!(unknown.bytes, wrong.bytes);
    assert!(unknown.header("set-cookie").is_empty());
    let spelled = json!({ "email": " ANNA@example.com ", "password": PASSWORD });
    app.by(&app.visitor, "POST", "/api/auth/login", Some(&spelled))
        .await
        .is(200);
    for body in [
        json!({}),
        json!({ "email": 1, "password": "x" }),
        json!({ "email": EMAIL }),
    ] {
        app.by(&app.visitor, "POST", "/api/auth/login", Some(&body))
            .await
            .is(422);
    }
}

#[tokio::test]
async fn guessing_is_slowed_down_and_the_owner_gets_in_again() {
    let app = TestApp::start().await;
    let mut waits = Vec::new();
    for _ in 0..40 {
        let answer = try_in(&app, EMAIL, "sbagliata!").await;
        if answer.status == 429 {
            let wait: i64 = answer.header("retry-after").parse().unwrap();
            assert!(answer.json()["detail"].as_str().is_some());
            waits.push(wait);
            app.let_time_pass(wait * 1_000);
        } else {
            answer.is(401);
        }
        if waits.len() > 4 {
            break;
        }
    }
    assert!(
        waits.len() > 4 && waits.is_sorted() && waits[0] < waits[4],
        "{waits:?}"
    );
    // During the wait even the right password gets 429; after the wait it is accepted.
    try_in(&app, EMAIL, "sbagliata!").await;
    let wait = try_in(&app, EMAIL, PASSWORD).await.is(429);
    let wait: i64 = wait.header("retry-after").parse().unwrap();
    assert!(wait <= 15 * 60);
    app.let_time_pass(wait * 1_000);
    try_in(&app, EMAIL, PASSWORD).await.is(200);
    try_in(&app, EMAIL, "sbagliata!").await.is(401);
}

#[tokio::test]
async fn each_client_behind_a_trusted_proxy_has_its_own_count() {
    let app = TestApp::start_as(|config, _| {
        config.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let from = async |address: &str, email: &str| {
        let body = json!({ "email": email, "password": "sbagliata!" });
        let request = app.visitor.post(app.url("/api/auth/login")).json(&body);
        answer(request.header("x-forwarded-for", address))
            .await
            .status
    };
    let mut statuses = Vec::new();
    for number in 0..12 {
        statuses.push(from("9.9.9.9", &format!("a{number}@example.com")).await);
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(from("8.8.8.8", "b@example.com").await, 401);
    assert_eq!(from("8.8.8.8, 9.9.9.9", "b@example.com").await, 429);
}

#[tokio::test]
async fn sessions_end_when_idle_and_when_old() {
    let app = TestApp::start().await;
    app.let_time_pass(13 * DAY);
    app.get("/api/auth/session").await.is(200);
    app.let_time_pass(13 * DAY);
    app.get("/api/auth/session").await.is(200);
    app.let_time_pass(15 * DAY);
    app.get("/api/auth/session").await.is(401);
    app.sign_in(&app.admin).await.is(200);
    for _ in 0..9 {
        app.let_time_pass(9 * DAY);
        app.get("/api/auth/session").await.is(200);
    }
    app.let_time_pass(9 * DAY);
    app.get("/api/auth/session").await.is(401);
}

#[tokio::test]
async fn signing_in_again_makes_the_former_token_worthless() {
    let app = TestApp::start().await;
    let first = app.sign_in(&app.visitor).await.is(200);
    let first = first
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let body = json!({ "email": EMAIL, "password": PASSWORD });
    let again = app.visitor.post(app.url("/api/auth/login")).json(&body);
    let second = answer(again.header("cookie", &first)).await.is(200);
    assert!(!second.header("set-cookie").starts_with(&first));
    let read = app
        .visitor
        .get(app.url("/api/auth/session"))
        .header("cookie", &first);
    answer(read).await.is(401);
    let fixed = app.visitor.post(app.url("/api/auth/login")).json(&body);
    let fixed = answer(fixed.header("cookie", "respiro-session=chosen"))
        .await
        .is(200);
    assert!(!fixed.header("set-cookie").contains("chosen"));
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one_or_all_others() {
    let app = TestApp::start().await;
    let other = client(true);
    let third = client(true);
    app.sign_in(&other).await.is(200);
    app.sign_in(&third).await.is(200);
    let list = app.get("/api/admin/sessions").await.is(200).json();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(
        list.iter()
            .filter(|session| session["current"] == true)
            .count(),
        1
    );
    let foreign = list
        .iter()
        .find(|session| session["current"] == false)
        .unwrap();
    let path = format!("/api/admin/sessions/{}", foreign["id"].as_str().unwrap());
    assert_eq!(app.delete(&path).await.status, 204);
    app.delete(&path).await.is(404);
    assert_eq!(
        app.get("/api/admin/sessions")
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(app.delete("/api/admin/sessions").await.status, 204);
    app.by(&other, "GET", "/api/auth/session", None)
        .await
        .is(401);
    app.by(&third, "GET", "/api/auth/session", None)
        .await
        .is(401);
    app.get("/api/auth/session").await.is(200);
}

#[tokio::test]
async fn one_device_too_many_ends_the_session_longest_unused() {
    let app = TestApp::start().await;
    let oldest = client(true);
    app.sign_in(&oldest).await.is(200);
    for _ in 2..SESSIONS_MAX {
        app.let_time_pass(1_000);
        app.sign_in(&client(true)).await.is(200);
    }
    // The panel's session is as old, but was used since.
    app.let_time_pass(DAY);
    let count = app.get("/api/admin/sessions").await.is(200).json();
    assert_eq!(count.as_array().unwrap().len(), SESSIONS_MAX);
    app.sign_in(&client(true)).await.is(200);
    let list = app.get("/api/admin/sessions").await.is(200).json();
    assert_eq!(list.as_array().unwrap().len(), SESSIONS_MAX);
    app.by(&oldest, "GET", "/api/auth/session", None)
        .await
        .is(401);
    app.get("/api/auth/session").await.is(200);
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let app = TestApp::start().await;
    let other = client(true);
    app.sign_in(&other).await.is(200);
    let change =
        |current: &str, new: &str| json!({ "currentPassword": current, "newPassword": new });
    let wrong = app
        .put(
            "/api/auth/password",
            &change("sbagliata!", "una nuova parola"),
        )
        .await
        .is(422);
    assert_eq!(wrong.json()["errors"][0]["field"], "currentPassword");
    for short in ["corta", EMAIL, &"x".repeat(201)] {
        let answer = app
            .put("/api/auth/password", &change(PASSWORD, short))
            .await
            .is(422);
        assert_eq!(answer.json()["errors"][0]["field"], "newPassword");
    }
    let right = app
        .put("/api/auth/password", &change(PASSWORD, "una nuova parola"))
        .await;
    assert_eq!(right.status, 204, "{}", right.text());
    app.get("/api/auth/session").await.is(200);
    app.by(&other, "GET", "/api/auth/session", None)
        .await
        .is(401);
    try_in(&app, EMAIL, PASSWORD).await.is(401);
    try_in(&app, EMAIL, "una nuova parola").await.is(200);
    let body = change("una nuova parola", PASSWORD);
    app.by(&app.visitor, "PUT", "/api/auth/password", Some(&body))
        .await
        .is(401);
}

#[tokio::test]
async fn the_first_account_is_made_once_by_its_link() {
    let app = TestApp::start_empty(|_, _| {}).await;
    let token = respiro_server::accounts::create_setup_token(&app.running.app)
        .await
        .unwrap()
        .unwrap();
    let body = |token: &str, password: &str| json!({ "token": token, "email": EMAIL, "password": password });
    let set_up = async |body: Json| {
        app.by(&app.admin, "POST", "/api/auth/setup", Some(&body))
            .await
    };
    set_up(body("wrong", PASSWORD)).await.is(403);
    set_up(body(&token, "corta")).await.is(422);
    app.get("/api/auth/session").await.is(401);
    let made = set_up(body(&token, PASSWORD)).await.is(200);
    assert_eq!(made.json()["email"], EMAIL);
    app.get("/api/auth/session").await.is(200);
    set_up(body(&token, PASSWORD)).await.is(403);
    assert_eq!(
        respiro_server::accounts::create_setup_token(&app.running.app)
            .await
            .unwrap(),
        None
    );
    app.sign_in(&app.visitor).await.is(200);
}

#[tokio::test]
async fn the_second_factor_is_asked_for_and_each_code_serves_once() {
    let app = TestApp::start().await;
    let offer = app
        .post("/api/admin/second-factor/start", &json!({}))
        .await
        .is(200)
        .json();
    assert!(
        offer["otpauthUrl"]
            .as_str()
            .unwrap()
            .starts_with("otpauth://totp/")
    );
    assert!(offer["qrSvg"].as_str().unwrap().starts_with("<svg"));
    let secret = secret_of(&offer);
    let now_code = |later: i64| {
        let step = (app.running.app.now() / 1_000 / 30 + later)
            .try_into()
            .unwrap();
        code(&secret, step)
    };
    let confirm = |code: String| json!({ "code": code });
    app.post(
        "/api/admin/second-factor/confirm",
        &confirm("000000".to_owned()),
    )
    .await
    .is(422);
    let codes = app
        .post("/api/admin/second-factor/confirm", &confirm(now_code(0)))
        .await
        .is(200);
    let codes = codes.json()["recoveryCodes"].clone();
    assert_eq!(codes.as_array().unwrap().len(), 10);
    assert_eq!(
        app.get("/api/auth/session").await.json()["secondFactor"],
        true
    );
    app.post("/api/admin/second-factor/start", &json!({}))
        .await
        .is(409);

    let enter = async |code: Option<&str>| {
        let body = json!({ "email": EMAIL, "password": PASSWORD, "code": code });
        app.by(&app.visitor, "POST", "/api/auth/login", Some(&body))
            .await
    };
    let asked = enter(None).await.is(401).json();
    assert_eq!(asked["type"], "urn:respiro:problem:second-factor-required");
    enter(Some("123456")).await.is(401);
    app.let_time_pass(60_000);
    let fresh = now_code(0);
    enter(Some(&fresh)).await.is(200);
    enter(Some(&fresh)).await.is(401);
    let recovery = codes[3].as_str().unwrap();
    enter(Some(&recovery.to_uppercase())).await.is(200);
    enter(Some(recovery)).await.is(401);

    let off = |password: &str| json!({ "password": password });
    let path = "/api/admin/second-factor";
    app.by(&app.admin, "DELETE", path, Some(&off("sbagliata!")))
        .await
        .is(422);
    let right = app
        .by(&app.admin, "DELETE", path, Some(&off(PASSWORD)))
        .await;
    assert_eq!(right.status, 204, "{}", right.text());
    enter(None).await.is(200);
}

/// Starts a site with a domain, because browsers offer passkeys only there.
async fn with_a_domain() -> TestApp {
    TestApp::start_empty(|config, _| {
        config.first_account = Some((EMAIL.to_owned(), PASSWORD.to_owned()));
        config.public_url = Some("https://example.com".to_owned());
    })
    .await
}

#[tokio::test]
async fn a_passkey_is_offered_to_who_knows_the_password() {
    let app = with_a_domain().await;
    let signed_in = app.sign_in(&app.visitor).await.is(200);
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap();
    let offer = async |body: Json| {
        let url = app.url("/api/admin/passkeys/options");
        answer(app.visitor.post(&url).header("cookie", cookie).json(&body)).await
    };
    offer(json!({})).await.is(422);
    let wrong = offer(json!({ "password": "un'altra parola" }))
        .await
        .is(422);
    assert_eq!(wrong.json()["errors"][0]["field"], "password");
    let options = offer(json!({ "password": PASSWORD })).await.is(200).json();
    assert_eq!(options["rp"]["id"], "example.com");
    assert_eq!(options["user"]["name"], EMAIL);
    assert_eq!(
        options["authenticatorSelection"]["userVerification"],
        "required"
    );
    let user = options["user"]["id"].clone();
    let again = offer(json!({ "password": PASSWORD })).await.is(200).json();
    assert_eq!(again["user"]["id"], user, "one account, one handle");
    assert_ne!(again["challenge"], options["challenge"]);
}

#[tokio::test]
async fn rubbish_is_no_passkey() {
    let app = with_a_domain().await;
    let signed_in = app.sign_in(&app.visitor).await.is(200);
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap();
    let post = async |path: &str, body: Json| {
        let request = app.visitor.post(app.url(path)).header("cookie", cookie);
        answer(request.json(&body)).await
    };
    post("/api/auth/passkey/options", json!({})).await.is(200);
    for (credential, status) in [
        (json!(null), 422),
        (json!("x"), 422),
        (json!([]), 422),
        (json!({}), 401),
        (
            json!({ "id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {} }),
            401,
        ),
    ] {
        let body = json!({ "credential": credential, "name": "Telefono" });
        post("/api/auth/passkey", body.clone()).await.is(status);
        let status = if status == 401 { 400 } else { status };
        post("/api/admin/passkeys", body).await.is(status);
    }
    let nameless = json!({ "credential": {}, "name": " " });
    post("/api/admin/passkeys", nameless).await.is(422);
    let url = app.url("/api/admin/passkeys/AAAA");
    answer(app.visitor.delete(&url).header("cookie", cookie))
        .await
        .is(404);
    let list = app.visitor.get(app.url("/api/admin/passkeys"));
    let list = answer(list.header("cookie", cookie)).await.is(200);
    assert_eq!(list.json(), json!([]));
}

/// Regression: passkey challenges shared 1,024 slots. 52 addresses filled them, and owners of a
/// passkey were told that the service is busy. Now each browser keeps its own challenge.
#[tokio::test]
async fn no_crowd_uses_up_the_questions_for_passkeys() {
    let app = TestApp::start().await;
    let ask = async |app: &TestApp| {
        app.by(&app.visitor, "POST", "/api/auth/passkey/options", None)
            .await
    };
    ask(&app).await.is(409);
    let app = with_a_domain().await;
    for _ in 0..1_100 {
        assert_eq!(ask(&app).await.status, 200);
    }
    let answer = ask(&app).await.is(200);
    let kept = answer.header("set-cookie");
    assert!(kept.starts_with("__Host-respiro-passkey="), "{kept}");
    for part in [
        "; Path=/;",
        "; HttpOnly",
        "; SameSite=Strict",
        "; Secure",
        "; Max-Age=300",
    ] {
        assert!(kept.contains(part), "{kept}");
    }
}
