//! The consent text of a testimonial's author. The text is stored with the testimonial.

use crate::config::authority_of;
use crate::content::Settings;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

pub const VERSION: &str = "1";

const NAMED_BOX: &str = "Acconsento che {practitioner} pubblichi su {siteHost} il nome con cui ho firmato, la professione se l’ho indicata, le stelle e il testo. Posso ritirare il consenso quando voglio scrivendo a {email}: la testimonianza viene tolta dal sito.";
const UNNAMED_BOX: &str = "Acconsento alla pubblicazione su {siteHost} del nome con cui ho firmato, della professione se l’ho indicata, delle stelle e del testo. Posso ritirare il consenso quando voglio, con i contatti del sito: la testimonianza viene tolta.";
const DECLARATION: &str = "Inviando confermi che hai almeno 18 anni, che hai partecipato di persona, che le parole sono tue e che non hai ricevuto nulla in cambio.";
const ELSEWHERE: &str = "Vale solo per questo sito: per usarla altrove ti verrà chiesto.";

/// Length in bytes of the hash by which a submitted form names the consent text that it showed.
const KEY_BYTES: usize = 8;

/// The consent text as the page shows it now.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Consent {
    /// The text beside the checkbox.
    #[serde(rename = "box")]
    pub box_text: String,
    pub declaration: &'static str,
    pub elsewhere: &'static str,
    /// A hash of the text, which changes with every change of the text.
    pub key: String,
}

impl Consent {
    pub fn new(settings: &Settings, public_url: &str) -> Self {
        let host = authority_of(public_url).unwrap_or(public_url);
        let known = settings.text("practitioner").zip(settings.text("email"));
        let box_text = match known {
            Some((practitioner, email)) => NAMED_BOX
                .replace("{siteHost}", host)
                .replace("{practitioner}", practitioner)
                .replace("{email}", email),
            None => UNNAMED_BOX.replace("{siteHost}", host),
        };
        let mut consent = Self {
            box_text,
            declaration: DECLARATION,
            elsewhere: ELSEWHERE,
            key: String::new(),
        };
        let hash = Sha256::digest(consent.whole().as_bytes());
        consent.key = HEXLOWER.encode(&hash[..KEY_BYTES]);
        consent
    }

    /// Returns the whole text, as it is stored.
    pub fn whole(&self) -> String {
        [&self.box_text, self.declaration, self.elsewhere].join("\n\n")
    }
}
