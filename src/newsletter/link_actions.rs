//! Links in newsletter e-mails: the question that a link's page asks, and what its button changes.

use super::error::Result;
use super::links::{self, Keys, Opened};
use super::{campaign, subscriptions};
use respiro_auth::signed_links::Purpose;
use respiro_content::Timestamp;
use respiro_db::{Reader, Subscription, Writer};

/// What the page of an opened link shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Confirm,
    Confirmed,
    AlreadyConfirmed,
    Unsubscribe,
    Unsubscribed,
    AlreadyUnsubscribed,
    Expired,
    /// The link was not made by this site, or is incomplete.
    Forged,
    /// As `Forged`, for a link to unsubscribe: its page must offer another way to unsubscribe.
    UnsubscribeForged,
}

impl Screen {
    pub const ALL: [Self; 9] = [
        Self::Confirm,
        Self::Confirmed,
        Self::AlreadyConfirmed,
        Self::Unsubscribe,
        Self::Unsubscribed,
        Self::AlreadyUnsubscribed,
        Self::Expired,
        Self::Forged,
        Self::UnsubscribeForged,
    ];

    /// The screen's key in the table of routes, which also defines its status code.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirm => "/newsletter/confirm",
            Self::Confirmed => "/newsletter/confirmed",
            Self::AlreadyConfirmed => "/newsletter/already-confirmed",
            Self::Unsubscribe => "/newsletter/unsubscribe",
            Self::Unsubscribed => "/newsletter/unsubscribed",
            Self::AlreadyUnsubscribed => "/newsletter/already-unsubscribed",
            Self::Expired => "/newsletter/expired",
            Self::Forged => "/newsletter/forged",
            Self::UnsubscribeForged => "/newsletter/unsubscribe-forged",
        }
    }
}

/// Returns what the link's page shows. Changes nothing.
pub fn screen_of(reader: &Reader<'_>, what: &str, token: &str, now: Timestamp) -> Result<Screen> {
    match verify(reader, what, token, now)? {
        Ok(link) => current_screen(reader, link.purpose, &link.email),
        Err(screen) => Ok(screen),
    }
}

/// Does what the button on the link's page does. A second press has no effect.
pub fn perform(writer: &mut Writer<'_>, what: &str, token: &str, now: Timestamp) -> Result<Screen> {
    match verify(writer, what, token, now)? {
        Ok(link) => change(writer, &link, now),
        Err(screen) => Ok(screen),
    }
}

struct Link {
    purpose: Purpose,
    email: String,
    /// Id of the newsletter that contained the link.
    by: Option<String>,
}

/// Verifies a link. Returns its address and purpose, or the screen that says why it has no effect.
fn verify(
    reader: &Reader<'_>,
    what: &str,
    token: &str,
    now: Timestamp,
) -> Result<std::result::Result<Link, Screen>> {
    let purpose = match what {
        links::CONFIRM => Purpose::Confirm,
        links::UNSUBSCRIBE => Purpose::Unsubscribe,
        _ => return Ok(Err(Screen::Forged)),
    };
    Ok(match links::open(&Keys::of(reader)?, purpose, token, now) {
        Opened::For(email, by) => Ok(Link { purpose, email, by }),
        Opened::Expired => Err(Screen::Expired),
        Opened::Forged if purpose == Purpose::Unsubscribe => Err(Screen::UnsubscribeForged),
        Opened::Forged => Err(Screen::Forged),
    })
}

fn current_screen(reader: &Reader<'_>, purpose: Purpose, email: &str) -> Result<Screen> {
    let subscriber = reader.subscribers().get(email)?;
    let status = reader.address_statuses().get(email)?;
    let asked_again = subscriber
        .as_ref()
        .is_some_and(|subscriber| subscriptions::is_asked_again(subscriber, &status));
    let state = subscriber.map(|subscriber| subscriber.state);
    Ok(match (purpose, state) {
        (Purpose::Confirm, Some(Subscription::Pending)) => Screen::Confirm,
        (Purpose::Confirm, Some(Subscription::Unsubscribed)) if asked_again => Screen::Confirm,
        (Purpose::Confirm, Some(Subscription::Confirmed)) => Screen::AlreadyConfirmed,
        // An unsubscribed address returns only through a new message.
        (Purpose::Confirm, _) => Screen::Expired,
        (_, Some(Subscription::Unsubscribed) | None) => Screen::AlreadyUnsubscribed,
        (_, Some(_)) => Screen::Unsubscribe,
    })
}

fn change(writer: &mut Writer<'_>, link: &Link, now: Timestamp) -> Result<Screen> {
    let asked = current_screen(writer, link.purpose, &link.email)?;
    match asked {
        Screen::Confirm => {
            if let Some(mut subscriber) = writer.subscribers().get(&link.email)? {
                if subscriber.state == Subscription::Unsubscribed {
                    subscriptions::resubscribe(writer, &mut subscriber)?;
                }
                // The proof of consent belongs to the request that this answers, not to the first
                // one.
                let asked_at = writer.address_statuses().get(&link.email)?.asked_at;
                subscriber.created_at = asked_at.unwrap_or(subscriber.created_at);
                subscriber.state = Subscription::Confirmed;
                // Always later than `created_at`, whatever the clock says: this distinguishes it
                // from an address that was never asked.
                subscriber.confirmed_at = Some(now.max(subscriber.created_at + 1));
                writer.subscribers().put(&subscriber)?;
                // Who opens the link has received the message.
                campaign::restore_address(writer, &link.email, now)?;
                subscriptions::enqueue_welcome(writer, &link.email, now)?;
            }
            Ok(Screen::Confirmed)
        }
        Screen::Unsubscribe => {
            campaign::unsubscribe(writer, &link.email, link.by.as_deref(), now)?;
            Ok(Screen::Unsubscribed)
        }
        asked => Ok(asked),
    }
}
