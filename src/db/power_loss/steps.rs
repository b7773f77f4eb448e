//! A sequence of writes as the admin makes them.

use crate::clock::{CLOCK_NOTE, Clock};
use crate::error::{Error, Result};
use crate::file_metadata::{CLEAN_KEY, COPIED_KEY, LINEAGE_KEY, RESTORED_KEY};
use crate::fs_util::{TempKind, reserve_path, temp_path};
use crate::power_loss::{Disk, Mishap};
use crate::repositories::pictures::hex;
use crate::tables::{self, BLOBS, META, NOTES};
use crate::{
    Account, AccountDetails, AccountLink, AddressStatus, BounceCause, BounceRecord, Campaign,
    CampaignStatus, CreatedItem, DayTotals, Delivery, DeliveryOutcome, Direction, Draft, LinkGrant,
    NoticeChoices, NotificationEvent, Origin, Passkey, Provenance, PublishSchedule, Reader,
    RenderedCampaign, Role, SecondFactor, Session, Store, Subscriber, Subscription,
    TestimonialRequest, WriteAccess, Writer, testimonial_collection,
};
use redb::TableHandle as _;
use respiro_content::blocks::{Attestation, SavedBlock};
use respiro_content::{
    COLLECTIONS, Changes, Collection, Picture, Settings, StoredFile, Value, time,
};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

pub(crate) const NOW: i64 = 1_790_000_000_000;

pub type Step = fn(&mut Writer<'_>) -> Result<()>;

fn collection(slug: &str) -> &'static Collection {
    COLLECTIONS
        .iter()
        .find(|collection| collection.slug == slug)
        .unwrap()
}

fn texts(fields: &[(&'static str, &str)]) -> Changes {
    let text = |(name, text): &(&'static str, &str)| (*name, Some(Value::Text((*text).to_owned())));
    Changes {
        values: fields.iter().map(text).collect(),
        published: Some(true),
        ..Changes::default()
    }
}

fn add(writer: &mut Writer<'_>, id: &str) -> Result<()> {
    let slug = format!("articolo-{id}");
    let changes = texts(&[
        ("slug", &slug),
        ("title", "Respirare"),
        ("content", "Testo"),
    ]);
    writer
        .items()
        .create(collection("blog"), changes, id.to_owned(), NOW)
        .map(drop)
}

fn add_picture(writer: &mut Writer<'_>, id: &str, byte: u8) -> Result<()> {
    let bytes = vec![byte; 300_000];
    let file = StoredFile {
        media_type: "image/webp".to_owned(),
        hash: Sha256::digest(&bytes).into(),
        bytes: bytes.len() as u64,
    };
    let picture = Picture {
        id: id.to_owned(),
        width: 2,
        height: 1,
        placeholder: String::new(),
        widths: vec![],
        media_type: "image/webp".to_owned(),
        created_at: NOW,
        files: BTreeMap::from([("main".to_owned(), file)]),
    };
    writer.pictures().put(
        picture,
        vec![("main".to_owned(), "image/webp".to_owned(), bytes)],
    )
}

/// Writes of the simulated program: one of each kind, so that every table changes.
pub const STEPS: &[Step] = &[
    |writer| add(writer, "a"),
    |writer| add(writer, "b"),
    |writer| add_picture(writer, "foto", 1),
    |writer| {
        let mut changes = texts(&[("slug", "altro")]);
        let photo = Value::Picture("foto".to_owned());
        changes.values.insert("imageUrl", Some(photo));
        writer
            .items()
            .update(collection("blog"), "a", changes, NOW + 1)
            .map(drop)
    },
    |writer| add(writer, "c"),
    |writer| {
        writer
            .items()
            .reposition(collection("blog"), "c", Direction::Up, NOW + 2)
            .map(drop)
    },
    |writer| writer.items().delete(collection("blog"), "a", NOW + 3),
    |writer| add_picture(writer, "copia", 1),
    |writer| writer.trash().restore("a", NOW + 4).map(drop),
    |writer| {
        let mut settings = Settings::default();
        let name = Value::Text("Respiro".to_owned());
        settings.values.insert("brand".to_owned(), name);
        writer.settings().put(&settings)
    },
    |writer| {
        let ids = ["c", "a", "b"].map(str::to_owned);
        writer
            .items()
            .reorder(collection("blog"), &ids, NOW + 5)
            .map(drop)
    },
    |writer| writer.items().delete(collection("blog"), "a", NOW + 6),
    |writer| writer.trash().empty(),
    |writer| {
        let now = Clock::fixed(NOW + 40 * 24 * 60 * 60 * 1_000).trusted();
        now.map_or(Ok(()), |now| writer.apply_retention(&now).map(drop))
    },
    |writer| add_picture(writer, "ultima", 2),
    |writer| sign_in(writer, 1),
    |writer| {
        let now = Clock::fixed(NOW + 9).reading();
        writer.sessions().touch(&[1; 32], &now).map(drop)
    },
    // What a restore writes into the new file.
    |writer| {
        writer.sessions().remove_all()?;
        sign_in(writer, 2)
    },
    |writer| {
        writer.put_notes(&[("acme-account-a".to_owned(), vec![7; 3_000])])?;
        writer.set_copies_elsewhere(true)?;
        writer.start_new_identity(NOW + 10)
    },
    |writer| writer.accounts().remove(EMAIL).map(drop),
    // Access: second factor, passkeys, upload addresses.
    |writer| sign_in(writer, 3),
    |writer| {
        writer.accounts().put(&Account {
            second_factor: Some(SecondFactor {
                secret: vec![1; 20],
                recovery_hashes: vec![[2; 32]; 10],
                last_step: 1,
            }),
            ..account()
        })
    },
    |writer| writer.passkeys().add(&passkey(1)),
    |writer| writer.passkeys().remove(EMAIL, &[1; 16]).map(drop),
    |writer| writer.uploads().start("caricamento", NOW + 1_000),
    |writer| writer.uploads().take("caricamento", NOW),
    // Words, their versions and confirmations, and a picture that they show.
    |writer| put_block(writer, 1, "Respira"),
    |writer| put_block(writer, 2, "Respira con me"),
    |writer| {
        writer.content_blocks().put_attestation(
            "home.hero",
            Some(&Attestation {
                statement_hashes: String::new(),
                at: NOW,
                account: EMAIL.to_owned(),
            }),
        )
    },
    // The key of a request that created something.
    |writer| {
        let created = CreatedItem {
            request_hash: [6; 32],
            id: "b".to_owned(),
            created_at: NOW,
        };
        writer.idempotency_keys().put(&[7; 32], &created)
    },
    // A draft of the panel, its next change, and one that is discarded.
    |writer| put_draft(writer, "blog:b@1", 1),
    |writer| put_draft(writer, "blog:b@1", 2),
    |writer| {
        put_draft(writer, "words:home.hero@2", 3)?;
        writer.drafts().remove(EMAIL, "blog:b@1").map(drop)
    },
    // Planned publications and former addresses.
    |writer| {
        writer.schedules().put(
            "b",
            &PublishSchedule {
                collection_number: collection("blog").number,
                publish_at: None,
                withdraw_at: Some(NOW + 50),
            },
        )
    },
    |writer| {
        let now = Clock::fixed(NOW + 60).trusted();
        now.map_or(Ok(()), |now| writer.schedules().apply_due(&now).map(drop))
    },
    |writer| writer.redirects().put_path("/vecchio", "b"),
    // The newsletter: addresses, a campaign with its queue, failures, e-mails of the program.
    |writer| subscribe(writer, "uno@example.it"),
    |writer| subscribe(writer, "due@example.it"),
    |writer| begin_campaign(writer),
    |writer| send_first(writer),
    |writer| fail_second(writer),
    |writer| writer.sent_images().put("c", &vec!["ultima".to_owned()]),
    |writer| {
        let bounce = BounceRecord::new("due@example.it", BounceCause::NoMailbox, NOW + 65);
        writer.bounces().put(&bounce)
    },
    |writer| writer.subscribers().remove("due@example.it"),
    |writer| writer.erase_subscriber("uno@example.it", NOW + 70),
    |writer| {
        let event = NotificationEvent::BackupFailed {
            reason: "il disco è pieno".to_owned(),
            last_good_at: None,
        };
        writer.notifications().add(event, NOW + 80)
    },
    |writer| {
        writer
            .notifications()
            .add(NotificationEvent::BackupWorks, NOW + 90)
    },
    |writer| {
        let mut totals = DayTotals {
            views: 3,
            visitors: 2,
            ..DayTotals::default()
        };
        totals.pages.insert("/eventi".to_owned(), 3);
        writer.page_views().put(time::day(NOW), &totals)
    },
    // Testimonials by a personal link, and their withdrawal.
    |writer| request_testimonial(writer, None),
    |writer| receive_testimonial(writer),
    |writer| writer.provenances().withdraw("parole", NOW + 100),
    |writer| writer.trash().purge("parole"),
    // A second person, whose address changes by two links.
    |writer| invite_editor(writer),
    |writer| writer.accounts().change_email(EDITOR, "marta@example.it"),
    // An import beside the server, and what a restore carries over.
    |writer| {
        IMPORTED.read(|from| {
            writer.carry_over(&from.personal_decisions()?)?;
            writer.carry_over_drafts(from, NOW + 110)?;
            writer.adopt(from).map(drop)
        })
    },
];

/// A data file with an item, a picture and addresses, which an import merges.
static IMPORTED: LazyLock<WriteAccess> = LazyLock::new(|| {
    let path = temp_path(&std::env::temp_dir().join("imported"), TempKind::Staging).unwrap();
    let store = Store::open(&path).unwrap();
    let fill = |writer: &mut Writer<'_>| {
        add_picture(writer, "importata", 9)?;
        add(writer, "importato")?;
        put_draft(writer, "words:home.hero@2", 4)?;
        subscribe(writer, "importato@example.it")?;
        subscribe(writer, "via@example.it")?;
        let mut left = subscriber("via@example.it");
        left.state = Subscription::Unsubscribed;
        writer.subscribers().put(&left)
    };
    store.write(fill).unwrap();
    // The open file is read to the end.
    std::fs::remove_file(&path).unwrap();
    let _ = std::fs::remove_file(reserve_path(&path));
    store
});

const EMAIL: &str = "anna@example.it";

fn account() -> Account {
    Account {
        email: EMAIL.to_owned(),
        password_hash: "$argon2id$…".to_owned(),
        created_at: NOW,
        second_factor: None,
    }
}

const EDITOR: &str = "lucia@example.it";

fn invite_editor(writer: &mut Writer<'_>) -> Result<()> {
    let details = AccountDetails {
        id: "lucia".to_owned(),
        role: Role::Editor,
    };
    let account = Account {
        email: EDITOR.to_owned(),
        ..account()
    };
    writer.accounts().create(&account, &details)?;
    let choices = NoticeChoices {
        monthly_since: Some(NOW),
    };
    writer.accounts().put_notice_choices(EDITOR, &choices)?;
    for (number, is_to_new) in [(8, false), (9, true)] {
        let grant = LinkGrant::NewEmail {
            new_email: "marta@example.it".to_owned(),
            is_to_new,
            is_confirmed: false,
            other: [17 - number; 32],
        };
        let link = AccountLink {
            email: EDITOR.to_owned(),
            created_at: NOW,
            grant,
        };
        writer.account_links().put(&[number; 32], &link)?;
    }
    Ok(())
}

fn sign_in(writer: &mut Writer<'_>, number: u8) -> Result<()> {
    writer.accounts().put(&account())?;
    let session = Session {
        id: number.to_string(),
        email: EMAIL.to_owned(),
        created_at: NOW,
        last_seen_at: NOW,
        user_agent: String::new(),
    };
    writer.sessions().begin(&[number; 32], &session)
}

fn passkey(number: u8) -> Passkey {
    Passkey {
        credential_id: vec![number; 16],
        email: EMAIL.to_owned(),
        name: "telefono".to_owned(),
        created_at: NOW,
        last_used_at: None,
        fixed: vec![3; 200],
        moving: [4; 7],
    }
}

fn put_block(writer: &mut Writer<'_>, revision: u64, text: &str) -> Result<()> {
    writer.content_blocks().put(&SavedBlock {
        id: "home.hero".to_owned(),
        revision,
        value: Some(format!("{{\"title\":\"{text}\"}}")),
        hidden: false,
        saved_at: NOW,
        account: EMAIL.to_owned(),
        default_hash: "0".to_owned(),
    })
}

fn put_draft(writer: &mut Writer<'_>, place: &str, revision: i64) -> Result<()> {
    let draft = Draft {
        account: EMAIL.to_owned(),
        place: place.to_owned(),
        revision: revision.to_string(),
        content: format!("{{\"title\":\"Bozza {revision}\"}}"),
        begun_at: NOW,
        saved_at: NOW + revision,
        ..Draft::default()
    };
    writer.drafts().put(draft).map(drop)
}

fn subscriber(email: &str) -> Subscriber {
    Subscriber {
        email: email.to_owned(),
        state: Subscription::Confirmed,
        consent_text: "Sì".to_owned(),
        created_at: NOW,
        confirmed_at: Some(NOW + 1),
    }
}

fn subscribe(writer: &mut Writer<'_>, email: &str) -> Result<()> {
    writer.subscribers().put(&subscriber(email))?;
    writer.address_statuses().put(&AddressStatus::new(email))
}

fn delivery(email: &str) -> Delivery {
    Delivery {
        email: email.to_owned(),
        fate: DeliveryOutcome::Waiting,
        tries: 0,
        at: NOW,
        reason: String::new(),
        is_marked: false,
    }
}

fn begin_campaign(writer: &mut Writer<'_>) -> Result<()> {
    let mut campaign = Campaign::new("c");
    campaign.state = CampaignStatus::Sending;
    campaign.tally.total = 2;
    writer.campaigns().put(&campaign)?;
    let rendered = RenderedCampaign {
        subject: "Novità".to_owned(),
        html: "<p>".repeat(2_000),
        text: "Novità".to_owned(),
    };
    writer.campaigns().put_rendered("c", &rendered)?;
    for email in ["uno@example.it", "due@example.it"] {
        writer.campaigns().enqueue("c", &delivery(email))?;
    }
    Ok(())
}

fn send_first(writer: &mut Writer<'_>) -> Result<()> {
    let first = delivery("uno@example.it");
    writer.campaigns().dequeue("c", &first)?;
    let mut campaign = writer.campaigns().get("c")?;
    campaign.in_flight = Some(first);
    writer.campaigns().put(&campaign)
}

fn fail_second(writer: &mut Writer<'_>) -> Result<()> {
    let second = delivery("due@example.it");
    writer.campaigns().dequeue("c", &second)?;
    writer.campaigns().put_failure("c", &second)?;
    let mut campaign = writer.campaigns().get("c")?;
    campaign.in_flight = None;
    campaign.state = CampaignStatus::Sent;
    campaign.tally.accepted = 1;
    campaign.tally.refused = 1;
    writer.campaigns().put(&campaign)
}

fn request_testimonial(writer: &mut Writer<'_>, received_at: Option<i64>) -> Result<()> {
    let request = TestimonialRequest {
        id: "richiesta".to_owned(),
        name: "Anna".to_owned(),
        activity: "Rebirthing".to_owned(),
        created_at: NOW,
        expires_at: NOW + 1_000,
        opened_at: None,
        cancelled_at: None,
        received_at,
        item_id: received_at.map(|_| "parole".to_owned()),
    };
    writer.testimonial_requests().put(&[5; 32], &request)
}

fn receive_testimonial(writer: &mut Writer<'_>) -> Result<()> {
    request_testimonial(writer, Some(NOW + 95))?;
    let mut changes = texts(&[("name", "Anna"), ("testimonial", "Grazie")]);
    changes.published = Some(false);
    let list = testimonial_collection()?;
    writer
        .items()
        .create(list, changes, "parole".to_owned(), NOW + 95)?;
    writer.provenances().put(&Provenance {
        origin: Some(Origin::Link),
        received_at: Some(NOW + 95),
        ..Provenance::new("parole")
    })?;
    writer
        .notifications()
        .add(NotificationEvent::Testimonial, NOW + 95)
}

/// Rows that differ between equal runs: an open or closed file, a backup, a random identity.
const VARYING: [&[u8]; 4] = [CLEAN_KEY, COPIED_KEY, RESTORED_KEY, LINEAGE_KEY];

/// Returns a digest of every table, and checks that the bytes of the pictures are there.
pub fn state(reader: &Reader<'_>) -> Result<String> {
    for file in reader
        .pictures()
        .list()?
        .values()
        .flat_map(|picture| picture.files.values())
    {
        reader.blobs().get(&file.hash)?.ok_or(Error::NotFound)?;
    }
    let mut lines = Vec::new();
    for table in tables::ALL {
        let mut digest = Sha256::new();
        reader.tables.scan(*table, b"", &mut |key, value| {
            let is_meta = table.name() == META.name();
            // The bytes of pictures were compared with their hashes.
            let value = if table.name() == BLOBS.name() {
                &[]
            } else {
                value
            };
            // The time of the system, written beside a change once an hour.
            let is_clock = table.name() == NOTES.name() && key == CLOCK_NOTE.as_bytes();
            if !(is_clock || is_meta && VARYING.contains(&key)) {
                for part in [key, value] {
                    digest.update(part.len().to_le_bytes());
                    digest.update(part);
                }
            }
            Ok(())
        })?;
        let digest = hex(&digest.finalize()[..8]);
        lines.push(format!("{} {digest}", table.name()));
    }
    Ok(lines.join("\n"))
}

/// Returns the state before the first step and after each.
pub fn rehearse(path: &Path, image: &[u8]) -> Vec<String> {
    let disk = Disk::with(image, Mishap::None);
    let store = Store::open_with(path, disk.opener()).unwrap();
    let mut states = vec![store.read(state).unwrap()];
    for step in STEPS {
        store.write(step).unwrap();
        states.push(store.read(state).unwrap());
    }
    states
}
