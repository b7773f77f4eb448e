//! Composes the e-mail that asks an address to confirm its subscription.

use super::links::{self, Keys, NEVER};
use crate::app::App;
use crate::auth::signed_links::Purpose;
use crate::auth::token;
use crate::content::{Settings, Timestamp};
use crate::email::{EmailMessage, EmailTemplate, FooterLine};
use crate::error::{Error, Result};

/// How long a confirmation link is valid. The texts below say "sette giorni".
const CONFIRM_MILLISECONDS: i64 = 7 * 24 * 60 * 60_000;

pub(super) async fn letter(
    app: &App,
    keys: &Keys,
    settings: &Settings,
    email: &str,
) -> Result<EmailMessage> {
    let now = app.now();
    let link = |path: &str, purpose: Purpose, until: Timestamp| {
        let token = links::token(keys, purpose, email, until);
        format!("{}/newsletter/{path}/{token}", app.site.public_url())
    };
    let confirm = link(links::CONFIRM, Purpose::Confirm, now + CONFIRM_MILLISECONDS);
    let unsubscribe = link(links::UNSUBSCRIBE, Purpose::Unsubscribe, NEVER);
    let brand = settings.brand();
    let subject = format!("Conferma l’iscrizione alla newsletter di {brand}");
    let template = EmailTemplate {
        subject: &subject,
        heading: "Confermi l’iscrizione?",
        preheader: "Un solo passo: apri il collegamento e premi il pulsante.",
        text: &shown(brand),
        button: Some(("Conferma l’iscrizione", &confirm)),
        footer: &[
            FooterLine {
                text: "Non l’hai chiesto tu, o hai cambiato idea?",
                link: Some(("Elimina la richiesta", &unsubscribe)),
            },
            FooterLine {
                text: brand,
                link: Some((app.site.public_url(), app.site.public_url())),
            },
        ],
    };
    let html = app
        .site
        .render_email_html(template.render_input(app.site.public_url(), settings))
        .await;
    Ok(EmailMessage {
        to: email.to_owned(),
        text: text(brand, app.site.public_url(), &confirm, &unsubscribe),
        html,
        subject,
        sender: brand.to_owned(),
        unsubscribe_url: Some(unsubscribe),
        id: token::id().map_err(|error| Error::Internal(error.to_string()))?,
        at: now,
        ..EmailMessage::default()
    })
}

/// The text above the button.
fn shown(brand: &str) -> String {
    format!(
        "Ciao,\n\n\
         qualcuno ha chiesto di ricevere la newsletter di {brand} a questo indirizzo. Se l’hai \
         chiesto tu, apri il collegamento entro sette giorni e premi il pulsante.\n\n\
         Altrimenti non serve fare nulla: senza conferma non riceverai la newsletter, e dopo 30 \
         giorni il tuo indirizzo viene eliminato."
    )
}

fn text(brand: &str, public_url: &str, confirm: &str, unsubscribe: &str) -> String {
    format!(
        "Ciao,\n\n\
         qualcuno ha chiesto di ricevere la newsletter di {brand} a questo indirizzo.\n\n\
         Se l’hai chiesto tu, apri questo collegamento entro sette giorni e premi il pulsante:\n\n\
         {confirm}\n\n\
         Altrimenti non serve fare nulla: senza conferma non riceverai la newsletter, e dopo 30 \
         giorni il tuo indirizzo viene eliminato.\n\n\
         Per cancellarti, ora o in futuro:\n\n\
         {unsubscribe}\n\n\
         {brand}\n{public_url}\n"
    )
}
