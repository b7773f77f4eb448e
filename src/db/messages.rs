//! Italian texts of the crate, ready to display.

pub(crate) const MISSING_PICTURE: &str = "L'immagine non esiste più: caricala di nuovo e riprova";
pub(crate) const MISSING_IN_TEXT: &str =
    "Un'immagine del testo non esiste più: toglila o caricala di nuovo, poi riprova";
pub(crate) const MISSING_IN_BLOCK: &str = "l'immagine non c'è più: caricala di nuovo";
pub(crate) const SLUG_TAKEN: &str = "Questo indirizzo è già di un altro articolo";
pub(crate) const LISTED_TOO: &str =
    "Questo contenuto è già nell'elenco: elimina prima quello, oppure elimina questo dal cestino.";
pub(crate) const PROVENANCE_UNREADABLE: &str = "Non si legge più se questa persona ha ritirato il consenso: la testimonianza resta nel cestino.";
pub(crate) const LIST_FULL: &str = "L'elenco è pieno: elimina qualcosa prima di aggiungere altro.";
pub(crate) const MANY_REDIRECTS: &str = "Ci sono già troppi rinvii: togline uno che non serve più.";
pub(crate) const TOO_MANY_DRAFTS: &str =
    "Ci sono già 200 bozze mai pubblicate: pubblicane o scartane qualcuna.";
pub(crate) const ITEMS_TOO_LARGE: &str = "I testi di tutto il sito insieme hanno raggiunto il massimo \
     (32 MB): elimina o accorcia qualcosa che non serve più, poi salva di nuovo.";
pub(crate) const ORDER_DIFFERS: &str =
    "L'elenco è cambiato nel frattempo: ricarica la pagina e riprova.";
pub(crate) const UPLOAD_EXPIRED: &str = "L'indirizzo di caricamento è scaduto o è già stato usato.";
pub(crate) const TOO_MANY_PASSKEYS: &str =
    "Ci sono già troppe passkey: rimuovine una prima di aggiungerne un'altra.";
pub(crate) const KNOWN_PASSKEY: &str = "Questa passkey è già registrata.";
pub(crate) const LAST_OWNER: &str =
    "È l’unico accesso che può tutto: prima dai tutti i permessi a un’altra persona.";
pub(crate) const ADDRESS_TAKEN: &str = "Con questo indirizzo entra già qualcuno.";
pub(crate) const CAMPAIGN_STARTED: &str =
    "L’invio è già cominciato: questa modifica non si può più fare.";
pub(crate) const CAMPAIGN_SENDING: &str = "È in invio: prima fermala.";
/// Stored as the reason of a message that was in flight when the backup was made.
pub(crate) const IN_THE_COPY: &str = "la copia è stata fatta durante la consegna";
pub(crate) const CONSENT_WITHDRAWN: &str =
    "Chi l’ha scritta ha ritirato il consenso: non può tornare. Se vuole, mandale un nuovo link.";
