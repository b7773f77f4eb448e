//! Golden tests of what the program stores, exports and reports to other programs.
//!
//! `tests/data/golden` holds bytes and names that data files, mails, scripts and monitoring in the
//! field depend on. Add lines for new records and names; never edit a line to make a test pass.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::unnecessary_wraps,
    reason = "a test stops where it fails, and optional moments are written as short as others"
)]
#![allow(
    clippy::too_many_lines,
    reason = "one function lists one value of every record"
)]

#[path = "support/server.rs"]
mod server;

use jiff::civil::date;
use redb::{ReadableDatabase as _, TableHandle as _};
use respiro_content::blocks::{Attestation, SavedBlock};
use respiro_content::settings::SETTINGS;
use respiro_content::{
    COLLECTIONS, Collection, Item, NEWSLETTERS, Picture, RedirectTarget, Settings, StoredFile,
    Timestamp, Value, collection_by_slug, stored_collections,
};
use respiro_db::{
    Account, AccountDetails, AccountLink, AddressStatus, AdminRedirect, BounceCause, BounceRecord,
    Campaign, CampaignStatus, Cause, CreatedItem, DayTotals, Delivery, DeliveryCounts,
    DeliveryOutcome, Draft, FileIdentity, HistoryRow, HistoryState, LinkGrant, NoticeChoices,
    Notification, NotificationKind, Origin, Passkey, PendingEmail, Provenance, PublishSchedule,
    Reader, RenderedCampaign, RestoreMarker, Result, Role, SecondFactor, Session, SignupSource,
    Store, Subscriber, Subscription, TestimonialRequest, Thing, Trashed, WriteAccess, Writer,
    assemble,
};
use respiro_server::errors::{Error, SizeLimit};
use server::{Server, respiro};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// All tables of a data file. All keys and values are bytes.
const TABLES: [&str; 36] = [
    "account_details",
    "account_links",
    "accounts",
    "blob_index",
    "blobs",
    "bounces",
    "confirmed_words",
    "drafts",
    "failures",
    "history",
    "idempotency_keys",
    "items",
    "mailed_pictures",
    "mailings",
    "meta",
    "notes",
    "notice_choices",
    "notices",
    "passkeys",
    "pictures",
    "plans",
    "posts",
    "provenances",
    "public_ids",
    "queue",
    "redirects",
    "requests",
    "sendings",
    "sessions",
    "settings",
    "standings",
    "statistics",
    "subscribers",
    "trash",
    "uploads",
    "words",
];
/// Keys of the table `meta`. A copy of a file also has `copied`, which `Store::open` replaces by
/// `restored`.
const META_KEYS: [&str; 10] = [
    "clean",
    "copied",
    "copies_elsewhere",
    "demo",
    "lineage",
    "restored",
    "schema",
    "secret",
    "statistics_off",
    "unsubscribe_key",
];
const SECRET: [u8; 32] = [7; 32];
const LINEAGE: [u8; 16] = [9; 16];
const COPIED_AT: Timestamp = 1_789_999_999_999;
const PICTURE: &str = "picturefullaaaaaaaaaaaaaaa";
const EMPTY_PICTURE: &str = "pictureemptyaaaaaaaaaaaaaa";
/// One pixel: the import renders the other sizes again.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\
    \xde\0\0\0\x0cIDAT\x78\xda\x63\xf8\xfd\xfd\x03\0\x05\xd3\x02\xe3\xc6\x83\xfd\xfc\0\0\0\0IEND\
    \xae\x42\x60\x82";

/// Returns a distinct time for each number, so that a swap of two fields changes the golden bytes.
const fn at(number: i64) -> Timestamp {
    1_790_000_000_000 + number * 61_001
}

fn some(number: i64) -> Option<Timestamp> {
    Some(at(number))
}

fn text(text: &str) -> String {
    text.to_owned()
}

/// Returns `name` in the form of an id: 26 characters out of a-z and 2-7.
fn id(name: &str) -> String {
    format!("{name:a<26}")
}

fn id_of_kind(number: u8) -> String {
    id(&format!("item{}", char::from(b'a' + number)))
}

fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    fs::read_to_string(path.join(name)).unwrap_or_default()
}

/// Fails with the first line that differs, and writes the whole text to a file for comparison.
fn assert_golden(name: &str, found: &str) {
    let expected = golden(name);
    if expected == found {
        return;
    }
    let path = std::env::temp_dir().join(format!("found-{name}"));
    fs::write(&path, found).unwrap();
    let mut lines = found.lines();
    let mut wanted = expected.lines();
    loop {
        match (wanted.next(), lines.next()) {
            (None, None) => panic!("{name} differs at its end"),
            (wanted, line) if wanted == line => {}
            (wanted, line) => panic!(
                "{name} differs\n golden: {wanted:?}\n  found: {line:?}\n all of it: {}",
                path.display()
            ),
        }
    }
}

/// Sets only fields that the kind has: an import refuses others.
fn item(collection: &Collection, id: String) -> Item {
    let body = format!("Perché no? — è così ![x](/objects/uploads/{PICTURE})");
    let all = [
        ("name", Value::Text(text("Lina"))),
        ("testimonial", Value::Text(text("Bello"))),
        ("title", Value::Text(text("Titolo"))),
        ("date", Value::Text(text("data da definire"))),
        ("slug", Value::Text(text("l-indirizzo"))),
        ("content", Value::Text(body)),
        ("rating", Value::Integer(4)),
        ("imageFocusX", Value::Integer(40)),
        ("imageDecorative", Value::Boolean(true)),
        ("soldOut", Value::Boolean(false)),
        ("imageUrl", Value::Picture(text(PICTURE))),
    ];
    let has = |name: &str| collection.all_fields().any(|field| field.name == name);
    let mut values: BTreeMap<String, Value> = all
        .into_iter()
        .filter(|(name, _)| has(name))
        .map(|(name, value)| (text(name), value))
        .collect();
    if has("content") {
        let pictures = Value::Pictures(vec![text(PICTURE)]);
        values.insert(text("contentPictures"), pictures);
    }
    if has("date") {
        values.insert(text("dateWrittenAt"), Value::Integer(at(64)));
    }
    Item {
        id,
        published: true,
        sort_order: 3,
        created_at: at(1),
        updated_at: at(2),
        values,
    }
}

fn empty_item(id: String) -> Item {
    Item {
        id,
        published: false,
        sort_order: 4,
        created_at: at(3),
        updated_at: at(4),
        values: BTreeMap::new(),
    }
}

fn put_items(writer: &mut Writer<'_>) -> Result<()> {
    for collection in stored_collections() {
        writer
            .items()
            .import(collection, &item(collection, id_of_kind(collection.number)))?;
    }
    writer
        .items()
        .import(&NEWSLETTERS, &empty_item(id("itemempty")))?;
    writer.trash().put(Trashed {
        collection: &COLLECTIONS[1],
        item: item(&COLLECTIONS[1], id("trashed")),
        deleted_at: at(5),
    })?;
    writer.trash().put(Trashed {
        collection: &NEWSLETTERS,
        item: empty_item(id("trashedempty")),
        deleted_at: at(6),
    })?;
    let created = CreatedItem {
        request_hash: [6; 32],
        id: id_of_kind(5),
        created_at: at(4),
    };
    writer.idempotency_keys().put(&[5; 32], &created)?;
    writer.drafts().put(Draft {
        account: text("anna@example.it"),
        place: text("events:new@k1"),
        revision: text("r1"),
        content: text("{\"title\":\"Perché\"}"),
        begun_at: at(94),
        saved_at: at(95),
        session_id: text("device"),
        user_agent: text("Firefox"),
        restored_at: some(96),
        publish_at: some(97),
    })?;
    writer.drafts().put(Draft {
        account: text("bruno@example.it"),
        place: text("settings"),
        ..Draft::default()
    })?;
    let collection = collection_by_slug("blog").unwrap();
    writer
        .redirects()
        .put_slug(collection, "vecchio", &id_of_kind(6))?;
    writer
        .redirects()
        .put_path("/2019/05/vecchio/", &id_of_kind(6))?;
    for (from, target) in [
        ("/articolo", RedirectTarget::Item(id_of_kind(6))),
        ("/prezzi", RedirectTarget::Path("/servizi?x=y".to_owned())),
        ("/volantino", RedirectTarget::Gone),
    ] {
        let created_at = at(4);
        let redirect = AdminRedirect { target, created_at };
        writer.redirects().put_of_admin(from, &redirect)?;
    }
    for (id, publish_at, withdraw_at) in [
        (id_of_kind(5), some(7), some(8)),
        (id_of_kind(6), some(9), None),
        (id("unknown"), None, some(10)),
    ] {
        let plan = PublishSchedule {
            collection_number: 5,
            publish_at,
            withdraw_at,
        };
        writer.schedules().put(&id, &plan)?;
    }
    Ok(())
}

fn put_pictures(writer: &mut Writer<'_>) -> Result<()> {
    // The last file takes two chunks.
    let contents = [
        ("main", "image/png", PNG.to_vec()),
        ("original", "image/png", PNG.to_vec()),
        ("640.webp", "image/webp", b"principale ".repeat(27_000)),
    ];
    let stored = |(name, media_type, bytes): &(&str, &str, Vec<u8>)| {
        let file = StoredFile {
            media_type: text(media_type),
            hash: Sha256::digest(bytes).into(),
            bytes: bytes.len() as u64,
        };
        (text(name), file)
    };
    let picture = Picture {
        id: text(PICTURE),
        width: 1_600,
        height: 1_200,
        placeholder: text("data:image/webp;base64,AAAA"),
        widths: vec![320, 640],
        media_type: text("image/webp"),
        created_at: at(11),
        files: contents.iter().map(stored).collect(),
    };
    let files = contents.map(|(name, media_type, bytes)| (text(name), text(media_type), bytes));
    writer.pictures().put(picture, files.into())?;
    let empty = Picture {
        id: text(EMPTY_PICTURE),
        width: 0,
        height: 0,
        placeholder: String::new(),
        widths: Vec::new(),
        media_type: String::new(),
        created_at: 0,
        files: BTreeMap::new(),
    };
    writer.pictures().put(empty, Vec::new())?;
    writer.uploads().start("upload", at(12))?;
    writer
        .sent_images()
        .put(&id("gone"), &vec![text(PICTURE)])?;
    writer.sent_images().put(&id("goneempty"), &Vec::new())
}

fn put_accounts(writer: &mut Writer<'_>) -> Result<()> {
    writer.accounts().put(&Account {
        email: text("anna@example.it"),
        password_hash: text("$argon2id$anna"),
        created_at: at(13),
        second_factor: Some(SecondFactor {
            secret: vec![1, 2, 3],
            recovery_hashes: vec![[4; 32], [5; 32]],
            last_step: 59_666_666,
        }),
    })?;
    writer.accounts().put(&Account {
        email: text("bruno@example.it"),
        password_hash: String::new(),
        created_at: at(14),
        second_factor: None,
    })?;
    for (email, role) in [
        ("anna@example.it", Role::Owner),
        ("carla@example.it", Role::Editor),
    ] {
        let id = id("person");
        writer
            .accounts()
            .put_details(email, &AccountDetails { id, role })?;
    }
    let choices = NoticeChoices {
        monthly_since: some(99),
    };
    writer
        .accounts()
        .put_notice_choices("anna@example.it", &choices)?;
    let grants = [
        LinkGrant::NewPassword,
        LinkGrant::NewEmail {
            new_email: text("nuova@example.it"),
            is_to_new: true,
            is_confirmed: false,
            other: [22; 32],
        },
        LinkGrant::Invitation {
            id: id("invitation"),
            role: Role::Editor,
        },
    ];
    for (number, grant) in (20..).zip(grants) {
        let link = AccountLink {
            email: text("anna@example.it"),
            created_at: at(98),
            grant,
        };
        writer.account_links().put(&[number; 32], &link)?;
    }
    writer.passkeys().put(&Passkey {
        credential_id: vec![1, 2, 250],
        email: text("anna@example.it"),
        name: text("Telefono"),
        created_at: at(15),
        last_used_at: some(16),
        fixed: vec![6, 7, 8],
        moving: [1, 2, 3, 4, 5, 6, 7],
    })?;
    writer.passkeys().put(&Passkey {
        credential_id: vec![3],
        email: text("bruno@example.it"),
        name: String::new(),
        created_at: at(17),
        last_used_at: None,
        fixed: Vec::new(),
        moving: [0; 7],
    })?;
    let session = |id: &str, email: &str, user_agent: &str| Session {
        id: text(id),
        email: text(email),
        created_at: at(18),
        last_seen_at: at(19),
        user_agent: text(user_agent),
    };
    writer
        .sessions()
        .begin(&[10; 32], &session("device", "anna@example.it", "Firefox"))?;
    writer
        .sessions()
        .begin(&[11; 32], &session("", "bruno@example.it", ""))
}

fn delivery(email: &str, fate: DeliveryOutcome) -> Delivery {
    Delivery {
        email: text(email),
        fate,
        tries: 2,
        at: at(20),
        reason: text("452 piena"),
        is_marked: true,
    }
}

fn put_newsletters(writer: &mut Writer<'_>) -> Result<()> {
    for (email, state, confirmed_at) in [
        ("a@example.it", Subscription::Pending, None),
        ("b@example.it", Subscription::Confirmed, some(21)),
        ("c@example.it", Subscription::Unsubscribed, some(22)),
        ("d@example.it", Subscription::Collected, None),
    ] {
        writer.subscribers().put(&Subscriber {
            email: text(email),
            state,
            consent_text: text("Acconsento"),
            created_at: at(23),
            confirmed_at,
        })?;
    }
    writer.address_statuses().put(&AddressStatus {
        email: text("a@example.it"),
        way: Some(SignupSource::Form),
        consent_version: Some(text("2")),
        page: Some(text("/eventi")),
        asked_at: some(24),
        mailed_at: some(25),
        unsubscribed_at: some(26),
        soft_refusals: 3,
        unreachable_at: some(27),
    })?;
    for (email, way) in [
        ("b@example.it", Some(SignupSource::FormOnly)),
        ("c@example.it", Some(SignupSource::Import)),
        ("d@example.it", None),
    ] {
        let standing = AddressStatus::new(email);
        writer
            .address_statuses()
            .put(&AddressStatus { way, ..standing })?;
    }
    for (email, cause) in [
        ("a@example.it", BounceCause::NoMailbox),
        ("b@example.it", BounceCause::NoDomain),
        ("c@example.it", BounceCause::MailboxClosed),
        ("d@example.it", BounceCause::MailboxFull),
        ("e@example.it", BounceCause::Refused),
        ("f@example.it", BounceCause::Undelivered),
        ("g@example.it", BounceCause::Complaint),
    ] {
        writer
            .bounces()
            .put(&BounceRecord::new(email, cause, at(65)))?;
    }
    writer.bounces().put(&BounceRecord {
        composed_at: vec![at(66), at(67)],
        restored_at: some(68),
        ..BounceRecord::new("h@example.it", BounceCause::NoMailbox, at(65))
    })?;
    writer.campaigns().put(&Campaign {
        id: id("sendingfull"),
        state: CampaignStatus::Sending,
        scheduled_at: some(28),
        started_at: some(29),
        ended_at: some(30),
        tested_at: some(31),
        resumed_at: some(32),
        is_late: true,
        tally: DeliveryCounts {
            total: 21,
            accepted: 1,
            refused: 2,
            uncertain: 3,
            skipped: 4,
            unsubscribed: 5,
        },
        in_flight: Some(delivery("volo@example.it", DeliveryOutcome::Waiting)),
        handed_at: some(33),
        slowed_pace: Some(6),
        taken_in_a_row: 7,
        refused_in_a_row: 8,
        retry_at: some(34),
        failures: 9,
        trouble: Some((text("refused"), text("550 no"))),
    })?;
    for (id, state) in [
        (id("sendingdraft"), CampaignStatus::Draft),
        (id("sendingscheduled"), CampaignStatus::Scheduled),
        (id("sendingpaused"), CampaignStatus::Paused),
        (id("sendingstopped"), CampaignStatus::Stopped),
        (id("sendingsent"), CampaignStatus::Sent),
    ] {
        let sending = Campaign::new(&id);
        writer.campaigns().put(&Campaign { state, ..sending })?;
    }
    let mailing = |subject: &str, html: &str, plain: &str| RenderedCampaign {
        subject: text(subject),
        html: text(html),
        text: text(plain),
    };
    writer.campaigns().put_rendered(
        &id("sendingfull"),
        &mailing("Novità", "<p>Ciao</p>", "Ciao"),
    )?;
    writer
        .campaigns()
        .put_rendered(&id("sendingsent"), &mailing("", "", ""))?;
    writer.campaigns().enqueue(
        &id("sendingfull"),
        &delivery("q@example.it", DeliveryOutcome::Waiting),
    )?;
    for (email, fate) in [
        ("full@example.it", DeliveryOutcome::Full),
        ("unknown@example.it", DeliveryOutcome::Unknown),
        ("blocked@example.it", DeliveryOutcome::Blocked),
        ("uncertain@example.it", DeliveryOutcome::Uncertain),
        ("skipped@example.it", DeliveryOutcome::Skipped),
    ] {
        writer
            .campaigns()
            .put_failure(&id("sendingfull"), &delivery(email, fate))?;
    }
    writer.campaigns().put_failure(
        &id("sendingsent"),
        &Delivery {
            email: text("z@example.it"),
            fate: DeliveryOutcome::Waiting,
            tries: 0,
            at: 0,
            reason: String::new(),
            is_marked: false,
        },
    )
}

fn put_notices(writer: &mut Writer<'_>) -> Result<()> {
    for (number, subject) in (1..).zip(NotificationKind::ALL) {
        writer.notifications().put(&Notification {
            number,
            subject,
            first_at: at(35),
            at: at(36),
            count: 1,
            text: String::new(),
            moment: None,
            email: None,
            read_at: None,
            solved_at: None,
            mailed_at: None,
        })?;
        writer.pending_emails().put(&PendingEmail {
            subject,
            email: text("bruno@example.it"),
            waiting: 0,
            waiting_since: at(37),
            last_at: None,
            due_at: at(38),
            tries: 0,
            failed: None,
        })?;
    }
    writer.notifications().put(&Notification {
        number: 300,
        subject: NotificationKind::Device,
        first_at: at(39),
        at: at(40),
        count: 12,
        text: text("Firefox su Linux"),
        moment: some(41),
        email: Some(text("anna@example.it")),
        read_at: some(42),
        solved_at: some(43),
        mailed_at: some(44),
    })?;
    writer.pending_emails().put(&PendingEmail {
        subject: NotificationKind::Backup,
        email: text("anna@example.it"),
        waiting: 2,
        waiting_since: at(45),
        last_at: some(46),
        due_at: at(47),
        tries: 3,
        failed: Some((at(48), text("550 no"))),
    })
}

fn put_history(writer: &mut Writer<'_>) -> Result<()> {
    let (events, blog) = (collection_by_slug("events"), collection_by_slug("blog"));
    let (events, blog) = (events.unwrap(), blog.unwrap());
    let settings = Settings {
        values: BTreeMap::from([(text("brand"), Value::Text(text("Respiro")))]),
    };
    let block = SavedBlock {
        id: text("servizi.hero"),
        revision: 1,
        value: Some(text("{}")),
        hidden: false,
        saved_at: at(98),
        account: text("anna@example.it"),
        default_hash: text("abc"),
    };
    let order = vec![id_of_kind(6), id_of_kind(5)];
    let item = Thing::Item(events, id_of_kind(5));
    let gone = Thing::Item(blog, id("gone"));
    for (number, thing, cause, before) in [
        (
            99,
            Thing::Block(text("servizi.hero")),
            Cause::Edit,
            HistoryState::Block(block),
        ),
        (100, item.clone(), Cause::Schedule, HistoryState::Absent),
        (
            101,
            item,
            Cause::Return(at(102)),
            HistoryState::Item(empty_item(id_of_kind(5))),
        ),
        (
            103,
            Thing::Order(blog),
            Cause::SiteReturn(at(104)),
            HistoryState::Order(order),
        ),
        (
            105,
            Thing::Settings,
            Cause::Unrecorded,
            HistoryState::Settings(settings),
        ),
        (106, gone, Cause::Edit, HistoryState::Erased),
    ] {
        let row = HistoryRow {
            account: text("anna@example.it"),
            user_agent: text("Mozilla/5.0"),
            cause,
            before,
        };
        writer.history().put(&thing, at(number), &row)?;
    }
    Ok(())
}

fn put_texts(writer: &mut Writer<'_>) -> Result<()> {
    writer.content_blocks().put(&SavedBlock {
        id: text("home.hero"),
        revision: 258,
        value: Some(text("{\"title\":\"Ciao\"}")),
        hidden: true,
        saved_at: at(49),
        account: text("anna@example.it"),
        default_hash: text("abc"),
    })?;
    writer.content_blocks().put(&SavedBlock {
        id: text("chi-sono.timeline"),
        revision: 1,
        value: None,
        hidden: false,
        saved_at: 0,
        account: String::new(),
        default_hash: String::new(),
    })?;
    put_history(writer)?;
    let said = Attestation {
        statement_hashes: text("abc def"),
        at: at(50),
        account: text("anna@example.it"),
    };
    writer
        .content_blocks()
        .put_attestation("chi-sono.biography", Some(&said))?;
    let said = Attestation {
        statement_hashes: String::new(),
        at: 0,
        account: String::new(),
    };
    writer
        .content_blocks()
        .put_attestation("chi-sono.timeline", Some(&said))?;
    writer.testimonial_requests().put(
        &[12; 32],
        &TestimonialRequest {
            id: id("request"),
            name: text("Carla"),
            activity: text("Corso"),
            created_at: at(51),
            expires_at: at(52),
            opened_at: some(53),
            cancelled_at: some(54),
            received_at: some(55),
            item_id: Some(id_of_kind(1)),
        },
    )?;
    writer.testimonial_requests().put(
        &[13; 32],
        &TestimonialRequest {
            id: id("requestempty"),
            name: String::new(),
            activity: String::new(),
            created_at: 0,
            expires_at: 0,
            opened_at: None,
            cancelled_at: None,
            received_at: None,
            item_id: None,
        },
    )?;
    writer.provenances().put(&Provenance {
        item_id: id_of_kind(1),
        origin: Some(Origin::Link),
        received_at: some(56),
        request_id: Some(id("request")),
        requested_at: some(57),
        activity: text("Corso"),
        consent_text: text("Acconsento"),
        consent_version: text("3"),
        consented_at: some(58),
        withdrawn_at: some(59),
        received: BTreeMap::from([(text("quote"), Value::Text(text("Bello")))]),
        note: text("nota"),
        settled_at: some(60),
    })?;
    for (id, origin) in [
        (id("hand"), Some(Origin::Hand)),
        (id("import"), Some(Origin::Import)),
        (id("none"), None),
    ] {
        let provenance = Provenance::new(&id);
        writer.provenances().put(&Provenance {
            origin,
            ..provenance
        })?;
    }
    Ok(())
}

/// Writes each record once filled and once as empty as possible, and each variant of each enum.
fn fill(writer: &mut Writer<'_>) -> Result<()> {
    // Goes first: it pauses the newsletters that it finds.
    writer.start_new_identity(at(61))?;
    put_pictures(writer)?;
    put_items(writer)?;
    put_accounts(writer)?;
    put_newsletters(writer)?;
    put_notices(writer)?;
    put_texts(writer)?;
    writer.settings().put(&Settings {
        values: BTreeMap::from([
            (text("brand"), Value::Text(text("Respiro"))),
            (text("heroImageOne"), Value::Picture(text(PICTURE))),
            (text("newsletterPace"), Value::Integer(90)),
            (text("noticeBackup"), Value::Boolean(false)),
        ]),
    })?;
    let totals = DayTotals {
        views: 11,
        visitors: 12,
        pages: BTreeMap::from([(text("/"), 13)]),
        sources: BTreeMap::from([(text("example.org"), 14)]),
        presses: BTreeMap::from([(text("/contatti"), [1, 2, 3])]),
    };
    writer.page_views().put(date(2026, 9, 21), &totals)?;
    writer
        .page_views()
        .put(date(2026, 9, 22), &DayTotals::default())?;
    writer.put_note("a-note", b"chiave")?;
    writer.put_note("an-empty-note", b"")?;
    writer.put_restore_marker(RestoreMarker {
        copied_at: at(62),
        held_sendings: 2,
    })?;
    writer.put_imported_unsubscribe_key(&[14; 32])?;
    writer.set_copies_elsewhere(true)?;
    writer.set_demo(true)?;
    writer.page_views().set_uncounted_since(some(63))
}

fn filled(path: &Path) -> WriteAccess {
    let store = Store::open(path).unwrap();
    store.write(fill).unwrap();
    store
}

/// Returns table, key and value of every row except the bytes of pictures.
fn rows(stream: &[u8]) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let mut rest = stream.strip_prefix(b"respiro rows 1\n").unwrap();
    let mut take = |width: usize| {
        let (length, after) = rest.split_at(width);
        let length = length
            .iter()
            .fold(0, |all, byte| all << 8 | usize::from(*byte));
        let (part, after) = after.split_at(length);
        rest = after;
        part.to_vec()
    };
    let mut rows = Vec::new();
    loop {
        let table = String::from_utf8(take(1)).unwrap();
        if table.is_empty() {
            return rows;
        }
        rows.push((table, take(4), take(4)));
    }
}

/// Returns the rows as lines, ordered by table and key. Random values are replaced.
fn lines(stream: &[u8]) -> String {
    let mut lines = Vec::new();
    for (table, key, mut value) in rows(stream) {
        match (table.as_str(), key.as_slice()) {
            ("meta", b"secret") => value[1..].copy_from_slice(&SECRET),
            ("meta", b"lineage") => value[1..17].copy_from_slice(&LINEAGE),
            // Closing the file changes this value.
            ("meta", b"clean") => value[1] = 1,
            _ => {}
        }
        let (key, value) = (key.escape_ascii(), value.escape_ascii());
        lines.push(format!("{table} \"{key}\" \"{value}\""));
    }
    lines.sort();
    lines.into_iter().map(|line| line + "\n").collect()
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes().iter();
    while let Some(byte) = rest.next() {
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let mut digit = || char::from(*rest.next().unwrap());
        bytes.push(match digit() {
            't' => b'\t',
            'r' => b'\r',
            'n' => b'\n',
            'x' => {
                let digits = String::from_iter([digit(), digit()]);
                u8::from_str_radix(&digits, 16).unwrap()
            }
            other => u8::try_from(other).unwrap(),
        });
    }
    bytes
}

/// Returns the row stream of an off-site copy, made of the golden rows.
fn stream() -> Vec<u8> {
    stream_of(&golden("rows.txt"))
}

fn stream_of(lines: &str) -> Vec<u8> {
    let mut stream = b"respiro rows 1\n".to_vec();
    for line in lines.lines() {
        let (table, rest) = line.split_once(" \"").unwrap();
        let (key, value) = rest.strip_suffix('"').unwrap().split_once("\" \"").unwrap();
        stream.push(u8::try_from(table.len()).unwrap());
        stream.extend(table.as_bytes());
        for part in [unescape(key), unescape(value)] {
            stream.extend(u32::try_from(part.len()).unwrap().to_be_bytes());
            stream.extend(part);
        }
    }
    stream.push(0);
    stream
}

fn blob_of(reader: &Reader<'_>, hash: &[u8; 32]) -> Option<Vec<u8>> {
    reader.blobs().get(hash).unwrap()
}

/// Returns the formatted results of the store's read methods.
fn seen(reader: &Reader<'_>) -> Result<Vec<String>> {
    let mut seen = Vec::new();
    let mut see =
        |name: &str, value: &dyn std::fmt::Debug| seen.push(format!("{name}: {value:#?}"));
    for collection in stored_collections() {
        see(collection.slug, &reader.items().list(collection)?);
        see("former slugs", &reader.redirects().slugs(collection)?);
    }
    see("former paths", &reader.redirects().paths()?);
    see("redirects of the admin", &reader.redirects().of_admin()?);
    for trashed in reader.trash().list()? {
        see(
            "trash",
            &(trashed.collection.number, trashed.item, trashed.deleted_at),
        );
    }
    see("plans", &reader.schedules().list()?);
    reader.drafts().each(|draft| see("draft", &draft))?;
    see("settings", &reader.settings().get()?);
    see("pictures", &reader.pictures().list()?);
    for account in reader.accounts().list()? {
        see("passkeys", &reader.passkeys().list(&account.email)?);
        see("sessions", &reader.sessions().list(&account.email)?);
        see("details", &reader.accounts().details(&account.email)?);
        let choices = reader.accounts().notice_choices(&account.email)?;
        see("notice choices", &choices);
        see("account", &account);
    }
    see("links", &reader.account_links().list()?);
    for token in [[10; 32], [11; 32]] {
        see("session", &reader.sessions().get(&token)?);
    }
    for subscriber in reader.subscribers().list()? {
        see(
            "standing",
            &reader.address_statuses().get(&subscriber.email)?,
        );
        see("subscriber", &subscriber);
    }
    for sending in reader.campaigns().list()? {
        see("mailing", &reader.campaigns().rendered(&sending.id)?);
        see("queue", &reader.campaigns().queued(&sending.id)?);
        see("failures", &reader.campaigns().failures(&sending.id)?);
        see("sending", &sending);
    }
    see("mailed", &reader.sent_images().list()?);
    see("notices", &reader.notifications().list()?);
    see("posts", &reader.pending_emails().list()?);
    for (id, saved) in reader.content_blocks().list()? {
        see("versions", &reader.content_blocks().versions(&id)?);
        see("confirmed", &reader.content_blocks().attestation(&id)?);
        see("words", &saved);
    }
    let confirmed = reader.content_blocks().attestation("chi-sono.biography")?;
    see("confirmed", &confirmed);
    for change in reader.history().list()? {
        see("state", &reader.history().since(&change.thing, 0)?);
        see("change", &change);
    }
    see("requests", &reader.testimonial_requests().list()?);
    see("provenances", &reader.provenances().list()?);
    see("visits", &reader.page_views().list()?);
    see("notes", &reader.notes("")?);
    see("demo", &reader.is_demo()?);
    see("restored", &reader.restore_marker()?);
    see("elsewhere", &reader.has_copies_elsewhere()?);
    see(
        "since",
        &reader.file_identity()?.map(|lineage| lineage.since),
    );
    see("link key", &reader.imported_unsubscribe_key()?);
    see("uncounted", &reader.page_views().uncounted_since()?);
    Ok(seen)
}

#[test]
fn every_record_is_written_as_in_the_golden_rows() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(&folder.path().join("data.redb"));
    let found = store.read(|reader| reader.rows(&[])).unwrap();
    assert_golden("rows.txt", &lines(&found));
}

#[test]
fn the_golden_rows_are_read_as_the_values_that_they_were_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let own = filled(&folder.path().join("own.redb"));
    let path = folder.path().join("copy.redb");
    let mut names = Vec::new();
    assemble(&path, &stream(), COPIED_AT, &mut |blob| {
        names.push(blob.hash);
        own.read(|reader| Ok(blob_of(reader, &blob.hash)))
    })
    .unwrap();
    assert_eq!(names.len(), 2);
    // `Store::look`, because `Store::open` would pause the newsletters of a copy.
    let copy = Store::look(&path).unwrap();
    let expected = own.read(seen).unwrap();
    for (found, expected) in copy.read(seen).unwrap().iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(copy.read(|reader| reader.secret()).unwrap(), SECRET);
    let lineage = copy.read(|reader| reader.file_identity()).unwrap();
    let expected = FileIdentity {
        id: LINEAGE,
        since: at(61),
    };
    assert_eq!(lineage, Some(expected));
    let moment = copy.read(|reader| Ok::<_, respiro_db::Error>(reader.figures()?.copied_at));
    assert_eq!(moment.unwrap(), Some(COPIED_AT));
    drop(copy);
    let opened = Store::open(&path).unwrap();
    opened
        .write(|writer| writer.uploads().take("upload", at(12) - 1))
        .unwrap();
}

/// Schema 3 kept the versions of blocks in a table of their own, the present one included.
#[test]
fn an_off_site_copy_of_schema_3_keeps_the_versions_of_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let own = filled(&folder.path().join("own.redb"));
    let path = folder.path().join("copy.redb");
    let rows = golden("rows.txt");
    let others = rows.lines().filter(|line| {
        let is_new = line.starts_with("history ") || line.starts_with("meta \"schema\"");
        !is_new
    });
    let lines: Vec<&str> = others.collect();
    let lines = format!("{}\n{}", lines.join("\n"), golden("rows-of-schema-3.txt"));
    assemble(&path, &stream_of(&lines), COPIED_AT, &mut |blob| {
        own.read(|reader| Ok(blob_of(reader, &blob.hash)))
    })
    .unwrap();
    let copy = Store::look(&path).unwrap();
    let read = |id: &str| copy.read(|reader| reader.content_blocks().versions(id));
    let hero = read("home.hero").unwrap();
    let revisions: Vec<u64> = hero.iter().map(|saved| saved.revision).collect();
    assert_eq!(revisions, [258, 257]);
    assert_eq!(hero[1].value.as_deref(), Some("{\"title\":\"Prima\"}"));
    assert_eq!(read("chi-sono.timeline").unwrap().len(), 1);
    let changes = copy.read(|reader| reader.history().list()).unwrap();
    assert_eq!(changes.len(), 2);
    assert!(
        changes
            .iter()
            .all(|change| change.cause == Cause::Unrecorded)
    );
    assert_eq!(changes[0].account, "anna@example.it");
    drop(copy);
    Store::open(&path).unwrap();
    respiro_db::check(&path).unwrap();
}

#[test]
fn every_table_and_every_key_of_meta_has_a_golden_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.redb");
    drop(filled(&path));
    let database = redb::Database::open(&path).unwrap();
    let reading = database.begin_read().unwrap();
    let found: BTreeSet<String> = reading
        .list_tables()
        .unwrap()
        .map(|table| table.name().to_owned())
        .collect();
    assert_eq!(found, TABLES.map(str::to_owned).into());
    for name in TABLES {
        let table = redb::TableDefinition::<&[u8], &[u8]>::new(name);
        reading.open_table(table).unwrap();
    }
    // Chunks of pictures have a table of their own; a key is the hash and the big-endian chunk
    // number.
    let blobs = redb::TableDefinition::<&[u8], &[u8]>::new("blobs");
    let blobs = reading.open_table(blobs).unwrap();
    let main = b"principale ".repeat(27_000);
    let hash: [u8; 32] = Sha256::digest(&main).into();
    let key = |number: u8| [&hash[..], &[0, 0, 0, number]].concat();
    let chunk = |number| {
        let row = blobs.get(key(number).as_slice()).unwrap();
        row.map(|row| row.value().to_vec())
    };
    let (first, second) = main.split_at(262_016);
    assert_eq!(chunk(0).unwrap(), first);
    assert_eq!(chunk(1).unwrap(), second);
    assert_eq!(chunk(2), None);

    let rows = rows(&stream());
    let held: BTreeSet<&str> = rows.iter().map(|(table, _, _)| table.as_str()).collect();
    let mut wanted = BTreeSet::from(TABLES);
    wanted.remove("blobs");
    assert_eq!(held, wanted);
    let keys = rows.iter().filter(|(table, _, _)| table == "meta");
    let keys: BTreeSet<&str> = keys
        .map(|(_, key, _)| std::str::from_utf8(key).unwrap())
        .chain(["copied"])
        .collect();
    assert_eq!(keys, META_KEYS.into());
    // The first byte is the format version of the record.
    assert!(rows.iter().all(|(_, _, value)| value[0] == 1));
}

/// Returns the JSON that `export` writes, with version and time of the run replaced.
fn exported(data: &Path, folder: &Path) -> String {
    let done = respiro(data).arg("export").arg(folder).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let json = fs::read(folder.join("respiro.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let program = json["program"].as_str().unwrap();
    assert!(program.starts_with("respiro "));
    json["program"] = "respiro".into();
    json["exportedAt"] = "2026-09-21T13:33:20.000Z".into();
    format!("{}\n", serde_json::to_string_pretty(&json).unwrap())
}

#[test]
fn an_export_is_the_golden_one_and_a_golden_one_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.redb");
    drop(filled(&data));
    let folder_of = |name: &str| folder.path().join(name);
    let out = folder_of("export");
    assert_golden("export.json", &exported(&data, &out));
    let picture = out.join("pictures").join(format!("{PICTURE}.png"));
    assert_eq!(fs::read(picture).unwrap(), PNG);

    // An export of an earlier release is imported into a new file and exported again.
    let former = folder_of("former");
    fs::create_dir_all(former.join("pictures")).unwrap();
    fs::write(former.join("respiro.json"), golden("export.json")).unwrap();
    for entry in fs::read_dir(out.join("pictures")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(
            entry.path(),
            former.join("pictures").join(entry.file_name()),
        )
        .unwrap();
    }
    let new = folder_of("new.redb");
    let done = respiro(&new).arg("import").arg(&former).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert_golden("import.json", &exported(&new, &folder_of("again")));
}

fn command(arguments: &[&str]) -> String {
    let done = respiro(Path::new("none.redb")).args(arguments).output();
    String::from_utf8(done.unwrap().stdout).unwrap()
}

fn joined(lines: impl IntoIterator<Item = String>) -> String {
    let lines: BTreeSet<String> = lines.into_iter().collect();
    lines.into_iter().map(|line| line + "\n").collect()
}

#[test]
fn the_environment_variables_are_the_golden_ones() {
    let help = [
        "serve", "backup", "check", "restore", "export", "import", "doctor",
    ]
    .map(|name| command(&[name, "--help"]))
    .concat()
        + &command(&["--help"]);
    let name = |part: &str| -> String {
        part.chars()
            .take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_')
            .collect()
    };
    let names = help.split("RESPIRO_").skip(1).map(name);
    assert_golden(
        "environment.txt",
        &joined(names.map(|name| format!("RESPIRO_{name}"))),
    );
}

#[test]
fn the_problem_codes_and_their_status_are_the_golden_ones() {
    let current = Box::default();
    let errors = [
        Error::BadRequest(""),
        Error::Unauthorized,
        Error::Refused(""),
        Error::SecondFactorRequired,
        Error::ConfirmationRequired,
        Error::Forbidden(""),
        Error::OwnerRequired,
        Error::LinkEnded,
        Error::NotFound,
        Error::MethodNotAllowed {
            allow: String::new(),
        },
        Error::Conflict(""),
        Error::Stale { current },
        Error::IdempotencyKeyReused {
            current: Box::default(),
        },
        Error::TooLarge(SizeLimit::Body),
        Error::UnsupportedImage(""),
        Error::InvalidImage(""),
        Error::Invalid(Vec::new()),
        Error::TooManyRequests {
            retry_after_seconds: 1,
        },
        Error::StorageFull,
        Error::ReadOnly,
        Error::Moved,
        Error::Asleep,
        Error::Unavailable(""),
        Error::Store(String::new()),
        Error::Render(String::new()),
        Error::Internal(String::new()),
    ];
    let row = |error: &Error| format!("{} {}", error.code().name, error.code().status);
    let found = joined(errors.iter().map(row));
    assert_golden("problems.txt", &found);
    // The generated file of `tests/generated.rs` contains every code.
    let facts =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/kinds/kinds.gen.ts"));
    let facts = facts.unwrap();
    let (_, codes) = facts.split_once("ProblemCode =").unwrap();
    let codes = codes
        .lines()
        .skip(1)
        .map_while(|line| line.split('\'').nth(1));
    let names = found.lines().filter_map(|line| line.split(' ').next());
    assert_eq!(
        codes.collect::<BTreeSet<_>>(),
        names.collect::<BTreeSet<_>>()
    );
}

#[test]
fn the_fields_and_settings_have_their_golden_names() {
    let collections = stored_collections().flat_map(|collection| {
        let fields = collection.all_fields();
        fields.map(move |field| format!("{} {} {}", collection.number, collection.slug, field.name))
    });
    let settings = SETTINGS.iter();
    let settings = settings.map(|setting| format!("settings {}", setting.field.name));
    assert_golden("fields.txt", &joined(collections.chain(settings)));
}

#[test]
fn the_addresses_are_the_golden_ones() {
    let routes = respiro_server::http::paths().into_iter();
    let routes = routes.map(|(method, path)| format!("{method} {path}"));
    assert_golden("routes.txt", &joined(routes));
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.redb");
    drop(filled(&data));
    let site = folder.path().join("site");
    let mut export = respiro(&data);
    let url = ["--public-url", "https://example.org"];
    let done = export.args(["export", "--site"]).arg(&site).args(url);
    let done = done.output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let mut files = BTreeSet::new();
    list(&site, "", &mut files);
    // Names of assets contain a hash of their content.
    files.retain(|name| !name.starts_with("/assets/"));
    assert_golden("pages.txt", &joined(files));
}

fn list(folder: &Path, start: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{start}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            list(&path, &name, found);
        } else {
            found.insert(name);
        }
    }
}

/// Sends one line of JSON and returns the answer, like a command of another version.
fn ask(data: &Path, request: &str) -> String {
    let mut socket = data.as_os_str().to_owned();
    socket.push(".sock");
    let mut stream = UnixStream::connect(socket).unwrap();
    writeln!(stream, "{request}").unwrap();
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).unwrap();
    answer.trim_end().to_owned()
}

#[test]
fn a_running_server_has_the_golden_metrics_files_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.redb");
    drop(filled(&data));
    let backups = folder.path().join("backups");
    let options = ["--backup-dir", backups.to_str().unwrap()];
    let server = Server::start(&data, &options);
    assert_eq!(ask(&data, "\"health\""), "{\"done\":\"healthy\"}");
    assert_eq!(
        ask(&data, "\"public-url\""),
        format!("{{\"text\":\"{}\"}}", server.origin)
    );
    assert_eq!(ask(&data, "\"certificate-end\""), "{\"text\":\"\"}");
    let mut metrics = String::new();
    for _ in 0..600 {
        let answer: serde_json::Value = serde_json::from_str(&ask(&data, "\"metrics\"")).unwrap();
        metrics = answer["text"].as_str().unwrap().to_owned();
        if metrics.contains("respiro_backup_ok 1") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let series = metrics.lines().map(|line| match line.strip_prefix("# ") {
        Some(comment) => format!("# {comment}"),
        None => line.rsplit_once(' ').unwrap().0.to_owned(),
    });
    let series = series.map(|line| line.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    let kept = series.filter(|line| !line.starts_with("# HELP"));
    assert_golden("metrics.txt", &joined(kept));
    let mut files = BTreeSet::new();
    list(folder.path(), "", &mut files);
    let files = files.into_iter().map(|name| {
        let parts: Vec<&str> = name.split('/').collect();
        match parts.as_slice() {
            ["", "data.redb.page-cache", _] => "/data.redb.page-cache/HASH".to_owned(),
            ["", "backups", copy] => {
                let plain = |c: char| if c.is_ascii_digit() { '0' } else { c };
                format!("/backups/{}", copy.chars().map(plain).collect::<String>())
            }
            _ => name,
        }
    });
    assert_golden("files.txt", &joined(files));
}
