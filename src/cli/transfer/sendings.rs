//! How newsletters went, are going and are planned, in an exported file; and the pictures that
//! mails still show. What was on its way or planned elsewhere goes on here by her word alone.

use super::source::{Members, Source, id, instant, place_of};
use crate::app::now;
use crate::content::validation::is_id;
use crate::content::{Timestamp, time};
use crate::error::Result;
use crate::newsletter;
use crate::store::{
    Campaign, CampaignStatus, Delivery, DeliveryCounts, DeliveryOutcome, Reader, RenderedCampaign,
    Writer,
};
use data_encoding::HEXLOWER_PERMISSIVE;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// A newsletter's text is 100 KB at most; its subject and what a mail server said, much less.
const TEXT_BYTES_MAX: usize = 512 * 1024;
const REASON_CHARACTERS_MAX: usize = 1_000;
/// Names of states and fates, as the file has them.
const STATES: [(&str, CampaignStatus); 6] = [
    ("draft", CampaignStatus::Draft),
    ("scheduled", CampaignStatus::Scheduled),
    ("sending", CampaignStatus::Sending),
    ("paused", CampaignStatus::Paused),
    ("stopped", CampaignStatus::Stopped),
    ("sent", CampaignStatus::Sent),
];
const FATES: [(&str, DeliveryOutcome); 6] = [
    ("waiting", DeliveryOutcome::Waiting),
    ("full", DeliveryOutcome::Full),
    ("unknown", DeliveryOutcome::Unknown),
    ("blocked", DeliveryOutcome::Blocked),
    ("uncertain", DeliveryOutcome::Uncertain),
    ("skipped", DeliveryOutcome::Skipped),
];

/// One newsletter on its way.
struct Whole {
    sending: Campaign,
    mailing: Option<RenderedCampaign>,
    waiting: Vec<Delivery>,
    refusals: Vec<Delivery>,
}

/// Everything that is known of newsletters that went out, or were to.
#[derive(Default)]
pub struct Sendings {
    list: Vec<Whole>,
    /// That were on their way or planned.
    pub held: u32,
}

pub fn export(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let row = |sending: &Campaign| {
        let rows = |list: Vec<Delivery>| list.iter().map(delivery_json).collect::<Vec<Json>>();
        let at = |moment: Option<Timestamp>| moment.map(time::rfc3339);
        let tally = sending.tally;
        let mailing = reader.rendered_campaign(&sending.id)?;
        let mailing = mailing
            .map(|sent| json!({ "subject": sent.subject, "html": sent.html, "text": sent.text }));
        let trouble = sending.trouble.as_ref();
        Ok(json!({
            "id": sending.id,
            "state": name_of(&STATES, sending.state),
            "scheduledAt": at(sending.scheduled_at),
            "startedAt": at(sending.started_at),
            "endedAt": at(sending.ended_at),
            "testedAt": at(sending.tested_at),
            "handedAt": at(sending.handed_at),
            "isLate": sending.is_late,
            "trouble": trouble.map(|(code, reason)| json!({ "code": code, "reason": reason })),
            "total": tally.total,
            "accepted": tally.accepted,
            "refused": tally.refused,
            "uncertain": tally.uncertain,
            "skipped": tally.skipped,
            "unsubscribed": tally.unsubscribed,
            "mailing": mailing,
            "inFlight": sending.in_flight.as_ref().map(delivery_json),
            "waiting": rows(reader.queued(&sending.id)?),
            "refusals": rows(reader.delivery_failures(&sending.id)?),
        }))
    };
    reader.campaigns()?.iter().map(row).collect()
}

/// Pictures of newsletters that were deleted after they had gone out.
pub fn export_pictures(reader: &Reader<'_>) -> Result<BTreeMap<String, Vec<String>>> {
    Ok(reader.sent_images()?.into_iter().collect())
}

fn delivery_json(delivery: &Delivery) -> Json {
    json!({
        "email": delivery.email,
        "fate": name_of(&FATES, delivery.fate),
        "tries": delivery.tries,
        "at": time::rfc3339(delivery.at),
        "reason": delivery.reason,
        "isMarked": delivery.is_marked,
    })
}

fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    let found = names.iter().find(|(_, known)| *known == value);
    found.map_or("", |(name, _)| name)
}

fn named<T: Copy>(names: &[(&'static str, T)], name: &str) -> Option<T> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value)
}

pub fn read<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Sendings {
    let mut sendings = Sendings::default();
    for (number, part) in source.list(part, "sendings").into_iter().enumerate() {
        let place = format!("sendings[{number}]");
        let members = source.object(part, &place);
        let Some(id) = id(source, part, &members, &place) else {
            continue;
        };
        let mut sending = sending(source, &members, &place, &id);
        let waiting = deliveries(source, &members, &place, "waiting");
        let mut refusals = deliveries(source, &members, &place, "refusals");
        // Nobody knows what became of the one that was being handed over.
        if let Some(part) = present(&members, "inFlight") {
            let flight = delivery(source, part, &format!("{place}.inFlight"));
            sending.tally.uncertain += u32::from(flight.is_some());
            refusals.extend(flight.map(|one| Delivery {
                fate: DeliveryOutcome::Uncertain,
                ..one
            }));
        }
        sendings.held += u32::from(sending.hold());
        sendings.list.push(Whole {
            mailing: mailing(source, &members, &place),
            sending,
            waiting,
            refusals,
        });
    }
    sendings
}

fn present<'a>(members: &Members<'a>, name: &str) -> Option<&'a RawValue> {
    let part = members.get(name).copied();
    part.filter(|part| part.get() != "null")
}

fn sending<'a>(source: &mut Source<'a>, members: &Members<'a>, place: &str, id: &str) -> Campaign {
    let count = |name: &str| members.get(name).and_then(|part| part.get().parse().ok());
    let is = |name: &str| members.get(name).is_some_and(|part| part.get() == "true");
    let state = match present(members, "state") {
        Some(part) => {
            let name: String = serde_json::from_str(part.get()).unwrap_or_default();
            named(&STATES, &name).unwrap_or_else(|| {
                source.problem(part.get(), &format!("{place}.state"), "is no state");
                CampaignStatus::Stopped
            })
        }
        // As former releases wrote it: of what had ended alone.
        None if is("sent") => CampaignStatus::Sent,
        None => CampaignStatus::Stopped,
    };
    let mut at = |name: &str| instant(source, members, place, name);
    let sending = Campaign {
        state,
        scheduled_at: at("scheduledAt"),
        started_at: at("startedAt"),
        ended_at: at("endedAt"),
        tested_at: at("testedAt"),
        handed_at: at("handedAt"),
        is_late: is("isLate"),
        tally: DeliveryCounts {
            total: count("total").unwrap_or(0),
            accepted: count("accepted").unwrap_or(0),
            refused: count("refused").unwrap_or(0),
            uncertain: count("uncertain").unwrap_or(0),
            skipped: count("skipped").unwrap_or(0),
            unsubscribed: count("unsubscribed").unwrap_or(0),
        },
        ..Campaign::new(id)
    };
    let trouble = present(members, "trouble").map(|part| {
        let members = source.object(part, &format!("{place}.trouble"));
        let place = format!("{place}.trouble");
        let code = short(source, &members, &place, "code");
        (code, short(source, &members, &place, "reason"))
    });
    Campaign { trouble, ..sending }
}

/// A line of text; what is not there is empty.
fn short<'a>(source: &mut Source<'a>, members: &Members<'a>, place: &str, name: &str) -> String {
    let Some(part) = present(members, name) else {
        return String::new();
    };
    let place = format!("{place}.{name}");
    let text: String = source.parsed(part, &place, "is no text");
    if text.chars().count() > REASON_CHARACTERS_MAX {
        source.problem(part.get(), &place, "is too long");
    }
    text
}

fn mailing<'a>(
    source: &mut Source<'a>,
    members: &Members<'a>,
    place: &str,
) -> Option<RenderedCampaign> {
    let whole = present(members, "mailing")?;
    let place = format!("{place}.mailing");
    let members = source.object(whole, &place);
    if whole.get().len() > TEXT_BYTES_MAX {
        source.problem(whole.get(), &place, "is too long");
        return None;
    }
    let mut text = |name: &str| -> Option<String> {
        let part = members.get(name).copied().unwrap_or(whole);
        Some(source.parsed(part, &format!("{place}.{name}"), "is no text"))
    };
    Some(RenderedCampaign {
        subject: text("subject")?,
        html: text("html")?,
        text: text("text")?,
    })
}

fn deliveries<'a>(
    source: &mut Source<'a>,
    members: &Members<'a>,
    place: &str,
    name: &str,
) -> Vec<Delivery> {
    let Some(part) = present(members, name) else {
        return Vec::new();
    };
    let place = format!("{place}.{name}");
    let list = source.list(part, &place).into_iter().enumerate();
    let mut deliveries = Vec::new();
    for (number, part) in list {
        deliveries.extend(delivery(source, part, &format!("{place}[{number}]")));
    }
    deliveries
}

fn delivery<'a>(source: &mut Source<'a>, part: &'a RawValue, place: &str) -> Option<Delivery> {
    let members = source.object(part, place);
    let email = short(source, &members, place, "email");
    let fate = named(&FATES, &short(source, &members, place, "fate"));
    let is_address = newsletter::checked(&email, false).is_ok_and(|kept| kept == email);
    let (Some(fate), true) = (fate, is_address) else {
        source.problem(part.get(), place, "is no message to an address");
        return None;
    };
    let tries = members.get("tries");
    Some(Delivery {
        email,
        fate,
        tries: tries.and_then(|part| part.get().parse().ok()).unwrap_or(0),
        at: instant(source, &members, place, "at").unwrap_or_else(now),
        reason: short(source, &members, place, "reason"),
        is_marked: members
            .get("isMarked")
            .is_some_and(|part| part.get() == "true"),
    })
}

/// By newsletter.
pub fn read_pictures<'a>(
    source: &mut Source<'a>,
    part: &'a RawValue,
) -> BTreeMap<String, Vec<String>> {
    let mut pictures = BTreeMap::new();
    for (id, part) in source.object(part, "mailedPictures") {
        let place = format!("mailedPictures.{id}");
        let ids: Vec<String> = source.parsed(part, &place, "is no list of pictures");
        if is_id(&id) {
            pictures.insert(id, ids);
        } else {
            source.problem(part.get(), &place, "has an unusable name");
        }
    }
    pictures
}

/// What the links are signed with by which people leave who got mail before the site moved.
pub fn read_key<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Option<[u8; 32]> {
    let text: String = source.parsed(part, "unsubscribeKey", "is no text");
    let key = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok();
    let key = key.and_then(|bytes| bytes.try_into().ok());
    if key.is_none() {
        source.problem(part.get(), "unsubscribeKey", "is no key");
    }
    key
}

/// Every picture that mails still show comes with it.
pub fn references(
    source: &mut Source<'_>,
    root: &Members<'_>,
    mailed: &BTreeMap<String, Vec<String>>,
    is_there: &dyn Fn(&str) -> bool,
) {
    for id in mailed.values().flatten() {
        if !is_there(id) {
            let part = root.get("mailedPictures");
            let part = part.map_or("", |part| place_of(part.get(), id));
            let message = format!("names the picture {id}, which is not there");
            source.problem(part, "mailedPictures", &message);
        }
    }
}

impl Sendings {
    pub fn put(&self, writer: &mut Writer<'_>) -> Result<()> {
        for whole in &self.list {
            let id = &whole.sending.id;
            writer.put_campaign(&whole.sending)?;
            if let Some(mailing) = &whole.mailing {
                writer.put_rendered_campaign(id, mailing)?;
            }
            for delivery in &whole.waiting {
                writer.enqueue(id, delivery)?;
            }
            for delivery in &whole.refusals {
                writer.put_delivery_failure(id, delivery)?;
            }
        }
        Ok(())
    }
}
