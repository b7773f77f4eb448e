//! What the links of a newsletter message open: a page with a button, and what the button does.

use super::pages;
use super::routes::{Answer, Shared};
use crate::auth::sign::Purpose;
use crate::content::Timestamp;
use crate::error::Result;
use crate::mail::links::{self, Opened};
use crate::store::{Reader, Subscription, Writer};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};

/// A screen by its name (`ui/src/site/pages/newsletter.tsx`), and the status it goes out with.
type Screen = (&'static str, StatusCode);

const CONFIRM: Screen = ("/newsletter/confirm", StatusCode::OK);
const CONFIRMED: Screen = ("/newsletter/confirmed", StatusCode::OK);
const UNSUBSCRIBE: Screen = ("/newsletter/unsubscribe", StatusCode::OK);
const UNSUBSCRIBED: Screen = ("/newsletter/unsubscribed", StatusCode::OK);
const EXPIRED: Screen = ("/newsletter/expired", StatusCode::GONE);
const FORGED: Screen = ("/newsletter/expired", StatusCode::NOT_FOUND);

/// The two last parts of a link's path: what for, and its token.
type Link = web::Path<(String, String)>;

/// A question first: programs that look through mails follow links, and must not answer it.
pub async fn page(request: HttpRequest, shared: Shared, link: Link) -> Answer {
    let now = shared.now();
    let screen = shared
        .read(move |reader| match open(reader, &link, now)? {
            Ok((purpose, email)) => question(reader, purpose, &email),
            Err(screen) => Ok(screen),
        })
        .await?;
    pages::screen(&request, &shared, screen)
}

/// The button; and what a provider of mail sends for its user, who never saw it (RFC 8058).
pub async fn press(request: HttpRequest, shared: Shared, link: Link) -> Answer {
    let now = shared.now();
    let screen = shared
        .change(move |writer| match open(writer, &link, now)? {
            Ok((purpose, email)) => answer(writer, purpose, &email, now),
            Err(screen) => Ok(screen),
        })
        .await?;
    pages::screen(&request, &shared, screen)
}

/// Whom a link is for and what it does, or the screen that says why it does nothing.
fn open(
    reader: &Reader<'_>,
    link: &(String, String),
    now: Timestamp,
) -> Result<std::result::Result<(Purpose, String), Screen>> {
    let (what, token) = link;
    let purpose = match what.as_str() {
        links::CONFIRM => Purpose::Confirm,
        links::UNSUBSCRIBE => Purpose::Unsubscribe,
        _ => return Ok(Err(FORGED)),
    };
    Ok(match links::open(&reader.secret()?, purpose, token, now) {
        Opened::For(email) => Ok((purpose, email)),
        Opened::Expired => Err(EXPIRED),
        Opened::Forged => Err(FORGED),
    })
}

fn question(reader: &Reader<'_>, purpose: Purpose, email: &str) -> Result<Screen> {
    let state = reader.subscriber(email)?.map(|subscriber| subscriber.state);
    Ok(match (purpose, state) {
        (Purpose::Confirm, Some(Subscription::Pending)) => CONFIRM,
        (Purpose::Confirm, Some(Subscription::Confirmed)) => CONFIRMED,
        // Whoever left comes back by a new message only.
        (Purpose::Confirm, _) => EXPIRED,
        (_, Some(Subscription::Pending | Subscription::Confirmed)) => UNSUBSCRIBE,
        (_, Some(Subscription::Unsubscribed) | None) => UNSUBSCRIBED,
    })
}

/// Pressed twice, the first time counts.
fn answer(
    writer: &mut Writer<'_>,
    purpose: Purpose,
    email: &str,
    now: Timestamp,
) -> Result<Screen> {
    let asked = question(writer, purpose, email)?;
    let done = match asked {
        CONFIRM => CONFIRMED,
        UNSUBSCRIBE => UNSUBSCRIBED,
        _ => return Ok(asked),
    };
    if let Some(mut subscriber) = writer.subscriber(email)? {
        if purpose == Purpose::Confirm {
            subscriber.state = Subscription::Confirmed;
            subscriber.confirmed_at = Some(now);
        } else {
            subscriber.state = Subscription::Unsubscribed;
        }
        writer.put_subscriber(&subscriber)?;
    }
    Ok(done)
}
