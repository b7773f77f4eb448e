//! Checks whether receivers can tell that the site's e-mails come from its domain: SPF and DMARC
//! records, and the results that the receiving mail server added to a test letter.
//!
//! DNS alone cannot tell which machines a mail provider sends from. If the admin pastes a received
//! letter, the verdict of its receiver takes precedence.

use crate::SmtpOptions;
use crate::dns_txt::{DnsError, DnsResolver};
use respiro_content::validation::ascii_domain;
use std::net::IpAddr;

/// Most `Authentication-Results` headers of a letter that are read.
const HEADERS_MAX: usize = 20;
const HEADER_BYTES_MAX: usize = 4 * 1024;

/// Ends of the host names of mail providers, and the mechanism that each documents for SPF.
const PROVIDERS: &[(&str, &str)] = &[
    ("aruba.it", "include:_spf.aruba.it"),
    ("gmail.com", "include:_spf.google.com"),
    ("google.com", "include:_spf.google.com"),
    ("office365.com", "include:spf.protection.outlook.com"),
    ("outlook.com", "include:spf.protection.outlook.com"),
    ("ovh.net", "include:mx.ovh.com"),
    (
        "ionos.it",
        "include:_spf.perfora.net include:_spf.kundenserver.de",
    ),
    ("infomaniak.com", "include:spf.infomaniak.ch"),
    ("zoho.eu", "include:zohomail.eu"),
    ("fastmail.com", "include:spf.messagingengine.com"),
    ("messagingengine.com", "include:spf.messagingengine.com"),
    ("protonmail.ch", "include:_spf.protonmail.ch"),
    ("brevo.com", "include:spf.brevo.com"),
    ("mailgun.org", "include:mailgun.org"),
    ("sendgrid.net", "include:sendgrid.net"),
    ("amazonaws.com", "include:amazonses.com"),
    ("mailbox.org", "include:mailbox.org"),
];

/// State of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckState {
    Good,
    /// The record is there; only a letter can show whether it fits.
    Likely,
    /// There is no record, or no signature.
    Missing,
    /// A record, or a signature, that does not fit.
    Wrong,
    /// Not known before a letter is read.
    Untested,
    /// DNS does not answer.
    Unknown,
}

impl CheckState {
    /// Name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Likely => "likely",
            Self::Missing => "missing",
            Self::Wrong => "wrong",
            Self::Untested => "untested",
            Self::Unknown => "unknown",
        }
    }
}

/// A DNS record that the provider of the domain should publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsRecord {
    pub name: String,
    pub value: String,
}

/// Result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SenderCheck {
    pub state: CheckState,
    /// The record that was found; for DKIM the domain that signed.
    pub found: Option<String>,
    /// The TXT record to publish instead, unless the check is good.
    pub wanted: Option<DnsRecord>,
}

impl SenderCheck {
    const fn of(state: CheckState, found: Option<String>) -> Self {
        Self {
            state,
            found,
            wanted: None,
        }
    }
}

/// Results of all checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SenderReport {
    /// Domain of the sender's address.
    pub domain: String,
    pub spf: SenderCheck,
    pub dkim: SenderCheck,
    pub dmarc: SenderCheck,
}

/// Reason why a pasted letter proves nothing about the sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterProblem {
    /// The admin pasted the text without the headers.
    NoSource,
    /// The `From` header has another domain.
    OtherSender,
    /// The receiving mail server added no `Authentication-Results`.
    NoResults,
}

/// Checks the domain of the sender. `letter` is the source of a received letter.
pub async fn check(
    resolver: &DnsResolver,
    mail: &SmtpOptions,
    letter: Option<&str>,
) -> Result<SenderReport, LetterProblem> {
    let (_, domain) = mail.from.rsplit_once('@').unwrap_or_default();
    let domain = ascii_domain(domain).to_ascii_lowercase();
    let results = letter
        .map(|source| read_letter(source, &domain))
        .transpose()?;
    let results = results.as_ref();
    let spf = resolver.txt(&domain).await;
    let dmarc = find_dmarc(resolver, &domain).await;
    Ok(SenderReport {
        spf: check_spf(spf, &domain, &mail.server.host, results),
        dkim: check_dkim(&domain, results),
        dmarc: check_dmarc(dmarc, &domain),
        domain,
    })
}

/// Returns the mechanism that allows the mail server to send.
fn spf_mechanism(host: &str) -> String {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let known = PROVIDERS
        .iter()
        .find(|(name, _)| is_within(&host, name))
        .map(|(_, mechanism)| (*mechanism).to_owned());
    known.unwrap_or_else(|| match host.parse() {
        Ok(IpAddr::V4(address)) => format!("ip4:{address}"),
        Ok(IpAddr::V6(address)) => format!("ip6:{address}"),
        Err(_) => format!("a:{}", ascii_domain(&host)),
    })
}

fn check_spf(
    records: Result<Vec<String>, DnsError>,
    domain: &str,
    host: &str,
    letter: Option<&Letter>,
) -> SenderCheck {
    let result = letter.and_then(|letter| letter.result("spf", domain));
    let Ok(records) = records else {
        let state = if result == Some(true) {
            CheckState::Good
        } else {
            CheckState::Unknown
        };
        return SenderCheck::of(state, None);
    };
    let mut records = records.into_iter().filter(|record| is_spf(record));
    let (first, second) = (records.next(), records.next());
    let mechanism = spf_mechanism(host);
    let record = |value: String| {
        let name = domain.to_owned();
        Some(DnsRecord { name, value })
    };
    match (first, second) {
        (None, _) => SenderCheck {
            wanted: record(format!("v=spf1 {mechanism} ~all")),
            ..SenderCheck::of(CheckState::Missing, None)
        },
        // With two records every receiver ignores both (RFC 7208, section 4.5).
        (Some(first), Some(second)) => SenderCheck {
            wanted: record(add_mechanism(&first, &mechanism)),
            ..SenderCheck::of(CheckState::Wrong, Some(format!("{first}\n{second}")))
        },
        (Some(found), None) => {
            let names_server = mechanism.split(' ').all(|part| {
                let mut words = found.split_whitespace();
                words.any(|word| word.trim_start_matches('+').eq_ignore_ascii_case(part))
            });
            let state = match result {
                Some(true) => CheckState::Good,
                Some(false) => CheckState::Wrong,
                None if names_server => CheckState::Good,
                None => CheckState::Likely,
            };
            let wanted = (state != CheckState::Good && !names_server)
                .then(|| add_mechanism(&found, &mechanism))
                .and_then(record);
            SenderCheck {
                wanted,
                ..SenderCheck::of(state, Some(found))
            }
        }
    }
}

fn is_spf(record: &str) -> bool {
    let version = record.split_whitespace().next();
    version.is_some_and(|version| version.eq_ignore_ascii_case("v=spf1"))
}

/// Adds a mechanism before the one that matches everything, which ends the evaluation.
fn add_mechanism(record: &str, mechanism: &str) -> String {
    let is_all = |word: &str| {
        let word = word.trim_start_matches(['+', '-', '~', '?']);
        word.eq_ignore_ascii_case("all") || word.to_ascii_lowercase().starts_with("redirect=")
    };
    let words: Vec<&str> = record.split_whitespace().collect();
    let place = words.iter().position(|word| is_all(word));
    let place = place.unwrap_or(words.len());
    let (before, after) = words.split_at(place);
    let parts = before.iter().copied().chain(mechanism.split(' '));
    let parts = parts.chain(after.iter().copied());
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns the DMARC record of the domain or of the nearest domain above it.
async fn find_dmarc(resolver: &DnsResolver, domain: &str) -> Result<Option<String>, DnsError> {
    let mut name = domain;
    loop {
        let records = resolver.txt(&format!("_dmarc.{name}")).await?;
        if let Some(record) = records.into_iter().find(|record| is_dmarc(record)) {
            return Ok(Some(record));
        }
        match name.split_once('.') {
            Some((_, parent)) if parent.contains('.') => name = parent,
            _ => return Ok(None),
        }
    }
}

fn is_dmarc(record: &str) -> bool {
    let version = record.split(';').next().unwrap_or_default();
    version.trim().eq_ignore_ascii_case("v=DMARC1")
}

fn check_dmarc(record: Result<Option<String>, DnsError>, domain: &str) -> SenderCheck {
    let Ok(record) = record else {
        return SenderCheck::of(CheckState::Unknown, None);
    };
    let policy = record.as_deref().and_then(|record| {
        let mut tags = record.split(';').filter_map(|tag| tag.split_once('='));
        let (_, policy) = tags.find(|(name, _)| name.trim().eq_ignore_ascii_case("p"))?;
        Some(policy.trim().to_ascii_lowercase())
    });
    let state = match (policy.as_deref(), record.is_some()) {
        (Some("none" | "quarantine" | "reject"), _) => CheckState::Good,
        (_, true) => CheckState::Wrong,
        (_, false) => CheckState::Missing,
    };
    let wanted = (state != CheckState::Good).then(|| DnsRecord {
        name: format!("_dmarc.{domain}"),
        value: "v=DMARC1; p=none".to_owned(),
    });
    SenderCheck {
        wanted,
        ..SenderCheck::of(state, record)
    }
}

fn check_dkim(domain: &str, letter: Option<&Letter>) -> SenderCheck {
    let Some(letter) = letter else {
        return SenderCheck::of(CheckState::Untested, None);
    };
    let signers = letter
        .results
        .iter()
        .filter(|result| result.method == "dkim");
    let signer = signers.map(|result| result.domain.clone()).next();
    let state = match letter.result("dkim", domain) {
        Some(true) => CheckState::Good,
        Some(false) => CheckState::Wrong,
        None if signer.as_ref().is_some_and(|signer| !signer.is_empty()) => CheckState::Wrong,
        None => CheckState::Missing,
    };
    SenderCheck::of(state, signer.filter(|signer| !signer.is_empty()))
}

/// Authentication results that the receiving mail server added to a letter.
#[derive(Debug, Default)]
struct Letter {
    results: Vec<AuthResult>,
}

/// Result of one authentication method in an `Authentication-Results` header (RFC 8601).
#[derive(Debug, PartialEq, Eq)]
struct AuthResult {
    method: String,
    is_pass: bool,
    /// The domain that was authenticated.
    domain: String,
}

impl Letter {
    /// Returns whether the method passed for the domain; `None` without a result about it.
    fn result(&self, method: &str, domain: &str) -> Option<bool> {
        let results = self
            .results
            .iter()
            .filter(|result| result.method == method && is_aligned(&result.domain, domain));
        results.map(|result| result.is_pass).reduce(|a, b| a || b)
    }
}

/// Reads the headers of a letter from `domain`.
fn read_letter(source: &str, domain: &str) -> Result<Letter, LetterProblem> {
    let headers = headers(source);
    let from = values_of(&headers, "From").next();
    let from = from.ok_or(LetterProblem::NoSource)?;
    let address = from.rsplit_once('<').map_or(from, |(_, address)| address);
    let address = address.trim_end_matches(['>', ' ']);
    let is_ours = address
        .rsplit_once('@')
        .is_some_and(|(_, sender)| ascii_domain(sender.trim()).eq_ignore_ascii_case(domain));
    if !is_ours {
        return Err(LetterProblem::OtherSender);
    }
    let results = values_of(&headers, "Authentication-Results").take(HEADERS_MAX);
    let results: Vec<AuthResult> = results.flat_map(auth_results).collect();
    if results.is_empty() {
        return Err(LetterProblem::NoResults);
    }
    Ok(Letter { results })
}

/// Returns the unfolded headers before the first empty line.
fn headers(source: &str) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    let source = source.trim_start_matches(['\u{feff}', '\r', '\n', ' ']);
    for line in source.lines() {
        if line.trim().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = headers.last_mut()
                && value.len() < HEADER_BYTES_MAX
            {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    headers
}

fn values_of<'a>(headers: &'a [(String, String)], name: &'a str) -> impl Iterator<Item = &'a str> {
    let named = headers
        .iter()
        .filter(move |(known, _)| known.eq_ignore_ascii_case(name));
    named.map(|(_, value)| value.as_str())
}

fn auth_results(value: &str) -> Vec<AuthResult> {
    let value = without_comments(value);
    value.split(';').filter_map(auth_result).collect()
}

fn auth_result(part: &str) -> Option<AuthResult> {
    let mut words = part.split_whitespace();
    let (method, result) = words.next()?.split_once('=')?;
    let method = method.to_ascii_lowercase();
    let mut domain = String::new();
    for (name, value) in words.filter_map(|word| word.split_once('=')) {
        let is_about = match method.as_str() {
            "dkim" => ["header.d", "header.i"].contains(&name),
            "spf" => name == "smtp.mailfrom",
            "dmarc" => name == "header.from",
            _ => false,
        };
        if is_about && domain.is_empty() {
            let value = value.trim_matches(['"', '<', '>']);
            let value = value.rsplit_once('@').map_or(value, |(_, domain)| domain);
            domain = ascii_domain(value).to_ascii_lowercase();
        }
    }
    Some(AuthResult {
        method,
        is_pass: result.eq_ignore_ascii_case("pass"),
        domain,
    })
}

/// Comments stand in parentheses, also in one another.
fn without_comments(value: &str) -> String {
    let mut depth = 0_usize;
    let mut plain = String::with_capacity(value.len());
    for sign in value.chars() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            sign if depth == 0 => plain.push(sign),
            _ => {}
        }
    }
    plain
}

/// Relaxed alignment: one domain is the other or within it.
fn is_aligned(one: &str, other: &str) -> bool {
    !one.is_empty() && one.contains('.') && (is_within(one, other) || is_within(other, one))
}

fn is_within(name: &str, domain: &str) -> bool {
    let rest = name.strip_suffix(domain);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "example.org";
    const GMAIL: &str = "Delivered-To: anna@gmail.com\r\n\
        Authentication-Results: mx.google.com;\r\n       \
        dkim=pass header.i=@example.org header.s=s1 header.b=Abc;\r\n       \
        spf=pass (google.com: domain of sito@example.org designates 192.0.2.1 as permitted \
        sender; (nested)) smtp.mailfrom=sito@example.org;\r\n       \
        dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=example.org\r\n\
        From: Respiro <sito@example.org>\r\nSubject: Prova\r\n\r\nFrom: altri@example.net\r\n";
    const OUTLOOK: &str = "Authentication-Results: spf=fail (sender IP is 192.0.2.1)\n \
        smtp.mailfrom=example.org; dkim=pass (signature was verified)\n \
        header.d=provider.example;dmarc=fail action=none header.from=example.org;\n\
        From: sito@example.org\n\nCiao\n";

    fn txt(records: &[&str]) -> Vec<String> {
        records.iter().map(|record| (*record).to_owned()).collect()
    }

    fn value(check: &SenderCheck) -> &str {
        check.wanted.as_ref().map_or("", |record| &record.value)
    }

    #[test]
    fn the_results_of_a_received_letter_are_read() {
        let letter = read_letter(GMAIL, DOMAIN).unwrap();
        assert_eq!(letter.result("dkim", DOMAIN), Some(true));
        assert_eq!(letter.result("spf", DOMAIN), Some(true));
        assert_eq!(check_dkim(DOMAIN, Some(&letter)).state, CheckState::Good);
        let letter = read_letter(OUTLOOK, DOMAIN).unwrap();
        assert_eq!(letter.result("spf", DOMAIN), Some(false));
        let dkim = check_dkim(DOMAIN, Some(&letter));
        assert_eq!(dkim.state, CheckState::Wrong);
        assert_eq!(dkim.found.as_deref(), Some("provider.example"));
        let unsigned = "Authentication-Results: x; dkim=none; spf=pass smtp.mailfrom=example.org\n\
                        From: sito@example.org\n\n";
        let letter = read_letter(unsigned, DOMAIN).unwrap();
        assert_eq!(check_dkim(DOMAIN, Some(&letter)).state, CheckState::Missing);
        assert_eq!(check_dkim(DOMAIN, None).state, CheckState::Untested);
    }

    #[test]
    fn a_letter_of_another_sender_or_without_results_is_refused() {
        let problem = |source: &str| read_letter(source, DOMAIN).err();
        assert_eq!(problem("Ciao Anna"), Some(LetterProblem::NoSource));
        assert_eq!(problem(""), Some(LetterProblem::NoSource));
        let other = GMAIL.replace("<sito@example.org>", "<sito@notexample.org>");
        assert_eq!(problem(&other), Some(LetterProblem::OtherSender));
        let none = "From: sito@example.org\n\nAuthentication-Results: x; dkim=pass\n";
        assert_eq!(problem(none), Some(LetterProblem::NoResults));
        // Millions of parentheses and folded lines end.
        let deep = format!(
            "From: sito@example.org\nAuthentication-Results: {}{}\n\n",
            "(".repeat(100_000),
            "\n x".repeat(100_000)
        );
        assert_eq!(problem(&deep), Some(LetterProblem::NoResults));
    }

    #[test]
    fn another_domain_is_not_aligned() {
        for (one, other) in [
            ("example.org", "example.org"),
            ("mail.example.org", "example.org"),
            ("example.org", "news.example.org"),
        ] {
            assert!(is_aligned(one, other), "{one} {other}");
        }
        for one in ["notexample.org", "example.org.evil.example", "org", ""] {
            assert!(!is_aligned(one, DOMAIN), "{one}");
        }
    }

    #[test]
    fn a_missing_spf_record_is_given_whole_and_one_without_the_server_is_completed() {
        let check = |records: &[&str], host: &str, letter: Option<&Letter>| {
            check_spf(Ok(txt(records)), DOMAIN, host, letter)
        };
        let missing = check(&["google-site-verification=x"], "smtps.aruba.it", None);
        assert_eq!(missing.state, CheckState::Missing);
        assert_eq!(value(&missing), "v=spf1 include:_spf.aruba.it ~all");
        let own = check(&[], "mail.example.net", None);
        assert_eq!(value(&own), "v=spf1 a:mail.example.net ~all");
        let good = check(
            &["v=spf1 include:_spf.aruba.it -all"],
            "smtps.aruba.it",
            None,
        );
        assert_eq!((good.state, value(&good)), (CheckState::Good, ""));
        let likely = check(&["v=spf1 mx -all"], "smtps.aruba.it", None);
        assert_eq!(likely.state, CheckState::Likely);
        assert_eq!(value(&likely), "v=spf1 mx include:_spf.aruba.it -all");
        let two = check(&["v=spf1 mx -all", "V=SPF1 a ~all"], "smtps.aruba.it", None);
        assert_eq!(two.state, CheckState::Wrong);
        // The verdict of the receiving mail server takes precedence over the record.
        let passed = read_letter(GMAIL, DOMAIN).unwrap();
        let good = check(&["v=spf1 mx -all"], "smtps.aruba.it", Some(&passed));
        assert_eq!((good.state, value(&good)), (CheckState::Good, ""));
        let failed = read_letter(OUTLOOK, DOMAIN).unwrap();
        let wrong = check(&["v=spf1 mx"], "smtps.aruba.it", Some(&failed));
        assert_eq!(wrong.state, CheckState::Wrong);
        assert_eq!(value(&wrong), "v=spf1 mx include:_spf.aruba.it");
        let silent = check_spf(Err(DnsError::NoAnswer), DOMAIN, "smtps.aruba.it", None);
        assert_eq!(silent.state, CheckState::Unknown);
    }

    #[test]
    fn a_dmarc_record_needs_a_policy() {
        let check = |record: Option<&str>| check_dmarc(Ok(record.map(str::to_owned)), DOMAIN);
        assert_eq!(check(Some("v=DMARC1; p=none")).state, CheckState::Good);
        assert_eq!(check(Some("v=DMARC1;P=Reject")).state, CheckState::Good);
        let wrong = check(Some("v=DMARC1; rua=mailto:a@example.org"));
        assert_eq!(wrong.state, CheckState::Wrong);
        let missing = check(None);
        assert_eq!(missing.state, CheckState::Missing);
        let wanted = missing.wanted.unwrap();
        assert_eq!(wanted.name, "_dmarc.example.org");
        assert_eq!(wanted.value, "v=DMARC1; p=none");
    }
}
