//! Checks that the mail server accepts a login. Sends a message only if one is requested.

use super::Finding;
use respiro_auth::token;
use respiro_email::{DeliveryError, EmailMessage, SmtpOptions, SmtpPhase, TlsMode};
use respiro_server::config::Config;
use respiro_server::state::now;
use tokio::runtime::Builder;

const TEST_SENDER: &str = "respiro";
const TEST_SUBJECT: &str = "Prova: il sito può mandare posta";
const TEST_TEXT: &str = "Questo messaggio è una prova, chiesta con `respiro doctor --mail-to`.\n\
    Se lo leggi, il sito può mandare posta. Guarda se è arrivato tra la posta indesiderata.\n";

/// Checks the mail server. Sends a test message to `to`, if given.
pub(super) fn check(config: &Config, to: Option<&str>) -> Finding {
    let Some(mail) = &config.mail else {
        return Finding::Warning(
            "no mail server: newsletter addresses are only collected, nobody is asked to confirm \
             and no newsletter goes out"
                .to_owned(),
            "to have addresses confirmed, set --smtp-url, --mail-from and RESPIRO_SMTP_PASSWORD"
                .to_owned(),
        );
    };
    let place = format!("the mail server {}:{}", mail.server.host, mail.server.port);
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return Finding::Problem(
                format!("{place} was not tried: {error}"),
                "try again when the machine is less busy".to_owned(),
            );
        }
    };
    let (from, security) = (&mail.from, tls_description(mail));
    match runtime.block_on(connect_or_send(mail, to)) {
        Ok(()) => Finding::Good(match to {
            Some(to) => format!("{place} took a test message from {from} for {to}, {security}"),
            None => format!("{place} takes mail from {from}, {security}"),
        }),
        Err(failure) => Finding::Problem(
            format!("{place} cannot be used: {}", failure.reason),
            remedy(mail, &failure),
        ),
    }
}

async fn connect_or_send(mail: &SmtpOptions, to: Option<&str>) -> Result<(), DeliveryError> {
    let Some(to) = to else {
        return respiro_email::verify_connection(mail).await;
    };
    let now = now();
    let message = EmailMessage {
        to: to.to_owned(),
        sender: TEST_SENDER.to_owned(),
        subject: TEST_SUBJECT.to_owned(),
        text: TEST_TEXT.to_owned(),
        id: token::id().unwrap_or_else(|_| now.to_string()),
        at: now,
        ..EmailMessage::default()
    };
    respiro_email::deliver(mail, to, &message.compose(mail)?).await
}

fn tls_description(mail: &SmtpOptions) -> &'static str {
    match mail.server.security {
        TlsMode::Implicit => "over TLS",
        TlsMode::StartTls => "over TLS (STARTTLS)",
        TlsMode::Off => "without TLS",
    }
}

/// Returns the remedy.
fn remedy(mail: &SmtpOptions, failure: &DeliveryError) -> String {
    let (host, port) = (&mail.server.host, mail.server.port);
    match failure.phase {
        SmtpPhase::TrustRoots => "name a readable PEM certificate with --smtp-ca".to_owned(),
        SmtpPhase::DnsLookup => {
            format!("check the name {host} in --smtp-url, and this machine's DNS")
        }
        SmtpPhase::Connect => format!(
            "check the port in --smtp-url and the firewall; many providers close port {port} to \
             their servers until asked, others offer 465 (smtps://) or 587 (smtp://)"
        ),
        SmtpPhase::Tls => format!(
            "the certificate must name {host} and be trusted: use the name that the provider \
             gives, smtps:// for port 465 or smtp:// for 587, or --smtp-ca for a root of your own"
        ),
        SmtpPhase::Greeting => {
            "nothing there talks as a mail server: use smtps:// for port 465, smtp:// for 587"
                .to_owned()
        }
        SmtpPhase::Authentication => {
            "check the user in --smtp-url and RESPIRO_SMTP_PASSWORD; some providers want a \
             password made for programs"
                .to_owned()
        }
        SmtpPhase::Sender => {
            "let --mail-from be an address that this user may send from".to_owned()
        }
        SmtpPhase::Recipient | SmtpPhase::Message => {
            "ask the provider of the mail server what it means by that".to_owned()
        }
        SmtpPhase::Timeout => {
            "try again later; when it stays so, ask the provider of the mail server".to_owned()
        }
    }
}
