//! The newsletter's addresses: who may be on the list, who is asked or welcomed by mail, what the
//! links do.

pub mod checks;
pub mod confirmation;
mod confirmation_letter;
pub mod links;
pub mod mailing;
pub mod outbox;
pub mod queue;
pub mod sender;
pub mod sending;
mod welcome_letter;

use crate::accounts::normal;
use crate::content::Timestamp;
use crate::content::check::is_email_address;
use crate::error::{Error, FieldError, Result};
use crate::mail;
use crate::store::{Standing, Subscriber, Subscription, Way, Writer};
use outbox::Outbox;

/// What stands beside the button; kept with each address as the proof of consent. `{{brand}}` is
/// the site's name.
pub const CONSENT: &str = "Iscrivendoti accetti di ricevere per e-mail gli articoli e gli appuntamenti di {{brand}}, anche a pagamento. Puoi cancellarti quando vuoi, da ogni e-mail.";
/// Its number: the first text spoke of "queste e-mail".
pub const CONSENT_VERSION: &str = "2";
const FORMER_CONSENT: &str =
    "Iscrivendoti accetti di ricevere queste e-mail. Puoi cancellarti quando vuoi.";
/// An address that has not confirmed is asked again after this time at the earliest.
const ASK_AGAIN_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// Addresses kept; further ones are answered like the others and not stored.
const SUBSCRIBERS_MAX: u64 = 20_000;
const PAGE_BYTES_MAX: usize = 300;

/// The address as it is kept, when it can be. With mail it must be one that a message can reach.
pub fn checked(email: &str, mails: bool) -> Result<String> {
    let email = normal(email);
    if !is_email_address(&email) || mails && !mail::is_reachable(&email) {
        let error = FieldError::new("email", "L'indirizzo e-mail non è valido");
        return Err(Error::Invalid(vec![error]));
    }
    Ok(email)
}

/// The path of the page where an address was left, when it can be one.
pub fn checked_page(page: Option<&str>) -> Option<String> {
    let is_path = |page: &&str| {
        page.starts_with('/') && page.len() <= PAGE_BYTES_MAX && !page.contains(char::is_control)
    };
    page.filter(is_path).map(str::to_owned)
}

/// The number of a consent text; `None` when nobody knows it.
pub fn consent_version(standing: &Standing, text: &str) -> Option<String> {
    let known = standing.consent_version.clone();
    known.or_else(|| (text == FORMER_CONSENT).then(|| "1".to_owned()))
}

/// Puts an address on the list, and among those that wait to be asked when there is mail.
pub fn subscribe(
    writer: &mut Writer<'_>,
    email: String,
    page: Option<String>,
    mails: bool,
    now: Timestamp,
) -> Result<()> {
    let former = writer.subscriber(&email)?;
    if former.is_none() && writer.subscriber_count()? >= SUBSCRIBERS_MAX {
        tracing::warn!("the newsletter list is full: export it and remove old addresses");
        return Ok(());
    }
    let asks = mails && must_ask(former.as_ref(), now);
    if mails {
        let mut outbox = Outbox::load(writer)?;
        if asks && !outbox.add(&email, now) {
            tracing::warn!("too many messages wait: an address is stored without being asked");
        }
        outbox.save(writer)?;
    }
    if former.is_some() && !asks {
        return Ok(());
    }
    let settings = writer.settings()?;
    writer.put_standing(&Standing {
        way: Some(if mails { Way::Form } else { Way::FormOnly }),
        consent_version: Some(CONSENT_VERSION.to_owned()),
        page,
        asked_at: Some(now),
        ..Standing::new(&email)
    })?;
    writer.put_subscriber(&Subscriber {
        email,
        state: if mails {
            Subscription::Pending
        } else {
            Subscription::Collected
        },
        consent_text: CONSENT.replace("{{brand}}", settings.brand()),
        created_at: now,
        confirmed_at: None,
    })
}

/// Asks the addresses that were left while the site could send no mail; says how many. Those for
/// whom there is no room now are asked another time.
pub fn ask_collected(writer: &mut Writer<'_>, now: Timestamp) -> Result<usize> {
    let mut outbox = Outbox::load(writer)?;
    let mut asked = 0;
    for mut subscriber in writer.subscribers()? {
        let is_collected = subscriber.state == Subscription::Collected;
        if !is_collected || !mail::is_reachable(&subscriber.email) {
            continue;
        }
        if !outbox.add(&subscriber.email, now) {
            break;
        }
        subscriber.state = Subscription::Pending;
        writer.put_subscriber(&subscriber)?;
        let standing = Standing {
            asked_at: Some(now),
            ..writer.standing(&subscriber.email)?
        };
        writer.put_standing(&standing)?;
        asked += 1;
    }
    outbox.save(writer)?;
    Ok(asked)
}

/// Lets a word of welcome wait for who has just confirmed, where she wants one.
fn welcome(writer: &mut Writer<'_>, email: &str, now: Timestamp) -> Result<()> {
    if !writer.settings()?.is_on("newsletterWelcome") {
        return Ok(());
    }
    let mut outbox = Outbox::load(writer)?;
    if !outbox.add(email, now) {
        tracing::warn!("too many messages wait: a word of welcome is left out");
    }
    outbox.save(writer)
}

/// Whether a message goes out: nobody gets many because somebody types an address many times.
fn must_ask(former: Option<&Subscriber>, now: Timestamp) -> bool {
    former.is_none_or(|former| match former.state {
        Subscription::Confirmed => false,
        Subscription::Collected => true,
        Subscription::Pending | Subscription::Unsubscribed => {
            now.saturating_sub(former.created_at) >= ASK_AGAIN_MILLISECONDS
        }
    })
}
