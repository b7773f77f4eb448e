//! Hands newsletters to the mail server, one message at a time, and writes the fate of each before
//! the next.

use super::mailing::{self, Sender};
use super::queue::{self, Next, Taken};
use super::sending;
use crate::app::App;
use crate::config::Mail;
use crate::error::{Error, Result};
use crate::mail::{Failure, deliver};
use crate::store::SendingState;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How often the clock is looked at: a machine may have slept.
const LOOK: Duration = Duration::from_secs(20);
/// A fate that cannot be written yet is written later, and nothing is sent meanwhile.
const WRITE_AGAIN: Duration = Duration::from_secs(5);

/// Sends what is due. Runs for ever.
pub async fn run(app: Arc<App>, mail: Mail) {
    loop {
        let now = app.now();
        match app.change(move |writer| queue::recover(writer, now)).await {
            Ok(()) => break,
            Err(error) => tracing::error!(%error, "cannot look at the newsletter's queue"),
        }
        sleep(WRITE_AGAIN).await;
    }
    loop {
        let wait = match turn(&app, &mail).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::error!(%error, "the newsletter waits");
                LOOK
            }
        };
        // Whoever starts one ends the wait.
        drop(timeout(wait, app.newsletter_waiting.notified()).await);
    }
}

/// Sends one message, when one is due, and says how long nothing is to be done then.
async fn turn(app: &Arc<App>, mail: &Mail) -> Result<Duration> {
    let now = app.now();
    match app.change(move |writer| queue::take(writer, now)).await? {
        Next::Nothing => Ok(LOOK),
        Next::Again => Ok(Duration::ZERO),
        Next::At(at) => {
            let wait = u64::try_from(at - now).unwrap_or_default();
            Ok(LOOK.min(Duration::from_millis(wait)))
        }
        Next::Message(taken) => {
            let outcome = hand_over(app, mail, &taken).await;
            if let Err(failure) = &outcome {
                let (reason, blame) = (&failure.reason, failure.blame());
                tracing::warn!(reason, ?blame, "a newsletter message was not taken");
            }
            write_fate(app, *taken, outcome).await;
            Ok(Duration::ZERO)
        }
    }
}

async fn hand_over(app: &App, mail: &Mail, taken: &Taken) -> Result<(), Failure> {
    let composed = async {
        let (key, settings) = app
            .read(|reader| Ok((reader.secret()?, reader.settings()?)))
            .await?;
        let sender = Sender::of(&settings);
        let link = mailing::unsubscribe_url(app, &key, &taken.recipient.email, Some(&taken.id));
        mailing::letter(app, &taken.mailing, &sender, &taken.recipient, link)
    };
    let letter = composed
        .await
        .map_err(|error: Error| Failure::here(&error.to_string()))?;
    deliver(mail, &taken.recipient.email, &letter.compose(mail)?).await
}

/// Until this is written nothing else goes out.
async fn write_fate(app: &App, taken: Taken, outcome: Result<(), Failure>) {
    let outcome = Arc::new(outcome);
    loop {
        let (id, email) = (taken.id.clone(), taken.recipient.email.clone());
        let (known, now) = (Arc::clone(&outcome), app.now());
        let written = app.change(move |writer| queue::settle(writer, (&id, &email), &known, now));
        match written.await {
            Ok(()) => return,
            Err(error) => {
                tracing::error!(%error, "the fate of a newsletter message cannot be written yet");
            }
        }
        sleep(WRITE_AGAIN).await;
    }
}

/// Begins what was planned for now or, by a program that was off, for before.
pub async fn start_due(app: &Arc<App>) -> Result<()> {
    let now = app.now();
    let due = app.read(move |reader| {
        let mut due = reader.sendings()?;
        due.retain(|sending| {
            sending.state == SendingState::Scheduled
                && sending.scheduled_at.is_some_and(|at| at <= now)
        });
        Ok(due)
    });
    for sending in due.await? {
        let id = sending.id.clone();
        let Err(error) = start(app, &id).await else {
            continue;
        };
        if matches!(error, Error::StorageFull | Error::ReadOnly) {
            return Err(error);
        }
        tracing::error!(%error, "a planned newsletter could not begin: it is a draft again");
        let trouble = Some(("notStarted".to_owned(), error.detail()));
        app.change(move |writer| sending::unschedule(writer, &id, trouble))
            .await?;
    }
    Ok(())
}

/// Begins a newsletter now, as it stands.
pub async fn start(app: &Arc<App>, id: &str) -> Result<()> {
    if app.config.mail.is_none() {
        return Err(Error::Conflict("Il sito non può ancora mandare posta"));
    }
    let draft = mailing::draft(app, id).await?;
    mailing::refuse_faults(&draft)?;
    let (id, now) = (id.to_owned(), app.now());
    app.change(move |writer| {
        // Between looking and starting somebody may have saved another text.
        draft.check_unchanged(writer, &id)?;
        sending::start(writer, &id, &draft.mailing, now)
    })
    .await?;
    app.newsletter_waiting.notify_one();
    Ok(())
}
