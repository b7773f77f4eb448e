//! Italian texts of the newsletter: consent, e-mails, and reasons that an action is refused.

use respiro_content::{Timestamp, time};

/// The text beside the subscribe button; stored with each address as the proof of consent.
/// `{{brand}}` is the site's name.
pub const CONSENT: &str = "Iscrivendoti accetti di ricevere per e-mail gli articoli e gli appuntamenti di {{brand}}, anche a pagamento. Puoi cancellarti quando vuoi, da ogni e-mail.";
/// Version of `CONSENT`. Version 1 spoke of "queste e-mail".
pub const CONSENT_VERSION: &str = "2";
pub(super) const FORMER_CONSENT: &str =
    "Iscrivendoti accetti di ricevere queste e-mail. Puoi cancellarti quando vuoi.";

/// Why nothing is sent when no mail server is configured.
pub const NO_MAIL_SERVER: &str = "Il sito non può ancora mandare posta";
pub(super) const INVALID_ADDRESS: &str = "L'indirizzo e-mail non è valido";
pub(super) const NOT_UNDER_WAY: &str = "Questa newsletter non è in invio.";
pub(super) const NO_RECIPIENTS: &str = "Nessuno ha ancora confermato l’iscrizione.";
pub(super) const CHANGED_MEANWHILE: &str =
    "È stata cambiata in un’altra finestra. Guarda le due versioni prima di salvare.";
/// Why the outcome of a delivery is unknown.
pub(super) const STOPPED_DURING_DELIVERY: &str = "il programma si è fermato durante la consegna";

/// The note above the text of a test message.
pub(super) const TEST_NOTE: &str = "Questa è una prova: è arrivata solo a te. Qui il link per \
                                    cancellarsi non cancella nessuno.";

pub(super) fn test_subject(subject: &str) -> String {
    format!("[Prova] {subject}")
}

/// Returns the Italian text of a fault's code.
pub fn fault_text(code: &str) -> &'static str {
    match code {
        "noSubject" => "Scrivi l’oggetto.",
        "noBody" => "Scrivi il testo.",
        "tooLarge" => {
            "Riduci testo o immagini sotto 100 KB, altrimenti alcuni programmi la tagliano."
        }
        "brokenLink" => "Un link non è completo: deve iniziare con https://",
        "foreignImage" => "Un’immagine non è del sito: caricala qui.",
        "noAddress" => "Manca il tuo indirizzo nei Dati legali: chi riceve deve sapere chi scrive.",
        _ => NO_RECIPIENTS,
    }
}

/// Returns why a recipient gets the message. `page` is where the address was entered.
pub(super) fn reason_for_message(
    confirmed_at: Timestamp,
    page: Option<&str>,
    host: &str,
) -> String {
    let on_day = time::with_article("il", &time::format_day(confirmed_at));
    match page {
        Some(page) => format!(
            "Ricevi questa e-mail perché {on_day} hai confermato l’iscrizione dalla pagina {page} \
             di {host}."
        ),
        None => {
            format!("Ricevi questa e-mail perché {on_day} hai chiesto di ricevere la newsletter.")
        }
    }
}

pub(super) fn confirmation_subject(brand: &str) -> String {
    format!("Conferma l’iscrizione alla newsletter di {brand}")
}

pub(super) const CONFIRMATION_HEADING: &str = "Confermi l’iscrizione?";
pub(super) const CONFIRMATION_PREHEADER: &str =
    "Un solo passo: apri il collegamento e premi il pulsante.";
pub(super) const CONFIRMATION_BUTTON: &str = "Conferma l’iscrizione";
pub(super) const CONFIRMATION_DECLINE: &str = "Non l’hai chiesto tu, o hai cambiato idea?";
pub(super) const CONFIRMATION_DECLINE_LINK: &str = "Elimina la richiesta";

/// The text above the button of the confirmation message.
pub(super) fn confirmation_html_text(brand: &str) -> String {
    format!(
        "Ciao,\n\n\
         qualcuno ha chiesto di ricevere la newsletter di {brand} a questo indirizzo. Se l’hai \
         chiesto tu, apri il collegamento entro sette giorni e premi il pulsante.\n\n\
         Altrimenti non serve fare nulla: senza conferma non riceverai la newsletter, e dopo 30 \
         giorni il tuo indirizzo viene eliminato."
    )
}

/// The confirmation message as plain text.
pub(super) fn confirmation_text(
    brand: &str,
    public_url: &str,
    confirm: &str,
    unsubscribe: &str,
) -> String {
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
