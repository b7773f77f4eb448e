//! Italian texts of backups, for the panel and its notices.

/// Reason of a failure that has no text of its own.
pub(crate) const UNKNOWN_REASON: &str = "motivo sconosciuto";

/// Why a local backup failed.
pub(crate) const DISK_FULL: &str = "il disco è pieno";
pub(crate) const DISK_READ_ONLY: &str = "il disco non accetta scritture";
pub(crate) const CANNOT_WRITE: &str = "la copia non si può scrivere, o non risulta intera";

/// Why object storage refused an off-site backup or a step of the mirror.
pub(crate) const KEYS_REFUSED: &str = "le chiavi di accesso allo spazio non valgono";
pub(crate) const WRITE_FORBIDDEN: &str = "lo spazio non permette di scrivere";
pub(crate) const NO_SUCH_BUCKET: &str = "lo spazio indicato non esiste";
pub(crate) const BUCKET_FULL: &str = "lo spazio è pieno";
pub(crate) const UNREACHABLE: &str = "lo spazio non è raggiungibile";
pub(crate) const TOO_SLOW: &str = "lo spazio risponde troppo lentamente";
pub(crate) const CLOCK_WRONG: &str = "l’orologio del server è sbagliato";
pub(crate) const COPY_DAMAGED: &str = "la copia riletta non è uguale: verrà rifatta";
pub(crate) const OTHER_SITE: &str = "lo spazio contiene già le copie di un altro sito";
pub(crate) const OTHER_MACHINE: &str =
    "un’altra macchina copia già qui lo stesso sito, una delle due va spenta";
/// The same of the published site, in a notice.
pub(crate) const MIRROR_OF_OTHER_SITE: &str =
    "nello spazio esterno c’è già un altro sito, perciò il tuo sito pubblicato lì non si aggiorna";
pub(crate) const MIRROR_TAKEN_OVER: &str =
    "il sito pubblicato nello spazio esterno è di un’altra macchina, una delle due va spenta";
pub(crate) const FILE_UNREADABLE: &str = "un file del sito non si può leggere, gli altri ci sono";
