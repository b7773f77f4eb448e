//! Composes the welcome message for a confirmed address, in the layout of a newsletter.

use super::links::Keys;
use super::mailing::{self, Sender, Sheet};
use super::queue::Recipient;
use crate::app::App;
use crate::content::{Pictures, Settings, kind_by_slug, markdown};
use crate::email::EmailMessage;
use crate::error::Result;

pub(super) async fn letter(
    app: &App,
    keys: &Keys,
    settings: &Settings,
    to: &Recipient,
) -> Result<EmailMessage> {
    let published = app.site.published_snapshot().await?;
    let said = |field: &str| published.block_text(mailing::LETTERS, field);
    let list = kind_by_slug("blog")
        .and_then(|kind| kind.list)
        .unwrap_or_default();
    let blog = format!("{}{list}", app.site.public_url());
    let sheet = Sheet {
        subject: &said("welcomeSubject"),
        heading: Some(&said("welcomeTitle")),
        preheader: &said("welcomePreview"),
        content: &markdown::from_plain_text(&said("welcomeText")),
        button: Some((&said("welcomeAction"), &blog)),
        note: None,
    };
    let mailing = mailing::draw(app, &sheet, &Pictures::default()).await?;
    let link = mailing::unsubscribe_url(app, keys, &to.email, None);
    mailing::letter(app, &mailing, &Sender::of(settings), to, link)
}
