//! Italian texts of the crate: why an upload was refused, with the remedy.

use crate::{ImageError, Losses};

/// Says what the site does not show of an upload.
pub(crate) const fn of_losses(losses: Losses) -> Option<&'static str> {
    match losses {
        Losses {
            animation: true, ..
        } => Some("È un'animazione: il sito mostra il primo fotogramma."),
        Losses { hdr: true, .. } => Some(
            "È una foto HDR: il sito la mostra con la luminosità normale, \
             quindi le parti più chiare cambiano un po'.",
        ),
        Losses { .. } => None,
    }
}

impl ImageError {
    /// The reason and the remedy, fit to show.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::NotAnImage => {
                "Questo file non è un'immagine che il sito può usare. \
                 Carica una foto JPEG, PNG, WebP, GIF o AVIF."
            }
            Self::Heic => {
                "Questa foto è in formato HEIC, che i browser non mostrano. Sull'iPhone apri \
                 la foto, tocca Condividi, poi Opzioni, e scegli il formato «Più compatibile»: \
                 ne esce un JPEG da caricare qui. Per le prossime foto: Impostazioni, Fotocamera, \
                 Formati, «Più compatibile»."
            }
            Self::TooManyPixels => {
                "La foto ha troppi pixel: il massimo è 64 megapixel. Riducila e caricala di nuovo."
            }
            Self::TooManyFrames => {
                "Il file è un'animazione troppo lunga: il massimo è 1000 fotogrammi, e il sito ne \
                 mostra solo il primo. Carica una foto."
            }
            Self::MemoryLimit => {
                "La foto è troppo grande per il suo formato: con così tanti pixel il sito apre solo \
                 i JPEG normali, non progressivi. Riducila o salvala così, e caricala di nuovo."
            }
            Self::Polyglot => {
                "Dietro la foto il file nasconde dell'altro (una pagina, un archivio o un \
                 programma). Esporta di nuovo la foto e ricaricala."
            }
            Self::UnknownColours => {
                "La foto è in HDR, in una forma che il sito non sa convertire. \
                 Esportala come JPEG, senza HDR, e ricaricala."
            }
            Self::Undecodable => {
                "Il file è rovinato o incompleto e non si riesce ad aprirlo. \
                 Esporta di nuovo la foto e ricaricala."
            }
        }
    }
}
