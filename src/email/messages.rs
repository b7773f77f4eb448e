//! Italian texts of the crate: why an e-mail was not taken.

use crate::Step;

pub(crate) const fn reason(step: Step) -> &'static str {
    match step {
        Step::Root => "il certificato indicato per il server di posta non si legge",
        Step::Name => "il server di posta non si trova",
        Step::Connect => "il server di posta non risponde",
        Step::Tls => "la connessione al server di posta non è sicura",
        Step::Greeting => "il server di posta non risponde come dovrebbe",
        Step::SignIn => "il server di posta rifiuta nome o password",
        Step::Sender => "il server di posta rifiuta il mittente",
        Step::Receiver => "il server di posta rifiuta il destinatario",
        Step::Message => "il server di posta rifiuta il messaggio",
        Step::Time => "il server di posta è troppo lento",
    }
}
