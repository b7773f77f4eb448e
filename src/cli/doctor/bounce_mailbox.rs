//! Checks that the mailbox of returned messages can be opened. Reads and marks no message.

use super::Finding;
use respiro_email::{BounceMailbox, MailboxError, MailboxOptions, MailboxPhase};
use respiro_server::config::Config;
use tokio::runtime::Builder;

/// Returns `None` if none is configured.
pub(super) fn check(config: &Config) -> Option<Finding> {
    let options = config.bounces.as_ref()?;
    let place = format!("the mailbox at {}:{}", options.host, options.port);
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return Some(Finding::Problem(
                format!("{place} was not tried: {error}"),
                "try again when the machine is less busy".to_owned(),
            ));
        }
    };
    Some(match runtime.block_on(open(options)) {
        Ok((count, true)) => {
            let folder = &options.folder;
            Finding::Good(format!("{place} can be read: {count} messages in {folder}"))
        }
        Ok((_, false)) => Finding::Warning(
            format!("{place} can be read, but not marked"),
            "reports that were used stay unread there; nothing else depends on it".to_owned(),
        ),
        Err(error) => Finding::Problem(
            format!("{place} cannot be used: {}", error.reason),
            remedy(options, error.phase),
        ),
    })
}

/// Returns the number of messages, and whether they can be marked.
async fn open(options: &MailboxOptions) -> Result<(u32, bool), MailboxError> {
    let mailbox = BounceMailbox::open(options).await?;
    let found = (mailbox.message_count(), mailbox.can_mark());
    mailbox.close().await;
    Ok(found)
}

fn remedy(options: &MailboxOptions, phase: MailboxPhase) -> String {
    let host = &options.host;
    match phase {
        MailboxPhase::TrustRoots => "name a readable PEM certificate with --smtp-ca".to_owned(),
        MailboxPhase::Connect => format!(
            "check the name {host} and the port in RESPIRO_BOUNCES, this machine's DNS and the \
             firewall; imaps:// is port 993"
        ),
        MailboxPhase::Tls => format!(
            "the certificate must name {host} and be trusted: use the name that the provider \
             gives, or --smtp-ca for a root of your own"
        ),
        MailboxPhase::Greeting | MailboxPhase::Read => {
            "nothing there talks as a mailbox: use imaps:// for port 993, imap+starttls:// for 143"
                .to_owned()
        }
        MailboxPhase::Login => {
            "check user and password in RESPIRO_BOUNCES; some providers want a password made for \
             programs, or IMAP switched on"
                .to_owned()
        }
        MailboxPhase::Folder => {
            format!("name a folder that exists instead of {}", options.folder)
        }
        MailboxPhase::Timeout => {
            "try again later; when it stays so, ask the provider of the mailbox".to_owned()
        }
    }
}
