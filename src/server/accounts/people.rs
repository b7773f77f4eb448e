//! The people who may open the panel: invitations, what each may do, removal.

use super::one_time_links::{check_new_password, find_link, fragment};
use super::{
    ClientContext, EMAIL_BYTES_MAX, SignedIn, begin_session, new_details, normalize_email,
    notify_all,
};
use crate::errors::{Error, FieldError, Result};
use crate::state::App;
use respiro_auth::token;
use respiro_content::Timestamp;
use respiro_content::validation::is_email_address;
use respiro_db::{Account, AccountDetails, AccountLink, LinkGrant, Reader, Role};
use respiro_email::account_emails::AccountEmail;

/// Accounts and open invitations together.
const PEOPLE_MAX: usize = 20;
const TOO_MANY: &str = "Ci sono già venti persone: togline una prima di invitarne un'altra.";
const NO_ADDRESS: &str = "L'indirizzo e-mail non è valido";
const ADDRESS_TAKEN: &str = "Con questo indirizzo entra già qualcuno";
const OWNER_JOINED: &str = "Una persona invitata ha accettato: può tutto";
const EDITOR_JOINED: &str = "Una persona invitata ha accettato: può modificare";
const ACCOUNT_REMOVED: &str = "È stato tolto un altro account dal pannello";

/// A person who may open the panel, or was invited to.
#[derive(Debug)]
pub struct Person {
    pub id: String,
    pub email: String,
    pub role: Role,
    /// When the account or the invitation was created.
    pub created_at: Timestamp,
    /// `None` for an account.
    pub invited_until: Option<Timestamp>,
    pub has_second_factor: bool,
    pub passkeys: usize,
    /// Last use of the panel by any of its sessions.
    pub last_seen_at: Option<Timestamp>,
}

/// Lists accounts, oldest first, then open invitations.
pub fn list(reader: &Reader<'_>, now: Timestamp) -> Result<Vec<Person>> {
    let mut people = Vec::new();
    for account in reader.accounts().list()? {
        let details = reader.accounts().details(&account.email)?;
        let sessions = reader.sessions().list(&account.email)?;
        people.push(Person {
            id: details.id,
            role: details.role,
            created_at: account.created_at,
            invited_until: None,
            has_second_factor: account.second_factor.is_some(),
            passkeys: reader.passkeys().list(&account.email)?.len(),
            last_seen_at: sessions.iter().map(|session| session.last_seen_at).max(),
            email: account.email,
        });
    }
    people.sort_by_key(|person| person.created_at);
    let links = reader.account_links().list()?.into_iter();
    for (_, link) in links.filter(|(_, link)| link.is_valid(now)) {
        let invited_until = Some(link.expires_at());
        if let LinkGrant::Invitation { id, role } = link.grant {
            people.push(Person {
                id,
                email: link.email,
                role,
                created_at: link.created_at,
                invited_until,
                has_second_factor: false,
                passkeys: 0,
                last_seen_at: None,
            });
        }
    }
    Ok(people)
}

/// Invites a person. Returns the id of the invitation and its link, which no other response
/// contains. An earlier invitation of the same address ends.
pub async fn invite(app: &App, inviter: &str, email: &str, role: Role) -> Result<(String, String)> {
    let email = normalize_email(email);
    if email.len() > EMAIL_BYTES_MAX || !is_email_address(&email) {
        let error = FieldError::new("email", NO_ADDRESS);
        return Err(Error::Invalid(vec![error]));
    }
    let now = app.now();
    if app.config.mail.is_some() {
        app.auth.rate_limits.count_invitation_email(now)?;
    }
    let token = token::secret()?;
    let (hash, id) = (token::hash(&token), token::id()?);
    let grant = LinkGrant::Invitation {
        id: id.clone(),
        role,
    };
    let link = AccountLink {
        email: email.clone(),
        created_at: now,
        grant,
    };
    let expires_at = link.expires_at();
    app.change(move |writer| {
        if writer.accounts().get(&link.email)?.is_some() {
            let error = FieldError::new("email", ADDRESS_TAKEN);
            return Err(Error::Invalid(vec![error]));
        }
        writer.account_links().remove_by_account(&link.email)?;
        if list(writer, now)?.len() >= PEOPLE_MAX {
            return Err(Error::Conflict(TOO_MANY));
        }
        Ok(writer.account_links().put(&hash, &link)?)
    })
    .await?;
    if app.config.mail.is_some() {
        let text = AccountEmail::Invitation {
            inviter: inviter.to_owned(),
            expires_at,
        };
        app.jobs
            .account_emails
            .push(&email, text, fragment(&token), now);
    }
    let url = format!("{}/admin{}", app.site.public_url(), fragment(&token));
    Ok((id, url))
}

/// Creates the account of an invited person, and signs it in.
pub async fn join(
    app: &App,
    context: ClientContext,
    token: &str,
    password: &str,
) -> Result<SignedIn> {
    let link = find_link(app, token).await?;
    if !matches!(link.grant, LinkGrant::Invitation { .. }) {
        return Err(Error::LinkEnded);
    }
    check_new_password(app, password, &link.email)?;
    let password_hash = app.auth.login_gate.hash_password(password).await?;
    let (hash, now) = (token::hash(token), app.now());
    let joined = app.change(move |writer| {
        let link = writer.account_links().get(&hash, now)?;
        let Some(AccountLink {
            email,
            grant: LinkGrant::Invitation { role, .. },
            ..
        }) = link
        else {
            return Err(Error::LinkEnded);
        };
        if writer.accounts().get(&email)?.is_some() {
            return Err(Error::LinkEnded);
        }
        writer.account_links().remove_by_account(&email)?;
        let account = Account {
            email: email.clone(),
            password_hash,
            created_at: now,
            second_factor: None,
        };
        let details = new_details(role)?;
        writer.accounts().create(&account, &details)?;
        Ok((email, role))
    });
    let (email, role) = joined.await?;
    let what = match role {
        Role::Owner => OWNER_JOINED,
        Role::Editor => EDITOR_JOINED,
    };
    notify_all(app, format!("{what} ({email})")).await;
    begin_session(app, context, email, |_| Ok(true)).await
}

/// Changes what an account may do. Fails with a conflict for the only owner.
pub async fn set_role(app: &App, id: &str, role: Role) -> Result<()> {
    let id = id.to_owned();
    let changed = app.change(move |writer| {
        let (account, details) = writer.accounts().find(&id)?.ok_or(Error::NotFound)?;
        if details.role == role {
            return Ok(None);
        }
        if role == Role::Editor {
            writer.accounts().check_other_owner(&account.email)?;
        }
        let details = AccountDetails { role, ..details };
        writer.accounts().put_details(&account.email, &details)?;
        Ok(Some(account.email))
    });
    if let Some(email) = changed.await? {
        let what = match role {
            Role::Owner => format!("{email} adesso può tutto"),
            Role::Editor => format!("{email} adesso può modificare"),
        };
        notify_all(app, what).await;
    }
    Ok(())
}

/// Removes an account or an open invitation. Fails with a conflict for the only owner.
pub async fn remove(app: &App, id: &str) -> Result<()> {
    let id = id.to_owned();
    let removed = app.change(move |writer| {
        let Some((account, details)) = writer.accounts().find(&id)? else {
            let is_meant = |link: &AccountLink| match &link.grant {
                LinkGrant::Invitation { id: own, .. } => *own == id,
                _ => false,
            };
            return match writer.account_links().remove_where(is_meant)? {
                0 => Err(Error::NotFound),
                _ => Ok(false),
            };
        };
        if details.role == Role::Owner {
            writer.accounts().check_other_owner(&account.email)?;
        }
        Ok(writer.accounts().remove(&account.email)?)
    });
    if removed.await? {
        notify_all(app, ACCOUNT_REMOVED.to_owned()).await;
    }
    Ok(())
}
