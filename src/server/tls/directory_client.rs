//! HTTP client for the ACME authority's directory: ureq in blocking tasks.

use super::{TlsError, chain_of};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use instant_acme::{BodyWrapper, BytesResponse, HttpClient};
use respiro_db::clock::{Clock, TimeSource};
use rustls::RootCertStore;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Request;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
const RESPONSE_BYTES_MAX: u64 = 1024 * 1024;

/// One agent for each set of roots.
#[derive(Clone)]
pub(super) struct DirectoryClient {
    agents: Vec<Agent>,
    /// Compared with the `Date` of each answer.
    clock: Clock,
}

impl DirectoryClient {
    /// Trusts the public roots and the certificates in `ca`.
    pub(super) fn new(ca: Option<&Path>, clock: &Clock) -> Result<Self, TlsError> {
        let own_roots = ca.map(read_roots).transpose()?;
        let roots = own_roots.into_iter().chain([RootCerts::WebPki]);
        Ok(Self {
            agents: roots.map(agent).collect(),
            clock: clock.clone(),
        })
    }
}

fn agent(roots: RootCerts) -> Agent {
    Agent::config_builder()
        .tls_config(TlsConfig::builder().root_certs(roots).build())
        .http_status_as_error(false)
        .timeout_global(Some(REQUEST_TIMEOUT))
        .build()
        .new_agent()
}

fn read_roots(path: &Path) -> Result<RootCerts, TlsError> {
    let refused = |reason: String| TlsError::Root {
        path: path.to_owned(),
        reason,
    };
    let roots = chain_of(path).map_err(refused)?;
    let mut checked = RootCertStore::empty();
    for root in roots.clone() {
        checked
            .add(root)
            .map_err(|error| refused(error.to_string()))?;
    }
    let roots = roots
        .iter()
        .map(|root| Certificate::from_der(root).to_owned());
    Ok(RootCerts::from(roots))
}

impl HttpClient for DirectoryClient {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, instant_acme::Error>> + Send>> {
        let Self { agents, clock } = self.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let Ok(body) = body.collect().await;
            let request = Request::from_parts(parts, body.to_bytes().to_vec());
            let sent = tokio::task::spawn_blocking(move || send(&agents, &request)).await;
            let sent = sent.map_err(|error| instant_acme::Error::Other(error.into()))?;
            let sent = sent.map_err(|error| instant_acme::Error::Other(error.into()))?;
            let date = sent.parts.headers.get("date");
            if let Some(date) = date.and_then(|date| date.to_str().ok()) {
                clock.observe_date(TimeSource::Acme, date);
            }
            Ok(sent)
        })
    }
}

/// Sends with the first agent that trusts the authority's certificate.
fn send(agents: &[Agent], request: &Request<Vec<u8>>) -> Result<BytesResponse, ureq::Error> {
    let mut failure = ureq::Error::ConnectionFailed;
    for agent in agents {
        match send_over(agent, request.clone()) {
            // The handshake failed: nothing has been sent.
            Err(error) if is_tls_error(&error) => failure = error,
            sent => return sent,
        }
    }
    Err(failure)
}

fn is_tls_error(error: &ureq::Error) -> bool {
    let ureq::Error::Io(error) = error else {
        return matches!(error, ureq::Error::Rustls(_));
    };
    error
        .get_ref()
        .is_some_and(|inner| inner.is::<rustls::Error>())
}

fn send_over(agent: &Agent, request: Request<Vec<u8>>) -> Result<BytesResponse, ureq::Error> {
    let response = if request.body().is_empty() {
        agent.run(request.map(drop))?
    } else {
        agent.run(request)?
    };
    let (parts, mut body) = response.into_parts();
    let body = body.with_config().limit(RESPONSE_BYTES_MAX).read_to_vec()?;
    let body = Box::new(Bytes::from(body));
    Ok(BytesResponse { parts, body })
}
