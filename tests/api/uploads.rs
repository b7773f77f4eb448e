//! Tests of uploads: which files are accepted, which are refused, and that an upload URL works
//! once.

use crate::helpers::{DAY, TestApp, answer, encode, png, trusted};
use image::{ImageFormat, Rgb, RgbImage};
use respiro_content::COLLECTIONS;
use respiro_content::collection_by_slug;
use serde_json::json;

/// Returns a photo taken with a rotated phone; its EXIF holds the orientation and the location.
fn turned_jpeg() -> Vec<u8> {
    let jpeg = encode(
        RgbImage::from_pixel(64, 32, Rgb([200, 30, 30])),
        ImageFormat::Jpeg,
    );
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01".to_vec();
    // Tag 0x0112 (orientation), type short, count 1, value 6: turn right.
    exif.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]);
    exif.extend(b"GPS: casa mia");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let mut bytes = jpeg[..2].to_vec();
    bytes.extend([0xff, 0xe1]);
    bytes.extend(length);
    bytes.extend(exif);
    bytes.extend(&jpeg[2..]);
    bytes
}

#[tokio::test]
async fn a_photograph_comes_back_upright_and_without_metadata() {
    let app = TestApp::start().await;
    let path = app.upload(turned_jpeg()).await;
    let answer = app.visit(&path).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "image/jpeg");
    assert!(!answer.text().contains("casa mia") && !answer.text().contains("Exif"));
    let picture = image::load_from_memory(&answer.bytes).unwrap();
    assert_eq!((picture.width(), picture.height()), (32, 64));
}

#[tokio::test]
async fn every_accepted_type_is_served_with_its_headers_and_variants() {
    let app = TestApp::start().await;
    let picture = RgbImage::from_fn(700, 350, |x, y| Rgb([(x % 251) as u8, (y % 241) as u8, 9]));
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ] {
        let path = app.upload(encode(picture.clone(), format)).await;
        for (name, media_type) in [
            ("", ""),
            ("/320.webp", "image/webp"),
            ("/320.jpg", "image/jpeg"),
            ("/700.webp", "image/webp"),
            ("/social.jpg", "image/jpeg"),
        ] {
            let answer = app.visit(&format!("{path}{name}")).await;
            assert_eq!(answer.status, 200, "{format:?} {name}");
            assert!(answer.header("content-type").starts_with("image/"));
            assert!(answer.header("content-type").contains(media_type), "{name}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            assert_eq!(answer.header("content-disposition"), "inline");
            if name != "/social.jpg" {
                let cache = answer.header("cache-control");
                assert_eq!(cache, "public, max-age=31536000, immutable");
            }
            image::load_from_memory(&answer.bytes).unwrap();
        }
        for name in [
            "/original",
            "/main",
            "/321.webp",
            "/640.gif",
            "/..",
            "/%2e%2e",
        ] {
            app.visit(&format!("{path}{name}")).await.is(404);
        }
    }
}

/// Regression: every request for a link preview walked all items before the 304.
#[tokio::test]
async fn a_known_social_picture_of_a_published_item_is_answered_304() {
    let app = TestApp::start().await;
    let path = app.upload(png("a")).await;
    let gallery = collection_by_slug("photo-gallery").unwrap();
    let item = json!({ "imageUrl": path, "title": "Il lago" });
    let made = app.create(gallery, "lago", item).await;
    let social = format!("{path}/social.jpg");
    let whole = app.visit(&social).await.is(200);
    let etag = whole.header("etag").to_owned();
    let again = app
        .visit_with(&social, &[("if-none-match", &etag)])
        .await
        .is(304);
    assert_eq!(again.header("etag"), etag);
    assert!(again.bytes.is_empty());
    let item = format!("/api/admin/photo-gallery/{}", made["id"].as_str().unwrap());
    app.put(&item, &json!({ "title": "Il bosco" }))
        .await
        .is(200);
    let changed = app
        .visit_with(&social, &[("if-none-match", &etag)])
        .await
        .is(200);
    assert_ne!(changed.header("etag"), etag);
}

/// Regression: an animation became a still picture without a word.
#[tokio::test]
async fn the_answer_to_an_upload_says_what_is_lost() {
    let app = TestApp::start().await;
    for (bytes, lost, word) in [
        (
            &include_bytes!("../data/pictures/anim.webp")[..],
            json!(["animation"]),
            "animazione",
        ),
        (
            &include_bytes!("../data/pictures/anim.avif")[..],
            json!(["animation"]),
            "animazione",
        ),
        (
            &include_bytes!("../data/pictures/hdrpq.avif")[..],
            json!(["hdr"]),
            "HDR",
        ),
    ] {
        let address = app.upload_address().await;
        let answer = app.put_bytes(&address, bytes.to_vec()).await.is(200).json();
        assert_eq!(answer["lost"], lost);
        assert!(answer["notice"].as_str().unwrap().contains(word));
    }
    let address = app.upload_address().await;
    let answer = app.put_bytes(&address, png("a")).await.is(200).json();
    assert_eq!(
        (&answer["lost"], &answer["notice"]),
        (&json!([]), &json!(null))
    );
}

/// Regression: a HEAD request rendered the picture too.
#[tokio::test]
async fn the_head_of_a_social_picture_draws_nothing() {
    let app = TestApp::start().await;
    let path = app.upload(png("a")).await;
    let url = app.url(&format!("{path}/social.jpg"));
    let head = answer(app.visitor.head(&url)).await.is(200);
    assert_eq!(head.header("content-type"), "image/jpeg");
    // The length is known only after a GET has rendered the picture.
    assert_eq!(head.header("content-length"), "");
    let whole = answer(app.visitor.get(&url)).await.is(200);
    assert_eq!(head.header("etag"), whole.header("etag"));
    let head = answer(app.visitor.head(&url)).await.is(200);
    assert_eq!(head.header("content-length"), whole.bytes.len().to_string());
}

/// Regression: a HEAD request for a page's social picture rendered it, and took a turn in the queue
/// from visitors who wanted to see one.
#[tokio::test]
async fn the_head_of_a_page_s_social_picture_draws_nothing() {
    let app = TestApp::start().await;
    let html = app.visit("/").await.text();
    let path = html.split("/social/").nth(1).unwrap();
    let path = format!("/social/{}", path.split('"').next().unwrap());
    let url = app.url(&path);
    for _ in 0..2 {
        let head = answer(app.visitor.head(&url)).await.is(200);
        assert_eq!(head.header("content-type"), "image/jpeg");
        assert_eq!(head.header("content-length"), "", "nobody had it drawn");
    }
    let whole = answer(app.visitor.get(&url)).await.is(200);
    let head = answer(app.visitor.head(&url)).await.is(200);
    assert_eq!(head.header("content-length"), whole.bytes.len().to_string());
    for name in ["etag", "content-type", "cache-control"] {
        assert_eq!(head.header(name), whole.header(name));
    }
    let unknown = app.url("/social/nessuna.jpg");
    assert_eq!(answer(app.visitor.head(&unknown)).await.status, 404);
}

/// Deep colours, other samplings, tiles: the AVIF variants that phones and editors write.
#[tokio::test]
async fn every_way_of_writing_an_avif_is_taken() {
    let app = TestApp::start().await;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pictures");
    for (name, size) in [
        ("deep10", (40, 30)),
        ("deep12", (40, 30)),
        ("limited10", (40, 30)),
        ("grid", (256, 192)),
    ] {
        let bytes = std::fs::read(folder.join(format!("{name}.avif"))).unwrap();
        let half = bytes[..bytes.len() / 2].to_vec();
        let path = app.upload(bytes).await;
        let served = app.visit(&path).await;
        assert!(["image/jpeg", "image/webp"].contains(&served.header("content-type")));
        let picture = image::load_from_memory(&served.bytes).unwrap();
        assert_eq!((picture.width(), picture.height()), size, "{name}");
        let address = app.upload_address().await;
        app.put_bytes(&address, half).await.is(422);
    }
}

#[tokio::test]
async fn the_panel_knows_how_many_bytes_a_picture_takes_and_visitors_do_not() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("photo-gallery").unwrap();
    let item = app.create(collection, "uno", json!({})).await;
    let bytes = &item["image"]["bytes"];
    assert_eq!(bytes["original"], png("uno").len());
    let path = item["imageUrl"].as_str().unwrap();
    let mut served = 0;
    for name in ["", "/48.webp", "/48.jpg"] {
        served += app.visit(&format!("{path}{name}")).await.bytes.len();
    }
    assert_eq!(bytes["served"], served);
    let public = app.visit("/api/photo-gallery").await.is(200).json();
    assert!(public[0]["image"]["url"].is_string() && public[0]["image"]["bytes"].is_null());
}

#[tokio::test]
async fn a_picture_is_not_sent_again_to_who_has_it() {
    let app = TestApp::start().await;
    let path = app.upload(png("a")).await;
    let tag = app.visit(&path).await.header("etag").to_owned();
    let request = app
        .visitor
        .get(app.url(&path))
        .header("if-none-match", &tag);
    let again = answer(request).await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    assert_eq!(again.header("etag"), tag);
    let head = answer(app.visitor.head(app.url(&path))).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("etag"), tag);
}

#[tokio::test]
async fn what_is_no_image_is_refused_whatever_it_says() {
    let app = TestApp::start().await;
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".to_vec();
    let files: [(Vec<u8>, u16); 8] = [
        (Vec::new(), 415),
        (b"GIF".to_vec(), 415),
        (b"<!doctype html><script>".to_vec(), 415),
        (svg, 415),
        (heic, 415),
        (vec![0; 100_000], 415),
        (b"\xff\xd8\xff\xe0 no more".to_vec(), 422),
        (png("a")[..60].to_vec(), 422),
    ];
    for (bytes, status) in files {
        let address = app.upload_address().await;
        let request = app.visitor.put(app.url(&address));
        let request = request.header("content-type", "image/jpeg").body(bytes);
        answer(request).await.is(status);
        app.visit(address.split('?').next().unwrap()).await.is(404);
    }
}

#[tokio::test]
async fn a_heic_photograph_is_explained() {
    let app = TestApp::start().await;
    let address = app.upload_address().await;
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
    let problem = app.put_bytes(&address, heic).await.is(415).json();
    assert!(problem["detail"].as_str().unwrap().contains("HEIC"));
}

#[tokio::test]
async fn one_byte_over_the_limit_is_too_large_and_the_limit_is_not() {
    let app = TestApp::start().await;
    let mut bytes = png("a");
    bytes.resize(10_485_761, 0);
    let address = app.upload_address().await;
    let problem = app.put_bytes(&address, bytes.clone()).await.is(413).json();
    assert_eq!(problem["title"], "File troppo grande. Massimo 10MB");
    bytes.pop();
    // Bytes after the end of a picture are no reason to refuse it by size.
    assert_ne!(app.put_bytes(&address, bytes).await.status, 413);
}

#[tokio::test]
async fn a_picture_with_too_many_pixels_is_refused() {
    let app = TestApp::start().await;
    let mut bomb = png("a");
    // Overwrites the width and height in the header, then its checksum.
    bomb[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    let checksum = crc32(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&checksum.to_be_bytes());
    let address = app.upload_address().await;
    app.put_bytes(&address, bomb).await.is(422);
}

pub fn crc32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 * (crc & 1))
        })
    }) ^ !0
}

#[tokio::test]
async fn an_address_serves_once() {
    let app = TestApp::start().await;
    let address = app.upload_address().await;
    app.put_bytes(&address, png("a")).await.is(200);
    app.put_bytes(&address, png("b")).await.is(403);
    app.put_bytes(&address, Vec::new()).await.is(403);
    let app = app.restart().await;
    app.put_bytes(&address, png("b")).await.is(403);
}

#[tokio::test]
async fn a_failed_upload_may_be_tried_again() {
    let app = TestApp::start().await;
    let address = app.upload_address().await;
    app.put_bytes(&address, b"no image".to_vec()).await.is(415);
    app.put_bytes(&address, png("a")).await.is(200);
}

#[tokio::test]
async fn an_altered_or_expired_address_is_worth_nothing() {
    let app = TestApp::start().await;
    let address = app.upload_address().await;
    let (path, query) = address.split_once('?').unwrap();
    let other = app.upload_address().await;
    let other_path = other.split('?').next().unwrap();
    let expires = query.split('&').next().unwrap();
    for wrong in [
        path.to_owned(),
        format!("{other_path}?{query}"),
        format!("{path}?{}", query.replace("expires=1", "expires=2")),
        format!("{path}?{expires}"),
        format!("{path}?{expires}&signature="),
        format!("{path}?{expires}&signature=AAAA"),
        format!("{path}?expires=x&signature=y"),
        format!("{address}x"),
        format!("/objects/uploads/x?{query}"),
    ] {
        app.put_bytes(&wrong, png("a")).await.is(403);
    }
    app.let_time_pass(15 * 60_000);
    app.put_bytes(&address, png("a")).await.is(403);
    app.visit(path).await.is(404);
}

#[tokio::test]
async fn a_deleted_items_picture_is_for_the_session_only() {
    let app = TestApp::start().await;
    let collection = collection_by_slug("photo-gallery").unwrap();
    let item = app.create(collection, "uno", json!({})).await;
    let path = item["imageUrl"].as_str().unwrap();
    assert_eq!(app.visit(path).await.status, 200);
    let id = item["id"].as_str().unwrap();
    assert_eq!(
        app.delete(&format!("/api/admin/photo-gallery/{id}"))
            .await
            .status,
        204
    );
    app.visit(path).await.is(404);
    app.visit(&format!("{path}/48.webp")).await.is(404);
    // Regression: the admin's request put the picture back into every cache on the way, for all
    // visitors and a year.
    for name in ["", "/48.webp", "/social.jpg"] {
        let path = format!("{path}{name}");
        let own = app.get(&path).await.is(200);
        assert_eq!(own.header("cache-control"), "private, no-store", "{path}");
        let tag = own.header("etag").to_owned();
        let request = app.admin.get(app.url(&path)).header("if-none-match", tag);
        let known = answer(request).await.is(304);
        assert_eq!(known.header("cache-control"), "private, no-store", "{path}");
    }
    app.post(&format!("/api/admin/trash/{id}/restore"), &json!({}))
        .await
        .is(200);
    let public = app.get(path).await.is(200);
    assert!(public.header("cache-control").contains("immutable"));
    app.delete(&format!("/api/admin/photo-gallery/{id}"))
        .await
        .is(204);
    assert_eq!(
        app.delete(&format!("/api/admin/trash/{id}")).await.status,
        204
    );
    app.let_time_pass(2 * DAY);
    app.running
        .app
        .change({
            let now = app.running.app.now();
            move |writer| Ok(writer.apply_retention(&trusted(now))?)
        })
        .await
        .unwrap();
    app.sign_in(&app.admin).await.is(200);
    app.get(path).await.is(404);
}

#[tokio::test]
async fn many_uploads_at_once_are_stored_or_told_to_wait() {
    let app = TestApp::start().await;
    let mut addresses = Vec::new();
    for _ in 0..12 {
        addresses.push(app.upload_address().await);
    }
    let uploads: Vec<_> = addresses
        .iter()
        .map(|address| app.put_bytes(address, png(address)))
        .collect();
    for (answer, address) in crate::items::join(uploads)
        .await
        .into_iter()
        .zip(&addresses)
    {
        assert!([200, 429].contains(&answer.status), "{}", answer.text());
        if answer.status == 429 {
            assert!(!answer.header("retry-after").is_empty());
            app.put_bytes(address, png("later")).await.is(200);
        }
    }
    assert!(COLLECTIONS.iter().any(|collection| collection.picture));
}

#[tokio::test]
async fn equal_pictures_are_stored_once_and_stay_while_one_is_used() {
    let app = TestApp::start().await;
    let stored = async || {
        let status = app.get("/api/admin/status").await.is(200).json();
        status["data"]["pictureBytes"].as_u64().unwrap()
    };
    let before = stored().await;
    let first = app.upload(turned_jpeg()).await;
    let one = stored().await;
    let second = app.upload(turned_jpeg()).await;
    assert_ne!(first, second);
    assert!(one > before);
    assert_eq!(stored().await, one);

    let events = collection_by_slug("events").unwrap();
    let used = json!({ "imageUrl": second, "published": true });
    app.create(events, "evento", used).await;
    let later = app.running.app.now() + 2 * DAY;
    let swept = app
        .running
        .app
        .change(move |writer| Ok(writer.apply_retention(&trusted(later))?));
    assert!(swept.await.unwrap().pictures > 0);
    app.visit(&first).await.is(404);
    assert_eq!(app.visit(&second).await.status, 200);
    assert_eq!(stored().await, one);
}

/// Regression: a body that grew by a byte every few seconds held its connection and its upload slot
/// without limit, because each part met its deadline.
#[tokio::test]
async fn an_upload_that_drips_is_cut_off() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let app = TestApp::start_as(|_, tuning| {
        tuning.body_window = std::time::Duration::from_millis(400);
    })
    .await;
    let address = app.upload_address().await;
    let mut stream = tokio::net::TcpStream::connect(app.running.address)
        .await
        .unwrap();
    let head = format!("PUT {address} HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.into_split();
    let drip = tokio::spawn(async move {
        for _ in 0..600 {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            if writing.write_all(b"x").await.is_err() {
                return;
            }
        }
    });
    let mut head = [0; 12];
    reading.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 400");
    drip.abort();
}
