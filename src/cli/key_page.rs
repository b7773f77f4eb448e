//! The page to print with the secret key of copies elsewhere: Italian, for who keeps the sheet.

use crate::content::{Timestamp, time};
use std::fmt::Write as _;

const TITLE: &str = "La chiave delle copie del sito";
/// Heading and paragraphs.
const PARTS: &[(&str, &[&str])] = &[
    (
        "Che cos’è",
        &[
            "Ogni giorno una copia di tutto il sito, cifrata, viene portata fuori dal server. Questa è l’unica chiave che la apre.",
        ],
    ),
    (
        "Dove tenerla",
        &[
            "Stampala due volte: un foglio a casa, dove tieni i documenti, l’altro presso una persona di fiducia.",
            "Non fotografarla e non mandarla per e-mail o messaggio.",
            "Non tenerla insieme al computer da cui gestisci il sito, né sul server.",
        ],
    ),
    (
        "Senza la chiave",
        &[
            "Se il server si rompe e la chiave è persa, le copie non si aprono più. Nessuno può recuperarla: né chi ha installato il sito, né chi tiene le copie.",
        ],
    ),
    (
        "Se la vede un estraneo",
        &[
            "Con la chiave e l’accesso allo spazio si legge tutto il sito, indirizzi della newsletter compresi. Avvisa subito chi gestisce il server: va creata una chiave nuova.",
        ],
    ),
    (
        "Per riavere il sito",
        &[
            "Dai questo foglio a chi gestisce il server. Su una macchina vuota serve un solo comando: respiro restore s3://…",
            "Le istruzioni sono in docs/operating.md, alla pagina «When the machine is gone».",
            "Una volta l’anno chiedi a chi gestisce il server di provarla: «respiro check» apre l’ultima copia senza toccare il sito.",
        ],
    ),
];

/// The whole page. Nothing in it needs escaping: the key is letters, digits and dashes.
pub fn page(secret: &str, now: Timestamp) -> String {
    let ending: String = secret.chars().skip(secret.chars().count() - 6).collect();
    let date = time::day(now);
    let mut parts = String::new();
    for (heading, paragraphs) in PARTS {
        let _ = write!(parts, "<h2>{heading}</h2>");
        for text in *paragraphs {
            let _ = write!(parts, "<p>{text}</p>");
        }
    }
    format!(
        "<!doctype html><html lang=\"it\"><head><meta charset=\"utf-8\"><title>{TITLE}</title>\
         <style>body{{font:12pt/1.5 serif;max-width:42em;margin:2em auto}}\
         code{{font-size:13pt;overflow-wrap:anywhere}}</style></head><body><h1>{TITLE}</h1>\
         <p>Chiave: <code>{secret}</code></p><p>Finisce con <code>{ending}</code>. \
         Creata il {}/{}/{}.</p>{parts}</body></html>\n",
        date.day(),
        date.month(),
        date.year()
    )
}
