//! Italian texts of the crate: why an e-mail was not taken.

use crate::SmtpPhase;

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
