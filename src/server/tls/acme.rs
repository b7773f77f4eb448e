//! Orders the certificate from an ACME authority (RFC 8555) and renews it, by TLS-ALPN-01.

use super::TlsError;
use super::certificate_store::{CertificateStore, IssuedCertificate, contacts};
use super::challenge::{AcmeResolver, ChallengeError, challenge_certificate};
use super::directory_client::DirectoryClient;
use super::expiry::RenewalFailure;
use crate::config::{Acme, Mode};
use crate::errors::{Error, UNKNOWN_REASON};
use crate::state::App;
use instant_acme::{
    Account, AccountBuilder, AuthorizationStatus, CertificateIdentifier, ChallengeType, Identifier,
    Key, NewAccount, NewOrder, Order, OrderStatus, RetryPolicy, SuggestedWindow,
};
use respiro_content::{Timestamp, time};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Longest sleep between two checks of the wall clock. Timers stop while a machine is suspended; a
/// due renewal is then detected within an hour.
const CHECK_INTERVAL: Duration = Duration::from_hours(1);
const HOUR_MS: i64 = 60 * 60_000;
/// Time between two orders while the clock is so far ahead that a new certificate is due at once:
/// authorities limit them to five a week.
const ORDER_INTERVAL: Duration = Duration::from_hours(24);
/// Doubles with each failed order, up to four and a half hours: Let's Encrypt counts failures.
const RETRY_DELAY_MS: i64 = 1_000;
const RETRY_DOUBLINGS_MAX: u32 = 14;
/// Polls for a validation and for the certificate, 0.25 s apart at first.
const POLL: RetryPolicy = RetryPolicy::new().timeout(Duration::from_mins(2));
/// Bounds of the `Retry-After` of renewal information (RFC 9773, section 4.3.2).
const RENEWAL_INFO_DELAY_MS_MIN: i64 = 60_000;
const RENEWAL_INFO_DELAY_MS_MAX: i64 = 24 * HOUR_MS;
/// After an error, or when the authority offers none (RFC 9773, section 4.3.3).
const RENEWAL_INFO_RETRY_MS: i64 = 6 * HOUR_MS;
const ACCOUNT_DOES_NOT_EXIST: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

/// Why an order or its parts failed.
#[derive(Debug, thiserror::Error)]
enum OrderError {
    #[error("{0}")]
    Acme(#[from] instant_acme::Error),
    /// The authority could not validate a name; holds the authority's explanation.
    #[error("{0}")]
    Validation(String),
    #[error("the authority offers no TLS-ALPN-01 challenge for {0}")]
    NoChallenge(String),
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    #[error("the issued certificate cannot be used: {0}")]
    Certificate(String),
    #[error("{0}")]
    Store(#[from] Error),
}

impl OrderError {
    /// Returns the Italian message for the practitioner.
    const fn message(&self) -> &'static str {
        match self {
            Self::Validation(_) => "l’autorità che lo rilascia non riesce a raggiungere il sito",
            Self::Acme(_) | Self::NoChallenge(_) | Self::Certificate(_) => {
                "l’autorità che lo rilascia non ha risposto come dovrebbe"
            }
            Self::Challenge(_) | Self::Store(_) => UNKNOWN_REASON,
        }
    }
}

/// Renews the certificate of one set of names at one authority.
pub(super) struct Renewal {
    app: Arc<App>,
    store: CertificateStore,
    resolver: Arc<AcmeResolver>,
    failure: Arc<RenewalFailure>,
    client: DirectoryClient,
    directory: String,
    domains: Vec<String>,
    contacts: Vec<String>,
    suggestion: SuggestedRenewal,
}

/// The renewal time that the authority last suggested for the certificate in use.
#[derive(Debug, Default)]
struct SuggestedRenewal {
    renew_at: Option<Timestamp>,
    next_query_at: Timestamp,
}

impl Renewal {
    pub(super) fn new(
        app: &Arc<App>,
        acme: &Acme,
        resolver: Arc<AcmeResolver>,
        failure: Arc<RenewalFailure>,
    ) -> Result<Self, TlsError> {
        Ok(Self {
            app: Arc::clone(app),
            store: CertificateStore::new(Arc::clone(app), acme),
            resolver,
            failure,
            client: DirectoryClient::new(acme.ca.as_deref(), app.site.clock())?,
            directory: acme.directory.clone(),
            domains: acme.domains.clone(),
            contacts: contacts(acme),
            suggestion: SuggestedRenewal::default(),
        })
    }

    /// Serves the stored certificate, then orders and renews. Never returns.
    pub(super) async fn run(mut self) {
        let mut certificate = self.load_certificate().await;
        let mut failures = 0;
        let mut retry_at = Timestamp::MIN;
        let mut not_before = Instant::now();
        loop {
            let due_at = match &certificate {
                // The names lead to another machine by now or soon: failed validations would
                // count against the limits of the authority, which the new machine shares.
                Some(_) if self.app.config.mode == Mode::Retired => Timestamp::MAX,
                Some(certificate) => self.renewal_time(certificate).await,
                None => Timestamp::MIN,
            };
            let wait = wait_until(due_at, retry_at, self.system_time());
            let wait = wait.max(not_before.saturating_duration_since(Instant::now()));
            if !wait.is_zero() {
                tokio::time::sleep(wait.min(CHECK_INTERVAL)).await;
                continue;
            }
            match self.order().await {
                Ok(issued) => {
                    failures = 0;
                    if issued.last_third_begins_at() <= self.system_time() {
                        not_before = Instant::now() + ORDER_INTERVAL;
                    }
                    self.suggestion = SuggestedRenewal::default();
                    certificate = Some(issued);
                }
                Err(error) => {
                    retry_at = self.system_time() + retry_delay_ms(failures);
                    failures = failures.saturating_add(1);
                    self.report(&error);
                }
            }
        }
    }

    /// Returns the time by which authority and browsers judge the certificate.
    fn system_time(&self) -> Timestamp {
        self.app.site.clock().system_time()
    }

    fn report(&self, error: &OrderError) {
        self.failure.set(Some(error.message()));
        tracing::error!(
            names = self.domains.join(", "),
            reason = %error,
            "no new certificate: check that the DNS records of these names lead to this machine \
             and that port 443 reaches this program (`respiro doctor`); the next try comes by \
             itself"
        );
    }

    /// Serves the certificate that the data file holds, if it can be used.
    async fn load_certificate(&self) -> Option<IssuedCertificate> {
        let names = self.domains.join(", ");
        let stored = self.store.load_certificate().await.transpose()?;
        let stored = stored.map_err(|error| error.to_string());
        match stored.and_then(|pem| IssuedCertificate::from_pem(&pem)) {
            Ok(certificate) => {
                self.resolver.set_certificate(Arc::clone(&certificate.key));
                tracing::info!(names, "the certificate kept in the data file is in use");
                Some(certificate)
            }
            Err(reason) => {
                tracing::error!(
                    names,
                    reason,
                    "cannot use the certificate in the data file: ordering another"
                );
                None
            }
        }
    }

    /// Returns when to renew: at the suggested time, or when a third of the lifetime is left.
    async fn renewal_time(&mut self, certificate: &IssuedCertificate) -> Timestamp {
        let now = self.system_time();
        let next_query_at = self.suggestion.next_query_at;
        if now >= time::due(next_query_at, RENEWAL_INFO_DELAY_MS_MAX, now) {
            let delay_ms = match self.query_renewal_info(certificate).await {
                Ok((renew_at, delay_ms)) => {
                    self.suggestion.renew_at = renew_at;
                    delay_ms.clamp(RENEWAL_INFO_DELAY_MS_MIN, RENEWAL_INFO_DELAY_MS_MAX)
                }
                Err(error) => {
                    tracing::debug!(%error, "no renewal information");
                    RENEWAL_INFO_RETRY_MS
                }
            };
            self.suggestion.next_query_at = now + delay_ms;
        }
        let suggested = self.suggestion.renew_at;
        suggested.map_or_else(
            || certificate.last_third_begins_at(),
            |renew_at| renew_at.min(certificate.valid_until),
        )
    }

    /// Returns the suggested time, and the delay in milliseconds until the next query (RFC 9773).
    async fn query_renewal_info(
        &self,
        certificate: &IssuedCertificate,
    ) -> Result<(Option<Timestamp>, i64), OrderError> {
        let leaf = &certificate.leaf;
        let id = CertificateIdentifier::try_from(leaf).map_err(OrderError::Certificate)?;
        let account = self.account().await?;
        let (info, delay) = account.renewal_info(&id).await?;
        let delay_ms = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
        Ok((time_in_window(&info.suggested_window, leaf), delay_ms))
    }

    /// Orders a certificate, serves it and stores it.
    async fn order(&self) -> Result<IssuedCertificate, OrderError> {
        let account = self.account().await?;
        let names: Vec<_> = self.domains.iter().cloned().map(Identifier::Dns).collect();
        let mut order = account.new_order(&NewOrder::new(&names)).await?;
        let validated = self.validate(&mut order).await;
        self.resolver.clear_challenges();
        validated?;
        let key = order.finalize().await?;
        let chain = order.poll_certificate(&POLL).await?;
        let pem = format!("{key}\n{chain}").into_bytes();
        let issued = IssuedCertificate::from_pem(&pem).map_err(OrderError::Certificate)?;
        self.resolver.set_certificate(Arc::clone(&issued.key));
        self.failure.set(None);
        tracing::info!(
            names = self.domains.join(", "),
            "a new certificate is in use"
        );
        if let Err(error) = self.store.save_certificate(pem).await {
            tracing::error!(%error, "cannot store the new certificate: a restart orders another");
        }
        Ok(issued)
    }

    /// Returns the stored account, or a new one if none is stored or the authority does not know
    /// it.
    async fn account(&self) -> Result<Account, OrderError> {
        if let Some(key) = self.store.load_account_key().await? {
            let der = PrivatePkcs8KeyDer::from(key);
            let key = Key::from_pkcs8_der(der.clone_key())?;
            let restored = self.account_builder();
            let restored = restored.from_key((key, der.into()), self.directory.clone());
            match restored.await {
                Ok((account, _)) => return Ok(account),
                Err(instant_acme::Error::Api(problem))
                    if problem.r#type.as_deref() == Some(ACCOUNT_DOES_NOT_EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let contacts: Vec<_> = self.contacts.iter().map(String::as_str).collect();
        let new_account = NewAccount {
            contact: &contacts,
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let created = self.account_builder();
        let created = created.create(&new_account, self.directory.clone(), None);
        let (account, credentials) = created.await?;
        let key = credentials.private_key().secret_pkcs8_der();
        self.store.save_account_key(key).await?;
        Ok(account)
    }

    fn account_builder(&self) -> AccountBuilder {
        Account::builder_with_http(Box::new(self.client.clone()))
    }

    /// Answers the challenges of an order and waits until the authority has validated all names.
    async fn validate(&self, order: &mut Order) -> Result<(), OrderError> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization?;
            if authorization.status != AuthorizationStatus::Pending {
                continue;
            }
            let name = authorization.identifier().to_string();
            let challenge = authorization.challenge(ChallengeType::TlsAlpn01);
            let mut challenge = challenge.ok_or_else(|| OrderError::NoChallenge(name.clone()))?;
            let digest = challenge.key_authorization().digest();
            let certificate = challenge_certificate(&name, digest.as_ref())?;
            self.resolver.set_challenge(name, certificate);
            challenge.set_ready().await?;
        }
        let outcome = order.poll_ready(&POLL).await;
        if matches!(outcome, Ok(OrderStatus::Ready)) {
            return Ok(());
        }
        let details = challenge_errors(order).await;
        if details.is_empty() {
            outcome?;
            return Err(OrderError::Validation("the order is invalid".to_owned()));
        }
        Err(OrderError::Validation(details.join("; ")))
    }
}

/// Returns the authority's explanations of failed validations.
async fn challenge_errors(order: &mut Order) -> Vec<String> {
    let mut details = Vec::new();
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        if let Ok(state) = authorization.refresh().await {
            let errors = state
                .challenges
                .iter()
                .filter_map(|challenge| challenge.error.as_ref());
            details.extend(errors.filter_map(|error| error.detail.clone()));
        }
    }
    details
}

/// Returns how long to wait for an order. A time to retry that is too far ahead was noted before
/// the clock was set back.
fn wait_until(due_at: Timestamp, retry_at: Timestamp, now: Timestamp) -> Duration {
    let retry_at = time::due(retry_at, retry_delay_ms(RETRY_DOUBLINGS_MAX), now);
    let next_at = due_at.max(retry_at);
    if next_at > now {
        Duration::from_millis(next_at.abs_diff(now))
    } else {
        Duration::ZERO
    }
}

fn retry_delay_ms(failures: u32) -> i64 {
    RETRY_DELAY_MS << failures.min(RETRY_DOUBLINGS_MAX)
}

/// Returns a time in the suggested window; `None` if the window is empty. RFC 9773, section 4.2,
/// asks for a uniformly random time. It is derived from the certificate's hash, so that each query
/// gives the same time.
fn time_in_window(window: &SuggestedWindow, leaf: &CertificateDer<'_>) -> Option<Timestamp> {
    let start = window.start.unix_timestamp();
    let length_seconds = window.end.unix_timestamp().checked_sub(start)?;
    if length_seconds <= 0 {
        return None;
    }
    let digest: [u8; 32] = Sha256::digest(leaf).into();
    let [first, second, ..] = digest;
    let fraction = i64::from(u16::from_be_bytes([first, second]));
    let offset_seconds = length_seconds.saturating_mul(fraction) / (i64::from(u16::MAX) + 1);
    Some((start + offset_seconds).saturating_mul(1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use instant_acme::RenewalInfo;

    fn window(start: &str, end: &str) -> SuggestedWindow {
        let json = format!(r#"{{"suggestedWindow":{{"start":"{start}","end":"{end}"}}}}"#);
        let info: RenewalInfo = serde_json::from_str(&json).unwrap();
        info.suggested_window
    }

    #[test]
    fn a_certificate_is_renewed_at_one_time_of_the_suggested_window() {
        let window = window("2027-01-02T04:00:00Z", "2027-01-03T04:00:00Z");
        let time = |leaf: &'static [u8]| {
            time_in_window(&window, &CertificateDer::from(leaf)).unwrap() - 1_798_862_400_000
        };
        let day_ms = 24 * HOUR_MS;
        assert!((0..day_ms).contains(&time(b"one")));
        assert_eq!(time(b"one"), time(b"one"));
        assert_ne!(time(b"one"), time(b"another"));
    }

    #[test]
    fn an_empty_window_suggests_nothing() {
        let leaf = CertificateDer::from(b"leaf".as_slice());
        let noon = "2027-01-02T12:00:00Z";
        assert_eq!(time_in_window(&window(noon, noon), &leaf), None);
        let reversed = window(noon, "2027-01-02T11:00:00Z");
        assert_eq!(time_in_window(&reversed, &leaf), None);
    }

    /// A clock that was behind at the start is right an hour later; one that was ahead does not
    /// postpone the next try to the date that it showed.
    #[test]
    fn a_due_renewal_is_found_within_an_hour_after_the_clock_was_corrected() {
        let (renew_at, now) = (60 * 24 * HOUR_MS, 70 * 24 * HOUR_MS);
        assert!(wait_until(renew_at, Timestamp::MIN, 0) > CHECK_INTERVAL);
        assert_eq!(wait_until(renew_at, Timestamp::MIN, now), Duration::ZERO);
        let retry_at = now + 300 * 24 * HOUR_MS + retry_delay_ms(3);
        assert_eq!(wait_until(renew_at, retry_at, now), Duration::ZERO);
        let soon = now + retry_delay_ms(3);
        let wait = wait_until(renew_at, soon, now);
        assert_eq!(wait, Duration::from_secs(8));
    }

    #[test]
    fn failed_orders_are_retried_at_growing_intervals() {
        assert_eq!(retry_delay_ms(0), 1_000);
        assert_eq!(retry_delay_ms(3), 8_000);
        assert_eq!(retry_delay_ms(14), 16_384_000);
        assert_eq!(retry_delay_ms(u32::MAX), 16_384_000);
    }
}
