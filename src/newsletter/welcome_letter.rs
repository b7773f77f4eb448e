//! A word of welcome to who has just confirmed: drawn like a newsletter, with its way out.

use super::links::Keys;
use super::mailing::{self, Sender, Sheet};
use super::queue::Recipient;
use crate::app::App;
use crate::content::{Pictures, Settings, kind_by_slug};
use crate::error::Result;
use crate::mail::letter::Letter;

const TEXT: &str = "Ciao,

la tua iscrizione è confermata. Ti scrivo quando esce un nuovo articolo o si apre un nuovo \
appuntamento, e mai tanto per scrivere.

In fondo a ogni e-mail c’è il link per cancellarti: un passo solo, senza domande.";

pub(super) async fn letter(
    app: &App,
    keys: &Keys,
    settings: &Settings,
    to: &Recipient,
) -> Result<Letter> {
    let brand = settings.brand();
    let subject = format!("Iscrizione confermata: che cosa riceverai da {brand}");
    let list = kind_by_slug("blog")
        .and_then(|kind| kind.list)
        .unwrap_or_default();
    let blog = format!("{}{list}", app.public_url);
    let sheet = Sheet {
        subject: &subject,
        heading: Some("Grazie di esserci"),
        preheader: "Che cosa ti scrivo, quando, e come smettere.",
        content: TEXT,
        button: Some(("Leggi il blog", &blog)),
        note: None,
    };
    let mailing = mailing::draw(app, &sheet, &Pictures::default(), settings).await?;
    let link = mailing::unsubscribe_url(app, keys, &to.email, None);
    mailing::letter(app, &mailing, &Sender::of(settings), to, link)
}
