//! Newsletter subscriptions: which addresses are on the list, and which are asked to confirm or
//! welcomed.

use super::error::Result;
use super::messages::{self, CONSENT, CONSENT_VERSION};
use respiro_content::validation::{canonical_email, is_email_address, normalize_email};
use respiro_content::{FieldError, Timestamp};
use respiro_db::{
    AddressStatus, NotificationEvent, NotificationKind, Reader, SignupSource, Subscriber,
    Subscription, Writer,
};
use respiro_email::transactional_queue::TransactionalQueue;
use tokio::sync::Notify;

/// The minimum time before an unconfirmed address is asked again.
const ASK_AGAIN_MILLISECONDS: i64 = 60 * 60 * 1_000;
const DAY_MILLISECONDS: i64 = 24 * ASK_AGAIN_MILLISECONDS;
/// Confirmation messages to one mailbox within a day, whatever follows the `+` in its address.
const MAILBOX_MESSAGES_PER_DAY_MAX: usize = 3;
/// Providers that ignore dots in the local part.
const DOTLESS_DOMAINS: [&str; 2] = ["gmail.com", "googlemail.com"];
/// Codes of exceeded limits, as the panel knows them (`ui/src/admin/features/notices/messages.ts`).
const LIST_FULL: &str = "list";
const QUEUE_FULL: &str = "outbox";
pub(super) const RATE_LIMIT_REACHED: &str = "pace";
/// Maximum number of stored addresses. Further requests get the same response, and are not stored.
const SUBSCRIBERS_MAX: u64 = 20_000;

/// Wakes the two senders before their next scheduled read of the data file.
#[derive(Debug, Default)]
pub struct NewsletterQueues {
    /// Notified when an address is queued for a confirmation or welcome message.
    pub confirmations: Notify,
    /// Notified when a newsletter starts or resumes.
    pub campaigns: Notify,
}

/// Returns the address as it is stored. If `mails` is set, it must be one that mail can reach.
pub fn checked(email: &str, mails: bool) -> Result<String> {
    let email = canonical_email(email);
    if !is_email_address(&email) || mails && !respiro_email::is_reachable(&email) {
        return Err(FieldError::new("email", messages::INVALID_ADDRESS).into());
    }
    Ok(email)
}

/// Returns the stored form of an address that the practitioner names. Former releases stored
/// accented domains as they were typed.
pub fn find_address(reader: &Reader<'_>, written: &str) -> Result<String> {
    let typed = normalize_email(written);
    if !typed.is_ascii() && reader.subscribers().get(&typed)?.is_some() {
        return Ok(typed);
    }
    Ok(canonical_email(&typed))
}

/// Stores the address in its canonical form, unless that is known already. Returns the address that
/// is stored now.
fn store_canonical(writer: &mut Writer<'_>, subscriber: Subscriber) -> Result<Subscriber> {
    let email = canonical_email(&subscriber.email);
    if email == subscriber.email {
        return Ok(subscriber);
    }
    let status = writer.address_statuses().get(&subscriber.email)?;
    writer.subscribers().remove(&subscriber.email)?;
    if let Some(known) = writer.subscribers().get(&email)? {
        return Ok(known);
    }
    let subscriber = Subscriber {
        email,
        ..subscriber
    };
    writer.subscribers().put(&subscriber)?;
    writer.address_statuses().put(&AddressStatus {
        email: subscriber.email.clone(),
        ..status
    })?;
    Ok(subscriber)
}

/// Returns the version of a consent text; `None` if it is unknown.
pub fn consent_version(status: &AddressStatus, text: &str) -> Option<String> {
    let known = status.consent_version.clone();
    known.or_else(|| (text == messages::FORMER_CONSENT).then(|| "1".to_owned()))
}

/// Adds an address to the list. If the site can send mail, also queues a confirmation message.
pub fn subscribe(
    writer: &mut Writer<'_>,
    email: String,
    page: Option<String>,
    mails: bool,
    now: Timestamp,
) -> Result<()> {
    let former = writer.subscribers().get(&email)?;
    if former.is_none() && writer.subscribers().count()? >= SUBSCRIBERS_MAX {
        tracing::warn!("the newsletter list is full: export it and remove old addresses");
        return notify_once_a_day(writer, LIST_FULL, now);
    }
    let known = writer.address_statuses().get(&email)?;
    let asks = mails && should_ask(former.as_ref(), &known, now);
    if former.is_some() && !asks {
        return Ok(());
    }
    if asks && !mailbox_has_room(writer, &email, now)? {
        return Ok(());
    }
    let is_asked = asks && enqueue(writer, &email, now)?;
    if former.is_some() && !is_asked {
        // The queue is full: leave the record as it is, so that a later request counts as the
        // first one.
        return Ok(());
    }
    let is_away = |former: &Subscriber| former.state == Subscription::Unsubscribed;
    if former.as_ref().is_some_and(is_away) {
        // The owner may not have made this request: keep the whole record until the owner confirms.
        return Ok(writer.address_statuses().put(&AddressStatus {
            asked_at: Some(now),
            unsubscribed_at: former.and_then(|former| unsubscribed_before(&known, &former, now)),
            ..known
        })?);
    }
    let settings = writer.settings().get()?;
    writer.address_statuses().put(&AddressStatus {
        way: Some(if mails {
            SignupSource::Form
        } else {
            SignupSource::FormOnly
        }),
        consent_version: Some(CONSENT_VERSION.to_owned()),
        page,
        asked_at: Some(now),
        ..AddressStatus::new(&email)
    })?;
    Ok(writer.subscribers().put(&Subscriber {
        email,
        // The practitioner can review `Collected` addresses and ask them to confirm later.
        state: if is_asked {
            Subscription::Pending
        } else {
            Subscription::Collected
        },
        consent_text: CONSENT.replace("{{brand}}", settings.brand()),
        // `should_ask` derives its pauses from the time between `created_at` and `asked_at`.
        created_at: match former {
            Some(former) if former.state == Subscription::Pending => former.created_at.min(now),
            _ => now,
        },
        confirmed_at: None,
    })?)
}

/// Returns the local part and domain of the mailbox that an address belongs to: without a
/// subaddress (RFC 5233), and for Gmail without dots.
fn mailbox_of(email: &str) -> (String, &str) {
    let (local, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let base = local.split('+').next().unwrap_or_default();
    // An address such as `+a@example.org` has no base.
    let base = if base.is_empty() { local } else { base };
    if DOTLESS_DOMAINS.contains(&domain) {
        return (base.replace('.', ""), DOTLESS_DOMAINS[0]);
    }
    (base.to_owned(), domain)
}

/// Returns whether another confirmation message may go to the mailbox of this address today.
/// Further requests get the same response, and are not stored.
fn mailbox_has_room(reader: &Reader<'_>, email: &str, now: Timestamp) -> Result<bool> {
    let mailbox = mailbox_of(email);
    // Dots may stand anywhere after the first character.
    let shared = match mailbox.1 {
        domain if DOTLESS_DOMAINS.contains(&domain) => mailbox.0.chars().take(1).collect(),
        _ => mailbox.0.clone(),
    };
    let others = reader.address_statuses().starting_with(&shared)?;
    let is_recent = |at: Timestamp| now.saturating_sub(at) < DAY_MILLISECONDS && at <= now;
    let asked = others.iter().filter(|other| {
        other.email != email
            && other.asked_at.is_some_and(is_recent)
            && mailbox_of(&other.email) == mailbox
    });
    Ok(asked.count() < MAILBOX_MESSAGES_PER_DAY_MAX)
}

/// Queues a message to `email`. Returns whether the queue had room.
fn enqueue(writer: &mut Writer<'_>, email: &str, now: Timestamp) -> Result<bool> {
    let mut queue = TransactionalQueue::load(writer)?;
    if queue.add(email, now) {
        queue.save(writer)?;
        return Ok(true);
    }
    tracing::warn!("too many messages wait: an address is stored without being asked");
    notify_once_a_day(writer, QUEUE_FULL, now)?;
    Ok(false)
}

/// Adds a notice about an exceeded limit, at most once a day: bots exceed it with each request.
pub(super) fn notify_once_a_day(
    writer: &mut Writer<'_>,
    limit: &'static str,
    now: Timestamp,
) -> Result<()> {
    let notices = writer.notifications().list()?;
    let is_told = notices.iter().any(|known| {
        known.subject == NotificationKind::Signups
            && known.text == limit
            && (0..DAY_MILLISECONDS).contains(&(now - known.at))
    });
    if is_told {
        return Ok(());
    }
    Ok(writer
        .notifications()
        .add(NotificationEvent::SignupsWait { limit }, now)?)
}

/// Returns whether an unsubscribed address was asked again since it unsubscribed.
pub fn is_asked_again(subscriber: &Subscriber, status: &AddressStatus) -> bool {
    let left_at = status.unsubscribed_at.unwrap_or(subscriber.created_at);
    subscriber.state == Subscription::Unsubscribed
        && status.asked_at.is_some_and(|asked_at| asked_at > left_at)
}

/// Returns the time of unsubscription, set to before `now` if the clock was ahead then. With a
/// later time, `is_asked_again` would reject the confirmation of a new message.
fn unsubscribed_before(
    known: &AddressStatus,
    former: &Subscriber,
    now: Timestamp,
) -> Option<Timestamp> {
    let left_at = known.unsubscribed_at.unwrap_or(former.created_at);
    if left_at < now {
        return known.unsubscribed_at;
    }
    Some(now - 1)
}

/// Restarts the subscription of an unsubscribed address, with the current consent.
pub(super) fn resubscribe(writer: &mut Writer<'_>, subscriber: &mut Subscriber) -> Result<()> {
    let known = writer.address_statuses().get(&subscriber.email)?;
    subscriber.consent_text = CONSENT.replace("{{brand}}", writer.settings().get()?.brand());
    Ok(writer.address_statuses().put(&AddressStatus {
        way: Some(SignupSource::Form),
        consent_version: Some(CONSENT_VERSION.to_owned()),
        asked_at: known.asked_at,
        mailed_at: known.mailed_at,
        ..AddressStatus::new(&subscriber.email)
    })?)
}

/// Queues confirmation messages for the addresses that were collected while the site could send no
/// mail. Returns their number. Addresses beyond the room in the queue, or beyond the messages that
/// their mailbox may get in a day, stay collected.
pub fn ask_collected(writer: &mut Writer<'_>, now: Timestamp) -> Result<usize> {
    let mut queue = TransactionalQueue::load(writer)?;
    let mut asked = 0;
    for subscriber in writer.subscribers().list()? {
        let is_collected = subscriber.state == Subscription::Collected;
        if !is_collected || !respiro_email::is_reachable(&subscriber.email) {
            continue;
        }
        let mut subscriber = store_canonical(writer, subscriber)?;
        if subscriber.state != Subscription::Collected
            || !mailbox_has_room(writer, &subscriber.email, now)?
        {
            continue;
        }
        if !queue.add(&subscriber.email, now) {
            break;
        }
        subscriber.state = Subscription::Pending;
        writer.subscribers().put(&subscriber)?;
        let status = AddressStatus {
            asked_at: Some(now),
            ..writer.address_statuses().get(&subscriber.email)?
        };
        writer.address_statuses().put(&status)?;
        asked += 1;
    }
    queue.save(writer)?;
    Ok(asked)
}

/// Queues a welcome message for a confirmed address, if the settings enable it.
pub(super) fn enqueue_welcome(writer: &mut Writer<'_>, email: &str, now: Timestamp) -> Result<()> {
    if !writer.settings().get()?.is_on("newsletterWelcome") {
        return Ok(());
    }
    let mut queue = TransactionalQueue::load(writer)?;
    if !queue.add(email, now) {
        tracing::warn!("too many messages wait: a word of welcome is left out");
    }
    Ok(queue.save(writer)?)
}

/// Returns whether to send a confirmation message. Limits the messages to an address that is
/// entered repeatedly: the second comes after an hour, the third after a day, then one a week. A
/// confirmation link is valid for a week, so a person who wants to subscribe always has a valid
/// one.
fn should_ask(former: Option<&Subscriber>, known: &AddressStatus, now: Timestamp) -> bool {
    let Some(former) = former else {
        return true;
    };
    let (first, last) = match former.state {
        Subscription::Confirmed => return false,
        Subscription::Collected => return true,
        Subscription::Pending => (former.created_at, known.asked_at),
        Subscription::Unsubscribed => {
            let left_at = known.unsubscribed_at.unwrap_or(former.created_at);
            (left_at, known.asked_at.or(Some(former.created_at)))
        }
    };
    let last = last.unwrap_or(first);
    if last > now {
        // The stored time comes from a clock that was ahead. Waiting for it would block all
        // requests.
        return true;
    }
    let asked_for = last - first;
    let pause = if asked_for < ASK_AGAIN_MILLISECONDS {
        ASK_AGAIN_MILLISECONDS
    } else if asked_for < DAY_MILLISECONDS {
        DAY_MILLISECONDS
    } else {
        7 * DAY_MILLISECONDS
    };
    now.saturating_sub(last) >= pause
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_is_known_without_its_subaddress() {
        let same = |a: &str, b: &str| mailbox_of(a) == mailbox_of(b);
        assert!(same("anna@b.it", "anna+1@b.it"));
        assert!(same("anna+x+y@b.it", "anna+1@b.it"));
        assert!(same("an.na+x@gmail.com", "a.nna@googlemail.com"));
        for (one, other) in [
            ("anna@b.it", "anna@c.it"),
            ("an.na@b.it", "anna@b.it"),
            ("anna@b.it", "anna1@b.it"),
            ("+a@b.it", "+b@b.it"),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
    }

    /// Regression: an address that was entered every minute got a message every hour.
    #[test]
    fn an_address_that_is_typed_again_and_again_gets_ever_fewer_messages() {
        let mut known = AddressStatus {
            email: "a@example.it".to_owned(),
            way: None,
            consent_version: None,
            page: None,
            asked_at: Some(0),
            mailed_at: None,
            unsubscribed_at: None,
            soft_refusals: 0,
            unreachable_at: None,
        };
        let former = Subscriber {
            email: known.email.clone(),
            state: Subscription::Pending,
            consent_text: String::new(),
            created_at: 0,
            confirmed_at: None,
        };
        let mut hours = Vec::new();
        for hour in 0..24 * 30 {
            let now = hour * ASK_AGAIN_MILLISECONDS;
            if should_ask(Some(&former), &known, now) {
                known.asked_at = Some(now);
                hours.push(hour);
            }
        }
        let week = 7 * 24;
        assert_eq!(
            hours,
            [
                1,
                25,
                25 + week,
                25 + 2 * week,
                25 + 3 * week,
                25 + 4 * week
            ]
        );
    }
}
