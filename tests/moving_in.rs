//! Tests of the import: an export of a real WordPress (`tests/wordpress.sh`), malformed exports,
//! and a list of e-mail addresses.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]
#![allow(clippy::too_many_lines, reason = "a story is told in one piece")]

#[path = "support/http_client.rs"]
mod http_client;
#[path = "support/server.rs"]
mod server;
#[path = "support/wordpress.rs"]
mod wordpress;

use http_client::Client;
use server::{Server, respiro};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use wordpress::{EXPORT, PICTURES, jpeg, library};

const HEAD: &str =
    "<rss><channel><link>https://a.example</link><wp:wxr_version>1.2</wp:wxr_version>";

fn import(data: &Path, options: &[&str]) -> Output {
    respiro(data).arg("import").args(options).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complained(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn zip(path: &Path, files: &[(&str, Vec<u8>)]) {
    let mut archive = rawzip::ZipArchiveWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in files {
        let file = archive
            .new_file(name)
            .compression_method(rawzip::CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().unwrap();
        let encoder =
            flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
}

/// Returns the complete content of a site, as exported.
fn exported(data: &Path) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = respiro(data).arg("export").arg(&out).output().unwrap();
    assert!(output.status.success(), "{}", complained(&output));
    serde_json::from_str(&fs::read_to_string(out.join("respiro.json")).unwrap()).unwrap()
}

fn article<'a>(site: &'a serde_json::Value, slug: &str) -> &'a serde_json::Value {
    let articles = site["items"]["blog"].as_array().unwrap();
    articles.iter().find(|one| one["slug"] == slug).unwrap()
}

/// Writes an export with these entries, each a title and a text.
fn written(folder: &Path, entries: &[(&str, &str)]) -> PathBuf {
    let mut text = HEAD.to_owned();
    for (title, content) in entries {
        let _ = write!(
            text,
            "<item><title>{title}</title><content:encoded><![CDATA[{content}]]></content:encoded>\
             <wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>"
        );
    }
    let path = folder.join("export.xml");
    fs::write(&path, text + "</channel></rss>").unwrap();
    path
}

#[tokio::test]
async fn a_real_export_moves_into_a_site_that_people_visit() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("site.redb");
    let library = library(folder.path());
    let options = ["--wordpress", EXPORT, "--media", library.to_str().unwrap()];
    let server = Server::start(&data, &[]);
    let trial = import(&data, &[&options[..], &["--dry-run"]].concat());
    assert!(trial.status.success(), "{}", complained(&trial));
    assert!(
        told(&trial).starts_with("Prova: che cosa arriverebbe"),
        "{}",
        told(&trial)
    );
    assert_eq!(exported(&data)["items"]["blog"], serde_json::json!([]));
    let done = import(&data, &options);
    assert!(done.status.success(), "{}", complained(&done));
    let report = told(&done);
    for line in [
        "- 4 articoli, di cui 1 in bozza\n",
        "- 4 immagini\n",
        "- 1 pagina: è un testo da copiare nelle Pagine del sito.\n",
        "- 1 commento: il sito non ne ha.\n",
        "- 1 articolo privato o protetto da password.\n",
        "- 1 articolo era nel cestino.\n",
        "- 1 utente: qui gli accessi si creano da capo.\n",
        "- 2 categorie non hanno corrispondenza, e i loro articoli sono in «Benessere»: «Respiro consapevole», «Uncategorized».\n",
        "- In «Tre minuti di respiro & quiete» il contenuto di https://www.youtube.com/watch?v=abc è diventato un link.\n",
        "- In «Seconda» non è arrivato «contact-form-7», una funzione che qui non c’è.\n",
        "- In «Seconda» la galleria è diventata una fila di immagini.\n",
        "- Gli indirizzi di prima delle pagine, scritti sopra i testi: qui non rimandano da soli.\n",
        "==== Chi sono ====\nIndirizzo di prima: /chi-sono\n",
        "\n\nMi chiamo Anna.",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
    let client = Client::new(false);
    let get = |path: &str| client.get(format!("{}{path}", server.origin)).send();
    let site = exported(&data);
    let first = site["formerPaths"]
        .as_array()
        .unwrap()
        .iter()
        .find(|former| {
            former["id"] == article(&site, "tre-minuti")["id"]
                && former["path"].as_str().unwrap().starts_with("/?p=")
        });
    let numbered = first.unwrap()["path"].as_str().unwrap().to_owned();
    // Regression: a link with the query parameters that Facebook adds led to the home page.
    let shared = format!("{numbered}&fbclid=a1");
    let campaign = numbered.replace("/?", "/?utm_source=x&");
    for (from, to) in [
        (shared.as_str(), "/blog/tre-minuti"),
        (&campaign, "/blog/tre-minuti"),
        ("/2019/05/tre-minuti/", "/blog/tre-minuti"),
        ("/2019/05/tre-minuti", "/blog/tre-minuti"),
        ("/2019/05/3-minuti/", "/blog/tre-minuti"),
        (&numbered, "/blog/tre-minuti"),
        ("/2020/01/perche-cosi/", "/blog/perche-cosi"),
        ("/feed/", "/feed.xml"),
        ("/feed", "/feed.xml"),
        ("/feed/atom/", "/feed.xml"),
        ("/category/tecniche/feed/", "/feed.xml"),
        ("/?feed=rss2", "/feed.xml"),
        ("/?utm_source=x&feed=atom", "/feed.xml"),
    ] {
        let answer = get(from).await.unwrap();
        assert_eq!(answer.status(), 301, "{from}");
        assert_eq!(answer.headers()["location"], to, "{from}");
    }
    for path in [
        "/?p=999999",
        "/?p=x",
        "/?p=",
        "/?feed=",
        "/?feed=comments-rss2",
    ] {
        assert_eq!(get(path).await.unwrap().status(), 200, "{path}");
    }
    for path in ["/2019/05/", "/comments/feed/", "/category//feed"] {
        assert_eq!(get(path).await.unwrap().status(), 404, "{path}");
    }
    let page = get("/blog/tre-minuti").await.unwrap().text();
    for part in [
        "<strong>tutto</strong> siediti",
        "href=\"/blog/seconda\"",
        "<figcaption>",
        "Come si fa",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    // A second import is refused without `--skip-existing`, and adds nothing with it.
    drop(server);
    let again = import(&data, &options);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        complained(&again).contains("add --skip-existing"),
        "{}",
        complained(&again)
    );
    let skipped = import(&data, &[&options[..], &["--skip-existing"]].concat());
    assert!(skipped.status.success(), "{}", complained(&skipped));
    assert!(
        told(&skipped).contains("Nessun articolo"),
        "{}",
        told(&skipped)
    );
    assert_eq!(
        exported(&data)["items"]["blog"].as_array().unwrap().len(),
        4
    );
}

#[test]
fn articles_come_as_they_were_with_their_pictures_from_a_folder_or_a_zip() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let zipped = folder.path().join("library.zip");
    let packed: Vec<(String, Vec<u8>)> = PICTURES
        .iter()
        .map(|name| (format!("uploads/2019/05/{name}"), jpeg(90)))
        .collect();
    let mut packed: Vec<(&str, Vec<u8>)> = packed
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.clone()))
        .collect();
    packed.push(("../../../etc/passwd", b"root".to_vec()));
    zip(&zipped, &packed);
    let table = folder.path().join("categories.txt");
    fs::write(&table, "# ours\nRespiro consapevole = spiritualità\n").unwrap();
    for media in [folder.path(), zipped.as_path()] {
        let data = folder.path().join("new.redb");
        let done = import(
            &data,
            &[
                "--wordpress",
                EXPORT,
                "--media",
                media.to_str().unwrap(),
                "--categories",
                table.to_str().unwrap(),
            ],
        );
        assert!(done.status.success(), "{}", complained(&done));
        assert!(
            !told(&done).contains("manca un’immagine"),
            "{}",
            told(&done)
        );
        assert!(told(&done).contains("- «Respiro consapevole» è diventata «Spiritualità»\n"));
        let site = exported(&data);
        assert_eq!(site["pictures"].as_object().unwrap().len(), 4);
        let first = article(&site, "tre-minuti");
        assert_eq!(first["category"], "Tecniche");
        assert_eq!(first["excerpt"], "Una pausa breve.");
        assert_eq!(first["createdAt"], "2019-05-12T07:30:00.000Z");
        assert!(first["imageUrl"].is_string());
        let second = article(&site, "seconda");
        let text = second["content"].as_str().unwrap();
        assert!(
            text.starts_with("Una riga\\\nsotto l’altra.\n\n*Poi* un paragrafo con \\[nota\\] e"),
            "{text}"
        );
        assert!(
            text.contains("\"Nel bosco\")\n\n![Il mare all’alba](/objects/uploads/"),
            "{text}"
        );
        let draft = article(&site, "una-bozza");
        assert_eq!(draft["published"], false);
        let checked = respiro(&data).arg("check").arg(&data).output().unwrap();
        assert!(checked.status.success(), "{}", complained(&checked));
        // The site is exported again, with every former path.
        let out = folder.path().join("out");
        assert!(
            respiro(&data)
                .arg("export")
                .arg(&out)
                .status()
                .unwrap()
                .success()
        );
        let other = folder.path().join("other.redb");
        let moved = import(&other, &[out.to_str().unwrap()]);
        assert!(moved.status.success(), "{}", complained(&moved));
        assert_eq!(exported(&other)["formerPaths"], site["formerPaths"]);
        for path in [&data, &other] {
            fs::remove_file(path).unwrap();
        }
        fs::remove_dir_all(out).unwrap();
    }
}

/// A failed import writes nothing, reads nothing outside the library, and reports what to do.
#[test]
fn hostile_exports_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("site.redb");
    let path = folder.path().join("bad.xml");
    let laughs = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a \"ha\"><!ENTITY b \"{}\">]>{HEAD}<item><title>&b;</title></item></channel></rss>",
        "&a;".repeat(1_000)
    );
    let whole = fs::read(EXPORT).unwrap();
    let deep = format!("{HEAD}<item>{}", "<a>".repeat(100_000));
    let long = format!(
        "{HEAD}<item><title>a</title><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>\
        <content:encoded><![CDATA[{}]]></content:encoded></item></channel></rss>",
        "parola ".repeat(15_000_000)
    );
    for (bytes, reason) in [
        (laughs.into_bytes(), "is no WordPress export"),
        (whole[..whole.len() / 2].to_vec(), "nothing was imported"),
        (deep.into_bytes(), "its elements lie too deep"),
        (b"<html><body>".to_vec(), "is no WordPress export"),
        (Vec::new(), "is no WordPress export"),
        (vec![0; 1_000_000], "is no WordPress export"),
        (
            format!("{HEAD}<item></channel></rss>").into_bytes(),
            "nothing was imported",
        ),
    ] {
        fs::write(&path, bytes).unwrap();
        let refused = import(&data, &["--wordpress", path.to_str().unwrap()]);
        let complaint = complained(&refused);
        assert_eq!(refused.status.code(), Some(1), "{reason}: {complaint}");
        assert!(complaint.contains(reason), "{reason}: {complaint}");
        assert!(!complaint.contains("panicked"), "{complaint}");
        assert!(!data.exists(), "{reason}");
    }
    // An article of 100 MB is skipped with a message, in bounded time.
    fs::write(&path, long).unwrap();
    let done = import(&data, &["--wordpress", path.to_str().unwrap(), "--dry-run"]);
    assert!(done.status.success(), "{}", complained(&done));
    assert!(
        told(&done).contains("«a» è stato lasciato fuori: supera 60000 caratteri."),
        "{}",
        told(&done)
    );
    let names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, ["bad.xml"], "something was left behind");
}

#[test]
fn pictures_come_out_of_the_library_alone_and_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library");
    fs::create_dir_all(library.join("2020/01")).unwrap();
    fs::write(folder.path().join("secret.jpg"), jpeg(1)).unwrap();
    fs::write(
        library.join("2020/01/page.jpg"),
        b"<script>alert(1)</script>",
    )
    .unwrap();
    fs::write(library.join("2020/01/large.jpg"), vec![0; 11 << 20]).unwrap();
    symlink(
        folder.path().join("secret.jpg"),
        library.join("2020/01/link.jpg"),
    )
    .unwrap();
    let text = "<script>alert(1)</script><p onclick=\"x()\">Testo <img src=\"https://a.example/wp-content/uploads/../secret.jpg\">\
        <img src=\"/wp-content/uploads/2020/01/link.jpg\"><img src=\"/wp-content/uploads/2020/01/page.jpg\">\
        <img src=\"/wp-content/uploads/2020/01/large.jpg\"><img src=\"file:///etc/passwd\"></p>";
    let export = written(
        folder.path(),
        &[
            ("Uno", text),
            ("Uno", "due"),
            ("", "<a href=\"javascript:x\">tre</a>"),
        ],
    );
    let export = export.to_str().unwrap();
    let bomb = folder.path().join("bomb.zip");
    zip(
        &bomb,
        &[
            ("uploads/2020/01/page.jpg", vec![0; 200 << 20]),
            ("uploads/../../secret.jpg", jpeg(3)),
            ("/uploads/2020/01/link.jpg", b"no picture".to_vec()),
        ],
    );
    let data = folder.path().join("site.redb");
    let folder_done = import(
        &data,
        &[
            "--wordpress",
            export,
            "--media",
            library.to_str().unwrap(),
            "--dry-run",
        ],
    );
    let zip_done = import(
        &data,
        &[
            "--wordpress",
            export,
            "--media",
            bomb.to_str().unwrap(),
            "--dry-run",
        ],
    );
    for (done, lines) in [
        (
            folder_done,
            [
                "non è arrivato «script», una funzione che qui non c’è.",
                "mancano 3 immagini che non erano nell’archivio: link.jpg, passwd, secret.jpg.",
                "un’immagine non è accettata: page.jpg, Questo file non è un'immagine",
                "un’immagine non è accettata: large.jpg, è più grande di 10 MB.",
            ],
        ),
        (
            zip_done,
            [
                "mancano 2 immagini che non erano nell’archivio: large.jpg, passwd.",
                "un’immagine non è accettata: link.jpg, Questo file",
                "un’immagine non è accettata: page.jpg, è più grande di 10 MB.",
                "In «Uno»",
            ],
        ),
    ] {
        assert!(done.status.success(), "{}", complained(&done));
        for line in lines {
            assert!(told(&done).contains(line), "{line}\n{}", told(&done));
        }
    }
    for broken in ["export.xml", "niente"] {
        let path = folder.path().join(broken);
        let refused = import(
            &data,
            &["--wordpress", export, "--media", path.to_str().unwrap()],
        );
        assert_eq!(refused.status.code(), Some(1), "{broken}");
        assert!(
            complained(&refused).contains("cannot read the pictures"),
            "{}",
            complained(&refused)
        );
    }
    let done = import(&data, &["--wordpress", export]);
    assert!(done.status.success(), "{}", complained(&done));
    assert!(
        complained(&done).contains("add --media"),
        "{}",
        complained(&done)
    );
    let site = exported(&data);
    assert_eq!(article(&site, "uno")["content"], "Testo");
    assert_eq!(article(&site, "uno-2")["content"], "due");
    let untitled = article(&site, "articolo-1");
    assert_eq!(
        (untitled["title"].as_str(), untitled["content"].as_str()),
        (Some("Senza titolo"), Some("tre"))
    );
}

/// Regression: an export in an old encoding, or one stray byte, refused the whole import.
#[test]
fn exports_in_old_encodings_and_with_stray_bytes_arrive_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.xml");
    let post = |title: &[u8], text: &[u8]| {
        let parts: [&[u8]; 5] = [
            b"<item><title>",
            title,
            b"</title><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[",
            text,
            b"]]></content:encoded></item>",
        ];
        parts.concat()
    };
    let export = |declaration: &str, posts: &[Vec<u8>]| {
        let head = format!("{declaration}{HEAD}").into_bytes();
        [head, posts.concat(), b"</channel></rss>".to_vec()].concat()
    };
    let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\" ?>\n";
    let utf8 = "\n<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n";
    let whole = post("Città".as_bytes(), "Più".as_bytes());
    for (name, bytes, text, is_named) in [
        (
            "latin",
            export(latin, &[post(b"Uno", b"Perch\xe9 \x80")]),
            "Perché €",
            false,
        ),
        (
            "mixed",
            export(utf8, &[whole, post(b"Uno", b"Perch\xe9 \x96")]),
            "Perché –",
            true,
        ),
    ] {
        fs::write(&path, bytes).unwrap();
        let data = folder.path().join(name);
        let done = import(&data, &["--wordpress", path.to_str().unwrap()]);
        assert!(done.status.success(), "{}", complained(&done));
        let site = exported(&data);
        assert_eq!(article(&site, "uno")["content"], text);
        let line =
            "- In «Uno» alcune lettere erano scritte in un altro modo: rileggi gli accenti.\n";
        assert_eq!(told(&done).contains(line), is_named, "{}", told(&done));
        assert_eq!(
            told(&done).matches("rileggi gli accenti").count(),
            usize::from(is_named)
        );
    }
}

/// Regression: a planned post became a draft without a word, and the text of a reusable block was
/// lost while the report said that it stays.
#[test]
fn planned_posts_stay_planned_and_reusable_blocks_are_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.xml");
    let post = |title: &str, id: u8, kind: &str, status: &str, year: u16, text: &str| {
        format!(
            "<item><title>{title}</title><wp:post_id>{id}</wp:post_id><wp:post_type>{kind}</wp:post_type>\
             <wp:status>{status}</wp:status><wp:post_date_gmt>{year}-01-10 08:00:00</wp:post_date_gmt>\
             <content:encoded><![CDATA[{text}]]></content:encoded></item>"
        )
    };
    let reference =
        "<!-- wp:paragraph --><p>Prima.</p><!-- /wp:paragraph --><!-- wp:block {\"ref\":7} /-->";
    let entries = [
        post("Futuro", 1, "post", "future", 2999, "<p>Dopo</p>"),
        post("Mancato", 2, "post", "future", 2020, "<p>Prima</p>"),
        post("Con blocco", 3, "post", "publish", 2020, reference),
        post(
            "Senza blocco",
            4,
            "post",
            "publish",
            2020,
            "<!-- wp:block {\"ref\":8} /-->",
        ),
        post(
            "Riusabile",
            7,
            "wp_block",
            "publish",
            2020,
            "<p>Testo riusabile.</p>",
        ),
        post("Nel cestino", 8, "wp_block", "trash", 2020, "<p>Mai</p>"),
    ];
    fs::write(&path, format!("{HEAD}{}</channel></rss>", entries.concat())).unwrap();
    let data = folder.path().join("site.redb");
    let done = import(&data, &["--wordpress", path.to_str().unwrap()]);
    assert!(done.status.success(), "{}", complained(&done));
    for line in [
        "- «Futuro» resta programmato: esce il 10 gennaio 2999 alle 9:00\n",
        "- In «Mancato» il momento previsto per pubblicare è passato: resta in bozza.\n",
        "- In «Senza blocco» manca un blocco riutilizzabile: l’esportazione non ne ha il testo.\n",
    ] {
        assert!(told(&done).contains(line), "{line}\n{}", told(&done));
    }
    let site = exported(&data);
    let planned = site["plans"].as_array().unwrap();
    assert_eq!(planned.len(), 1, "{planned:?}");
    assert_eq!(planned[0]["id"], article(&site, "futuro")["id"]);
    assert_eq!(planned[0]["publishAt"], "2999-01-10T08:00:00.000Z");
    assert_eq!(article(&site, "futuro")["published"], false);
    let text = &article(&site, "con-blocco")["content"];
    assert_eq!(text, "Prima.\n\nTesto riusabile.");
}

/// Returns one entry of an export: its kind, title, number, link, parent, file and text.
fn entry([sort, title, number, link, parent, file, text]: [&str; 7]) -> String {
    format!(
        "<item><title>{title}</title><link>https://a.example{link}</link>\
         <content:encoded><![CDATA[{text}]]></content:encoded><wp:post_id>{number}</wp:post_id>\
         <wp:status>publish</wp:status><wp:post_parent>{parent}</wp:post_parent>\
         <wp:post_type>{sort}</wp:post_type><wp:attachment_url>{file}</wp:attachment_url></item>"
    )
}

/// Regression: bare galleries, pictures of pages and content of plugins were skipped without a
/// message.
#[test]
fn nothing_stays_behind_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let file = |name: &str| format!("https://a.example/wp-content/uploads/2019/05/{name}");
    let shown = format!(
        "<p>Chi sono.</p><img src=\"{}\" alt=\"Anna al mare\">[gallery]",
        file("mare.jpg")
    );
    let entries = [
        entry([
            "post",
            "Uno",
            "1",
            "/uno/",
            "0",
            "",
            "Ecco:\n\n[gallery]\n\nfine [audio]",
        ]),
        entry(["attachment", "b", "5", "/b/", "1", &file("bosco.jpg"), ""]),
        entry([
            "attachment",
            "c",
            "4",
            "/c/",
            "1",
            &file("copertina.jpg"),
            "",
        ]),
        entry(["attachment", "d", "6", "/d/", "1", &file("foglio.pdf"), ""]),
        entry(["page", "Chi sono", "2", "/chi-sono/", "0", "", &shown]),
        entry(["attachment", "m", "7", "/m/", "2", &file("mare.jpg"), ""]),
        entry(["product", "Olio", "8", "/p/", "0", "", "x"]),
        entry(["product", "Incenso", "9", "/q/", "0", "", "x"]),
        entry(["wp_global_styles", "x", "10", "/r/", "0", "", "x"]),
    ];
    let path = folder.path().join("export.xml");
    fs::write(&path, format!("{HEAD}{}</channel></rss>", entries.concat())).unwrap();
    let data = folder.path().join("site.redb");
    let (export, library) = (path.to_str().unwrap(), library.to_str().unwrap());
    let done = import(&data, &["--wordpress", export, "--media", library]);
    assert!(done.status.success(), "{}", complained(&done));
    let report = told(&done);
    for line in [
        "- 2 immagini\n",
        "- In «Uno» non è arrivato «audio», una funzione che qui non c’è.\n",
        "- 2 contenuti «product» di un plugin: vanno riscritti a mano.\n",
        "==== Chi sono ====\nIndirizzo di prima: /chi-sono\n\
         Immagini da caricare a mano: mare.jpg\n\nChi sono.\n",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
    assert!(!report.contains("wp_global_styles") && !report.contains("/objects/"));
    let site = exported(&data);
    assert_eq!(site["pictures"].as_object().unwrap().len(), 2);
    let text = article(&site, "uno")["content"].as_str().unwrap();
    assert_eq!(text.matches("](/objects/uploads/").count(), 2, "{text}");
}

fn addresses(folder: &TempDir, table: &str, proof: Option<&str>) -> Output {
    let path = folder.path().join("list.csv");
    fs::write(&path, table).unwrap();
    let mut options = vec!["--csv", path.to_str().unwrap()];
    options.extend(proof.into_iter().flat_map(|proof| ["--proof", proof]));
    import(&folder.path().join("site.redb"), &options)
}

#[test]
fn addresses_come_with_proof_of_consent_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("site.redb");
    let table = "email,confirmed_at,consent_text\nAnna@Example.it,2024-05-01T10:00:00Z,Sì voglio\n\"lia@example.it\",,\n";
    assert_eq!(addresses(&folder, table, None).status.code(), Some(2));
    for (table, proof, reason) in [
        (table, " ", "--proof TEXT"),
        ("mail\na@b.it\n", "Modulo", "needs a column named email"),
        (
            "email\na@b.it\nnessuno\n",
            "Modulo",
            "line 3: `nessuno` is no e-mail address; nothing was imported",
        ),
        // Regression: with the line ends of Windows the line before was named.
        (
            "email\r\na@b.it\r\nnessuno\r\n",
            "Modulo",
            "line 3: `nessuno` is no e-mail address; nothing was imported",
        ),
        (
            "email,confirmed_at\r\na@b.it,\r\nb@b.it\r\n",
            "Modulo",
            "line 3: it has other columns",
        ),
        (
            "email,confirmed_at\na@b.it,ieri\n",
            "Modulo",
            "line 2: confirmed_at is no RFC 3339",
        ),
        (
            "email,confirmed_at\na@b.it,2999-01-01T00:00:00Z\n",
            "Modulo",
            "still to come",
        ),
        (
            "email,confirmed_at\na@b.it\n",
            "Modulo",
            "line 2: it has other columns",
        ),
    ] {
        let refused = addresses(&folder, table, Some(proof));
        assert_eq!(refused.status.code(), Some(1), "{reason}");
        assert!(
            complained(&refused).contains(reason),
            "{}",
            complained(&refused)
        );
        assert!(!data.exists(), "{reason}");
    }
    let done = addresses(&folder, table, Some("Modulo del vecchio sito"));
    assert!(done.status.success(), "{}", complained(&done));
    assert!(
        told(&done).starts_with("2 addresses: 1 confirmed"),
        "{}",
        told(&done)
    );
    let list = exported(&data)["newsletter"].clone();
    let of = |email: &str| {
        list.as_array()
            .unwrap()
            .iter()
            .find(|one| one["email"] == email)
            .unwrap()
            .clone()
    };
    let (anna, lia) = (of("anna@example.it"), of("lia@example.it"));
    assert_eq!(anna["state"], "confirmed");
    assert_eq!(anna["confirmedAt"], "2024-05-01T10:00:00.000Z");
    assert_eq!(anna["consentText"], "Sì voglio (Modulo del vecchio sito)");
    assert_eq!(anna["way"], "import");
    assert_eq!(lia["state"], "collected");
    assert_eq!(lia["consentText"], "Modulo del vecchio sito");
    // The same list again, as an Italian spreadsheet writes it: known subscribers do not change.
    let again = addresses(
        &folder,
        "\u{feff}EMAIL;confirmed_at\r\nlia@example.it;2024-01-01T00:00:00Z\r\nnuova@example.it;\r\n",
        Some("Altro"),
    );
    assert!(
        complained(&again).contains("1 new addresses, 1 known already"),
        "{}",
        complained(&again)
    );
    assert_eq!(exported(&data)["newsletter"].as_array().unwrap().len(), 3);
}
