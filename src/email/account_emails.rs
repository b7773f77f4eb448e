//! E-mails that carry a one-time link of an account, and their queue.
//!
//! The queue is in memory: the data file holds the hash of a link's token only. A restart drops
//! what waits, and the recipient asks again.

use crate::messages::{fit_subject, footer_reason};
use crate::notification_emails::compose_message;
use crate::{
    DeliveryError, Error, NoticeEmail, Result, SmtpOptions, StopSignal, deliver, refused_mail,
};
use respiro_content::Timestamp;
use respiro_content::time::format_weekday_moment;
use respiro_content::url::host_of;
use respiro_publish::Site;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Waiting e-mails; one more evicts the oldest.
const WAITING_MAX: usize = 64;
const MINUTE_MILLISECONDS: i64 = 60_000;
/// Waits after each failed attempt.
const RETRY_MINUTES: [i64; 4] = [1, 2, 5, 10];
/// Upper limit of a wait: a machine that was suspended would otherwise wake up late.
const POLL_INTERVAL: Duration = Duration::from_mins(5);

/// An e-mail to the holder of an account or to an invited person; `expires_at` is the end of its
/// link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountEmail {
    NewPassword {
        expires_at: Timestamp,
    },
    /// Asks the former mailbox to confirm `new_email`.
    ConfirmFormer {
        new_email: String,
        expires_at: Timestamp,
    },
    /// Asks the new mailbox to confirm that it takes the place of `email`.
    ConfirmNew {
        email: String,
        expires_at: Timestamp,
    },
    /// Says to the former mailbox that the address changed. Carries no link.
    Changed {
        new_email: String,
    },
    Invitation {
        inviter: String,
        expires_at: Timestamp,
    },
}

impl AccountEmail {
    /// Composes the texts. `fragment` is that of the panel's address, with the token.
    fn compose(&self, host: &str, to: &str, fragment: String) -> NoticeEmail {
        let (long, heading, preheader, text, label) = self.texts(host, to);
        let reason = match self {
            Self::Invitation { .. } => {
                format!(
                    "Ricevi questa e-mail perché qualcuno ti ha invitato nel pannello di {host}."
                )
            }
            Self::ConfirmNew { .. } => {
                format!("Ricevi questa e-mail perché qualcuno l’ha chiesta nel pannello di {host}.")
            }
            _ => footer_reason(host),
        };
        NoticeEmail {
            subject: fit_subject(long, heading),
            heading,
            preheader,
            text,
            button: (label, fragment.into()),
            footer: vec![reason],
        }
    }

    fn texts(&self, host: &str, to: &str) -> Texts {
        match self {
            Self::NewPassword { expires_at } => (
                format!("Una nuova password per {host}"),
                "Scegli una nuova password",
                "Il link vale mezz’ora e una volta sola.",
                format!(
                    "Per entrare nel pannello di {host} con {to} è stata chiesta una nuova \
                     password.\n\n\
                     Il link vale fino a {}, una volta sola. Se usi il codice di verifica, dopo ti \
                     sarà chiesto come sempre.\n\n\
                     Se non sei tu, non serve fare nulla: la password resta quella di prima.",
                    format_weekday_moment(*expires_at)
                ),
                "Scegli la password",
            ),
            Self::ConfirmFormer {
                new_email,
                expires_at,
            } => confirmation(
                format!("Cambi l’indirizzo con cui entri in {host}?"),
                &format!(
                    "È stato chiesto di entrare nel pannello di {host} con {new_email} al posto di \
                     {to}."
                ),
                *expires_at,
                "Se non sei tu, non premere nulla: apri il pannello e cambia subito la password.",
            ),
            Self::ConfirmNew { email, expires_at } => confirmation(
                format!("Questo diventa l’indirizzo per entrare in {host}?"),
                &format!(
                    "È stato chiesto di entrare nel pannello di {host} con questo indirizzo, {to}, \
                     al posto di {email}."
                ),
                *expires_at,
                "Se non ne sai nulla, non serve fare nulla.",
            ),
            Self::Changed { new_email } => (
                format!("È cambiato l’indirizzo con cui entri in {host}"),
                "L’indirizzo è cambiato",
                "Questo indirizzo non apre più il pannello.",
                format!(
                    "Da adesso nel pannello di {host} si entra con {new_email}, e non più con \
                     {to}.\n\n\
                     Se non sei tu, chiama subito chi gestisce il server."
                ),
                "Apri il pannello",
            ),
            Self::Invitation {
                inviter,
                expires_at,
            } => (
                format!("Un invito per curare il sito {host}"),
                "Ti hanno invitato nel pannello",
                "Scegli la tua password ed entra.",
                format!(
                    "{inviter} ti invita a curare il sito {host}.\n\n\
                     Con il link scegli una password tua ed entri con {to}. Vale fino a {}, una \
                     volta sola.\n\n\
                     Se non ne sai nulla, non serve fare nulla.",
                    format_weekday_moment(*expires_at)
                ),
                "Accetta l’invito",
            ),
        }
    }

    const fn expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::NewPassword { expires_at }
            | Self::ConfirmFormer { expires_at, .. }
            | Self::ConfirmNew { expires_at, .. }
            | Self::Invitation { expires_at, .. } => Some(*expires_at),
            Self::Changed { .. } => None,
        }
    }
}

/// Subject, heading, preheader, text and label of the button.
type Texts = (String, &'static str, &'static str, String, &'static str);

/// Returns the texts that ask one of two mailboxes to confirm a change of address.
fn confirmation(subject: String, asked: &str, expires_at: Timestamp, unasked: &str) -> Texts {
    let text = format!(
        "{asked}\n\n\
         Conferma da qui, e anche dall’e-mail che è arrivata all’altro indirizzo. Il link vale \
         fino a {}.\n\n{unasked}",
        format_weekday_moment(expires_at)
    );
    (
        subject,
        "Conferma il cambio di indirizzo",
        "Vale quando lo confermi anche dall’altra e-mail.",
        text,
        "Conferma",
    )
}

struct Waiting {
    to: String,
    email: AccountEmail,
    /// Of the panel's address; holds the token.
    fragment: String,
    tries: usize,
    due_at: Timestamp,
}

/// E-mails that wait to be sent.
#[derive(Default)]
pub struct AccountEmailQueue {
    waiting: Mutex<VecDeque<Waiting>>,
    queued: Notify,
}

impl fmt::Debug for AccountEmailQueue {
    /// Prints no token.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AccountEmailQueue")
            .field("waiting", &self.lock().len())
            .finish_non_exhaustive()
    }
}

impl AccountEmailQueue {
    /// Queues an e-mail. `fragment` is that of the panel's address which the button opens.
    pub fn push(&self, to: &str, email: AccountEmail, fragment: String, now: Timestamp) {
        self.put(Waiting {
            to: to.to_owned(),
            email,
            fragment,
            tries: 0,
            due_at: now,
        });
        self.queued.notify_one();
    }

    fn put(&self, one: Waiting) {
        let mut waiting = self.lock();
        if waiting.len() >= WAITING_MAX {
            waiting.pop_front();
        }
        waiting.push_back(one);
    }

    /// Takes an e-mail that is due. Drops those whose link has expired.
    fn take_due(&self, now: Timestamp) -> Option<Waiting> {
        let mut waiting = self.lock();
        waiting.retain(|one| one.email.expires_at().is_none_or(|end| now < end));
        let due = waiting.iter().position(|one| one.due_at <= now)?;
        waiting.remove(due)
    }

    fn wait(&self, now: Timestamp) -> Duration {
        let next = self.lock().iter().map(|one| one.due_at).min();
        let wait = next.map_or(0, |due_at| u64::try_from(due_at - now).unwrap_or_default());
        match next {
            Some(_) => POLL_INTERVAL.min(Duration::from_millis(wait)),
            None => POLL_INTERVAL,
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends e-mails when they are due, until a stop is requested.
pub async fn run(
    site: Arc<Site>,
    queue: Arc<AccountEmailQueue>,
    mail: SmtpOptions,
    mut stop: StopSignal,
) {
    loop {
        let now = site.now();
        let wait = match queue.take_due(now) {
            Some(one) => {
                send(&site, &queue, &mail, one, now).await;
                Duration::ZERO
            }
            None => queue.wait(now),
        };
        if !stop.wait(wait, queue.queued.notified()).await {
            return;
        }
    }
}

async fn send(
    site: &Site,
    queue: &AccountEmailQueue,
    mail: &SmtpOptions,
    mut one: Waiting,
    now: Timestamp,
) {
    let sent = try_to_send(site, mail, &one).await;
    refused_mail::record(site, sent.as_ref().err()).await;
    let Err(failure) = sent else {
        tracing::info!("an e-mail with the link of an account was sent");
        return;
    };
    let reason = &failure.reason;
    match RETRY_MINUTES.get(one.tries) {
        Some(minutes) if !failure.is_about_message() => {
            tracing::warn!(
                reason,
                "the e-mail with the link of an account was not sent, it waits"
            );
            one.tries += 1;
            one.due_at = now + minutes * MINUTE_MILLISECONDS;
            queue.put(one);
        }
        _ => tracing::error!(
            reason,
            "the e-mail with the link of an account was given up"
        ),
    }
}

async fn try_to_send(site: &Site, mail: &SmtpOptions, one: &Waiting) -> Result<(), DeliveryError> {
    let host = host_of(site.public_url());
    let email = one.email.compose(host, &one.to, one.fragment.clone());
    let composed = async {
        let settings = site
            .read(|reader| Ok::<_, Error>(reader.settings().get()?))
            .await?;
        compose_message(site, &settings, &one.to, email).await
    };
    let message = composed
        .await
        .map_err(|error| DeliveryError::before_connection(&error.to_string()))?;
    deliver(mail, &one.to, &message.compose(mail)?).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_password(expires_at: Timestamp) -> AccountEmail {
        AccountEmail::NewPassword { expires_at }
    }

    #[test]
    fn an_e_mail_whose_link_has_expired_is_dropped() {
        let queue = AccountEmailQueue::default();
        queue.push("a@b.it", new_password(10), String::new(), 0);
        assert!(queue.take_due(10).is_none());
        queue.push("a@b.it", new_password(10), String::new(), 0);
        assert!(queue.take_due(9).is_some());
        assert_eq!(queue.wait(9), POLL_INTERVAL);
    }

    #[test]
    fn the_queue_is_bounded_and_prints_no_token() {
        let queue = AccountEmailQueue::default();
        for number in 0..=WAITING_MAX {
            let email = new_password(i64::MAX);
            queue.push(&format!("a{number}@b.it"), email, "#token".to_owned(), 0);
        }
        assert_eq!(queue.lock().len(), WAITING_MAX);
        assert_eq!(queue.take_due(0).unwrap().to, "a1@b.it", "the oldest went");
        assert!(!format!("{queue:?}").contains("token"));
    }

    #[test]
    fn a_subject_is_short_and_a_link_stands_in_the_button_alone() {
        let email = new_password(1_790_000_000_000);
        let host = "respiro.example.org";
        let composed = email.compose(host, "anna@example.org", "#password=abc".to_owned());
        assert!(
            composed.subject.chars().count() <= 78,
            "{}",
            composed.subject
        );
        assert_eq!(composed.button.1, "#password=abc");
        assert!(!composed.text.contains("abc"), "{}", composed.text);
    }
}
