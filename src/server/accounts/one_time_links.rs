//! One-time links by e-mail: a new password, and the change of an account's address.
//!
//! The token travels in the fragment of the panel's address, which no server and no log sees. To
//! open the link changes nothing, because mail scanners open links; a form sends the token.

use super::{
    ClientContext, EMAIL_BYTES_MAX, check_password, normalize_email, notify_access_change,
};
use crate::errors::{Error, FieldError, NO_MAIL, Result};
use crate::state::App;
use respiro_auth::token;
use respiro_content::Timestamp;
use respiro_db::{AccountLink, LinkGrant, Session};
use respiro_email::account_emails::AccountEmail;
use respiro_email::is_reachable;
use std::sync::Arc;

const PASSWORD_CHANGED: &str = "La password è stata cambiata con un link arrivato per e-mail";
const SAME_ADDRESS: &str = "È già l'indirizzo con cui entri";
const ADDRESS_TAKEN: &str = "Con questo indirizzo entra già qualcuno";
const NO_ADDRESS: &str = "L'indirizzo e-mail non è valido";

/// Returns the fragment of the panel's address that holds a token.
pub(super) fn fragment(token: &str) -> String {
    format!("#link={token}")
}

/// Requests an e-mail with a link for a new password.
///
/// Returns before the account is looked up, so that the response and its time are the same for
/// every address.
pub fn request_password_link(
    app: &Arc<App>,
    context: &ClientContext,
    email: &str,
    now: Timestamp,
) -> Result<()> {
    let limits = &app.auth.rate_limits;
    limits.count_password_link(&context.networks, now)?;
    let email = normalize_email(email);
    if app.config.mail.is_none() || email.len() > EMAIL_BYTES_MAX {
        return Ok(());
    }
    let places = Arc::clone(&app.queues.password_links);
    let Ok(permit) = places.try_acquire_owned() else {
        tracing::warn!("too many requests for new passwords at once: one is dropped");
        return Ok(());
    };
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let _permit = permit;
        if let Err(error) = send_password_link(&app, email, now).await {
            tracing::error!(%error, "a link for a new password cannot be made");
        }
    });
    Ok(())
}

async fn send_password_link(app: &App, email: String, now: Timestamp) -> Result<()> {
    let wanted = email.clone();
    let account = app
        .read(move |reader| Ok(reader.accounts().get(&wanted)?))
        .await?;
    if account.is_none() {
        return Ok(());
    }
    let limits = &app.auth.rate_limits;
    if limits.count_password_link_of(&email, now).is_err() {
        tracing::info!("an account got a link for a new password a moment ago: no other is sent");
        return Ok(());
    }
    let token = token::secret()?;
    let hash = token::hash(&token);
    let link = AccountLink {
        email: email.clone(),
        created_at: now,
        grant: LinkGrant::NewPassword,
    };
    let expires_at = link.expires_at();
    app.change(move |writer| Ok(writer.account_links().put(&hash, &link)?))
        .await?;
    let text = AccountEmail::NewPassword { expires_at };
    app.jobs
        .account_emails
        .push(&email, text, fragment(&token), now);
    Ok(())
}

/// Returns the link of a token. Changes nothing.
pub async fn find_link(app: &App, token: &str) -> Result<AccountLink> {
    let (hash, now) = (token::hash(token), app.now());
    app.read(move |reader| {
        reader
            .account_links()
            .get(&hash, now)?
            .ok_or(Error::LinkEnded)
    })
    .await
}

/// Sets a new password with a link. Ends all sessions and links of the account. Begins no session:
/// the sign-in that follows asks for the second factor.
pub async fn reset_password(app: &App, token: &str, password: &str) -> Result<()> {
    let is_password = |link: &AccountLink| link.grant == LinkGrant::NewPassword;
    let link = find_link(app, token).await?;
    if !is_password(&link) {
        return Err(Error::LinkEnded);
    }
    check_new_password(app, password, &link.email)?;
    let password_hash = app.auth.login_gate.hash_password(password).await?;
    let (hash, now) = (token::hash(token), app.now());
    let email = app
        .change(move |writer| {
            // The link may have been used, or the account changed, while the hash was computed.
            let link = writer.account_links().get(&hash, now)?;
            let link = link.filter(is_password).ok_or(Error::LinkEnded)?;
            let account = writer.accounts().get(&link.email)?;
            let mut account = account.ok_or(Error::LinkEnded)?;
            account.password_hash = password_hash;
            writer.accounts().put(&account)?;
            writer.account_links().remove_by_account(&account.email)?;
            writer.sessions().remove_by_account(&account.email, None)?;
            Ok(account.email)
        })
        .await?;
    notify_access_change(app, &email, PASSWORD_CHANGED.to_owned()).await;
    Ok(())
}

pub(super) fn check_new_password(app: &App, password: &str, email: &str) -> Result<()> {
    check_password("password", password, email, app.auth.leaked_passwords)
        .map_err(|error| Error::Invalid(vec![error]))
}

/// Sends a link to the present and to the new address. The address changes when both are confirmed.
pub async fn request_email_change(app: &App, session: &Session, new_email: &str) -> Result<()> {
    if app.config.mail.is_none() {
        return Err(NO_MAIL);
    }
    let (email, new_email) = (session.email.clone(), normalize_email(new_email));
    let refused = |reason| Err(Error::Invalid(vec![FieldError::new("email", reason)]));
    if new_email == email {
        return refused(SAME_ADDRESS);
    }
    if new_email.len() > EMAIL_BYTES_MAX || !is_reachable(&new_email) {
        return refused(NO_ADDRESS);
    }
    let wanted = new_email.clone();
    let is_taken = app.read(move |reader| Ok(reader.accounts().get(&wanted)?.is_some()));
    if is_taken.await? {
        return refused(ADDRESS_TAKEN);
    }
    let now = app.now();
    app.auth.rate_limits.count_invitation_email(now)?;
    let tokens = [token::secret()?, token::secret()?];
    let hashes = tokens.each_ref().map(|token| token::hash(token));
    let link_to = |is_to_new: bool| AccountLink {
        email: email.clone(),
        created_at: now,
        grant: LinkGrant::NewEmail {
            new_email: new_email.clone(),
            is_to_new,
            is_confirmed: false,
            other: hashes[usize::from(!is_to_new)],
        },
    };
    let links = [link_to(false), link_to(true)];
    let expires_at = links[0].expires_at();
    app.change(move |writer| {
        let email = &links[0].email;
        let is_former = |link: &AccountLink| {
            link.email == *email && matches!(link.grant, LinkGrant::NewEmail { .. })
        };
        writer.account_links().remove_where(is_former)?;
        for (hash, link) in hashes.iter().zip(&links) {
            writer.account_links().put(hash, link)?;
        }
        Ok(())
    })
    .await?;
    let queue = &app.jobs.account_emails;
    let to_former = AccountEmail::ConfirmFormer {
        new_email: new_email.clone(),
        expires_at,
    };
    queue.push(&email, to_former, fragment(&tokens[0]), now);
    let email = email.clone();
    let to_new = AccountEmail::ConfirmNew { email, expires_at };
    queue.push(&new_email, to_new, fragment(&tokens[1]), now);
    Ok(())
}

/// Result of confirming a change of address from one of the two mailboxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailConfirmation {
    pub email: String,
    pub new_email: String,
    /// Both mailboxes have confirmed.
    pub is_changed: bool,
}

/// Confirms one half of a change of address; the second half changes it.
pub async fn confirm_email(app: &App, token: &str) -> Result<EmailConfirmation> {
    let (hash, now) = (token::hash(token), app.now());
    let done = app.change(move |writer| {
        let link = writer.account_links().get(&hash, now)?;
        let mut link = link.ok_or(Error::LinkEnded)?;
        let LinkGrant::NewEmail {
            new_email,
            is_confirmed,
            other,
            ..
        } = &mut link.grant
        else {
            return Err(Error::LinkEnded);
        };
        *is_confirmed = true;
        let (new_email, other) = (new_email.clone(), *other);
        let other = writer.account_links().get(&other, now)?;
        let other = other.ok_or(Error::LinkEnded)?;
        let is_changed = matches!(
            other.grant,
            LinkGrant::NewEmail {
                is_confirmed: true,
                ..
            }
        );
        if is_changed {
            writer.accounts().change_email(&link.email, &new_email)?;
        } else {
            writer.account_links().put(&hash, &link)?;
        }
        Ok(EmailConfirmation {
            email: link.email,
            new_email,
            is_changed,
        })
    });
    let done = done.await?;
    if done.is_changed {
        let what = format!(
            "Adesso si entra con {} e non più con {}",
            done.new_email, done.email
        );
        notify_access_change(app, &done.new_email, what).await;
        let new_email = done.new_email.clone();
        let queue = &app.jobs.account_emails;
        let text = AccountEmail::Changed { new_email };
        queue.push(&done.email, text, String::new(), now);
    }
    Ok(done)
}
