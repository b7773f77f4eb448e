//! What the links of a newsletter message open: a page with a button, and what the button does.

use super::pages;
use super::{Answer, Shared};
use crate::newsletter::confirmation::{self, Screen};
use actix_web::{HttpRequest, web};

/// The two last parts of a link's path: what for, and its token.
type Link = web::Path<(String, String)>;

/// A question first: programs that look through mails follow links, and must not answer it.
pub async fn page(request: HttpRequest, shared: Shared, link: Link) -> Answer {
    let now = shared.now();
    let screen = shared
        .read(move |reader| confirmation::look(reader, &link.0, &link.1, now))
        .await?;
    pages::screen(&request, &shared, screen.name()).await
}

/// The button; and what a provider of mail sends for its user, who never saw it (RFC 8058).
pub async fn press(request: HttpRequest, shared: Shared, link: Link) -> Answer {
    let now = shared.now();
    let (what, token) = link.into_inner();
    let link = (what.clone(), token.clone());
    let asked = shared
        .read(move |reader| confirmation::look(reader, &link.0, &link.1, now))
        .await?;
    // Only a link that is ours and still asks something takes a turn among the changes.
    let screen = match asked {
        Screen::Confirm | Screen::Unsubscribe => {
            let pressed = shared
                .change(move |writer| confirmation::press(writer, &what, &token, now))
                .await?;
            shared.mail_waiting.notify_one();
            pressed
        }
        screen => screen,
    };
    pages::screen(&request, &shared, screen.name()).await
}
