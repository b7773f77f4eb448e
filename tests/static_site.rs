//! Tests that the static export equals the served site: every file, byte by byte.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "support/http_client.rs"]
mod http_client;
#[path = "support/server.rs"]
mod server;
#[path = "support/wordpress.rs"]
mod wordpress;

use http_client::{Client, Response};
use respiro::ui_assets;
use respiro_auth::token;
use respiro_content::blocks::{self, SavedBlock};
use respiro_content::settings::SETTINGS;
use respiro_content::value::picture_path;
use respiro_content::{
    COLLECTIONS, Changes, Collection, Field, FieldType, Picture, Settings, Value,
};
use respiro_db::{Store, Writer};
use serde_json::{Value as Json, json};
use server::{Server, respiro};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};
use wordpress::{EXPORT, library};

const BLOG_WORDS: &str = "In questa copia del sito l’iscrizione alla newsletter non funziona.";

/// Every page tells its scripts whether visits are counted; a static host counts none.
const COUNTED: &str = r#""countsVisits":true"#;
const UNCOUNTED: &str = r#""countsVisits":false"#;

/// The data of the exported contact page alone holds every prepared message.
const CHOICES: &str = r#""fileChoices":"#;

const UPLOADS: &str = "/objects/uploads/";

impl Server {
    async fn get(&self, client: &Client, path: &str) -> Response {
        let request = client.get(format!("{}{path}", self.origin));
        request
            .header("accept-encoding", "identity")
            .send()
            .await
            .unwrap()
    }
}

/// Returns every file below a folder, by its relative path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap();
                found.insert(name.to_str().unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn export(data: &Path, folder: &Path, more: &[&str]) -> Output {
    let mut command = respiro(data);
    command.arg("export").arg("--site").arg(folder).args(more);
    command.output().unwrap()
}

#[track_caller]
fn done(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{error}");
    text
}

/// Returns the request path that a file answers.
fn path_of(name: &str) -> String {
    match name.strip_suffix(".html") {
        Some("index") => "/".to_owned(),
        Some("404") => "/niente/qui".to_owned(),
        Some(name) => format!("/{}", name.strip_suffix("/index").unwrap_or(name)),
        None => format!("/{name}"),
    }
}

/// Returns every address of this site that a page references.
fn named(html: &str, origin: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for attribute in ["href=\"", "src=\"", "srcset=\"", "content=\""] {
        for rest in html.split(attribute).skip(1) {
            let value = rest.split('"').next().unwrap();
            for part in value.split(", ") {
                let address = part.split(' ').next().unwrap();
                let address = address.strip_prefix(origin).unwrap_or(address);
                let address = address.split(['#', '?']).next().unwrap();
                if address.starts_with('/') && !address.starts_with("//") {
                    found.insert(address.to_owned());
                }
            }
        }
    }
    found
}

/// Returns every picture that a text references, of any type.
fn pictures_named(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut parts = text.split(UPLOADS);
    let mut before = parts.next().unwrap();
    for part in parts {
        // The page data contains the social picture of every picture. Only the head uses it, and
        // the server renders the head: the reference there counts.
        if !before.ends_with("\"social\":\"") {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "/.".contains(c);
            let end = part.find(|c| !is_plain(c)).unwrap_or(part.len());
            let name = part[..end].trim_end_matches('.');
            // Scripts contain the path of the folder alone.
            found.extend((!name.is_empty()).then(|| format!("{UPLOADS}{name}")));
        }
        before = part;
    }
    found
}

/// Gives every setting, block, kind and text that can hold a picture a distinct one. Returns the
/// picture id of each holder. New holders are included automatically.
fn with_pictures_everywhere(data: &Path) -> BTreeMap<String, String> {
    let store = Store::open(data).unwrap();
    let model = store.read(|reader| reader.pictures().list()).unwrap();
    let model = model.into_values().next_back().unwrap();
    let mut given = BTreeMap::new();
    let write = store.write(|writer| -> respiro_server::errors::Result<_> {
        settings_with_pictures(writer, &model, &mut given);
        for block in &ui_assets::block_definitions()?.list {
            let mut value = block.default.clone();
            let known = given.len();
            fill(
                writer,
                &model,
                &block.fields,
                &mut value,
                &block.id,
                &mut given,
            );
            if given.len() > known {
                writer.content_blocks().put(&SavedBlock {
                    id: block.id.clone(),
                    revision: 1,
                    value: Some(value.to_string()),
                    hidden: false,
                    saved_at: 0,
                    account: String::new(),
                    default_hash: block.default_hash().to_owned(),
                })?;
            }
        }
        for collection in COLLECTIONS {
            item_with_pictures(writer, &model, collection, &mut given);
        }
        Ok(())
    });
    write.unwrap();
    given
}

/// Adds another picture with the same bytes. Returns its id.
fn one_more(
    writer: &mut Writer<'_>,
    model: &Picture,
    holder: &str,
    given: &mut BTreeMap<String, String>,
) -> String {
    let id = token::id().unwrap();
    let picture = Picture {
        id: id.clone(),
        ..model.clone()
    };
    writer.pictures().put(picture, Vec::new()).unwrap();
    given.insert(holder.to_owned(), id.clone());
    id
}

fn settings_with_pictures(
    writer: &mut Writer<'_>,
    model: &Picture,
    given: &mut BTreeMap<String, String>,
) {
    let mut settings: Settings = writer.settings().get().unwrap();
    for setting in SETTINGS
        .iter()
        .filter(|setting| setting.field.holds == FieldType::Picture)
    {
        let name = setting.field.name;
        let id = one_more(writer, model, name, given);
        settings.values.insert(name.to_owned(), Value::Picture(id));
    }
    writer.settings().put(&settings).unwrap();
}

fn fill(
    writer: &mut Writer<'_>,
    model: &Picture,
    fields: &[blocks::Field],
    value: &mut Json,
    place: &str,
    given: &mut BTreeMap<String, String>,
) {
    for field in fields {
        let place = format!("{place}.{}", field.name);
        let own = &mut value[&field.name];
        match &field.holds {
            blocks::FieldType::Picture => {
                let path = picture_path(&one_more(writer, model, &place, given));
                *own = json!({ "path": path, "alt": "Un lago", "focusX": 50, "focusY": 50 });
            }
            blocks::FieldType::List { fields, .. } => {
                let entries = own.as_array_mut().into_iter().flatten().enumerate();
                for (number, entry) in entries {
                    let place = format!("{place}[{number}]");
                    fill(writer, model, fields, entry, &place, given);
                }
            }
            _ => {}
        }
    }
}

fn item_with_pictures(
    writer: &mut Writer<'_>,
    model: &Picture,
    collection: &'static Collection,
    given: &mut BTreeMap<String, String>,
) {
    let mut body = serde_json::Map::new();
    let slug = collection.slug;
    if collection.picture {
        let path = picture_path(&one_more(writer, model, slug, given));
        body.insert("imageUrl".to_owned(), json!(path));
    }
    let is_text = |field: &&Field| matches!(field.holds, FieldType::Markdown { .. });
    for field in collection.fields.iter().filter(is_text) {
        let place = format!("{slug}.{}", field.name);
        let path = picture_path(&one_more(writer, model, &place, given));
        let text = format!("Prima\n\n![Un lago]({path})");
        body.insert(field.name.to_owned(), json!(text));
    }
    if body.is_empty() {
        return;
    }
    let mut items = writer.items().list(collection).unwrap().into_iter();
    let item = items.find(|item| item.published).unwrap();
    let changes = Changes::parse(collection, &body).unwrap();
    writer
        .items()
        .update(collection, &item.id, changes, 0)
        .unwrap();
}

/// Returns the `cache-control` of the last matching block of `_headers`.
fn cache_rule(headers: &str, path: &str) -> Option<String> {
    let mut rule = None;
    for block in headers.split("\n\n") {
        let (pattern, lines) = block.trim_start().split_once('\n').unwrap();
        let matches = pattern == path
            || pattern
                .strip_suffix('*')
                .is_some_and(|start| path.starts_with(start));
        let said = lines.lines().find_map(|line| {
            let value = line.trim().strip_prefix("cache-control: ")?;
            Some(value.to_owned())
        });
        if matches && said.is_some() {
            rule = said;
        }
    }
    rule
}

/// Returns a served page as the export writes it: the policy that the server sends as a header
/// stands in the page.
fn with_policy(html: &str, policy: &str) -> String {
    let policy = policy.strip_suffix("; frame-ancestors 'self'").unwrap();
    assert!(policy.contains("style-src 'self' 'sha256-"), "{policy}");
    let (start, rest) = html.split_once("initial-scale=1\">").unwrap();
    format!(
        "{start}initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" \
         content=\"{policy}\">{rest}"
    )
}

/// Returns a page without the data at its end, which contains texts that are shown later.
fn shown(html: &str) -> &str {
    html.split("id=\"page-data\"").next().unwrap()
}

#[tokio::test]
#[expect(
    clippy::too_many_lines,
    reason = "one export is looked at from all sides"
)]
async fn every_file_is_what_the_server_answers_and_every_link_leads_to_one() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("site.redb");
    drop(Server::start(&data, &["--demo"]));
    let given = with_pictures_everywhere(&data);
    let server = Server::start(&data, &["--demo"]);
    let folder = place.path().join("fuori");
    let said = done(&export(&data, &folder, &[]));
    assert!(
        said.contains("left out because they need the server: /admin")
            && said.contains("needs JavaScript on a host of plain files: /contatti?evento=ID"),
        "{said}"
    );
    let files = files(&folder);
    let client = Client::new(false);
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let (headers, redirects) = (text("_headers"), text("_redirects"));
    let mut pages = 0;
    for (name, bytes) in &files {
        if name.starts_with('_') {
            continue;
        }
        let path = path_of(name);
        let answer = server.get(&client, &path).await;
        let is_page = Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "html");
        let status = if name.ends_with("404.html") { 404 } else { 200 };
        assert_eq!(answer.status(), status, "{path}");
        if status == 200 && !is_page {
            let cached = answer.headers()["cache-control"].to_str().unwrap();
            let rule = cache_rule(&headers, &path).unwrap_or_else(|| "no-cache".to_owned());
            // Social pictures of uploads contain titles, which may change, but a host has one rule
            // for that folder.
            if !path.ends_with("/social.jpg") && !path.starts_with("/social/") {
                assert_eq!(rule, cached, "{path}");
            }
        }
        let policy = answer.headers()["content-security-policy"].to_str();
        let policy = &policy.unwrap().to_owned();
        let sent = answer.bytes();
        let has_box = path == "/blog" || path.starts_with("/blog/pagina/");
        if has_box {
            let html = text(name);
            assert!(
                shown(&html).contains(BLOG_WORDS) && !html.contains("<form"),
                "{path}"
            );
            let sent = String::from_utf8_lossy(&sent);
            assert!(!shown(&sent).contains(BLOG_WORDS));
        } else if path == "/privacy" || path == "/cookies" {
            // Regression: the export described visit statistics, which a static host does not
            // collect.
            let (html, sent) = (text(name), String::from_utf8_lossy(&sent));
            let told = if path == "/privacy" {
                "Statistiche"
            } else {
                "contate"
            };
            assert!(
                shown(&sent).contains(told) && !shown(&html).contains(told),
                "{path}"
            );
            assert!(sent.contains(COUNTED) && html.contains(UNCOUNTED), "{path}");
        } else if path == "/contatti" {
            // Its script applies the choice that the query names; the markup is the same.
            let (html, sent) = (text(name), String::from_utf8_lossy(&sent));
            assert_eq!(shown(&html), shown(&with_policy(&sent, policy)));
            assert!(html.contains(CHOICES) && !sent.contains(CHOICES));
        } else if is_page {
            let sent = String::from_utf8_lossy(&sent);
            assert_eq!(sent.matches(COUNTED).count(), 1, "{path}");
            assert!(
                with_policy(&sent, policy)
                    .replace(COUNTED, UNCOUNTED)
                    .as_bytes()
                    == bytes,
                "{path} differs"
            );
        } else {
            assert!(sent == bytes[..], "{path} differs");
        }
        if is_page {
            pages += 1;
            let html = text(name);
            let policies = html.matches("http-equiv=\"Content-Security-Policy\"");
            assert_eq!(policies.count(), 1, "{path}");
            for link in named(&text(name), &server.origin) {
                let bare = link.trim_start_matches('/');
                let is_there = files.contains_key(bare)
                    || files.contains_key(&format!("{bare}/index.html"))
                    || bare.is_empty()
                    || redirects
                        .lines()
                        .any(|line| line.starts_with(&format!("{link} ")));
                assert!(is_there, "{path} names {link}, which is no file");
            }
        }
    }
    assert!(pages > 20, "{pages}");
    // Regression: the export lacked pictures of blocks, and the social pictures of those in
    // settings.
    let mut named = BTreeSet::new();
    for (name, bytes) in files.iter().filter(|(name, _)| !name.starts_with('_')) {
        let text = String::from_utf8_lossy(bytes);
        for picture in pictures_named(&text) {
            let line = format!("{picture} ");
            let is_there = files.contains_key(&picture[1..])
                || redirects.lines().any(|known| known.starts_with(&line));
            assert!(is_there, "{name} names {picture}, which is no file");
            named.insert(picture);
        }
    }
    for (holder, id) in &given {
        let path = picture_path(id);
        assert!(
            named.iter().any(|name| name.starts_with(&path)),
            "no page shows the picture of {holder}: what is tried here?"
        );
    }
    for needed in [
        "404.html",
        "evento/404.html",
        "feed.xml",
        "sitemap.xml",
        "robots.txt",
        "social/home.jpg",
    ] {
        assert!(files.contains_key(needed), "{needed}");
    }
    let has = |start: &str, end: &str| {
        files
            .keys()
            .any(|name| name.starts_with(start) && name.ends_with(end))
    };
    assert!(
        has("evento/", ".ics")
            && has("objects/uploads/", ".webp")
            && has("objects/uploads/", "/social.jpg")
    );
    // One file answers all queries: no choice has a file, a calendar or a social picture.
    assert!(has("contatti/index.html", "") && !has("contatti/per", "") && !has("contatti?", ""));
    assert!(!has("contatti/", ".ics") && !has("social/contatti", ".jpg"));
    let event = |name: &String| {
        Some(
            name.strip_prefix("evento/")?
                .strip_suffix(".ics")?
                .to_owned(),
        )
    };
    let event = files.keys().find_map(event).unwrap();
    for line in redirects.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        if parts[2] == "301" {
            let key = if parts[0].contains("/per/") {
                "sport"
            } else {
                &*event
            };
            let [from, to] = [parts[0], parts[1]].map(|path| path.replace(":key", key));
            let answer = server.get(&client, &from).await;
            assert_eq!(answer.status(), 301);
            assert_eq!(answer.headers()["location"], to);
        }
    }
    for line in [
        "/contatti/per/ritiro /contatti?servizio=retreat 301",
        "/contatti/per/:key /contatti?servizio=:key 301",
        "/contatti/evento/:key /contatti?evento=:key 301",
    ] {
        assert!(redirects.contains(line), "{redirects}");
    }
    assert!(
        redirects.contains("/testimonials /testimonianze 301"),
        "{redirects}"
    );

    // Without a server, with the address as an option, the export is the same.
    let origin = server.origin.clone();
    drop(server);
    let second = place.path().join("senza");
    fs::create_dir(&second).unwrap();
    let refused = export(&data, &second, &[]);
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1));
    assert!(why.contains("--public-url"), "{why}");
    done(&export(
        &data,
        &second,
        &["--public-url", &origin, "--flat"],
    ));
    let flat = self::files(&second);
    for (name, bytes) in &files {
        let name = match name.strip_suffix("/index.html") {
            Some(page) => format!("{page}.html"),
            None => name.clone(),
        };
        assert!(flat.get(&name) == Some(bytes), "{name}");
    }
    assert_eq!(flat.len(), files.len());
}

#[test]
fn a_folder_of_that_name_is_whole_or_not_there() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("site.redb");
    drop(Server::start(&data, &["--demo"]));
    let folder: PathBuf = place.path().join("fuori");
    let mut child = respiro(&data)
        .args(["export", "--public-url", "https://example.org", "--site"])
        .arg(&folder)
        .spawn()
        .unwrap();
    let started = Instant::now();
    let draft = loop {
        assert!(started.elapsed() < Duration::from_mins(1));
        let entries = fs::read_dir(place.path()).unwrap().flatten();
        let draft = entries
            .map(|entry| entry.path())
            .find(|path| path.to_string_lossy().ends_with(".partial"));
        if let Some(draft) = draft.filter(|draft| fs::read_dir(draft).unwrap().next().is_some()) {
            break draft;
        }
        thread::sleep(Duration::from_millis(2));
    };
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(draft.exists() && !folder.exists());

    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("mio.txt"), "mio").unwrap();
    let refused = export(&data, &folder, &["--public-url", "https://example.org"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is not empty: choose a new folder"));
    assert_eq!(files(&folder).len(), 1);
}

/// Acts as a server that stops: it answers one request for a snapshot, and then releases the
/// snapshot.
fn stopping(listener: &UnixListener, head: &[u8], bytes: usize) {
    let answer = |mut asker: &UnixStream, json: &Json| {
        let mut question = String::new();
        BufReader::new(asker).read_line(&mut question).unwrap();
        writeln!(asker, "{json}").unwrap();
    };
    let (holding, _) = listener.accept().unwrap();
    let frozen = json!({ "frozen": { "head": head, "bytes": bytes } });
    answer(&holding, &frozen);
    holding.shutdown(Shutdown::Write).unwrap();
    let (asking, _) = listener.accept().unwrap();
    drop(holding);
    answer(&asking, &json!({ "text": "https://example.org" }));
}

/// Regression: the export went on reading the data file although its snapshot was no longer pinned,
/// and failed with a random error.
#[test]
fn a_server_that_stops_meanwhile_ends_the_export_with_a_sentence() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("site.redb");
    drop(Server::start(&data, &["--demo"]));
    let held = fs::read(&data).unwrap();
    let socket = place.path().join("site.redb.sock");
    fs::remove_file(&socket).unwrap();
    let listener = UnixListener::bind(&socket).unwrap();
    let folder = place.path().join("fuori");
    let output = thread::scope(|scope| {
        scope.spawn(|| stopping(&listener, &held[..4096], held.len()));
        export(&data, &folder, &[])
    });
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("the server stopped meanwhile: run this again") && said.lines().count() == 1,
        "{said}"
    );
    assert!(!folder.exists());
}

/// Regression: one unreadable picture made the whole export fail.
#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_there() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("site.redb");
    let library = library(place.path());
    let mut import = respiro(&data);
    import.args(["import", "--wordpress", EXPORT, "--media"]);
    done(&import.arg(library).output().unwrap());
    let address = ["--public-url", "https://example.org"];
    let folder = place.path().join("intero");
    done(&export(&data, &folder, &address));
    let mut rest = files(&folder);
    let is_picture = |name: &str| {
        Path::new(name)
            .extension()
            .is_some_and(|collection| collection == "jpg")
    };
    let is_variant = |name: &str| name.starts_with("objects/") && is_picture(name);
    let is_drawn = |name: &str| name.ends_with("/social.jpg");
    let mut names = rest.keys();
    let name = names.find(|name| is_variant(name) && !is_drawn(name));
    let name = name.unwrap().clone();
    let bytes = rest.remove(&name).unwrap();
    let mut damaged = fs::read(&data).unwrap();
    let (part, mut found) = (&bytes[..bytes.len().min(1_000)], false);
    for at in 0..damaged.len() - part.len() {
        if damaged[at] == part[0] && &damaged[at..at + part.len()] == part {
            damaged[at + part.len() / 2] ^= 1;
            found = true;
        }
    }
    assert!(found);
    fs::write(&data, &damaged).unwrap();

    let folder = place.path().join("fuori");
    let output = export(&data, &folder, &address);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(&format!("cannot be read: {name}")), "{told}");
    // Pictures with the same first bytes are damaged too.
    let left: Vec<&str> = told
        .lines()
        .filter(|line| line.contains("cannot be read"))
        .collect();
    rest.retain(|name, _| {
        !left
            .iter()
            .any(|line| line.contains(&format!(": {name}: ")))
    });
    assert!(rest.len() > 100);
    assert!(files(&folder) == rest, "more than {left:?} differs");
}
