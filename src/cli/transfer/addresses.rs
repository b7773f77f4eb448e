//! The newsletter's addresses in an exported file, with their proof of consent; and what is
//! still to be published or withdrawn.

use super::source::{Members, Source, id, instant, kind_of};
use crate::app::now;
use crate::newsletter;
use crate::store::{AddressStatus, PublishSchedule, SignupSource, Subscriber, Subscription};
use serde_json::value::RawValue;
use std::collections::BTreeSet;

const CONSENT_CHARACTERS_MAX: usize = 1_000;
const PAGE_BYTES_MAX: usize = 300;

pub fn subscribers<'a>(
    source: &mut Source<'a>,
    part: &'a RawValue,
) -> Vec<(Subscriber, AddressStatus)> {
    let mut known = BTreeSet::new();
    let mut subscribers = Vec::new();
    for (number, part) in source.list(part, "newsletter").into_iter().enumerate() {
        let place = format!("newsletter[{number}]");
        let members = source.object(part, &place);
        if let Some(subscriber) = subscriber(source, part, &members, &place) {
            if !known.insert(subscriber.email.clone()) {
                source.problem(part.get(), &format!("{place}.email"), "stands twice");
            }
            let standing = standing(source, &members, &place, &subscriber.email);
            subscribers.push((subscriber, standing));
        }
    }
    subscribers
}

/// What is known beside it; an older export knows nothing.
fn standing<'a>(
    source: &mut Source<'a>,
    members: &Members<'a>,
    place: &str,
    email: &str,
) -> AddressStatus {
    let text = |name: &str| -> Option<String> {
        let part = members.get(name)?;
        let text: Option<String> = serde_json::from_str(part.get()).ok().flatten();
        text.filter(|text| is_plain(text))
    };
    let mut at = |name: &str| instant(source, members, place, name);
    let (asked_at, mailed_at) = (at("askedAt"), at("mailedAt"));
    let (unsubscribed_at, unreachable_at) = (at("unsubscribedAt"), at("unreachableAt"));
    let way = text("way");
    let soft = members.get("softRefusals");
    AddressStatus {
        email: email.to_owned(),
        way: match way.as_deref() {
            Some("form") => Some(SignupSource::Form),
            Some("formOnly") => Some(SignupSource::FormOnly),
            Some("import") => Some(SignupSource::Import),
            _ => None,
        },
        consent_version: text("consentVersion"),
        page: text("page").filter(|page| is_path(page)),
        asked_at,
        mailed_at,
        unsubscribed_at,
        soft_refusals: soft.and_then(|part| part.get().parse().ok()).unwrap_or(0),
        unreachable_at,
    }
}

/// A page of the site that it comes from, which need not be one here.
fn is_path(page: &str) -> bool {
    page.starts_with('/') && page.len() <= PAGE_BYTES_MAX
}

fn is_plain(text: &str) -> bool {
    text.chars().count() <= CONSENT_CHARACTERS_MAX && !text.contains(char::is_control)
}

fn subscriber<'a>(
    source: &mut Source<'a>,
    whole: &'a RawValue,
    members: &Members<'a>,
    place: &str,
) -> Option<Subscriber> {
    let mut text = |name: &str, fits: &dyn Fn(&str) -> bool, otherwise: &str| {
        let part = members.get(name).copied().unwrap_or(whole);
        let text: Option<String> = serde_json::from_str(part.get()).ok();
        let text = text.filter(|text| fits(text));
        if text.is_none() {
            source.problem(part.get(), &format!("{place}.{name}"), otherwise);
        }
        text
    };
    let is_address = |text: &str| newsletter::checked(text, false).is_ok_and(|kept| kept == text);
    let email = text("email", &is_address, "is no e-mail address");
    let state = text(
        "state",
        &|text| state_of(text).is_some(),
        "is no state of an address",
    );
    let consent_text = text(
        "consentText",
        &is_plain,
        "is no plain text of 1,000 characters",
    );
    let created_at = instant(source, members, place, "createdAt").unwrap_or_else(now);
    let confirmed_at = instant(source, members, place, "confirmedAt");
    Some(Subscriber {
        email: email?,
        state: state_of(&state?)?,
        consent_text: consent_text?,
        created_at,
        confirmed_at,
    })
}

fn state_of(text: &str) -> Option<Subscription> {
    match text {
        "pending" => Some(Subscription::Pending),
        "confirmed" => Some(Subscription::Confirmed),
        "unsubscribed" => Some(Subscription::Unsubscribed),
        "collected" => Some(Subscription::Collected),
        _ => None,
    }
}

pub fn plans<'a>(source: &mut Source<'a>, part: &'a RawValue) -> Vec<(String, PublishSchedule)> {
    let mut plans = Vec::new();
    for (number, part) in source.list(part, "plans").into_iter().enumerate() {
        let place = format!("plans[{number}]");
        let members = source.object(part, &place);
        let kind = kind_of(source, part, &members, &place);
        let id = id(source, part, &members, &place);
        let (Some(kind), Some(id)) = (kind, id) else {
            continue;
        };
        let plan = PublishSchedule {
            kind_number: kind.number,
            publish_at: instant(source, &members, &place, "publishAt"),
            withdraw_at: instant(source, &members, &place, "withdrawAt"),
        };
        plans.push((id, plan));
    }
    plans
}
