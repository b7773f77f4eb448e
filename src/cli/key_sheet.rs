//! Printable page with the secret key of off-site copies, in Italian for its keeper.

use respiro_backup::offsite::{ManifestKey, ending_of};
use respiro_content::markdown::escape_html;
use respiro_content::{Timestamp, time};
use respiro_server::config::authority_of;
use std::fmt::Write as _;

const TITLE: &str = "La chiave delle copie del sito";
/// Headings and paragraphs of the page.
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
            "Nel file della chiave vanno due righe: la chiave e, sotto, la firma delle copie. Con la firma il ripristino riconosce le copie di questo sito e rifiuta quelle fatte da altri.",
            "Le istruzioni sono in docs/restore.md, nella parte «When the machine is gone».",
            "Una volta l’anno chiedi a chi gestisce il server di provarla: «respiro check» apre l’ultima copia senza toccare il sito.",
        ],
    ),
];

/// Storage and site of the copies, as far as known when the key is generated.
#[derive(Debug, Default)]
pub struct Origin<'a> {
    /// `s3://BUCKET/PREFIX`
    pub place: Option<&'a str>,
    pub public_url: Option<&'a str>,
}

/// The keys on the sheet.
#[derive(Debug)]
pub struct Keys<'a> {
    pub secret: &'a str,
    pub public: &'a str,
    /// `None` while there is no data file.
    pub signer: Option<&'a ManifestKey>,
}

/// Renders the page. It shows the ending of the public key, by which a copy names its key.
pub fn render_sheet(keys: &Keys<'_>, origin: &Origin<'_>, now: Timestamp) -> String {
    let Keys { secret, public, .. } = keys;
    let ending = ending_of(public);
    let date = time::day(now);
    let date = format!("{}/{}/{}", date.day(), date.month(), date.year());
    let on_day = time::with_article("il", &date);
    let place = origin.place.map(escape_html);
    let host = origin.public_url.and_then(authority_of).map(escape_html);
    let mut parts = String::new();
    for (heading, paragraphs) in PARTS {
        let _ = write!(parts, "<h2>{heading}</h2>");
        for text in *paragraphs {
            let text = text.replace("s3://…", place.as_deref().unwrap_or("s3://…"));
            let _ = write!(parts, "<p>{text}</p>");
        }
    }
    let title = host.as_ref().map_or_else(
        || TITLE.to_owned(),
        |host| format!("Chiave delle copie di {host}"),
    );
    let mut facts = String::new();
    if let Some(host) = host {
        let _ = write!(facts, "<p><strong>{host}</strong></p>");
    }
    let _ = write!(facts, "<p>Chiave: <code>{secret}</code></p>");
    let _ = write!(
        facts,
        "<p>Chiave pubblica: <code>{public}</code>, finisce con <code>{ending}</code>.</p>"
    );
    let signer = keys.signer.map_or_else(
        || "______ (la scrive il comando respiro backup-key --signer)".to_owned(),
        |signer| format!("<code>{}</code>", signer.identity_line()),
    );
    let _ = write!(facts, "<p>Firma delle copie: {signer}</p>");
    if let Some(place) = place {
        let _ = write!(facts, "<p>Le copie sono in <code>{place}</code></p>");
    }
    format!(
        "<!doctype html><html lang=\"it\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>body{{font:12pt/1.5 serif;max-width:42em;margin:2em auto;padding:0 1.2em}}\
         h2{{font-size:1.15em;margin:1.2em 0 .3em;break-after:avoid}}p{{margin:.4em 0}}\
         code{{font-size:13pt;overflow-wrap:anywhere}}\
         @media print{{body{{margin:0 auto}}}}</style></head><body><h1>{TITLE}</h1>\
         {facts}<p>Creata {on_day}.</p>{parts}</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use respiro_backup::offsite::ManifestSigner;

    /// Regression: the page showed the ending of the secret key, the wrong-key message that of the
    /// public key, so the right page could not be identified.
    #[test]
    fn the_sheet_says_what_a_wrong_key_is_told_by_and_where_the_copies_are() {
        let (secret, public) = ("AGE-SECRET-KEY-1QQQQQQ", "age1abcdefghij");
        let origin = Origin {
            place: Some("s3://copie/sito"),
            public_url: Some("https://anna.example"),
        };
        let signer = ManifestSigner::new(&[1; 32]).unwrap().public_key();
        let keys = Keys {
            secret,
            public,
            signer: Some(&signer),
        };
        let sheet = render_sheet(&keys, &origin, 0);
        assert!(sheet.contains("finisce con <code>efghij</code>"), "{sheet}");
        assert!(sheet.contains(secret) && sheet.contains(public));
        assert!(sheet.contains("Le copie sono in <code>s3://copie/sito</code>"));
        assert!(sheet.contains("respiro restore s3://copie/sito"));
        assert!(sheet.contains("Chiave delle copie di anna.example"));
        assert!(sheet.contains(&format!("<code># signed by: {signer}</code>")));
        let keys = Keys {
            signer: None,
            ..keys
        };
        let bare = render_sheet(&keys, &Origin::default(), 0);
        assert!(bare.contains("respiro backup-key --signer"));
        assert!(bare.contains("respiro restore s3://…") && !bare.contains("sono in <code>"));
    }
}
