//! The error type of the server, with its table of codes, HTTP statuses and Italian titles. Does
//! not depend on actix.

use respiro_auth as auth;
use respiro_backup as backup;
use respiro_content as content;
pub use respiro_content::FieldError;
use respiro_db as db;
use respiro_email as email;
use respiro_importers as importers;
use respiro_media::sandbox::SandboxError;
use respiro_newsletter as newsletter;
use respiro_publish as publish;
use respiro_render as render;
use respiro_testimonials as testimonials;

/// Italian reason of a failure that has no text of its own.
pub const UNKNOWN_REASON: &str = "motivo sconosciuto";

/// Answers requests that need a mail server when none is configured.
pub const NO_MAIL: Error = Error::Conflict(newsletter::NO_MAIL_SERVER);

/// Answers requests that need off-site copies while no bucket is configured.
pub const NO_PLACE: Error = Error::Conflict(
    "Oggi le copie sono solo su questo server. Chi lo gestisce può attivare quelle altrove.",
);

/// What exceeded its size limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeLimit {
    Upload,
    Backup,
    Import,
    /// The body of any other request.
    Body,
}

impl SizeLimit {
    const fn title(self) -> &'static str {
        match self {
            Self::Upload => "File troppo grande. Massimo 10MB",
            Self::Backup => "File troppo grande. Massimo 8GB",
            Self::Import => "File troppo grande. Massimo 32MB",
            Self::Body => "Contenuto troppo grande",
        }
    }
}

/// Any error of the running server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("bad request: {0}")]
    BadRequest(&'static str),
    #[error("no session")]
    Unauthorized,
    #[error("refused: {0}")]
    Refused(&'static str),
    #[error("second factor required")]
    SecondFactorRequired,
    /// The session has not confirmed its password or passkey within ten minutes.
    #[error("confirmation required")]
    ConfirmationRequired,
    #[error("forbidden: {0}")]
    Forbidden(&'static str),
    /// The account is that of an editor.
    #[error("owner required")]
    OwnerRequired,
    /// A one-time link that was used, has expired or never existed.
    #[error("link ended")]
    LinkEnded,
    #[error("not found")]
    NotFound,
    #[error("method not allowed")]
    MethodNotAllowed { allow: String },
    #[error("conflict: {0}")]
    Conflict(&'static str),
    /// The object to change is no longer the version that the client read.
    #[error("stale")]
    Stale { current: Box<serde_json::Value> },
    /// The key belongs to another request, which created `current`.
    #[error("idempotency key of another request")]
    IdempotencyKeyReused { current: Box<serde_json::Value> },
    #[error("too large: {0:?}")]
    TooLarge(SizeLimit),
    #[error("not an accepted image: {0}")]
    UnsupportedImage(&'static str),
    #[error("image refused: {0}")]
    InvalidImage(&'static str),
    #[error("refused: {}", told(.0))]
    Invalid(Vec<FieldError>),
    #[error("too many requests, retry in {retry_after_seconds} s")]
    TooManyRequests { retry_after_seconds: u64 },
    #[error("the disk is full")]
    StorageFull,
    #[error("the disk takes no writes")]
    ReadOnly,
    /// The site moves to another machine, and this one takes no changes.
    #[error("the site has moved")]
    Moved,
    /// The admin has put the site to sleep.
    #[error("the site is asleep")]
    Asleep,
    /// The program is stopping or a queue is full.
    #[error("busy: {0}")]
    Unavailable(&'static str),
    #[error("store: {0}")]
    Store(String),
    #[error("render: {0}")]
    Render(String),
    #[error("internal: {0}")]
    Internal(String),
}

/// Formats each field with its reason.
fn told(fields: &[FieldError]) -> String {
    let told = |field: &FieldError| format!("{}: {}", field.field, field.message);
    fields.iter().map(told).collect::<Vec<_>>().join("; ")
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How an error is answered: one row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// Last segment of the problem's `type`, as in `urn:respiro:problem:not-found`.
    pub name: &'static str,
    pub status: u16,
    /// In Italian.
    pub title: &'static str,
}

const fn code(name: &'static str, status: u16, title: &'static str) -> Code {
    Code {
        name,
        status,
        title,
    }
}

impl Error {
    /// Returns the row of this error. No other place selects status or title.
    pub const fn code(&self) -> Code {
        match self {
            Self::BadRequest(_) => code("bad-request", 400, "Richiesta non valida"),
            Self::Unauthorized => code("unauthorized", 401, "Accesso non autorizzato"),
            Self::Refused(_) => code("refused", 401, "Accesso non riuscito"),
            Self::SecondFactorRequired => {
                code("second-factor-required", 401, "Serve il codice di verifica")
            }
            Self::ConfirmationRequired => code("confirmation-required", 403, "Conferma che sei tu"),
            Self::Forbidden(_) => code("forbidden", 403, "Operazione non consentita"),
            Self::OwnerRequired => code("owner-required", 403, "Serve chi può tutto"),
            Self::LinkEnded => code("link-ended", 410, "Link non più valido"),
            Self::NotFound => code("not-found", 404, "Elemento non trovato"),
            Self::MethodNotAllowed { .. } => {
                code("method-not-allowed", 405, "Metodo non consentito")
            }
            Self::Conflict(_) => code("conflict", 409, "Conflitto"),
            Self::Stale { .. } => code("stale", 412, "Modificato nel frattempo"),
            Self::IdempotencyKeyReused { .. } => code("idempotency-key-reused", 422, "Già inviato"),
            Self::TooLarge(limit) => code("too-large", 413, limit.title()),
            Self::UnsupportedImage(_) => {
                code("unsupported-image", 415, "Sono ammesse solo immagini")
            }
            Self::InvalidImage(_) => code("invalid-image", 422, "Immagine non valida"),
            Self::Invalid(_) => code("invalid-fields", 422, "Controlla i campi indicati"),
            Self::TooManyRequests { .. } => code(
                "too-many-requests",
                429,
                "Troppe richieste. Riprova tra qualche minuto.",
            ),
            Self::StorageFull => code("storage-full", 507, "Spazio di archiviazione esaurito"),
            Self::ReadOnly => code("read-only", 503, "Il sito non può essere modificato adesso"),
            Self::Moved => code("moved", 503, "Il sito si è trasferito"),
            Self::Asleep => code("asleep", 503, "Il sito è in pausa"),
            Self::Unavailable(_) => code("unavailable", 503, "Servizio momentaneamente occupato"),
            Self::Store(_) => code("store", 500, "Errore interno del server"),
            Self::Render(_) => code("render", 500, "Errore interno del server"),
            Self::Internal(_) => code("internal", 500, "Errore interno del server"),
        }
    }

    /// Returns the text below the title. For 5xx it never contains the cause.
    pub fn detail(&self) -> String {
        match self {
            Self::BadRequest(detail)
            | Self::Refused(detail)
            | Self::Forbidden(detail)
            | Self::Conflict(detail)
            | Self::UnsupportedImage(detail)
            | Self::InvalidImage(detail) => (*detail).to_owned(),
            Self::Unauthorized => "Accedi per continuare.".to_owned(),
            Self::SecondFactorRequired => {
                "Inserisci il codice dell'app di verifica o un codice di recupero.".to_owned()
            }
            Self::ConfirmationRequired => {
                "Scrivi la tua password o usa una passkey, poi riprova.".to_owned()
            }
            Self::OwnerRequired => {
                "Con il tuo accesso modifichi testi, pagine e contenuti: per questo chiedi a chi \
                 può tutto."
                    .to_owned()
            }
            Self::LinkEnded => {
                "Vale per poco tempo e una volta sola: fattene mandare un altro.".to_owned()
            }
            Self::NotFound => {
                "Non c'è più: forse è stato eliminato in un'altra finestra.".to_owned()
            }
            Self::MethodNotAllowed { .. } => {
                "Questo indirizzo non accetta il metodo usato.".to_owned()
            }
            Self::Stale { .. } => {
                "Nel frattempo qualcuno ha salvato un'altra versione: scegli quale tenere."
                    .to_owned()
            }
            Self::IdempotencyKeyReused { .. } => {
                "Era già stato salvato con un altro contenuto: aprilo dall'elenco e cambialo lì."
                    .to_owned()
            }
            Self::TooLarge(SizeLimit::Backup) => "Il backup supera gli 8 GB.".to_owned(),
            Self::TooLarge(SizeLimit::Import) => {
                "Un file più grande lo importa chi gestisce il server, con il suo comando."
                    .to_owned()
            }
            Self::TooLarge(_) => "È più grande di quanto il sito può ricevere.".to_owned(),
            Self::Invalid(errors) => errors
                .first()
                .map_or_else(String::new, |error| error.message.clone()),
            Self::TooManyRequests { .. } => "Attendi qualche minuto e riprova.".to_owned(),
            Self::StorageFull => "Il disco del server è pieno: libera spazio e riprova.".to_owned(),
            Self::ReadOnly => {
                "Il disco del server non accetta modifiche: le pagine restano visibili. Avvisa chi \
                 gestisce il server e riprova."
                    .to_owned()
            }
            Self::Moved => {
                "Sta passando su un altro server, e qui si può solo leggere. Riprova tra \
                            qualche ora: lo stesso indirizzo porterà là."
                    .to_owned()
            }
            Self::Asleep => "Torna a trovarlo tra qualche giorno.".to_owned(),
            Self::Unavailable(_) => "Riprova tra qualche istante.".to_owned(),
            Self::Store(_) | Self::Render(_) | Self::Internal(_) => {
                "Il sito non ci è riuscito. Riprova tra poco.".to_owned()
            }
        }
    }
}

impl From<Vec<FieldError>> for Error {
    fn from(errors: Vec<FieldError>) -> Self {
        Self::Invalid(errors)
    }
}

impl From<content::Error> for Error {
    fn from(error: content::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<render::Error> for Error {
    fn from(error: render::Error) -> Self {
        Self::Render(error.to_string())
    }
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        match error {
            db::Error::NotFound => Self::NotFound,
            db::Error::Conflict(message) => Self::Conflict(message),
            db::Error::Forbidden(message) => Self::Forbidden(message),
            db::Error::NoAccount => Self::Unauthorized,
            db::Error::Invalid(errors) => Self::Invalid(errors),
            db::Error::StorageFull => Self::StorageFull,
            db::Error::ReadOnly => Self::ReadOnly,
            db::Error::Storage(reason) => Self::Store(reason),
            db::Error::Internal(reason) => Self::Internal(reason),
            db::Error::Aborted => Self::Internal(error.to_string()),
        }
    }
}

impl From<publish::Error> for Error {
    fn from(error: publish::Error) -> Self {
        match error {
            publish::Error::Db(error) => error.into(),
            publish::Error::Render(reason) => Self::Render(reason),
            publish::Error::NotFound => Self::NotFound,
            publish::Error::Unavailable(what) => Self::Unavailable(what),
            publish::Error::Internal(reason) => Self::Internal(reason),
        }
    }
}

impl From<backup::Error> for Error {
    fn from(error: backup::Error) -> Self {
        match error {
            backup::Error::Publish(error) => error.into(),
            backup::Error::Db(error) => error.into(),
            backup::Error::Unusable(reason) => Self::Store(reason),
        }
    }
}

impl From<importers::Error> for Error {
    fn from(error: importers::Error) -> Self {
        match error {
            importers::Error::Db(error) => error.into(),
            importers::Error::Sandbox(error) => error.into(),
            importers::Error::Random(error) => error.into(),
            importers::Error::Internal(reason) => Self::Internal(reason),
            error @ importers::Error::NotEmpty => Self::Store(error.to_string()),
            error => Self::Internal(error.to_string()),
        }
    }
}

impl From<email::Error> for Error {
    fn from(error: email::Error) -> Self {
        match error {
            email::Error::Publish(error) => error.into(),
            email::Error::Db(error) => error.into(),
            email::Error::Random(error) => error.into(),
            email::Error::Storage(reason) => Self::Store(reason),
            email::Error::Internal(reason) => Self::Internal(reason),
        }
    }
}

impl From<newsletter::Error> for Error {
    fn from(error: newsletter::Error) -> Self {
        match error {
            newsletter::Error::Publish(error) => error.into(),
            newsletter::Error::Db(error) => error.into(),
            newsletter::Error::NotFound => Self::NotFound,
            newsletter::Error::Conflict(reason) => Self::Conflict(reason),
            newsletter::Error::Random(error) => error.into(),
            newsletter::Error::Storage(reason) => Self::Store(reason),
            newsletter::Error::Internal(reason) => Self::Internal(reason),
        }
    }
}

impl From<testimonials::Error> for Error {
    fn from(error: testimonials::Error) -> Self {
        match error {
            testimonials::Error::Db(error) => error.into(),
            testimonials::Error::NotFound => Self::NotFound,
            testimonials::Error::Conflict(reason) => Self::Conflict(reason),
            testimonials::Error::Random(error) => error.into(),
        }
    }
}

impl From<SandboxError> for Error {
    fn from(error: SandboxError) -> Self {
        match error {
            SandboxError::Unavailable => Self::Unavailable("no process for pictures"),
            SandboxError::Stopped => Self::Unavailable("a process for a picture was stopped"),
        }
    }
}

impl From<auth::Error> for Error {
    fn from(error: auth::Error) -> Self {
        match error {
            auth::Error::TooManyAttempts {
                retry_after_seconds,
            } => Self::TooManyRequests {
                retry_after_seconds,
            },
            auth::Error::Random(_) | auth::Error::Hash(_) | auth::Error::Worker(_) => {
                Self::Internal(error.to_string())
            }
        }
    }
}
