//! Starts the program with a signed-in client, and builds the requests and items that tests send.

use crate::http_client::{Client, RequestBuilder};
use data_encoding::BASE32_NOPAD;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use respiro_auth::password::Cost;
use respiro_auth::totp;
use respiro_content::{Collection, FieldType};
use respiro_db::clock::{Clock, TrustedTime};
use respiro_server::config::Config;
use respiro_server::state::Tuning;
use respiro_server::{Running, start_with};
use serde_json::{Map, Value as Json, json};
use std::io::Cursor;
use std::time::Duration;
use tempfile::TempDir;
use ureq::http::{HeaderMap, Method};

pub const EMAIL: &str = "anna@example.com";
pub const PASSWORD: &str = "respiro profondo";
/// The pages that exist without any published item.
pub const PAGES: &[&str] = &[
    "/",
    "/chi-sono",
    "/servizi",
    "/rebirthing",
    "/testimonianze",
    "/eventi",
    "/blog",
    "/contatti",
    "/privacy",
    "/terms",
    "/cookies",
];
pub const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Returns the time of a clock that nobody doubts.
pub fn trusted(at: i64) -> TrustedTime {
    Clock::fixed(at).trusted().unwrap()
}

/// Texts that have broken other programs. None of them holds a control character.
pub const NASTY: &[&str] = &[
    "\"virgolette\" 'apici' `gravi`",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "' OR 1=1 --",
    "{{7*7}} ${7*7} %s %n",
    "../../etc/passwd",
    "perché così però più à è ì ò ù",
    "👩‍👩‍👧‍👦 🧘🏽‍♀️",
    "\u{202e}rovescio",
    "\u{feff}marca",
    "null",
    "\\",
    "<!--",
    "]]>",
];

pub struct TestApp {
    pub running: Running,
    /// A client with a session of the admin.
    pub admin: Client,
    /// A client that stores no cookies.
    pub visitor: Client,
    config: Config,
    tuning: Tuning,
    folder: TempDir,
}

/// A response that was read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error} in {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Asserts the status; for errors also that the body is problem JSON in Italian without
    /// internals.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        if status >= 400 {
            assert_eq!(self.header("content-type"), "application/problem+json");
            let problem = self.json();
            assert_eq!(problem["status"], status);
            assert!(problem["detail"].as_str().is_some_and(|d| !d.is_empty()));
            let name = problem["type"].as_str().unwrap();
            assert!(name.starts_with("urn:respiro:problem:"), "{name}");
        }
        self
    }
}

pub fn client(cookies: bool) -> Client {
    Client::new(cookies)
}

/// Cheap password hashes and short waits, for fast tests.
pub fn tuning() -> Tuning {
    Tuning {
        password_cost: Cost {
            memory_kib: 8,
            passes: 1,
        },
        newsletter_free_tries: 1_000,
        retention_delay: Duration::ZERO,
        // The machine's own disk may be nearly full.
        disk_space: |_| None,
        // Rendering ahead took two thirds of the work of every test.
        should_prerender: false,
        // On a slow machine the server must not close a client's connection between two requests.
        keep_alive: Duration::from_mins(5),
        ..Tuning::default()
    }
}

/// Returns the secret of an offered second factor, decoded as an authenticator app does it.
pub fn secret_of(offer: &Json) -> Vec<u8> {
    let text = offer["secret"].as_str().unwrap();
    BASE32_NOPAD.decode(text.as_bytes()).unwrap()
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_as(|_, _| {}).await
    }

    /// Starts with a changed configuration and signs in.
    pub async fn start_as(set: impl FnOnce(&mut Config, &mut Tuning)) -> Self {
        let app = Self::start_empty(|config, tuning| {
            config.first_account = Some((EMAIL.to_owned(), PASSWORD.to_owned()));
            set(config, tuning);
        })
        .await;
        app.sign_in(&app.admin).await.is(200);
        app
    }

    /// Starts without an account.
    pub async fn start_empty(set: impl FnOnce(&mut Config, &mut Tuning)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listen = "127.0.0.1:0".parse().unwrap();
        let mut config = Config::new(vec![listen], folder.path().join("data.redb"));
        config.image_program = Some(env!("CARGO_BIN_EXE_respiro").into());
        let mut tuning = tuning();
        set(&mut config, &mut tuning);
        let running = start_with(
            config.clone(),
            tuning.clone(),
            respiro::ui_assets::load().unwrap(),
        )
        .await
        .unwrap();
        Self {
            running,
            admin: client(true),
            visitor: client(false),
            config,
            tuning,
            folder,
        }
    }

    /// Stops, starts again on the same data file and signs in again.
    pub async fn restart(self) -> Self {
        self.restart_as(|_| {}).await
    }

    /// Like `restart`, with a changed configuration.
    pub async fn restart_as(self, set: impl FnOnce(&mut Config)) -> Self {
        let app = Box::pin(self.restart_signed_out(set)).await;
        app.sign_in(&app.admin).await.is(200);
        app
    }

    /// Like `restart_as`, for a server that the clients do not reach, as over TLS.
    pub async fn restart_signed_out(mut self, set: impl FnOnce(&mut Config)) -> Self {
        set(&mut self.config);
        self.running.stop().await;
        let running = Box::pin(start_with(
            self.config.clone(),
            self.tuning.clone(),
            respiro::ui_assets::load().unwrap(),
        ));
        let running = running.await.unwrap();
        Self { running, ..self }
    }

    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Sets the system time off by this, without any time passing.
    pub fn set_clock_off(&self, milliseconds: i64) {
        self.tuning.clock.set_off(milliseconds);
    }

    pub fn let_time_pass(&self, milliseconds: i64) {
        self.tuning.clock.pass(milliseconds);
    }

    /// The URL of a path at the listening socket, independent of the public URL.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address)
    }

    pub async fn sign_in(&self, client: &Client) -> Answer {
        let body = json!({ "email": EMAIL, "password": PASSWORD });
        self.by(client, "POST", "/api/auth/login", Some(&body))
            .await
    }

    pub async fn by(
        &self,
        client: &Client,
        method: &str,
        path: &str,
        body: Option<&Json>,
    ) -> Answer {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = client.request(method, self.url(path));
        if let Some(body) = body {
            request = request.json(body);
        }
        answer(request).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.by(&self.admin, "GET", path, None).await
    }

    pub async fn visit(&self, path: &str) -> Answer {
        self.by(&self.visitor, "GET", path, None).await
    }

    pub async fn visit_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.visitor.get(self.url(path));
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        answer(request).await
    }

    /// Enables the second factor as an authenticator app does it. Returns the recovery codes.
    pub async fn second_factor_on(&self) -> Vec<String> {
        let path = "/api/admin/second-factor";
        let start = self.post(&format!("{path}/start"), &json!({})).await;
        let step = self.running.app.now() / 1_000 / 30;
        let code = totp::code(&secret_of(&start.is(200).json()), step.unsigned_abs());
        let code = json!({ "code": code });
        let shown = self.post(&format!("{path}/confirm"), &code).await;
        let shown = shown.is(200).json();
        serde_json::from_value(shown["recoveryCodes"].clone()).unwrap()
    }

    pub async fn post(&self, path: &str, body: &Json) -> Answer {
        self.by(&self.admin, "POST", path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: &Json) -> Answer {
        self.by(&self.admin, "PUT", path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.by(&self.admin, "DELETE", path, None).await
    }

    /// Requests an upload URL. Returns its path and query.
    pub async fn upload_address(&self) -> String {
        let answer = self
            .by(&self.admin, "POST", "/api/admin/upload", None)
            .await
            .is(200);
        let url = answer.json()["uploadURL"].as_str().unwrap().to_owned();
        url.strip_prefix(&self.running.public_url)
            .unwrap()
            .to_owned()
    }

    pub async fn put_bytes(&self, address: &str, bytes: Vec<u8>) -> Answer {
        answer(self.visitor.put(self.url(address)).body(bytes)).await
    }

    /// Uploads a picture. Returns its path.
    pub async fn upload(&self, bytes: Vec<u8>) -> String {
        let address = self.upload_address().await;
        let answer = self.put_bytes(&address, bytes).await.is(200);
        let path = answer.json()["imageUrl"].as_str().unwrap().to_owned();
        assert_eq!(path, address.split('?').next().unwrap());
        path
    }

    /// Returns a valid body for the kind, with a freshly uploaded picture where the kind has one.
    pub async fn body(&self, collection: &Collection, label: &str) -> Map<String, Json> {
        let picture = if collection.picture {
            json!(self.upload(png(label)).await)
        } else {
            Json::Null
        };
        full(collection, label, &picture)
    }

    /// Creates an item and returns the response body.
    pub async fn create(&self, collection: &Collection, label: &str, more: Json) -> Json {
        let mut body = self.body(collection, label).await;
        body.extend(more.as_object().unwrap().clone());
        let path = format!("/api/admin/{}", collection.slug);
        self.post(&path, &Json::Object(body)).await.is(201).json()
    }

    pub async fn ids(&self, collection: &Collection) -> Vec<String> {
        let list = self
            .get(&format!("/api/admin/{}", collection.slug))
            .await
            .is(200);
        let list = list.json();
        let ids = list.as_array().unwrap().iter();
        ids.map(|item| item["id"].as_str().unwrap().to_owned())
            .collect()
    }
}

pub async fn answer(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        bytes: response.bytes(),
    }
}

/// Returns a value for every field of the kind.
pub fn full(collection: &Collection, label: &str, picture: &Json) -> Map<String, Json> {
    let fields = collection.all_fields().map(|field| {
        let json = match field.holds {
            FieldType::Picture => picture.clone(),
            FieldType::Slug => json!(slug(label)),
            FieldType::Url => json!("https://example.com/pagina"),
            FieldType::Email => json!("a@example.com"),
            FieldType::Price => json!("45,50"),
            FieldType::Choice { words } | FieldType::OpenChoice { words, .. } => json!(words[0]),
            FieldType::Integer { max, .. } | FieldType::Count { max } => json!(max),
            FieldType::Boolean { default } => json!(default),
            _ => json!(format!("{} {label}", field.label)),
        };
        (field.name.to_owned(), json)
    });
    fields.collect()
}

fn slug(label: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let slug: String = label.chars().map(plain).collect();
    format!("s-{}", slug.trim_matches('-'))
}

/// Returns a small picture whose colour depends on the label.
pub fn png(label: &str) -> Vec<u8> {
    let seed = label.bytes().fold(7_u8, u8::wrapping_add);
    let picture = RgbImage::from_fn(48, 32, |x, y| {
        Rgb([
            seed,
            u8::try_from(x * 5).unwrap(),
            u8::try_from(y * 7).unwrap(),
        ])
    });
    encode(picture, ImageFormat::Png)
}

pub fn encode(picture: RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture)
        .write_to(&mut bytes, format)
        .unwrap();
    bytes.into_inner()
}
