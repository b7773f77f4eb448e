//! The newsletter's addresses: who may be on the list, who is asked by mail, what the links do.

pub mod confirmation;
mod confirmation_letter;
pub mod links;
pub mod outbox;

use crate::accounts::normal;
use crate::content::Timestamp;
use crate::content::check::is_email_address;
use crate::error::{Error, FieldError, Result};
use crate::mail;
use crate::store::{Standing, Subscriber, Subscription, Writer};
use outbox::Outbox;

/// What stands beside the button; kept with each address as the proof of consent.
pub const CONSENT: &str =
    "Iscrivendoti accetti di ricevere queste e-mail. Puoi cancellarti quando vuoi.";
/// An address that has not confirmed is asked again after this time at the earliest.
const ASK_AGAIN_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// Addresses kept; further ones are answered like the others and not stored.
const SUBSCRIBERS_MAX: u64 = 20_000;

/// The address as it is kept, when it can be. With mail it must be one that a message can reach.
pub fn checked(email: &str, mails: bool) -> Result<String> {
    let email = normal(email);
    if !is_email_address(&email) || mails && !mail::is_reachable(&email) {
        let error = FieldError::new("email", "L'indirizzo e-mail non è valido");
        return Err(Error::Invalid(vec![error]));
    }
    Ok(email)
}

/// Puts an address on the list, and among those that wait to be asked when there is mail.
pub fn subscribe(
    writer: &mut Writer<'_>,
    email: String,
    mails: bool,
    now: Timestamp,
) -> Result<()> {
    let former = writer.subscriber(&email)?;
    if former.is_none() && writer.subscriber_count()? >= SUBSCRIBERS_MAX {
        tracing::warn!("the newsletter list is full: export it and remove old addresses");
        return Ok(());
    }
    let asks = mails && must_ask(former.as_ref(), now);
    let subscriber = match former {
        Some(former) if !asks => former,
        _ => subscriber(email, asks, now),
    };
    if mails {
        let mut outbox = Outbox::load(writer)?;
        if asks && !outbox.add(&subscriber.email, now) {
            tracing::warn!("too many messages wait: an address is stored without being asked");
        }
        outbox.save(writer)?;
    }
    writer.put_subscriber(&subscriber)
}

/// Whether a message goes out: nobody gets many because somebody types an address many times.
fn must_ask(former: Option<&Subscriber>, now: Timestamp) -> bool {
    former.is_none_or(|former| match former.standing() {
        Standing::Confirmed => false,
        // Left before there was mail: now it can be asked.
        Standing::Collected => true,
        Standing::Pending | Standing::Unsubscribed => {
            now.saturating_sub(former.created_at) >= ASK_AGAIN_MILLISECONDS
        }
    })
}

/// Without mail there is nothing to confirm by: the address counts at once.
fn subscriber(email: String, is_pending: bool, now: Timestamp) -> Subscriber {
    Subscriber {
        email,
        state: if is_pending {
            Subscription::Pending
        } else {
            Subscription::Confirmed
        },
        consent_text: CONSENT.to_owned(),
        created_at: now,
        confirmed_at: (!is_pending).then_some(now),
    }
}
