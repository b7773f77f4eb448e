//! What the links of a newsletter message open: a page with a button, and what the button does.

use super::pages;
use super::{Answer, Shared};
use crate::error::Result;
use crate::newsletter::confirmation::{self, Screen};
use actix_web::{HttpRequest, web};

/// What stands where the choice could not be read or written: people read it, not programs.
const UNAVAILABLE: &str = "/newsletter/unavailable";

/// The two last parts of a link's path: what for, and its token.
type Link = web::Path<(String, String)>;

/// A question first: programs that look through mails follow links, and must not answer it.
pub async fn page(request: HttpRequest, shared: Shared, link: Link) -> Answer {
    let now = shared.now();
    let looked = shared
        .read(move |reader| confirmation::look(reader, &link.0, &link.1, now))
        .await;
    show(&request, &shared, looked).await
}

/// The button; and what a provider of mail sends for its user, who never saw it (RFC 8058).
pub async fn press(request: HttpRequest, shared: Shared, link: Link) -> Answer {
    let pressed = pressed(&shared, link.into_inner()).await;
    show(&request, &shared, pressed).await
}

async fn pressed(shared: &Shared, (what, token): (String, String)) -> Result<Screen> {
    let now = shared.now();
    let link = (what.clone(), token.clone());
    let asked = shared
        .read(move |reader| confirmation::look(reader, &link.0, &link.1, now))
        .await?;
    // Only a link that is ours and still asks something takes a turn among the changes.
    if !matches!(asked, Screen::Confirm | Screen::Unsubscribe) {
        return Ok(asked);
    }
    let pressed = shared
        .change(move |writer| confirmation::press(writer, &what, &token, now))
        .await?;
    shared.mail_waiting.notify_one();
    Ok(pressed)
}

async fn show(request: &HttpRequest, shared: &Shared, screen: Result<Screen>) -> Answer {
    let screen = match screen {
        Ok(screen) => screen.name(),
        Err(error) => {
            tracing::error!(%error, "a link of the newsletter could not do what it is for");
            UNAVAILABLE
        }
    };
    pages::screen(request, shared, screen).await
}
