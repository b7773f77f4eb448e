//! Italian texts of requested testimonials: consent, and reasons that an action is refused.

pub(super) const NAMED_BOX: &str = "Acconsento che {practitioner} pubblichi su {siteHost} il nome con cui ho firmato, la professione se l’ho indicata, le stelle e il testo. Posso ritirare il consenso quando voglio scrivendo a {email}: la testimonianza viene tolta dal sito.";
pub(super) const UNNAMED_BOX: &str = "Acconsento alla pubblicazione su {siteHost} del nome con cui ho firmato, della professione se l’ho indicata, delle stelle e del testo. Posso ritirare il consenso quando voglio, con i contatti del sito: la testimonianza viene tolta.";
pub(super) const DECLARATION: &str = "Inviando confermi che hai almeno 18 anni, che hai partecipato di persona, che le parole sono tue e che non hai ricevuto nulla in cambio.";
pub(super) const ELSEWHERE: &str =
    "Vale solo per questo sito: per usarla altrove ti verrà chiesto.";

pub(super) const TOO_MANY_OPEN_LINKS: &str =
    "Hai già 100 link in attesa. Annullane qualcuno prima di crearne altri.";
pub(super) const ALREADY_RECEIVED: &str = "La testimonianza di questo link è già arrivata.";
