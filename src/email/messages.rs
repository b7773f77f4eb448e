//! Italian texts of the crate: notification e-mails to the admin, and reasons of failed deliveries.
//!
//! A notification never contains the text of a testimonial, the address of another person, or a
//! link that grants access.

use crate::{MailboxPhase, SmtpPhase};
use respiro_content::time::{
    format_day, format_month, format_weekday, format_weekday_moment, with_article,
};
use respiro_content::{Timestamp, time};
use std::borrow::Cow;

/// Label of the switch of an account for the summary of each month.
pub const MONTH_SWITCH: &str = "Il mese in breve";
/// Many mail clients truncate longer subjects.
const SUBJECT_CHARACTERS_MAX: usize = 78;
const HOUR_MILLISECONDS: i64 = 60 * 60_000;
const DAY_HOURS: i64 = 24;

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeTopic {
    Testimonial,
    Backup,
    Offsite,
    Certificate,
    Device,
    Access,
    Month,
    Copies,
    Disk,
    Mail,
    /// A topic whose details only the panel shows.
    Other,
}

/// The values that a notification e-mail is composed from.
#[derive(Debug)]
pub struct NoticeContent<'a> {
    pub topic: NoticeTopic,
    /// The reason of a failure, the device, or the event, by topic.
    pub text: &'a str,
    pub at: Timestamp,
    pub first_at: Timestamp,
    /// Time of the last good backup, of the first change that was not copied, or of the
    /// certificate's expiry, by topic.
    pub moment: Option<Timestamp>,
    /// Number of events of this topic since the last e-mail.
    pub count: u32,
    pub host: &'a str,
    /// Label of the setting that turns these e-mails off.
    pub switch_label: &'a str,
    pub recipient: &'a str,
    /// The recipient runs the server and has no account.
    pub is_host: bool,
    pub now: Timestamp,
}

/// The texts of a notification e-mail.
pub struct NoticeEmail {
    pub subject: String,
    pub heading: &'static str,
    /// Preview text that mail clients show beside the subject.
    pub preheader: &'static str,
    /// Plain text; an empty line separates paragraphs.
    pub text: String,
    /// Label of the button, and the fragment of the panel's address.
    pub button: (&'static str, Cow<'static, str>),
    /// Why the e-mail was sent, and how to turn these e-mails off.
    pub footer: Vec<String>,
}

impl NoticeEmail {
    /// The plain-text alternative.
    pub fn plain_text(&self, panel_url: &str) -> String {
        let (text, footer) = (&self.text, self.footer.join("\n"));
        format!("{text}\n\n{panel_url}\n\n-- \n{footer}\n")
    }
}

impl NoticeContent<'_> {
    pub fn compose(&self) -> NoticeEmail {
        let (subject, text) = match self.topic {
            NoticeTopic::Testimonial => self.testimonial(),
            NoticeTopic::Backup => self.backup(),
            NoticeTopic::Offsite => self.offsite(),
            NoticeTopic::Certificate => self.certificate(),
            NoticeTopic::Device => self.device(),
            NoticeTopic::Access => self.access(),
            NoticeTopic::Month => self.month(),
            NoticeTopic::Copies => self.copies(),
            NoticeTopic::Disk => self.disk(),
            NoticeTopic::Mail => self.mail(),
            NoticeTopic::Other => (
                format!("Un avviso nel pannello di {}", self.host),
                "C’è un avviso nel pannello.".to_owned(),
            ),
        };
        let (heading, preheader, (label, place)) = fixed_parts(self.topic);
        let switch = self.switch_label;
        NoticeEmail {
            subject,
            heading,
            preheader,
            text,
            button: (label, place.into()),
            footer: if self.is_host {
                vec![format!(
                    "Ricevi questo avviso perché sei indicato come chi gestisce il server di {}.",
                    self.host
                )]
            } else {
                vec![
                    footer_reason(self.host),
                    format!("Per spegnerlo: pannello, Account, Avvisi, «{switch}»."),
                ]
            },
        }
    }

    fn formatted_time(&self) -> String {
        format_weekday_moment(self.at)
    }

    fn testimonial(&self) -> (String, String) {
        let n = self.count;
        if n > 1 {
            return (
                format!("{n} nuove testimonianze da leggere"),
                format!(
                    "Sono arrivate {n} testimonianze. Sono in bozza.\n\n\
                     Per riservatezza il testo non è in questa e-mail: lo trovi nel pannello."
                ),
            );
        }
        let long = format!("Nuova testimonianza da leggere su {}", self.host);
        (
            fit_subject(long, "Nuova testimonianza da leggere"),
            format!(
                "È arrivata una testimonianza, {}, da un link che avevi mandato.\n\n\
                 È in bozza: si vede sul sito solo se la pubblichi. Per riservatezza il testo non \
                 è in questa e-mail: lo trovi nel pannello.",
                self.formatted_time()
            ),
        )
    }

    fn backup(&self) -> (String, String) {
        let short = "Il backup non è riuscito";
        let subject = if self.count > 1 {
            format!("{short} {} volte", self.count)
        } else {
            fit_subject(format!("Il backup di {} non è riuscito", self.host), short)
        };
        let when = self.formatted_time();
        let reason = self.text;
        let copies = match self.moment {
            Some(at) => format!(
                "L’ultima copia buona è di {}. Il sito funziona e non si è perso nulla, ma le \
                 novità da allora non hanno una copia.",
                format_weekday(at)
            ),
            None => "Non c’è ancora nessuna copia buona: scaricane una dal pannello, in Backup."
                .to_owned(),
        };
        let text = format!(
            "Il backup di {when} non è riuscito: {reason}.\n\n{copies}\n\n\
             Inoltra questa e-mail a chi gestisce il server. Intanto puoi scaricare tu una copia \
             dal pannello, in Backup:"
        );
        (subject, text)
    }

    fn offsite(&self) -> (String, String) {
        let long = format!("La copia di {} fuori dal server è in ritardo", self.host);
        let since = self.moment.unwrap_or(self.first_at);
        let delay = format_delay(self.now - since);
        let (when, reason) = (format_weekday_moment(since), &self.text);
        let text = format!(
            "Da {delay} le modifiche non arrivano alla copia fuori dal server: {reason}.\n\n\
             Il sito funziona e riprova da solo. Se il server si rompesse adesso, si perderebbe \
             quello che hai cambiato da {when}.\n\n\
             Inoltra questa e-mail a chi gestisce il server."
        );
        (fit_subject(long, "La copia esterna è in ritardo"), text)
    }

    fn certificate(&self) -> (String, String) {
        let end = self.moment.unwrap_or(self.at);
        let on_day = with_article("il", &format_day(end));
        let (host, reason) = (self.host, &self.text);
        if end <= self.now {
            let text = format!(
                "Il certificato di {host} è scaduto {on_day}: i browser mostrano un avviso al \
                 posto del sito.\n\n{}",
                self.forward()
            );
            return (
                "Il certificato è scaduto".to_owned(),
                text.trim_end().to_owned(),
            );
        }
        let days = (time::day(end) - time::day(self.now)).get_days();
        let first = match days {
            0 => format!("Il certificato di {host} scade oggi."),
            1 => format!("Il certificato di {host} scade domani, {on_day}."),
            days => format!("Il certificato di {host} scade tra {days} giorni, {on_day}."),
        };
        let text = format!(
            "{first}\n\n\
             È ciò che rende sicura la connessione. Di solito si rinnova da solo; questa volta non \
             è riuscito: {reason}.\n\n\
             Se scade, i browser mostrano un avviso al posto del sito. {}",
            self.forward()
        );
        let long = format!("Il certificato di {host} scade {on_day}");
        let short = "Il certificato sta per scadere";
        (fit_subject(long, short), text.trim_end().to_owned())
    }

    fn device(&self) -> (String, String) {
        let subject = if self.count > 1 {
            format!("{} accessi da nuovi dispositivi", self.count)
        } else {
            fit_subject(
                format!(
                    "Accesso al pannello di {} da un nuovo dispositivo",
                    self.host
                ),
                "Accesso da un nuovo dispositivo",
            )
        };
        let when = capitalize(&self.formatted_time());
        let (recipient, device) = (self.recipient, &self.text);
        let more = match self.count {
            0 | 1 => String::new(),
            2 => "È successo un’altra volta nell’ultima ora.\n\n".to_owned(),
            n => format!("È successo altre {} volte nell’ultima ora.\n\n", n - 1),
        };
        let text = format!(
            "{when}, con l’account {recipient}, qualcuno ha effettuato l’accesso da un dispositivo \
             mai usato prima: {device}.\n\n{more}\
             Se sei tu, non serve fare nulla.\n\n\
             Se non sei tu: apri il pannello, in Account premi «Esci da tutti gli altri» e cambia \
             subito la password.\n\n\
             Questo sito non ti chiederà mai la password per e-mail."
        );
        (subject, text)
    }

    fn month(&self) -> (String, String) {
        let month = format_month(self.moment.unwrap_or(self.at));
        let subject = format!("{}, il mese in breve di {}", capitalize(&month), self.host);
        let facts = self.text.replace('\n', "\n\n");
        (fit_subject(subject, "Com’è andato il mese"), facts)
    }

    fn copies(&self) -> (String, String) {
        let long = format!("Da una settimana {} non ha una copia nuova", self.host);
        let last = match self.moment {
            Some(at) => format!("L’ultima copia buona è di {}.", format_weekday(at)),
            None => "Non c’è ancora nessuna copia buona.".to_owned(),
        };
        let text = format!(
            "{last}\n\nIl sito funziona. Se il server si rompesse adesso, quello che hai cambiato \
             da allora sarebbe perso.\n\n{}Intanto si può scaricare una copia dal pannello, in \
             Backup:",
            self.forward()
        );
        (
            fit_subject(long, "Manca una copia nuova da una settimana"),
            text,
        )
    }

    fn disk(&self) -> (String, String) {
        let long = format!("Il disco di {} è quasi pieno", self.host);
        let text = format!(
            "Sul disco del server {}.\n\nIl sito funziona. Quando il disco è pieno non si possono \
             più caricare immagini né salvare modifiche.\n\n{}",
            self.text,
            self.forward()
        );
        (
            fit_subject(long, "Il disco è quasi pieno"),
            text.trim_end().to_owned(),
        )
    }

    fn mail(&self) -> (String, String) {
        let long = format!("La posta di {} è stata rifiutata", self.host);
        let when = self.formatted_time();
        let text = format!(
            "{}, un’e-mail del sito non è partita: {}.\n\nSe leggi questa, almeno una è passata. \
             Le altre, come conferme di iscrizione e newsletter, potrebbero non arrivare.\n\n{}",
            capitalize(&when),
            self.text,
            self.forward()
        );
        (
            fit_subject(long, "La posta è stata rifiutata"),
            text.trim_end().to_owned(),
        )
    }

    /// Asks the practitioner to forward the e-mail; nothing if it went to the host already.
    const fn forward(&self) -> &'static str {
        if self.is_host {
            ""
        } else {
            "Inoltra questa e-mail a chi gestisce il server.\n\n"
        }
    }

    fn access(&self) -> (String, String) {
        let long = format!("L’accesso al pannello di {}", self.host);
        let (recipient, when) = (self.recipient, capitalize(&self.formatted_time()));
        let what = self.text;
        let text = format!(
            "{what}: account {recipient}.\n\n{when}.\n\n\
             Se sei tu, non serve fare nulla.\n\n\
             Se non sei tu: apri il pannello, in Account premi «Esci da tutti gli altri», cambia \
             subito la password e togli le passkey che non conosci."
        );
        (fit_subject(long, "L’accesso al pannello"), text)
    }
}

/// Heading, preheader and button.
const fn fixed_parts(
    topic: NoticeTopic,
) -> (&'static str, &'static str, (&'static str, &'static str)) {
    match topic {
        NoticeTopic::Testimonial => (
            "È arrivata una testimonianza",
            "È in bozza: si vede sul sito solo se la pubblichi.",
            ("Leggi nel pannello", "#/contenuti/course-testimonials"),
        ),
        NoticeTopic::Backup => (
            "Il backup non è riuscito",
            "Il sito funziona. Serve uno sguardo di chi gestisce il server.",
            ("Apri Backup", "#/backup"),
        ),
        NoticeTopic::Offsite => (
            "La copia fuori dal server è in ritardo",
            "La copia sul server c’è; manca quella altrove.",
            ("Apri Backup", "#/backup"),
        ),
        NoticeTopic::Certificate => (
            "Il certificato del sito",
            "Dopo la scadenza i browser avvisano chi visita il sito.",
            ("Apri il pannello", ""),
        ),
        NoticeTopic::Device => (
            "Accesso da un nuovo dispositivo",
            "Se sei tu, non serve fare nulla.",
            ("Apri Account", "#/account"),
        ),
        NoticeTopic::Access => (
            "L’accesso al pannello",
            "Se sei tu, non serve fare nulla.",
            ("Apri Account", "#/account"),
        ),
        NoticeTopic::Month => (
            "Com’è andato il mese",
            "Visite, iscrizioni, cose da fare.",
            ("Apri il pannello", "#/casa"),
        ),
        NoticeTopic::Copies => (
            "Manca una copia nuova",
            "Il sito funziona. Serve uno sguardo di chi gestisce il server.",
            ("Apri Backup", "#/backup"),
        ),
        NoticeTopic::Disk => (
            "Il disco è quasi pieno",
            "Il sito funziona. Serve uno sguardo di chi gestisce il server.",
            ("Apri Backup", "#/backup"),
        ),
        NoticeTopic::Mail => (
            "La posta è stata rifiutata",
            "Conferme e newsletter potrebbero non arrivare.",
            ("Apri Newsletter", "#/newsletter"),
        ),
        NoticeTopic::Other => (
            "Un avviso",
            "Lo trovi nel pannello.",
            ("Apri Avvisi", "#/avvisi"),
        ),
    }
}

pub(crate) fn footer_reason(host: &str) -> String {
    format!("Ricevi questo avviso perché hai un account del pannello di {host}.")
}

pub fn test_notice(host: &str) -> NoticeEmail {
    NoticeEmail {
        subject: fit_subject(
            format!("Prova degli avvisi di {host}"),
            "Prova degli avvisi",
        ),
        heading: "Gli avvisi arrivano",
        preheader: "Se la leggi, gli avvisi arrivano.",
        text:
            "Questa è una prova chiesta dal pannello. Se la leggi, gli avvisi arrivano. Guarda se \
               era tra la posta indesiderata."
                .to_owned(),
        button: ("Apri il pannello", Cow::Borrowed("")),
        footer: vec![footer_reason(host)],
    }
}

pub(crate) fn fit_subject(long: String, short: &str) -> String {
    if long.chars().count() <= SUBJECT_CHARACTERS_MAX {
        long
    } else {
        short.to_owned()
    }
}

fn format_delay(milliseconds: i64) -> String {
    let hours = milliseconds / HOUR_MILLISECONDS;
    match hours {
        ..=1 => "un’ora".to_owned(),
        2..DAY_HOURS => format!("{hours} ore"),
        DAY_HOURS..48 => "un giorno".to_owned(),
        _ => format!("{} giorni", hours / DAY_HOURS),
    }
}

fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase());
    first.into_iter().flatten().chain(characters).collect()
}

/// Why a delivery failed in this phase; ends a sentence.
pub(crate) const fn delivery_error(phase: SmtpPhase) -> &'static str {
    match phase {
        SmtpPhase::TrustRoots => "il certificato indicato per il server di posta non si legge",
        SmtpPhase::DnsLookup => "il server di posta non si trova",
        SmtpPhase::Connect => "il server di posta non risponde",
        SmtpPhase::Tls => "la connessione al server di posta non è sicura",
        SmtpPhase::Greeting => "il server di posta non risponde come dovrebbe",
        SmtpPhase::Authentication => "il server di posta rifiuta nome o password",
        SmtpPhase::Sender => "il server di posta rifiuta il mittente",
        SmtpPhase::Recipient => "il server di posta rifiuta il destinatario",
        SmtpPhase::Message => "il server di posta rifiuta il messaggio",
        SmtpPhase::Timeout => "il server di posta è troppo lento",
    }
}

/// Returns why the mailbox for returned messages cannot be read.
pub(crate) const fn mailbox_error(phase: MailboxPhase) -> &'static str {
    match phase {
        MailboxPhase::TrustRoots => "il certificato indicato per la posta non si legge",
        MailboxPhase::Connect => "il server della casella non risponde",
        MailboxPhase::Tls => "la connessione alla casella non è sicura",
        MailboxPhase::Greeting | MailboxPhase::Read => {
            "il server della casella non risponde come dovrebbe"
        }
        MailboxPhase::Login => "il server della casella rifiuta nome o password",
        MailboxPhase::Folder => "la cartella della casella non c’è",
        MailboxPhase::Timeout => "il server della casella è troppo lento",
    }
}
