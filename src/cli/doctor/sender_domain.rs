//! Checks the SPF and DMARC records of the sender's domain, as the panel does.

use super::Finding;
use respiro_email::DnsResolver;
use respiro_email::sender_checks::{self, CheckState, SenderCheck};
use respiro_server::config::Config;
use tokio::runtime::Builder;

/// Returns no findings without a mail server.
pub(super) fn check(config: &Config) -> Vec<Finding> {
    let Some(mail) = config.mail.as_ref() else {
        return Vec::new();
    };
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else {
        return Vec::new();
    };
    let resolver = DnsResolver::system();
    // Without a letter nothing can be wrong with it.
    let Ok(report) = runtime.block_on(sender_checks::check(&resolver, mail, None)) else {
        return Vec::new();
    };
    let domain = &report.domain;
    [("SPF", &report.spf), ("DMARC", &report.dmarc)]
        .map(|(name, check)| finding(name, domain, check))
        .into()
}

fn finding(name: &str, domain: &str, check: &SenderCheck) -> Finding {
    let found = check.found.as_deref().unwrap_or_default();
    let next = check.wanted.as_ref().map_or_else(
        || "paste the source of a received letter in the panel: Newsletter".to_owned(),
        |record| {
            format!(
                "publish this record: {} TXT \"{}\"",
                record.name, record.value
            )
        },
    );
    let warning = |what: String| Finding::Warning(what, next.clone());
    match check.state {
        CheckState::Good => {
            Finding::Good(format!("the {name} record of {domain} is fine: {found}"))
        }
        CheckState::Missing => warning(format!("{domain} has no {name} record")),
        CheckState::Wrong => warning(format!("the {name} record of {domain} is wrong: {found}")),
        CheckState::Likely | CheckState::Untested => warning(format!(
            "the {name} record of {domain} does not name the mail server: {found}"
        )),
        CheckState::Unknown => Finding::Warning(
            format!("the {name} record of {domain} was not found out"),
            "check this machine's DNS".to_owned(),
        ),
    }
}
