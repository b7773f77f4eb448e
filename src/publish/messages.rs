//! Italian texts of publishing.

/// The page in place of one that cannot be rendered and whose former text is outdated.
pub(super) const RENEWAL_TITLE: &str = "Pagina in aggiornamento";
pub(super) const RENEWAL_TEXT: &str =
    "Stiamo rinnovando questa pagina. Tra mezzo minuto si ricarica da sola.";

/// What visitors read while the site is asleep, unless the admin wrote something else.
pub(super) const ASLEEP_TEXT: &str = "Il sito è in pausa. Torna a trovarmi tra qualche giorno.";

/// Why a purge of the CDN failed, for the panel.
pub(super) const CDN_SILENT: &str = "non risponde";
pub(super) const CDN_REFUSES: &str = "rifiuta la richiesta";
pub(super) const CDN_HOOK_FAILED: &str = "il comando non è riuscito";
/// Reason of a failure that has no text of its own.
pub(super) const UNKNOWN_REASON: &str = "motivo sconosciuto";
