//! The pages that links in newsletter e-mails open: GET shows a question with a button, POST
//! applies the answer.

use crate::errors::Result;
use crate::http::pages::published_pages;
use crate::http::{AppState, HandlerResult};
use actix_web::{HttpRequest, web};
use respiro_newsletter::link_actions::{self, Screen};

/// Screen for a failed read or write. It is a page, because people open these links, not programs.
const UNAVAILABLE: &str = "/newsletter/unavailable";

/// The last two segments of a link's path: its purpose and its token.
type Link = web::Path<(String, String)>;

/// Shows the question and changes nothing: mail scanners follow links and must not answer it.
pub async fn page(request: HttpRequest, app: AppState, link: Link) -> HandlerResult {
    let now = app.now();
    let screen = app
        .read(move |reader| Ok(link_actions::screen_of(reader, &link.0, &link.1, now)?))
        .await;
    respond(&request, &app, screen).await
}

/// Applies the answer. Mail providers also send this request for a one-click unsubscription,
/// without showing the page (RFC 8058).
pub async fn answer(request: HttpRequest, app: AppState, link: Link) -> HandlerResult {
    let screen = apply_answer(&app, link.into_inner()).await;
    respond(&request, &app, screen).await
}

async fn apply_answer(app: &AppState, (what, token): (String, String)) -> Result<Screen> {
    let now = app.now();
    let link = (what.clone(), token.clone());
    let asked = app
        .read(move |reader| Ok(link_actions::screen_of(reader, &link.0, &link.1, now)?))
        .await?;
    // Only a valid link with a pending question takes the write lock.
    if !matches!(asked, Screen::Confirm | Screen::Unsubscribe) {
        return Ok(asked);
    }
    let screen = app
        .change(move |writer| Ok(link_actions::perform(writer, &what, &token, now)?))
        .await?;
    app.jobs.newsletter.confirmations.notify_one();
    Ok(screen)
}

async fn respond(request: &HttpRequest, app: &AppState, screen: Result<Screen>) -> HandlerResult {
    let screen = match screen {
        Ok(screen) => screen.name(),
        Err(error) => {
            tracing::error!(%error, "a link of the newsletter could not do what it is for");
            UNAVAILABLE
        }
    };
    published_pages::screen(request, app, screen).await
}
