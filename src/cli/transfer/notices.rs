//! What the practitioner was told of, in an exported file. What still waits to be told by e-mail
//! does not come along: it waits for accounts, and those stay behind.

use super::source::{Members, Source, instant};
use crate::app::now;
use crate::content::{Timestamp, time};
use crate::error::Result;
use crate::store::{Notification, NotificationKind, Reader, Writer};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

/// More than are kept anyway.
const NOTICES_MAX: usize = 1_000;
const TEXT_CHARACTERS_MAX: usize = 1_000;

pub fn export(reader: &Reader<'_>) -> Result<Vec<Json>> {
    let at = |moment: Option<Timestamp>| moment.map(time::rfc3339);
    let row = |noticed: &Notification| {
        json!({
            "subject": noticed.subject.name(),
            "firstAt": time::rfc3339(noticed.first_at),
            "at": time::rfc3339(noticed.at),
            "count": noticed.count,
            "text": noticed.text,
            "moment": at(noticed.moment),
            "account": noticed.email,
            "readAt": at(noticed.read_at),
            "solvedAt": at(noticed.solved_at),
            "mailedAt": at(noticed.mailed_at),
        })
    };
    Ok(reader.notifications()?.iter().map(row).collect())
}

pub fn read<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Vec<Notification> {
    let list = source.list(part, "notices").into_iter().enumerate();
    let mut notices = Vec::new();
    for (number, part) in list.take(NOTICES_MAX) {
        let place = format!("notices[{number}]");
        let members = source.object(part, &place);
        match notice(source, &members, &place) {
            Some(notice) => notices.push(notice),
            None => source.problem(part.get(), &place, "is about nothing that is known"),
        }
    }
    notices
}

fn notice<'a>(source: &mut Source<'a>, members: &Members<'a>, place: &str) -> Option<Notification> {
    let text = |name: &str| -> Option<String> {
        let text: Option<String> = serde_json::from_str(members.get(name)?.get()).ok()?;
        text.filter(|text| text.chars().count() <= TEXT_CHARACTERS_MAX)
    };
    let subject = text("subject")?;
    let subject = NotificationKind::ALL
        .into_iter()
        .find(|known| known.name() == subject)?;
    let count = members
        .get("count")
        .and_then(|part| part.get().parse().ok());
    let mut at = |name: &str| instant(source, members, place, name);
    let happened = at("at").unwrap_or_else(now);
    Some(Notification {
        number: 0,
        subject,
        first_at: at("firstAt").unwrap_or(happened),
        at: happened,
        count: count.unwrap_or(1),
        text: text("text").unwrap_or_default(),
        moment: at("moment"),
        email: text("account"),
        read_at: at("readAt"),
        solved_at: at("solvedAt"),
        mailed_at: at("mailedAt"),
    })
}

/// After those that are there already.
pub fn put(writer: &mut Writer<'_>, notices: &[Notification]) -> Result<()> {
    let last = writer
        .notifications()?
        .last()
        .map_or(0, |noticed| noticed.number);
    for (number, former) in (last + 1..).zip(notices) {
        let former = former.clone();
        writer.put_notification(&Notification { number, ..former })?;
    }
    Ok(())
}
